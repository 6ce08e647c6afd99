// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The PCI function. Configuration space is an array of bytes with a mask of the bits that
 * the host can write. BAR 0 is VRAM, BAR 2 has the doorbells, BAR 5 the registers, and the
 * ROM the VBIOS. The layout of BARs and capabilities is that of AMD's APUs (BAR numbers:
 * amdgpu_device.c, rmmio_base, Linux 6.1).
 */
#include <errno.h>
#include <linux/pci_regs.h>
#include <linux/vfio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/tables.h"
#include "front/cp.h"
#include "front/sdma.h"
#include "gpu.h"
#include "host/pci.h"
#include "mem/ih.h"
#include "profiles/profile.h"
#include "regs/checker.h"
#include "regs/log.h"
#include "regs/regs.h"

#define DOORBELL_BAR_SIZE	(2U << 20)
#define REGISTER_BAR_SIZE	(VGPU_NUM_REGS * 4)
#define ROM_SIZE		(64U << 10)

/* Maximum payload of a packet on the bus in bytes, and its encoding in PCI_EXP_DEVCAP */
#define MAX_PAYLOAD		256
#define DEVCAP_PAYLOAD		1

#define CAP_EXP			0x64
#define CAP_MSI			0xa0

struct vgpu_pci {
	u8 config[PCI_CFG_SPACE_EXP_SIZE];
	u8 writable[PCI_CFG_SPACE_EXP_SIZE];	/* bits that the host can change */
	u8 rom[ROM_SIZE];
	bool rung[DOORBELL_BAR_SIZE / 4];	/* doorbells that a queue has accepted */
};

static void put16(u8 *p, u16 v)
{
	memcpy(p, &v, sizeof(v));
}

static void put32(u8 *p, u32 v)
{
	memcpy(p, &v, sizeof(v));
}

/* Set up a BAR: its type bits are constant, the address bits from @size up are writable. */
static void config_bar(struct vgpu_pci *pci, unsigned int offset, u64 size,
		       u32 type)
{
	u64 mask = ~(size - 1);

	put32(pci->config + offset, type);
	put32(pci->writable + offset, lower_32_bits(mask));
	if (type & PCI_BASE_ADDRESS_MEM_TYPE_64)
		put32(pci->writable + offset + 4, upper_32_bits(mask));
}

static void config_express(struct vgpu_pci *pci)
{
	u8 *cap = pci->config + CAP_EXP;

	cap[PCI_CAP_LIST_ID] = PCI_CAP_ID_EXP;
	cap[PCI_CAP_LIST_NEXT] = CAP_MSI;
	put16(cap + PCI_EXP_FLAGS, 2 | PCI_EXP_TYPE_LEG_END << 4);
	put32(cap + PCI_EXP_DEVCAP, PCI_EXP_DEVCAP_RBER | DEVCAP_PAYLOAD);
	put32(cap + PCI_EXP_LNKCAP, PCI_EXP_LNKCAP_SLS_8_0GB |
	      16 << 4 /* width, PCI_EXP_LNKCAP_MLW */);
	put16(cap + PCI_EXP_LNKSTA, PCI_EXP_LNKSTA_CLS_8_0GB |
	      PCI_EXP_LNKSTA_NLW_X1 * 16);
	put32(cap + PCI_EXP_LNKCAP2, PCI_EXP_LNKCAP2_SLS_2_5GB |
	      PCI_EXP_LNKCAP2_SLS_5_0GB | PCI_EXP_LNKCAP2_SLS_8_0GB);
	put16(pci->writable + CAP_EXP + PCI_EXP_DEVCTL,
	      PCI_EXP_DEVCTL_PAYLOAD | PCI_EXP_DEVCTL_READRQ |
	      PCI_EXP_DEVCTL_RELAX_EN | PCI_EXP_DEVCTL_NOSNOOP_EN);
	put16(pci->writable + CAP_EXP + PCI_EXP_LNKCTL, PCI_EXP_LNKCTL_CCC);
}

static void config_msi(struct vgpu_pci *pci)
{
	u8 *cap = pci->config + CAP_MSI;

	cap[PCI_CAP_LIST_ID] = PCI_CAP_ID_MSI;
	put16(cap + PCI_MSI_FLAGS, PCI_MSI_FLAGS_64BIT);
	put16(pci->writable + CAP_MSI + PCI_MSI_FLAGS, PCI_MSI_FLAGS_ENABLE);
	put32(pci->writable + CAP_MSI + PCI_MSI_ADDRESS_LO, ~3U);
	put32(pci->writable + CAP_MSI + PCI_MSI_ADDRESS_HI, ~0U);
	put16(pci->writable + CAP_MSI + PCI_MSI_DATA_64, 0xffff);
}

