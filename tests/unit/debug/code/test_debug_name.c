// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/debug/code/code_name.c and demangle*.c: C++ names, compared with c++filt for the symbols of
 * a HIP program (names.hip) and of libstdc++; names of addresses between local labels (labels.s).
 */
#include "debug/util.h"

#include <stdio.h>
#include <string.h>

#define NAMES	DEBUG_CO "names.co"
#define LABELS	DEBUG_CO "labels.co"

static void without_blanks(char *text)
{
	char *to = text;

	for (; *text; text++) {
		if (*text != ' ')
			*to++ = *text;
	}
	*to = 0;
}

/* Compare each name of the lines of @names with the line of c++filt. Return: how many are equal. */
static unsigned int compare(const char *command, unsigned int *differ, unsigned int *unknown)
{
	char *names = run_tool("%s", command), *texts = run_tool("%s | c++filt -i", command);
	char *at = names, *to = texts, *name, *text, *whole;
	unsigned int equal = 0;

	*differ = *unknown = 0;
	while ((name = next_line(&at)) && (text = next_line(&to))) {
		whole = adbgd_demangle_name(name, ADBGD_DEMANGLE_WHOLE);
		if (!whole) {
			++*unknown;
			continue;
		}
		without_blanks(whole);
		without_blanks(text);
		if (!strcmp(whole, text))
			equal++;
		else if (++*differ < 10)
			print_message("%s\n  %s\n  %s\n", name, whole, text);
		free(whole);
	}
	free(names);
	free(texts);
	return equal;
}

static void names_of_kernels_are_those_of_cxxfilt(void **state)
{
	unsigned int differ, unknown, equal;

	(void)state;
	equal = compare("llvm-readelf-19 -sW " NAMES
			" | awk '$8 ~ /^_Z/ { sub(/\\.kd$/, \"\", $8); print $8 }'",
			&differ, &unknown);
	assert_int_equal(differ, 0);
	assert_int_equal(unknown, 0);
	assert_true(equal >= 6);
}

/*
 * More than 5000 names of templates, operators, local classes and lambdas. Without std::string of
 * the old ABI, for which c++filt prints its template arguments, and transactional memory.
 */
static void names_of_a_library_are_those_of_cxxfilt(void **state)
{
	unsigned int differ, unknown, equal;

	(void)state;
	equal = compare("nm -D --defined-only $(${CC:-cc} -print-file-name=libstdc++.so.6) "
			"| sed -n 's/@.*//; s/.* //; /^_Z/p' | grep -vE '^_ZGTt|^_ZT[Chv]|S[sdio]' "
			"| sort -u", &differ, &unknown);
	assert_int_equal(differ, 0);
	assert_int_equal(unknown, 0);
	assert_true(equal > 3000);
}

static void expect_name(const char *name, const char *whole, const char *parts)
{
	char *text = adbgd_demangle_name(name, ADBGD_DEMANGLE_WHOLE);

	assert_non_null(text);
	assert_string_equal(text, whole);
	free(text);
	text = adbgd_demangle_name(name, 0);
	assert_string_equal(text, parts);
	free(text);
}

/* The expected names are c++filt's. */
static void types_and_parts_of_names(void **state)
{
	(void)state;
	expect_name("_ZN3foo3barEi", "foo::bar(int)", "foo::bar");
	expect_name("_Z1fPFviE", "f(void (*)(int))", "f");
	expect_name("_Z1fRA2_A3_i", "f(int (&) [2][3])", "f");
	expect_name("_Z1fM1AKFivE", "f(int (A::*)() const)", "f");
	expect_name("_Z3mapIiJfdEEvT_DpT0_", "void map<int, float, double>(int, float, double)",
		    "map<int, float, double>");
	expect_name("_Z3mapIiJEEvT_DpT0_", "void map<int>(int)", "map<int>");
	expect_name("_ZNK1AcvbEv", "A::operator bool() const", "A::operator bool");
	expect_name("_ZN1AD2Ev", "A::~A()", "A::~A");
	expect_name("_Z3addPU3AS1j", "add(unsigned int AS1*)", "add");
	expect_name("_ZZ1fvENKUliE_clEi", "f()::{lambda(int)#1}::operator()(int) const",
		    "f()::{lambda(int)#1}::operator()");
	expect_name("_Z1fv.kd", "f() [clone .kd]", "f");
}

/* Convert a name of which each parameter contains the one before twice. */
static char *doubled(unsigned int num)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char name[512] = "_Z1f1AIiiE";
	unsigned int i;

	for (i = 0; i < num; i++)
		snprintf(name + strlen(name), 32, "1BIS%c_S%c_E", digits[2 * i], digits[2 * i]);
	return adbgd_demangle_name(name, ADBGD_DEMANGLE_WHOLE);
}

