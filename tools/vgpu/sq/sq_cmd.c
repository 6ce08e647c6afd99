// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * SQ_CMD: the host halts, kills, traps or steps the waves that GRBM_GFX_INDEX
 * and the command's own fields select. SQC_CACHES: their caches.
 */
#include "gpu.h"
#include "isa/isa.h"
#include "isa/wave.h"
#include "regs/critic.h"
#include "regs/faults.h"
#include "regs/quirks.h"
#include "regs/regs.h"
#include "sq/priv.h"

/* SQ_IND_CMD_CMD_*, navi10_enum.h (Linux 6.1) */
enum {
	CMD_NULL = 0,
	CMD_SETHALT = 1,
	CMD_SAVECTX = 2,
	CMD_KILL = 3,
	CMD_DEBUG = 4,
	CMD_TRAP = 5,
	CMD_SET_SPI_PRIO = 6,
	CMD_SETFATALHALT = 7,
	CMD_SINGLE_STEP = 8,
	NUM_CMDS,
};

/* SQ_IND_CMD_MODE_*, navi10_enum.h (Linux 6.1) */
enum {
	MODE_SINGLE = 0,
	MODE_BROADCAST = 1,
	MODE_BROADCAST_QUEUE = 2,
	MODE_BROADCAST_PIPE = 3,
	MODE_BROADCAST_ME = 4,
	NUM_MODES,
};

static bool vmid_matches(struct vgpu *g, const struct vgpu_wave *w, u32 cmd)
{
	if (!(cmd & vgpu_field(g, F_SQ_CMD_CHECK_VMID)))
		return true;
	if (vgpu_get(g, F_SQ_CMD_CMD, cmd) == CMD_SETHALT &&
	    !vgpu_quirk(g, VGPU_QUIRK_SETHALT_CHECKS_VMID))
		return true;
	return w->vmid == vgpu_get(g, F_SQ_CMD_VM_ID, cmd);
}

static bool mode_matches(struct vgpu *g, const struct vgpu_wave *w,
			 unsigned int slot, u32 cmd)
{
	u32 id = vgpu_get(g, F_SQ_CMD_QUEUE_ID, cmd);
	u32 mode = vgpu_get(g, F_SQ_CMD_MODE, cmd);

	if (mode == MODE_SINGLE)
		return slot == vgpu_get(g, F_SQ_CMD_WAVE_ID, cmd);
	if (!vgpu_quirk(g, VGPU_QUIRK_SQ_CMD_QUEUE_ID))
		return true;
	switch (mode) {
	case MODE_BROADCAST_QUEUE:
		return w->queue == id;
	case MODE_BROADCAST_PIPE:
		return w->pipe == id;
	case MODE_BROADCAST_ME:
		return w->me == id;
	default:
		return true;
	}
}

static void set_debug(struct vgpu *g, struct vgpu_wave *w, bool on)
{
	w->debug_en = on;
	vgpu_wave_update_slow(g, w);
}

static void set_fatal_halt(struct vgpu *g, struct sq_wave *sw, bool on)
{
	sw->w.fatal_halt = on;
	sq_wave_update_stop(g, sw);
}

static void command(struct vgpu *g, struct sq_wave *sw, u32 cmd)
{
	struct vgpu_wave *w = &sw->w;
	u32 data = vgpu_get(g, F_SQ_CMD_DATA, cmd);

	switch (vgpu_get(g, F_SQ_CMD_CMD, cmd)) {
	case CMD_SETHALT:
		vgpu_wave_halt(g, w, data & 1);
		break;
	case CMD_KILL:
		sq_wave_kill(g, sw);
		break;
	case CMD_DEBUG:
		set_debug(g, w, data & 1);
		break;
	case CMD_TRAP:
		vgpu_trap_host(g, w, data);
		break;
	case CMD_SET_SPI_PRIO:
		w->spi_prio = data & 3;
		break;
	case CMD_SETFATALHALT:
		set_fatal_halt(g, sw, data & 1);
		break;
	case CMD_SINGLE_STEP:
		/* Only out of a halt; not past a barrier or a fatal one. */
		if (w->stop == VGPU_STOP_HALT)
			sq_wave_step(g, sw);
		break;
	}
}

