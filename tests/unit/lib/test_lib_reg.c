// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/reg.c and the tables of the generations, compared with values that were computed by hand
 * from the bit positions in gc_10_3_0_sh_mask.h (Linux 6.12).
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include <amdgpudbg.h>

#include "../../array_size.h"

static const uint32_t vangogh = ADBG_GC_VERSION(10, 3, 1);

static uint32_t field_of(const char *reg, const char *field, uint32_t raw)
{
	const struct adbg_reg *r = adbg_reg_find(vangogh, reg);
	const struct adbg_field *f;

	assert_non_null(r);
	f = adbg_reg_find_field(r, field);
	if (!f)
		fail_msg("no %s.%s", reg, field);
	return adbg_field_value(f, raw);
}

static void generations_are_distinguished(void **state)
{
	(void)state;
	assert_int_equal(adbg_reg_count(vangogh), 21);
	assert_int_equal(adbg_reg_count(ADBG_GC_VERSION(10, 3, 0)), 21);
	assert_int_equal(adbg_reg_count(ADBG_GC_VERSION(10, 3, 7)), 21);
	assert_int_equal(adbg_reg_count(ADBG_GC_VERSION(10, 1, 10)), 0);
	assert_int_equal(adbg_reg_count(ADBG_GC_VERSION(10, 4, 0)), 0);
	assert_int_equal(adbg_reg_count(ADBG_GC_VERSION(11, 0, 0)), 0);
	assert_int_equal(adbg_reg_count(0), 0);
	assert_null(adbg_reg_get(0, 0));
	assert_null(adbg_reg_find(0, "STATUS"));
	assert_null(adbg_reg_get(vangogh, 21));
	assert_null(adbg_reg_find(vangogh, "HW_ID"));
	assert_null(adbg_reg_find(vangogh, ""));
	assert_ptr_equal(adbg_reg_find(vangogh, "STATUS"),
			 adbg_reg_find(vangogh, "SQ_WAVE_STATUS"));
	assert_null(adbg_reg_find_field(adbg_reg_find(vangogh, "STATUS"),
					"halt"));
}

/* ixSQ_WAVE_* of gc_10_3_0_offset.h */
static void indexes_are_right(void **state)
{
	static const struct {
		const char *name;
		uint32_t index;
	} cases[] = {
		{ "SQ_WAVE_MODE", 0x101 }, { "SQ_WAVE_STATUS", 0x102 },
		{ "SQ_WAVE_TRAPSTS", 0x103 }, { "SQ_WAVE_GPR_ALLOC", 0x105 },
		{ "SQ_WAVE_LDS_ALLOC", 0x106 }, { "SQ_WAVE_IB_STS", 0x107 },
		{ "SQ_WAVE_TTMP0", 0x26c }, { "SQ_WAVE_TTMP1", 0x26d },
		{ "SQ_WAVE_INST_DW0", 0x10a }, { "SQ_WAVE_IB_DBG1", 0x10d },
		{ "SQ_WAVE_HW_ID1", 0x117 }, { "SQ_WAVE_HW_ID2", 0x118 },
		{ "SQ_WAVE_IB_STS2", 0x11c }, { "SQ_WAVE_M0", 0x27c },
		{ "SQ_WAVE_PC_LO", 0x108 }, { "SQ_WAVE_PC_HI", 0x109 },
		{ "SQ_WAVE_EXEC_LO", 0x27e }, { "SQ_WAVE_EXEC_HI", 0x27f },
		{ "SQ_WAVE_FLAT_SCRATCH_LO", 0x114 },
		{ "SQ_WAVE_FLAT_SCRATCH_HI", 0x115 },
		{ "SQ_WAVE_SCHED_MODE", 0x11a },
	};

	(void)state;
	assert_int_equal(ARRAY_SIZE(cases), adbg_reg_count(vangogh));
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(adbg_reg_find(vangogh, cases[i].name)->index,
				 cases[i].index);
}

