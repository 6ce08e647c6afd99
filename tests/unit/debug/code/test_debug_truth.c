// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/debug/code/: the variables of kernels that vgpu's interpreter executes have the values that
 * the same source computes on the CPU, as tests/unit/debug/truth has recorded them. Without
 * optimization, those at the beginning of each statement are compared; with optimization, all that
 * the debug information locates at each instruction have to be one of the values that the variable
 * has on the CPU.
 *
 * usage: test_debug_truth [OBJECT KERNEL RECORDS LANES statements|instructions]
 *
 * With arguments, one kernel is compared, and all differences are printed. RECORDS-pattern and
 * RECORDS-zero are what record.py has written: bytes that are not the same in both have no value.
 */
#include <stdio.h>
#include <stdlib.h>

#include "interpreted.h"
#include "truth.h"

#define MAX_STEPS	2000000

/* Calls and returns, by the compiler's convention */
#define S_PC_MASK	0xff80ff00
#define S_SWAPPC	0xbe802100
#define S_SETPC		0xbe802000

/* The variables at one place of the CPU's run */
struct record {
	unsigned int run;
	unsigned int depth;	/* of calls */
	const char *function;
	unsigned int line;
	char *variables;	/* "NAME:LINE=BYTES ..." */
	char *other;		/* the same of the other run */
};

/* A value of a variable in a record */
struct truth {
	const char *bytes;	/* hexadecimal */
	const char *other;
	size_t size;
};

struct records {
	struct record *all;
	size_t num;		/* that are compared */
	size_t total;		/* with those that are left out, which follow */
	size_t next[TRUTH_NUM_LANES];	/* the statement to come */
};

struct counts {
	unsigned int statements;	/* that were compared */
	unsigned int unseen;		/* statements of the CPU to which no lane has come */
	unsigned int extra;		/* lines that the CPU does not execute then */
	unsigned int compared, equal;	/* variables */
	unsigned int not_located;
	unsigned int unset;		/* they have no value yet */
	unsigned int known;		/* different, because LLVM describes them wrongly */
	unsigned int unlike;		/* types of another size, such as private pointers */
};

/* Variables with optimization that are in memory: whether they have had their value */
struct memory {
	struct {
		const char *name, *function;
		unsigned int line, lane;
		bool was_equal, was_ever_equal;
	} all[128];
	unsigned int num;
};

/* The functions that a lane is in, with their lines */
struct calls {
	struct {
		const char *function;
		unsigned int line;
	} all[16];
	unsigned int depth;
};

static const unsigned int lanes[TRUTH_NUM_LANES] = TRUTH_LANES;
static struct machine *machine;
static bool prints;
static unsigned int depth;	/* of calls that the wave has executed */
static struct memory memory;

/* -------------------------------------------------------------------- records */

static struct record *read_file(const char *base, const char *name, size_t *num)
{
	struct record *all = NULL;
	char path[512], *line = NULL, function[128];
	size_t room = 0;
	int end;
	FILE *f;

	snprintf(path, sizeof(path), "%s-%s", base, name);
	f = fopen(path, "r");
	if (!f)
		fail_msg("cannot open %s", path);
	*num = 0;
	while (getline(&line, &room, f) > 0) {
		struct record r = { 0 };

		if (sscanf(line, "%u %u %127s %u%n", &r.run, &r.depth, function, &r.line,
			   &end) != 4)
			fail_msg("damaged line in %s: %s", path, line);
		r.function = strdup(function);
		r.variables = strdup(line + end);
		all = realloc(all, (*num + 1) * sizeof(*all));
		all[(*num)++] = r;
	}
	free(line);
	fclose(f);
	return all;
}

static void free_records(struct record *all, size_t num)
{
	size_t i;

	for (i = 0; i < num; i++) {
		free((char *)all[i].function);
		free(all[i].variables);
		free(all[i].other);
	}
	free(all);
}

