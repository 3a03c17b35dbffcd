"""What may be seen: tokens and where they stand. An allow-list; the view of a seat is in `views`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache

from underglow.games.contract import Token
from underglow.games.mandalorian import child
from underglow.games.mandalorian.scenario import Scenario
from underglow.games.mandalorian.state import OFF, STACK, State, Threat, public_id, threat_number
from underglow.languages import Text, say

HIDDEN = say("face-down threat")
CHILD = say("child")


def tokens(state: State) -> Mapping[str, Token]:
    """Every token on the map, and every skill card by its face, wherever it is; equal cards are one token."""
    characters = state.scenario.characters
    figures = [characters[figure.character] for number, figure in enumerate(state.figures) if stands(state, number)]
    known = {card: Token("card", name) for card, name in _cards(state.scenario).items()}
    known |= {figure.id: Token("character", figure.name) for figure in figures}
    if child.dropped(state):
        known[child.ID] = Token("child", CHILD)
    for number, threat in enumerate(state.threats):
        if threat.space >= 0:
            known[public_id(number)] = _token(state, threat)
    return known


@lru_cache(maxsize=64)
def _cards(scenario: Scenario) -> Mapping[str, Text]:
    """What each skill card is called, by its face."""
    return {
        card.token: say("{who}: {card}", who=scenario.characters[owner].name, card=card.name or card.strength)
        for card, owner in zip(scenario.cards, scenario.owner, strict=True)
    }


def layout(state: State) -> Mapping[str, tuple[str, ...]]:
    """What should stand where: occupied spaces to token ids, characters first, and zones to the cards on them."""
    standing: dict[str, tuple[str, ...]] = {}
    for token, space in places(state):
        standing[space] = (*standing.get(space, ()), token)
    return standing


def places(state: State) -> Iterator[tuple[str, str]]:
    """Each token that stands somewhere, and where."""
    scenario, spaces = state.scenario, state.scenario.spaces
    for number, figure in enumerate(state.figures):
        if stands(state, number):
            yield scenario.characters[figure.character].id, spaces[figure.space]
    if (space := child_space(state)) != OFF:
        yield child.ID, spaces[space]
    for number, threat in enumerate(state.threats):
        if threat.space >= 0:
            yield public_id(number), spaces[threat.space]
    for zone, pile in zip(scenario.zones, state.piles, strict=True):
        for card in pile.cards:
            yield scenario.cards[card].token, zone.id


def stands(state: State, figure: int) -> bool:
    """Whether a figure is on the map: it is until it is defeated."""
    return not (state.ended == "defeat" and state.ended_by == figure)


def child_space(state: State) -> int:
    """Where the child stands, alone or beside its captor; OFF: nowhere, or with a character."""
    there = state.child
    if there is None or not child.dropped(state):
        return OFF
    return there.space if there.space != OFF else state.threats[there.captor].space


def space_of(state: State, token: str) -> str | None:
    """Where a token stands on the map; None: not on it."""
    for known, space in places(state):
        if known == token and ":" not in token:
            return space
    return None


def token_name(state: State, token: str | int) -> Text:
    """What everybody calls a token, also one that has left the map."""
    for character in state.scenario.characters:
        if character.id == token:
            return character.name
    if token == child.ID:
        return CHILD
    number = threat_number(str(token))
    if not 0 <= number < len(state.threats):
        return _cards(state.scenario).get(str(token), Text(str(token)))
    return _threat_name(state, state.threats[number])


def told_apart(state: State, token: str | int) -> Text:
    """A token's name, with its id where another of that name stands on the same space."""
    name, here = token_name(state, token), space_of(state, str(token))
    alike = Counter(
        _threat_name(state, threat) for threat in state.threats if threat.space >= 0 and _space(state, threat) == here
    )
    return say("{who} ({token})", who=name, token=token) if alike[name] > 1 else name


def _space(state: State, threat: Threat) -> str:
    return state.scenario.spaces[threat.space]


def _token(state: State, threat: Threat) -> Token:
    """A face-down token is a threat, whatever it hides."""
    return Token(state.scenario.kinds[threat.kind].kind if threat.up else "threat", _threat_name(state, threat))


def _threat_name(state: State, threat: Threat) -> Text:
    return state.scenario.kinds[threat.kind].name if threat.up else HIDDEN


def stack(state: State) -> int:
    """How many reinforcements are left."""
    return sum(threat.space == STACK for threat in state.threats)
