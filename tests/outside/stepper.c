// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Steps one wave of a process, and prints each step as a line of JSON.
 *
 * outside-stepper [-g GPU] [-n STEPS] [-w] PID
 *
 * It halts the first wave of the process, lets it execute STEPS instructions, and resumes it;
 * the other waves run all the time. With -w it waits for a line of standard input before it
 * resumes the wave. If the program is killed, the module resumes the wave.
 */
#include "outside.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* first_wave: the program ends if there is no wave to step */
static struct amdgpudbg_wave first_wave(int session)
{
	struct amdgpudbg_wave wave;
	struct amdgpudbg_wave_list list = {
		.size = sizeof(list), .waves = (uintptr_t)&wave,
		.entry_size = sizeof(wave), .capacity = 1,
	};

	if (ioctl(session, AMDGPUDBG_IOC_WAVE_LIST, &list) && errno != EMSGSIZE)
		fail_call("WAVE_LIST", list.busy);
	if (!list.count)
		fail("the process has no waves");
	return wave;
}

/* control: names the wave by its id, or by its slot if it has no id */
static struct amdgpudbg_wave_control control(int session, const char *what,
					     enum amdgpudbg_waveop op,
					     const struct amdgpudbg_wave *wave)
{
	struct amdgpudbg_wave_control c = { .size = sizeof(c), .op = op };

	if (wave->id) {
		c.mode = AMDGPUDBG_WAVEMODE_ID;
		c.id = wave->id;
	} else {
		c.mode = AMDGPUDBG_WAVEMODE_SINGLE;
		c.at = wave->at;
	}
	if (ioctl(session, AMDGPUDBG_IOC_WAVE_CONTROL, &c))
		fail_call(what, c.busy);
	return c;
}

/* registers: PC and the instruction there; consistent, because the wave is halted */
static void registers(int session, const struct amdgpudbg_wave *wave, __u64 *pc, __u32 *inst)
{
	struct amdgpudbg_reg_range ranges[] = {
		{ .space = AMDGPUDBG_REG_HW, .first = AMDGPUDBG_GFX10_3_INST_DW0, .count = 1 },
		{ .space = AMDGPUDBG_REG_HW, .first = AMDGPUDBG_GFX10_3_PC_LO, .count = 2 },
	};
	__u32 values[3];
	struct amdgpudbg_reg_access access = {
		.size = sizeof(access), .at = wave->at, .id = wave->id,
		.flags = wave->id ? AMDGPUDBG_REG_ACCESS_EXPECT_ID : 0,
		.num_ranges = 2, .ranges = (uintptr_t)ranges,
		.num_values = 3, .values = (uintptr_t)values,
	};

	if (ioctl(session, AMDGPUDBG_IOC_REG_ACCESS, &access))
		fail_call("REG_ACCESS", access.busy);
	*inst = values[0];
	*pc = (__u64)values[2] << 32 | values[1];
}

/* step: returns if the wave is still there */
static int step(int session, const struct amdgpudbg_wave *wave, unsigned long i)
{
	const struct amdgpudbg_wave_coord *at = &wave->at;
	struct amdgpudbg_wave_control c;
	__u32 inst;
	__u64 pc;

	registers(session, wave, &pc, &inst);
	c = control(session, "STEP", AMDGPUDBG_WAVEOP_STEP, wave);
	printf("{\"step\": %lu, \"id\": %" PRIu64 ", \"wave\": [%u, %u, %u, %u, %u, %u], "
	       "\"pc\": \"0x%016" PRIx64 "\", \"inst\": \"0x%08x\", ",
	       i, (uint64_t)wave->id, at->xcc, at->se, at->sa, at->wgp, at->simd, at->wave,
	       (uint64_t)pc, inst);
	if (c.changed)
		printf("\"new_pc\": \"0x%016" PRIx64 "\"}\n", (uint64_t)c.new_pc);
	else
		printf("\"new_pc\": null}\n");
	return c.changed;
}

int main(int argc, char **argv)
{
	struct amdgpudbg_target_set target;
	struct amdgpudbg_wave wave;
	struct amdgpudbg_info info;
	unsigned long steps = 10, i;
	unsigned int gpu = 0;
	int session, option, waits = 0;

	while ((option = getopt(argc, argv, "g:n:w")) != -1) {
		switch (option) {
		case 'g':
			gpu = number(optarg, 0, 255);
			break;
		case 'n':
			steps = number(optarg, 1, 1000000);
			break;
		case 'w':
			waits = 1;
			break;
		default:
			return 2;
		}
	}
	if (optind + 1 != argc)
		fail("give the number of one process");
	session = open_session(gpu, &info);
	if (info.regset != AMDGPUDBG_REGSET_GFX10_3)
		fail("the registers of this GPU (set %u) are not known", info.regset);
	take_target(session, number(argv[optind], 1, 0x7fffffff), &target);
	wave = first_wave(session);
	/* Another wave may use the slot since the list was made; an id names one wave only. */
	wave.id = control(session, "HALT", AMDGPUDBG_WAVEOP_HALT, &wave).id;
	for (i = 1; i <= steps; i++) {
		if (!step(session, &wave, i))
			return 0;
	}
	fflush(stdout);
	if (waits)
		getchar();
	control(session, "RESUME", AMDGPUDBG_WAVEOP_RESUME, &wave);
	return 0;
}
