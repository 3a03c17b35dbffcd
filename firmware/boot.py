"""Before main.py: only what a crash report needs. Nothing here can fail or take time, so the REPL stays reachable."""

import micropython

micropython.alloc_emergency_exception_buf(100)
