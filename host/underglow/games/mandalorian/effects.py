"""The verbs: what each effect of a card or rule does. `VERBS` is the whole list; the words are those of `grammar`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from underglow.games.agenda import replaced
from underglow.games.mandalorian import aiming, plans
from underglow.games.mandalorian.child import Capture, Flee
from underglow.games.mandalorian.damage import Hurt, wound
from underglow.games.mandalorian.enemies import Enlist, Reinforce
from underglow.games.mandalorian.movement import Steps
from underglow.games.mandalorian.program import Do, start
from underglow.games.mandalorian.scenario import NONE, STRENGTH, Effect, Perform
from underglow.games.mandalorian.threats import disruptable, hidden, in_range, targets, turn_up, vulnerable
from underglow.games.mandalorian.zones import ClearZone, DisruptZone

if TYPE_CHECKING:
    from underglow.games.mandalorian.draft import Draft
    from underglow.games.mandalorian.state import State


def _damage(draft: Draft, effect: Effect, do: Do) -> None:
    only = do.enemy if draft.scenario.switches.extra_damage_target == "same" else NONE
    draft.push(aiming.Aim(do.figure, do.amount(effect.n), do.amount(effect.reach), only))


def _split_damage(draft: Draft, effect: Effect, do: Do) -> None:
    draft.push(aiming.Split(do.figure, do.amount(effect.n), do.amount(effect.reach)))


def _disrupt_enemy(draft: Draft, effect: Effect, do: Do) -> None:
    draft.push(aiming.Jam(do.figure, do.amount(effect.n), do.amount(effect.reach), NONE))


def _push(draft: Draft, effect: Effect, do: Do) -> None:
    draft.push(aiming.Shove(do.figure, do.amount(effect.n), do.amount(effect.reach), NONE))


def _look(draft: Draft, effect: Effect, do: Do) -> None:
    draft.push(aiming.Peek(do.figure, do.amount(effect.n), do.amount(effect.reach)))


def _heal(draft: Draft, effect: Effect, do: Do) -> None:
    if effect.reach == NONE:
        aiming.heal(draft, do.figure, do.amount(effect.n))
    else:
        draft.push(aiming.Mend(do.figure, do.amount(effect.n), do.amount(effect.reach)))


def _move_self(draft: Draft, effect: Effect, do: Do) -> None:
    action = do.figure == draft.acting and draft.within("action")
    draft.push(Steps(do.figure, do.amount(effect.n), action))


def _draw(draft: Draft, effect: Effect, do: Do) -> None:
    draw_skills(draft, do.figure, do.amount(effect.n))


def _plan(draft: Draft, effect: Effect, do: Do) -> None:
    plans.draw(draft, do.figure, do.amount(effect.n))


def _clear_zone(draft: Draft, effect: Effect, do: Do) -> None:
    draft.push(ClearZone(effect.where))


def _answered(draft: Draft, effect: Effect, do: Do) -> None:
    """Do nothing more: to block and to cancel is done where the card is used."""


def _damage_attacker(draft: Draft, effect: Effect, do: Do) -> None:
    if do.enemy != NONE and vulnerable(draft, do.enemy, do.figure):
        wound(draft, do.enemy, effect.n, do.figure)


def _enemies(draft: Draft, effect: Effect, do: Do) -> None:
    draft.push(Enlist(do.program, do.at, effect.crowd, 0))


def _capture_child(draft: Draft, effect: Effect, do: Do) -> None:
    draft.push(Capture(effect.role, effect.reach))


def _child_flees(draft: Draft, effect: Effect, do: Do) -> None:
    draft.push(Flee(effect.n, threatened=False))


def _reinforce(draft: Draft, effect: Effect, do: Do) -> None:
    draft.push(Reinforce(effect.where, effect.n))


def _disrupt_zone(draft: Draft, effect: Effect, do: Do) -> None:
    draft.push(DisruptZone(effect.where))


def _hurt(draft: Draft, effect: Effect, do: Do) -> None:
    whom = range(len(draft.figures)) if effect.where == "all" else (do.figure,)
    draft.push(*(Hurt(figure, effect.n, NONE, "mission") for figure in whom))


def _turn_up(draft: Draft, effect: Effect, do: Do) -> None:
    for number in hidden(draft, in_range(draft, draft.figures[do.figure].space, effect.reach)):
        turn_up(draft, number)


def _add_track(draft: Draft, effect: Effect, do: Do) -> None:
    _set_track(draft, effect.number, draft.tracks[effect.number] + effect.n)


def _reset_track(draft: Draft, effect: Effect, do: Do) -> None:
    _set_track(draft, effect.number, draft.scenario.tracks[effect.number].start)


def _set_track(draft: Draft, number: int, at: int) -> None:
    track = draft.scenario.tracks[number]
    at = max(0, min(at, track.most))
    if at != draft.tracks[number]:
        draft.tracks = replaced(draft.tracks, number, at)
        draft.stirred = draft.unchecked = True
        draft.tell("track", track.id, at)


def _open_door(draft: Draft, effect: Effect, do: Do) -> None:
    _set_door(draft, effect.number, draft.doors_open | 1 << effect.number, "opened")


def _close_door(draft: Draft, effect: Effect, do: Do) -> None:
    _set_door(draft, effect.number, draft.doors_open & ~(1 << effect.number), "shut")


def _set_door(draft: Draft, number: int, doors_open: int, how: str) -> None:
    if doors_open != draft.doors_open:
        draft.doors_open = doors_open
        draft.stirred = draft.unchecked = True
        draft.tell(how, draft.scenario.doors[number].id)


def _if(draft: Draft, effect: Effect, do: Do) -> None:
    holds = effect.test is not None and effect.test.holds(draft)
    start(draft, effect.then if holds else effect.otherwise, do.figure, do.enemy, do.strength)


def draw_skills(draft: Draft, number: int, cards: int) -> None:
    """Draw skill cards into a figure's hand, its discards becoming a new deck when they are needed (M-DRAW-3)."""
    figure = draft.figures[number]
    character = draft.scenario.characters[figure.character]
    deck, discard = figure.deck, figure.discard
    if cards > len(deck) and discard:
        deck += draft.shuffle(discard)
        discard = ()
        draft.tell("reshuffled", character.id, chance=True)
    drawn = deck[:cards]
    if drawn:
        hand = tuple(sorted(figure.hand + drawn))
        draft.set_figure(number, figure.holding(hand, deck[cards:], discard))
        draft.stirred = True
        draft.tell("drew", character.id, len(drawn), reveals=True)


