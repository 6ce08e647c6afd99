// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl dap: its framing and its helpers, and sessions on the model of a GPU. The client of
 * `make check-dap` tests it with a program.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* It has a function fail(), cmocka a macro. */
#include "base/json.h"
#include "dap/base64.h"
#include "dap/frames.h"
#include "dap/memory.h"
#include "dap/refs.h"

#include <cmocka.h>

#include "mock.h"
#include "model.h"
#include "run_wavectl.h"

/* --------------------------------------------------------------------- framing */

/* Feed a text, and take one frame. */
static int take(const char *text, const char **content, size_t *size)
{
	static struct frames frames;

	frames_free(&frames);
	frames_add(&frames, text, strlen(text));
	return frames_take(&frames, content, size);
}

static void frame_in_pieces_is_taken_when_it_is_complete(void **state)
{
	static const char first[] = "Content-Length: 2\r\n\r\n{}";
	static const char text[] = "Content-Length: 2\r\n\r\n{}Content-Length: 4\r\n\r\nnull";
	struct frames frames = { 0 };
	const char *content;
	size_t size, taken = 0;

	(void)state;
	for (size_t i = 0; text[i]; i++) {
		frames_add(&frames, text + i, 1);
		if (!frames_take(&frames, &content, &size))
			continue;
		assert_int_equal(i + 1, taken ? strlen(text) : strlen(first));
		assert_memory_equal(content, taken ? "null" : "{}", size);
		taken++;
	}
	assert_int_equal(taken, 2);
	assert_int_equal(frames_take(&frames, &content, &size), 0);
	frames_free(&frames);
}

static void other_fields_of_a_header_are_ignored(void **state)
{
	const char *content;
	size_t size;

	(void)state;
	assert_int_equal(take("Content-Type: x\r\ncontent-length:3\r\nA: b\r\n\r\n123", &content,
			      &size), 1);
	assert_int_equal(size, 3);
	assert_memory_equal(content, "123", 3);
}

static void damaged_headers_are_refused(void **state)
{
	static const char *const texts[] = {
		"\r\n\r\n", "{}\r\n\r\n", "Content-Length: \r\n\r\n", "Content-Length: -1\r\n\r\n",
		"Content-Length: 1x\r\n\r\n", "Content-Length: 1\r\nContent-Length: 1\r\n\r\n1",
		"Content-Type: 1\r\n\r\n",
	};
	const char *content;
	size_t size;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		assert_int_equal(take(texts[i], &content, &size), -EBADMSG);
}

static void long_messages_are_refused(void **state)
{
	char header[FRAME_HEADER_MAX + 2];
	const char *content;
	size_t size;

	(void)state;
	assert_int_equal(take("Content-Length: 99999999999999999999\r\n\r\n", &content, &size),
			 -E2BIG);
	assert_int_equal(take("Content-Length: 16777217\r\n\r\n", &content, &size), -E2BIG);
	assert_int_equal(take("Content-Length: 16777216\r\n\r\n", &content, &size), 0);
	memset(header, 'x', sizeof(header) - 1);
	header[sizeof(header) - 1] = '\0';
	assert_int_equal(take(header, &content, &size), -E2BIG);
}

/* Change bytes of valid frames; each result is taken, incomplete or refused. */
static void changed_frames_do_not_crash(void **state)
{
	static const char text[] =
		"Content-Length: 2\r\n\r\n{}Content-Type: a\r\nContent-Length: 4\r\n\r\nnull";
	uint32_t random = 1;

	(void)state;
	for (unsigned int turn = 0; turn < 20000; turn++) {
		struct frames frames = { 0 };
		char changed[sizeof(text)];
		const char *content;
		size_t size;
		int ret;

		memcpy(changed, text, sizeof(text));
		for (unsigned int i = 0; i < 1 + turn % 4; i++) {
			random = random * 1664525 + 1013904223;
			changed[(random >> 16) % (sizeof(text) - 1)] = (char)(random >> 8);
		}
		frames_add(&frames, changed, sizeof(text) - 1);
		while ((ret = frames_take(&frames, &content, &size)) > 0)
			assert_true(content + size <= frames.bytes + frames.end);
		assert_true(!ret || ret == -EBADMSG || ret == -E2BIG);
		frames_free(&frames);
	}
}

/* --------------------------------------------------------------------- helpers */