static void read_records(const char *base, struct records *r)
{
	size_t num, i;
	struct record *other = read_file(base, "zero", &num);

	memset(r, 0, sizeof(*r));
	r->all = read_file(base, "pattern", &r->num);
	r->total = r->num;
	assert_int_equal(num, r->num);
	for (i = 0; i < num; i++) {
		assert_int_equal(other[i].line, r->all[i].line);
		r->all[i].other = other[i].variables;
		other[i].variables = NULL;
	}
	free_records(other, num);
}

static const char *find_bytes(const char *variables, const struct adbgd_variable *v)
{
	char key[160];
	const char *at;

	snprintf(key, sizeof(key), " %s:%u=", v->name, v->line);
	at = strstr(variables, key);
	return at ? at + strlen(key) : NULL;
}

static bool find_truth(const struct record *r, const struct adbgd_variable *v, struct truth *t)
{
	if (strcmp(r->function, v->function))
		return false;
	t->bytes = find_bytes(r->variables, v);
	t->other = find_bytes(r->other, v);
	t->size = t->bytes ? strspn(t->bytes, "0123456789abcdef") / 2 : 0;
	return t->bytes && t->other;
}

/*
 * Is the lane in another line than before? A return to the middle of a line is none. @depth: of
 * calls, from 1
 */
static bool begins_statement(struct calls *c, unsigned int depth, const char *function,
			     unsigned int line)
{
	assert_true(depth && depth <= ARRAY_SIZE(c->all));
	for (; c->depth < depth; c->depth++)
		c->all[c->depth].function = "";
	c->depth = depth;
	if (c->all[depth - 1].line == line && !strcmp(c->all[depth - 1].function, function))
		return false;
	c->all[depth - 1].function = function;
	c->all[depth - 1].line = line;
	return true;
}

/* Leave only the first record of each statement. */
static void keep_statements(struct records *r)
{
	struct calls calls = { .depth = 0 };
	size_t i, kept = 0;
	unsigned int run = 0;

	for (i = 0; i < r->num; i++) {
		if (r->all[i].run != run)
			calls.depth = 0;
		run = r->all[i].run;
		if (begins_statement(&calls, r->all[i].depth, r->all[i].function,
				     r->all[i].line)) {
			struct record left_out = r->all[kept];

			r->all[kept++] = r->all[i];
			r->all[i] = left_out;
		}
	}
	r->num = kept;
	for (i = kept; i--;)
		r->next[r->all[i].run] = i;
}

/* ----------------------------------------------------------------- comparison */

enum verdict { NOTHING, EQUAL, DIFFERENT };

static unsigned int digit(char c)
{
	return c <= '9' ? c - '0' : c - 'a' + 10;
}

static uint8_t byte_at(const char *hex, size_t i)
{
	return (uint8_t)(digit(hex[2 * i]) << 4 | digit(hex[2 * i + 1]));
}

/* One number at @offset. @known: one flag for each byte */
static enum verdict compare_bits(const uint8_t *bytes, const bool *known, const struct truth *t,
				 size_t offset, size_t size, uint64_t mask)
{
	uint64_t is = 0, truth = 0, other = 0;
	size_t i;

	if (offset + size > t->size || size > 8)
		return NOTHING;
	for (i = 0; i < size; i++) {
		if (!known[offset + i])
			return NOTHING;
		is |= (uint64_t)bytes[offset + i] << 8 * i;
		truth |= (uint64_t)byte_at(t->bytes, offset + i) << 8 * i;
		other |= (uint64_t)byte_at(t->other, offset + i) << 8 * i;
	}
	if ((truth ^ other) & mask)
		return NOTHING;
	return (is ^ truth) & mask ? DIFFERENT : EQUAL;
}

/* Join the verdicts of two parts. */
static enum verdict join(enum verdict a, enum verdict b)
{
	return a > b ? a : b;
}

