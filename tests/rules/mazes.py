"""Positions of Labyrinth for tests: just the tiles, tokens and cards that matter, with dice that a test lays down."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache

from scene import PlayedOn

from underglow import games
from underglow.games.labyrinth import compiling, dealing, rules
from underglow.games.labyrinth.document import Switches
from underglow.games.labyrinth.draft import Draft
from underglow.games.labyrinth.maze import TURNS, Maze
from underglow.games.labyrinth.scenario import CENTRE, KEY_TILE, LANES, NONE, Scenario
from underglow.games.labyrinth.state import Glyph, Lying, Player, State, Trap
from underglow.games.labyrinth.task import Task
from underglow.games.labyrinth.turn import ACTIONS, Turn
from underglow.games.state import Deck
from underglow.rng import Rng

GLASS_WARREN = games.scenario_path("labyrinth", "glass-warren")
LAMP_ALLEY = games.scenario_path("labyrinth", "lamp-alley")


@cache
def glass_warren() -> Scenario:
    """The scenario as it is shipped: the rules roll."""
    return compiling.load(GLASS_WARREN)


@cache
def lamp_alley() -> Scenario:
    return compiling.load(LAMP_ALLEY)


@cache
def by_hand() -> Scenario:
    """Glass Warren with dice that are typed in, so that a test says what is rolled."""
    return switched(dice="typed")


def switched(of: Scenario | None = None, **switches: object) -> Scenario:
    """A scenario with these switches set: Glass Warren by hand unless another is given."""
    scenario = of or (by_hand() if "dice" not in switches else glass_warren())
    chosen = Switches.model_validate({**scenario.switches.model_dump(), **switches})
    return replace(scenario, switches=chosen, digest=f"{scenario.digest} {switches}")


def place_at(scenario: Scenario, where: str) -> int:
    """The place that "d5" (its first corridor) or "d5.1" names."""
    space, _, lane = where.partition(".")
    return scenario.spaces.index(space) * LANES + int(lane or 0)


def name_of(scenario: Scenario, place: int) -> str:
    """The same the other way round: always with the number of the corridor, but for start spaces."""
    space = scenario.spaces[place // LANES]
    return f"{space}.{place % LANES}" if place < scenario.sockets * LANES else space


def arrange(
    scenario: Scenario | None = None,
    *,
    at: Mapping[str, str],
    tiles: Mapping[str, str | tuple[str, int]] | None = None,
    traps: Mapping[str, str] | None = None,
    items: Mapping[str, str] | None = None,
    keys: Mapping[str, str] | None = None,
    glyphs: Mapping[str, tuple[str, str]] | None = None,
    holds: Mapping[str, Sequence[str]] | None = None,
    lives: Mapping[str, int] | None = None,
    daze: Mapping[str, int] | None = None,
    dark: Iterable[str] = (),
    golem: str = "",
    event: str = "",
    acting: str = "",
    seats: int = 0,
    pile: Sequence[str] = (),
    pool: Sequence[str] = (),
    stock: Sequence[str] = (),
    golem_cards: Sequence[str] = (),
    events: Sequence[str] = (),
) -> State:
    """A position at the start of a turn: characters in the order of seats where `at` says, and nothing else but this.

    Who is not in `at` plays from the next start space on; without `acting` the first of `at` is to act. Of corridors,
    "d5" is the first and "d5.1" the second.

    tiles: space to id, or id and how often it is turned; the centre and the key tiles always lie.
    traps: corridor to id, "? spikes" when face down. items: corridor to id. keys: "key1" … to corridor.
    glyphs: corridor to id and the character that laid it. holds: character to items and keys. dark: whose crystals are
    inactive. golem: in the last socket, on a tile of its own, unless told where. pile, pool, stock, golem_cards,
    events: what is drawn next; all the rest of each set follows.
    """
    scenario = scenario or by_hand()
    seats = seats or max(2, len(at))
    state = dealing.setup(scenario, seats, Rng(7))
    chosen = [*at, *(c.id for c in scenario.characters if c.id not in at)][:seats]
    kinds = [tile.id for tile in scenario.tiles]
    maze = state.maze
    far_off = scenario.spaces[scenario.sockets - 1]
    under_golem = {} if golem else {far_off: kinds[KEY_TILE + 1]}
    for space, tile in {**under_golem, **(tiles or {})}.items():
        kind, turned = (tile, 0) if isinstance(tile, str) else tile
        maze = maze.with_tile(scenario.spaces.index(space), kinds.index(kind), turned)

    known = [item.id for item in scenario.items]
    held = {who: list((holds or {}).get(who, ())) for who in chosen}
    hands = {who: tuple(sorted(known.index(token) for token in held[who] if token in known)) for who in chosen}
    numbers = [character.id for character in scenario.characters]
    players = tuple(
        Player(
            numbers.index(who),
            place_at(scenario, at[who]) if who in at else scenario.start(seats, seat),
            (lives or {}).get(who, scenario.lives),
            (daze or {}).get(who, 0),
            who not in dark,
            hands[who],
        )
        for seat, who in enumerate(chosen)
    )
    where = list(state.keys)
    for number in range(len(where)):
        token = f"key{number + 1}"
        if token in (keys or {}):
            where[number] = place_at(scenario, (keys or {})[token])
        for seat, who in enumerate(chosen):
            if token in held[who]:
                where[number] = -1 - seat

    ids = [trap.id for trap in scenario.traps]
    laid = tuple(
        sorted(
            Trap(place_at(scenario, there), ids.index(trap.removeprefix("? ")), not trap.startswith("? "), 0)
            for there, trap in (traps or {}).items()
        )
    )
    lying = tuple(sorted(Lying(place_at(scenario, there), known.index(item)) for there, item in (items or {}).items()))
    tokens = [glyph.id for glyph in scenario.glyphs]
    marks = tuple(
        sorted(
            Glyph(place_at(scenario, there), tokens.index(kind), numbers.index(who))
            for there, (kind, who) in (glyphs or {}).items()
        )
    )
    cards = [card.id for card in scenario.events]
    in_force = cards.index(event) if event else NONE
    built = tuple(tile // TURNS for tile in maze.laid if tile != NONE and tile // TURNS not in (CENTRE, KEY_TILE))
    state = replace(
        state,
        seat=chosen.index(acting) if acting else 0,
        actions=ACTIONS,
        used=0,
        agenda=(Turn(),),
        players=players,
        maze=maze,
        golem=place_at(scenario, golem or far_off),
        traps=laid,
        keys=tuple(where),
        lying=lying,
        glyphs=marks,
        pile=_stacked(scenario.pile, built, kinds, pile),
        pool=_stacked(scenario.pool, [trap.kind for trap in laid], ids, pool),
        stock=_stacked(scenario.stock, [*(lie.item for lie in lying), *sum(hands.values(), ())], known, stock),
        golem_deck=Deck(_stacked(scenario.golem_deck, (), [card.id for card in scenario.golem_cards], golem_cards), ()),
        event_deck=Deck(_stacked(scenario.event_deck, [in_force] if event else (), cards, events), ()),
        event=in_force,
    )
    draft = Draft(state)
    draft.run()
    return draft.freeze()


def _stacked(whole: Sequence[int], gone: Iterable[int], ids: Sequence[str], wanted: Sequence[str]) -> tuple[int, ...]:
    """A set without what is elsewhere, these on top."""
    left, top = list(whole), [ids.index(name) for name in wanted]
    for piece in (*gone, *top):
        left.remove(piece)
    return (*top, *left)


class Scene(PlayedOn[State]):
    """A game being played on from a position, and what happened in it."""

    game = games.load("labyrinth")

    @property
    def asked(self) -> set[str]:
        """The characters that may choose now."""
        return {self.who(action.seat) for action in rules.legal(self.state)}

    def spaces(self, verb: str) -> set[str]:
        """The same where they are corridors: "d5.1"."""
        return {self._spelt(args) for args in self.offers(verb)}

    def do(self, verb: str, *args: str | int) -> Scene:
        """Choose what has that verb and these arguments; "d5.1" or, if it leaves no doubt, "d5" means a corridor."""
        legal = [action for action in rules.legal(self.state) if action.verb == verb]
        fit = [action for action in legal if action.args == args]
        fit = fit or [action for action in legal if action.args and (self._spelt(action.args),) == args]
        fit = fit or [action for action in legal if args and action.args[: len(args)] == args]
        assert len(fit) == 1, f"{verb} {args} is not one of {[(a.verb, *a.args) for a in rules.legal(self.state)]}"
        self.state, events = rules.step(self.state, fit[0])
        self.events += events
        return self

    def roll(self, *rolls: int) -> Scene:
        """Lay the dice down, once for each roll."""
        for roll in rolls:
            self.do("rolled", roll)
        return self

    def run(self, *tasks: Task) -> Scene:
        """Lay tasks on the agenda and do them until somebody has to choose."""
        draft = Draft(self.state)
        draft.push(*tasks)
        draft.run()
        self.state = draft.freeze()
        self.events += draft.told
        return self

    def who(self, seat: int) -> str:
        """The character of a seat."""
        return self.state.scenario.characters[self.state.players[seat].character].id

    @property
    def acting(self) -> str:
        """The character whose turn it is."""
        return self.who(self.state.seat)

    def player(self, character: str) -> Player:
        """A character in play."""
        return next(player for seat, player in enumerate(self.state.players) if self.who(seat) == character)

    def place(self, character: str) -> str:
        """Where it stands: "d5.1", or its start space."""
        return name_of(self.state.scenario, self.player(character).place)

    @property
    def golem(self) -> str:
        """Where the Golem stands."""
        return name_of(self.state.scenario, self.state.golem)

    def held(self, character: str) -> list[str]:
        """The keys and items it has."""
        seat = next(seat for seat in range(self.state.seats) if self.who(seat) == character)
        keys = [f"key{number + 1}" for number, place in enumerate(self.state.keys) if place == -1 - seat]
        return [*keys, *(self.state.scenario.items[item].id for item in self.player(character).items)]

    @property
    def traps(self) -> dict[str, str]:
        """The traps on the board by corridor, "? spikes" when face down."""
        scenario = self.state.scenario
        return {
            name_of(scenario, trap.place): ("" if trap.up else "? ") + scenario.traps[trap.kind].id
            for trap in self.state.traps
        }

    @property
    def lying(self) -> list[tuple[str, str]]:
        """Corridor and id of each item on the board."""
        scenario = self.state.scenario
        return [(name_of(scenario, lying.place), scenario.items[lying.item].id) for lying in self.state.lying]

    @property
    def keys(self) -> dict[str, str]:
        """Where each key lies or who has it."""
        return {
            f"key{number + 1}": name_of(self.state.scenario, place) if place >= 0 else self.who(-1 - place)
            for number, place in enumerate(self.state.keys)
        }

    def _spelt(self, args: tuple[str | int, ...]) -> str:
        """A corridor in the arguments of an action, as tests spell it."""
        scenario, (space, *lane) = self.state.scenario, map(str, args)
        if lane and space in scenario.spaces:
            return name_of(scenario, place_at(scenario, f"{space}.{lane[0]}"))
        return space


def laid(scenario: Scenario, **tiles: tuple[str, int]) -> Maze:
    """Nothing but these tiles, in this order: space to id and how often it is turned."""
    maze, kinds = Maze.bare(scenario), [tile.id for tile in scenario.tiles]
    for space, (tile, turned) in tiles.items():
        maze = maze.with_tile(scenario.spaces.index(space), kinds.index(tile), turned)
    return maze