/* The examples of RFC 4648 */
static void base64_is_that_of_the_rfc(void **state)
{
	static const char *const texts[][2] = {
		{ "", "" }, { "f", "Zg==" }, { "fo", "Zm8=" }, { "foo", "Zm9v" },
		{ "foob", "Zm9vYg==" }, { "fooba", "Zm9vYmE=" }, { "foobar", "Zm9vYmFy" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		char *encoded = base64_encode(texts[i][0], strlen(texts[i][0]));
		size_t size = 99;
		char *decoded = base64_decode(texts[i][1], &size);

		assert_string_equal(encoded, texts[i][1]);
		assert_non_null(decoded);
		assert_int_equal(size, strlen(texts[i][0]));
		assert_memory_equal(decoded, texts[i][0], size);
		free(encoded);
		free(decoded);
	}
}

static void damaged_base64_is_refused(void **state)
{
	static const char *const texts[] = { "Z", "Zg=", "Zg", "=Zg=", "Zg==Zg==", "Z?==", "====" };
	size_t size;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		assert_null(base64_decode(texts[i], &size));
}

static void memory_references_are_parsed_as_printed(void **state)
{
	static const struct reference all[] = {
		{ .address = { .va = 0x600000001000, .space = ADBGD_SPACE_GLOBAL } },
		{ .address = { .va = 0x40, .space = ADBGD_SPACE_LOCAL }, .thread = 7 },
		{ .address = { .va = 0x18, .space = ADBGD_SPACE_PRIVATE }, .thread = 7, .lane = 3 },
	};
	char text[MEMORY_REFERENCE_MAX];
	struct reference parsed;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		memory_reference(&all[i].address, all[i].thread, all[i].lane, text);
		assert_true(memory_parse(text, &parsed));
		assert_true(parsed.address.va == all[i].address.va);
		assert_int_equal(parsed.address.space, all[i].address.space);
		assert_int_equal(parsed.thread, all[i].thread);
		assert_int_equal(parsed.lane, all[i].lane);
	}
	assert_false(memory_parse("local#0x40", &parsed));
	assert_false(memory_parse("private#0x40@7", &parsed));
	assert_false(memory_parse("local#0x40@0", &parsed));
	assert_false(memory_parse("0x40@7", &parsed));
	assert_false(memory_parse("x", &parsed));
}

static void references_of_one_wave_are_dropped(void **state)
{
	struct refs *refs = refs_new();
	uint32_t a = refs_add(refs, &(struct ref){ .thread = 1, .expression = "a" });
	uint32_t b = refs_add(refs, &(struct ref){ .thread = 2, .expression = "b" });

	(void)state;
	assert_string_equal(refs_find(refs, a)->expression, "a");
	refs_drop(refs, 1);
	assert_null(refs_find(refs, a));
	assert_string_equal(refs_find(refs, b)->expression, "b");
	refs_drop(refs, 0);
	assert_null(refs_find(refs, b));
	assert_true(refs_add(refs, &(struct ref){ .thread = 1 }) > b);
	refs_free(refs);
}

/* A client that asks for more and more does not fill the memory. */
static void expressions_of_references_are_limited(void **state)
{
	const size_t size = 1 << 20;
	char *text = malloc(size + 1);
	struct refs *refs = refs_new();
	unsigned int num = 0;

	(void)state;
	assert_non_null(text);
	memset(text, 'x', size);
	text[size] = '\0';
	while (num < 1000 && refs_add(refs, &(struct ref){ .thread = 1, .expression = text }))
		num++;
	assert_in_range(num, 16, 64);
	refs_drop(refs, 1);
	assert_true(refs_add(refs, &(struct ref){ .thread = 1, .expression = text }));
	refs_free(refs);
	free(text);
}

/* -------------------------------------------------------------------- sessions */

/* What a session has printed */
struct session {
	struct run run;
	struct json_object *messages;	/* array */
};

static int setup(void **state)
{
	(void)state;
	model_begin();
	return 0;
}

/* Append a request with the next number. */
static void request(char *text, const char *command, const char *arguments)
{
	static int seq;
	char content[8192];

	seq = *text ? seq + 1 : 1;
	snprintf(content, sizeof(content),
		 "{\"seq\":%d,\"type\":\"request\",\"command\":\"%s\",\"arguments\":%s}", seq,
		 command, arguments);
	sprintf(text + strlen(text), "Content-Length: %zu\r\n\r\n%s", strlen(content), content);
}

/* Execute wavectl with this file as its input, and parse what it sends. */
static void execute_from(struct session *s, int fd)
{
	int before = dup(STDIN_FILENO);
	struct frames frames = { 0 };
	const char *content;
	size_t size;

	dup2(fd, STDIN_FILENO);
	run(&s->run, "dap");
	dup2(before, STDIN_FILENO);
	close(before);
	s->messages = json_object_new_array();
	frames_add(&frames, s->run.out, strlen(s->run.out));
	while (frames_take(&frames, &content, &size) > 0) {
		struct json_tokener *tokener = json_tokener_new();

		json_object_array_add(s->messages,
				      json_tokener_parse_ex(tokener, content, (int)size));
		json_tokener_free(tokener);
	}
	assert_int_equal(frames.begin, frames.end);
	frames_free(&frames);
}

/* The same with these bytes, after which the input ends */
static void execute(struct session *s, const char *input)
{
	int fd = memfd_create("input", MFD_CLOEXEC);

	assert_int_equal(write(fd, input, strlen(input)), strlen(input));
	lseek(fd, 0, SEEK_SET);
	execute_from(s, fd);
	close(fd);
}

static void finish(struct session *s)
{
	json_object_put(s->messages);
}

/* The response to the request with this number */
static struct json_object *response(const struct session *s, int seq)
{
	for (size_t i = 0; i < json_object_array_length(s->messages); i++) {
		struct json_object *message = json_object_array_get_idx(s->messages, i);

		if (json_count(message, "request_seq", 0) == (uint64_t)seq)
			return message;
	}
	fail_msg("no response %d in %s", seq, s->run.out);
	return NULL;
}

static struct json_object *body(const struct session *s, int seq)
{
	struct json_object *message = response(s, seq);

	if (!json_flag(message, "success", false))
		fail_msg("%s", json_object_to_json_string(message));
	return member(message, "body");
}

