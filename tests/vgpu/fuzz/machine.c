// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The GPU that is fuzzed. There is one for all inputs, because creating one takes longer than
 * most inputs; a reset sets it to the same initial state.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "host/control.h"
#include "host/dma.h"
#include "machine.h"
#include "host/pci.h"
#include "host/transport.h"

#define RING_DWORDS	1024
#define SDMA_RING_LOG2	10
#define TURN_NS		20000

/* What a host may send along. */
enum file {
	FILE_NONE,
	FILE_MEMORY,
	FILE_EVENT,
	FILE_PIPE,	/* a full one, which blocks */
	FILE_SHORT,	/* shorter than what it is said to be */
	FILE_SOCKET,
	NUM_FILES,
};

static struct ring rings[NUM_QUEUES];
static int files[NUM_FILES], socket_peer = -1, control_fd = -1;
static bool host_spoke;		/* maybe half a message */
static u64 memory, sdma_ring, sdma_wptr, vram_end;

/*
 * A clock that only depends on what has been done, so that an input does the same
 * each time. A slice of a wave takes one step: as long as it wants to be.
 */
u64 __wrap_vgpu_now_ns(void);

static u64 now_ns;

u64 __wrap_vgpu_now_ns(void)
{
	return now_ns += 4000;
}

static void need(bool ok, const char *what)
{
	if (ok)
		return;
	fprintf(stderr, "fuzz: %s: %s\n", what, strerror(errno));
	abort();
}

static void fill_pipe(int fd)
{
	static const u8 zeros[4096];

	while (write(fd, zeros, sizeof(zeros)) > 0)
		;
	need(!fcntl(fd, F_SETFL, 0), "pipe");
}

static void make_files(void)
{
	int pipes[2], pair[2];

	files[FILE_NONE] = -1;
	files[FILE_MEMORY] = memfd_create("guest", MFD_CLOEXEC);
	need(!ftruncate(files[FILE_MEMORY], FUZZ_BUS_SIZE), "memory");
	files[FILE_SHORT] = memfd_create("short", MFD_CLOEXEC);
	need(!ftruncate(files[FILE_SHORT], 4096), "short file");
	files[FILE_EVENT] = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	need(files[FILE_EVENT] >= 0, "eventfd");
	need(!pipe2(pipes, O_CLOEXEC | O_NONBLOCK), "pipe");
	fill_pipe(pipes[1]);
	files[FILE_PIPE] = pipes[1];
	need(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair),
	     "sockets");
	files[FILE_SOCKET] = pair[0];
	socket_peer = pair[1];
}

static int dial(const char *path)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	strcpy(addr.sun_path, path);
	need(fd >= 0 && !connect(fd, (struct sockaddr *)&addr, sizeof(addr)),
	     "connect");
	return fd;
}

void machine_create(void)
{
	signal(SIGPIPE, SIG_IGN);
	client_init(&host, &gpu, true);
	make_files();
}

/* Throw away what has been answered. False: the other side is gone. */
static bool drain(int fd)
{
	static u8 buf[65536];
	ssize_t n;

	do {
		n = recv(fd, buf, sizeof(buf), MSG_DONTWAIT);
	} while (n > 0);
	return n < 0 && errno == EAGAIN;
}

static void serve_host(void)
{
	struct pollfd p = { .fd = vgpu_transport_fd(&gpu), .events = POLLIN };

	if (poll(&p, 1, 0) > 0)
		vgpu_transport_serve(&gpu);
}

static void connect_host(void)
{
	if (host.fd >= 0)
		close(host.fd);
	serve_host();
	host.fd = dial(host.socket_path);
	serve_host();
}