static enum verdict compare(const struct adbgd_type *type, const uint8_t *bytes, const bool *known,
			    const struct truth *t, size_t offset);

static enum verdict compare_member(const struct adbgd_member *m, const uint8_t *bytes,
				   const bool *known, const struct truth *t, size_t offset)
{
	size_t size = (m->bit_offset + m->bit_size + 7) / 8;

	if (!m->bit_size)
		return compare(m->type, bytes, known, t, offset + m->offset);
	return compare_bits(bytes, known, t, offset + m->offset, size,
			    ((1ULL << m->bit_size) - 1) << m->bit_offset);
}

/* Compare each number of a value. Pointers are the same only to global memory. */
static enum verdict compare(const struct adbgd_type *type, const uint8_t *bytes, const bool *known,
			    const struct truth *t, size_t offset)
{
	enum verdict verdict = NOTHING;
	uint64_t i;

	switch (type->kind) {
	case ADBGD_TYPE_STRUCT:
		for (i = 0; i < type->num_members; i++)
			verdict = join(verdict, compare_member(&type->members[i], bytes, known, t,
							       offset));
		return verdict;
	case ADBGD_TYPE_ARRAY:
	case ADBGD_TYPE_VECTOR:
		for (i = 0; i < type->count; i++)
			verdict = join(verdict, compare(type->target, bytes, known, t,
							offset + i * type->target->size));
		return verdict;
	case ADBGD_TYPE_POINTER:
		if (type->size != 8 || type->space != ADBGD_SPACE_GLOBAL)
			return NOTHING;
		break;
	case ADBGD_TYPE_OTHER:
	case ADBGD_TYPE_VOID:
	case ADBGD_TYPE_UNION:
	case ADBGD_TYPE_FUNCTION:
		return NOTHING;
	default:
		break;
	}
	return compare_bits(bytes, known, t, offset, type->size, ~0ULL);
}

/* ----------------------------------------------------------------- the library */

static struct adbgd_context context_of(unsigned int lane)
{
	return (struct adbgd_context){
		.read_register = interpreted_register, .read_memory = interpreted_memory,
		.data = machine, .lanes = machine->w->lanes, .lane = lane,
	};
}

/* Which bytes of the variable are located, and is one in memory? Returns 0 or -errno. */
static int find_known(struct adbgd_variables *variables, size_t i,
		      const struct adbgd_context *context, size_t size, bool **known,
		      bool *in_memory)
{
	struct adbgd_location *location = malloc(sizeof(*location));
	size_t at = 0, n;
	int ret = adbgd_variable_locate(variables, i, context, location, NULL);

	*known = calloc(size + 1, sizeof(**known));
	*in_memory = false;
	for (n = 0; !ret && n < location->num_pieces; n++) {
		const struct adbgd_piece *p = &location->pieces[n];
		size_t b;

		*in_memory |= p->where == ADBGD_PIECE_IN_MEMORY;
		for (b = 0; b < p->size && at < size; b++)
			(*known)[at++] = p->where != ADBGD_PIECE_OPTIMIZED_OUT;
	}
	free(location);
	return ret;
}

/* The entry of a variable in memory, in one lane */
static unsigned int find_in_memory(const struct adbgd_variable *v, unsigned int lane)
{
	unsigned int i;

	for (i = 0; i < memory.num; i++)
		if (memory.all[i].line == v->line && memory.all[i].lane == lane &&
		    !strcmp(memory.all[i].name, v->name) &&
		    !strcmp(memory.all[i].function, v->function))
			return i;
	assert_true(i < ARRAY_SIZE(memory.all));
	memory.all[i].name = v->name;
	memory.all[i].function = v->function;
	memory.all[i].line = v->line;
	memory.all[i].lane = lane;
	return memory.num++;
}

static bool was_equal(const struct adbgd_variable *v, unsigned int lane)
{
	return memory.all[find_in_memory(v, lane)].was_equal;
}

