/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The published layout of the library's own structures, for 64 bits, by the rules of
 * abi_golden.h; and the sizes that programs contain. All structures but adbg_trap_stop have a
 * fixed size: a new member replaces a reserved one.
 */

STRUCT(adbg_gpu, 72 + sizeof(struct amdgpudbg_info))
FIELD(adbg_gpu, number, 0, 4)
FIELD(adbg_gpu, error, 4, 4)
FIELD(adbg_gpu, path, 8, 32)
FIELD(adbg_gpu, __reserved, 40, 32)
FIELD(adbg_gpu, info, 72, sizeof(struct amdgpudbg_info))

STRUCT(adbg_client, 56)
FIELD(adbg_client, client_id, 0, 8)
FIELD(adbg_client, pid, 8, 4)
FIELD(adbg_client, pasid, 12, 4)
FIELD(adbg_client, fd, 16, 4)
FIELD(adbg_client, num_fds, 20, 4)
FIELD(adbg_client, name, 24, 16)
FIELD(adbg_client, __reserved, 40, 16)

STRUCT(adbg_range, 8)
FIELD(adbg_range, first, 0, 2)
FIELD(adbg_range, last, 2, 2)
FIELD(adbg_range, __reserved, 4, 4)

STRUCT(adbg_wave_spec, 64)
FIELD(adbg_wave_spec, xcc, 0, 8)
FIELD(adbg_wave_spec, se, 8, 8)
FIELD(adbg_wave_spec, sa, 16, 8)
FIELD(adbg_wave_spec, wgp, 24, 8)
FIELD(adbg_wave_spec, simd, 32, 8)
FIELD(adbg_wave_spec, wave, 40, 8)
FIELD(adbg_wave_spec, __reserved, 48, 16)

STRUCT(adbg_trap_stop, 176)
FIELD(adbg_trap_stop, size, 0, 4)
FIELD(adbg_trap_stop, count, 4, 4)
FIELD(adbg_trap_stop, pc, 8, 8)
FIELD(adbg_trap_stop, exec, 16, 8)
FIELD(adbg_trap_stop, id, 24, 4)
FIELD(adbg_trap_stop, host, 28, 4)
FIELD(adbg_trap_stop, ttmp, 32, 8)
FIELD(adbg_trap_stop, hw_mask, 40, 8)
FIELD(adbg_trap_stop, hw, 48, 128)

STRUCT(adbg_field, 40)
FIELD(adbg_field, name, 0, 8)
FIELD(adbg_field, shift, 8, 4)
FIELD(adbg_field, width, 12, 4)
FIELD(adbg_field, bits, 16, 8)
FIELD(adbg_field, __reserved, 24, 16)

STRUCT(adbg_reg, 32)
FIELD(adbg_reg, name, 0, 8)
FIELD(adbg_reg, space, 8, 4)
FIELD(adbg_reg, number, 12, 4)
FIELD(adbg_reg, index, 16, 4)
FIELD(adbg_reg, writable, 20, 4)
FIELD(adbg_reg, num_fields, 24, 4)
FIELD(adbg_reg, __reserved, 28, 4)

STRUCT(adbg_trap, 32)
FIELD(adbg_trap, pc, 0, 8)
FIELD(adbg_trap, id, 8, 4)
FIELD(adbg_trap, host, 12, 4)
FIELD(adbg_trap, rewind, 16, 4)
FIELD(adbg_trap, resumed, 20, 4)
FIELD(adbg_trap, __reserved, 24, 8)

STRUCT(adbg_reg_file, 32)
FIELD(adbg_reg_file, num_sgpr, 0, 4)
FIELD(adbg_reg_file, num_ttmp, 4, 4)
FIELD(adbg_reg_file, max_vgpr, 8, 4)
FIELD(adbg_reg_file, max_lane, 12, 4)
FIELD(adbg_reg_file, __reserved, 16, 16)

NUMBER(ADBG_WAVE_NAME_MAX, 64)
NUMBER(ADBG_REG_NAME_MAX, 32)
NUMBER(ADBG_MAX_CAUSES, 32)
NUMBER(ADBG_RANGE_MAX, 65535)
