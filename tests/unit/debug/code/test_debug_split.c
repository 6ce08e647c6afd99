// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/debug/code/split*.c and debug_path.c: code compiled with -gsplit-dwarf has the same lines,
 * functions, variables, types and locations as without, and only files that the user has named, or
 * that are in folders of the user, are opened.
 */
#include "debug/util.h"

#include <amdgpudbg-debug-objects.h>

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <unistd.h>

#define SPLIT	DEBUG_CO "split/"

static const char *const flavours[] = { "O0_dwarf4", "O0_dwarf5", "O2_dwarf4", "O2_dwarf5" };

/* A folder for one test */
static char folder[64];

static int set_up(void **state)
{
	(void)state;
	strcpy(folder, "/tmp/test_debug_split.XXXXXX");
	return !mkdtemp(folder);
}

static int tear_down(void **state)
{
	(void)state;
	free(run_tool("rm -rf %s", folder));
	return 0;
}

#define TEST(name)	cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static const char *in_folder(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

/* ------------------------------------------------------------------ what is known */

static int read_register(void *data, uint32_t space, uint32_t number, uint32_t lane,
			 uint32_t *value)
{
	(void)data;
	*value = number * 64 + space + lane;
	return 0;
}

static int read_memory(void *data, uint32_t space, uint32_t lane, uint64_t address, void *buffer,
		       size_t size)
{
	(void)data, (void)space, (void)lane;
	memset(buffer, address, size);
	return 0;
}

static void describe_type(FILE *f, const struct adbgd_type *t, unsigned int depth)
{
	uint32_t i;

	fprintf(f, "%s %u %llu %llu %x", t->name, t->kind, (unsigned long long)t->size,
		(unsigned long long)t->count, t->flags);
	if (!depth)
		return;
	for (i = 0; i < t->num_members; i++) {
		fprintf(f, " .%s %llu:%u:%u %lld ", t->members[i].name,
			(unsigned long long)t->members[i].offset, t->members[i].bit_offset,
			t->members[i].bit_size, (long long)t->members[i].value);
		if (t->members[i].type)
			describe_type(f, t->members[i].type, depth - 1);
	}
	if (t->target) {
		fprintf(f, " of ");
		describe_type(f, t->target, depth - 1);
	}
}

static void describe_variables(FILE *f, struct adbgd_code *code, uint64_t pc)
{
	const struct adbgd_context context = {
		.read_register = read_register, .read_memory = read_memory, .lanes = 32, .lane = 3,
	};
	const struct adbgd_variable *v;
	struct adbgd_variables *list;
	struct adbgd_location location;
	struct adbgd_error error;
	char text[sizeof(error.text)];
	size_t i;

	if (adbgd_variables_new(code, pc, &list, &error)) {
		fprintf(f, " no variables: %d\n", error.error);
		return;
	}
	for (i = 0; (v = adbgd_variables_get(list, i)); i++) {
		if (adbgd_variable_locate(list, i, &context, &location, &error))
			snprintf(text, sizeof(text), "%s", error.text);
		else
			adbgd_variable_location_text(&location, text, sizeof(text));
		fprintf(f, " %s of %s at %s:%u depth %u flags %x in %s: ", v->name,
			v->function ? v->function : "-", v->file ? v->file : "-", v->line,
			v->depth, v->flags, text);
		describe_type(f, v->type, 3);
		fprintf(f, "\n");
	}
	adbgd_variables_free(list);
}

