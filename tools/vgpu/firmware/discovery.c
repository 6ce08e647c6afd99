// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The IP discovery table, from which amdgpu reads the blocks (IPs) of the GPU, their
 * versions, where their registers are, and the geometry of the graphics core. Layout:
 * discovery.h of amdgpu (Linux 7.2.12), version 1 of the binary header, which all drivers
 * from 6.1 on can read.
 */
#include <errno.h>
#include <string.h>

#include "firmware/tables.h"
#include "gpu.h"
#include "profiles/profile.h"

#define BINARY_SIGNATURE	0x28211407
#define TABLE_SIGNATURE		0x53445049	/* "IPDS" */
#define GC_TABLE_ID		0x4347		/* "GC" */
#define NUM_TABLES		6
#define NUM_DIES		16

#pragma pack(push, 1)

struct table_info {
	u16 offset, checksum, size, padding;
};

struct binary_header {
	u32 signature;
	u16 version_major, version_minor;
	u16 checksum;		/* of the bytes after this member */
	u16 size;
	struct table_info tables[NUM_TABLES];	/* 0: IPs, 1: GC */
};

struct ip_header {
	u32 signature;
	u16 version, size;
	u32 id;
	u16 num_dies;
	struct {
		u16 id, offset;
	} dies[NUM_DIES];
	u16 padding;
};

struct die_header {
	u16 id, num_ips;
};

struct ip_v3 {
	u16 hw_id;
	u8 instance, num_bases;
	u8 major, minor, revision;
	u8 sub_revision_variant;
};

struct gc_info_v1_1 {
	u32 table_id;
	u16 version_major, version_minor;
	u32 size;
	u32 num_se;
	u32 num_wgp0_per_sa, num_wgp1_per_sa;
	u32 num_rb_per_se;
	u32 num_gl2c;
	u32 num_gprs;
	u32 num_max_gs_thds;
	u32 gs_table_depth;
	u32 gsprim_buff_depth;
	u32 parameter_cache_depth;
	u32 double_offchip_lds_buffer;
	u32 wave_size;
	u32 max_waves_per_simd;
	u32 max_scratch_slots_per_cu;
	u32 lds_size;
	u32 num_sc_per_se;
	u32 num_sa_per_se;
	u32 num_packer_per_sc;
	u32 num_gl2a;
	u32 num_tcp_per_sa;
	u32 num_sdp_interface;
	u32 num_tcps;
};

#pragma pack(pop)

static u16 byte_sum(const u8 *p, size_t len)
{
	u16 sum = 0;

	while (len--)
		sum += *p++;
	return sum;
}

static size_t ips_size(const struct vgpu_profile *p)
{
	size_t size = sizeof(struct ip_header) + sizeof(struct die_header);
	unsigned int i;

	for (i = 0; i < p->num_ips; i++)
		size += sizeof(struct ip_v3) +
			p->ips[i].num_bases * sizeof(u32);
	return size;
}

static void put_ips(const struct vgpu_profile *p, u8 *buf, size_t offset)
{
	struct die_header *die;
	struct ip_header *h = (void *)(buf + offset);
	unsigned int i;
	u8 *at;

	h->signature = TABLE_SIGNATURE;
	h->version = 3;
	h->size = ips_size(p);
	h->num_dies = 1;
	h->dies[0].offset = offset + sizeof(*h);
	die = (void *)(h + 1);
	die->num_ips = p->num_ips;
	at = (u8 *)(die + 1);
	for (i = 0; i < p->num_ips; i++) {
		const struct vgpu_ip *row = &p->ips[i];
		struct ip_v3 ip = {
			.hw_id = row->hw_id,
			.instance = row->instance,
			.num_bases = row->num_bases,
			.major = row->major,
			.minor = row->minor,
			.revision = row->revision,
		};

		memcpy(at, &ip, sizeof(ip));
		at += sizeof(ip);
		memcpy(at, row->base, row->num_bases * sizeof(u32));
		at += row->num_bases * sizeof(u32);
	}
}

/* Write the GC table: the geometry may come from options, the rest is in the profile. */
static void put_gc(const struct vgpu *g, u8 *buf, size_t offset)
{
	const struct vgpu_gc_info *info = &g->profile->gc;
	struct gc_info_v1_1 gc = {
		.table_id = GC_TABLE_ID,
		.version_major = 1,
		.version_minor = 1,
		.size = sizeof(gc),
		.num_se = g->num_se,
		.num_wgp0_per_sa = g->num_wgp,
		.num_rb_per_se = info->num_rb_per_se,
		.num_gl2c = info->num_gl2c,
		.num_gprs = info->num_gprs,
		.num_max_gs_thds = info->num_max_gs_thds,
		.gs_table_depth = info->gs_table_depth,
		.gsprim_buff_depth = info->gsprim_buff_depth,
		.parameter_cache_depth = info->parameter_cache_depth,
		.double_offchip_lds_buffer = info->double_offchip_lds_buffer,
		.wave_size = 32,
		.max_waves_per_simd = g->num_slots,
		.max_scratch_slots_per_cu = info->max_scratch_slots_per_cu,
		.lds_size = 128,
		.num_sc_per_se = info->num_sc_per_se,
		.num_sa_per_se = g->num_sa,
		.num_packer_per_sc = info->num_packer_per_sc,
		.num_gl2a = info->num_gl2a,
		.num_tcp_per_sa = 2 * g->num_wgp,
		.num_sdp_interface = info->num_sdp_interface,
		.num_tcps = 2 * g->num_wgp * g->num_sa * g->num_se,
	};

	memcpy(buf + offset, &gc, sizeof(gc));
}

int vgpu_discovery_build(const struct vgpu *g, void *buf, size_t size)
{
	struct binary_header *h = buf;
	size_t ips = sizeof(*h), gc = ips + ips_size(g->profile);
	size_t total = gc + sizeof(struct gc_info_v1_1);
	const size_t sum_from = offsetof(struct binary_header, size);

	if (size < total)
		return -ENOSPC;
	memset(buf, 0, size);
	put_ips(g->profile, buf, ips);
	put_gc(g, buf, gc);
	h->signature = BINARY_SIGNATURE;
	h->version_major = 1;
	h->size = total;
	h->tables[0].offset = ips;
	h->tables[0].size = gc - ips;
	h->tables[0].checksum = byte_sum(buf + ips, gc - ips);
	h->tables[1].offset = gc;
	h->tables[1].size = total - gc;
	h->tables[1].checksum = byte_sum(buf + gc, total - gc);
	h->checksum = byte_sum(buf + sum_from, total - sum_from);
	return total;
}
