"""Effects and conditions as a scenario file writes them: each is a table that names its `verb`, or what it `is`."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from underglow.documents import Section, words
from underglow.languages import Text

Id: TypeAlias = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
Words: TypeAlias = Annotated[Text, words(60)]
Count: TypeAlias = Annotated[int, Field(ge=1, le=40)]
Amount: TypeAlias = Annotated[int, Field(ge=1, le=12)] | Literal["J"]
"""A number, or the strength of the card just played."""
Reach: TypeAlias = Annotated[int, Field(ge=0, le=12)] | Literal["J"]
Role: TypeAlias = Literal["melee", "shooter", "sharpshooter"]
AnyRole: TypeAlias = Role | Literal["any"]
Crowd: TypeAlias = Count | Literal["all"]

# ── conditions ──


class CharacterOn(Section):
    """A character stands on a face-up threat of this kind."""

    is_: Annotated[Literal["character_on"], Field(alias="is")]
    kind: Literal["enemy", "item", "asset", "empty"]


class CharacterAt(Section):
    """A character stands on this space."""

    is_: Annotated[Literal["character_at"], Field(alias="is")]
    space: Id


class ChildBroughtTo(Section):
    """A character that carries the child stands on this space."""

    is_: Annotated[Literal["child_brought_to"], Field(alias="is")]
    space: Id


class ChildCaptured(Section):
    """An enemy carries the child; with `space`, and stands there."""

    is_: Annotated[Literal["child_captured"], Field(alias="is")]
    space: Id | None = None


class TrackAtLeast(Section):
    """A track has reached a number."""

    is_: Annotated[Literal["track_at_least"], Field(alias="is")]
    track: Id
    n: Count


class DoorOpen(Section):
    """A door is open."""

    is_: Annotated[Literal["door_open"], Field(alias="is")]
    door: Id


class SlotsFilled(Section):
    """All slots for an item are filled."""

    is_: Annotated[Literal["slots_filled"], Field(alias="is")]
    item: Words


class Defeated(Section):
    """So many enemies of a name are defeated."""

    is_: Annotated[Literal["defeated"], Field(alias="is")]
    name: Words
    n: Count = 1


class TurnsAtLeast(Section):
    """So many turns were finished."""

    is_: Annotated[Literal["turns_at_least"], Field(alias="is")]
    n: Annotated[int, Field(ge=1, le=400)]


class CharactersAtLeast(Section):
    """So many characters play."""

    is_: Annotated[Literal["characters_at_least"], Field(alias="is")]
    n: Annotated[int, Field(ge=1, le=4)]


class AnyCharacterDefeated(Section):
    """The damage of a character has reached its health."""

    is_: Annotated[Literal["any_character_defeated"], Field(alias="is")]


class AllOf(Section):
    """Each of these holds."""

    is_: Annotated[Literal["all"], Field(alias="is")]
    of: Annotated[tuple[Condition, ...], Field(min_length=1)]


class AnyOf(Section):
    """One of these holds."""

    is_: Annotated[Literal["any"], Field(alias="is")]
    of: Annotated[tuple[Condition, ...], Field(min_length=1)]


class Not(Section):
    """The contrary of a condition."""

    is_: Annotated[Literal["not"], Field(alias="is")]
    of: Condition


Condition: TypeAlias = Annotated[
    CharacterOn
    | CharacterAt
    | ChildBroughtTo
    | ChildCaptured
    | TrackAtLeast
    | DoorOpen
    | SlotsFilled
    | Defeated
    | TurnsAtLeast
    | CharactersAtLeast
    | AnyCharacterDefeated
    | AllOf
    | AnyOf
    | Not,
    Field(discriminator="is_"),
]

# ── effects: what the characters' side chooses to do ──


class Damage(Section):
    """Damage one threat within range."""

    verb: Literal["damage"]
    n: Amount
    range: Reach = 1


class SplitDamage(Section):
    """Share damage freely among threats within range."""

    verb: Literal["split_damage"]
    n: Amount
    range: Reach = 1


class DisruptEnemy(Section):
    """Lay disruption tokens on one enemy within range (M-DISR-1)."""

    verb: Literal["disrupt_enemy"]
    n: Amount = 1
    range: Reach = 1


class Push(Section):
    """Move one enemy within range, space by space."""

    verb: Literal["push"]
    n: Amount = 1
    range: Reach = 1


class Look(Section):
    """Look secretly at face-down threats within range."""

    verb: Literal["look"]
    n: Amount = 1
    range: Reach = 1


class Heal(Section):
    """Take damage off oneself; with `range`, off one character within it."""

    verb: Literal["heal"]
    n: Amount
    range: Reach | None = None


class MoveSelf(Section):
    """Move up to that far, by all rules of movement (M-MOVE-8)."""

    verb: Literal["move_self"]
    n: Amount


class Draw(Section):
    """Draw skill cards, even beyond the size of a hand."""

    verb: Literal["draw"]
    n: Amount


class Plan(Section):
    """Draw planning cards as the Plan action does (M-PLAN-1)."""

    verb: Literal["plan"]
    n: Amount


class ClearZone(Section):
    """Discard all cards and tokens of a zone without an event: of the highest, or of one chosen."""

    verb: Literal["clear_zone"]
    zone: Literal["highest", "chosen"]


# ── effects: answers, on planning cards only ──


class Block(Section):
    """Take off the damage that is being dealt."""

    verb: Literal["block"]
    n: Count


class DamageAttacker(Section):
    """Damage the enemy that has attacked."""

    verb: Literal["damage_attacker"]
    n: Count


class CancelCrisis(Section):
    """Let the crisis that is due pass by."""

    verb: Literal["cancel_crisis"]


# ── effects: what the mission does ──


class EnemiesMove(Section):
    """Enemies of a class move toward something."""

    verb: Literal["enemies_move"]
    enemies: Crowd = "all"
    role: Annotated[AnyRole, Field(alias="class")] = "any"
    n: Annotated[int, Field(ge=1, le=6)]
    toward: Literal["nearest_character", "child"] = "nearest_character"


class EnemiesAttack(Section):
    """Enemies of a class attack a character within range."""

    verb: Literal["enemies_attack"]
    enemies: Crowd
    role: Annotated[AnyRole, Field(alias="class")] = "any"
    range: Annotated[int, Field(ge=0, le=12)]


class CaptureChild(Section):
    """An enemy of a class that is within range of the child, while nobody carries it, takes it."""

    verb: Literal["capture_child"]
    role: Annotated[AnyRole, Field(alias="class")] = "any"
    range: Annotated[int, Field(ge=0, le=2)] = 0


class ChildFlees(Section):
    """The child, while nobody carries it, runs away from the enemies."""

    verb: Literal["child_flees"]
    n: Annotated[int, Field(ge=1, le=3)] = 1


class Reinforce(Section):
    """Lay reinforcements on a spawn space."""

    verb: Literal["reinforce"]
    n: Count = 1
    at: Literal["spawn_fewest_enemies", "spawn_nearest"]


class DisruptZone(Section):
    """Lay a disruption token from the pool in a zone."""

    verb: Literal["disrupt_zone"]
    zone: Literal["lowest", "highest"]


class Hurt(Section):
    """Deal damage to the character whose turn it is, or to all."""

    verb: Literal["hurt"]
    n: Count
    who: Literal["self", "all"] = "self"


class TurnUp(Section):
    """Turn up every face-down threat within range of the character whose turn it is."""

    verb: Literal["turn_up"]
    range: Annotated[int, Field(ge=0, le=12)]


class AddTrack(Section):
    """Move on along a track."""

    verb: Literal["add_track"]
    track: Id
    n: Annotated[int, Field(ge=-12, le=12)] = 1


class ResetTrack(Section):
    """Set a track back to where it started."""

    verb: Literal["reset_track"]
    track: Id


class OpenDoor(Section):
    """Open a door."""

    verb: Literal["open_door"]
    door: Id


class CloseDoor(Section):
    """Shut a door."""

    verb: Literal["close_door"]
    door: Id


class If(Section):
    """Do one thing when something holds, else another."""

    verb: Literal["if"]
    condition: Condition
    then: tuple[Effect, ...] = ()
    otherwise: Annotated[tuple[Effect, ...], Field(alias="else")] = ()


Effect: TypeAlias = Annotated[
    Damage
    | SplitDamage
    | DisruptEnemy
    | Push
    | Look
    | Heal
    | MoveSelf
    | Draw
    | Plan
    | ClearZone
    | Block
    | DamageAttacker
    | CancelCrisis
    | EnemiesMove
    | EnemiesAttack
    | CaptureChild
    | ChildFlees
    | Reinforce
    | DisruptZone
    | Hurt
    | TurnUp
    | AddTrack
    | ResetTrack
    | OpenDoor
    | CloseDoor
    | If,
    Field(discriminator="verb"),
]
Effects: TypeAlias = tuple[Effect, ...]

for _recursive in (AllOf, AnyOf, Not, If):
    _recursive.model_rebuild()