/* Names that are no C++ names, are cut, or repeat themselves without end */
static void invalid_names_are_refused(void **state)
{
	static const char *const names[] = {
		"", "f", "_", "_Z", "_Z1", "_Z5f", "_ZN3foo3barE!", "_ZN3foo", "_Z1fS_", "_Z1fT_",
		"_Z1fIiE", "_Z99999999999999999999f", "_Z1fS9999999999_", "_ZNE", "_ZNIiEE", "_Z1fA",
		"_ZC1v", "_ZZ", "_Z1fIXE", "_Z1fM", "_Z1fDpT_", "_Z1fIJJ", "_Z1fT", "_ZN1ACI",
	};
	char *text, *deep;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		text = adbgd_demangle_name(names[i], ADBGD_DEMANGLE_WHOLE);
		if (text && strcmp(names[i], "_Z1fIiE"))
			fail_msg("%s became %s", names[i], text);
		free(text);
	}
	deep = calloc(1, 100003);
	memset(deep, 'P', 100000);
	memcpy(deep, "_Z1f", 4);
	assert_null(adbgd_demangle_name(deep, 0));
	free(deep);
	/* Texts of 2^8, 2^13 and 2^17 times some letters; up to 64 KiB, they are converted. */
	text = doubled(8);
	assert_non_null(text);
	free(text);
	assert_null(doubled(13));
	assert_null(doubled(17));
}

static uint32_t below(uint32_t *state, uint32_t n)
{
	*state = *state * 1664525 + 1013904223;
	return (*state >> 8) % n;
}

/* Convert the beginning of a name from a buffer of its size, which sanitizers check. */
static void convert(const char *name, size_t length)
{
	char *copy = strndup(name, length), *whole, *parts;

	assert_non_null(copy);
	whole = adbgd_demangle_name(copy, ADBGD_DEMANGLE_WHOLE);
	parts = adbgd_demangle_name(copy, 0);
	assert_int_equal(!whole, !parts);
	if (whole && !strstr(whole, parts))
		fail_msg("%s is no part of %s", parts, whole);
	adbgd_name_matches(copy, "f::A");
	free(parts);
	free(whole);
	free(copy);
}

/* Each beginning of these names, and changes of one to three letters, from a fixed seed */
static void names_may_be_cut_and_changed_anywhere(void **state)
{
	static const char *const names[] = {
		"_ZN1A1BIiJfdEEC2IT_Ts1fTu1gTe1hEEvDpT0_", "_ZNK1AcvT_Ev", "_ZN1ACI21BEi",
		"_ZZ1fvENKUlT_E_clEd_NUt_1gE", "_Z1fIXadL_Z1gvEELb1ELin5EEvA3_M1AKFivRE",
		"_ZN12_GLOBAL__N_11fB5cxx11IXsrT_5valueEEEDTclL_Z1gEfp_EEOT_PU3AS1Dv4_f",
		"_ZNSt3mapISsS_ISaIiEES0_EixERKSs.kd", "_ZTV1AIJiJdEEE", "_Z1fIXquL_Z1aELi1ELi2EEEv",
	};
	static const char letters[] = "NESTICDZLXJMFAPRKUlv0123459_.dpt";
	uint32_t random = 1, i, n;
	char text[128];
	size_t length;

	(void)state;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		for (length = 0; length <= strlen(names[i]); length++)
			convert(names[i], length);
		for (n = 0; n < 3000; n++) {
			snprintf(text, sizeof(text), "%s", names[i]);
			length = strlen(text);
			do {
				text[2 + below(&random, length - 2)] =
					letters[below(&random, sizeof(letters) - 1)];
			} while (below(&random, 3));
			convert(text, below(&random, 2) ? length : below(&random, length));
		}
	}
}

static void a_name_means_a_function(void **state)
{
	static const char discard[] = "_ZN3sim6engine7discardEy";
	static const char fill[] = "_ZN3sim4fillIfLi4EEEvPT_j";

	(void)state;
	assert_true(adbgd_name_matches(discard, discard));
	assert_true(adbgd_name_matches(discard, "sim::engine::discard"));
	assert_true(adbgd_name_matches(discard, "sim::engine::discard(unsigned long long)"));
	assert_true(adbgd_name_matches(discard, "engine::discard"));
	assert_true(adbgd_name_matches(discard, "discard"));
	assert_false(adbgd_name_matches(discard, "sim::engine::discard(int)"));
	assert_false(adbgd_name_matches(discard, "sim::discard"));
	assert_false(adbgd_name_matches(discard, "engine"));
	assert_false(adbgd_name_matches(discard, "card"));
	assert_true(adbgd_name_matches(fill, "sim::fill<float, 4>"));
	assert_true(adbgd_name_matches(fill, "sim::fill<float,4>(float*,unsigned int)"));
	assert_true(adbgd_name_matches(fill, "void sim::fill<float, 4>(float*, unsigned int)"));
	assert_true(adbgd_name_matches(fill, "sim::fill"));
	assert_true(adbgd_name_matches(fill, "fill"));
	assert_false(adbgd_name_matches(fill, "sim::fill<int, 4>"));
	assert_true(adbgd_name_matches("_ZN1AplERKS_", "A::operator+"));
}

