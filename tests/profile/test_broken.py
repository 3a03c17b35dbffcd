"""Each `broken/*.toml` is a board with mistakes; the `.txt` beside it is every word said about them."""

from pathlib import Path

import pytest

from underglow import profile
from underglow.documents import Faults

BROKEN = Path(__file__).parent / "broken"


@pytest.mark.parametrize("board", sorted(path.name for path in BROKEN.glob("*.toml")))
def test_every_fault_in_one_run(board: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(BROKEN)
    with pytest.raises(Faults) as caught:
        profile.load(Path(board))
    assert f"{caught.value}\n" == Path(board).with_suffix(".txt").read_text()


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(Faults, match=r"^hex49: there is no such board; known are: .*\bhex48\b.*; or give the path"):
        profile.load("hex49")


def test_a_path_is_never_taken_for_a_name(tmp_path: Path) -> None:
    with pytest.raises(Faults, match="there is no such file"):
        profile.load(tmp_path / "hex48")
    with pytest.raises(Faults, match="there is no such file"):
        profile.load("hex48.toml")
