#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Lists the waves of a GPU, or of a process, and reads a register of the first.

usage: sample.py [PID]

The structures and numbers are those of <linux/amdgpudbg.h>.
"""

import ctypes
import errno
import fcntl
import json
import os
import sys
from ctypes import c_char, c_int32, c_uint8, c_uint16, c_uint32, c_uint64

ABI_VERSION = 0
IOC_TYPE = 0xE6

# _IO(): neither a direction nor a size is in the number.
IOC_GET_INFO = IOC_TYPE << 8 | 0x80
IOC_WAVE_LIST = IOC_TYPE << 8 | 0x82
IOC_TARGET_SET = IOC_TYPE << 8 | 0x84
IOC_REG_ACCESS = IOC_TYPE << 8 | 0x86

WAVE_HALTED = 1 << 0
WAVE_PASID = 1 << 3
TARGET_SET_TAKE_FD = 1 << 0
REG_HW = 3
REGSET_GFX10_3 = 1
GFX10_3_EXEC_LO = 14
SYS_PIDFD_GETFD = 438


class Info(ctypes.Structure):
    _fields_ = [
        ("size", c_uint32), ("flags", c_uint32), ("abi_version", c_uint32),
        ("gc_version", c_uint32), ("pci_domain", c_uint32), ("pci_bus", c_uint16),
        ("pci_device", c_uint8), ("pci_function", c_uint8), ("vendor_id", c_uint16),
        ("device_id", c_uint16), ("num_xcc", c_uint32), ("num_se", c_uint32),
        ("num_sa", c_uint32), ("num_wgp", c_uint32), ("num_simd", c_uint32),
        ("num_wave", c_uint32), ("num_vmid", c_uint32), ("first_kfd_vmid", c_uint32),
        ("num_capabilities", c_uint32), ("num_active_cu", c_uint32),
        ("gpu_reset_count", c_uint32), ("render_minor", c_uint32), ("regset", c_uint32),
        ("driver_build_id", c_char * 48), ("module_version", c_char * 32),
        ("halt_left_ms", c_uint32), ("halt_wait_ms", c_uint32), ("num_watch", c_uint32),
        ("watch_granule", c_uint32), ("watch_mask_ones", c_uint64), ("va_bits", c_uint32),
        ("gpu_clock_khz", c_uint32), ("event_mask", c_uint64), ("excp_supported", c_uint64),
        ("unique_id", c_uint64), ("max_buffer_bytes", c_uint64),
        ("max_access_bytes", c_uint64), ("is_apu", c_uint32), ("num_sgpr", c_uint32),
        ("num_vgpr", c_uint32), ("num_agpr", c_uint32), ("num_ttmp", c_uint32),
        ("lds_granule", c_uint32), ("wave_sizes", c_uint32), ("max_trap_id", c_uint32),
        ("max_reg_ranges", c_uint32), ("max_reg_values", c_uint32),
        ("max_buffers", c_uint32), ("max_patches", c_uint32),
        ("max_patch_bytes", c_uint32), ("max_batch", c_uint32),
    ]


class Coord(ctypes.Structure):
    _fields_ = [
        ("xcc", c_uint16), ("se", c_uint16), ("sa", c_uint16), ("wgp", c_uint16),
        ("simd", c_uint16), ("wave", c_uint16), ("reserved", c_uint32),
    ]

    def name(self):
        return (f"se{self.se}.sa{self.sa}.wgp{self.wgp}"
                f".simd{self.simd}.wave{self.wave}")


class TargetSet(ctypes.Structure):
    _fields_ = [
        ("size", c_uint32), ("flags", c_uint32), ("drm_fd", c_int32), ("pidfd", c_int32),
        ("pasid", c_uint32), ("vmid_mask", c_uint32), ("xcc_mask", c_uint32),
        ("halt_limit_ms", c_uint32), ("lds_aperture", c_uint64),
        ("scratch_aperture", c_uint64), ("busy", c_uint32), ("reserved", c_uint32),
    ]


class Wave(ctypes.Structure):
    _fields_ = [
        ("id", c_uint64), ("time", c_uint64), ("pc", c_uint64), ("exec", c_uint64),
        ("hw_mask", c_uint64), ("at", Coord), ("flags", c_uint32), ("vmid", c_uint32),
        ("pasid", c_uint32), ("stage", c_uint32), ("session_pid", c_int32),
        ("pid", c_int32), ("ttmp", c_uint32 * 16), ("reserved2", c_uint32 * 16),
        ("hw", c_uint32 * 32),
    ]


class Select(ctypes.Structure):
    _fields_ = [
        ("xcc_mask", c_uint32), ("vmid_mask", c_uint32), ("pasid", c_uint32),
        ("at_mask", c_uint32), ("at", Coord), ("wave_flags", c_uint32),
        ("wave_flags_mask", c_uint32), ("stage_mask", c_uint32),
        ("reserved", c_uint32 * 9),
    ]


class WaveList(ctypes.Structure):
    _fields_ = [
        ("size", c_uint32), ("flags", c_uint32), ("select", Select),
        ("hw_want", c_uint64), ("waves", c_uint64), ("entry_size", c_uint32),
        ("capacity", c_uint32), ("count", c_uint32), ("num_halted", c_uint32),
        ("gpu_reset_count", c_uint32), ("timeout_ms", c_uint32),
        ("hw_offset", c_uint32), ("num_hw", c_uint32), ("time", c_uint64),
        ("gpu_time", c_uint64), ("busy", c_uint32), ("reserved", c_uint32),
    ]


class RegRange(ctypes.Structure):
    _fields_ = [
        ("space", c_uint32), ("first", c_uint32), ("count", c_uint32),
        ("first_lane", c_uint32), ("num_lanes", c_uint32), ("reserved", c_uint32),
    ]


class RegAccess(ctypes.Structure):
    _fields_ = [
        ("size", c_uint32), ("flags", c_uint32), ("at", Coord), ("vmid", c_uint32),
        ("num_ranges", c_uint32), ("pc", c_uint64), ("id", c_uint64), ("ranges", c_uint64),
        ("values", c_uint64), ("compare", c_uint64), ("num_values", c_uint32),
        ("num_done", c_uint32), ("busy", c_uint32), ("reserved", c_uint32),
    ]


# The sizes that the header says: AMDGPUDBG_*_SIZE_V1
for structure, size in ((Info, 288), (TargetSet, 56), (Wave, 336), (WaveList, 160),
                        (RegAccess, 88)):
    assert ctypes.sizeof(structure) == size, structure


def call(session, number, argument):
    """An ioctl, which changes its argument."""
    argument.size = ctypes.sizeof(argument)
    fcntl.ioctl(session, number, argument, True)
    return argument


def pidfd_getfd(pidfd, number):
    libc = ctypes.CDLL(None, use_errno=True)
    fd = libc.syscall(SYS_PIDFD_GETFD, pidfd, number, 0)
    if fd < 0:
        raise OSError(ctypes.get_errno(), "pidfd_getfd")
    return fd


def take_target(session, pid):
    """The session acts on this process from then on; the module takes the descriptor."""
    try:
        pidfd = os.pidfd_open(pid)
    except ProcessLookupError:
        sys.exit(f"there is no process {pid}")
    folder = f"/proc/{pid}/fd"
    for number in os.listdir(folder):
        try:
            if not os.readlink(f"{folder}/{number}").startswith("/dev/dri/"):
                continue
            return call(session, IOC_TARGET_SET, TargetSet(
                flags=TARGET_SET_TAKE_FD, drm_fd=pidfd_getfd(pidfd, int(number)),
                pidfd=pidfd))
        except OSError as error:
            # A file of another GPU, or one that the process has closed
            if error.errno not in (errno.ENOTTY, errno.ENOENT, errno.EBADF):
                raise
    sys.exit(f"process {pid} has no DRM file of this GPU")


def list_waves(session, info):
    slots = (info.num_xcc * info.num_se * info.num_sa * info.num_wgp * info.num_simd *
             info.num_wave)
    records = (Wave * slots)()
    answer = call(session, IOC_WAVE_LIST, WaveList(
        waves=ctypes.addressof(records), entry_size=ctypes.sizeof(Wave), capacity=slots))
    return records[:answer.count]


def read_exec_lo(session, wave):
    """A hardware register, which a running wave lets be read as well."""
    wanted = RegRange(space=REG_HW, first=GFX10_3_EXEC_LO, count=1)
    value = c_uint32()
    call(session, IOC_REG_ACCESS, RegAccess(
        at=wave.at, vmid=wave.vmid, num_ranges=1, ranges=ctypes.addressof(wanted),
        num_values=1, values=ctypes.addressof(value)))
    return value.value


def main():
    session = os.open("/dev/amdgpudbg0", os.O_RDWR | os.O_CLOEXEC)
    info = call(session, IOC_GET_INFO, Info())
    if info.abi_version != ABI_VERSION or info.regset != REGSET_GFX10_3:
        sys.exit("this module or GPU is not known")
    if len(sys.argv) > 1:
        take_target(session, int(sys.argv[1]))
    waves = list_waves(session, info)
    for wave in waves:
        print(json.dumps({
            "name": wave.at.name(), "vmid": wave.vmid,
            "pasid": wave.pasid if wave.flags & WAVE_PASID else None,
            "pc": f"0x{wave.pc:016x}", "halted": bool(wave.flags & WAVE_HALTED)}))
    if waves:
        print(json.dumps({"name": waves[0].at.name(),
                          "exec_lo": f"0x{read_exec_lo(session, waves[0]):08x}"}))


main()
