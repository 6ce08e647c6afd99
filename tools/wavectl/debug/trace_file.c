// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Traces in files: see trace_file.h.
 *
 * The first line has the registers at the beginning; each following line has an instruction and
 * the registers that it set. Any program can read the file line by line, and a truncated file is
 * valid up to its end.
 */
#include "debug/trace_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "base/util.h"
#include "debug/changes.h"

#define VERSION		1
#define HEX_MAX		24

/* All registers of a wave with 64 lanes and 256 VGPRs take a fifth of this, see array(). */
#define LINE_BYTES_MAX	(1U << 20)
#define LINE_TOO_LONG	"the line is longer than 1 MiB"

static struct json_object *hex(uint64_t value, int digits)
{
	char text[HEX_MAX];

	snprintf(text, sizeof(text), "0x%0*llx", digits, (unsigned long long)value);
	return json_object_new_string(text);
}

/* ------------------------------------------------------------------------ saving */

static struct json_object *hwregs(const struct trace_view *t)
{
	uint32_t gc_version = adbgd_trace_get_info(t->trace)->gc_version, count;
	const uint32_t *values = adbgd_trace_get_regs(t->trace, AMDGPUDBG_REG_HW, 0, &count);
	struct json_object *object = json_new();
	char name[ADBG_REG_NAME_MAX];

	for (uint32_t i = 0; i < count; i++)
		json_put(object, adbg_reg_name(gc_version, AMDGPUDBG_REG_HW, i, name),
			 hex(values[i], 8));
	return object;
}

/* SGPRs, or the VGPRs of a lane */
static struct json_object *array(const struct trace_view *t, uint32_t space, uint32_t lane)
{
	struct json_object *object = json_object_new_array();
	const uint32_t *values;
	uint32_t count;

	values = adbgd_trace_get_regs(t->trace, space, lane, &count);
	for (uint32_t i = 0; i < count; i++)
		json_append(object, hex(values[i], 8));
	return object;
}

static struct json_object *first_line(const struct trace_view *t)
{
	const struct adbgd_trace_info *info = adbgd_trace_get_info(t->trace);
	struct json_object *object = json_new();
	struct json_object *lanes = json_object_new_array();
	char text[ADBG_WAVE_NAME_MAX];

	json_put_number(object, "trace", VERSION);
	json_put_text(object, "name", adbg_wave_name(&info->at, text));
	snprintf(text, sizeof(text), "%u.%u.%u", ADBG_GC_MAJOR(info->gc_version),
		 ADBG_GC_MINOR(info->gc_version), ADBG_GC_REV(info->gc_version));
	json_put_text(object, "gc_version", text);
	json_put(object, "hwregs", hwregs(t));
	json_put(object, "sgprs", array(t, AMDGPUDBG_REG_SGPR, 0));
	for (uint32_t i = 0; i < info->lanes; i++)
		json_append(lanes, array(t, AMDGPUDBG_REG_VGPR, i));
	json_put(object, "lanes", lanes);
	return object;
}

struct saved {
	struct json_object *changed;
	uint32_t gc_version;
};

static void add_change(void *data, const struct change *c)
{
	struct saved *s = data;
	struct json_object *lanes;
	char name[ADBG_REG_NAME_MAX], number[16];

	adbg_reg_name(s->gc_version, c->space, c->number, name);
	if (c->space != AMDGPUDBG_REG_VGPR) {
		json_put(s->changed, name, hex(c->now[0], 8));
		return;
	}
	lanes = json_new();
	for (uint32_t i = 0; i < c->num_lanes; i++) {
		if (!(c->lanes >> i & 1))
			continue;
		snprintf(number, sizeof(number), "%u", i);
		json_put(lanes, number, hex(c->now[i], 8));
	}
	json_put(s->changed, name, lanes);
}

