"""What a scenario file may say: its tables. What must agree between them is in `findings`."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from underglow.documents import Section, words
from underglow.games.mandalorian.grammar import Condition, Count, Effects, Id, Role, Words
from underglow.languages import Text

Strength: TypeAlias = Annotated[int, Field(ge=0, le=4)]
Shape: TypeAlias = Annotated[str, Field(pattern=r"^[a-z]$")]
Icon: TypeAlias = Annotated[str, Field(pattern=r"^(start|spawn|hid_[a-z]|up_[a-z])$")]
Edge: TypeAlias = tuple[str, str]
Sentence: TypeAlias = Annotated[Text, words(160, r"^[A-Z].*[.!]$")]
Moment: TypeAlias = Literal["self_damaged", "enemy_attacks_you", "own_action_phase", "crisis_due"]


class Switches(Section):
    """What a table may settle for itself: how hard it shall be, and where the rules we have are silent."""

    difficulty: Literal["beginner", "standard", "veteran"] = "beginner"  # M-DIFF
    games_played: Annotated[int, Field(ge=0, le=99)] = 0  # M-GUIDE-4: how many games of the campaign have ended
    sheet: str = ""  # M-CAMP-2: the sheet that is laid over the mission
    shared_turns: Literal["by_seat", "by_character"] = "by_seat"  # M-COUNT-2
    walls_block_range: bool = True  # M-MOVE-10
    zero_move_triggers_guard: bool = False  # M-ABIL-1
    attack_facedown: bool = False  # M-ATK-5
    defeat_at: Literal["damage>=health", "damage>health"] = "damage>=health"  # M-ATK-4, M1-3
    extra_damage_target: Literal["any", "same"] = "any"  # corner case 29
    peek_may_be_shared: bool = True  # M-INT-3
    planning_limit: Annotated[int, Field(ge=0, le=20)] = 0  # M-PLAN-5; 0: none
    planning_hand_over: bool = False  # M-PLAN-5
    planning_reshuffle: bool = True  # M-PLAN-5
    zone_order: Literal["active_player", "left_to_right"] = "active_player"  # M-EVT-8
    reread_zone_sums: bool = True  # M-EVT-9
    spawn_nearest_to: Literal["active_character", "any_character"] = "active_character"  # M-EVT-7
    nearest_tie: Literal["players", "first"] = "players"  # M-EVT-14
    enemy_stops_at_character: bool = True  # M-EVT-15
    event_reshuffle: bool = True  # M-EVT-16
    sabotage_tie: Literal["players", "first"] = "players"  # M-ABIL-6
    pool_empty: Literal["nothing", "from_fullest_zone"] = "nothing"  # M-DISR-7
    child_flees: Literal["events", "from_enemies"] = "events"  # M-CHILD-8
    spawn_tie: Literal["players", "first"] = "players"  # M1-8
    reinforcements_face: Literal["up", "down"] = "up"  # M1-8
    reinforcements_empty: Literal["nothing", "reuse"] = "nothing"  # M1-9


class Disruption(Section):
    """The numbers on the disruption tokens."""

    white: Annotated[tuple[Count, ...], Field(min_length=1)]
    other: tuple[Count, ...]


class Health(Section):
    """How much damage a character bears, by the side its card shows."""

    beginner: Count
    standard: Count


class Ability(Section):
    """What a skill card offers beyond its strength, in the zone it names (M-ACT-8)."""

    id: Id
    name: Words
    zone: str
    do: Annotated[Effects, Field(min_length=1)]


class Skill(Section):
    """Equal skill cards of a character. Strength 0 is a tactical card (M-TACT-1)."""

    n: Count
    strength: Strength
    ability: Ability | None = None


class Character(Section):
    """A character and its skill deck."""

    id: Id
    name: Words
    health: Health
    skills: Annotated[tuple[Skill, ...], Field(min_length=1)]


class Zone(Section):
    """An action zone, in order from the left. One with the verb "effect" does what its `do` says."""

    id: Id
    name: Words
    verb: Literal["move", "attack", "intel", "plan", "effect"]
    do: Effects = ()


class Space(Section):
    """A hex of the map, in axial coordinates."""

    id: Id
    q: int
    r: int
    icons: tuple[Icon, ...] = ()


class Door(Section):
    """An edge that is a wall until it opens."""

    id: Id
    name: Words
    edge: Edge
    open: bool = False


class Enemy(Section):
    """Equal threat tokens that fight."""

    kind: Literal["enemy"]
    name: Words
    role: Annotated[Role, Field(alias="class")]
    health: Count
    abilities: tuple[
        Literal["guard", "grapple", "sabotage", "mission_effect", "fast", "parting_blow", "vigilant", "duel"], ...
    ] = ()
    n: Count


class Find(Section):
    """Equal threat tokens that do not fight."""

    kind: Literal["item", "asset", "empty"]
    name: Words
    abilities: tuple[Literal["mission_effect"], ...] = ()
    n: Count


Threat: TypeAlias = Annotated[Enemy | Find, Field(discriminator="kind")]


class Track(Section):
    """A row of boxes of the mission, with a marker on it."""

    id: Id
    name: Words
    start: Annotated[int, Field(ge=0, le=40)] = 0
    most: Count


class Failure(Section):
    """Lost as soon as this holds (M1-3), and in what words."""

    when: Condition
    says: Sentence


class MapRule(Section):
    """An item lifted from one's own space, free, in one's action phase, into a slot (M1-5).

    With `deliver_to`, the character carries it to that space first. With all slots filled, `then` happens.
    """

    take: str
    slots: Count
    deliver_to: str | None = None
    then: Effects = ()


class Event(Section):
    """Equal event cards; the back hints at who will act (M-SETUP-3)."""

    id: Id
    name: Words
    back: Role | Literal["any"]
    n: Count
    do: Annotated[Effects, Field(min_length=1)]


class Planning(Section):
    """Equal planning cards, and the moment they are used in (M-PLAN-3)."""

    id: Id
    name: Words
    n: Count
    on: Moment
    do: Annotated[Effects, Field(min_length=1)]


class Child(Section):
    """The child's space at the start (M-CHILD)."""

    start: str


