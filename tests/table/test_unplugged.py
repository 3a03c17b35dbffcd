"""A table without a board: what it offers on the page, what it leaves to hands, and what it would light."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar, cast

import pytest
from unplugged import Unplugged

from underglow import games, profile
from underglow.bots import Random
from underglow.explain import after
from underglow.games.contract import Action, Cue, Game, Meaning, Token, Transfer
from underglow.history import History
from underglow.journal import Header, Journal
from underglow.languages import Text
from underglow.overlay import by_hand, standing
from underglow.rng import Rng
from underglow.session import Occupied
from underglow.set_up import SetUp
from underglow.table import Table
from underglow.themes import DEFAULT

GAME = games.load("mandalorian")
SCENARIO = GAME.load(games.scenario_path("mandalorian", "cinder-wells"))
BOARD = profile.load("hex48")
OVERLAY = SCENARIO.overlay("hex48")
START = GAME.setup(SCENARIO, 1, Rng(7))
CARDS = SetUp(frozenset({"character", "card"}))
TAGGED = SetUp(CARDS.physical, tags={bytes((4, at)): card for at, card in enumerate(GAME.tokens(START)) if ":" in card})
MAP_KINDS = frozenset({"character", "threat", "enemy"})
MAP = SetUp(MAP_KINDS, MAP_KINDS)


class Offline:
    """A table in some state, and magnets under all its tokens but cards."""

    def __init__(
        self, journal: Journal, state: Any, set_up: SetUp, game: Game[Any, Any] = GAME, scenario: Any = SCENARIO
    ) -> None:
        self.link = Unplugged("no port", BOARD)
        self.table = Table(game, scenario, History(game, state, 1), BOARD, self.link, journal, DEFAULT, set_up)
        self.layout = standing(game, state, scenario.overlay(BOARD.name), set_up)
        self.feel(self.layout)
        assert self.table.state == state

    def feel(self, layout: dict[str, tuple[str, ...]]) -> None:
        felt = {space for space, here in layout.items() if here}
        self.table.take(Occupied(frozenset(sensor for sensor, at in BOARD.space_of_sensor.items() if at in felt)))

    def offers(self, action: Action) -> bool:
        text = GAME.describe(self.table.state, action)
        return text in [choice["text"] for choice in self.table.snapshot()["choices"]]


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = Journal.create(tmp_path / "journal.sqlite", Header.of("mandalorian", SCENARIO, 1, 7, BOARD))
    yield journal
    journal.close()


def walk(verb: str) -> Iterator[tuple[Any, list[Action]]]:
    """States of random games, from one seed on, in which something of a verb may be chosen; and all of that."""
    for seed in range(20):
        state, rng = GAME.setup(SCENARIO, 1, Rng(seed)), Rng(seed)
        while legal := GAME.legal(state):
            if fitting := [action for action in legal if action.verb == verb]:
                yield state, fitting
            action, rng = Random().choose(GAME, state, 0, rng)
            state, _ = GAME.step(state, action)


@pytest.mark.parametrize(("set_up", "chosen"), [(SetUp(), True), (CARDS, True), (TAGGED, False)])
def test_a_card_is_a_choice_unless_a_reader_knows_its_tag(journal: Journal, set_up: SetUp, chosen: bool) -> None:
    offline = Offline(journal, START, set_up)
    plays = [action for action in GAME.legal(START) if action.verb == "play"]
    assert {offline.offers(action) for action in plays} == {chosen}


def test_hands_carry_only_what_is_physical() -> None:
    play = next(action for action in GAME.legal(START) if action.verb == "play")
    tokens = GAME.tokens(START)
    assert by_hand(play, tokens, OVERLAY, SetUp()) == ()
    assert by_hand(play, tokens, OVERLAY, CARDS) == (Transfer(play.hands[0].token, None, OVERLAY[str(play.args[0])]),)


def test_a_move_between_spaces_that_stay_occupied_is_a_choice_for_no_sensor_tells(journal: Journal) -> None:
    def seen(state: Any, action: Action) -> bool:
        layout = standing(GAME, state, OVERLAY, MAP)
        (carried,) = by_hand(action, GAME.tokens(state), OVERLAY, MAP)
        return len(layout[str(carried.source)]) == 1 or carried.target not in layout

    state, moves = next((s, moves) for s, moves in walk("move") if len({seen(s, action) for action in moves}) == 2)
    offline = Offline(journal, state, MAP)
    for action in moves:
        assert offline.offers(action) != seen(state, action)


def test_a_path_is_lit_in_the_order_of_its_way(journal: Journal) -> None:
    def against_the_strip(state: Any, push: Action) -> bool:
        """From a space of its own to a free one that comes earlier on the strip, and nothing else happens."""
        layout, (source, target) = GAME.layout(state), ends(push)
        alone = len(layout[source]) == 1 and target not in layout
        return alone and lamps(target) < lamps(source) and len(GAME.step(state, push)[1]) == 1

    state, push = next((s, push) for s, pushes in walk("push") for push in pushes if against_the_strip(s, push))
    offline = Offline(journal, state, MAP)
    offline.feel(after(offline.layout, by_hand(push, GAME.tokens(state), OVERLAY, MAP)))
    assert offline.table.steps == 1
    assert (DEFAULT[Meaning.PATH], lamps(*ends(push))) in offline.link.picture


def ends(action: Action) -> tuple[str, str]:
    """The spaces between which an action carries its token."""
    (carried,) = action.hands
    return str(carried.source), str(carried.target)


def lamps(*spaces: str) -> tuple[int, ...]:
    return tuple(BOARD.lamp_of(OVERLAY[space]) for space in spaces)


class Moment(int):
    """The state of a small game: which of its moments it is."""

    def to_json(self) -> str:
        return str(self)


class Shooting:
    """A game of three moments, and its scenario: Eve comes and shoots Cat, and Ann may go to where Cat stood."""

    title = Text("Shooting")
    layouts: ClassVar = (
        {"h01": ("ann", "bob"), "h02": ("cat",)},
        {"h01": ("ann", "bob"), "h03": ("eve",)},
        {"h01": ("bob",), "h02": ("ann",), "h03": ("eve",)},
    )
    actions: ClassVar = (
        (Action(0, "come", (), (Transfer("eve", None, "h03"),)),),
        (Action(0, "move", (), (Transfer("ann", "h01", "h02"),)),),
        (),
    )

    def overlay(self, board: str) -> dict[str, str]:
        return {space: space for space in ("h01", "h02", "h03", "h04")}

    def tokens(self, state: int) -> dict[str, Token]:
        return {name: Token("character", Text(name)) for name in ("ann", "bob", "cat", "eve")}

    def layout(self, state: int) -> dict[str, tuple[str, ...]]:
        return self.layouts[state]

    def legal(self, state: int) -> tuple[Action, ...]:
        return self.actions[state]

    def step(self, state: int, action: Action) -> tuple[Moment, tuple[()]]:
        return Moment(state + 1), ()

    def cues(self, state: int, lifted: tuple[str, ...]) -> dict[str, Cue]:
        return {}

    def shown(self, state: int, action: Action) -> dict[str, Cue]:
        return {}

    def flashes(self, state: int, events: object) -> dict[str, Cue]:
        return {"h02": Cue(Meaning.HURT), "h04": Cue(Meaning.PATH)}

    def words(self, *_: object) -> str:
        return "words"

    def outcome(self, state: int) -> None:
        return None

    def refuse(self, state: int, stray: Transfer) -> Text:
        return Text("")

    describe = narrate = prompt = words


def test_what_an_action_takes_off_the_board_is_no_sign_of_the_next_one(journal: Journal) -> None:
    """Cat still stands there, which looks as if one of the two on h01 had gone to it."""
    offline = Offline(journal, Moment(0), SetUp(), cast("Game[Any, Any]", Shooting()), Shooting())
    said: list[tuple[int, str, list[str]]] = []
    for spaces in ("h01 h02 h03", "h01 h03", "h01 h02 h03"):
        offline.feel(dict.fromkeys(spaces.split(), ("somebody",)))
        understood = offline.table.snapshot()["understood"]
        said.append((offline.table.state, understood["kind"], understood["extra"]))
    assert said == [(1, "repair", ["h02"]), (1, "settled", []), (2, "settled", [])]


def test_while_something_is_to_be_put_right_the_rest_of_a_flash_is_seen_beside_it(journal: Journal) -> None:
    offline = Offline(journal, Moment(0), SetUp(), cast("Game[Any, Any]", Shooting()), Shooting())
    offline.feel(dict.fromkeys(("h01", "h02", "h03"), ("somebody",)))
    wanted = {"h02": Meaning.MISPLACED, "h04": Meaning.PATH}
    assert set(offline.link.picture) == {(DEFAULT[m], (BOARD.lamp_of(space),)) for space, m in wanted.items()}
