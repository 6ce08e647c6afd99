// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl code add and info code: which code objects the process has.
 */
#include <stdlib.h>

#include "base/util.h"
#include "debug/code.h"
#include "waves/hold.h"

static void emit_kernels(struct wavectl *w, const struct adbgd_code *code)
{
	const struct adbgd_kernel *kernel;
	const char **names = NULL;
	unsigned int count = 0;

	for (; (kernel = adbgd_code_get_kernel(code, count)); count++) {
		names = xreallocarray(names, count + 1, sizeof(*names));
		names[count] = kernel->name;
	}
	emit_names(w->emit, "kernels", names, count);
	free(names);
}

static void emit_object(struct wavectl *w, const struct code_object *object)
{
	struct debugger *d = w->dialogue->debugger;
	const struct adbgd_code_info *info = adbgd_code_get_info(object->code);

	emit_hex64(w->emit, "address", info->text.start);
	emit_hex64(w->emit, "end", info->text.start + info->text.size);
	emit_str(w->emit, "gpu", info->gpu);
	emit_bool(w->emit, "lines", !adbgd_code_load_debug(object->code, NULL));
	emit_str(w->emit, "state", code_is_there(d, object->code) ? "there" : "gone");
	emit_str(w->emit, "name", info->name);
	emit_kernels(w, object->code);
}

static int list(struct wavectl *w)
{
	const struct debugger *d = w->dialogue->debugger;

	emit_begin(w->emit);
	emit_table(w->emit, "code_objects", true);
	/* It reads what the process has for debugging information. */
	for (size_t i = 0; i < d->num_objects && !hold_interrupted(); i++) {
		emit_row(w->emit);
		emit_object(w, &d->objects[i]);
	}
	emit_table_end(w->emit);
	if (hold_interrupted())
		return hold_fail_interrupted(w);
	emit_uint(w->emit, "count", d->num_objects);
	if (!d->num_objects)
		emit_say(w->emit, "no code objects are known or found in the memory of the process");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

int cmd_info_code(struct wavectl *w)
{
	int status = debug_open_target(w);

	if (!status)
		status = code_look(w);
	return status ? status : list(w);
}

static int say_added(struct wavectl *w, const struct code_object *object)
{
	emit_begin(w->emit);
	emit_object(w, object);
	emit_say(w->emit, "{name} is loaded at {address} to {end}");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

int cmd_code_add(struct wavectl *w)
{
	const struct code_object *object;
	int status;

	if (w->num_words != 1)
		return fail_with(w, WAVECTL_USAGE, NULL, "\"code add\" takes one file");
	status = open_target(w);
	if (!status)
		status = code_add(w, w->words[0], w->has_address ? &w->address : NULL, &object);
	return status ? status : say_added(w, object);
}
