// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/debug/code/line*.c, scope.c and source.c, compared with the output of llvm-dwarfdump and
 * llvm-symbolizer for the same code objects.
 */
#include "debug/util.h"

#include "code/place.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <stdio.h>
#include <sys/fsuid.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#define BASE	0x100000000ULL
#define MAX	4096

/* The user who runs this */
static struct adbgd_owner own;

/* A row of "llvm-dwarfdump --debug-line" */
struct row {
	unsigned long long address;
	unsigned int line, column;
	bool statement, prologue_end, end;
};

static size_t rows_of(const char *path, struct row *rows)
{
	char *text = run_tool("llvm-dwarfdump-19 --debug-line %s", path), *at = text, *line;
	size_t num = 0;

	while ((line = next_line(&at))) {
		struct row *r = &rows[num];

		if (sscanf(line, "0x%llx %u %u", &r->address, &r->line, &r->column) != 3)
			continue;
		r->statement = strstr(line, " is_stmt");
		r->prologue_end = strstr(line, " prologue_end");
		r->end = strstr(line, " end_sequence");
		assert_true(++num < MAX);
	}
	free(text);
	assert_true(num > 20);
	return num;
}

static const char *const flavours[] = {
	DEBUG_CO "vars_O0.co", DEBUG_CO "vars_O1.co", DEBUG_CO "vars_O1_64.co",
	DEBUG_CO "vars_O1_dwarf4.co", DEBUG_CO "vars_O1_zlib.co",
};

/* Of several rows at an address the last one counts; they are in order in one unit. */
static void each_address_has_its_line(void **state)
{
	static struct row rows[MAX];
	struct adbgd_error error;
	struct adbgd_line line;
	size_t f, num, i;

	(void)state;
	for (f = 0; f < ARRAY_SIZE(flavours); f++) {
		struct adbgd_code *code = open_code(flavours[f]);
		const struct adbgd_span *text = &adbgd_code_get_info(code)->text;

		assert_int_equal(adbgd_code_set_base(code, text->start + BASE, &error), 0);
		num = rows_of(flavours[f], rows);
		for (i = 0; i + 1 < num; i++) {
			if (rows[i].end || rows[i + 1].address == rows[i].address)
				continue;
			if (adbgd_line_at(code, BASE + rows[i + 1].address - 4, &line, &error))
				fail_msg("%s", error.text);
			/* An instruction without a line has that of the code before it. */
			assert_int_equal(!!(line.flags & ADBGD_LINE_NEAR), !rows[i].line);
			assert_int_not_equal(line.line, 0);
			if (!rows[i].line)
				continue;
			assert_int_equal(line.line, rows[i].line);
			assert_int_equal(line.column, rows[i].column);
			assert_int_equal(!!(line.flags & ADBGD_LINE_STATEMENT),
					 rows[i].statement);
			assert_true(line.address <= BASE + rows[i].address);
			assert_true(line.end >= BASE + rows[i + 1].address);
			assert_non_null(strstr(line.file, "tests/unit/debug/code/vars.cl"));
		}
		assert_int_equal(adbgd_line_at(code, BASE + rows[num - 1].address, &line,
					       &error), -ENOENT);
		assert_non_null(strstr(error.text, "no source line is known for the instruction"));
		adbgd_code_free(code);
	}
}

/* Does a statement begin at an address? Of several rows at it, one is enough. */
static bool begins(const struct row *rows, size_t num, unsigned long long address)
{
	for (size_t i = 0; i < num; i++) {
		if (rows[i].address == address && rows[i].statement && rows[i].line && !rows[i].end)
			return true;
	}
	return false;
}

