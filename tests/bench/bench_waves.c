// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The cost of listing waves, halting them and reading their registers: system calls, register
 * accesses as the software GPU counts them, and time. It is compared with the way through
 * debugfs that umr uses (if the SIMD is busy, read every slot), in the same guest on the same
 * waves. Times are only compared within one run.
 *
 * bench-waves DEBUGFS-DIR
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <amdgpudbg.h>

#include "regs2.h"
#include "victim.h"

#define ROUNDS 20
#define VGPU_PORT "/dev/virtio-ports/org.amdgpudbg.vgpu"

/* GC base 0x1260, gc_10_3_0_offset.h (Linux 6.1) */
#define SQ_IND_INDEX (0x1260 + 0x1118)
#define SQ_IND_DATA (0x1260 + 0x1119)
#define SQ_CMD (0x1260 + 0x111b)
#define ixSQ_DEBUG_STS_LOCAL 0x8
#define SQ_DEBUG_STS_LOCAL_BUSY 1
#define SQ_WAVE_STATUS_VALID (1u << 16)

#define NUM_SGPRS 124		/* with VCC and TTMPs, as umr reads them */
#define MAX_VGPRS 256

struct bench {
	struct adbg_session *session;
	struct adbg_wave_list *list;
	struct adbg_wave_state *state;
	struct amdgpudbg_wave wave;		/* the one that is looked at */
	struct amdgpudbg_info info;
	struct regs2 regs2;
	int wave_file;
	int gpr_file;
	unsigned long wave_syscalls;
	int vgpu;		/* for questions */
	FILE *answers;		/* the same port */
	uint32_t vmid;
};

struct cost {
	uint64_t reads, writes, syscalls;
	double us;
	unsigned int waves;
};

static int die(const char *what, int err)
{
	fprintf(stderr, "bench-waves: %s: %s\n", what, strerror(-err));
	exit(1);
}

static void counters(struct bench *b, uint64_t *reads, uint64_t *writes)
{
	struct json_object *o, *v;
	char line[8192];

	dprintf(b->vgpu, "{\"cmd\":\"counters\"}\n");
	if (!fgets(line, sizeof(line), b->answers))
		die(VGPU_PORT, -EIO);
	o = json_tokener_parse(line);
	if (!json_object_object_get_ex(o, "reg_reads", &v))
		die(line, -EPROTO);
	*reads = json_object_get_uint64(v);
	json_object_object_get_ex(o, "reg_writes", &v);
	*writes = json_object_get_uint64(v);
	json_object_put(o);
}

static double now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1e6 + ts.tv_nsec / 1e3;
}

static void list_ours(struct bench *b, struct cost *c)
{
	int ret = adbg_wave_list_read(b->list, b->session, 0);

	if (ret)
		die("list", ret);
	c->syscalls++;
	c->waves = adbg_wave_list_count(b->list);
}

/* What a sampler needs */
static void list_pcs(struct bench *b, struct cost *c)
{
	struct amdgpudbg_wave_list what = {
		.hw_want = AMDGPUDBG_HW_WANT_PC,
	};
	int ret = adbg_wave_list_fill(b->list, b->session, &what);

	if (ret)
		die("list", ret);
	c->syscalls++;
	c->waves = adbg_wave_list_count(b->list);
}

/* Offset of a slot in amdgpu_wave, amdgpu_debugfs.c (Linux 6.1) */
static off_t wave_offset(unsigned int se, unsigned int sh, unsigned int inst,
			 unsigned int wave)
{
	return (off_t)se << 7 | (off_t)sh << 15 | (off_t)inst << 23 |
	       (off_t)wave << 31;
}

static unsigned int read_slots(struct bench *b, unsigned int se,
			       unsigned int sa, unsigned int inst)
{
	unsigned int wave, found = 0;
	uint32_t rec[32];

	for (wave = 0; wave < b->info.num_wave; wave++) {
		b->wave_syscalls += 2;
		if (lseek(b->wave_file, wave_offset(se, sa, inst, wave),
			  SEEK_SET) < 0 ||
		    read(b->wave_file, rec, sizeof(rec)) < 8)
			die("amdgpu_wave", -errno);
		if (rec[1] & SQ_WAVE_STATUS_VALID)
			found++;
	}
	return found;
}

