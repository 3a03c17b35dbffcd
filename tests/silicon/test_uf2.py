"""UF2 files: made, read, refused, and where a build's sources come from."""

from __future__ import annotations

from pathlib import Path

import pytest

from underglow.bench import apt_suite, uf2

BANNER = b"MicroPython v1.25.0 on 2025-04-15; Raspberry Pi Pico with RP2040\0"


def test_what_is_packed_comes_out_again_padded_to_whole_blocks() -> None:
    flash = bytes(range(256)) * 5 + b"end"
    unpacked = uf2.unpack(uf2.pack(flash))
    assert unpacked[: len(flash)] == flash
    assert len(unpacked) == -(-len(flash) // 256) * 256


def test_version_is_read_from_the_banner(tmp_path: Path) -> None:
    path = tmp_path / "micropython.uf2"
    path.write_bytes(uf2.pack(b"\0" * 300 + BANNER))
    assert uf2.read(path).version == "1.25.0"


def other_family(data: bytes) -> bytes:
    return data[:28] + (0xE48BFF59).to_bytes(4, "little") + data[32:]  # RP2350


def far_away(data: bytes) -> bytes:
    return data[:12] + (0x20000000).to_bytes(4, "little") + data[16:]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "holds nothing for the RP2040"),
        (b"PK\3\4" * 128, "not a UF2 file"),
        (uf2.pack(BANNER)[:-1], "cut short"),
        (other_family(uf2.pack(BANNER)), "holds nothing for the RP2040"),
        (far_away(uf2.pack(BANNER)), "outside the Pico's flash"),
        (uf2.pack(b"another program"), "holds no MicroPython"),
    ],
)
def test_what_is_no_micropython_for_the_pico_is_refused_with_its_name(
    tmp_path: Path, content: bytes, says: str
) -> None:
    path = tmp_path / "some.uf2"
    path.write_bytes(content)
    with pytest.raises(uf2.NoUf2, match=says) as refused:
        uf2.read(path)
    assert str(path) in str(refused.value)


def test_a_uf2_that_was_named_is_taken_or_refused_but_never_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs = tmp_path / "ours.uf2", tmp_path / "theirs.uf2"
    ours.write_bytes(uf2.pack(BANNER))
    monkeypatch.setenv(uf2.ENVIRONMENT, str(theirs))
    assert uf2.find(ours).path == ours
    with pytest.raises(uf2.NoUf2, match=r"theirs\.uf2: the UF2 can't be read"):
        uf2.find(build=True)


def test_without_a_build_an_empty_cache_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(uf2.ENVIRONMENT, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(uf2.NoUf2, match=r"python -m underglow\.bench\.uf2"):
        uf2.find(build=False)


DEB822 = """\
# comment
Types: deb
URIs: mirror://example/debian
Suites: bookworm bookworm-updates
Components: main contrib
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 xsFNBGY
 -----END PGP PUBLIC KEY BLOCK-----

Types: deb
URIs: mirror://example/debian-security
Suites: bookworm-security
Components: main

Enabled: no
Types: deb
URIs: mirror://disabled/debian
Suites: bookworm
Components: main

Types: deb
URIs: mirror://vendor/tools
Suites: bookworm
Components: tools
"""
LIST = """\
deb cdrom:[Debian 12]/ bookworm main
deb [arch=amd64 signed-by=/etc/key.gpg] mirror://example/debian bookworm main non-free # ours
deb-src mirror://example/debian bookworm main
#deb mirror://off/debian bookworm main
deb mirror://example/debian bookworm-updates main
"""


def test_the_machines_own_archive_is_asked_for_another_suite(tmp_path: Path) -> None:
    (tmp_path / "sources.list.d").mkdir()
    (tmp_path / "sources.list").write_text(LIST)
    (tmp_path / "sources.list.d" / "debian.sources").write_text(DEB822)
    (tmp_path / "sources.list.d" / "old.sources.disabled").write_text(DEB822)
    assert [tuple(source) for source in apt_suite.machine_sources("trixie", tmp_path, "bookworm")] == [
        (
            "deb [arch=amd64 signed-by=/etc/key.gpg] mirror://example/debian trixie main\n"
            "deb-src [arch=amd64 signed-by=/etc/key.gpg] mirror://example/debian trixie main\n",
            ".list",
        ),
        (
            "Types: deb deb-src\nSuites: trixie\nComponents: main\nURIs: mirror://example/debian\n"
            "Signed-By:\n -----BEGIN PGP PUBLIC KEY BLOCK-----\n .\n xsFNBGY\n -----END PGP PUBLIC KEY BLOCK-----\n",
            ".sources",
        ),
    ]
