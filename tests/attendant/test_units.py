"""What `underglow kiosk --install` writes, read as systemd and udev read it."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from underglow.kiosk.units import BROWSER, ENGINE, RULES, SAFE, UNITS, Machine, install

MACHINE = Machine(
    "/bin/true",
    "daemon",
    options=("--profile=hex48", "--theme=100% $HOME"),
    compositor="/bin/true",
    browser="/bin/true",
    systemctl="/bin/true",
)
Unit = dict[tuple[str, str], list[str]]


def read(text: str) -> Unit:
    """Section and key to all its values in order: a key that comes twice has two."""
    found: Unit = {}
    section = ""
    for line in text.replace("\\\n", "").splitlines():
        if header := re.fullmatch(r"\[(\w+)\]", line):
            section = header[1]
        elif line and not line.startswith("#"):
            key, equals, value = line.partition("=")
            assert equals, line
            found.setdefault((section, key), []).append(value)
    return found


@pytest.fixture
def root(tmp_path: Path) -> Path:
    assert {path.relative_to(tmp_path) for path in install(MACHINE, tmp_path)} == set(MACHINE.files())
    return tmp_path


@pytest.fixture
def engine(root: Path) -> Unit:
    return read((root / UNITS / ENGINE).read_text())


def one(unit: Unit, section: str, key: str) -> str:
    (value,) = unit[section, key]
    return value


def test_the_start_limit_really_trips_however_slowly_it_fails(engine: Unit) -> None:
    interval_s = int(one(engine, "Unit", "StartLimitIntervalSec"))
    burst = int(one(engine, "Unit", "StartLimitBurst"))
    restart_s = int(one(engine, "Service", "RestartSec"))
    slowest_s = sum(int(one(engine, "Service", key)) for key in ("TimeoutStartSec", "TimeoutStopSec", "WatchdogSec"))
    assert burst > 1
    assert interval_s > burst * restart_s
    assert interval_s > burst * (restart_s + slowest_s)


def test_the_limit_stands_where_systemd_looks_for_it(engine: Unit) -> None:
    """In [Service] it has been ignored since systemd 230."""
    assert not [key for section, key in engine if section == "Service" and key.startswith("StartLimit")]


def test_the_engine_is_watched_and_comes_back_and_else_the_safe_mode_comes(engine: Unit, root: Path) -> None:
    assert one(engine, "Service", "Type") == "notify"
    assert one(engine, "Service", "Restart") == "always"
    assert int(one(engine, "Service", "WatchdogSec")) > 0
    assert one(engine, "Unit", "OnFailure") == SAFE
    assert one(engine, "Service", "ExecStart").startswith("/bin/true kiosk --board=/dev/underglow --http=8737")
    safe = read((root / UNITS / SAFE).read_text())
    assert one(safe, "Service", "ExecStart") == "/bin/true kiosk --safe --http=8737"
    assert one(safe, "Unit", "Conflicts") == ENGINE
    assert [command.split()[1] for command in safe["Service", "ExecStopPost"]] == ["reset-failed", "--no-block"]


def test_journals_lie_in_the_directory_that_systemd_makes(engine: Unit) -> None:
    assert "XDG_STATE_HOME=/var/lib" in one(engine, "Service", "Environment").split()
    assert one(engine, "Service", "StateDirectory") == "underglow"  # where journals.folder() then is


def test_nothing_in_an_option_is_expanded(engine: Unit) -> None:
    assert '"--theme=100%% $$HOME"' in one(engine, "Service", "ExecStart")


def test_the_browser_shows_the_page_of_this_machine_and_nothing_else(root: Path) -> None:
    browser = read((root / UNITS / BROWSER).read_text())
    command = one(browser, "Service", "ExecStart")
    assert command.startswith("/bin/true -s -- /bin/true --kiosk ")
    assert [word for word in command.split() if "://" in word] == ["http://127.0.0.1:8737/"]
    assert ENGINE in one(browser, "Unit", "After").split()


def test_the_pico_has_a_name_of_its_own_and_no_modem_is_sought_in_it(root: Path) -> None:
    rules = [line for line in (root / RULES).read_text().splitlines() if "idVendor" in line]
    assert all('"2e8a"' in line and '"0005"' in line and 'ENV{ID_MM_DEVICE_IGNORE}="1"' in line for line in rules)
    assert [line.split(",")[0] for line in rules if 'SYMLINK+="underglow"' in line] == ['SUBSYSTEM=="tty"']


def test_a_second_install_replaces_the_first_and_leaves_nothing_beside_it(root: Path) -> None:
    install(Machine("/bin/false", "daemon"), root)
    assert "/bin/false kiosk" in (root / UNITS / ENGINE).read_text()
    assert {path.relative_to(root) for path in root.rglob("*") if path.is_file()} == set(MACHINE.files())


def test_systemd_itself_has_nothing_to_say(root: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("no systemd here")
    units = [str(root / UNITS / name) for name in (ENGINE, SAFE, BROWSER)]
    out = subprocess.run(["systemd-analyze", "verify", "--man=no", *units], capture_output=True, text=True, timeout=60)
    assert [line for line in out.stderr.splitlines() if "underglow" in line] == []
    assert out.returncode == 0, out.stderr
