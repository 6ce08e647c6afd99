// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A client of vgpu's control socket, which the guest sees as a virtio port. The protocol
 * has one JSON object per line. The client reads single members of it, and therefore needs
 * no JSON parser.
 */
#include "vgpu.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../vm/guest/parts/port.h"
#include "../vm/guest/parts/until.h"

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

#define DEADLINE_S 60

static int port = -1;
static char answer[1 << 18];

int vgpu_open(void)
{
	port = open(VGPU_PORT, O_RDWR | O_CLOEXEC);
	return port < 0 ? -errno : 0;
}

static int ask(const char *questions)
{
	return port_ask(port, questions, answer, sizeof(answer));
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

int vgpu_list_waves(struct vgpu_wave *waves, unsigned int max)
{
	const char *at;
	int ret = ask("{\"cmd\":\"waves\"}\n");
	unsigned int n = 0;

	if (ret)
		return ret;
	/* The members come in this order. */
	for (at = member(answer, "vmid"); at; at = member(at, "vmid"), n++) {
		struct vgpu_wave w = { .vmid = strtoul(at, NULL, 0) };
		const char *mode = member(at, "mode");
		const char *halted = member(at, "halted");
		const char *did = member(at, "instructions");

		if (!mode || !halted || !did)
			return -EPROTO;
		w.mode = strtoul(mode, NULL, 0);
		w.halted = !strncmp(halted, "true", 4);
		w.instructions = strtoull(did, NULL, 0);
		if (n < max)
			waves[n] = w;
	}
	return n;
}

int vgpu_waves(uint32_t vmid, unsigned int *num, unsigned int *halted)
{
	static struct vgpu_wave waves[VGPU_MAX_WAVES];
	int i, n = vgpu_list_waves(waves, VGPU_MAX_WAVES);

	*num = 0;
	*halted = 0;
	for (i = 0; i < n && i < VGPU_MAX_WAVES; i++) {
		if (vmid && waves[i].vmid != vmid)
			continue;
		++*num;
		*halted += waves[i].halted;
	}
	return n < 0 ? n : 0;
}

int vgpu_intrusions(uint32_t pasid, uint64_t *num)
{
	static const char *const kinds[] = {
		"trap_en", "halted", "debug", "watch_hits", "traps",
	};
	char line[64];
	const char *at;
	int ret;

	snprintf(line, sizeof(line), "{\"cmd\":\"history\",\"pasid\":%u}\n",
		 pasid);
	ret = ask(line);
	*num = 0;
	for (unsigned int i = 0; i < COUNT_OF(kinds) && !ret; i++)
		for (at = member(answer, kinds[i]); at; at = member(at, kinds[i]))
			*num += strtoull(at, NULL, 0);
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
	char questions[NUM_REGS * 80], name[32], bank[24];
	const char *value = answer;
	size_t len = 0;
	unsigned int i;
	int vmid, ret;

	/* All at once: each way there and back takes its time. */
	for (i = 0; i < NUM_REGS; i++) {
		name_reg(i, name, sizeof(name), &vmid);
		bank[0] = 0;
		if (vmid >= 0)
			snprintf(bank, sizeof(bank), ",\"vmid\":%d", vmid);
		len += snprintf(questions + len, sizeof(questions) - len,
				"{\"cmd\":\"reg\",\"name\":\"%s\"%s}\n", name,
				bank);
	}
	ret = ask(questions);
	if (ret)
		return ret;
	for (i = 0; i < NUM_REGS; i++) {
		value = member(value, "value");
		if (!value)
			return -EPROTO;
		regs->value[i] = strtoul(value, NULL, 0);
	}
	regs->num = NUM_REGS;
	return 0;
}

bool vgpu_same_regs(const struct vgpu_regs *before,
		    const struct vgpu_regs *after, bool print)
{
	bool same = true;
	unsigned int i;
	char name[32];
	int vmid;

	for (i = 0; i < before->num; i++) {
		if (before->value[i] == after->value[i])
			continue;
		same = false;
		if (!print)
			break;
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

/* The module may be looking at waves, or it could not be asked. */
static bool none_selected(void *arg)
{
	int *ret = arg;
	const char *selected;

	*ret = ask("{\"cmd\":\"complaints\"}\n");
	selected = *ret ? NULL : member(answer, "selected");
	return *ret || (selected && *selected == 'f');
}

int vgpu_complaints(void)
{
	const char *total;
	int ret;

	if (!until(none_selected, &ret, DEADLINE_S)) {
		printf("# a register bank stays selected\n");
		return 1;
	}
	total = ret ? NULL : member(answer, "total");
	if (!total)
		return ret ? ret : -EPROTO;
	ret = atoi(total);
	if (ret)
		printf("# %.900s\n", answer);
	return ret;
}
