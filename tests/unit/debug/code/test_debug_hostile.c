// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/debug with code objects of a hostile target: their cost is bounded by the number of bytes
 * that were read, no file is opened because they name it, and an interrupt ends all processing.
 */
#include <stdbool.h>

#include "hostile.h"

#include <dwarf.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define BASE	0x100000000ull
#define PAGE	4096

/* ------------------------------------------------------------------ in memory */

static int interrupt_fds[2];

static void interrupt(bool on)
{
	char byte = 0;

	if (on)
		assert_int_equal(write(interrupt_fds[1], &byte, 1), 1);
	else
		assert_int_equal(read(interrupt_fds[0], &byte, 1), 1);
}

/* A header of a file of @size more bytes, and has no section */
static void put_file_header(uint8_t *to, uint64_t size)
{
	struct hostile none = { 0 };
	size_t length;
	uint8_t *file = hostile_file(&none, &length);
	Elf64_Ehdr *h = (Elf64_Ehdr *)to;
	Elf64_Phdr *p = (Elf64_Phdr *)(to + sizeof(*h));

	memcpy(to, file, sizeof(*h) + sizeof(*p));
	h->e_shnum = 0;
	h->e_shoff = 0;
	h->e_phnum = 2;
	p->p_filesz = size;
	p->p_memsz = size;
	/* Where a loader would put it there is nothing of that kind, so it is a file. */
	p[1] = (Elf64_Phdr){ .p_type = PT_DYNAMIC, .p_filesz = 2 * sizeof(Elf64_Dyn) };
	free(file);
}

static void overlapping_code_objects_are_read_once(void **state)
{
	static const size_t size = 1 << 20;
	struct adbgd_error error;
	struct fake_memory fake;
	struct adbgd_code *code;
	unsigned int found = 0, i;
	uint64_t at;
	uint8_t *bytes;

	(void)state;
	fake_init(&fake);
	bytes = fake_add(&fake, BASE, size);
	/* One at each page, all up to the same end */
	for (i = 0; i < size / PAGE; i++)
		put_file_header(bytes + i * PAGE, size - i * PAGE);
	assert_int_equal(adbgd_scan_budget_new(-1, &fake.memory.budget, &error), 0);
	for (at = BASE;
	     !adbgd_memory_find_code(&fake.memory, fake.spans, fake.num, at, &at, &error);
	     at++) {
		if (adbgd_code_new_memory(&fake.memory, at, size - (at - BASE), &code, &error))
			fail_msg("%s", error.text);
		adbgd_code_free(code);
		found++;
	}
	assert_int_equal(error.error, -ENOENT);
	assert_int_equal(found, 1);
	assert_in_range(fake.bytes_read, size, size + size / 4);
	assert_int_equal(adbgd_code_new_memory(&fake.memory, BASE + PAGE, PAGE, &code, &error),
			 -EEXIST);
	adbgd_scan_budget_free(fake.memory.budget);
	fake_free(&fake);
}

/* They have no instructions, which is seen when all of them is read. */
static void failed_code_objects_are_counted(void **state)
{
	static const size_t size = 64 << 20;
	struct adbgd_error error;
	struct fake_memory fake;
	struct adbgd_code *code;
	unsigned int i;
	uint64_t at;
	uint8_t *bytes;
	int ret;

	(void)state;
	fake_init(&fake);
	bytes = fake_add(&fake, BASE, size);
	for (i = 0; i < size / PAGE; i++) {
		put_file_header(bytes + i * PAGE, size - i * PAGE);
		((Elf64_Phdr *)(bytes + i * PAGE + sizeof(Elf64_Ehdr)))->p_flags = PF_R;
	}
	assert_int_equal(adbgd_scan_budget_new(-1, &fake.memory.budget, &error), 0);
	for (at = BASE;; at++) {
		ret = adbgd_memory_find_code(&fake.memory, fake.spans, fake.num, at, &at, &error);
		if (ret)
			break;
		ret = adbgd_code_new_memory(&fake.memory, at, size - (at - BASE), &code, &error);
		assert_true(ret == -ENOEXEC || ret == -E2BIG);
	}
	assert_int_equal(ret, -E2BIG);
	assert_string_equal(error.text, "the search for code objects: there are more than 8192 "
			    "ELF headers in memory");
	/* All of it several times, but not thousands of times */
	assert_true(fake.bytes_read < 300 << 20);
	adbgd_scan_budget_free(fake.memory.budget);
	fake_free(&fake);
}

