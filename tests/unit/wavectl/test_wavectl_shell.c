// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl shell on a terminal: Ctrl-C, Ctrl-D, completion, history.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* It has a function fail(), cmocka a macro. */
#include "base/wavectl.h"

#include <cmocka.h>

#include "mock.h"
#include "on_terminal.h"
#include "run_wavectl.h"

#define TARGET { .request = AMDGPUDBG_IOC_TARGET_SET }

static char folder[] = "/tmp/wavectl-shell.XXXXXX";
static const char *home = folder;

static void start(void)
{
	static char *argv[] = { "wavectl", "shell", "--pid", "4711", NULL };
	int status;

	if (!begin_on_terminal(NULL))
		return;
	setenv("TERM", "dumb", 1);
	setenv("XDG_STATE_HOME", folder, 1);
	setenv("HOME", home, 1);
	status = wavectl_main(4, argv);
	mock_verify();
	exit(status);
}

/* The last commands of a shell without waves */
static void list_nothing_and_end(void)
{
	type("wave list\r");
	until("no live waves");
	until("wavectl> ");
	type("\4");
	assert_int_equal(end(), 0);
}

static void ctrl_d_ends_the_shell(void **state)
{
	static const struct mock_ioctl expect[] = {
		OPEN, TARGET, LISTENS, LIST_WAVES(all_vmids, 4),
		LIST_WAVES(all_vmids, 0),
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	start();
	until("wavectl> ");
	type("wave list\r");
	until("se0.sa0.wgp3.simd1.wave5");
	until("wavectl> ");
	type("wave lost\r");
	until("wavectl: unknown command 'wave lost'");
	until("wavectl> ");
	list_nothing_and_end();
}

/* As in gdb: steps are repeated, other commands are not. */
static void an_empty_line_repeats_a_step(void **state)
{
	static const struct mock_ioctl expect[] = {
		OPEN, TARGET, LISTENS, LIST_WAVES(all_vmids, 0), LIST_WAVES(all_vmids, 0),
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	start();
	until("wavectl> ");
	type("\r");
	until("wavectl> ");
	type("si 0\r");
	until("wavectl: the number of steps must be at least 1");
	until("wavectl> ");
	type("\r");
	until("wavectl: the number of steps must be at least 1");
	until("wavectl> ");
	type(" \r");
	until("wavectl: the number of steps must be at least 1");
	until("wavectl> ");
	type("wave list\r");
	until("no live waves");
	until("wavectl> ");
	/* Only the prompt comes, before the waves of the next list. */
	type("\r");
	until("wavectl> ");
	list_nothing_and_end();
}

static void kill_asks_before_it_ends_all_waves(void **state)
{
	static const struct mock_ioctl expect[] = {
		OPEN, TARGET, LISTENS, { .request = AMDGPUDBG_IOC_WAVE_CONTROL },
		LIST_WAVES(all_vmids, 0),
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	start();
	until("wavectl> ");
	type("kill\r");
	until("End all waves of process 4711? (y or n) ");
	type("n\n");
	until("no wave was killed");
	until("wavectl> ");
	type("k\r");
	until("(y or n) ");
	type("y\n");
	until("wavectl> ");
	list_nothing_and_end();
}

/* events: the mask is that of all types, then that of the shell again. */
static void ctrl_c_ends_a_waiting_command_but_not_the_shell(void **state)
{
	static const struct mock_ioctl expect[] = {
		OPEN, TARGET, LISTENS, MOCK_GET_INFO,
		{ .request = AMDGPUDBG_IOC_EVENT_ENABLE }, LISTENS,
		LIST_WAVES(all_vmids, 0),
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	start();
	until("wavectl> ");
	type("events\r");
	until("printing events; Ctrl-C ends");
	type("\3");
	until("wavectl> ");
	/* What was typed is forgotten, not run. */
	type("wave lost");
	until("wave lost");
	type("\3");
	until("wavectl> ");
	type("wave list\r");
	until("no live waves");
	until("wavectl> ");
	type("quit\r");
	assert_int_equal(end(), 0);
	lacks(said, "unknown command");
}

/*
 * The handlers of libedit, which it installs while a line is read, would send the signal to the
 * whole process group.
 */
static void sigterm_ends_the_shell_at_the_prompt(void **state)
{
	static const struct mock_ioctl expect[] = { OPEN, TARGET, LISTENS };
	static const int numbers[] = { SIGTERM, SIGHUP };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		mock_expect(expect, ARRAY_SIZE(expect));
		start();
		until("wavectl> ");
		assert_int_equal(kill(child, numbers[i]), 0);
		assert_int_equal(end(), 0);
	}
}

static void the_tab_key_completes_words(void **state)
{
	static const struct mock_ioctl expect[] = {
		OPEN, TARGET, LISTENS, LIST_WAVES(all_vmids, 0),
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	start();
	until("wavectl> ");
	type("wave li\t --verb\t\r");
	until("wave list  --verbose");
	until("no live waves");
	until("wavectl> ");
	type("wave s\t");
	until("snapshot  step");
	until("wavectl> wave s");
	type("\3");
	until("wavectl> ");
	type("\4");
	assert_int_equal(end(), 0);
}

static void the_history_is_kept_for_the_next_shell(void **state)
{
	static const struct mock_ioctl expect[] = {
		OPEN, TARGET, LISTENS, LIST_WAVES(all_vmids, 0),
	};
	struct stat st;
	char path[128];

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	start();
	until("wavectl> ");
	type("wave list --state halted\r");
	until("no live waves");
	until("wavectl> ");
	type("\4");
	assert_int_equal(end(), 0);
	snprintf(path, sizeof(path), "%s/wavectl/history", folder);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);

	start();
	until("wavectl> ");
	/* Ctrl-P: the line before */
	type("\20\r");
	until("wave list --state halted");
	until("no live waves");
	until("wavectl> ");
	type("\4");
	assert_int_equal(end(), 0);
}

/* A shell in which one command is typed */
static void run_shell(void)
{
	static const struct mock_ioctl expect[] = {
		OPEN, TARGET, LISTENS, LIST_WAVES(all_vmids, 0),
	};

	mock_expect(expect, ARRAY_SIZE(expect));
	start();
	until("wavectl> ");
	list_nothing_and_end();
}

/* Of the folder of the history */
static const char *history_path(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/wavectl%s%s", folder, *name ? "/" : "", name);
	return path;
}

static void write_victim(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, "precious\n", 9), 9);
	close(fd);
}

static void is_unharmed(const char *path)
{
	char text[16] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	assert_int_equal(read(fd, text, sizeof(text)), 9);
	assert_string_equal(text, "precious\n");
	close(fd);
	assert_int_equal(unlink(path), 0);
}

static void history_does_not_follow_links(void **state)
{
	char victim[128];

	(void)state;
	snprintf(victim, sizeof(victim), "%s/victim", folder);
	assert_int_equal(mkdir(history_path(""), 0700), 0);
	write_victim(victim);
	assert_int_equal(symlink(victim, history_path("history")), 0);
	run_shell();
	is_unharmed(victim);
	unlink(history_path("history"));
	write_victim(victim);
	assert_int_equal(link(victim, history_path("history")), 0);
	run_shell();
	is_unharmed(victim);
}

/* It would wait for what writes into it. */
static void history_does_not_wait_for_a_fifo(void **state)
{
	(void)state;
	assert_int_equal(mkdir(history_path(""), 0700), 0);
	assert_int_equal(mkfifo(history_path("history"), 0600), 0);
	run_shell();
}

/* As after sudo: for the shell, the effective user is another one than who owns the folder. */
static void history_is_not_kept_in_a_folder_of_another_user(void **state)
{
	(void)state;
	mock_proc_owner(1000);
	run_shell();
	if (!strstr(said, "warning: no history is saved: its directory belongs to another user"))
		fail_msg("there is no warning in '%s'", said);
	assert_int_equal(access(history_path(""), F_OK), -1);
	assert_int_equal(errno, ENOENT);
}

/*
 * A key ends the shell then. One that types a command would be worse, but libedit does not
 * free that.
 */
static void write_editrc(const char *path)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs("bind ^G ed-end-of-file\n", file);
	fclose(file);
}

