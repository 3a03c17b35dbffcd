"""The bench: the real firmware on MicroPython's unix port, its electronics simulated at pin level."""
