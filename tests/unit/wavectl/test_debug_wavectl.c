// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl's commands about code, lines and variables, in a shell session. Code objects and
 * the disassembler are those of the library; the functions about a process are replaced when
 * the program is linked (see REPLACE). The memory of the simulated process contains
 * tests/kernels/kernels.cl, compiled with -O1 -g, and a wave is halted in saxpy().
 *
 * Register n of lane l holds n << 8 | l.
 */
#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <amdgpudbg-debug-step.h>

/* They have a function fail(), cmocka a macro. */
#include "dispatch.h"
#include "base/util.h"
#include "shell/shell_session.h"
#include "debug/focus.h"
#include "waves/hold.h"
#include "waves/stop.h"
#include "debug/trace_file.h"
#include "debug/values.h"

#include "debug/util.h"
#include "mock.h"
#include "run_wavectl.h"

#define BASE		0x100000000ULL
#define DATA		0x200000000ULL
#define KERNELS		KERNELS_CO "kernels_debug.co"
#define VARS		DEBUG_CO "vars_O1.co"
#define GC_VERSION	ADBG_GC_VERSION(10, 3, 1)

/* Lines of kernels.cl */
#define SAXPY_LINE_OFFSET 0x28		/* from the beginning of saxpy() */
#define SAXPY_LINE	17		/* out[i] = ..., where i is in a VGPR */
#define SAXPY_TEXT	"        out[i] = to_bits(a * to_float(in[2 * i])"

static struct run r;

/* What the process has, and where its wave is; of the child that runs the commands */
static struct {
	struct fake_memory memory;
	uint8_t *image;			/* at BASE */
	struct adbg_session *session;	/* of the shell */
	struct amdgpudbg_wave wave;
	struct amdgpudbg_wave waiting;	/* another one, if there is one */
	bool has_waiting;
	bool has_watchpoint;
	uint32_t cond_dbg;
	uint64_t refused;		/* no breakpoint can be set there */
} process;

/* ------------------------------------------------------------------- the process */

struct adbgd_breakpoint {
	struct adbgd_breakpoint_info info;
	struct adbgd_condition condition;
	bool has_condition;
	char *expression;
};

static struct adbgd_breakpoint *breakpoints[64];
static uint32_t last_number;

static int refuse(struct adbgd_error *error, int ret, const char *text, uint64_t address)
{
	error->error = ret;
	snprintf(error->text, sizeof(error->text), "%s %#llx", text, (unsigned long long)address);
	return ret;
}

static int set_if(struct adbgd_process *p, uint64_t address, uint32_t flags,
		  const struct adbgd_condition *condition,
		  struct adbgd_breakpoint **breakpoint, struct adbgd_error *error)
{
	uint8_t byte;
	size_t i;

	(void)p;
	if (process.memory.memory.read(&process.memory, address, &byte, 1))
		return refuse(error, -ENXIO, "nothing is mapped at", address);
	if (address == process.refused)
		return refuse(error, -EOPNOTSUPP, "not at", address);
	for (i = 0; breakpoints[i]; i++)
		;
	breakpoints[i] = calloc(1, sizeof(**breakpoints));
	*breakpoint = breakpoints[i];
	breakpoints[i]->info.address = address;
	breakpoints[i]->info.number = ++last_number;
	breakpoints[i]->info.flags = flags;
	breakpoints[i]->has_condition = condition;
	if (condition)
		breakpoints[i]->condition = *condition;
	return 0;
}

static const struct adbgd_condition *get_condition(const struct adbgd_breakpoint *b)
{
	return b->has_condition ? &b->condition : NULL;
}

static int set_condition(struct adbgd_breakpoint *b, const struct adbgd_condition *condition,
			 struct adbgd_error *error)
{
	(void)error;
	b->has_condition = condition;
	if (condition)
		b->condition = *condition;
	free(b->expression);
	b->expression = NULL;
	return 0;
}

static int set_expression(struct adbgd_breakpoint *b, const char *expression,
			  struct adbgd_error *error)
{
	(void)error;
	free(b->expression);
	b->expression = strdup(expression);
	return 0;
}

static const char *get_expression(const struct adbgd_breakpoint *b)
{
	return b->expression;
}

/* Code is loaded nowhere here, so that nothing gets an address later. */
static int set_later(struct adbgd_process *p, uint32_t flags,
		     struct adbgd_breakpoint **breakpoint, struct adbgd_error *error)
{
	size_t i;

	(void)p;
	(void)error;
	for (i = 0; breakpoints[i]; i++)
		;
	breakpoints[i] = calloc(1, sizeof(**breakpoints));
	*breakpoint = breakpoints[i];
	breakpoints[i]->info.number = ++last_number;
	breakpoints[i]->info.flags = flags | ADBGD_BREAKPOINT_PENDING | ADBGD_BREAKPOINT_NO_ADDRESS;
	return 0;
}

static int set_start_callback(struct adbgd_process *p, void (*look)(void *data, uint64_t pc),
			      void *data, struct adbgd_error *error)
{
	(void)p;
	(void)data;
	(void)error;
	printf("library: looks %s\n", look ? "begin" : "end");
	return 0;
}

static int clear(struct adbgd_breakpoint *breakpoint, struct adbgd_error *error)
{
	size_t i;

	(void)error;
	for (i = 0; breakpoints[i] != breakpoint; i++)
		;
	memmove(&breakpoints[i], &breakpoints[i + 1], sizeof(breakpoints) - (i + 1) *
		sizeof(*breakpoints));
	free(breakpoint->expression);
	free(breakpoint);
	return 0;
}

static const struct adbgd_breakpoint_info *get_breakpoint_info(const struct adbgd_breakpoint *b)
{
	return &b->info;
}

static struct adbgd_breakpoint *get_breakpoint(const struct adbgd_process *p, size_t i)
{
	(void)p;
	return breakpoints[i];
}

/* LDS of 64 bytes, each its number */
static uint32_t get_cond_dbg(const struct adbgd_process *p, const struct amdgpudbg_wave *wave)
{
	(void)p;
	(void)wave;
	return process.cond_dbg;
}

static int set_cond_dbg(struct adbgd_process *p, const struct amdgpudbg_wave_coord *at,
			uint32_t bits, struct adbgd_error *error)
{
	(void)p;
	(void)at;
	(void)error;
	process.cond_dbg = bits;
	return 0;
}

#define LDS_BYTES 64

static int lds_get_size(struct adbgd_process *p, const struct amdgpudbg_wave_coord *at,
			uint32_t *bytes, struct adbgd_error *error)
{
	(void)p;
	(void)error;
	if (memcmp(at, &process.wave.at, sizeof(*at)))
		abort();
	*bytes = LDS_BYTES;
	return 0;
}

static int lds_read(struct adbgd_process *p, const struct amdgpudbg_wave_coord *at,
		    uint32_t address, void *buffer, uint32_t bytes, struct adbgd_error *error)
{
	uint8_t *to = buffer;

	(void)p;
	(void)at;
	if (address > LDS_BYTES || bytes > LDS_BYTES - address)
		return refuse(error, -ERANGE, "there is less than", address + bytes);
	for (uint32_t i = 0; i < bytes; i++)
		to[i] = address + i;
	return 0;
}

static int lds_write(struct adbgd_process *p, const struct amdgpudbg_wave_coord *at,
		     uint32_t address, const void *buffer, uint32_t bytes,
		     struct adbgd_error *error)
{
	static const uint32_t wanted[] = { 7, 0x80000000 };

	(void)p;
	(void)at;
	(void)error;
	return address != 16 || bytes != sizeof(wanted) || memcmp(buffer, wanted, bytes);
}

static const struct adbgd_process_info *get_info(const struct adbgd_process *p)
{
	static const struct adbgd_process_info info = {
		.pid = 4711, .vmid = 1, .gc_version = GC_VERSION, .gpu = "gfx1033",
	};

	(void)p;
	return &info;
}

static void get_memory(struct adbgd_process *p, struct adbgd_memory *memory)
{
	(void)p;
	*memory = process.memory.memory;
}

/* What each line of source files is, if it is not NULL */
static const char *long_line;

__typeof__(adbgd_source_get_line) __real_adbgd_source_get_line;

static const char *get_line(const struct adbgd_source *source, uint32_t number)
{
	return long_line ? long_line : __real_adbgd_source_get_line(source, number);
}

static int get_owner(const struct adbgd_process *p, struct adbgd_owner *owner,
		     struct adbgd_error *error)
{
	(void)p;
	(void)error;
	*owner = (struct adbgd_owner){ .uid = geteuid(), .gid = getegid() };
	return 0;
}

static struct adbg_session *get_session(const struct adbgd_process *p)
{
	(void)p;
	return process.session;
}

static uint64_t get_pc(const struct adbgd_process *p, const struct amdgpudbg_wave *wave)
{
	(void)p;
	return wave->pc;
}

/* A wave is number 214 in slot 3.1.5: ((3 * 4 + 1) * 16 + 5) + 1 of a GPU like mock_info. */
#define WAVE_NUMBER 214

static uint32_t get_number(const struct adbgd_process *p, const struct amdgpudbg_wave_coord *at)
{
	(void)p;
	return at->wgp == 3 && at->simd == 1 && at->wave == 5 ? WAVE_NUMBER : 1;
}

static int find_number(const struct adbgd_process *p, uint32_t number,
		       struct amdgpudbg_wave_coord *at)
{
	(void)p;
	*at = process.wave.at;
	return number == WAVE_NUMBER ? 0 : -ENOENT;
}

/* A watchpoint that stays set */
struct adbgd_watchpoint {
	struct adbgd_watchpoint_info info;
};

static struct adbgd_watchpoint *get_watchpoint(const struct adbgd_process *p, size_t i)
{
	static struct adbgd_watchpoint watchpoint = { .info = { .number = 1, .size = 4 } };

	(void)p;
	return process.has_watchpoint && !i ? &watchpoint : NULL;
}

static const struct adbgd_watchpoint_info *
get_watchpoint_info(const struct adbgd_watchpoint *watchpoint)
{
	return &watchpoint->info;
}

static int resume(struct adbgd_process *p, struct adbgd_error *error)
{
	(void)p;
	(void)error;
	return 0;
}

static int resume_one(struct adbgd_process *p, const struct amdgpudbg_wave_coord *at,
		      struct adbgd_error *error)
{
	(void)p;
	(void)error;
	return at->wgp != 3 || at->wave != 5;
}

/* Steps that are left until the wave ends, or, behind 1000, has trapped in the last one */
static uint64_t steps_left;

static int step_n(struct adbgd_process *p, const struct amdgpudbg_wave_coord *at, uint64_t *num,
		  struct adbgd_stop *stop, struct adbgd_error *error)
{
	uint64_t left = steps_left % 1000;

	(void)p;
	*stop = (struct adbgd_stop){ .reason = ADBGD_STOP_STEP, .at = *at, .pc = process.wave.pc };
	if (!left) {
		*num = 0;
		return refuse(error, -EBUSY, "its stop is still pending", 0);
	}
	if (*num >= left)
		*num = left;
	steps_left -= *num;
	if (!steps_left)
		stop->reason = ADBGD_STOP_WAVE_END;
	return 0;
}

/* As the library steps while there are matches: without debug mode, MODE.DEBUG_EN */
#define DEBUG_EN (1 << 11)

static int step(struct adbgd_process *p, const struct amdgpudbg_wave_coord *at,
		struct adbgd_stop *stop, struct adbgd_error *error)
{
	(void)p;
	(void)error;
	process.wave.HW(MODE) &= ~DEBUG_EN;
	process.wave.pc += 4;
	*stop = (struct adbgd_stop){ .reason = ADBGD_STOP_STEP, .at = *at, .pc = process.wave.pc };
	return 0;
}

static int stop_at_start(struct adbgd_process *p, bool on, struct adbgd_error *error)
{
	(void)p;
	(void)error;
	if (on)
		abort();
	return 0;
}

/* It is there at once, and goes nowhere. */
static int come_there(struct adbgd_process *p, const struct amdgpudbg_wave_coord *at,
		      int timeout_ms, struct adbgd_stop *stop, struct adbgd_error *error)
{
	(void)p;
	(void)timeout_ms;
	(void)error;
	*stop = (struct adbgd_stop){ .reason = ADBGD_STOP_STEP, .at = *at, .pc = process.wave.pc };
	return 0;
}

static int until(struct adbgd_process *p, const struct amdgpudbg_wave_coord *at,
		 uint64_t address, int timeout_ms, struct adbgd_stop *stop,
		 struct adbgd_error *error)
{
	if (address != process.wave.pc || timeout_ms != 2500)
		return refuse(error, -EINVAL, "not there, but", address);
	return come_there(p, at, timeout_ms, stop, error);
}

static int finish(struct adbgd_process *p, const struct amdgpudbg_wave_coord *at,
		  struct adbgd_code *its_code, size_t frame, int timeout_ms,
		  struct adbgd_stop *stop, struct adbgd_error *error)
{
	(void)its_code;
	assert_int_equal(frame, 0);
	return come_there(p, at, timeout_ms, stop, error);
}

/* One comes there, and one does not. */
static int all_come_there(struct adbgd_process *p, int timeout_ms, struct adbgd_stop *stops,
			  size_t max, size_t *count, struct adbgd_error *error)
{
	if (max < 2)
		abort();
	come_there(p, &process.wave.at, timeout_ms, &stops[0], error);
	come_there(p, &process.waiting.at, timeout_ms, &stops[1], error);
	stops[1].reason = ADBGD_STOP_INTERRUPTED;
	*count = 2;
	return 0;
}

/* No wave is traced here. */
static int trace_begin(struct adbgd_process *p, const struct amdgpudbg_wave_coord *at,
		       struct adbgd_trace **trace, struct adbgd_error *error)
{
	(void)p;
	(void)at;
	(void)trace;
	return refuse(error, -EBUSY, "no trace begins at", process.wave.pc);
}

/* ------------------------------------------------------------------- its kernel */

static void give_mappings(void *arg)
{
	struct amdgpudbg_vm_list *list = arg;
	struct amdgpudbg_mapping *to = (struct amdgpudbg_mapping *)(uintptr_t)list->mappings;

	for (size_t i = 0; i < process.memory.num; i++)
		to[i] = (struct amdgpudbg_mapping){
			.va = process.memory.spans[i].start,
			.bytes = process.memory.spans[i].size,
			.kind = AMDGPUDBG_KIND_SYSTEM,
			.flags = AMDGPUDBG_MAPPING_READ | AMDGPUDBG_MAPPING_EXEC,
		};
	list->count = process.memory.num;
}

/* The one that there is, if it is asked for */
static void give_wave(void *arg)
{
	struct amdgpudbg_wave_list *list = arg;
	struct amdgpudbg_wave *wave = &process.wave;

	mock_flag_wave(wave);
	mock_flag_wave(&process.waiting);
	list->count = 0;
	if ((list->select.at_mask & AMDGPUDBG_AT_WAVE &&
	     list->select.at.wave != wave->at.wave) ||
	    (wave->flags & list->select.wave_flags_mask) != list->select.wave_flags)
		return;
	memcpy((void *)(uintptr_t)list->waves, wave, sizeof(*wave));
	list->count = 1;
	if (!process.has_waiting || list->select.at_mask)
		return;
	memcpy((char *)(uintptr_t)list->waves + list->entry_size, &process.waiting,
	       sizeof(*wave));
	list->count = 2;
}

static void give_registers(void *arg)
{
	struct amdgpudbg_reg_access *access = arg;
	const struct amdgpudbg_reg_range *range = (void *)(uintptr_t)access->ranges;
	uint32_t *values = (uint32_t *)(uintptr_t)access->values;

	for (uint32_t i = 0; i < access->num_values; i++)
		values[i] = range->space == AMDGPUDBG_REG_HW ? process.wave.hw[range->first] :
			    range->first << 8 | (range->first_lane + i);
}

