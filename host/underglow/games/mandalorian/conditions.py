"""Conditions in numbers: what an objective, a failure or an `if` looks at in a position."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from typing_extensions import override

from underglow.games.mandalorian import grammar

if TYPE_CHECKING:
    from underglow.games.mandalorian.draft import Draft
    from underglow.games.mandalorian.scenario import Kind
    from underglow.games.mandalorian.state import State

NOBODY = OFF = -1


@dataclass(frozen=True, slots=True)
class Condition:
    """Something that holds in a position or does not."""

    def holds(self, position: State | Draft) -> bool:
        """Whether it does."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class CharacterOn(Condition):
    """A character stands on a face-up threat of one of these kinds."""

    kinds: frozenset[int]

    @override
    def holds(self, position: State | Draft) -> bool:
        for kind, space, up, _, _ in position.threats:
            if up and kind in self.kinds and any(figure.space == space for figure in position.figures):
                return True
        return False


@dataclass(frozen=True, slots=True)
class CharacterAt(Condition):
    """A character stands on a space."""

    space: int

    @override
    def holds(self, position: State | Draft) -> bool:
        return any(figure.space == self.space for figure in position.figures)


@dataclass(frozen=True, slots=True)
class ChildBroughtTo(Condition):
    """Who carries the child stands on a space."""

    space: int

    @override
    def holds(self, position: State | Draft) -> bool:
        child = position.child
        return child is not None and child.carrier != NOBODY and position.figures[child.carrier].space == self.space


@dataclass(frozen=True, slots=True)
class ChildCaptured(Condition):
    """An enemy carries the child, and stands on a space if that is not OFF."""

    space: int

    @override
    def holds(self, position: State | Draft) -> bool:
        child = position.child
        if child is None or child.captor == NOBODY:
            return False
        return self.space in (OFF, position.threats[child.captor].space)


@dataclass(frozen=True, slots=True)
class TrackAtLeast(Condition):
    """A track has reached a number."""

    track: int
    n: int

    @override
    def holds(self, position: State | Draft) -> bool:
        return position.tracks[self.track] >= self.n


@dataclass(frozen=True, slots=True)
class DoorOpen(Condition):
    """A door is open."""

    door: int

    @override
    def holds(self, position: State | Draft) -> bool:
        return bool(position.doors_open >> self.door & 1)


@dataclass(frozen=True, slots=True)
class SlotsFilled(Condition):
    """All slots of a map rule are filled."""

    rule: int

    @override
    def holds(self, position: State | Draft) -> bool:
        return position.slots[self.rule] >= position.scenario.map_rules[self.rule].slots


@dataclass(frozen=True, slots=True)
class Defeated(Condition):
    """So many enemies of a kind are out of play."""

    kind: int
    n: int

    @override
    def holds(self, position: State | Draft) -> bool:
        return sum(t.up and t.space == OFF and t.kind == self.kind for t in position.threats) >= self.n


@dataclass(frozen=True, slots=True)
class TurnsAtLeast(Condition):
    """So many turns were finished."""

    n: int

    @override
    def holds(self, position: State | Draft) -> bool:
        return position.turn >= self.n


@dataclass(frozen=True, slots=True)
class CharactersAtLeast(Condition):
    """So many characters play."""

    n: int

    @override
    def holds(self, position: State | Draft) -> bool:
        return len(position.figures) >= self.n


@dataclass(frozen=True, slots=True)
class AnyCharacterDefeated(Condition):
    """A character was defeated: looked at when damage is dealt."""

    @override
    def holds(self, position: State | Draft) -> bool:
        return position.ended == "defeat"


@dataclass(frozen=True, slots=True)
class AllOf(Condition):
    """Each of these holds."""

    parts: tuple[Condition, ...]

    @override
    def holds(self, position: State | Draft) -> bool:
        return all(part.holds(position) for part in self.parts)


@dataclass(frozen=True, slots=True)
class AnyOf(Condition):
    """One of these holds."""

    parts: tuple[Condition, ...]

    @override
    def holds(self, position: State | Draft) -> bool:
        return any(part.holds(position) for part in self.parts)


@dataclass(frozen=True, slots=True)
class Not(Condition):
    """A condition does not hold."""

    part: Condition

    @override
    def holds(self, position: State | Draft) -> bool:
        return not self.part.holds(position)


class Numbers(Protocol):
    """The numbers of the names in a file, those of threats in `by_name`, those of map rules by their item."""

    spaces: dict[str, int]
    tracks: dict[str, int]
    doors: dict[str, int]
    by_name: dict[str, int]
    rules: dict[str, int]
    kinds: tuple[Kind, ...]


def compiled(condition: grammar.Condition, numbers: Numbers) -> Condition:
    """Turn a condition whose names are all known into numbers."""
    match condition:
        case grammar.CharacterOn(kind=kind):
            return CharacterOn(frozenset(i for i, known in enumerate(numbers.kinds) if known.kind == kind))
        case grammar.CharacterAt(space=name):
            return CharacterAt(numbers.spaces[name])
        case grammar.ChildBroughtTo(space=name):
            return ChildBroughtTo(numbers.spaces[name])
        case grammar.ChildCaptured(space=name):
            return ChildCaptured(OFF if name is None else numbers.spaces[name])
        case grammar.TrackAtLeast(track=name, n=n):
            return TrackAtLeast(numbers.tracks[name], n)
        case grammar.DoorOpen(door=name):
            return DoorOpen(numbers.doors[name])
        case grammar.SlotsFilled(item=name):
            return SlotsFilled(numbers.rules[name])
        case grammar.Defeated(name=name, n=n):
            return Defeated(numbers.by_name[name], n)
        case grammar.TurnsAtLeast(n=n):
            return TurnsAtLeast(n)
        case grammar.CharactersAtLeast(n=n):
            return CharactersAtLeast(n)
        case grammar.AnyCharacterDefeated():
            return AnyCharacterDefeated()
        case grammar.AllOf(of=parts):
            return AllOf(tuple(compiled(part, numbers) for part in parts))
        case grammar.AnyOf(of=parts):
            return AnyOf(tuple(compiled(part, numbers) for part in parts))
        case grammar.Not(of=part):
            return Not(compiled(part, numbers))


def named_spaces(condition: Condition) -> Iterator[int]:
    """The spaces a condition speaks of that somebody is to reach."""
    match condition:
        case CharacterAt(space) | ChildBroughtTo(space):
            yield space
        case AllOf(parts) | AnyOf(parts):
            for part in parts:
                yield from named_spaces(part)
        case _:
            pass
