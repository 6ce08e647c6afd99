// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The stages in which a debugger is killed: see death.h. All run in the
 * debugger's own process.
 */
#include "array_size.h"
#include "death.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static struct amdgpudbg_wave waves[DEATH_MAX_WAVES];
static unsigned int num_waves;

/* By adbg_wave_read() or adbg_wave_snapshot() */
static int look_by(int (*read_waves)(struct adbg_session *session,
				     struct amdgpudbg_wave_list *request),
		   struct adbg_session *session, uint32_t flags)
{
	struct amdgpudbg_wave_list read = {
		.flags = flags,
		.waves = (uintptr_t)waves,
		.capacity = DEATH_MAX_WAVES,
	};
	int ret = read_waves(session, &read);

	if (ret)
		return ret;
	num_waves = read.count;
	return num_waves ? 0 : -ENODATA;
}

static int control_one(struct adbg_session *session, uint32_t op,
		       uint32_t mode, const struct amdgpudbg_wave *wave)
{
	struct amdgpudbg_wave_control c = {
		.op = op, .mode = mode, .vmid = wave->vmid,
	};

	if (mode != AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS)
		c.at = wave->at;
	if (mode == AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS_CU) {
		c.at.simd = 0;
		c.at.wave = 0;
	}
	return adbg_wave_control(session, &c);
}

static int control(struct adbg_session *session, uint32_t op, uint32_t mode)
{
	int ret = look_by(adbg_wave_read, session, 0);

	return ret ? ret : control_one(session, op, mode, &waves[0]);
}

static int nothing(struct adbg_session *session)
{
	(void)session;
	return 0;
}

static int halt_wave(struct adbg_session *session)
{
	return control(session, AMDGPUDBG_WAVEOP_HALT,
		       AMDGPUDBG_WAVEMODE_SINGLE);
}

static int halt_wgp(struct adbg_session *session)
{
	return control(session, AMDGPUDBG_WAVEOP_HALT,
		       AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS_CU);
}

static int halt_process(struct adbg_session *session)
{
	return control(session, AMDGPUDBG_WAVEOP_HALT,
		       AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS);
}

static int resume_process(struct adbg_session *session)
{
	return control(session, AMDGPUDBG_WAVEOP_RESUME,
		       AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS);
}

static int halt_and_resume(struct adbg_session *session)
{
	int ret = halt_process(session);

	return ret ? ret : resume_process(session);
}

static int halt_by_snapshot(struct adbg_session *session)
{
	return look_by(adbg_wave_snapshot, session, AMDGPUDBG_WAVE_LIST_HOLD);
}

static int snapshot(struct adbg_session *session)
{
	return look_by(adbg_wave_snapshot, session, AMDGPUDBG_WAVE_LIST_TTMP);
}

static int debug_wave(struct adbg_session *session)
{
	return control(session, AMDGPUDBG_WAVEOP_DEBUG,
		       AMDGPUDBG_WAVEMODE_SINGLE);
}

static int debug_process(struct adbg_session *session)
{
	return control(session, AMDGPUDBG_WAVEOP_DEBUG,
		       AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS);
}

static int step(struct adbg_session *session)
{
	int ret = control_one(session, AMDGPUDBG_WAVEOP_STEP,
			      AMDGPUDBG_WAVEMODE_SINGLE, &waves[0]);

	/* It may take its time on a busy machine. */
	return ret == -ETIMEDOUT ? 0 : ret;
}

static int batch(struct adbg_session *session)
{
	struct amdgpudbg_batch_op ops[2 * DEATH_MAX_WAVES] = { 0 };
	struct amdgpudbg_wave_batch b = {
		.ops = (uintptr_t)ops, .count = 2 * num_waves,
	};

	for (unsigned int i = 0; i < b.count; i++) {
		ops[i].control = (struct amdgpudbg_wave_control){
			.op = i < num_waves ? AMDGPUDBG_WAVEOP_HALT :
					      AMDGPUDBG_WAVEOP_RESUME,
			.mode = AMDGPUDBG_WAVEMODE_SINGLE,
			.vmid = waves[i % num_waves].vmid,
			.at = waves[i % num_waves].at,
		};
	}
	return adbg_wave_batch(session, &b);
}

static int prepare_batch(struct adbg_session *session)
{
	int ret = look_by(adbg_wave_read, session, 0);

	return ret ? ret : batch(session);
}