class Secret(Section):
    """Equal cards of an envelope: what a seat may secretly be."""

    name: Words
    n: Count
    traitor: bool = False


class Envelope(Section):
    """Secret roles, dealt when at least so many seats play (M-CAMP-3).

    Each seat may once, in its action phase, accuse another: `right` happens if it is a traitor, else `wrong`.
    """

    name: Words
    seats: Annotated[int, Field(ge=2, le=4)] = 3
    roles: Annotated[tuple[Secret, ...], Field(min_length=1)]
    right: Effects = ()
    wrong: Effects = ()


class JoiningSkill(Section):
    """Skill cards that join a character's deck for good (M-GUIDE-6)."""

    character: str
    n: Count = 1
    strength: Strength
    ability: Ability | None = None


class GuideCard(Section):
    """A card of the guide deck. With `stop`, it is turned only when that game has ended (M-GUIDE-4)."""

    number: Annotated[int, Field(ge=1, le=99)]
    says: Sentence
    stop: Annotated[int, Field(ge=1, le=99)] | None = None
    missions: tuple[str, ...] = ()
    skills: tuple[JoiningSkill, ...] = ()
    planning: tuple[Planning, ...] = ()
    events: tuple[Event, ...] = ()
    unlocks: Literal["disrupting_enemies"] | None = None
    opens_envelope: bool = False


class Sheet(Section):
    """A mercenary mission: objective, failure, crisis and special rules laid over those of the file (M-CAMP-2)."""

    title: Words
    objective: Condition
    failure: Annotated[tuple[Failure, ...], Field(min_length=1)]
    crisis: Effects = ()
    mission_effect: Effects = ()


class Document(Section):
    """A scenario file."""

    title: Words
    switches: Switches = Switches()
    objective: Condition
    failure: Annotated[tuple[Failure, ...], Field(min_length=1)]
    crisis: Effects = ()
    mission_effect: Effects = ()
    disruption_tokens: Disruption
    zones: Annotated[tuple[Zone, ...], Field(min_length=2, max_length=5)]
    characters: Annotated[tuple[Character, ...], Field(min_length=1, max_length=8)]
    spaces: Annotated[tuple[Space, ...], Field(min_length=2, max_length=60)]
    walls: tuple[Edge, ...] = ()
    doors: tuple[Door, ...] = ()
    tracks: tuple[Track, ...] = ()
    map_rules: tuple[MapRule, ...] = ()
    threats: Annotated[dict[Shape, tuple[Threat, ...]], Field(min_length=1)]
    reinforcements: tuple[Enemy, ...] = ()
    events: tuple[Event, ...]
    planning: tuple[Planning, ...]
    child: Child | None = None
    envelope: Envelope | None = None
    guide: tuple[GuideCard, ...] = ()
    sheets: dict[str, Sheet] = Field(default_factory=dict[str, Sheet])
    overlay: dict[str, dict[str, str]] = Field(default_factory=dict[str, dict[str, str]])


def adjacent(one: Space, other: Space) -> bool:
    """Whether two hexes share an edge."""
    q, r = one.q - other.q, one.r - other.r
    return max(abs(q), abs(r), abs(q + r)) == 1