static void list_peer(struct bench *b, struct cost *c)
{
	struct regs2_state bank = { .use_grbm = 1 };
	unsigned int se, sa, inst;
	uint32_t busy;
	int ret;

	b->regs2.syscalls = 0;
	b->wave_syscalls = 0;
	c->waves = 0;
	for (se = 0; se < b->info.num_se; se++)
		for (sa = 0; sa < b->info.num_sa; sa++)
			for (inst = 0; inst < b->info.num_wgp * 4; inst++) {
				bank.grbm.se = se;
				bank.grbm.sh = sa;
				bank.grbm.instance = inst;
				ret = regs2_write(&b->regs2, &bank,
						  SQ_IND_INDEX,
						  ixSQ_DEBUG_STS_LOCAL << 16);
				if (!ret)
					ret = regs2_read(&b->regs2, &bank,
							 SQ_IND_DATA, &busy);
				if (ret)
					die("amdgpu_regs2", ret);
				if (busy & SQ_DEBUG_STS_LOCAL_BUSY)
					c->waves += read_slots(b, se, sa, inst);
			}
	c->syscalls += b->regs2.syscalls + b->wave_syscalls;
}

static void control(struct bench *b, struct cost *c, enum amdgpudbg_waveop op,
		    enum amdgpudbg_wavemode mode)
{
	struct amdgpudbg_wave_control wc = {
		.op = op, .mode = mode, .vmid = b->vmid,
	};
	int ret;

	if (mode == AMDGPUDBG_WAVEMODE_SINGLE)
		wc.at = adbg_wave_list_get(b->list, 0)->at;
	ret = adbg_wave_control(b->session, &wc);
	if (ret)
		die("wave control", ret);
	c->syscalls++;
	c->waves = wc.changed;
}

static void halt_single(struct bench *b, struct cost *c)
{
	control(b, c, AMDGPUDBG_WAVEOP_HALT, AMDGPUDBG_WAVEMODE_SINGLE);
}

static void resume_single(struct bench *b, struct cost *c)
{
	control(b, c, AMDGPUDBG_WAVEOP_RESUME, AMDGPUDBG_WAVEMODE_SINGLE);
}

static void halt_process(struct bench *b, struct cost *c)
{
	control(b, c, AMDGPUDBG_WAVEOP_HALT,
		AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS);
}

static void resume_process(struct bench *b, struct cost *c)
{
	control(b, c, AMDGPUDBG_WAVEOP_RESUME,
		AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS);
}

/* All waves of the GPU, without a list and in whatever VMIDs they are */
static void control_all(struct bench *b, struct cost *c, uint32_t op,
			const struct amdgpudbg_select *select)
{
	struct amdgpudbg_wave_control wc = {
		.op = op, .mode = AMDGPUDBG_WAVEMODE_SELECT, .select = *select,
	};
	int ret = adbg_wave_control(b->session, &wc);

	if (ret)
		die("wave control", ret);
	c->syscalls++;
	c->waves = wc.changed;
}

static void halt_all(struct bench *b, struct cost *c)
{
	static const struct amdgpudbg_select all;

	control_all(b, c, AMDGPUDBG_WAVEOP_HALT, &all);
}

static void resume_all(struct bench *b, struct cost *c)
{
	static const struct amdgpudbg_select all;

	control_all(b, c, AMDGPUDBG_WAVEOP_RESUME, &all);
}

static const struct amdgpudbg_select se0 = { .at_mask = AMDGPUDBG_AT_SE };

static void halt_se(struct bench *b, struct cost *c)
{
	control_all(b, c, AMDGPUDBG_WAVEOP_HALT, &se0);
}

