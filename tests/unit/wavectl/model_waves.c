// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The model's waves and their registers.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "model_state.h"

/* Bits of the registers, as gc_10_3_0_sh_mask.h has them */
#define STATUS_HALT	(1u << 13)
#define MODE_DEBUG	(1u << 11)
#define IB_STS2_WAVE64	(1u << 11)

/* Values that a transcript can recognise: s5 is 0x5005; lane 3 of v2 is 0x00020003. */
static void fill_registers(struct model_wave *w)
{
	for (uint32_t i = 0; i < MODEL_NUM_SGPR; i++)
		w->sgpr[i] = 0x5000 + i;
	for (uint32_t i = 0; i < MODEL_NUM_VGPR; i++)
		for (uint32_t lane = 0; lane < 64; lane++)
			w->vgpr[i][lane] = i << 16 | lane;
}

void model_set_pc(struct amdgpudbg_wave *wave, uint64_t pc)
{
	wave->pc = pc;
	wave->HW(PC_LO) = (uint32_t)pc;
	wave->HW(PC_HI) = pc >> 32 & 0xffff;
}

void model_set_waves(const struct amdgpudbg_wave *waves, size_t count)
{
	model.num_waves = count;
	for (size_t i = 0; i < model.num_waves; i++) {
		struct amdgpudbg_wave *wave = &model.waves[i].wave;

		*wave = waves[i];
		wave->flags |= AMDGPUDBG_WAVE_HAS_PC | AMDGPUDBG_WAVE_HAS_EXEC;
		model_set_pc(wave, wave->pc);
		wave->HW(EXEC_LO) = (uint32_t)wave->exec;
		wave->HW(EXEC_HI) = (uint32_t)(wave->exec >> 32);
		if (!wave->HW(HW_ID2))
			wave->HW(HW_ID2) = wave->vmid << 24 | 0x100;
		wave->HW(GPR_ALLOC) = (MODEL_NUM_VGPR / 4 - 1) << 8;
		if (wave->flags & AMDGPUDBG_WAVE_WAVE64)
			wave->HW(IB_STS2) = IB_STS2_WAVE64;
		mock_flag_wave(wave);
		fill_registers(&model.waves[i]);
	}
}

void model_begin_waves(void)
{
	model_set_waves(mock_waves, ARRAY_SIZE(mock_waves));
}

/* ----------------------------------------------------------- selecting waves */

static int check_member(bool wanted, uint32_t value, uint32_t num)
{
	if (!wanted)
		return value ? -EINVAL : 0;
	return value < num ? 0 : -ENXIO;
}

static int check_at(const struct amdgpudbg_wave_coord *at, uint32_t mask)
{
	const struct amdgpudbg_info *info = &model.info;
	const struct {
		uint32_t bit, value, num;
	} members[] = {
		{ AMDGPUDBG_AT_XCC, at->xcc, info->num_xcc },
		{ AMDGPUDBG_AT_SE, at->se, info->num_se },
		{ AMDGPUDBG_AT_SA, at->sa, info->num_sa },
		{ AMDGPUDBG_AT_WGP, at->wgp, info->num_wgp },
		{ AMDGPUDBG_AT_SIMD, at->simd, info->num_simd },
		{ AMDGPUDBG_AT_WAVE, at->wave, info->num_wave },
	};
	int error = 0;

	for (size_t i = 0; i < ARRAY_SIZE(members) && !error; i++)
		error = check_member(mask & members[i].bit, members[i].value, members[i].num);
	return error;
}

static int check_select(const struct amdgpudbg_select *want)
{
	if (want->wave_flags & ~want->wave_flags_mask || want->vmid_mask & ~0xfffeu)
		return -EINVAL;
	if (want->xcc_mask & ~1u)
		return -ENXIO;
	return check_at(&want->at, want->at_mask);
}

static bool is_at(const struct amdgpudbg_wave_coord *a, const struct amdgpudbg_wave_coord *b,
		  uint32_t mask)
{
	return (!(mask & AMDGPUDBG_AT_XCC) || a->xcc == b->xcc) &&
	       (!(mask & AMDGPUDBG_AT_SE) || a->se == b->se) &&
	       (!(mask & AMDGPUDBG_AT_SA) || a->sa == b->sa) &&
	       (!(mask & AMDGPUDBG_AT_WGP) || a->wgp == b->wgp) &&
	       (!(mask & AMDGPUDBG_AT_SIMD) || a->simd == b->simd) &&
	       (!(mask & AMDGPUDBG_AT_WAVE) || a->wave == b->wave);
}

