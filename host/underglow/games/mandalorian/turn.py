"""A turn: action phase, event phase, draw phase (M-TURN-2), and how the game ends."""

from __future__ import annotations

from functools import lru_cache

from underglow.games.mandalorian.draft import Draft, replaced
from underglow.games.mandalorian.scenario import Scenario
from underglow.games.mandalorian.state import OFF, Pile, Threat, public_id

ACTIONS = 2  # M-ACT-1
LIMIT = 5  # M-EVT-3


@lru_cache(maxsize=1 << 14)
def total(scenario: Scenario, pile: Pile) -> int:
    """The strength of a zone: cards and disruption tokens (M-EVT-1), or 5 with a tactical card (M-TACT-4)."""
    strengths = [scenario.cards[card].strength for card in pile.cards]
    return LIMIT if 0 in strengths else sum(strengths) + sum(pile.disruption)


@lru_cache(maxsize=4096)
def takeable(scenario: Scenario, threats: tuple[Threat, ...], space: int) -> tuple[int, ...]:
    """The tokens a character on that space may lift into a slot (M1-5)."""
    return tuple(
        number
        for rule in scenario.map_rules
        if taken(threats, rule.take) < rule.slots
        for number, threat in enumerate(threats)
        if threat.up and threat.space == space and threat.kind == rule.take
    )


def taken(threats: tuple[Threat, ...], kind: int) -> int:
    """How many tokens of a kind lie in slots."""
    return threats.count(Threat(kind, OFF, up=True))


def lay(draft: Draft, zone: int, card: int) -> None:
    """Put a card from the acting character's hand on a zone (M-ACT-2, 5)."""
    scenario = draft.scenario
    figure, face, pile = draft.figure, scenario.cards[card], draft.piles[zone]
    at = figure.hand.index(card)
    draft.figure = figure._replace(hand=figure.hand[:at] + figure.hand[at + 1 :])
    draft.piles = replaced(draft.piles, zone, pile._replace(cards=(*pile.cards, card)))
    draft.used |= 1 << zone
    words = (face.ability,) if face.ability else ()
    draft.tell("laid", scenario.characters[draft.acting].id, scenario.zones[zone].id, face.strength, *words)
    # M-TACT-2, 3: a tactical card never gives the zone's action, its own ability only in the zone it names.
    draft.pending = None if face.tactical and face.ability_zone != zone else zone


def decline(draft: Draft) -> None:
    """Leave the action at the card that was laid (M-ACT-6)."""
    if draft.pending is not None:
        zone = draft.scenario.zones[draft.pending]
        draft.tell("declined", draft.scenario.characters[draft.acting].id, zone.id)
        draft.pending = None


def take(draft: Draft, token: int) -> None:
    """Lift a token into its slot; the last one opens the door at once (M1-5)."""
    scenario, threat = draft.scenario, draft.threats[token]
    draft.tell("taken", scenario.characters[draft.acting].id, public_id(token), scenario.spaces[threat.space])
    draft.set_threat(token, threat._replace(space=OFF))
    for rule in scenario.map_rules:
        if (
            rule.take == threat.kind
            and taken(draft.threats, rule.take) == rule.slots
            and not draft.doors_open >> rule.opens & 1
        ):
            draft.doors_open |= 1 << rule.opens
            draft.tell("opened", scenario.doors[rule.opens].id)


def settle(draft: Draft) -> None:
    """End the turn when nothing is left to choose in it."""
    if (
        not draft.ended
        and draft.pending is None
        and draft.used.bit_count() == ACTIONS
        and not takeable(draft.scenario, draft.threats, draft.figure.space)
    ):
        end(draft)


def end(draft: Draft) -> None:
    """Go through the phases after the action phase, and on to the next turn (M-TURN-1, 2)."""
    _event_phase(draft)
    _draw_phase(draft)
    if _objective_reached(draft):
        draft.ended = "objective"
        draft.tell("won")
        return
    draft.turn += 1
    draft.acting = (draft.acting + 1) % len(draft.figures)
    draft.used = 0
    draft.tell("turn", draft.scenario.characters[draft.acting].id)


def _event_phase(draft: Draft) -> None:
    """Empty every zone at its limit (M-EVT-1 … 6, 10). The cards themselves are for the people, for now."""
    scenario = draft.scenario
    for number, pile in enumerate(draft.piles):
        strength = total(scenario, pile)
        if strength < LIMIT:
            continue
        zone = scenario.zones[number].id
        if strength > LIMIT:
            draft.tell("crisis_due", zone, strength)
        draft.tell("event_due", zone, strength)
        for character, figure in enumerate(draft.figures):
            if own := tuple(card for card in pile.cards if scenario.owner[card] == character):
                figure = figure._replace(discard=figure.discard + own)
                draft.figures = replaced(draft.figures, character, figure)
        draft.pool = tuple(sorted(draft.pool + pile.disruption))
        draft.piles = replaced(draft.piles, number, Pile((), ()))
        draft.tell("emptied", zone)


def _draw_phase(draft: Draft) -> None:
    """Fill the acting character's hand (M-DRAW)."""
    figure, character = draft.figure, draft.scenario.characters[draft.acting]
    missing = draft.scenario.hand_size - len(figure.hand)
    if missing <= 0:
        return
    if missing > len(figure.deck) and figure.discard:
        fresh, draft.rng = draft.rng.shuffled(figure.discard)
        figure = figure._replace(deck=figure.deck + fresh, discard=())
        draft.tell("reshuffled", character.id, chance=True)
    drawn = figure.deck[:missing]
    draft.figure = figure._replace(hand=tuple(sorted(figure.hand + drawn)), deck=figure.deck[missing:])
    if drawn:
        draft.tell("drew", character.id, len(drawn), reveals=True)


def _objective_reached(draft: Draft) -> bool:
    kinds, wanted = draft.scenario.kinds, draft.scenario.objective
    marked = {threat.space for threat in draft.threats if threat.up and kinds[threat.kind].kind == wanted}
    return any(figure.space in marked for figure in draft.figures)
