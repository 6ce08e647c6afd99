// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The model's state, and the ioctls about the GPU, its capabilities, jobs and events.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <amdgpudbg.h>

#include "mock.h"
#include "model.h"
#include "model_state.h"

struct model model;

#define CLIENT_OF(pci, pasid, client) \
	"pasid:\t" pasid "\ndrm-driver:\tamdgpu\ndrm-pdev:\t" pci "\n" \
	"drm-client-id:\t" client "\n"
#define CLIENT(pasid, client) CLIENT_OF("0000:04:00.0", pasid, client)

static const struct amdgpudbg_capability capabilities[] = {
	{ .name = "wave-list", .supported = 1 },
	{ .name = "wave-kill", .reason_code = AMDGPUDBG_REASON_DRIVER,
	  .reason = "The driver does not support it." },
	{ .name = "reg-read", .supported = 1, .reason = "It takes longer on this GPU." },
};

#define NOW 20000000000ull	/* 20 s */

static const struct amdgpudbg_job jobs[] = {
	{ .ring = 9, .ring_name = "comp_1.0.1", .ring_type = 1, .me = 1, .queue = 1, .vmid = 1,
	  .pasid = MODEL_PASID, .pid = MODEL_PID, .job = 7, .job_context = 41,
	  .flags = AMDGPUDBG_JOB_OLDEST, .begin_time = NOW - 12345678901, .timeout_ms = 60000,
	  .left_ms = 47654, .num_ibs = 2 },
	{ .ring = 9, .ring_name = "comp_1.0.1", .ring_type = 1, .me = 1, .queue = 1, .vmid = 1,
	  .pasid = MODEL_PASID, .pid = MODEL_PID, .job = 8, .job_context = 41,
	  .begin_time = NOW - 345678901, .timeout_ms = 60000, .left_ms = 60000,
	  .first_ib = 2, .num_ibs = 1 },
};

static const struct amdgpudbg_ib ibs[] = {
	{ .va = 0x100001000, .dwords = 16 },
	{ .va = 0x100001100, .dwords = 17 },
	{ .va = 0x100001200, .dwords = 18 },
};

static int get_info(void *arg)
{
	struct amdgpudbg_info *info = arg;

	if (info->flags || info->size != sizeof(*info))
		return -EINVAL;
	*info = model.info;
	return 0;
}

static int get_capability(void *arg)
{
	struct amdgpudbg_capability *cap = arg;
	uint32_t id = cap->id;

	if (cap->flags || cap->size != sizeof(*cap) || id >= ARRAY_SIZE(capabilities))
		return -EINVAL;
	*cap = capabilities[id];
	cap->size = sizeof(*cap);
	cap->id = id;
	return 0;
}

/* The caller passes its own DRM file, which mock.c describes below /proc. */
static uint32_t pasid_of(int fd)
{
	char path[64], text[256] = "";
	const char *line;
	int info;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	info = open(path, O_RDONLY | O_CLOEXEC);
	if (info < 0)
		return 0;
	if (read(info, text, sizeof(text) - 1) < 0)
		text[0] = '\0';
	close(info);
	line = strstr(text, "pasid:");
	return line ? (uint32_t)strtoul(line + strlen("pasid:"), NULL, 10) : 0;
}

static int target_set(void *arg)
{
	struct amdgpudbg_target_set *set = arg;

	set->pasid = pasid_of(set->drm_fd);
	if (!set->pasid)
		return -ENOTTY;
	model.has_target = true;
	model.target_pasid = set->pasid;
	set->vmid_mask = model_scope();
	return 0;
}

uint32_t model_scope(void)
{
	if (!model.has_target)
		return 0xfffe;
	return model.target_pasid == MODEL_PASID ? 1 << MODEL_VMID : 0;
}

