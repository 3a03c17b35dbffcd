"""Effects as a scenario file writes them: each is a table that names its `verb`."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from underglow.documents import Section, words
from underglow.languages import Text

Id: TypeAlias = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
Words: TypeAlias = Annotated[Text, words(60)]
Count: TypeAlias = Annotated[int, Field(ge=1, le=60)]
Few: TypeAlias = Annotated[int, Field(ge=1, le=12)]
Need: TypeAlias = Annotated[int, Field(ge=2, le=12)]
Kind: TypeAlias = Literal["jump", "golem", "fight", "trap"]
"""The four kinds of test (L-TEST-1); a glyph's and an event's count as those of a trap."""


class LoseLife(Section):
    """The character loses so many lives, at most all it has (L-DEATH-8)."""

    verb: Literal["lose_life"]
    n: Few = 1


class GainLife(Section):
    """The character gets so many lives back, up to the number it started with."""

    verb: Literal["gain_life"]
    n: Few = 1


class Daze(Section):
    """The character takes so many daze tokens."""

    verb: Literal["daze"]
    n: Few = 1


class Refresh(Section):
    """The character loses so many daze tokens."""

    verb: Literal["refresh"]
    n: Few = 1


class Crystal(Section):
    """The character's Crystal of Fate turns to its active or to its inactive side."""

    verb: Literal["crystal"]
    side: Literal["active", "inactive"]


class BoxItem(Section):
    """One of the character's items, of its own choice, leaves the game."""

    verb: Literal["box_item"]


class Shift(Section):
    """A random other player names where the character is moved, which then explores (L-TRAP-17).

    To a corridor its own leads into, or to any corridor of a tile beside its own.
    """

    verb: Literal["shift"]
    to: Literal["adjacent_corridor", "adjacent_tile"]


class Choose(Section):
    """The character's player chooses one of these."""

    verb: Literal["choose"]
    of: Annotated[tuple[Effects, ...], Field(min_length=2)]


class Test(Section):
    """The character rolls two dice; below `need`, `fail` happens."""

    verb: Literal["test"]
    need: Need
    fail: Annotated[Effects, Field(min_length=1)]


class EveryCharacter(Section):
    """Each character in turn, the active player's first, has these effects happen to it."""

    verb: Literal["every_character"]
    do: Annotated[Effects, Field(min_length=1)]


class ExtraAction(Section):
    """The active player has so many actions more in this turn."""

    verb: Literal["extra_action"]
    n: Few = 1


class RevealTrap(Section):
    """The player turns a face-down trap up: on a corridor next to the character's own, or anywhere."""

    verb: Literal["reveal_trap"]
    where: Literal["adjacent", "anywhere"]


class TurnTile(Section):
    """The player turns a laid tile on which nothing lies and nobody stands."""

    verb: Literal["turn_tile"]


class ChooseTrap(Section):
    """The player draws so many traps, looks at them, lays one where a trap may be laid, and returns the others."""

    verb: Literal["choose_trap"]
    of: Annotated[int, Field(ge=2, le=4)] = 2


class LayGlyph(Section):
    """The player lays an ability token of this kind on the character's own corridor."""

    verb: Literal["lay_glyph"]
    glyph: Id


class SwapCharacter(Section):
    """The player goes on with another character that nobody plays, drawn at random (L-CHAR-3)."""

    verb: Literal["swap_character"]


class GolemWalks(Section):
    """The Golem walks so many corridors.

    Toward the nearest character with a key, else the nearest one; where the active player says; toward the centre;
    or at random.
    """

    verb: Literal["golem_walks"]
    n: Few = 1
    toward: Literal["key_holder", "choice", "centre", "random"]


class GolemAppears(Section):
    """The active player puts the Golem on any laid tile without a character."""

    verb: Literal["golem_appears"]


Effect: TypeAlias = Annotated[
    LoseLife
    | GainLife
    | Daze
    | Refresh
    | Crystal
    | BoxItem
    | Shift
    | Choose
    | Test
    | EveryCharacter
    | ExtraAction
    | RevealTrap
    | TurnTile
    | ChooseTrap
    | LayGlyph
    | SwapCharacter
    | GolemWalks
    | GolemAppears,
    Field(discriminator="verb"),
]
Effects: TypeAlias = tuple[Effect, ...]
