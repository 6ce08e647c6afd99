// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * SQ_CMD, with which the host halts, resumes, kills, traps or steps the waves that
 * GRBM_GFX_INDEX and the command's own fields select; and SQC_CACHES, with which it
 * invalidates the instruction caches.
 */
#include "gpu.h"
#include "isa/isa.h"
#include "isa/wave.h"
#include "profiles/profile.h"
#include "regs/checker.h"
#include "regs/faults.h"
#include "regs/log.h"
#include "regs/quirks.h"
#include "regs/regs.h"
#include "sq/priv.h"

static enum vgpu_sq_cmd cmd_of(const struct vgpu *g, u32 cmd)
{
	return g->profile->gen->sq_cmds[vgpu_get(g, F_SQ_CMD_CMD, cmd)];
}

static enum vgpu_sq_mode mode_of(const struct vgpu *g, u32 cmd)
{
	return g->profile->gen->sq_modes[vgpu_get(g, F_SQ_CMD_MODE, cmd)];
}

static bool vmid_matches(struct vgpu *g, const struct vgpu_wave *w, u32 cmd)
{
	if (!(cmd & vgpu_field(g, F_SQ_CMD_CHECK_VMID)))
		return true;
	if (cmd_of(g, cmd) == VGPU_SQ_CMD_SETHALT &&
	    !vgpu_quirk(g, VGPU_QUIRK_SETHALT_CHECKS_VMID))
		return true;
	return w->vmid == vgpu_get(g, F_SQ_CMD_VM_ID, cmd);
}