static int job_list(void *arg)
{
	struct amdgpudbg_job_list *list = arg;
	bool is_seen = model_scope() & 1 << MODEL_VMID && !model.has_no_jobs;
	uint32_t count = is_seen ? ARRAY_SIZE(jobs) : 0;
	uint32_t num_ibs = count ? ARRAY_SIZE(ibs) : 0;
	struct amdgpudbg_job *to = (void *)(uintptr_t)list->jobs;

	if (list->flags || list->size != sizeof(*list) || list->entry_size != sizeof(*to))
		return -EINVAL;
	for (uint32_t i = 0; i < count && i < list->capacity; i++) {
		to[i] = jobs[i];
		if (!i && model.timeouts_held)
			to[i].flags |= AMDGPUDBG_JOB_HELD;
	}
	for (uint32_t i = 0; i < num_ibs && i < list->ib_capacity; i++)
		((struct amdgpudbg_ib *)(uintptr_t)list->ibs)[i] = ibs[i];
	list->count = count;
	list->ib_count = num_ibs;
	list->time = NOW;
	return count > list->capacity || num_ibs > list->ib_capacity ? -EMSGSIZE : 0;
}

/* As the module: which events are reported in any case, and which only if they are enabled */
static bool is_enabled(const struct amdgpudbg_event *event, const struct amdgpudbg_event_enable *e)
{
	const uint64_t always = 1 << AMDGPUDBG_EVENT_LOST | 1 << AMDGPUDBG_EVENT_TARGET_GONE |
				1 << AMDGPUDBG_EVENT_GPU_GONE;

	if (!((e->mask | always) & 1ull << event->type))
		return false;
	return event->type != AMDGPUDBG_EVENT_WAVE || !e->cause_mask || !event->cause ||
	       e->cause_mask & event->cause;
}

/* Events happen when the session enables them for the first time. */
static int event_enable(void *arg)
{
	const struct amdgpudbg_event_enable *enable = arg;
	struct amdgpudbg_event sent[MODEL_EVENTS_MAX];
	size_t count = 0, later = 0;

	if (enable->flags || enable->size != sizeof(*enable))
		return -EINVAL;
	if (enable->mask & ~model.info.event_mask)
		return -EOPNOTSUPP;
	if (enable->cause_mask && !(enable->mask & 1 << AMDGPUDBG_EVENT_WAVE))
		return -EINVAL;
	for (size_t i = 0; enable->mask && i < model.num_events; i++) {
		if (is_enabled(&model.events[i], enable))
			sent[count++] = model.events[i];
		else
			model.events[later++] = model.events[i];
	}
	if (count)
		mock_send_events(sent, count * sizeof(sent[0]));
	if (enable->mask)
		model.num_events = later;
	if (model.events_end)
		mock_close_events(model.events_end);
	return 0;
}

static const struct {
	unsigned long request;
	const char *name;
	int (*call)(void *arg);
} calls[] = {
	{ AMDGPUDBG_IOC_GET_INFO, "GET_INFO", get_info },
	{ AMDGPUDBG_IOC_GET_CAPABILITY, "GET_CAPABILITY", get_capability },
	{ AMDGPUDBG_IOC_TARGET_SET, "TARGET_SET", target_set },
	{ AMDGPUDBG_IOC_JOB_LIST, "JOB_LIST", job_list },
	{ AMDGPUDBG_IOC_EVENT_ENABLE, "EVENT_ENABLE", event_enable },
	{ AMDGPUDBG_IOC_WAVE_LIST, "WAVE_LIST", model_wave_list },
	{ AMDGPUDBG_IOC_WAVE_SNAPSHOT, "WAVE_SNAPSHOT", model_wave_snapshot },
	{ AMDGPUDBG_IOC_WAVE_CONTROL, "WAVE_CONTROL", model_wave_control },
	{ AMDGPUDBG_IOC_WAVE_BATCH, "WAVE_BATCH", model_wave_batch },
	{ AMDGPUDBG_IOC_REG_ACCESS, "REG_ACCESS", model_reg_access },
	{ AMDGPUDBG_IOC_VM_ACCESS, "VM_ACCESS", model_vm_access },
	{ AMDGPUDBG_IOC_VM_LIST, "VM_LIST", model_vm_list },
	{ AMDGPUDBG_IOC_MEM_ALLOC, "MEM_ALLOC", model_mem_alloc },
	{ AMDGPUDBG_IOC_MEM_FREE, "MEM_FREE", model_mem_free },
	{ AMDGPUDBG_IOC_MEM_COPY, "MEM_COPY", model_mem_copy },
	{ AMDGPUDBG_IOC_TRAP_HANDLER, "TRAP_HANDLER", model_trap_handler },
	{ AMDGPUDBG_IOC_WATCH_SET, "WATCH_SET", model_watch_set },
	{ AMDGPUDBG_IOC_WATCH_CLEAR, "WATCH_CLEAR", model_watch_clear },
	{ AMDGPUDBG_IOC_LAUNCH_SET, "LAUNCH_SET", model_launch_set },
};

