// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A debugger uses all its features and detaches. Nothing of it is left: no mappings or memory in
 * the process, no values in the GPU's registers, no reservation of the VMID.
 */
#define _GNU_SOURCE
#include "debugger.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "child.h"
#include "self.h"
#include "until.h"

#define WATCHED		128	/* bytes */
#define TRACED		20	/* instructions, most of which the wave's handler records */
#define FDINFO_SIZE	4096

/* Of the process, while it has no job */
struct scene {
	struct amdgpudbg_mapping *mappings;
	uint32_t num_mappings;
	char memory[FDINFO_SIZE];	/* of its DRM file */
	uint32_t regs[VGPU_NUM_REGS];
	int other;			/* what attaching to another process gives */
};

static struct vgpu_reg_at regs[VGPU_NUM_REGS];

/* Not VRAM: page tables that were needed once stay there, which is amdgpu's way. */
static void read_memory_of(char memory[FDINFO_SIZE])
{
	char path[64], line[256];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", prog.gpu.fd);
	f = fopen(path, "r");
	assert_non_null(f);
	memory[0] = '\0';
	while (fgets(line, sizeof(line), f)) {
		if (!strncmp(line, "drm-memory-", strlen("drm-memory-")) &&
		    !strstr(line, "vram"))
			strncat(memory, line, FDINFO_SIZE - 1 - strlen(memory));
	}
	fclose(f);
	assert_true(memory[0]);
}

/* One process at a time has the VMID in which a handler can be. */
static int attach_to_other(void *arg)
{
	struct adbgd_process *p;
	int ret;

	(void)arg;
	/* The program's file, too: this process is another client. */
	if (close_range(3, ~0U, 0) || open("/dev/dri/renderD128", O_RDWR) < 0)
		return 1;
	ret = adbgd_process_attach(NULL, getpid(), 0, &p, &error);
	if (!ret)
		adbgd_process_detach(p);
	return -ret;
}

/* In a session that changes nothing */
static void look(struct scene *s)
{
	struct adbg_session *session;

	assert_int_equal(adbg_open(NULL, &session), 0);
	assert_int_equal(adbg_target_attach(session, getpid(), 0, NULL), 0);
	assert_int_equal(adbg_vm_mappings(session, 0, 0, &s->mappings, &s->num_mappings), 0);
	adbg_session_close(session);
	read_memory_of(s->memory);
	s->other = child_run(attach_to_other, NULL);
	vgpu_regs(regs, VGPU_NUM_REGS, s->regs);
}

static bool same_mappings(const struct scene *a, const struct scene *b)
{
	return a->num_mappings == b->num_mappings &&
	       !memcmp(a->mappings, b->mappings, a->num_mappings * sizeof(*a->mappings));
}

static void print_regs(const struct scene *now, const struct scene *before)
{
	for (unsigned int i = 0; i < VGPU_NUM_REGS; i++) {
		if (now->regs[i] != before->regs[i])
			print_message("# %s of VMID %u is 0x%08x, was 0x%08x\n", regs[i].name,
				      regs[i].vmid, now->regs[i], before->regs[i]);
	}
}

static void print_scenes(const struct scene *now, const struct scene *before)
{
	print_message("# mappings: %u, there were %u\n# another process: %d, which was %d\n"
		      "# memory:\n%s# which was:\n%s", now->num_mappings,
		      before->num_mappings, now->other, before->other, now->memory,
		      before->memory);
	print_regs(now, before);
}

static struct scene before, after;

/* What was mapped has to wait for the process's jobs. */
static bool is_as_before(void *arg)
{
	(void)arg;
	free(after.mappings);
	look(&after);
	return same_mappings(&after, &before) && after.other == before.other &&
	       !strcmp(after.memory, before.memory) &&
	       !memcmp(after.regs, before.regs, sizeof(after.regs));
}