/* Say what is known of each instruction; to be freed. */
static char *describe(struct adbgd_code *code)
{
	const struct adbgd_span *span = &adbgd_code_get_info(code)->text;
	struct adbgd_frame frames[8];
	struct adbgd_line line;
	struct adbgd_error error;
	size_t count, i, size;
	uint64_t pc;
	char *text;
	FILE *f = open_memstream(&text, &size);

	assert_non_null(f);
	if (adbgd_code_load_debug(code, &error))
		fail_msg("%s", error.text);
	for (pc = span->start; pc < span->start + span->size; pc += 4) {
		fprintf(f, "%llx", (unsigned long long)pc);
		if (!adbgd_line_at(code, pc, &line, NULL))
			fprintf(f, " %s:%u:%u %x", line.file, line.line, line.column, line.flags);
		if (adbgd_frames_at(code, pc, frames, ARRAY_SIZE(frames), &count, NULL))
			count = 0;
		for (i = 0; i < count && i < ARRAY_SIZE(frames); i++)
			fprintf(f, " in %s at %s:%u %x entry %llx", frames[i].function,
				frames[i].file ? frames[i].file : "-", frames[i].line,
				frames[i].flags, (unsigned long long)frames[i].entry);
		fprintf(f, "\n");
		if (count)
			describe_variables(f, code, pc);
	}
	fclose(f);
	return text;
}

static void assert_same(const char *a, const char *b)
{
	const char *la = a, *lb = b;

	for (; *a && *a == *b; a++, b++) {
		if (*a == '\n') {
			la = a + 1;
			lb = b + 1;
		}
	}
	if (*a || *b)
		fail_msg("without split debug information:\n%.*s\nwith it:\n%.*s",
			 (int)strcspn(la, "\n"), la, (int)strcspn(lb, "\n"), lb);
}

/* Compare a code object with the same one without split debug information. */
static void compare(const char *plain, struct adbgd_code *split)
{
	struct adbgd_code *code = open_code(plain);
	char *expected = describe(code), *text = describe(split);

	/* Most instructions have variables; else nothing would be compared. */
	assert_true(strlen(expected) > 100000);
	assert_same(expected, text);
	free(expected);
	free(text);
	adbgd_code_free(code);
	adbgd_code_free(split);
}

static void a_file_beside_the_code_object_is_found(void **state)
{
	char plain[128], split[128];
	size_t f;

	(void)state;
	for (f = 0; f < ARRAY_SIZE(flavours); f++) {
		snprintf(plain, sizeof(plain), SPLIT "plain_%s.one.co", flavours[f]);
		snprintf(split, sizeof(split), SPLIT "split_%s.one.co", flavours[f]);
		compare(plain, open_code(split));
	}
}

static void each_of_two_units_has_a_file(void **state)
{
	char plain[128], split[128];
	size_t f;

	(void)state;
	for (f = 0; f < ARRAY_SIZE(flavours); f++) {
		snprintf(plain, sizeof(plain), SPLIT "plain_%s.co", flavours[f]);
		snprintf(split, sizeof(split), SPLIT "split_%s.co", flavours[f]);
		compare(plain, open_code(split));
	}
}

/* --------------------------------------------------------- folders and files of the user */

static void shell(const char *format, ...)
{
	char command[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(command, sizeof(command), format, args);
	va_end(args);
	if (system(command))
		fail_msg("%s fails", command);
}

static void write_whole(const char *path, const void *bytes, size_t size)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, size, f), size);
	assert_int_equal(fclose(f), 0);
}

/* Copy a code object of two units into the folder of the test, without its other files. */
static struct adbgd_code *open_alone(const char *flavour)
{
	shell("cp " SPLIT "split_%s.co %s/k.co", flavour, folder);
	return open_code(in_folder("k.co"));
}

static void add_path(struct adbgd_code *code, const char *path)
{
	struct adbgd_error error;

	if (adbgd_code_add_debug_path(code, path, &error))
		fail_msg("%s", error.text);
}

static void assert_missing(struct adbgd_code *code)
{
	struct adbgd_error error;

	assert_int_equal(adbgd_code_load_debug(code, &error), -EOPNOTSUPP);
	if (!strstr(error.text, "k.co: a part of its debug information is in another file, ") ||
	    !strstr(error.text, ", which was not found; give the folder that contains it, or "
		    "compile without -gsplit-dwarf"))
		fail_msg("%s", error.text);
}