/* The first event of this name */
static struct json_object *event(const struct session *s, const char *name)
{
	for (size_t i = 0; i < json_object_array_length(s->messages); i++) {
		struct json_object *message = json_object_array_get_idx(s->messages, i);
		const char *found = json_text(message, "event");

		if (found && !strcmp(found, name))
			return json_child(message, "body", json_type_object);
	}
	fail_msg("no event %s in %s", name, s->run.out);
	return NULL;
}

static struct json_object *element(struct json_object *object, const char *key, size_t i)
{
	struct json_object *array = member(object, key);

	assert_true(i < json_object_array_length(array));
	return json_object_array_get_idx(array, i);
}

static void refuses(const struct session *s, int seq, const char *words)
{
	assert_false(json_flag(response(s, seq), "success", true));
	contains(json_text(response(s, seq), "message"), words);
}

static void session_shows_the_waves_of_the_process(void **state)
{
	struct session s = { 0 };
	char in[8192] = "";

	(void)state;
	request(in, "initialize", "{\"adapterID\":\"test\"}");
	request(in, "attach", "{\"pid\":4711}");
	request(in, "configurationDone", "{}");
	request(in, "threads", "{}");
	request(in, "pause", "{\"threadId\":1}");
	request(in, "stackTrace", "{\"threadId\":1}");
	request(in, "scopes", "{\"frameId\":1}");
	request(in, "disconnect", "{}");
	execute(&s, in);
	assert_int_equal(s.run.status, 0);
	int_is(element(body(&s, 4), "threads", 0), "id", 1);
	string_is(event(&s, "stopped"), "reason", "pause");
	int_is(event(&s, "stopped"), "threadId", 1);
	int_is(body(&s, 6), "totalFrames", 1);
	string_is(element(body(&s, 7), "scopes", 0), "presentationHint", "locals");
	body(&s, 8);
	finish(&s);
}

static void references_are_invalid_after_a_step(void **state)
{
	struct session s = { 0 };
	char in[8192] = "";

	(void)state;
	request(in, "initialize", "{}");
	request(in, "attach", "{\"pid\":4711}");
	request(in, "pause", "{\"threadId\":1}");
	request(in, "stackTrace", "{\"threadId\":1}");
	request(in, "stepIn", "{\"threadId\":1,\"granularity\":\"instruction\"}");
	request(in, "scopes", "{\"frameId\":1}");
	execute(&s, in);
	assert_int_equal(s.run.status, 0);
	body(&s, 5);
	refuses(&s, 6, "not valid any more");
	finish(&s);
}

/* The value is an expression, and the response has what the register has now. */
static void expressions_are_set(void **state)
{
	struct session s = { 0 };
	char in[8192] = "";

	(void)state;
	request(in, "initialize", "{}");
	request(in, "attach", "{\"pid\":4711}");
	request(in, "pause", "{\"threadId\":1}");
	request(in, "stackTrace", "{\"threadId\":1}");
	request(in, "setExpression",
		"{\"expression\":\"$s4\",\"value\":\"$lane + 5 * 8\",\"frameId\":1}");
	request(in, "setExpression", "{\"expression\":\"$pc\",\"value\":\"1\",\"frameId\":1}");
	request(in, "setExpression", "{\"expression\":\"1 + 1\",\"value\":\"1\",\"frameId\":1}");
	request(in, "setExpression",
		"{\"expression\":\"$s4\",\"value\":\"1) = (2\",\"frameId\":1}");
	request(in, "setExpression", "{\"expression\":\"$s4\",\"frameId\":1}");
	request(in, "evaluate", "{\"expression\":\"$s4 + 1\",\"frameId\":1}");
	execute(&s, in);
	assert_int_equal(s.run.status, 0);
	assert_true(json_flag(body(&s, 1), "supportsSetExpression", false));
	string_is(body(&s, 5), "value", "40");
	string_is(body(&s, 5), "type", "unsigned int");
	int_is(body(&s, 5), "variablesReference", 0);
	refuses(&s, 6, "this pseudo variable cannot be changed");
	refuses(&s, 7, "the left side of = is a value");
	refuses(&s, 8, "an operator is expected at ')");
	refuses(&s, 9, "expression or value is missing");
	string_is(body(&s, 10), "result", "41");
	finish(&s);
}

static void requests_out_of_order_are_refused(void **state)
{
	struct session s = { 0 };
	char in[8192] = "";

	(void)state;
	request(in, "attach", "{\"pid\":4711}");
	request(in, "threads", "{}");
	request(in, "initialize", "{\"pathFormat\":\"uri\"}");
	request(in, "initialize", "{}");
	request(in, "initialize", "{}");
	request(in, "configurationDone", "{}");
	request(in, "setBreakpoints", "{\"source\":{\"path\":\"a.cl\"}}");
	request(in, "nosuch", "{}");
	execute(&s, in);
	assert_int_equal(s.run.status, 0);
	contains(json_text(response(&s, 1), "message"), "\"initialize\" has to be the first");
	assert_int_equal(json_object_array_length(member(body(&s, 2), "threads")), 0);
	contains(json_text(response(&s, 3), "message"), "not 'uri'");
	body(&s, 4);
	contains(json_text(response(&s, 5), "message"), "initialized before");
	contains(json_text(response(&s, 6), "message"), "no process");
	contains(json_text(response(&s, 7), "message"), "no process");
	string_is(response(&s, 8), "message", "unknown request 'nosuch'");
	finish(&s);
}

