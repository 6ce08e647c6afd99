# SPDX-License-Identifier: GPL-2.0-or-later
#
# Determines which registers have an effect when they are written, besides storing the
# value. regs.py uses this to write PROFILE_effects.h. AMD's headers do not describe
# effects, so the rules below derive them from the names of registers and fields. They
# result from reading all names of the headers in regs.py (Linux 6.1) that look like a
# command. Exceptions are names that look like one and mean something else.
#
# The table also contains registers for which a block of vgpu implements the effect
# (vgpu_reg_hook()): it describes the hardware and not what vgpu implements. The functions
# named here are those of amdgpu in Linux 6.1.

import re

# Registers where each write has an effect: (pattern of the name, the effect).
REGISTERS = [
    (r"_INITIATOR$", "starts a draw, an event or a dispatch"),
    (r"^SQ_CMD$", "wave command"),
    (r"^MP0_SMN_C2PMSG_(35|64|67|101|102)$",
     "mailbox of the PSP: boot loader, GPCOM ring, SR-IOV ring (psp_v11_0.c)"),
    (r"^MP1_SMN_C2PMSG_66$", "mailbox of the SMU (smu_v11_0.c)"),
    (r"_HDP_(REG|MEM)_COHERENCY_FLUSH_CNTL$|_GPU_HDP_FLUSH_REQ$", "HDP flush"),
    (r"^GCVM_INVALIDATE_ENG\d+_REQ$|^MMVM_INVALIDATE_ENG\d+_REQ$",
     "invalidates translations"),
]

# Registers where a write of any value but 0 has an effect: (pattern of the name, the effect).
NONZERO = [
    (r"_SOFT_RESET$", "resets blocks"),
    (r"_HQD_ACTIVE$", "starts a queue"),
    (r"_COMMAND$|_TRIG$", "command"),
    (r"(^|_)RB\d?_WPTR$|^SDMA\d_\w+_RB_WPTR(_HI)?$|^IH_RB_WPTR_RING\d$",
     "starts what has been put into a ring"),
]

# Fields where a value that is not 0 has an effect: (pattern of the name, the effect).
FIELDS = [
    (r"(^|_)(SOFT_)?RESET(_REQUEST)?$|^RESOURCE\d+_RESET$", "resets"),
    (r"^START$|_CNTR_START$", "starts"),
    (r"(^|_)(REQ|REQUEST)$", "asks for something"),
    (r"^INVALIDATE$|_INVALIDATE$", "invalidates"),
    (r"(^|_)(CLEAR|CLR|W1C)\d?$|^CLEAR_(ALL|PROTECTION_FAULT_)", "clears something else"),
    (r"(^|_)(CMD|COMMAND)$", "command"),
    (r"(^|_)(FLUSH|SEND|STROBE)$", "flushes or sends"),
    (r"^LOAD$|^STEP$|_ACK$|^INTERRUPT_ACK$", "done at once"),
]

# Pairs of registers that form a port: an access to DATA accesses what ADDR or INDEX selects.
PORT = re.compile(r"_(DATA)(_LO|_HI|\d*)$")
PORT_SELECTS = ("ADDR", "INDEX", "ADDRESS", "IDX")