static void editrc_of_the_user_binds_keys(void **state)
{
	static const struct mock_ioctl expect[] = { OPEN, TARGET, LISTENS };
	char path[128];

	(void)state;
	snprintf(path, sizeof(path), "%s/.editrc", folder);
	write_editrc(path);
	mock_expect(expect, ARRAY_SIZE(expect));
	start();
	until("wavectl> ");
	type("\7");
	assert_int_equal(end(), 0);

	/* As after sudo */
	mock_proc_owner(1000);
	mock_expect(expect, ARRAY_SIZE(expect));
	start();
	until("wavectl> ");
	type("\7wave lost\r");
	until("unknown command 'wave lost'");
	until("wavectl> ");
	type("\4");
	assert_int_equal(end(), 0);
	unlink(path);
}

/*
 * As after sudo. ncurses waits until something is written into the FIFO. It looks itself at who
 * the user is, so that the folder has to belong to another one really.
 */
static void terminfo_in_a_folder_of_another_user_is_not_used(void **state)
{
	static const char *const parts[] = {
		"", "/.terminfo", "/.terminfo/d", "/.terminfo/d/dumb",
	};
	char path[ARRAY_SIZE(parts)][128];
	size_t i;

	(void)state;
	if (geteuid())
		skip();
	for (i = 0; i < ARRAY_SIZE(parts); i++) {
		snprintf(path[i], sizeof(path[i]), "%s/other%s", folder, parts[i]);
		assert_int_equal(i < 3 ? mkdir(path[i], 0755) : mkfifo(path[i], 0644), 0);
	}
	assert_int_equal(chown(path[0], 1000, -1), 0);
	home = path[0];
	run_shell();
	home = folder;
	while (i--)
		assert_int_equal(remove(path[i]), 0);
}