/* What is written is what was there: the victim's results stay right. */
static int write_registers(struct adbg_session *session)
{
	static const struct amdgpudbg_reg_range range = {
		.space = AMDGPUDBG_REG_VGPR, .count = 4, .num_lanes = 32,
	};
	uint32_t values[4 * 32];
	struct amdgpudbg_reg_access a = {
		.vmid = waves[0].vmid, .at = waves[0].at, .num_ranges = 1,
		.ranges = (uintptr_t)&range, .values = (uintptr_t)values,
		.num_values = ARRAY_SIZE(values),
	};
	int ret = adbg_reg_access(session, &a);

	if (ret)
		return ret;
	a.flags = AMDGPUDBG_REG_ACCESS_WRITE;
	return adbg_reg_access(session, &a);
}

static int halt_and_write(struct adbg_session *session)
{
	int ret = halt_process(session);

	return ret ? ret : write_registers(session);
}

static int watch(struct adbg_session *session)
{
	for (uint64_t i = 0; i < 4; i++) {
		struct amdgpudbg_watch_set w = {
			.mode = AMDGPUDBG_WATCH_ALL,
			.address = 0x600000000000 + i * 4096, .bytes = 4096,
		};
		int ret = adbg_watch_set(session, &w);

		if (ret)
			return ret;
	}
	return 0;
}

static int watch_and_clear(struct adbg_session *session)
{
	struct amdgpudbg_watch_set w = {
		.mode = AMDGPUDBG_WATCH_READ, .address = 0x600000000000,
		.bytes = 4096,
	};
	int ret = adbg_watch_set(session, &w);

	return ret ? ret : adbg_watch_clear(session, w.id);
}

static int launch(struct adbg_session *session, uint32_t mode, uint32_t flags,
		  uint64_t excp)
{
	struct amdgpudbg_launch_set l = {
		.mode = mode, .flags = flags, .excp_mask = excp,
	};

	return adbg_launch_set(session, &l);
}

static int launch_halted(struct adbg_session *session)
{
	return launch(session, AMDGPUDBG_LAUNCH_HALT, 0, 0);
}

static int launch_debug(struct adbg_session *session)
{
	return launch(session, AMDGPUDBG_LAUNCH_DEBUG,
		      AMDGPUDBG_LAUNCH_SET_EXCP, AMDGPUDBG_CAUSE_WATCH);
}

static int launch_stalled(struct adbg_session *session)
{
	return launch(session, AMDGPUDBG_LAUNCH_NORMAL,
		      AMDGPUDBG_LAUNCH_SET_STALL, 0);
}

static int launch_excps(struct adbg_session *session)
{
	return launch(session, AMDGPUDBG_LAUNCH_NORMAL,
		      AMDGPUDBG_LAUNCH_SET_EXCP,
		      AMDGPUDBG_CAUSE_MEM_VIOL | AMDGPUDBG_CAUSE_INT_DIV0);
}

static int launch_on_and_off(struct adbg_session *session)
{
	int ret = launch_halted(session);

	return ret ? ret : launch(session, AMDGPUDBG_LAUNCH_NORMAL, 0, 0);
}

static int events(struct adbg_session *session)
{
	return adbg_event_enable(session, 1ULL << AMDGPUDBG_EVENT_WAVE |
				 1ULL << AMDGPUDBG_EVENT_GPU_RESET, 0, 0);
}

/* ------------------------------------------------- memory and trap handlers */

static uint32_t buffers[3];

static int allocate(struct adbg_session *session)
{
	static const uint32_t flags[] = {
		0, AMDGPUDBG_MEM_ALLOC_EXEC, AMDGPUDBG_MEM_ALLOC_UNCACHED
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(buffers); i++) {
		struct amdgpudbg_mem_alloc mem = {
			.flags = flags[i], .bytes = 16384,
		};
		int ret = adbg_mem_alloc(session, &mem);

		if (ret)
			return ret;
		buffers[i] = mem.id;
	}
	return 0;
}

static int copy(struct adbg_session *session)
{
	static char data[16384], back[sizeof(data)];
	int ret;

	data[0]++;
	ret = adbg_mem_write(session, buffers[0], 0, data, sizeof(data));
	if (!ret)
		ret = adbg_mem_read(session, buffers[0], 0, back, sizeof(back));
	return ret ? ret : memcmp(data, back, sizeof(data)) ? -EIO : 0;
}

static int allocate_and_free(struct adbg_session *session)
{
	int ret = allocate(session);

	for (unsigned int i = 0; i < ARRAY_SIZE(buffers) && !ret; i++)
		ret = adbg_mem_free(session, buffers[i]);
	return ret;
}