/* The state of the GPU that is not in use, and whether @model is that of the second one */
static struct model other;
static bool is_second;

static struct amdgpudbg_info second_info;

static const struct mock_node equal_nodes[] = {
	{ .name = "amdgpudbg0", .info = &model.info },
	{ .name = "amdgpudbg7", .info = &second_info },
};

/* Make @model the state of the GPU whose ioctl is being answered. */
static void use_current_gpu(void)
{
	struct model now;
	bool second = mock_current_node() == &equal_nodes[1];

	if (second == is_second)
		return;
	now = model;
	model = other;
	other = now;
	is_second = second;
}

static int kernel(unsigned long request, void *arg)
{
	use_current_gpu();
	if (model.fail_error && request == model.fail_request)
		return -model.fail_error;
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++)
		if (calls[i].request == request)
			return calls[i].call(arg);
	return -ENOSYS;
}

static int error_of(const char *name)
{
	for (int error = 1; error < 134; error++)
		if (strerrorname_np(error) && !strcmp(strerrorname_np(error), name))
			return error;
	return 0;
}

/* "opening the device node fails with EPERM" */
static bool given_no_node(const char *sentence)
{
	static struct mock_node node = { .name = "amdgpudbg0" };
	char name[32];
	int end = 0;

	if (sscanf(sentence, "opening the device node fails with %31s%n", name, &end) != 1 ||
	    sentence[end])
		return false;
	node.error = error_of(name);
	mock_set_nodes(&node, 1);
	return node.error;
}

/* "WAVE_LIST fails with EPERM" */
static bool given_failure(const char *sentence)
{
	char call[32], name[32];
	int end = 0;

	if (sscanf(sentence, "%31s fails with %31s%n", call, name, &end) != 2 || sentence[end])
		return false;
	model.fail_request = 0;
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++)
		if (!strcmp(calls[i].name, call))
			model.fail_request = calls[i].request;
	model.fail_error = error_of(name);
	return model.fail_request && model.fail_error;
}

#define EVENT(_type, ...) .event = { \
	.size = sizeof(struct amdgpudbg_event), .type = AMDGPUDBG_EVENT_##_type, ##__VA_ARGS__ \
}