static void arguments_of_other_types_are_refused(void **state)
{
	struct session s = { 0 };
	char in[8192] = "";

	(void)state;
	request(in, "initialize", "[]");
	request(in, "attach", "{\"pid\":\"4711\"}");
	request(in, "attach", "{\"pid\":4711,\"codeObjects\":[1,null,{}]}");
	request(in, "setBreakpoints", "{\"source\":[],\"breakpoints\":{}}");
	request(in, "setBreakpoints", "{\"source\":{\"path\":\"a\"},\"breakpoints\":[1,null]}");
	request(in, "setFunctionBreakpoints", "{\"breakpoints\":[{\"name\":1}]}");
	request(in, "setExceptionBreakpoints", "{\"filters\":[{},null]}");
	request(in, "stackTrace", "{\"threadId\":-1}");
	request(in, "stackTrace", "{\"threadId\":99999999999999}");
	request(in, "variables", "{\"variablesReference\":1.5}");
	request(in, "evaluate", "{\"expression\":null}");
	request(in, "readMemory", "{\"memoryReference\":\"local#0@1\",\"count\":-4}");
	request(in, "disassemble",
		"{\"memoryReference\":\"0x0\",\"instructionOffset\":-9999999999}");
	request(in, "writeMemory", "{\"memoryReference\":\"0x0\",\"data\":1}");
	execute(&s, in);
	assert_int_equal(s.run.status, 0);
	body(&s, 3);
	for (int seq = 4; seq <= 14; seq++)
		assert_false(json_flag(response(&s, seq), "success", true));
	finish(&s);
}

static void breakpoints_without_code_are_not_verified(void **state)
{
	struct session s = { 0 };
	struct json_object *b;
	char in[8192] = "";

	(void)state;
	request(in, "initialize", "{\"linesStartAt1\":false}");
	request(in, "attach", "{\"pid\":4711}");
	request(in, "setBreakpoints",
		"{\"source\":{\"path\":\"/a/b.cl\"},\"breakpoints\":[{\"line\":0},{\"line\":3}]}");
	request(in, "setFunctionBreakpoints",
		"{\"breakpoints\":[{\"name\":\"saxpy\",\"hitCondition\":\"0\"}]}");
	execute(&s, in);
	assert_int_equal(s.run.status, 0);
	b = element(body(&s, 3), "breakpoints", 1);
	assert_false(json_flag(b, "verified", true));
	int_is(b, "id", 2);
	assert_non_null(json_text(b, "message"));
	b = element(body(&s, 4), "breakpoints", 0);
	contains(json_text(b, "message"), "hit counts are");
	finish(&s);
}

/* ---------------------------------------------------- code that is loaded and unloaded */

#define CODE_VA		0x600000001000ull	/* the model's memory */
#define METHODS		KERNELS_CO "methods.co"
#define SPLIT		DEBUG_CO "alone/vars_O1_split.co"

/* Of methods.hip; run() begins with code without a line of its own. */
#define RUN_LINE	43
#define COUNT_LINE	46

/* The instructions of a code object */
struct text {
	uint8_t bytes[4096];
	size_t size;
};

static void read_text(const char *path, struct text *text)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf64_Shdr section = { 0 };
	Elf64_Ehdr header;

	if (fd < 0)
		skip();
	assert_int_equal(pread(fd, &header, sizeof(header), 0), sizeof(header));
	for (uint16_t i = 0; i < header.e_shnum && !(section.sh_flags & SHF_EXECINSTR); i++)
		assert_int_equal(pread(fd, &section, sizeof(section),
				       (off_t)(header.e_shoff + i * sizeof(section))),
				 sizeof(section));
	text->size = section.sh_size;
	assert_in_range(text->size, 1, sizeof(text->bytes));
	assert_int_equal(pread(fd, text->bytes, text->size, (off_t)section.sh_offset), text->size);
	close(fd);
}

/* The program writes code there; or, without @text, it frees its beginning. */
static void request_load(char *in, uint64_t va, const struct text *text)
{
	static const uint8_t nothing[16];
	char *data = text ? base64_encode(text->bytes, text->size) :
			    base64_encode(nothing, sizeof(nothing));
	char arguments[8000];

	snprintf(arguments, sizeof(arguments),
		 "{\"memoryReference\":\"0x%" PRIx64 "\",\"data\":\"%s\"}", va, data);
	request(in, "writeMemory", arguments);
	free(data);
}

/* Event "breakpoint" number @i for this breakpoint */
static struct json_object *change(const struct session *s, uint64_t id, size_t i)
{
	for (size_t k = 0; k < json_object_array_length(s->messages); k++) {
		struct json_object *message = json_object_array_get_idx(s->messages, k), *b;
		const char *name = json_text(message, "event");

		if (!name || strcmp(name, "breakpoint"))
			continue;
		b = member(member(message, "body"), "breakpoint");
		if (json_count(b, "id", 0) == id && !i--)
			return b;
	}
	fail_msg("breakpoint %d has not changed so often: %s", (int)id, s->run.out);
	return NULL;
}

