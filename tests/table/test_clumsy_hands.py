"""Clumsy hands: whatever they do on the way, the journal ends up the same as if they had been neat."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterable
from itertools import product
from pathlib import Path
from typing import Any

from play import Play
from sensed import BOARD, FOREIGN, UNDONE, Sensed, entries, led_to

from underglow import games
from underglow.bench.vm import Bench
from underglow.bots import BOTS
from underglow.explain import after
from underglow.games.contract import Action, Transfer
from underglow.journal import Journal
from underglow.overlay import by_hand, place_on
from underglow.rng import Rng
from underglow.set_up import SetUp
from underglow.snapshot import Choice, Snapshot

MAP_KINDS = frozenset({"character", "threat", "enemy", "item", "asset", "empty", "child"})
COPIES = 5
STEPS = 600
MISHAPS = 300
MISSIONS = ("cinder-wells", "salt-harbour")
MAZES = ("lamp-alley", "glass-warren")
OFTEN = 0.4
NOTICED_MS = 60


def figures(scenario: str) -> SetUp:
    """Nothing but figures."""
    return SetUp()


def cards(scenario: str) -> SetUp:
    """Figures, and every card with a tag."""
    game = games.load("mandalorian")
    mission = game.load(games.scenario_path("mandalorian", scenario))
    tokens = game.tokens(game.setup(mission, mission.seats[0], Rng(1)))
    names = [name for name, token in tokens.items() if token.kind == "card"]
    tags = {bytes((4, number, copy, 5, 6, 7, 8)): card for number, card in enumerate(names) for copy in range(COPIES)}
    return SetUp(frozenset({"character", "card"}), frozenset({"character"}), tags)


def everything(scenario: str) -> SetUp:
    """All tokens of the map with a magnet, and every card with a tag of its own."""
    return SetUp(MAP_KINDS | {"card"}, MAP_KINDS, cards(scenario).tags)


def pawns(scenario: str) -> SetUp:
    """The characters of a maze and its Golem, which moves by itself."""
    return SetUp(frozenset({"character", "golem"}), frozenset({"character", "golem"}))


class Handled:
    """What `Sensed` offers, on a simulated board with the real firmware, a real link and a real clock."""

    def __init__(self, play: Play) -> None:
        self.game, self.table, self.scenario = play.game, play.table, play.scenario
        self.overlay, self.set_up, self.journal = play.overlay, play.set_up, play.journal
        self._play = play
        self.where = {token: space for token, space in play.board.tokens().items() if token != FOREIGN}

    @property
    def understood(self) -> str:
        return self._play.understood

    @property
    def snapshot(self) -> Snapshot:
        return self._play.snapshot

    def card(self, token: str) -> str:
        raise NotImplementedError("no card is physical")

    def token(self, piece: str) -> str:
        return piece

    def magnetic(self, piece: str) -> bool:
        return True

    def lift(self, piece: str, rest_ms: float = 0) -> None:
        if self.where.pop(piece, None):
            self._play.board.lift(piece)
        self.rest(rest_ms)

    def place(self, piece: str, space: str, rest_ms: float = 0) -> None:
        self.where[piece] = space
        self._play.board.place(space, piece)
        self.rest(rest_ms)

    def spike(self, spaces: Iterable[str], scans: int) -> None:
        """Switches chatter from now on, whenever they change."""
        for space in spaces:
            self._play.board.bounce(space, scans)

    def choose(self, action: Action) -> bool:
        text, steps = self.game.describe(self.table.state, action), self.table.steps

        def offered() -> list[Choice]:
            return [choice for choice in self.snapshot["choices"] if choice["text"] == text]

        self._play.until(lambda: bool(offered()))
        self.table.choose(offered()[0]["index"], self.snapshot["number"])
        self._play.until(lambda: self.snapshot["steps"] > steps)
        return True

    def rest(self, time_ms: float, until_steps: int | None = None) -> None:
        """Let time pass, and as much again as a busy machine may need to notice."""
        end_s = time.monotonic() + (time_ms + NOTICED_MS if time_ms else 0) / 1000
        while (left_s := end_s - time.monotonic()) > 0 and self.table.steps != until_steps:
            time.sleep(min(left_s, 0.002))


class Clumsy:
    """Somebody who does what a bot decides, but seldom at once."""

    def __init__(self, at: Sensed | Handled, bot: str, seed: int) -> None:
        self.at = at
        self._bot, self._rng = BOTS[bot], Rng(seed)
        self._chance = random.Random(seed)
        self.decided: list[tuple[int, str, tuple[str | int, ...]]] = []
        self.mishaps: Counter[str] = Counter()
        self._last: Transfer | None = None

    def play(self) -> None:
        """Play to the end."""
        game, table = self.at.game, self.at.table
        while game.outcome(table.state) is None:
            assert len(self.decided) < STEPS
            state = table.state
            action, self._rng = self._bot.choose(game, state, game.legal(state)[0].seat, self._rng)
            self.decided.append((action.seat, action.verb, action.args))
            self._do(state, action)
            assert table.steps == len(self.decided), (self.decided[-1], self.mishaps, self.at.snapshot)
            assert table.state == game.step(state, action)[0]
            self._put_right()

    def _do(self, state: Any, action: Action) -> None:
        tokens = self.at.game.tokens(state)
        transfers = by_hand(action, tokens, self.at.overlay, self.at.set_up)
        for way in (*self._chance.sample(self.ON_THE_WAY, 1), *self._chance.sample(self.IN_HAND, len(self.IN_HAND))):
            to_come = self.at.table.steps < len(self.decided)
            if to_come and self._chance.random() < OFTEN and way(self, state, action, transfers):
                self.mishaps[way.__name__.lstrip("_")] += 1
        if self.at.table.steps < len(self.decided):
            for transfer in transfers:
                self._carry(transfer)
        self._last = next(iter(transfers), self._last)
        if transfers:
            self.at.rest(20)
            self.at.rest(400, until_steps=len(self.decided))
        if self.at.table.steps < len(self.decided):
            assert self.at.choose(action), (action, self.at.snapshot, self.mishaps)

    def _carry(self, transfer: Transfer) -> None:
        at = self.at
        if transfer.source is None:
            at.place(at.card(transfer.token), str(transfer.target), 120)
            return
        if at.where.get(transfer.token) != transfer.target:
            at.lift(transfer.token, self._ms(30, 300))
            if transfer.target is not None:
                at.place(transfer.token, transfer.target, 5)

    def _ms(self, few: int, many: int) -> int:
        return self._chance.randint(few, many)

    # -- what there is --

    def _felt(self) -> set[str]:
        return set(self.at.where.values())

    def _free(self) -> list[str]:
        """Spaces of the mission where nothing stands and nothing may be set down."""
        ends = {
            place_on(self.at.overlay, t.target)
            for a in self.at.game.legal(self.at.table.state)
            for t in a.hands
            if t.target
        }
        spaces = [self.at.overlay[space] for space in self.at.scenario.spaces]
        return [space for space in spaces if space not in self._felt() and space not in ends]

    def _others(self, transfers: tuple[Transfer, ...]) -> list[str]:
        """Figures that stand alone and are not to be carried."""
        spaces = Counter(self.at.where.values())
        movable = {t.token for a in self.at.game.legal(self.at.table.state) for t in a.hands}
        movable |= {t.token for t in transfers}
        magnetic = [piece for piece in self.at.where if self.at.magnetic(piece)]
        return [p for p in magnetic if spaces[self.at.where[p]] == 1 and p not in movable]

    def _single(self, transfers: tuple[Transfer, ...]) -> Transfer | None:
        """The one transfer from a space where nothing else stands to one where nothing does."""
        if len(transfers) != 1 or transfers[0].source is None or transfers[0].target is None:
            return None
        spaces = Counter(self.at.where.values())
        return transfers[0] if spaces[transfers[0].source] == 1 and not spaces[transfers[0].target] else None

    def _harmless(self, state: Any, action: Action) -> bool:
        """Whether it can be taken back by hand: nothing is rolled or revealed, and the game moves nothing itself."""
        game = self.at.game
        now, events = game.step(state, action)
        sealed = any(event.chance or event.reveals for event in events) or game.outcome(now) is not None
        carried = {space: set(here) for space, here in after(game.layout(state), action.hands).items() if here}
        return not sealed and carried == {space: set(here) for space, here in game.layout(now).items()}

    def _legal_ends(self, state: Any, token: str) -> dict[str, Action]:
        """Where a token may be set down on a free space, by an action that can be told and taken back."""
        ends: dict[str, list[Action]] = {}
        for action in self.at.game.legal(state):
            for t in action.hands:
                if t.token == token and t.target and self.at.overlay[t.target] not in self._felt():
                    ends.setdefault(self.at.overlay[t.target], []).append(action)
        return {
            space: actions[0]
            for space, actions in ends.items()
            if len(actions) == 1 and self._harmless(state, actions[0]) and not self._back(token, space)
        }

    def _back(self, token: str, space: str) -> bool:
        """Whether the last step came from there: the board would ask (test_put_back.py)."""
        return self._last is not None and (token, space) == (self._last.token, self._last.source)

    def _goes_on(self, state: Any, action: Action, token: str, space: str) -> bool:
        """Whether that action may be followed by one that carries the token on to a space: that is no second thought.

        It is a step more, or the board asks (test_put_back.py).
        """
        now, _ = self.at.game.step(state, action)
        hands = [t for legal in self.at.game.legal(now) for t in legal.hands if t.token == token and t.target]
        return space in {place_on(self.at.overlay, str(t.target)) for t in hands}

    # -- mishaps: True if it came to one --

    def _glance(self, state: Any, action: Action, transfers: tuple[Transfer, ...]) -> bool:
        """Lift the piece and put it back."""
        if not (one := self._single(transfers)):
            return False
        self.at.lift(one.token, self._ms(20, 600))
        self.at.place(one.token, str(one.source), self._ms(10, 400))
        assert self.at.understood == "settled"
        return True

    def _looks(self, state: Any, action: Action, transfers: tuple[Transfer, ...]) -> bool:
        """Lift a piece that is not to move, look at it and put it back."""
        if not (others := self._others(transfers)):
            return False
        piece = self._chance.choice(others)
        home = self.at.where[piece]
        self.at.lift(piece, self._ms(20, 900))
        self.at.place(piece, home, self._ms(10, 100))
        return True

    def _knocked_over(self, state: Any, action: Action, transfers: tuple[Transfer, ...]) -> bool:
        """A piece falls onto another space, and is set up again."""
        others, free = self._others(transfers), self._free()
        others = [p for p in others if not self._last or p != self._last.token]  # that would be a change of mind
        if not others or not free:
            return False
        piece = self._chance.choice(others)
        home = self.at.where[piece]
        self.at.place(piece, self._chance.choice(free), 300)
        assert self.at.understood == "repair"
        self.at.place(piece, home, 20)
        assert self.at.understood == "settled"
        return True

    def _foreign(self, state: Any, action: Action, transfers: tuple[Transfer, ...]) -> bool:
        """Something lies down on the board that does not belong there."""
        if not (free := self._free()):
            return False
        space = self._chance.choice(free)
        self.at.place(FOREIGN, space, 300)
        assert self.at.snapshot["understood"]["extra"] == [space]
        self.at.lift(FOREIGN, 20)
        return True

    def _spikes(self, state: Any, action: Action, transfers: tuple[Transfer, ...]) -> bool:
        """Sensors flicker."""
        self.at.spike(self._chance.sample([s.id for s in BOARD.spaces if s.kind != "pad"], 5), self._ms(1, 2))
        self.at.rest(30)
        assert self.at.understood == "settled"
        return True

    def _slides(self, state: Any, action: Action, transfers: tuple[Transfer, ...]) -> bool:
        """Slide it along its way."""
        one = self._single(transfers)
        if not one or not one.via:
            return False
        self._slide(one, [self._ms(4, 120) for _ in one.via])
        return True

    def _slow_slide(self, state: Any, action: Action, transfers: tuple[Transfer, ...]) -> bool:
        """Slide it along its way, so slowly that it looks as if it had stopped."""
        one = self._single(transfers)
        if not one or not one.via:
            return False
        ends = self._legal_ends(state, one.token)
        if any(space not in ends for space in one.via):
            return False
        self._slide(one, [self._ms(270, 500) for _ in one.via])
        return True

    def _slide(self, one: Transfer, rests_ms: list[int]) -> None:
        for space, rest_ms in zip(one.via, rests_ms, strict=True):
            self.at.lift(one.token, self._ms(0, 10))
            self.at.place(one.token, space, rest_ms)
        self.at.lift(one.token, self._ms(0, 10))
        self.at.place(one.token, str(one.target))

    def _taps(self, state: Any, action: Action, transfers: tuple[Transfer, ...]) -> bool:
        """Count the spaces with the figure in hand, and go back to begin again."""
        one = self._single(transfers)
        if not one or not one.via:
            return False
        for space in (*one.via, str(one.source), *one.via):
            self.at.lift(one.token, self._ms(20, 80))
            self.at.place(one.token, space, self._ms(20, 120))
        return True

    def _illegal_place(self, state: Any, action: Action, transfers: tuple[Transfer, ...]) -> bool:
        """Set it down where it must not go, see the board say so, and go right from there."""
        one, free = self._single(transfers), self._free()
        if not one or not free:
            return False
        self.at.lift(one.token, self._ms(20, 200))
        self.at.place(one.token, self._chance.choice(free), 300)
        assert self.at.understood == "repair"
        return True

    def _another_place(self, state: Any, action: Action, transfers: tuple[Transfer, ...]) -> bool:
        """Move it elsewhere, and change one's mind."""
        one = self._single(transfers)
        if not one:
            return False
        ends = self._legal_ends(state, one.token)
        ends = {end: way for end, way in ends.items() if not self._goes_on(state, way, one.token, str(one.target))}
        ends.pop(str(one.target), None)
        if not ends:
            return False
        self.at.lift(one.token, self._ms(20, 200))
        self.at.place(one.token, self._chance.choice(sorted(ends)), 400)
        assert self.at.table.steps == len(self.decided)
        self.at.lift(one.token, self._ms(5, 500))
        self.at.place(one.token, str(one.target), 400)
        return True

    def _taken_back(self, state: Any, action: Action, transfers: tuple[Transfer, ...]) -> bool:
        """Do it, and take it back by hand."""
        one = self._single(transfers)
        if not one or str(one.target) not in self._legal_ends(state, one.token):
            return False
        if self._goes_on(state, action, one.token, str(one.source)):
            return False
        self._carry(one)
        self.at.rest(400)
        assert self.at.table.steps == len(self.decided)
        self.at.lift(one.token, self._ms(5, 500))
        self.at.place(one.token, str(one.source), 100)
        assert self.at.table.steps == len(self.decided) - 1
        assert self.at.understood == "settled"
        return True

    def _two_in_hand(self, state: Any, action: Action, transfers: tuple[Transfer, ...]) -> bool:
        """Pick up another piece as well, and put it back last."""
        one, others = self._single(transfers), self._others(transfers)
        if not one or not others:
            return False
        other = self._chance.choice(others)
        home = self.at.where[other]
        for piece in self._chance.sample([one.token, other], 2):
            self.at.lift(piece, self._ms(0, 200))
        self.at.place(one.token, str(one.target), self._ms(5, 400))
        self.at.place(other, home, 20)
        return True

    def _askew(self, state: Any, action: Action, transfers: tuple[Transfer, ...]) -> bool:
        """Push another piece off its sensor with one's sleeve, and see it only afterwards."""
        one, others = self._single(transfers), self._others(transfers)
        if not one or not others:
            return False
        other = self._chance.choice(others)
        home = self.at.where[other]
        self.at.lift(one.token, self._ms(20, 200))
        self.at.lift(other, self._ms(0, 100))
        self.at.place(one.token, str(one.target), 400)
        self.at.place(other, home, 20)
        return True

    def _quick(self, state: Any, action: Action, transfers: tuple[Transfer, ...]) -> bool:
        """Be on to another piece 80 ms later."""
        one, others = self._single(transfers), self._others(transfers)
        if not one or not others:
            return False
        ends = [t.target for a in self.at.game.legal(state) for t in a.hands if t.token == one.token]
        if ends.count(action.hands[0].target) > 1:
            return False  # people would be asked
        other = self._chance.choice(others)
        home = self.at.where[other]
        self._carry(one)
        self.at.rest(75)
        self.at.lift(other, 80)
        assert self.at.table.steps == len(self.decided)
        self.at.place(other, home, 20)
        return True

    def _wrong_zone(self, state: Any, action: Action, transfers: tuple[Transfer, ...]) -> bool:
        """Lay a card on a zone where it must not lie, and then where it belongs."""
        if action.verb != "play" or not transfers:
            return False
        open_zones = {self.at.overlay[str(a.args[0])] for a in self.at.game.legal(state) if a.verb == "play"}
        zones = {self.at.overlay[zone.id] for zone in self.at.scenario.zones}
        wrong = sorted(zones.intersection(BOARD.readers) - open_zones)
        if not wrong:
            return False
        card = self.at.card(transfers[0].token)
        self.at.place(card, self._chance.choice(wrong), 400)
        assert "Take it off" in self.at.snapshot["prompt"]
        self.at.lift(card, 120)
        return True

    ON_THE_WAY = (_looks, _knocked_over, _foreign, _spikes)
    IN_HAND = (
        *(_glance, _two_in_hand, _taken_back, _askew, _quick, _wrong_zone),
        *(_slides, _slow_slide, _taps, _illegal_place, _another_place),
    )

    # -- what the game moved by itself --

    def _put_right(self) -> None:
        """Bring every piece to where the table shows it, in any order, and take away what it does not show."""
        at = self.at
        if at.snapshot["outcome"]:
            return
        missing = Counter((token, space) for space, here in at.snapshot["layout"].items() for token in here)
        for piece, space in list(at.where.items()):
            if missing[at.token(piece), space]:
                missing[at.token(piece), space] -= 1
            else:
                at.lift(piece, self._ms(0, 40))
        pairs = list(missing.elements())
        self._chance.shuffle(pairs)
        for token, space in pairs:
            at.place(at.card(token) if at.set_up.tags and ":" in token else token, space, self._ms(0, 40))
        at.rest(200)
        assert at.understood == "settled", at.snapshot


