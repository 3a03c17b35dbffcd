"""Positions for tests: a scenario's map with just the figures, threats and decks that matter, and a way to play on."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, cast

import pytest
from scene import PlayedOn

from underglow import games
from underglow.documents import Fault, Faults
from underglow.games import mandalorian
from underglow.games.mandalorian import turn
from underglow.games.mandalorian.action import ActionPhase
from underglow.games.mandalorian.draft import Draft
from underglow.games.mandalorian.program import Do
from underglow.games.mandalorian.scenario import Scenario
from underglow.games.mandalorian.state import STACK, Figure, Pile, State, Threat
from underglow.games.mandalorian.task import Task
from underglow.games.state import Deck
from underglow.rng import Rng

CINDER_WELLS = games.scenario_path("mandalorian", "cinder-wells")
SALT_HARBOUR = games.scenario_path("mandalorian", "salt-harbour")

Token = tuple[str, str] | tuple[str, str, Mapping[str, Any]]
"""Space, name ("? name" when face down), and damage or disruption if any."""


@cache
def cinder_wells() -> Scenario:
    return mandalorian.load(CINDER_WELLS)


@cache
def salt_harbour() -> Scenario:
    return mandalorian.load(SALT_HARBOUR)


def edited(folder: Path, *changes: tuple[str, str], name: str = "edited", of: Path = CINDER_WELLS) -> Scenario:
    """A scenario we ship with words of its file exchanged."""
    text = of.read_text()
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    assert tomllib.loads(text)
    file = folder / f"{name}.toml"
    file.write_text(text)
    return mandalorian.load(file)


def faults_of(folder: Path, *changes: tuple[str, str]) -> tuple[Fault, ...]:
    """What is wrong with Salt Harbour with words of its file exchanged."""
    with pytest.raises(Faults) as faults:
        edited(folder, *changes, of=SALT_HARBOUR, name="salt-harbour")
    return faults.value.faults


def switched(folder: Path, of: Path = CINDER_WELLS, **switches: object) -> Scenario:
    """A scenario we ship with these switches set, under its own name."""
    text = of.read_text()
    for key, value in switches.items():
        words = f'"{value}"' if isinstance(value, str) else str(value).lower()
        lines = [line for line in text.splitlines() if not line.startswith(f"{key} =")]
        lines.insert(next(i for i, line in enumerate(lines) if line.startswith("[switches]")) + 1, f"{key} = {words}")
        text = "\n".join(lines) + "\n"
    file = folder / of.name
    file.write_text(text)
    return mandalorian.load(file)


def begun(scenario: Scenario, seats: int, *characters: str, seed: int = 7) -> State:
    """A game at its first choice after the picks, in which the first character named, or listed, is to act."""
    state = mandalorian.setup(scenario, seats, Rng(seed))
    picks = list(characters)
    while (legal := mandalorian.legal(state))[0].verb == "pick":
        pick = next(action for action in legal if not picks or action.args == (picks[0],))
        state, _ = mandalorian.step(state, pick)
        picks = picks[1:]
    return replace(state, place=0)


def arrange(
    scenario: Scenario | None = None,
    *,
    at: Mapping[str, str],
    threats: Sequence[Token] = (),
    stack: Sequence[str] = (),
    acting: str = "",
    seats: int = 2,
    doors_open: int = 0,
    damage: Mapping[str, int] | None = None,
) -> State:
    """A position at the start of a turn: figures by character where `at` says, all zones empty, these threats only.

    Who is not in `at` stands on the start space; without `acting` the first of `at` is to act.
    """
    scenario = scenario or cinder_wells()
    state = begun(scenario, seats, *at)
    names = [scenario.characters[figure.character].id for figure in state.figures]
    figures = tuple(
        figure._replace(
            space=scenario.spaces.index(at[name]) if name in at else scenario.start, damage=(damage or {}).get(name, 0)
        )
        for name, figure in zip(names, state.figures, strict=True)
    )
    number = names.index(acting or next(iter(at), names[0]))
    places = [figure for _, figure in scenario.rotations[seats]]
    kinds: list[str] = [kind.name for kind in scenario.kinds]
    tokens = [_token(scenario, kinds, token) for token in threats]
    tokens += [Threat(kinds.index(name), STACK, up=False) for name in stack]
    empty = (Pile((), ()),) * len(scenario.zones)
    return replace(
        state,
        figures=figures,
        threats=tuple(tokens),
        piles=empty,
        pool=tuple(sorted(scenario.white + scenario.other)),
        place=places.index(number),
        doors_open=doors_open,
    )


def _token(scenario: Scenario, kinds: list[str], token: Token) -> Threat:
    space, name = token[:2]
    more: Mapping[str, Any] = token[2] if len(token) == 3 else {}
    number = kinds.index(name.removeprefix("? "))
    return Threat(number, scenario.spaces.index(space), up=not name.startswith("? "), **more)


def figure_of(state: State, character: str) -> Figure:
    """A character in play."""
    names = [state.scenario.characters[figure.character].id for figure in state.figures]
    return state.figures[names.index(character)]


def changed(state: State, character: str, **fields: Any) -> State:
    """The state with something about a character changed."""
    figures = tuple(
        figure._replace(**fields) if state.scenario.characters[figure.character].id == character else figure
        for figure in state.figures
    )
    return replace(state, figures=figures)


def hand(state: State, *faces: int | str, of: str = "") -> State:
    """The state with these skill cards in a hand, by strength or ability, and the rest of the cards in the deck."""
    scenario = state.scenario
    name = of or scenario.characters[state.figure.character].id
    figure = figure_of(state, name)
    left = list(scenario.characters[figure.character].deck)
    cards: list[int] = []
    for face in faces:
        card = next(c for c in left if face == (scenario.cards[c].ability or scenario.cards[c].strength))
        left.remove(card)
        cards.append(card)
    return changed(state, name, hand=tuple(sorted(cards)), deck=tuple(left), discard=())


def keeping(state: State, *plans: str, of: str = "") -> State:
    """The state with these planning cards kept by a character."""
    ids = [plan.id for plan in state.scenario.plans]
    cards = tuple(sorted(ids.index(plan) for plan in plans))
    return changed(state, of or state.scenario.characters[state.figure.character].id, planning=cards)


def sums(state: State, *strengths: int) -> State:
    """The state with zones of these strengths, all by disruption tokens, and none in the pool but these."""
    piles = tuple(Pile((), (strength,) if strength else ()) for strength in strengths)
    return replace(state, piles=piles)


def decked(state: State, events: Sequence[str] = (), planning: Sequence[str] = ()) -> State:
    """The state with these cards on top of the event deck, or of the planning deck."""
    scenario = state.scenario
    if events:
        state = replace(state, events=_stacked(state.events, [event.id for event in scenario.events], events))
    if planning:
        state = replace(state, planning=_stacked(state.planning, [plan.id for plan in scenario.plans], planning))
    return state


def _stacked(deck: Deck, ids: list[str], wanted: Sequence[str]) -> Deck:
    left, top = list(deck.draw), [ids.index(name) for name in wanted]
    for card in top:
        left.remove(card)
    return Deck((*top, *left), deck.discard)


def seen(state: State, seat: int | None = None) -> dict[str, Any]:
    """The view of a seat, or the public's."""
    return cast("dict[str, Any]", mandalorian.view(state, seat))