/* Sentences about events; the sequence number and the time follow from their order. */
static const struct {
	const char *sentence;
	struct amdgpudbg_event event;
	int end;	/* errno of the read() after it, 0: there may be more events */
} happens[] = {
	{ "a wave stops at s_trap 3",
	  EVENT(WAVE, .at = { .wgp = 1, .wave = 2 }, .vmid = MODEL_VMID, .pasid = MODEL_PASID,
		.flags = AMDGPUDBG_EVENT_HAS_WAVE | AMDGPUDBG_EVENT_HAS_STATE, .data = 0x1a,
		.pc = 0x100001000, .cause = AMDGPUDBG_CAUSE_S_TRAP, .trap_id = 3) },
	{ "a wave divides by zero",
	  EVENT(WAVE, .at = { .wgp = 2 }, .vmid = MODEL_VMID, .pasid = MODEL_PASID,
		.flags = AMDGPUDBG_EVENT_HAS_WAVE | AMDGPUDBG_EVENT_HAS_STATE,
		.pc = 0x100002000, .cause = AMDGPUDBG_CAUSE_FLOAT_DIV0) },
	{ "a wave is trapped by the host",
	  EVENT(WAVE, .at = { .wgp = 3 }, .vmid = MODEL_VMID, .pasid = MODEL_PASID,
		.flags = AMDGPUDBG_EVENT_HAS_WAVE | AMDGPUDBG_EVENT_HAS_STATE,
		.pc = 0x100003000, .cause = AMDGPUDBG_CAUSE_HOST_TRAP, .trap_id = 7) },
	{ "a wave executes an illegal instruction",
	  EVENT(WAVE, .at = { .sa = 1, .wgp = 3, .simd = 1, .wave = 5 }, .vmid = MODEL_VMID,
		.pasid = MODEL_PASID, .flags = AMDGPUDBG_EVENT_HAS_WAVE |
		AMDGPUDBG_EVENT_HAS_STATE | AMDGPUDBG_EVENT_IS_PRIV, .data = 0x1a,
		.pc = 0x800000001004,
		.cause = AMDGPUDBG_CAUSE_MEM_VIOL | AMDGPUDBG_CAUSE_ILLEGAL_INST) },
	{ "se0.sa0.wgp3.simd1.wave5 hits watch 0",
	  EVENT(WAVE, .at = { .wgp = 3, .simd = 1, .wave = 5 }, .vmid = MODEL_VMID,
		.pasid = MODEL_PASID,
		.flags = AMDGPUDBG_EVENT_HAS_WAVE | AMDGPUDBG_EVENT_HAS_STATE,
		.pc = 0xffff800000001004, .cause = AMDGPUDBG_CAUSE_WATCH, .watch_mask = 1) },
	{ "a wave of VMID 5 sends an interrupt",
	  EVENT(WAVE, .vmid = 5, .pasid = MODEL_PASID + 1, .flags = AMDGPUDBG_EVENT_HAS_WAVE) },
	{ "7 events are lost", EVENT(LOST, .data = 7) },
	{ "a write causes a page fault",
	  EVENT(VM_FAULT, .vmid = MODEL_VMID, .pasid = MODEL_PASID, .address = 0x140200000,
		.access = AMDGPUDBG_FAULT_WRITE, .client = 8, .count = 3) },
	{ "an unknown access causes a page fault",
	  EVENT(VM_FAULT, .vmid = 5, .pasid = MODEL_PASID + 1, .address = 0xffff800000001000,
		.client = AMDGPUDBG_FAULT_CLIENT_UNKNOWN, .count = 1) },
	{ "the memory map changes", EVENT(VM_CHANGED, .generation = 4294967297) },
	{ "a job begins",
	  EVENT(JOB_BEGIN, .flags = AMDGPUDBG_EVENT_HAS_JOB, .vmid = MODEL_VMID,
		.pasid = MODEL_PASID, .job = 77, .job_context = 130, .ring = 3, .ring_type = 1,
		.ring_name = "comp_1.0.1") },
	{ "a job ends with error 125",
	  EVENT(JOB_END, .flags = AMDGPUDBG_EVENT_HAS_JOB | AMDGPUDBG_EVENT_IS_ERROR,
		.vmid = MODEL_VMID, .pasid = MODEL_PASID, .data = 125, .job = 77,
		.job_context = 130, .ring = 3, .ring_type = 1,
		.ring_name = "0123456789abcdef") },
	{ "the process exits", EVENT(TARGET_GONE), .end = ENOTCONN },
	{ "the GPU is removed", EVENT(GPU_GONE), .end = ENODEV },
	{ "the GPU is reset", EVENT(GPU_RESET, .data = 3) },
	{ "the halt time is used up", EVENT(HALT_EXPIRED) },
	{ "the process releases its VMID",
	  EVENT(HANDLER_LOST, .vmid = MODEL_VMID,
		.data = AMDGPUDBG_HANDLER_LOST_VMID_RELEASED) },
	{ "the process has to share its VMID",
	  EVENT(HANDLER_LOST, .vmid = MODEL_VMID, .data = AMDGPUDBG_HANDLER_LOST_VMID_SHARED) },
	{ "the driver replaces the trap handler",
	  EVENT(HANDLER_LOST, .vmid = MODEL_VMID, .data = AMDGPUDBG_HANDLER_LOST_REWRITTEN) },
	{ "the trap handler is lost for an unknown reason",
	  EVENT(HANDLER_LOST, .vmid = MODEL_VMID, .data = 99) },
	{ "the system is suspended", EVENT(SLEEP) },
};

