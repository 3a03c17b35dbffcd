"""A table goes on while a crowd besieges its page; how long a touch takes meanwhile, `underglow bench crowd` tells."""

from __future__ import annotations

import logging
import os
import time
from collections import Counter
from pathlib import Path
from statistics import median

import pytest
from visiting import House

from underglow.bench.crowd import MESSAGES_PER_S, SOCKETS, crowd
from underglow.kiosk import audience
from underglow.kiosk.doorway import OWN_ARRIVALS
from underglow.kiosk.server import CONNECTIONS

WARM_S, CROWDED_S = 2, 6
ROOM_BYTES = 16 << 20


def resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="memory and connections are told by Linux")
def test_a_crowd_is_kept_within_bounds_and_the_table_plays_on(
    lan_house: House, caplog: pytest.LogCaptureFixture
) -> None:
    port = int(lan_house.netloc.split(":")[1])
    own = lan_house.join("?seat=0")
    own.hear("table")
    counts: Counter[str] = Counter()
    open_before, opened, number, warm_bytes = files(), list[int](), 7, 0
    with caplog.at_level(logging.WARNING), crowd(port, SOCKETS, MESSAGES_PER_S, counts):
        began_s = time.monotonic()
        while (since_s := time.monotonic() - began_s) < WARM_S + CROWDED_S:
            number += 1
            lan_house.table.say(number=number)
            own.hear("table", lambda table, number=number: table["number"] == number)
            lan_house.table.choosing.clear()
            own.say({"choose": 1, "number": number})
            assert lan_house.table.choosing.wait(5)
            assert lan_house.table.chosen[-1] == (1, number)
            opened.append(files() - open_before)
            if since_s < WARM_S:
                warm_bytes = resident_bytes()
            time.sleep(0.1)
        grown_bytes = resident_bytes() - warm_bytes
    assert caplog.messages == []  # nobody out there fills the disk
    assert counts["came"] > SOCKETS
    assert counts["messages"] > MESSAGES_PER_S
    assert audience.SOCKETS // 2 < median(opened) <= CONNECTIONS  # but for a moment, until the next is sent away
    assert grown_bytes < ROOM_BYTES
    time.sleep(2 / OWN_ARRIVALS[1])  # and whoever comes after them
    assert lan_house.join("?seat=1").hear("table")["number"] == number  # finds room again
