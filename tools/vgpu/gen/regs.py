#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Reads AMD's register headers in a Linux source tree and writes these files for each
# profile, in profiles/generated/:
#	PROFILE_regs.h		the dword numbers of the roles in profiles/roles.h
#	PROFILE_names.h		the names of all registers in the register aperture
#	PROFILE_effects.h	the registers whose writes have an effect: see effects.py
#	GENERATION_fields.h	the masks of the fields in profiles/fields.h
#
# With --check, it writes nothing and compares the files with what it would write; the exit
# status is the result. If the tree has another version than the one that a file names, only
# the entries that are in both are compared.

import argparse
import os
import re
import sys

import effects

AMD = "drivers/gpu/drm/amd"
APERTURE = 0x20000  # dwords in BAR5, VGPU_NUM_REGS of regs.h

# ips: name of an IP in roles.h -> (name of its base addresses, header of its registers).
# alias: role -> symbol of the header, if it differs from the role's name.
# more: sources of registers that this GPU's headers lack; the last, gc_10_1_0, is the
# header that gfx_v10_0.c includes for all gfx10.
# fields: masks of fields that this GPU's headers lack, and their sources.
PROFILES = {
    "vangogh": {
        "generation": "gfx10_3",
        "fields": {
            ("COMPUTE_PGM_RSRC1", "DEBUG_MODE"):
                (0x00400000, "AMDGPUUsage of LLVM 19, compute_pgm_rsrc1"),
            ("SMUIO_GFX_MISC_CNTL", "PWR_GFXOFF_STATUS"):
                (0x00000006, "vangogh_ppt.c"),
            ("SQ_WAVE_MODE", "DEBUG_EN"):
                (0x00000800, "cwsr_trap_handler_gfx10.asm"),
            ("SQ_WAVE_STATUS", "COND_DBG_USER"):
                (0x00100000, "gc_9_0, gc_11_0_3"),
            ("SQ_WAVE_STATUS", "COND_DBG_SYS"):
                (0x00200000, "gc_9_0, gc_11_0_3"),
        },
        "bases": "include/vangogh_ip_offset.h",
        "ips": {
            "GC": ("GC", "gc/gc_10_3_0_offset.h"),
            "SDMA0": ("GC", "gc/gc_10_3_0_offset.h"),
            "MMHUB": ("MMHUB", "mmhub/mmhub_2_3_0_offset.h"),
            "OSSSYS": ("OSSSYS", "oss/osssys_5_0_0_offset.h"),
            "NBIO": ("NBIO", "nbio/nbio_7_2_0_offset.h"),
            "MP0": ("MP0", "mp/mp_11_5_0_offset.h"),
            "MP1": ("MP1", "mp/mp_11_5_0_offset.h"),
            "HDP": ("HDP", "hdp/hdp_5_0_0_offset.h"),
            "ATHUB": ("ATHUB", "athub/athub_2_1_0_offset.h"),
            "THM": ("THM", "thm/thm_11_0_2_offset.h"),
            "SMUIO": ("SMUIO", "smuio/smuio_11_0_0_offset.h"),
        },
        "alias": {
            "MM_INDEX": "BIF_BX_PF0_MM_INDEX",
            "MM_INDEX_HI": "BIF_BX_PF0_MM_INDEX_HI",
            "MM_DATA": "BIF_BX_PF0_MM_DATA",
            "PCIE_INDEX2": "BIF_BX0_PCIE_INDEX2",
            "PCIE_DATA2": "BIF_BX0_PCIE_DATA2",
            "RSMU_INDEX": "BIF_BX_PF0_RSMU_INDEX",
            "RSMU_DATA": "BIF_BX_PF0_RSMU_DATA",
            "RCC_CONFIG_MEMSIZE": "RCC_DEV0_EPF0_0_RCC_CONFIG_MEMSIZE",
            "RCC_IOV_FUNC_IDENTIFIER":
                "RCC_DEV0_EPF0_0_RCC_IOV_FUNC_IDENTIFIER",
            "BIOS_SCRATCH_0": "BIF_BX0_BIOS_SCRATCH_0",
            "BIOS_SCRATCH_7": "BIF_BX0_BIOS_SCRATCH_7",
            "REMAP_HDP_MEM_FLUSH_CNTL": "BIF_BX0_REMAP_HDP_MEM_FLUSH_CNTL",
            "REMAP_HDP_REG_FLUSH_CNTL": "BIF_BX0_REMAP_HDP_REG_FLUSH_CNTL",
            "GPU_HDP_FLUSH_REQ": "BIF_BX_PF0_GPU_HDP_FLUSH_REQ",
            "GPU_HDP_FLUSH_DONE": "BIF_BX_PF0_GPU_HDP_FLUSH_DONE",
        },
        "more": [
            ("SMUIO", "SMUIO", "amdgpu/gfx_v10_0.c", r"^GOLDEN_TSC.*_Vangogh"),
            ("GC", "GC", "amdgpu/gfx_v10_0.c",
             r"^(?!GOLDEN).*_(?:Vangogh|Sienna_Cichlid|gc_10_3)$|"
             r"^(?:CP_HYP|CGTT|CP._PSP|CC_GC|GC_USER|PA_SC)"),
            ("SMUIO", "SMUIO", "pm/swsmu/smu11/vangogh_ppt.c", r"."),
            ("GC", "GC", "include/asic_reg/gc/gc_10_1_0_offset.h", r"."),
        ],
    },
}