static void is_set_in(struct json_object *b, uint64_t va, const struct text *text, int line)
{
	uint64_t at;

	if (!json_flag(b, "verified", false))
		fail_msg("%s", json_object_to_json_string(b));
	int_is(b, "line", line);
	at = strtoull(json_text(b, "instructionReference"), NULL, 0);
	assert_in_range(at, va, va + text->size - 4);
}

static void is_pending(struct json_object *b, const char *why)
{
	assert_false(json_flag(b, "verified", true));
	string_is(b, "reason", "pending");
	contains(json_text(b, "message"), why);
	assert_null(json_text(b, "instructionReference"));
}

static void begin_with(char *in, const char *file)
{
	char arguments[1024];

	assert_true(model_given("no wave is live"));
	assert_true(model_given("memory that is written was mapped anew"));
	snprintf(arguments, sizeof(arguments), "{\"pid\":4711,\"codeObjects\":[\"%s\"]}", file);
	request(in, "initialize", "{}");
	request(in, "attach", arguments);
}

#define SOURCE(name) "\"source\":{\"path\":\"/home/me/project/" name "\"}"

static void breakpoints_follow_their_code(void **state)
{
	struct session s = { 0 };
	struct text text;
	char in[32768] = "";

	(void)state;
	read_text(METHODS, &text);
	begin_with(in, METHODS);
	request(in, "setBreakpoints", "{" SOURCE("methods.hip") ",\"breakpoints\":["
		"{\"line\":46,\"condition\":\"i > 3 || i == 1\",\"logMessage\":\"{i}\"}]}");
	request(in, "setFunctionBreakpoints",
		"{\"breakpoints\":[{\"name\":\"run\",\"hitCondition\":\"% 2\"}]}");
	request_load(in, CODE_VA, &text);
	request(in, "threads", "{}");
	request_load(in, CODE_VA, NULL);
	request(in, "threads", "{}");
	request_load(in, CODE_VA + 0x800, &text);
	request(in, "threads", "{}");
	execute(&s, in);
	assert_int_equal(s.run.status, 0);
	is_pending(element(body(&s, 3), "breakpoints", 0), "no code object of the process");
	is_pending(element(body(&s, 4), "breakpoints", 0), "no code object of the process");
	for (uint64_t id = 1; id <= 2; id++) {
		int line = id == 1 ? COUNT_LINE : RUN_LINE;

		is_set_in(change(&s, id, 0), CODE_VA, &text, line);
		is_pending(change(&s, id, 1), "no code object of the process");
		is_set_in(change(&s, id, 2), CODE_VA + 0x800, &text, line);
	}
	finish(&s);
}

static void code_that_moves_is_one_change(void **state)
{
	struct session s = { 0 };
	struct text text;
	char in[32768] = "";

	(void)state;
	read_text(METHODS, &text);
	begin_with(in, METHODS);
	request_load(in, CODE_VA, &text);
	request(in, "setFunctionBreakpoints", "{\"breakpoints\":[{\"name\":\"run\"}]}");
	/* It overwrites the end of the code at the first address. */
	request_load(in, CODE_VA + 0x600, &text);
	request(in, "threads", "{}");
	execute(&s, in);
	assert_int_equal(s.run.status, 0);
	is_set_in(element(body(&s, 4), "breakpoints", 0), CODE_VA, &text, RUN_LINE);
	is_set_in(change(&s, 1, 0), CODE_VA + 0x600, &text, RUN_LINE);
	finish(&s);
}

static void lines_without_code_are_named(void **state)
{
	struct session s = { 0 };
	struct text text;
	char in[32768] = "";

	(void)state;
	read_text(METHODS, &text);
	begin_with(in, METHODS);
	request_load(in, CODE_VA, &text);
	request(in, "setBreakpoints", "{" SOURCE("methods.hip") ",\"breakpoints\":["
		"{\"line\":9999},{\"line\":46,\"condition\":\"nosuch + 1\"},"
		"{\"line\":46,\"condition\":\"hit 3\",\"hitCondition\":\"2\"}]}");
	request(in, "setBreakpoints", "{" SOURCE("methods.hip") ",\"breakpoints\":["
		"{\"line\":46},{\"line\":46,\"condition\":\"v1 == 3\"}]}");
	execute(&s, in);
	assert_int_equal(s.run.status, 0);
	is_pending(element(body(&s, 4), "breakpoints", 0), "9999");
	string_is(element(body(&s, 4), "breakpoints", 1), "reason", "failed");
	contains(json_text(element(body(&s, 4), "breakpoints", 1), "message"), "nosuch");
	contains(json_text(element(body(&s, 4), "breakpoints", 2), "message"),
		 "the condition has a hit count, too");
	is_set_in(element(body(&s, 5), "breakpoints", 0), CODE_VA, &text, COUNT_LINE);
	contains(json_text(element(body(&s, 5), "breakpoints", 1), "message"),
		 "another breakpoint is at this address");
	finish(&s);
}

