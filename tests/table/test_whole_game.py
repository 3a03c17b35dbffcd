"""A whole game from the first card to its outcome: real firmware, real link, and hands that do what a bot decides."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from play import Play

from underglow import games
from underglow.bench.vm import Bench
from underglow.bots import BOTS
from underglow.games.contract import Transfer
from underglow.journal import resume
from underglow.overlay import by_hand
from underglow.rng import Rng
from underglow.set_up import SetUp

STEPS = 600
"""A game takes fewer."""
COPIES = 5
"""No card is there more often."""
MAP_KINDS = frozenset({"character", "threat", "enemy", "item", "asset", "empty"})


def everything() -> SetUp:
    """All tokens of the map with a magnet, and every card with a tag of its own."""
    game = games.load("mandalorian")
    scenario = game.load(games.scenario_path("mandalorian", "cinder-wells"))
    tokens = game.tokens(game.setup(scenario, 1, Rng(1)))
    cards = [name for name, token in tokens.items() if token.kind == "card"]
    tags = {bytes((4, number, copy, 5, 6, 7, 8)): card for number, card in enumerate(cards) for copy in range(COPIES)}
    return SetUp(MAP_KINDS | {"card"}, MAP_KINDS, tags)


class Player:
    """Hands that carry out the choices of a bot, and put right what the game moves by itself."""

    def __init__(self, play: Play, bot: str, seed: int) -> None:
        self.play = play
        self._bot = BOTS[bot]
        self._rng = Rng(seed)
        self.carried: Counter[str] = Counter()
        """How often hands carried something to mean each verb."""
        self.chosen: Counter[str] = Counter()
        """How often each verb had to be chosen, also to confirm what sensors could not tell."""
        self.put_right = 0

    def act(self) -> None:
        """Do one thing, by hand where a hand can do it, and wait until the table has understood it and no more."""
        play = self.play
        steps, state = play.snapshot["steps"], play.table.state
        seat = play.game.legal(state)[0].seat
        action, self._rng = self._bot.choose(play.game, state, seat, self._rng)
        transfers = by_hand(action, play.game.tokens(state), play.overlay, play.set_up)
        for transfer in transfers:
            self._carry(transfer)
        self.carried[action.verb] += bool(transfers)
        self.chosen[action.verb] += self.tell(action.verb, play.game.describe(state, action), steps)
        self.tidy_up()
        assert play.snapshot["steps"] == steps + 1

    def _carry(self, transfer: Transfer) -> None:
        """Take a token and set it down."""
        board, piece = self.play.board, self.play.piece(transfer.token, transfer.source)
        if transfer.source is not None:
            board.lift(piece)
        if transfer.target is not None:
            board.place(transfer.target, piece)

    def tell(self, verb: str, text: str, steps: int) -> bool:
        """Wait for a step; choose it on the page if it is offered there, and say whether it was."""
        asked = -1

        def stepped() -> bool:
            nonlocal asked
            snapshot = self.play.snapshot
            if snapshot["steps"] > steps:
                return True
            for choice in snapshot["choices"]:
                if choice["text"] == text and snapshot["number"] != asked:
                    asked = snapshot["number"]
                    self.play.table.choose(choice["index"], asked)
            return False

        self.play.until(stepped)
        return asked >= 0

    def tidy_up(self) -> None:
        """Bring every token to where the table shows it, and take away what it does not show."""
        play = self.play
        if play.snapshot["outcome"]:
            return
        missing = Counter((token, space) for space, here in play.snapshot["layout"].items() for token in here)
        for name, space in play.board.tokens().items():
            token = play.token(name)
            if missing[token, space]:
                missing[token, space] -= 1
            else:
                play.board.lift(name)
                self.put_right += 1
        for token, space in missing.elements():
            play.board.place(space, play.piece(token, None))
            self.put_right += 1
        play.until(lambda: play.understood == "settled")


@pytest.mark.parametrize(("set_up", "seed"), [(SetUp(), 1), (everything(), 7)], ids=["figures", "everything"])
def test_a_whole_game_is_played_by_hands(board: Bench, tmp_path: Path, set_up: SetUp, seed: int) -> None:
    play = Play(board, tmp_path, seed, set_up)
    try:
        player = Player(play, "greedy", seed)
        first = board.pixels().number
        while play.game.outcome(play.table.state) is None:
            assert play.snapshot["steps"] < STEPS
            player.act()
        outcome = play.game.outcome(play.table.state)
        assert outcome
        play.until(lambda: play.snapshot["outcome"] == outcome.reason)
        assert play.snapshot["winners"] == list(outcome.winners)
        assert outcome.reason in play.snapshot["log"]
        assert play.snapshot["choices"] == []
        assert player.carried["move"]
        laid, not_laid = (player.carried, player.chosen) if set_up.tags else (player.chosen, player.carried)
        assert laid["play"] >= 10
        assert not not_laid["play"]
        assert bool(player.put_right) == bool(set_up.tags)
        assert board.pixels().number > first + player.carried.total()
        assert any(map(any, board.pixels().pixels))
        assert len(play.journal.records) == play.snapshot["steps"]
        assert resume(play.game, play.scenario, play.written()).state == play.table.state
    finally:
        play.end()
