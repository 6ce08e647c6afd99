// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints a report: see show.h. The report may come from a file, so that any member may be missing
 * or have another type; it is then printed as "-".
 */
#include "report/show.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "base/util.h"
#include "waves/mapping.h"
#include "waves/regs.h"

/* ------------------------------------------------------------------------- tables */

static void emit_value(struct wavectl *w, struct json_object *row, const char *key)
{
	struct json_object *value = json_get(row, key);
	uint64_t number;

	if (json_object_is_type(value, json_type_string))
		emit_str(w->emit, key, json_object_get_string(value));
	else if (json_object_is_type(value, json_type_boolean))
		emit_bool(w->emit, key, json_object_get_boolean(value));
	else if (json_uint(row, key, &number))
		emit_uint(w->emit, key, number);
	else
		emit_none(w->emit, key);
}

/* Does the row belong to the process of --pid? Rows without a process do to any. */
static bool is_wanted(const struct wavectl *w, struct json_object *row)
{
	uint64_t pid;

	return !w->pid || !json_uint(row, "pid", &pid) || pid == (uint64_t)w->pid;
}

static void emit_members_of(struct wavectl *w, struct json_object *row, const char *const *keys)
{
	for (; *keys; keys++)
		emit_value(w, row, *keys);
}

/* Print the elements of the array @key. Returns the number of rows. */
static size_t emit_array(struct wavectl *w, struct json_object *root, const char *key,
			 const char *const *keys)
{
	struct json_object *row;
	size_t num = 0;

	emit_table(w->emit, key, true);
	for (size_t i = 0; i < json_rows(root, key); i++) {
		row = json_row(root, key, i);
		if (!row || !is_wanted(w, row))
			continue;
		emit_row(w->emit);
		emit_members_of(w, row, keys);
		num++;
	}
	emit_table_end(w->emit);
	return num;
}