static int read_zeros(void *data, uint64_t address, void *buffer, size_t size)
{
	unsigned int *reads = data;

	(void)address;
	++*reads;
	memset(buffer, 0, size);
	return 0;
}

static void a_search_can_be_interrupted(void **state)
{
	static const struct adbgd_span all = { BASE, 1ull << 46 };
	unsigned int reads = 0;
	struct adbgd_memory memory = { .read = read_zeros, .data = &reads };
	struct hostile none = { 0 };
	struct adbgd_code *code = hostile_code(&none);
	struct adbgd_error error;
	uint64_t at;

	(void)state;
	assert_int_equal(adbgd_scan_budget_new(interrupt_fds[0], &memory.budget, &error), 0);
	interrupt(true);
	assert_int_equal(adbgd_memory_find_code(&memory, &all, 1, 0, &at, &error), -EINTR);
	assert_string_equal(error.text, "the search for code objects: interrupted");
	assert_true(reads < 10000);
	assert_int_equal(adbgd_code_find_base(code, &memory, &all, 1, NULL, 0, &at, &error),
			 -EINTR);
	adbgd_scan_budget_free(memory.budget);
	memory.budget = NULL;
	adbgd_code_set_interrupt(code, interrupt_fds[0]);
	assert_int_equal(adbgd_code_find_base(code, &memory, &all, 1, NULL, 0, &at, &error),
			 -EINTR);
	assert_string_equal(error.text, "it: interrupted");
	interrupt(false);
	adbgd_code_free(code);
}

/* Not for ever, where nothing interrupts it */
static void a_search_ends(void **state)
{
	static const struct adbgd_span all = { BASE, 1ull << 46 };
	unsigned int reads = 0;
	struct adbgd_memory memory = { .read = read_zeros, .data = &reads };
	struct adbgd_error error;
	uint64_t at;

	(void)state;
	assert_int_equal(adbgd_memory_find_code(&memory, &all, 1, 0, &at, &error), -E2BIG);
	assert_int_equal(reads, 16 << 20);
}

/* --------------------------------------------------------- files that it names */

static char named[64];		/* a file, whose opening is seen */

static struct adbgd_code *with_alternate(const char *section)
{
	struct hostile h = { 0 };
	struct blob *abbrev = hostile_section(&h, ".debug_abbrev");
	struct blob *info = hostile_section(&h, ".debug_info"), *link;
	size_t unit;

	put_abbrev(abbrev, 1, DW_TAG_compile_unit, true, DW_AT_name, DW_FORM_GNU_strp_alt,
		   DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4, 0);
	put_abbrev(abbrev, 2, DW_TAG_subprogram, true, DW_AT_name, DW_FORM_GNU_strp_alt,
		   DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4, 0);
	put8(abbrev, 0);
	unit = begin_unit(info);
	put_uleb(info, 1);
	put32(info, 0);
	put64(info, HOSTILE_TEXT);
	put32(info, HOSTILE_LENGTH);
	put_uleb(info, 2);
	put32(info, 0);
	put64(info, HOSTILE_TEXT);
	put32(info, HOSTILE_LENGTH);
	put16(info, 0);
	end_unit(info, unit);
	if (section) {
		link = hostile_section(&h, section);
		if (!strcmp(section, ".debug_sup")) {
			put16(link, 5);
			put8(link, 0);
		}
		put_string(link, named);
		put_run(link, 20, 21);
	}
	return hostile_code(&h);
}

/* DWARF 5, or the same as GNU had it before */
static struct adbgd_code *with_split_unit(unsigned int version)
{
	struct hostile h = { 0 };
	struct blob *abbrev = hostile_section(&h, ".debug_abbrev");
	struct blob *info = hostile_section(&h, ".debug_info");

