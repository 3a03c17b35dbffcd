"""What the table says in words: while something stands elsewhere than it should, and of what its buttons do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from underglow import set_up
from underglow.explain import Repair
from underglow.games.contract import Token, Transfer

EDGES = {
    "e0": "east",
    "e1": "south-east",
    "e2": "south-west",
    "e3": "west",
    "e4": "north-west",
    "e5": "north-east",
}


@dataclass(frozen=True, slots=True)
class Prompts:
    """By the scenario's names of board spaces, and the tokens that are or were in play."""

    spaces: Mapping[str, str]
    tokens: Mapping[str, Token]

    def lay_out(self, wrong: Repair) -> str:
        """What to lay out next, before the game can begin."""
        return set_up.lead(self._missing(wrong), self._named(wrong.extra))

    def put_right(self, wrong: Repair, refused: str) -> str:
        """What to put right, and why if the rules refused it."""
        homes = "; ".join(f"{' and '.join(names)} on {space}" for space, names in self._missing(wrong))
        if not wrong.extra:
            return f"Still missing: {homes}."
        if wrong.missing:
            return f"{refused or 'That is no legal move.'} Put back: {homes}."
        spaces = ", ".join(self._named(wrong.extra))
        return f"{refused} Take it off {spaces}." if refused else f"Nothing should stand on {spaces}: take it off."

    def lead(self, errands: Sequence[Transfer], undone: Iterable[Transfer]) -> str:
        """The first of what hands have still to do after the game; `undone` is what they did and was taken back."""
        first = errands[0]
        name = self.tokens[first.token].name
        if first.target is None:
            words = f"Take the {name} off {self._name(str(first.source))}."
        else:
            back = any((t.token, t.source) == (first.token, first.target) for t in undone)
            words = f"Put the {name} {'back ' if back else ''}on {self._name(first.target)}."
        left = len(errands) - 1
        return f"{words} {left} more {'comes' if left == 1 else 'come'} after that." if left else words

    def choice(self, text: str, others: int) -> str:
        """What Confirm takes of the choices that Help shows, and whether there are others."""
        return f"Confirm: {text}." + (f" Help shows the next of {others + 1}." if others else "")

    def put_back(self, text: str) -> str:
        """What to say of a token that is back where it came from, and may have been carried there by an action."""
        return f"Is that a step taken back? Undo says so; or Confirm: {text}."

    def _missing(self, wrong: Repair) -> list[tuple[str, list[str]]]:
        spaces = [space for space, _ in wrong.missing]
        return [
            (self._name(space), [self.tokens[token].name for token in here])
            for space, here in wrong.missing
            if space in _wholes(spaces)
        ]

    def _named(self, spaces: Sequence[str]) -> list[str]:
        return [self._name(space) for space in _wholes(spaces)]

    def _name(self, place: str) -> str:
        """What people call a place of the board: as the scenario does, if it uses the space."""
        space, dot, part = place.partition(".")
        name = self.spaces.get(space, space)
        return f"the {EDGES[part]} edge of {name}" if dot else name


def _wholes(spaces: Sequence[str]) -> list[str]:
    """The spaces without parts of others among them: what is done about the whole is done about the part."""
    return [space for space in spaces if "." not in space or space.partition(".")[0] not in spaces]