static void set_equal(const struct adbgd_variable *v, unsigned int lane)
{
	unsigned int i = find_in_memory(v, lane);

	memory.all[i].was_equal = true;
	memory.all[i].was_ever_equal = true;
}

/* A function is called: what is in its frame is not that of this call. */
static void forget_frame(const char *function)
{
	unsigned int i;

	for (i = 0; i < memory.num; i++)
		if (!strcmp(memory.all[i].function, function))
			memory.all[i].was_equal = false;
}

/*
 * What LLVM 19 describes wrongly with optimization, as llvm-dwarfdump and llvm-objdump show: it
 * turns the comparison for @odd round and names the old value; it names v40 for @i before the
 * instruction that moves the number there; v0 for both @x, after that was moved to another
 * register; and one register for both @total, also before they are 0.
 */
static bool is_known(const struct adbgd_variable *v)
{
	static const char *const known[][2] = {
		{ "odd", "vars" }, { "i", "calls" }, { "x", "middle" }, { "x", "last" },
		{ "total", "walk" }, { "total", "peek" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(known); i++)
		if (!strcmp(v->name, known[i][0]) && !strcmp(v->function, known[i][1]))
			return true;
	return false;
}

static void print_difference(uint64_t pc, unsigned int lane, const struct adbgd_variable *v,
			     struct adbgd_value *value, const struct truth *t)
{
	char text[256];

	if (!prints)
		return;
	adbgd_value_text(value, 0, text, sizeof(text));
	printf("# pc %#llx lane %u: %s of %s, line %u, is %s, not %.*s\n",
	       (unsigned long long)(pc - VA_IMAGE), lane, v->name, v->function, v->line, text,
	       (int)(2 * t->size < 64 ? 2 * t->size : 64), t->bytes);
}

/* Compare one variable with each of @num records; it has to be equal to one of them. */
static void compare_with(struct adbgd_variables *variables, size_t i, unsigned int l,
			 const struct record *records, size_t num, struct counts *c)
{
	const struct adbgd_variable *v = adbgd_variables_get(variables, i);
	struct adbgd_context context = context_of(lanes[l]);
	enum verdict verdict = NOTHING, one;
	struct truth t = { 0 }, last = { 0 };
	struct adbgd_value *value;
	bool *known, was_found = false, in_memory;
	size_t n;
	int ret = adbgd_variable_read(variables, i, &context, &value, NULL);

	if (ret == -ENODATA) {
		c->not_located++;
		return;
	}
	assert_int_equal(ret, 0);
	assert_int_equal(find_known(variables, i, &context, v->type->size, &known,
				    &in_memory), 0);
	for (n = 0; n < num && verdict != EQUAL; n++) {
		if (records[n].run != l || !find_truth(&records[n], v, &t))
			continue;
		was_found = true;
		last = t;
		one = t.size == v->type->size ?
		      compare(v->type, adbgd_value_get_bytes(value), known, &t, 0) : NOTHING;
		verdict = one == EQUAL ? EQUAL : join(verdict, one);
	}
	/* Memory is there before the variable has its value. */
	if (num > 1 && in_memory && verdict == EQUAL)
		set_equal(v, lanes[l]);
	else if (num > 1 && in_memory && verdict == DIFFERENT && !was_equal(v, lanes[l]))
		verdict = NOTHING;
	c->unlike += was_found && last.size != v->type->size;
	c->unset += was_found && last.size == v->type->size && verdict == NOTHING;
	c->compared += verdict != NOTHING;
	c->equal += verdict == EQUAL;
	c->known += verdict == DIFFERENT && num > 1 && is_known(v);
	if (verdict == DIFFERENT)
		print_difference(machine->w->pc, lanes[l], v, value, &last);
	free(known);
	adbgd_value_free(value);
}

/* ------------------------------------------------------------------- the run */

/* Has the lane come to a statement? Returns its record, or NULL. */
static const struct record *find_statement(struct records *r, struct calls *calls,
					   struct adbgd_code *code, unsigned int l,
					   struct counts *c)
{
	uint64_t pc = machine->w->pc;
	struct adbgd_frame frame;
	struct calls before = calls[l];
	struct adbgd_line body;
	const struct record *record = &r->all[r->next[l]];
	size_t count;

	if (adbgd_frames_at(code, pc, &frame, 1, &count, NULL) || !count || !frame.line ||
	    frame.flags & ADBGD_FRAME_NEAR)
		return NULL;
	if (!adbgd_function_find(code, frame.function, &body, 1, &count, NULL) && count == 1 &&
	    pc < body.address)
		return NULL;
	if (!begins_statement(&calls[l], depth, frame.function, frame.line))
		return NULL;
	if (r->next[l] >= r->num || record->run != l || record->line != frame.line ||
	    strcmp(record->function, frame.function)) {
		/*
		 * For spills of SGPRs all lanes are active for some instructions, also those that
		 * do not execute the branch.
		 */
		calls[l] = before;
		c->extra++;
		if (prints)
			printf("# pc %#llx lane %u: line %u of %s is not line %u of %s\n",
			       (unsigned long long)(pc - VA_IMAGE), lanes[l], frame.line,
			       frame.function, record->line, record->function);
		return NULL;
	}
	r->next[l]++;
	c->statements++;
	return record;
}

/* Has the variable been declared, and not only its place in memory? */
static bool is_declared(const struct adbgd_variable *v, const struct record *at)
{
	return v->flags & ADBGD_VARIABLE_PARAMETER || at->line > v->line;
}

static void compare_here(struct records *r, struct calls *calls, struct adbgd_code *code,
			 bool by_statement, struct counts *c)
{
	struct adbgd_variables *variables = NULL;
	const struct adbgd_variable *v;
	uint64_t exec = machine->w->s[VGPU_S_EXEC] |
			(machine->w->lanes > 32 ?
			 (uint64_t)machine->w->s[VGPU_S_EXEC + 1] << 32 : 0);
	unsigned int l;
	size_t i;

	assert_int_equal(adbgd_variables_new(code, machine->w->pc, &variables, NULL), 0);
	for (l = 0; l < TRUTH_NUM_LANES; l++) {
		const struct record *at = NULL;

		if (!(exec >> lanes[l] & 1))
			continue;
		if (by_statement)
			at = find_statement(r, calls, code, l, c);
		if (by_statement && !at)
			continue;
		for (i = 0; (v = adbgd_variables_get(variables, i)); i++) {
			if (v->flags & ADBGD_VARIABLE_GLOBAL || !v->function ||
			    (at && !is_declared(v, at)))
				continue;
			compare_with(variables, i, l, at ? at : r->all, at ? 1 : r->num, c);
		}
	}
	adbgd_variables_free(variables);
}

static struct counts run(const char *object, const char *kernel, const char *base,
			 unsigned int wave, bool by_statement)
{
	struct calls calls[TRUTH_NUM_LANES] = { { .depth = 0 } };
	struct adbgd_code *code = open_code(object);
	struct counts c = { 0 };
	const struct adbgd_symbol *symbol;
	struct records r;
	struct codeobj co;
	unsigned int steps, l;
	size_t i;

	assert_true(TRUTH_IN == VA_IN && TRUTH_OUT == VA_OUT && TRUTH_N == N);
	read_records(base, &r);
	if (by_statement)
		keep_statements(&r);
	memset(&memory, 0, sizeof(memory));
	depth = 1;
	interpreted_begin(machine, &co, code, object, kernel, wave);
	for (steps = 0; !machine->ended && steps < MAX_STEPS; steps++) {
		uint32_t insn = *(const uint32_t *)machine_mem(machine, machine->w->pc);

		symbol = adbgd_code_symbol_at(code, machine->w->pc);
		if (symbol && symbol->address == machine->w->pc)
			forget_frame(symbol->name);
		compare_here(&r, calls, code, by_statement, &c);
		depth += (insn & S_PC_MASK) == S_SWAPPC;
		depth -= (insn & S_PC_MASK) == S_SETPC && depth > 1;
		assert_int_equal(machine_run(machine, 1), 1);
		assert_int_equal(machine->faults + machine->illegal, 0);
	}
	assert_true(machine->ended);
	for (l = 0; by_statement && l < TRUTH_NUM_LANES; l++)
		for (i = r.next[l]; i < r.num && r.all[i].run == l; i++)
			c.unseen++;
	for (i = 0; i < memory.num; i++)
		if (!memory.all[i].was_ever_equal)
			fail_msg("%s of %s has never had its value in lane %u", memory.all[i].name,
				 memory.all[i].function, memory.all[i].lane);
	codeobj_unload(&co);
	free_records(r.all, r.total);
	adbgd_code_free(code);
	printf("# %s of %s, %u lanes: ", kernel, strrchr(object, '/') + 1, wave);
	if (by_statement)
		printf("%u statements (%u were not reached, and %u lines are not the CPU's); ",
		       c.statements, c.unseen, c.extra);
	printf("variables: %u compared, %u equal, %u wrong in the debug information, %u not located, "
	       "%u without a value yet, %u of another size\n", c.compared, c.equal, c.known,
	       c.not_located, c.unset, c.unlike);
	return c;
}

static void check(const char *object, const char *kernel, const char *base, unsigned int wave,
		  bool by_statement)
{
	struct counts c = run(object, kernel, base, wave, by_statement);

	assert_int_equal(c.unseen, 0);
	assert_int_equal(c.compared, c.equal + c.known);
	assert_true(c.equal > 300);
	/* Some of the variables in @known are wrong everywhere. */
	assert_true(c.known < c.compared / 10);
	if (by_statement)
		assert_int_equal(c.not_located, 0);
}

static void each_statement_has_the_values_of_the_source(void **state)
{
	(void)state;
	check(DEBUG_CO "vars_O0.co", "vars", DEBUG_CO "truth/vars", 32, true);
	check(DEBUG_CO "vars_O0_64.co", "vars", DEBUG_CO "truth/vars", 64, true);
	check(DEBUG_CO "vars_O0_dwarf2.co", "vars", DEBUG_CO "truth/vars", 32, true);
}

static void located_variables_have_values_of_the_source(void **state)
{
	(void)state;
	check(DEBUG_CO "vars_O1.co", "vars", DEBUG_CO "truth/vars", 32, false);
	check(DEBUG_CO "vars_O1_64.co", "vars", DEBUG_CO "truth/vars", 64, false);
	check(DEBUG_CO "vars_O1_dwarf2.co", "vars", DEBUG_CO "truth/vars", 32, false);
	check(DEBUG_CO "walk_O1.co", "walks", DEBUG_CO "truth/walks", 32, false);
	check(DEBUG_CO "calls_O1.co", "calls", DEBUG_CO "truth/calls", 32, false);
	check(DEBUG_CO "calls_O1_64.co", "calls", DEBUG_CO "truth/calls", 64, false);
	check(DEBUG_CO "calls_O2.co", "calls", DEBUG_CO "truth/calls", 32, false);
}

static int setup(void **state)
{
	(void)state;
	machine = machine_new();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	machine_free(machine);
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_statement_has_the_values_of_the_source),
		cmocka_unit_test(located_variables_have_values_of_the_source),
	};

	if (argc == 6) {
		prints = true;
		machine = machine_new();
		run(argv[1], argv[2], argv[3], (unsigned int)atoi(argv[4]), *argv[5] == 's');
		return 0;
	}
	return cmocka_run_group_tests_name("debug_truth", tests, setup, teardown);
}