static void fields_are_in_order_and_do_not_overlap(void **state)
{
	const struct adbg_reg *reg;

	(void)state;
	for (size_t i = 0; (reg = adbg_reg_get(vangogh, i)); i++) {
		const struct adbg_field *f;
		uint32_t end = 0;
		size_t n;

		for (n = 0; (f = adbg_reg_get_field(reg, n)); n++) {
			if (f->shift < end || !f->width ||
			    f->shift + f->width > 32)
				fail_msg("%s.%s", reg->name, f->name);
			end = f->shift + f->width;
			for (uint32_t b = 0; f->bits && b < f->width; b++)
				assert_true(*f->bits[b]);
		}
		assert_int_equal(n, reg->num_fields);
		assert_true(n > 0);
	}
}

/*
 * 0x00812063: SCC, SPI_PRIO 1, PRIV, TRAP_EN, HALT, VALID, FATAL_HALT.
 *	bit 0; bit 1; bits 5, 6; bit 13; bit 16; bit 23
 */
static void status_is_taken_apart(void **state)
{
	static const char *const set[] = {
		"SCC", "SPI_PRIO", "PRIV", "TRAP_EN", "HALT", "VALID",
		"FATAL_HALT",
	};
	static const char *const clear[] = {
		"USER_PRIO", "TTRACE_EN", "EXPORT_RDY", "EXECZ", "VCCZ",
		"IN_TG", "IN_BARRIER", "TRAP", "TTRACE_SIMD_EN", "ECC_ERR",
		"SKIP_EXPORT", "PERF_EN", "MUST_EXPORT",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(set); i++)
		assert_int_equal(field_of("STATUS", set[i], 0x00812063), 1);
	for (size_t i = 0; i < ARRAY_SIZE(clear); i++)
		assert_int_equal(field_of("STATUS", clear[i], 0x00812063), 0);
	for (size_t i = 0; i < ARRAY_SIZE(clear); i++)
		assert_true(field_of("STATUS", clear[i], ~0x00812063U) > 0);
	assert_int_equal(field_of("STATUS", "USER_PRIO", 0x18), 3);
	assert_int_equal(field_of("STATUS", "MUST_EXPORT", 0x08000000), 1);
	assert_int_equal(field_of("STATUS", "IN_TG", 0x800), 1);
	assert_int_equal(field_of("STATUS", "IN_BARRIER", 0x1000), 1);
}

/*
 * TRAPSTS 0xb1a5dd81: EXCP 0x181 (invalid, watch 0, memory violation) [8:0],
 * SAVECTX [10], ILLEGAL_INST [11], EXCP_HI 5 (watches 1 and 3) [14:12],
 * BUFFER_OOB [15], EXCP_CYCLE 5 [19:16], EXCP_GROUP_MASK 0xa [23:20],
 * EXCP_WAVE64HI [24], UTC_ERROR [28], DP_RATE 5 [31:29]
 */
static void trapsts_is_taken_apart(void **state)
{
	const struct adbg_field *f;

	(void)state;
	assert_int_equal(field_of("TRAPSTS", "EXCP", 0xb1a5dd81), 0x181);
	assert_int_equal(field_of("TRAPSTS", "SAVECTX", 0xb1a5dd81), 1);
	assert_int_equal(field_of("TRAPSTS", "ILLEGAL_INST", 0xb1a5dd81), 1);
	assert_int_equal(field_of("TRAPSTS", "EXCP_HI", 0xb1a5dd81), 5);
	assert_int_equal(field_of("TRAPSTS", "BUFFER_OOB", 0xb1a5dd81), 1);
	assert_int_equal(field_of("TRAPSTS", "EXCP_CYCLE", 0xb1a5dd81), 5);
	assert_int_equal(field_of("TRAPSTS", "EXCP_GROUP_MASK", 0xb1a5dd81),
			 0xa);
	assert_int_equal(field_of("TRAPSTS", "EXCP_WAVE64HI", 0xb1a5dd81), 1);
	assert_int_equal(field_of("TRAPSTS", "UTC_ERROR", 0xb1a5dd81), 1);
	assert_int_equal(field_of("TRAPSTS", "DP_RATE", 0xb1a5dd81), 5);

	f = adbg_reg_find_field(adbg_reg_find(vangogh, "TRAPSTS"), "EXCP");
	assert_string_equal(f->bits[0], "INVALID");
	assert_string_equal(f->bits[6], "INT_DIV0");
	assert_string_equal(f->bits[7], "ADDR_WATCH0");
	assert_string_equal(f->bits[8], "MEM_VIOL");
	f = adbg_reg_find_field(adbg_reg_find(vangogh, "TRAPSTS"), "EXCP_HI");
	assert_string_equal(f->bits[0], "ADDR_WATCH1");
	assert_string_equal(f->bits[2], "ADDR_WATCH3");
	f = adbg_reg_find_field(adbg_reg_find(vangogh, "STATUS"), "HALT");
	assert_null(f->bits);
}