#define AT_WGP	(AMDGPUDBG_AT_XCC | AMDGPUDBG_AT_SE | AMDGPUDBG_AT_SA | AMDGPUDBG_AT_WGP)
#define AT_ALL	(AT_WGP | AMDGPUDBG_AT_SIMD | AMDGPUDBG_AT_WAVE)

static bool in_scope(const struct amdgpudbg_wave *wave)
{
	return model_scope() >> wave->vmid & 1;
}

static bool is_selected(const struct amdgpudbg_wave *wave, const struct amdgpudbg_select *want)
{
	return in_scope(wave) && (!want->vmid_mask || want->vmid_mask >> wave->vmid & 1) &&
	       (!want->pasid || want->pasid == wave->pasid) &&
	       is_at(&wave->at, &want->at, want->at_mask) &&
	       (wave->flags & want->wave_flags_mask) == want->wave_flags;
}

/* --------------------------------------------------------------- listing them */

static void give_wave(const struct amdgpudbg_wave *wave, const struct amdgpudbg_wave_list *list,
		      void *to)
{
	struct amdgpudbg_wave record = *wave;

	if (list->flags & AMDGPUDBG_WAVE_LIST_TTMP && record.flags & AMDGPUDBG_WAVE_HALTED &&
	    !(record.flags & AMDGPUDBG_WAVE_PRIV))
		record.flags |= AMDGPUDBG_WAVE_TTMP;
	else
		memset(record.ttmp, 0, sizeof(record.ttmp));
	if (list->flags & AMDGPUDBG_WAVE_LIST_PID && record.pasid == MODEL_PASID)
		record.pid = MODEL_PID;
	mock_flag_wave(&record);
	memcpy(to, &record, sizeof(record));
}

static int give_list(struct amdgpudbg_wave_list *list)
{
	char *to = (char *)(uintptr_t)list->waves;
	int error = check_select(&list->select);

	if (list->size != sizeof(*list) || list->entry_size < sizeof(struct amdgpudbg_wave))
		return -EINVAL;
	if (error)
		return error;
	list->count = 0;
	for (size_t i = 0; i < model.num_waves; i++) {
		if (!is_selected(&model.waves[i].wave, &list->select))
			continue;
		if (list->count++ < list->capacity) {
			give_wave(&model.waves[i].wave, list, to);
			to += list->entry_size;
		}
	}
	list->gpu_reset_count = model.info.gpu_reset_count;
	list->hw_offset = offsetof(struct amdgpudbg_wave, hw);
	list->num_hw = AMDGPUDBG_WAVE_NUM_HW;
	return list->count > list->capacity ? -EMSGSIZE : 0;
}

/* Change the size of the terminal. The kernel sends SIGWINCH before this returns. */
static void change_terminal(void)
{
	struct winsize size = { .ws_row = 30, .ws_col = model.columns };

	model.columns = 0;
	if (ioctl(STDIN_FILENO, TIOCSWINSZ, &size)) {
		perror("TIOCSWINSZ");
		abort();
	}
}

int model_wave_list(void *arg)
{
	struct amdgpudbg_wave_list *list = arg;

	if (model.columns)
		change_terminal();
	if (list->flags & (AMDGPUDBG_WAVE_LIST_HOLD | AMDGPUDBG_WAVE_LIST_FORCE) ||
	    list->timeout_ms)
		return -EINVAL;
	return give_list(list);
}

static void halt(struct amdgpudbg_wave *wave)
{
	if (!(wave->flags & AMDGPUDBG_WAVE_HALTED))
		wave->flags |= AMDGPUDBG_WAVE_OWNED;
	wave->flags |= AMDGPUDBG_WAVE_HALTED;
	wave->HW(STATUS) |= STATUS_HALT;
}

