// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Traps: which waves have a handler, what makes a wave enter it, and with which state.
 */
#include "gpu.h"
#include "isa/isa.h"
#include "isa/table.h"
#include "isa/wave.h"
#include "regs/quirks.h"
#include "regs/regs.h"
#include "sq/priv.h"
#include "sq/sq.h"

#define S_TRAP_SIZE		4

/*
 * Exceptions that trap even if they are not enabled: "memory_violation,
 * illegal_instruction [...] exceptions always cause the wave to enter the trap handler"
 * (cwsr_trap_handler_gfx10.asm, Linux 6.1).
 */
#define NOT_MASKABLE	(WAVE_EXCP_MEM_VIOL | WAVE_EXCP_ILLEGAL_INST)

u64 sq_sign_extend_pc(const struct vgpu *g, u64 pc)
{
	unsigned int above = 64 - vgpu_isa_of(g)->pc_bits;

	return (u64)((s64)(pc << above) >> above);
}

static u64 trap_base(struct vgpu *g, const struct vgpu_wave *w)
{
	u32 lo = sq_reg_of_wave(g, w, R_SQ_SHADER_TBA_LO);
	u32 hi = sq_reg_of_wave(g, w, R_SQ_SHADER_TBA_HI);

	return sq_sign_extend_pc(
		g, make_64(hi & vgpu_field(g, F_SQ_SHADER_TBA_HI_ADDR_HI), lo)
			   << 8);
}

/* If the field @match of SPI_GDBG_TRAP_CONFIG is set, its field @sel must be @id. */
static bool config_matches(const struct vgpu *g, u32 config,
			   enum vgpu_field match, enum vgpu_field sel, u32 id)
{
	return !(config & vgpu_field(g, match)) || vgpu_get(g, sel, config) == id;
}

/* Does SPI_GDBG_TRAP_CONFIG turn traps on for the wave? */
static bool config_selects(struct vgpu *g, const struct vgpu_wave *w, u32 config)
{
	const struct vgpu_queue_id *q = &w->group->launch->d.queue;

	if (!(config & vgpu_field(g, F_SPI_GDBG_TRAP_CONFIG_TRAP_EN)) ||
	    !(vgpu_get(g, F_SPI_GDBG_TRAP_CONFIG_VMID_SEL, config) &
	      BIT(w->vmid)))
		return false;
	if (!vgpu_quirk(g, VGPU_QUIRK_TRAP_CONFIG_MATCH))
		return true;
	return config_matches(g, config, F_SPI_GDBG_TRAP_CONFIG_ME_MATCH,
			      F_SPI_GDBG_TRAP_CONFIG_ME_SEL, q->me) &&
	       config_matches(g, config, F_SPI_GDBG_TRAP_CONFIG_PIPE_MATCH,
			      F_SPI_GDBG_TRAP_CONFIG_PIPE_SEL, q->pipe) &&
	       config_matches(g, config, F_SPI_GDBG_TRAP_CONFIG_QUEUE_MATCH,
			      F_SPI_GDBG_TRAP_CONFIG_QUEUE_SEL, q->queue);
}

bool sq_trap_enabled(struct vgpu *g, const struct vgpu_wave *w, u32 rsrc2)
{
	u32 config = sq_reg_of_wave(g, w, R_SPI_GDBG_TRAP_CONFIG);

	if (vgpu_quirk(g, VGPU_QUIRK_TRAP_EN_NEEDS_TRAP_PRESENT) &&
	    !(rsrc2 & vgpu_field(g, F_COMPUTE_PGM_RSRC2_TRAP_PRESENT)))
		return false;
	if (config_selects(g, w, config))
		return true;
	return sq_reg_of_wave(g, w, R_SQ_SHADER_TBA_HI) &
	       vgpu_field(g, F_SQ_SHADER_TBA_HI_TRAP_EN);
}

bool sq_can_trap(const struct vgpu_wave *w)
{
	return w->trap_en && !w->priv &&
	       !(w->stop & (VGPU_STOP_ENDED | VGPU_STOP_FATAL));
}

