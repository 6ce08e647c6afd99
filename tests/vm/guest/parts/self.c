// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A GPU program that is its own debugger: see self.h.
 */
#include "self.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "port.h"
#include "trap_abi.h"
#include "until.h"

#define CODE_OBJECT "/usr/share/amdgpudbg/touch.co"
#define NODE "/dev/amdgpudbg0"
#define HALT_SECONDS "/sys/module/amdgpudbg/parameters/halt_seconds"
#define DEADLINE_S 60

static const uint32_t stop_code[] = {
#include "gfx10_3_stop.inc"
};

/* Words of ctl, see touch.cl */
enum { CTL_END, CTL_DONE, CTL_WORD = 4 };

static volatile uint32_t *ctl_of(struct self *s)
{
	return prog_ctl(&s->prog);
}

int self_open(struct self *s)
{
	int ret;

	memset(s, 0, sizeof(*s));
	/* Two words an item: twice what is needed, so that it can be aligned. */
	ret = prog_open(&s->prog, NULL, CODE_OBJECT, SELF_BYTES / 4, 0);
	s->prog.items = SELF_LANES;
	s->data = (s->prog.buf[PROG_IN].va + SELF_BYTES - 1) &
		  ~(uint64_t)(SELF_BYTES - 1);
	return ret;
}

void self_close(struct self *s)
{
	prog_close(&s->prog);
}

void self_write(struct self *s, uint32_t value)
{
	struct gpu_buffer *in = &s->prog.buf[PROG_IN];

	*(volatile uint32_t *)((char *)in->cpu + (s->data - in->va)) = value;
}

int self_start(struct self *s, const char *kernel, uint32_t offset)
{
	volatile uint32_t *ctl = ctl_of(s);
	struct codeobj_kernel ck;
	int ret = codeobj_find(&s->prog.co, kernel, &ck);

	if (ret)
		return ret;
	s->entry = s->prog.buf[PROG_CODE].va + ck.entry;
	ctl[CTL_END] = 0;
	ctl[CTL_DONE] = 0;
	ctl[CTL_WORD] = (s->data - s->prog.buf[PROG_IN].va + offset) / 4;
	return prog_submit(&s->prog, kernel, &s->job);
}

uint32_t self_done(struct self *s)
{
	return ctl_of(s)[CTL_DONE];
}

int self_wait_done(struct self *s)
{
	return prog_wait(&s->prog, CTL_DONE, SELF_LANES);
}

int self_finish(struct self *s)
{
	int ret;

	ctl_of(s)[CTL_END] = 1;
	ret = gpu_wait(&s->prog.gpu, &s->job, deadline_ns(DEADLINE_S) - now_ns());
	if (!ret)
		gpu_job_free(&s->prog.gpu, &s->job);
	return ret;
}

int self_call(int session, unsigned long nr, void *arg)
{
	return ioctl(session, nr, arg) ? -errno : 0;
}

int self_session(const struct self *s, bool target)
{
	struct amdgpudbg_target_set set = {
		.size = sizeof(set), .pidfd = -1,
	};
	int fd = open(NODE, O_RDWR | O_CLOEXEC), ret;

	if (fd < 0)
		return -errno;
	if (!target)
		return fd;
	set.drm_fd = s->prog.gpu.fd;
	ret = self_call(fd, AMDGPUDBG_IOC_TARGET_SET, &set);
	if (!ret)
		return fd;
	close(fd);
	return ret;
}

int self_list(int session, struct amdgpudbg_wave waves[SELF_WAVES])
{
	struct amdgpudbg_wave_list list = {
		.size = sizeof(list),
		.entry_size = sizeof(waves[0]),
		.capacity = SELF_WAVES,
		.waves = (uintptr_t)waves,
	};
	int ret = self_call(session, AMDGPUDBG_IOC_WAVE_LIST, &list);

	return ret ? ret : (int)list.count;
}

int self_resume(int session, uint32_t vmid)
{
	struct amdgpudbg_wave_control wc = {
		.size = sizeof(wc),
		.op = AMDGPUDBG_WAVEOP_RESUME,
		.mode = AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS,
		.vmid = vmid,
	};

	return self_call(session, AMDGPUDBG_IOC_WAVE_CONTROL, &wc);
}