def read(path):
    with open(path, encoding="utf-8", errors="replace") as f:
        return f.read()


def kernel_version(linux):
    """Return the version of a source tree, or "?" if it has no top Makefile."""
    path = os.path.join(linux, "Makefile")
    if not os.path.exists(path):
        return "?"
    text = read(path)
    parts = re.findall(r"^(?:VERSION|PATCHLEVEL|SUBLEVEL) = (\d+)", text, re.M)
    return ".".join(parts[:3])


def read_bases(path):
    """Return IP name -> base addresses (segments) of its first instance."""
    bases = {}
    pattern = r"struct IP_BASE (\w+)_BASE\s*=\s*{\s*{\s*{\s*{([^}]*)}"
    for name, segments in re.findall(pattern, read(path)):
        bases[name] = [int(s, 0) for s in segments.split(",")]
    return bases


def read_offsets(path, bases):
    """Return symbol (without mm or reg) -> dword number, in the header's order."""
    text = read(path)
    index = dict(re.findall(r"#define (?:mm|reg)(\w+)_BASE_IDX\s+(\d+)", text))
    regs = {}
    for name, off in re.findall(
            r"#define (?:mm|reg)(\w+)\s+(0x[0-9a-fA-F]+)\b", text):
        if name in index:
            regs[name] = bases[int(index[name])] + int(off, 16)
    return regs


def read_masks(path):
    """Return (register, field) -> mask for a header of fields."""
    return {(reg, field): int(mask, 16) for reg, field, mask in re.findall(
        r"#define (\w+?)__(\w+)_MASK\s+(0x[0-9a-fA-F]+)L?\b", read(path))}


def read_fields(path):
    return re.findall(r"\bFIELD\(([A-Z]\w*), (\w+), (\w+)\)", read(path))


def read_roles(path):
    return re.findall(r"\bROLE\(([A-Z]\w*), (\w+)\)", read(path))


def header(profile, what, version):
    guard = f"VGPU_{profile}_{what}_H".upper()
    return (f"/* SPDX-License-Identifier: GPL-2.0-or-later */\n"
            f"/*\n"
            f" * Generated by gen/regs.py from AMD's register headers of "
            f"Linux {version}.\n"
            f" * Those are Copyright (C) 2018-2020 Advanced Micro Devices, Inc., under the\n"
            f" * MIT licence: see LICENSE.\n"
            f" *\n"
            f" * Included inside the initialiser of an array.\n"
            f" */\n"
            f"#ifndef {guard}\n#define {guard}\n\n",
            f"\n#endif /* {guard} */\n")


def make_roles(profile, conf, roles, regs, version, missing):
    top, end = header(profile, "regs", version)
    out = [top]
    for role, ip in roles:
        symbol = conf["alias"].get(role, role)
        if symbol not in regs[ip]:
            missing.append(f"{symbol} is not in {conf['ips'][ip][1]}")
            continue
        path = conf["ips"][ip][1].replace("_offset.h", "")
        note = path.split("/")[1]
        if symbol != role:
            note += " " + symbol
        out.append(f"\t[R_{role}] = 0x{regs[ip][symbol]:05x}, /* {note} */\n")
    out.append(end)
    return "".join(out)


def make_fields(conf, fields, amd, version, missing):
    top, end = header(conf["generation"], "fields", version)
    out, masks = [top], {}
    for reg, field, ip in fields:
        path = conf["ips"][ip][1].replace("_offset.h", "_sh_mask.h")
        if path not in masks:
            masks[path] = read_masks(os.path.join(amd, "include/asic_reg", path))
        note = path.split("/")[1].replace("_sh_mask.h", "")
        mask = masks[path].get((reg, field))
        if mask is None:
            if (reg, field) not in conf["fields"]:
                missing.append(f"{reg}.{field} is not in {path}")
                continue
            mask, note = conf["fields"][reg, field]
        out.append(f"\t[F_{reg}_{field}] = 0x{mask:08x}, /* {note} */\n")
    out.append(end)
    return "".join(out)


def make_names(profile, conf, roles, regs, more, version):
    names = {}

    def add(dword, name):
        if dword < APERTURE:
            names.setdefault(dword, name)

    # If several names have the same number, a role's name wins, then the first header.
    for role, ip in roles:
        symbol = conf["alias"].get(role, role)
        if symbol in regs[ip]:
            add(regs[ip][symbol], symbol)
    for table in list(regs.values()) + [more]:
        for name, dword in table.items():
            add(dword, name)
    top, end = header(profile, "names", version)
    body = "".join(f"\t{{ 0x{d:05x}, \"{n}\" }},\n"
                   for d, n in sorted(names.items()))
    return top + body + end