def useful(position: State | Draft, program: int, figure: int, strength: int) -> bool:
    """Whether an ability has anything to do now: some of its effects, or any that needs no target."""
    here = position.figures[figure].space
    for effect in position.scenario.programs[program]:
        reach = strength if effect.reach == STRENGTH else effect.reach
        match effect.verb:
            case "damage" | "split_damage":
                fit = bool(targets(position, figure, reach))
            case "disrupt_enemy":
                fit = bool(disruptable(position, in_range(position, here, reach)))
            case "push":
                fit = bool(aiming.pushable(position, figure, reach))
            case "look":
                fit = bool(aiming.lookable(position, figure, reach))
            case "turn_up":
                fit = bool(hidden(position, in_range(position, here, reach)))
            case "heal" if effect.reach == NONE:
                fit = position.figures[figure].damage > 0
            case _:
                fit = True
        if fit:
            return True
    return False


VERBS: Mapping[str, Perform] = MappingProxyType(
    {
        "damage": _damage,
        "split_damage": _split_damage,
        "disrupt_enemy": _disrupt_enemy,
        "push": _push,
        "look": _look,
        "heal": _heal,
        "move_self": _move_self,
        "draw": _draw,
        "plan": _plan,
        "clear_zone": _clear_zone,
        "block": _answered,
        "damage_attacker": _damage_attacker,
        "cancel_crisis": _answered,
        "enemies_move": _enemies,
        "enemies_attack": _enemies,
        "capture_child": _capture_child,
        "child_flees": _child_flees,
        "reinforce": _reinforce,
        "disrupt_zone": _disrupt_zone,
        "hurt": _hurt,
        "turn_up": _turn_up,
        "add_track": _add_track,
        "reset_track": _reset_track,
        "open_door": _open_door,
        "close_door": _close_door,
        "if": _if,
    }
)