/*
 * MODE 0x001803f0 | 0x00800000: FP_DENORM 15, DX10_CLAMP, IEEE, EXCP_EN 0x180,
 * FP16_OVFL; DEBUG_EN is 0x800
 */
static void mode_is_taken_apart(void **state)
{
	const uint32_t mode = 0x001803f0 | 0x00800000;

	(void)state;
	assert_int_equal(field_of("MODE", "FP_ROUND", mode), 0);
	assert_int_equal(field_of("MODE", "FP_DENORM", mode), 15);
	assert_int_equal(field_of("MODE", "DX10_CLAMP", mode), 1);
	assert_int_equal(field_of("MODE", "IEEE", mode), 1);
	assert_int_equal(field_of("MODE", "LOD_CLAMPED", mode), 0);
	assert_int_equal(field_of("MODE", "DEBUG_EN", mode), 0);
	assert_int_equal(field_of("MODE", "DEBUG_EN", 0x800), 1);
	assert_int_equal(field_of("MODE", "EXCP_EN", mode), 0x180);
	assert_int_equal(field_of("MODE", "FP16_OVFL", mode), 1);
	assert_int_equal(field_of("MODE", "DISABLE_PERF", mode), 0);
	assert_int_equal(field_of("MODE", "FP_ROUND", 0xf), 15);
}

/*
 * HW_ID1: wave 21, SIMD 2, WGP 9, SA 1, SE 3
 *	= 0x15 | 2 << 8 | 9 << 10 | 1 << 16 | 3 << 18 = 0x000d2615
 * HW_ID2: queue 5, pipe 2, ME 1, state 6, WG 17, VMID 11
 *	= 5 | 2 << 4 | 1 << 8 | 6 << 12 | 17 << 16 | 11 << 24 = 0x0b116125
 */
static void hw_ids_are_taken_apart(void **state)
{
	(void)state;
	assert_int_equal(field_of("HW_ID1", "WAVE_ID", 0x000d2615), 21);
	assert_int_equal(field_of("HW_ID1", "SIMD_ID", 0x000d2615), 2);
	assert_int_equal(field_of("HW_ID1", "WGP_ID", 0x000d2615), 9);
	assert_int_equal(field_of("HW_ID1", "SA_ID", 0x000d2615), 1);
	assert_int_equal(field_of("HW_ID1", "SE_ID", 0x000d2615), 3);
	assert_int_equal(field_of("HW_ID2", "QUEUE_ID", 0x0b116125), 5);
	assert_int_equal(field_of("HW_ID2", "PIPE_ID", 0x0b116125), 2);
	assert_int_equal(field_of("HW_ID2", "ME_ID", 0x0b116125), 1);
	assert_int_equal(field_of("HW_ID2", "STATE_ID", 0x0b116125), 6);
	assert_int_equal(field_of("HW_ID2", "WG_ID", 0x0b116125), 17);
	assert_int_equal(field_of("HW_ID2", "VM_ID", 0x0b116125), 11);
}

