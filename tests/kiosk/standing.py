"""A real game that stands still some steps on, with its page and without a board: what pages look like is seen here."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from unplugged import Unplugged

from underglow import games, profile
from underglow.bots import Greedy
from underglow.games.contract import Action
from underglow.history import History
from underglow.journal import Header, Journal
from underglow.kiosk import Kiosk
from underglow.profile import Board
from underglow.rng import Rng
from underglow.session import Occupied
from underglow.set_up import SetUp
from underglow.table import Table
from underglow.themes import THEMES


@dataclass(frozen=True)
class Scene:
    """A game, and the moment of it: the first after `steps` steps of bots at which such a choice is offered."""

    scenario: str
    seats: int
    board: str
    verb: str
    steps: int
    seed: int = 5


# Of either game a moment at which much is to be seen.
MAZE = Scene("glass-warren", 3, "hex37-edges", "face", 70)
WELLS = Scene("cinder-wells", 2, "hex48", "attack", 14)


@dataclass(frozen=True)
class Standing:
    table: Table
    board: Board
    address: str
    seat: int
    """Whose choice it is."""


@contextmanager
def standing(folder: Path, scene: Scene) -> Generator[Standing]:
    name, path = games.find(scene.scenario, None)
    game, board = games.load(name), profile.load(scene.board)
    scenario = game.load(path)
    header = Header.of(name, scenario, scene.seats, scene.seed, board)
    journal = Journal.create(folder / f"{scene.scenario}.sqlite", header)
    history = History(game, game.setup(scenario, scene.seats, Rng(scene.seed)), scene.seats)
    rng = Rng(scene.seed)
    while True:
        legal: tuple[Action, ...] = game.legal(history.state)
        if len(history.played) >= scene.steps and any(action.verb == scene.verb for action in legal):
            break
        action, rng = Greedy(1).choose(game, history.state, legal[0].seat, rng)
        history = history.step(action)
    table = Table(game, scenario, history, board, Unplugged("no port", board), journal, THEMES["default"], SetUp())
    spaces = table.snapshot()["layout"].keys()
    table.take(Occupied(frozenset(sensor for sensor, on in board.space_of_sensor.items() if on in spaces)))
    with Kiosk(board, table) as kiosk:
        address = kiosk.start()
        table.watch(kiosk.publish)
        yield Standing(table, board, address, legal[0].seat)
    journal.close()
