// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The fuzzer of the software GPU: executes the records of an input, and checks that the host is
 * answered after each. The sanitizers find all other errors.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "machine.h"
#include "host/pci.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

/*
 * No record may keep the host waiting for longer, in time of the processor: the
 * promise is 20 us, and the sanitizers make everything many times slower.
 */
#define RECORD_MS	50
#define MAX_TURNS	16
/* That a program has, and all that there is in the end */
#define CODE_TURNS	3
#define LAST_TURNS	6

#define PM4_INDIRECT_BUFFER	0x3f
#define PM4_SET_SH_REG		0x76
#define PM4_DISPATCH_DIRECT	0x15
#define I_ENDPGM		0xbf810000

/* How CODE is dispatched: bits of its argument */
#define CODE_WAVE64		BIT(0)
#define CODE_GROUPS		BIT(1)
#define CODE_LDS		BIT(2)
#define CODE_SCRATCH		BIT(3)
#define CODE_EXCEPTIONS		BIT(4)
#define CODE_DEBUG		BIT(5)
#define CODE_KEEP_MODE		BIT(6)

static void put(u32 **at, u32 dword)
{
	*(*at)++ = dword;
}

/* SET_SH_REG: where it begins is relative to 0x2c00 (nvd.h, Linux 6.12). */
static void set_sh(u32 **at, enum vgpu_role role, const u32 *vals, u32 num)
{
	put(at, PM4(PM4_SET_SH_REG, num + 1));
	put(at, gpu.profile->regs[role] - VGPU_SH_REG_FIRST);
	while (num--)
		put(at, *vals++);
}

static void call_ib(enum machine_queue which, u32 vmid, u32 num)
{
	const u64 va = FUZZ_VA + FUZZ_IB;
	const u32 packet[] = {
		PM4(PM4_INDIRECT_BUFFER, 3), LO(va), HI(va), num | vmid << 24,
	};

	machine_submit(which, packet, ARRAY_SIZE(packet));
}

/* COMPUTE_PGM_RSRC1 and 2, gc_10_3_0_sh_mask.h (Linux 6.12) */
static void resources(u32 how, u32 rsrc[2])
{
	/* VGPRS 31; FLOAT_MODE all denormals, DX10_CLAMP, IEEE_MODE */
	rsrc[0] = 31 | (how & CODE_KEEP_MODE ? 0 : 0xc0U << 12 | BIT(21) |
			BIT(23)) | (how & CODE_DEBUG ? BIT(22) : 0);
	/* USER_SGPR 16, TGID_X, TIDIG_COMP_CNT 2 */
	rsrc[1] = 16 << 1 | BIT(7) | 2 << 11 |
		  (how & CODE_LDS ? 4 << 15 : 0) |
		  (how & CODE_SCRATCH ? 1 : 0) |
		  (how & CODE_EXCEPTIONS ? 0x7fU << 24 : 0);
}

/*
 * The first SGPRs: where data is, a buffer there (with and without a stride), and
 * where nothing is mapped. Of the buffers, DST_SEL and FORMAT: 8_8_8_8 UNORM, and
 * 16_16_16_16 FLOAT.
 */
static void user_data(u32 s[16])
{
	const u64 data = FUZZ_VA + FUZZ_DATA;

	memset(s, 0, 16 * sizeof(*s));
	s[0] = LO(data);
	s[1] = HI(data);
	s[4] = LO(data);
	s[5] = HI(data);
	s[6] = 0x1000;
	s[7] = 0xfac | 56 << 12;
	s[8] = LO(data);
	s[9] = HI(data) | 16U << 16;
	s[10] = 0x100;
	s[11] = 0xfac | 71 << 12;
	s[12] = 0xdead0000;
	s[13] = 0xdead;
}

static void run_code(const struct record *r)
{
	const u32 threads[] = { r->arg & CODE_GROUPS ? 80 : 64, 1, 1 };
	u32 slot = r->arg >> 8 & 3, *code, rsrc[2], pgm[2], s[16];
	u64 va = FUZZ_VA + FUZZ_CODE + slot * 0x400;
	u32 *ib = machine_memory(FUZZ_IB), *at = ib, tmpring = 8 << 12 | 32;

	code = machine_memory(FUZZ_CODE + slot * 0x400);
	memcpy(code, r->dwords, r->num * 4);
	code[r->num] = I_ENDPGM;
	pgm[0] = LO(va >> 8);
	pgm[1] = HI(va >> 8);
	resources(r->arg, rsrc);
	user_data(s);
	set_sh(&at, R_COMPUTE_PGM_LO, pgm, 2);
	set_sh(&at, R_COMPUTE_PGM_RSRC1, rsrc, 2);
	set_sh(&at, R_COMPUTE_NUM_THREAD_X, threads, 3);
	set_sh(&at, R_COMPUTE_TMPRING_SIZE, &tmpring, 1);
	set_sh(&at, R_COMPUTE_USER_DATA_0, s, 16);
	put(&at, PM4(PM4_DISPATCH_DIRECT, 4));
	put(&at, 2);
	put(&at, 1);
	put(&at, 1);
	/* COMPUTE_SHADER_EN, CS_W32_EN */
	put(&at, 1 | (r->arg & CODE_WAVE64 ? 0 : BIT(15)));
	call_ib(QUEUE_COMPUTE, 1 + (r->arg >> 10) % FUZZ_VMIDS, at - ib);
}

static u32 dword(const struct record *r, unsigned int n)
{
	return n < r->num ? r->dwords[n] : 0;
}

static void access_register(const struct record *r, bool write)
{
	u32 number;

	if (r->op % NUM_OPS == OP_DWORD_WRITE)
		number = dword(r, 0) % VGPU_NUM_REGS;
	else
		number = gpu.profile->regs[r->arg % VGPU_NUM_ROLES] +
			 dword(r, 0) % 64;
	if (write)
		vgpu_reg_write(&gpu, number, dword(r, 1));
	else
		vgpu_reg_read(&gpu, number);
}

