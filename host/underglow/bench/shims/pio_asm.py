# The assembler of PIO programs written as Python functions: RP2040 datasheet, section 3.4.
_CONDITIONS = {"not_x": 1, "x_dec": 2, "not_y": 3, "y_dec": 4, "x_not_y": 5, "pin": 6, "not_osre": 7}
_OPERANDS = {
    "pins": 0, "x": 1, "y": 2, "null": 3, "pindirs": 4, "pc": 5, "status": 5, "isr": 6, "osr": 7, "exec": 8,
}  # fmt: skip
_NO_BLOCK = 1
_BLOCK = 0x20
_IF = 0x40


class PIOASMError(Exception):
    pass


class Program:
    # `setup` goes to the bench as it is: the instructions, and what the registers of a state machine are given.
    def __init__(self, setup):
        self.setup = setup


class _Instruction:
    def __init__(self, word, label=None):
        self.word = word
        self.label = label
        self.sideset = None
        self.cycles = 0

    def side(self, value):
        self.sideset = value
        return self

    def delay(self, cycles):
        self.cycles = cycles
        return self

    def __getitem__(self, cycles):
        return self.delay(cycles)


class _Assembler:
    def __init__(self):
        self.program = []
        self.labels = {}
        self.target = 0
        self.last = None

    # --- directives ---

    def wrap_target(self):
        self.target = len(self.program)

    def wrap(self):
        self.last = len(self.program) - 1

    def label(self, name):
        if name in self.labels:
            raise PIOASMError("duplicate label " + name)
        self.labels[name] = len(self.program)

    # --- instructions ---

    def word(self, word, label=None):
        instruction = _Instruction(word, label)
        self.program.append(instruction)
        return instruction

    def nop(self):
        return self.word(0xA042)  # mov(y, y)

    def jmp(self, condition, label=None):
        if label is None:
            return self.word(0, condition)
        return self.word(condition << 5, label)

    def wait(self, polarity, source, index):
        # "pin" is a condition of jmp and "irq" an instruction, too: told apart by what they are.
        if source == _CONDITIONS["pin"]:
            source = 1
        elif not isinstance(source, int):
            source = 2
        return self.word(0x2000 | polarity << 7 | source << 5 | index)

    def in_(self, source, bits):
        return self.word(0x4000 | source << 5 | _bits(bits))

    def out(self, target, bits):
        return self.word(0x6000 | (7 if target == _OPERANDS["exec"] else target) << 5 | _bits(bits))

    def push(self, *flags):
        return self.word(0x8000 | _flags(flags))

    def pull(self, *flags):
        return self.word(0x8080 | _flags(flags))

    def mov(self, target, source):
        return self.word(0xA000 | (4 if target == _OPERANDS["exec"] else target) << 5 | source)

    def irq(self, mode, index=None):
        if index is None:
            mode, index = 0, mode
        return self.word(0xC000 | mode & 0x60 | index)

    def set(self, target, value):
        return self.word(0xE000 | target << 5 | value)

    # --- the whole ---

    def assemble(self, sideset_bits):
        sided = sum(1 for i in self.program if i.sideset is not None)
        optional = sideset_bits > 0 and sided < len(self.program)
        if sided and not sideset_bits:
            raise PIOASMError("no sideset")
        field = sideset_bits + optional
        words = []
        for i in self.program:
            word = i.word
            if i.label is not None:
                if i.label not in self.labels:
                    raise PIOASMError("unknown label " + i.label)
                word |= self.labels[i.label]
            if i.cycles >= 1 << 5 - field:
                raise PIOASMError("delay too large")
            side = i.sideset or 0
            if side >= 1 << sideset_bits and side:
                raise PIOASMError("sideset too large")
            if optional and i.sideset is not None:
                side |= 1 << sideset_bits
            words.append(word | side << 13 - field | i.cycles << 8)
        return words, optional


def _bits(count):
    if not 0 < count <= 32:
        raise PIOASMError("invalid bit count %d" % count)
    return count & 31


def _flags(flags):
    bits = 0
    for flag in flags:
        bits |= flag
    return bits & _IF | (0 if bits & _NO_BLOCK else _BLOCK)


def asm_pio(
    *, out_init=None, set_init=None, sideset_init=None, side_pindir=False, in_shiftdir=0, out_shiftdir=0,
    autopush=False, autopull=False, push_thresh=32, pull_thresh=32, fifo_join=0,
):  # fmt: skip
    sideset_bits = 0 if sideset_init is None else 1 if isinstance(sideset_init, int) else len(sideset_init)

    def assembled(function):
        assembler = _Assembler()
        # The function finds its words (`out`, `x`, `label`) as globals; they are lent for the time of the call.
        words = dict(_OPERANDS)
        words.update(_CONDITIONS)
        words.update(
            gpio=0, noblock=_NO_BLOCK, block=_BLOCK, iffull=_IF, ifempty=_IF, clear=0x40,
            invert=lambda x: x | 8, reverse=lambda x: x | 16, rel=lambda x: x | 16,
        )  # fmt: skip
        for name in (
            "wrap_target",
            "wrap",
            "label",
            "word",
            "nop",
            "jmp",
            "wait",
            "in_",
            "out",
            "push",
            "pull",
            "mov",
            "irq",
            "set",
        ):
            words[name] = getattr(assembler, name)
        places = function.__globals__
        own = places.copy()
        places.update(words)
        try:
            function()
        finally:
            places.clear()
            places.update(own)
        program, optional = assembler.assemble(sideset_bits)
        return Program(
            {
                "program": program,
                "wrap_target": assembler.target,
                "wrap": len(program) - 1 if assembler.last is None else assembler.last,
                "sideset_bits": sideset_bits,
                "sideset_optional": optional,
                "side_pindir": side_pindir,
                "out_shiftdir": out_shiftdir,
                "autopull": autopull,
                "pull_thresh": pull_thresh,
                "fifo_join": fifo_join,
            }
        )

    return assembled
