// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Calls in which faults are injected: nodes, information, targets, waves, registers.
 */
#include "array_size.h"
#include "failnth_case.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define NODE "/dev/amdgpudbg0"

#define SINGLE	AMDGPUDBG_WAVEMODE_SINGLE
#define PROCESS	AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS
#define WGP	AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS_CU

int do_ioctl(unsigned long nr, void *arg)
{
	return self_call(world.session, nr, arg);
}

/* ------------------------------------------------------- nodes, information */

static int fd = -1;

static int open_node(void)
{
	fd = open(NODE, O_RDWR | O_CLOEXEC);
	return fd < 0 ? -errno : 0;
}

static int close_node(void)
{
	return close(fd) ? -errno : 0;
}

static int get_info(void)
{
	struct amdgpudbg_info info = { .size = sizeof(info) };

	return do_ioctl(AMDGPUDBG_IOC_GET_INFO, &info);
}

static int get_capability(void)
{
	struct amdgpudbg_capability c = { .size = sizeof(c) };

	return do_ioctl(AMDGPUDBG_IOC_GET_CAPABILITY, &c);
}

static int get_busy(void)
{
	struct amdgpudbg_busy busy = { .size = sizeof(busy) };

	return do_ioctl(AMDGPUDBG_IOC_GET_BUSY, &busy);
}

/* ------------------------------------------------------------------ targets */

static int set_target(int drm_fd, int pidfd)
{
	struct amdgpudbg_target_set t = {
		.size = sizeof(t), .drm_fd = drm_fd, .pidfd = pidfd,
	};

	return do_ioctl(AMDGPUDBG_IOC_TARGET_SET, &t);
}

static int set_with_pidfd(void)
{
	return set_target(world.drm_fd, world.pidfd);
}

static int set_without_pidfd(void)
{
	return set_target(world.drm_fd, -1);
}

static int give_up(void)
{
	return set_target(-1, -1);
}

/* A session without a target has no buffers, one with has none of this number. */
static uint64_t has_target(void)
{
	struct amdgpudbg_mem_free m = { .size = sizeof(m), .id = 9999 };

	return do_ioctl(AMDGPUDBG_IOC_MEM_FREE, &m) == -ENOENT;
}

/* -------------------------------------------------------------------- lists */

#define MAX_LISTED 64

static int list(unsigned long nr, uint32_t flags, uint32_t at_mask)
{
	static struct amdgpudbg_wave listed[MAX_LISTED];
	struct amdgpudbg_wave_list l = {
		.size = sizeof(l), .flags = flags, .entry_size = sizeof(listed[0]),
		.capacity = MAX_LISTED, .waves = (uintptr_t)listed,
		.select.at_mask = at_mask,
	};
	int ret;

	if (at_mask)
		l.select.at = (struct amdgpudbg_wave_coord){
			.simd = world.waves[0].at.simd,
		};
	ret = do_ioctl(nr, &l);
	if (ret)
		return ret;
	return at_mask ? !l.count : l.count != VICTIM_WAVES;
}

static int list_all(void)
{
	return list(AMDGPUDBG_IOC_WAVE_LIST, 0, 0);
}

static int list_simd(void)
{
	return list(AMDGPUDBG_IOC_WAVE_LIST, AMDGPUDBG_WAVE_LIST_TTMP,
		    AMDGPUDBG_AT_SIMD);
}

static int snapshot_and_hold(void)
{
	return list(AMDGPUDBG_IOC_WAVE_SNAPSHOT, AMDGPUDBG_WAVE_LIST_HOLD, 0);
}

static int snapshot(void)
{
	return list(AMDGPUDBG_IOC_WAVE_SNAPSHOT, AMDGPUDBG_WAVE_LIST_TTMP, 0);
}

/* ------------------------------------------------------------------ control */

static struct amdgpudbg_wave_control operation(uint32_t op, uint32_t mode,
					       const struct amdgpudbg_wave *wave,
					       uint32_t flags)
{
	struct amdgpudbg_wave_control c = {
		.size = sizeof(c), .flags = flags, .op = op, .mode = mode,
		.vmid = wave->vmid,
	};

	if (mode != PROCESS)
		c.at = wave->at;
	if (mode == WGP) {
		c.at.simd = 0;
		c.at.wave = 0;
	}
	return c;
}

int control(uint32_t op, uint32_t mode, unsigned int i, uint32_t flags)
{
	struct amdgpudbg_wave_control c = operation(op, mode, &world.waves[i],
						    flags);
	int ret = do_ioctl(AMDGPUDBG_IOC_WAVE_CONTROL, &c);

	return !ret && !c.matched ? -ENODATA : ret;
}

