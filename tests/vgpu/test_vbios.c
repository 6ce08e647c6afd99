// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The video BIOS, read as by the PCI core, atom.c and amdgpu_atomfirmware.c (Linux 6.1 to 7.2).
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "vgpu.h"

#define SIZE		4096
#define EOT		91

static u8 rom[2 * SIZE];
static struct vgpu gpu;

static int setup(void **state)
{
	(void)state;
	gpu.profile = vgpu_profile_find("vangogh");
	memset(rom, 0xff, sizeof(rom));
	assert_int_equal(vgpu_vbios_build(&gpu, rom, sizeof(rom)), SIZE);
	return 0;
}

static u16 get16(size_t at)
{
	return rom[at] | rom[at + 1] << 8;
}

static u32 get32(size_t at)
{
	return get16(at) | (u32)get16(at + 2) << 16;
}

/* The tables that the ROM header points to, at 0x1e and 0x20 */
static size_t master(unsigned int offset)
{
	return get16(get16(0x48) + offset);
}

static size_t data_table(unsigned int index)
{
	size_t at = get16(master(0x20) + 4 + 2 * index);

	assert_in_range(at, 1, SIZE - 5);
	assert_true(at + get16(at) <= SIZE);
	return at;
}

static void expansion_rom(void **state)
{
	size_t pcir = get16(0x18), i;
	u8 sum = 0;

	(void)state;
	assert_int_equal(get16(0), 0xaa55);
	assert_int_equal(rom[2] * 512, SIZE);
	assert_memory_equal(rom + pcir, "PCIR", 4);
	assert_int_equal(get16(pcir + 4), 0x1002);
	assert_int_equal(get16(pcir + 6), 0x163f);
	assert_int_equal(get16(pcir + 16) * 512, SIZE);
	/* Code that no PC firmware runs, and the last image */
	assert_int_not_equal(rom[pcir + 20], 0);
	assert_int_equal(rom[pcir + 21] & 0x80, 0x80);
	for (i = 0; i < SIZE; i++)
		sum += rom[i];
	assert_int_equal(sum, 0);
	/* Nothing was written behind it but zeros. */
	for (i = SIZE; i < sizeof(rom); i++)
		assert_int_equal(rom[i], 0);
}

static void atom_header(void **state)
{
	(void)state;
	assert_memory_equal(rom + 0x30, " 761295520", 10);
	assert_memory_equal(rom + get16(0x48) + 4, "ATOM", 4);
	assert_true(master(0x1e) > 0);
	assert_true(master(0x20) > 0);
}

/* What atom.c prints; an empty part number is a NULL dereference there. */
static void strings(void **state)
{
	size_t header = get16(0x48), i;

	(void)state;
	assert_true(strlen((char *)rom + 0x80) > 4);
	assert_int_equal(rom[0x2f], 0);		/* no string table */
	assert_in_range(get16(0x6e), 1, header - 1);
	for (i = get16(0x6e); i < header; i++)
		if (!memcmp(rom + i, "ATOMBIOSBK-AMD", 14))
			break;
	assert_true(i < header);
	/* Three strings for atom_get_vbios_build(), before the header */
	i = get16(header + 0xc);
	assert_in_range(i, 1, header - 1);
	i += strlen((char *)rom + i) + 1;
	i += strlen((char *)rom + i) + 1;
	assert_true(i + strlen((char *)rom + i) < header);
}

/* amdgpu_atomfirmware_asic_init(), amdgpu_atom_execute_table() */
static void asic_init_does_nothing(void **state)
{
	size_t init = get16(master(0x1e) + 4);

	(void)state;
	assert_in_range(init, 1, SIZE - 7);
	assert_int_equal(rom[init + 2], 2);
	assert_true(rom[init + 3] >= 1);
	assert_int_equal(rom[init + 4], 0);	/* no work space */
	assert_int_equal(rom[init + 6], EOT);
}

static void data_tables(void **state)
{
	size_t at = data_table(4);		/* firmwareinfo */

	(void)state;
	assert_int_equal(rom[at + 2], 3);
	assert_int_equal(rom[at + 3], 1);
	assert_int_not_equal(get32(at + 8), 0);		/* sclk */
	assert_int_not_equal(get32(at + 12), 0);	/* mclk */
	assert_int_equal(get32(at + 24),
			 gpu.profile->regs[R_BIOS_SCRATCH_0]);
	assert_int_equal(gpu.profile->regs[R_BIOS_SCRATCH_0] + 7,
			 gpu.profile->regs[R_BIOS_SCRATCH_7]);

	/* The 100 MHz of time stamps, in 10 kHz */
	at = data_table(14);			/* gfx_info */
	assert_int_equal(rom[at + 2], 2);
	assert_int_equal(rom[at + 3], 2);
	assert_int_equal(get32(at + 40), 10000);

	at = data_table(30);			/* integratedsysteminfo */
	assert_int_equal(rom[at + 2], 2);
	assert_int_equal(rom[at + 3], 1);
	assert_int_not_equal(rom[at + 27], 0);	/* memory channels */

	/* atom_index_iio(): code that begins with something else than START */
	assert_int_not_equal(rom[data_table(23) + 4], 1);
}

static void a_vbios_that_does_not_fit_is_refused(void **state)
{
	u8 small[1024];

	(void)state;
	assert_int_equal(vgpu_vbios_build(&gpu, small, sizeof(small)), -ENOSPC);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(expansion_rom),
		cmocka_unit_test(atom_header),
		cmocka_unit_test(strings),
		cmocka_unit_test(asic_init_does_nothing),
		cmocka_unit_test(data_tables),
		cmocka_unit_test(a_vbios_that_does_not_fit_is_refused),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
