// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parses, reads, writes and prints registers: see regs.h.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "base/util.h"
#include "waves/regs.h"
#include "waves/temp_halt.h"

#define MAX_LANES 64

static uint32_t gc_version(const struct wavectl *w)
{
	return adbg_session_get_gc_version(w->session);
}

static uint32_t num_values(const struct amdgpudbg_reg_range *range)
{
	return adbg_reg_num_values(range, 1);
}

static int parse_wave(struct wavectl *w, struct regs *regs)
{
	struct adbg_wave_spec spec;
	const char *text;
	int status;

	if (w->num_words < 2)
		return fail_with(w, WAVECTL_USAGE, "see wavectl --help",
				 "a wave and at least one register are required");

	text = w->words[0];
	status = parse_spec(w, text, &spec);
	if (status)
		return status;
	if (adbg_wave_spec_mode(&spec, &regs->at) != AMDGPUDBG_WAVEMODE_SINGLE)
		return fail_with(w, WAVECTL_USAGE,
				 "name one wave, such as se0.sa0.wgp3.simd1.wave5",
				 "'%s' does not name a single wave", text);
	adbg_wave_name(&regs->at, regs->name);
	return WAVECTL_OK;
}

/* Names without a number that stand for two words. */
static bool is_pair(const struct amdgpudbg_reg_range *range, const char *text)
{
	return range->count == 2 && !strpbrk(text, "0123456789");
}

/* A wave has 48 bits of its PC, in PC_LO and 16 bits of PC_HI. It is printed sign-extended. */
static bool is_pc(const struct reg_word *word)
{
	return word->pair && !strcasecmp(word->text, "pc");
}

static uint64_t pair_value(const struct reg_word *word, const uint32_t *values)
{
	uint64_t value = (uint64_t)values[1] << 32 | values[0];

	return is_pc(word) ? (uint64_t)((int64_t)(value << 16) >> 16) : value;
}

static int parse_word(struct wavectl *w, struct reg_word *word,
		      const char *text, bool write)
{
	char *assigned;
	int ret;

	word->text = xstrdup(text);
	assigned = strchr(word->text, '=');
	if (assigned)
		*assigned++ = '\0';
	word->assigned = assigned;
	if (write != !!assigned)
		return fail_with(w, WAVECTL_USAGE, "see wavectl --help",
				 write ? "'%s' has no value: use REG=VALUE" :
					 "'%s' has a value: \"reg write\" writes registers",
				 text);

	ret = adbg_reg_parse(gc_version(w), word->text, &word->range);
	if (ret)
		return fail_with(w, WAVECTL_USAGE, "see \"wavectl reg list\"",
				 ret == -ERANGE ? "there is no register '%s'" :
						  "'%s' is not a register",
				 word->text);
	word->pair = is_pair(&word->range, word->text);
	return WAVECTL_OK;
}

static int parse_words(struct wavectl *w, struct regs *regs, bool write)
{
	unsigned int count = w->num_words - 1;
	int status;

	if (count >= AMDGPUDBG_REG_RANGES_MAX)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "more than %u registers or ranges of them",
				 AMDGPUDBG_REG_RANGES_MAX - 1);

	regs->words = xcalloc(count, sizeof(*regs->words));
	regs->num_words = count;
	for (unsigned int i = 0; i < count; i++) {
		struct reg_word *word = &regs->words[i];

		status = parse_word(w, word, w->words[i + 1], write);
		if (status)
			return status;
		regs->has_vgprs |= word->range.space == AMDGPUDBG_REG_VGPR;
	}

	return WAVECTL_OK;
}

static int fail_regs(struct wavectl *w, const struct regs *regs, int error,
		     bool write)
{
	return fail(w, error, "cannot %s the registers of %s",
		    write ? "write" : "read", regs->name);
}

/* Read a hardware register of a wave, which may run. Returns an exit status. */
static int read_hwreg(struct wavectl *w, const struct regs *regs,
		      const char *name, uint32_t *value)
{
	struct amdgpudbg_reg_range range = { 0 };
	struct amdgpudbg_reg_access access = {
		.at = regs->at, .vmid = w->vmid,
		.ranges = (uintptr_t)&range, .num_ranges = 1,
		.values = (uintptr_t)value, .num_values = 1,
	};
	int ret = adbg_reg_parse(gc_version(w), name, &range);

	if (!ret)
		ret = adbg_reg_access(w->session, &access);
	return ret ? fail_regs(w, regs, ret, false) : WAVECTL_OK;
}