static void resume_se(struct bench *b, struct cost *c)
{
	control_all(b, c, AMDGPUDBG_WAVEOP_RESUME, &se0);
}

static void snapshot(struct bench *b, struct cost *c)
{
	struct amdgpudbg_wave_list what = {
		.select.vmid_mask = 1U << b->vmid, .flags = AMDGPUDBG_WAVE_LIST_TTMP,
	};
	int ret = adbg_wave_list_snapshot(b->list, b->session, &what);

	if (ret)
		die("snapshot", ret);
	c->syscalls++;
	c->waves = what.num_halted;
}

/* What a snapshot would be without the call: waves can start during it. */
static void halt_list_resume(struct bench *b, struct cost *c)
{
	struct amdgpudbg_wave_list what = {
		.select.vmid_mask = 1U << b->vmid, .flags = AMDGPUDBG_WAVE_LIST_TTMP,
	};
	int ret;

	halt_process(b, c);
	ret = adbg_wave_list_fill(b->list, b->session, &what);
	if (ret)
		die("list", ret);
	c->syscalls++;
	resume_process(b, c);
}

static void step(struct bench *b, struct cost *c)
{
	control(b, c, AMDGPUDBG_WAVEOP_STEP, AMDGPUDBG_WAVEMODE_SINGLE);
}

#define STEPS 20

static void step_calls(struct bench *b, struct cost *c)
{
	for (int i = 0; i < STEPS; i++)
		step(b, c);
}

static void step_batch(struct bench *b, struct cost *c)
{
	struct amdgpudbg_batch_op ops[STEPS] = { 0 };
	struct amdgpudbg_wave_batch batch = {
		.ops = (uintptr_t)ops, .count = STEPS,
	};
	int ret;

	for (int i = 0; i < STEPS; i++)
		ops[i].control = (struct amdgpudbg_wave_control){
			.op = AMDGPUDBG_WAVEOP_STEP,
			.mode = AMDGPUDBG_WAVEMODE_SINGLE, .vmid = b->vmid,
			.at = adbg_wave_list_get(b->list, 0)->at,
		};
	ret = adbg_wave_batch(b->session, &batch);
	if (ret || batch.done != STEPS)
		die("batch", ret ? ret : ops[batch.done].error);
	c->syscalls++;
	c->waves = 1;
}

/*
 * umr's halt reaches every process; with the VMID given it is the nearest that
 * can be had. Whether it worked is only known from a list.
 */
static void peer_control(struct bench *b, struct cost *c, uint32_t data)
{
	struct regs2_state bank = {
		.use_grbm = 1,
		.grbm = { REGS2_BROADCAST, REGS2_BROADCAST, REGS2_BROADCAST },
	};
	int ret;

	b->regs2.syscalls = 0;
	/* CMD SETHALT, MODE BROADCAST, CHECK_VMID, DATA, VM_ID */
	ret = regs2_write(&b->regs2, &bank, SQ_CMD,
			  1 | 1 << 4 | 1 << 7 | data << 8 | b->vmid << 28);
	if (ret)
		die("amdgpu_regs2", ret);
	c->syscalls += b->regs2.syscalls;
	list_peer(b, c);
}

static void halt_peer(struct bench *b, struct cost *c)
{
	peer_control(b, c, 1);
}

static void resume_peer(struct bench *b, struct cost *c)
{
	peer_control(b, c, 0);
}

static void state_ours(struct bench *b, struct cost *c)
{
	int ret = adbg_wave_state_read(b->state, b->session, &b->wave);

	if (ret)
		die("state", ret);
	c->syscalls++;
	c->waves = 1;
}

