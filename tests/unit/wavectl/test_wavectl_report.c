// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Files of reports: the commands that read one with --from, and damaged ones. No ioctl is expected
 * here: a command that opens a GPU fails the test.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "mock.h"
#include "run_wavectl.h"

static struct run r;
static char file[64];

#define WAVE(name, pid, pc, reason) \
	"{\"name\":\"" name "\",\"vmid\":1,\"pid\":" pid ",\"program\":\"shader\"," \
	"\"pc\":\"" pc "\",\"exec\":\"0x0000000000000005\",\"state\":\"running\"," \
	"\"instruction\":\"s_nop 0\",\"reason\":\"" reason "\",\"registers\":{" \
	"\"hw\":\"00000000 00002000\",\"sgprs\":\"00000010 00000011\",\"ttmps\":\"\"," \
	"\"vgprs\":[\"00000020 00000021 00000022\"]}}"

#define REPORT \
	"{\"amdgpudbg_report\":1,\"time\":\"2026-01-01T00:00:00Z\",\"cause\":\"request\"," \
	"\"versions\":{\"number\":0,\"gpu\":\"gfx1033\",\"pci\":\"0000:01:00.0\"," \
	"\"gc_version\":656129}," \
	"\"jobs\":[{\"ring\":\"comp_1.0.1\",\"job\":\"41:7\",\"pid\":4711,\"age_ms\":12}]," \
	"\"waves\":[" WAVE("se0.sa0.wgp0.simd0.wave0", "4711", "0x0000600000001000", "runs") "," \
	WAVE("se0.sa0.wgp1.simd0.wave0", "4712", "0x0000600000002000", "waits at a barrier") "]," \
	"\"code\":[{\"pid\":4711,\"pc\":\"0x0000600000001000\",\"instructions\":[" \
	"{\"mark\":\"=>\",\"address\":\"0x0000600000001000\",\"instruction\":\"s_nop 0\"}]}]," \
	"\"memory\":[{\"pid\":4711,\"address\":\"0x0000600000001000\"," \
	"\"words\":\"bf800000 bf810000\"}]," \
	"\"mappings\":[{\"pid\":4711,\"address\":\"0x0000600000001000\"," \
	"\"end\":\"0x0000600000003000\",\"kind\":\"vram\",\"offset\":\"0x0000000000000000\"}]}"

/* A report of two GPUs; the second one has one wave. */
#define REPORTS \
	"{\"amdgpudbg_report\":1,\"gpus\":[" REPORT ",{\"amdgpudbg_report\":1," \
	"\"versions\":{\"number\":1,\"gpu\":\"gfx1030\",\"pci\":\"0000:02:00.0\"}," \
	"\"waves\":[" WAVE("se1.sa0.wgp0.simd0.wave0", "4711", "0x0000600000003000", "runs") \
	"]}]}"

static void write_file(const char *text, size_t size)
{
	int fd;

	strcpy(file, "/tmp/test_wavectl_report.XXXXXX");
	fd = mkstemp(file);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, size), size);
	close(fd);
}

static int setup(void **state)
{
	run_setup(state);
	return 0;
}

static int teardown(void **state)
{
	unlink(file);
	return run_teardown(state);
}

/* Run a command with the file of @text. Returns its exit status. */
static int from(const char *command, const char *text)
{
	char args[256];
	int status;

	write_file(text, strlen(text));
	snprintf(args, sizeof(args), "%s --from %s", command, file);
	status = run(&r, args);
	unlink(file);
	return status;
}

static void wave_list_shows_the_waves_of_a_report(void **state)
{
	(void)state;
	assert_int_equal(from("wave list", REPORT), 0);
	contains(r.out, "se0.sa0.wgp0.simd0.wave0  1     4711  shader   0x0000600000001000");
	contains(r.out, "waits at a barrier");
}

