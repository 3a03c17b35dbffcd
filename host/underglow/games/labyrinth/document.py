"""What a scenario file may say: its tables. What must agree between them is in `findings`."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from underglow.documents import Section
from underglow.games.labyrinth.grammar import Count, Effects, Few, Id, Kind, Need, Words

Edge: TypeAlias = Annotated[int, Field(ge=0, le=5)]
"""Edges of a hex count clockwise from the east, as the lamps of a board do."""
Axial: TypeAlias = tuple[int, int]
Rule: TypeAlias = Literal["tested_traps_go", "no_free_fights", "second_step_free", "shaking_bridges"]


class Switches(Section):
    """What a table may settle for itself: where the rules we have are silent or leave it open."""

    dice: Literal["engine", "typed"] = "engine"  # L-TEST-1: rolled here, or typed in from real dice
    tiles: Literal["engine", "drawn"] = "engine"  # L-ACT-BUILD: drawn here, or by hand: tag or page tells
    crystal_starts: Literal["active", "inactive"] = "active"  # L-SETUP-3
    crystal_repeats: Literal["single_roll", "whole_test"] = "single_roll"  # section 5
    crystal_after: Literal["failure", "any"] = "failure"  # L-FREE-CRYSTAL
    unused_actions: bool = True  # L-TURN-3: may a turn end with actions left
    build_must_touch: bool = True  # L-BUILD-2
    build_may_refuse: bool = False  # L-BUILD-2: put the drawn tile back under the pile
    free_rotation: bool = True  # L-BUILD-2
    rest_removes: Literal["one", "all"] = "one"  # L-ACT-REST
    jump_landing_explores: Literal["all", "trap"] = "all"  # L-JUMP-6
    dazed_loses_fights: bool = True  # L-FIGHT-4
    golem_spoils_centre: bool = False  # L-GOAL-1: whether it counts as a character there
    death_cancels_rest_of_trap: bool = True  # L-DEATH-7
    daze_survives_rebirth: bool = True  # L-DEATH-6
    crystal_survives_rebirth: bool = True  # L-DEATH-6; if not, it starts anew
    dazed_may_use_crystal: bool = False  # L-DAZE-5
    decks_reshuffle: bool = True  # L-GOLEM-5, L-EVENT-1: an empty deck is its discards again
    traps_removed_to: Literal["box", "pool"] = "box"  # L-EVENT-2


class Corridor(Section):
    """One path across a tile, by the edges it leads to; `trap` and `item`: it gets such a token when it is laid."""

    edges: Annotated[tuple[Edge, ...], Field(min_length=1, max_length=6)]
    bridge: bool = False
    trap: bool = False
    item: bool = False


Corridors: TypeAlias = Annotated[tuple[Corridor, ...], Field(min_length=1, max_length=3)]
OPEN = (Corridor(edges=(0, 1, 2, 3, 4, 5)),)


class Tile(Section):
    """Equal tiles of the pile."""

    id: Id
    name: Words
    n: Count
    corridors: Corridors


class Start(Section):
    """A start space in the frame, at that edge of the key tile that lies on the hex `beside`."""

    id: Id
    beside: Axial
    edge: Edge


class Trap(Section):
    """Equal trap tokens: so many rolls (L-TRAP-G8), or until one succeeds or `most` have failed."""

    id: Id
    name: Words
    n: Count
    rolls: Annotated[int, Field(ge=1, le=6)] | Literal["until_success"] = 1
    most: Few = 4
    need: Need
    fail: Annotated[Effects, Field(min_length=1)]


class GolemCard(Section):
    """Equal cards of the Golem's deck."""

    id: Id
    name: Words
    n: Count
    do: Annotated[Effects, Field(min_length=1)]


class Event(Section):
    """Equal event cards: `do` happens when it is played, `rule` holds until the next one is (L-EVENT-1)."""

    id: Id
    name: Words
    n: Count
    rule: Rule | None = None
    do: Effects = ()


class Bonus(Section):
    """So much more on each roll of that kind of test."""

    test: Kind
    n: Few


class Item(Section):
    """Equal items: used once in one's own turn for `do`, or before one's own test for a bonus; or held for one."""

    id: Id
    name: Words
    n: Count
    when: Literal["own_turn", "own_turn_even_dazed", "before_test", "held"]
    bonus: Bonus | None = None
    do: Effects = ()


class Ability(Section):
    """What a character can do: for so many actions, by its crystal if it says so, once a turn; or a lasting bonus."""

    id: Id
    name: Words
    cost: Annotated[int, Field(ge=0, le=2)] = 0
    crystal: bool = False
    bonus: Bonus | None = None
    do: Effects = ()


class Character(Section):
    """A character and what it can do (L-CHAR-1)."""

    id: Id
    name: Words
    abilities: Annotated[tuple[Ability, ...], Field(max_length=4)] = ()


class Glyph(Section):
    """Equal ability tokens: what happens to another character that enters the corridor (L-EXP-1)."""

    id: Id
    name: Words
    n: Count
    enter: Annotated[Effects, Field(min_length=1)]


class Document(Section):
    """A scenario file."""

    title: Words
    radius: Annotated[int, Field(ge=1, le=4)]
    rounds: Annotated[int, Field(ge=0, le=99)] = 0
    """After so many rounds the most keys win, then the shortest way to the centre; 0: only the centre wins."""
    lives: Annotated[int, Field(ge=1, le=8)] = 4
    switches: Switches = Switches()
    centre: Corridors = OPEN
    key_tile: Corridors = OPEN
    starts: Annotated[tuple[Start, ...], Field(min_length=2, max_length=6)]
    start_use: Annotated[dict[str, tuple[str, ...]], Field(min_length=1)]
    tiles: Annotated[tuple[Tile, ...], Field(min_length=1, max_length=40)]
    traps: Annotated[tuple[Trap, ...], Field(min_length=1, max_length=40)]
    golem: Annotated[tuple[GolemCard, ...], Field(min_length=1)]
    events: Annotated[tuple[Event, ...], Field(min_length=1)]
    items: Annotated[tuple[Item, ...], Field(min_length=1)]
    characters: Annotated[tuple[Character, ...], Field(min_length=2, max_length=20)]
    glyphs: tuple[Glyph, ...] = ()
    overlay: dict[str, dict[str, str]] = Field(default_factory=dict[str, dict[str, str]])