/* amdgpu_gpr of debugfs, amdgpu_debugfs.c (Linux 6.1) */
static void read_gprs(struct bench *b, bool sgprs, unsigned int lane,
		      uint32_t *values, unsigned int count)
{
	const struct amdgpudbg_wave_coord *at = &b->wave.at;
	off_t offset = (off_t)at->se << 12 | (off_t)at->sa << 20 |
		       (off_t)(at->wgp << 2 | at->simd) << 28 |
		       (off_t)at->wave << 36 | (off_t)lane << 52 |
		       (off_t)sgprs << 60;

	b->wave_syscalls += 2;
	if (lseek(b->gpr_file, offset, SEEK_SET) < 0 ||
	    read(b->gpr_file, values, count * 4) != (ssize_t)count * 4)
		die("amdgpu_gpr", -errno);
}

/* It must be the same that the other way has found. */
static void compare_state(struct bench *b, const uint32_t *sgprs,
			  uint32_t vgprs[][MAX_VGPRS])
{
	uint32_t count, lane;
	const uint32_t *ours = adbg_wave_state_get(b->state, AMDGPUDBG_REG_SGPR, 0,
						   &count);

	if (memcmp(ours, sgprs, count * 4))
		die("SGPRs differ", -EILSEQ);
	for (lane = 0; lane < adbg_wave_state_get_lanes(b->state); lane++) {
		ours = adbg_wave_state_get(b->state, AMDGPUDBG_REG_VGPR, lane,
					   &count);
		if (memcmp(ours, vgprs[lane], count * 4))
			die("VGPRs differ", -EILSEQ);
	}
}

/* As umr: the wave's registers, all SGPRs, then each lane's VGPRs. */
static void state_peer(struct bench *b, struct cost *c)
{
	const struct amdgpudbg_wave_coord *at = &b->wave.at;
	uint32_t lanes = b->wave.flags & AMDGPUDBG_WAVE_WAVE64 ? 64 : 32;
	uint32_t num_vgprs = adbg_wave_num_vgprs(b->info.gc_version, &b->wave);
	static uint32_t vgprs[64][MAX_VGPRS];
	uint32_t rec[32], sgprs[NUM_SGPRS], lane;

	b->wave_syscalls = 2;
	if (lseek(b->wave_file, wave_offset(at->se, at->sa,
					    at->wgp << 2 | at->simd, at->wave),
		  SEEK_SET) < 0 || read(b->wave_file, rec, sizeof(rec)) < 8)
		die("amdgpu_wave", -errno);
	read_gprs(b, true, 0, sgprs, NUM_SGPRS);
	for (lane = 0; lane < lanes; lane++)
		read_gprs(b, false, lane, vgprs[lane], num_vgprs);
	compare_state(b, sgprs, vgprs);
	c->syscalls += b->wave_syscalls;
	c->waves = 1;
}

typedef void (*action)(struct bench *b, struct cost *c);

/* @undo puts things back after each round and is not counted. */
static struct cost measure(struct bench *b, const char *name, action act,
			   action undo)
{
	struct cost c = { 0 }, ignored = { 0 };
	uint64_t r0, w0, r1, w1;
	double t0;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		counters(b, &r0, &w0);
		t0 = now_us();
		act(b, &c);
		c.us += now_us() - t0;
		counters(b, &r1, &w1);
		c.reads += r1 - r0;
		c.writes += w1 - w0;
		if (undo)
			undo(b, &ignored);
	}
	printf("%-34s %6u %9.1f %8.1f %8.1f %10.0f\n", name, c.waves,
	       (double)c.syscalls / ROUNDS, (double)c.reads / ROUNDS,
	       (double)c.writes / ROUNDS, c.us / ROUNDS);
	return c;
}

static void ratio(const char *what, const struct cost *ours,
		  const struct cost *peer)
{
	printf("%-34s %16.1fx %17.1fx %9.1fx\n", what,
	       (double)peer->syscalls / ours->syscalls,
	       (double)(peer->reads + peer->writes) /
	       (ours->reads + ours->writes), peer->us / ours->us);
}

