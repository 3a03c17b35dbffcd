"""What a seat may not know reaches it in no way: not in a value, a word, a light, or a byte sent to board or page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from positions import Subject, canonical, liftings, seats_of
from unplugged import Unplugged

from underglow import profile, wire
from underglow.games.contract import Action
from underglow.history import History
from underglow.journal import Header, Journal
from underglow.kiosk import messages
from underglow.overlay import standing
from underglow.profile import Board
from underglow.rng import Rng
from underglow.session import Occupied, Picture, Pressed, Session
from underglow.set_up import SetUp
from underglow.table import Table
from underglow.themes import THEMES

WORLDS = 4
EMPTIED = 3
PRESSED = 4


def worlds(subject: Subject, state: Any, seat: int | None, number: int = WORLDS) -> list[Any]:
    """States that the seat could not tell from this one."""
    return [subject.game.redeal(state, seat, Rng(seed)) for seed in range(number)]


def public(subject: Subject, state: Any) -> dict[str, Any]:
    """Everything the game says to everybody, whatever single token is in hand."""
    game = subject.game
    hands = liftings(game.layout(state))
    legal = game.legal(state)
    carried = [action for action in legal if is_seen(action)]
    shown = [(action, cues) for action in legal if (cues := game.shown(state, action)) is not None]
    return {
        "view": game.view(state, None),
        "tokens": dict(game.tokens(state)),
        "layout": list(game.layout(state).items()),
        "cues": [list(game.cues(state, lifted).items()) for lifted in hands],
        "prompts": [game.prompt(state, lifted) for lifted in hands],
        "turn": sorted({action.seat for action in legal}),
        "carried": carried,
        "words": [game.describe(state, action) for action in carried],
        "shown": [(action, list(cues.items()), game.describe(state, action)) for action, cues in shown],
        "outcome": game.outcome(state),
    }


def is_seen(action: Action) -> bool:
    """Whether everybody sees that this could be done: it moves only what stands on the board."""
    return bool(action.hands) and all(transfer.source for transfer in action.hands)


def known(subject: Subject, state: Any, seat: int | None) -> dict[str, Any]:
    """Everything a seat can know: what everybody is told, its view, and its choices."""
    game = subject.game
    own = [action for action in game.legal(state) if action.seat == seat]
    return public(subject, state) | {
        "own": game.view(state, seat),
        "choices": own,
        "own words": [game.describe(state, action) for action in own],
    }


def some_seats(subject: Subject, state: Any, number: int) -> tuple[int | None, ...]:
    """The public, the seat whose turn it is, and one of the others, in turn."""
    everybody = seats_of(subject, state)[1:]
    turn = subject.game.view(state, None)["turn"]
    others = [seat for seat in everybody if seat != turn]
    return (None, *(seat for seat in everybody if seat == turn), *others[number % max(1, len(others)) :][:1])


def test_no_seat_can_tell_a_redeal(subject: Subject) -> None:
    for number, state in enumerate(subject.states(2)):
        for seat in some_seats(subject, state, number):
            (world,) = worlds(subject, state, seat, 1)
            assert known(subject, world, seat) == known(subject, state, seat)


def test_what_everybody_sees_that_could_be_done_can_be_shown(subject: Subject) -> None:
    game = subject.game
    for state in subject.states(4):
        for action in filter(is_seen, game.legal(state)):
            assert game.shown(state, action) is not None, action


def test_what_a_game_is_worth_to_a_seat_is_a_likelihood_and_no_more_than_it_can_know(subject: Subject) -> None:
    game = subject.game
    for number, state in enumerate(subject.states(2)):
        for seat in some_seats(subject, state, number)[1:]:
            assert seat is not None
            worth = game.worth(state, seat)
            assert 0 <= worth <= 1
            assert [game.worth(world, seat) for world in worlds(subject, state, seat, 2)] == [worth, worth]


def test_a_redeal_does_exchange_what_is_hidden_and_the_chance_to_come(subject: Subject) -> None:
    for state in subject.deals():
        for seat in seats_of(subject, state):
            deals = worlds(subject, state, seat, 20)
            assert len({deal.rng for deal in deals}) == 20
            assert len({replace(deal, rng=Rng(0)) for deal in deals}) > 5


def test_what_is_told_of_a_step_tells_no_more_than_what_is_seen_after_it(subject: Subject) -> None:
    """Where nobody but the dice tells two worlds apart, log and lights must not either."""
    game = subject.game
    for step in subject.steps(4):
        for seat in (None, step.action.seat):
            told: dict[str, object] = {}
            for world in worlds(subject, step.before, seat):
                if step.action not in game.legal(world):
                    continue
                after, events = game.step(world, step.action)
                if any(event.chance for event in events):
                    continue  # a roll may be in the log alone
                seen = canonical(game.view(after, None))
                says = [game.narrate(after, event) for event in events], list(game.flashes(after, events).items())
                assert told.setdefault(seen, says) == says, (step.action, events)


def test_what_is_told_of_a_step_does_not_depend_on_what_is_still_hidden(subject: Subject) -> None:
    game = subject.game
    for step in subject.steps(10):
        for world in worlds(subject, step.after, None, 2):
            assert game.flashes(world, step.events) == game.flashes(step.after, step.events)
            for event in step.events:
                assert game.narrate(world, event) == game.narrate(step.after, event)


def test_undo_stops_at_chance(subject: Subject) -> None:
    drawn = 0
    for walk in subject.walks:
        for step in walk:
            moved = step.before.rng != step.after.rng
            drawn += moved
            assert not moved or any(event.chance for event in step.events), (step.action, step.events)
    assert drawn


def test_undo_stops_where_somebody_learned_something(subject: Subject) -> None:
    """Of worlds that a seat could not tell apart, it sees after the step which one it is in: then it has learned."""
    game = subject.game
    learned = 0
    for number, step in enumerate(subject.steps(5)):
        for seat in some_seats(subject, step.before, number):
            seen: set[str] = set()
            marked: list[bool] = []
            for world in worlds(subject, step.before, seat):
                if step.action in game.legal(world):
                    after, events = game.step(world, step.action)
                    seen.add(canonical(game.view(after, seat)))
                    marked.append(any(event.chance or event.reveals for event in events))
            if len(seen) > 1:
                learned += 1
                assert all(marked), (seat, step.action, step.events)
    assert learned


# --- bytes ---


class Sender:
    """A table, and what would leave it on the way to the board and to every page."""

    def __init__(self, subject: Subject, board: Board, journal: Journal, set_up: SetUp) -> None:
        self._subject = subject
        self._board = board
        self._journal = journal
        self._set_up = set_up

    def sent(self, state: Any, seat: int | None) -> Iterator[bytes]:
        """The bytes to the board and to that seat's page.

        All tokens stand in their places, while Help shows some choices; then some spaces are emptied.
        """
        game, board, scenario = self._subject.game, self._board, self._subject.scenario
        occupied = set(standing(game, state, scenario.overlay(board.name), self._set_up))
        emptied = sorted(occupied)[:: max(1, len(occupied) // EMPTIED)]
        for missing in (set[str](), *({space} for space in emptied)):
            link = Unplugged("no port", board)
            table = Table(
                game, scenario, History(game, state, 1), board, link, self._journal, THEMES["default"], self._set_up
            )
            spaces = occupied - missing
            table.take(Occupied(frozenset(sensor for sensor, on in board.space_of_sensor.items() if on in spaces)))
            assert table.state == state
            for _ in range(1 if missing else PRESSED):
                yield self._to_board(link.picture)
                yield messages.table(table.snapshot(), table.view(seat), seat, moves=True).text().encode()
                table.take(Pressed(wire.HELP))

    def _to_board(self, picture: Picture) -> bytes:
        """The picture as frames, the first after a board has answered."""
        board = self._board
        session = Session(1, board.crc, len(board.lamps), board.strip.brightness, 0.0)
        welcome = wire.Welcome(wire.PROTOCOL, wire.SCHEMA, board.crc, 1, board.sensors, len(board.lamps), b"test")
        assert list(session.receive(wire.encode(1, welcome), 0.0))
        session.unsent.clear()
        session.show(picture, 0.0)
        return bytes(session.unsent)


@pytest.mark.parametrize("physical", ["characters", "everything"])
def test_the_bytes_to_the_board_and_to_each_page_cannot_tell_a_redeal(
    subject: Subject, tmp_path: Path, physical: str
) -> None:
    name = next(name for name in profile.names() if name in subject.scenario.overlays)
    header = Header.of(subject.game_name, subject.scenario, 1, 0, profile.load(name))
    journal = Journal.create(tmp_path / "journal.sqlite", header)
    kinds = frozenset(token.kind for state in subject.states(2) for token in subject.game.tokens(state).values())
    set_up = SetUp() if physical == "characters" else SetUp(kinds, kinds)
    sender = Sender(subject, profile.load(name), journal, set_up)
    lit = 0
    for number, state in enumerate(subject.states(1)):
        for seat in some_seats(subject, state, number):
            (world,) = worlds(subject, state, seat, 1)
            sent = list(sender.sent(state, seat))
            assert list(sender.sent(world, seat)) == sent
            lit += len(sent[0])
    assert lit
    journal.close()