static bool mode_matches(struct vgpu *g, const struct vgpu_wave *w,
			 unsigned int slot, u32 cmd)
{
	u32 id = vgpu_get(g, F_SQ_CMD_QUEUE_ID, cmd);
	enum vgpu_sq_mode mode = mode_of(g, cmd);

	if (mode == VGPU_SQ_MODE_SINGLE)
		return slot == vgpu_get(g, F_SQ_CMD_WAVE_ID, cmd);
	if (!vgpu_quirk(g, VGPU_QUIRK_SQ_CMD_QUEUE_ID))
		return true;
	switch (mode) {
	case VGPU_SQ_MODE_BROADCAST_QUEUE:
		return w->queue == id;
	case VGPU_SQ_MODE_BROADCAST_PIPE:
		return w->pipe == id;
	case VGPU_SQ_MODE_BROADCAST_ME:
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

	switch (cmd_of(g, cmd)) {
	case VGPU_SQ_CMD_SETHALT:
		vgpu_wave_halt(g, w, data & 1);
		break;
	case VGPU_SQ_CMD_KILL:
		sq_wave_kill(g, sw);
		break;
	case VGPU_SQ_CMD_DEBUG:
		set_debug(g, w, data & 1);
		break;
	case VGPU_SQ_CMD_TRAP:
		vgpu_trap_host(g, w, data);
		break;
	case VGPU_SQ_CMD_SET_SPI_PRIO:
		w->spi_prio = data & vgpu_get(g, F_SQ_WAVE_STATUS_SPI_PRIO, ~0U);
		break;
	case VGPU_SQ_CMD_SETFATALHALT:
		set_fatal_halt(g, sw, data & 1);
		break;
	case VGPU_SQ_CMD_SINGLE_STEP:
		/* Only SETHALT stops the wave: no barrier, and no fatal halt. */
		if (w->stop == VGPU_STOP_HALT)
			sq_wave_step(g, sw);
		break;
	default:
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

/* Report commands that no debugger should send. They are executed, as on hardware. */
static void judge(struct vgpu *g, u32 cmd)
{
	if (!(cmd & vgpu_field(g, F_SQ_CMD_CHECK_VMID)))
		vgpu_complain(g, VGPU_BAD_VMID0,
			      "SQ_CMD 0x%08x without CHECK_VMID hits every process",
			      cmd);
	else if (!vgpu_get(g, F_SQ_CMD_VM_ID, cmd))
		vgpu_complain(g, VGPU_BAD_VMID0, "SQ_CMD 0x%08x for VMID 0",
			      cmd);
	if (mode_of(g, cmd) == VGPU_SQ_MODE_SINGLE && sq_select_is_broadcast(g))
		vgpu_complain(g, VGPU_BAD_BANK,
			      "SQ_CMD 0x%08x for one wave, but GRBM_GFX_INDEX 0x%08x selects several",
			      cmd, vgpu_reg_load(g, R_GRBM_GFX_INDEX, 0));
}

static void take_effect(struct vgpu *g, const struct sq_late_cmd *late)
{
	struct vgpu_selection sel = vgpu_selection_of(g, late->index);
	u32 cmd = late->cmd;

	if (!sq_for_selection(g, &sel, command_simd, &cmd))
		vgpu_complain(g, VGPU_BAD_BANK,
			      "SQ_CMD 0x%08x: GRBM_GFX_INDEX 0x%08x selects nothing",
			      cmd, late->index);
}

/* Execute the oldest delayed command. */
static void take_oldest(struct vgpu *g)
{
	struct sq_late_cmds *late = &g->sq->late_cmds;
	struct sq_late_cmd cmd = late->cmd[late->first];

	late->first = (late->first + 1) % SQ_MAX_LATE_CMDS;
	late->num--;
	take_effect(g, &cmd);
}

/* Hook: count an access of the host, which is about to happen, for delayed commands. */
static void count_access(struct vgpu *g)
{
	struct sq_late_cmds *late = &g->sq->late_cmds;
	unsigned int i;

	while (late->num && !late->cmd[late->first].accesses)
		take_oldest(g);
	for (i = 0; i < late->num; i++) {
		struct sq_late_cmd *cmd =
			&late->cmd[(late->first + i) % SQ_MAX_LATE_CMDS];

		/* Commands take effect in the order in which they were written. */
		if (cmd->accesses)
			cmd->accesses--;
	}
}

u64 vgpu_sq_cmds_wait_ns(struct vgpu *g)
{
	struct sq_late_cmds *late = &g->sq->late_cmds;
	u64 now;

	if (!late->num)
		return UINT64_MAX;
	now = vgpu_now_ns();
	while (late->num && late->cmd[late->first].until_ns <= now)
		take_oldest(g);
	return late->num ? late->cmd[late->first].until_ns - now : UINT64_MAX;
}

void vgpu_sq_cmds_finish(struct vgpu *g)
{
	while (g->sq->late_cmds.num)
		take_oldest(g);
}

/* Execute a command now, or put it into the ring if the quirk sq-cmd-lag delays it. */
static void take_later(struct vgpu *g, u32 val)
{
	struct sq_late_cmds *late = &g->sq->late_cmds;
	struct sq_late_cmd cmd = {
		.cmd = val,
		.index = vgpu_reg_load(g, R_GRBM_GFX_INDEX, 0),
		.accesses = vgpu_quirk(g, VGPU_QUIRK_SQ_CMD_LAG),
	};

	if (!cmd.accesses && !late->num) {
		take_effect(g, &cmd);
		return;
	}
	if (late->num == SQ_MAX_LATE_CMDS)
		take_oldest(g);
	cmd.until_ns = vgpu_now_ns() + SQ_LATE_CMD_NS;
	late->cmd[(late->first + late->num++) % SQ_MAX_LATE_CMDS] = cmd;
}

static bool is_ignored(struct vgpu *g, u32 cmd)
{
	if (vgpu_fault_take(g, VGPU_FAULT_IGNORE_SQ_CMD,
			    vgpu_get(g, F_SQ_CMD_CMD, cmd)))
		return true;
	return cmd_of(g, cmd) == VGPU_SQ_CMD_SETHALT &&
	       !(vgpu_get(g, F_SQ_CMD_DATA, cmd) & 1) &&
	       vgpu_fault_take(g, VGPU_FAULT_IGNORE_RESUME, cmd);
}

static void sq_cmd_write(struct vgpu *g, unsigned int idx, u32 val)
{
	enum vgpu_sq_cmd cmd = cmd_of(g, val);

	vgpu_reg_store(g, R_SQ_CMD, idx, val);
	if (cmd == VGPU_SQ_CMD_NULL)
		return;
	if (cmd == VGPU_SQ_CMD_SAVECTX || cmd == VGPU_SQ_CMD_UNKNOWN ||
	    mode_of(g, val) == VGPU_SQ_MODE_UNKNOWN) {
		vgpu_complain(g, VGPU_BAD_REGISTER,
			      "SQ_CMD 0x%08x: command or mode is not modelled",
			      val);
		return;
	}
	judge(g, val);
	if (is_ignored(g, val))
		return;
	take_later(g, val);
}

/* Caches are not modelled per bank: any selection invalidates all of them. */
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
	g->hooks.reg_access = count_access;
	vgpu_reg_hook(g, R_SQ_CMD, 1, 1, NULL, sq_cmd_write);
	vgpu_reg_hook(g, R_SQC_CACHES, 1, 1, NULL, sqc_caches_write);
}
