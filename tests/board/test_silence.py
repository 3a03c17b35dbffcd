"""A host that falls silent without saying so: its program hangs, or the cable is pulled and the board lives on."""

from __future__ import annotations

from listening import Host

from underglow.bench.vm import Bench
from underglow.testing import Hands

CONSOLE_BYTES = 256


def test_it_is_told_no_more_than_the_console_holds_and_all_of_it_once_it_is_back(
    host: Host, hands: Hands, board: Bench
) -> None:
    host.listen(0.3)
    before = board.stats()["bytes_from_board"]
    for _ in range(8):
        hands.place("h19")
        board.sleep(0.03)
        hands.lift("h19")
        board.sleep(0.03)
    hands.place("h20")
    board.sleep(0.1)
    assert 0 < board.stats()["bytes_from_board"] - before <= CONSOLE_BYTES
    host.until(lambda: host.felt == {"h20"})
    assert len(host.boots) == 1