/*
 * GPR_ALLOC 0x05a30c81: base 0x81, size 0x0c, SGPR base 0xa3, size 5
 * LDS_ALLOC 0x030ff1ab: base 0x1ab, size 0x0ff, shared 3
 * IB_STS 0xab40532d: VM_CNT 13, EXP_CNT 2, LGKM_CNT 3, VALU_CNT 5,
 *	VM_CNT_HI 1, LGKM_CNT_BIT5 1, VS_CNT 42
 * IB_STS2 0x00000b83: prefetch 3, RESOURCE_OVERRIDE, MEM_ORDER 3, WAVE64
 * IB_DBG1 0xff000000: WAVE_IDLE, MISC_CNT 127
 */
static void the_rest_is_taken_apart(void **state)
{
	(void)state;
	assert_int_equal(field_of("GPR_ALLOC", "VGPR_BASE", 0x05a30c81), 0x81);
	assert_int_equal(field_of("GPR_ALLOC", "VGPR_SIZE", 0x05a30c81), 0x0c);
	assert_int_equal(field_of("GPR_ALLOC", "SGPR_BASE", 0x05a30c81), 0xa3);
	assert_int_equal(field_of("GPR_ALLOC", "SGPR_SIZE", 0x05a30c81), 5);
	assert_int_equal(field_of("LDS_ALLOC", "LDS_BASE", 0x030ff1ab), 0x1ab);
	assert_int_equal(field_of("LDS_ALLOC", "LDS_SIZE", 0x030ff1ab), 0x0ff);
	assert_int_equal(field_of("LDS_ALLOC", "VGPR_SHARED_SIZE", 0x030ff1ab),
			 3);
	assert_int_equal(field_of("IB_STS", "VM_CNT", 0xab40532d), 13);
	assert_int_equal(field_of("IB_STS", "EXP_CNT", 0xab40532d), 2);
	assert_int_equal(field_of("IB_STS", "LGKM_CNT_BIT4", 0xab40532d), 0);
	assert_int_equal(field_of("IB_STS", "LGKM_CNT", 0xab40532d), 3);
	assert_int_equal(field_of("IB_STS", "VALU_CNT", 0xab40532d), 5);
	assert_int_equal(field_of("IB_STS", "VM_CNT_HI", 0xab40532d), 1);
	assert_int_equal(field_of("IB_STS", "LGKM_CNT_BIT5", 0xab40532d), 1);
	assert_int_equal(field_of("IB_STS", "VS_CNT", 0xab40532d), 42);
	assert_int_equal(field_of("IB_STS2", "INST_PREFETCH", 0xb83), 3);
	assert_int_equal(field_of("IB_STS2", "RESOURCE_OVERRIDE", 0xb83), 1);
	assert_int_equal(field_of("IB_STS2", "MEM_ORDER", 0xb83), 3);
	assert_int_equal(field_of("IB_STS2", "FWD_PROGRESS", 0xb83), 0);
	assert_int_equal(field_of("IB_STS2", "WAVE64", 0xb83), 1);
	assert_int_equal(field_of("IB_DBG1", "WAVE_IDLE", 0xff000000), 1);
	assert_int_equal(field_of("IB_DBG1", "MISC_CNT", 0xff000000), 127);
	assert_int_equal(field_of("IB_DBG1", "MISC_CNT", 0x01000000), 0);
	/* A field as wide as the register. */
	assert_int_equal(field_of("M0", "M0", 0xffffffff), 0xffffffff);
	assert_int_equal(field_of("INST_DW0", "INST_DW0", 0xbf810000),
			 0xbf810000);
}

static void values_are_those_of_their_numbers(void **state)
{
	static const char *const names[] = {
		"MODE", "STATUS", "TRAPSTS", "HW_ID1", "HW_ID2", "GPR_ALLOC",
		"LDS_ALLOC", "IB_STS", "IB_STS2", "IB_DBG1", "INST_DW0",
		"PC_LO", "PC_HI", "M0", "EXEC_LO", "EXEC_HI",
		"FLAT_SCRATCH_LO", "FLAT_SCRATCH_HI", "SCHED_MODE", "TTMP0",
		"TTMP1",
	};
	struct amdgpudbg_wave wave = {
		.flags = AMDGPUDBG_WAVE_TTMP, .hw_mask = (1 << 19) - 1,
		.ttmp = { 20, 21 },
	};
	const struct adbg_reg *reg;

	(void)state;
	for (size_t i = 0; i < 19; i++)
		wave.hw[i] = i + 1;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		reg = adbg_reg_find(vangogh, names[i]);
		assert_true(adbg_reg_is_known(reg, &wave));
		assert_int_equal(adbg_reg_value(reg, &wave), i + 1);
	}
}

