#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
Makes the (format, opcode) -> (mnemonic, operation) table of one generation.

For every (format, opcode) pair, this program encodes instructions with all kinds of
operands in all fields. LLVM disassembles them, which shows which pairs exist, and the
program looks up the mnemonics among the operations of ops_*.def. A mnemonic that
ops_*.def lacks gets a row without an operation, so that vgpu can name such an
instruction when it refuses it.

    gen_table.py gfx10_3 gfx1033 > gfx10_3_table.c
"""

import ctypes
import itertools
import pathlib
import re
import sys

LIBRARY = "libLLVM.so.19.1"
OPS_DIR = pathlib.Path(__file__).resolve().parent.parent / "ops"

# Instructions that access memory have one operation for all address forms.
MEM_PREFIX = re.compile(r"^(?:(?:flat|global|scratch|t?buffer)_(?=load_|store_|"
                        r"atomic_)|image_(?=atomic_))")

# Mnemonics whose operation has another name in ops_*.def
ALIASES = {}


# The values to try in an operand field. Zero is among them because a field that an
# instruction does not use must be zero: LLVM accepts no other value there.
VGPR, SGPR = 0x108, 8
SOURCE = [VGPR, SGPR, 0]


def forms(words, *fields):
    """
    Return a generator of all encodings of words(op) with all combinations of the fields'
    values. A field is a tuple (word, bit, values). LLVM decides which encodings are valid.
    """
    def make(op):
        for values in itertools.product(*(f[2] for f in fields)):
            out = list(words(op))
            for (word, bit, _), value in zip(fields, values):
                out[word] |= value << bit
            yield out
    return make


def flat(seg):
    return forms(lambda op: [0x37 << 26 | op << 18 | seg << 14, 0],
                 (0, 16, [0, 1]), (1, 24, [4, 0]), (1, 16, [0x7D, 8]),
                 (1, 8, [8, 0]), (1, 0, [2, 0]))


# Format, number of opcodes, encodings to try.
FORMATS = [
    ("SOP2", 96, forms(lambda op: [2 << 30 | op << 23],
                       (0, 16, [4]), (0, 8, [12]), (0, 0, [8]))),
    ("SOPK", 29, forms(lambda op: [0xB << 28 | op << 23 | 1],
                       (0, 16, [4, 0]))),
    ("SOP1", 256, forms(lambda op: [0x17D << 23 | op << 8],
                        (0, 16, [4, 0]), (0, 0, [8, 0]))),
    ("SOPC", 128, forms(lambda op: [0x17E << 23 | op << 16],
                        (0, 8, [12]), (0, 0, [8]))),
    ("SOPP", 128, forms(lambda op: [0x17F << 23 | op << 16])),
    ("SMEM", 256, forms(lambda op: [0x3D << 26 | op << 18, 0],
                        (0, 6, [16, 0]), (0, 0, [4, 0]), (1, 25, [0x7D, 0]))),
    ("VOP2", 62, forms(lambda op: [op << 25 | 4 << 17 | 2 << 9],
                       (0, 0, SOURCE))),
    ("VOP1", 256, forms(lambda op: [0x3F << 25 | op << 9],
                        (0, 17, [4, 0]), (0, 0, SOURCE))),
    ("VOPC", 256, forms(lambda op: [0x3E << 25 | op << 17 | 2 << 9],
                        (0, 0, SOURCE))),
    ("VOP3", 1024, forms(lambda op: [0x35 << 26 | op << 16, 0],
                         (0, 8, [6, 0]), (0, 0, [4, 0x7E, 0]),
                         (1, 18, SOURCE), (1, 9, SOURCE), (1, 0, SOURCE))),
    ("VOP3P", 128, forms(lambda op: [0x198 << 23 | op << 16 | 4, 3 << 27],
                         (1, 18, SOURCE), (1, 9, SOURCE), (1, 0, SOURCE))),
    ("VINTRP", 4, forms(lambda op: [0x32 << 26 | 4 << 18 | op << 16 | 2])),
    ("DS", 256, forms(lambda op: [0x36 << 26 | op << 18, 0],
                      (0, 17, [0, 1]), (1, 24, [4, 0]), (1, 16, [8, 0]),
                      (1, 8, [12, 0]), (1, 0, [2, 0]))),
    ("FLAT", 128, flat(0)),
    ("SCRATCH", 128, flat(1)),
    ("GLOBAL", 128, flat(2)),
    ("MUBUF", 256, forms(lambda op: [0x38 << 26 | op << 18, 0x80 << 24],
                         (0, 16, [0, 1]), (1, 16, [2, 0]), (1, 8, [4, 0]),
                         (1, 0, [2, 0]))),
    ("MTBUF", 16, forms(lambda op: [0x3A << 26 | 22 << 19 | (op & 7) << 16,
                                    0x80 << 24 | op >> 3 << 21 | 2 << 16 |
                                    4 << 8 | 2])),
    # The fields are dmask, dimension, unorm, r128 or a16, and the sampler.
    ("MIMG", 256, forms(lambda op: [0x3C << 26 | (op & 0x7F) << 18 | op >> 7,
                                    2 << 16 | 4 << 8 | 2],
                        (0, 8, [0xF, 1]), (0, 3, [1, 6, 0]), (0, 12, [0, 1]),
                        (0, 15, [0, 1]), (1, 21, [3, 0]))),
    ("EXP", 1, forms(lambda op: [0x3E << 26 | 0xF, 0x04030201])),
]

# The literal constant that follows each instruction, for those that use one
LITERAL = 0x11223344


class Disassembler:
    """LLVM's disassembler, used by its C interface."""

    def __init__(self, cpu):
        self.llvm = ctypes.CDLL(LIBRARY)
        for target in ("TargetInfo", "TargetMC", "Disassembler"):
            getattr(self.llvm, "LLVMInitializeAMDGPU" + target)()
        create = self.llvm.LLVMCreateDisasmCPU
        create.restype = ctypes.c_void_p
        self.context = ctypes.c_void_p(create(
            b"amdgcn-amd-amdhsa", cpu.encode(), None, 0, None, None))
        self.llvm.LLVMDisasmInstruction.restype = ctypes.c_size_t

    def text(self, words):
        """Return the text of an instruction, or None if there is no such instruction."""
        data = b"".join(w.to_bytes(4, "little") for w in words + [LITERAL] * 2)
        out = ctypes.create_string_buffer(256)
        size = self.llvm.LLVMDisasmInstruction(
            self.context, data, ctypes.c_uint64(len(data)),
            ctypes.c_uint64(0), out, ctypes.c_size_t(len(out)))
        # LLVM must not have decoded the first word of a 64-bit form on its own.
        if size < 4 * len(words):
            return None
        return out.value.decode().strip()

    def version(self):
        parts = [ctypes.c_uint() for _ in range(3)]
        self.llvm.LLVMGetVersion(*(ctypes.byref(p) for p in parts))
        return ".".join(str(p.value) for p in parts)


