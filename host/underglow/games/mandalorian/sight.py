"""What may be seen: tokens and where they stand, and the view of a seat. Each is an allow-list."""

from __future__ import annotations

from collections.abc import Mapping

from underglow.games.contract import Token
from underglow.games.mandalorian import movement, turn
from underglow.games.mandalorian.scenario import Card
from underglow.games.mandalorian.state import OFF, State, Threat, public_id, seat_of, threat_number

HIDDEN = "face-down threat"


def tokens(state: State) -> Mapping[str, Token]:
    """Every token on the map, by id."""
    characters = {character.id: Token("character", character.name) for character in state.scenario.characters}
    return characters | {
        public_id(number): _token(state, threat) for number, threat in enumerate(state.threats) if threat.space != OFF
    }


def layout(state: State) -> Mapping[str, tuple[str, ...]]:
    """What should stand where: occupied spaces to token ids, characters first."""
    standing: dict[str, tuple[str, ...]] = {}
    for token, space in _places(state):
        standing[space] = (*standing.get(space, ()), token)
    return standing


def space_of(state: State, token: str) -> str | None:
    """Where a token stands; None: not on the map."""
    return dict(_places(state)).get(token)


def token_name(state: State, token: str | int) -> str:
    """What everybody calls a token, also one that has left the map."""
    for character in state.scenario.characters:
        if character.id == token:
            return character.name
    number = threat_number(str(token))
    return _token(state, state.threats[number]).name if 0 <= number < len(state.threats) else str(token)


def view(state: State, seat: int | None) -> dict[str, object]:
    """What that seat may know (None: the public), as JSON values: the public's, and its own characters' hands.

    Beside the keys of the contract: `character` (whose turn it is), `pending` (the zone whose action is now to be
    carried out, or None), `steps` (how far that character may move now), `walls` (pairs of spaces) and `doors` (id,
    name, edge, open). In `seats` there is one entry a character, for a solo player has all of them (M-COUNT-3); each
    names its `seat`.
    """
    scenario, spaces = state.scenario, state.scenario.spaces
    return {
        "turn": state.seat,
        "character": scenario.characters[state.acting].id,
        "pending": None if state.pending is None else scenario.zones[state.pending].id,
        "steps": 0 if state.ended else movement.strength(state),
        "tokens": [_seen(state, token, space) for token, space in _places(state)],
        "zones": [
            {
                "id": zone.id,
                "name": zone.name,
                "strengths": [scenario.cards[card].strength for card in pile.cards],
                "disruption": list(pile.disruption),
                "sum": turn.total(scenario, pile),
                "used": bool(state.used >> number & 1),
            }
            for number, (zone, pile) in enumerate(zip(scenario.zones, state.piles, strict=True))
        ],
        "walls": [list(wall) for wall in scenario.walls],
        "doors": [
            {
                "id": door.id,
                "name": door.name,
                "edge": [spaces[space] for space in door.edge],
                "open": bool(state.doors_open >> number & 1),
            }
            for number, door in enumerate(scenario.doors)
        ],
        "seats": [_seat(state, number, seat) for number in range(len(state.figures))],
    }


def _places(state: State) -> list[tuple[str, str]]:
    spaces = state.scenario.spaces
    figures = zip(state.scenario.characters, state.figures, strict=True)
    return [(character.id, spaces[figure.space]) for character, figure in figures] + [
        (public_id(number), spaces[threat.space]) for number, threat in enumerate(state.threats) if threat.space != OFF
    ]


def _token(state: State, threat: Threat) -> Token:
    """A face-down token is a threat, whatever it hides."""
    if not threat.up:
        return Token("threat", HIDDEN)
    kind = state.scenario.kinds[threat.kind]
    return Token(kind.kind, kind.name)


def _seen(state: State, token: str, space: str) -> dict[str, object]:
    number = threat_number(token)
    if number == OFF:
        return {"id": token, "space": space, "kind": "character", "name": token_name(state, token), "face": "up"}
    threat = state.threats[number]
    public = _token(state, threat)
    kind = state.scenario.kinds[threat.kind]
    seen: dict[str, object] = {
        "id": token,
        "space": space,
        "kind": public.kind,
        "name": public.name,
        "face": "up" if threat.up else "down",
        "shape": kind.shape,  # the back has it too
    }
    if threat.up and kind.enemy:
        seen |= {"class": kind.role, "health": kind.health, "abilities": list(kind.abilities)}
    return seen


def _seat(state: State, number: int, seat: int | None) -> dict[str, object]:
    scenario, character, figure = state.scenario, state.scenario.characters[number], state.figures[number]
    seen: dict[str, object] = {
        "seat": seat_of(number, state.seats),
        "character": character.id,
        "name": character.name,
        "health": character.health,
        "damage": figure.damage,
        "cards": len(figure.hand),
        "deck": len(figure.deck),
        "discard": [_card(scenario.cards[card]) for card in figure.discard],
    }
    if seat_of(number, state.seats) == seat:
        seen["hand"] = [_card(scenario.cards[card]) for card in figure.hand]
    return seen


def _card(card: Card) -> dict[str, object]:
    return {"strength": card.strength, "ability": card.ability, "name": card.name, "tactical": card.tactical}
