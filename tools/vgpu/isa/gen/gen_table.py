#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
Makes the (format, opcode) -> (mnemonic, operation) table of one generation.

Every (format, opcode) pair is put together with neutral operands and
disassembled by LLVM; the mnemonic is looked up among the operations of
ops_*.def. What LLVM knows and ops_*.def does not gets a row without operation:
vgpu can name such an instruction when it refuses it.

    gen_table.py gfx10_3 gfx1033 > ../gfx10_3_table.c
"""

import ctypes
import pathlib
import re
import sys

LIBRARY = "libLLVM.so.19.1"
ISA_DIR = pathlib.Path(__file__).resolve().parent.parent

# Instructions that access memory have one operation for all address forms.
MEM_PREFIX = re.compile(r"^(flat|global|scratch|buffer)_(load|store|atomic)_")

# Mnemonics that stand for an operation of another name.
ALIASES = {}


def sop2(op):
    return [2 << 30 | op << 23 | 4 << 16 | 12 << 8 | 8]


def sopk(op):
    return [0xB << 28 | op << 23 | 4 << 16 | 1]


def sop1(op):
    return [0x17D << 23 | 4 << 16 | op << 8 | 8]


def sop1_src(op):
    """Without destination."""
    return [0x17D << 23 | op << 8 | 8]


def sop1_dst(op):
    """Without source."""
    return [0x17D << 23 | 4 << 16 | op << 8]


def sopc(op):
    return [0x17E << 23 | op << 16 | 12 << 8 | 8]


def sopp(op):
    return [0x17F << 23 | op << 16]


def smem(op):
    return [0x3D << 26 | op << 18 | 16 << 6 | 4, 0x7D << 25]


def smem_none(op):
    return [0x3D << 26 | op << 18, 0]


def smem_dst(op):
    return [0x3D << 26 | op << 18 | 16 << 6, 0]


def vop1(op):
    return [0x3F << 25 | 4 << 17 | op << 9 | 0x102]


def vop1_none(op):
    return [0x3F << 25 | op << 9]


def vop2(op):
    return [op << 25 | 4 << 17 | 2 << 9 | 0x106]


def vopc(op):
    return [0x3E << 25 | op << 17 | 2 << 9 | 0x106]


def vop3(op):
    return [0x35 << 26 | op << 16 | 4,
            0x10A << 18 | 0x108 << 9 | 0x106]


def vop3_two(op):
    return [0x35 << 26 | op << 16 | 4, 0x108 << 9 | 0x106]


def vop3_one(op):
    return [0x35 << 26 | op << 16 | 4, 0x106]


def vop3_none(op):
    return [0x35 << 26 | op << 16, 0]


def vop3_cmpx(op):
    return [0x35 << 26 | op << 16 | 0x7E, 0x108 << 9 | 0x106]


def vop3_sgpr(op):
    """With SGPRs where a lane mask may stand."""
    return [0x35 << 26 | op << 16 | 6 << 8 | 4,
            8 << 18 | 0x108 << 9 | 0x106]


def vop3_scalar(op):
    """With SGPRs as second source: lane selects."""
    return [0x35 << 26 | op << 16 | 4, 8 << 9 | 0x106]


def vop3p(op):
    return [0x198 << 23 | op << 16 | 4,
            0x10A << 18 | 0x108 << 9 | 0x106 | 3 << 27]


def vintrp(op):
    return [0x32 << 26 | 4 << 18 | op << 16 | 2]


def ds(op):
    return [0x36 << 26 | op << 18, 4 << 24 | 8 << 16 | 12 << 8 | 2]


def ds_two(op):
    """Two data operands, nothing returned."""
    return [0x36 << 26 | op << 18, 8 << 16 | 12 << 8 | 2]


def ds_store(op):
    return [0x36 << 26 | op << 18, 12 << 8 | 2]


def ds_return(op):
    return [0x36 << 26 | op << 18, 4 << 24 | 12 << 8 | 2]


def ds_load(op):
    return [0x36 << 26 | op << 18, 4 << 24 | 2]


def ds_addtid(op):
    return [0x36 << 26 | op << 18, 12 << 8]


def ds_none(op):
    return [0x36 << 26 | op << 18, 0]


def ds_gds(op):
    return [0x36 << 26 | op << 18 | 1 << 17, 0]


def ds_gws(op):
    return [0x36 << 26 | op << 18 | 1 << 17, 2]


def flat(op, seg):
    return [0x37 << 26 | op << 18 | seg << 14,
            4 << 24 | 0x7D << 16 | 8 << 8 | 2]


def flat_return(op, seg):
    """GLC: atomics that return a value."""
    return [0x37 << 26 | op << 18 | seg << 14 | 1 << 16,
            4 << 24 | 0x7D << 16 | 8 << 8 | 2]


def flat_store(op, seg):
    return [0x37 << 26 | op << 18 | seg << 14, 0x7D << 16 | 8 << 8 | 2]


def flat_load(op, seg):
    return [0x37 << 26 | op << 18 | seg << 14, 4 << 24 | 0x7D << 16 | 2]


def flat_addtid(op, seg):
    return [0x37 << 26 | op << 18 | seg << 14,
            4 << 24 | 8 << 16 | 8 << 8]


def mubuf(op):
    return [0x38 << 26 | op << 18, 0x80 << 24 | 2 << 16 | 4 << 8 | 2]


def mtbuf(op):
    return [0x3A << 26 | 22 << 19 | (op & 7) << 16,
            0x80 << 24 | (op >> 3) << 21 | 2 << 16 | 4 << 8 | 2]


def mimg(op):
    return [0x3C << 26 | (op & 0x7F) << 18 | 0xF << 8 | 1 << 3 | op >> 7,
            3 << 21 | 2 << 16 | 4 << 8 | 2]


def mimg_one(op):
    """One component; any of the dimensions."""
    return [mimg(op)[0] & ~(0xF << 8 | 7 << 3) | 1 << 8, mimg(op)[1]]


def mimg_load(op):
    """Without a sampler."""
    return [mimg(op)[0], 2 << 16 | 4 << 8 | 2]


def mimg_atomic(op):
    return [mimg_one(op)[0], 2 << 16 | 4 << 8 | 2]


def mimg_msaa(op):
    return [mimg_one(op)[0] | 6 << 3, 2 << 16 | 4 << 8 | 2]


def exp(_op):
    return [0x3E << 26 | 0xF, 0x04030201]


# Format, number of opcodes, encodings to try.
FORMATS = [
    ("SOP2", 96, [sop2]),
    ("SOPK", 29, [sopk]),
    ("SOP1", 256, [sop1, sop1_src, sop1_dst]),
    ("SOPC", 128, [sopc]),
    ("SOPP", 128, [sopp]),
    ("SMEM", 256, [smem, smem_dst, smem_none]),
    ("VOP2", 62, [vop2]),
    ("VOP1", 256, [vop1, vop1_none]),
    ("VOPC", 256, [vopc]),
    ("VOP3", 1024, [vop3, vop3_sgpr, vop3_scalar, vop3_two, vop3_one,
                    vop3_none, vop3_cmpx]),
    ("VOP3P", 128, [vop3p]),
    ("VINTRP", 4, [vintrp]),
    ("DS", 256, [ds, ds_two, ds_return, ds_store, ds_load, ds_addtid,
                ds_none, ds_gws, ds_gds]),
    ("FLAT", 128, [lambda op: flat(op, 0), lambda op: flat_return(op, 0),
                   lambda op: flat_store(op, 0), lambda op: flat_load(op, 0)]),
    ("SCRATCH", 128, [lambda op: flat(op, 1), lambda op: flat_store(op, 1),
                      lambda op: flat_load(op, 1)]),
    ("GLOBAL", 128, [lambda op: flat(op, 2), lambda op: flat_return(op, 2),
                     lambda op: flat_store(op, 2), lambda op: flat_load(op, 2),
                     lambda op: flat_addtid(op, 2)]),
    ("MUBUF", 256, [mubuf]),
    ("MTBUF", 16, [mtbuf]),
    ("MIMG", 256, [mimg, mimg_one, mimg_load, mimg_atomic,
                    mimg_msaa]),
    ("EXP", 1, [exp]),
]

# A literal follows when the instruction asks for one.
LITERAL = 0x11223344


class Disassembler:
    """LLVM's own, by its C interface."""

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
        """Text of the instruction, None when there is no such one."""
        data = b"".join(w.to_bytes(4, "little") for w in words + [LITERAL] * 2)
        out = ctypes.create_string_buffer(256)
        size = self.llvm.LLVMDisasmInstruction(
            self.context, data, ctypes.c_uint64(len(data)),
            ctypes.c_uint64(0), out, ctypes.c_size_t(len(out)))
        # What a form of 64 bits means must not be read as a shorter one.
        if size < 4 * len(words):
            return None
        return out.value.decode().strip()

    def version(self):
        parts = [ctypes.c_uint() for _ in range(3)]
        self.llvm.LLVMGetVersion(*(ctypes.byref(p) for p in parts))
        return ".".join(str(p.value) for p in parts)


def operations():
    ops = []
    for path in sorted(ISA_DIR.glob("ops_*.def")):
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


def mnemonic(text):
    name = text.split()[0]
    return re.sub(r"_(e32|e64|sdwa|dpp)$", "", name)


def operation(name, ops):
    op = ALIASES.get(name, name)
    op = MEM_PREFIX.sub(r"\2_", op).upper()
    return op if op in ops else None


def main():
    generation, cpu = sys.argv[1:3]
    ops = operations()
    llvm = Disassembler(cpu)
    used = set()

    print("/* SPDX-License-Identifier: GPL-2.0-or-later */")
    print("/*")
    print(" * Generated by gen/gen_table.py %s %s with LLVM %s." %
          (generation, cpu, llvm.version()))
    print(" * What each (format, opcode) of the generation is called and means.")
    print(" */")
    print('#include "table.h"')
    print()
    for name, count, forms in FORMATS:
        rows = []
        for op in range(count):
            text = None
            for form in forms:
                text = llvm.text(form(op))
                if text:
                    break
            if not text:
                continue
            mnem = mnemonic(text)
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
