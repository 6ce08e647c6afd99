// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The control socket: its commands, and clients that are slow, that are many, that send many
 * lines, or wrong ones.
 */
#include <errno.h>
#include <json-c/json.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

#include "client.h"
#include "host/control.h"

static struct vgpu gpu;
static struct client host;

static int setup(void **state)
{
	(void)state;
	client_init(&host, &gpu, false);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	client_fini(&host);
	return 0;
}

/* The reply to one line, without a socket. */
static json_object *ask(const char *line)
{
	char *text = vgpu_control_answer(&gpu, line);
	json_object *o;

	assert_non_null(text);
	assert_null(strchr(text, '\n'));
	o = json_tokener_parse(text);
	assert_non_null(o);
	free(text);
	return o;
}

static json_object *member(json_object *o, const char *key)
{
	json_object *val = NULL;

	if (!json_object_object_get_ex(o, key, &val))
		fail_msg("no \"%s\" in %s", key, json_object_to_json_string(o));
	return val;
}

static bool is_ok(json_object *o)
{
	return json_object_get_boolean(member(o, "ok"));
}

static void ask_ok(const char *line)
{
	json_object *o = ask(line);

	if (!is_ok(o))
		fail_msg("%s: %s", line, json_object_to_json_string(o));
	json_object_put(o);
}

static void ask_error(const char *line)
{
	json_object *o = ask(line);

	if (is_ok(o))
		fail_msg("%s was accepted", line);
	assert_true(json_object_get_string_len(member(o, "error")) > 0);
	json_object_put(o);
}

static u64 number(json_object *o, const char *key)
{
	return json_object_get_uint64(member(o, key));
}

static void info_reports_profile_and_geometry(void **state)
{
	json_object *o = ask("{\"cmd\":\"info\"}");

	(void)state;
	assert_true(is_ok(o));
	assert_string_equal(json_object_get_string(member(o, "profile")),
			    "vangogh");
	assert_string_equal(json_object_get_string(member(o, "isa")), "gfx1033");
	assert_int_equal(number(o, "se"), gpu.num_se);
	assert_int_equal(number(o, "slots"), gpu.num_slots);
	assert_int_equal(number(o, "vram_bytes"), gpu.vram_size);
	json_object_put(o);
}

static void counters_count_and_reset(void **state)
{
	u32 dword = gpu.profile->regs[R_GRBM_GFX_CNTL];
	json_object *o;
	int i;

	(void)state;
	ask_ok("{\"cmd\":\"counters-reset\"}");
	for (i = 0; i < 3; i++)
		vgpu_reg_read(&gpu, dword);
	vgpu_reg_write(&gpu, dword, 0);
	o = ask("{\"cmd\":\"counters\"}");
	assert_int_equal(number(o, "reg_reads"), 3);
	assert_int_equal(number(o, "reg_writes"), 1);
	assert_int_equal(number(member(o, "reg_reads_by_block"), "gc"), 3);
	assert_int_equal(number(member(o, "reg_writes_by_block"), "gc"), 1);
	assert_int_equal(number(member(o, "reg_reads_by_block"), "nbio"), 0);
	json_object_put(o);
	ask_ok("{\"cmd\":\"counters-reset\"}");
	o = ask("{\"cmd\":\"counters\"}");
	assert_int_equal(number(o, "reg_reads"), 0);
	json_object_put(o);
}

static void registers_are_shown_without_side_effects(void **state)
{
	u32 dword = gpu.profile->regs[R_BIOS_SCRATCH_7];
	u64 reads = gpu.counters.reg_reads;
	json_object *o;
	char line[128];

	(void)state;
	vgpu_reg_write(&gpu, dword, 0x89abcdef);
	snprintf(line, sizeof(line), "{\"cmd\":\"reg\",\"dword\":%u}", dword);
	o = ask(line);
	assert_true(is_ok(o));
	assert_string_equal(json_object_get_string(member(o, "value")),
			    "0x89abcdef");
	json_object_put(o);
	snprintf(line, sizeof(line), "{\"cmd\":\"reg\",\"dword\":\"0x%x\"}",
		 dword);
	ask_ok(line);
	assert_int_equal(gpu.counters.reg_reads, reads);

	ask_error("{\"cmd\":\"reg\"}");
	ask_error("{\"cmd\":\"reg\",\"dword\":131072}");
	ask_error("{\"cmd\":\"reg\",\"dword\":-1}");
	ask_error("{\"cmd\":\"reg\",\"dword\":\"12x\"}");
	ask_error("{\"cmd\":\"reg\",\"name\":\"NO_SUCH_REGISTER\"}");
	ask_error("{\"cmd\":\"reg\",\"name\":\"GRBM_GFX_CNTL\",\"vmid\":16}");
}