/* Print what the commands do to the wave and to new waves. */
static void control_wave(void *arg)
{
	static const char *const words[] = {
		[AMDGPUDBG_WAVEOP_HALT] = "halt", [AMDGPUDBG_WAVEOP_RESUME] = "resume",
		[AMDGPUDBG_WAVEOP_DEBUG] = "debug",
	};
	const struct amdgpudbg_wave_batch *batch = arg;
	struct amdgpudbg_batch_op *ops = (void *)(uintptr_t)batch->ops;

	for (uint32_t i = 0; i < batch->count; i++) {
		struct amdgpudbg_wave_control *c = &ops[i].control;

		if (memcmp(&c->at, &process.wave.at, sizeof(c->at)) ||
		    (c->op != AMDGPUDBG_WAVEOP_HALT && c->pc != process.wave.pc))
			abort();
		printf("kernel: %s\n", words[c->op]);
		c->matched = 1;
		c->changed = 1;
		if (c->op == AMDGPUDBG_WAVEOP_HALT)
			process.wave.flags |= AMDGPUDBG_WAVE_HALTED | AMDGPUDBG_WAVE_TTMP;
		else if (c->op == AMDGPUDBG_WAVEOP_RESUME)
			process.wave.flags = 0;
	}
}

static void set_launch(void *arg)
{
	const struct amdgpudbg_launch_set *launch = arg;

	printf("kernel: launch %u %llu\n", launch->mode, launch->excp_mask);
}

static const struct mock_ioctl answers[] = {
	MOCK_GET_INFO,
	{ .request = AMDGPUDBG_IOC_VM_LIST, .check = give_mappings },
	{ .request = AMDGPUDBG_IOC_WAVE_LIST, .check = give_wave },
	{ .request = AMDGPUDBG_IOC_REG_ACCESS, .check = give_registers },
	{ .request = AMDGPUDBG_IOC_WAVE_BATCH, .check = control_wave },
	{ .request = AMDGPUDBG_IOC_LAUNCH_SET, .check = set_launch },
};

/* ------------------------------------------------------------------ the commands */

struct script {
	const char *before;		/* lines before the stop; NULL: none */
	const char *lines;
	bool json;
	bool is_unknown;		/* no option names the code object */
	const struct adbgd_stop *stop;	/* at first; NULL: none */
	unsigned int num_waves;		/* that have this stop; 0: one */
	bool is_silent;			/* the commands of breakpoint 1 */
	bool overwrites;		/* its code, once it was added */
	bool is_interrupted;		/* Ctrl-C is typed as the lines begin */
	const char *slept;		/* lines for when the system has slept; NULL: it has not */
};

/* As if the event had come, and the library had found it to be @stop */
static const struct adbgd_stop *taken;

static int take(struct adbgd_process *p, const struct amdgpudbg_event *ev,
		struct adbgd_stop *stop, struct adbgd_error *error)
{
	(void)p;
	(void)error;
	*stop = *taken;
	stop->at = ev->at;
	return 0;
}

static int get_timeout(const struct adbgd_process *p)
{
	(void)p;
	return -1;
}

/*
 * The linker's --wrap gives @with to all callers of @name: tests/unit/debug/build.mk reads the
 * names from these lines. All other functions are those of the library.
 */
#define REPLACE(name, with) \
	extern __typeof__(name) __wrap_##name __attribute__((alias(#with)))
REPLACE(adbgd_breakpoint_clear, clear);
REPLACE(adbgd_breakpoint_get_condition, get_condition);
REPLACE(adbgd_breakpoint_get_expression, get_expression);
REPLACE(adbgd_breakpoint_get_info, get_breakpoint_info);
REPLACE(adbgd_breakpoint_set_condition, set_condition);
REPLACE(adbgd_breakpoint_set_expression, set_expression);
REPLACE(adbgd_breakpoint_set_if, set_if);
REPLACE(adbgd_breakpoint_set_later, set_later);
REPLACE(adbgd_lds_get_size, lds_get_size);
REPLACE(adbgd_lds_read, lds_read);
REPLACE(adbgd_lds_write, lds_write);
REPLACE(adbgd_process_continue, resume);
REPLACE(adbgd_process_get_breakpoint, get_breakpoint);
REPLACE(adbgd_process_get_info, get_info);
REPLACE(adbgd_process_get_memory, get_memory);
REPLACE(adbgd_process_get_credentials, get_owner);
REPLACE(adbgd_process_get_session, get_session);
REPLACE(adbgd_process_get_watchpoint, get_watchpoint);
REPLACE(adbgd_process_handle_event, take);
REPLACE(adbgd_process_step_over, all_come_there);
REPLACE(adbgd_process_get_poll_timeout, get_timeout);
REPLACE(adbgd_process_set_start_callback, set_start_callback);
REPLACE(adbgd_process_stop_at_start, stop_at_start);
REPLACE(adbgd_source_get_line, get_line);
REPLACE(adbgd_trace_begin, trace_begin);
REPLACE(adbgd_watchpoint_get_info, get_watchpoint_info);
REPLACE(adbgd_wave_continue, resume_one);
REPLACE(adbgd_wave_find_number, find_number);
REPLACE(adbgd_wave_finish_frame, finish);
REPLACE(adbgd_wave_get_cond_dbg, get_cond_dbg);
REPLACE(adbgd_wave_get_number, get_number);
REPLACE(adbgd_wave_get_pc, get_pc);
REPLACE(adbgd_wave_step_over, come_there);
REPLACE(adbgd_wave_set_cond_dbg, set_cond_dbg);
REPLACE(adbgd_wave_step, step);
REPLACE(adbgd_wave_step_n, step_n);
REPLACE(adbgd_wave_until, until);

/* @num waves in slots that follow each other */
static void report_stop(struct shell_loop *loop, const struct adbgd_stop *stop, unsigned int num)
{
	struct amdgpudbg_event ev = {
		.type = AMDGPUDBG_EVENT_WAVE, .pc = 0x666000, .at = process.wave.at,
		.flags = AMDGPUDBG_EVENT_HAS_WAVE, .vmid = 1,
	};
	struct adbgd_stop there = *stop;

	if (!there.pc)
		there.pc = process.wave.pc;
	taken = &there;
	loop->shell.wants = 1ULL << ev.type;
	do {
		stop_keep(&loop->shell, &ev);
		ev.at.wave++;
	} while (num-- > 1);
	if (!shell_session_report(loop))
		abort();
}

static void report_sleep(struct shell_loop *loop)
{
	static const struct adbgd_stop lost = { .reason = ADBGD_STOP_INVALIDATED };
	const struct amdgpudbg_event ev = { .type = AMDGPUDBG_EVENT_SLEEP };

	taken = &lost;
	loop->shell.wants = 1ULL << ev.type;
	stop_keep(&loop->shell, &ev);
	if (!shell_session_report(loop))
		abort();
}

static void run_lines(struct shell_loop *loop, const char *text)
{
	char *lines = strdup(text), *rest = lines, *line;
	unsigned int number = 0;

	while ((line = strsep(&rest, "\n")))
		shell_session_line(loop, line, NULL, ++number);
	free(lines);
}

static int run_script(const void *arg)
{
	static const struct mock_ioctl open[] = { MOCK_GET_INFO };
	const struct script *script = arg;
	struct debugger *d = calloc(1, sizeof(*d));
	struct wavectl opener = {
		.commands = command_tables, .dispatch = dispatch, .json = script->json,
	};
	struct shell_loop loop = {
		.shell = { .session = mock_session(open, 1), .pid = 4711, .debugger = d,
			      .signals = -1 },
		.opener = &opener, .emit = emit_new(script->json),
		.events_over = true,
	};

	process.session = loop.shell.session;
	mock_answer(answers, ARRAY_SIZE(answers));
	if (!script->is_unknown)
		run_lines(&loop, "code add " KERNELS);
	if (script->overwrites)
		memset(process.image, 0, process.memory.pieces[0].size);
	if (script->before)
		run_lines(&loop, script->before);
	if (script->is_silent)
		stop_actions_set_commands(&d->stop_actions, 1, true, NULL, 0);
	if (script->stop)
		report_stop(&loop, script->stop, script->num_waves);
	if (script->is_interrupted && (hold_catch() || raise(SIGINT)))
		abort();
	run_lines(&loop, script->lines);
	if (script->slept) {
		report_sleep(&loop);
		run_lines(&loop, script->slept);
	}
	adbgd_objects_free(d->objects);
	debug_drop_news(d);
	free(d->news);
	free(d->listed);
	free(d->directory);
	free(d->faults);
	stop_actions_free(&d->stop_actions);
	debug_drop_places(d);
	free(d);
	values_free(&loop.shell);
	free(loop.shell.kept);
	stops_free(&loop.stops);
	emit_free(loop.emit);
	adbg_session_close(loop.shell.session);
	return loop.status;
}

static int say(const char *lines)
{
	const struct script script = { .lines = lines };

	return run_function(&r, run_script, &script);
}

/* It is among what was said. */
static void __attribute__((format(printf, 1, 2))) says(const char *format, ...)
{
	char *text = NULL;
	va_list args;

	va_start(args, format);
	assert_true(vasprintf(&text, format, args) >= 0);
	va_end(args);
	contains(r.out, text);
	free(text);
}

/* What the last line gives */
static struct json_object *results(void)
{
	char *text, *last = r.out;
	struct json_object *o;

	while ((text = strchr(last, '\n')) && text[1])
		last = text + 1;
	o = json_tokener_parse(last);
	assert_non_null(o);
	return o;
}

static struct json_object *result(struct json_object *o, size_t i)
{
	o = json_object_array_get_idx(member(o, "results"), i);
	assert_non_null(o);
	return o;
}

/* ---------------------------------------------------- what the library knows of it */

static struct adbgd_code *kernels;

/* Addresses of a line or a function, of which there are at least so many */
static size_t find(const char *function, uint32_t number, struct adbgd_line lines[16])
{
	size_t count = 0;

	if (function)
		assert_int_equal(adbgd_function_find(kernels, function, lines, 16, &count,
						     NULL), 0);
	else
		assert_int_equal(adbgd_line_find(kernels, "kernels.cl", number, lines, 16, &count,
						 NULL), 0);
	return count;
}

static uint64_t saxpy_line(void)
{
	struct adbgd_line lines[16];

	assert_int_equal(find(NULL, SAXPY_LINE, lines), 1);
	return lines[0].address;
}

static void put_wave_at(uint64_t pc)
{
	process.wave = (struct amdgpudbg_wave){
		.at = { .wgp = 3, .simd = 1, .wave = 5 }, .vmid = 1, .pc = pc,
		.flags = AMDGPUDBG_WAVE_HALTED, .exec = 0xffffffff,
	};
}

static int setup(void **state)
{
	uint8_t *file;
	size_t size;

	mock_setup(state);
	memset(&process, 0, sizeof(process));
	fake_init(&process.memory);
	file = read_whole(KERNELS, &size);
	process.image = fake_add(&process.memory, BASE, size + 0x10000);
	load_segments(file, process.image);
	fake_add(&process.memory, DATA, 4096)[5] = 0x80;
	free(file);
	kernels = open_code(KERNELS);
	assert_int_equal(adbgd_code_set_base(kernels, BASE +
					     adbgd_code_get_info(kernels)->text.start, NULL), 0);
	put_wave_at(saxpy_line());
	return 0;
}

static int teardown(void **state)
{
	adbgd_code_free(kernels);
	fake_free(&process.memory);
	return run_teardown(state);
}

#define CODE_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

/* ------------------------------------------------------------------ breakpoints */

static void break_set_of_a_line_uses_the_next_line_with_code(void **state)
{
	char name[ADBGD_NAME_MAX];
	uint64_t va = saxpy_line();

	(void)state;
	assert_int_equal(say("break set kernels.cl:17\nbreak list"), 0);
	says("breakpoint 1 at 0x%016llx, %s at kernels.cl:17\n",
	     (unsigned long long)va, adbgd_code_format_address(kernels, va, name));
	says("1       keep  yes      0x%016llx  set    -         -          %s at kernels.cl:17",
	     (unsigned long long)va, name);
	/* As gdb has it; and in the file where the wave is */
	assert_int_equal(say("b tests/kernels/kernels.cl:17"), 0);
	contains(r.out, "at kernels.cl:17\n");
	assert_int_equal(say("b :17"), 0);
	contains(r.out, "at kernels.cl:17\n");
	assert_int_equal(say("b 17"), 0);
	contains(r.out, "at kernels.cl:17\n");
	/* The wave is at line 17. */
	assert_int_equal(say("b -4"), 0);
	contains(r.out, "at kernels.cl:13\n");
	assert_int_equal(say("b +11"), 0);
	contains(r.out, "at kernels.cl:28\n");
	/* A comment: the next line that has code */
	assert_int_equal(say("b kernels.cl:16"), 0);
	contains(r.out, "at kernels.cl:17\n");
}

static void break_set_sets_all_copies_of_a_function_or_none(void **state)
{
	static struct script script = { .lines = "break set global_id\nbreak list", .json = true };
	struct adbgd_line lines[16];
	size_t count = find("global_id", 0, lines);
	struct json_object *o;

	(void)state;
	assert_in_range(count, 5, 16);
	assert_int_equal(run_function(&r, run_script, &script), 0);
	o = results();
	int_is(result(o, 0), "count", count);
	for (size_t i = 0; i < count; i++)
		says("0x%016llx", (unsigned long long)lines[i].address);
	contains(r.out, "\"place\":\"saxpy");
	contains(r.out, "\"place\":\"hash");
	json_object_put(o);

	process.refused = lines[count - 1].address;
	assert_int_equal(run_function(&r, run_script, &script), 5);
	contains(r.err, "not at 0x1");
	o = results();
	int_is(result(o, 0), "count", 0);
	json_object_put(o);
}

static void each_copy_of_a_function_gets_the_condition(void **state)
{
	static struct script script = {
		.lines = "break set global_id if v3 == 42 lane 0-7\nbreak list", .json = true,
	};
	struct adbgd_line lines[16];
	size_t count = find("global_id", 0, lines);
	struct json_object *o, *set, *b;

	(void)state;
	assert_int_equal(run_function(&r, run_script, &script), 0);
	o = results();
	set = member(result(o, 0), "breakpoints");
	assert_int_equal(json_object_array_length(set), count);
	for (size_t i = 0; i < count; i++) {
		b = json_object_array_get_idx(set, i);
		assert_string_equal(json_object_get_string(member(b, "condition")),
				    "v3 == 0x2a lane 0-7");
	}
	json_object_put(o);
}

