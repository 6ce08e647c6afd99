// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The profiles: tables that are complete and consistent, and numbers that are
 * those of the hardware interface.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "regs/regs.h"

static const char *const role_names[VGPU_NUM_ROLES] = {
	/* in the order of enum vgpu_role */
#define ROLE_NAME(name, ip) #name,
	VGPU_ROLES(ROLE_NAME)
#undef ROLE_NAME
};

static const char *name_of(const struct vgpu_profile *p, u32 dword)
{
	unsigned int i;

	for (i = 0; i < p->num_names; i++)
		if (p->names[i].dword == dword)
			return p->names[i].name;
	return NULL;
}

static void find(void **state)
{
	const struct vgpu_profile *const *all;
	unsigned int num, i;

	(void)state;
	all = vgpu_profiles(&num);
	assert_true(num >= 1);
	for (i = 0; i < num; i++)
		assert_ptr_equal(vgpu_profile_find(all[i]->name), all[i]);
	assert_null(vgpu_profile_find("vangog"));
	assert_null(vgpu_profile_find(""));
}

static void names_are_sorted(void **state)
{
	const struct vgpu_profile *p = vgpu_profile_find("vangogh");
	unsigned int i;

	(void)state;
	assert_true(p->num_names > 5000);
	for (i = 0; i < p->num_names; i++) {
		assert_true(p->names[i].dword < VGPU_NUM_REGS);
		if (i)
			assert_true(p->names[i - 1].dword < p->names[i].dword);
	}
}

/* Each role has a number of its own, and the register there has its name. */
static void roles_are_complete(void **state)
{
	const struct vgpu_profile *p = vgpu_profile_find("vangogh");
	unsigned int i, j;

	(void)state;
	for (i = 0; i < VGPU_NUM_ROLES; i++) {
		const char *name = name_of(p, p->regs[i]);

		assert_true(p->regs[i] < VGPU_NUM_REGS);
		assert_non_null(name);
		/* NBIO's names have the function in front, others a suffix. */
		if (!strstr(name, role_names[i]))
			fail_msg("role %s is register %s", role_names[i], name);
		for (j = 0; j < i; j++)
			assert_int_not_equal(p->regs[i], p->regs[j]);
	}
}

/* gc_10_3_0_offset.h and others with the bases of vangogh_ip_offset.h */
static void known_numbers(void **state)
{
	static const struct {
		enum vgpu_role role;
		u32 dword;
	} known[] = {
		{ R_MM_INDEX, 0x0 },
		{ R_RCC_CONFIG_MEMSIZE, 0xde3 },
		{ R_BIOS_SCRATCH_7, 0x53 },
		{ R_MP0_SMN_C2PMSG_33, 0x16061 },
		{ R_MP1_SMN_C2PMSG_66, 0x16282 },
		{ R_IH_VMID_0_LUT, 0x10a0 },
		{ R_IH_RB_CNTL, 0x1120 },
		{ R_GRBM_GFX_CNTL, 0x2022 },
		{ R_GRBM_GFX_INDEX, 0xc200 },
		{ R_SQ_IND_INDEX, 0x2378 },
		{ R_SQ_IND_DATA, 0x2379 },
		{ R_SQ_CMD, 0x237b },
		{ R_SQ_SHADER_TBA_LO, 0x2312 },
		{ R_SQ_SHADER_TMA_HI, 0x2315 },
		{ R_TCP_WATCH0_ADDR_H, 0x32a0 },
		{ R_SQ_WATCH0_ADDR_H, 0x2330 },
		{ R_SPI_GDBG_TRAP_CONFIG, 0x31d2 },
		{ R_CP_HQD_ACTIVE, 0x320b },
		{ R_GCVM_INVALIDATE_ENG0_REQ, 0x287f },
		{ R_MMVM_INVALIDATE_ENG0_SEM, 0x1aa00 },
		{ R_RLC_SAFE_MODE, 0xeca0 },
	};
	const struct vgpu_profile *p = vgpu_profile_find("vangogh");
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(known); i++)
		assert_int_equal(p->regs[known[i].role], known[i].dword);
}

static void banks_do_not_overlap(void **state)
{
	const struct vgpu_profile *p = vgpu_profile_find("vangogh");
	unsigned int i, j;

	(void)state;
	for (i = 0; i < p->num_banks; i++) {
		assert_true(p->banks[i].first <= p->banks[i].last);
		for (j = 0; j < i; j++)
			assert_true(p->banks[i].first > p->banks[j].last ||
				    p->banks[i].last < p->banks[j].first);
	}
}

static void ips_fit(void **state)
{
	const struct vgpu_profile *p = vgpu_profile_find("vangogh");
	unsigned int i, gc = 0;

	(void)state;
	for (i = 0; i < p->num_ips; i++) {
		assert_in_range(p->ips[i].num_bases, 1,
				ARRAY_SIZE(p->ips[i].base));
		if (p->ips[i].hw_id != VGPU_HWID_GC)
			continue;
		gc++;
		assert_int_equal(p->ips[i].major, 10);
		assert_int_equal(p->ips[i].minor, 3);
		assert_int_equal(p->ips[i].revision, 1);
	}
	assert_int_equal(gc, 1);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(find),
		cmocka_unit_test(names_are_sorted),
		cmocka_unit_test(roles_are_complete),
		cmocka_unit_test(known_numbers),
		cmocka_unit_test(banks_do_not_overlap),
		cmocka_unit_test(ips_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
