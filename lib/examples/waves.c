// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Example: print the live waves of the only GPU, with the fields of STATUS that
 * are set.
 *
 *	cc waves.c $(pkg-config --cflags --libs libamdgpudbg)
 */
#include <stdio.h>
#include <stdlib.h>

#include <amdgpudbg.h>

static void print_wave(uint32_t gc_version, const struct amdgpudbg_wave *wave)
{
	const struct adbg_reg *status = adbg_reg_find(gc_version, "STATUS");
	const struct adbg_field *field;
	char name[ADBG_WAVE_NAME_MAX];

	printf("%s vmid %u pc 0x%llx", adbg_wave_name(&wave->at, name),
	       wave->vmid, wave->pc);
	/* The register is NULL if the library does not know the generation. */
	for (size_t i = 0; status && (field = adbg_reg_get_field(status, i));
	     i++)
		if (adbg_field_value(field, adbg_reg_value(status, wave)))
			printf(" %s", field->name);
	printf("\n");
}

static int list_waves(struct adbg_session *session)
{
	struct adbg_wave_list *list;
	int ret;

	ret = adbg_wave_list_new(&list);
	if (ret)
		return ret;

	ret = adbg_wave_list_read(list, session, 0);
	for (size_t i = 0; !ret && i < adbg_wave_list_count(list); i++)
		print_wave(adbg_session_get_gc_version(session),
			   adbg_wave_list_get(list, i));

	adbg_wave_list_free(list);
	return ret;
}

int main(void)
{
	struct adbg_session *session;
	int ret;

	ret = adbg_open(NULL, &session);
	if (ret) {
		fprintf(stderr, "cannot open a GPU: %s\n",
			adbg_strerror(NULL, ret));
		return EXIT_FAILURE;
	}

	ret = list_waves(session);
	if (ret)
		fprintf(stderr, "cannot list the waves: %s\n",
			adbg_strerror(session, ret));

	adbg_session_close(session);
	return ret ? EXIT_FAILURE : EXIT_SUCCESS;
}