void machine_send(const void *buf, size_t len, unsigned int file)
{
	union {
		char buf[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control = { 0 };
	struct iovec iov = { .iov_base = (void *)buf, .iov_len = len };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	int fd = files[file % NUM_FILES];
	struct cmsghdr *c;

	if (fd >= 0) {
		msg.msg_control = control.buf;
		msg.msg_controllen = sizeof(control.buf);
		c = CMSG_FIRSTHDR(&msg);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(c), &fd, sizeof(fd));
	}
	host_spoke = true;
	if (sendmsg(host.fd, &msg, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
		drain(host.fd);
	serve_host();
	if (!drain(host.fd))
		connect_host();
}

static void serve_control(void)
{
	struct pollfd fds[VGPU_CONTROL_POLLFDS];
	unsigned int num = vgpu_control_pollfds(&gpu, fds);

	if (num && poll(fds, num, 0) > 0)
		vgpu_control_serve(&gpu, fds, num);
}

void machine_control(const void *buf, size_t len)
{
	if (send(control_fd, buf, len, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
		drain(control_fd);
	serve_control();
	drain(control_fd);
}

/* A client of its own, so that half a line is not left for the next input. */
static void connect_control(void)
{
	if (control_fd >= 0) {
		close(control_fd);
		serve_control();
	}
	control_fd = dial(host.control_path);
	serve_control();
}

static void reset_options(void)
{
	int i;

	/* What lines there have been says how often the clock is read. */
	vgpu_log_fini(&gpu);
	need(!vgpu_log_init(&gpu), "log");
	memset(&gpu.counters, 0, sizeof(gpu.counters));
	vgpu_checker_fini(&gpu);
	need(!vgpu_checker_init(&gpu), "checker");

	for (i = 0; i < VGPU_NUM_QUIRKS; i++)
		vgpu_quirk_set(&gpu, vgpu_quirk_name(i), vgpu_quirk_default(i));
	for (i = 0; i < VGPU_NUM_FAULTS; i++)
		vgpu_fault_arm(&gpu, i, 0, VGPU_FAULT_ANY);
}

/* Nothing is in what the host lends, and room for what it is sent. */
static void reset_files(void)
{
	static const u8 zeros[4096];
	u64 count;

	need(!fallocate(files[FILE_MEMORY], FALLOC_FL_PUNCH_HOLE |
			FALLOC_FL_KEEP_SIZE, 0, FUZZ_BUS_SIZE), "memory");
	need(pwrite(files[FILE_SHORT], zeros, sizeof(zeros), 0) ==
	     sizeof(zeros), "short file");
	if (read(files[FILE_EVENT], &count, sizeof(count)) < 0)
		need(errno == EAGAIN, "eventfd");
	drain(socket_peer);
}

static void map_memory(void)
{
	u32 vmid, page;

	memory = engine_alloc(&gpu, FUZZ_VA_PAGES * VGPU_PAGE_SIZE);
	for (vmid = 1; vmid <= FUZZ_VMIDS; vmid++) {
		for (page = 0; page < FUZZ_VA_PAGES; page++)
			engine_map(&gpu, vmid, FUZZ_VA + page * VGPU_PAGE_SIZE,
				   memory + page * VGPU_PAGE_SIZE);
		/* The guest's memory behind it: PTE_SYSTEM */
		engine_map(&gpu, vmid, FUZZ_VA + page * VGPU_PAGE_SIZE,
			   FUZZ_BUS | 2);
	}
}

static void start_rings(void)
{
	static const struct vgpu_queue_id ids[NUM_QUEUES] = {
		[QUEUE_KIQ] = { 2, 1, 0 },
		[QUEUE_COMPUTE] = { 1, 0, 0 },
		[QUEUE_GFX] = { 0, 0, 0 },
	};
	static const u32 doorbells[NUM_QUEUES] = {
		[QUEUE_KIQ] = FUZZ_DOORBELL_KIQ,
		[QUEUE_COMPUTE] = FUZZ_DOORBELL_COMPUTE,
		[QUEUE_GFX] = FUZZ_DOORBELL_GFX,
	};
	unsigned int i;

	for (i = 0; i < NUM_QUEUES; i++)
		ring_init(&rings[i], &gpu, ids[i], RING_DWORDS, doorbells[i]);
	ring_start_kiq(&rings[QUEUE_KIQ]);
	ring_map(&rings[QUEUE_COMPUTE], &rings[QUEUE_KIQ]);
	ring_map(&rings[QUEUE_GFX], &rings[QUEUE_KIQ]);
}

/* SDMA0_GFX_*, gc_10_3_0_sh_mask.h (Linux 6.12) */
static void start_sdma(void)
{
	u64 mc;

	sdma_ring = engine_alloc(&gpu, 4ULL << SDMA_RING_LOG2);
	sdma_wptr = 0;
	mc = engine_mc(&gpu, sdma_ring);
	engine_set_reg(&gpu, R_SDMA0_GFX_RB_BASE, 0, LO(mc >> 8));
	engine_set_reg(&gpu, R_SDMA0_GFX_RB_BASE_HI, 0, HI(mc >> 8));
	engine_set_reg(&gpu, R_SDMA0_GFX_DOORBELL, 0, BIT(28));
	engine_set_reg(&gpu, R_SDMA0_GFX_DOORBELL_OFFSET, 0,
		       FUZZ_DOORBELL_SDMA << 2);
	engine_set_reg(&gpu, R_SDMA0_GFX_RB_CNTL, 0, 1 | SDMA_RING_LOG2 << 1);
}

/*
 * A trap handler for the waves of most VMIDs. At first it continues with the next dword,
 * so that a program with an illegal instruction runs to its end.
 */
static void set_handlers(void)
{
	static const u32 skip[] = {
		0xba80f803, 0,	/* s_setreg_imm32_b32 hwreg(HW_REG_TRAPSTS), 0 */
		0x806c846c,	/* s_add_u32 ttmp0, ttmp0, 4 */
		0x826d806d,	/* s_addc_u32 ttmp1, ttmp1, 0 */
		0xbe80226c,	/* s_rfe_b64 ttmp[0:1] */
	};
	u64 tba = (FUZZ_VA + FUZZ_HANDLER) >> 8;
	u32 vmid;

	memcpy(machine_memory(FUZZ_HANDLER), skip, sizeof(skip));
	for (vmid = 1; vmid <= FUZZ_VMIDS; vmid++) {
		engine_set_reg(&gpu, R_GRBM_GFX_CNTL, 0, vmid << 4);
		engine_set_reg(&gpu, R_SQ_SHADER_TBA_LO, 0, LO(tba));
		engine_set_reg(&gpu, R_SQ_SHADER_TBA_HI, 0, HI(tba) |
			       (vmid == 1 ? 0 : BIT(31)));
	}
	engine_set_reg(&gpu, R_GRBM_GFX_CNTL, 0, 0);
}

/* Nothing may be left of what the input before has started. */
static void check_rest(void)
{
	struct vgpu_queue_id id;

	for (id.me = 0; id.me < 4; id.me++)
		for (id.pipe = 0; id.pipe < 4; id.pipe++)
			for (id.queue = 0; id.queue < 8; id.queue++)
				if (vgpu_sq_queue_busy(&gpu, id))
					abort();
	if (vgpu_sq_runnable(&gpu))
		abort();
}

void machine_reset(void)
{
	if (host.fd < 0 || host_spoke)
		connect_host();
	host_spoke = false;
	vgpu_dma_unmap_all(&gpu);
	vgpu_cold_reset(&gpu);
	check_rest();
	reset_options();
	reset_files();
	connect_control();
	now_ns = 0;
	need(!vgpu_dma_map(&gpu, FUZZ_BUS, FUZZ_BUS_SIZE, 0,
			   files[FILE_MEMORY], true), "dma");
	engine_begin(&gpu);
	map_memory();
	start_rings();
	start_sdma();
	set_handlers();
	vram_end = engine_alloc(&gpu, VGPU_PAGE_SIZE);
}

static u64 mix(u64 digest, const void *buf, size_t len)
{
	const u8 *p = buf;

	while (len--)
		digest = (digest ^ *p++) * 0x100000001b3ULL;
	return digest;
}

u64 machine_digest(void)
{
	u64 digest = mix(0, &gpu.counters, sizeof(gpu.counters)), count;
	u32 i, val;

	for (i = 0; i < VGPU_NUM_COMPLAINTS; i++) {
		count = vgpu_complaints(&gpu, i);
		digest = mix(digest, &count, sizeof(count));
	}
	for (i = 0; i < VGPU_NUM_REGS; i++) {
		val = vgpu_reg_peek(&gpu, i, NULL);
		digest = mix(digest, &val, sizeof(val));
	}
	digest = mix(digest, engine_ptr(&gpu, 0), vram_end + VGPU_PAGE_SIZE);
	return mix(digest, &now_ns, sizeof(now_ns));
}

u32 *machine_memory(u32 offset)
{
	offset %= FUZZ_VA_PAGES * VGPU_PAGE_SIZE;
	return engine_ptr(&gpu, memory + (offset & ~3U));
}

u32 *machine_vram(u32 offset)
{
	return engine_ptr(&gpu, memory + (offset & ~3U) % (vram_end - memory));
}

static void doorbell(u32 index, u64 val)
{
	vgpu_pci_write(&gpu, VFIO_PCI_BAR2_REGION_INDEX, index * 4, &val, 8);
}

void machine_submit(enum machine_queue which, const u32 *dwords, u32 num)
{
	struct ring *r = &rings[which % NUM_QUEUES];

	ring_put(r, dwords, num);
	doorbell(r->doorbell, r->wptr);
}

void machine_submit_sdma(const u32 *dwords, u32 num)
{
	u32 *ring = engine_ptr(&gpu, sdma_ring), i;

	for (i = 0; i < num; i++, sdma_wptr += 4)
		ring[sdma_wptr / 4 % (1U << SDMA_RING_LOG2)] = dwords[i];
	doorbell(FUZZ_DOORBELL_SDMA, sdma_wptr);
}

void machine_work(void)
{
	vgpu_work(&gpu, TURN_NS);
}