/* What "break list" shows, or the words with which it is refused */
static void conditions_compare_pseudo_variables(void **state)
{
	static const struct {
		const char *condition, *is;
		const char *words;
	} cases[] = {
		{ "$scc == 1", "scc == 0x1", NULL },
		{ "scc != 0", "scc != 0", NULL },
		{ "$m0 & 0xff", "m0 & 0xff", NULL },
		{ "$v3 == 7", "v3 == 0x7", NULL },
		{ "$exec_hi == 0", "exec_hi == 0", NULL },
		{ "$vcc_lo == 5", "vcc_lo == 0x5", NULL },
		{ "$lane == 5", "lane 5-5", NULL },
		{ "$lane < 8 and v3 == 42", "v3 == 0x2a lane 0-7", NULL },
		{ "$lane < 8 and $lane != 3", "lane 0-2,4-7", NULL },
		{ "$lane & 0x20", "lane 32-63", NULL },
		{ "lane 0-2,5,9-63", "lane 0-2,5-5,9-63", NULL },
		{ "$wave == 214", "wave se0.sa0.wgp3.simd1.wave5", NULL },
		{ "$lane == 64", NULL, "no lane fulfils '$lane == 64'" },
		{ "$lane < 3 and $lane == 3", NULL, "no lane fulfils '$lane == 3'" },
		{ "$lane < 8 lane 6-9", "lane 6-7", NULL },
		{ "lane 6-9 && $lane < 8", "lane 6-7", NULL },
		{ "lane 0-3 lane 3-7", "lane 3-3", NULL },
		{ "lane 0-3 lane 4", NULL, "no lane fulfils 'lane 4'" },
		{ "v3 == 18446744073709551615", NULL, "has more than 32 bits" },
		/* The nearest floats are 0x3dcccccd, which is more than 0.1, and 0x3e99999a. */
		{ "v3 > 0.1", "v3 s> 0x3dcccccc && v3 s< 0x7f800001", NULL },
		{ "v3 >= 0.1", "v3 s> 0x3dcccccc && v3 s< 0x7f800001", NULL },
		{ "v3 < 0.1", "v3 s< 0x3dcccccd && v3 < 0xff800001", NULL },
		{ "v3 <= 0.1", "v3 s< 0x3dcccccd && v3 < 0xff800001", NULL },
		{ "v3 > 0.1f", "v3 s> 0x3dcccccd && v3 s< 0x7f800001", NULL },
		{ "v3 == 0.1f", "v3 == 0x3dcccccd", NULL },
		{ "v3 == 0.1", NULL, "no 32-bit float is exactly 0.1; append f" },
		{ "v3 != 0.1", NULL, "no 32-bit float is exactly 0.1; append f" },
		/* 0.7 is more than the nearest float, 0x3f333333. */
		{ "v3 > 0.7", "v3 s> 0x3f333333 && v3 s< 0x7f800001", NULL },
		{ "v3 < 0.7", "v3 s< 0x3f333334 && v3 < 0xff800001", NULL },
		{ "v3 > -0.1", "v3 < 0xbdcccccd && v3 s< 0x7f800001", NULL },
		{ "v3 < -0.1", "v3 > 0xbdcccccc && v3 < 0xff800001", NULL },
		{ "v3 > 1e-60", "v3 s> 0 && v3 s< 0x7f800001", NULL },
		{ "v3 < -1e-60", "v3 > 0x80000000 && v3 < 0xff800001", NULL },
		{ "lane 0-2,x", NULL, "unexpected '0-2,x' in the condition" },
		{ "$wave == 213", NULL, "the GPU has no wave slot number 213" },
		{ "$wave < 9", "$wave < 9 (host)", NULL },
		{ "$pc == 4", "$pc == 4 (host)", NULL },
		{ "$exec == 1", "$exec == 1 (host)", NULL },
		{ "$scc == 1 $m0 == 1", "scc == 0x1 && m0 == 0x1", NULL },
		{ "$spc == 1", NULL, "no register or pseudo variable '$spc'; conditions know" },
		{ "$scc", "$scc (host)", NULL },
		{ "$scc ==", NULL, "a value is missing after '=='" },
	};
	char line[128];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		snprintf(line, sizeof(line), "break set :17 if %s\nbreak list",
			 cases[i].condition);
		if (cases[i].words) {
			assert_int_equal(say(line), 2);
			contains(r.err, cases[i].words);
		} else {
			assert_int_equal(say(line), 0);
			says("  %s  ", cases[i].is);
		}
	}
}

/* What changes something is not there to be called, or is seen. */
static void dry_runs_of_debugger_commands_change_nothing(void **state)
{
	static const struct {
		const char *line, *said;
	} cases[] = {
		{ "break set kernels.cl:17",
		  "would set a breakpoint at 0x%016llx, %s at kernels.cl:17; " },
		{ "b :17 if s4 == 2 --stepping",
		  "would set a breakpoint at 0x%016llx, %s at kernels.cl:17 if s4 == 0x2; " },
		{ "break insn 0xbf8e0000/0xffff0000",
		  "would set a breakpoint at instructions 0xbf8e0000/0xffff0000; " },
		{ "break start", "would halt new waves before their first instruction; " },
		{ "break start --off", "would let new waves start normally; " },
		{ "break start --job 3",
		  "would halt new waves before their first instruction, from job number 3 on; " },
		{ "break clear", "would clear 1; " },
		{ "break clear 1", "would clear 1; " },
		{ "cond 1 lane 3", "would make breakpoint 1 stop waves if lane 3-3; " },
		{ "cond 1", "would make breakpoint 1 stop all waves; " },
		{ "watchpoint set 0x1000 --bytes 64",
		  "would watch 64 bytes at 0x0000000000001000, for nonread; " },
		{ "watchpoint clear", "would clear 1; " },
		{ "continue", "would resume all halted waves; " },
		{ "continue 0.0.3.1.5", "would resume se0.sa0.wgp3.simd1.wave5; " },
		{ "until kernels.cl:17", "would let se0.sa0.wgp3.simd1.wave5 run to 0x%016llx; " },
		{ "until kernels.cl:17 --all",
		  "would let all waves that are halted run to 0x%016llx; " },
		{ "nexti 0.0.3.1.5",
		  "would let se0.sa0.wgp3.simd1.wave5 execute one instruction, including" },
		{ "finish", "would let se0.sa0.wgp3.simd1.wave5 run until its function returns; " },
		{ "stepi", "would let se0.sa0.wgp3.simd1.wave5 execute the next instruction; " },
		{ "stepi 7 --changes",
		  "would let se0.sa0.wgp3.simd1.wave5 execute 7 instructions; " },
		{ "cond-dbg user=1",
		  "would set user=1 sys=1 of se0.sa0.wgp3.simd1.wave5; " },
		{ "trace save /nowhere/trace 9",
		  "would single-step se0.sa0.wgp3.simd1.wave5 9 times and save the steps to " },
	};
	char name[ADBGD_NAME_MAX], lines[256], said[256];
	uint64_t va = saxpy_line();
	struct json_object *o;

	(void)state;
	process.has_watchpoint = true;
	process.cond_dbg = ADBGD_COND_DBG_SYS;
	adbgd_code_format_address(kernels, va, name);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		snprintf(lines, sizeof(lines), "break set saxpy\n%s --dry-run\ninfo breakpoints\n",
			 cases[i].line);
		assert_int_equal(say(lines), 0);
		snprintf(said, sizeof(said), cases[i].said, (unsigned long long)va, name);
		contains(r.out, said);
		contains(r.out, "; nothing was changed\n");
		contains(r.out, "\n1 ");
		lacks(r.out, "\n2 ");
		assert_int_equal(run_function(&r, run_script, &(struct script){
			.lines = lines, .json = true }), 0);
		o = results();
		json_object_put(o);
		contains(r.out, "\"results\":[{\"dry_run\":true");
	}
	assert_int_equal(say("cond-dbg user=1 --dry-run\ncond-dbg\ncond-dbg user=1 sys=0"), 0);
	contains(r.out, "se0.sa0.wgp3.simd1.wave5 has user=0 sys=1\n"
		 "se0.sa0.wgp3.simd1.wave5 has user=1 sys=0\n");
	process.cond_dbg = 0;
	assert_int_equal(say("break clear --dry-run"), 3);
	contains(r.err, "there are no breakpoints");
	assert_int_equal(say("continue 0.0.3.1.4 --dry-run"), 3);
	assert_int_equal(say("break set oot --dry-run"), 3);
	assert_int_equal(say("stepi 0 --dry-run"), 2);
}

static void conditions_name_variables_in_registers(void **state)
{
	static const struct {
		const char *condition;
		const char *says;
		int status;
	} cases[] = {
		{ "i > 3", " if v0 > 0x3; nothing was changed", 0 },
		{ "i>3&&i<=8", " if v0 > 0x3 && v0 < 0x9; ", 0 },
		{ "i == 5 && $scc == 1 lane 0-7", " if v0 == 0x5 && scc == 0x1 lane 0-7; ", 0 },
		{ "i == -1", " if v0 == 0xffffffff; ", 0 },
		/* It is unsigned, and so is the number then. */
		{ "i >= -5", " if v0 > 0xfffffffa; ", 0 },
		{ "i == 18446744073709551615", "has more than 32 bits", 2 },
		{ "i > 1.5", " if i > 1.5; nothing was changed", 0 },
		{ "i >= 0", "'i >= 0' is true for all values or for none", 2 },
		{ "a > 1.5", " if a > 1.5; ", 0 },
		{ "a == 0.1", " if a == 0.1; ", 0 },
		{ "in == 0x100000002", " if in == 0x100000002; ", 0 },
		{ "nosuch == 1", "no variable 'nosuch'; in an expression, registers are", 2 },
		{ "i > 3 && nosuch", "there is no variable 'nosuch'", 2 },
		{ "i > 3 && i", " if i > 3 && i; ", 0 },
		{ "i >= 0 || $scc", " if i >= 0 || $scc; ", 0 },
		{ "i + 1 > 3 && i >= 0", "'i >= 0' is true for all values or for none", 2 },
		{ "i > 3 and (i", "')' is expected", 2 },
		/* Registers without the $ that expressions need */
		{ "v3 + 1 > 3", "registers in expressions are written with a $, such as $v3; "
		  "did you mean '$v3 + 1 > 3'?", 2 },
		{ "i > 3 && v3+s4 > 1 lane 0-7", "such as $v3; "
		  "did you mean 'i > 3 && $v3+$s4 > 1 lane 0-7'?", 2 },
		{ "v3 == i", "such as $v3; did you mean '$v3 == i'?", 2 },
		{ "(scc) == 1", "such as $scc; did you mean '($scc) == 1'?", 2 },
		{ "v3 + nosuch > 3", "expressions are written with a $, such as $v3\n", 2 },
		{ "v3 + status > 3", "expressions are written with a $, such as $v3\n", 2 },
		{ "v3 == nosuch", "unexpected 'nosuch'", 2 },
		{ "v3 == 5 x", "unexpected 'x'", 2 },
		/* Characters, whatever variables have their names */
		{ "i == 'a'", " if v0 == 0x61; ", 0 },
		{ "i=='a'&&i!='\\n'", " if v0 == 0x61 && v0 != 0xa; ", 0 },
		{ "i == '\\'' && i < '\"'", " if v0 == 0x27 && v0 < 0x22; ", 0 },
		{ "i == ' ' && i != '#'", " if v0 == 0x20 && v0 != 0x23; ", 0 },
		{ "i + 1 > '(' lane 3", " if i + 1 > '(' lane 3; ", 0 },
		{ "i + 1 == '&' && i == '&'", " if i + 1 == '&' && i == '&'; ", 0 },
		{ "i == 'ab'", "one character in ' is expected at ''ab''", 2 },
		{ "i == \"a\"", "expressions have no strings, but there is one at '\"a\"'", 2 },
		{ "i + 1 == '' lane 3", "one character in ' is expected at ''''", 2 },
		/* The quotes are those of the shell. */
		{ "'i > 3'", " if v0 > 0x3; ", 0 },
		{ "'a' 'i > 3'", "an operator is expected at ''i > 3''", 2 },
	};
	char line[128];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		snprintf(line, sizeof(line), "b 17 if %s --dry-run", cases[i].condition);
		if (say(line) != cases[i].status)
			fail_msg("%s: %d, %s", line, r.status, r.err);
		if (cases[i].status)
			contains(r.err, cases[i].says);
		else
			contains(r.out, cases[i].says);
	}
	/* The list has what was typed. */
	assert_int_equal(say("b 17 if i>3 && i != 9\nbreak list\ncond 1 i == 7\nbreak list\n"
			     "cond 1 v0 == 7\nbreak list"), 0);
	contains(r.out, "  i>3 && i != 9  ");
	contains(r.out, "breakpoint 1 stops waves if i == 7\n");
	contains(r.out, "  v0 == 0x7  ");
	assert_int_equal(say("b 17 if i + 1 == '0'\nbreak list\n"
			     "cond 1 i + 1 == ' '\nbreak list"), 0);
	contains(r.out, "  i + 1 == '0' (host)  ");
	contains(r.out, "breakpoint 1 stops waves if i + 1 == ' ', by the host\n");
	contains(r.out, "  i + 1 == ' ' (host)  ");
}

/* Numbers become constants of the same type, so that the GPU can compare them. */
static void conditions_use_values_that_the_shell_keeps(void **state)
{
	static const struct {
		const char *before;
		const char *condition;
		const char *says;
		int status;
	} cases[] = {
		{ "print 7", "i > $", " if v0 > 0x7; ", 0 },
		{ "print 7\nprint 9", "i >= $$ && i < $2", " if v0 > 0x6 && v0 < 0x9; ", 0 },
		{ "print 7\nprint 9", "$$2", "there is no $$2: the history has $1 to $2", 2 },
		{ "print 7u", "i == $1 && i != '$'", " if v0 == 0x7 && v0 != 0x24; ", 0 },
		{ "print 4000000000u", "i < $1 && i + 1 < $1",
		  " if i < 4000000000u && i + 1 < 4000000000u; ", 0 },
		{ "print i --lane 5", "i == $1", " if v0 == 0x5; ", 0 },
		{ "print 'a'", "i == $1", " if v0 == 0x61; ", 0 },
		{ "print -3", "i + 4 > (-$1) && i != $1", " if i + 4 > (- -3) && i != -3; ", 0 },
		{ "print -2147483647 - 1", "i + 1 < $1", " if i + 1 < (-2147483647-1); ", 0 },
		{ "print 5000000000", "i + 1 < $1", " if i + 1 < 5000000000l; ", 0 },
		{ "print 1.5f", "a > $1", " if a > 1.5f; ", 0 },
		{ "print 3.0", "a + 1 > $1", " if a + 1 > 3.0; ", 0 },
		{ "print 0.1", "a + 1 > $1", " if a + 1 > 0.10000000000000001; ", 0 },
		/* They have other values in other lanes, or are no numbers. */
		{ "print i", "i == $1 lane 0-7", " if i == $1 lane 0-7; ", 0 },
		{ "print i", "i == $", " if i == $1; ", 0 },
		{ "print (int *)0x100", "in == $1", " if in == $1; ", 0 },
		{ "print 7", "sizeof($1) == 4 && i", " if sizeof($1) == 4 && i; ", 0 },
		{ "show values", "i > $1", "the history of values is empty", 2 },
		{ "show values", "i > $", "the history of values is empty", 2 },
		{ "print 7", "i > $1x", "'$1x' is no value of the history", 2 },
		/* Convenience variables are looked up at each decision. */
		{ "set $n = 3", "i > $n", " if i > $n; ", 0 },
		{ "set $n = 3", "i > 4 && $n == 3 hit 2", " if i > 4 && $n == 3 hit 2; ", 0 },
		{ "set $n = 3", "i > $m", "no register or pseudo variable '$m'", 2 },
		{ "set $n = (int *)0x100", "$n", " if $n; ", 0 },
	};
	char line[256];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		snprintf(line, sizeof(line), "%s\nb 17 if %s --dry-run", cases[i].before,
			 cases[i].condition);
		if (say(line) != cases[i].status)
			fail_msg("%s: %d, %s", line, r.status, r.err);
		if (cases[i].status)
			contains(r.err, cases[i].says);
		else
			contains(r.out, cases[i].says);
	}
	assert_int_equal(say("print 7\nb 17 if i + 1 == $\nprint 8\nbreak list\n"
			     "cond 1 i + 2 == $$ + $\nbreak list"), 0);
	contains(r.out, "  i + 1 == 7 (host)  ");
	contains(r.out, "breakpoint 1 stops waves if i + 2 == 7 + 8, by the host\n");
	/* Also before the code is loaded */
	assert_int_equal(say("print 7\ncode add " DEBUG_CO "names.co\n"
			     "b _ZN3sim6engine4nextEv if v3 == $\nbreak list"), 0);
	contains(r.out, "  v3 == 7    _ZN3sim6engine4nextEv");
}

/* The history has room for 1000 values. */
static void values_stay_as_long_as_conditions_use_them(void **state)
{
	char *lines = NULL;

	(void)state;
	for (int uses = 0; uses < 2; uses++) {
		xappend(&lines, "print i\n%s", uses ? "b 17 if i == $\n" : "");
		for (int i = 0; i < 1000; i++)
			xappend(&lines, "print 1\n");
		xappend(&lines, "print $1 + 1 --lane 5");
		assert_int_equal(say(lines), uses ? 0 : 2);
		contains(uses ? r.out : r.err, uses ? "$1002 = 6\n" : "there is no $1: ");
		free(lines);
		lines = NULL;
	}
}