static size_t count_symbols(struct adbgd_code *code, const char *name)
{
	const struct adbgd_symbol *symbols[8];
	struct adbgd_error error;
	size_t count = 0;
	int ret = adbgd_code_find_symbols(code, name, symbols, 8, &count, &error);

	assert_true(ret == (count ? 0 : -ENOENT));
	return count;
}

static void symbols_are_found_by_qualified_name(void **state)
{
	struct adbgd_code *code = open_code(NAMES);

	(void)state;
	assert_int_equal(count_symbols(code, "_ZN3sim6engine4nextEv"), 1);
	assert_int_equal(count_symbols(code, "sim::engine::next"), 1);
	assert_int_equal(count_symbols(code, "engine::next()"), 1);
	/* Both kernels, and their descriptors */
	assert_int_equal(count_symbols(code, "sim::fill"), 4);
	assert_int_equal(count_symbols(code, "sim::fill<int, 8>(int*, unsigned int)"), 1);
	assert_int_equal(count_symbols(code, "(anonymous namespace)::hidden"), 1);
	assert_int_equal(count_symbols(code, "nothing::of::this"), 0);
	adbgd_code_free(code);
}

/* Two methods: discard(unsigned int) was inlined, and has no symbol. */
static void functions_are_found_by_qualified_name(void **state)
{
	struct adbgd_code *code = open_code(NAMES);
	struct adbgd_error error;
	struct adbgd_line lines[8];
	size_t count = 0;

	(void)state;
	assert_int_equal(adbgd_function_find(code, "sim::engine::discard", lines, 8, &count,
					     &error), 0);
	assert_int_equal(count, 3);
	assert_int_equal(adbgd_function_find(code, "engine::discard(unsigned int)", lines, 8,
					     &count, &error), 0);
	assert_int_equal(count, 2);
	assert_int_equal(adbgd_function_find(code, "sim::discard", lines, 8, &count, &error),
			 -ENOENT);
	adbgd_code_free(code);
}

static void kernels_have_names_of_any_length(void **state)
{
	struct adbgd_code *code = open_code(NAMES);
	const struct adbgd_kernel *k;
	size_t i, longest = 0;

	(void)state;
	for (i = 0; (k = adbgd_code_get_kernel(code, i)); i++)
		longest = strlen(k->name) > longest ? strlen(k->name) : longest;
	assert_int_equal(i, 3);
	assert_true(longest > 256);
	adbgd_code_free(code);
}

static void expect_place(const struct adbgd_code *code, uint64_t address, const char *expected)
{
	char *name = adbgd_code_address_name(code, address);
	char text[ADBGD_NAME_MAX];

	assert_string_equal(name, expected);
	assert_string_equal(adbgd_code_format_address(code, address, text), expected);
	free(name);
}

static void labels_hide_no_kernel(void **state)
{
	struct adbgd_code *code = open_code(LABELS);
	uint64_t first = adbgd_code_find_symbol(code, "first")->address;
	uint64_t second = adbgd_code_find_symbol(code, "second")->address;
	uint64_t sized = adbgd_code_find_symbol(code, "sized")->address;

	(void)state;
	expect_place(code, first, "first");
	expect_place(code, first + 4, "first+0x4");
	expect_place(code, first + 8, "first+0x8");
	expect_place(code, second + 8, "second+0x8");
	expect_place(code, sized + 8, "sized+0x8");
	assert_int_equal(count_symbols(code, "LoopEndL_2"), 2);
	adbgd_code_free(code);
}

static void an_address_has_its_name_in_the_source(void **state)
{
	struct adbgd_code *code = open_code(NAMES);
	uint64_t at = adbgd_code_find_symbol(code, "_ZN3sim4fillIfLi4EEEvPT_j")->address;

	(void)state;
	expect_place(code, at, "sim::fill<float, 4>");
	expect_place(code, at + 8, "sim::fill<float, 4>+0x8");
	adbgd_code_free(code);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_kernels_are_those_of_cxxfilt),
		cmocka_unit_test(names_of_a_library_are_those_of_cxxfilt),
		cmocka_unit_test(types_and_parts_of_names),
		cmocka_unit_test(invalid_names_are_refused),
		cmocka_unit_test(names_may_be_cut_and_changed_anywhere),
		cmocka_unit_test(a_name_means_a_function),
		cmocka_unit_test(symbols_are_found_by_qualified_name),
		cmocka_unit_test(functions_are_found_by_qualified_name),
		cmocka_unit_test(kernels_have_names_of_any_length),
		cmocka_unit_test(labels_hide_no_kernel),
		cmocka_unit_test(an_address_has_its_name_in_the_source),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
