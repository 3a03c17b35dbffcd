# boot.py, main.py and the two REPLs, with the prompts, control characters and raw-paste flow of the chip's own.
import io
import sys

import micropython
import records

_CTRL_A, _CTRL_B, _CTRL_C, _CTRL_D, _CTRL_E = 1, 2, 3, 4, 5
_BACKSPACE, _DELETE, _ESCAPE = 8, 127, 27
_BANNER = "MicroPython v%d.%d.%d on the bench; Raspberry Pi Pico with RP2040\r\n" % sys.implementation.version[:3]
_HELP = 'Type "help()" for more information.\r\n'
_WINDOW = 128


class Repl:
    def __init__(self, bus, kbd_intr, raw):
        self._bus = bus
        self._kbd_intr = kbd_intr
        self._raw = raw
        self._names = {"__name__": "__main__"}
        self._byte = bytearray(1)
        self._read = sys.stdin.buffer.readinto
        self._write = sys.stdout.buffer.write

    def run(self):
        # As in the RP2040 port's main(): SystemExit anywhere is a soft reset.
        if self._file("boot.py") and (self._raw or self._file("main.py")):
            while self._raw_repl() if self._raw else self._friendly_repl():
                pass
        self._say("MPY: soft reboot\r\n")
        self._bus.end(records.SOFT_TO_RAW_REPL if self._raw else records.SOFT)

    # --- console ---

    def _say(self, text):
        self._write(text.encode())

    def _char(self):
        if not self._read(self._byte):
            sys.exit()
        return self._byte[0]

    # --- programs ---

    def _file(self, name):
        try:
            with open(name) as file:
                source = file.read()
        except OSError:
            return True
        return self._run(source, name, "exec")

    def _run(self, source, name="<stdin>", kind="exec", eof=""):
        # False: the program wants a soft reset. `eof` goes out after its output and after its exception.
        ended = None
        try:
            code = compile(source, name, kind)
            try:
                self._kbd_intr(3)
                exec(code, self._names)  # noqa: S102 - what a REPL is for
            finally:
                self._deaf()
        except BaseException as error:
            ended = error
        micropython.heap_lock()
        while micropython.heap_unlock():
            pass  # a program that died with the heap locked leaves no way to say so
        self._say(eof)
        if ended and not isinstance(ended, SystemExit):
            text = io.StringIO()
            sys.print_exception(ended, text)
            for line in text.getvalue().split("\n")[:-1]:
                if __file__ not in line:
                    self._say(line + "\r\n")
        self._say(eof)
        return not isinstance(ended, SystemExit)

    def _deaf(self):
        # Interrupts may still come in before the bench has answered; they are the program's, so they end here.
        late = None
        while True:
            try:
                self._kbd_intr(-1)
                break
            except KeyboardInterrupt as error:
                late = error
        if late:
            raise late

    # --- raw REPL ---

    def _raw_repl(self):
        self._say("raw REPL; CTRL-B to exit\r\n")
        while True:
            self._say(">")
            line = bytearray()
            while True:
                char = self._char()
                if char == _CTRL_A:
                    if len(line) == 2 and line[0] == _CTRL_E:
                        break
                    return True
                if char == _CTRL_B:
                    self._say("\r\n")
                    self._raw = False
                    return True
                if char == _CTRL_C:
                    line = bytearray()
                elif char == _CTRL_D:
                    break
                else:
                    line.append(char)
            if char == _CTRL_A:
                if not self._paste(line[1]):
                    return False
                continue
            self._say("OK")
            if not line:
                self._say("\r\n")
                return False
            if not self._run(bytes(line), eof="\x04"):
                return False

    def _paste(self, kind):
        if kind != ord("A"):
            self._write(b"R\x00")
            return True
        self._write(b"R\x01")
        self._write(bytes((_WINDOW & 0xFF, _WINDOW >> 8, 1)))
        source = bytearray()
        left = _WINDOW
        while True:
            char = self._char()
            if char in (_CTRL_C, _CTRL_D):
                break
            source.append(char)
            left -= 1
            if not left:
                self._write(b"\x01")
                left = _WINDOW
        self._write(b"\x04")
        if char == _CTRL_C:
            self._say("\x04KeyboardInterrupt: \r\n\x04")
            return True
        return self._run(bytes(source), eof="\x04")

    # --- friendly REPL ---

    def _friendly_repl(self):
        self._say(_BANNER)
        self._say(_HELP)
        while True:
            line, ended = self._line(">>> ")
            if ended == _CTRL_A:
                self._say("\r\n")
                self._raw = True
                return True
            if ended in (_CTRL_B, _CTRL_C, _CTRL_D):
                self._say("\r\n")
                if ended == _CTRL_B:
                    return True
                if ended == _CTRL_D:
                    return False
                continue
            kind = "single"
            if ended == _CTRL_E:
                line = self._block()
                kind = "exec"
            else:
                while line and _continues(line):
                    more, ended = self._line("... ")
                    if ended == _CTRL_C:
                        self._say("\r\n")
                        line = ""
                    elif ended == _CTRL_D:
                        break
                    else:
                        line += "\n" + more
            if line and not self._run(line, kind=kind):
                return False

    def _line(self, prompt):
        # The text, and the control character that ended it (13 for a return); most of those need an empty line.
        self._say(prompt)
        line = bytearray()
        while True:
            char = self._char()
            if char == 13:
                self._say("\r\n")
                return line.decode(), char
            if char == _CTRL_C or (not line and 1 <= char <= 5):
                return "", char
            if char in (_BACKSPACE, _DELETE):
                if line:
                    line = line[:-1]
                    self._say("\b \b")
            elif char == _ESCAPE:
                self._escape()
            elif char >= 32:
                line.append(char)
                self._write(self._byte)

    def _escape(self):
        # A cursor key: ESC [ letter, or ESC [ digits ~. There is no history and no cursor to move.
        if self._char() == ord("["):
            while not 0x40 <= self._char() <= 0x7E:
                pass

    def _block(self):
        self._say("\r\npaste mode; Ctrl-C to cancel, Ctrl-D to finish\r\n=== ")
        text = bytearray()
        while True:
            char = self._char()
            if char in (_CTRL_C, _CTRL_D):
                self._say("\r\n")
                return "" if char == _CTRL_C else text.decode()
            text.append(10 if char == 13 else char)
            if char == 13:
                self._say("\r\n=== ")
            else:
                self._write(self._byte)


def _continues(text):
    # Whether the chip would ask for another line: an open bracket or string, a block not ended by an empty line.
    first = text.lstrip().split(" ")[0].split(":")[0]
    if text[0] == "@" or first in ("if", "while", "for", "try", "with", "def", "class", "async"):
        return not text.endswith("\n")
    depth = 0
    quote = ""
    i = 0
    while i < len(text):
        char = text[i]
        if quote:
            if char == "\\":
                i += 1
            elif text[i : i + len(quote)] == quote:
                i += len(quote) - 1
                quote = ""
        elif char in "'\"":
            quote = text[i : i + 3] if text[i : i + 3] in ("'''", '"""') else char
            i += len(quote) - 1
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        i += 1
    return depth > 0 or len(quote) == 3 or text.endswith("\\")