/* Handlers: one that halts waves, and one that returns at once. */
static int install(struct adbg_session *session)
{
	return adbg_trap_install(session, NULL);
}

static int uninstall(struct adbg_session *session)
{
	return adbg_trap_uninstall(session);
}

static int install_and_uninstall(struct adbg_session *session)
{
	int ret = install(session);

	return ret ? ret : uninstall(session);
}

#define NUM_PASSING 2
static struct amdgpudbg_trap_handler passing[NUM_PASSING];

/* Where the debugger has put the handler that returns, and its memory. */
static int load_passing(struct adbg_session *session,
			struct amdgpudbg_trap_handler *h)
{
	struct amdgpudbg_mem_alloc code = { .flags = AMDGPUDBG_MEM_ALLOC_EXEC };
	struct amdgpudbg_mem_alloc tma = {
		.flags = AMDGPUDBG_MEM_ALLOC_UNCACHED, .bytes = 4096,
	};
	/* What it gives to waves: the same as without it. */
	static const uint32_t value = 5;
	static char text[4096];
	FILE *f = fopen("/usr/share/amdgpudbg/handler.bin", "r");
	int ret;

	if (!f)
		return -errno;
	code.bytes = fread(text, 1, sizeof(text), f);
	fclose(f);
	ret = adbg_mem_alloc(session, &code);
	if (!ret)
		ret = adbg_mem_alloc(session, &tma);
	if (!ret)
		ret = adbg_mem_write(session, code.id, 0, text, sizeof(text));
	if (!ret)
		ret = adbg_mem_write(session, tma.id, 0, &value, sizeof(value));
	*h = (struct amdgpudbg_trap_handler){
		.size = sizeof(*h),
		.tba = code.va,
		.tba_size = code.bytes,
		.tma = tma.va,
		.tma_size = tma.bytes,
	};
	return ret;
}

static int install_passing(struct adbg_session *session)
{
	int ret = load_passing(session, &passing[0]);

	return ret ? ret : adbg_trap_handler_set(session, &passing[0]);
}

static int install_first(struct adbg_session *session)
{
	int ret = load_passing(session, &passing[1]);

	return ret ? ret : install_passing(session);
}

static int change_handler(struct adbg_session *session)
{
	static unsigned int turn;

	return adbg_trap_handler_set(session, &passing[++turn % NUM_PASSING]);
}

static int clear_handler(struct adbg_session *session)
{
	return adbg_trap_handler_clear(session);
}

static int install_and_watch(struct adbg_session *session)
{
	int ret = install(session);

	return ret ? ret : watch(session);
}

static int resume_all(struct adbg_session *session)
{
	struct amdgpudbg_wave_control c = {
		.op = AMDGPUDBG_WAVEOP_RESUME,
		.mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS,
	};

	return adbg_wave_control(session, &c);
}

/* A wave may take its time in a handler on a busy machine. */
static int patient_snapshot(struct adbg_session *session)
{
	int ret = snapshot(session);

	return ret == -ETIMEDOUT ? 0 : ret;
}

static int make_trap(struct adbg_session *session)
{
	struct amdgpudbg_wave_control c = {
		.op = AMDGPUDBG_WAVEOP_TRAP,
		.mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS, .trap_id = 7,
	};
	int ret = adbg_wave_control(session, &c);

	return ret == -ETIMEDOUT ? 0 : ret;
}

/* Waves enter their handler after each instruction. */
static int debug_all(struct adbg_session *session)
{
	struct amdgpudbg_wave_control c = {
		.op = AMDGPUDBG_WAVEOP_DEBUG,
		.mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS,
	};
	int ret = adbg_wave_control(session, &c);

	return ret == -ETIMEDOUT ? 0 : ret;
}

/* ------------------------------------------------------------------ all of it */

static int everything(struct adbg_session *session)
{
	int ret = events(session);

	if (!ret)
		ret = debug_process(session);
	if (!ret)
		ret = halt_process(session);
	if (!ret)
		ret = watch(session);
	return ret ? ret :
		     launch(session, AMDGPUDBG_LAUNCH_HALT,
			    AMDGPUDBG_LAUNCH_SET_STALL |
				    AMDGPUDBG_LAUNCH_SET_EXCP,
			    AMDGPUDBG_CAUSE_WATCH);
}