static int end(struct wavectl *w)
{
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

/* -------------------------------------------------------------------------- waves */

static const char *const wave_keys[] = {
	"name", "vmid", "pid", "program", "pc", "exec", "instruction", "state", "reason", "place",
	NULL
};

static uint32_t gc_version_of(struct json_object *root)
{
	uint64_t version = 0;

	(void)json_uint(json_get(root, "versions"), "gc_version", &version);
	return version;
}

static bool find_at(struct json_object *wave, struct amdgpudbg_wave_coord *at)
{
	struct adbg_wave_spec spec;

	return !adbg_wave_spec_parse(json_word(wave, "name"), &spec, NULL) &&
	       adbg_wave_spec_mode(&spec, at) == AMDGPUDBG_WAVEMODE_SINGLE;
}

static bool is_selected(const struct wavectl *w, struct json_object *wave)
{
	struct amdgpudbg_wave_coord at;

	if (!w->waves.is_set)
		return true;
	return find_at(wave, &at) && adbg_wave_spec_match(&w->waves.spec, &at);
}

/* The hardware registers with their fields */
static void emit_hardware(struct wavectl *w, struct json_object *root, struct json_object *wave)
{
	uint32_t gc_version = gc_version_of(root), *words;
	const struct adbg_reg *reg;
	size_t num = json_read_words(json_text(json_get(wave, "registers"), "hw"), &words);

	for (size_t i = 0; (reg = adbg_reg_get(gc_version, i)); i++)
		if (reg->space == AMDGPUDBG_REG_HW && reg->number < num)
			emit_reg(w->emit, reg, words[reg->number]);
	free(words);
}

#define PER_LINE	8

/* The SGPRs, in lines */
static void emit_sgprs(struct wavectl *w, struct json_object *wave)
{
	char text[PER_LINE][VALUE_TEXT_MAX], label[32];
	const char *texts[PER_LINE];
	uint32_t *words;
	size_t num = json_read_words(json_text(json_get(wave, "registers"), "sgprs"), &words), n;

	emit_list(w->emit, "sgprs");
	for (size_t i = 0; i < num; i += n) {
		for (n = 0; n < PER_LINE && i + n < num; n++) {
			format_value(FORMAT_HEX, words[i + n], text[n]);
			texts[n] = text[n];
		}
		snprintf(label, sizeof(label), "s%zu", i);
		emit_list_line(w->emit, label, texts, n, ~0ULL);
	}
	emit_list_end(w->emit);
	free(words);
}

int report_show_waves(struct wavectl *w, struct json_object *root)
{
	struct json_object *wave;
	uint64_t count = 0;

	emit_begin(w->emit);
	emit_table(w->emit, "waves", true);
	for (size_t i = 0; i < json_rows(root, "waves"); i++) {
		wave = json_row(root, "waves", i);
		if (!wave || !is_wanted(w, wave) || !is_selected(w, wave))
			continue;
		emit_row(w->emit);
		emit_members_of(w, wave, wave_keys);
		if (w->verbose)
			emit_hardware(w, root, wave);
		count++;
	}
	emit_table_end(w->emit);
	emit_uint(w->emit, "count", count);
	if (!count)
		emit_say(w->emit, "the report has no such waves");
	return end(w);
}

/* ---------------------------------------------------------------- jobs and mappings */

static const char *const job_keys[] = {
	"ring", "job", "oldest", "vmid", "pid", "program", "age_ms", "left_ms", "held",
	"seq_signaled", "seq_emitted", "ibs", NULL
};

int report_show_jobs(struct wavectl *w, struct json_object *root)
{
	emit_begin(w->emit);
	emit_uint(w->emit, "count", emit_array(w, root, "jobs", job_keys));
	return end(w);
}

static bool read_mapping(struct json_object *row, struct amdgpudbg_mapping *m)
{
	uint64_t begin, last;

	*m = (struct amdgpudbg_mapping){ 0 };
	if (!row || !json_uint(row, "address", &begin) || !json_uint(row, "end", &last))
		return false;
	m->va = begin;
	m->bytes = last - begin;
	/* The kinds are numbered from 0 on without gaps. */
	while (m->kind <= AMDGPUDBG_KIND_OTHER && strcmp(mapping_kind(m), json_word(row, "kind")))
		m->kind++;
	return true;
}

/* Of the process of --pid. Returns their number; the caller frees @list. */
static size_t read_mappings(struct wavectl *w, struct json_object *root,
			    struct amdgpudbg_mapping **list)
{
	size_t num = json_rows(root, "mappings"), found = 0;
	struct json_object *row;

	*list = xcalloc(num + 1, sizeof(**list));
	for (size_t i = 0; i < num; i++) {
		row = json_row(root, "mappings", i);
		if (row && is_wanted(w, row) && read_mapping(row, &(*list)[found]))
			found++;
	}
	return found;
}

static int fail_unmapped(struct wavectl *w, struct json_object *root, uint64_t va)
{
	struct amdgpudbg_mapping *list;
	struct mapping_near near;
	char *text;
	size_t num;
	int status;

	num = read_mappings(w, root, &list);
	mapping_search(list, num, va, &near);
	text = mapping_near_text(&near, va);
	free(list);
	status = fail_with(w, WAVECTL_GONE, NULL, "nothing is mapped at %s: %s", w->words[0],
			   text);
	free(text);
	return status;
}

int report_show_mappings(struct wavectl *w, struct json_object *root)
{
	static const char *const keys[] = { "pid", "address", "end", "kind", "offset", NULL };
	struct amdgpudbg_mapping m;
	struct json_object *row;
	uint64_t va = 0, count = 0;

	if (w->num_words && !parse_u64(w->words[0], UINT64_MAX, &va))
		return fail_with(w, WAVECTL_USAGE, NULL, "'%s' is not an address", w->words[0]);
	emit_begin(w->emit);
	emit_table(w->emit, "mappings", true);
	for (size_t i = 0; i < json_rows(root, "mappings"); i++) {
		row = json_row(root, "mappings", i);
		if (!row || !is_wanted(w, row) || !read_mapping(row, &m) ||
		    (w->num_words && va - m.va >= m.bytes))
			continue;
		emit_row(w->emit);
		emit_members_of(w, row, keys);
		count++;
	}
	emit_table_end(w->emit);
	emit_uint(w->emit, "count", count);
	return w->num_words && !count ? fail_unmapped(w, root, va) : end(w);
}

/* --------------------------------------------------------------------------- code */

static const char *const insn_keys[] = {
	"mark", "address", "place", "instruction", "target", "target_place", NULL
};

static bool has_insn(struct json_object *code, uint64_t va)
{
	uint64_t address;

	for (size_t i = 0; i < json_rows(code, "instructions"); i++)
		if (json_uint(json_row(code, "instructions", i), "address", &address) &&
		    address == va)
			return true;
	return false;
}

static const char *const line_keys[] = { "mark", "line", "text", NULL };

/* The instructions of one place, and in text the source lines of the PC */
static void emit_place(struct wavectl *w, struct json_object *code)
{
	for (size_t n = 0; n < json_rows(code, "instructions"); n++) {
		emit_row(w->emit);
		emit_members_of(w, json_row(code, "instructions", n), insn_keys);
	}
	if (w->json)
		return;
	emit_table_end(w->emit);
	if (json_rows(code, "source")) {
		emit_say(w->emit, "");
		emit_array(w, code, "source", line_keys);
	}
	emit_say(w->emit, "");
	emit_table(w->emit, "instructions", true);
}

/* In JSON one table, in text one for each place. Returns their number. @va: NULL: all */
static size_t emit_code(struct wavectl *w, struct json_object *root, const uint64_t *va)
{
	struct json_object *code;
	size_t num = 0;

	emit_table(w->emit, "instructions", true);
	for (size_t i = 0; i < json_rows(root, "code"); i++) {
		code = json_row(root, "code", i);
		if (!json_rows(code, "instructions") || !is_wanted(w, code) ||
		    (va && !has_insn(code, *va)))
			continue;
		emit_place(w, code);
		num++;
	}
	emit_table_end(w->emit);
	return num;
}

int report_show_code(struct wavectl *w, struct json_object *root)
{
	uint64_t va = 0;

	if (w->num_words > 1 || (w->num_words && !parse_u64(w->words[0], UINT64_MAX, &va)))
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "with --from, the location is an address");
	emit_begin(w->emit);
	if (!emit_code(w, root, w->num_words ? &va : NULL))
		return fail_with(w, WAVECTL_GONE, NULL,
				 "the report does not contain that code");
	return end(w);
}

