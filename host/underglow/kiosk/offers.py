"""What can be chosen at a table: every scenario that comes with a game and is laid over its board."""

from __future__ import annotations

import logging

from underglow import games
from underglow.documents import Faults
from underglow.games.contract import Scenario
from underglow.kiosk.attendant import Offer
from underglow.profile import Board

log = logging.getLogger(__name__)


def offers(board: Board) -> list[Offer]:
    """The scenarios for that board; one whose file has faults is left out, and the log tells why."""
    found: list[Offer] = []
    for game in games.names():
        for name in games.scenarios(game):
            try:
                scenario: Scenario = games.load(game).load(games.scenario_path(game, name))
                scenario.overlay(board.name)
            except KeyError:
                continue  # it is for other boards
            except Faults as faults:
                log.error("%s", faults)
                continue
            except Exception:
                log.exception("%s of %s can't be offered", name, game)
                continue
            found.append(Offer(game, name, scenario.title, tuple(scenario.seats)))
    return found