	put32(info, 0);
	put16(info, version);
	if (version == 5) {
		put_abbrev(abbrev, 1, DW_TAG_skeleton_unit, false, DW_AT_dwo_name, DW_FORM_string,
			   DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4, 0);
		put8(info, DW_UT_skeleton);
		put8(info, 8);
		put32(info, 0);
		put64(info, 0x1122334455667788);
	} else {
		put_abbrev(abbrev, 1, DW_TAG_compile_unit, false, DW_AT_GNU_dwo_name,
			   DW_FORM_string, DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc,
			   DW_FORM_data4, DW_AT_GNU_dwo_id, DW_FORM_data8, 0);
		put32(info, 0);
		put8(info, 8);
	}
	put8(abbrev, 0);
	put_uleb(info, 1);
	put_string(info, named);
	put64(info, HOSTILE_TEXT);
	put32(info, HOSTILE_LENGTH);
	if (version != 5)
		put64(info, 0x1122334455667788);
	end_unit(info, 0);
	return hostile_code(&h);
}

static void ask(struct adbgd_code *code, const char *why)
{
	struct adbgd_variables *variables;
	struct adbgd_frame frame;
	struct adbgd_error error;
	size_t count;
	int ret = adbgd_code_load_debug(code, &error);

	if (ret != (why ? -EOPNOTSUPP : 0) || (why && !strstr(error.text, why)))
		fail_msg("%d: %s", ret, error.text);
	ret = adbgd_frames_at(code, HOSTILE_TEXT, &frame, 1, &count, &error);
	assert_true(why ? ret == -EOPNOTSUPP : !ret);
	if (!adbgd_variables_new(code, HOSTILE_TEXT, &variables, &error))
		adbgd_variables_free(variables);
	adbgd_code_free(code);
}

static void no_file_is_opened_that_debug_information_names(void **state)
{
	int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC), file;
	char events[4096], why[128];

	(void)state;
	strcpy(named, "/tmp/test_debug_hostile.XXXXXX");
	file = mkstemp(named);
	assert_true(file >= 0);
	assert_true(inotify_add_watch(fd, named, IN_OPEN) >= 0);
	ask(with_alternate(".gnu_debugaltlink"), "another file, which is not read (.gnu_debugaltlink)");
	ask(with_alternate(".debug_sup"), "another file, which is not read (.debug_sup)");
	/* It refers to one that it does not name. */
	ask(with_alternate(NULL), NULL);
	snprintf(why, sizeof(why), "in another file, %s, which was not found", named);
	ask(with_split_unit(5), why);
	ask(with_split_unit(4), why);
	assert_int_equal(read(fd, events, sizeof(events)), -1);
	assert_int_equal(errno, EAGAIN);
	close(open(named, O_RDONLY));
	assert_true(read(fd, events, sizeof(events)) > 0);
	close(fd);
	close(file);
	unlink(named);
}

/* -------------------------------------------- little that is made to be very much */

/* Memory of a process that does nothing else; not where a sanitizer takes its own */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MEMORY_COUNTS	false
#else
#define MEMORY_COUNTS	true
#endif

typedef void questions(struct adbgd_code *code);

/*
 * In a process of its own: it ends well, and takes so much memory at most, also where libdw
 * takes it. Frees the code object.
 */
static void is_bounded_code(struct adbgd_code *code, questions *ask_it, unsigned int max_mib)
{
	struct rusage before, usage;
	int status;
	pid_t pid;

	assert_int_equal(getrusage(RUSAGE_SELF, &before), 0);
	fflush(stdout);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		ask_it(code);
		_exit(0);
	}
	adbgd_code_free(code);
	assert_int_equal(wait4(pid, &status, 0, &usage), pid);
	assert_int_equal(status, 0);
	/* In KiB; what the parent had counts for the child from its start. */
	if (MEMORY_COUNTS && usage.ru_maxrss > before.ru_maxrss + 1024L * max_mib)
		fail_msg("it takes %ld MiB", (usage.ru_maxrss - before.ru_maxrss) / 1024);
}

static void is_bounded(struct hostile *h, questions *ask_it, unsigned int max_mib)
{
	is_bounded_code(hostile_code(h), ask_it, max_mib);
}