# Names without an effect: (pattern of the register, pattern of the field, reason). An empty
# pattern of the field excludes the whole register.
EXCEPTIONS = [
    # The name denotes a value.
    (r"^COMPUTE_START_|^SDMA\d_DEC_START$|^GRBM_FENCE_RANGE|ADDRDEC|"
     r"^RPB_CID_QUEUE_EX$", r"START",
     "where something begins"),
    (r"_STATUS\d*(_REG)?$|_STAT\d?$|^UTCL1_STATUS$|_INTR_STAT$", r".",
     "read only"),
    (r"_RD(_BURST)?_DATA$", r".", "a port that is only read"),
    (r"^CP_(EOP_DONE|APPEND)_DATA_|_FENCE_DATA_", r".", "what a fence has"),
    (r"^GDS_OA_RESET_MASK$", r".", "what another register resets"),
    (r"^ATHUB_COMMAND$", r"", "that of a PCI function"),
    (r"_INTR_MASK$|_PUB_REG_TYPE\d$|_OUTSTANDING_REQ$|_ENG\d+_ACK$|"
     r"^SDMA\d_STATUS", r".", "says what there is, or is to be reported"),
    (r"^DB_(DEPTH|STENCIL)_CLEAR$|^CB_COLOR\d_INFO$", r"CLEAR",
     "the value of a clear, how a target is cleared"),
    (r"^DB_(Z|STENCIL)_INFO$|^DB_RENDER_OVERRIDE2$|^DB_DFSM_CONFIG$|"
     r"^DB_WATERMARKS$|^PA_SC_|^PA_CL_ENHANCE$|^PA_PH_ENHANCE$|^DB_DEBUG|"
     r"^VGT_CACHE_INVALIDATION$|^CB_HW_CONTROL|^RMI_|^SQG?_UTCL0|^SQC_.CACHE_UTCL0|"
     r"^GL1C_UTCL0|^GCR_GENERAL_CNTL$|^SQ_PERFCOUNTER_CTRL$|"
     r"^PA_SU_LINE_STIPPLE_CNTL$|^SEM_CHICKEN_BITS$|^MM_ATC_L2_CNTL|"
     r"^MMVM_L2_SAW", r".",
     "how something is done when it is time"),
    (r"^XPB_|^HDP_XDP_P2P_BAR\d$", r"FLUSH|_CMD$|_REQ$",
     "how peers are reached"),
    (r"^RPB_|^ATC_ATS_FAULT|^RCC_STRAP", r".",
     "weights, kinds and straps"),
    (r"^SDMA\d_(PG_CNTL|VM_CNTL)$|^CP_APPEND_ADDR_HI$|^CPF_GCR_CNTL$|"
     r"^CP_GFX_HQD_HQ_CONTROL0$|^XPB_HST_CFG$", r".",
     "kinds of commands, of which another register is the start"),
    (r"^CP_DMA_(ME|PFP)_CONTROL$", r".",
     "how a copy is done"),
    (r"^CP_HQD_PERSISTENT_STATE$|^CP_GFX_HPD_STATUS0$", r".",
     "state of a queue, loaded with it"),
]

# Effects that vgpu need not implement, in the same format
HARMLESS = [
    (r"_HDP_(REG|MEM)_COHERENCY_FLUSH_CNTL$|^HDP_READ_CACHE_INVALIDATE$", r"",
     "what the host writes to VRAM is seen at once"),
    (r"_UTCL1_CNTL(_\d)?$", r"INVALIDATE",
     "there is one TLB, which GCVM_INVALIDATE_ENGn_REQ flushes"),
    (r"_UCODE_DATA$|_[ID]RAM_DATA$|^RLC_SRM_ARAM_DATA$", r"",
     "firmware and its lists, which nothing here executes"),
    (r"^GRBM_(HYP_)?CAM_DATA$", r"",
     "other places for registers of draws, which nothing reads "
     "(gfx_v10_0_setup_grbm_cam_remapping())"),
    (r"^(DIDT|GC_CAC|SE_CAC)_IND_DATA$", r"",
     "limits of power, of which none is used (gfx_v10_3_set_power_brake_sequence())"),
]


def _search(rules, register, field):
    return any(re.search(reg, register) and
               (not f or field is None or re.search(f, field))
               for reg, f, _ in rules)


def _excepted(register, field):
    rules = EXCEPTIONS + HARMLESS
    if field is None:
        return any(re.search(reg, register) and f in ("", ".")
                   for reg, f, _ in rules)
    return _search(rules, register, field)


def _is_port(register, registers):
    match = PORT.search(register)
    if not match:
        return False
    stem = register[:match.start(1)]
    return any(stem + select + tail in registers
               for select in PORT_SELECTS
               for tail in {"", match.group(2)})


def find(registers, fields):
    """Find the registers with effects among the names of one header.

    fields maps the name of a register to its fields: [(field, mask)]. Returns a dictionary
    from the name to the mask of the bits that have an effect if one is set; mask 0 means
    that every write has an effect.
    """
    found = {}
    for name in registers:
        if not _excepted(name, None):
            if (any(re.search(rule, name) for rule, _ in REGISTERS) or
                    _is_port(name, registers)):
                found[name] = 0
                continue
            if any(re.search(rule, name) for rule, _ in NONZERO):
                found[name] = 0xffffffff
                continue
        mask = 0
        for field, bits in fields.get(name, []):
            if (any(re.search(rule, field) for rule, _ in FIELDS) and
                    not _excepted(name, field)):
                mask |= bits
        if mask:
            found[name] = mask
    return found
