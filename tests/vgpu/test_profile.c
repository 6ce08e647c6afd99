// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The profiles: their tables are complete and consistent, and numbers are those of the hardware
 * interface.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isa/image/swizzle.h"
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

static void a_profile_is_found_by_name(void **state)
{
	const struct vgpu_profile *const *all;
	unsigned int num, i;

	(void)state;
	all = vgpu_profiles(&num);
	assert_true(num >= 2);
	for (i = 0; i < num; i++)
		assert_ptr_equal(vgpu_profile_find(all[i]->name), all[i]);
	assert_null(vgpu_profile_find("vangog"));
	assert_null(vgpu_profile_find(""));
}

static void names_are_there_once(const struct vgpu_profile *p)
{
	static bool seen[VGPU_NUM_REGS];
	unsigned int i;

	assert_true(p->num_names > 5000);
	memset(seen, 0, sizeof(seen));
	for (i = 0; i < p->num_names; i++) {
		assert_true(p->names[i].dword < VGPU_NUM_REGS);
		assert_false(seen[p->names[i].dword]);
		seen[p->names[i].dword] = true;
	}
}

/* Each role has a number of its own, and the register there has its name. */
static void roles_are_complete(const struct vgpu_profile *p)
{
	unsigned int i, j;

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

/* Registers that do something when they are written: each is one, and there once. */
static void effects_are_known(const struct vgpu_profile *p)
{
	const struct vgpu_reg_effects *e = p->effects;
	unsigned int i;

	assert_true(e->num > 200);
	for (i = 0; i < e->num; i++) {
		assert_true(e->rows[i].dword < VGPU_NUM_REGS);
		assert_non_null(name_of(p, e->rows[i].dword));
		if (i)
			assert_true(e->rows[i].dword > e->rows[i - 1].dword);
	}
}

/* gc_10_3_0_offset.h and others with the bases of vangogh_ip_offset.h */
static void profiles_have_known_register_numbers(void **state)
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

static void banks_do_not_overlap(const struct vgpu_profile *p)
{
	unsigned int i, j;

	for (i = 0; i < p->gen->num_banks; i++) {
		assert_true(p->gen->banks[i].first <= p->gen->banks[i].last);
		for (j = 0; j < i; j++)
			assert_true(p->gen->banks[i].first > p->gen->banks[j].last ||
				    p->gen->banks[i].last < p->gen->banks[j].first);
	}
}

/* The graphics core's version is that which the driver is to see. */
static void ips_fit(const struct vgpu_profile *p)
{
	unsigned int i, gc = 0;

	for (i = 0; i < p->num_ips; i++) {
		assert_in_range(p->ips[i].num_bases, 1,
				ARRAY_SIZE(p->ips[i].base));
		if (p->ips[i].hw_id != VGPU_HWID_GC)
			continue;
		gc++;
		assert_int_equal(p->ips[i].major, 10);
		assert_int_equal(p->ips[i].minor, 3);
		/* amdgpu_discovery.c, Linux 6.12: 10.3.1 Van Gogh, 10.3.0 Navi 21 */
		assert_int_equal(p->ips[i].revision,
				 p->pci_device == 0x163f ? 1 : 0);
	}
	assert_int_equal(gc, 1);
}

/* amdgpu_pci_ids (amdgpu_drv.c, Linux 6.12); firmware: MODULE_FIRMWARE, the same */
static void profiles_have_the_geometry_of_their_gpus(void **state)
{
	static const struct {
		const char *name, *cpu, *firmware;
		u16 device;
		u8 se, sa, wgp;
	} known[] = {
		{ "vangogh", "gfx1033", "vangogh_mec.bin", 0x163f, 1, 1, 4 },
		{ "navi21-hybrid", "gfx1030", "sienna_cichlid_mec.bin", 0x73bf,
		  4, 2, 5 },
	};
	size_t i;
	unsigned int k, mec;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(known); i++) {
		const struct vgpu_profile *p = vgpu_profile_find(known[i].name);

		assert_non_null(p);
		assert_int_equal(p->pci_vendor, 0x1002);
		assert_int_equal(p->pci_device, known[i].device);
		assert_string_equal(p->llvm_cpu, known[i].cpu);
		assert_int_equal(p->num_se, known[i].se);
		assert_int_equal(p->num_sa, known[i].sa);
		assert_int_equal(p->num_wgp, known[i].wgp);
		for (k = 0, mec = 0; k < p->num_firmware; k++)
			if (!strcmp(p->firmware[k].name, known[i].firmware))
				mec = p->firmware[k].ucode_version;
		/* kfd_device.c: .no_atomic_fw_version = 92 */
		assert_in_range(mec, 92, 0xffff);
	}
}

/* Whatever a guest writes into CMD and MODE of SQ_CMD, there is an entry for it. */
static void sq_commands_fit(const struct vgpu_generation *gen)
{
	u32 cmd = gen->fields[F_SQ_CMD_CMD], mode = gen->fields[F_SQ_CMD_MODE];

	assert_true(cmd >> __builtin_ctz(cmd) < VGPU_NUM_SQ_CMDS);
	assert_true(mode >> __builtin_ctz(mode) < VGPU_NUM_SQ_MODES);
}

/* GB_ADDR_CONFIG: NUM_PIPES, NUM_PKRS (gc_10_3_0_sh_mask.h, Linux 6.12) */
static void images_are_known(const struct vgpu_profile *p)
{
	assert_non_null(vgpu_swizzle_find(p->gb_addr_config & 7,
					  p->gb_addr_config >> 8 & 7));
}

static void tables_of_a_profile_are_consistent(void **state)
{
	const struct vgpu_profile *const *all;
	unsigned int num, i;

	(void)state;
	all = vgpu_profiles(&num);
	for (i = 0; i < num; i++) {
		names_are_there_once(all[i]);
		roles_are_complete(all[i]);
		effects_are_known(all[i]);
		banks_do_not_overlap(all[i]);
		ips_fit(all[i]);
		sq_commands_fit(all[i]->gen);
		images_are_known(all[i]);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_profile_is_found_by_name),
		cmocka_unit_test(profiles_have_known_register_numbers),
		cmocka_unit_test(profiles_have_the_geometry_of_their_gpus),
		cmocka_unit_test(tables_of_a_profile_are_consistent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