/* The records show the waves as they are while they are halted. */
int model_wave_snapshot(void *arg)
{
	struct amdgpudbg_wave_list *list = arg;
	struct model_wave before[ARRAY_SIZE(model.waves)];
	int error;

	if (model.control_busy)
		return -EBUSY;
	memcpy(before, model.waves, sizeof(before));
	list->num_halted = 0;
	for (size_t i = 0; i < model.num_waves; i++) {
		struct amdgpudbg_wave *wave = &model.waves[i].wave;

		if (!in_scope(wave) || wave->flags & AMDGPUDBG_WAVE_HALTED)
			continue;
		halt(wave);
		list->num_halted++;
	}
	error = give_list(list);
	if (!(list->flags & AMDGPUDBG_WAVE_LIST_HOLD))
		memcpy(model.waves, before, sizeof(before));
	return error;
}

/* ---------------------------------------------------------- controlling them */

#define ALL_OPS (1u << AMDGPUDBG_WAVEOP_HALT | 1u << AMDGPUDBG_WAVEOP_RESUME | \
		 1u << AMDGPUDBG_WAVEOP_KILL | 1u << AMDGPUDBG_WAVEOP_DEBUG | \
		 1u << AMDGPUDBG_WAVEOP_TRAP | 1u << AMDGPUDBG_WAVEOP_STEP)

static int check_op(const struct amdgpudbg_wave_control *c)
{
	if (c->op >= 32 || !(ALL_OPS >> c->op & 1))
		return -EOPNOTSUPP;
	if (c->flags & AMDGPUDBG_WAVE_CONTROL_LEAVE_HALTED && c->op != AMDGPUDBG_WAVEOP_HALT)
		return -EINVAL;
	if (c->flags & AMDGPUDBG_WAVE_CONTROL_DEBUG_OFF && c->op != AMDGPUDBG_WAVEOP_DEBUG)
		return -EINVAL;
	if (c->trap_id && (c->op != AMDGPUDBG_WAVEOP_TRAP || c->trap_id > model.info.max_trap_id))
		return -EINVAL;
	if (c->vmid >= model.info.num_vmid)
		return -EINVAL;
	if (c->pc && !(c->flags & AMDGPUDBG_WAVE_CONTROL_EXPECT_PC))
		return -EINVAL;
	/* No transcript names waves by their id. */
	if (c->flags & AMDGPUDBG_WAVE_CONTROL_EXPECT_ID || c->mode == AMDGPUDBG_WAVEMODE_ID)
		return -ENOSYS;
	return 0;
}

static int check_place(const struct amdgpudbg_wave_control *c)
{
	static const struct amdgpudbg_select none;

	if (c->mode != AMDGPUDBG_WAVEMODE_SINGLE &&
	    (c->op == AMDGPUDBG_WAVEOP_STEP || c->flags & AMDGPUDBG_WAVE_CONTROL_EXPECT_PC))
		return -EINVAL;
	if (c->mode == AMDGPUDBG_WAVEMODE_SELECT)
		return c->vmid || check_at(&c->at, 0) ? -EINVAL : check_select(&c->select);
	if (memcmp(&c->select, &none, sizeof(none)))
		return -EINVAL;
	switch (c->mode) {
	case AMDGPUDBG_WAVEMODE_SINGLE:
		return check_at(&c->at, AT_ALL);
	case AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS:
		return check_at(&c->at, 0);
	case AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS_CU:
		return check_at(&c->at, AT_WGP);
	default:
		return -EINVAL;
	}
}

/* Does an operation on several waves act on this one? */
static bool is_meant(const struct amdgpudbg_wave *wave, const struct amdgpudbg_wave_control *c)
{
	if (c->mode == AMDGPUDBG_WAVEMODE_SELECT)
		return is_selected(wave, &c->select);
	return in_scope(wave) && (!c->vmid || wave->vmid == c->vmid) &&
	       (c->mode != AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS_CU ||
		is_at(&wave->at, &c->at, AT_WGP));
}

static void kill_wave(struct amdgpudbg_wave *wave)
{
	size_t i = (size_t)((struct model_wave *)wave - model.waves);

	memmove(&model.waves[i], &model.waves[i + 1],
		(--model.num_waves - i) * sizeof(model.waves[0]));
}