/* Steps by source line stop where statements begin, and know in which functions they are. */
static void places_are_those_of_the_line_table(void **state)
{
	static struct row rows[MAX];
	struct adbgd_frame frames[ADBGD_PLACE_FRAMES];
	struct adbgd_place place;
	struct adbgd_line line;
	size_t f, num, count;

	(void)state;
	for (f = 0; f < ARRAY_SIZE(flavours); f++) {
		struct adbgd_code *code = open_code(flavours[f]);
		const struct adbgd_span *text = &adbgd_code_get_info(code)->text;
		unsigned long long at;

		num = rows_of(flavours[f], rows);
		assert_int_equal(adbgd_code_set_base(code, text->start + BASE, NULL), 0);
		for (at = rows[0].address; at < rows[num - 1].address; at += 4) {
			assert_int_equal(adbgd_place_at(code, BASE + at, &place, NULL), 0);
			assert_int_equal(place.begins, begins(rows, num, at));
			assert_int_equal(adbgd_line_at(code, BASE + at, &line, NULL), 0);
			assert_true(place.line == line.line || place.begins ||
				    (!place.line && line.flags & ADBGD_LINE_NEAR));
			assert_true(place.end > BASE + at);
			/* Between functions there is padding. */
			if (adbgd_frames_at(code, BASE + at, frames, ARRAY_SIZE(frames), &count,
					    NULL))
				count = 0;
			assert_int_equal(place.depth, count);
			assert_int_equal(!!place.body,
					 count && frames[count - 1].entry == BASE + at);
			assert_true(!place.body || begins(rows, num, place.body - BASE));
		}
		assert_int_equal(adbgd_place_at(code, BASE + rows[num - 1].address, &place, NULL),
				 -ENOENT);
		adbgd_code_free(code);
	}
}

/* Number of the line that begins with some text, in the test's own source */
static unsigned int line_with(const char *beginning)
{
	struct adbgd_source *source;
	const char *line;
	unsigned int i;

	assert_int_equal(adbgd_source_open("tests/unit/debug/code/vars.cl", NULL, &own, &source,
					   NULL), 0);
	for (i = 1; (line = adbgd_source_get_line(source, i)); i++) {
		if (!strncmp(line, beginning, strlen(beginning)))
			break;
	}
	assert_non_null(line);
	adbgd_source_free(source);
	return i;
}

/* The first row of a line that is a statement */
static unsigned long long first_of(const struct row *rows, size_t num, unsigned int line)
{
	unsigned long long lowest = 0;
	size_t i;

	for (i = 0; i < num; i++) {
		if (rows[i].line == line && rows[i].statement && !rows[i].end &&
		    (!lowest || rows[i].address < lowest))
			lowest = rows[i].address;
	}
	return lowest;
}

static void a_line_is_at_its_first_statement(void **state)
{
	static struct row rows[MAX];
	struct adbgd_code *code = open_code(flavours[0]);
	unsigned int number = line_with("\tfloat f = ");
	size_t num = rows_of(flavours[0], rows), count;
	struct adbgd_line found[4];
	struct adbgd_error error;

	(void)state;
	if (adbgd_line_find(code, "vars.cl", number, found, 4, &count, &error))
		fail_msg("%s", error.text);
	assert_int_equal(count, 1);
	assert_int_equal(found[0].line, number);
	assert_int_equal(found[0].address, first_of(rows, num, number));
	/* With its folders, too; and a line without code is the next one that has some. */
	assert_int_equal(adbgd_line_find(code, "./debug/code/vars.cl",
					 line_with("\tint total = 0;") + 1, found, 4, &count,
					 &error), 0);
	assert_int_equal(found[0].line, line_with("\tfor (int k"));
	assert_int_equal(found[0].address, first_of(rows, num, found[0].line));
	/* The loop's line has several statements; it is one place. */
	assert_int_equal(count, 1);
	adbgd_code_free(code);
}

static void a_line_that_was_inlined_has_several_places(void **state)
{
	struct adbgd_code *code = open_code(flavours[1]);
	unsigned int number = line_with("\tint both = ");
	struct adbgd_line found[8];
	struct adbgd_error error;
	size_t count = 0, i;
	char *text, *said;

	(void)state;
	if (adbgd_line_find(code, "vars.cl", number, found, 8, &count, &error))
		fail_msg("%s", error.text);
	/* mix() is called at two places, and nowhere else. */
	assert_int_equal(count, 2);
	for (i = 0; i < count; i++) {
		text = run_tool("llvm-symbolizer-19 --obj=%s --inlines %#llx", flavours[1],
				(unsigned long long)found[i].address);
		said = text;
		assert_string_equal(next_line(&said), "mix");
		free(text);
	}
	assert_true(found[0].address != found[1].address);
	/* Fewer can be asked for. */
	assert_int_equal(adbgd_line_find(code, "vars.cl", number, found, 0, &count, NULL), 0);
	assert_int_equal(count, 2);
	adbgd_code_free(code);
}