void vgpu_pci_reset(struct vgpu *g)
{
	const struct vgpu_profile *p = g->profile;
	struct vgpu_pci *pci = g->pci;
	u8 *c = pci->config;

	memset(c, 0, sizeof(pci->config));
	memset(pci->writable, 0, sizeof(pci->writable));
	memset(pci->rung, 0, sizeof(pci->rung));

	put16(c + PCI_VENDOR_ID, p->pci_vendor);
	put16(c + PCI_DEVICE_ID, p->pci_device);
	put16(c + PCI_STATUS, PCI_STATUS_CAP_LIST);
	put32(c + PCI_CLASS_REVISION, p->pci_class << 8 | p->pci_revision);
	put16(c + PCI_SUBSYSTEM_VENDOR_ID, p->pci_subvendor);
	put16(c + PCI_SUBSYSTEM_ID, p->pci_subdevice);
	c[PCI_CAPABILITY_LIST] = CAP_EXP;
	put16(pci->writable + PCI_COMMAND, PCI_COMMAND_IO | PCI_COMMAND_MEMORY |
	      PCI_COMMAND_MASTER | PCI_COMMAND_PARITY | PCI_COMMAND_SERR |
	      PCI_COMMAND_INTX_DISABLE);
	pci->writable[PCI_CACHE_LINE_SIZE] = 0xff;
	pci->writable[PCI_INTERRUPT_LINE] = 0xff;

	config_bar(pci, PCI_BASE_ADDRESS_0, g->vram_size,
		   PCI_BASE_ADDRESS_MEM_TYPE_64 | PCI_BASE_ADDRESS_MEM_PREFETCH);
	config_bar(pci, PCI_BASE_ADDRESS_2, DOORBELL_BAR_SIZE,
		   PCI_BASE_ADDRESS_MEM_TYPE_64 | PCI_BASE_ADDRESS_MEM_PREFETCH);
	config_bar(pci, PCI_BASE_ADDRESS_5, REGISTER_BAR_SIZE, 0);
	config_bar(pci, PCI_ROM_ADDRESS, ROM_SIZE, 0);
	pci->writable[PCI_ROM_ADDRESS] |= PCI_ROM_ADDRESS_ENABLE;

	config_express(pci);
	config_msi(pci);
}

int vgpu_pci_init(struct vgpu *g)
{
	int ret;

	g->pci = calloc(1, sizeof(*g->pci));
	if (!g->pci)
		return -ENOMEM;
	ret = vgpu_vbios_build(g, g->pci->rom, sizeof(g->pci->rom));
	if (ret < 0)
		return ret;
	vgpu_pci_reset(g);
	return 0;
}

void vgpu_pci_fini(struct vgpu *g)
{
	free(g->pci);
	g->pci = NULL;
}

void vgpu_pci_region(struct vgpu *g, u32 index, struct vgpu_pci_region *r)
{
	*r = (struct vgpu_pci_region) { .writable = true, .mmap_fd = -1 };

	switch (index) {
	case VFIO_PCI_BAR0_REGION_INDEX:
		r->size = g->vram_size;
		r->mmap_fd = g->vram_fd;
		break;
	case VFIO_PCI_BAR2_REGION_INDEX:
		r->size = DOORBELL_BAR_SIZE;
		break;
	case VFIO_PCI_BAR5_REGION_INDEX:
		r->size = REGISTER_BAR_SIZE;
		break;
	case VFIO_PCI_ROM_REGION_INDEX:
		r->size = ROM_SIZE;
		r->writable = false;
		break;
	case VFIO_PCI_CONFIG_REGION_INDEX:
		r->size = PCI_CFG_SPACE_EXP_SIZE;
		break;
	}
}

/*
 * Registers in BAR 5 are accessed as aligned dwords: a longer access is split into dwords;
 * a shorter or unaligned read returns parts of dwords, but such a write is refused.
 */
