# What the RP2040's MicroPython does around a program: boot.py, main.py, and a REPL whenever neither runs.
#
# pico.py FLASH BUS_FD RESET_CAUSE friendly|raw SERIAL
import os
import sys
import time

import bench_bus
import machine
import micropython
import records
import repl
import rp2  # noqa: F401 - made here, while its folder can still be seen
import vfs

_bus = bench_bus.bus
_flash, _, _cause, _mode, _serial = sys.argv[1:6]
machine._reset_cause = int(_cause)
machine._unique_id = bytes.fromhex(_serial)


def kbd_intr(char):
    # It holds when this returns: an interrupt sent before has been delivered by now.
    _bus.ask(records.INTERRUPT_CHAR | (char & 0xFF) << 8)


def dupterm(stream, index=0):
    # On the chip a read that runs dry goes on with the second console. Here it ends, with what there was.
    if stream is None:
        _bus.post(records.DUPTERM, 0)
    else:
        _bus.ask(records.DUPTERM | 1 << 8)


class _Module:
    # A built-in module with some names the RP2040 has otherwise.
    def __init__(self, builtin, **others):
        for name in dir(builtin):
            if name[:2] != "__":
                setattr(self, name, getattr(builtin, name))
        for name in others:
            setattr(self, name, others[name])
        self.__name__ = builtin.__name__
        sys.modules[builtin.__name__] = self


def ilistdir(path="."):
    # littlefs tells the size of each file, a POSIX folder does not.
    for entry in os.ilistdir(path):
        size = os.stat((path or ".").rstrip("/") + "/" + entry[0])[6] if entry[1] == 0x8000 else 0
        yield entry[0], entry[1], entry[2], size


# The RP2040 counts from 0 at power-on, in 30 bits.
_TICKS = 0x3FFFFFFF
_start_ms = time.ticks_ms()
_start_us = time.ticks_us()


def ticks_ms():
    return _ticks_ms() - _start_ms & _TICKS


def ticks_us():
    return _ticks_us() - _start_us & _TICKS


def ticks_add(ticks, delta):
    return ticks + delta & _TICKS


def ticks_diff(end, start):
    return (end - start + 0x20000000 & _TICKS) - 0x20000000


_ticks_ms = time.ticks_ms
_ticks_us = time.ticks_us
_Module(time, ticks_ms=ticks_ms, ticks_us=ticks_us, ticks_add=ticks_add, ticks_diff=ticks_diff)
_Module(micropython, kbd_intr=kbd_intr, alloc_emergency_exception_buf=lambda size: None)
_Module(os, ilistdir=ilistdir, dupterm=dupterm)
for _name in ("bench_bus", "records", "pio_asm", "repl"):
    sys.modules.pop(_name, None)

# From here on there is the flash and nothing else, at the paths it has on the Pico.
vfs.umount("/")
vfs.mount(vfs.VfsPosix(_flash), "/")
os.chdir("/")
sys.path[:] = ["", ".frozen", "/lib"]
sys.argv[:] = []

repl.Repl(_bus, kbd_intr, raw=_mode == "raw").run()