class Scene(PlayedOn[State]):
    """A game being played on from a position, and what happened in it."""

    game = games.load("mandalorian")

    def do(self, verb: str, *args: str | int) -> Scene:
        """Choose what has that verb and these arguments; of a movement, its end is enough."""
        legal = [action for action in mandalorian.legal(self.state) if action.verb == verb]
        fit = [a for a in legal if a.args == args] or [a for a in legal if verb in _BY_END and a.args[-1:] == args]
        assert fit, f"{verb} {args} is not among {[(a.verb, *a.args) for a in mandalorian.legal(self.state)]}"
        self.state, events = mandalorian.step(self.state, fit[0])
        self.events += events
        return self

    def lay(self, zone: str, *face: str | int) -> Scene:
        """Put a card into the hand whose turn it is, beside another, and lay it on a zone."""
        self.state = hand(self.state, face[-1], 2 if face == (1,) else 1)
        return self.do("play", zone, *face)

    def run(self, *tasks: Task) -> Scene:
        """Lay tasks on the agenda instead of the rest of the action phase, and do them until somebody has to choose."""
        draft = Draft(self.state)
        if isinstance(draft.tasks[-1], ActionPhase):
            draft.tasks.pop()
        draft.push(*tasks)
        draft.run(turn.check)
        self.state = draft.freeze()
        self.events += draft.told
        return self

    def event_phase(self) -> Scene:
        """Go on to the event phase."""
        return self.run()

    def event(self, *cards: str) -> Scene:
        """Resolve an event card, with these on top of the deck; what follows is the event phase of empty zones."""
        self.state = decked(self.state, events=cards)
        return self.run(turn.EventCard())

    def effect(self, *effects: Mapping[str, Any]) -> Scene:
        """Let effects happen as if a card of the character whose turn it is said so."""
        scenario = with_effects(self.state.scenario, *effects)
        self.state = replace(self.state, scenario=scenario)
        return self.run(Do(len(scenario.programs) - 1, self.state.acting, strength=3))


_BY_END = ("move", "enemy_moves", "flee", "push")


def with_effects(scenario: Scenario, *effects: Mapping[str, Any]) -> Scenario:
    """A scenario with one more program, its last: read as from a file."""
    from pydantic import TypeAdapter

    from underglow.games.mandalorian.compiling import Compiler
    from underglow.games.mandalorian.document import Document
    from underglow.games.mandalorian.grammar import Effects

    path = next(p for p in (CINDER_WELLS, SALT_HARBOUR) if p.stem == scenario.id)
    compiler = Compiler(Document.model_validate(tomllib.loads(path.read_text())))
    compiler.programs = list(scenario.programs)
    compiler.program(TypeAdapter(Effects).validate_python(effects))
    return replace(scenario, programs=tuple(compiler.programs))