/* The directory of the compilation, which the target names, contains the files. */
static void a_missing_file_is_named_and_found_later(void **state)
{
	struct adbgd_code *code;
	char plain[128];
	size_t f;

	(void)state;
	for (f = 0; f < ARRAY_SIZE(flavours); f++) {
		code = open_alone(flavours[f]);
		assert_missing(code);
		shell("mkdir -p %s/dwo && cp " SPLIT "split_%s-*.dwo %s/dwo", folder, flavours[f],
		      folder);
		add_path(code, in_folder("dwo"));
		snprintf(plain, sizeof(plain), SPLIT "plain_%s.co", flavours[f]);
		compare(plain, code);
	}
}

static void a_relative_name_is_found_below_a_folder(void **state)
{
	struct adbgd_code *code;

	(void)state;
	/* With an absolute BUILD, the compiler was given absolute names. */
	if (SPLIT[0] == '/')
		skip();
	code = open_alone("O0_dwarf5");
	shell("mkdir -p %s/root/" SPLIT " && cp " SPLIT "split_O0_dwarf5-*.dwo %s/root/" SPLIT,
	      folder, folder);
	add_path(code, in_folder("root"));
	compare(SPLIT "plain_O0_dwarf5.co", code);
}

static void the_user_names_the_files_themselves(void **state)
{
	struct adbgd_code *code = open_alone("O2_dwarf5");

	(void)state;
	shell("cp " SPLIT "split_O2_dwarf5-vars.dwo %s/a", folder);
	shell("cp " SPLIT "split_O2_dwarf5-walk.dwo %s/b", folder);
	add_path(code, in_folder("a"));
	assert_int_equal(adbgd_code_load_debug(code, NULL), -EOPNOTSUPP);
	add_path(code, in_folder("b"));
	compare(SPLIT "plain_O2_dwarf5.co", code);
}

static void a_package_has_all_units(void **state)
{
	static const char *const beside[] = { "k.co.dwp", "dwp/k.co.dwp", "any" };
	char plain[128];
	size_t f, i;

	(void)state;
	shell("mkdir %s/dwp", folder);
	for (f = 0; f < ARRAY_SIZE(flavours); f++) {
		snprintf(plain, sizeof(plain), SPLIT "plain_%s.co", flavours[f]);
		for (i = 0; i < ARRAY_SIZE(beside); i++) {
			struct adbgd_code *code = open_alone(flavours[f]);

			shell("cp " SPLIT "dwp/split_%s.co.dwp %s", flavours[f],
			      in_folder(beside[i]));
			if (i)
				add_path(code, in_folder(i == 1 ? "dwp" : "any"));
			compare(plain, code);
			unlink(in_folder(beside[i]));
		}
	}
}

static void compressed_files_are_read(void **state)
{
	static const char *const methods[] = { "zlib", "zstd" };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(methods); i++) {
		struct adbgd_code *code = open_alone("O2_dwarf5");

		shell("for f in vars walk; do llvm-objcopy-19 --compress-debug-sections=%s "
		      SPLIT "split_O2_dwarf5-$f.dwo %s/split_O2_dwarf5-$f.dwo || exit; done",
		      methods[i], folder);
		compare(SPLIT "plain_O2_dwarf5.co", code);
	}
}

static void a_folder_must_exist(void **state)
{
	struct adbgd_code *code = open_alone("O0_dwarf5");
	struct adbgd_error error;

	(void)state;
	assert_int_equal(adbgd_code_add_debug_path(code, in_folder("none"), &error), -ENOENT);
	assert_int_equal(adbgd_code_add_debug_path(code, "/dev/null", &error), -ENOTDIR);
	assert_string_equal(error.text, "/dev/null is neither a folder nor a file");
	adbgd_code_free(code);
}

/* ----------------------------------------------------------------------- other units */