/* A number that is too large, or none at all, is said to be wrong by its name. */
static void numbers_have_ranges(void **state)
{
	static const struct {
		const char *line, *key;
	} lines[] = {
		/* 256 and 0x100000000 end with the bits of 0. */
		{ "\"reg\",\"name\":\"SQ_SHADER_TBA_LO\",\"vmid\":256", "vmid" },
		{ "\"reg\",\"name\":\"SQ_SHADER_TBA_LO\",\"vmid\":16", "vmid" },
		{ "\"reg\",\"name\":\"SQ_SHADER_TBA_LO\",\"vmid\":-1", "vmid" },
		{ "\"reg\",\"name\":\"SQ_SHADER_TBA_LO\",\"vmid\":1.5", "vmid" },
		{ "\"reg\",\"name\":\"SQ_SHADER_TBA_LO\",\"vmid\":null", "vmid" },
		{ "\"reg\",\"name\":\"SQ_SHADER_TBA_LO\",\"vmid\":\"\"", "vmid" },
		{ "\"reg\",\"name\":\"CP_HQD_ACTIVE\",\"me\":256", "me" },
		{ "\"reg\",\"name\":\"CP_HQD_ACTIVE\",\"me\":4", "me" },
		{ "\"reg\",\"name\":\"CP_HQD_ACTIVE\",\"pipe\":4", "pipe" },
		{ "\"reg\",\"name\":\"CP_HQD_ACTIVE\",\"queue\":8", "queue" },
		{ "\"reg\",\"name\":\"SQ_SHADER_TBA_LO\",\"se\":1", "se" },
		{ "\"reg\",\"name\":\"SQ_SHADER_TBA_LO\",\"sa\":1", "sa" },
		{ "\"reg\",\"name\":\"SQ_SHADER_TBA_LO\",\"wgp\":4", "wgp" },
		{ "\"reg\",\"name\":\"GRBM_GFX_CNTL\",\"dword\":\"x\"", "dword" },
		{ "\"reg\",\"dword\":\"0x100000000\"", "dword" },
		{ "\"wave\",\"se\":4294967296", "se" },
		{ "\"wave\",\"simd\":4", "simd" },
		{ "\"wave\",\"slot\":16", "slot" },
		{ "\"lend\",\"slot\":16", "slot" },
		{ "\"lend\",\"to\":4294967296", "to" },
		{ "\"lend\",\"after\":4294967296", "after" },
		{ "\"lend\",\"stay\":4294967296", "stay" },
		{ "\"lend\",\"stay\":\"0x1 \"", "stay" },
		{ "\"fault\",\"name\":\"hang-queue\",\"me\":257", "me" },
		{ "\"fault\",\"name\":\"hang-queue\",\"queue\":8", "queue" },
		{ "\"fault\",\"name\":\"drop-irq\",\"count\":4294967296", "count" },
		{ "\"fault\",\"name\":\"drop-irq\",\"count\":\"two\"", "count" },
		{ "\"fault\",\"name\":\"corrupt-read\",\"dword\":131072", "dword" },
		{ "\"quirk\",\"name\":\"pc-rewind\",\"value\":4294967296", "value" },
		{ "\"history\",\"pasid\":65536", "pasid" },
	};
	char line[128], key[16];
	json_object *o;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(lines); i++) {
		snprintf(line, sizeof(line), "{\"cmd\":%s}", lines[i].line);
		snprintf(key, sizeof(key), "\"%s\"", lines[i].key);
		o = ask(line);
		if (is_ok(o) || !strstr(json_object_get_string(member(o, "error")), key))
			fail_msg("%s: %s", line, json_object_to_json_string(o));
		json_object_put(o);
	}
	ask_ok("{\"cmd\":\"reg\",\"name\":\"SQ_SHADER_TBA_LO\",\"vmid\":15,\"wgp\":\"3\"}");
	ask_ok("{\"cmd\":\"reg\",\"name\":\"CP_HQD_ACTIVE\",\"me\":3,\"pipe\":3,\"queue\":7}");
	ask_ok("{\"cmd\":\"lend\",\"slot\":15,\"after\":4294967295}");
	ask_ok("{\"cmd\":\"history\",\"pasid\":65535}");
}