static void step(struct amdgpudbg_wave *wave, struct amdgpudbg_wave_control *c)
{
	if (model.ends_at_step && !--model.ends_at_step) {
		c->changed--;
		kill_wave(wave);
		return;
	}
	model_set_pc(wave, wave->pc + 4);
	c->new_pc = wave->pc;
}

static int act(struct amdgpudbg_wave *wave, struct amdgpudbg_wave_control *c)
{
	const bool is_halted = wave->flags & AMDGPUDBG_WAVE_HALTED;

	if (c->op == AMDGPUDBG_WAVEOP_RESUME && !is_halted)
		return 0;
	if (c->op == AMDGPUDBG_WAVEOP_STEP && (!is_halted || wave->flags & AMDGPUDBG_WAVE_PRIV))
		return -EINPROGRESS;
	c->matched++;
	if (wave == model.stuck)
		return -ETIMEDOUT;
	c->changed += c->op != AMDGPUDBG_WAVEOP_TRAP || wave->flags & AMDGPUDBG_WAVE_HAS_HANDLER;
	switch (c->op) {
	case AMDGPUDBG_WAVEOP_HALT:
		halt(wave);
		break;
	case AMDGPUDBG_WAVEOP_RESUME:
		wave->flags &= ~(AMDGPUDBG_WAVE_HALTED | AMDGPUDBG_WAVE_OWNED);
		wave->HW(STATUS) &= ~STATUS_HALT;
		break;
	case AMDGPUDBG_WAVEOP_KILL:
		kill_wave(wave);
		break;
	case AMDGPUDBG_WAVEOP_DEBUG:
		if (c->flags & AMDGPUDBG_WAVE_CONTROL_DEBUG_OFF)
			wave->HW(MODE) &= ~MODE_DEBUG;
		else
			wave->HW(MODE) |= MODE_DEBUG;
		break;
	case AMDGPUDBG_WAVEOP_STEP:
		step(wave, c);
		break;
	}
	return 0;
}

static bool is_refused(const struct amdgpudbg_wave *wave, const struct amdgpudbg_wave_control *c)
{
	return wave->flags & AMDGPUDBG_WAVE_OWNED_BY_OTHER && c->op != AMDGPUDBG_WAVEOP_HALT;
}

static struct model_wave *find(const struct amdgpudbg_wave_coord *at)
{
	for (size_t i = 0; i < model.num_waves; i++)
		if (is_at(&model.waves[i].wave.at, at, AT_ALL))
			return &model.waves[i];
	return NULL;
}

static int control_single(struct amdgpudbg_wave_control *c)
{
	struct model_wave *w = find(&c->at);

	if (!w || !in_scope(&w->wave))
		return -ENODATA;
	if ((c->vmid && c->vmid != w->wave.vmid) ||
	    (c->flags & AMDGPUDBG_WAVE_CONTROL_EXPECT_PC && c->pc != w->wave.pc))
		return -ESTALE;
	return is_refused(&w->wave, c) ? -EBUSY : act(&w->wave, c);
}

static int control_many(struct amdgpudbg_wave_control *c)
{
	int error = 0;

	if (!model.has_target && !c->vmid && c->mode != AMDGPUDBG_WAVEMODE_SELECT)
		return -EINVAL;
	for (size_t i = 0; i < model.num_waves; i++)
		if (is_meant(&model.waves[i].wave, c) && is_refused(&model.waves[i].wave, c))
			return -EBUSY;
	/* From the end, because a wave that is killed is removed. */
	for (size_t i = model.num_waves; i-- > 0; )
		if (is_meant(&model.waves[i].wave, c))
			error = act(&model.waves[i].wave, c) ?: error;
	return error;
}

int model_wave_control(void *arg)
{
	struct amdgpudbg_wave_control *c = arg;
	int error = check_op(c);

	if (c->size != sizeof(*c))
		return -EINVAL;
	if (!error)
		error = check_place(c);
	if (error)
		return error;
	c->matched = 0;
	c->changed = 0;
	c->new_pc = 0;
	if (c->vmid && !(model_scope() >> c->vmid & 1))
		return -ENODATA;
	if (model.control_busy && c->op != AMDGPUDBG_WAVEOP_RESUME)
		return -EBUSY;
	return c->mode == AMDGPUDBG_WAVEMODE_SINGLE ? control_single(c) : control_many(c);
}