/* In the child, where assertions of cmocka would jump into the parent's tests */
static void must(bool is_so, const char *what, const struct adbgd_error *error)
{
	if (is_so)
		return;
	fprintf(stderr, "%s: %d: %s\n", what, error->error, error->text);
	_exit(1);
}

static void load_is_too_much(struct adbgd_code *code)
{
	struct adbgd_error error = { 0 };

	must(adbgd_code_load_debug(code, &error) == -E2BIG, "it is not too much", &error);
}

static void variables_are_too_much(struct adbgd_code *code)
{
	struct adbgd_variables *variables;
	struct adbgd_error error = { 0 };

	must(adbgd_variables_new(code, HOSTILE_TEXT, &variables, &error) == -E2BIG,
	     "they are not too much", &error);
}

static void sections_that_are_packed_tightly_are_refused(void **state)
{
	const Elf64_Chdr packed = {
		.ch_type = ELFCOMPRESS_ZLIB, .ch_size = 16 << 20, .ch_addralign = 1,
	};
	struct hostile h = { 0 };
	struct blob *info = hostile_section(&h, ".debug_info");

	(void)state;
	put(info, &packed, sizeof(packed));
	put_run(info, 0, 20000);
	hostile_flags(&h, ".debug_info", SHF_COMPRESSED);
	is_bounded(&h, load_is_too_much, 4);
}

/*
 * Allocations fail that make the process larger than it is now by more than @mib MiB. The limit
 * stays until the process ends. It also covers memory that is allocated and never written,
 * which is_bounded_code() does not measure.
 */
static void limit_address_space(uint64_t mib)
{
	unsigned long long pages = 0;
	struct rlimit limit;
	FILE *statm = fopen("/proc/self/statm", "r");
	bool is_read = statm && fscanf(statm, "%llu", &pages) == 1;

	if (statm)
		fclose(statm);
	limit.rlim_cur = pages * sysconf(_SC_PAGESIZE) + (mib << 20);
	limit.rlim_max = limit.rlim_cur;
	must(is_read && !setrlimit(RLIMIT_AS, &limit), "the address space has no limit",
	     &(struct adbgd_error){ .error = -errno });
}

static void match_has_no_instructions(struct adbgd_code *code)
{
	static const struct adbgd_span span = { BASE, PAGE };
	unsigned int reads = 0;
	struct adbgd_memory memory = { .read = read_zeros, .data = &reads };
	struct adbgd_error error = { 0 };
	uint64_t at;

	limit_address_space(64);
	must(adbgd_code_find_base(code, &memory, &span, 1, NULL, 0, &at, &error) == -ENODATA,
	     "the match does not report that there are no instructions", &error);
}

/* The header claims 1 GiB of instructions, the most that is allowed. The file has some KiB. */
static uint8_t *file_with_large_text(size_t *size)
{
	struct hostile none = { 0 };
	uint8_t *file = hostile_file(&none, size);
	Elf64_Ehdr *h = (Elf64_Ehdr *)file;
	Elf64_Phdr *p = (Elf64_Phdr *)(file + sizeof(*h));

	h->e_shnum = 0;
	h->e_shoff = 0;
	p->p_filesz = 1 << 30;
	p->p_memsz = 1 << 30;
	return file;
}

static void match_allocates_nothing_for_instructions_that_a_file_lacks(void **state)
{
	struct adbgd_code *code;
	struct adbgd_error error;
	size_t size;
	uint8_t *file = file_with_large_text(&size);

	(void)state;
	if (adbgd_code_new(file, size, "it", &code, &error))
		fail_msg("%s", error.text);
	assert_int_equal(adbgd_code_get_info(code)->text.size, 1 << 30);
	is_bounded_code(code, match_has_no_instructions, 4);
	free(file);
}