/* And the line is there again below it. */
static void events_are_reported_while_the_prompt_waits(void **state)
{
	static const struct mock_ioctl expect[] = {
		OPEN, TARGET, LISTENS, LIST_WAVES(all_vmids, 0),
	};
	static const struct amdgpudbg_event gone = {
		.size = sizeof(gone), .type = AMDGPUDBG_EVENT_TARGET_GONE,
	};

	(void)state;
	mock_expect(expect, ARRAY_SIZE(expect));
	mock_add_events(&gone, sizeof(gone));
	mock_end_events(ENOTCONN);
	start();
	until("wavectl> ");
	until("\ntarget-gone: the process has exited");
	until("wavectl> ");
	list_nothing_and_end();
}

static void completion_offers_commands_and_options(void **state)
{
	static const struct {
		const char *line;
		const char *words;	/* the first ones */
	} cases[] = {
		{ "wave r", "resume " },
		{ "wave halt --vm", "--vmid= " },
		{ "halt --pid 4711 --le", "--leave-halted " },
		{ "halt -vp 4711 --le", "--leave-halted " },
		{ "halt --pid=4711 --le", "--leave-halted " },
		{ "halt se0.sa0.wgp3 --le", "--leave-halted " },
		{ "help wave r", "resume " },
		{ "q", "quit " },
		{ "ha", "halt " },
		{ "--json wave r", "resume " },
		{ "caps --j", "--json " },
		{ "halt --pid ", "" },
		{ "halt -p h", "" },
		{ "wave resume --leave", "" },
		{ "nothing ", "" },
		{ "wave list 'se0", "" },
		{ "wave s", "snapshot step " },
		{ "break ", "set insn start list clear " },
		{ "break main --st", "--stepping " },
		{ "break list --m", "" },
		{ "print $e", "$exec $exec_lo $exec_hi " },
		{ "p i+$l", "$lane " },
		{ "x $p", "$pc " },
		{ "break main if $s", "$scc " },
		{ "cond 1 $w", "$wave " },
		{ "print $pc+$m", "$m0 " },
		{ "print $x", "" },
		{ "$p", "" },
		{ "caps --gpu ", "0 /dev/amdgpudbg0 /dev/dri/renderD128 0000:04:00.0 gfx1033 " },
		{ "caps -g 0", "0 0000:04:00.0 " },
		{ "caps --gpu=g", "--gpu=gfx1033 " },
	};
	static const struct mock_ioctl info[] = { MOCK_GET_INFO };
	struct wavectl w = { 0 };

	(void)state;
	mock_answer(info, ARRAY_SIZE(info));
	w.commands = command_tables;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		completes(&w, NULL, cases[i].line, cases[i].words);
}

static int setup(void **state)
{
	strcpy(strrchr(folder, '.'), ".XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	return run_setup_process(state);
}

static int teardown(void **state)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/wavectl/history", folder);
	unlink(path);
	*strrchr(path, '/') = '\0';
	rmdir(path);
	rmdir(folder);
	return run_teardown(state);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(ctrl_d_ends_the_shell),
		TEST(an_empty_line_repeats_a_step),
		TEST(kill_asks_before_it_ends_all_waves),
		TEST(ctrl_c_ends_a_waiting_command_but_not_the_shell),
		TEST(sigterm_ends_the_shell_at_the_prompt),
		TEST(the_tab_key_completes_words),
		TEST(the_history_is_kept_for_the_next_shell),
		TEST(history_does_not_follow_links),
		TEST(history_does_not_wait_for_a_fifo),
		TEST(history_is_not_kept_in_a_folder_of_another_user),
		TEST(editrc_of_the_user_binds_keys),
		TEST(terminfo_in_a_folder_of_another_user_is_not_used),
		TEST(events_are_reported_while_the_prompt_waits),
		TEST(completion_offers_commands_and_options),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