static void break_set_accepts_symbols_and_addresses(void **state)
{
	struct adbgd_line lines[16];
	char text[64];

	(void)state;
	assert_int_equal(find("saxpy", 0, lines), 1);
	assert_int_equal(say("b saxpy"), 0);
	says("breakpoint 1 at 0x%016llx, ", (unsigned long long)lines[0].address);
	assert_int_equal(say("b saxpy+0"), 0);
	contains(r.out, ", saxpy at ");
	snprintf(text, sizeof(text), "b *%#llx", (unsigned long long)saxpy_line());
	assert_int_equal(say(text), 0);
	contains(r.out, ", saxpy+0x");
	contains(r.out, " at kernels.cl:17\n");
	assert_int_equal(say("b *saxpy"), 0);
	contains(r.out, "breakpoint 1 at 0x0000000100003100, saxpy at ");
	assert_int_equal(say("b *$pc + 8"), 0);
	contains(r.out, ", saxpy+0x");
	/* An address outside of all code objects has no name, which is no error. */
	assert_int_equal(say("b *0x200000000"), 0);
	contains(r.out, "breakpoint 1 at 0x0000000200000000\n");
}

static void invalid_locations_are_refused_and_set_nothing(void **state)
{
	static const struct {
		const char *word;
		const char *says;
		int status;
	} cases[] = {
		{ "sapxy", "a function or a symbol 'sapxy'; did you mean 'saxpy'?", 3 },
		{ "sapxy+4", "no code object has a function or a symbol 'sapxy'", 3 },
		{ "saxpy+x", "'saxpy+x' is not a location: 'x' is not a number", 2 },
		{ "kernel.cl:17", "was not compiled from a file kernel.cl", 3 },
		{ "kernels.cl:4000", "kernels.cl at or after line 4000", 3 },
		{ "kernels.cl:", "'kernels.cl:' is not a line: '' is not a number", 2 },
		{ "kernels.cl:0", "is not a line: '0' is not a number", 2 },
		{ "kernels.cl:1x", "is not a line: '1x' is not a number", 2 },
		{ "12x", "'12x' is not a line: '12x' is not a number of at least 1", 2 },
		{ "0", "'0' is not a line", 2 },
		{ "-17", "there is no line '-17': the current line is 17", 2 },
		{ "0x100000000", "a number is a line; use *0x100000000 for the address", 2 },
		{ "*12x", "'*12x' is not an address", 2 },
		{ "*:17", "'*:17' is not an address", 2 },
		{ "''", "'*' is not an address", 2 },
		{ "saxpy+4", " is in the middle of the instruction at saxpy, 0x00000001000", 2 },
		{ "saxpy.kd", " is not code but data, saxpy.kd", 2 },
		{ "*0x123450000000", "nothing is mapped at 0x123450000000", 3 },
		{ "", "the location is missing", 2 },
		{ "saxpy hash", "exactly one location is required", 2 },
	};
	char lines[128];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		snprintf(lines, sizeof(lines), "b %s\nbreak list", cases[i].word);
		if (say(lines) != cases[i].status)
			fail_msg("%s: %d, %s", cases[i].word, r.status, r.err);
		contains(r.err, cases[i].says);
		lacks(r.out, "breakpoint 1");
		lacks(r.out, "NUMBER");
	}
}

/* ----------------------------------------------------------------- code objects */

static void code_add_refuses_files_that_are_no_code_object(void **state)
{
	char path[] = "/tmp/wavectl-code.XXXXXX", lines[256];
	size_t size;
	uint8_t *file = read_whole(KERNELS, &size);
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	snprintf(lines, sizeof(lines), "code add %s\ninfo code", path);
	/* Cut off: its sections are behind the end. */
	assert_int_equal(write(fd, file, size / 2), size / 2);
	assert_int_equal(say(lines), 1);
	contains(r.err, path);
	contains(r.out, "kernels_debug.co  saxpy,");
	lacks(strstr(r.out, "NAME"), path);
	/* Text */
	assert_int_equal(ftruncate(fd, 0), 0);
	assert_int_equal(pwrite(fd, "kernels\n", 8, 0), 8);
	assert_true(say(lines) > 0);
	contains(r.err, path);
	lacks(strstr(r.out, "NAME"), path);
	close(fd);
	unlink(path);
	free(file);

	assert_int_equal(say("code add /nowhere/x.co"), 5);
	contains(r.err, "/nowhere/x.co: No such file or directory");
	assert_int_equal(say("code add " KERNELS " --address 0x100000100"), 3);
	contains(r.err, "kernels_debug.co are not at 0x0000000100000100");
	assert_int_equal(say("code add"), 2);
}

static void code_that_is_not_loaded_is_pending(void **state)
{
	(void)state;
	assert_int_equal(say("code add " VARS "\ninfo code"), 0);
	contains(r.out, VARS " is not in memory, and is pending until it is loaded\n");
	contains(strstr(r.out, "NAME"), "gfx1033  yes    pending  " VARS);
	/* Its names are known, and have no address. */
	assert_int_equal(say("code add " DEBUG_CO "names.co\ndisasm _ZN3sim6engine4nextEv"), 3);
	contains(r.err, "'_ZN3sim6engine4nextEv' is in " DEBUG_CO "names.co, which is not loaded yet");
	assert_int_equal(say("code add " VARS "\ncode add " VARS "\ninfo code"), 0);
	assert_null(strstr(strstr(r.out, "pending  " VARS) + 1, "pending  " VARS));
}

#define PENDING "code add " DEBUG_CO "names.co\n"
#define NAME "_ZN3sim6engine4nextEv"

static void breakpoints_wait_for_code_that_is_not_loaded(void **state)
{
	(void)state;
	assert_int_equal(say(PENDING "b " NAME " if v3 == 4\nbreak list"), 0);
	contains(r.out, "breakpoint 1 at " NAME ", pending until its code is loaded\n");
	contains(r.out, "1       keep  yes      -        pending  -         v3 == 4    " NAME);
	assert_int_equal(say(PENDING "b " NAME " if x == 'x'\nbreak list\ncond 1 x == ' '\n"
			     "break list"), 0);
	contains(r.out, "  x == 'x'   " NAME);
	contains(r.out, "  x == ' '   " NAME);
	contains(r.out, "library: looks begin");
	/* Names that nothing has are an error, unless it is said that they will come. */
	assert_int_equal(say(PENDING "b no_such_name"), 3);
	contains(r.err, "no code object has a function or a symbol 'no_such_name'");
	lacks(r.out, "library:");
	assert_int_equal(say("tbreak --pending late.cl:7\nbreak list"), 0);
	contains(r.out, "breakpoint 1 at late.cl:7, pending until its code is loaded\n");
	contains(r.out, "1       del ");
	/* Loaded code is used at once. */
	assert_int_equal(say("b --pending :17"), 0);
	lacks(r.out, "until its code is loaded");
	lacks(r.out, "library:");
	assert_int_equal(say(PENDING "b " NAME "\nb " NAME), WAVECTL_BUSY);
	contains(r.err, "breakpoint 1 waits for the same location");
	assert_int_equal(say(PENDING "b --dry-run " NAME " if i > 3\nbreak list"), 0);
	contains(r.out, "would set a breakpoint at " NAME ", when its code is loaded if i > 3");
	lacks(r.out, "\n1 ");
	assert_int_equal(say(PENDING "b *" NAME), 3);
}

static void a_waiting_breakpoint_gets_another_condition(void **state)
{
	(void)state;
	assert_int_equal(say(PENDING "b " NAME "\ncondition 1 v2 == 7\nbreak list"), 0);
	contains(r.out, "breakpoint 1 stops waves if v2 == 7\n");
	contains(r.out, "v2 == 7    " NAME);
	assert_int_equal(say(PENDING "b " NAME " if v2 == 7\ncondition 1\nbreak list"), 0);
	contains(r.out, "-         -          " NAME);
}

/* New waves are halted for them, so the launch mode is not free. */
static void breakpoints_that_wait_for_code_need_the_launch_mode(void **state)
{
	(void)state;
	assert_int_equal(say(PENDING "launch set --mode halt\nb " NAME), WAVECTL_BUSY);
	contains(r.err, "\"launch set\" is active; launch set --off\n");
	assert_int_equal(say(PENDING "b " NAME "\nlaunch set --mode halt"), WAVECTL_BUSY);
	contains(r.err, "breakpoint 1 has set the launch mode; break clear\n");
	assert_int_equal(say(PENDING "b " NAME "\ndelete 1\nlaunch set --mode halt"), 0);
	contains(r.out, "library: looks end\nkernel: launch 1 0\n");
}

/* Debug information in another file, which is not there */
static void the_missing_file_of_lines_is_named(void **state)
{
	(void)state;
	assert_int_equal(say("code add " DEBUG_CO "alone/vars_O1_split.co\ninfo code"), 0);
	contains(r.out, "gfx1033  no     pending  " DEBUG_CO "alone/vars_O1_split.co");
	contains(r.out, "a part of its debug information is in another file, " DEBUG_CO
		 "vars_O1_split.co-vars.dwo, which was not found");
	assert_int_equal(say("info code"), 0);
	lacks(r.out, "which was not found");
}

static void files_of_split_debug_information_are_found(void **state)
{
	(void)state;
	/* Beside the code object, in a directory of the user, and the file itself */
	assert_int_equal(say("code add " DEBUG_CO "vars_O1_split.co\ninfo code"), 0);
	contains(r.out, "gfx1033  yes    pending  " DEBUG_CO "vars_O1_split.co");
	assert_int_equal(say("code add " DEBUG_CO "alone/vars_O1_split.co --debug-dir " DEBUG_CO
			     "\ninfo code"), 0);
	contains(r.out, "gfx1033  yes    pending  " DEBUG_CO "alone/vars_O1_split.co");
	assert_int_equal(say("code add " DEBUG_CO "alone/vars_O1_split.co\n"
			     "code add " KERNELS " --debug-dir " DEBUG_CO
			     "vars_O1_split.co-vars.dwo\ninfo code"), 0);
	contains(r.out, "gfx1033  yes    pending  " DEBUG_CO "alone/vars_O1_split.co");
	assert_int_equal(say("code add " KERNELS " --debug-dir /nowhere"), 5);
	contains(r.err, "/nowhere: No such file or directory");
}

static void code_objects_are_listed(void **state)
{
	static const struct script found = { .lines = "info code\nb saxpy+0", .is_unknown = true };
	static const struct script gone = { .lines = "info code", .overwrites = true };

	(void)state;
	assert_int_equal(say("info code"), 0);
	contains(r.out, "gfx1033  yes    there  " KERNELS "  saxpy,hash,intloop,floatloop,");
	/* The loader has left its header there: it has symbols, and no lines. */
	assert_int_equal(run_function(&r, run_script, &found), 0);
	contains(r.out, "gfx1033  no     there  the ELF at 0x100000000  saxpy,hash,");
	contains(r.out, ", saxpy\n");
	/* Something else is there by now. */
	assert_int_equal(run_function(&r, run_script, &gone), 0);
	contains(r.out, "yes    pending  " KERNELS);
}

/* Ctrl-C comes before the first code object is looked at. */
static void ctrl_c_ends_the_search_for_code_objects(void **state)
{
	static const char *const lines[] = {
		"info code", "info variables", "break set saxpy", "break set nosuch",
		"source list kernels.cl:1",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		const struct script script = { .lines = lines[i], .is_interrupted = true };

		assert_int_equal(run_function(&r, run_script, &script), WAVECTL_FAILED);
		assert_string_equal(r.err, "wavectl: interrupted\n");
	}
}

/* Each of these words in a file begins with what a terminal obeys. */
static void spoil(uint8_t *file, size_t size, const char *word)
{
	uint8_t *at = file;

	while ((at = memmem(at, size - (at - file), word, strlen(word))))
		*at = 0x1b;
}

static void unsafe_names_in_code_objects_are_escaped(void **state)
{
	char path[] = "/tmp/wavectl-code.XXXXXX", lines[256];
	size_t size;
	uint8_t *file = read_whole(KERNELS, &size);
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	spoil(file, size, "hash");
	spoil(file, size, "ctl");
	assert_int_equal(write(fd, file, size), size);
	close(fd);
	snprintf(lines, sizeof(lines), "code add %s\ninfo code\ninfo variables\nprint xtl", path);
	assert_int_equal(say(lines), 2);
	contains(r.out, "saxpy,\\x1bash,");
	contains(r.out, "\n\\x1btl ");
	contains(r.out, "\n    \\x1btl: it ");
	lacks(r.out, "\x1b");
	lacks(r.err, "\x1b");
	unlink(path);
	free(file);
}

/* ---------------------------------------------------------------------- variables */

static void print_shows_a_variable_in_each_lane(void **state)
{
	(void)state;
	process.wave.exec = 0xffffffef;
	assert_int_equal(say("print i"), 0);
	contains(r.out, "$1 = (u32) in v0:\n"
		 "    lane 0        0   1   2   3  (4)  5   6   7\n"
		 "    lane 8        8   9   10   11   12   13   14   15\n");
	contains(r.out, "lane 24       24   25   26   27   28   29   30   31\n");
	assert_int_equal(say("p i --lane 5-6 --hex"), 0);
	contains(r.out, "$1 = (u32) in v0:\n    lane 5        0x00000005   0x00000006\n");
	assert_int_equal(say("p i --lane 4"), 0);
	contains(r.out, "$1 = (4)\n");
	assert_int_equal(say("lane 7\np i\nlane\nlane all\np i"), 0);
	contains(r.out, "lane 7 of se0.sa0.wgp3.simd1.wave5\n$1 = 7\n");
	contains(r.out, "all lanes of se0.sa0.wgp3.simd1.wave5\n$2 = (u32) in v0:\n");
	assert_int_equal(say("lane 4"), 0);
	contains(r.out, "lane 4 of se0.sa0.wgp3.simd1.wave5, which is inactive (its EXEC bit is "
		 "0)\n");
}

static void print_shows_an_expression_in_each_lane(void **state)
{
	static const struct script script = { .lines = "print i * 2", .json = true };
	struct json_object *o, *p;

	(void)state;
	assert_int_equal(say("print i * 2 + 1 --lane 3-4"), 0);
	contains(r.out, "$1 = (unsigned int):\n    lane 3        7   9\n");
	assert_int_equal(say("p i<<4 --hex --lane 3"), 0);
	contains(r.out, "$1 = 0x00000030\n");
	assert_int_equal(say("p --lane 3 -- -i"), 0);
	contains(r.out, "$1 = 4294967293\n");
	assert_int_equal(say("print 1.5 + 2"), 0);
	contains(r.out, "$1 = 3.5\n");
	assert_int_equal(run_function(&r, run_script, &script), 0);
	o = results();
	p = result(o, 0);
	string_is(p, "name", "i * 2");
	string_is(p, "type", "unsigned int");
	assert_null(member(p, "where"));
	assert_null(member(p, "function"));
	json_object_put(o);
	assert_int_equal(say("print i +"), 2);
	contains(r.err, "a name or a number is expected at the end of 'i +'");
	assert_int_equal(say("print i / 0"), 2);
	contains(r.err, "division by 0");
	assert_int_equal(say("print a + 1"), 3);
	contains(r.err, "a: it was optimized out");
	/* Registers take no code that is known. */
	put_wave_at(DATA);
	assert_int_equal(say("print $v0 + 0x10 --lane 5"), 0);
	contains(r.out, "$1 = 21\n");
	assert_int_equal(say("print $v0 + i"), 3);
	contains(r.err, "no known code object contains the instruction at 0x0000000200000000");
}