/* The id of the first unit in a file, as LLVM prints it */
static void id_of(const char *path, char id[32])
{
	char *text = run_tool("llvm-dwarfdump-19 --debug-info %s 2>/dev/null | "
			      "sed -n 's/.*[dD][wW][oO]_id[ =\t(]*\\(0x[0-9a-f]*\\).*/\\1/p'",
			      path);

	snprintf(id, 32, "%.18s", text);
	free(text);
}

static void a_file_of_another_compilation_is_refused(void **state)
{
	static const char *const others[] = { "O2_dwarf4", "O2_dwarf5" };
	char id[32], wanted[32], name[64];
	struct adbgd_error error;
	size_t f;

	(void)state;
	for (f = 0; f < 2; f++) {
		struct adbgd_code *code = open_alone(flavours[f]);

		snprintf(name, sizeof(name), "split_%s-vars.dwo", flavours[f]);
		shell("cp " SPLIT "split_%s-vars.dwo %s", others[f], in_folder(name));
		id_of(in_folder("k.co"), wanted);
		id_of(in_folder(name), id);
		assert_int_equal(strlen(id), 18);
		assert_string_not_equal(id, wanted);
		assert_int_equal(adbgd_code_load_debug(code, &error), -EOPNOTSUPP);
		if (!strstr(error.text, in_folder(name)) ||
		    !strstr(error.text, " is of another compilation: its DWO id is ") ||
		    !strstr(error.text, id) || !strstr(error.text, wanted))
			fail_msg("%s", error.text);
		/* The right one in another folder is found all the same. */
		add_path(code, SPLIT);
		assert_int_equal(adbgd_code_load_debug(code, NULL), 0);
		adbgd_code_free(code);
	}
}

/* -------------------------------------------------------------------------- hostile files */

/*
 * Open a copy of a code object of one unit in which the name of the .dwo is another one. The name
 * is not the caller's choice, as with a target's.
 */
static struct adbgd_code *open_renamed(const char *flavour, const char *name)
{
	static const char old[] = SPLIT;
	struct adbgd_code *code;
	struct adbgd_error error;
	size_t size, length;
	uint8_t *file, *at;
	char path[128];

	snprintf(path, sizeof(path), SPLIT "split_%s.one.co", flavour);
	file = read_whole(path, &size);
	at = memmem(file, size, old, sizeof(old) - 1);
	assert_non_null(at);
	length = strlen((char *)at);
	assert_true(strlen(name) <= length);
	memset(at, 0, length);
	memcpy(at, name, strlen(name));
	shell("mkdir -p %s/home", folder);
	snprintf(path, sizeof(path), "%s/home/k.co", folder);
	write_whole(path, file, size);
	free(file);
	if (adbgd_code_open(path, &code, &error))
		fail_msg("%s", error.text);
	return code;
}

/* Was a file in a folder opened since it is watched? */
static bool was_opened(int watch)
{
	char events[4096];

	return read(watch, events, sizeof(events)) > 0;
}

/*
 * All these files are there and are the right ones, but outside of the folders of the user, or no
 * regular files, which may block when they are opened.
 */
static void no_file_that_the_target_names_is_opened(void **state)
{
	static const char *const names[] = {
		"/tmp/test_debug_split.XXXXXX/away/v.dwo", "../away/v.dwo", "x/../../away/v.dwo",
		"link.dwo", "out/v.dwo", "/proc/self/fd/0", "..", ".", "/", "../../etc/passwd",
	};
	struct adbgd_code *code;
	struct adbgd_error error;
	char name[128];
	size_t f, i;
	int watch;

	(void)state;
	shell("mkdir -p %s/away %s/home && ln -s ../away/v.dwo %s/home/link.dwo && "
	      "ln -s ../away %s/home/out", folder, folder, folder, folder);
	for (f = 0; f < 2; f++) {
		shell("cp " SPLIT "split_%s-vars.dwo %s/away/v.dwo", flavours[f], folder);
		watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
		assert_true(inotify_add_watch(watch, in_folder("away"), IN_OPEN) >= 0);
		for (i = 0; i < ARRAY_SIZE(names); i++) {
			snprintf(name, sizeof(name), "%s", names[i]);
			if (!i)
				memcpy(name, folder, strlen(folder));
			code = open_renamed(flavours[f], name);
			add_path(code, in_folder("home"));
			assert_int_equal(adbgd_code_load_debug(code, &error), -EOPNOTSUPP);
			assert_non_null(strstr(error.text, ", which was not found; "));
			assert_false(was_opened(watch));
			adbgd_code_free(code);
		}
		/* The same file is read in a folder of the user: the watch would have seen it. */
		code = open_renamed(flavours[f], "../v.dwo");
		add_path(code, in_folder("away"));
		assert_int_equal(adbgd_code_load_debug(code, &error), 0);
		assert_true(was_opened(watch));
		adbgd_code_free(code);
		close(watch);
	}
}