static uint32_t field_of(struct wavectl *w, const char *reg, const char *name,
			 uint32_t value)
{
	const struct adbg_reg *r = adbg_reg_find(gc_version(w), reg);
	const struct adbg_field *f = r ? adbg_reg_find_field(r, name) : NULL;

	return f ? adbg_field_value(f, value) : 0;
}

/* The lanes: those of --lane, or all of the wave */
static int set_lanes(struct wavectl *w, struct regs *regs)
{
	uint32_t ib_sts2;
	int status;

	if (!regs->has_vgprs && regs->options.lanes.is_set)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "--lane applies to VGPRs only");
	if (!regs->has_vgprs)
		return WAVECTL_OK;
	if (!regs->options.lanes.is_set) {
		status = read_hwreg(w, regs, "ib_sts2", &ib_sts2);
		if (status)
			return status;
		regs->options.lanes.last = field_of(w, "IB_STS2", "WAVE64", ib_sts2) ?
			       63 : 31;
	}

	for (unsigned int i = 0; i < regs->num_words; i++) {
		struct amdgpudbg_reg_range *range = &regs->words[i].range;

		if (range->space != AMDGPUDBG_REG_VGPR)
			continue;
		range->first_lane = regs->options.lanes.first;
		range->num_lanes = regs->options.lanes.last - regs->options.lanes.first + 1;
	}

	return WAVECTL_OK;
}

static int make_ranges(struct wavectl *w, struct regs *regs, bool write)
{
	uint64_t sum = 0;
	int ret;

	regs->ranges = xcalloc(regs->num_words + 1, sizeof(*regs->ranges));
	for (unsigned int i = 0; i < regs->num_words; i++) {
		regs->words[i].first_value = sum;
		regs->ranges[i] = regs->words[i].range;
		sum += num_values(&regs->ranges[i]);
	}
	regs->num_ranges = regs->num_words;
	if (regs->has_vgprs && !write) {
		ret = adbg_reg_parse(gc_version(w), "exec",
				     &regs->ranges[regs->num_ranges++]);
		if (ret)
			return fail_regs(w, regs, ret, write);
		sum += 2;
	}
	if (sum > AMDGPUDBG_REG_VALUES_MAX)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "%" PRIu64 " values are too many for one call",
				 sum);

	regs->num_values = sum;
	regs->values = xcalloc(sum, sizeof(*regs->values));
	return WAVECTL_OK;
}

/* Parse an integer, also a negative one, that fits in the register, or a float. */
static bool parse_value(const struct wavectl *w, const char *text,
			unsigned int bits, uint64_t *value)
{
	bool minus = *text == '-';
	uint64_t max = bits == 64 ? UINT64_MAX : UINT32_MAX;
	float number;
	char *end;

	if (w->format == FORMAT_FLOAT && bits == 32) {
		uint32_t raw;

		number = strtof(text, &end);
		memcpy(&raw, &number, sizeof(raw));
		*value = raw;
		return *text && !*end;
	}

	if (minus)
		max = 1ULL << (bits - 1);
	if (!parse_u64(text + minus, max, value))
		return false;
	if (minus)
		*value = -*value;
	return true;
}

/* Parse the values of one REG, separated by commas. @count: their number */
static int parse_values(struct wavectl *w, const struct reg_word *word,
			char *text, uint32_t *values, uint32_t *count)
{
	bool pair = word->pair && !strchr(text, ',');
	uint64_t value;
	char *one;

	*count = 0;
	while ((one = strsep(&text, ","))) {
		if (!parse_value(w, one, pair ? 64 : 32, &value))
			return fail_with(w, WAVECTL_USAGE, NULL,
					 "'%s' is not a value for %s", one,
					 word->text);
		if (*count < num_values(&word->range))
			values[*count] = value;
		++*count;
	}
	if (pair)
		values[(*count)++] = value >> 32 & (is_pc(word) ? 0xffff : 0xffffffff);
	return WAVECTL_OK;
}

/*
 * Assign the values. A single value applies to all registers, and values for one lane apply to
 * all lanes.
 */
static int assign(struct wavectl *w, const struct reg_word *word, char *text,
		  uint32_t *values)
{
	uint32_t regs = word->range.count, count, i;
	int status;

	status = parse_values(w, word, text, values, &count);
	if (status)
		return status;
	if (count != 1 && count != regs && count != num_values(&word->range))
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "%s has %u registers, not %u", word->text,
				 regs, count);

	for (i = count; i < num_values(&word->range); i++)
		values[i] = values[i - count];
	return WAVECTL_OK;
}