static void print_shows_lanes_that_have_a_value(void **state)
{
	static const struct script script = { .lines = "print 8 / i", .json = true };
	struct json_object *o, *p;

	(void)state;
	assert_int_equal(say("print 8 / i --lane 0-3"), 0);
	contains(r.out, "$1 = (unsigned int):\n    lane 0        ?   8   4   2\n"
		 "    1 without a value; lane 0: division by 0\n");
	assert_int_equal(run_function(&r, run_script, &script), 0);
	o = results();
	p = result(o, 0);
	assert_int_equal(json_object_get_int(member(p, "failed_lanes")), 1);
	assert_int_equal(json_object_get_int(member(p, "failed_lane")), 0);
	string_is(p, "why", "division by 0");
	json_object_put(o);
	assert_int_equal(say("print 8 / i --lane 0"), 2);
	contains(r.err, "division by 0");
}

static void values_of_each_lane_are_kept(void **state)
{
	static const struct script script = { .lines = "print i\nprint $ * 2", .json = true };
	struct json_object *o, *p;

	(void)state;
	assert_int_equal(say("print i --lane 0-3\nprint $1 * 10 + i --lane 1-2\n"
			     "print i + 0 * $\nlane 2\nprint $2\nprint $$3 + $\n"
			     "printf \"%d,%d\", $1, $$\nshow values"), 0);
	says("$1 = (u32) in v0:\n    lane 0        0   1   2   3\n");
	says("$2 = (unsigned int):\n    lane 1        11   22\n");
	says("$3 = (unsigned int):\n    lane 0        ?   1   2   ?");
	says("    30 without a value; lane 0: $2 has no value of lane 0\n");
	says("$4 = 22\n$5 = 24\n2,22");
	says("\n$1    u32           0-3    0, 1, 2, 3\n"
	     "$2    unsigned int  1-2    11, 22\n"
	     "$3    unsigned int  0-31   ?, 1, 2, ?, ?, ?, ?, ?, ...\n"
	     "$4    unsigned int  -      22\n");
	assert_int_equal(run_function(&r, run_script, &script), 0);
	o = results();
	p = result(o, 0);
	int_is(p, "history", 2);
	string_is(p, "name", "$ * 2");
	assert_string_equal(json_object_get_string(json_object_array_get_idx(member(p, "values"),
									     31)), "62");
	json_object_put(o);
}

/* What a convenience variable keeps is the value, not the expression. */
static void convenience_variables_keep_a_value_of_one_lane(void **state)
{
	(void)state;
	assert_int_equal(say("lane 5\nset $n = i * 2\nlane 6\nprint $n + i\nset var $m = i --lane 9\n"
			     "p $m\nprint $n = $n + 1\nshow convenience"), 0);
	says("$1 = 16\n");
	says("$2 = 9\n$3 = 11\nNAME  TYPE          VALUE\n"
	     "$m    u32           9\n$n    unsigned int  11\n");
	assert_int_equal(say("set $n = i --lane 0-3"), 2);
	contains(r.err, "--lane: a convenience variable has one value: name one lane");
	assert_int_equal(say("set $n = i --lane 40"), 2);
	contains(r.err, "no lane 40: the wave has lanes 0 to 31");
	assert_int_equal(say("set $n = nosuch"), 5);
	contains(r.err, "there is no variable 'nosuch'");
	assert_int_equal(say("set $n = (u32 *)0x200000004\nx/2xw $n\nprint $_ - 1 == $n\n"
			     "x/1xw $n\nprint/x $__\nprint *$n == $__"), 0);
	says("$1 = 1\n");
	says("$2 = 0x8000\n$3 = 1\n");
}

static void printf_prints_values_of_the_selected_lane(void **state)
{
	(void)state;
	assert_int_equal(say("lane 5\nprintf \"%d|%4u|%-4x|%c|%%\\n\", i, i + 1, i * 3, 65"), 0);
	contains(r.out, "5|   6|f   |A|%\n");
	assert_int_equal(say("printf \"%08lx %.2f %s\", 0x1234, 1.5, i --lane 3"), 2);
	assert_int_equal(say("printf \"%08lx %.2f %s\", 0x1234, 1.5, (i + 1)"), 0);
	contains(r.out, "00001234 1.50 1\n");
	assert_int_equal(say("printf \"a\\tb\\n\\101\\n\"\necho x 'y\\n'z\necho"), 0);
	contains(r.out, "a       b\nA\nx y\nz\n");
	assert_int_equal(say("printf \"%d %d\", i"), 2);
	contains(r.err, "the format needs more than 1 values");
	assert_int_equal(say("printf \"%d\", i, i"), 2);
	contains(r.err, "the format has only 1 conversions");
	assert_int_equal(say("printf \"%q\", i"), 2);
	contains(r.err, "'%q' is no conversion");
	assert_int_equal(say("printf \"%5000d\", i"), 2);
	contains(r.err, "more than 1000 characters");
	assert_int_equal(say("printf \"%d\", i +"), 2);
	assert_int_equal(say("printf"), 2);
}

static void registers_of_the_selected_wave_need_no_name(void **state)
{
	(void)state;
	assert_int_equal(say("set listsize 20\nset confirm off"), 2);
	contains(r.err, "there is no setting 'listsize'; use the option --count of \"list\"");
	contains(r.err, "there is no setting 'confirm'");
}

/* STATUS has SCC in bit 0: gc_10_3_0_sh_mask.h (Linux 6.1). */
static void print_shows_pseudo_variables(void **state)
{
	(void)state;
	put_wave_at(DATA + 0x1c);
	process.wave.exec = 0x80000007;
	process.wave.HW(STATUS) = 0x00012801;
	process.wave.HW(M0) = 0xcafe0003;
	assert_int_equal(say("print $pc --hex\nprint $pc + 4\nprint $exec --hex\nprint $scc\n"
			     "print $m0 --hex\nprint $wave\nprint $lane --lane 3-5\n"
			     "print $v2 == ($lane | 2 << 8)"), 0);
	contains(r.out, "$1 = 0x000000020000001c\n$2 = 8589934624\n"
		 "$3 = 0x80000007\n$4 = 1\n$5 = 0xcafe0003\n$6 = 214\n"
		 "$7 = (unsigned int):\n    lane 3       (3) (4) (5)\n");
	contains(r.out, "$8 = 1\n");
	process.wave.HW(STATUS) = 0x00012800;
	assert_int_equal(say("print $scc\nlane 2\nprint $lane + 40"), 0);
	contains(r.out, "$1 = 0\n");
	contains(r.out, "$2 = 42\n");
	assert_int_equal(say("print $spc"), 2);
	contains(r.err, "there is no register or pseudo variable '$spc'; known are $pc, $exec, ");
	contains(r.err, "$scc, $m0, $lane, $wave, $group, $group_y, $group_z, $item, $v0 to ");
}

static void json_has_the_value_of_each_lane(void **state)
{
	static const struct script script = { .lines = "print i", .json = true };
	struct json_object *o, *p, *values;

	(void)state;
	assert_int_equal(run_function(&r, run_script, &script), 0);
	o = results();
	p = result(o, 0);
	string_is(p, "name", "i");
	string_is(p, "type", "u32");
	string_is(p, "where", "v0");
	string_is(p, "function", "saxpy");
	string_is(p, "wave", "se0.sa0.wgp3.simd1.wave5");
	string_is(p, "exec", "0x00000000ffffffff");
	int_is(p, "first_lane", 0);
	values = member(p, "values");
	assert_int_equal(json_object_array_length(values), 32);
	assert_string_equal(json_object_get_string(json_object_array_get_idx(values, 31)), "31");
	json_object_put(o);
}

static void print_says_why_a_value_cannot_be_printed(void **state)
{
	(void)state;
	assert_int_equal(say("print a"), 3);
	contains(r.err, "a: it was optimized out");
	assert_int_equal(say("print oot"), 2);
	contains(r.err, "no variable 'oot' in scope at 0x0000000100");
	contains(r.err, "did you mean 'out'?");
	assert_int_equal(say("print"), 2);
	assert_int_equal(say("print i n"), 2);
	assert_int_equal(say("print i --lane 30-40"), 2);
	contains(r.err, "no lane 40: the wave has lanes 0 to 31");
	assert_int_equal(say("lane 32"), 2);
	contains(r.err, "'32' is not a lane of the wave, which has lanes 0 to 31");
	put_wave_at(DATA);
	assert_int_equal(say("print i"), 3);
	contains(r.err, "no known code object contains the instruction at 0x0000000200000000");
	process.wave.flags = 0;
	assert_int_equal(say("print i"), 3);
	contains(r.err, "no wave of the process is halted");
	assert_int_equal(say("focus 0.0.3.1.5\nprint i"), 3);
	contains(r.err, "se0.sa0.wgp3.simd1.wave5 is running");
}

/* SGPRs have the values of give_registers(): s[4:5] is the address of the arguments. */
static void a_parameter_is_printed_as_it_was_passed(void **state)
{
	static const struct script script = { .lines = "print n", .json = true };
	const uint32_t n = 77;
	struct json_object *o, *p;

	(void)state;
	assert_int_equal(say("print n"), 3);
	contains(r.err, "; its value as passed is not known: the argument at 0x50000000418 cannot "
		 "be read");
	memcpy(fake_add(&process.memory, 0x50000000400, 28) + 24, &n, sizeof(n));
	assert_int_equal(say("print n"), 0);
	contains(r.out, "$1 = 77 (as passed)\n");
	assert_int_equal(say("print n * 2 + 1\nprint n + i --lane 3-4"), 0);
	contains(r.out, "$1 = 155 (as passed)\n");
	contains(r.out, "$2 = (unsigned int) (as passed):\n    lane 3        80   81\n");
	assert_int_equal(say("info variables"), 0);
	contains(r.out, "  as passed  77\n");
	assert_int_equal(run_function(&r, run_script, &script), 0);
	o = results();
	p = result(o, 0);
	string_is(p, "where", "as passed");
	string_is(p, "value", "77");
	json_object_put(o);
}

static void parameters_and_local_variables_are_listed_apart(void **state)
{
	(void)state;
	assert_int_equal(say("info args"), 0);
	contains(r.out, "\nn     ");
	lacks(r.out, "\ni     ");
	assert_int_equal(say("info locals"), 0);
	contains(r.out, "\ni     ");
	lacks(r.out, "\nn     ");
	assert_int_equal(say("info lo --lane 0-9"), 2);
}

static void a_command_is_executed_for_several_waves(void **state)
{
	static const struct script script = { .lines = "thread apply all print 7", .json = true };
	struct json_object *o;

	(void)state;
	assert_int_equal(say("thread apply all print i --lane 3\nt apply 1-4000 print/x 18"), 0);
	contains(r.out, ", se0.sa0.wgp3.simd1.wave5 at 0x");
	contains(r.out, "$1 = 3\n");
	contains(r.out, "$2 = 0x12\n");
	assert_int_equal(run_function(&r, run_script, &script), 0);
	o = results();
	string_is(result(o, 0), "name", "se0.sa0.wgp3.simd1.wave5");
	string_is(result(o, 1), "value", "7");
	json_object_put(o);
	assert_int_equal(say("thread apply 4000 print i"), 3);
	contains(r.err, "no halted wave has such a number");
	assert_int_equal(say("thread apply all"), 2);
	contains(r.err, "takes all, or numbers of waves, and a command");
	assert_int_equal(say("thread apply all nosuch"), 2);
	assert_int_equal(say("wave\nthread"), 0);
	contains(r.out, "se0.sa0.wgp3.simd1.wave5 at ");
}

static void frames_end_at_the_kernel(void **state)
{
	static const struct script script = { .lines = "backtrace", .json = true };
	struct json_object *o, *p;

	(void)state;
	assert_int_equal(say("bt"), 0);
	contains(r.out, "MARK  FRAME  PC");
	contains(r.out, "=>    0      0x0000000100");
	contains(r.out, "  saxpy     kernels.cl:17  kernel\n");
	assert_int_equal(say("info stack 1\nframe\ninfo frame"), 0);
	contains(r.out, "frame 0: 0x0000000100");
	contains(r.out, "it is the kernel, which has no caller");
	assert_int_equal(say("up"), 2);
	contains(r.err, "frame 0 is the outermost one that is known");
	assert_int_equal(say("down"), 2);
	contains(r.err, "frame 0 is the innermost one");
	assert_int_equal(say("frame 3"), 2);
	contains(r.err, "the wave has no frame 3: the outermost is 0");
	assert_int_equal(say("bt -1\nframe level 0\nframe function saxpy"), 0);
	contains(r.out, "=>    0      0x0000000100");
	contains(r.out, "frame 0: 0x0000000100");
	assert_int_equal(say("frame function nosuch"), 2);
	contains(r.err, "the wave has no frame of a function 'nosuch'");
	assert_int_equal(say("frame level 3"), 2);
	contains(r.err, "the wave has no frame 3: the outermost is 0");
	assert_int_equal(say("frame level x"), 2);
	contains(r.err, "\"frame\" takes the number of a frame");
	assert_int_equal(say("bt x"), 2);
	contains(r.err, "\"backtrace\" takes the number of frames to print");
	assert_int_equal(say("bt -2x"), 2);
	assert_int_equal(run_function(&r, run_script, &script), 0);
	o = results();
	p = result(o, 0);
	assert_true(json_object_get_boolean(json_object_object_get(p, "complete")));
	json_object_put(o);
}

static void frames_are_printed_with_their_variables(void **state)
{
	static const struct script script = { .lines = "lane 9\nbt full", .json = true };
	struct json_object *o, *rows, *p;

	(void)state;
	assert_int_equal(say("lane 5\nbt full"), 0);
	says("  saxpy     kernels.cl:17  kernel\n");
	says("    i = 5\n");
	says("    a: it was optimized out");
	says("the values are those of lane 5\n");
	assert_int_equal(say("bt full 1\nwhere -full -1\ninfo stack full\nlane 3\nbt -full 0"), 0);
	says("    i = 0\n");
	lacks(r.out, "    i = 3\n");
	assert_int_equal(say("bt full x"), 2);
	assert_int_equal(say("bt 1 full"), 2);
	assert_int_equal(run_function(&r, run_script, &script), 0);
	o = results();
	p = result(o, 0);
	int_is(p, "lane", 9);
	rows = member(p, "frames");
	rows = member(json_object_array_get_idx(rows, 0), "variables");
	for (size_t i = 0; (p = json_object_array_get_idx(rows, i)); i++)
		if (!strcmp(json_object_get_string(member(p, "name")), "i"))
			break;
	assert_non_null(p);
	string_is(p, "type", "u32");
	string_is(p, "where", "v0");
	string_is(p, "value", "9");
	assert_false(json_object_get_boolean(member(p, "parameter")));
	json_object_put(o);
	/* The inlined function has none; the variables of saxpy() follow its own row. */
	put_wave_at(saxpy_line() - SAXPY_LINE_OFFSET);
	assert_int_equal(say("bt full"), 0);
	says("  global_id  cl.h:33        inlined\n      1      0x");
	contains(strstr(r.out, "  saxpy "), "\n    n");
}

/* saxpy() begins with code of the inlined global_id(). */
static void a_frame_is_selected_until_the_wave_moves(void **state)
{
	(void)state;
	put_wave_at(saxpy_line() - SAXPY_LINE_OFFSET);
	assert_int_equal(say("bt"), 0);
	contains(r.out, "  global_id  cl.h:33        inlined\n");
	contains(r.out, "  saxpy      kernels.cl:12  kernel\n");
	assert_int_equal(say("up\nlist\nframe\ninfo frame\nframe"), 0);
	contains(r.out, "in saxpy at kernels.cl:12\nMARK");
	contains(r.out, "=>    12  ");
	contains(r.out, "it is the kernel");
	assert_int_equal(say("up\nfinish --dry-run"), 2);
	contains(r.err, "frame 1 has no caller: kernel");
	assert_int_equal(say("up\nprint $pc\nup"), 2);
	contains(r.err, "frame 1 is the outermost");
	assert_int_equal(say("up\ninfo variables\nup"), 2);
	contains(r.err, "frame 1 is the outermost");
	assert_int_equal(say("up\nfocus 0.0.3.1.5\nframe"), 0);
	contains(r.out, "\nframe 0: ");
	assert_int_equal(say("up\nfinish 0.0.3.1.5 --dry-run"), 0);
}