static struct json_object *step_line(const struct trace_view *t, uint64_t step)
{
	const struct trace_view_insn *insn = &t->insns[step - 1];
	struct json_object *object = json_new();
	struct saved s = {
		.changed = json_new(),
		.gc_version = adbgd_trace_get_info(t->trace)->gc_version,
	};
	char bytes[2 * ADBGD_INSN_SIZE_MAX + 1];

	for (size_t i = 0; i < insn->num_bytes; i++)
		snprintf(bytes + 2 * i, 3, "%02x", insn->bytes[i]);
	json_put_uint(object, "step", step);
	json_put(object, "address", hex(insn->address, 16));
	json_put_text(object, "bytes", insn->num_bytes ? bytes : NULL);
	json_put_text(object, "instruction", insn->text);
	json_put_text(object, "place", insn->place);
	json_put_text(object, "file", insn->file);
	if (insn->file)
		json_put_number(object, "line", insn->line);
	changes_visit(t->trace, step, add_change, &s);
	json_put(object, "changed", s.changed);
	return object;
}

/* Write the line; @object is freed. */
static void put(FILE *file, struct json_object *object)
{
	char *line = text_json(object);

	fprintf(file, "%s\n", line);
	free(line);
	json_object_put(object);
}

static int fail_writing(struct wavectl *w, const char *path, int error)
{
	return fail_with(w, exit_status(error), NULL, "cannot write %s: %s", path,
			 output_strerror(error));
}

int trace_file_open(struct wavectl *w, const char *path, struct output *to)
{
	int ret = output_open(to, path);

	return ret ? fail_writing(w, path, ret) : WAVECTL_OK;
}

int trace_file_save(struct wavectl *w, const struct trace_view *t, struct output *to)
{
	int ret;

	if (!adbgd_trace_seek(t->trace, 0, NULL))
		put(to->file, first_line(t));
	for (uint64_t i = 1; i <= t->num && !ferror(to->file); i++)
		put(to->file, step_line(t, i));
	ret = output_finish(to);
	return ret ? fail_writing(w, w->words[0], ret) : WAVECTL_OK;
}

/* ----------------------------------------------------------------------- loading */

struct loading {
	struct wavectl *w;
	const char *path;
	unsigned long line;
	struct trace_view *t;
	struct adbgd_trace_info info;
	uint32_t *words;	/* number of the line that was read last */
};

static int wrong(const struct loading *l, const char *what)
{
	return fail_with(l->w, WAVECTL_FAILED, "use a file written by \"wavectl trace save\"",
			 "%s, line %lu: %s", l->path, l->line, what);
}

static bool get(struct json_object *object, const char *key, enum json_type type,
		struct json_object **value)
{
	return json_object_object_get_ex(object, key, value) &&
	       json_object_is_type(*value, type);
}

static const char *get_text(struct json_object *object, const char *key)
{
	struct json_object *value;

	return get(object, key, json_type_string, &value) ? json_object_get_string(value) : NULL;
}

static bool get_number(struct json_object *value, uint64_t max, uint64_t *number)
{
	return json_object_is_type(value, json_type_string) &&
	       parse_u64(json_object_get_string(value), max, number);
}

/* Get @count words from @array. */
static bool get_words(struct json_object *array, uint32_t count, uint32_t *words)
{
	uint64_t number;

	if (!json_object_is_type(array, json_type_array) ||
	    json_object_array_length(array) != count)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		if (!get_number(json_object_array_get_idx(array, i), UINT32_MAX, &number))
			return false;
		words[i] = (uint32_t)number;
	}
	return true;
}

/*
 * Find the word of a register by name. False: there is none, or it is not a VGPR where one is
 * required.
 */