/* Enter the handler. @bits: the value of TTMP1 without the bits of the PC. */
static void enter(struct vgpu *g, struct sq_wave *sw, u32 bits)
{
	const struct vgpu_isa *isa = vgpu_isa_of(g);
	struct vgpu_wave *w = &sw->w;

	w->s[VGPU_S_TTMP0] = lower_32_bits(w->pc);
	w->s[VGPU_S_TTMP0 + 1] =
		FIELD_PREP(isa->ttmp1_pc_hi, upper_32_bits(w->pc)) | bits;
	w->priv = true;
	w->pc = trap_base(g, w);
	g->counters.traps++;
	sq_history(w)->traps++;
	sq_wave_update_stop(g, sw);
}

void sq_trap_enter(struct vgpu *g, struct sq_wave *sw, u32 id, bool host)
{
	const struct vgpu_isa *isa = vgpu_isa_of(g);

	enter(g, sw, FIELD_PREP(isa->ttmp1_trap_id, id) |
		     (host ? isa->ttmp1_host : 0));
}

void sq_trap_enter_exception(struct vgpu *g, struct sq_wave *sw)
{
	enter(g, sw, FIELD_PREP(vgpu_isa_of(g)->ttmp1_pc_rewind,
				vgpu_quirk(g, VGPU_QUIRK_PC_REWIND)));
}

u32 sq_trapping(const struct vgpu_wave *w, u32 bits)
{
	return bits & (NOT_MASKABLE | w->excp_en);
}

void sq_trap_check(struct vgpu *g, struct sq_wave *sw)
{
	struct vgpu_wave *w = &sw->w;

	if (!sq_can_trap(w))
		return;
	/* A halted wave enters its handler for a trap of the host, not for an exception. */
	if (w->host_trap && !(w->stop & VGPU_STOP_BARRIER)) {
		w->host_trap = false;
		sq_trap_enter(g, sw, sw->host_trap_id, true);
	} else if (!(w->stop & (VGPU_STOP_HALT | VGPU_STOP_BARRIER)) &&
		   sq_trapping(w, w->excp) &&
		   vgpu_quirk(g, VGPU_QUIRK_TRAP_LEVEL)) {
		sq_trap_enter_exception(g, sw);
	}
}

void vgpu_trap_s_trap(struct vgpu *g, struct vgpu_wave *w, u8 id)
{
	if (sq_can_trap(w))
		sq_trap_enter(g, sq_wave_of(w), id, false);
	else
		w->pc += S_TRAP_SIZE;
}

void vgpu_trap_host(struct vgpu *g, struct vgpu_wave *w, u8 id)
{
	struct sq_wave *sw = sq_wave_of(w);

	if (!w->trap_en)
		return;
	if (!vgpu_quirk(g, VGPU_QUIRK_HOST_TRAP_PENDS) &&
	    (!sq_can_trap(w) || w->stop & VGPU_STOP_BARRIER))
		return;
	w->host_trap = true;
	sw->host_trap_id = id;
	sq_trap_check(g, sw);
}

void vgpu_trap_step(struct vgpu *g, struct vgpu_wave *w)
{
	if (w->debug_en && sq_can_trap(w))
		sq_trap_enter(g, sq_wave_of(w), 0, false);
}

static void follow_trap_en(struct vgpu *g, struct vgpu_wave *w, void *arg)
{
	(void)arg;
	w->trap_en = sq_trap_enabled(g, w, w->group->launch->d.rsrc2);
}

static void tba_hi_write(struct vgpu *g, unsigned int idx, u32 val)
{
	vgpu_reg_store(g, R_SQ_SHADER_TBA_HI, idx, val);
	if (!vgpu_quirk(g, VGPU_QUIRK_TRAP_EN_AT_LAUNCH))
		vgpu_sq_for_each(g, follow_trap_en, NULL);
}

void sq_trap_init(struct vgpu *g)
{
	vgpu_reg_hook(g, R_SQ_SHADER_TBA_HI, 1, 1, NULL, tba_hi_write);
}