static void wave_list_selects_waves_and_the_process_of_a_report(void **state)
{
	(void)state;
	assert_int_equal(from("wave list wgp1", REPORT), 0);
	lacks(r.out, "wgp0");
	contains(r.out, "wgp1");
	assert_int_equal(from("wave list --pid 4711", REPORT), 0);
	contains(r.out, "wgp0");
	lacks(r.out, "wgp1");
}

static void wave_list_decodes_registers_of_a_report(void **state)
{
	(void)state;
	assert_int_equal(from("wave list -v", REPORT), 0);
	contains(r.out, "SQ_WAVE_STATUS     0x00002000 HALT=1");
}

static void reg_read_shows_registers_of_a_report(void **state)
{
	(void)state;
	assert_int_equal(from("reg read 0.0.0.0.0 s0-1 v0", REPORT), 0);
	contains(r.out, "0x00000010");
	contains(r.out, "0x00000011");
	contains(r.out, "0x00000020  (0x00000021)  0x00000022");
	assert_int_equal(from("reg read 0.0.0.0.0 v0 --lane 2", REPORT), 0);
	lacks(r.out, "0x00000020");
}

static void what_a_report_lacks_is_an_error(void **state)
{
	(void)state;
	assert_int_equal(from("reg read 0.0.0.0.0 s2", REPORT), 3);
	contains(r.err, "the report does not contain s2 of that wave");
	assert_int_equal(from("reg read 0.0.7.0.0 s0", REPORT), 3);
	contains(r.err, "the report has no wave 0.0.7.0.0");
	assert_int_equal(from("reg read 0.0.0.0.0 nothing", REPORT), 2);
	assert_int_equal(from("mem read 0x600000001000 12 --pid 4711", REPORT), 3);
	contains(r.err, "does not contain the memory at 0x0000600000001008");
	assert_int_equal(from("disasm 0x600000002000", REPORT), 3);
}

static void code_and_memory_of_a_report_are_shown(void **state)
{
	(void)state;
	assert_int_equal(from("disasm", REPORT), 0);
	contains(r.out, "=>    0x0000600000001000  -      s_nop 0");
	assert_int_equal(from("mem read 0x600000001000 8 --pid 4711", REPORT), 0);
	contains(r.out, "0xbf800000  0xbf810000");
	assert_int_equal(from("x 0x600000001004 --pid 4711", REPORT), 0);
	contains(r.out, "0x0000600000001004  0xbf810000");
}

static void vm_map_names_mappings_of_a_report(void **state)
{
	(void)state;
	assert_int_equal(from("vm map 0x600000001004", REPORT), 0);
	contains(r.out, "0x0000600000003000  vram");
	assert_int_equal(from("vm map 0x600000003000", REPORT), 3);
	contains(r.err, "(vram) ends 0x0 bytes below it");
	assert_int_equal(from("vm map 0x600000000000", REPORT), 3);
	contains(r.err, "(vram) begins 0x1000 bytes above it");
}

static void job_list_shows_the_jobs_of_a_report(void **state)
{
	(void)state;
	assert_int_equal(from("job list", REPORT), 0);
	contains(r.out, "comp_1.0.1  41:7");
}

static void a_report_is_printed_again(void **state)
{
	(void)state;
	assert_int_equal(from("report", REPORT), 0);
	contains(r.out, "report of the whole GPU, 2026-01-01T00:00:00Z, reason: request");
	assert_int_equal(from("-j report", REPORT), 0);
	contains(r.out, "\"gpu\":\"gfx1033\"");
}

