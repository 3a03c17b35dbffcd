"""What the table says in words: while something stands elsewhere than it should, and of what its buttons do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from underglow import set_up
from underglow.explain import Repair
from underglow.games.contract import Token, Transfer
from underglow.languages import Text, Value, counted, joined, listed, say, together

EDGES = {
    "e0": say("east"),
    "e1": say("south-east"),
    "e2": say("south-west"),
    "e3": say("west"),
    "e4": say("north-west"),
    "e5": say("north-east"),
}


@dataclass(frozen=True, slots=True)
class Prompts:
    """By the scenario's names of board spaces, and the tokens that are or were in play."""

    spaces: Mapping[str, str]
    tokens: Mapping[str, Token]

    def lay_out(self, wrong: Repair) -> Text:
        """What to lay out next, before the game can begin."""
        return set_up.lead(self._missing(wrong), self._named(wrong.extra))

    def put_right(self, wrong: Repair, refused: Text) -> Text:
        """What to put right, and why if the rules refused it."""
        missing = self._missing(wrong)
        homes = joined("; ", [say("{tokens} on {space}", tokens=listed(here), space=space) for space, here in missing])
        if not wrong.extra:
            return say("Still missing: {homes}.", homes=homes)
        if wrong.missing:
            return together(refused or say("That is no legal move."), say("Put back: {homes}.", homes=homes))
        spaces = joined(", ", self._named(wrong.extra))
        if refused:
            return together(refused, say("Take it off {spaces}.", spaces=spaces))
        return set_up.free(spaces)

    def lead(self, errands: Sequence[Transfer], undone: Iterable[Transfer]) -> Text:
        """The first of what hands have still to do after the game; `undone` is what they did and was taken back."""
        first = errands[0]
        name = self.tokens[first.token].name
        if first.target is None:
            words = say("Take the {token} off {space}.", token=name, space=self._name(str(first.source)))
        elif any((t.token, t.source) == (first.token, first.target) for t in undone):
            words = say("Put the {token} back on {space}.", token=name, space=self._name(first.target))
        else:
            words = say("Put the {token} on {space}.", token=name, space=self._name(first.target))
        if left := len(errands) - 1:
            return together(words, counted("{n} more comes after that.", "{n} more come after that.", left))
        return words

    def choice(self, text: Text, others: int) -> Text:
        """What Confirm takes of the choices that Help shows, and whether there are others."""
        taken = say("Confirm: {choice}.", choice=text)
        return together(taken, say("Help shows the next of {n}.", n=others + 1)) if others else taken

    def put_back(self, text: Text) -> Text:
        """What to say of a token that is back where it came from, and may have been carried there by an action."""
        return say("Is that a step taken back? Undo says so; or Confirm: {choice}.", choice=text)

    def _missing(self, wrong: Repair) -> list[tuple[Value, list[Text]]]:
        spaces = [space for space, _ in wrong.missing]
        return [
            (self._name(space), [self.tokens[token].name for token in here])
            for space, here in wrong.missing
            if space in _wholes(spaces)
        ]

    def _named(self, spaces: Sequence[str]) -> list[Value]:
        return [self._name(space) for space in _wholes(spaces)]

    def _name(self, place: str) -> Value:
        """What people call a place of the board: as the scenario does, if it uses the space."""
        space, dot, part = place.partition(".")
        name = self.spaces.get(space, space)
        return say("the {side} edge of {space}", side=EDGES[part], space=name) if dot else name


def _wholes(spaces: Sequence[str]) -> list[str]:
    """The spaces without parts of others among them: what is done about the whole is done about the part."""
    return [space for space in spaces if "." not in space or space.partition(".")[0] not in spaces]
