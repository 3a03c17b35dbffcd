"""The view of a seat: what it may know, as JSON values. Built by an allow-list."""

from __future__ import annotations

from underglow.games.mandalorian import guide, movement, plans, sight
from underglow.games.mandalorian.action import Act, ActionPhase
from underglow.games.mandalorian.scenario import Card
from underglow.games.mandalorian.state import NOBODY, State, public_id, threat_number
from underglow.games.mandalorian.zones import total
from underglow.languages import say


def view(state: State, seat: int | None) -> dict[str, object]:
    """What that seat may know (None: the public): the public's, and what is its own.

    Beside the keys of the contract:
    `character` (who is to choose something now), `active` (whose turn it is), `pending` (None when a card may be laid;
    else the zone whose action is to be carried out, or the kind of choice), `steps` (how far somebody may move now),
    `doors`, `walls`, `tracks`, `slots`, `events` and `planning` (their decks), `reinforcements` (how many are left),
    `child`, `guide`, `roles`; and of a seat's own `peeks`, `drawn` and its `role`.
    In `seats` there is an entry for each character of each seat (M-COUNT-2, 3), with its `hand` for its seat.
    """
    return _board(state) | _decks(state) | _secrets(state, seat)


def _board(state: State) -> dict[str, object]:
    scenario, spaces = state.scenario, state.scenario.spaces
    there = state.child
    return {
        "turn": choosing(state),
        "character": _name(state, asked(state)),
        "active": _name(state, state.acting),
        "pending": _pending(state),
        "steps": movement.strength(state),
        "tokens": _tokens(state),
        "zones": [
            {
                "id": zone.id,
                "name": zone.name,
                "strengths": [scenario.cards[card].strength for card in pile.cards],
                "disruption": list(pile.disruption),
                "sum": total(scenario, pile),
                "used": bool(state.used >> number & 1),
            }
            for number, (zone, pile) in enumerate(zip(scenario.zones, state.piles, strict=True))
        ],
        "doors": [
            {
                "id": door.id,
                "name": door.name,
                "edge": [spaces[space] for space in door.edge],
                "open": bool(state.doors_open >> number & 1),
            }
            for number, door in enumerate(scenario.doors)
        ],
        "walls": [[spaces[one], spaces[other]] for one, other in scenario.walls],
        "tracks": [
            {"id": track.id, "name": track.name, "value": value, "most": track.most}
            for track, value in zip(scenario.tracks, state.tracks, strict=True)
        ],
        "slots": [
            {"item": scenario.kinds[rule.take].name, "filled": filled, "slots": rule.slots}
            for rule, filled in zip(scenario.map_rules, state.slots, strict=True)
        ],
        "child": None
        if there is None
        else {
            "carrier": None if there.carrier == NOBODY else _name(state, there.carrier),
            "captor": None if there.captor == NOBODY else public_id(there.captor),
            "fled": there.fled,
        },
    }


def _decks(state: State) -> dict[str, object]:
    scenario, events, planning = state.scenario, state.events, state.planning
    return {
        "events": {
            "deck": len(events.draw),
            "back": scenario.events[events.draw[0]].back if events.draw else None,
            "discard": [scenario.events[card].name for card in events.discard],
        },
        "planning": {
            "deck": len(planning.draw),
            "discard": [scenario.plans[card].name for card in planning.discard],
        },
        "reinforcements": sight.stack(state),
        "disruption_pool": len(state.pool),
        "guide": _guide(state),
    }


def _guide(state: State) -> dict[str, object]:
    """The guide cards resolved before this game, the STOP card on top, and after the end what comes next."""
    deck, played = state.scenario.guide, state.scenario.switches.games_played
    before, after = guide.resolved(deck, played), guide.resolved(deck, played + 1)
    resolved = after if state.ended else before
    return {
        "game": played + 1,
        "resolved": [{"number": card.number, "says": card.says} for card in resolved],
        "next": [card.number for card in resolved[len(before) :]],
        "stop": deck[len(resolved)].number if len(resolved) < len(deck) else None,
    }