static void banked_registers_are_shown_by_vmid(void **state)
{
	json_object *o;

	(void)state;
	*vgpu_reg_of_vmid(&gpu, 3, R_SQ_SHADER_TBA_LO, 0) = 0x333;
	*vgpu_reg_of_vmid(&gpu, 4, R_SQ_SHADER_TBA_LO, 0) = 0x444;
	o = ask("{\"cmd\":\"reg\",\"name\":\"SQ_SHADER_TBA_LO\",\"vmid\":3}");
	assert_true(is_ok(o));
	assert_string_equal(json_object_get_string(member(o, "value")), "0x333");
	json_object_put(o);
	o = ask("{\"cmd\":\"reg\",\"name\":\"SQ_SHADER_TBA_LO\",\"vmid\":4}");
	assert_string_equal(json_object_get_string(member(o, "value")), "0x444");
	json_object_put(o);
}

static void quirks_can_be_listed_and_set(void **state)
{
	const char *name = vgpu_quirk_name(0);
	u32 other = !vgpu_quirk(&gpu, 0);
	json_object *o, *list, *first;
	char line[128];

	(void)state;
	o = ask("{\"cmd\":\"quirks\"}");
	list = member(o, "quirks");
	assert_int_equal(json_object_array_length(list), VGPU_NUM_QUIRKS);
	first = json_object_array_get_idx(list, 0);
	assert_string_equal(json_object_get_string(member(first, "name")), name);
	json_object_put(o);

	snprintf(line, sizeof(line),
		 "{\"cmd\":\"quirk\",\"name\":\"%s\",\"value\":%u}", name, other);
	ask_ok(line);
	assert_int_equal(vgpu_quirk(&gpu, 0), other);
	ask_error("{\"cmd\":\"quirk\",\"name\":\"none\",\"value\":1}");
	snprintf(line, sizeof(line), "{\"cmd\":\"quirk\",\"name\":\"%s\"}", name);
	ask_error(line);
	assert_int_equal(vgpu_quirk(&gpu, 0), other);
}

static const char *text_at(json_object *array, int i)
{
	return json_object_get_string(json_object_array_get_idx(array,
								(size_t)i));
}

static void complaints_are_counted_by_kind(void **state)
{
	json_object *o, *latest;
	int i;

	(void)state;
	for (i = 0; i < 150; i++)
		vgpu_complain(&gpu, VGPU_BAD_PACKET, "packet %d", i);
	ask_ok("{\"cmd\":\"expect\",\"complaint\":\"vm-fault\",\"on\":true}");
	vgpu_complain(&gpu, VGPU_BAD_VM_FAULT, "wanted");
	ask_ok("{\"cmd\":\"expect\",\"complaint\":\"vm-fault\",\"on\":false}");
	vgpu_complain(&gpu, VGPU_BAD_VM_FAULT, "not wanted");

	o = ask("{\"cmd\":\"complaints\"}");
	assert_int_equal(number(o, "total"), 151);
	assert_int_equal(number(member(o, "by_kind"), "bad-packet"), 150);
	assert_int_equal(number(member(o, "by_kind"), "vm-fault"), 1);
	assert_int_equal(number(member(o, "expected"), "vm-fault"), 1);
	assert_int_equal(number(member(o, "by_kind"), "gfxoff"), 0);
	/* The latest are kept, in order. */
	latest = member(o, "latest");
	i = (int)json_object_array_length(latest);
	assert_true(i > 2);
	assert_string_equal(text_at(latest, i - 1), "vm-fault: not wanted");
	assert_string_equal(text_at(latest, i - 3), "bad-packet: packet 149");
	json_object_put(o);

	ask_error("{\"cmd\":\"expect\",\"complaint\":\"none\",\"on\":true}");
	ask_error("{\"cmd\":\"expect\",\"complaint\":\"vm-fault\"}");
}