/* A buffer in the target that begins with @data. */
static int put(int session, uint32_t flags, const void *data, size_t size,
	       uint64_t bytes, struct amdgpudbg_mem_alloc *buffer)
{
	struct amdgpudbg_mem_copy copy = {
		.size = sizeof(copy),
		.flags = AMDGPUDBG_MEM_COPY_WRITE,
		.bytes = size,
		.data = (uintptr_t)data,
	};
	int64_t deadline = deadline_ns(DEADLINE_S);
	int ret;

	/* A busy GPU can be slower with page tables than a call waits. */
	do {
		*buffer = (struct amdgpudbg_mem_alloc){
			.size = sizeof(*buffer), .flags = flags, .bytes = bytes,
		};
		ret = self_call(session, AMDGPUDBG_IOC_MEM_ALLOC, buffer);
	} while (ret == -ETIMEDOUT && now_ns() < deadline);
	copy.id = buffer->id;
	return ret ? ret : self_call(session, AMDGPUDBG_IOC_MEM_COPY, &copy);
}

int self_handler(int session)
{
	/* No mailboxes: the waves themselves tell enough. */
	static const uint32_t header[] = { TRAP_ABI_VERSION, 0 };
	struct amdgpudbg_trap_handler handler = { .size = sizeof(handler) };
	struct amdgpudbg_mem_alloc code, tma;
	int64_t deadline = deadline_ns(DEADLINE_S);
	int ret;

	ret = put(session, AMDGPUDBG_MEM_ALLOC_EXEC, stop_code,
		  sizeof(stop_code), sizeof(stop_code), &code);
	if (!ret)
		ret = put(session, AMDGPUDBG_MEM_ALLOC_UNCACHED, header,
			  sizeof(header), TRAP_HDR_SIZE, &tma);
	if (ret)
		return ret;
	handler.tba = code.va;
	handler.tba_size = code.bytes;
	handler.tma = tma.va;
	handler.tma_size = tma.bytes;
	do {
		ret = self_call(session, AMDGPUDBG_IOC_TRAP_HANDLER, &handler);
	} while (ret == -ETIMEDOUT && now_ns() < deadline);
	return ret;
}

static bool all_halted(const struct amdgpudbg_wave waves[SELF_WAVES])
{
	int i;

	for (i = 0; i < SELF_WAVES; i++)
		if (!(waves[i].flags & AMDGPUDBG_WAVE_HALTED))
			return false;
	return true;
}

int self_wait_halted(int session, struct amdgpudbg_wave waves[SELF_WAVES])
{
	int64_t deadline = deadline_ns(DEADLINE_S);
	int ret;

	do {
		ret = self_wait_waves(session, waves, SELF_WAVES);
		if (ret)
			return ret;
		/* STATUS is read last: what is older may be of a moment before. */
		if (all_halted(waves))
			return self_wait_waves(session, waves, SELF_WAVES);
		sched_yield();
	} while (now_ns() <= deadline);
	return -ETIME;
}

int self_wait_waves(int session, struct amdgpudbg_wave waves[SELF_WAVES],
		    int count)
{
	int64_t deadline = deadline_ns(DEADLINE_S);
	int ret;

	while ((ret = self_list(session, waves)) != count) {
		if (ret < 0)
			return ret;
		if (now_ns() > deadline)
			return -ETIME;
		sched_yield();
	}
	return 0;
}

int write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -errno;
	n = write(fd, text, strlen(text));
	close(fd);
	return n < 0 ? -errno : 0;
}

void self_set_limit(unsigned int seconds)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", seconds);
	if (write_file(HALT_SECONDS, text))
		abort();
}

static unsigned int get_limit(void)
{
	FILE *file = fopen(HALT_SECONDS, "re");
	unsigned int limit;

	if (!file || fscanf(file, "%u", &limit) != 1)
		abort();
	fclose(file);
	return limit;
}