static void command_simd(struct vgpu *g, struct sq_simd *simd, void *arg)
{
	u32 cmd = *(u32 *)arg;
	unsigned int slot;

	for (slot = 0; slot < g->num_slots; slot++) {
		struct sq_wave *sw = sq_wave_in(g, simd, slot);

		if (sw && vmid_matches(g, &sw->w, cmd) &&
		    mode_matches(g, &sw->w, slot, cmd))
			command(g, sw, cmd);
	}
}

/* What no debugger should do; done all the same, as hardware would. */
static void judge(struct vgpu *g, u32 cmd)
{
	u32 mode = vgpu_get(g, F_SQ_CMD_MODE, cmd);

	if (!(cmd & vgpu_field(g, F_SQ_CMD_CHECK_VMID)))
		vgpu_complain(g, VGPU_BAD_VMID0,
			      "SQ_CMD 0x%08x without CHECK_VMID hits every process",
			      cmd);
	else if (!vgpu_get(g, F_SQ_CMD_VM_ID, cmd))
		vgpu_complain(g, VGPU_BAD_VMID0, "SQ_CMD 0x%08x for VMID 0",
			      cmd);
	if (mode == MODE_SINGLE && sq_select_is_broadcast(g))
		vgpu_complain(g, VGPU_BAD_BANK,
			      "SQ_CMD 0x%08x for one wave, but GRBM_GFX_INDEX 0x%08x selects several",
			      cmd, vgpu_reg_load(g, R_GRBM_GFX_INDEX, 0));
}

static void sq_cmd_write(struct vgpu *g, unsigned int idx, u32 val)
{
	u32 cmd = vgpu_get(g, F_SQ_CMD_CMD, val);

	vgpu_reg_store(g, R_SQ_CMD, idx, val);
	if (cmd == CMD_NULL)
		return;
	if (cmd == CMD_SAVECTX || cmd >= NUM_CMDS ||
	    vgpu_get(g, F_SQ_CMD_MODE, val) >= NUM_MODES) {
		vgpu_complain(g, VGPU_BAD_REGISTER,
			      "SQ_CMD 0x%08x: command or mode is not modelled",
			      val);
		return;
	}
	judge(g, val);
	if (vgpu_fault_take(g, VGPU_FAULT_IGNORE_SQ_CMD, cmd))
		return;
	if (!sq_for_selected(g, command_simd, &val))
		vgpu_complain(g, VGPU_BAD_BANK,
			      "SQ_CMD 0x%08x: GRBM_GFX_INDEX 0x%08x selects nothing",
			      val, vgpu_reg_load(g, R_GRBM_GFX_INDEX, 0));
}

/* Caches are not modelled per bank. */
static void sqc_caches_write(struct vgpu *g, unsigned int idx, u32 val)
{
	u32 inst = vgpu_field(g, F_SQC_CACHES_TARGET_INST) |
		   vgpu_field(g, F_SQC_CACHES_INVALIDATE);

	vgpu_reg_store(g, R_SQC_CACHES, idx, val);
	if ((val & inst) != inst || !vgpu_quirk(g, VGPU_QUIRK_SQC_CACHES))
		return;
	if (!sq_select_is_broadcast(g))
		vgpu_complain(g, VGPU_BAD_BANK,
			      "SQC_CACHES 0x%08x, but GRBM_GFX_INDEX 0x%08x selects one bank",
			      val, vgpu_reg_load(g, R_GRBM_GFX_INDEX, 0));
	vgpu_isa_invalidate(g, ~0U);
}

void sq_cmd_init(struct vgpu *g)
{
	vgpu_reg_hook(g, R_SQ_CMD, 1, 1, NULL, sq_cmd_write);
	vgpu_reg_hook(g, R_SQC_CACHES, 1, 1, NULL, sqc_caches_write);
}