/* Those that stay keep their number, and with it their hits; those of other sources stay, too. */
static void breakpoints_of_one_source_are_replaced(void **state)
{
	struct session s = { 0 };
	struct text text;
	char in[32768] = "";

	(void)state;
	read_text(METHODS, &text);
	begin_with(in, METHODS);
	request_load(in, CODE_VA, &text);
	request(in, "setBreakpoints", "{" SOURCE("methods.hip") ",\"breakpoints\":["
		"{\"line\":45},{\"line\":46,\"hitCondition\":\"> 2\"}]}");
	request(in, "setBreakpoints",
		"{" SOURCE("other.hip") ",\"breakpoints\":[{\"line\":46}]}");
	request(in, "setFunctionBreakpoints", "{\"breakpoints\":[{\"name\":\"run\"}]}");
	request(in, "setBreakpoints", "{" SOURCE("methods.hip") ",\"breakpoints\":["
		"{\"line\":47},{\"line\":46,\"hitCondition\":\"> 2\"},"
		"{\"line\":45,\"logMessage\":\"here\"}]}");
	request(in, "setBreakpoints", "{" SOURCE("methods.hip") ",\"breakpoints\":[]}");
	request(in, "setInstructionBreakpoints",
		"{\"breakpoints\":[{\"instructionReference\":\"0x600000001000\"}]}");
	execute(&s, in);
	assert_int_equal(s.run.status, 0);
	int_is(element(body(&s, 7), "breakpoints", 0), "id", 5);
	int_is(element(body(&s, 7), "breakpoints", 1), "id", 2);
	int_is(element(body(&s, 7), "breakpoints", 2), "id", 1);
	for (int i = 0; i < 3; i++)
		is_set_in(element(body(&s, 7), "breakpoints", i), CODE_VA, &text, 47 - i);
	assert_int_equal(json_object_array_length(member(body(&s, 8), "breakpoints")), 0);
	is_set_in(element(body(&s, 9), "breakpoints", 0), CODE_VA, &text, 42);
	finish(&s);
}

/* A breakpoint at the address of another one is set when that one is removed. */
static void breakpoint_at_a_free_address_is_set(void **state)
{
	struct session s = { 0 };
	struct text text;
	char in[32768] = "";

	(void)state;
	read_text(METHODS, &text);
	begin_with(in, METHODS);
	request_load(in, CODE_VA, &text);
	request(in, "setBreakpoints",
		"{" SOURCE("methods.hip") ",\"breakpoints\":[{\"line\":43}]}");
	request(in, "setFunctionBreakpoints", "{\"breakpoints\":[{\"name\":\"run\"}]}");
	request(in, "setBreakpoints", "{" SOURCE("methods.hip") ",\"breakpoints\":[]}");
	execute(&s, in);
	assert_int_equal(s.run.status, 0);
	is_set_in(element(body(&s, 4), "breakpoints", 0), CODE_VA, &text, RUN_LINE);
	assert_false(json_flag(element(body(&s, 5), "breakpoints", 0), "verified", true));
	is_set_in(change(&s, 2, 0), CODE_VA, &text, RUN_LINE);
	finish(&s);
}

/* The names of the variables of the first frame. @more: arguments of attach */
static void variables_of_split_code(struct session *s, const char *more)
{
	char in[32768] = "", arguments[1024];
	struct text text;

	read_text(SPLIT, &text);
	assert_true(model_given("two waves are halted at 0x600000001000, the begin of a kernel"));
	assert_true(model_given("memory that is written was mapped anew"));
	snprintf(arguments, sizeof(arguments), "{\"pid\":4711,\"codeObjects\":[\"%s\"]%s}", SPLIT,
		 more);
	request(in, "initialize", "{}");
	request(in, "attach", arguments);
	request_load(in, CODE_VA, &text);
	request(in, "pause", "{}");
	request(in, "stackTrace", "{\"threadId\":209}");
	request(in, "scopes", "{\"frameId\":1}");
	request(in, "variables", "{\"variablesReference\":2}");
	execute(s, in);
	assert_int_equal(s->run.status, 0);
	string_is(element(body(s, 5), "stackFrames", 0), "name", "touch");
}

static void variables_of_split_debug_information_are_shown(void **state)
{
	struct session s = { 0 };

	(void)state;
	variables_of_split_code(&s, ",\"debugDirectories\":[\"" DEBUG_CO "\"]");
	string_is(element(body(&s, 7), "variables", 0), "name", "where");
	finish(&s);
}

static void split_debug_information_elsewhere_is_not_found(void **state)
{
	struct session s = { 0 };

	(void)state;
	variables_of_split_code(&s, "");
	assert_int_equal(json_object_array_length(member(body(&s, 7), "variables")), 0);
	finish(&s);
}

static void content_that_is_not_json_is_skipped(void **state)
{
	struct session s = { 0 };
	char in[8192] = "Content-Length: 3\r\n\r\n{]}Content-Length: 0\r\n\r\n";

	(void)state;
	strcat(in, "Content-Length: 4\r\n\r\nnullContent-Length: 2\r\n\r\n{}");
	request(in, "initialize", "{}");
	execute(&s, in);
	assert_int_equal(s.run.status, 0);
	contains(s.run.out, "the content of a message is not a JSON object");
	contains(s.run.out, "a message was ignored: it is not a request");
	contains(s.run.out, "supportsConfigurationDoneRequest");
	finish(&s);
}

static void session_ends_at_a_damaged_header(void **state)
{
	struct session s = { 0 };
	char in[8192] = "hello\r\n\r\n";

	(void)state;
	request(in, "initialize", "{}");
	execute(&s, in);
	assert_int_equal(s.run.status, 0);
	contains(json_text(event(&s, "output"), "output"), "no valid Content-Length");
	lacks(s.run.out, "supportsConfigurationDoneRequest");
	finish(&s);
}