static void info_variables_says_why_a_value_is_missing(void **state)
{
	(void)state;
	assert_int_equal(say("info variables"), 0);
	contains(r.out, "lane 0 of se0.sa0.wgp3.simd1.wave5, saxpy+0x");
	contains(r.out, "\ni     u32");
	contains(r.out, "saxpy     v0 ");
	contains(r.out, "\n    a: it was optimized out");
	assert_int_equal(say("info variables --lane 9"), 0);
	contains(r.out, "lane 9 of ");
	assert_int_equal(say("info variables --lane 0-9"), 2);
}

/* ------------------------------------------------------------ source, instructions */

static void source_list_begins_around_the_wave_and_continues(void **state)
{
	(void)state;
	assert_int_equal(say("source list\nl"), 0);
	contains(r.out, "MARK  LINE  TEXT\n      12    ");
	contains(r.out, "\n=>    17    " SAXPY_TEXT);
	contains(r.out, "\n      21    KERNEL(hash)\nMARK  LINE  TEXT\n      22    {\n");
	assert_int_equal(say("l kernels.cl:21 --count 6"), 0);
	contains(r.out, "MARK  LINE  TEXT\n      16    ");
	contains(r.out, "\n      21    KERNEL(hash)\n");
	lacks(r.out, "      22    ");
	assert_int_equal(say("l hash"), 0);
	contains(r.out, "KERNEL(hash)\n");
	assert_int_equal(say("l kernels.cl:4000"), 3);
	contains(r.err, "kernels.cl has 1");
	assert_int_equal(say("l nothing.cl:1"), 3);
	assert_int_equal(say("l *0x200000000"), 3);
	assert_int_equal(say("l 0x200000000"), 2);
}

static void source_list_takes_numbers_and_ranges_of_lines(void **state)
{
	(void)state;
	assert_int_equal(say("l 21 --count 6"), 0);
	contains(r.out, "MARK  LINE  TEXT\n      16    ");
	assert_int_equal(say("l 20,22"), 0);
	contains(r.out, "MARK  LINE  TEXT\n      20    ");
	contains(r.out, "      22    {\n");
	lacks(r.out, "      23 ");
	assert_int_equal(say("l kernels.cl:20,21"), 0);
	contains(r.out, "MARK  LINE  TEXT\n      20    ");
	assert_int_equal(say("l 30,\nl ,12"), 0);
	contains(r.out, "MARK  LINE  TEXT\n      30    ");
	contains(r.out, "      39    ");
	contains(r.out, "MARK  LINE  TEXT\n      3     ");
	assert_int_equal(say("l 30\nl -"), 0);
	contains(r.out, "MARK  LINE  TEXT\n      15    ");
	assert_int_equal(say("l -"), 0);
	contains(r.out, "MARK  LINE  TEXT\n      2     ");
	assert_int_equal(say("l 5\nl -"), 3);
	contains(r.err, "line 1 of ");
	assert_int_equal(say("l 9,5"), 2);
	contains(r.err, "line 9 is after line 5");
	/* What was listed last is the current file until the wave moves. */
	assert_int_equal(say("l kernels.cl:30\nb 17\nb +1"), 0);
	contains(r.out, "breakpoint 1 at 0x");
	contains(r.out, "at kernels.cl:17\n");
}

/* A source line of @count times @unit and of @rest is listed as so many of @shown, and @end. */
static void is_listed(const char *unit, size_t count, const char *rest, const char *shown,
		      size_t num_shown, const char *end)
{
	char *line = calloc(1, count * strlen(unit) + strlen(rest) + 1);
	char *expected = calloc(1, 64 + num_shown * strlen(shown) + strlen(end));
	char *at = expected + sprintf(expected, "MARK  LINE  TEXT\n      1     ");

	for (size_t i = 0; i < count; i++)
		memcpy(line + i * strlen(unit), unit, strlen(unit));
	strcpy(line + count * strlen(unit), rest);
	for (size_t i = 0; i < num_shown; i++)
		at += sprintf(at, "%s", shown);
	sprintf(at, "%s\n", end);
	long_line = line;
	assert_int_equal(say("l kernels.cl:1 --count 1"), 0);
	long_line = NULL;
	contains(r.out, expected);
	free(expected);
	free(line);
}

static void source_list_cuts_long_lines(void **state)
{
	(void)state;
	is_listed("x", 4096, "", "x", 4096, "");
	is_listed("x", 4096, "y", "x", 4096, "...");
	is_listed("\t", 100000, "y", " ", 4096, "...");
	/* A character of several bytes is whole. */
	is_listed("x", 4095, "\u20acy", "x", 4095, "\u20ac...");
}

static void disasm_prints_lines_and_operands(void **state)
{
	char name[ADBGD_NAME_MAX];
	uint64_t va = saxpy_line();

	(void)state;
	assert_int_equal(say("focus 0.0.3.1.5\nlane 3\ndisasm --count 2"), 0);
	says("=>    0x%016llx  %s at kernels.cl:17  v_lshlrev_b32_e32 v1, 1, v0\n",
	     (unsigned long long)va, adbgd_code_format_address(kernels, va, name));
	contains(r.out, "\n    v1[3]             0x00000103\n    v0[3]             "
		 "0x00000003\n      0x");
	/* At a symbol, not behind its prologue */
	assert_int_equal(say("disasm saxpy --count 1"), 0);
	contains(r.out, "  saxpy at ");
	contains(r.out, "s_load_dword");
	assert_int_equal(say("disasm 0x123450000000"), 3);
	contains(r.err, "cannot read the memory at 0x0000123450000000");
	assert_int_equal(say("disasm saxpy+4"), 2);
	contains(r.err, "in the middle of the instruction at saxpy");
	/* Where there are no code objects it is as it was. */
	assert_int_equal(run_function(&r, run_script, &(struct script){
		.lines = "disasm 0x200000000 --count 1", .is_unknown = true }), 0);
	contains(r.out, "ADDRESS             INSTRUCTION\n0x0000000200000000  ");
}

static void x_prints_memory_in_words(void **state)
{
	(void)state;
	assert_int_equal(say("x 0x200000000 --count 5"), 0);
	contains(r.out, "0x0000000200000000  -      0x00000000  0x00008000  0x00000000  "
		 "0x00000000\n"
		 "0x0000000200000010  -      0x00000000\n");
	assert_int_equal(say("x 0x200000004 --format uint"), 0);
	contains(r.out, "  32768\n");
	assert_int_equal(say("x saxpy"), 0);
	contains(r.out, "  saxpy at ");
	put_wave_at(DATA + 8);
	assert_int_equal(say("x $pc-4\nx '*$pc - 4 - $lane' --count 1"), 0);
	contains(r.out, "0x0000000200000004  -      0x00008000\n"
		 "ADDRESS             PLACE  DATA\n"
		 "0x0000000200000004  -      0x00008000\n");
	assert_int_equal(say("x $oot"), 2);
	contains(r.err, "there is no register or pseudo variable '$oot'; known are $pc, ");
	assert_int_equal(say("x '$pc * 1.5'"), 2);
	contains(r.err, "'$pc * 1.5' is not an address but a double");
	assert_int_equal(say("x '$pc +'"), 2);
	contains(r.err, "a name or a number is expected at the end of '$pc +'");
	process.wave.flags = 0;
	assert_int_equal(say("x $pc"), 3);
	contains(r.err, "no wave of the process is halted");
	assert_int_equal(say("x 0x123450000000"), 3);
	contains(r.err, "cannot read 0x0000123450000000");
	assert_int_equal(say("x nothing"), 3);
	assert_int_equal(say("x"), 2);
}

static void print_and_x_have_the_formats_of_gdb(void **state)
{
	(void)state;
	assert_int_equal(say("p/x i * 20 --lane 3"), 0);
	contains(r.out, "$1 = 0x3c\n");
	assert_int_equal(say("print /t i --lane 5"), 0);
	contains(r.out, "$1 = 101\n");
	assert_int_equal(say("p/c i + 65 --lane 1\np/o i + 65 --lane 1\np/d 0 - i --lane 1\n"
			     "p/f $v0 + 0x3fc00000 --lane 0"), 0);
	contains(r.out, "$1 = 66 'B'\n");
	contains(r.out, "$2 = 0102\n");
	contains(r.out, "$3 = -1\n");
	contains(r.out, "$4 = 1.5\n");
	assert_int_equal(say("x/2xw 0x200000004"), 0);
	contains(r.out, "0x0000000200000004  -      0x00008000  0x00000000\n");
	assert_int_equal(say("x/3xb 0x200000004\nx\nx/2dh"), 0);
	contains(r.out, "0x0000000200000004  -      0x00  0x80  0x00\n");
	contains(r.out, "0x0000000200000007  -      0x00\n");
	contains(r.out, "0x0000000200000008  -      0  0\n");
	assert_int_equal(say("x/xg 0x200000000\nx/th 0x200000004\nx/uh 0x200000004\n"
			     "x/dh 0x200000004\nx/10ob 0x200000000"), 0);
	contains(r.out, "  0x0000800000000000\n");
	contains(r.out, "  1000000000000000\n");
	contains(r.out, "  32768\n");
	contains(r.out, "  -32768\n");
	contains(r.out, "0  0  0  0  0  0200  0  0\n0x0000000200000008");
}

static void x_takes_expressions(void **state)
{
	(void)state;
	assert_int_equal(say("x/2i $pc\nx/i"), 0);
	contains(r.out, "=>    0x");
	assert_int_equal(say("x/xw $pc + 4\nx/1xw $v0 + 0x200000004ul"), 0);
	contains(r.out, "  0x00008000\n");
	assert_int_equal(say("x/2xw saxpy"), 0);
	contains(r.out, "saxpy at ");
}

static void only_values_in_memory_can_be_watched(void **state)
{
	(void)state;
	assert_int_equal(say("watch i"), 2);
	contains(r.err, "'i' is not in memory");
	assert_int_equal(say("rwatch i + 1"), 2);
	contains(r.err, "'i + 1' is not in memory");
	assert_int_equal(say("awatch i +"), 2);
	contains(r.err, "a name or a number is expected");
	assert_int_not_equal(say("watch nosuch"), 0);
	contains(r.err, "there is no variable 'nosuch'");
	assert_int_equal(say("watch"), 2);
}

static void invalid_formats_are_refused(void **state)
{
	(void)state;
	assert_int_equal(say("p/q i"), 2);
	contains(r.err, "/q: 'q' is not one of the formats xzoductfs");
	assert_int_equal(say("p/4x i"), 2);
	contains(r.err, "/4x: \"print\" takes no count and no size");
	assert_int_equal(say("p/x i --hex"), 2);
	assert_int_equal(say("x/0x 0x200000000"), 2);
	contains(r.err, "/0x: the count is a number from 1");
	assert_int_equal(say("x/x4w 0x200000000"), 2);
	assert_int_equal(say("x/99999999999x 0x200000000"), 2);
	assert_int_equal(say("x/9999999xb 0x200000000"), 2);
	contains(r.err, "at most 1048576 units can be printed");
	assert_int_equal(say("x/4x 0x200000000 --count 5"), 2);
	assert_int_equal(say("focus 0.0.3.1.5\nx/4x a"), 3);
	contains(r.err, "a: it was optimized out");
	assert_int_equal(say("x/ws 0x200000000"), 2);
	assert_int_equal(say("break/x saxpy"), 2);
	contains(r.err, "'break' takes no format '/x'");
}

/* --------------------------------------------------------------- how waves start */

/* AMDGPUDBG_LAUNCH_HALT is 1; 0 is as before. */
static void launch_set_is_refused_while_a_breakpoint_set_the_launch_mode(void **state)
{
	static const char *const lines[] = {
		"launch set --mode halt", "launch set --exceptions mem-viol --for 0.01",
		"launch set --mode debug --dry-run",
	};
	char text[128];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		snprintf(text, sizeof(text), "break set :17 --stepping\n%s", lines[i]);
		assert_int_equal(say(text), WAVECTL_BUSY);
		contains(r.err, "breakpoint 1 has set the launch mode; break clear\n");
		lacks(r.out, "kernel:");
		process.has_watchpoint = true;
		assert_int_equal(say(lines[i]), WAVECTL_BUSY);
		contains(r.err, "watchpoint 1 has set the launch mode; watchpoint clear\n");
		lacks(r.out, "kernel:");
		process.has_watchpoint = false;
	}
	/* What launch set has set is nothing. */
	process.has_watchpoint = true;
	assert_int_equal(say("launch set --off"), 0);
	lacks(r.out, "kernel:");
	process.has_watchpoint = false;
	assert_int_equal(say("launch set --off"), 0);
	contains(r.out, "kernel: launch 0 0\n");
	/* A breakpoint in the code needs nothing of it. */
	assert_int_equal(say("break set :17\nlaunch set --mode halt"), 0);
	contains(r.out, "kernel: launch 1 0\n");
	assert_int_equal(say("break set :17 --stepping\nbreak clear\nlaunch set --mode halt"), 0);
	contains(r.out, "kernel: launch 1 0\n");
}

static void breakpoints_that_need_the_launch_mode_respect_launch_set(void **state)
{
	static const char *const lines[] = {
		"watchpoint set 0x1000 --bytes 64", "watchpoint set 0x1000 --dry-run",
		"break set :17 --stepping", "break set :17 --stepping --dry-run",
		"break insn 0xbf8e0000/0xffff0000", "break start", "break start --job 2",
		"break start --off",
	};
	static const struct script slept = {
		.lines = "launch set --mode halt", .slept = "break set :17 --stepping",
	};
	char text[128];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		snprintf(text, sizeof(text), "launch set --mode halt\n%s\nbreak list", lines[i]);
		assert_int_equal(say(text), WAVECTL_BUSY);
		contains(r.err, "\"launch set\" is active; launch set --off\n");
		lacks(r.out, "\n1 ");
	}
	assert_int_equal(say("launch set --mode halt\nbreak set :17"), 0);
	assert_int_equal(say("launch set --mode halt\nlaunch set --off\n"
			     "break set :17 --stepping"), 0);
	contains(r.out, "breakpoint 1 at");
	/* Nothing is left of it then. */
	assert_int_equal(run_function(&r, run_script, &slept), WAVECTL_ENDED);
	contains(r.out, "breakpoint 1 at");
}

/* --------------------------------------------------------------------- the wave */

/* With breakpoints by stepping, the wave is in debug mode, and stays in it after the command. */
static void wave_step_restores_debug_mode_and_resumes_the_wave(void **state)
{
	(void)state;
	process.wave.flags = 0;
	process.wave.hw_mask = MOCK_HW_MASK;
	process.wave.HW(MODE) = DEBUG_EN;
	assert_int_equal(say("wave step --halt --count 2"), 0);
	contains(r.out, "  resumed\n");
	contains(r.out, "kernel: halt\nkernel: debug\nkernel: resume\n");
	process.wave.HW(MODE) = 0;
	assert_int_equal(say("wave step --halt"), 0);
	contains(r.out, "kernel: halt\nkernel: resume\n");
}

static void json_reports_continue(void **state)
{
	static const struct script script = {
		.lines = "continue\nc 0.0.3.1.5", .json = true,
	};
	struct json_object *o;

	(void)state;
	assert_int_equal(run_function(&r, run_script, &script), 0);
	contains(r.out, "\"command\":\"continue\",\"exit_status\":0,"
		 "\"results\":[{\"operation\":\"continue\"}]}\n");
	o = results();
	string_is(result(o, 0), "operation", "continue");
	string_is(result(o, 0), "name", "se0.sa0.wgp3.simd1.wave5");
	json_object_put(o);
	/* The stop that follows is reported when it occurs. */
	assert_int_equal(run_function(&r, run_script, &(struct script){
		.lines = "continue", .is_unknown = true }), 0);
	assert_string_equal(r.out, "");
}

