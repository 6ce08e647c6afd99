// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints reports of one or several GPUs, and files of them: see from.h.
 */
#include "report/from.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "report/collect.h"
#include "report/load.h"
#include "report/show.h"

/* Does an option name the GPU of this report, by its number, name or PCI address? */
static bool is_named(const struct wavectl *w, struct json_object *root)
{
	struct json_object *versions = json_get(root, "versions");
	char number[24];
	uint64_t n;

	if (w->gpu && json_uint(versions, "number", &n)) {
		snprintf(number, sizeof(number), "%" PRIu64, n);
		if (!strcmp(w->gpu, number))
			return true;
	}
	if (w->gpu && !strcmp(w->gpu, json_word(versions, "gpu")))
		return true;
	return !strcmp(w->gpu ? w->gpu : w->pci, json_word(versions, "pci"));
}

/* Reduce the report to the GPUs that the options select. Returns an exit status. */
static int select_gpus(struct wavectl *w, struct json_object **root)
{
	struct json_object *chosen, *one;

	if (w->render)
		return fail_with(w, WAVECTL_USAGE, "--gpu or --pci selects a GPU of a report",
				 "a report has no render nodes");
	if (!w->gpu && !w->pci)
		return WAVECTL_OK;
	chosen = json_object_new_array();
	if (!json_get(*root, "gpus") && is_named(w, *root))
		json_append(chosen, json_object_get(*root));
	for (size_t i = 0; i < json_rows(*root, "gpus"); i++) {
		one = json_row(*root, "gpus", i);
		if (is_named(w, one))
			json_append(chosen, json_object_get(one));
	}
	json_object_put(*root);
	*root = NULL;
	if (!json_length(chosen)) {
		json_object_put(chosen);
		return fail_with(w, WAVECTL_GONE, NULL, "the report has no GPU '%s'",
				 w->gpu ? w->gpu : w->pci);
	}
	*root = report_join(chosen);
	return WAVECTL_OK;
}

static int fail_several(struct wavectl *w, struct json_object *root)
{
	char *what = NULL;
	int status;

	for (size_t i = 0; i < json_rows(root, "gpus"); i++) {
		struct json_object *versions = json_get(json_row(root, "gpus", i), "versions");

		xappend(&what, "%s%" PRIu64 " (%s)", i ? ", " : "",
			json_count(versions, "number", 0), json_word(versions, "gpu"));
	}
	status = fail_with(w, WAVECTL_USAGE, NULL,
			   "the report is of several GPUs; select one with --gpu: %s", what);
	free(what);
	return status;
}

static int load_selected(struct wavectl *w, struct json_object **root)
{
	int status = report_load(w, w->from, root);

	if (!status) {
		status = select_gpus(w, root);
		if (status)
			json_object_put(*root);
	}
	return status;
}

int report_from(struct wavectl *w, int (*show)(struct wavectl *w, struct json_object *root))
{
	struct json_object *root;
	int status = load_selected(w, &root);

	if (status)
		return status;
	status = json_rows(root, "gpus") ? fail_several(w, root) : show(w, root);
	json_object_put(root);
	return status;
}

int report_show_each(struct wavectl *w, struct json_object *root)
{
	int status = WAVECTL_OK;

	if (!json_rows(root, "gpus"))
		return report_show(w, root);
	for (size_t i = 0; !status && i < json_rows(root, "gpus"); i++)
		status = report_show(w, json_row(root, "gpus", i));
	return status;
}

int report_show_file(struct wavectl *w)
{
	struct json_object *root;
	int status = load_selected(w, &root);

	if (status)
		return status;
	status = report_show_each(w, root);
	json_object_put(root);
	return status;
}