static bool given_event(const char *sentence)
{
	struct amdgpudbg_event *event = &model.events[model.num_events];

	for (size_t i = 0; i < ARRAY_SIZE(happens); i++) {
		if (strcmp(happens[i].sentence, sentence))
			continue;
		if (model.num_events == MODEL_EVENTS_MAX || model.events_end)
			return false;
		*event = happens[i].event;
		event->seq = ++model.num_events;
		event->time = 12000345678 + 100000000 * (event->seq - 1);
		model.events_end = happens[i].end;
		return true;
	}
	return false;
}

static void not_loaded(void)
{
	mock_set_nodes(NULL, 0);
}

static void no_node(void)
{
	mock_set_nodes(NULL, 0);
	mock_set_module();
}

static void no_gpu(void)
{
	no_node();
	mock_set_no_gpu();
}

static void not_supported(void)
{
	no_gpu();
	mock_set_gpu("0000:04:00.0", "0x163f", "", "Not bound.");
	mock_set_gpu("0000:0b:00.0", "0x73df", "", "No BTF.");
}

static const struct mock_node two_nodes[] = {
	{ .name = "amdgpudbg0" }, { .name = "amdgpudbg7", .error = EACCES },
};

/* libdrm's table of names, and the revisions by which it tells GPUs apart */
static void set_products(void)
{
	mock_proc_file("usr/share/libdrm/amdgpu.ids",
		       "1.0.0\n163F,\tAE,\tAMD Custom GPU 0405\n73BF,\tC1,\tAMD Radeon RX 6800 XT\n");
	mock_proc_file("sys/bus/pci/devices/0000:04:00.0/revision", "0xae\n");
	mock_proc_file("sys/bus/pci/devices/0000:0b:00.0/revision", "0xc1\n");
}

/*
 * The second one has one wave, of process 4714 "render"; process 4713 "both" uses both GPUs, and
 * has no wave.
 */
static void two_gpus(void)
{
	struct model first = model;

	model_set_waves(mock_waves, 1);
	model.has_no_jobs = true;
	model.info.pci_bus = 0x0b;
	model.info.device_id = 0x73bf;
	model.info.render_minor = 129;
	model.info.gc_version = ADBG_GC_VERSION(10, 3, 0);
	second_info = model.info;
	other = model;
	model = first;
	mock_set_nodes(equal_nodes, 2);
	set_products();
	mock_proc_file("4713/comm", "both\n");
	mock_proc_file("4713/fdinfo/5", CLIENT("32780", "60"));
	mock_proc_file("4713/fdinfo/6", CLIENT_OF("0000:0b:00.0", "32781", "61"));
	mock_proc_file("4714/comm", "render\n");
	mock_proc_file("4714/fdinfo/4", CLIENT_OF("0000:0b:00.0", "32769", "70"));
}

static void one_product(void)
{
	set_products();
}

static void one_of_two(void)
{
	mock_set_nodes(two_nodes, 2);
}

static void as_user(void)
{
	mock_proc_owner(1000);
}

static void owned_by_1001(void)
{
	mock_proc_owner(1001);
	mock_set_getfd_error(EPERM);
}

static void waves_ended(void)
{
	model.num_waves = 0;
}

static void held_timeouts(void)
{
	model.timeouts_held = true;
}

static void control_name(void)
{
	/* An escape sequence, CSI, and a letter that is not ASCII */
	mock_proc_file("4711/comm", "\033[2Jx\233m\302\233m\303\251\n");
}

static void line_feed_in_name(void)
{
	mock_proc_file("4711/comm", "sha\nder\n");
}

static void hit_1_and_3(void)
{
	model.waves[2].wave.HW(TRAPSTS) = 5 << 12;
}

/* Registers of the third wave */
static void set_wave(uint32_t flags, uint32_t status, uint32_t trapsts)
{
	struct amdgpudbg_wave *wave = &model.waves[2].wave;

	wave->flags |= flags;
	wave->HW(STATUS) = status;
	wave->HW(TRAPSTS) = trapsts;
}

/* It is at 0x100001008. TTMP0 and TTMP1 have the address of a trap, and its number. */
static void set_trap(uint32_t status, uint32_t ttmp0, uint32_t ttmp1)
{
	set_wave(AMDGPUDBG_WAVE_HALTED, status, 0);
	model_set_pc(&model.waves[2].wave, 0x100001008);
	model.waves[2].wave.ttmp[0] = ttmp0;
	model.waves[2].wave.ttmp[1] = ttmp1;
}