static void incomplete_message_ends_the_session(void **state)
{
	struct session s = { 0 };

	(void)state;
	execute(&s, "Content-Length: 100\r\n\r\n{\"seq\":1");
	assert_int_equal(s.run.status, 0);
	contains(json_text(event(&s, "output"), "output"), "the last message is incomplete");
	finish(&s);
}

static void waiting_request_is_cancelled(void **state)
{
	struct session s = { 0 };
	char in[8192] = "";

	(void)state;
	request(in, "initialize", "{}");
	request(in, "cancel", "{\"requestId\":99}");
	request(in, "cancel", "{}");
	execute(&s, in);
	assert_int_equal(s.run.status, 0);
	body(&s, 2);
	body(&s, 3);
	finish(&s);
}

/* More than a minute of reading, which nothing but the request behind it ends */
#define LONG_REQUEST "{\"memoryReference\":\"0x600000001000\",\"instructionCount\":100000}"

static void long_request_is_interrupted(const char *command, const char *arguments)
{
	struct session s = { 0 };
	char in[8192] = "";

	assert_true(model_given("reading memory takes a millisecond"));
	request(in, "initialize", "{}");
	request(in, "attach", "{\"pid\":4711}");
	request(in, "disassemble", LONG_REQUEST);
	request(in, command, arguments);
	execute(&s, in);
	assert_int_equal(s.run.status, 0);
	refuses(&s, 3, "cancelled");
	body(&s, 4);
	finish(&s);
}

static void cancel_interrupts_a_long_request(void **state)
{
	(void)state;
	long_request_is_interrupted("cancel", "{\"requestId\":3}");
}

static void disconnect_interrupts_a_long_request(void **state)
{
	(void)state;
	long_request_is_interrupted("disconnect", "{}");
}

/* As an editor does that waits for wavectl to end */
static void disconnect_ends_a_session_whose_input_stays_open(void **state)
{
	struct session s = { 0 };
	char in[8192] = "";
	int fds[2];

	(void)state;
	request(in, "initialize", "{}");
	request(in, "disconnect", "{}");
	assert_int_equal(pipe(fds), 0);
	assert_int_equal(write(fds[1], in, strlen(in)), strlen(in));
	execute_from(&s, fds[0]);
	assert_int_equal(s.run.status, 0);
	body(&s, 2);
	finish(&s);
	close(fds[0]);
	close(fds[1]);
}

/* Nor does it end a short one. */
static void cancel_does_not_interrupt_another_request(void **state)
{
	struct session s = { 0 };
	char in[8192] = "";

	(void)state;
	request(in, "initialize", "{}");
	request(in, "attach", "{\"pid\":4711}");
	request(in, "disassemble",
		"{\"memoryReference\":\"0x600000001000\",\"instructionCount\":100}");
	request(in, "cancel", "{\"requestId\":2}");
	request(in, "pause", "{}");
	request(in, "disconnect", "{}");
	execute(&s, in);
	assert_int_equal(s.run.status, 0);
	assert_int_equal(json_object_array_length(member(body(&s, 3), "instructions")), 100);
	body(&s, 5);
	finish(&s);
}

/* An empty object takes two bytes of a message, and some hundred of memory. */
static void messages_with_too_many_values_are_ignored(void **state)
{
	const size_t num = 200000;
	char *in = calloc(1, 3 * num + 4096), *content = malloc(3 * num + 64), *to = content;
	struct session s = { 0 };

	(void)state;
	assert_true(in && content);
	to += sprintf(to, "{\"seq\":1,\"x\":[{}");
	for (size_t i = 1; i < num; i++)
		to += sprintf(to, ",{}");
	strcpy(to, "]}");
	sprintf(in, "Content-Length: %zu\r\n\r\n%s", strlen(content), content);
	request(in, "initialize", "{}");
	execute(&s, in);
	assert_int_equal(s.run.status, 0);
	contains(json_text(event(&s, "output"), "output"), "it has too many values");
	contains(s.run.out, "supportsConfigurationDoneRequest");
	finish(&s);
	free(content);
	free(in);
}

/* ------------------------------------------------------------- arbitrary requests */

static uint32_t random_state;

static uint32_t below(uint32_t n)
{
	random_state = random_state * 1664525 + 1013904223;
	return (random_state >> 8) % n;
}

#define ANY_OF(list) ((list)[below(ARRAY_SIZE(list))])