static void an_invalid_line_is_reported(void **state)
{
	struct adbgd_code *code = open_code(flavours[0]);
	struct adbgd_error error;
	size_t count = 77;

	(void)state;
	assert_int_equal(adbgd_line_find(code, "ars.cl", 10, NULL, 0, &count, &error), -ENOENT);
	assert_string_equal(error.text,
			    DEBUG_CO "vars_O0.co was not compiled from a file ars.cl");
	assert_int_equal(adbgd_line_find(code, "vars.cl", 10000, NULL, 0, &count, &error),
			 -ENOENT);
	assert_non_null(strstr(error.text, "vars.cl at or after line 10000"));
	assert_int_equal(count, 77);
	adbgd_code_free(code);
	code = open_code(DEBUG_CO "vars_O1_plain.co");
	assert_int_equal(adbgd_line_find(code, "vars.cl", 10, NULL, 0, &count, &error),
			 -ENODATA);
	assert_string_equal(error.text, DEBUG_CO "vars_O1_plain.co has no debug information "
			    "(clang makes it with -g)");
	assert_null(adbgd_code_get_source_file(code, 0));
	adbgd_code_free(code);
}

static void source_files_are_listed(void **state)
{
	struct adbgd_code *code = open_code(flavours[1]);

	(void)state;
	assert_non_null(strstr(adbgd_code_get_source_file(code, 0),
			       "/tests/unit/debug/code/vars.cl"));
	assert_null(adbgd_code_get_source_file(code, 1));
	adbgd_code_free(code);
}

/* "function\nfile:line:column" for each frame, then an empty line */
static void compare_frames(const char *path, unsigned long long address, char **said,
			   const struct adbgd_frame *frames, size_t count)
{
	char *name, *place;
	size_t i;

	for (i = 0; (name = next_line(said)) && *name; i++) {
		char wanted[512];

		place = next_line(said);
		assert_non_null(place);
		if (i >= count)
			fail_msg("%s: no frame %s at %#llx", path, name, address);
		assert_string_equal(frames[i].function, name);
		snprintf(wanted, sizeof(wanted), "%s:%u:%u",
			 frames[i].file ? frames[i].file : "??", frames[i].line,
			 frames[i].column);
		/* The symbolizer says that it has no line. */
		if (!i && strstr(place, ":0:"))
			assert_true(frames[i].flags & ADBGD_FRAME_NEAR || !frames[i].line);
		else
			assert_string_equal(wanted, place);
		assert_int_equal(!!(frames[i].flags & ADBGD_FRAME_INLINED), i + 1 < count);
	}
	assert_int_equal(i, count);
}

/* All addresses of functions, in one call of the symbolizer */
static void frames_are_those_of_the_symbolizer(void **state)
{
	struct adbgd_frame frames[8];
	struct adbgd_error error;
	size_t f, count, most = 0, i;

	(void)state;
	for (f = 0; f < ARRAY_SIZE(flavours); f++) {
		struct adbgd_code *code = open_code(flavours[f]);
		const struct adbgd_symbol *s;
		char *text, *said;

		for (i = 0; (s = adbgd_code_get_symbol(code, i)); i++) {
			uint64_t at;

			if (!(s->flags & ADBGD_SYMBOL_FUNCTION))
				continue;
			text = run_tool("seq %llu 4 %llu | llvm-symbolizer-19 --obj=%s "
					"--inlines", (unsigned long long)s->address,
					(unsigned long long)(s->address + s->size - 4),
					flavours[f]);
			said = text;
			for (at = s->address; at < s->address + s->size; at += 4) {
				if (adbgd_frames_at(code, at, frames, 8, &count, &error))
					fail_msg("%s", error.text);
				compare_frames(flavours[f], at, &said, frames, count);
				most = count > most ? count : most;
			}
			free(text);
		}
		adbgd_code_free(code);
	}
	/* There was something inlined. */
	assert_int_equal(most, 2);
}

static void an_address_outside_of_functions_is_reported(void **state)
{
	struct adbgd_code *code = open_code(flavours[1]);
	struct adbgd_error error;
	size_t count;

	(void)state;
	assert_int_equal(adbgd_frames_at(code, 4, NULL, 0, &count, &error), -ENOENT);
	assert_string_equal(error.text, DEBUG_CO
			    "vars_O1.co: the instruction at 0x4 does not belong to a function");
	adbgd_code_free(code);
}

