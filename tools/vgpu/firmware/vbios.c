// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The video BIOS: a PCI expansion ROM with the ATOM tables that amdgpu reads from an APU
 * without display. Structures: atomfirmware.h, fixed offsets: atom.h (Linux 7.2.12).
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "firmware/tables.h"
#include "gpu.h"
#include "profiles/profile.h"
#include "regs/regs.h"

#define IMAGE_SIZE		4096
#define ROM_BLOCK		512

/* Fixed offsets in the image */
#define AT_SIZE			0x02
#define AT_PCIR_PTR		0x18
#define AT_ATI_MAGIC		0x30
#define AT_ROM_TABLE_PTR	0x48
#define AT_DATE			0x50
#define AT_STRINGS_PTR		0x6e
#define AT_PART_NUMBER		0x80
#define AT_REST			0xa0

/* Indexes in the master tables, and their lengths */
#define NUM_COMMANDS		81
#define COMMAND_ASIC_INIT	0
#define NUM_DATA_TABLES		35
#define DATA_FIRMWAREINFO	4
#define DATA_SMU_INFO		8
#define DATA_GFX_INFO		14
#define DATA_INDIRECTIOACCESS	23
#define DATA_INTEGRATEDSYSTEMINFO 30

#define ATOM_OP_EOT		91	/* end of a command table */
#define LPDDR5_MEM_TYPE		35
#define REFCLK_10KHZ		10000	/* the 100 MHz of timestamps */
#define SCLK_10KHZ		40000
#define MCLK_10KHZ		80000

struct image {
	u8 *buf;
	size_t used;
};

static void put16(struct image *im, size_t at, u16 val)
{
	memcpy(im->buf + at, &val, sizeof(val));
}

static void put32(struct image *im, size_t at, u32 val)
{
	memcpy(im->buf + at, &val, sizeof(val));
}

/* Allocate the next @len bytes of the image, which are zero. Returns their offset. */
static size_t take(struct image *im, size_t len)
{
	size_t at = im->used;

	im->used += (len + 3) & ~3UL;
	return at;
}

static size_t take_string(struct image *im, const char *s)
{
	size_t at = take(im, strlen(s) + 1);

	memcpy(im->buf + at, s, strlen(s) + 1);
	return at;
}

/* Allocate a table and write its atom_common_table_header. Returns its offset. */
static size_t take_table(struct image *im, size_t len, u8 format, u8 content)
{
	size_t at = take(im, len);

	put16(im, at, len);
	im->buf[at + 2] = format;
	im->buf[at + 3] = content;
	return at;
}

/* Write the PCI data structure. Its code type is 3: no machine executes the image. */
static void put_pcir(struct image *im, const struct vgpu_profile *p)
{
	size_t at = take(im, 24);

	put16(im, AT_PCIR_PTR, at);
	memcpy(im->buf + at, "PCIR", 4);
	put16(im, at + 4, p->pci_vendor);
	put16(im, at + 6, p->pci_device);
	put16(im, at + 10, 24);
	im->buf[at + 13] = p->pci_class;
	put16(im, at + 14, p->pci_class >> 8);
	put16(im, at + 16, IMAGE_SIZE / ROM_BLOCK);
	im->buf[at + 20] = 3;
	im->buf[at + 21] = 0x80;	/* last image */
}

static size_t put_commands(struct image *im)
{
	size_t master = take_table(im, 4 + 2 * NUM_COMMANDS, 2, 1);
	/* ASIC_INIT: header, attributes, and a body with only an end */
	size_t init = take_table(im, 7, 2, 1);

	im->buf[init + 6] = ATOM_OP_EOT;
	put16(im, master + 4 + 2 * COMMAND_ASIC_INIT, init);
	return master;
}

static void put_data(struct image *im, size_t master, unsigned int index,
		     size_t at)
{
	put16(im, master + 4 + 2 * index, at);
}

static size_t put_data_tables(struct image *im, const struct vgpu_profile *p)
{
	size_t master = take_table(im, 4 + 2 * NUM_DATA_TABLES, 2, 1), at;

	at = take_table(im, 72, 3, 1);		/* atom_firmware_info_v3_1 */
	put32(im, at + 4, 1);			/* firmware_revision */
	put32(im, at + 8, SCLK_10KHZ);
	put32(im, at + 12, MCLK_10KHZ);
	put32(im, at + 24, p->regs[R_BIOS_SCRATCH_0]);
	put_data(im, master, DATA_FIRMWAREINFO, at);

	at = take_table(im, 28, 3, 1);		/* atom_smu_info_v3_1 */
	put32(im, at + 16, REFCLK_10KHZ);	/* core_refclk_10khz */
	put_data(im, master, DATA_SMU_INFO, at);

	at = take_table(im, 44, 2, 2);		/* atom_gfx_info_v2_2 */
	put32(im, at + 40, REFCLK_10KHZ);	/* rlc_gpu_timer_refclk */
	put_data(im, master, DATA_GFX_INFO, at);

	/* Only a header: no indirect I/O programs. */
	at = take_table(im, 8, 1, 1);
	put_data(im, master, DATA_INDIRECTIOACCESS, at);

	at = take_table(im, 1088, 2, 1);	/* atom_integrated_system_info */
	im->buf[at + 26] = LPDDR5_MEM_TYPE;
	im->buf[at + 27] = 4;			/* umachannelnumber */
	put_data(im, master, DATA_INTEGRATEDSYSTEMINFO, at);
	return master;
}

int vgpu_vbios_build(const struct vgpu *g, void *buf, size_t size)
{
	struct image im = { .buf = buf, .used = AT_REST };
	size_t header, config, i;
	u8 sum = 0;

	if (size < IMAGE_SIZE)
		return -ENOSPC;
	memset(buf, 0, size);
	put16(&im, 0, 0xaa55);
	im.buf[AT_SIZE] = IMAGE_SIZE / ROM_BLOCK;
	memcpy(im.buf + AT_ATI_MAGIC, " 761295520", 10);
	memcpy(im.buf + AT_DATE, "11/20/26 00:00", 14);
	snprintf((char *)im.buf + AT_PART_NUMBER, AT_REST - AT_PART_NUMBER,
		 "113-VGPU-%s", g->profile->name);
	put_pcir(&im, g->profile);

	/* Drivers search for strings between AT_STRINGS_PTR and the ROM header. */
	config = take_string(&im, "vgpu");
	take_string(&im, "");
	take_string(&im, "1");
	put16(&im, AT_STRINGS_PTR, AT_PART_NUMBER);
	take_string(&im, "ATOMBIOSBK-AMD VER001.000.000.000.000000");

	header = take_table(&im, 40, 2, 2);	/* atom_rom_header_v2_2 */
	put16(&im, AT_ROM_TABLE_PTR, header);
	memcpy(im.buf + header + 4, "ATOM", 4);
	put16(&im, header + 12, config);
	put16(&im, header + 24, g->profile->pci_subvendor);
	put16(&im, header + 26, g->profile->pci_subdevice);
	put16(&im, header + 30, put_commands(&im));
	put16(&im, header + 32, put_data_tables(&im, g->profile));

	/* The bytes of an expansion ROM must add up to 0. */
	for (i = 0; i < IMAGE_SIZE; i++)
		sum += im.buf[i];
	im.buf[IMAGE_SIZE - 1] = -sum;
	return IMAGE_SIZE;
}