static bool find_word(const struct loading *l, const char *name, bool is_vgpr, uint32_t lane,
		      uint32_t *word)
{
	const struct adbgd_trace_info *info = &l->info;
	struct amdgpudbg_reg_range range;
	bool in_vgprs;

	if (adbg_reg_parse(info->gc_version, name, &range) || range.count != 1)
		return false;
	in_vgprs = range.space == AMDGPUDBG_REG_VGPR;
	if (in_vgprs != is_vgpr)
		return false;
	*word = range.first;
	switch (range.space) {
	case AMDGPUDBG_REG_HW:
		return range.first < info->num_hwregs;
	case AMDGPUDBG_REG_SGPR:
		*word += info->num_hwregs;
		return range.first < info->num_sgprs;
	case AMDGPUDBG_REG_VGPR:
		*word += info->num_hwregs + info->num_sgprs + lane * info->num_vgprs;
		return range.first < info->num_vgprs && lane < info->lanes;
	}
	return false;
}

static bool set_word(struct loading *l, const char *name, bool is_vgpr, uint32_t lane,
		     struct json_object *value)
{
	uint64_t number;
	uint32_t word;

	if (!find_word(l, name, is_vgpr, lane, &word) || !get_number(value, UINT32_MAX, &number))
		return false;
	l->words[word] = (uint32_t)number;
	return true;
}

static bool set_lanes(struct loading *l, const char *name, struct json_object *lanes)
{
	uint64_t lane;

	json_object_object_foreach(lanes, key, value) {
		if (!parse_u64(key, UINT32_MAX, &lane) ||
		    !set_word(l, name, true, (uint32_t)lane, value))
			return false;
	}
	return true;
}

static bool take_changes(struct loading *l, struct json_object *changed)
{
	json_object_object_foreach(changed, name, value) {
		bool ok = json_object_is_type(value, json_type_object) ?
			  set_lanes(l, name, value) : set_word(l, name, false, 0, value);

		if (!ok)
			return false;
	}
	return true;
}

static bool take_gc_version(struct loading *l, const char *text)
{
	unsigned int major, minor, rev;
	char more;

	if (!text || sscanf(text, "%2u.%2u.%2u%c", &major, &minor, &rev, &more) != 3)
		return false;
	l->info.gc_version = ADBG_GC_VERSION(major, minor, rev);
	return adbg_reg_get_file(l->info.gc_version);
}

static void take_wave(struct loading *l, const char *name)
{
	struct adbg_wave_spec spec;

	/* The name is only printed; nothing depends on it. */
	if (name && !adbg_wave_spec_parse(name, &spec, NULL) &&
	    adbg_wave_spec_mode(&spec, &l->info.at) < 0)
		memset(&l->info.at, 0, sizeof(l->info.at));
}

/* Get the numbers of registers; the rest must agree with them. */
static bool take_sizes(struct loading *l, struct json_object *hwregs, struct json_object *sgprs,
		       struct json_object *lanes)
{
	struct json_object *first = json_object_array_get_idx(lanes, 0);

	l->info.num_hwregs = json_object_object_length(hwregs);
	l->info.num_sgprs = json_object_array_length(sgprs);
	l->info.lanes = json_object_array_length(lanes);
	if (!json_object_is_type(first, json_type_array))
		return false;
	l->info.num_vgprs = json_object_array_length(first);
	return true;
}

static bool take_registers(struct loading *l, struct json_object *hwregs,
			   struct json_object *sgprs, struct json_object *lanes)
{
	uint32_t *words = l->words + l->info.num_hwregs;

	json_object_object_foreach(hwregs, name, value)
		if (!set_word(l, name, false, 0, value))
			return false;
	if (!get_words(sgprs, l->info.num_sgprs, words))
		return false;
	words += l->info.num_sgprs;
	for (uint32_t i = 0; i < l->info.lanes; i++, words += l->info.num_vgprs)
		if (!get_words(json_object_array_get_idx(lanes, i), l->info.num_vgprs, words))
			return false;
	return true;
}

static int add(struct loading *l)
{
	struct adbgd_error error;

	return adbgd_trace_add_step(l->t->trace, l->words, &error) ? wrong(l, error.text) :
								     WAVECTL_OK;
}