static void faults_happen_as_often_as_requested(void **state)
{
	u32 dword = gpu.profile->regs[R_BIOS_SCRATCH_7];
	char line[128];

	(void)state;
	vgpu_reg_write(&gpu, dword, 0x200);
	snprintf(line, sizeof(line),
		 "{\"cmd\":\"fault\",\"name\":\"corrupt-read\",\"dword\":%u,\"count\":2}",
		 dword);
	ask_ok(line);
	vgpu_reg_read(&gpu, dword + 1);
	assert_int_not_equal(vgpu_reg_read(&gpu, dword), 0x200);
	assert_int_not_equal(vgpu_reg_read(&gpu, dword), 0x200);
	assert_int_equal(vgpu_reg_read(&gpu, dword), 0x200);

	ask_ok("{\"cmd\":\"fault\",\"name\":\"ignore-sq-cmd\"}");
	assert_true(vgpu_fault_take(&gpu, VGPU_FAULT_IGNORE_SQ_CMD, 5));
	assert_false(vgpu_fault_take(&gpu, VGPU_FAULT_IGNORE_SQ_CMD, 5));
	ask_error("{\"cmd\":\"fault\",\"name\":\"none\"}");
	ask_error("{\"cmd\":\"fault\"}");
	ask_error("{\"cmd\":\"fault\",\"name\":\"hang-queue\",\"me\":9}");
}

static void an_idle_gpu_lists_no_waves(void **state)
{
	json_object *o = ask("{\"cmd\":\"waves\"}");

	(void)state;
	assert_true(is_ok(o));
	assert_int_equal(json_object_array_length(member(o, "waves")), 0);
	json_object_put(o);
	ask_error("{\"cmd\":\"wave\"}");
	ask_error("{\"cmd\":\"wave\",\"se\":99,\"slot\":99}");
	/* Nor one whose slot could change hands; that none does is no error. */
	ask_error("{\"cmd\":\"lend\",\"slot\":0,\"to\":1,\"stay\":1}");
	ask_error("{\"cmd\":\"lend\",\"se\":99,\"stay\":1}");
	o = ask("{\"cmd\":\"lend\"}");
	assert_true(is_ok(o));
	assert_int_equal(number(o, "reads"), 0);
	json_object_put(o);
}

static void the_history_of_a_pasid_is_reported(void **state)
{
	static const char *const counts[] = {
		"waves", "trap_en", "halted", "debug", "excp", "stalls",
		"watch_hits", "traps",
	};
	struct vgpu_dispatch d = {
		.vmid = 3, .threads = { 32, 1, 1 }, .last = { 32, 1, 1 },
		.groups = { 1, 1, 1 }, .initiator = 1 << 15,
	};
	json_object *o, *row;
	size_t i;

	(void)state;
	vgpu_reg_store(&gpu, R_IH_VMID_0_LUT, 3, 0x8003);
	/* Stalled: it has no code. */
	vgpu_reg_store(&gpu, R_SPI_GDBG_WAVE_CNTL, 0, 1);
	assert_int_equal(vgpu_sq_dispatch(&gpu, &d), 0);
	vgpu_sq_run(&gpu, 1);
	o = ask("{\"cmd\":\"history\",\"pasid\":32771}");
	assert_true(is_ok(o));
	assert_int_equal(json_object_array_length(member(o, "history")), 1);
	row = json_object_array_get_idx(member(o, "history"), 0);
	assert_int_equal(number(row, "vmid"), 3);
	for (i = 0; i < ARRAY_SIZE(counts); i++)
		assert_int_equal(number(row, counts[i]),
				 !strcmp(counts[i], "stalls"));
	json_object_put(o);
	vgpu_sq_reset(&gpu);

	o = ask("{\"cmd\":\"history\",\"pasid\":\"0x8004\"}");
	assert_true(is_ok(o));
	assert_int_equal(json_object_array_length(member(o, "history")), 0);
	json_object_put(o);
	ask_error("{\"cmd\":\"history\"}");
}

static void malformed_requests_get_an_error(void **state)
{
	(void)state;
	ask_error("");
	ask_error("{");
	ask_error("[]");
	ask_error("17");
	ask_error("null");
	ask_error("{}");
	ask_error("{\"cmd\":1}");
	ask_error("{\"cmd\":\"no-such-command\"}");
	ask_error("\xff\xfe{\"cmd\":\"info\"}");
}