/* One at a time: only that one is known, and the others are 0, not garbage. */
static void what_was_not_read_is_not_known(void **state)
{
	struct amdgpudbg_wave wave;
	const struct adbg_reg *reg;

	(void)state;
	memset(&wave, 0xee, sizeof(wave));
	for (uint32_t only = 0; only < 21; only++) {
		wave.hw_mask = only < 19 ? 1u << only : 0;
		wave.flags = only < 19 ? 0 : AMDGPUDBG_WAVE_TTMP;
		for (size_t i = 0; (reg = adbg_reg_get(vangogh, i)); i++) {
			bool known = only < 19 ? i == only : i >= 19;

			assert_int_equal(adbg_reg_is_known(reg, &wave), known);
			assert_int_equal(adbg_reg_value(reg, &wave),
					 known ? 0xeeeeeeee : 0);
		}
	}
}

/* A later library may know registers that this program's record has no room for. */
static void a_number_beyond_the_record_is_not_known(void **state)
{
	struct adbg_reg reg = { .space = AMDGPUDBG_REG_HW };
	struct amdgpudbg_wave wave;

	(void)state;
	memset(&wave, 0xff, sizeof(wave));
	for (uint32_t number = 0; number < 100; number++) {
		reg.number = number;
		reg.space = AMDGPUDBG_REG_HW;
		assert_int_equal(adbg_reg_is_known(&reg, &wave), number < 32);
		assert_int_equal(adbg_reg_value(&reg, &wave),
				 number < 32 ? 0xffffffff : 0);
		reg.space = AMDGPUDBG_REG_TTMP;
		assert_int_equal(adbg_reg_is_known(&reg, &wave), number < 16);
		assert_int_equal(adbg_reg_value(&reg, &wave),
				 number < 16 ? 0xffffffff : 0);
	}
}

/* {1'h0, PCRewind[5:0], HT, TrapID[7:0], PC[47:0]}: RDNA 2 ISA, 4.2 */
static void traps_are_taken_apart(void **state)
{
	struct amdgpudbg_wave wave = {
		.flags = AMDGPUDBG_WAVE_HALTED | AMDGPUDBG_WAVE_TTMP,
		.hw_mask = 1 << AMDGPUDBG_GFX10_3_M0,
		.ttmp = { 0xfedcba98, 0x0702ffff },
	};
	const struct adbg_reg *ttmp1 = adbg_reg_find(vangogh, "TTMP1");
	struct adbg_trap trap;

	(void)state;
	assert_int_equal(adbg_wave_get_trap(&wave, vangogh, &trap), 0);
	/* An address has 48 bits and a sign. */
	assert_true(trap.pc == 0xfffffffffedcba98);
	assert_int_equal(trap.id, 2);
	assert_int_equal(trap.host, 1);
	assert_int_equal(trap.rewind, 3 * 4);
	assert_int_equal(trap.resumed, 0);
	assert_int_equal(field_of("TTMP1", "PC_REWIND", wave.ttmp[1]), 3);
	assert_true(adbg_reg_is_known(ttmp1, &wave));
	assert_int_equal(adbg_reg_value(ttmp1, &wave), 0x0702ffff);

	wave.ttmp[1] = 0x80067fff;
	assert_int_equal(adbg_wave_get_trap(&wave, vangogh, &trap), 0);
	assert_true(trap.pc == 0x7ffffedcba98);
	assert_int_equal(trap.id, 6);
	assert_int_equal(trap.host, 0);
	assert_int_equal(trap.rewind, 0);
	/* That is the handlers' (AMDGPUDBG_IOC_TRAP_HANDLER). */
	assert_int_equal(trap.resumed, 1);

	assert_int_equal(adbg_wave_get_trap(&wave, ADBG_GC_VERSION(7, 2, 0),
					    &trap), -EOPNOTSUPP);
	wave.flags = AMDGPUDBG_WAVE_HALTED;
	assert_int_equal(adbg_wave_get_trap(&wave, vangogh, &trap), -ENODATA);
	assert_false(adbg_reg_is_known(ttmp1, &wave));
	assert_true(adbg_reg_is_known(adbg_reg_find(vangogh, "M0"), &wave));
}