static void stepi_with_a_count_reports_one_stop(void **state)
{
	static const struct script script = { .lines = "stepi 200", .json = true };
	static const struct {
		uint64_t left, done;
		const char *type;
	} cases[] = {
		{ 300, 200, "step" },
		{ 200, 200, "wave-end" },
		{ 150, 150, "wave-end" },
		/* In the middle of a part, and at its end */
		{ 1150, 150, "step" },
		{ 1128, 128, "step" },
	};
	struct json_object *o;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		steps_left = cases[i].left;
		assert_int_equal(run_function(&r, run_script, &script), 0);
		o = results();
		int_is(result(o, 0), "steps", cases[i].done);
		string_is(result(o, 0), "type", cases[i].type);
		json_object_put(o);
	}
	steps_left = 1000;
	assert_int_equal(run_function(&r, run_script, &script), WAVECTL_BUSY);
	contains(r.err, "its stop is still pending");
}

/* The file is opened before the wave resumes. Without a trace it keeps its contents. */
static void trace_save_checks_its_file_before_the_first_step(void **state)
{
	char path[] = "/tmp/wavectl-trace.XXXXXX", line[64];
	int fd = mkstemp(path);
	uint8_t *file;
	size_t size;

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "before", 6), 6);
	close(fd);
	assert_int_not_equal(say("trace save /nowhere/trace 5"), 0);
	contains(r.err, "cannot write /nowhere/trace: No such file or directory");
	lacks(r.err, "no trace begins");
	snprintf(line, sizeof(line), "trace save %s 5", path);
	assert_int_equal(say(line), WAVECTL_BUSY);
	contains(r.err, "no trace begins at");
	file = read_whole(path, &size);
	assert_int_equal(size, 6);
	assert_memory_equal(file, "before", 6);
	free(file);
	unlink(path);
	assert_int_equal(say(line), WAVECTL_BUSY);
	assert_int_equal(access(path, F_OK), -1);
}

/* Bytes that are in no UTF-8, and an escape sequence, as a program may have for names */
#define RAW_NAME	"f\xff\x9b\x1b[2J"
#define STEPS		3

/* Longer than any path can be */
static const char *long_name(void)
{
	static char name[2 * PATH_MAX + 1];

	memset(name, 'x', sizeof(name) - 1);
	return name;
}

/* A trace of a wave with 32 lanes, an SGPR and a VGPR, in which each step has these names */
static void write_trace(const char *path)
{
	static const char *const hwregs[] = {
		"MODE", "STATUS", "TRAPSTS", "HW_ID1", "HW_ID2", "GPR_ALLOC", "LDS_ALLOC",
		"IB_STS", "IB_STS2", "IB_DBG1", "INST_DW0", "PC_LO", "PC_HI", "M0", "EXEC_LO",
		"EXEC_HI", "FLAT_SCRATCH_LO", "FLAT_SCRATCH_HI", "SCHED_MODE",
	};
	FILE *file = fopen(path, "w");

	fprintf(file, "{\"trace\":1,\"name\":\"se0.sa0.wgp0.simd0.wave0\","
		"\"gc_version\":\"10.3.1\",\"hwregs\":{");
	for (size_t i = 0; i < ARRAY_SIZE(hwregs); i++)
		fprintf(file, "%s\"%s\":\"0x0\"", i ? "," : "", hwregs[i]);
	fprintf(file, "},\"sgprs\":[\"0x0\"],\"lanes\":[");
	for (unsigned int i = 0; i < 32; i++)
		fprintf(file, "%s[\"0x0\"]", i ? "," : "");
	fprintf(file, "]}\n");
	for (unsigned int i = 1; i <= STEPS; i++)
		fprintf(file, "{\"step\":%u,\"address\":\"0x1000\",\"instruction\":\"s_nop\","
			"\"place\":\"f\xff\x9b\\u001b[2J\",\"file\":\"%.*s\",\"line\":7,"
			"\"changed\":{}}\n", i, 2 * PATH_MAX, long_name());
	fclose(file);
}

/* Read a trace, and write it again. */
static int copy_trace(const void *arg)
{
	const char *const *paths = arg;
	char *words[] = { (char *)paths[1] };
	struct wavectl w = { .words = words, .num_words = 1, .emit = emit_new(false) };
	struct output output;
	struct trace_view t;

	if (trace_file_load(&w, paths[0], &t))
		abort();
	/* Steps at the same place share its name. */
	if (t.num != STEPS || strcmp(t.insns[0].place, RAW_NAME) ||
	    t.insns[0].place != t.insns[2].place || t.insns[0].file != t.insns[2].file ||
	    strlen(t.insns[0].file) != PATH_MAX - 1)
		abort();
	if (trace_file_open(&w, paths[1], &output) || trace_file_save(&w, &t, &output))
		abort();
	trace_view_free(&t);
	emit_free(w.emit);
	return 0;
}

static void a_trace_file_is_private_and_escapes_unsafe_names(void **state)
{
	char from[] = "/tmp/wavectl-trace.XXXXXX", to[64];
	const char *const paths[] = { from, to };
	mode_t mask = umask(0);
	struct stat st;
	uint8_t *file;
	size_t size;
	int fd = mkstemp(from);

	(void)state;
	close(fd);
	snprintf(to, sizeof(to), "%s.copy", from);
	write_trace(from);
	assert_int_equal(run_function(&r, copy_trace, paths), 0);
	assert_int_equal(stat(to, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	umask(mask);
	file = read_whole(to, &size);
	assert_non_null(memmem(file, size, "f\xef\xbf\xbd\xef\xbf\xbd\\u001b[2J\"", 16));
	for (size_t i = 0; i < size; i++)
		assert_true(file[i] == '\n' || (file[i] >= 0x20 && file[i] < 0x7f) ||
			    file[i] == 0xef || file[i] == 0xbf || file[i] == 0xbd);
	free(file);
	unlink(from);
	unlink(to);
}

static void trace_save_does_not_follow_a_symbolic_link(void **state)
{
	char path[] = "/tmp/wavectl-trace.XXXXXX", line[64];
	int fd = mkstemp(path);

	(void)state;
	close(fd);
	unlink(path);
	assert_int_equal(symlink("/tmp/nowhere", path), 0);
	snprintf(line, sizeof(line), "trace save %s 5", path);
	assert_int_equal(say(line), WAVECTL_FAILED);
	contains(r.err, ": it is not a regular file");
	unlink(path);
	/* A FIFO would be waited for. */
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(say(line), WAVECTL_FAILED);
	contains(r.err, ": it is not a regular file");
	unlink(path);
}

static void lds_is_read_and_written(void **state)
{
	static const struct script script = { .lines = "lds read 8 --count 2", .json = true };
	struct json_object *o;

	(void)state;
	assert_int_equal(say("lds read"), 0);
	says("ADDRESS     DATA\n"
	     "0x00000000  0x03020100  0x07060504  0x0b0a0908  0x0f0e0d0c\n");
	contains(r.out, "0x00000030  0x33323130  0x37363534  0x3b3a3938  0x3f3e3d3c\n");
	assert_int_equal(say("lds read 56"), 0);
	says("ADDRESS     DATA\n0x00000038  0x3b3a3938  0x3f3e3d3c\n");
	assert_int_equal(say("lds read 4 --count 1 --format uint"), 0);
	says("ADDRESS     DATA\n0x00000004  117835012\n");
	assert_int_equal(say("lds read 60 --count 2"), WAVECTL_FAILED);
	contains(r.err, "there is less than 0x44");
	assert_int_equal(say("lds read 64"), WAVECTL_FAILED);
	assert_int_equal(say("lds read 0 4"), WAVECTL_USAGE);
	contains(r.err, "unexpected argument '4'; use --count for the number of words");
	assert_int_equal(say("lds read x"), WAVECTL_USAGE);
	contains(r.err, "'x' is not an LDS address");
	assert_int_equal(say("lds write 16 7 0x80000000"), 0);
	says("wrote 8 bytes of LDS at 0x00000010\n");
	assert_int_equal(say("lds write 16"), WAVECTL_USAGE);
	assert_int_equal(run_function(&r, run_script, &script), 0);
	o = results();
	int_is(result(o, 0), "bytes", 8);
	string_is(result(o, 0), "name", "se0.sa0.wgp3.simd1.wave5");
	contains(r.out, "\"address\":\"0x00000008\",\"data\":\"0x0b0a0908  0x0f0e0d0c\"");
	json_object_put(o);
}

static const struct adbgd_stop at_breakpoint = {
	.reason = ADBGD_STOP_BREAKPOINT, .breakpoint = 1,
	/* The debugger's own trap is no cause. */
	.cause = AMDGPUDBG_CAUSE_S_TRAP, .trap_id = 1,
};

static void stops_and_wave_list_have_source_lines(void **state)
{
	static const struct script script = {
		.lines = "wave list\nfocus\nwave focus 0.0.3.1.4", .stop = &at_breakpoint,
	};
	static const struct script unknown = {
		.lines = "wave list\nfocus", .stop = &at_breakpoint, .is_unknown = true,
	};
	struct adbgd_stop other = at_breakpoint;
	const struct script elsewhere = { .lines = "focus", .stop = &other };
	char name[ADBGD_NAME_MAX];
	uint64_t va = saxpy_line();

	(void)state;
	assert_int_equal(run_function(&r, run_script, &script), 3);
	adbgd_code_format_address(kernels, va, name);
	says("se0.sa0.wgp3.simd1.wave5 vmid 1 stopped at 0x%016llx, %s at kernels.cl:17: "
	     "breakpoint 1\n17\t" SAXPY_TEXT,
	     (unsigned long long)va, name);
	says("  %s at kernels.cl:17\n", name);
	says("\nse0.sa0.wgp3.simd1.wave5 at 0x%016llx, %s at kernels.cl:17\n",
	     (unsigned long long)va, name);
	contains(r.err, "there is no wave se0.sa0.wgp3.simd1.wave4");
	other.vmid = 2;
	assert_int_equal(run_function(&r, run_script, &elsewhere), 0);
	says("se0.sa0.wgp3.simd1.wave5 vmid 2 stopped at 0x%016llx", (unsigned long long)va);
	assert_int_equal(run_function(&r, run_script, &unknown), 0);
	says(" stopped at 0x%016llx: breakpoint 1\n", (unsigned long long)va);
	lacks(r.out, "PLACE");
}

/* The commands of another wave may have resumed the wave, which is elsewhere by now. */
static void commands_are_for_a_wave_that_is_still_at_its_stop(void **state)
{
	struct adbgd_stop stop = at_breakpoint;
	const struct script script = {
		.before = "break set saxpy\ncommands 1\nprint 1200+34\nend", .lines = "focus",
		.stop = &stop,
	};

	(void)state;
	stop.pc = saxpy_line();
	assert_int_equal(run_function(&r, run_script, &script), 0);
	contains(r.out, "1234");
	stop.pc -= 4;
	assert_int_equal(run_function(&r, run_script, &script), 0);
	lacks(r.out, "1234");
}

/* The event has another address, and the wave is not in focus yet. */
static void each_kind_of_stop_is_reported_with_its_source_line(void **state)
{
	static const struct {
		struct adbgd_stop stop;
		const char *text, *json;
	} cases[] = {
		{ { .reason = ADBGD_STOP_EXCEPTION,
		    .cause = AMDGPUDBG_CAUSE_MEM_VIOL | AMDGPUDBG_CAUSE_FLOAT_DIV0 },
		  "DIV0,MEM_VIOL",
		  "\"trap_id\":0,\"host\":false,\"cause\":[\"DIV0\",\"MEM_VIOL\"]}" },
		/* The cause of this exception is unknown. */
		{ { .reason = ADBGD_STOP_EXCEPTION }, "exception",
		  "\"type\":\"exception\"" },
		{ { .reason = ADBGD_STOP_TRAP, .cause = AMDGPUDBG_CAUSE_S_TRAP, .trap_id = 3 },
		  "s_trap 3", "\"trap_id\":3,\"host\":false,\"cause\":[\"S_TRAP\"]}" },
		{ { .reason = ADBGD_STOP_HOST_TRAP, .cause = AMDGPUDBG_CAUSE_HOST_TRAP,
		    .trap_id = 5 },
		  "trap 5 by the host",
		  "\"trap_id\":5,\"host\":true,\"cause\":[\"HOST_TRAP\"]}" },
		{ { .reason = ADBGD_STOP_WATCH, .cause = AMDGPUDBG_CAUSE_WATCH, .watch_mask = 2 },
		  "ADDR_WATCH1", "\"cause\":[\"ADDR_WATCH1\"]}" },
		{ { .reason = ADBGD_STOP_WATCH, .cause = AMDGPUDBG_CAUSE_WATCH,
		    .watch_mask = 2, .watchpoint = 2 },
		  "watchpoint 2",
		  "\"watchpoint\":2,\"trap_id\":0,\"host\":false,\"cause\":[\"ADDR_WATCH1\"]}" },
		{ { .reason = ADBGD_STOP_WATCH, .cause = AMDGPUDBG_CAUSE_WATCH,
		    .watch_mask = 2, .watchpoint = 2,
		    .insn = 0x1234 },
		  "watchpoint 2, caused by the instruction at 0x0000000000001234",
		  "\"insn\":\"0x0000000000001234\",\"insn_place\":null" },
		{ { .reason = ADBGD_STOP_BREAKPOINT, .cause = AMDGPUDBG_CAUSE_S_TRAP,
		    .trap_id = 1, .breakpoint = 7 },
		  "breakpoint 7",
		  "\"breakpoint\":7,\"watchpoint\":0,\"trap_id\":0,\"host\":false,\"cause\":[]}" },
	};
	struct script script = { .lines = "focus" };
	char name[ADBGD_NAME_MAX];
	uint64_t va = saxpy_line();

	(void)state;
	adbgd_code_format_address(kernels, va, name);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		script.stop = &cases[i].stop;
		script.json = false;
		assert_int_equal(run_function(&r, run_script, &script), 0);
		says("\nse0.sa0.wgp3.simd1.wave5 vmid 1 stopped at 0x%016llx, %s at kernels.cl:17: "
		     "%s\n",
		     (unsigned long long)va, name, cases[i].text);
		says("\nse0.sa0.wgp3.simd1.wave5 at 0x%016llx", (unsigned long long)va);
		script.json = true;
		assert_int_equal(run_function(&r, run_script, &script), 0);
		contains(r.out, cases[i].json);
		says("\"pc\":\"0x%016llx\",\"place\":\"%s at kernels.cl:17\"",
		     (unsigned long long)va, name);
	}
}

static void waves_that_stop_together_are_reported_in_one_line(void **state)
{
	struct script script = { .lines = "focus", .stop = &at_breakpoint, .num_waves = 16 };
	unsigned long long va = saxpy_line();
	char name[ADBGD_NAME_MAX];

	(void)state;
	adbgd_code_format_address(kernels, va, name);
	assert_int_equal(run_function(&r, run_script, &script), 0);
	says("16 waves stopped at 0x%016llx, %s at kernels.cl:17: breakpoint 1 "
	     "(selected: se0.sa0.wgp3.simd1.wave5)\n17\t" SAXPY_TEXT, va, name);
	says("\nse0.sa0.wgp3.simd1.wave5 at 0x%016llx", va);
	script.num_waves = 3;
	assert_int_equal(run_function(&r, run_script, &script), 0);
	says("se0.sa0.wgp3.simd1.wave5 vmid 1 stopped at 0x%016llx", va);
	says("\nse0.sa0.wgp3.simd1.wave7 vmid 1 stopped at 0x%016llx", va);
	/* A program gets each of them. */
	script.num_waves = 16;
	script.json = true;
	assert_int_equal(run_function(&r, run_script, &script), 0);
	contains(r.out, "\"name\":\"se0.sa0.wgp3.simd1.wave20\"");
	says("\"source_line\":17,\"source\":\"" SAXPY_TEXT);
}

static void silent_commands_silence_any_number_of_waves(void **state)
{
	struct script script = { .lines = "focus", .stop = &at_breakpoint, .is_silent = true };
	static const unsigned int numbers[] = { 1, 3, 16 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		script.num_waves = numbers[i];
		script.json = false;
		assert_int_equal(run_function(&r, run_script, &script), 0);
		lacks(r.out, "stopped at");
		says("se0.sa0.wgp3.simd1.wave5 at 0x");
		/* A program gets all stops. */
		script.json = true;
		assert_int_equal(run_function(&r, run_script, &script), 0);
		contains(r.out, "\"type\":\"breakpoint\"");
	}
}

/* It is at line 17; the line with the name of the kernel is the one to look at. */
static void a_fault_shows_the_line_that_has_caused_it(void **state)
{
	struct adbgd_line lines[16];
	struct adbgd_stop fault = {
		.reason = ADBGD_STOP_EXCEPTION, .cause = AMDGPUDBG_CAUSE_MEM_VIOL,
	};
	const struct script script = { .lines = "list", .stop = &fault };

	(void)state;
	assert_true(find("hash", 0, lines));
	fault.insn = lines[0].address;
	assert_int_equal(run_function(&r, run_script, &script), 0);
	says("stopped at 0x%016llx", (unsigned long long)saxpy_line());
	says(" at cl.h:%u\n%u\t", lines[0].line, lines[0].line);
	says("\n=>    %u    ", lines[0].line);
	lacks(r.out, "\n17\t");
}

/* What a program gets of a line, the last one of @lines; to be freed */
static struct json_object *program_gets(const char *lines, int status)
{
	const struct script script = { .lines = lines, .json = true };

	assert_int_equal(run_function(&r, run_script, &script), status);
	return results();
}

static struct json_object *first_of(struct json_object *o, const char *key)
{
	o = json_object_array_get_idx(member(o, key), 0);
	assert_non_null(o);
	return o;
}

static void is_at_the_line(struct json_object *o, const char *place_key)
{
	char place[2 * ADBGD_NAME_MAX], name[ADBGD_NAME_MAX], pc[24];
	uint64_t va = saxpy_line();

	snprintf(place, sizeof(place), "%s at kernels.cl:17",
		 adbgd_code_format_address(kernels, va, name));
	snprintf(pc, sizeof(pc), "0x%016llx", (unsigned long long)va);
	string_is(o, place_key, pc);
	string_is(o, "place", place);
	int_is(o, "line", 17);
	contains(json_object_get_string(member(o, "file")), "kernels.cl");
}

static void json_reports_where_waves_stopped(void **state)
{
	static const char *const lines[] = {
		"until kernels.cl:17 --timeout 2.5", "nexti", "finish 0.0.3.1.5",
	};
	struct json_object *o, *wave;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		o = program_gets(lines[i], 0);
		string_is(result(o, 0), "type", "step");
		string_is(result(o, 0), "name", "se0.sa0.wgp3.simd1.wave5");
		int_is(result(o, 0), "vmid", 1);
		int_is(result(o, 0), "breakpoint", 0);
		is_at_the_line(result(o, 0), "pc");
		json_object_put(o);
	}
	process.waiting = process.wave;
	process.waiting.at.wave++;
	process.has_waiting = true;
	o = program_gets("nexti --all", WAVECTL_FAILED);
	int_is(result(o, 0), "matched", 2);
	int_is(result(o, 0), "there", 1);
	int_is(result(o, 0), "late", 1);
	wave = first_of(result(o, 0), "waves");
	string_is(wave, "type", "step");
	is_at_the_line(wave, "pc");
	wave = json_object_array_get_idx(member(result(o, 0), "waves"), 1);
	string_is(wave, "type", "interrupted");
	string_is(wave, "name", "se0.sa0.wgp3.simd1.wave6");
	json_object_put(o);
}