static void a_function_begins_behind_its_prologue(void **state)
{
	static struct row rows[MAX];
	struct adbgd_code *code = open_code(flavours[0]);
	const struct adbgd_symbol *touch = adbgd_code_find_symbol(code, "touch");
	size_t num = rows_of(flavours[0], rows), count, i;
	struct adbgd_line found[4];
	struct adbgd_error error;

	(void)state;
	assert_non_null(touch);
	if (adbgd_function_find(code, "touch", found, 4, &count, &error))
		fail_msg("%s", error.text);
	assert_int_equal(count, 1);
	for (i = 0; i < num && !(rows[i].prologue_end && rows[i].address > touch->address &&
				 rows[i].address < touch->address + touch->size); i++)
		;
	assert_true(i < num);
	assert_int_equal(found[0].address, rows[i].address);
	assert_int_equal(found[0].line, line_with("\tint old = "));
	/* A breakpoint at the line of its head is there, too. */
	assert_int_equal(adbgd_line_find(code, "vars.cl",
					 line_with("__attribute__((noinline)) int touch"),
					 found + 1, 1, &count, NULL), 0);
	assert_int_equal(found[1].address, found[0].address);
	/* mix() is a function here, and was inlined twice there. */
	assert_int_equal(adbgd_function_find(code, "mix", found, 4, &count, NULL), 0);
	assert_int_equal(count, 1);
	adbgd_code_free(code);
	code = open_code(flavours[1]);
	assert_int_equal(adbgd_function_find(code, "mix", found, 4, &count, NULL), 0);
	assert_int_equal(count, 2);
	assert_int_equal(adbgd_function_find(code, "nix", found, 4, &count, &error), -ENOENT);
	assert_string_equal(error.text,
			    DEBUG_CO "vars_O1.co has no code for a function nix");
	adbgd_code_free(code);
}

static void a_source_file_is_looked_for(void **state)
{
	static const char *const folders[] = { "/nowhere", "tests", NULL };
	struct adbgd_source *source;
	struct adbgd_error error;

	(void)state;
	/* Where it was compiled it is no more; its last folders are here. */
	if (adbgd_source_open("/gone/src/unit/debug/code/vars.cl", folders, &own, &source, &error))
		fail_msg("%s", error.text);
	assert_string_equal(adbgd_source_get_path(source), "tests/unit/debug/code/vars.cl");
	assert_string_equal(adbgd_source_get_line(source, 1),
			    "/* SPDX-License-Identifier: GPL-2.0-or-later */");
	assert_null(adbgd_source_get_line(source, 0));
	assert_non_null(adbgd_source_get_line(source, adbgd_source_get_num_lines(source)));
	assert_null(adbgd_source_get_line(source, adbgd_source_get_num_lines(source) + 1));
	adbgd_source_free(source);
	assert_int_equal(adbgd_source_open("/gone/vars.cl", folders, &own, &source, &error),
			 -ENOENT);
	assert_string_equal(error.text, "there is no source file /gone/vars.cl, nor below the "
			    "given directories");
	assert_int_equal(adbgd_source_open("tests", NULL, &own, &source, &error), -ENOENT);
}

static void a_source_file_may_be_in_the_debug_information(void **state)
{
	struct adbgd_code *code = open_code(DEBUG_CO "vars_O1_embed.co");
	const struct adbgd_symbol *touch = adbgd_code_find_symbol(code, "touch");
	struct adbgd_source *inside, *file;
	struct adbgd_error error;
	struct adbgd_line at;
	uint32_t i;

	(void)state;
	assert_int_equal(adbgd_line_at(code, touch->address, &at, &error), 0);
	if (adbgd_source_open_embedded(code, at.file, &inside, &error))
		fail_msg("%s", error.text);
	assert_non_null(strstr(adbgd_source_get_path(inside), "vars.cl, embedded in "));
	assert_int_equal(adbgd_source_open("tests/unit/debug/code/vars.cl", NULL, &own, &file,
					   &error), 0);
	assert_int_equal(adbgd_source_get_num_lines(inside), adbgd_source_get_num_lines(file));
	for (i = 1; i <= adbgd_source_get_num_lines(file); i++)
		assert_string_equal(adbgd_source_get_line(inside, i),
				    adbgd_source_get_line(file, i));
	adbgd_source_free(inside);
	adbgd_source_free(file);
	assert_int_equal(adbgd_source_open_embedded(code, "/other.cl", &inside, &error), -ENOENT);
	adbgd_code_free(code);
	code = open_code(DEBUG_CO "vars_O1.co");
	assert_int_equal(adbgd_source_open_embedded(code, "/vars.cl", &inside, &error), -ENOENT);
	assert_non_null(strstr(error.text, "vars_O1.co does not contain the source file "));
	adbgd_code_free(code);
}

/* ------------------------------------------- files whose names a target has chosen */

static char place[64];		/* a folder of this test's own */

static char *in_place(const char *name)
{
	static char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", place, name);
	return path;
}