static void causes_have_names(void **state)
{
	static const struct {
		uint32_t trapsts;
		const char *name;
	} cases[] = {
		{ 1 << 0, "INVALID" }, { 1 << 1, "INPUT_DENORM" },
		{ 1 << 2, "DIV0" }, { 1 << 3, "OVERFLOW" },
		{ 1 << 4, "UNDERFLOW" }, { 1 << 5, "INEXACT" },
		{ 1 << 6, "INT_DIV0" }, { 1 << 7, "ADDR_WATCH0" },
		{ 1 << 8, "MEM_VIOL" }, { 1 << 10, "SAVECTX" },
		{ 1 << 11, "ILLEGAL_INST" }, { 1 << 12, "ADDR_WATCH1" },
		{ 1 << 13, "ADDR_WATCH2" }, { 1 << 14, "ADDR_WATCH3" },
		{ 1 << 15, "BUFFER_OOB" }, { 1 << 28, "UTC_ERROR" },
	};
	struct amdgpudbg_wave wave = {
		.hw_mask = 1 << AMDGPUDBG_GFX10_3_TRAPSTS,
	};
	uint32_t *const trapsts = &wave.hw[AMDGPUDBG_GFX10_3_TRAPSTS];
	const char *all[ADBG_MAX_CAUSES];
	const char *names[3] = { NULL };

	(void)state;
	assert_int_equal(adbg_wave_get_causes(&wave, vangogh, names, 3), 0);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		*trapsts = cases[i].trapsts;
		assert_int_equal(adbg_wave_get_causes(&wave, vangogh, names,
						      3), 1);
		assert_string_equal(names[0], cases[i].name);
	}

	/* EXCP_CYCLE, EXCP_GROUP_MASK and DP_RATE are no causes. */
	*trapsts = 0xe0ff0000;
	assert_int_equal(adbg_wave_get_causes(&wave, vangogh, names, 3), 0);
	*trapsts = 0xffffffff;
	assert_int_equal(adbg_wave_get_causes(&wave, vangogh, names, 2), 2);
	assert_string_equal(names[1], "INPUT_DENORM");
	assert_null(names[2]);
	assert_int_equal(adbg_wave_get_causes(&wave, vangogh, all,
					      ADBG_MAX_CAUSES), 16);
	assert_string_equal(all[15], "UTC_ERROR");
	assert_int_equal(adbg_wave_get_causes(&wave, 0, names, 2), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(generations_are_distinguished),
		cmocka_unit_test(indexes_are_right),
		cmocka_unit_test(fields_are_in_order_and_do_not_overlap),
		cmocka_unit_test(status_is_taken_apart),
		cmocka_unit_test(trapsts_is_taken_apart),
		cmocka_unit_test(mode_is_taken_apart),
		cmocka_unit_test(hw_ids_are_taken_apart),
		cmocka_unit_test(the_rest_is_taken_apart),
		cmocka_unit_test(values_are_those_of_their_numbers),
		cmocka_unit_test(what_was_not_read_is_not_known),
		cmocka_unit_test(a_number_beyond_the_record_is_not_known),
		cmocka_unit_test(traps_are_taken_apart),
		cmocka_unit_test(causes_have_names),
	};

	return cmocka_run_group_tests_name("lib_reg", tests, NULL, NULL);
}
