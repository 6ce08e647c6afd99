#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
Counts the instructions of a GPU by class: those that LLVM knows, that vgpu decodes,
that vgpu executes, and that a line of results/*.txt tests.

The list of LLVM's instructions comes from its assembler: all strings of the library that
can be mnemonics, reduced to those that llvm-mc accepts for the GPU. It is therefore
independent of the encodings that gen_table.py and test_decode try.

    coverage.py [--tap]

With --tap, the program is a test and prints TAP instead of the numbers.
"""

import ctypes
import pathlib
import re
import subprocess
import sys

LIBRARY = "libLLVM.so.19.1"
LLVM_MC = ["llvm-mc-19", "-triple=amdgcn-amd-amdhsa", "-mcpu=gfx1033"]
HERE = pathlib.Path(__file__).resolve().parent
ISA = HERE.parent.parent / "tools/vgpu/isa"
TABLE = ISA / "generated/gfx10_3_table.c"
WANTED = 95     # per cent of the executed instructions that lines must test
# Instructions that change nothing but the PC. For all others, a line without a result after
# its arrow only shows that vgpu does not refuse the instruction, and does not count.
NOTHING = re.compile(
    r"[sv]_nop|ds_nop|v_pipeflush|s_(clause|code_end|version|wakeup|wait.*|"
    r"inst_prefetch|(inc|dec)perflevel|ttracedata(_imm)?|(dcache|gl1|icache)_inv|"
    r"atc_probe(_buffer)?)|buffer_gl[01]_inv")

CLASSES = [
    ("scalar", r"s_(?!load|buffer|dcache|gl1|mem|atc)"),
    ("scalar memory", r"s_"),
    ("vector compare", r"v_cmp"),
    ("packed, dot", r"v_(pk|dot|fma_mix)"),
    ("interpolation", r"v_interp"),
    ("vector", r"v_"),
    ("LDS", r"ds_"),
    ("flat", r"flat_"),
    ("global", r"global_"),
    ("scratch", r"scratch_"),
    ("buffer", r"buffer_"),
    ("typed buffer", r"tbuffer_"),
    ("image", r"image_"),
    ("export", r"exp"),
]


def skip(why):
    print("1..0 # SKIP " + why)
    sys.exit(77)


def library_path():
    try:
        ctypes.CDLL(LIBRARY)
    except OSError:
        skip("no " + LIBRARY)
    for line in open("/proc/self/maps"):
        if line.rstrip().endswith(LIBRARY):
            return line.split(maxsplit=5)[5].strip()
    return skip("no " + LIBRARY)


def candidates():
    """Return all strings that may be mnemonics: the library stores these with their length."""
    data = pathlib.Path(library_path()).read_bytes()
    found = {"exp"}
    pattern = rb"(?:s|v|ds|flat|global|scratch|buffer|tbuffer|image)_[a-z0-9_]+"
    for m in re.finditer(pattern, data):
        size = data[m.start() - 1]
        if 3 < size <= len(m.group(0)):
            found.add(m.group(0)[:size].decode())
    return sorted(found)


def known():
    """Return the mnemonics that the assembler accepts for the GPU.

    For these, it reports that operands are missing, or nothing.
    """
    names = candidates()
    try:
        run = subprocess.run(LLVM_MC, input="\n".join(names) + "\n", text=True,
                             capture_output=True, check=False)
    except OSError:
        skip("no " + LLVM_MC[0])
    wrong = set()
    for m in re.finditer(r"^<stdin>:(\d+):\d+: error: (.*)", run.stderr, re.M):
        if not m.group(2).startswith("too few operands"):
            wrong.add(names[int(m.group(1)) - 1])
    # v_illegal is the assembler's name for the word 0, which is no instruction.
    plain = {re.sub(r"_(e32|e64|sdwa|dpp|dpp8)$", "", n)
             for n in names if n not in wrong}
    return plain - {"v_illegal"}


def rows():
    """Return for each mnemonic of the table whether vgpu executes it."""
    out = {}
    for m in re.finditer(r'\{ "(\w+)", VGPU_OP_(\w+) \}', TABLE.read_text()):
        out[m.group(1)] = out.get(m.group(1), False) or m.group(2) != "NONE"
    return out


def is_result(name, after):
    """Return whether the text after a line's arrow shows the result of the instruction."""
    if "illegal=" in after:
        return False
    return bool(NOTHING.fullmatch(name)) or \
        bool(re.sub(r"complaints=\d+", "", after).strip())


def tested():
    """Return the mnemonics that have a line with a result; a refusal is no result."""
    out = set()
    for path in (HERE / "results").glob("*.txt"):
        for line in path.read_text().splitlines():
            m = re.match(r"(?:64 )?(\w+).* :.*->(.*)", line)
            if not m:
                continue
            name = re.sub(r"_(e32|e64|sdwa|dpp|dpp8)$", "", m.group(1))
            if is_result(name, m.group(2)):
                out.add(name)
    return out


def reasons():
    """Return pattern and reason of the instructions that vgpu does not execute on purpose."""
    out = []
    for line in (HERE / "not_executed.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            pattern, reason = line.split(maxsplit=1)
            out.append((re.compile(pattern), reason))
    return out


def class_of(name):
    for title, pattern in CLASSES:
        if re.match(pattern, name):
            return title
    return sys.exit("no class for " + name)


def figures(llvm, decoded, executed, results):
    print("%-16s %6s %8s %9s %7s" %
          ("class", "known", "decoded", "executed", "tested"))
    sets = (llvm, decoded, executed, results)
    for title, _ in CLASSES:
        print("%-16s %6d %8d %9d %7d" % ((title,) + tuple(
            sum(class_of(n) == title for n in s) for s in sets)))
    print("%-16s %6d %8d %9d %7d" % (("all",) + tuple(map(len, sets))))
    print("\nnot tested: " + (" ".join(sorted(executed - results)) or "none"))
    print("\nnot executed:")
    rest = decoded - executed
    for pattern, reason in reasons():
        names = sorted(n for n in rest if pattern.fullmatch(n))
        print("  %s (%d): %s" % (pattern.pattern, len(names), reason))
        rest -= set(names)
    print("  without a reason: " + (" ".join(sorted(rest)) or "none"))


class Tap:
    def __init__(self):
        self.count = self.failed = 0

    def empty(self, names, what):
        self.count += 1
        for name in sorted(names):
            print("# " + name)
        print("%sok %d - %s" % ("not " if names else "", self.count, what))
        self.failed += bool(names)


def check(llvm, decoded, executed, results):
    tap = Tap()
    listed = [(p, {n for n in llvm if p.fullmatch(n)}) for p, _ in reasons()]
    all_listed = set().union(*(s for _, s in listed))
    few = len(results) * 100 < WANTED * len(executed)

    tap.empty(llvm - decoded, "LLVM's mnemonics have rows")
    tap.empty(decoded - llvm, "rows are LLVM's mnemonics")
    tap.empty(llvm - executed - all_listed,
              "what is not executed has a reason in not_executed.txt")
    tap.empty([p.pattern for p, s in listed if not s] +
              sorted(executed & all_listed),
              "what has a reason is not executed")
    tap.empty(executed - results if few else [],
              "%d %% of what is executed is tested by results" % WANTED)
    print("1..%d" % tap.count)
    return tap.failed != 0


def main():
    llvm, table = known(), rows()
    decoded = set(table)
    executed = {n for n in table if table[n]}
    args = (llvm, decoded, executed, tested() & executed)
    if sys.argv[1:] == ["--tap"]:
        return check(*args)
    figures(*args)
    return 0


if __name__ == "__main__":
    sys.exit(main())