/* Also an answer that says what is wrong has the id of its request. */
static void answers_begin_with_the_id_of_the_request(void **state)
{
	static const struct {
		const char *request, *answer;
	} pairs[] = {
		{ "{\"cmd\":\"no-such-command\",\"id\":1234567890123456789}",
		  "{\"id\":1234567890123456789,\"error\":" },
		{ "{\"id\":\"7.25\",\"cmd\":\"counters-reset\"}",
		  "{\"id\":\"7.25\",\"ok\":true}" },
		{ "{\"cmd\":\"counters-reset\"}", "{\"ok\":true}" },
	};
	char *text;

	(void)state;
	for (unsigned int i = 0; i < ARRAY_SIZE(pairs); i++) {
		text = vgpu_control_answer(&gpu, pairs[i].request);
		assert_non_null(text);
		if (strncmp(text, pairs[i].answer, strlen(pairs[i].answer)))
			fail_msg("the answer to %s is %s", pairs[i].request, text);
		free(text);
	}
	ask_error("{\"cmd\":\"info\",\"id\":[1]}");
	ask_error("{\"cmd\":\"info\",\"id\":null}");
}

static int control_connect(void)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	strcpy(addr.sun_path, host.control_path);
	assert_int_equal(connect(fd, (struct sockaddr *)&addr, sizeof(addr)), 0);
	return fd;
}

/* What the main loop does, until there is nothing to do. */
static void serve(void)
{
	struct pollfd fds[VGPU_CONTROL_POLLFDS];
	unsigned int num;

	for (;;) {
		num = vgpu_control_pollfds(&gpu, fds);
		if (poll(fds, num, 0) <= 0)
			return;
		vgpu_control_serve(&gpu, fds, num);
	}
}

static void send_text(int fd, const char *text)
{
	size_t len = strlen(text);

	assert_int_equal(send(fd, text, len, MSG_NOSIGNAL), len);
	serve();
}

/* Number of whole lines that can be read now; the last one goes to @last. */
static int read_lines(int fd, char *last, size_t size)
{
	static char buf[1 << 20];
	size_t len = 0;
	int lines = 0;
	char *p, *end;
	ssize_t n;

	while ((n = recv(fd, buf + len, sizeof(buf) - len, MSG_DONTWAIT)) > 0)
		len += (size_t)n;
	for (p = buf; (end = memchr(p, '\n', (size_t)(buf + len - p)));
	     p = end + 1) {
		*end = 0;
		snprintf(last, size, "%.*s", (int)size - 1, p);
		lines++;
	}
	assert_ptr_equal(p, buf + len);
	return lines;
}

static void requests_arrive_in_pieces_and_several_at_once(void **state)
{
	int fd = control_connect();
	char last[256];

	(void)state;
	serve();
	send_text(fd, "{\"cmd\":");
	assert_int_equal(read_lines(fd, last, sizeof(last)), 0);
	send_text(fd, "\"info\"}\n");
	assert_int_equal(read_lines(fd, last, sizeof(last)), 1);
	/* Blank lines are what a terminal or a virtio port may add. */
	send_text(fd, "\n\r\n{\"cmd\":\"info\"}\r\n{\"cmd\":\"waves\"}\n{\"cmd\":\"x");
	assert_int_equal(read_lines(fd, last, sizeof(last)), 2);
	assert_string_equal(last, "{\"waves\":[],\"ok\":true}");
	send_text(fd, "\"}\n");
	assert_int_equal(read_lines(fd, last, sizeof(last)), 1);
	assert_non_null(strstr(last, "unknown command"));
	close(fd);
	serve();
}

/* However many lines there are, the guest waits for one of each client. */
static void each_turn_answers_one_request_of_a_client(void **state)
{
	static const char lines[] = "{\"cmd\":\"info\"}\n{\"cmd\":\"info\"}\n"
				    "{\"cmd\":\"waves\"}\n";
	struct pollfd fds[VGPU_CONTROL_POLLFDS];
	int fd = control_connect(), i;
	unsigned int num;
	char last[256];

	(void)state;
	serve();
	assert_int_equal(send(fd, lines, sizeof(lines) - 1, 0),
			 sizeof(lines) - 1);
	for (i = 0; i < 3; i++) {
		num = vgpu_control_pollfds(&gpu, fds);
		assert_true(poll(fds, num, 0) > 0);
		vgpu_control_serve(&gpu, fds, num);
		assert_int_equal(read_lines(fd, last, sizeof(last)), 1);
	}
	assert_string_equal(last, "{\"waves\":[],\"ok\":true}");
	num = vgpu_control_pollfds(&gpu, fds);
	assert_int_equal(poll(fds, num, 0), 0);
	close(fd);
	serve();
}

