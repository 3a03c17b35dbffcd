"""A game on the simulated board: real firmware, real link, real table."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

from underglow import games, profile
from underglow.bench.vm import Bench
from underglow.games.contract import Action
from underglow.journal import Header, Journal, resume
from underglow.link import Link
from underglow.overlay import by_hand, place_on, standing
from underglow.set_up import SetUp
from underglow.snapshot import Snapshot
from underglow.table import Table
from underglow.themes import DEFAULT

PATIENCE_S = 5.0


class Play:
    """A running table, and somebody's hands on its board: Cinder Wells, unless told otherwise."""

    def __init__(
        self,
        board: Bench,
        folder: Path,
        seed: int,
        set_up: SetUp,
        scenario: str = "cinder-wells",
        seats: int = 1,
        profile_name: str = "hex48",
        game: str | None = None,
        deaf: frozenset[str] = frozenset(),
    ) -> None:
        self.board = board
        self.set_up = set_up
        self.profile = profile.load(profile_name)
        owner, path = games.find(scenario, game)
        self.game = games.load(owner)
        self.scenario = self.game.load(path)
        self.overlay = self.scenario.overlay(profile_name)
        header = Header.of(owner, self.scenario, seats, seed, self.profile)
        self.journal = Journal.create(folder / "journal.sqlite", header)
        history = resume(self.game, self.scenario, self.journal)
        self._pieces = {f"{token} {uid.hex()}": token for uid, token in set_up.tags.items()}
        for uid, token in set_up.tags.items():
            board.equip(f"{token} {uid.hex()}", magnet=False, uid=uid)
        for space, tokens in standing(self.game, history.state, self.overlay, set_up).items():
            for token in tokens:
                board.place(space, self.piece(token, None))
        self.link = Link(board.port, self.profile)
        self.table = Table(
            self.game, self.scenario, history, self.profile, self.link, self.journal, DEFAULT, set_up, deaf=deaf
        )
        self.shown: list[Snapshot] = []
        for happening in self.link.connect():
            self.table.take(happening)
        self.table.watch(self.shown.append)
        self._thread = threading.Thread(target=self.table.run, daemon=True)
        self._thread.start()
        self.until(lambda: self.understood == "settled")

    @property
    def snapshot(self) -> Snapshot:
        return self.shown[-1]

    @property
    def understood(self) -> str:
        return self.snapshot["understood"]["kind"]

    def piece(self, token: str, at: str | None) -> str:
        """A piece of that token which is on that space, or off the board: equal ones have tags of their own."""
        there = self.board.tokens()
        return next((name for name, known in self._pieces.items() if known == token and there.get(name) == at), token)

    def token(self, piece: str) -> str:
        """The token a piece is."""
        return self._pieces.get(piece, piece)

    def until(self, done: Callable[[], bool]) -> None:
        """Wait for it; the message tells what the table showed instead."""
        end_s = time.monotonic() + PATIENCE_S
        while not done():
            assert time.monotonic() < end_s, f"not within {PATIENCE_S} s; the table shows {self.snapshot}"
            time.sleep(0.002)

    def pixel(self, place: str) -> tuple[int, int, int]:
        """What the strip shows under a scenario's space, or at an edge of one."""
        lamp = self.profile.lamp_of(place_on(self.overlay, place))
        return self.board.pixels().pixels[self.profile.lamps[lamp][0]]

    def choose(self, *words: str) -> None:
        """Choose the first action on offer whose words contain these."""
        snapshot = self.snapshot
        choices = snapshot["choices"]
        index = next(c["index"] for c in choices if all(word in c["text"] for word in words))
        self.table.choose(index, snapshot["number"])
        self.until(lambda: self.snapshot["steps"] > snapshot["steps"])

    def moves(self) -> list[Action]:
        """The legal moves by hand, but for those onto another figure's space, which no sensor can tell."""
        state, taken = self.table.state, self.snapshot["layout"]
        tokens = self.game.tokens(state)
        return [
            action
            for action in self.game.legal(state)
            if by_hand(action, tokens, self.overlay, self.set_up) and self.place(action) not in taken
        ]

    def place(self, action: Action) -> str:
        """The board space where a move ends."""
        return self.overlay[str(action.hands[0].target)]

    def single(self) -> str:
        """Go on until a figure that stands alone is to be moved; return its id."""
        for _ in range(12):
            if moves := self.moves():
                (transfer,) = moves[0].hands
                if len(self.snapshot["layout"][self.overlay[str(transfer.source)]]) == 1:
                    return transfer.token
                self.carry(moves[0])
            else:
                texts = [choice["text"] for choice in self.snapshot["choices"]]
                self.choose(next((text for text in reversed(texts) if text.endswith("on Move")), texts[0]))
        raise AssertionError("no figure came to stand alone")

    def carry(self, action: Action) -> None:
        """Do a move with the hand."""
        (transfer,) = action.hands
        number = self.snapshot["steps"]
        self.board.lift(transfer.token)
        self.board.place(self.place(action), transfer.token)
        self.until(lambda: self.snapshot["steps"] > number and self.understood == "settled")

    def written(self) -> Journal:
        """The journal as it is on disk, read again. The table has ended with that."""
        self.stop()
        self.journal.close()
        self.journal = Journal.open(self.journal.path)
        return self.journal

    def stop(self) -> None:
        self.table.stop()
        self._thread.join()

    def end(self) -> None:
        self.stop()
        self.link.close()
        self.journal.close()
