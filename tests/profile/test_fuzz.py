import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from underglow import profile
from underglow.documents import Fault, Faults

TEXT = (Path(__file__).parent / "edges.toml").read_text()
VALUES = (
    """
-1|0|3|99999999999999999999|1e400|nan|true|""|"\\u0000\\n"|[]|[[0]]|{}|{ centre = [1] }|[{ id = 3 }]
1979-05-27|07:32:00|"1A"|"999H"|"hex"
""".strip()
    .replace("\n", "|")
    .split("|")
)
JUNK = st.one_of(st.sampled_from([b"", *(bytes([byte]) for byte in b"[]{}=.,#'\"\n")]), st.binary(max_size=4))


@st.composite
def other_values(draw: st.DrawFn) -> bytes:
    """The board with some of its values replaced or its keys renamed: TOML still, in nearly every case."""
    text = TEXT
    for _ in range(draw(st.integers(1, 5))):
        pairs = list(re.finditer(r"\b(\w+) = ([\w.-]+|\"\w*\"|\[[\d, ]*\])(?=[,\n ])", text))
        pair = draw(st.sampled_from(pairs))
        key, value = draw(st.sampled_from([("nmae", pair[2]), *((pair[1], value) for value in VALUES)]))
        text = f"{text[: pair.start()]}{key} = {value}{text[pair.end() :]}"
    return text.encode()


@st.composite
def other_text(draw: st.DrawFn) -> bytes:
    """The board with slices cut, doubled or overwritten."""
    content = TEXT.encode()
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(content)))
        cut = content[start : start + draw(st.integers(0, 60))]
        content = content[:start] + draw(st.one_of(JUNK, st.just(cut * 2))) + content[start + len(cut) :]
    return content


@settings(max_examples=400)
@given(st.one_of(other_values(), other_text()))
def test_no_file_raises_anything_but_faults(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "fuzz.toml"
    path.write_bytes(content)
    faults: tuple[Fault, ...] = ()
    try:
        board = profile.load(path)
        assert board.firmware()["crc"] == board.crc
    except Faults as caught:
        faults = caught.faults or (Fault(path, -1, "", "faults without a fault"),)
    for fault in faults:
        assert 0 <= fault.line <= content.count(b"\n") + 1, fault
        assert "\n" not in str(fault)
