// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl top on a terminal: keys, signals, sizes. The machine is that of the transcripts. Ctrl-L
 * makes top draw everything, so that texts can be found in the output without a terminal emulator;
 * tests/top uses one.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* It has a function fail(), cmocka a macro. */
#include "base/wavectl.h"

#include <cmocka.h>

#include "mock.h"
#include "model.h"
#include "on_terminal.h"
#include "run_wavectl.h"

#define REDRAW		"\f"

static const char *term = "linux";

/* Start "top" with more arguments on a terminal of this size. @given: about the machine; or NULL */
static void start(const char *given, const char *args, unsigned short rows, unsigned short columns)
{
	struct winsize size = { .ws_row = rows, .ws_col = columns };
	char line[256], *argv[16] = { "wavectl", "top" }, *word;
	int argc = 2;

	if (!begin_on_terminal(&size))
		return;
	setenv("TERM", term, 1);
	unsetenv("LINES");
	unsetenv("COLUMNS");
	model_begin();
	if (given && !model_given(given))
		_exit(99);
	snprintf(line, sizeof(line), "%s", args);
	for (word = strtok(line, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	exit(wavectl_main(argc, argv));
}

static int teardown(void **state)
{
	(void)state;
	mock_reset();
	return 0;
}

/* Can this wavectl show a map at all? */
static bool has_ncurses(void)
{
	start(NULL, "", 24, 80);
	until("w");
	type("q");
	return end() == 0;
}

static void the_map_has_states_and_hot_pcs(void **state)
{
	(void)state;
	start(NULL, "--pid 4711 --delay 1000", 24, 80);
	until("q quit");
	type(REDRAW);
	until("wavectl top  GPU 0");
	until("process 4711");
	until("sample 1 every 1e+03 s");
	until("R");
	until("running 2");
	until("handler 1");
	until("se0.sa0.wgp0");
	until("se0.sa1.wgp3");
	/* The first wave is selected. */
	until("se0.sa0.wgp0.simd0.wave0: running  4711 shader  0x800000001000");
	until("by share");
	until("50.0%");
	until("0x800000001008");
	until("h halt r resume k kill i inspect");
	type("q");
	assert_int_equal(end(), 0);
	/* Nothing was halted, so that there is nothing to say. */
	lacks(said, "resumed");
}

static void keys_halt_and_resume_the_selected_wave(void **state)
{
	(void)state;
	start(NULL, "--pid 4711 --delay 1000", 24, 80);
	until("q quit");
	type("h" REDRAW);
	until("running 1");
	until("halted 1");
	until("wave0: halted");
	until("halted 1 of 1 waves of se0.sa0.wgp0.simd0.wave0");
	type("r" REDRAW);
	until("running 2");
	until("wave0: running");
	until("resumed 1 of 1 waves of se0.sa0.wgp0.simd0.wave0");
	type("r" REDRAW);
	until("no halted wave at se0.sa0.wgp0.simd0.wave0");
	type("q");
	assert_int_equal(end(), 0);
}

static void what_keys_have_halted_is_resumed_at_the_end(void **state)
{
	(void)state;
	start(NULL, "--pid 4711 --delay 1000", 24, 80);
	until("q quit");
	/* All waves */
	type("\t\t\th" REDRAW);
	until("process 4711: 3 waves");
	until("of process 4711");
	type("q");
	assert_int_equal(end(), 0);
	contains(said, "waves that were halted by keys");
}

static void a_wave_is_killed_after_a_question(void **state)
{
	(void)state;
	start(NULL, "--pid 4711 --delay 1000", 24, 80);
	until("q quit");
	type("k");
	until("kill 1 waves of se0.sa0.wgp0.simd0.wave0? (y or n)");
	type("q" REDRAW);
	until("running 2");
	type("k");
	until("kill 1 waves of se0.sa0.wgp0.simd0.wave0? (y or n)");
	type("y" REDRAW);
	until("running 1");
	until("killed 1 of 1 waves of se0.sa0.wgp0.simd0.wave0");
	type("q");
	assert_int_equal(end(), 0);
}

static void a_wave_is_inspected(void **state)
{
	(void)state;
	start("0x600000001000 has the code of a kernel", "--pid 4711 --delay 1000", 24, 80);
	until("q quit");
	type("i" REDRAW);
	until("se0.sa0.wgp0.simd0.wave0  running  process 4711 shader  VMID 1");
	until("SQ_WAVE_STATUS");
	until("0x00010841");
	until("TRAP_EN=1");
	until("the wave is not halted; h halts it");
	type("h" REDRAW);
	until("se0.sa0.wgp0.simd0.wave0  halted");
	/* The registers of the machine: s5 is 0x5005, lane 3 of v2 is 0x00020003. */
	type("\033[6~" REDRAW);
	until("00005005");
	type("\033[4~" REDRAW);
	until("v3 lane 24   00030018");
	type("q" REDRAW);
	until("wave0: halted");
	type("q");
	assert_int_equal(end(), 0);
	contains(said, "resumed 1 waves");
}

static void arrows_and_n_select_waves(void **state)
{
	(void)state;
	start(NULL, "--pid 4711 --delay 1000", 24, 80);
	until("q quit");
	type("n" REDRAW);
	until("se0.sa0.wgp3.simd1.wave5: in-handler");
	type("nn" REDRAW);
	until("se0.sa0.wgp0.simd0.wave0: running");
	type("N" REDRAW);
	until("se0.sa1.wgp3.simd0.wave2: running");
	type("\033[C" REDRAW);
	until("se0.sa1.wgp3.simd0.wave3: free");
	type("\033[A" REDRAW);
	until("se0.sa1.wgp2.simd0.wave3: free");
	type("\t\033[C" REDRAW);
	until("se0.sa1.wgp2.simd1: 0 waves");
	type("\t" REDRAW);
	until("se0.sa1.wgp2: 0 waves");
	type("q");
	assert_int_equal(end(), 0);
}

static void the_list_is_sorted_and_samples_pause(void **state)
{
	(void)state;
	start(NULL, "--pid 4711 --delay 0.01", 24, 80);
	until("q quit");
	type("s" REDRAW);
	until("by waves");
	type(" " REDRAW);
	until("PAUSED");
	type("?" REDRAW);
	until("change the order of the list");
	type("q" REDRAW);
	until("by waves");
	type("q");
	assert_int_equal(end(), 0);
}

static void names_cannot_control_the_terminal(void **state)
{
	(void)state;
	start("the name of process 4711 has control characters", "--pid 4711 --delay 1000", 24, 80);
	until("q quit");
	type(REDRAW);
	until("\\x1b[2Jx");
	type("q");
	assert_int_equal(end(), 0);
	lacks(said, "\033[2Jx");
}

static void another_size_is_used(void **state)
{
	struct winsize size = { .ws_row = 30, .ws_col = 60 };

	(void)state;
	start(NULL, "--pid 4711 --delay 1000", 24, 80);
	until("q quit");
	assert_int_equal(ioctl(tty, TIOCSWINSZ, &size), 0);
	/* Two SIMDs in a row are 46 columns. */
	until("se0.sa1.wgp3");
	type(REDRAW);
	type("\033[B" REDRAW);
	until("se0.sa0.wgp0.simd2.wave0: free");
	/* And very small */
	size.ws_row = 3;
	size.ws_col = 10;
	assert_int_equal(ioctl(tty, TIOCSWINSZ, &size), 0);
	type(REDRAW);
	until("wavectl");
	type("q");
	assert_int_equal(end(), 0);
}

static void a_size_that_changes_between_keys_is_used(void **state)
{
	(void)state;
	start("the terminal gets 60 columns while waves are listed", "--pid 4711 --delay 1000",
	      24, 80);
	until("q quit");
	/* The map is above this line, so that this is the next one, for which no key was typed. */
	until("se0.sa1.wgp3");
	type("q");
	assert_int_equal(end(), 0);
}

static void the_end_of_the_terminal_ends_it(void **state)
{
	int status;

	(void)state;
	start(NULL, "--pid 4711 --delay 1000", 24, 80);
	until("q quit");
	close(tty);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
}

static void ctrl_c_ends_it(void **state)
{
	(void)state;
	start(NULL, "--pid 4711 --delay 1000", 24, 80);
	until("q quit");
	type("\3");
	assert_int_equal(end(), 0);
}

static void it_ends_after_so_many_samples(void **state)
{
	(void)state;
	start(NULL, "--pid 4711 --delay 0.01 --count 3", 24, 80);
	assert_int_equal(end(), 0);
}

static void the_end_of_the_process_is_said(void **state)
{
	(void)state;
	start("WAVE_LIST fails with ENOTCONN", "--pid 4711", 24, 80);
	assert_int_equal(end(), WAVECTL_ENDED);
	contains(said, "wavectl: the process has exited");
}

static void maps_of_two_gpus_are_shown(void **state)
{
	(void)state;
	start("there are two GPUs", "--delay 1000", 40, 80);
	until("q quit");
	type(REDRAW);
	until("GPU 0: ");
	until("running 4");
	until("GPU 0: ");
	until("se0.sa1.wgp3");
	until("GPU 7: ");
	until("se0.sa1.wgp3");
	until("4714 render");
	type("N" REDRAW);
	until("wavectl top  GPU 7");
	type("q");
	assert_int_equal(end(), 0);
}

static void a_terminal_that_cannot_show_a_map_is_refused(void **state)
{
	static const char *const names[] = { "dumb", "no-such-terminal", "" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		term = names[i];
		start(NULL, "--pid 4711", 24, 80);
		term = "linux";
		assert_int_equal(end(), WAVECTL_FAILED);
		contains(said, "wavectl: the terminal cannot show a map; use --once, or set TERM");
	}
}

#define TEST(name) cmocka_unit_test_teardown(name, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_map_has_states_and_hot_pcs),
		TEST(keys_halt_and_resume_the_selected_wave),
		TEST(what_keys_have_halted_is_resumed_at_the_end),
		TEST(a_wave_is_killed_after_a_question),
		TEST(a_wave_is_inspected),
		TEST(arrows_and_n_select_waves),
		TEST(the_list_is_sorted_and_samples_pause),
		TEST(names_cannot_control_the_terminal),
		TEST(another_size_is_used),
		TEST(a_size_that_changes_between_keys_is_used),
		TEST(the_end_of_the_terminal_ends_it),
		TEST(ctrl_c_ends_it),
		TEST(it_ends_after_so_many_samples),
		TEST(the_end_of_the_process_is_said),
		TEST(maps_of_two_gpus_are_shown),
		TEST(a_terminal_that_cannot_show_a_map_is_refused),
	};

	if (!has_ncurses()) {
		puts("1..0 # SKIP wavectl was built without ncurses");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