def make_effects(profile, conf, amd, regs, version):
    """Return the text of the table of registers that effects.py finds, sorted by dword."""
    rows, headers = {}, {}
    for ip, (_, path) in conf["ips"].items():
        headers.setdefault(path, ip)
    for path, ip in headers.items():
        mask_path = os.path.join(amd, "include/asic_reg",
                                 path.replace("_offset.h", "_sh_mask.h"))
        fields = {}
        for (reg, field), mask in read_masks(mask_path).items():
            fields.setdefault(reg, []).append((field, mask))
        names = {n for n, dword in regs[ip].items() if dword < APERTURE}
        note = path.split("/")[1].replace("_offset.h", "")
        for name, mask in effects.find(names, fields).items():
            dword = regs[ip][name]
            others, old, _ = rows.get(dword, ([], mask, note))
            # A register can have two names, and the rules may match both.
            mask = old | mask if old and mask else 0
            rows[dword] = (others + [name], mask, note)
    top, end = header(profile, "effects", version)
    body = "".join(
        f"\t{{ 0x{dword:05x}, 0x{mask:08x} }}, /* {note} {' '.join(sorted(names))} */\n"
        for dword, (names, mask, note) in sorted(rows.items()))
    return top + body + end


def generate(profile, linux, version, here, missing):
    conf = PROFILES[profile]
    amd = os.path.join(linux, AMD)
    bases = read_bases(os.path.join(amd, conf["bases"]))
    regs = {}
    for ip, (base, path) in conf["ips"].items():
        full = os.path.join(amd, "include/asic_reg", path)
        regs[ip] = read_offsets(full, bases[base])
    headers_only = {ip: dict(table) for ip, table in regs.items()}
    more = {}
    for ip, base, path, keep in conf["more"]:
        table = read_offsets(os.path.join(amd, path), bases[base])
        # The source file's name distinguishes the old offset of a register that moved.
        source = re.sub(r"(_offset)?\.[ch]$", "", os.path.basename(path))
        for name, dword in table.items():
            if not re.search(keep, name):
                continue
            if regs[ip].setdefault(name, dword) != dword:
                more[f"{name}_{source}"] = dword
    profiles = os.path.join(here, "..", "profiles")
    roles = read_roles(os.path.join(profiles, "roles.h"))
    fields = read_fields(os.path.join(profiles, "fields.h"))
    return {
        f"{profile}_regs.h": make_roles(profile, conf, roles, regs, version,
                                        missing),
        f"{profile}_names.h": make_names(profile, conf, roles, regs, more,
                                         version),
        f"{profile}_effects.h": make_effects(profile, conf, amd, headers_only,
                                             version),
        f"{conf['generation']}_fields.h": make_fields(conf, fields, amd,
                                                      version, missing),
    }


def sources():
    """Return the paths of all files of a source tree that this program reads."""
    paths = {"Makefile"}
    for conf in PROFILES.values():
        paths.add(os.path.join(AMD, conf["bases"]))
        for _, path in conf["ips"].values():
            full = os.path.join(AMD, "include/asic_reg", path)
            paths |= {full, full.replace("_offset.h", "_sh_mask.h")}
        paths |= {os.path.join(AMD, path) for _, _, path, _ in conf["more"]}
    return sorted(paths)


def same(old, new, partial):
    """Compare two texts; with partial, only the entries that are in both."""
    if not partial:
        return old == new
    entry = re.compile(r"^\t(?:\[(\w+)\] = |{ (0x\w+), )(.*)$", re.M)
    there = {a or b: rest for a, b, rest in entry.findall(old)}
    differ = [a or b for a, b, rest in entry.findall(new)
              if there.get(a or b, rest) != rest]
    for name in differ:
        print("differs:", name, file=sys.stderr)
    return not differ


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(
        description="Write the register tables of vgpu's profiles.")
    parser.add_argument("--sources", action="store_true",
                        help="say which files of a tree are read, and do no more")
    parser.add_argument("linux", nargs="?", help="a Linux source tree, 6.12 or later "
                        "(older headers lack SPI_GDBG_TRAP_CONFIG)")
    parser.add_argument("--version", help="of the tree; default: read it from "
                        "the tree's Makefile")
    parser.add_argument("--check", action="store_true",
                        help="compare with the files, write nothing")
    args = parser.parse_args()
    if args.sources:
        print("\n".join(sources()))
        return 0
    if not args.linux:
        parser.error("which source tree?")
    version = args.version or kernel_version(args.linux)
    status = 0
    for profile in PROFILES:
        missing = []
        tables = generate(profile, args.linux, version, here, missing)
        if missing and not args.check:
            sys.exit(f"{profile}: " + "; ".join(missing))
        for name, text in tables.items():
            path = os.path.join(here, "..", "profiles", "generated", name)
            if args.check:
                old = read(path) if os.path.exists(path) else ""
                partial = f"of Linux {version}." not in old
                if not old or not same(old, text, partial):
                    print(f"{name} is not what this tree gives", file=sys.stderr)
                    status = 1
            else:
                with open(path, "w", encoding="utf-8") as f:
                    f.write(text)
    return status


if __name__ == "__main__":
    sys.exit(main())
