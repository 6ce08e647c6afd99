// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Events of faults of an address space, compared with amdgpu's lines in the kernel log; and a
 * flood of faults. Run as root. It changes kernel.printk_ratelimit.
 *
 * usage: vmfaults [JOBS]	number of jobs of the flood
 */
#include "self.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmocka.h>

#include "until.h"

#define DEADLINE_S 60
#define PAGE 4096
#define BEYOND 0x40000000u	/* from the data on: nothing is mapped there */
#define CTL_ROUNDS 5		/* word of ctl: see touch_many of touch.cl */
#define ROUNDS 500		/* accesses that each wave of a job of the flood makes */
#define JOB_PAGES (ROUNDS * SELF_WAVES)
#define NUM_PLACES 100		/* jobs until pages are accessed again */
#define CAPACITY 4		/* of the queue in a flood */
#define CID_TCP 8		/* gfxhub_client_ids[] of gfxhub_v2_1.c, Linux 6.1 */
#define CID_SQC_INST 9
#define TRAPSTS_MEM_VIOL (1u << 8)

static struct self self;
static uint32_t num_jobs = 10;	/* of the flood */
static int dev = -1;		/* a session about the waves of this process */
static int kmsg = -1;
static uint32_t pasid;

/* ------------------------------------------------------------ the kernel log */

/* What amdgpu says of a fault */
struct logged {
	uint64_t address;
	unsigned int vmid, pasid, cid, write;
	unsigned int count;
};

