// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Example: halt all waves of a process, print their PCs, and resume them.
 *
 *	cc pcs.c $(pkg-config --cflags --libs libamdgpudbg)
 *	./a.out PID
 */
#include <stdio.h>
#include <stdlib.h>

#include <amdgpudbg.h>

int main(int argc, char **argv)
{
	const struct amdgpudbg_wave *wave;
	struct adbg_wave_list *list = NULL;
	struct adbg_session *session = NULL;
	char name[ADBG_WAVE_NAME_MAX];
	int pid = argc == 2 ? atoi(argv[1]) : 0, ret;

	ret = adbg_open(NULL, &session);
	ret = ret ? ret : adbg_target_attach(session, pid, 0, NULL);
	ret = ret ? ret : adbg_halt_all(session, NULL);
	ret = ret ? ret : adbg_wave_list_new(&list);
	ret = ret ? ret : adbg_wave_list_read(list, session, 0);
	for (size_t i = 0; !ret && (wave = adbg_wave_list_get(list, i)); i++)
		printf("%s %#llx\n", adbg_wave_name(&wave->at, name), wave->pc);
	ret = ret ? ret : adbg_resume_all(session, NULL);
	if (ret)
		fprintf(stderr, "pcs: %s\n", adbg_strerror(session, ret));
	adbg_wave_list_free(list);
	adbg_session_close(session);
	return ret ? EXIT_FAILURE : EXIT_SUCCESS;
}
