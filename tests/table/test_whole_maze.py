"""A whole race through a maze that hands build as they go: real firmware on the board with edge lamps, three seats."""

from __future__ import annotations

from pathlib import Path

import pytest
from play import Play
from test_whole_game import Player

from underglow import games, profile
from underglow.bench.vm import Bench
from underglow.games.labyrinth.building import Face
from underglow.games.labyrinth.state import State
from underglow.journal import resume
from underglow.profile import Board
from underglow.rng import Rng
from underglow.set_up import SetUp

BOARD = "hex37-edges"
SEATS = 3
STEPS = 700
"""A game takes fewer."""
COPIES = 6
"""Of no token are more on the board at once."""
PIECES = frozenset({"character", "golem"})
WARREN = games.scenario_path("labyrinth", "glass-warren")


@pytest.fixture(scope="session")
def board_profile() -> Board:
    return profile.load(BOARD)


def by_hand_alone(folder: Path) -> Path:
    """Glass Warren where dice are rolled and tiles drawn by hand."""
    text = WARREN.read_text()
    for line in ('dice = "engine"', 'tiles = "engine"'):
        assert line in text
    text = text.replace('dice = "engine"', 'dice = "typed"').replace('tiles = "engine"', 'tiles = "drawn"')
    path = folder / WARREN.name
    path.write_text(text)
    return path


def everything() -> SetUp:
    """Pawns and the Golem with magnets, and tiles, keys and items that have tags; the board reads them on its pad."""
    game = games.load("labyrinth")
    tokens = game.tokens(game.setup(game.load(WARREN), SEATS, Rng(1)))
    kinds = ("tile", "key", "item")
    tagged = [name for name, token in tokens.items() if token.kind in kinds]
    tags = {bytes((4, number, copy, 5, 6, 7, 8)): name for number, name in enumerate(tagged) for copy in range(COPIES)}
    return SetUp(PIECES | set(kinds), PIECES, tags)


class Racer(Player):
    """Hands for every seat. A drawn tile is held to the pad; of one that was laid, the edges must shine."""

    shone = 0
    drawn = 0

    def act(self) -> None:
        super().act()
        state = self.play.table.state
        assert isinstance(state, State)
        task = state.agenda[-1] if state.agenda else None
        if isinstance(task, Face):
            space = state.scenario.spaces[task.hex_]
            self.play.until(lambda: any(any(self.play.pixel(f"{space}.e{edge}")) for edge in range(6)))
            self.shone += 1

    def tell(self, verb: str, text: str, steps: int) -> bool:
        if verb != "drew" or not self.play.set_up.tags:
            return super().tell(verb, text, steps)
        tile = next(token for token in self.play.set_up.tags.values() if text.endswith(self.name(token)))
        piece = self.play.piece(tile, None)
        self.play.board.place("pad", piece)
        self.play.until(lambda: self.play.snapshot["steps"] > steps)
        self.play.board.lift(piece)
        self.drawn += 1
        return False

    def name(self, token: str) -> str:
        return self.play.game.tokens(self.play.table.state)[token].name


@pytest.mark.parametrize("set_up", [SetUp(), everything()], ids=["figures", "everything"])
def test_a_whole_maze_is_built_and_run_by_hands(board: Bench, tmp_path: Path, set_up: SetUp) -> None:
    scenario = by_hand_alone(tmp_path) if set_up.tags else WARREN
    play = Play(board, tmp_path, 2, set_up, str(scenario), SEATS, BOARD, "labyrinth")
    try:
        racer = Racer(play, "greedy", 2)
        while play.game.outcome(play.table.state) is None:
            assert play.snapshot["steps"] < STEPS
            racer.act()
        outcome = play.game.outcome(play.table.state)
        assert outcome
        play.until(lambda: play.snapshot["outcome"] == outcome.reason)
        assert play.snapshot["winners"] == list(outcome.winners)
        assert racer.carried["move"]
        assert racer.shone > 3
        assert racer.put_right  # who was sent home or shifted, the Golem, what a tile brings
        assert bool(racer.drawn) == bool(set_up.tags)
        assert bool(racer.carried["lay"]) == bool(set_up.tags)
        assert len(play.journal.records) == play.snapshot["steps"]
        assert resume(play.game, play.scenario, play.written()).state == play.table.state
    finally:
        play.end()