static void any_value(char *to, unsigned int depth)
{
	static const char *const values[] = {
		"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "4711", "-1", "2147483647",
		"4294967296", "9223372036854775807", "-9223372036854775808",
		"18446744073709551616", "1.5", "null", "true", "false", "\"\"", "\"x\"",
		"\"0x600000001000\"", "\"0xffffffffffffffff\"", "\"local#0x40@1\"",
		"\"private#0x18@1.3\"", "\"$v1 + $s4\"", "\"lane 3\"", "\"(1 << 31) / -1\"",
		"\"repl\"", "\"% 0\"", "\">= 1\"", "\"v1 < 5 lane 3\"", "\"{$pc} {\"",
		"\"instruction\"", "\"exec\"", "\"$v1[\"", "\"*(int *)0\"", "\"Zm9v\"",
		"\"a.cl\"", "\"\\ud800\\u0000\"", "\"mem-viol\"", "[]", "{}",
	};
	static const char *const keys[] = {
		"pid", "path", "name", "line", "condition", "hitCondition", "logMessage",
		"instructionReference", "offset", "hex",
	};

	switch (depth < 3 ? below(8) : 7) {
	case 0:
		strcat(to, "[");
		any_value(to, depth + 1);
		strcat(to, "]");
		break;
	case 1:
		sprintf(to + strlen(to), "{\"%s\":", ANY_OF(keys));
		any_value(to, depth + 1);
		strcat(to, "}");
		break;
	default:
		strcat(to, ANY_OF(values));
	}
}

static void any_request(char *text)
{
	static const char *const commands[] = {
		"initialize", "attach", "configurationDone", "cancel", "setBreakpoints",
		"setFunctionBreakpoints", "setInstructionBreakpoints", "setExceptionBreakpoints",
		"threads", "stackTrace", "continue", "pause", "next", "stepIn", "stepOut",
		"exceptionInfo", "scopes", "variables", "setVariable", "setExpression",
		"evaluate",
		"amdgpudbg/lane", "readMemory", "writeMemory", "disassemble", "source",
	};
	static const char *const keys[] = {
		"pid", "threadId", "frameId", "variablesReference", "expression", "context",
		"memoryReference", "offset", "count", "start", "data", "instructionCount",
		"instructionOffset", "resolveSymbols", "source", "sourceReference",
		"breakpoints", "filters", "granularity", "singleThread", "lane", "name", "value",
		"format", "levels", "startFrame", "requestId", "linesStartAt1", "client", "gpu",
	};
	char arguments[900] = "{";

	for (uint32_t i = 0, num = 1 + below(6); i < num; i++) {
		sprintf(arguments + strlen(arguments), "%s\"%s\":", i ? "," : "", ANY_OF(keys));
		any_value(arguments, 0);
	}
	strcat(arguments, "}");
	request(text, ANY_OF(commands), arguments);
}

/* From a fixed seed: whatever is requested, the session answers each request, and ends well. */
static void arbitrary_requests_are_answered(void **state)
{
	struct session s;

	(void)state;
	for (random_state = 1; random_state <= 150; random_state++) {
		uint32_t round = random_state;
		char in[16384] = "";

		s = (struct session){ 0 };
		request(in, "initialize", "{}");
		request(in, "attach", "{\"pid\":4711}");
		request(in, "pause", "{\"threadId\":1}");
		request(in, "stackTrace", "{\"threadId\":1}");
		request(in, "scopes", "{\"frameId\":1}");
		for (int i = 0; i < 10; i++)
			any_request(in);
		execute(&s, in);
		if (s.run.status)
			fail_msg("status %d, %s: %s", s.run.status, s.run.err, in);
		for (int seq = 1; seq <= 15; seq++)
			response(&s, seq);
		finish(&s);
		random_state = round;
	}
}

#define MODEL_TEST(test) cmocka_unit_test_setup_teardown(test, setup, run_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frame_in_pieces_is_taken_when_it_is_complete),
		cmocka_unit_test(other_fields_of_a_header_are_ignored),
		cmocka_unit_test(damaged_headers_are_refused),
		cmocka_unit_test(long_messages_are_refused),
		cmocka_unit_test(changed_frames_do_not_crash),
		cmocka_unit_test(base64_is_that_of_the_rfc),
		cmocka_unit_test(damaged_base64_is_refused),
		cmocka_unit_test(memory_references_are_parsed_as_printed),
		cmocka_unit_test(references_of_one_wave_are_dropped),
		cmocka_unit_test(expressions_of_references_are_limited),
		MODEL_TEST(session_shows_the_waves_of_the_process),
		MODEL_TEST(references_are_invalid_after_a_step),
		MODEL_TEST(expressions_are_set),
		MODEL_TEST(requests_out_of_order_are_refused),
		MODEL_TEST(arguments_of_other_types_are_refused),
		MODEL_TEST(breakpoints_without_code_are_not_verified),
		MODEL_TEST(breakpoints_follow_their_code),
		MODEL_TEST(code_that_moves_is_one_change),
		MODEL_TEST(lines_without_code_are_named),
		MODEL_TEST(breakpoints_of_one_source_are_replaced),
		MODEL_TEST(breakpoint_at_a_free_address_is_set),
		MODEL_TEST(variables_of_split_debug_information_are_shown),
		MODEL_TEST(split_debug_information_elsewhere_is_not_found),
		MODEL_TEST(content_that_is_not_json_is_skipped),
		MODEL_TEST(session_ends_at_a_damaged_header),
		MODEL_TEST(incomplete_message_ends_the_session),
		MODEL_TEST(waiting_request_is_cancelled),
		MODEL_TEST(cancel_interrupts_a_long_request),
		MODEL_TEST(disconnect_interrupts_a_long_request),
		MODEL_TEST(disconnect_ends_a_session_whose_input_stays_open),
		MODEL_TEST(cancel_does_not_interrupt_another_request),
		MODEL_TEST(messages_with_too_many_values_are_ignored),
		MODEL_TEST(arbitrary_requests_are_answered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