/* Parse --compare, with values for each REG; @text is modified. */
static int assign_compare(struct wavectl *w, struct regs *regs, char *text)
{
	int status;

	regs->compare = xcalloc(regs->num_values, sizeof(*regs->compare));
	for (unsigned int i = 0; i < regs->num_words; i++) {
		char *one = strsep(&text, ",");

		if (!one)
			break;
		status = assign(w, &regs->words[i], one,
				regs->compare + regs->words[i].first_value);
		if (status)
			return status;
		if (i == regs->num_words - 1 && !text)
			return WAVECTL_OK;
	}

	return fail_with(w, WAVECTL_USAGE, NULL,
			 "--compare needs one value for each REG");
}

static int assign_all(struct wavectl *w, struct regs *regs)
{
	char *compare;
	int status;

	for (unsigned int i = 0; i < regs->num_words; i++) {
		struct reg_word *word = &regs->words[i];

		status = assign(w, word, word->assigned,
				regs->values + word->first_value);
		if (status)
			return status;
	}
	if (!regs->options.compare)
		return WAVECTL_OK;

	compare = xstrdup(regs->options.compare);
	status = assign_compare(w, regs, compare);
	free(compare);
	return status;
}

static int do_halt(struct wavectl *w, struct regs *regs)
{
	struct amdgpudbg_wave_control control = {
		.op = AMDGPUDBG_WAVEOP_HALT, .mode = AMDGPUDBG_WAVEMODE_SINGLE,
		.vmid = w->vmid, .at = regs->at,
	};
	uint32_t hw_id2;
	int ret, status;

	if (!control.vmid) {
		status = read_hwreg(w, regs, "hw_id2", &hw_id2);
		if (status)
			return status;
		control.vmid = field_of(w, "HW_ID2", "VM_ID", hw_id2);
	}

	ret = adbg_wave_control(w->session, &control);
	if (ret)
		return fail(w, ret, "cannot halt %s",
			    regs->name);
	regs->halted_vmid = control.vmid;
	return WAVECTL_OK;
}

/*
 * In a shell, do not halt a wave that is halted already, so that a wave halted here can be
 * resumed.
 */
static int halt(struct wavectl *w, struct regs *regs)
{
	uint32_t wave_status;
	int status;

	if (w->shell) {
		status = read_hwreg(w, regs, "status", &wave_status);
		if (status || field_of(w, "STATUS", "HALT", wave_status))
			return status;
	}
	return do_halt(w, regs);
}

static bool was_halted(void *arg, const struct amdgpudbg_wave *wave)
{
	const struct regs *regs = arg;

	return temp_halt_is(wave, regs->halted_vmid, &regs->at);
}

int regs_resume(struct wavectl *w, struct regs *regs)
{
	struct temp_halt which = { .is_ours = was_halted, .arg = regs };

	if (!w->shell || !regs->halted_vmid)
		return WAVECTL_OK;
	return temp_halt_end(w, &which);
}

int regs_prepare(struct wavectl *w, const struct regs_options *options, struct regs *regs,
		 bool write)
{
	int status;

	memset(regs, 0, sizeof(*regs));
	regs->options = *options;
	status = parse_wave(w, regs);
	if (!status)
		status = open_target(w);
	if (!status)
		status = parse_words(w, regs, write);
	if (!status)
		status = set_lanes(w, regs);
	if (!status)
		status = make_ranges(w, regs, write);
	if (!status && write)
		status = assign_all(w, regs);
	if (!status && regs->options.halt && !w->dry_run)
		status = halt(w, regs);
	return status;
}

void regs_free(struct regs *regs)
{
	for (unsigned int i = 0; i < regs->num_words; i++)
		free(regs->words[i].text);
	free(regs->words);
	free(regs->ranges);
	free(regs->values);
	free(regs->compare);
}

int regs_access(struct wavectl *w, struct regs *regs, bool write)
{
	struct amdgpudbg_reg_access *a = &regs->done;
	uint32_t n = regs->num_values;
	int ret;

	*a = (struct amdgpudbg_reg_access){
		.at = regs->at,
		.vmid = w->vmid,
		.ranges = (uintptr_t)regs->ranges,
		.num_ranges = regs->num_ranges,
		.values = (uintptr_t)regs->values,
		.compare = (uintptr_t)regs->compare,
		.num_values = n,
		.pc = w->pc.value,
	};
	if (write)
		a->flags |= AMDGPUDBG_REG_ACCESS_WRITE;
	if (regs->compare)
		a->flags |= AMDGPUDBG_REG_ACCESS_COMPARE;
	if (w->pc.is_set)
		a->flags |= AMDGPUDBG_REG_ACCESS_EXPECT_PC;

	ret = adbg_reg_access(w->session, a);
	if (ret && write && a->num_done)
		return fail(w, ret, "only %u of %u values of %s were written",
			    a->num_done, n, regs->name);
	if (ret)
		return fail_regs(w, regs, ret, write);
	if (regs->has_vgprs && !write)
		regs->exec = (uint64_t)regs->values[n - 1] << 32 |
			     regs->values[n - 2];
	return WAVECTL_OK;
}