/* Opening a FIFO would wait for a writer. */
static void only_regular_files_are_opened(void **state)
{
	struct adbgd_code *code;
	struct adbgd_error error;
	char message[256];

	(void)state;
	shell("mkdir %s/home && mkfifo %s/home/fifo %s/v.dwo && ln -s fifo %s/home/v.dwo && "
	      "mkdir %s/home/folder", folder, folder, folder, folder, folder);
	snprintf(message, sizeof(message), "%s/home/v.dwo: it is not a regular file", folder);
	code = open_renamed("O0_dwarf4", in_folder("v.dwo"));
	assert_int_equal(adbgd_code_load_debug(code, &error), -ENODEV);
	assert_string_equal(error.text, message);
	adbgd_code_free(code);
	code = open_renamed("O0_dwarf5", "folder");
	assert_int_equal(adbgd_code_load_debug(code, &error), -EISDIR);
	adbgd_code_free(code);
	code = open_renamed("O0_dwarf5", "fifo");
	assert_int_equal(adbgd_code_load_debug(code, &error), -ENODEV);
	adbgd_code_free(code);
}

/* A skeleton in the .dwo would be one more file that libdw opens. */
static void a_skeleton_in_the_other_file_is_refused(void **state)
{
	struct adbgd_code *code;
	struct adbgd_error error;
	size_t f;

	(void)state;
	for (f = 0; f < 2; f++) {
		code = open_renamed(flavours[f], "v.dwo");
		shell("llvm-objcopy-19 --rename-section .debug_info=.debug_info.dwo "
		      "--rename-section .debug_abbrev=.debug_abbrev.dwo "
		      "--rename-section .debug_str=.debug_str.dwo "
		      "--rename-section .debug_str_offsets=.debug_str_offsets.dwo "
		      "%s/home/k.co %s/home/v.dwo", folder, folder);
		assert_int_equal(adbgd_code_load_debug(code, &error), -EBADMSG);
		if (!strstr(error.text, "/home/v.dwo: a part of it is in another file"))
			fail_msg("%s", error.text);
		adbgd_code_free(code);
	}
}

static void a_file_of_something_else_is_named(void **state)
{
	struct adbgd_code *code;
	struct adbgd_error error;

	(void)state;
	code = open_renamed("O0_dwarf5", "k.co");
	assert_int_equal(adbgd_code_load_debug(code, &error), -ENOEXEC);
	assert_non_null(strstr(error.text, "/home/k.co is no file of split debug information: it has no "
			       "section .debug_info.dwo"));
	adbgd_code_free(code);
	code = open_renamed("O0_dwarf5", "text");
	shell("echo text >%s/home/text", folder);
	assert_int_equal(adbgd_code_load_debug(code, &error), -ENOEXEC);
	assert_non_null(strstr(error.text, "/home/text is not an ELF file"));
	adbgd_code_free(code);
	code = open_renamed("O0_dwarf5", "huge");
	shell("truncate -s 2G %s/home/huge", folder);
	assert_int_equal(adbgd_code_load_debug(code, &error), -E2BIG);
	assert_non_null(strstr(error.text, "/home/huge has more than 1 GiB"));
	adbgd_code_free(code);
	/* Not more than a small file may need */
	shell("truncate -s 600M %s/home/huge", folder);
	code = open_renamed("O0_dwarf5", "huge");
	assert_int_equal(adbgd_code_load_debug(code, &error), -E2BIG);
	adbgd_code_free(code);
}