static void wave_illegal(void)
{
	set_wave(AMDGPUDBG_WAVE_HALTED, 0x812000, 0x800);
}

static void wave_violation(void)
{
	set_wave(AMDGPUDBG_WAVE_PRIV, 0x10020, 0x101);
}

static void wave_at_barrier(void)
{
	set_wave(0, 0x11000, 0);
}

static void wave_halted(void)
{
	set_wave(AMDGPUDBG_WAVE_HALTED, 0x12000, 0);
}

static void wave_at_trap(void)
{
	set_trap(0x12040, 0x1004, 0x00030001);
}

static void wave_behind_trap(void)
{
	set_trap(0x12040, 0x2000, 0x00030001);
}

static void wave_without_handler(void)
{
	set_trap(0x12000, 0x1004, 0x00030001);
}

static void wave_trapped_by_host(void)
{
	set_trap(0x12040, 0x1008, 0x01020001);
}

static void halted(void)
{
	model.waves[1].wave.flags &= ~AMDGPUDBG_WAVE_PRIV;
	model.waves[1].wave.HW(STATUS) = 0x12040;
}

static void busy_wave(void)
{
	for (size_t i = 0; i < model.num_waves; i++)
		model.waves[i].wave.flags |= AMDGPUDBG_WAVE_HALTED | AMDGPUDBG_WAVE_OWNED_BY_OTHER;
	mock_busy = (struct amdgpudbg_busy){ .cause = AMDGPUDBG_BUSY_WAVE, .pid = 4712 };
}

static void busy_expired(void)
{
	model.control_busy = true;
	mock_busy = (struct amdgpudbg_busy){
		.cause = AMDGPUDBG_BUSY_HALT_EXPIRED, .wait_ms = 4200,
	};
}

static void busy_reset(void)
{
	model.control_busy = true;
	mock_busy = (struct amdgpudbg_busy){ .cause = AMDGPUDBG_BUSY_RESET };
}

static void busy_jobs(void)
{
	model.vmid_busy = true;
	mock_busy = (struct amdgpudbg_busy){
		.cause = AMDGPUDBG_BUSY_VMID_JOBS, .vmid = 4, .pasid = 99,
		.by = AMDGPUDBG_BUSY_BY_PROCESS,
	};
}

static void busy_jobs_4711(void)
{
	busy_jobs();
	mock_busy.pasid = MODEL_PASID;
}

static void busy_watch(void)
{
	model.vmid_busy = true;
	mock_busy = (struct amdgpudbg_busy){ .cause = AMDGPUDBG_BUSY_WATCH, .pid = MODEL_PID };
}

static void written_in_part(void)
{
	model.num_written = 2;
}

static void busy_handler(void)
{
	model.vmid_busy = true;
	mock_busy = (struct amdgpudbg_busy){ .cause = AMDGPUDBG_BUSY_TRAP_HANDLER };
}

static void busy_watches(void)
{
	model.watches = (1 << MODEL_NUM_WATCH) - 1;
}

/* SQ_WAVE_STATUS: VALID and IN_TG; IN_BARRIER, HALT, TRAP_EN; SQ_WAVE_HW_ID2.WG_ID */
#define MEMBER		0x00010800
#define WAITS		(MEMBER | 0x00001000)
#define HALT		0x00002000
#define TRAP_EN		0x00000040
#define WG(n)		((n) << 16)

#define WAVE(the_wgp, the_wave, the_flags, the_status, the_id, ...) { \
	.at = { .wgp = (the_wgp), .simd = 1, .wave = (the_wave) }, \
	.flags = (the_flags) | AMDGPUDBG_WAVE_PASID, .vmid = MODEL_VMID, .pasid = MODEL_PASID, \
	.hw_mask = MOCK_HW_MASK, .pc = 0x100001000 + 4 * (the_wave), \
	.HW(STATUS) = (the_status), .HW(HW_ID2) = (the_id), ##__VA_ARGS__ \
}

