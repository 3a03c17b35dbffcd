"""What the board says for a moment, because of what has just happened."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from underglow.games.contract import Cue, Event, Meaning
from underglow.games.labyrinth.draft import character, start
from underglow.games.labyrinth.marks import EDGES, Said, edges, frame
from underglow.games.labyrinth.scenario import LANES, NONE
from underglow.games.labyrinth.state import State


def flashes(state: State, events: tuple[Event, ...]) -> Mapping[str, Cue]:
    """What the board should say for a moment because of these events; the spaces of a path in its order."""
    paths, said = Said(), Said()
    for event in events:
        match event.kind, event.args:
            case (("shifted" | "sent_home" | "golem_walked"), (_, source, target)):
                paths |= {str(space): Cue(Meaning.PATH) for space in (source, target)}
            case _:
                for place, cue in _flash(state, event):
                    if said.get(place) != Cue(Meaning.REVEALED):  # what was just turned up matters more
                        said[place] = cue
    return paths | said


def _flash(state: State, event: Event) -> Iterator[tuple[str, Cue]]:
    match event.kind, event.args:
        case "revealed", (_, _, space):
            yield str(space), Cue(Meaning.REVEALED)
        case "item_lies", (_, space):
            yield from _laid(state, str(space), Meaning.REVEALED, [lying.place for lying in state.lying])
        case (("trap_lies" | "trap_set"), (_, space)):
            yield from _laid(state, str(space), Meaning.THREAT, [trap.place for trap in state.traps])
        case (("turned" | "died" | "dropped" | "trap_gone" | "glyph_laid" | "glyph_met"), (*_, space)):
            yield str(space), Cue(_AT[event.kind])
        case "landed", (_, space, level):
            yield str(space), Cue(Meaning.ABOVE if level == "up" else Meaning.BELOW)
        case "tested", (who, _, _, _, verdict):
            yield from _stands(state, who, Meaning.OBJECTIVE if verdict == "passed" else Meaning.HURT)
        case "hurt", (who, *_):
            yield from _stands(state, who, Meaning.HURT)
            yield from _home(state, who, Meaning.HURT)
        case (("dazed" | "won" | "picked_up"), (who, *_)):
            yield from _stands(state, who, Meaning.DAZED if event.kind == "dazed" else Meaning.OBJECTIVE)
        case (("healed" | "rested"), (who, _)):
            yield from _home(state, who, Meaning.LIFE)
        case "crystal", (who, side):
            yield from _home(state, who, Meaning.CRYSTAL if side == "active" else Meaning.DISRUPTED)
        case "names", (by, _):
            yield from _home(state, by, Meaning.CHOICE)
        case "fought", (first, one, second, two):
            yield from _fight(state, first, second, loser=second if int(one) > int(two) else first)
        case "helpless", (target, by):
            yield from _fight(state, by, target, loser=target)
        case "event", _ if meaning := frame(state):
            frames = state.scenario.spaces[state.scenario.sockets :]
            yield from ((space, Cue(meaning)) for space in frames)
        case _:
            pass


_AT = {
    "turned": Meaning.REVEALED,
    "died": Meaning.HURT,
    "dropped": Meaning.OBJECTIVE,
    "trap_gone": Meaning.DISRUPTED,
    "glyph_laid": Meaning.GUARDED,
    "glyph_met": Meaning.GUARDED,
}


def _fight(state: State, *both: str | int, loser: str | int) -> Iterator[tuple[str, Cue]]:
    """Each of the two at home, and all around where they fight (L-FIGHT-2)."""
    for who in both:
        yield from _home(state, who, Meaning.HURT if who == loser else Meaning.OBJECTIVE)
        if who != loser:  # the other may be at home again by now
            for space, cue in _stands(state, who, Meaning.TARGET):
                yield space, cue
                yield from ((f"{space}.e{edge}", cue) for edge in range(EDGES))


def _laid(state: State, space: str, meaning: Meaning, lie: list[int]) -> Iterator[tuple[str, Cue]]:
    """A space where a token was laid, and the corridors there that have such a token."""
    yield space, Cue(meaning)
    for place in lie:
        if state.scenario.spaces[place // LANES] == space:
            yield from edges(state, place, Cue(meaning)).items()


def _stands(state: State, who: str | int, meaning: Meaning) -> Iterator[tuple[str, Cue]]:
    for seat in _seats(state, who):
        yield state.scenario.spaces[state.players[seat].place // LANES], Cue(meaning)


def _home(state: State, who: str | int, meaning: Meaning) -> Iterator[tuple[str, Cue]]:
    for seat in _seats(state, who):
        yield state.scenario.spaces[start(state, seat) // LANES], Cue(meaning)


def _seats(state: State, who: str | int) -> list[int]:
    """The seat that plays a character; none: it is in play no more."""
    playing = [seat for seat, player in enumerate(state.players) if player.character != NONE]
    return [seat for seat in playing if character(state, seat).id == who]
