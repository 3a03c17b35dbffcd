"""What a machine needs that runs a table and nothing else: systemd units and a udev rule, as texts and as files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from underglow.kiosk import whole_file

PORT = "/dev/underglow"
"""The board's stable name, by the udev rule."""

STATE = Path("/var/lib/underglow/kiosk")
"""Where such a table keeps its journals, counters and settings."""

ENGINE, SAFE, BROWSER = "underglow.service", "underglow-safe.service", "underglow-browser.service"
UNITS, RULES = Path("etc/systemd/system"), Path("etc/udev/rules.d/70-underglow.rules")

# Every start that fails in the slowest way (no READY, then no end) still falls within the interval: so the limit trips.
WATCHDOG_S, START_S, STOP_S, RESTART_S, BURST = 20, 60, 10, 2, 5
INTERVAL_S = BURST * (START_S + WATCHDOG_S + STOP_S + RESTART_S) + 60

_CONFINED = """\
StateDirectory=underglow
Environment=XDG_STATE_HOME=/var/lib PYTHONUNBUFFERED=1
NoNewPrivileges=yes
ProtectSystem=full"""


@dataclass(frozen=True, slots=True)
class Machine:
    """How `underglow` is started on this machine, as whom, and where the page is; `options` go to `underglow kiosk`."""

    underglow: str
    user: str
    http_port: int = 8737
    options: tuple[str, ...] = ()
    compositor: str = "/usr/bin/cage"
    browser: str = "/usr/bin/chromium"
    systemctl: str = "/usr/bin/systemctl"

    def files(self) -> Mapping[Path, str]:
        """Every file by its path from the root."""
        return {
            UNITS / ENGINE: self._engine(),
            UNITS / SAFE: self._safe(),
            UNITS / BROWSER: self._browser(),
            RULES: _RULES,
        }

    def _engine(self) -> str:
        command = " ".join(
            [self.underglow, "kiosk", f"--board={PORT}", f"--http={self.http_port}", *map(_quoted, self.options)]
        )
        return f"""\
[Unit]
Description=Underglow: the table
After=local-fs.target systemd-udevd.service
Conflicts={SAFE}
OnFailure={SAFE}
# {BURST} failures within this time, however slow they are, and the safe mode takes over.
StartLimitIntervalSec={INTERVAL_S}
StartLimitBurst={BURST}

[Service]
Type=notify
NotifyAccess=main
ExecStart={command}
User={self.user}
SupplementaryGroups=dialout
{_CONFINED}
WatchdogSec={WATCHDOG_S}
TimeoutStartSec={START_S}
TimeoutStopSec={STOP_S}
# It also ends by itself, at night and well: that is a restart, too.
Restart=always
RestartSec={RESTART_S}

[Install]
WantedBy=multi-user.target
"""

    def _safe(self) -> str:
        return f"""\
[Unit]
Description=Underglow: the page in safe mode
Conflicts={ENGINE}
After={ENGINE}
# It has no limit of its own: there is nothing behind it.
StartLimitIntervalSec=0

[Service]
ExecStart={self.underglow} kiosk --safe --http={self.http_port}
User={self.user}
{_CONFINED}
Restart=no
# After a while the table is tried again, as it is when this is stopped.
RuntimeMaxSec=900
ExecStopPost=-+{self.systemctl} reset-failed {ENGINE}
ExecStopPost=-+{self.systemctl} --no-block start {ENGINE}
"""

    def _browser(self) -> str:
        return f"""\
[Unit]
Description=Underglow: the page on the screen
After={ENGINE} systemd-user-sessions.service
Wants={ENGINE}
Conflicts=getty@tty7.service
StartLimitIntervalSec=0

[Service]
ExecStart={self.compositor} -s -- {self.browser} --kiosk --no-first-run --noerrdialogs --disable-sync \
--disable-session-crashed-bubble --disable-pinch --overscroll-history-navigation=0 http://127.0.0.1:{self.http_port}/
User={self.user}
PAMName=login
TTYPath=/dev/tty7
TTYReset=yes
TTYVHangup=yes
StandardInput=tty-fail
Restart=always
RestartSec=5

[Install]
WantedBy=multi-user.target
"""


_RULES = f"""\
# Underglow: the Pico under the table has a name of its own, and no modem is looked for in it.
ACTION=="remove", GOTO="underglow_end"
SUBSYSTEM=="usb", ATTR{{idVendor}}=="2e8a", ATTR{{idProduct}}=="0005", ENV{{ID_MM_DEVICE_IGNORE}}="1"
SUBSYSTEM=="tty", ATTRS{{idVendor}}=="2e8a", ATTRS{{idProduct}}=="0005", ENV{{ID_MM_DEVICE_IGNORE}}="1", \
ENV{{ID_MM_PORT_IGNORE}}="1", GROUP="dialout", MODE="0660", SYMLINK+="{PORT.removeprefix("/dev/")}"
LABEL="underglow_end"
"""


def install(machine: Machine, root: Path) -> list[Path]:
    """Write the files, each whole or not at all; returns where they are. OSError: one can't be written."""
    written: list[Path] = []
    for name, text in machine.files().items():
        path = root / name
        whole_file.write(path, text)
        written.append(path)
    return written


def _quoted(option: str) -> str:
    """An option as systemd reads it: quoted, and nothing in it expanded."""
    text = option.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{text}"'