static void make_file(const char *name, mode_t mode)
{
	int fd = open(in_place(name), O_WRONLY | O_CREAT | O_EXCL, mode);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, "text\n", 5), 5);
	close(fd);
}

static int make_place(void **state)
{
	(void)state;
	strcpy(place, "/tmp/test_debug_line.XXXXXX");
	if (!mkdtemp(place) || chmod(place, 0755) || mkdir(in_place("folder"), 0755))
		return -1;
	make_file("folder/inside.cl", 0644);
	make_file("outside.cl", 0644);
	return 0;
}

static int remove_place(void **state)
{
	(void)state;
	free(run_tool("rm -r %s", place));
	return 0;
}

/* What opening it gives; @folder: NULL or the folder to look in */
static int try(const char *file, const char *folder, const struct adbgd_owner *owner)
{
	const char *const folders[] = { folder, NULL };
	struct adbgd_source *source;
	struct adbgd_error error;
	int ret = adbgd_source_open(file, folders, owner, &source, &error);

	if (ret) {
		assert_int_equal(error.error, ret);
		return ret;
	}
	assert_string_equal(adbgd_source_get_line(source, 1), "text");
	adbgd_source_free(source);
	return 0;
}

static void a_name_does_not_lead_out_of_the_folder(void **state)
{
	char folder[PATH_MAX];

	(void)state;
	strcpy(folder, in_place("folder"));
	assert_int_equal(symlink("../outside.cl", in_place("folder/out.cl")), 0);
	assert_int_equal(symlink("inside.cl", in_place("folder/in.cl")), 0);
	assert_int_equal(mkdir(in_place("folder/x"), 0755), 0);
	assert_int_equal(try("/src/inside.cl", folder, NULL), 0);
	assert_int_equal(try("/src/in.cl", folder, NULL), 0);
	assert_int_equal(try("x/../inside.cl", folder, NULL), 0);
	assert_int_equal(try("x/../../outside.cl", folder, NULL), -ENOENT);
	assert_int_equal(try("/src/../outside.cl", folder, NULL), -ENOENT);
	assert_int_equal(try("out.cl", folder, NULL), -ENOENT);
	/* Without an owner, it is not opened under its own name. */
	assert_int_equal(try(in_place("outside.cl"), folder, NULL), -ENOENT);
	assert_int_equal(try(in_place("outside.cl"), NULL, &own), 0);
}

static void what_is_no_regular_file_is_never_opened(void **state)
{
	char fifo[PATH_MAX], events[4096];
	int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	struct adbgd_code *code;
	struct adbgd_error error;

	(void)state;
	strcpy(fifo, in_place("folder/fifo"));
	assert_int_equal(mkfifo(fifo, 0666), 0);
	assert_true(inotify_add_watch(fd, fifo, IN_OPEN) >= 0);
	assert_int_equal(try(fifo, NULL, &own), -ENOENT);
	assert_int_equal(try("fifo", in_place("folder"), &own), -ENOENT);
	assert_int_equal(adbgd_code_open(fifo, &code, &error), -ENOEXEC);
	assert_int_equal(read(fd, events, sizeof(events)), -1);
	assert_int_equal(errno, EAGAIN);
	/* A file is, which shows that the above would be seen. */
	assert_true(inotify_add_watch(fd, in_place("outside.cl"), IN_OPEN) >= 0);
	assert_int_equal(try(in_place("outside.cl"), NULL, &own), 0);
	assert_true(read(fd, events, sizeof(events)) > 0);
	close(fd);
}

static void files_of_the_kernel_are_not_opened(void **state)
{
	(void)state;
	assert_int_equal(try("/proc/version", NULL, &own), -EACCES);
	assert_int_equal(try("version", "/proc", NULL), -EACCES);
	assert_int_equal(try("/proc/self/exe", NULL, &own), -ELOOP);
	if (!access("/sys/kernel/notes", F_OK))
		assert_int_equal(try("/sys/kernel/notes", NULL, &own), -EACCES);
}