/* ---------------------------------------------------------------------- registers */

static struct json_object *find_wave(struct wavectl *w, struct json_object *root,
				     const struct adbg_wave_spec *spec)
{
	struct amdgpudbg_wave_coord at;
	struct json_object *wave;

	for (size_t i = 0; i < json_rows(root, "waves"); i++) {
		wave = json_row(root, "waves", i);
		if (wave && is_wanted(w, wave) && find_at(wave, &at) &&
		    adbg_wave_spec_match(spec, &at))
			return wave;
	}
	return NULL;
}

static const char *const spaces[] = {
	[AMDGPUDBG_REG_HW] = "hw", [AMDGPUDBG_REG_SGPR] = "sgprs", [AMDGPUDBG_REG_TTMP] = "ttmps",
};

/* A VGPR in its lanes. False: it is not recorded. */
static bool emit_vgpr(struct wavectl *w, struct json_object *registers, uint32_t number,
		      const struct lane_range *lanes, uint64_t exec)
{
	struct json_object *vgpr = NULL, *array = json_get(registers, "vgprs");
	const char *texts[64];
	char text[64][VALUE_TEXT_MAX];
	uint32_t *words, first = lanes->is_set ? lanes->first : 0, num = 0;
	size_t count = 0;

	if (number < json_rows(registers, "vgprs"))
		vgpr = json_object_array_get_idx(array, number);
	if (json_object_is_type(vgpr, json_type_string))
		count = json_read_words(json_object_get_string(vgpr), &words);
	else
		words = NULL;
	for (uint32_t i = first; i < count && num < 64 && (!lanes->is_set || i <= lanes->last);
	     i++, num++) {
		format_value(w->format, words[i], text[num]);
		texts[num] = text[num];
	}
	free(words);
	if (num)
		emit_lanes(w->emit, "value", texts, first, num, exec);
	return num;
}

static bool emit_scalar(struct wavectl *w, struct json_object *registers, uint32_t space,
			uint32_t number)
{
	const char *key = space < ARRAY_SIZE(spaces) ? spaces[space] : NULL;
	char text[VALUE_TEXT_MAX];
	uint32_t *words;
	size_t num;

	if (!key)
		return false;
	num = json_read_words(json_text(registers, key), &words);
	if (number < num) {
		format_value(w->format, words[number], text);
		emit_str(w->emit, "value", text);
	}
	free(words);
	return number < num;
}