static void match_allocates_nothing_for_instructions_of_a_loaded_object(void **state)
{
	struct adbgd_error error;
	struct fake_memory fake;
	struct adbgd_code *code;
	size_t size;
	uint8_t *file = file_with_large_text(&size);

	(void)state;
	fake_init(&fake);
	memcpy(fake_add(&fake, BASE, size), file, size);
	free(file);
	if (adbgd_code_new_memory(&fake.memory, BASE, size, &code, &error))
		fail_msg("%s", error.text);
	assert_true(adbgd_code_get_info(code)->flags & ADBGD_CODE_LOADED);
	assert_int_equal(adbgd_code_get_info(code)->text.size, 1 << 30);
	is_bounded_code(code, match_has_no_instructions, 4);
	fake_free(&fake);
}

static void units_are_bounded(void **state)
{
	struct hostile h = { 0 };
	struct blob *abbrev = hostile_section(&h, ".debug_abbrev");
	struct blob *info = hostile_section(&h, ".debug_info");
	unsigned int i;
	size_t unit;

	(void)state;
	put_abbrev(abbrev, 1, DW_TAG_compile_unit, false, 0);
	put8(abbrev, 0);
	for (i = 0; i < 1000000; i++) {
		unit = begin_unit(info);
		put_uleb(info, 1);
		end_unit(info, unit);
	}
	is_bounded(&h, load_is_too_much, 32);
}

/* Each unit has libdw make a list of all of them, to find the last one. */
static void abbreviations_are_charged_to_each_unit(void **state)
{
	struct hostile h = { 0 };
	struct blob *abbrev = hostile_section(&h, ".debug_abbrev");
	struct blob *info = hostile_section(&h, ".debug_info");
	unsigned int i;
	size_t unit;

	(void)state;
	for (i = 1; i <= 20000; i++)
		put_abbrev(abbrev, i, DW_TAG_compile_unit, false, 0);
	put8(abbrev, 0);
	for (i = 0; i < 2000; i++) {
		unit = begin_unit(info);
		put_uleb(info, 20000);
		end_unit(info, unit);
	}
	is_bounded(&h, load_is_too_much, 32);
}

/* Where many entries have a great number of attributes of no bytes */
static void attributes_of_an_entry_are_bounded(void **state)
{
	struct hostile h = { 0 };
	struct blob *abbrev = hostile_section(&h, ".debug_abbrev");
	struct blob *info = hostile_section(&h, ".debug_info");
	unsigned int i;
	size_t unit;

	(void)state;
	put_function_abbrevs(abbrev);
	put_uleb(abbrev, 3);
	put_uleb(abbrev, DW_TAG_variable);
	put8(abbrev, 0);
	for (i = 0; i < 50000; i++) {
		put_uleb(abbrev, DW_AT_artificial);
		put_uleb(abbrev, DW_FORM_flag_present);
	}
	put16(abbrev, 0);
	put8(abbrev, 0);
	unit = begin_unit(info);
	put_function(info);
	put_run(info, 3, 50000);
	put16(info, 0);
	end_unit(info, unit);
	is_bounded(&h, load_is_too_much, 4);
}

/* A list of ranges of which none is kept, which all entries share */
static void ranges_are_counted_over_all_entries(void **state)
{
	static const unsigned int num = 4000;
	struct hostile h = { 0 };
	struct blob *abbrev = hostile_section(&h, ".debug_abbrev");
	struct blob *info = hostile_section(&h, ".debug_info");
	struct blob *ranges = hostile_section(&h, ".debug_ranges");
	unsigned int i;
	size_t unit;

	(void)state;
	put_function_abbrevs(abbrev);
	put_abbrev(abbrev, 3, DW_TAG_lexical_block, false, DW_AT_ranges, DW_FORM_sec_offset, 0);
	put8(abbrev, 0);
	unit = begin_unit(info);
	put_function(info);
	for (i = 0; i < num; i++) {
		put_uleb(info, 3);
		put32(info, 0);
		put64(ranges, 0x100000);
		put64(ranges, 0x100001);
	}
	put16(info, 0);
	end_unit(info, unit);
	put64(ranges, 0);
	put64(ranges, 0);
	is_bounded(&h, variables_are_too_much, 8);
}

/*
 * A table of lines of DWARF 4 with a folder and a file whose names are that long, up to its
 * program; gives where it begins, for end_lines()
 */
