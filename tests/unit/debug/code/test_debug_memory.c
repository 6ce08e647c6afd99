// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The library when one of its allocations, or one of libelf or libdw, fails: the call fails with
 * -ENOMEM and can be repeated, the code object stays valid, and libdw does not end the program,
 * as it does by default.
 */
#include "debug/util.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define VARS	DEBUG_CO "vars_O1.co"

/* Fewer allocations than all of it takes: then the test has not looked at much. */
#define LEAST	100

/* The library's own names of glibc's functions, which those below replace */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t num, size_t size);
void *__libc_realloc(void *old, size_t size);

/* Number of allocations until one fails; 0: none does */
static unsigned long countdown;
static bool has_failed;
/* The one that failed was asked for by libdw. Shared with the process that looks on. */
static bool *is_libdws;

#ifndef __SANITIZE_ADDRESS__
static bool fails(const void *caller)
{
	Dl_info info;

	if (!countdown || --countdown)
		return false;
	has_failed = true;
	*is_libdws = dladdr(caller, &info) && strstr(info.dli_fname, "libdw");
	errno = ENOMEM;
	return true;
}

void *malloc(size_t size)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t num, size_t size)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(num, size);
}

void *realloc(void *old, size_t size)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(old, size);
}

void *reallocarray(void *old, size_t num, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(num, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return realloc(old, bytes);
}
#endif

static struct adbgd_code *code;
static struct adbgd_variables *variables;
static uint64_t address;
static uint32_t line;

static int zero_memory(void *data, uint32_t space, uint32_t lane, uint64_t at, void *buffer,
		       size_t size)
{
	(void)data;
	(void)space;
	(void)lane;
	(void)at;
	memset(buffer, 0, size);
	return 0;
}

static const struct adbgd_context context = {
	.read_register = read_zero_register,
	.read_memory = zero_memory,
	.lanes = 32,
};

static int open_it(struct adbgd_error *error)
{
	return adbgd_code_open(VARS, &code, error);
}

static int load_debug(struct adbgd_error *error)
{
	return adbgd_code_load_debug(code, error);
}

static int find_line(struct adbgd_error *error)
{
	struct adbgd_line found;
	size_t count;
	int ret;

	ret = adbgd_line_find(code, "vars.cl", line, &found, 1, &count, error);
	address = found.address;
	return ret;
}

static int find_frames(struct adbgd_error *error)
{
	struct adbgd_frame frames[8];
	size_t count;

	return adbgd_frames_at(code, address, frames, 8, &count, error);
}

static int find_variables(struct adbgd_error *error)
{
	return adbgd_variables_new(code, address, &variables, error);
}

/* 0 also if a variable is nowhere. A list is of no use any more after a loss. */
static int read_variables(struct adbgd_error *error)
{
	struct adbgd_value *value;
	char text[256];
	int ret = variables ? 0 : find_variables(error);

	for (size_t i = 0; !ret && adbgd_variables_get(variables, i); i++) {
		ret = adbgd_variable_read(variables, i, &context, &value, error);
		if (ret == -ENOMEM) {
			adbgd_variables_free(variables);
			variables = NULL;
			return ret;
		}
		if (ret) {
			ret = 0;
			continue;
		}
		adbgd_value_text(value, 0, text, sizeof(text));
		adbgd_value_free(value);
	}
	return ret;
}

static int (*const steps[])(struct adbgd_error *error) = {
	open_it, load_debug, find_line, find_frames, find_variables, read_variables,
};

enum outcome { NONE_LEFT, WELL, WRONG, LIBDW };

/* A call that has failed works when it is repeated. */
static enum outcome use_all(unsigned long number)
{
	struct adbgd_error error;
	int ret;

	countdown = number;
	for (size_t n = 0; n < ARRAY_SIZE(steps); n++) {
		ret = steps[n](&error);
		if (ret == -ENOMEM && has_failed) {
			countdown = 0;
			ret = steps[n](&error);
		}
		if (ret) {
			fprintf(stderr, "allocation %lu, step %zu: %s (%d)\n", number, n,
				error.text, ret);
			return WRONG;
		}
	}
	countdown = 0;
	adbgd_variables_free(variables);
	adbgd_code_free(code);
	return has_failed ? WELL : NONE_LEFT;
}

/* In a process of its own, which libdw might end */
static enum outcome run_one(unsigned long number)
{
	int status;
	pid_t pid;

	*is_libdws = false;
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		signal(SIGSEGV, SIG_DFL);
		_exit(40 + use_all(number));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV && *is_libdws)
		return LIBDW;
	if (!WIFEXITED(status) || WEXITSTATUS(status) < 40) {
		fprintf(stderr, "allocation %lu: the program ends, wait status %#x\n", number,
			status);
		return WRONG;
	}
	return WEXITSTATUS(status) - 40;
}

static void a_failed_allocation_is_reported(void **state)
{
	unsigned long number = 1, wrong = 0, libdw = 0;
	enum outcome outcome;

	(void)state;
#ifdef __SANITIZE_ADDRESS__
	skip();
#endif
	is_libdws = mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(is_libdws, MAP_FAILED);
	line = line_of("tests/unit/debug/code/vars.cl", "total += mix(");
	do {
		outcome = run_one(number);
		wrong += outcome == WRONG;
		libdw += outcome == LIBDW;
		number++;
	} while (outcome != NONE_LEFT);
	assert_true(number > LEAST);
	assert_int_equal(wrong, 0);
	/*
	 * libdw 0.188 uses the table of a unit's abbreviations without a look whether there
	 * was memory for it (Dwarf_Abbrev_Hash_init() in __libdw_intern_next_unit()). VARS has
	 * one unit.
	 */
	assert_true(libdw <= 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_failed_allocation_is_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