int model_wave_batch(void *arg)
{
	struct amdgpudbg_wave_batch *batch = arg;
	struct amdgpudbg_batch_op *op = (void *)(uintptr_t)batch->ops;
	bool stopped = false;

	if (batch->size != sizeof(*batch) || batch->entry_size != sizeof(*op) || !batch->count ||
	    batch->count > AMDGPUDBG_WAVE_BATCH_MAX)
		return -EINVAL;
	batch->done = 0;
	for (uint32_t i = 0; i < batch->count; i++, op++) {
		op->error = stopped ? -ECANCELED : model_wave_control(&op->control);
		batch->done += !op->error;
		if (op->error && !(batch->flags & AMDGPUDBG_WAVE_BATCH_CONTINUE))
			stopped = true;
	}
	return 0;
}

/* ------------------------------------------------------------------ registers */

/* Bits that can be written; 0: the register is read-only (kernel/hw/gfx10_3_regs.c). */
static uint32_t writable(uint32_t number)
{
	switch (number) {
	case AMDGPUDBG_GFX10_3_MODE:
	case AMDGPUDBG_GFX10_3_STATUS:
	case AMDGPUDBG_GFX10_3_TRAPSTS:
	case AMDGPUDBG_GFX10_3_PC_LO:
	case AMDGPUDBG_GFX10_3_PC_HI:
	case AMDGPUDBG_GFX10_3_M0:
	case AMDGPUDBG_GFX10_3_EXEC_LO:
	case AMDGPUDBG_GFX10_3_EXEC_HI:
	case AMDGPUDBG_GFX10_3_FLAT_SCRATCH_LO:
	case AMDGPUDBG_GFX10_3_FLAT_SCRATCH_HI:
		return 0xffffffff;
	default:
		return 0;
	}
}

static int check_range(const struct amdgpudbg_reg_range *range, bool write)
{
	const uint32_t limits[] = {
		[AMDGPUDBG_REG_SGPR] = MODEL_NUM_SGPR,
		[AMDGPUDBG_REG_VGPR] = model.info.num_vgpr,
		[AMDGPUDBG_REG_TTMP] = model.info.num_ttmp,
		[AMDGPUDBG_REG_HW] = AMDGPUDBG_GFX10_3_SCHED_MODE + 1,
	};

	if (range->space >= ARRAY_SIZE(limits) || !range->count ||
	    range->first + range->count > limits[range->space])
		return -EINVAL;
	if (range->space == AMDGPUDBG_REG_VGPR ?
	    !range->num_lanes || range->first_lane + range->num_lanes > 64 :
	    range->num_lanes || range->first_lane)
		return -EINVAL;
	for (uint32_t i = 0; range->space == AMDGPUDBG_REG_HW && write && i < range->count; i++)
		if (!writable(range->first + i))
			return -EOPNOTSUPP;
	return 0;
}

static int check_ranges(const struct amdgpudbg_reg_access *a, bool *must_halt)
{
	const struct amdgpudbg_reg_range *range = (void *)(uintptr_t)a->ranges;
	const bool write = a->flags & AMDGPUDBG_REG_ACCESS_WRITE;
	uint32_t num_values = 0;
	int error = 0;

	*must_halt = write;
	for (uint32_t i = 0; i < a->num_ranges && !error; i++, range++) {
		error = check_range(range, write);
		num_values += range->count * (range->num_lanes ?: 1);
		*must_halt = *must_halt || range->space != AMDGPUDBG_REG_HW;
	}
	return error ?: num_values == a->num_values ? 0 : -EINVAL;
}

