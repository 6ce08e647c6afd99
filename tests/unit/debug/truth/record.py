# SPDX-License-Identifier: GPL-2.0-or-later
#
# Records the variables of a kernel on the CPU, which was compiled with -O0 -g. Usage:
#
#     gdb -nx -batch -ex "python out = 'FILE'" -x record.py PROGRAM
#
# At each row of the line table, one line of the file has the number of the run of the kernel, the
# depth of calls, the function, its line, and the variables in scope: NAME:LINE=BYTES.

import os

import gdb


def is_source(frame):
    symtab = frame.find_sal().symtab
    return symtab is not None and frame.function() is not None


# The addresses of the rows, and where the body of each function begins
class Rows:
    def __init__(self):
        self.rows = {}
        self.bodies = {}

    def begins(self, frame):
        symtab = frame.find_sal().symtab
        name = symtab.fullname()
        if name not in self.rows:
            self.rows[name] = sorted(row.pc for row in symtab.linetable())
        function = frame.function()
        start = function.symtab, function.line
        if start not in self.bodies:
            entry = frame.block()
            while entry.function is None:
                entry = entry.superblock
            inside = [pc for pc in self.rows[name] if pc > entry.start]
            self.bodies[start] = inside[0]
        return frame.pc() >= self.bodies[start] and frame.pc() in self.rows[name]


# The variables in scope: name, line of the declaration, offset from RBP, size
class Scopes:
    def __init__(self):
        self.scopes = {}

    def at(self, frame, rbp):
        block = frame.block()
        key = block.start, block.end
        if key in self.scopes:
            return self.scopes[key]
        found = []
        names = set()
        while block is not None:
            for symbol in block:
                if not (symbol.is_argument or symbol.is_variable) or not symbol.needs_frame:
                    continue
                if symbol.name in names:
                    continue
                names.add(symbol.name)
                value = symbol.value(frame)
                if value.address is not None:
                    found.append((symbol.name, symbol.line, int(value.address) - rbp,
                                  value.type.sizeof))
            if block.function is not None:
                break
            block = block.superblock
        self.scopes[key] = found
        return found


def record(to):
    rows = Rows()
    scopes = Scopes()
    inferior = gdb.selected_inferior()
    run = -1
    gdb.execute("break recorded")
    gdb.execute("run")
    begin = gdb.newest_frame().pc()
    while inferior.pid:
        frame = gdb.newest_frame()
        names = []
        outer = frame
        while outer is not None and outer.name() not in ("recorded", "main"):
            names.append(outer.name())
            outer = outer.older()
        if outer is None or outer.name() == "main":
            gdb.execute("continue")
            continue
        if not names:
            # Before or after the kernel
            run += frame.pc() == begin
            gdb.execute("stepi")
            continue
        if not is_source(frame):
            gdb.execute("finish")
            continue
        if rows.begins(frame):
            rbp = int(frame.read_register("rbp"))
            texts = []
            for name, line, offset, size in scopes.at(frame, rbp):
                data = inferior.read_memory(rbp + offset, size)
                texts.append("%s:%d=%s" % (name, line, bytes(data).hex()))
            to.write("%d %d %s %d %s\n" % (run, len(names), names[0], frame.find_sal().line,
                                           " ".join(texts)))
        gdb.execute("stepi")


gdb.execute("set pagination off")
gdb.execute("set confirm off")
gdb.execute("set disable-randomization on")
# After an error there is no file.
with open(out + ".part", "w") as to:  # noqa: F821
    record(to)
os.rename(out + ".part", out)  # noqa: F821