#define CONTROL(_name, _op, _mode, _flags)				\
static int _name(void)							\
{									\
	return control(AMDGPUDBG_WAVEOP_##_op, _mode, 0, _flags);	\
}

#define LEAVE	AMDGPUDBG_WAVE_CONTROL_LEAVE_HALTED
#define OFF	AMDGPUDBG_WAVE_CONTROL_DEBUG_OFF

CONTROL(halt_one, HALT, SINGLE, 0)
CONTROL(halt_wgp, HALT, WGP, 0)
CONTROL(halt_all, HALT, PROCESS, 0)
CONTROL(leave_one, HALT, SINGLE, LEAVE)
CONTROL(resume_one, RESUME, SINGLE, 0)
CONTROL(resume_wgp, RESUME, WGP, 0)
CONTROL(resume_all, RESUME, PROCESS, 0)
CONTROL(step, STEP, SINGLE, 0)
CONTROL(debug_one, DEBUG, SINGLE, 0)
CONTROL(debug_all, DEBUG, PROCESS, 0)
CONTROL(debug_one_off, DEBUG, SINGLE, OFF)
CONTROL(debug_all_off, DEBUG, PROCESS, OFF)
/* The waves have no handler, so nothing comes of it. */
CONTROL(trap_one, TRAP, SINGLE, 0)
CONTROL(trap_all, TRAP, PROCESS, 0)

/* The waves that end are our own. */
static struct amdgpudbg_wave own_waves[SELF_WAVES];

static int start_own(void)
{
	int ret = self_start(&world.self, "touch_read", 0);

	return ret ? ret : self_wait_waves(world.session, own_waves, SELF_WAVES);
}

static int finish_own(void)
{
	return self_finish(&world.self);
}

static int kill_own(uint32_t mode)
{
	struct amdgpudbg_wave_control c =
		operation(AMDGPUDBG_WAVEOP_KILL, mode, &own_waves[0], 0);

	return do_ioctl(AMDGPUDBG_IOC_WAVE_CONTROL, &c);
}

static int kill_one(void)
{
	return kill_own(SINGLE);
}

static int kill_all(void)
{
	return kill_own(PROCESS);
}

static int start_again(void)
{
	int ret = finish_own();

	return ret ? ret : start_own();
}

/* ------------------------------------------------------------------ batches */

/* More than one page of them. */
#define BATCH (4096 / sizeof(struct amdgpudbg_batch_op) + 2)

/*
 * Halt all one by one, resume the last, and halt the first again and again: on a slow
 * machine, a batch is cut off after a second.
 */
static int batch(void)
{
	static struct amdgpudbg_batch_op ops[BATCH];
	struct amdgpudbg_wave_batch b = {
		.size = sizeof(b), .entry_size = sizeof(ops[0]),
		.count = BATCH, .ops = (uintptr_t)ops,
	};
	unsigned int i;
	int ret;

	for (i = 0; i < BATCH; i++) {
		ops[i].control = operation(AMDGPUDBG_WAVEOP_HALT, SINGLE,
					   &world.waves[i < VICTIM_WAVES ? i : 0],
					   0);
		ops[i].error = 0;
	}
	ops[VICTIM_WAVES].control = operation(AMDGPUDBG_WAVEOP_RESUME, SINGLE,
					      &world.waves[VICTIM_WAVES - 1], 0);
	ret = do_ioctl(AMDGPUDBG_IOC_WAVE_BATCH, &b);
	if (ret || b.done == BATCH)
		return ret;
	return b.done > VICTIM_WAVES && ops[b.done].error == -ECANCELED ? 0 : -EIO;
}

/* ---------------------------------------------------------------- registers */

/* More than a page of values, of a register that "spin" has no use for. */
#define RANGES 12
#define SGPRS 100
#define LAST_SGPR 100

static uint32_t values[RANGES * SGPRS], expected[RANGES * SGPRS];

static int access_regs(uint32_t flags, uint32_t num_ranges, uint32_t space,
		       uint32_t first, uint32_t count)
{
	static struct amdgpudbg_reg_range ranges[RANGES];
	struct amdgpudbg_reg_access r = {
		.size = sizeof(r), .flags = flags, .at = world.waves[0].at,
		.vmid = world.vmid, .num_ranges = num_ranges,
		.ranges = (uintptr_t)ranges, .values = (uintptr_t)values,
		.num_values = num_ranges * count,
	};
	unsigned int i;

	if (flags & AMDGPUDBG_REG_ACCESS_COMPARE)
		r.compare = (uintptr_t)expected;
	for (i = 0; i < num_ranges; i++)
		ranges[i] = (struct amdgpudbg_reg_range){
			.space = space, .first = first, .count = count,
		};
	return do_ioctl(AMDGPUDBG_IOC_REG_ACCESS, &r);
}

static int read_hw(void)
{
	return access_regs(0, 1, AMDGPUDBG_REG_HW, AMDGPUDBG_GFX10_3_STATUS, 2);
}

static int read_many(void)
{
	return access_regs(0, RANGES, AMDGPUDBG_REG_SGPR, 0, SGPRS);
}

/* Twice what read_many() reads */
static int read_batch(void)
{
	static struct amdgpudbg_reg_range ranges[RANGES];
	static struct amdgpudbg_reg_batch_op ops[2];
	struct amdgpudbg_reg_batch b = {
		.size = sizeof(b), .entry_size = sizeof(ops[0]), .count = 2,
		.ops = (uintptr_t)ops,
	};
	unsigned int i;
	int ret;

	for (i = 0; i < RANGES; i++)
		ranges[i] = (struct amdgpudbg_reg_range){
			.space = AMDGPUDBG_REG_SGPR, .count = SGPRS,
		};
	for (i = 0; i < 2; i++)
		ops[i] = (struct amdgpudbg_reg_batch_op){
			.access = {
				.size = sizeof(ops[i].access),
				.at = world.waves[0].at, .vmid = world.vmid,
				.ranges = (uintptr_t)ranges,
				.num_ranges = RANGES,
				.values = (uintptr_t)values,
				.num_values = RANGES * SGPRS,
			},
		};
	ret = do_ioctl(AMDGPUDBG_IOC_REG_BATCH, &b);
	if (ret)
		return ret;
	return ops[0].error ? ops[0].error : ops[1].error;
}

static uint64_t sgpr(void)
{
	int ret = access_regs(0, 1, AMDGPUDBG_REG_SGPR, LAST_SGPR, 1);

	return ret ? (uint64_t)ret : values[0];
}

static uint32_t old_sgpr;

static int halt_and_read(void)
{
	int ret = halt_one();

	if (!ret)
		old_sgpr = sgpr();
	return ret;
}

static int write_reg(uint32_t flags, uint32_t was, uint32_t value)
{
	values[0] = value;
	expected[0] = was;
	return access_regs(AMDGPUDBG_REG_ACCESS_WRITE | flags, 1,
			   AMDGPUDBG_REG_SGPR, LAST_SGPR, 1);
}

static int write_one(void)
{
	return write_reg(0, 0, ~old_sgpr);
}

static int write_if_equal(void)
{
	return write_reg(AMDGPUDBG_REG_ACCESS_COMPARE, old_sgpr, ~old_sgpr);
}

static int write_many(void)
{
	unsigned int i;

	/* The same register again and again; the last value counts. */
	for (i = 0; i < ARRAY_SIZE(values); i++)
		values[i] = ~old_sgpr;
	return access_regs(AMDGPUDBG_REG_ACCESS_WRITE, RANGES,
			   AMDGPUDBG_REG_SGPR, LAST_SGPR, 1);
}

static int write_back(void)
{
	return write_reg(0, 0, old_sgpr);
}

/* -------------------------------------------------------------------- table */

#define CHANGES .changes = true
#define LATE .late = true

#define WAVE_CONTROL(_name, _run, _undo, ...)				\
	{ _name, CALL_WAVE_CONTROL, .scope = THE_VICTIM, .run = _run,	\
	  .undo = _undo, LATE, __VA_ARGS__ }

const struct fault_case wave_cases[] = {
	/* The path is the caller's memory, too. */
	{ "open", CALL_OPEN, .run = open_node, .undo = close_node,
	  .also = EFAULT, CHANGES },
	{ "close", CALL_CLOSE, .set_up = open_node, .run = close_node,
	  .undo = open_node, .take_down = close_node, CHANGES },
	{ "information", CALL_GET_INFO, .scope = WHOLE_GPU, .run = get_info },
	{ "a capability", CALL_GET_CAPABILITY, .scope = WHOLE_GPU,
	  .run = get_capability },
	{ "why it was busy", CALL_GET_BUSY, .scope = WHOLE_GPU,
	  .run = get_busy },
	{ "set a target", CALL_TARGET_SET, .scope = WHOLE_GPU,
	  .run = set_with_pidfd, .undo = give_up, .probe = has_target,
	  CHANGES, LATE },
	{ "set a target without its pidfd", CALL_TARGET_SET,
	  .scope = WHOLE_GPU, .run = set_without_pidfd, .undo = give_up,
	  .probe = has_target, CHANGES, LATE },
	{ "give up a target", CALL_TARGET_SET, .scope = THE_VICTIM,
	  .run = give_up, .undo = set_with_pidfd, .probe = has_target,
	  CHANGES, LATE },

	{ "list all waves", CALL_WAVE_LIST, .scope = WHOLE_GPU,
	  .run = list_all },
	{ "list waves of a SIMD", CALL_WAVE_LIST, .scope = THE_VICTIM,
	  .run = list_simd },
	{ "snapshot that holds", CALL_WAVE_SNAPSHOT, .scope = THE_VICTIM,
	  .run = snapshot_and_hold, .undo = resume_all, CHANGES, LATE },
	{ "snapshot", CALL_WAVE_SNAPSHOT, .scope = THE_VICTIM,
	  .run = snapshot },
	{ "snapshot of all", CALL_WAVE_SNAPSHOT, .scope = WHOLE_GPU,
	  .run = snapshot },

	WAVE_CONTROL("halt a wave", halt_one, resume_one, CHANGES),
	WAVE_CONTROL("halt a wave for good", leave_one, resume_one, CHANGES),
	WAVE_CONTROL("halt a WGP", halt_wgp, resume_wgp, CHANGES),
	WAVE_CONTROL("halt all", halt_all, resume_all, CHANGES),
	{ "halt all, without a target", CALL_WAVE_CONTROL, .scope = WHOLE_GPU,
	  .run = halt_all, .undo = resume_all, CHANGES, LATE },
	WAVE_CONTROL("resume a wave", resume_one, halt_one,
		     .set_up = halt_one, CHANGES),
	WAVE_CONTROL("resume a WGP", resume_wgp, halt_wgp,
		     .set_up = halt_wgp, CHANGES),
	WAVE_CONTROL("resume all", resume_all, halt_all,
		     .set_up = halt_all, CHANGES),
	WAVE_CONTROL("step", step, NULL, .set_up = halt_one, CHANGES),
	WAVE_CONTROL("debug mode of a wave", debug_one, debug_one_off,
		     CHANGES),
	WAVE_CONTROL("debug mode of all", debug_all, debug_all_off, CHANGES),
	WAVE_CONTROL("end of debug mode", debug_all_off, debug_all,
		     .set_up = debug_all, CHANGES),
	WAVE_CONTROL("trap of a wave", trap_one, NULL),
	WAVE_CONTROL("trap of all", trap_all, NULL),
	{ "kill a wave", CALL_WAVE_CONTROL, .scope = OURSELVES,
	  .set_up = start_own, .run = kill_one, .undo = start_again,
	  .take_down = finish_own, CHANGES, LATE },
	{ "kill all", CALL_WAVE_CONTROL, .scope = OURSELVES,
	  .set_up = start_own, .run = kill_all, .undo = start_again,
	  .take_down = finish_own, CHANGES, LATE },
	{ "batch", CALL_WAVE_BATCH, .scope = THE_VICTIM, .run = batch,
	  .undo = resume_all, CHANGES, LATE },

	{ "read registers of a running wave", CALL_REG_ACCESS,
	  .scope = THE_VICTIM, .run = read_hw },
	{ "read many registers", CALL_REG_ACCESS, .scope = THE_VICTIM,
	  .set_up = halt_one, .run = read_many },
	{ "read many registers in a batch", CALL_REG_BATCH,
	  .scope = THE_VICTIM, .set_up = halt_one, .run = read_batch },
	{ "write a register", CALL_REG_ACCESS, .scope = THE_VICTIM,
	  .set_up = halt_and_read, .run = write_one, .undo = write_back,
	  .probe = sgpr, CHANGES, LATE },
	{ "write a register if it is as expected", CALL_REG_ACCESS,
	  .scope = THE_VICTIM, .set_up = halt_and_read,
	  .run = write_if_equal, .undo = write_back, .probe = sgpr, CHANGES,
	  LATE },
	{ "write many registers", CALL_REG_ACCESS, .scope = THE_VICTIM,
	  .set_up = halt_and_read, .run = write_many, .undo = write_back,
	  .probe = sgpr, CHANGES, LATE },
};

const unsigned int num_wave_cases = ARRAY_SIZE(wave_cases);