static size_t begin_lines(struct blob *line, size_t folder, size_t file)
{
	static const uint8_t head[] = { 1, 1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1 };
	size_t at = line->size, header;
	uint32_t size;

	put32(line, 0);
	put16(line, 4);
	header = line->size;
	put32(line, 0);
	put(line, head, sizeof(head));
	put_run(line, 'd', folder);
	put16(line, 0);
	put_run(line, 'a', file);
	put(line, "\0\1\0\0", 5);
	size = line->size - header - 4;
	memcpy(line->bytes + header, &size, sizeof(size));
	put(line, "\0\x09\x02", 3);
	put64(line, HOSTILE_TEXT);
	return at;
}

static void end_lines(struct blob *line, size_t at)
{
	put(line, "\x02\x10\0\x01\x01", 5);
	end_unit(line, at);
}

static void put_line_unit(struct hostile *h)
{
	struct blob *abbrev = hostile_section(h, ".debug_abbrev");
	struct blob *info = hostile_section(h, ".debug_info");
	size_t unit;

	put_abbrev(abbrev, 1, DW_TAG_compile_unit, false, DW_AT_stmt_list, DW_FORM_sec_offset,
		   DW_AT_low_pc, DW_FORM_addr, 0);
	put8(abbrev, 0);
	unit = begin_unit(info);
	put_uleb(info, 1);
	put32(info, 0);
	put64(info, 0);
	end_unit(info, unit);
}

static void rows_are_counted_before_they_are_made(void **state)
{
	struct hostile h = { 0 };
	struct blob *line;
	size_t at;

	(void)state;
	put_line_unit(&h);
	line = hostile_section(&h, ".debug_line");
	at = begin_lines(line, 1, 1);
	put_run(line, 0x20, 8 << 20);
	end_lines(line, at);
	is_bounded(&h, load_is_too_much, 4);
}

/* In its program, too: each with the name of the folder */
static void files_of_a_table_are_counted(void **state)
{
	struct hostile h = { 0 };
	struct blob *line;
	unsigned int i;
	size_t at;

	(void)state;
	put_line_unit(&h);
	line = hostile_section(&h, ".debug_line");
	at = begin_lines(line, 100000, 1);
	for (i = 0; i < 20000; i++)
		put(line, "\0\x06\x03\x62\0\1\0", 8);
	end_lines(line, at);
	is_bounded(&h, load_is_too_much, 16);
}

/* A variable "x" in "f", with one more attribute */
static struct blob *begin_variable(struct hostile *h, unsigned int attribute, unsigned int form,
				   size_t *unit)
{
	struct blob *abbrev = hostile_section(h, ".debug_abbrev");
	struct blob *info = hostile_section(h, ".debug_info");

	put_function_abbrevs(abbrev);
	put_abbrev(abbrev, 3, DW_TAG_variable, false, DW_AT_name, DW_FORM_string, attribute,
		   form, 0);
	put_abbrev(abbrev, 4, DW_TAG_pointer_type, false, DW_AT_type, DW_FORM_ref4, 0);
	put8(abbrev, 0);
	*unit = begin_unit(info);
	put_function(info);
	put_uleb(info, 3);
	put_string(info, "x");
	return hostile_section(h, ".debug_info");
}

static void location_is_too_much(struct adbgd_code *code)
{
	const struct adbgd_context context = { .lanes = 32 };
	struct adbgd_variables *variables;
	struct adbgd_location location;
	struct adbgd_error error = { 0 };

	must(!adbgd_variables_new(code, HOSTILE_TEXT, &variables, &error), "variables", &error);
	must(adbgd_variable_locate(variables, 0, &context, &location, &error) == -E2BIG,
	     "its location is not too much", &error);
}

static void an_expression_is_bounded(void **state)
{
	static const unsigned int size = 4 << 20;
	struct hostile h = { 0 };
	struct blob *info;
	size_t unit;

	(void)state;
	info = begin_variable(&h, DW_AT_location, DW_FORM_exprloc, &unit);
	put_uleb(info, size);
	put_run(info, DW_OP_nop, size);
	put16(info, 0);
	end_unit(info, unit);
	is_bounded(&h, location_is_too_much, 4);
}