static void the_gpu_of_a_report_is_selected(void **state)
{
	(void)state;
	assert_int_equal(from("wave list", REPORTS), 2);
	contains(r.err, "several GPUs; select one with --gpu: 0 (gfx1033), 1 (gfx1030)");
	assert_int_equal(from("wave list --gpu 1", REPORTS), 0);
	contains(r.out, "se1.sa0.wgp0.simd0.wave0");
	lacks(r.out, "se0.");
	assert_int_equal(from("wave list --gpu gfx1033", REPORTS), 0);
	contains(r.out, "se0.sa0.wgp0.simd0.wave0");
	lacks(r.out, "se1.");
	assert_int_equal(from("wave list --pci 0000:02:00.0", REPORTS), 0);
	contains(r.out, "se1.sa0.wgp0.simd0.wave0");
	assert_int_equal(from("wave list --gpu 2", REPORTS), 3);
	contains(r.err, "the report has no GPU '2'");
	assert_int_equal(from("wave list --gpu 1", REPORT), 3);
	assert_int_equal(from("wave list --gpu 0", REPORT), 0);
	assert_int_equal(from("wave list --render /dev/dri/renderD128", REPORTS), 2);
	contains(r.err, "a report has no render nodes");
}

static void a_report_of_several_gpus_is_printed_again(void **state)
{
	(void)state;
	assert_int_equal(from("report", REPORTS), 0);
	contains(r.out, "GPU 0, gfx1033");
	contains(r.out, "GPU 1, gfx1030");
	assert_int_equal(from("report --gpu 1", REPORTS), 0);
	lacks(r.out, "GPU 0");
}

static void odd_lists_of_gpus_are_empty_reports(void **state)
{
	static const char odd[] = "{\"amdgpudbg_report\":1,\"gpus\":[7,[],{}]}";

	(void)state;
	assert_int_equal(from("report", odd), 0);
	assert_int_equal(from("wave list", odd), 2);
	assert_int_equal(from("wave list --gpu 0", odd), 3);
	assert_int_equal(from("wave list", "{\"amdgpudbg_report\":1,\"gpus\":7}"), 0);
}

static void another_file_is_refused(void **state)
{
	(void)state;
	assert_int_equal(from("report", ""), 2);
	contains(r.err, "is not a report, or is damaged");
	assert_int_equal(from("report", "7"), 2);
	assert_int_equal(from("report", "{}"), 2);
	assert_int_equal(from("report", "[" REPORT "]"), 2);
	assert_int_equal(from("report", REPORT "x"), 2);
	assert_int_equal(from("report", "{\"amdgpudbg_report\":2}"), 5);
	contains(r.err, "is a report of format 2, and only 1 is known");
	assert_int_equal(run(&r, "report --from /nowhere"), 1);
}

static void a_report_that_is_nested_too_deeply_is_refused(void **state)
{
	char text[4096] = "{\"amdgpudbg_report\":1,\"waves\":";

	(void)state;
	memset(text + strlen(text), '[', 2000);
	assert_int_equal(from("report", text), 2);
}

/* The commands that read a report must end with a status, whatever is in it. */
static void reads_all(const char *text)
{
	static const char *const commands[] = {
		"report", "wave list -v", "job list", "vm map", "vm map 5", "disasm", "disasm 4",
		"reg read * s0 v0 pc", "mem read 0 16", "x 0", "-j report",
	};

	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		assert_in_range(from(commands[i], text), 0, 7);
}

