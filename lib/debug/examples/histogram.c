// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Example: count how many waves of a process are at each address, over several snapshots.
 *
 *	cc histogram.c $(pkg-config --cflags --libs libamdgpudbg-debug)
 *	./a.out PID MOMENTS
 */
#include <stdio.h>
#include <stdlib.h>

#include <amdgpudbg-debug.h>

#define MAX_PCS 4096

static struct count {
	uint64_t pc, num;
} counts[MAX_PCS];

static void note(uint64_t pc)
{
	size_t i = 0;

	while (i < MAX_PCS - 1 && counts[i].num && counts[i].pc != pc)
		i++;
	counts[i].pc = pc;
	counts[i].num++;
}

static int most_first(const void *a, const void *b)
{
	const struct count *x = a, *y = b;

	return (x->num < y->num) - (x->num > y->num);
}

int main(int argc, char **argv)
{
	struct amdgpudbg_wave_list what = { .flags = 0 };
	const struct amdgpudbg_wave *wave;
	struct adbg_session *session = NULL;
	struct adbg_wave_list *list = NULL;
	int moments = argc == 3 ? atoi(argv[2]) : 0, ret;

	ret = adbg_open(NULL, &session);
	if (!ret)
		ret = adbg_target_attach(session, argc > 1 ? atoi(argv[1]) : 0, 0, NULL);
	if (!ret)
		ret = adbg_wave_list_new(&list);
	while (!ret && moments-- > 0) {
		ret = adbg_wave_list_snapshot(list, session, &what);
		for (size_t i = 0; !ret && (wave = adbg_wave_list_get(list, i)); i++)
			note(wave->pc);
	}
	if (ret)
		fprintf(stderr, "histogram: %s\n", adbg_strerror(session, ret));
	qsort(counts, MAX_PCS, sizeof(counts[0]), most_first);
	for (size_t i = 0; i < MAX_PCS && counts[i].num; i++)
		printf("%6llu %#llx\n", (unsigned long long)counts[i].num,
		       (unsigned long long)counts[i].pc);
	adbg_wave_list_free(list);
	adbg_session_close(session);
	return ret ? EXIT_FAILURE : EXIT_SUCCESS;
}