def operations():
    ops = []
    for path in sorted(OPS_DIR.glob("ops_*.def")):
        for line in path.read_text().splitlines():
            m = re.match(r"^([A-Z])\((\w+),", line)
            if not m:
                continue
            if m.group(1) == "P":
                ops += ["V_CMP_" + m.group(2), "V_CMPX_" + m.group(2)]
            else:
                ops.append(m.group(2))
    if len(ops) != len(set(ops)):
        twice = {o for o in ops if ops.count(o) > 1}
        sys.exit("operations defined twice: %s" % sorted(twice))
    return set(ops)


def mnemonic(llvm, encodings):
    """Return the name of an opcode, or None if none of its encodings is valid."""
    names = set()
    for words in encodings:
        text = llvm.text(words)
        if text:
            name = text.split()[0]
            names.add(re.sub(r"_(e32|e64|sdwa|dpp)$", "", name))
    if len(names) > 1:
        sys.exit("one opcode, many names: %s" % sorted(names))
    return names.pop() if names else None


def operation(name, ops):
    op = ALIASES.get(name, name)
    op = MEM_PREFIX.sub("", op).upper()
    return op if op in ops else None


def main():
    generation, cpu = sys.argv[1:3]
    ops = operations()
    llvm = Disassembler(cpu)
    used = set()

    print("/* SPDX-License-Identifier: GPL-2.0-or-later */")
    print("/*")
    print(" * Generated by gen_table.py %s %s with LLVM %s." %
          (generation, cpu, llvm.version()))
    print(" * What each (format, opcode) of the generation is called and means.")
    print(" */")
    print('#include "isa/table.h"')
    print()
    for name, count, encodings in FORMATS:
        rows = []
        for op in range(count):
            mnem = mnemonic(llvm, encodings(op))
            if not mnem:
                continue
            sem = operation(mnem, ops)
            if sem:
                used.add(sem)
            rows.append((op, mnem, sem))
        print("static const struct vgpu_isa_row %s_rows[%d] = {" %
              (name.lower(), count))
        for op, mnem, sem in rows:
            print('\t[0x%02x] = { "%s", VGPU_OP_%s },' %
                  (op, mnem, sem or "NONE"))
        print("};")
        print()
    print("const struct vgpu_isa_table vgpu_table_%s[VGPU_NUM_FORMATS] = {" %
          generation)
    for name, count, _ in FORMATS:
        print("\t[VGPU_FMT_%s] = { %s_rows, %d }," %
              (name, name.lower(), count))
    print("};")
    for op in sorted(ops - used - {"NONE"}):
        print("note: no encoding in %s: %s" % (cpu, op), file=sys.stderr)


if __name__ == "__main__":
    main()
