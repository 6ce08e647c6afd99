// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Example: halt the waves of a VMID, check that their PCs do not change, and resume them.
 *
 *	cc halt.c $(pkg-config --cflags --libs libamdgpudbg)
 *	./a.out 1
 */
#include <stdio.h>
#include <stdlib.h>

#include <amdgpudbg.h>

#define MAX_WAVES 1024

/* List the waves of a VMID twice, into buffers of the caller. */
static int read_twice(struct adbg_session *session, uint32_t vmid,
		      struct amdgpudbg_wave *first,
		      struct amdgpudbg_wave *second, uint32_t *count)
{
	struct amdgpudbg_wave_list read = {
		.select.vmid_mask = 1U << vmid, .waves = (uintptr_t)first,
		.capacity = MAX_WAVES,
	};
	int ret;

	ret = adbg_wave_read(session, &read);
	if (ret)
		return ret;
	*count = read.count;
	read.waves = (uintptr_t)second;
	return adbg_wave_read(session, &read);
}

static int compare(struct adbg_session *session, uint32_t vmid)
{
	static struct amdgpudbg_wave first[MAX_WAVES], second[MAX_WAVES];
	uint32_t count = 0, same = 0;
	int ret;

	ret = read_twice(session, vmid, first, second, &count);
	if (ret) {
		fprintf(stderr, "cannot list the waves: %s\n",
			adbg_strerror(session, ret));
		return ret;
	}

	for (uint32_t i = 0; i < count; i++)
		same += first[i].pc == second[i].pc;
	printf("%u of %u waves are halted\n", same, count);
	return same == count ? 0 : -1;
}

static int halt(struct adbg_session *session, uint32_t vmid)
{
	struct amdgpudbg_wave_control control = {
		.op = AMDGPUDBG_WAVEOP_HALT,
		.mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS, .vmid = vmid,
	};
	int ret;

	ret = adbg_wave_control(session, &control);
	if (ret) {
		fprintf(stderr, "cannot halt the waves: %s\n",
			adbg_strerror(session, ret));
		return ret;
	}

	printf("halted %u of %u waves\n", control.changed, control.matched);
	return 0;
}

int main(int argc, char **argv)
{
	int vmid = argc == 2 ? atoi(argv[1]) : 0;
	struct adbg_session *session;
	int ret;

	if (vmid < 1 || vmid > 31) {
		fprintf(stderr, "usage: halt VMID\n");
		return EXIT_FAILURE;
	}

	ret = adbg_open(NULL, &session);
	if (ret) {
		fprintf(stderr, "cannot open a GPU: %s\n",
			adbg_strerror(NULL, ret));
		return EXIT_FAILURE;
	}

	ret = halt(session, vmid);
	if (!ret)
		ret = compare(session, vmid);

	/* Closing the session resumes the waves that it halted. */
	adbg_session_close(session);
	return ret ? EXIT_FAILURE : EXIT_SUCCESS;
}
