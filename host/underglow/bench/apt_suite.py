"""Packages of one Debian suite, fetched by an apt whose lists, cache and sources are all its own.

The sources are the machine's own with another suite in place: same archive, same signing key, no host named here.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from underglow.bench.uf2 import NoUf2

_ETC = Path("/etc/apt")
_RELEASES = {"stable", "testing", "unstable", "sid", "oldstable"}
_NAMED_BY_US = {"types", "suites", "components", "enabled"}


class Runner(Protocol):
    """Runs commands for a build."""

    def __call__(
        self, what: str, command: Sequence[str | Path], cwd: Path | None = None, env: Mapping[str, str] | None = None
    ) -> None:
        """Run a command. NoUf2: it failed, so `what` can't be done."""
        ...

    def fail(self, what: str) -> NoUf2:
        """The error to raise."""
        ...


class Source(NamedTuple):
    """An entry of a sources file, for another suite: its text, and the kind of file it belongs into."""

    text: str
    suffix: str


def fetch(suite: str, sources: Sequence[str], binaries: Sequence[str], into: Path, private: Path, run: Runner) -> None:
    """Download source packages and .deb files of `suite` into a folder, with apt's own files under `private`.

    NoUf2: the machine's archive has no such suite or package.
    """
    candidates = list(dict.fromkeys(machine_sources(suite, _ETC, own_codename())))
    if not candidates:
        raise run.fail("MicroPython can be built on Debian only, and this machine has no sources file of Debian's")
    for last, source in enumerate(candidates, 1 - len(candidates)):
        env = {"APT_CONFIG": str(_configure(private, source))}
        try:
            run(f"reading the lists of suite {suite}", ["apt-get", "update", "-q"], env=env)
            command = ["apt-get", "source", "-q", "--download-only", "--only-source", *sources]
            run("fetching source packages", command, into, env)
            run("fetching packages", ["apt-get", "download", "-q", *binaries], into, env)
        except NoUf2:
            if last == 0:
                raise
        else:
            return


def own_codename(os_release: Path = Path("/etc/os-release")) -> str:
    """The suite this machine runs ("bookworm"), or nothing."""
    try:
        found = re.search(r'^VERSION_CODENAME="?(\w+)"?$', os_release.read_text(), re.MULTILINE)
    except OSError:
        return ""
    return found[1] if found else ""


def machine_sources(suite: str, etc: Path, codename: str) -> Iterator[Source]:
    """Yield each of the machine's entries for a whole release with component main, made to name `suite` instead."""
    releases = _RELEASES | {codename, suite}
    files = [etc / "sources.list", *sorted((etc / "sources.list.d").glob("*"))]
    for file in files:
        try:
            text = file.read_text()
        except OSError:
            continue
        if file.suffix == ".sources":
            yield from _stanzas(text, suite, releases)
        elif file.suffix == ".list":
            yield from _lines(text, suite, releases)


def _stanzas(text: str, suite: str, releases: set[str]) -> Iterator[Source]:
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    for stanza in re.split(r"\n\s*\n", "\n".join(lines)):
        # A field goes on in the lines that begin with white space: a key may be written out there.
        fields = {
            name.lower(): (name, value)
            for name, value in re.findall(r"^([\w-]+):((?:.*)(?:\n[ \t].*)*)", stanza, re.MULTILINE)
        }

        def words(name: str, fields: Mapping[str, tuple[str, str]] = fields) -> set[str]:
            return set(fields.get(name, ("", ""))[1].split())

        if "deb" not in words("types") or words("enabled") & {"no", "false", "0"}:
            continue
        if not words("suites") & releases or "main" not in words("components"):
            continue
        kept = "".join(f"{name}:{value}\n" for key, (name, value) in fields.items() if key not in _NAMED_BY_US)
        yield Source(f"Types: deb deb-src\nSuites: {suite}\nComponents: main\n{kept}", ".sources")


def _lines(text: str, suite: str, releases: set[str]) -> Iterator[Source]:
    for line in text.splitlines():
        entry = re.fullmatch(r"\s*deb\s+(\[[^]]*\]\s+)?(\S+)\s+(\S+)\s+([^#]*)(#.*)?", line)
        if entry is None or entry[2].startswith("cdrom:"):
            continue
        options, archive, release, components = entry[1] or "", entry[2], entry[3], entry[4].split()
        if release in releases and "main" in components:
            yield Source("".join(f"{kind} {options}{archive} {suite} main\n" for kind in ("deb", "deb-src")), ".list")


def _configure(private: Path, source: Source) -> Path:
    """Write the configuration of an apt that knows this source alone; only how to reach archives is the machine's."""
    for folder in ("sources.list.d", "preferences.d", "state/lists/partial", "cache/archives/partial"):
        (private / folder).mkdir(parents=True, exist_ok=True)
    for old in (private / "sources.list.d").iterdir():
        old.unlink()
    (private / "sources.list.d" / f"suite{source.suffix}").write_text(source.text)
    (private / "state/status").touch()
    transport = [line for line in _machine_configuration() if line.startswith(("Acquire::", "APT::Architecture"))]
    ours = {
        "Dir::Etc::main": "/dev/null",
        "Dir::Etc::parts": "/dev/null",
        "Dir::Etc::sourcelist": "/dev/null",
        "Dir::Etc::sourceparts": private / "sources.list.d",
        "Dir::Etc::preferences": "/dev/null",
        "Dir::Etc::preferencesparts": private / "preferences.d",
        "Dir::State": private / "state",
        "Dir::State::status": private / "state/status",
        "Dir::Cache": private / "cache",
        "Acquire::Languages": "none",
        "APT::Sandbox::User": "",  # these folders are the user's own; apt's would not get in
    }
    file = private / "apt.conf"
    file.write_text("\n".join([*transport, *(f'{key} "{value}";' for key, value in ours.items())]) + "\n")
    return file


def _machine_configuration() -> list[str]:
    dump = subprocess.run(["apt-config", "dump"], capture_output=True, text=True, check=False)
    return dump.stdout.splitlines()
