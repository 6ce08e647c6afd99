// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The IP discovery table, read byte by byte as amdgpu_discovery.c does, through MM_INDEX and
 * MM_DATA; and the other windows of the north bridge.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "engine.h"

#define TMR_OFFSET	(64U << 10)
#define TMR_DWORDS	2560

static u32 at(enum vgpu_role role)
{
	return gpu.profile->regs[role];
}

/* amdgpu_device_mm_access() */
static u32 mm_read(u64 pos)
{
	vgpu_reg_write(&gpu, at(R_MM_INDEX), (u32)pos | BIT(31));
	vgpu_reg_write(&gpu, at(R_MM_INDEX_HI), pos >> 31);
	return vgpu_reg_read(&gpu, at(R_MM_DATA));
}

static u16 get16(const u8 *p, size_t offset)
{
	return p[offset] | p[offset + 1] << 8;
}

static u32 get32(const u8 *p, size_t offset)
{
	return get16(p, offset) | (u32)get16(p, offset + 2) << 16;
}

static u16 sum(const u8 *p, size_t len)
{
	u16 s = 0;

	while (len--)
		s += *p++;
	return s;
}

static void table_as_the_driver_reads_it(void **state)
{
	static u8 bin[TMR_DWORDS * 4];
	const struct vgpu_profile *p = gpu.profile;
	u64 vram = (u64)vgpu_reg_read(&gpu, at(R_RCC_CONFIG_MEMSIZE)) << 20;
	size_t ip, gc, die, i, b, offset;

	(void)state;
	assert_int_equal(vram, gpu.vram_size);
	for (i = 0; i < TMR_DWORDS; i++) {
		u32 val = mm_read(vram - TMR_OFFSET + i * 4);

		memcpy(bin + i * 4, &val, 4);
	}
	assert_int_equal(get32(bin, 0), 0x28211407);
	assert_int_equal(get16(bin, 4), 1);	/* 2 is another header */
	assert_true(get16(bin, 10) <= sizeof(bin));
	assert_int_equal(get16(bin, 8), sum(bin + 10, get16(bin, 10) - 10));

	/* Table 0: the IPs */
	ip = get16(bin, 12);
	assert_int_equal(get16(bin, 14), sum(bin + ip, get16(bin, 16)));
	assert_int_equal(get32(bin, ip), 0x53445049);
	assert_int_equal(get16(bin, ip + 4), 3);
	assert_int_equal(get16(bin, ip + 12), 1);	/* dies */
	die = get16(bin, ip + 16);
	assert_int_equal(get16(bin, die + 2), p->num_ips);
	offset = die + 4;
	for (i = 0; i < p->num_ips; i++) {
		const u8 *row = bin + offset;

		assert_int_equal(get16(row, 0), p->ips[i].hw_id);
		assert_int_equal(row[3], p->ips[i].num_bases);
		assert_int_equal(row[4], p->ips[i].major);
		assert_int_equal(row[5], p->ips[i].minor);
		assert_int_equal(row[6], p->ips[i].revision);
		for (b = 0; b < row[3]; b++)
			assert_int_equal(get32(row, 8 + b * 4),
					 p->ips[i].base[b]);
		offset += 8 + row[3] * 4;
	}
	assert_int_equal(offset, ip + get16(bin, 16));

	/* Table 1: the graphics core */
	gc = get16(bin, 20);
	assert_int_equal(get16(bin, 22), sum(bin + gc, get16(bin, 24)));
	assert_int_equal(get32(bin, gc), 0x4347);
	assert_int_equal(get16(bin, gc + 4), 1);
	assert_int_equal(get16(bin, gc + 6), 1);
	assert_int_equal(get32(bin, gc + 8), 100);
	assert_int_equal(get32(bin, gc + 12), gpu.num_se);
	assert_int_equal(get32(bin, gc + 16), gpu.num_wgp);
	assert_int_equal(get32(bin, gc + 56), 32);		/* wave size */
	assert_int_equal(get32(bin, gc + 60), gpu.num_slots);
	assert_int_equal(get32(bin, gc + 76), gpu.num_sa);
	/* No other table: no harvest, no video. */
	assert_int_equal(get16(bin, 28), 0);
}

