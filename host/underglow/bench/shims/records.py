"""The bus between the shims (MicroPython, in the VM) and the bench (CPython), once for both ends.

Datagrams of little-endian 32-bit words. A record is two words, `op | a << 8 | b << 16` and `c`; some are followed by
more. Records without an answer are posted: they wait in the VM for the next one that has, and carry the time (ticks_us)
when they happened. An answer is as long as REPLY_BYTES always: the sequence number asked with, a value, and up to
DATA_BYTES of data.
"""

DATAGRAM_BYTES = 2048
DATA_BYTES = 64
REPLY_BYTES = 8 + DATA_BYTES

PIN_DRIVE = 1  # a: pin, b: level, c: ticks_us
PIN_RELEASE = 2  # a: pin, b: 0 floating, 1 pulled up, 2 pulled down
PIN_READ = 3  # a: pin, c: sequence -> level
SPI_READ = 4  # a: block, b: bytes, c: sequence, and the byte to send << 24 -> data
SPI_WRITE = 5  # a: block, b: bytes, c: sequence; then the bytes -> data
WORDS = 6  # a: state machine, b: words, c: ticks_us; then the words
MACHINE_RUN = 7  # a: state machine, b: 0 or 1
SETUP = 8  # b: bytes, c: sequence; then JSON -> value
INTERRUPT_CHAR = 9  # a: character or 255, c: sequence -> nothing: it holds from here on
WATCHDOG = 10  # c: time-out in ms, 0: stopped
FEED = 11
RESET = 12  # a: one of the kinds below; ends the VM
SPI_POST = 13  # a: block, b: bytes, c: ticks_us; then the bytes
I2C_READ = 14  # a: block | STARTS | STOPS, b: bytes | address << 8, c: sequence -> how many, or NO_ACK; data
I2C_WRITE = 15  # the same; then the bytes -> how many were acknowledged, or NO_ACK
PWM = 16  # a: pin, b: duty in 1/65536, c: Hz, 0: the pin is let go
DUPTERM = 17  # a: whether there is a second console; if so, c: sequence -> nothing: it holds from here on

STARTS = 2
STOPS = 4
NO_ACK = 0xFFFF

HARD = 0
SOFT = 1
SOFT_TO_RAW_REPL = 2
