"""What happened, as words for the log: every event but those that the action itself or the outcome says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from underglow.games.contract import Event
from underglow.games.labyrinth import phrases as part
from underglow.games.labyrinth.maze import TURNS
from underglow.games.labyrinth.phrases import danger, effects, lying
from underglow.games.labyrinth.scenario import NONE
from underglow.games.labyrinth.sight import the_token, token_name
from underglow.games.labyrinth.state import State
from underglow.languages import SILENCE, Text, counted, say

Arg: TypeAlias = str | int
Teller: TypeAlias = Callable[[State, tuple[Arg, ...]], Text]


def narrate(state: State, event: Event) -> Text:
    """An event as words for the log; "" for what needs none. `state` is the one after the step."""
    teller = _TELLERS.get(event.kind)
    return teller(state, event.args) if teller else SILENCE


def _faced(state: State, args: tuple[Arg, ...]) -> Text:
    """Chance has turned a tile; where it lies, its heads tell."""
    hex_ = state.scenario.spaces.index(str(args[1]).partition(".")[0])
    kind, turned = divmod(state.maze.laid[hex_], TURNS)
    return say("As chance has it, {lying}.", lying=lying(state.scenario.tiles[kind], turned))


_TESTS: Mapping[Arg, Text] = MappingProxyType({"jump": say("the jump"), "golem": say("the Golem test")})
_TEST = say("the test")


def _tested(state: State, args: tuple[Arg, ...]) -> Text:
    token, kind, need, total, verdict = args
    who, test = the_token(state, token), _TESTS.get(kind, _TEST)
    if verdict == "passed":
        return say(
            "{who:capital} passes {test}: {total}, and {need} was needed.", who=who, test=test, total=total, need=need
        )
    return say(
        "{who:capital} fails {test}: {total}, and {need} was needed.", who=who, test=test, total=total, need=need
    )


def _crystal(state: State, args: tuple[Arg, ...]) -> Text:
    who = the_token(state, args[0])
    if args[1] == "active":
        return say("{who:capital}'s crystal lights up.", who=who)
    return say("{who:capital}'s crystal goes dark.", who=who)


def _hurt(state: State, args: tuple[Arg, ...]) -> Text:
    who, lost, left = the_token(state, args[0]), part.lives(int(args[1])), int(args[2])
    if left:
        return say("{who:capital} loses {lost}: {left} left.", who=who, lost=lost, left=part.lives(left))
    return say("{who:capital} loses {lost}: no lives left.", who=who, lost=lost)


def _rested(state: State, args: tuple[Arg, ...]) -> Text:
    who, left = the_token(state, args[0]), int(args[1])
    if left:
        return say("{who:capital} has {tokens} left.", who=who, tokens=part.daze_tokens(left))
    return say("{who:capital} has a clear head.", who=who)


def _landed(state: State, args: tuple[Arg, ...]) -> Text:
    who, space, level = the_token(state, args[0]), args[1], args[2]
    if level == "up":
        return say("{who:capital} is up on the bridge on {space}.", who=who, space=space)
    return say("{who:capital} is down under the bridge on {space}.", who=who, space=space)


def _revealed(state: State, args: tuple[Arg, ...]) -> Text:
    scenario = state.scenario
    trap = next((known for known in scenario.traps if known.id == args[1]), None)
    if trap is None:
        return SILENCE
    return say("{trap} on {space}: {danger}.", trap=trap.name, space=args[2], danger=danger(scenario, trap))


def _golem_card(state: State, args: tuple[Arg, ...]) -> Text:
    card = next((known.name for known in state.scenario.golem_cards if known.id == args[0]), args[0])
    return say("The Golem card is {card}.", card=card)


def _event(state: State, args: tuple[Arg, ...]) -> Text:
    event = next((known for known in state.scenario.events if known.id == args[0]), None)
    if event is None:
        return SILENCE
    if event.rule:
        return say("The event is {event}: from now on, {rule}.", event=event.name, rule=_RULES[event.rule])
    if event.program != NONE:
        return say("The event is {event}: {do}.", event=event.name, do=effects(state.scenario, event.program))
    return say("The event is {event}.", event=event.name)


_RULES: Mapping[str, Text] = MappingProxyType(
    {
        "tested_traps_go": say("a trap is gone once it has been tested"),
        "no_free_fights": say("who comes to another does not fight for free"),
        "second_step_free": say("the second step of a turn is free"),
        "shaking_bridges": say("a jump needs 1 more"),
    }
)


_TELLERS: Mapping[str, Teller] = MappingProxyType(
    {
        "picked": lambda state, args: say(
            "{who:capital} begins on {space}.", who=the_token(state, args[0]), space=args[1]
        ),
        "turn": lambda state, args: say("It is {who}'s turn.", who=the_token(state, args[0])),
        # building
        "drew": lambda state, args: say(
            "{who:capital} draws {tile}.", who=the_token(state, args[0]), tile=the_token(state, args[1])
        ),
        "faced": _faced,
        "trap_lies": lambda state, args: say("A face-down trap lies on {space}.", space=args[1]),
        "item_lies": lambda state, args: say(
            "On {space} lies an item: {item}.", space=args[1], item=token_name(state, args[0])
        ),
        # dice
        "rolled": lambda state, args: say("{who:capital} rolls {roll}.", who=the_token(state, args[0]), roll=args[1]),
        "tested": _tested,
        "crystal": _crystal,
        "tied": lambda state, args: say(
            "{who:capital} and {other} are equal and roll again.",
            who=the_token(state, args[0]),
            other=the_token(state, args[1]),
        ),
        "fought": lambda state, args: say(
            "In the fight {who} comes to {one}, {other} to {two}.",
            who=the_token(state, args[0]),
            one=args[1],
            other=the_token(state, args[2]),
            two=args[3],
        ),
        "helpless": lambda state, args: say(
            "{who:capital} is dazed and helpless against {other}.",
            who=the_token(state, args[0]),
            other=the_token(state, args[1]),
        ),
        # what befalls a character
        "hurt": _hurt,
        "healed": lambda state, args: say(
            "{who:capital} has {lives} now.", who=the_token(state, args[0]), lives=part.lives(int(args[1]))
        ),
        "dazed": lambda state, args: say(
            "{who:capital} is dazed: {tokens} now.", who=the_token(state, args[0]), tokens=part.tokens(int(args[2]))
        ),
        "rested": _rested,
        "died": lambda state, args: say(
            "{who:capital} has lost the last life, and begins anew with all of them.", who=the_token(state, args[0])
        ),
        "sent_home": lambda state, args: say(
            "{who:capital} goes back from {space} to the start on {home}.",
            who=the_token(state, args[0]),
            space=args[1],
            home=args[2],
        ),
        "dropped": lambda state, args: say(
            "{who:capital} drops {token} on {space}.",
            who=the_token(state, args[0]),
            token=the_token(state, args[1]),
            space=args[2],
        ),
        "boxed": lambda state, args: say(
            "{who:capital} has lost {item} for good.", who=the_token(state, args[0]), item=the_token(state, args[1])
        ),
        "names": lambda state, args: say(
            "{who:capital} is to say where {other} goes.",
            who=the_token(state, args[0]),
            other=the_token(state, args[1]),
        ),
        "shifted": lambda state, args: say(
            "{who:capital} is moved from {space} to {target}.",
            who=the_token(state, args[0]),
            space=args[1],
            target=args[2],
        ),
        "not_shifted": lambda state, args: say(
            "There is nowhere for {who} to be moved.", who=the_token(state, args[0])
        ),
        "fell": lambda state, args: say("{who:capital} falls off the bridge.", who=the_token(state, args[0])),
        "landed": _landed,
        "more_actions": lambda state, args: say(
            "{who:capital} has {actions} now.", who=the_token(state, args[0]), actions=part.actions(int(args[1]))
        ),
        "became": lambda state, args: say(
            "From now on {who} is {other}.", who=the_token(state, args[0]), other=the_token(state, args[1])
        ),
        # traps and ability tokens
        "revealed": _revealed,
        "trap_gone": lambda state, args: say(
            "Gone from {space}: {trap}.", space=args[1], trap=token_name(state, args[0])
        ),
        "drew_traps": lambda state, args: say(
            "{who:capital} looks at {traps}.", who=the_token(state, args[0]), traps=part.traps(int(args[1]))
        ),
        "returned": lambda _, args: counted(
            "{n} trap goes back among the others.", "{n} traps go back among the others.", int(args[0])
        ),
        "glyph_laid": lambda state, args: say(
            "{who:capital} lays {glyph} on {space}.",
            who=the_token(state, args[0]),
            glyph=token_name(state, args[1]),
            space=args[2],
        ),
        "glyph_met": lambda state, args: say(
            "{who:capital} meets {glyph} on {space}.",
            who=the_token(state, args[0]),
            glyph=token_name(state, args[1]),
            space=args[2],
        ),
        # cards
        "golem_card": _golem_card,
        "golem_walked": lambda _, args: say("The Golem goes from {space} to {target}.", space=args[1], target=args[2]),
        "event": _event,
        "reshuffled": lambda _, args: say("The discarded cards are a new deck."),
    }
)
