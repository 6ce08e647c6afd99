// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Platform security processor (PSP). Its secure OS already runs when the driver starts. It
 * executes commands of the ring that the driver creates, and accepts all firmware without
 * reading it, because vgpu does not execute firmware. The numbers of commands are not in
 * the profile: the driver's psp_gfx_if.h has them for all versions of the PSP.
 */
#include <errno.h>
#include <stdlib.h>

#include "firmware/psp.h"
#include "gpu.h"
#include "mem/gmc.h"
#include "regs/checker.h"
#include "regs/log.h"
#include "regs/regs.h"

/* MBOX_TOS_READY_FLAG, MBOX_TOS_RESP_FLAG (amdgpu_psp.h, Linux 7.2.12) */
#define MBOX_FLAG		BIT(31)
#define MBOX_COMMAND		GENMASK(23, 16)
/* enum psp_gfx_crtl_cmd_id >> 16 (psp_gfx_if.h, Linux 7.2.12) */
#define CTRL_INIT_RBI_RING	1
#define CTRL_INIT_GPCOM_RING	2
#define CTRL_DESTROY_RINGS	3
#define CTRL_MODE1_RST		7
#define CTRL_DESTROY_GPCOM_RING	12
/* enum psp_gfx_cmd_id (psp_gfx_if.h, Linux 7.2.12) */
#define CMD_LOAD_TA		0x01
#define CMD_UNLOAD_TA		0x02
#define CMD_INVOKE		0x03
#define CMD_LOAD_ASD		0x04
#define CMD_SETUP_TMR		0x05
#define CMD_LOAD_IP_FW		0x06
#define CMD_DESTROY_TMR		0x07
#define CMD_LOAD_TOC		0x20
#define CMD_AUTOLOAD_RLC	0x21
#define TEE_ERROR_NOT_SUPPORTED	0xffff000a
/* Byte offsets in struct psp_gfx_cmd_resp (psp_gfx_if.h, Linux 7.2.12) */
#define CMD_ID			8
#define CMD_ARGS		28
#define CMD_RESP		864
/* PSP_TMR_SIZE (amdgpu_psp.h) */
#define TMR_SIZE		0x400000

/* C2PMSG_33: the boot loader is ready; amdgpu_discovery.c and psp_v11_0.c wait for it. */
#define BOOTLOADER_READY	BIT(31)

/* struct psp_gfx_rb_frame */
struct frame {
	u32 cmd_buf_lo, cmd_buf_hi, cmd_buf_size;
	u32 fence_lo, fence_hi, fence_value;
	u32 reserved[10];
};

/* The first members of struct psp_gfx_resp, which vgpu sets */
struct response {
	u32 status, session_id;
	u32 fw_addr_lo, fw_addr_hi;
	u32 tmr_size;
};

#define FRAME_DWORDS	(sizeof(struct frame) / sizeof(u32))
/* psp_ring_init() creates a ring of 4 KiB (amdgpu_psp.c, Linux 7.2.12). */
#define MAX_RING_BYTES	0x1000U

struct vgpu_psp {
	u64 ring;
	u32 ring_dwords;	/* 0: no ring */
	u32 rptr;		/* in dwords */
	u32 sessions;
};

static u32 run_command(struct vgpu *g, u32 id, const u32 args[4],
		       struct response *resp)
{
	u32 done;

	switch (id) {
	case CMD_LOAD_TOC:
		resp->tmr_size = TMR_SIZE;
		return 0;
	case CMD_LOAD_TA:
	case CMD_LOAD_ASD:
		resp->session_id = ++g->psp->sessions;
		return 0;
	case CMD_LOAD_IP_FW:
		/* Return the firmware's address in the TMR: it stays where it is. */
		resp->fw_addr_lo = args[0];
		resp->fw_addr_hi = args[1];
		return 0;
	case CMD_AUTOLOAD_RLC:
		done = vgpu_field(g, F_RLC_RLCS_BOOTLOAD_STATUS_BOOTLOAD_COMPLETE);
		vgpu_reg_store(g, R_RLC_RLCS_BOOTLOAD_STATUS, 0, done);
		/* This starts the CP again, too. The driver itself restarts SDMA's rings. */
		g->hooks.core_boot(g);
		return 0;
	case CMD_UNLOAD_TA:
	case CMD_INVOKE:
	case CMD_SETUP_TMR:
	case CMD_DESTROY_TMR:
		return 0;
	}
	vgpu_complain(g, VGPU_BAD_MESSAGE, "PSP command 0x%x is unknown", id);
	return TEE_ERROR_NOT_SUPPORTED;
}