void format_value(enum value_format format, uint32_t value,
		  char text[VALUE_TEXT_MAX])
{
	float number;

	switch (format) {
	case FORMAT_HEX:
		snprintf(text, 32, "0x%08" PRIx32, value);
		break;
	case FORMAT_INT:
		snprintf(text, 32, "%" PRId32, (int32_t)value);
		break;
	case FORMAT_UINT:
		snprintf(text, 32, "%" PRIu32, value);
		break;
	case FORMAT_FLOAT:
		memcpy(&number, &value, sizeof(number));
		snprintf(text, 32, "%.9g", number);
		break;
	}
}

static uint32_t get_dword(const uint8_t *bytes)
{
	return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

char *format_words(enum value_format format, const uint8_t *data, size_t count)
{
	char text[VALUE_TEXT_MAX], *line = NULL;

	for (size_t i = 0; i < count; i++) {
		format_value(format, get_dword(data + 4 * i), text);
		xappend(&line, "%s%s", i ? "  " : "", text);
	}
	return line;
}

const char *reg_shown_name(uint32_t gc_version, uint32_t space, uint32_t number,
			   char name[ADBG_REG_NAME_MAX])
{
	struct amdgpudbg_reg_range vcc;

	if (!adbg_reg_parse(gc_version, "vcc", &vcc) && space == vcc.space &&
	    number - vcc.first < vcc.count)
		return number == vcc.first ? "vcc_lo" : "vcc_hi";
	return adbg_reg_name(gc_version, space, number, name);
}

/* Print register @i of a word in all of its lanes. */
static void emit_vgpr(struct wavectl *w, const struct regs *regs,
		      const struct reg_word *word, uint32_t i, uint64_t active)
{
	const uint32_t *values = regs->values + word->first_value + i;
	const char *texts[MAX_LANES];
	char text[MAX_LANES][32];

	for (uint32_t lane = 0; lane < word->range.num_lanes; lane++) {
		format_value(w->format, values[lane * word->range.count],
			     text[lane]);
		texts[lane] = text[lane];
	}
	emit_lanes(w->emit, "value", texts, word->range.first_lane,
		   word->range.num_lanes, active);
}

/* Do the lanes have different values? */
static bool lanes_differ(const struct reg_word *word, const uint32_t *values, uint32_t i)
{
	for (uint32_t lane = 1; lane < word->range.num_lanes; lane++)
		if (values[lane * word->range.count + i] != values[i])
			return true;
	return false;
}

static void emit_word(struct wavectl *w, const struct regs *regs,
		      const struct reg_word *word, uint32_t i, bool write)
{
	const uint32_t *values = regs->values + word->first_value;
	bool vgpr = word->range.space == AMDGPUDBG_REG_VGPR;
	char name[ADBG_REG_NAME_MAX], lanes[32], text[32];
	const struct adbg_reg *reg;

	adbg_reg_name(gc_version(w), word->range.space, word->range.first + i,
		      name);
	snprintf(lanes, sizeof(lanes), "%u-%u", word->range.first_lane,
		 word->range.first_lane + word->range.num_lanes - 1);
	format_value(w->format, values[i], text);

	emit_row(w->emit);
	emit_str(w->emit, "register", word->pair ? word->text : name);
	if (vgpr)
		emit_str(w->emit, "lanes", lanes);
	else
		emit_none(w->emit, "lanes");
	if (word->pair)
		emit_hex64(w->emit, "value", pair_value(word, values));
	else if (vgpr && !write)
		emit_vgpr(w, regs, word, i, regs->exec);
	else if (lanes_differ(word, values, i))
		emit_vgpr(w, regs, word, i, ~0ULL);
	else
		emit_str(w->emit, "value", text);

	reg = w->verbose && word->range.space == AMDGPUDBG_REG_HW ?
	      adbg_reg_find(gc_version(w), name) : NULL;
	if (reg && !word->pair)
		emit_reg(w->emit, reg, values[i]);
}

void regs_emit(struct wavectl *w, const struct regs *regs, bool write)
{
	emit_at(w->emit, "name", &regs->at);
	emit_table(w->emit, "registers", true);
	for (unsigned int i = 0; i < regs->num_words; i++) {
		const struct reg_word *word = &regs->words[i];
		uint32_t count = word->pair ? 1 : word->range.count;

		for (uint32_t n = 0; n < count; n++)
			emit_word(w, regs, word, n, write);
	}
	emit_table_end(w->emit);
}