static void wait_as_before(void)
{
	bool is_so = until(is_as_before, NULL, DEADLINE_MS / 1000);

	if (!is_so)
		print_scenes(&after, &before);
	assert_true(is_so);
}

static void trace_some(const struct amdgpudbg_wave_coord *at)
{
	struct adbgd_trace *t;
	struct adbgd_stop stop;
	uint64_t num = TRACED;

	MUST(adbgd_trace_begin(process, at, &t, &error));
	MUST(adbgd_trace_record(process, t, &num, &stop, &error));
	assert_true(adbgd_trace_get_info(t)->num_alone);
	adbgd_trace_free(t);
}

/* All that a debugger puts into a process, some of it at each of its waves, and left there */
static void use_all(void)
{
	const struct adbgd_condition first = { .nth = 1 }, never = {
		.space = AMDGPUDBG_REG_SGPR, .reg = 13, .relation = ADBGD_RELATION_EQUAL,
		.value = UINT32_MAX,
	};
	struct adbgd_breakpoint *b;
	uint32_t values[32];
	struct adbgd_stop stop;

	MUST(adbgd_breakpoint_set_if(process, address_of("rounds_loop"), 0, &first, &b, &error));
	start_rounds();
	stop = stop_at(b);
	MUST(adbgd_breakpoint_clear(b, &error));
	trace_some(&stop.at);
	MUST(adbgd_vgprs_read(process, &stop.at, 1, values, &error));
	MUST(adbgd_wave_until(process, &stop.at, address_of("rounds_after"), DEADLINE_MS, &stop,
			      &error));
	MUST(adbgd_wave_step(process, &stop.at, &stop, &error));
	MUST(adbgd_watchpoint_set(process, prog.buf[PROG_OUT].va, WATCHED, AMDGPUDBG_WATCH_ALL,
				  NULL, &error));
	MUST(adbgd_breakpoint_set_if(process, address_of("rounds_mad"), 0, &never, NULL, &error));
	MUST(adbgd_breakpoint_set(process, address_of("rounds_end"), ADBGD_BREAKPOINT_STEPPED, NULL,
				  &error));
	MUST(adbgd_breakpoint_set(process, address_of("rounds_call"), 0, &b, &error));
	for (unsigned int i = 1; i < NUM_WAVES; i++)
		stop_at(b);
	MUST(adbgd_process_stop_at_start(process, true, &error));
}

/* All that is compared is there while the debugger is. */
static void assert_seen(const struct scene *with)
{
	uint32_t vmid = adbgd_process_get_info(process)->vmid;
	bool has_handler = false, has_watch = false;

	assert_false(same_mappings(with, &before));
	assert_string_not_equal(with->memory, before.memory);
	assert_int_equal(with->other, EBUSY);
	for (unsigned int i = 0; i < VGPU_NUM_REGS; i++) {
		bool differs = with->regs[i] != before.regs[i];

		has_handler |= differs && regs[i].vmid == vmid && strstr(regs[i].name, "TBA_LO");
		has_watch |= differs && strstr(regs[i].name, "WATCH0_CNTL");
	}
	assert_true(has_handler && has_watch);
}

static bool can_attach_to_other(void *arg)
{
	(void)arg;
	return !child_run(attach_to_other, NULL);
}

/* A program that no debugger has ever had to do with */
static void look_at_new_program(void)
{
	detach();
	close_prog(NULL);
	assert_int_equal(open_some(NULL), 0);
	/* That of the test before may have waves until now. */
	assert_true(until(can_attach_to_other, NULL, DEADLINE_MS / 1000));
	look(&before);
}

void nothing_is_left_after_detaching(void **state)
{
	struct scene with;

	(void)state;
	vgpu_name_regs(regs);
	look_at_new_program();
	MUST(attach(getpid()));
	use_all();
	look(&with);
	assert_seen(&with);
	free(with.mappings);
	detach();
	finish_rounds();
	assert_code_as_before();
	wait_as_before();
	free(before.mappings);
	free(after.mappings);
	after.mappings = NULL;
}