def folded(journal: Journal) -> list[tuple[int, str, tuple[str | int, ...]]]:
    """What was played, without what was taken back."""
    played: list[tuple[int, str, tuple[str | int, ...]]] = []
    for entry in entries(journal):
        if entry[1] == UNDONE:
            played.pop()
        else:
            played.append(entry)
    return played


def test_a_game_played_with_clumsy_hands_ends_in_the_same_journal_as_one_played_neatly(tmp_path: Path) -> None:
    mishaps: Counter[str] = Counter()
    taken_back = 0
    tables = [*product(MISSIONS, (figures, cards, everything)), *product(MAZES, (figures, pawns))]
    for (mission, set_up), bot, seed in product(tables, ("greedy", "random"), (1, 2)):
        sensed = Sensed(tmp_path / set_up.__name__ / bot, mission, seed, set_up(mission))
        hands = Clumsy(sensed, bot, seed)
        hands.play()
        mishaps += hands.mishaps
        taken_back += sum(verb == UNDONE for _, verb, _ in entries(sensed.journal))
        assert folded(sensed.journal) == hands.decided
        assert led_to(sensed.journal, sensed.game, sensed.scenario) == sensed.table.state
        sensed.journal.close()
    assert mishaps.total() >= MISHAPS
    assert set(mishaps) == {way.__name__.lstrip("_") for way in (*Clumsy.ON_THE_WAY, *Clumsy.IN_HAND)}
    assert taken_back


def test_clumsy_hands_on_the_simulated_board(board: Bench, tmp_path: Path) -> None:
    """One game on real firmware, a real link and a real clock, where seconds add up."""
    play = Play(board, tmp_path, 3, SetUp())
    try:
        hands = Clumsy(Handled(play), "greedy", 3)
        hands.play()
        assert len(hands.mishaps) >= 6
        assert folded(play.journal) == hands.decided
        assert led_to(play.journal, play.game, play.scenario) == play.table.state
    finally:
        play.end()