/* amdgpu logs all faults that come, or some. */
static void log_all(bool all)
{
	FILE *f = fopen("/proc/sys/kernel/printk_ratelimit", "w");

	assert_non_null(f);
	assert_true(fputs(all ? "0\n" : "5\n", f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static void log_begin(void)
{
	log_all(true);
	kmsg = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	assert_true(kmsg >= 0);
	lseek(kmsg, 0, SEEK_END);
}

static void log_end(void)
{
	close(kmsg);
	kmsg = -1;
}

/*
 * All faults at @address, or in @pages from there on, that were logged since the last call,
 * or since log_begin()
 */
static struct logged log_find(uint64_t address, uint64_t pages)
{
	struct logged found = { .address = address }, now = { .address = 0 };
	char line[2048], *at;
	ssize_t n;

	while ((n = read(kmsg, line, sizeof(line) - 1)) > 0) {
		line[n] = '\0';
		at = strstr(line, "page fault (src_id:");
		at = at ? strstr(at, "vmid:") : NULL;
		if (at)
			assert_int_equal(sscanf(at, "vmid:%u pasid:%u", &now.vmid, &now.pasid), 2);
		at = strstr(line, "page starting at address 0x");
		if (at) {
			now.address = strtoull(strstr(at, "0x"), NULL, 16);
			found.count += now.address - address < pages * PAGE;
		}
		if (now.address - address >= pages * PAGE)
			continue;
		found.vmid = now.vmid;
		found.pasid = now.pasid;
		at = strstr(line, "Faulty UTCL2 client ID: ");
		if (at && strstr(at, "(0x"))
			found.cid = strtoul(strstr(at, "(0x") + 1, NULL, 16);
		at = strstr(line, " RW: 0x");
		if (at)
			found.write = strtoul(at + strlen(" RW: "), NULL, 16);
	}
	/* EPIPE: the kernel has overwritten some of it. */
	assert_int_equal(errno, EAGAIN);
	return found;
}

/* ---------------------------------------------------------------- the events */

static int enable(int fd, uint32_t capacity)
{
	struct amdgpudbg_event_enable args = {
		.size = sizeof(args), .mask = 1ULL << AMDGPUDBG_EVENT_VM_FAULT,
		.capacity = capacity, .entry_size = sizeof(struct amdgpudbg_event),
	};

	return self_call(fd, AMDGPUDBG_IOC_EVENT_ENABLE, &args);
}

/* False: none has come for @timeout_ms. */
static bool next_event(int fd, struct amdgpudbg_event *event, int timeout_ms)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	if (poll(&p, 1, timeout_ms) != 1)
		return false;
	assert_int_equal(read(fd, event, sizeof(*event)), sizeof(*event));
	return true;
}

static struct amdgpudbg_event next_fault(void)
{
	struct amdgpudbg_event event;

	assert_true(next_event(dev, &event, DEADLINE_S * 1000));
	assert_int_equal(event.type, AMDGPUDBG_EVENT_VM_FAULT);
	assert_int_equal(event.pasid, pasid);
	assert_int_equal(event.flags, 0);
	assert_int_not_equal(event.count, 0);
	return event;
}

/* The events and the log say the same of the faults at @address; all have happened. */
static void assert_as_logged(uint64_t address, uint32_t access, uint32_t client)
{
	struct logged logged = log_find(address, 1);
	struct amdgpudbg_event event;
	uint32_t count = 0;

	assert_int_not_equal(logged.count, 0);
	while (count < logged.count) {
		event = next_fault();
		assert_true(event.address == address);
		assert_int_equal(event.vmid, logged.vmid);
		assert_int_equal(event.pasid, logged.pasid);
		assert_int_equal(event.access, access);
		assert_int_equal(event.client, client);
		count += event.count;
	}
	assert_int_equal(count, logged.count);
	assert_int_equal(logged.cid, client);
	assert_int_equal(logged.write, access == AMDGPUDBG_FAULT_WRITE);
	assert_false(next_event(dev, &event, 0));
}

/* ----------------------------------------------------------------- the tests */

static int set_up(void **state)
{
	struct amdgpudbg_target_set set = {
		.size = sizeof(set), .pidfd = -1, .drm_fd = self.prog.gpu.fd,
	};

	(void)state;
	dev = self_session(&self, false);
	if (dev < 0 || self_call(dev, AMDGPUDBG_IOC_TARGET_SET, &set) || enable(dev, 0))
		return -1;
	pasid = set.pasid;
	return 0;
}

static int take_down(void **state)
{
	(void)state;
	self.prog.graphics = false;
	if (kmsg >= 0)
		log_end();
	close(dev);
	dev = -1;
	return 0;
}

static int control(uint32_t op, const struct amdgpudbg_wave *wave)
{
	struct amdgpudbg_wave_control args = {
		.size = sizeof(args), .op = op, .mode = AMDGPUDBG_WAVEMODE_SINGLE,
		.vmid = wave->vmid, .at = wave->at,
	};

	return self_call(dev, AMDGPUDBG_IOC_WAVE_CONTROL, &args);
}

/* Waves whose access has failed are halted for good: they have no handler. */
static void end_job(void)
{
	struct amdgpudbg_wave waves[SELF_WAVES];
	int i, num = self_list(dev, waves);

	assert_int_equal(num, SELF_WAVES);
	for (i = 0; i < num; i++)
		assert_int_equal(control(AMDGPUDBG_WAVEOP_KILL, &waves[i]), 0);
	assert_int_equal(self_finish(&self), 0);
}

static bool all_have_failed(void *arg)
{
	struct amdgpudbg_wave waves[SELF_WAVES];
	int i, num = self_list(dev, waves);

	(void)arg;
	for (i = 0; i < num; i++)
		num -= !(HW(&waves[i], TRAPSTS) & TRAPSTS_MEM_VIOL);
	return i == SELF_WAVES && num == SELF_WAVES;
}

static void begin_failing(const char *kernel)
{
	assert_int_equal(self_start(&self, kernel, BEYOND), 0);
	assert_true(until(all_have_failed, NULL, DEADLINE_S));
}

static void access_faults(const char *kernel, uint32_t access, bool graphics)
{
	log_begin();
	self.prog.graphics = graphics;
	begin_failing(kernel);
	end_job();
	self.prog.graphics = false;
	assert_as_logged((self.data + BEYOND) & ~(uint64_t)(PAGE - 1), access, CID_TCP);
	log_end();
}

static void a_read_fault_is_reported_as_in_the_kernel_log(void **state)
{
	(void)state;
	access_faults("touch_read", AMDGPUDBG_FAULT_READ, false);
}

static void a_write_fault_is_reported_as_in_the_kernel_log(void **state)
{
	(void)state;
	access_faults("touch_write", AMDGPUDBG_FAULT_WRITE, false);
}

/* The software GPU draws nothing: the waves of its graphics ring come from dispatches. */
static void a_read_fault_on_the_graphics_ring_is_reported_as_in_the_kernel_log(void **state)
{
	(void)state;
	access_faults("touch_read", AMDGPUDBG_FAULT_READ, true);
}

static void a_write_fault_on_the_graphics_ring_is_reported_as_in_the_kernel_log(void **state)
{
	(void)state;
	access_faults("touch_write", AMDGPUDBG_FAULT_WRITE, true);
}

static int set_pc(const struct amdgpudbg_wave *wave, uint64_t pc)
{
	const struct amdgpudbg_reg_range ranges[] = {
		{ .space = AMDGPUDBG_REG_HW, .first = AMDGPUDBG_GFX10_3_PC_LO, .count = 1 },
		{ .space = AMDGPUDBG_REG_HW, .first = AMDGPUDBG_GFX10_3_PC_HI, .count = 1 },
	};
	const uint32_t values[] = { (uint32_t)pc, pc >> 32 };
	struct amdgpudbg_reg_access args = {
		.size = sizeof(args), .flags = AMDGPUDBG_REG_ACCESS_WRITE,
		.at = wave->at, .vmid = wave->vmid,
		.num_ranges = 2, .ranges = (uintptr_t)ranges,
		.num_values = 2, .values = (uintptr_t)values,
	};

	return self_call(dev, AMDGPUDBG_IOC_REG_ACCESS, &args);
}

/* One wave is sent to where nothing is mapped, and halted there for good. */
static void execute_fault(bool graphics)
{
	const uint64_t address = (self.data + 2ull * BEYOND) & ~(uint64_t)(PAGE - 1);
	struct amdgpudbg_wave waves[SELF_WAVES];
	struct amdgpudbg_event event;
	struct logged logged;
	uint64_t count = 0;

	log_begin();
	self.prog.graphics = graphics;
	assert_int_equal(self_start(&self, "touch_read", 0), 0);
	self.prog.graphics = false;
	assert_int_equal(self_wait_done(&self), 0);
	assert_int_equal(self_list(dev, waves), SELF_WAVES);
	assert_int_equal(control(AMDGPUDBG_WAVEOP_HALT, &waves[0]), 0);
	assert_int_equal(set_pc(&waves[0], address + 0x100), 0);
	assert_int_equal(control(AMDGPUDBG_WAVEOP_RESUME, &waves[0]), 0);
	event = next_fault();
	assert_int_equal(event.vmid, waves[0].vmid);
	assert_int_equal(event.client, CID_SQC_INST);
	assert_int_equal(control(AMDGPUDBG_WAVEOP_KILL, &waves[0]), 0);
	assert_int_equal(self_finish(&self), 0);

	logged = log_find(address, 1);
	assert_int_equal(logged.cid, CID_SQC_INST);
	assert_int_equal(logged.pasid, pasid);
	assert_int_equal(logged.vmid, event.vmid);
	for (;;) {
		assert_true(event.address == address);
		assert_int_equal(event.access, AMDGPUDBG_FAULT_EXECUTE);
		count += event.count;
		if (count >= logged.count)
			break;
		event = next_fault();
	}
	assert_int_equal(count, logged.count);
	log_end();
}

static void an_execute_fault_is_reported_as_in_the_kernel_log(void **state)
{
	(void)state;
	execute_fault(false);
}

static void an_execute_fault_on_the_graphics_ring_is_reported_as_in_the_kernel_log(void **state)
{
	(void)state;
	execute_fault(true);
}

/* A session about another address space, and one about the whole GPU */
static void only_the_targets_faults_are_reported(void **state)
{
	struct amdgpudbg_target_set set = { .size = sizeof(set), .pidfd = -1 };
	int other = self_session(&self, false), whole = self_session(&self, false);
	struct amdgpudbg_event event;

	(void)state;
	set.drm_fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
	assert_int_equal(self_call(other, AMDGPUDBG_IOC_TARGET_SET, &set), 0);
	assert_int_equal(enable(other, 0), 0);
	assert_int_equal(enable(whole, 0), 0);
	begin_failing("touch_read");
	end_job();
	next_fault();
	assert_true(next_event(whole, &event, DEADLINE_S * 1000));
	assert_int_equal(event.pasid, pasid);
	/* All sessions get an event at the same time. */
	assert_false(next_event(other, &event, 0));
	close(set.drm_fd);
	close(other);
	close(whole);
}

/* Or waves without a handler are halted for good: both are what the hardware may do. */
static void continue_after_faults(bool on)
{
	char question[96], answer[256];

	snprintf(question, sizeof(question),
		 "{\"cmd\":\"quirk\",\"name\":\"fatal-without-handler\",\"value\":%d}",
		 on ? 1 : 3);
	assert_int_equal(vgpu_ask(question, answer, sizeof(answer)), 0);
}

/* What is reported since the last call, and what is lost */
static void count_events(uint64_t *seq, uint64_t *reported, uint64_t *lost)
{
	struct amdgpudbg_event event;

	while (next_event(dev, &event, 10)) {
		assert_true(event.seq == *seq);
		if (event.type == AMDGPUDBG_EVENT_LOST) {
			*lost += event.data;
			*seq += event.data;
			continue;
		}
		assert_int_equal(event.type, AMDGPUDBG_EVENT_VM_FAULT);
		*reported += event.count;
		(*seq)++;
	}
}

/*
 * Waves continue behind an access that fails, and each access is to another page, so that no
 * event represents two faults: a lost event counts once. The GPU reports one when the driver
 * has handled the last. A queue that is only read at the end has room for some of them; the
 * others are counted, and no wave waits for the debugger.
 */
static void a_flood_of_faults_is_lost_by_count_only(void **state)
{
	uint64_t first = (self.data + BEYOND) & ~(uint64_t)(PAGE - 1);
	uint64_t seq = 1, reported = 0, lost = 0, logged = 0;
	uint32_t place;
	int64_t end;

	(void)state;
	assert_int_equal(enable(dev, CAPACITY), 0);
	continue_after_faults(true);
	log_begin();
	prog_ctl(&self.prog)[CTL_ROUNDS] = ROUNDS;
	for (uint32_t i = 0; i < num_jobs; i++) {
		place = i % NUM_PLACES * JOB_PAGES * PAGE;
		assert_int_equal(self_start(&self, "touch_many", BEYOND + place), 0);
		assert_int_equal(self_finish(&self), 0);
		/* Before the kernel overwrites it */
		logged += log_find(first, (uint64_t)NUM_PLACES * JOB_PAGES).count;
	}
	continue_after_faults(false);
	end = deadline_ns(DEADLINE_S);
	/* The last of them may still be on their way to the log and to the session. */
	do {
		logged += log_find(first, (uint64_t)NUM_PLACES * JOB_PAGES).count;
		count_events(&seq, &reported, &lost);
	} while (reported + lost != logged && now_ns() < end);
	log_end();
	printf("# %llu faults, %llu reported, %llu lost, of %u accesses\n",
	       (unsigned long long)logged, (unsigned long long)reported,
	       (unsigned long long)lost, num_jobs * JOB_PAGES);
	assert_int_equal(reported + lost, logged);
	assert_true(logged >= num_jobs && lost && reported >= CAPACITY);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, take_down)

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		TEST(a_read_fault_is_reported_as_in_the_kernel_log),
		TEST(a_write_fault_is_reported_as_in_the_kernel_log),
		TEST(an_execute_fault_is_reported_as_in_the_kernel_log),
		TEST(a_read_fault_on_the_graphics_ring_is_reported_as_in_the_kernel_log),
		TEST(a_write_fault_on_the_graphics_ring_is_reported_as_in_the_kernel_log),
		TEST(an_execute_fault_on_the_graphics_ring_is_reported_as_in_the_kernel_log),
		TEST(only_the_targets_faults_are_reported),
		TEST(a_flood_of_faults_is_lost_by_count_only),
	};
	int ret;

	if (argc > 1)
		num_jobs = strtoul(argv[1], NULL, 0);
	if (self_open(&self))
		return 2;
	ret = cmocka_run_group_tests(tests, NULL, NULL);
	self_close(&self);
	return ret;
}