static int run_frame(struct vgpu *g, u64 addr)
{
	struct response resp = { 0 };
	struct frame f;
	u32 id, args[4];
	u64 buf;
	int ret;

	ret = vgpu_gmc_read(g, 0, addr, &f, sizeof(f));
	if (ret)
		return ret;
	buf = make_64(f.cmd_buf_hi, f.cmd_buf_lo);
	ret = vgpu_gmc_read(g, 0, buf + CMD_ID, &id, sizeof(id));
	if (ret)
		return ret;
	ret = vgpu_gmc_read(g, 0, buf + CMD_ARGS, args, sizeof(args));
	if (ret)
		return ret;
	g->counters.psp_commands++;
	resp.status = run_command(g, id, args, &resp);
	if (g->opt.trace_packets)
		vgpu_log_each(g, "PSP command 0x%02x args %08x %08x %08x %08x -> 0x%x",
			      id, args[0], args[1], args[2], args[3], resp.status);
	ret = vgpu_gmc_write(g, 0, buf + CMD_RESP, &resp, sizeof(resp));
	if (ret)
		return ret;
	return vgpu_gmc_write(g, 0, make_64(f.fence_hi, f.fence_lo),
			      &f.fence_value, sizeof(f.fence_value));
}

static void wptr_write(struct vgpu *g, unsigned int idx, u32 val)
{
	struct vgpu_psp *psp = g->psp;

	vgpu_reg_store(g, R_MP0_SMN_C2PMSG_67, idx, val);
	if (val >= psp->ring_dwords || val % FRAME_DWORDS) {
		vgpu_complain(g, VGPU_BAD_MESSAGE,
			      "PSP write pointer 0x%x with a ring of 0x%x dwords",
			      val, psp->ring_dwords);
		return;
	}
	while (psp->rptr != val) {
		if (run_frame(g, psp->ring + (u64)psp->rptr * sizeof(u32)))
			break;
		psp->rptr = (psp->rptr + FRAME_DWORDS) % psp->ring_dwords;
	}
}

static void ring_create(struct vgpu *g)
{
	u32 bytes = vgpu_reg_load(g, R_MP0_SMN_C2PMSG_71, 0);
	struct vgpu_psp *psp = g->psp;

	if (bytes > MAX_RING_BYTES || bytes % sizeof(struct frame)) {
		vgpu_complain(g, VGPU_BAD_MESSAGE,
			      "PSP ring of 0x%x bytes: at most 0x%x, and whole frames",
			      bytes, MAX_RING_BYTES);
		bytes = 0;
	}
	psp->ring = make_64(vgpu_reg_load(g, R_MP0_SMN_C2PMSG_70, 0),
			    vgpu_reg_load(g, R_MP0_SMN_C2PMSG_69, 0));
	psp->ring_dwords = bytes / sizeof(u32);
	psp->rptr = 0;
	vgpu_reg_store(g, R_MP0_SMN_C2PMSG_67, 0, 0);
}

/* Execute a command of the mailbox; the driver polls until bit 31 is set. */
static void mailbox_write(struct vgpu *g, unsigned int idx, u32 val)
{
	u32 cmd = FIELD_GET(MBOX_COMMAND, val);

	switch (cmd) {
	case CTRL_INIT_RBI_RING:
	case CTRL_INIT_GPCOM_RING:
		ring_create(g);
		break;
	case CTRL_DESTROY_RINGS:
	case CTRL_DESTROY_GPCOM_RING:
		g->psp->ring_dwords = 0;
		break;
	case CTRL_MODE1_RST:
		g->hooks.reset(g);
		break;
	default:
		vgpu_complain(g, VGPU_BAD_MESSAGE,
			      "PSP mailbox command 0x%x is unknown", cmd);
	}
	vgpu_reg_store(g, R_MP0_SMN_C2PMSG_64, idx, MBOX_FLAG);
}

int vgpu_psp_init(struct vgpu *g)
{
	g->psp = calloc(1, sizeof(*g->psp));
	if (!g->psp)
		return -ENOMEM;
	vgpu_reg_hook(g, R_MP0_SMN_C2PMSG_64, 1, 1, NULL, mailbox_write);
	vgpu_reg_hook(g, R_MP0_SMN_C2PMSG_67, 1, 1, NULL, wptr_write);
	vgpu_psp_reset(g);
	return 0;
}

void vgpu_psp_fini(struct vgpu *g)
{
	free(g->psp);
	g->psp = NULL;
}

/* Set the state after power-on: the boot loader and the secure OS are running. */
void vgpu_psp_reset(struct vgpu *g)
{
	*g->psp = (struct vgpu_psp) { 0 };
	vgpu_reg_store(g, R_MP0_SMN_C2PMSG_33, 0, BOOTLOADER_READY);
	vgpu_reg_store(g, R_MP0_SMN_C2PMSG_64, 0, MBOX_FLAG);
	vgpu_reg_store(g, R_MP0_SMN_C2PMSG_81, 0, 1);
}