static void geometry_of_options(void **state)
{
	struct vgpu big = gpu;
	u8 bin[4096];
	size_t gc;

	(void)state;
	big.num_se = 2;
	big.num_sa = 2;
	big.num_wgp = 5;
	assert_true(vgpu_discovery_build(&big, bin, sizeof(bin)) > 0);
	gc = get16(bin, 20);
	assert_int_equal(get32(bin, gc + 12), 2);
	assert_int_equal(get32(bin, gc + 16), 5);
	assert_int_equal(get32(bin, gc + 76), 2);
	assert_int_equal(vgpu_discovery_build(&big, bin, 64), -ENOSPC);
}

static void window_into_vram(void **state)
{
	(void)state;
	*(u32 *)(gpu.vram + 0x123450) = 0x11223344;
	assert_int_equal(mm_read(0x123450), 0x11223344);
	vgpu_reg_write(&gpu, at(R_MM_DATA), 0x55667788);
	assert_int_equal(*(u32 *)(gpu.vram + 0x123450), 0x55667788);
	assert_int_equal(mm_read(gpu.vram_size), 0xffffffff);
	engine_expect(&gpu, VGPU_BAD_REGISTER, 1);
}

/* Above 2 GiB the address continues in MM_INDEX_HI. */
static void window_into_much_vram(void **state)
{
	const u64 size = 3ULL << 30, pos = (1ULL << 31) + 0x123450;
	u64 size_before = gpu.vram_size;
	u8 *before = gpu.vram, *map;

	(void)state;
	map = mmap(NULL, size, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	assert_ptr_not_equal(map, MAP_FAILED);
	gpu.vram = map;
	gpu.vram_size = size;
	*(u32 *)(map + pos) = 0x31;
	assert_int_equal(mm_read(pos), 0x31);
	assert_int_equal(vgpu_reg_read(&gpu, at(R_RCC_CONFIG_MEMSIZE)), 3072);
	gpu.vram = before;
	gpu.vram_size = size_before;
	munmap(map, size);
}

static void window_into_registers(void **state)
{
	u32 scratch = 0xc040;	/* SCRATCH_REG0 */

	(void)state;
	vgpu_reg_write(&gpu, scratch, 0x99);
	vgpu_reg_write(&gpu, at(R_MM_INDEX), scratch * 4);
	assert_int_equal(vgpu_reg_read(&gpu, at(R_MM_DATA)), 0x99);
	vgpu_reg_write(&gpu, at(R_MM_DATA), 0x9a);
	assert_int_equal(vgpu_reg_read(&gpu, scratch), 0x9a);
	/* The window does not show itself. */
	vgpu_reg_write(&gpu, at(R_MM_INDEX), at(R_MM_DATA) * 4);
	vgpu_reg_read(&gpu, at(R_MM_DATA));
	vgpu_reg_write(&gpu, at(R_MM_DATA), 1);
	engine_expect(&gpu, VGPU_BAD_REGISTER, 2);
}

static void smn_registers_are_stored(void **state)
{
	(void)state;
	vgpu_reg_write(&gpu, at(R_PCIE_INDEX2), 0x11140288);
	assert_int_equal(vgpu_reg_read(&gpu, at(R_PCIE_DATA2)), 0);
	vgpu_reg_write(&gpu, at(R_PCIE_DATA2), 0xabc);
	/* Both windows show the same space. */
	vgpu_reg_write(&gpu, at(R_RSMU_INDEX), 0x11140288);
	assert_int_equal(vgpu_reg_read(&gpu, at(R_RSMU_DATA)), 0xabc);
	vgpu_reg_write(&gpu, at(R_RSMU_INDEX), 0x1114028c);
	assert_int_equal(vgpu_reg_read(&gpu, at(R_RSMU_DATA)), 0);
	assert_int_equal(vgpu_smn_read(&gpu, 0x11140288), 0xabc);
}

/* A guest cannot make vgpu grow without end. */
static void the_number_of_smn_registers_is_limited(void **state)
{
	u32 i;

	(void)state;
	for (i = 0; i < 1000; i++)
		vgpu_smn_write(&gpu, 0x20000000 + i * 4, i);
	assert_true(vgpu_complaints(&gpu, VGPU_BAD_REGISTER) > 0);
	assert_true(vgpu_complaints(&gpu, VGPU_BAD_REGISTER) < 900);
	assert_int_equal(vgpu_smn_read(&gpu, 0x20000000 + 64), 16);
	/* Those that are there can still be written. */
	vgpu_smn_write(&gpu, 0x20000000 + 64, 17);
	assert_int_equal(vgpu_smn_read(&gpu, 0x20000000 + 64), 17);
	engine_expect(&gpu, VGPU_BAD_REGISTER,
		      vgpu_complaints(&gpu, VGPU_BAD_REGISTER));
}

static void hdp_flush_where_the_driver_wants_it(void **state)
{
	(void)state;
	/* nv_common_early_init(): the last page of the register aperture */
	vgpu_reg_write(&gpu, at(R_REMAP_HDP_MEM_FLUSH_CNTL), 0x7f000);
	vgpu_reg_write(&gpu, at(R_REMAP_HDP_REG_FLUSH_CNTL), 0x7f004);
	vgpu_reg_write(&gpu, 0x7f000 / 4, 0);
	assert_int_equal(vgpu_reg_read(&gpu, 0x7f000 / 4), 0);
	vgpu_reg_write(&gpu, 0x7f004 / 4, 0);
	assert_int_equal(vgpu_complaints_total(&gpu), 0);
	vgpu_reg_write(&gpu, at(R_REMAP_HDP_MEM_FLUSH_CNTL), 0x80000);
	engine_expect(&gpu, VGPU_BAD_REGISTER, 1);
	/* Not over a register that does something */
	vgpu_reg_write(&gpu, at(R_REMAP_HDP_MEM_FLUSH_CNTL),
		       at(R_RCC_CONFIG_MEMSIZE) * 4);
	engine_expect(&gpu, VGPU_BAD_REGISTER, 1);
	assert_int_equal(vgpu_reg_read(&gpu, at(R_RCC_CONFIG_MEMSIZE)),
			 gpu.vram_size >> 20);
}

static void the_clock_of_the_gpu_advances(void **state)
{
	u32 lower = vgpu_reg_read(&gpu, at(R_GOLDEN_TSC_COUNT_LOWER));
	u64 until = vgpu_now_ns() + 1000;

	(void)state;
	while (vgpu_now_ns() < until)
		;
	assert_int_not_equal(vgpu_reg_read(&gpu, at(R_GOLDEN_TSC_COUNT_LOWER)),
			     lower);
	/* amdgpu reads the clock of APUs at another place. */
	lower = vgpu_reg_read(&gpu, at(R_GOLDEN_TSC_COUNT_LOWER_Vangogh));
	assert_in_range(vgpu_reg_read(&gpu, at(R_GOLDEN_TSC_COUNT_LOWER)) - lower, 0, 1U << 31);
}

/* PCI reset: the tables are there again, whatever the guest wrote. */
static void tables_after_cold_reset(void **state)
{
	(void)state;
	memset(gpu.vram, 0, 4096);
	memset(gpu.vram + gpu.vram_size - TMR_OFFSET, 0, 4096);
	vgpu_cold_reset(&gpu);
	assert_int_equal(mm_read(gpu.vram_size - TMR_OFFSET), 0x28211407);
	assert_int_equal(mm_read(0) & 0xffff, 0xaa55);
	/* ATOM_S7_ASIC_INIT_COMPLETE: the driver need not post the card. */
	assert_true(vgpu_reg_read(&gpu, at(R_BIOS_SCRATCH_7)) & BIT(9));
	assert_int_equal(vgpu_reg_read(&gpu, at(R_RCC_IOV_FUNC_IDENTIFIER)), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		ENGINE_TEST(table_as_the_driver_reads_it),
		ENGINE_TEST(geometry_of_options),
		ENGINE_TEST(window_into_vram),
		ENGINE_TEST(window_into_much_vram),
		ENGINE_TEST(window_into_registers),
		ENGINE_TEST(smn_registers_are_stored),
		ENGINE_TEST(the_number_of_smn_registers_is_limited),
		ENGINE_TEST(hdp_flush_where_the_driver_wants_it),
		ENGINE_TEST(the_clock_of_the_gpu_advances),
		ENGINE_TEST(tables_after_cold_reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
