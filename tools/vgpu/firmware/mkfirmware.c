// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A separate program that writes placeholders for the firmware files that amdgpu loads, for
 * guests in which AMD's files are not installed. They have the headers that amdgpu checks
 * (amdgpu_ucode.h, Linux 7.2.12) and a payload of zeros, because vgpu does not execute
 * firmware.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "profiles/profile.h"

#define PAYLOAD_SIZE	1024
#define PAYLOAD_OFFSET	256	/* more than the longest header */

/* Offset and size of the jump table, at the end of the payload, in dwords */
#define JT_OFFSET	192
#define JT_SIZE		64

struct common_header {
	u32 size, header_size;
	u16 major, minor;
	u16 ip_major, ip_minor;
	u32 ucode_version, ucode_size, ucode_offset, crc32;
};

struct psp_header_v1_0 {
	struct common_header common;
	u32 fw_version, offset, size;
};

struct gfx_header_v1_0 {
	struct common_header common;
	u32 feature_version, jt_offset, jt_size;
};

struct rlc_header_v2_0 {
	struct common_header common;
	u32 feature_version, jt_offset, jt_size;
	u32 lists[15];	/* save/restore lists: none, at offset 0 */
};

struct sdma_header_v1_0 {
	struct common_header common;
	u32 feature_version, change_version, jt_offset, jt_size;
};

union header {
	struct common_header common;
	struct psp_header_v1_0 psp;
	struct gfx_header_v1_0 gfx;
	struct rlc_header_v2_0 rlc;
	struct sdma_header_v1_0 sdma;
	u8 bytes[PAYLOAD_OFFSET];
};

static void make_header(const struct vgpu_firmware *fw, union header *h)
{
	memset(h, 0, sizeof(*h));
	h->common.major = 1;
	h->common.size = PAYLOAD_OFFSET + PAYLOAD_SIZE;
	h->common.ucode_version = fw->ucode_version;
	h->common.ucode_size = PAYLOAD_SIZE;
	h->common.ucode_offset = PAYLOAD_OFFSET;
	switch (fw->kind) {
	case VGPU_FW_PSP:
		h->common.header_size = sizeof(h->psp);
		h->psp.fw_version = fw->ucode_version;
		h->psp.size = PAYLOAD_SIZE;
		break;
	case VGPU_FW_GFX:
		h->common.header_size = sizeof(h->gfx);
		h->gfx.feature_version = 1;
		h->gfx.jt_offset = JT_OFFSET;
		h->gfx.jt_size = JT_SIZE;
		break;
	case VGPU_FW_RLC:
		h->common.major = 2;
		h->common.header_size = sizeof(h->rlc);
		h->rlc.feature_version = 1;
		break;
	case VGPU_FW_SDMA:
		h->common.header_size = sizeof(h->sdma);
		h->sdma.feature_version = 1;
		h->sdma.jt_offset = JT_OFFSET;
		h->sdma.jt_size = JT_SIZE;
		break;
	}
}

static int write_file(const char *dir, const struct vgpu_firmware *fw)
{
	static const u8 payload[PAYLOAD_SIZE];
	union header h;
	char path[4096];
	int ret = 0;
	FILE *f;

	if (snprintf(path, sizeof(path), "%s/%s", dir, fw->name) >=
	    (int)sizeof(path))
		return -ENAMETOOLONG;
	f = fopen(path, "wb");
	if (!f)
		return -errno;
	make_header(fw, &h);
	if (fwrite(&h, sizeof(h), 1, f) != 1 ||
	    fwrite(payload, sizeof(payload), 1, f) != 1)
		ret = -EIO;
	if (fclose(f) && !ret)
		ret = -errno;
	return ret;
}

static int write_files(const char *dir, const struct vgpu_profile *p)
{
	unsigned int i;
	int ret;

	for (i = 0; i < p->num_firmware; i++) {
		ret = write_file(dir, &p->firmware[i]);
		if (ret) {
			fprintf(stderr, "mkfirmware: %s/%s: %s\n", dir,
				p->firmware[i].name, strerror(-ret));
			return ret;
		}
	}
	return 0;
}

/* Files with the same name have the same contents, so one folder serves all profiles. */
int main(int argc, char **argv)
{
	const struct vgpu_profile *const *all;
	unsigned int num, i;

	if (argc != 2 || argv[1][0] == '-') {
		fprintf(stderr, "usage: %s DIRECTORY\n", argv[0]);
		return 2;
	}
	all = vgpu_profiles(&num);
	for (i = 0; i < num; i++)
		if (write_files(argv[1], all[i]))
			return 1;
	return 0;
}