/* Five waves of work-group 2 are missing, each for another reason. */
static void hang_at_barrier(void)
{
	static const struct amdgpudbg_wave waves[] = {
		WAVE(3, 0, 0, MEMBER, WG(2)),
		WAVE(3, 1, 0, WAITS, WG(2)),
		WAVE(3, 2, AMDGPUDBG_WAVE_HALTED, MEMBER | HALT, WG(2)),
		/* As s_trap 3 leaves it: TTMP0 and TTMP1 are its address, and the number */
		WAVE(3, 3, AMDGPUDBG_WAVE_HALTED, MEMBER | HALT | TRAP_EN, WG(2),
		     .ttmp = { 0x00001008, 0x00030001 }),
		WAVE(3, 4, AMDGPUDBG_WAVE_PRIV, MEMBER | TRAP_EN, WG(2)),
		WAVE(3, 5, AMDGPUDBG_WAVE_HALTED | AMDGPUDBG_WAVE_PRIV, MEMBER | HALT | TRAP_EN,
		     WG(2)),
		WAVE(3, 6, AMDGPUDBG_WAVE_HALTED, WAITS | HALT, WG(2)),
		/* A work-group of which all waves wait, and one of which none does */
		WAVE(3, 7, 0, WAITS, 0),
		WAVE(3, 8, 0, WAITS, 0),
		WAVE(3, 9, 0, MEMBER, WG(1)),
	};

	model_set_waves(waves, ARRAY_SIZE(waves));
}

/*
 * The first two waves are of one work-group. The others differ from it in HW_ID2.WG_ID,
 * QUEUE_ID, PIPE_ID, ME_ID and VM_ID, and in the WGP. STATE_ID is no part of it. One is alone in
 * its group (no IN_TG), and of one nothing is known.
 */
static void similar_groups(void)
{
	static const struct amdgpudbg_wave waves[] = {
		WAVE(0, 0, 0, WAITS, 0),
		WAVE(0, 1, 0, MEMBER, 2 << 12),
		WAVE(0, 2, 0, WAITS, WG(1)),
		WAVE(0, 3, 0, WAITS, 1),
		WAVE(0, 4, 0, WAITS, 1 << 4),
		WAVE(0, 5, 0, WAITS, 1 << 8),
		WAVE(0, 6, 0, WAITS, 1 << 24),
		WAVE(1, 0, 0, WAITS, 0),
		WAVE(0, 7, 0, MEMBER & ~0x800, 0),
		WAVE(0, 8, 0, WAITS, 0),
	};

	model_set_waves(waves, ARRAY_SIZE(waves));
	for (size_t i = 0; i < ARRAY_SIZE(waves); i++)
		model.waves[i].wave.HW(HW_ID2) = waves[i].HW(HW_ID2);
	model.waves[9].wave.hw_mask = 0;
}

/* Two waves of the kernel in the model's memory */
static void two_waves_at_code(void)
{
	static const struct amdgpudbg_wave waves[] = {
		WAVE(3, 0, AMDGPUDBG_WAVE_HALTED, MEMBER | HALT, 0, .exec = 0xffffffff),
		WAVE(3, 1, AMDGPUDBG_WAVE_HALTED, MEMBER | HALT, 0, .exec = 0xf),
	};

	model_write_code();
	model_set_waves(waves, ARRAY_SIZE(waves));
	for (size_t i = 0; i < ARRAY_SIZE(waves); i++)
		model_set_pc(&model.waves[i].wave, 0x600000001000);
}

/* The third wave */
static void stuck(void)
{
	model.stuck = &model.waves[2].wave;
}

static void ends_at_second_step(void)
{
	model.ends_at_step = 2;
}

static void terminal_changes(void)
{
	model.columns = 60;
}

static void writes_remap(void)
{
	model.is_remapped = true;
}

static void slow_memory(void)
{
	model.is_slow = true;
}

static void two_watches(void)
{
	model.watches = 3;
}

static void three_watches(void)
{
	model.watches = 7;
}