/* Of DWARF 5, where a location in a list may have any length */
static void a_location_in_a_list_is_bounded(void **state)
{
	static const unsigned int size = 1 << 20;
	struct hostile h = { 0 };
	struct blob *abbrev = hostile_section(&h, ".debug_abbrev");
	struct blob *info = hostile_section(&h, ".debug_info");
	struct blob *list = hostile_section(&h, ".debug_loclists");

	(void)state;
	put_function_abbrevs(abbrev);
	put_abbrev(abbrev, 3, DW_TAG_variable, false, DW_AT_name, DW_FORM_string, DW_AT_location,
		   DW_FORM_loclistx, 0);
	put8(abbrev, 0);
	put32(info, 0);
	put16(info, 5);
	put8(info, DW_UT_compile);
	put8(info, 8);
	put32(info, 0);
	put_function(info);
	put_uleb(info, 3);
	put_string(info, "x");
	put_uleb(info, 0);
	put16(info, 0);
	end_unit(info, 0);
	/* The table has one list, which begins behind its offset. */
	put32(list, 0);
	put16(list, 5);
	put8(list, 8);
	put8(list, 0);
	put32(list, 1);
	put32(list, 4);
	put8(list, DW_LLE_default_location);
	put_uleb(list, size);
	put_run(list, DW_OP_nop, size);
	put8(list, 0);
	end_unit(list, 0);
	is_bounded(&h, location_is_too_much, 4);
}

/* Entries of a list that only set the base of others, in a list that all entries share */
static void lists_without_ranges_are_bounded(void **state)
{
	static const unsigned int num = 8000, length = 20000;
	struct hostile h = { 0 };
	struct blob *abbrev = hostile_section(&h, ".debug_abbrev");
	struct blob *info = hostile_section(&h, ".debug_info");
	struct blob *ranges = hostile_section(&h, ".debug_ranges");
	unsigned int i;
	size_t unit;

	(void)state;
	put_function_abbrevs(abbrev);
	put_abbrev(abbrev, 3, DW_TAG_lexical_block, false, DW_AT_ranges, DW_FORM_sec_offset, 0);
	put8(abbrev, 0);
	unit = begin_unit(info);
	put_function(info);
	for (i = 0; i < num; i++) {
		put_uleb(info, 3);
		put32(info, 0);
	}
	put16(info, 0);
	end_unit(info, unit);
	for (i = 0; i < length; i++) {
		put64(ranges, UINT64_MAX);
		put64(ranges, 0x100000);
	}
	put_run(ranges, 0, 16);
	is_bounded(&h, variables_are_too_much, 8);
}

/* They lie behind the end of the tree, where no entry is counted. */
static void types_are_bounded(void **state)
{
	static const unsigned int num = 1000000;
	struct hostile h = { 0 };
	struct blob *info;
	uint32_t chain;
	unsigned int i;
	size_t unit;

	(void)state;
	info = begin_variable(&h, DW_AT_type, DW_FORM_ref4, &unit);
	chain = info->size - unit + 4 + 2;
	put32(info, chain);
	put16(info, 0);
	for (i = 1; i <= num; i++) {
		put_uleb(info, 4);
		put32(info, chain + 5 * (i % num));
	}
	end_unit(info, unit);
	is_bounded(&h, variables_are_too_much, 64);
}

/* ------------------------------------------------------------------------- names */