/* All registers of one wave, while it is halted. */
static void bench_state(struct bench *b)
{
	struct cost ours, peer, ignored = { 0 };

	halt_single(b, &ignored);
	b->wave = *adbg_wave_list_get(b->list, 0);
	printf("\n%u values%28s %6s %9s %8s %8s %10s\n",
	       108 + 16 + 19 + 32 * adbg_wave_num_vgprs(b->info.gc_version,
							&b->wave),
	       "", "waves", "syscalls", "reads", "writes", "us");
	ours = measure(b, "state of a wave", state_ours, NULL);
	peer = measure(b, "state of a wave, debugfs", state_peer, NULL);
	ratio("state of a wave, debugfs / ours", &ours, &peer);
	resume_single(b, &ignored);
}

static void bench_with(struct bench *b, unsigned int items)
{
	struct cost ours, peer, halt, halt_other, snap, three, calls, batch;
	struct cost ignored = { 0 };
	struct victim victim;
	int ret;

	ret = victim_start(&victim, items, 0);
	if (ret)
		die("compute", ret);
	list_ours(b, &ours);
	b->vmid = adbg_wave_list_get(b->list, 0)->vmid;
	printf("\n%u waves%29s %6s %9s %8s %8s %10s\n", items / 32, "", "waves",
	       "syscalls", "reads", "writes", "us");
	ours = measure(b, "list", list_ours, NULL);
	measure(b, "list, PC and STATUS", list_pcs, NULL);
	peer = measure(b, "list, debugfs", list_peer, NULL);
	measure(b, "halt one wave", halt_single, resume_single);
	halt = measure(b, "halt a process", halt_process, resume_process);
	measure(b, "halt everything", halt_all, resume_all);
	halt_all(b, &ignored);
	measure(b, "resume everything", resume_all, halt_all);
	resume_all(b, &ignored);
	measure(b, "halt one shader engine", halt_se, resume_se);
	halt_other = measure(b, "halt a process and look, debugfs", halt_peer,
			     resume_peer);
	snap = measure(b, "snapshot", snapshot, NULL);
	three = measure(b, "halt, list, resume", halt_list_resume, NULL);
	halt_single(b, &ignored);
	measure(b, "step", step, NULL);
	calls = measure(b, "20 steps, 20 calls", step_calls, NULL);
	batch = measure(b, "20 steps, one batch", step_batch, NULL);
	resume_single(b, &ignored);
	ratio("list, debugfs / ours", &ours, &peer);
	ratio("halt a process, debugfs / ours", &halt, &halt_other);
	ratio("halt, list, resume / snapshot", &snap, &three);
	ratio("20 calls / one batch", &batch, &calls);
	if (items == 32)
		bench_state(b);
	ret = victim_finish(&victim);
	if (ret)
		die("compute's results", -EIO);
}

int main(int argc, char **argv)
{
	struct bench b = { .info = { .size = sizeof(b.info) } };
	char path[256];
	int ret;

	if (argc != 2) {
		fprintf(stderr, "usage: bench-waves DEBUGFS-DIR\n");
		return 2;
	}
	ret = adbg_open(NULL, &b.session);
	if (!ret)
		ret = adbg_session_get_info(b.session, &b.info);
	if (!ret)
		ret = adbg_wave_list_new(&b.list);
	if (!ret)
		ret = adbg_wave_state_new(&b.state);
	if (!ret)
		ret = regs2_open(&b.regs2, argv[1]);
	if (ret)
		die("session", ret);
	snprintf(path, sizeof(path), "%s/amdgpu_wave", argv[1]);
	b.wave_file = open(path, O_RDONLY | O_CLOEXEC);
	snprintf(path, sizeof(path), "%s/amdgpu_gpr", argv[1]);
	b.gpr_file = open(path, O_RDONLY | O_CLOEXEC);
	b.vgpu = open(VGPU_PORT, O_RDWR | O_CLOEXEC);
	b.answers = fdopen(b.vgpu, "r");
	if (b.wave_file < 0 || b.gpr_file < 0 || !b.answers)
		die("files", -errno);
	bench_with(&b, 32);
	bench_with(&b, 256);
	bench_with(&b, 2048);
	regs2_close(&b.regs2);
	return 0;
}