static int really_everything(struct adbg_session *session)
{
	int ret = allocate(session);

	if (!ret)
		ret = install(session);
	return ret ? ret : everything(session);
}

#define SHOWS .shows = true
#define RESERVES .reserves = true
/* What takes buffers away, or the VMID of waves that stay: see death.h. */
#define END .waves = WAVES_END
#define GONE .waves = WAVES_ARE_GONE
#define HANDLER .memory = true, SHOWS, RESERVES
const struct stage stages[] = {
	{ "target set", .reach = nothing },
	{ "a wave halted", .reach = halt_wave, SHOWS },
	{ "a WGP halted", .reach = halt_wgp, SHOWS },
	{ "all halted", .reach = halt_process, SHOWS },
	{ "all halted, by root", .as_root = true, .whole_gpu = true,
	  .reach = halt_process, SHOWS },
	{ "halting and resuming", .reach = nothing, .again = halt_and_resume },
	{ "halted by a snapshot", .reach = halt_by_snapshot, SHOWS },
	{ "in snapshots", .reach = nothing, .again = snapshot },
	{ "in snapshots of all", .as_root = true, .whole_gpu = true,
	  .reach = nothing, .again = snapshot },
	{ "a wave in debug mode", .reach = debug_wave, SHOWS },
	{ "all in debug mode", .reach = debug_process, SHOWS },
	{ "stepping", .reach = halt_process, .again = step, SHOWS },
	{ "in batches", .reach = prepare_batch, .again = batch },
	{ "writing registers", .reach = halt_and_write,
	  .again = write_registers, SHOWS },
	{ "watches set", .reach = watch, SHOWS, RESERVES },
	{ "watches set, waves end", .reach = watch, END, SHOWS, RESERVES },
	{ "setting a watch", GONE, .reach = nothing, .again = watch_and_clear },
	{ "waves start halted", END, .reach = launch_halted, .job = 'j',
	  .halts_new = true, SHOWS, RESERVES },
	{ "waves start in debug mode", END, .reach = launch_debug, SHOWS,
	  RESERVES },
	{ "no waves start", END, .reach = launch_stalled, .job = 'j',
	  .stops_new = true, SHOWS, RESERVES },
	{ "exceptions enabled", .as_root = true, .reach = launch_excps,
	  SHOWS, RESERVES },
	{ "setting the launch mode", GONE, .reach = nothing,
	  .again = launch_on_and_off },
	{ "events enabled", .reach = events },
	{ "everything but a handler", .reach = everything, .job = 'j',
	  .stops_new = true, SHOWS, RESERVES },

	{ "memory", END, .reach = allocate, .memory = true, SHOWS },
	{ "copying memory", END, .reach = allocate, .again = copy,
	  .memory = true, SHOWS },
	{ "allocating memory", GONE, .reach = nothing,
	  .again = allocate_and_free, .memory = true },
	{ "handler set", END, .reach = install, HANDLER },
	{ "waves stopped in the handler", END, .reach = install, .job = 't',
	  .halts_new = true, HANDLER },
	{ "waves that stop and are resumed", END, .reach = install, .job = 's',
	  .again = resume_all, HANDLER },
	{ "waves in and out of the handler", END, .reach = install_passing,
	  .job = 's', HANDLER },
	{ "handler and watches set", END, .reach = install_and_watch,
	  .job = 't', .halts_new = true, HANDLER },
	{ "in snapshots, with a handler", END, .reach = install_passing,
	  .job = 's', .again = patient_snapshot, HANDLER },
	{ "making waves trap", END, .reach = install_passing, .job = 's',
	  .again = make_trap, HANDLER },
	{ "debug mode with a handler", END, .reach = install, .job = 's',
	  .then = debug_all, HANDLER },
	{ "changing the handler", END, .reach = install_first, .job = 's',
	  .again = change_handler, HANDLER },
	{ "handler gone before", GONE, .reach = install_and_uninstall,
	  .memory = true },
	{ "handler gone from under waves", END, .reach = install_passing,
	  .job = 's', .then = clear_handler, HANDLER },
	{ "handler gone from stopped waves", END, .reach = install, .job = 't',
	  .halts_new = true, .then = uninstall, HANDLER },
	{ "setting a handler", GONE, .reach = nothing,
	  .again = install_and_uninstall, .memory = true },
	{ "everything", END, .reach = really_everything, .job = 'j',
	  .stops_new = true, HANDLER },
};

const unsigned int num_stages = ARRAY_SIZE(stages);