static int emit_register(struct wavectl *w, struct json_object *root, struct json_object *wave,
			 const char *word, const struct lane_range *lanes)
{
	struct json_object *registers = json_get(wave, "registers");
	uint32_t gc_version = gc_version_of(root);
	struct amdgpudbg_reg_range range = { 0 };
	char name[ADBG_REG_NAME_MAX];
	uint64_t exec = ~0ULL;
	bool found = true;

	if (adbg_reg_parse(gc_version, word, &range))
		return fail_with(w, WAVECTL_USAGE, "see \"reg list\"",
				 "there is no register '%s'", word);
	(void)json_uint(wave, "exec", &exec);
	for (uint32_t i = range.first; found && i - range.first < range.count; i++) {
		emit_row(w->emit);
		emit_str(w->emit, "register", reg_shown_name(gc_version, range.space, i, name));
		found = range.space == AMDGPUDBG_REG_VGPR ?
			emit_vgpr(w, registers, i, lanes, exec) :
			emit_scalar(w, registers, range.space, i);
	}
	return found ? WAVECTL_OK :
	       fail_with(w, WAVECTL_GONE, NULL, "the report does not contain %s of that wave",
			 word);
}

int report_show_registers(struct wavectl *w, struct json_object *root,
			  const struct lane_range *lanes)
{
	struct json_object *wave;
	struct adbg_wave_spec spec;
	int status;

	if (w->num_words < 2)
		return fail_with(w, WAVECTL_USAGE, NULL, "a wave and a register are required");
	status = parse_spec(w, w->words[0], &spec);
	if (status)
		return status;
	wave = find_wave(w, root, &spec);
	if (!wave)
		return fail_with(w, WAVECTL_GONE, "see \"wave list\" with --from",
				 "the report has no wave %s", w->words[0]);
	emit_begin(w->emit);
	emit_table(w->emit, "registers", true);
	for (int i = 1; !status && i < w->num_words; i++)
		status = emit_register(w, root, wave, w->words[i], lanes);
	emit_table_end(w->emit);
	return status ? status : end(w);
}

/* ------------------------------------------------------------------------- memory */

/* Find the words at @va. Returns how many follow it; the caller frees @words. */
static size_t find_words(struct wavectl *w, struct json_object *root, uint64_t va,
			 uint32_t **words, size_t *first)
{
	struct json_object *row;
	uint64_t begin;
	size_t num;

	for (size_t i = 0; i < json_rows(root, "memory"); i++) {
		row = json_row(root, "memory", i);
		if (!row || !is_wanted(w, row) || !json_uint(row, "address", &begin) ||
		    begin > va || (va - begin) % 4)
			continue;
		num = json_read_words(json_text(row, "words"), words);
		*first = (va - begin) / 4;
		if (*first < num)
			return num - *first;
		free(*words);
	}
	*words = NULL;
	return 0;
}

#define PER_ROW	4

int report_show_memory(struct wavectl *w, struct json_object *root, uint64_t va, uint64_t bytes)
{
	uint64_t num = bytes / 4 + !!(bytes % 4);
	uint32_t *words;
	size_t first = 0, found = find_words(w, root, va, &words, &first);
	char *line;

	if (found < num) {
		free(words);
		return fail_with(w, WAVECTL_GONE, "reports contain the code around each PC",
				 "the report does not contain the memory at 0x%016" PRIx64,
				 va + 4 * found);
	}
	emit_begin(w->emit);
	emit_table(w->emit, "memory", true);
	for (uint64_t i = 0; i < num; i += PER_ROW) {
		line = format_words(w->format, (uint8_t *)&words[first + i],
				    num - i < PER_ROW ? num - i : PER_ROW);
		emit_row(w->emit);
		emit_hex64(w->emit, "address", va + 4 * i);
		emit_str(w->emit, "data", line);
		free(line);
	}
	emit_table_end(w->emit);
	emit_uint(w->emit, "bytes", 4 * num);
	free(words);
	return end(w);
}

/* --------------------------------------------------------------------- everything */