static void files_are_opened_with_the_rights_of_the_owner(void **state)
{
	struct adbgd_owner owner = { .uid = 65534, .gid = 65534 };
	gid_t groups[] = { 0, 5 }, after[4];

	(void)state;
	make_file("secret.cl", 0600);
	make_file("group.cl", 0640);
	assert_int_equal(symlink("../secret.cl", in_place("folder/link.cl")), 0);
	if (geteuid()) {
		owner.uid = geteuid() + 1;
		assert_int_equal(try(in_place("outside.cl"), NULL, &owner), -EPERM);
		skip();
	}
	assert_int_equal(setgroups(ARRAY_SIZE(groups), groups), 0);
	assert_int_equal(try(in_place("secret.cl"), NULL, &own), 0);
	assert_int_equal(try(in_place("outside.cl"), NULL, &owner), 0);
	assert_int_equal(try(in_place("secret.cl"), NULL, &owner), -EACCES);
	assert_int_equal(try(in_place("group.cl"), NULL, &owner), -EACCES);
	assert_int_equal(try(in_place("folder/link.cl"), NULL, &owner), -EACCES);
	/* And the caller has his own again. */
	assert_int_equal(setfsuid(-1), 0);
	assert_int_equal(setfsgid(-1), 0);
	assert_int_equal(getgroups(ARRAY_SIZE(after), after), 2);
	assert_memory_equal(after, groups, sizeof(groups));
	assert_int_equal(try(in_place("secret.cl"), NULL, &own), 0);
}

static void lines_may_end_in_any_way(void **state)
{
	char path[] = "/tmp/test_debug_line.XXXXXX";
	static const char text[] = "one\r\n\n\tthree\nfour";
	int fd = mkstemp(path);
	struct adbgd_source *source;

	(void)state;
	assert_int_equal(write(fd, text, sizeof(text) - 1), sizeof(text) - 1);
	close(fd);
	assert_int_equal(adbgd_source_open(path, NULL, &own, &source, NULL), 0);
	unlink(path);
	assert_int_equal(adbgd_source_get_num_lines(source), 4);
	assert_string_equal(adbgd_source_get_line(source, 1), "one");
	assert_string_equal(adbgd_source_get_line(source, 2), "");
	assert_string_equal(adbgd_source_get_line(source, 3), "\tthree");
	assert_string_equal(adbgd_source_get_line(source, 4), "four");
	adbgd_source_free(source);
}

#define MAX_LINES	1000000

/* A file of lines of one byte, with @count of them */
static int open_newlines(size_t count, struct adbgd_source **source, struct adbgd_error *error)
{
	char path[] = "/tmp/test_debug_line.XXXXXX", *text = malloc(count);
	int fd = mkstemp(path), ret;

	assert_non_null(text);
	memset(text, '\n', count);
	assert_int_equal(write(fd, text, count), count);
	close(fd);
	free(text);
	ret = adbgd_source_open(path, NULL, &own, source, error);
	unlink(path);
	return ret;
}

static void a_file_has_at_most_a_million_lines(void **state)
{
	struct adbgd_source *source;
	struct adbgd_error error;

	(void)state;
	assert_int_equal(open_newlines(MAX_LINES, &source, &error), 0);
	assert_int_equal(adbgd_source_get_num_lines(source), MAX_LINES);
	assert_string_equal(adbgd_source_get_line(source, MAX_LINES), "");
	adbgd_source_free(source);
	assert_int_equal(open_newlines(MAX_LINES + 1, &source, &error), -E2BIG);
	assert_non_null(strstr(error.text, " has more than 1000000 lines"));
}

#define PLACE_TEST(test) cmocka_unit_test_setup_teardown(test, make_place, remove_place)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_address_has_its_line),
		cmocka_unit_test(a_line_is_at_its_first_statement),
		cmocka_unit_test(a_line_that_was_inlined_has_several_places),
		cmocka_unit_test(an_invalid_line_is_reported),
		cmocka_unit_test(source_files_are_listed),
		cmocka_unit_test(frames_are_those_of_the_symbolizer),
		cmocka_unit_test(places_are_those_of_the_line_table),
		cmocka_unit_test(an_address_outside_of_functions_is_reported),
		cmocka_unit_test(a_function_begins_behind_its_prologue),
		cmocka_unit_test(a_source_file_is_looked_for),
		cmocka_unit_test(a_source_file_may_be_in_the_debug_information),
		cmocka_unit_test(lines_may_end_in_any_way),
		cmocka_unit_test(a_file_has_at_most_a_million_lines),
		PLACE_TEST(a_name_does_not_lead_out_of_the_folder),
		PLACE_TEST(what_is_no_regular_file_is_never_opened),
		PLACE_TEST(files_of_the_kernel_are_not_opened),
		PLACE_TEST(files_are_opened_with_the_rights_of_the_owner),
	};

	own = (struct adbgd_owner){ .uid = geteuid(), .gid = getegid() };

	return cmocka_run_group_tests_name("debug_line", tests, NULL, NULL);
}