static int check_wave(const struct amdgpudbg_reg_access *a, const struct model_wave *w,
		      bool must_halt)
{
	const struct amdgpudbg_reg_range *range = (void *)(uintptr_t)a->ranges;
	uint32_t lanes;

	if (!w || !in_scope(&w->wave))
		return -ENODATA;
	if (a->vmid && a->vmid != w->wave.vmid)
		return -ESTALE;
	if (a->flags & AMDGPUDBG_REG_ACCESS_WRITE &&
	    w->wave.flags & AMDGPUDBG_WAVE_OWNED_BY_OTHER)
		return -EBUSY;
	if (must_halt && (!(w->wave.flags & AMDGPUDBG_WAVE_HALTED) ||
			  w->wave.flags & AMDGPUDBG_WAVE_PRIV))
		return -EINPROGRESS;
	if (a->flags & AMDGPUDBG_REG_ACCESS_EXPECT_PC && a->pc != w->wave.pc)
		return -ESTALE;
	lanes = w->wave.flags & AMDGPUDBG_WAVE_WAVE64 ? 64 : 32;
	for (uint32_t i = 0; i < a->num_ranges; i++)
		if (range[i].space == AMDGPUDBG_REG_VGPR &&
		    (range[i].first + range[i].count > MODEL_NUM_VGPR ||
		     range[i].first_lane + range[i].num_lanes > lanes))
			return -ENXIO;
	return 0;
}

static uint32_t *reg_of(struct model_wave *w, uint32_t space, uint32_t number, uint32_t lane)
{
	switch (space) {
	case AMDGPUDBG_REG_SGPR:
		return &w->sgpr[number];
	case AMDGPUDBG_REG_VGPR:
		return &w->vgpr[number][lane];
	case AMDGPUDBG_REG_TTMP:
		return &w->wave.ttmp[number];
	default:
		return &w->wave.hw[number];
	}
}

/* The registers in the order of the values: all of the first lane first */
static void list_registers(const struct amdgpudbg_reg_access *a, struct model_wave *w,
			   uint32_t **regs)
{
	const struct amdgpudbg_reg_range *range = (void *)(uintptr_t)a->ranges;

	for (uint32_t i = 0; i < a->num_ranges; i++, range++)
		for (uint32_t lane = 0; lane < (range->num_lanes ?: 1); lane++)
			for (uint32_t n = 0; n < range->count; n++)
				*regs++ = reg_of(w, range->space, range->first + n,
						 range->first_lane + lane);
}

static int copy_values(struct amdgpudbg_reg_access *a, struct model_wave *w, uint32_t **regs)
{
	uint32_t *values = (void *)(uintptr_t)a->values;
	const uint32_t *compare = (void *)(uintptr_t)a->compare;

	for (uint32_t i = 0; a->flags & AMDGPUDBG_REG_ACCESS_COMPARE && i < a->num_values; i++)
		if (*regs[i] != compare[i])
			return -ESTALE;
	for (uint32_t i = 0; i < a->num_values; i++, a->num_done++) {
		if (a->flags & AMDGPUDBG_REG_ACCESS_WRITE && i && i == model.num_written)
			return -EIO;
		if (!(a->flags & AMDGPUDBG_REG_ACCESS_WRITE))
			values[i] = *regs[i];
		else if (a->flags & AMDGPUDBG_REG_ACCESS_MASK)
			*regs[i] = (*regs[i] & ~compare[i]) | (values[i] & compare[i]);
		else
			*regs[i] = values[i];
	}
	w->wave.pc = (uint64_t)(int16_t)w->wave.HW(PC_HI) << 32 | w->wave.HW(PC_LO);
	w->wave.exec = (uint64_t)w->wave.HW(EXEC_HI) << 32 | w->wave.HW(EXEC_LO);
	return 0;
}

int model_reg_access(void *arg)
{
	struct amdgpudbg_reg_access *a = arg;
	struct model_wave *w = find(&a->at);
	bool must_halt;
	uint32_t **regs;
	int error = check_at(&a->at, AT_ALL);

	a->num_done = 0;
	if (a->size != sizeof(*a) || a->flags & AMDGPUDBG_REG_ACCESS_EXPECT_ID)
		return a->size != sizeof(*a) ? -EINVAL : -ENOSYS;
	if (!error)
		error = check_ranges(a, &must_halt);
	if (!error)
		error = check_wave(a, w, must_halt);
	if (error)
		return error;
	regs = calloc(a->num_values, sizeof(*regs));
	if (!regs)
		abort();
	list_registers(a, w, regs);
	error = copy_values(a, w, regs);
	free(regs);
	return error;
}