static void ring_doorbell(const struct record *r)
{
	static const u32 doorbells[] = {
		FUZZ_DOORBELL_KIQ, FUZZ_DOORBELL_COMPUTE, FUZZ_DOORBELL_GFX,
		FUZZ_DOORBELL_SDMA, 0x50,
	};
	u32 index = doorbells[r->arg % ARRAY_SIZE(doorbells)];
	u64 val = make_64(dword(r, 1), dword(r, 0));

	vgpu_pci_write(&gpu, VFIO_PCI_BAR2_REGION_INDEX, index * 4, &val, 8);
}

static void poke(const struct record *r)
{
	unsigned int i;

	for (i = 1; i < r->num; i++)
		*machine_vram(r->dwords[0] + 4 * (i - 1)) = r->dwords[i];
}

static void indirect(const struct record *r)
{
	memcpy(machine_memory(FUZZ_IB), r->dwords, r->num * 4);
	call_ib(r->arg % NUM_QUEUES, r->arg >> 8 & 3, r->num);
}

/* INDIRECT of navi10_sdma_pkt_open.h: op 4, VMID 19:16 */
static void sdma_indirect(const struct record *r)
{
	const u64 va = FUZZ_VA + FUZZ_SDMA_IB;
	const u32 packet[] = {
		4 | (r->arg & 3) << 16, LO(va), HI(va), r->num, 0, 0,
	};

	memcpy(machine_memory(FUZZ_SDMA_IB), r->dwords, r->num * 4);
	machine_submit_sdma(packet, ARRAY_SIZE(packet));
}

static void message(const struct record *r)
{
	u8 buf[sizeof(struct vfio_user_header) + MAX_DWORDS * 4];
	struct vfio_user_header hdr = {
		.command = r->arg & 0x1f,
		.size = sizeof(hdr) + r->num * 4,
	};

	memcpy(buf, &hdr, sizeof(hdr));
	memcpy(buf + sizeof(hdr), r->dwords, r->num * 4);
	machine_send(buf, hdr.size, r->arg >> 8);
}

static void set_quirk(const struct record *r)
{
	enum vgpu_quirk q = r->arg % VGPU_NUM_QUIRKS;

	vgpu_quirk_set(&gpu, vgpu_quirk_name(q), dword(r, 0));
}

static void do_record(const struct record *r)
{
	switch ((enum record_op)(r->op % NUM_OPS)) {
	case OP_WORK:
		machine_work();
		break;
	case OP_REG_WRITE:
	case OP_DWORD_WRITE:
		access_register(r, true);
		break;
	case OP_REG_READ:
		access_register(r, false);
		break;
	case OP_DOORBELL:
		ring_doorbell(r);
		break;
	case OP_POKE:
		poke(r);
		break;
	case OP_PM4:
		machine_submit(r->arg, r->dwords, r->num);
		break;
	case OP_IB:
		indirect(r);
		break;
	case OP_SDMA:
		machine_submit_sdma(r->dwords, r->num);
		break;
	case OP_SDMA_IB:
		sdma_indirect(r);
		break;
	case OP_CODE:
		run_code(r);
		break;
	case OP_HANDLER:
		memcpy(machine_memory(FUZZ_HANDLER), r->dwords, r->num * 4);
		break;
	case OP_MESSAGE:
		message(r);
		break;
	case OP_BYTES:
		machine_send(r->dwords, r->num * 4, r->arg >> 8);
		break;
	case OP_CONTROL:
		machine_control(r->dwords, r->num * 4);
		break;
	case OP_QUIRK:
		set_quirk(r);
		break;
	case NUM_OPS:
		break;
	}
}

static u64 cpu_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (u64)ts.tv_sec * 1000000000ULL + (u64)ts.tv_nsec;
}

/* Do @r, and see how long it took. */
static void timed(const struct record *r)
{
	static const char *const names[] = {
#define RECORD_NAME(name) #name,
		RECORDS(RECORD_NAME)
#undef RECORD_NAME
	};
	u64 before = cpu_ns(), took;

	do_record(r);
	took = cpu_ns() - before;
	if (took <= RECORD_MS * 1000000ULL)
		return;
	fprintf(stderr, "fuzz: the host waits %llu us for %s\n",
		(unsigned long long)took / 1000, names[r->op % NUM_OPS]);
	abort();
}

static void turns(unsigned int num)
{
	const struct record r = { .op = OP_WORK };

	while (num--)
		timed(&r);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	machine_create();
	return 0;
}

static void do_input(const u8 *data, size_t size)
{
	static u32 buf[RECORD_DWORDS];
	const struct record *r = (void *)buf;
	size_t len;

	machine_reset();
	while (size >= sizeof(*r)) {
		memcpy(buf, data, sizeof(*r));
		len = sizeof(*r) + r->num * 4;
		if (len > size)
			break;
		memcpy(buf, data, len);
		data += len;
		size -= len;
		if (r->op % NUM_OPS == OP_WORK)
			turns(r->arg % MAX_TURNS);
		timed(r);
		if (r->op % NUM_OPS == OP_CODE)
			turns(CODE_TURNS);
	}
	turns(LAST_TURNS);
}

/* With FUZZ_TWICE in the environment: does it the same a second time? */
int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	u64 digest;

	do_input(data, size);
	if (!getenv("FUZZ_TWICE"))
		return 0;
	digest = machine_digest();
	do_input(data, size);
	if (digest != machine_digest()) {
		fprintf(stderr, "fuzz: the input did not do the same twice\n");
		abort();
	}
	return 0;
}