static int take_first(struct loading *l, struct json_object *object)
{
	struct json_object *version, *hwregs, *sgprs, *lanes;
	struct adbgd_error error;

	if (!get(object, "trace", json_type_int, &version))
		return wrong(l, "not a trace file");
	if (json_object_get_int(version) != VERSION)
		return wrong(l, "the trace was written by a later version");
	if (!take_gc_version(l, get_text(object, "gc_version")))
		return wrong(l, "\"gc_version\" is not a known GPU");
	take_wave(l, get_text(object, "name"));
	if (!get(object, "hwregs", json_type_object, &hwregs) ||
	    !get(object, "sgprs", json_type_array, &sgprs) ||
	    !get(object, "lanes", json_type_array, &lanes) ||
	    !take_sizes(l, hwregs, sgprs, lanes))
		return wrong(l, "some registers are missing");
	if (adbgd_trace_new(&l->info, &l->t->trace, &error))
		return wrong(l, error.text);
	l->info = *adbgd_trace_get_info(l->t->trace);
	l->words = xcalloc(l->info.num_words + 1, sizeof(*l->words));
	return take_registers(l, hwregs, sgprs, lanes) ? add(l) :
	       wrong(l, "a wave does not have these registers");
}

static int take_step(struct loading *l, struct json_object *object)
{
	struct json_object *changed, *value;
	struct trace_view_insn *insn;
	uint64_t address;

	if (!get(object, "step", json_type_int, &value) ||
	    json_object_get_uint64(value) != l->t->num + 1)
		return wrong(l, "the step number is not the next one");
	if (!get(object, "address", json_type_string, &value) ||
	    !get_number(value, UINT64_MAX, &address))
		return wrong(l, "\"address\" is missing");
	if (!get(object, "changed", json_type_object, &changed) || !take_changes(l, changed))
		return wrong(l, "\"changed\" is invalid");
	insn = trace_view_add(l->t, address);
	insn->text = trace_view_keep(l->t, get_text(object, "instruction"));
	insn->place = trace_view_keep(l->t, get_text(object, "place"));
	insn->file = trace_view_keep(l->t, get_text(object, "file"));
	if (get(object, "line", json_type_int, &value))
		insn->line = (uint32_t)json_object_get_int64(value);
	return add(l);
}

static int take_line(struct loading *l, const char *text)
{
	struct json_object *object = json_tokener_parse(text);
	int status;

	if (!json_object_is_type(object, json_type_object))
		status = wrong(l, "not a JSON object");
	else
		status = l->t->trace ? take_step(l, object) : take_first(l, object);
	json_object_put(object);
	return status;
}

/* Read a line. Returns 1, without its line feed; 0: there is none; -E2BIG: it is too long. */
static int read_line(FILE *file, char line[LINE_BYTES_MAX + 1])
{
	size_t length = 0;
	int c;

	while ((c = getc_unlocked(file)) != EOF && c != '\n') {
		if (length == LINE_BYTES_MAX)
			return -E2BIG;
		line[length++] = (char)c;
	}
	line[length] = 0;
	return length || c == '\n';
}

/* Read the lines. Returns an exit status. */
static int load(struct loading *l, FILE *file)
{
	char *line = xcalloc(1, LINE_BYTES_MAX + 1);
	int status = WAVECTL_OK, ret = 1;

	while (!status && ret > 0) {
		ret = read_line(file, line);
		l->line++;
		if (ret < 0)
			status = wrong(l, LINE_TOO_LONG);
		else if (ret)
			status = take_line(l, line);
	}
	free(line);
	return status;
}

int trace_file_load(struct wavectl *w, const char *path, struct trace_view *t)
{
	struct loading l = { .w = w, .path = path, .t = t };
	FILE *file = fopen(path, "re");
	int status;

	*t = (struct trace_view){ .trace = NULL };
	if (!file)
		return fail_system(w, -errno, "cannot read %s", path);
	status = load(&l, file);
	if (!status && ferror(file))
		status = fail_system(w, -EIO, "cannot read %s", path);
	if (!status && !t->trace)
		status = wrong(&l, "not a trace file");
	free(l.words);
	fclose(file);
	return status;
}