static void a_line_without_end_is_refused_once(void **state)
{
	int fd = control_connect();
	char last[256], part[1024];
	int i;

	(void)state;
	memset(part, 'x', sizeof(part) - 1);
	part[sizeof(part) - 1] = 0;
	for (i = 0; i < 64; i++)
		send_text(fd, part);
	assert_int_equal(read_lines(fd, last, sizeof(last)), 0);
	send_text(fd, "\n{\"cmd\":\"waves\"}\n");
	assert_int_equal(read_lines(fd, last, sizeof(last)), 2);
	assert_string_equal(last, "{\"waves\":[],\"ok\":true}");
	close(fd);
	serve();
}

static void a_client_that_does_not_read_blocks_no_other(void **state)
{
	int slow = control_connect(), fast = control_connect();
	int sent = 0, got = 0, n;
	char last[256];

	(void)state;
	serve();
	/* Until neither socket buffer nor vgpu takes any more. */
	while (send(slow, "{\"cmd\":\"quirks\"}\n", 17,
		    MSG_DONTWAIT | MSG_NOSIGNAL) == 17) {
		sent++;
		serve();
	}
	assert_true(sent > 100);
	send_text(fast, "{\"cmd\":\"waves\"}\n");
	assert_int_equal(read_lines(fast, last, sizeof(last)), 1);
	/* The slow one gets all its answers when it reads at last. */
	close(fast);
	while (got < sent) {
		static char buf[65536];
		ssize_t len = recv(slow, buf, sizeof(buf), MSG_DONTWAIT);

		assert_true(len > 0);
		for (n = 0; n < len; n++)
			got += buf[n] == '\n';
		serve();
	}
	assert_int_equal(got, sent);
	close(slow);
	serve();
}

static void many_clients_can_be_connected(void **state)
{
	int fds[VGPU_CONTROL_CLIENTS + 1];
	char last[256];
	int i;

	(void)state;
	for (i = 0; i <= VGPU_CONTROL_CLIENTS; i++) {
		fds[i] = control_connect();
		serve();
	}
	for (i = 0; i < VGPU_CONTROL_CLIENTS; i++) {
		send_text(fds[i], "{\"cmd\":\"waves\"}\n");
		assert_int_equal(read_lines(fds[i], last, sizeof(last)), 1);
	}
	assert_int_equal(read_lines(fds[i], last, sizeof(last)), 1);
	assert_non_null(strstr(last, "too many clients"));
	assert_int_equal(recv(fds[i], last, 1, 0), 0);
	close(fds[0]);
	serve();
	/* A place that became free is used again. */
	fds[0] = control_connect();
	send_text(fds[0], "{\"cmd\":\"waves\"}\n");
	assert_int_equal(read_lines(fds[0], last, sizeof(last)), 1);
	for (i = 0; i <= VGPU_CONTROL_CLIENTS; i++)
		close(fds[i]);
	serve();
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(info_reports_profile_and_geometry),
		TEST(counters_count_and_reset),
		TEST(registers_are_shown_without_side_effects),
		TEST(numbers_have_ranges),
		TEST(banked_registers_are_shown_by_vmid),
		TEST(quirks_can_be_listed_and_set),
		TEST(complaints_are_counted_by_kind),
		TEST(faults_happen_as_often_as_requested),
		TEST(an_idle_gpu_lists_no_waves),
		TEST(the_history_of_a_pasid_is_reported),
		TEST(malformed_requests_get_an_error),
		TEST(answers_begin_with_the_id_of_the_request),
		TEST(requests_arrive_in_pieces_and_several_at_once),
		TEST(each_turn_answers_one_request_of_a_client),
		TEST(a_line_without_end_is_refused_once),
		TEST(a_client_that_does_not_read_blocks_no_other),
		TEST(many_clients_can_be_connected),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