static const struct {
	const char *sentence;
	void (*set)(void);
} states[] = {
	{ "the module is not loaded", not_loaded },
	{ "there is no device node", no_node },
	{ "there is no AMD GPU", no_gpu },
	{ "no GPU can be debugged", not_supported },
	{ "there are two GPUs", two_gpus },
	{ "libdrm has the name of the GPU", one_product },
	{ "one of two GPUs cannot be opened", one_of_two },
	{ "the caller is not root", as_user },
	{ "the processes are those of another user", owned_by_1001 },
	{ "no wave is live", waves_ended },
	{ "the name of process 4711 has control characters", control_name },
	{ "the name of process 4711 has a line feed", line_feed_in_name },
	{ "a work-group hangs at a barrier", hang_at_barrier },
	{ "waves of similar work-groups wait at a barrier", similar_groups },
	{ "0x600000001000 has the code of a kernel", model_write_code },
	{ "two waves are halted at 0x600000001000, the begin of a kernel", two_waves_at_code },
	{ "memory that is written was mapped anew", writes_remap },
	{ "reading memory takes a millisecond", slow_memory },
	{ "the timeouts of jobs are held", held_timeouts },
	{ "se0.sa0.wgp3.simd1.wave5 is halted", halted },
	{ "se0.sa1.wgp3.simd0.wave2 is at a barrier", wave_at_barrier },
	{ "se0.sa1.wgp3.simd0.wave2 has executed an illegal instruction", wave_illegal },
	{ "se0.sa1.wgp3.simd0.wave2 has accessed invalid memory in its trap handler",
	  wave_violation },
	{ "se0.sa1.wgp3.simd0.wave2 is halted by a session", wave_halted },
	{ "se0.sa1.wgp3.simd0.wave2 is halted at s_trap 3", wave_at_trap },
	{ "se0.sa1.wgp3.simd0.wave2 is halted behind s_trap 3", wave_behind_trap },
	{ "se0.sa1.wgp3.simd0.wave2 is halted without a trap handler", wave_without_handler },
	{ "se0.sa1.wgp3.simd0.wave2 is halted after trap 2 by the host", wave_trapped_by_host },
	{ "se0.sa1.wgp3.simd0.wave2 has hit watches 1 and 3", hit_1_and_3 },
	{ "process 4712 has halted all waves in another session", busy_wave },
	{ "the users' halt time is used up", busy_expired },
	{ "the GPU is being reset", busy_reset },
	{ "jobs of another process are in the reserved VMID", busy_jobs },
	{ "jobs of process 4711 are in the reserved VMID", busy_jobs_4711 },
	{ "process 4711 has the watches in another session", busy_watch },
	{ "the third register does not keep its value", written_in_part },
	{ "another session has set a trap handler", busy_handler },
	{ "se0.sa1.wgp3.simd0.wave2 does not halt or resume in time", stuck },
	{ "se0.sa0.wgp3.simd1.wave5 ends at its second step", ends_at_second_step },
	{ "the terminal gets 60 columns while waves are listed", terminal_changes },
	{ "watches 0 and 1 are in use", two_watches },
	{ "watches 0 to 2 are in use", three_watches },
	{ "all watches are in use", busy_watches },
};

bool model_given(const char *sentence)
{
	for (size_t i = 0; i < ARRAY_SIZE(states); i++) {
		if (strcmp(states[i].sentence, sentence))
			continue;
		states[i].set();
		return true;
	}
	return given_event(sentence) || given_no_node(sentence) || given_failure(sentence);
}

void model_begin(void)
{
	mock_reset();
	memset(&model, 0, sizeof(model));
	is_second = false;
	model.info = mock_info;
	model.info.event_mask = 0x1ffe;
	model_begin_waves();
	model_begin_memory();
	mock_set_nodes(&mock_node, 1);
	mock_set_kernel(kernel);
	mock_proc_file("4711/comm", "shader\n");
	mock_proc_file("4711/status", "Uid:\t1001\t1001\t1001\t1001\n");
	mock_proc_file("4711/fdinfo/9", CLIENT("32769", "41"));
	mock_proc_file("4712/comm", "game\n");
	mock_proc_file("4712/fdinfo/7", CLIENT("32774", "50"));
	mock_proc_file("4712/fdinfo/8", CLIENT("32775", "51"));
	mock_proc_file("12/fdinfo/0", "pos:\t0\n");
}