static void json_lists_breakpoints(void **state)
{
	struct json_object *o, *b;

	(void)state;
	o = program_gets("break set :17\ncond 1 v3 == 42", 0);
	int_is(result(o, 0), "number", 1);
	string_is(result(o, 0), "condition", "v3 == 0x2a");
	json_object_put(o);
	o = program_gets("break set :17 if lane 3\ncond 1", 0);
	int_is(result(o, 0), "number", 1);
	assert_null(member(result(o, 0), "condition"));
	json_object_put(o);
	o = program_gets("break set :17 --temporary\ninfo breakpoints", 0);
	int_is(result(o, 0), "count", 1);
	b = first_of(result(o, 0), "breakpoints");
	int_is(b, "number", 1);
	int_is(b, "hits", 0);
	string_is(b, "state", "set");
	assert_true(json_object_get_boolean(member(b, "temporary")));
	assert_null(member(b, "stepping"));
	is_at_the_line(b, "address");
	json_object_put(o);
}

static void json_lists_code_objects_and_source_lines(void **state)
{
	struct json_object *o, *row;

	(void)state;
	o = program_gets("info code", 0);
	int_is(result(o, 0), "count", 1);
	row = first_of(result(o, 0), "code_objects");
	string_is(row, "name", KERNELS);
	string_is(row, "gpu", "gfx1033");
	string_is(row, "state", "there");
	assert_true(json_object_get_boolean(member(row, "lines")));
	assert_string_equal(json_object_get_string(json_object_array_get_idx(
		member(row, "kernels"), 0)), "saxpy");
	json_object_put(o);
	o = program_gets("source list", 0);
	contains(json_object_get_string(member(result(o, 0), "path")), "kernels.cl");
	row = json_object_array_get_idx(member(result(o, 0), "lines"), 5);
	int_is(row, "line", 17);
	string_is(row, "mark", "=>");
	contains(json_object_get_string(member(row, "text")), "out[i] = to_bits(a");
	json_object_put(o);
	o = program_gets("lane 3\ndisasm --count 1", 0);
	row = first_of(result(o, 0), "instructions");
	string_is(row, "mark", "=>");
	string_is(row, "instruction", "v_lshlrev_b32_e32 v1, 1, v0");
	string_is(member(row, "operands"), "v1[3]", "0x00000103");
	is_at_the_line(row, "address");
	json_object_put(o);
	o = program_gets("x 0x200000004 --count 2", 0);
	int_is(result(o, 0), "bytes", 8);
	row = first_of(result(o, 0), "memory");
	string_is(row, "address", "0x0000000200000004");
	string_is(row, "data", "0x00008000  0x00000000");
	assert_null(member(row, "place"));
	json_object_put(o);
}

static void json_reports_the_selected_wave_and_lane(void **state)
{
	struct json_object *o, *row;

	(void)state;
	o = program_gets("lane 3\nfocus", 0);
	string_is(result(o, 0), "name", "se0.sa0.wgp3.simd1.wave5");
	string_is(result(o, 0), "exec", "0x00000000ffffffff");
	int_is(result(o, 0), "lanes", 32);
	int_is(result(o, 0), "number", WAVE_NUMBER);
	int_is(result(o, 0), "lane", 3);
	is_at_the_line(result(o, 0), "pc");
	json_object_put(o);
	o = program_gets("lane 3", 0);
	string_is(result(o, 0), "name", "se0.sa0.wgp3.simd1.wave5");
	int_is(result(o, 0), "lane", 3);
	json_object_put(o);
	o = program_gets("lane 3\nlane all", 0);
	assert_null(member(result(o, 0), "lane"));
	json_object_put(o);
	o = program_gets("info variables --lane 9", 0);
	int_is(result(o, 0), "lane", 9);
	row = first_of(result(o, 0), "variables");
	for (size_t i = 1; strcmp(json_object_get_string(member(row, "name")), "i"); i++) {
		row = json_object_array_get_idx(member(result(o, 0), "variables"), i);
		assert_non_null(row);
	}
	string_is(row, "type", "u32");
	string_is(row, "where", "v0");
	string_is(row, "value", "9");
	json_object_put(o);
}

/* Another one waits for it. */
static void barrier_prints_the_source_lines_of_missing_waves(void **state)
{
	char name[ADBGD_NAME_MAX];
	uint64_t va = saxpy_line();

	(void)state;
	/* STATUS.IN_TG, IN_BARRIER: gc_10_3_0_sh_mask.h */
	process.wave.hw_mask = MOCK_HW_MASK;
	process.wave.HW(STATUS) = 0x00012800;
	process.waiting = process.wave;
	process.waiting.at.wave++;
	process.waiting.flags = 0;
	process.waiting.HW(STATUS) = 0x00011800;
	process.has_waiting = true;
	adbgd_code_format_address(kernels, va, name);
	assert_int_equal(say("barrier"), 0);
	says("missing  se0.sa0.wgp3.simd1.wave5  1     0x%016llx  halted      debugger  %s at "
	     "kernels.cl:17\n",
	     (unsigned long long)va, name);
	assert_int_equal(say("break set :17\ninfo barrier"), 0);
	contains(r.out, "  halted      breakpoint ");
}

/* With the functions of a file, which is pending */
static void code_completes(const char *path, const char *line, const char *words)
{
	static const struct mock_ioctl open[] = { MOCK_GET_INFO };
	struct adbg_session *session = mock_session(open, 1);
	struct wavectl w = { .commands = command_tables };
	struct debugger d = { .process = NULL };
	struct adbgd_object *object;

	mock_answer(answers, ARRAY_SIZE(answers));
	assert_int_equal(adbgd_objects_new(session, &process.memory.memory, -1, &d.objects, NULL),
			 0);
	assert_int_equal(adbgd_objects_add(d.objects, path, NULL, &object, NULL), 0);
	completes(&w, &d, line, words);
	adbgd_objects_free(d.objects);
	adbg_session_close(session);
}

/* Functions of a HIP program: C++ names as in the source, without blanks */
static void names_of_functions_are_completed(void **state)
{
	static const struct {
		const char *line;
		const char *words;
	} cases[] = {
		{ "break set sim::engine::n", "sim::engine::next " },
		{ "b sim::f", "sim::fill<float,4> sim::fill<int,8> " },
		{ "until _ZN3sim6engine4", "_ZN3sim6engine4nextEv " },
		{ "break set nothing", "" },
		{ "print sim::e", "" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		code_completes(DEBUG_CO "names.co", cases[i].line, cases[i].words);
}

/* The list of words is printed as it is. */
static void names_with_control_characters_are_not_completed(void **state)
{
	static const char name[] = "_ZN3sim6engine4nextEv";
	char path[] = "/tmp/wavectl-names.XXXXXX";
	int fd = mkstemp(path);
	uint8_t *bytes, *at;
	size_t size;

	(void)state;
	assert_true(fd >= 0);
	bytes = read_whole(DEBUG_CO "names.co", &size);
	for (at = bytes; (at = memmem(at, size - (at - bytes), name, sizeof(name) - 1)); at++)
		at[sizeof(name) - 5] = '\033';
	assert_int_equal(write(fd, bytes, size), size);
	code_completes(path, "until _ZN3sim6engine4", "");
	code_completes(path, "break set sim::engine::n", "");
	code_completes(path, "b sim::f", "sim::fill<float,4> sim::fill<int,8> ");
	close(fd);
	unlink(path);
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		CODE_TEST(break_set_of_a_line_uses_the_next_line_with_code),
		CODE_TEST(break_set_sets_all_copies_of_a_function_or_none),
		CODE_TEST(each_copy_of_a_function_gets_the_condition),
		CODE_TEST(conditions_compare_pseudo_variables),
		CODE_TEST(dry_runs_of_debugger_commands_change_nothing),
		CODE_TEST(conditions_name_variables_in_registers),
		CODE_TEST(conditions_use_values_that_the_shell_keeps),
		CODE_TEST(values_stay_as_long_as_conditions_use_them),
		CODE_TEST(break_set_accepts_symbols_and_addresses),
		CODE_TEST(invalid_locations_are_refused_and_set_nothing),
		CODE_TEST(code_add_refuses_files_that_are_no_code_object),
		CODE_TEST(code_that_is_not_loaded_is_pending),
		CODE_TEST(breakpoints_wait_for_code_that_is_not_loaded),
		CODE_TEST(a_waiting_breakpoint_gets_another_condition),
		CODE_TEST(breakpoints_that_wait_for_code_need_the_launch_mode),
		CODE_TEST(the_missing_file_of_lines_is_named),
		CODE_TEST(files_of_split_debug_information_are_found),
		CODE_TEST(code_objects_are_listed),
		CODE_TEST(unsafe_names_in_code_objects_are_escaped),
		CODE_TEST(ctrl_c_ends_the_search_for_code_objects),
		CODE_TEST(print_shows_a_variable_in_each_lane),
		CODE_TEST(print_shows_an_expression_in_each_lane),
		CODE_TEST(print_shows_lanes_that_have_a_value),
		CODE_TEST(values_of_each_lane_are_kept),
		CODE_TEST(convenience_variables_keep_a_value_of_one_lane),
		CODE_TEST(printf_prints_values_of_the_selected_lane),
		CODE_TEST(registers_of_the_selected_wave_need_no_name),
		CODE_TEST(print_shows_pseudo_variables),
		CODE_TEST(json_has_the_value_of_each_lane),
		CODE_TEST(print_says_why_a_value_cannot_be_printed),
		CODE_TEST(a_parameter_is_printed_as_it_was_passed),
		CODE_TEST(frames_end_at_the_kernel),
		CODE_TEST(frames_are_printed_with_their_variables),
		CODE_TEST(a_frame_is_selected_until_the_wave_moves),
		CODE_TEST(info_variables_says_why_a_value_is_missing),
		CODE_TEST(parameters_and_local_variables_are_listed_apart),
		CODE_TEST(a_command_is_executed_for_several_waves),
		CODE_TEST(source_list_begins_around_the_wave_and_continues),
		CODE_TEST(source_list_takes_numbers_and_ranges_of_lines),
		CODE_TEST(source_list_cuts_long_lines),
		CODE_TEST(disasm_prints_lines_and_operands),
		CODE_TEST(x_prints_memory_in_words),
		CODE_TEST(print_and_x_have_the_formats_of_gdb),
		CODE_TEST(x_takes_expressions),
		CODE_TEST(only_values_in_memory_can_be_watched),
		CODE_TEST(invalid_formats_are_refused),
		CODE_TEST(launch_set_is_refused_while_a_breakpoint_set_the_launch_mode),
		CODE_TEST(breakpoints_that_need_the_launch_mode_respect_launch_set),
		CODE_TEST(wave_step_restores_debug_mode_and_resumes_the_wave),
		CODE_TEST(json_reports_continue),
		CODE_TEST(stepi_with_a_count_reports_one_stop),
		CODE_TEST(trace_save_checks_its_file_before_the_first_step),
		CODE_TEST(a_trace_file_is_private_and_escapes_unsafe_names),
		CODE_TEST(trace_save_does_not_follow_a_symbolic_link),
		CODE_TEST(lds_is_read_and_written),
		CODE_TEST(stops_and_wave_list_have_source_lines),
		CODE_TEST(commands_are_for_a_wave_that_is_still_at_its_stop),
		CODE_TEST(each_kind_of_stop_is_reported_with_its_source_line),
		CODE_TEST(waves_that_stop_together_are_reported_in_one_line),
		CODE_TEST(silent_commands_silence_any_number_of_waves),
		CODE_TEST(a_fault_shows_the_line_that_has_caused_it),
		CODE_TEST(json_reports_where_waves_stopped),
		CODE_TEST(json_lists_breakpoints),
		CODE_TEST(json_lists_code_objects_and_source_lines),
		CODE_TEST(json_reports_the_selected_wave_and_lane),
		CODE_TEST(barrier_prints_the_source_lines_of_missing_waves),
		cmocka_unit_test(names_of_functions_are_completed),
		cmocka_unit_test(names_with_control_characters_are_not_completed),
	};

	return cmocka_run_group_tests_name("debug_wavectl", tests, NULL, NULL);
}