static void emit_versions(struct wavectl *w, struct json_object *root)
{
	static const char *const keys[] = {
		"number", "gpu", "gc", "pci", "id", "kernel", "module", "driver_build_id",
		"wavectl", "library", NULL
	};

	emit_value(w, root, "time");
	emit_value(w, root, "cause");
	emit_value(w, root, "pid");
	emit_members_of(w, json_get(root, "versions"), keys);
	emit_say(w->emit, json_object_is_type(json_get(root, "pid"), json_type_int) ?
		 "report of process {pid}, {time}, reason: {cause}" :
		 "report of the whole GPU, {time}, reason: {cause}");
	emit_say(w->emit, "GPU {number}, {gpu} (GC {gc}, {id}) at {pci}; kernel {kernel}, amdgpu build id "
		 "{driver_build_id}");
	emit_say(w->emit, "amdgpudbg.ko {module}, wavectl {wavectl}, library {library}");
	emit_value(w, root, "held");
	if (json_get(root, "held") && !json_object_get_boolean(json_get(root, "held")))
		emit_say(w->emit, "the waves could not be halted; they were read while they ran");
}

static void emit_section(struct wavectl *w, struct json_object *root, const char *title,
			 const char *key, const char *const *keys)
{
	if (!json_rows(root, key))
		return;
	emit_say(w->emit, "");
	emit_say(w->emit, title);
	emit_array(w, root, key, keys);
}

/* The waves by their names, so that the time for all groups does not grow with both numbers */
static struct json_object *index_waves(struct wavectl *w, struct json_object *root)
{
	struct json_object *index = json_new(), *wave;
	const char *name;

	for (size_t i = 0; i < json_rows(root, "waves"); i++) {
		wave = json_row(root, "waves", i);
		name = json_word(wave, "name");
		if (wave && is_wanted(w, wave) && !json_get(index, name))
			json_put(index, name, json_object_get(wave));
	}
	return index;
}

/* The hardware registers of the first wave of each group */
static void emit_registers(struct wavectl *w, struct json_object *root)
{
	struct json_object *index = index_waves(w, root), *wave;

	emit_table(w->emit, "registers", true);
	for (size_t i = 0; i < json_rows(root, "groups"); i++) {
		const char *name = json_word(json_row(root, "groups", i), "first");

		wave = json_get(index, name);
		if (!json_get(wave, "registers"))
			continue;
		emit_row(w->emit);
		emit_str(w->emit, "name", name);
		emit_value(w, wave, "exec");
		emit_hardware(w, root, wave);
		emit_sgprs(w, wave);
		/* Once, however many groups refer to it */
		json_object_object_del(index, name);
	}
	emit_table_end(w->emit);
	json_object_put(index);
}

static bool has_registers(struct json_object *root)
{
	for (size_t i = 0; i < json_rows(root, "waves"); i++)
		if (json_get(json_row(root, "waves", i), "registers"))
			return true;
	return false;
}

int report_show(struct wavectl *w, struct json_object *root)
{
	static const char *const fault_keys[] = {
		"address", "access", "client", "vmid", "pasid", "count", "mapped", "near", NULL
	};
	static const char *const group_keys[] = {
		"waves", "first", "pid", "program", "pc", "place", "instruction", "state", "reason",
		NULL
	};
	static const char *const barrier_keys[] = {
		"group", "barrier", "name", "pc", "state", NULL
	};

	emit_begin(w->emit);
	emit_versions(w, root);
	emit_section(w, root, "Faults:", "faults", fault_keys);
	emit_section(w, root, "Jobs:", "jobs", job_keys);
	emit_section(w, root, "Waves, by PC and reason:", "groups", group_keys);
	emit_section(w, root, "Work-groups that wait at a barrier:", "barriers", barrier_keys);
	if (has_registers(root)) {
		emit_say(w->emit, "");
		emit_say(w->emit, "Registers of the first wave of each row above:");
		emit_registers(w, root);
	}
	if (json_rows(root, "code")) {
		emit_say(w->emit, "");
		emit_say(w->emit, "Code around each PC:");
		emit_code(w, root, NULL);
	}
	emit_uint(w->emit, "count", json_rows(root, "waves"));
	emit_uint(w->emit, "num_mappings", json_rows(root, "mappings"));
	emit_say(w->emit, "{count} waves, {num_mappings} mappings");
	return end(w);
}
