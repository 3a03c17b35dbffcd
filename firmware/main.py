"""What MicroPython starts by name, and so from its source: all else may be compiled beforehand."""

import program

program.main()
