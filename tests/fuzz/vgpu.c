// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The client of vgpu's control socket, which the guest sees as a virtio port:
 * one JSON object a line, of which only single members are wanted here.
 */
#include "vgpu.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PORT "/dev/virtio-ports/org.amdgpudbg.vgpu"
#define DEADLINE_S 60

static int port = -1;
static char answer[1 << 18];

int vgpu_open(void)
{
	port = open(PORT, O_RDWR | O_CLOEXEC);
	return port < 0 ? -errno : 0;
}

static int64_t now_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec;
}

static int read_answer(void)
{
	struct pollfd pfd = { .fd = port, .events = POLLIN };
	int64_t deadline = now_s() + DEADLINE_S;
	size_t len = 0;
	ssize_t n;

	while (len < sizeof(answer) - 1 && now_s() < deadline) {
		/* A port whose other end is not there at this moment has ended. */
		poll(&pfd, 1, 100);
		n = read(port, answer + len, sizeof(answer) - 1 - len);
		if (n < 0 && errno != EINTR)
			return -errno;
		if (n <= 0)
			continue;
		len += n;
		if (answer[len - 1] == '\n') {
			answer[len] = 0;
			return strstr(answer, "\"ok\":true") ||
			       strstr(answer, "\"ok\": true") ? 0 : -EPROTO;
		}
	}
	return -ETIME;
}

static int ask(const char *line)
{
	size_t len = strlen(line);

	if (write(port, line, len) != (ssize_t)len)
		return -EIO;
	return read_answer();
}

/* The text after "KEY": in an object. */
static const char *member(const char *object, const char *key)
{
	char quoted[40];
	const char *at;

	snprintf(quoted, sizeof(quoted), "\"%s\":", key);
	at = object ? strstr(object, quoted) : NULL;
	if (!at)
		return NULL;
	at += strlen(quoted);
	return at + strspn(at, " \"");
}

int vgpu_waves(uint32_t vmid, unsigned int *num, unsigned int *halted)
{
	const char *wave;
	int ret = ask("{\"cmd\":\"waves\"}\n");

	*num = 0;
	*halted = 0;
	wave = ret ? NULL : member(answer, "vmid");
	for (; wave; wave = member(wave, "vmid")) {
		const char *state = member(wave, "halted");

		if (vmid && strtoul(wave, NULL, 0) != vmid)
			continue;
		++*num;
		if (state && !strncmp(state, "true", 4))
			++*halted;
	}
	return ret;
}

static const char *const banked[] = {
	"SQ_SHADER_TBA_LO", "SQ_SHADER_TBA_HI",
	"SQ_SHADER_TMA_LO", "SQ_SHADER_TMA_HI",
};

static const char *const plain[] = {
	"SPI_GDBG_WAVE_CNTL", "SPI_GDBG_TRAP_CONFIG", "SPI_GDBG_TRAP_MASK",
	"SPI_GDBG_WAVE_CNTL2", "SPI_GDBG_WAVE_CNTL3", "SPI_GDBG_TRAP_DATA0",
	"SPI_GDBG_TRAP_DATA1", "GRBM_GFX_INDEX", "GRBM_GFX_CNTL",
};

static const char *const watches[] = {
	"TCP_WATCH%u_ADDR_H", "TCP_WATCH%u_ADDR_L", "TCP_WATCH%u_CNTL",
	"SQ_WATCH%u_ADDR_H", "SQ_WATCH%u_ADDR_L", "SQ_WATCH%u_CNTL",
};

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))
#define NUM_VMID 16
#define NUM_WATCHES 4
#define NUM_BANKED (COUNT_OF(banked) * NUM_VMID)
#define NUM_PLAIN COUNT_OF(plain)
#define NUM_REGS (NUM_BANKED + NUM_PLAIN + COUNT_OF(watches) * NUM_WATCHES)

_Static_assert(NUM_REGS <= VGPU_MAX_REGS, "VGPU_MAX_REGS is too small");

/* The name of register @i of the snapshot; @vmid: -1 if it has no banks. */
static void name_reg(unsigned int i, char *name, size_t size, int *vmid)
{
	*vmid = -1;
	if (i < NUM_BANKED) {
		*vmid = i / COUNT_OF(banked);
		snprintf(name, size, "%s", banked[i % COUNT_OF(banked)]);
	} else if (i < NUM_BANKED + NUM_PLAIN) {
		snprintf(name, size, "%s", plain[i - NUM_BANKED]);
	} else {
		i -= NUM_BANKED + NUM_PLAIN;
		snprintf(name, size, watches[i % COUNT_OF(watches)],
			 i / (unsigned int)COUNT_OF(watches));
	}
}

int vgpu_read_regs(struct vgpu_regs *regs)
{
	char name[32], line[128], bank[24];
	const char *value;
	unsigned int i;
	int vmid, ret;

	for (i = 0; i < NUM_REGS; i++) {
		name_reg(i, name, sizeof(name), &vmid);
		bank[0] = 0;
		if (vmid >= 0)
			snprintf(bank, sizeof(bank), ",\"vmid\":%d", vmid);
		snprintf(line, sizeof(line),
			 "{\"cmd\":\"reg\",\"name\":\"%s\"%s}\n", name, bank);
		ret = ask(line);
		if (ret)
			return ret;
		value = member(answer, "value");
		if (!value)
			return -EPROTO;
		regs->value[i] = strtoul(value, NULL, 0);
	}
	regs->num = NUM_REGS;
	return 0;
}

bool vgpu_same_regs(const struct vgpu_regs *before,
		    const struct vgpu_regs *after)
{
	bool same = true;
	unsigned int i;
	char name[32];
	int vmid;

	for (i = 0; i < before->num; i++) {
		if (before->value[i] == after->value[i])
			continue;
		same = false;
		name_reg(i, name, sizeof(name), &vmid);
		printf("# %s", name);
		if (vmid >= 0)
			printf(" of VMID %d", vmid);
		printf(" was %#x and is %#x\n", before->value[i],
		       after->value[i]);
	}
	return same;
}

int vgpu_expect_wave_faults(bool on)
{
	static const char *const kinds[] = {
		"vm-fault", "bad-opcode", "bad-message",
	};
	char line[96];
	unsigned int i;
	int ret = 0;

	for (i = 0; i < COUNT_OF(kinds) && !ret; i++) {
		snprintf(line, sizeof(line),
			 "{\"cmd\":\"expect\",\"complaint\":\"%s\",\"on\":%s}\n",
			 kinds[i], on ? "true" : "false");
		ret = ask(line);
	}
	return ret;
}

int vgpu_complaints(void)
{
	int ret = ask("{\"cmd\":\"complaints\"}\n");
	const char *total = ret ? NULL : member(answer, "total");

	if (!total)
		return ret ? ret : -EPROTO;
	ret = atoi(total);
	if (ret)
		printf("# %.900s\n", answer);
	return ret;
}
