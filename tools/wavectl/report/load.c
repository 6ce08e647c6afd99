// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads and writes the file of a report: see load.h.
 *
 * A file is untrusted: its size, the memory for its values and their depth are limited here, and
 * the functions of json.h check the type of each value when it is used.
 */
#include "report/load.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "base/text.h"
#include "base/util.h"
#include "report/collect.h"
#include "waves/memory.h"

#define MAX_FILE	(256ull << 20)
#define MAX_DEPTH	12

/* See text_json_values(): 512 MiB of memory */
#define MAX_VALUES	(8u << 20)

/* NULL: it is not JSON, or has more than one value */
static struct json_object *parse(const struct memory *m)
{
	struct json_tokener *tokener = json_tokener_new_ex(MAX_DEPTH);
	struct json_object *root;
	size_t end;

	if (!tokener)
		out_of_memory();
	root = json_tokener_parse_ex(tokener, (const char *)m->data, m->bytes);
	end = json_tokener_get_parse_end(tokener);
	if (json_tokener_get_error(tokener) != json_tokener_success) {
		json_object_put(root);
		root = NULL;
	}
	for (; root && end < m->bytes; end++) {
		if (!strchr(" \t\r\n", m->data[end]) || !m->data[end]) {
			json_object_put(root);
			root = NULL;
		}
	}
	json_tokener_free(tokener);
	return root;
}

int report_load(struct wavectl *w, const char *file, struct json_object **root)
{
	struct memory m = { 0 };
	uint64_t format = 0;
	int ret = memory_read_file(file, MAX_FILE, &m);

	if (!ret && text_json_values((const char *)m.data, m.bytes) > MAX_VALUES)
		ret = -EFBIG;
	if (ret) {
		free(m.data);
		return fail_with(w, WAVECTL_FAILED, NULL, "%s: %s", file,
				 ret == -EFBIG ? "the file is too large for a report" :
						 strerror(-ret));
	}
	*root = parse(&m);
	free(m.data);
	if (json_uint(*root, "amdgpudbg_report", &format) && format == REPORT_FORMAT)
		return WAVECTL_OK;
	json_object_put(*root);
	if (format)
		return fail_with(w, WAVECTL_UNSUPPORTED, NULL,
				 "%s is a report of format %llu, and only %u is known", file,
				 (unsigned long long)format, REPORT_FORMAT);
	return fail_with(w, WAVECTL_USAGE, "\"wavectl report -o FILE\" writes one",
			 "%s is not a report, or is damaged", file);
}

int report_save(struct wavectl *w, const char *file, struct json_object *root)
{
	char *text = text_json_pretty(root);
	struct output output;
	int ret = output_open(&output, file);

	if (!ret) {
		fputs(text, output.file);
		fputc('\n', output.file);
		ret = output_finish(&output);
	}
	free(text);
	return ret ? fail_with(w, WAVECTL_FAILED, NULL, "cannot write %s: %s", file,
			       output_strerror(ret)) : WAVECTL_OK;
}