static void names_are_no_longer_than_a_path(void **state)
{
	struct hostile h = { 0 };
	struct adbgd_variables *variables;
	struct adbgd_frame frame;
	struct adbgd_error error;
	struct adbgd_code *code;
	struct adbgd_line at;
	struct blob *info, *abbrev;
	size_t count, unit;

	(void)state;
	put_line_unit(&h);
	unit = begin_lines(hostile_section(&h, ".debug_line"), 1, 100000);
	put(hostile_section(&h, ".debug_line"), "\x20\x21\x22", 3);
	end_lines(hostile_section(&h, ".debug_line"), unit);
	code = hostile_code(&h);
	if (adbgd_line_at(code, HOSTILE_TEXT + 4, &at, &error))
		fail_msg("%s", error.text);
	assert_int_equal(strlen(at.file), PATH_MAX - 1);
	assert_int_equal(strlen(adbgd_code_get_source_file(code, 0)), PATH_MAX - 1);
	adbgd_code_free(code);

	abbrev = hostile_section(&h, ".debug_abbrev");
	put_function_abbrevs(abbrev);
	put_abbrev(abbrev, 3, DW_TAG_variable, false, DW_AT_name, DW_FORM_string, 0);
	put8(abbrev, 0);
	info = hostile_section(&h, ".debug_info");
	unit = begin_unit(info);
	put_uleb(info, 1);
	put64(info, HOSTILE_TEXT);
	put32(info, HOSTILE_LENGTH);
	put_uleb(info, 2);
	put_run(info, 'f', 100000);
	put8(info, 0);
	put64(info, HOSTILE_TEXT);
	put32(info, HOSTILE_LENGTH);
	put_uleb(info, 3);
	put_run(info, 'v', 100000);
	put8(info, 0);
	put16(info, 0);
	end_unit(info, unit);
	code = hostile_code(&h);
	if (adbgd_frames_at(code, HOSTILE_TEXT, &frame, 1, &count, &error) ||
	    adbgd_variables_new(code, HOSTILE_TEXT, &variables, &error))
		fail_msg("%s", error.text);
	assert_int_equal(strlen(frame.function), PATH_MAX - 1);
	assert_int_equal(strlen(adbgd_variables_get(variables, 0)->name), PATH_MAX - 1);
	adbgd_variables_free(variables);
	adbgd_code_free(code);
}

static void debug_information_can_be_interrupted(void **state)
{
	struct hostile h = { 0 };
	struct adbgd_error error;
	struct adbgd_code *code;
	struct blob *line;
	size_t at;

	(void)state;
	put_line_unit(&h);
	line = hostile_section(&h, ".debug_line");
	at = begin_lines(line, 1, 1);
	put_run(line, 0x20, 200000);
	end_lines(line, at);
	code = hostile_code(&h);
	adbgd_code_set_interrupt(code, interrupt_fds[0]);
	interrupt(true);
	assert_int_equal(adbgd_code_load_debug(code, &error), -EINTR);
	assert_string_equal(error.text, "it: interrupted");
	interrupt(false);
	/* What was given up is read then. */
	if (adbgd_code_load_debug(code, &error))
		fail_msg("%s", error.text);
	assert_non_null(adbgd_code_get_source_file(code, 0));
	adbgd_code_free(code);
}

static int make_interrupt(void **state)
{
	(void)state;
	return pipe2(interrupt_fds, O_CLOEXEC);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(overlapping_code_objects_are_read_once),
		cmocka_unit_test(failed_code_objects_are_counted),
		cmocka_unit_test(a_search_can_be_interrupted),
		cmocka_unit_test(a_search_ends),
		cmocka_unit_test(no_file_is_opened_that_debug_information_names),
		cmocka_unit_test(sections_that_are_packed_tightly_are_refused),
		cmocka_unit_test(match_allocates_nothing_for_instructions_that_a_file_lacks),
		cmocka_unit_test(match_allocates_nothing_for_instructions_of_a_loaded_object),
		cmocka_unit_test(units_are_bounded),
		cmocka_unit_test(abbreviations_are_charged_to_each_unit),
		cmocka_unit_test(attributes_of_an_entry_are_bounded),
		cmocka_unit_test(ranges_are_counted_over_all_entries),
		cmocka_unit_test(rows_are_counted_before_they_are_made),
		cmocka_unit_test(files_of_a_table_are_counted),
		cmocka_unit_test(an_expression_is_bounded),
		cmocka_unit_test(a_location_in_a_list_is_bounded),
		cmocka_unit_test(lists_without_ranges_are_bounded),
		cmocka_unit_test(types_are_bounded),
		cmocka_unit_test(names_are_no_longer_than_a_path),
		cmocka_unit_test(debug_information_can_be_interrupted),
	};

	return cmocka_run_group_tests(tests, make_interrupt, NULL);
}