static void registers_read(struct vgpu *g, u32 offset, u8 *buf, u32 len)
{
	while (len) {
		u32 skip = offset & 3;
		u32 n = len < 4 - skip ? len : 4 - skip;
		u32 val = vgpu_reg_read(g, offset >> 2);

		memcpy(buf, (u8 *)&val + skip, n);
		offset += n;
		buf += n;
		len -= n;
	}
}

static int registers_write(struct vgpu *g, u32 offset, const u8 *buf, u32 len)
{
	u32 val;

	if (offset & 3 || len & 3) {
		vgpu_complain(g, VGPU_BAD_REGISTER,
			      "write of %u bytes at BAR 5 offset 0x%x", len,
			      offset);
		return -EINVAL;
	}
	for (; len; offset += 4, buf += 4, len -= 4) {
		memcpy(&val, buf, sizeof(val));
		vgpu_reg_write(g, offset >> 2, val);
	}
	return 0;
}

static int doorbell_write(struct vgpu *g, u32 offset, const void *buf, u32 len)
{
	u32 index = offset >> 2;
	u64 val = 0;

	if ((len != 4 && len != 8) || offset & (len - 1)) {
		vgpu_complain(g, VGPU_BAD_DOORBELL,
			      "write of %u bytes at BAR 2 offset 0x%x", len,
			      offset);
		return -EINVAL;
	}
	memcpy(&val, buf, len);
	g->counters.doorbells++;
	if (vgpu_cp_doorbell(g, index, val) ||
	    vgpu_sdma_doorbell(g, index, val) ||
	    vgpu_ih_doorbell(g, index, val)) {
		g->pci->rung[index] = true;
		return 0;
	}
	/*
	 * The queue has been unmapped. A driver cannot exclude such a write: amdgpu's ring
	 * tests may still run when it shuts down.
	 */
	if (g->pci->rung[index])
		vgpu_log(g, "doorbell 0x%x of a queue that is unmapped, value 0x%llx",
			 index, (unsigned long long)val);
	else
		vgpu_complain(g, VGPU_BAD_DOORBELL,
			      "doorbell 0x%x belongs to no queue (value 0x%llx)",
			      index, (unsigned long long)val);
	return 0;
}

static void config_write(struct vgpu_pci *pci, u32 offset, const u8 *buf,
			 u32 len)
{
	u32 i;

	for (i = 0; i < len; i++) {
		u8 mask = pci->writable[offset + i];
		u8 *byte = &pci->config[offset + i];

		*byte = (*byte & ~mask) | (buf[i] & mask);
	}
}

static bool access_ok(struct vgpu *g, u32 region, u64 offset, u32 len)
{
	struct vgpu_pci_region r;

	vgpu_pci_region(g, region, &r);
	if (region == VFIO_PCI_BAR5_REGION_INDEX && len > MAX_PAYLOAD)
		return false;
	return offset < r.size && len <= r.size - offset;
}

int vgpu_pci_read(struct vgpu *g, u32 region, u64 offset, void *buf, u32 len)
{
	if (!access_ok(g, region, offset, len))
		return -EINVAL;

	switch (region) {
	case VFIO_PCI_BAR0_REGION_INDEX:
		memcpy(buf, g->vram + offset, len);
		break;
	case VFIO_PCI_BAR2_REGION_INDEX:
		/* Reads of doorbells return 0. */
		memset(buf, 0, len);
		break;
	case VFIO_PCI_BAR5_REGION_INDEX:
		registers_read(g, offset, buf, len);
		break;
	case VFIO_PCI_ROM_REGION_INDEX:
		memcpy(buf, g->pci->rom + offset, len);
		break;
	case VFIO_PCI_CONFIG_REGION_INDEX:
		memcpy(buf, g->pci->config + offset, len);
		break;
	}
	return 0;
}

int vgpu_pci_write(struct vgpu *g, u32 region, u64 offset, const void *buf,
		   u32 len)
{
	if (!access_ok(g, region, offset, len))
		return -EINVAL;

	switch (region) {
	case VFIO_PCI_BAR0_REGION_INDEX:
		memcpy(g->vram + offset, buf, len);
		return 0;
	case VFIO_PCI_BAR2_REGION_INDEX:
		return doorbell_write(g, offset, buf, len);
	case VFIO_PCI_BAR5_REGION_INDEX:
		return registers_write(g, offset, buf, len);
	case VFIO_PCI_CONFIG_REGION_INDEX:
		config_write(g->pci, offset, buf, len);
		return 0;
	}
	return -EINVAL;
}
