// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl code add and info code: the code objects of the process.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "base/util.h"
#include "cmd/commands.h"
#include "debug/code.h"
#include "waves/hold.h"

/* Characters of the names of kernels that a row shows */
#define KERNELS_SHOWN	60

struct code_args {
	struct optional_u64 address;
	bool kernels;
};

/* The names that fit a row, and how many there are */
static char *shown_kernels(const char *const *names, unsigned int count)
{
	char *text = NULL;
	unsigned int i;

	xappend(&text, "%s", "");
	for (i = 0; i < count && strlen(text) + strlen(names[i]) <= KERNELS_SHOWN; i++)
		xappend(&text, "%s%s", i ? "," : "", names[i]);
	if (i < count)
		xappend(&text, "%s%u in all", i ? ",... " : "", count);
	return text;
}

static void emit_kernels(struct wavectl *w, const struct adbgd_code *code)
{
	const struct adbgd_kernel *kernel;
	const char **names = NULL;
	unsigned int count = 0;
	char *shown;

	for (; (kernel = adbgd_code_get_kernel(code, count)); count++) {
		names = xreallocarray(names, count + 1, sizeof(*names));
		names[count] = kernel->name;
	}
	shown = shown_kernels(names, count);
	if (w->verbose)
		emit_names(w->emit, "kernels", names, count);
	else
		emit_names_short(w->emit, "kernels", names, count, shown);
	free(shown);
	free(names);
}

static void emit_kernel(struct wavectl *w, const struct adbgd_kernel *kernel)
{
	char *source = adbgd_demangle_name(kernel->name, ADBGD_DEMANGLE_WHOLE);

	emit_row(w->emit);
	emit_hex64(w->emit, "entry", kernel->entry);
	emit_uint(w->emit, "lanes", kernel->lanes);
	emit_uint(w->emit, "lds", kernel->lds_size);
	emit_uint(w->emit, "private", kernel->private_size);
	emit_str(w->emit, "name", source ? source : kernel->name);
	emit_quiet(w->emit, true);
	emit_str(w->emit, "symbol", kernel->name);
	emit_quiet(w->emit, false);
	free(source);
}

/* One kernel per line, with its whole name at the end */
static void list_kernels(struct wavectl *w)
{
	const struct debugger *d = w->shell->debugger;
	const struct adbgd_kernel *kernel;
	const struct adbgd_code *code;

	emit_table(w->emit, "kernels", true);
	for (size_t i = 0; (code = code_get(d, i)); i++)
		for (size_t k = 0; (kernel = adbgd_code_get_kernel(code, k)) &&
		     !hold_interrupted(); k++)
			emit_kernel(w, kernel);
	emit_table_end(w->emit);
}

static void emit_object(struct wavectl *w, const struct adbgd_object *object)
{
	code_emit_object(w, object);
	emit_kernels(w, adbgd_object_get_info(object)->code);
}

/* Why there are no lines, if that is not usual: damaged, or in a file that is not read */
static void emit_notes(struct wavectl *w, const struct adbgd_object *object)
{
	struct adbgd_error error;
	const char *text = error.text;
	int ret = adbgd_code_load_debug(adbgd_object_get_info(object)->code, &error);

	emit_list(w->emit, "notes");
	if (ret && ret != -ENODATA && ret != -EINTR)
		emit_list_line(w->emit, "", &text, 1, 1);
	emit_list_end(w->emit);
}

static int list(struct wavectl *w)
{
	const struct debugger *d = w->shell->debugger;
	const struct adbgd_object *object;
	size_t num = 0;

	emit_begin(w->emit);
	emit_table(w->emit, "code_objects", true);
	/* Printing an object may read debug information of any size, so check for Ctrl-C. */
	for (; (object = adbgd_objects_get(d->objects, num)) && !hold_interrupted(); num++) {
		emit_row(w->emit);
		emit_object(w, object);
		emit_notes(w, object);
	}
	emit_table_end(w->emit);
	if (hold_interrupted())
		return hold_fail_interrupted(w);
	if (((const struct code_args *)w->args)->kernels)
		list_kernels(w);
	emit_uint(w->emit, "count", num);
	if (!num)
		emit_say(w->emit, "no code objects are known or found in the memory of the process");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static int cmd_info_code(struct wavectl *w)
{
	int status = debug_open_target(w);

	if (!status)
		status = code_search(w);
	return status ? status : list(w);
}

static int say_added(struct wavectl *w, const struct adbgd_object *object)
{
	/* This is the report. */
	debug_drop_news(w->shell->debugger);
	emit_begin(w->emit);
	emit_object(w, object);
	emit_say(w->emit, code_add_sentence(w, object));
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static int cmd_code_add(struct wavectl *w)
{
	const struct code_args *args = w->args;
	const struct adbgd_object *object;
	int status;

	if (w->num_words != 1)
		return fail_with(w, WAVECTL_USAGE, NULL, "\"code add\" takes one file");
	status = open_target(w);
	if (!status)
		status = code_add(w, w->words[0],
				  args->address.is_set ? &args->address.value : NULL, &object);
	return status ? status : say_added(w, object);
}

static const struct option_desc opt_code_address = {
	"address", 0, "ADDR", "load address of the instructions",
	option_optional, OPTION_OF(struct code_args, address),
};

static const struct option_desc opt_kernels = {
	"kernels", 0, NULL, "list each kernel, with its entry address",
	option_flag, OPTION_OF(struct code_args, kernels),
};

static const struct option_desc *const code_options[] = {
	TARGET_OPTIONS, &opt_code_address, &opt_debug_dir, NULL,
};

static const struct option_desc *const info_code_options[] = {
	TARGET_OPTIONS, &opt_kernels, NULL,
};

const struct command code_commands[] = {
	{
		.noun = "code",
		.verb = "add",
		.args = "FILE",
		.summary = "add a code object with names and lines, in a shell or batch",
		.help = "FILE is the code object that the process executes, as written by the compiler; use\n"
			"-g for lines and variables. Its load address is found by comparing instructions. If\n"
			"they are not in memory yet, it is pending until it is loaded.",
		.options = code_options,
		.args_size = sizeof(struct code_args),
		.run = cmd_code_add,
	},
	{
		.noun = "info",
		.verb = "code",
		.summary = "list the code objects of a process, in a shell or batch",
		.help = "Lists the code objects that were added and those found in the memory of the process.\n"
			"The search takes longer the more executable memory the process has.",
		.options = info_code_options,
		.args_size = sizeof(struct code_args),
		.run = cmd_info_code,
	},
	{ .noun = NULL },
};
