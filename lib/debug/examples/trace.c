// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Example: stop the first wave that reaches an address, single-step it, and print each register
 * that has changed. Then resume the process and detach.
 *
 *	cc trace.c $(pkg-config --cflags --libs libamdgpudbg-debug libamdgpudbg)
 *	./a.out PID ADDRESS STEPS
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <amdgpudbg-debug.h>

static void print_changes(uint32_t gc_version, const struct adbg_wave_state *before,
			  const struct adbg_wave_state *after, uint32_t space, uint32_t lane)
{
	char name[ADBG_REG_NAME_MAX];
	uint32_t num, same, i;
	const uint32_t *x = adbg_wave_state_get(before, space, lane, &num);
	const uint32_t *y = adbg_wave_state_get(after, space, lane, &same);

	for (i = 0; x && y && i < num && i < same; i++) {
		if (x[i] == y[i])
			continue;
		printf("    %s", adbg_reg_name(gc_version, space, i, name));
		if (space == AMDGPUDBG_REG_VGPR)
			printf(" lane %u", lane);
		printf(" %#x -> %#x\n", x[i], y[i]);
	}
}

/* Read all registers of the wave that has stopped. */
static int read_state(struct adbgd_process *process, const struct adbgd_stop *stop,
		      struct adbg_wave_state *state)
{
	struct amdgpudbg_wave wave;
	struct amdgpudbg_wave_list list = {
		.select.at = stop->at, .select.at_mask = 0x3f, .capacity = 1,
		.waves = (uintptr_t)&wave,
	};
	struct adbg_session *session = adbgd_process_get_session(process);
	int ret = adbg_wave_read(session, &list);

	return ret ? ret : adbg_wave_state_read(state, session, &wave);
}

static int step(struct adbgd_process *process, struct adbgd_stop *stop,
		struct adbg_wave_state *states[2], struct adbgd_error *error)
{
	uint32_t gc_version = adbgd_process_get_info(process)->gc_version, lane;
	struct adbg_wave_state *before = states[0];

	if (adbgd_wave_step(process, &stop->at, stop, error))
		return -1;
	printf("%#llx\n", (unsigned long long)stop->pc);
	if (stop->reason == ADBGD_STOP_WAVE_END || read_state(process, stop, states[1]))
		return 1;
	print_changes(gc_version, before, states[1], AMDGPUDBG_REG_SGPR, 0);
	for (lane = 0; lane < adbg_wave_state_get_lanes(before); lane++)
		print_changes(gc_version, before, states[1], AMDGPUDBG_REG_VGPR, lane);
	states[0] = states[1];
	states[1] = before;
	return 0;
}

int main(int argc, char **argv)
{
	struct adbg_wave_state *states[2] = { NULL, NULL };
	struct adbgd_process *process = NULL;
	struct adbgd_error error = { .error = -1, .text = "usage: trace PID ADDRESS STEPS" };
	struct adbgd_stop stop;
	int steps = argc == 4 ? atoi(argv[3]) : 0, ret = -1;

	if (argc == 4 && !adbg_wave_state_new(&states[0]) && !adbg_wave_state_new(&states[1]) &&
	    !adbgd_process_attach(NULL, atoi(argv[1]), 0, &process, &error) &&
	    !adbgd_breakpoint_set(process, strtoull(argv[2], NULL, 0), 0, NULL, &error)) {
		printf("attached to process %s\n", argv[1]);
		fflush(stdout);
		ret = adbgd_process_wait_stop(process, -1, &stop, &error);
		if (!ret)
			ret = read_state(process, &stop, states[0]);
	}
	while (!ret && steps-- > 0)
		ret = step(process, &stop, states, &error);
	if (ret < 0)
		fprintf(stderr, "trace: %s\n", error.text);
	adbgd_process_detach(process);
	adbg_wave_state_free(states[0]);
	adbg_wave_state_free(states[1]);
	return ret < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