static void members_of_other_types_do_no_harm(void **state)
{
	static const char *const texts[] = {
		"{\"amdgpudbg_report\":1}",
		"{\"amdgpudbg_report\":1,\"waves\":7,\"groups\":\"x\",\"jobs\":{},\"code\":null,"
		"\"memory\":true,\"mappings\":-1,\"versions\":[],\"pid\":\"x\"}",
		"{\"amdgpudbg_report\":1,\"waves\":[7,null,[],{},{\"name\":7},{\"name\":\"0.0.0.0.0\","
		"\"registers\":[]},{\"name\":\"0.0.0.0.1\",\"registers\":{\"hw\":\"0\",\"sgprs\":"
		"\"zzzzzzzz 00000000\",\"vgprs\":[7,null,\"\",\"00000000 0\"]}}],"
		"\"groups\":[null,{\"first\":\"0.0.0.0.0\"},{\"first\":\"\"},{\"first\":\"*\"}],"
		"\"versions\":{\"gc_version\":656129}}",
		"{\"amdgpudbg_report\":1,\"mappings\":[{},{\"address\":\"0\",\"end\":\"0\"},"
		"{\"address\":\"0xffffffffffffffff\",\"end\":0,\"kind\":\"\\u0000\"},"
		"{\"address\":9,\"end\":3}],\"memory\":[{\"address\":0,\"words\":\"00000000\"},"
		"{\"address\":0,\"words\":\"0000000\"},{\"address\":0,\"words\":\"0000000000\"}],"
		"\"code\":[{\"instructions\":[7,null,{\"address\":4}],\"source\":[[]]}]}",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		reads_all(texts[i]);
}

static void a_file_that_is_cut_is_refused(void **state)
{
	static const char report[] = REPORT;
	char text[sizeof(report)];

	(void)state;
	for (size_t size = 0; size < sizeof(report) - 1; size += 37) {
		memcpy(text, report, size);
		text[size] = '\0';
		assert_int_equal(from("report", text), 2);
	}
}

/* ------------------------------------------------------------------ hostile files */

/* Append @num times the same text, with commas between. */
static void append_list(char **to, const char *text, size_t num)
{
	for (size_t i = 0; i < num; i++)
		*to += sprintf(*to, "%s%s", i ? "," : "", text);
}

/* An empty object takes two bytes of the file, and some hundred of memory. */
static void a_file_with_too_many_values_is_refused(void **state)
{
	const size_t num = 1000000;
	char *text = malloc(4 * num), *to = text;

	(void)state;
	assert_non_null(text);
	to += sprintf(to, "{\"amdgpudbg_report\":1,\"x\":[");
	append_list(&to, "{}", num);
	strcpy(to, "]}");
	assert_int_equal(from("report", text), 1);
	contains(r.err, "the file is too large for a report");
	free(text);
}

/* With a search through all waves for each group, this would take longer than the deadline. */
static void many_groups_of_many_waves_are_shown_soon(void **state)
{
	static const char wave[] = "{\"name\":\"se0.sa0.wgp1.simd0.wave0\",\"pid\":2,"
				   "\"registers\":{}}";
	static const char group[] = "{\"first\":\"se0.sa0.wgp0.simd0.wave0\",\"pid\":1}";
	const size_t num = 40000;
	char *text = malloc(num * (sizeof(wave) + sizeof(group)) + 256), *to = text;

	(void)state;
	assert_non_null(text);
	to += sprintf(to, "{\"amdgpudbg_report\":1,\"waves\":[");
	append_list(&to, wave, num);
	to += sprintf(to, "],\"groups\":[");
	append_list(&to, group, num);
	strcpy(to, "]}");
	assert_int_equal(from("report --pid 2", text), 0);
	free(text);
}

/* The registers of one wave are not printed for each of these groups. */
static void groups_of_the_same_wave_print_it_once(void **state)
{
	char text[4096] = "{\"amdgpudbg_report\":1,\"versions\":{\"gc_version\":656129},"
			  "\"waves\":[" WAVE("se0.sa0.wgp0.simd0.wave0", "4711", "0x0", "x")
			  "],\"groups\":[", *to = text + strlen(text), *found;

	(void)state;
	append_list(&to, "{\"first\":\"se0.sa0.wgp0.simd0.wave0\"}", 20);
	strcpy(to, "]}");
	assert_int_equal(from("report", text), 0);
	found = strstr(r.out, "SQ_WAVE_STATUS");
	assert_non_null(found);
	assert_null(strstr(found + 1, "SQ_WAVE_STATUS"));
}

static uint32_t below(uint32_t *state, uint32_t n)
{
	*state = *state * 1664525 + 1013904223;
	return (*state >> 8) % n;
}

/* Replace bytes, values and names of the report, from a fixed seed. */
static void change(char text[8192], uint32_t *random)
{
	static const char *const values[] = {
		"-1", "0", "null", "[]", "{}", "true", "\"\"", "1e999", "18446744073709551615",
		"\"0xffffffffffffffff\"", "\"\\u001b[2J\\u0000\"", "\"{pid} {} %n\"", "[[[{}]]]",
		"\"00000000 ffffffff\"", "\"se0.sa0.wgp0.simd0.wave0\"", "\"\xff\xfe\xe2\x80\xae\"",
	};
	static const char begins[] = "\"[{0123456789";
	char rest[8192], *at;
	size_t i;

	do {
		at = text + below(random, strlen(text));
		i = below(random, sizeof(values) / sizeof(values[0]));
		if (!below(random, 8)) {
			*at = (char)(1 + below(random, 255));
			continue;
		}
		/* After a colon or a bracket, to where a simple value would end */
		at = at + strcspn(at, ":[");
		if (!*at || !strchr(begins, at[1]))
			continue;
		snprintf(rest, sizeof(rest), "%s", at + 1 + strcspn(at + 1, ",}]"));
		snprintf(at + 1, 8192 - (at + 1 - text), "%s%s", values[i], rest);
	} while (below(random, 3));
}

/* No escape sequence of a file may reach the terminal. */
static void is_clean(const char *text)
{
	for (; *text; text++)
		assert_true((unsigned char)*text >= ' ' || *text == '\n');
	assert_null(strstr(text, "\xe2\x80\xae"));
}

static void changed_files_do_no_harm(void **state)
{
	static const char *const commands[] = {
		"report", "wave list -v", "job list", "vm map", "vm map 5", "disasm",
		"disasm 0x600000001000", "reg read * s0 v0 pc", "reg read 0.0.0.0.0 s0-1 v0 hw_id1",
		"mem read 0x600000001000 8", "x/3xw 0x600000001000", "-j report", "report --pid 4711",
	};
	uint32_t random = 1;
	char text[8192];

	(void)state;
	for (unsigned int turn = 0; turn < 1500; turn++) {
		strcpy(text, REPORT);
		change(text, &random);
		assert_in_range(from(commands[turn % (sizeof(commands) / sizeof(commands[0]))],
				     text), 0, 7);
		is_clean(r.out);
		is_clean(r.err);
	}
}

#define FILE_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		FILE_TEST(wave_list_shows_the_waves_of_a_report),
		FILE_TEST(wave_list_selects_waves_and_the_process_of_a_report),
		FILE_TEST(wave_list_decodes_registers_of_a_report),
		FILE_TEST(reg_read_shows_registers_of_a_report),
		FILE_TEST(what_a_report_lacks_is_an_error),
		FILE_TEST(code_and_memory_of_a_report_are_shown),
		FILE_TEST(vm_map_names_mappings_of_a_report),
		FILE_TEST(job_list_shows_the_jobs_of_a_report),
		FILE_TEST(a_report_is_printed_again),
		FILE_TEST(the_gpu_of_a_report_is_selected),
		FILE_TEST(a_report_of_several_gpus_is_printed_again),
		FILE_TEST(odd_lists_of_gpus_are_empty_reports),
		FILE_TEST(another_file_is_refused),
		FILE_TEST(a_report_that_is_nested_too_deeply_is_refused),
		FILE_TEST(members_of_other_types_do_no_harm),
		FILE_TEST(a_file_that_is_cut_is_refused),
		FILE_TEST(a_file_with_too_many_values_is_refused),
		FILE_TEST(many_groups_of_many_waves_are_shown_soon),
		FILE_TEST(groups_of_the_same_wave_print_it_once),
		FILE_TEST(changed_files_do_no_harm),
	};

	return cmocka_run_group_tests_name("wavectl_report", tests, NULL, NULL);
}