/* Ask for everything of a code object whose other file is damaged. */
static void look(const char *name, const char *flavour)
{
	struct adbgd_code *code = open_renamed(flavour, name);
	const struct adbgd_span *span = &adbgd_code_get_info(code)->text;
	struct adbgd_error error;
	size_t size;
	uint64_t pc;
	char *text;
	FILE *f;

	if (adbgd_code_load_debug(code, &error)) {
		assert_true(error.error < 0 && error.text[0]);
		adbgd_code_free(code);
		return;
	}
	f = open_memstream(&text, &size);
	assert_non_null(f);
	for (pc = span->start; pc < span->start + span->size; pc += 128)
		describe_variables(f, code, pc);
	fclose(f);
	free(text);
	adbgd_code_free(code);
}

static void a_truncated_file_is_refused(void **state)
{
	size_t size, length;
	uint8_t *file = read_whole(SPLIT "split_O2_dwarf5-vars.dwo", &size);
	struct adbgd_code *code;
	struct adbgd_error error;
	char path[128];

	(void)state;
	code = open_renamed("O2_dwarf5", "v.dwo");
	adbgd_code_free(code);
	snprintf(path, sizeof(path), "%s/home/v.dwo", folder);
	for (length = 0; length < size; length += 1 + length / 16) {
		write_whole(path, file, length);
		code = open_renamed("O2_dwarf5", "v.dwo");
		assert_true(adbgd_code_load_debug(code, &error));
		assert_non_null(strstr(error.text, path));
		adbgd_code_free(code);
	}
	free(file);
}

/* Any byte may have any value, also in a .dwp. */
static void a_damaged_file_does_no_harm(void **state)
{
	static const char *const kinds[] = { "split_O2_dwarf4-vars.dwo", "split_O2_dwarf5-vars.dwo",
		"dwp/split_O2_dwarf4.co.dwp", "dwp/split_O2_dwarf5.co.dwp" };
	uint32_t seed = 1;
	char path[128];
	size_t k, n, size;

	(void)state;
	for (k = 0; k < ARRAY_SIZE(kinds); k++) {
		uint8_t *file, was;

		snprintf(path, sizeof(path), SPLIT "%s", kinds[k]);
		file = read_whole(path, &size);
		shell("mkdir -p %s/home", folder);
		snprintf(path, sizeof(path), "%s/home/%s", folder, k < 2 ? "v.dwo" : "k.co.dwp");
		for (n = 0; n < 100; n++) {
			uint8_t *byte;

			seed = seed * 1664525 + 1013904223;
			byte = &file[(seed >> 8) % size];
			was = *byte;
			*byte = seed & 0x10 ? 0xff : seed & 0x20 ? was ^ 1 << (seed & 7) : 0x80;
			write_whole(path, file, size);
			*byte = was;
			look("v.dwo", k % 2 ? "O2_dwarf5" : "O2_dwarf4");
		}
		unlink(path);
		free(file);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_beside_the_code_object_is_found),
		cmocka_unit_test(each_of_two_units_has_a_file),
		TEST(a_missing_file_is_named_and_found_later),
		TEST(a_relative_name_is_found_below_a_folder),
		TEST(the_user_names_the_files_themselves),
		TEST(a_package_has_all_units),
		TEST(compressed_files_are_read),
		TEST(a_folder_must_exist),
		TEST(a_file_of_another_compilation_is_refused),
		TEST(no_file_that_the_target_names_is_opened),
		TEST(only_regular_files_are_opened),
		TEST(a_skeleton_in_the_other_file_is_refused),
		TEST(a_file_of_something_else_is_named),
		TEST(a_truncated_file_is_refused),
		TEST(a_damaged_file_does_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