def _secrets(state: State, seat: int | None) -> dict[str, object]:
    scenario, envelope = state.scenario, state.scenario.envelope
    seen: dict[str, object] = {
        "seats": [
            _seat(state, number, other, seat)
            for number, those in enumerate(scenario.players[state.seats])
            for other in those
        ]
    }
    if envelope and state.roles:
        known = range(state.seats) if state.ended else [s for s in range(state.seats) if state.exposed >> s & 1]
        seen["roles"] = {str(other): envelope.roles[state.roles[other]].name for other in known}
    if seat is None:
        return seen
    known_threats = [number for number in range(len(state.threats)) if state.known[seat] >> number & 1]
    seen["peeks"] = [
        {"id": public_id(number), "name": scenario.kinds[state.threats[number].kind].name} for number in known_threats
    ]
    if envelope and state.roles:
        seen["role"] = envelope.roles[state.roles[seat]].name
    if state.topped == seat:
        seen["planning_top"] = scenario.plans[state.planning.draw[0]].name
    task = state.agenda[-1] if state.agenda else None
    if isinstance(task, plans.Sort) and seat in scenario.players[state.seats][task.figure]:
        seen["drawn"] = [scenario.plans[card].name for card in task.cards]
    return seen


def _pending(state: State) -> str | None:
    task = state.agenda[-1] if state.agenda else None
    match task:
        case None | ActionPhase():
            return None
        case Act(zone=zone):
            return state.scenario.zones[zone].id
        case _:
            return type(task).__name__


def choosing(state: State) -> int:
    """The seat that is to choose something now."""
    return plans.player(state, asked(state))


def asked(state: State) -> int:
    """The figure for which something is to be chosen now: the task's own, else the one whose turn it is."""
    figure: int = getattr(state.agenda[-1], "figure", state.acting) if state.agenda else state.acting
    return figure


def _name(state: State, figure: int) -> str | None:
    if figure >= len(state.figures):
        return None
    return state.scenario.characters[state.figures[figure].character].id


def _tokens(state: State) -> list[dict[str, object]]:
    where = dict(sight.places(state))
    return [_token(state, name, where.get(name), token.kind, token.name) for name, token in sight.tokens(state).items()]


def _token(state: State, name: str, space: str | None, kind: str, words: str) -> dict[str, object]:
    seen: dict[str, object] = {"id": name, "space": space, "kind": kind, "name": words, "face": "up"}
    number = threat_number(name)
    if not 0 <= number < len(state.threats):
        return seen
    threat = state.threats[number]
    printed = state.scenario.kinds[threat.kind]
    seen["face"] = "up" if threat.up else "down"
    seen["shape"] = printed.shape  # the back has it too
    if threat.up and printed.enemy:
        seen |= {
            "class": printed.role,
            "health": printed.health,
            "damage": threat.damage,
            "disruption": len(threat.disruption),
            "abilities": list(printed.abilities),
        }
    return seen


def _seat(state: State, number: int, seat: int, viewer: int | None) -> dict[str, object]:
    """One character as one of its seats has it. Kept planning cards lie face up (M-PLAN-3)."""
    scenario = state.scenario
    if number >= len(state.figures):
        name = say("Seat {n}", n=seat + 1)
        nobody: dict[str, object] = {"seat": seat, "character": None, "name": name, "health": 0}
        nobody |= {"damage": 0, "cards": 0, "deck": 0}
        if seat == viewer:
            nobody["hand"] = []
        return nobody
    figure = state.figures[number]
    character = scenario.characters[figure.character]
    seen: dict[str, object] = {
        "seat": seat,
        "character": character.id,
        "name": character.name,
        "health": character.health,
        "damage": figure.damage,
        "cards": len(figure.hand),
        "deck": len(figure.deck),
        "discard": [_card(scenario.cards[card]) for card in figure.discard],
        "planning": [{"id": scenario.plans[card].id, "name": scenario.plans[card].name} for card in figure.planning],
        "items": [scenario.kinds[state.threats[item].kind].name for item in figure.items],
        "child": state.child is not None and state.child.carrier == number,
    }
    if seat == viewer:
        seen["hand"] = [_card(scenario.cards[card]) for card in figure.hand]
    return seen


def _card(card: Card) -> dict[str, object]:
    return {"strength": card.strength, "ability": card.ability, "name": card.name, "tactical": card.tactical}