unsigned int self_limit_users(unsigned int seconds)
{
	struct amdgpudbg_info info = { .size = sizeof(info) };
	unsigned int limit = get_limit(), used;
	int fd = open(NODE, O_RDWR | O_CLOEXEC);

	if (fd < 0 || self_call(fd, AMDGPUDBG_IOC_GET_INFO, &info))
		abort();
	close(fd);
	/* Rounded up: no less than @seconds are left. */
	used = info.halt_left_ms == UINT32_MAX ? 0 :
						 limit - info.halt_left_ms / 1000;
	self_set_limit(used + seconds);
	return limit;
}

static int ask(const char *questions, char *answers, size_t size)
{
	int fd = open(VGPU_PORT, O_RDWR | O_CLOEXEC), ret;

	if (fd < 0)
		return -errno;
	ret = port_ask(fd, questions, answers, size);
	close(fd);
	return ret;
}

int vgpu_ask(const char *question, char *answer, size_t size)
{
	char line[512];

	if (snprintf(line, sizeof(line), "%s\n", question) >=
	    (int)sizeof(line))
		return -EMSGSIZE;
	return ask(line, answer, size);
}

void vgpu_regs(const struct vgpu_reg_at *regs, unsigned int num,
	       uint32_t *values)
{
	static const char key[] = "\"value\":\"";
	char question[128], *questions, *answer, *value;
	const size_t size = num * 512 + 1;

	questions = calloc(num, sizeof(question));
	answer = malloc(size);
	if (!questions || !answer)
		abort();
	for (unsigned int i = 0; i < num; i++) {
		snprintf(question, sizeof(question),
			 "{\"cmd\":\"reg\",\"name\":\"%s\",\"vmid\":%u}\n",
			 regs[i].name, regs[i].vmid);
		strcat(questions, question);
	}
	if (ask(questions, answer, size))
		abort();
	value = answer;
	for (unsigned int i = 0; i < num; i++) {
		value = strstr(value, key);
		if (!value)
			abort();
		value += strlen(key);
		values[i] = strtoul(value, NULL, 0);
	}
	free(answer);
	free(questions);
}

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

void vgpu_name_regs(struct vgpu_reg_at regs[VGPU_NUM_REGS])
{
	static const char *const plain[] = {
		"GRBM_GFX_INDEX", "GRBM_GFX_CNTL",
		"SPI_GDBG_WAVE_CNTL", "SPI_GDBG_WAVE_CNTL2", "SPI_GDBG_TRAP_CONFIG",
		"SPI_GDBG_TRAP_MASK",
#define WATCH(i) \
		"TCP_WATCH" #i "_ADDR_H", "TCP_WATCH" #i "_ADDR_L", \
		"TCP_WATCH" #i "_CNTL", "SQ_WATCH" #i "_ADDR_H", \
		"SQ_WATCH" #i "_ADDR_L", "SQ_WATCH" #i "_CNTL"
		WATCH(0), WATCH(1), WATCH(2), WATCH(3),
#undef WATCH
	};
	static const char *const of_vmid[] = {
		"SQ_SHADER_TBA_LO", "SQ_SHADER_TBA_HI", "SQ_SHADER_TMA_LO",
		"SQ_SHADER_TMA_HI",
	};
	const unsigned int num_vmids = (VGPU_NUM_REGS - COUNT(plain)) / COUNT(of_vmid);

	for (size_t i = 0; i < COUNT(plain); i++)
		*regs++ = (struct vgpu_reg_at){ plain[i], 0 };
	for (unsigned int vmid = 0; vmid < num_vmids; vmid++) {
		for (size_t i = 0; i < COUNT(of_vmid); i++)
			*regs++ = (struct vgpu_reg_at){ of_vmid[i], vmid };
	}
}

uint32_t vgpu_reg(const char *name)
{
	const struct vgpu_reg_at reg = { .name = name };
	uint32_t value;

	vgpu_regs(&reg, 1, &value);
	return value;
}

void vgpu_fault(const char *name, unsigned int count)
{
	char question[128], answer[256];

	snprintf(question, sizeof(question),
		 "{\"cmd\":\"fault\",\"name\":\"%s\",\"count\":%u}", name,
		 count);
	if (vgpu_ask(question, answer, sizeof(answer)))
		abort();
}
