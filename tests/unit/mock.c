// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The simulated machine: see mock.h.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <amdgpudbg.h>

#include "mock.h"

/* Where the module's folder of GPUs is, below the folder that stands for /proc */
#define MOCK_GPUS	"amdgpudbg-gpus/"

#define MAX_FDS 1024

static struct {
	const struct mock_node *nodes;
	size_t num_nodes;
	const struct mock_ioctl *ioctls;
	size_t num_ioctls;
	size_t next;
	const struct mock_ioctl *answers;
	size_t num_answers;
	int (*kernel)(unsigned long request, void *arg);
	bool module;
	const char *file;
	mode_t file_mode;
	dev_t file_rdev;
	bool is_node[MAX_FDS];
	const struct mock_node *node_of[MAX_FDS];
	const struct mock_node *current;
	struct {
		const void *data;
		size_t size;
	} events[8];
	size_t num_events;
	bool repeats;		/* the first of them, in each read */
	int end_error;		/* 0: they do not end */
	int writers[MAX_FDS];	/* by node: what keeps its events from ending */
	char proc[32];		/* the folder that is /proc, or empty */
	bool has_owner;
	uid_t owner;
	bool exited;
	int getfd_error;
	const char *getfd_file;
	const char *open_part;	/* paths that cannot be opened have this in them, */
	int open_error;		/* and this is why */
	unsigned int interrupted;	/* looks at a DRM file that are */
	int32_t opened_pid;
	int32_t shown_pid;	/* of it in /proc; 0: as it was opened */
	bool hidden_pid;	/* not there */
} mock;

const struct mock_node mock_node = { .name = "amdgpudbg0" };

struct amdgpudbg_busy mock_busy;

const struct amdgpudbg_info mock_info = {
	.size = sizeof(mock_info),
	.event_mask = 0x1fe,	/* none of jobs */
	.excp_supported = 0x2ff,
	.abi_version = AMDGPUDBG_ABI_VERSION,
	.gc_version = 10 << 16 | 3 << 8 | 1,
	.pci_domain = 0,
	.pci_bus = 4,
	.pci_device = 0,
	.pci_function = 0,
	.vendor_id = 0x1002,
	.device_id = 0x163f,
	.va_bits = 48,
	.num_xcc = 1,
	.num_se = 1,
	.num_sa = 2,
	.num_wgp = 4,
	.num_simd = 4,
	.num_wave = 16,
	.num_vmid = 16,
	.first_kfd_vmid = 8,
	.num_capabilities = 3,
	.num_active_cu = 8,
	.gpu_reset_count = 2,
	.render_minor = 128,
	.regset = AMDGPUDBG_REGSET_GFX10_3,
	.driver_build_id = "0123456789abcdef",
	.module_version = "9.8.7",
	.halt_left_ms = 59000,
	.halt_wait_ms = 7,
	.num_watch = 4,
	.watch_granule = 128,
	.watch_mask_ones = 0xffffffffc0000000,
	.num_sgpr = 108,
	.num_vgpr = 256,
	.num_ttmp = 16,
	.lds_granule = 256,
	.wave_sizes = 96,
	.max_trap_id = 15,
};

const struct amdgpudbg_wave mock_waves[4] = {
	{
		.at = { .se = 0, .sa = 0, .wgp = 0, .simd = 0, .wave = 0 },
		.flags = AMDGPUDBG_WAVE_PASID,
		.vmid = 1,
		.pasid = 0x8001,
		.hw_mask = MOCK_HW_MASK,
		.HW(STATUS) = 0x00010841,
		.pc = 0x800000001000,
		.exec = 0xffffffff,
		.HW(INST_DW0) = 0xbf800000,
	},
	{
		.at = { .se = 0, .sa = 0, .wgp = 3, .simd = 1, .wave = 5 },
		.flags = AMDGPUDBG_WAVE_PASID | AMDGPUDBG_WAVE_HALTED |
			 AMDGPUDBG_WAVE_PRIV | AMDGPUDBG_WAVE_WAVE64,
		.vmid = 1,
		.pasid = 0x8001,
		.hw_mask = MOCK_HW_MASK,
		.HW(STATUS) = 0x00012060,
		.pc = 0xffff800000001004,
		.exec = 0x8000000000000001,
		.HW(PC_LO) = 0x00001004,
		.HW(PC_HI) = 0x8000,
		.HW(EXEC_LO) = 0x00000001,
		.HW(EXEC_HI) = 0x80000000,
		.HW(TRAPSTS) = 0x80,
		.HW(INST_DW0) = 0xbf820000,
	},
	{
		.at = { .se = 0, .sa = 1, .wgp = 3, .simd = 0, .wave = 2 },
		.flags = AMDGPUDBG_WAVE_PASID,
		.vmid = 1,
		.pasid = 0x8001,
		.hw_mask = MOCK_HW_MASK,
		.HW(STATUS) = 0x00010000,
		.pc = 0x800000001008,
		.exec = 0xff,
	},
	{
		.at = { .se = 0, .sa = 1, .wgp = 3, .simd = 2, .wave = 0 },
		.vmid = 3,
		.hw_mask = MOCK_HW_MASK,
		.HW(STATUS) = 0x00010000,
		.pc = 0x900000000000,
		.exec = 0x1,
	},
};

static void __attribute__((noreturn, format(printf, 1, 2)))
broken(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("mock: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
	abort();
}

static void *real(const char *name)
{
	void *symbol = dlsym(RTLD_NEXT, name);

	if (!symbol)
		broken("no %s in libc", name);
	return symbol;
}

static int remove_one(const char *path, const struct stat *st, int flag,
		      struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	return remove(path);
}

void mock_reset(void)
{
	mock_busy = (struct amdgpudbg_busy){ 0 };
	char folder[sizeof(mock.proc)];

	strcpy(folder, mock.proc);
	mock.proc[0] = '\0';
	if (*folder && nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS))
		broken("%s stays", folder);
	memset(&mock, 0, sizeof(mock));
}

void mock_set_nodes(const struct mock_node *nodes, size_t count)
{
	mock.nodes = nodes;
	mock.num_nodes = count;
}

void mock_expect(const struct mock_ioctl *table, size_t count)
{
	mock.ioctls = table;
	mock.num_ioctls = count;
	mock.next = 0;
}

void mock_set_kernel(int (*kernel)(unsigned long request, void *arg))
{
	mock.kernel = kernel;
}

void mock_set_module(void)
{
	mock.module = true;
}

void mock_set_gpu(const char *address, const char *device, const char *node,
		  const char *status)
{
	const struct {
		const char *name;
		const char *value;
	} files[] = {
		{ "device/vendor", "0x1002" },
		{ "device/device", device },
		{ "node", node },
		{ "status", status },
	};
	char path[128], text[128];

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		snprintf(path, sizeof(path), MOCK_GPUS "%s/%s", address,
			 files[i].name);
		snprintf(text, sizeof(text), "%s\n", files[i].value);
		mock_proc_file(path, text);
	}
}

void mock_set_no_gpu(void)
{
	mock_proc_file(MOCK_GPUS ".none", "");
}

void mock_set_file(const char *path, mode_t mode, dev_t rdev)
{
	mock.file = path;
	mock.file_mode = mode;
	mock.file_rdev = rdev;
}

unsigned int mock_open_nodes(void)
{
	unsigned int n = 0;

	for (size_t fd = 0; fd < MAX_FDS; fd++)
		n += mock.is_node[fd];

	return n;
}

void mock_answer(const struct mock_ioctl *table, size_t count)
{
	mock.answers = table;
	mock.num_answers = count;
}

struct adbg_session *mock_session(const struct mock_ioctl *expect,
				  size_t count)
{
	struct adbg_session *session = NULL;

	mock_set_nodes(&mock_node, 1);
	mock_expect(expect, count);
	if (adbg_open("0", &session))
		broken("the session does not open");
	return session;
}

void mock_verify(void)
{
	if (mock.next != mock.num_ioctls)
		broken("%zu of %zu expected ioctls came", mock.next,
		       mock.num_ioctls);
	if (mock_open_nodes())
		broken("%u nodes are still open", mock_open_nodes());
}

int mock_setup(void **state)
{
	(void)state;
	mock_reset();
	return 0;
}

int mock_teardown(void **state)
{
	(void)state;
	mock_verify();
	return 0;
}

static void print_bytes(const char *what, const unsigned char *p, size_t size)
{
	fprintf(stderr, "%s", what);
	for (size_t i = 0; i < size; i++)
		fprintf(stderr, "%s%02x", i % 4 ? "" : " ", p[i]);
	fputc('\n', stderr);
}

static void compare(const struct mock_ioctl *call, const void *arg)
{
	if (!memcmp(call->in, arg, call->size))
		return;

	print_bytes("expected", call->in, call->size);
	print_bytes("came    ", arg, call->size);
	broken("ioctl %zu has another argument than expected", mock.next - 1);
}

void mock_flag_wave(struct amdgpudbg_wave *wave)
{
	uint32_t status = wave->HW(STATUS);

	if (status & 1 << 6)		/* TRAP_EN */
		wave->flags |= AMDGPUDBG_WAVE_HAS_HANDLER;
	if (status & 1 << 12)		/* IN_BARRIER */
		wave->flags |= AMDGPUDBG_WAVE_BARRIER;
	if (status & 1 << 23)
		wave->flags |= AMDGPUDBG_WAVE_FATAL_HALT;
}

/* As the module: records by stride, up to the capacity. */
static int give_waves(const struct mock_ioctl *call,
		      struct amdgpudbg_wave_list *list)
{
	char *to = (char *)(uintptr_t)list->waves;
	size_t size = sizeof(*call->waves);

	if (list->entry_size < size)
		size = list->entry_size;
	for (uint32_t i = 0; i < call->num_waves && i < list->capacity; i++) {
		struct amdgpudbg_wave wave = call->waves[i];

		mock_flag_wave(&wave);
		memset(to, 0, list->entry_size);
		memcpy(to, &wave, size);
		to += list->entry_size;
	}

	list->count = call->num_waves;
	list->gpu_reset_count = mock_info.gpu_reset_count;
	return call->num_waves > list->capacity ? EMSGSIZE : 0;
}

/* As the module: each operation with its results, and how many succeeded. */
static void give_batch(const struct mock_ioctl *call,
		       struct amdgpudbg_wave_batch *batch)
{
	struct amdgpudbg_batch_op *ops =
		(struct amdgpudbg_batch_op *)(uintptr_t)batch->ops;

	if (batch->count != call->num_ops ||
	    batch->entry_size != sizeof(*ops))
		broken("a batch of %u operations of %u bytes comes, not of %u",
		       batch->count, batch->entry_size, call->num_ops);

	for (uint32_t i = 0; i < batch->count; i++) {
		const struct mock_op *op = &call->ops[i];

		if (memcmp(&op->in, &ops[i].control, sizeof(op->in))) {
			print_bytes("expected", (const void *)&op->in,
				    sizeof(op->in));
			print_bytes("came    ", (const void *)&ops[i].control,
				    sizeof(op->in));
			broken("operation %u is another than expected", i);
		}
		ops[i].control.matched = op->matched;
		ops[i].control.changed = op->changed;
		ops[i].control.new_pc = op->new_pc;
		ops[i].error = -op->error;
		batch->done += !op->error;
	}
}

/* Where what the kernel writes begins: what it reads stays. */
static size_t first_output(unsigned long request)
{
	switch (request) {
	case AMDGPUDBG_IOC_WAVE_CONTROL:
		return offsetof(struct amdgpudbg_wave_control, matched);
	case AMDGPUDBG_IOC_TARGET_SET:
		return offsetof(struct amdgpudbg_target_set, pasid);
	case AMDGPUDBG_IOC_REG_ACCESS:
		return offsetof(struct amdgpudbg_reg_access, num_done);
	case AMDGPUDBG_IOC_MEM_ALLOC:
		return offsetof(struct amdgpudbg_mem_alloc, bytes);
	case AMDGPUDBG_IOC_TRAP_HANDLER:
		return offsetof(struct amdgpudbg_trap_handler, vmid);
	case AMDGPUDBG_IOC_WATCH_SET:
		return offsetof(struct amdgpudbg_watch_set, vmid);
	case AMDGPUDBG_IOC_LAUNCH_SET:
		return offsetof(struct amdgpudbg_launch_set, vmid);
	default:
		return 0;
	}
}

static void give_out(unsigned long request, void *arg, const void *out,
		     size_t size)
{
	size_t first = first_output(request);
	const struct amdgpudbg_watch_set *watch = out;

	memcpy((char *)arg + first, (const char *)out + first, size - first);
	if (request == AMDGPUDBG_IOC_WATCH_SET)
		((struct amdgpudbg_watch_set *)arg)->id = watch->id;
}

/* Not one that a test expects: who words an error may ask. */
static int answer_busy(struct amdgpudbg_busy *busy)
{
	if (busy->size != sizeof(*busy) || busy->flags)
		broken("GET_BUSY is not as it should be");
	*busy = mock_busy;
	busy->size = sizeof(*busy);
	return 0;
}

/* The module removes the descriptor from this process, also when the call fails. */
static void take_fd(const struct amdgpudbg_target_set *target)
{
	if (target->flags & AMDGPUDBG_TARGET_SET_TAKE_FD)
		close(target->drm_fd);
}

static int give(const struct mock_ioctl *call, unsigned long request, void *arg)
{
	int error = call->error;

	if (call->in)
		compare(call, arg);
	if (call->check)
		call->check(arg);
	if (call->waves && !error)
		error = give_waves(call, arg);
	if (call->ops && !error)
		give_batch(call, arg);
	if (call->out)
		give_out(request, arg, call->out, call->size);
	if (request == AMDGPUDBG_IOC_TARGET_SET)
		take_fd(arg);
	if (error) {
		errno = error;
		return -1;
	}
	return 0;
}

static int ask_kernel(unsigned long request, void *arg)
{
	int error = mock.kernel(request, arg);

	if (request == AMDGPUDBG_IOC_TARGET_SET)
		take_fd(arg);
	if (!error)
		return 0;
	errno = -error;
	return -1;
}

/* The description of a node that has its own, unless the test expects the call in its table */
static bool answer_info(int fd, unsigned long request, void *arg)
{
	const struct mock_node *node = mock.node_of[fd];
	struct amdgpudbg_info *info = arg;

	if (request != AMDGPUDBG_IOC_GET_INFO || !node->info || info->size != sizeof(*info))
		return false;
	*info = *node->info;
	return true;
}

static int answer(unsigned long request, void *arg)
{
	const struct mock_ioctl *call = &mock.ioctls[mock.next];

	if (request == AMDGPUDBG_IOC_GET_BUSY)
		return answer_busy(arg);
	if (mock.kernel)
		return ask_kernel(request, arg);
	for (size_t i = 0; i < mock.num_answers; i++)
		if (mock.answers[i].request == request)
			return give(&mock.answers[i], request, arg);
	if (mock.next == mock.num_ioctls)
		broken("ioctl %#lx comes after the %zu expected", request,
		       mock.num_ioctls);
	mock.next++;
	if (request != call->request)
		broken("ioctl %zu is %#lx instead of %#lx", mock.next - 1,
		       request, call->request);

	/* As the module, which knows of none. */
	if (request == AMDGPUDBG_IOC_GET_INFO &&
	    ((const struct amdgpudbg_info *)arg)->flags)
		broken("ioctl %zu has flags", mock.next - 1);
	return give(call, request, arg);
}

int ioctl(int fd, unsigned long request, ...)
{
	int (*real_ioctl)(int fd, unsigned long request, void *arg);
	va_list args;
	void *arg;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);

	if (fd >= 0 && fd < MAX_FDS && mock.is_node[fd]) {
		mock.current = mock.node_of[fd];
		return answer_info(fd, request, arg) ? 0 : answer(request, arg);
	}

	real_ioctl = real("ioctl");
	return real_ioctl(fd, request, arg);
}

/* Directories of which nothing but the files of the test exists, as "DIR..." below ours */
static const char *const hidden[] = {
	"/sys/dev/char/", "/sys/bus/pci/devices/", "/usr/share/libdrm/",
};

/* A path below the real /proc as one below ours. */
static const char *map_proc(const char *path, char mapped[128])
{
	const char *gpus = "/sys/module/amdgpudbg/gpus";
	/* By these, the library opens files again. */
	const char *own = "/proc/self/fd/";

	for (size_t i = 0; i < ARRAY_SIZE(hidden); i++) {
		if (strncmp(path, hidden[i], strlen(hidden[i])))
			continue;
		snprintf(mapped, 128, "%s%s", *mock.proc ? mock.proc : "/none", path);
		return mapped;
	}
	if (!strncmp(path, gpus, strlen(gpus))) {
		snprintf(mapped, 128, "%s/" MOCK_GPUS "%s", mock.module ?
			 mock.proc : "/none", path + strlen(gpus));
		return mapped;
	}
	if (!*mock.proc || strncmp(path, "/proc", 5) ||
	    (path[5] && path[5] != '/') || !strncmp(path, own, strlen(own)))
		return path;
	snprintf(mapped, 128, "%s%s", mock.proc, path + 5);
	return mapped;
}

/* True: it is not to be opened, and errno says why. */
static bool open_fails(const char *path)
{
	if (!mock.open_part || !strstr(path, mock.open_part))
		return false;
	errno = mock.open_error;
	return true;
}

/*
 * amdgpu says nothing of a DRM file where a signal has kept it from taking the lock of the
 * address space (amdgpu_show_fdinfo(), Linux 6.1).
 */
static const char *interrupt_fdinfo(const char *path)
{
	if (!mock.interrupted || !strstr(path, "/fdinfo/") ||
	    strstr(path, "/self/"))
		return path;
	mock.interrupted--;
	return "/proc/self/fdinfo/none";
}

static int real_open(const char *path, int flags, mode_t mode)
{
	int (*fn)(const char *path, int flags, ...) = real("open");

	return fn(path, flags, mode);
}

const struct mock_node *mock_current_node(void)
{
	return mock.current;
}

void mock_add_events(const void *events, size_t size)
{
	if (mock.num_events == ARRAY_SIZE(mock.events))
		broken("too many reads");
	mock.events[mock.num_events].data = events;
	mock.events[mock.num_events++].size = size;
}

void mock_send_events(const void *events, size_t size)
{
	for (int fd = 0; fd < MAX_FDS; fd++)
		if (mock.writers[fd] &&
		    send(mock.writers[fd], events, size, 0) != (ssize_t)size)
			broken("no room for events");
}

void mock_end_events(int error)
{
	mock.end_error = error;
}

void mock_close_events(int error)
{
	for (int fd = 0; fd < MAX_FDS; fd++) {
		if (mock.writers[fd])
			close(mock.writers[fd]);
		mock.writers[fd] = 0;
	}
	mock.end_error = error;
}

void mock_repeat_events(void)
{
	mock.repeats = true;
}

/* A node is a socket, so that events can be read and waited for. */
static int make_node(const struct mock_node *node)
{
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) ||
	    fds[0] >= MAX_FDS)
		broken("no descriptor for a node");
	for (size_t i = 0; i < mock.num_events; i++)
		if (send(fds[1], mock.events[i].data, mock.events[i].size, 0) !=
		    (ssize_t)mock.events[i].size)
			broken("no room for events");
	if (mock.end_error)
		close(fds[1]);
	mock.writers[fds[0]] = mock.end_error ? 0 : fds[1];
	mock.is_node[fds[0]] = true;
	mock.node_of[fds[0]] = node;
	return fds[0];
}

ssize_t read(int fd, void *buf, size_t size)
{
	ssize_t (*real_read)(int fd, void *buf, size_t size) = real("read");
	ssize_t n;

	/* What was sent is not read, so that poll() finds it each time. */
	if (mock.repeats && fd >= 0 && fd < MAX_FDS && mock.is_node[fd]) {
		if (mock.events[0].size > size)
			broken("no room for events");
		memcpy(buf, mock.events[0].data, mock.events[0].size);
		return (ssize_t)mock.events[0].size;
	}
	n = real_read(fd, buf, size);
	if (n || fd < 0 || fd >= MAX_FDS || !mock.is_node[fd])
		return n;
	errno = mock.end_error;
	return -1;
}

static int open_node(const char *name)
{
	for (size_t i = 0; i < mock.num_nodes; i++) {
		if (strcmp(mock.nodes[i].name, name))
			continue;
		if (mock.nodes[i].error) {
			errno = mock.nodes[i].error;
			return -1;
		}
		return make_node(&mock.nodes[i]);
	}

	errno = ENOENT;
	return -1;
}

int open(const char *path, int flags, ...)
{
	char mapped[128];
	mode_t mode = 0;
	va_list args;

	if (!strncmp(path, "/dev/amdgpudbg", 14))
		return open_node(path + 5);

	if (flags & O_CREAT) {
		va_start(args, flags);
		mode = va_arg(args, mode_t);
		va_end(args);
	}
	if (open_fails(path))
		return -1;
	return real_open(map_proc(interrupt_fdinfo(path), mapped), flags, mode);
}

static ssize_t real_readlink(const char *path, char *to, size_t size)
{
	ssize_t (*fn)(const char *path, char *to, size_t size) = real("readlink");

	return fn(path, to, size);
}

ssize_t readlink(const char *path, char *to, size_t size)
{
	char mapped[128];

	return real_readlink(map_proc(path, mapped), to, size);
}

void mock_proc_file(const char *name, const char *text)
{
	char path[128], *slash;
	int fd;

	if (!*mock.proc) {
		strcpy(mock.proc, "/tmp/mock-proc-XXXXXX");
		if (!mkdtemp(mock.proc))
			broken("no folder");
		mock_proc_file("self/fdinfo/none", "");
	}

	snprintf(path, sizeof(path), "%s/%s", mock.proc, name);
	for (slash = path + strlen(mock.proc) + 1;
	     (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		if (mkdir(path, 0700) && errno != EEXIST)
			broken("no folder %s", path);
		*slash = '/';
	}
	fd = real_open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		broken("no file %s", path);
	close(fd);
}

void mock_proc_owner(uid_t uid)
{
	mock.has_owner = true;
	mock.owner = uid;
}

void mock_proc_link(const char *name, const char *to)
{
	char path[128];

	mock_proc_file(name, "");
	snprintf(path, sizeof(path), "%s/%s", mock.proc, name);
	if (unlink(path) || symlink(to, path))
		broken("no link %s", path);
}

void mock_set_open_error(const char *part, int error)
{
	mock.open_part = part;
	mock.open_error = error;
}

void mock_set_interrupted(unsigned int times)
{
	mock.interrupted = times;
}

void mock_set_getfd_error(int error)
{
	mock.getfd_error = error;
}

void mock_set_getfd_file(const char *name)
{
	mock.getfd_file = name;
}

void mock_set_shown_pid(pid_t pid)
{
	mock.shown_pid = pid;
	mock.hidden_pid = !pid;
}

void mock_set_exited(void)
{
	mock.exited = true;
}

uid_t geteuid(void)
{
	/* Root, also if another user runs the test. */
	return mock.has_owner ? 1000 : 0;
}

int pidfd_open(pid_t pid, unsigned int flags)
{
	char path[128], name[32], text[64];
	int fd;

	if (flags)
		broken("pidfd_open() with flags %#x", flags);
	snprintf(path, sizeof(path), "%s/%d", mock.proc, pid);
	if (!*mock.proc || access(path, F_OK)) {
		errno = ESRCH;
		return -1;
	}
	mock.opened_pid = mock.shown_pid ? mock.shown_pid : pid;
	fd = eventfd(mock.exited, EFD_CLOEXEC);
	snprintf(name, sizeof(name), "self/fdinfo/%d", fd);
	snprintf(path, sizeof(path), "%s/%s", mock.proc, name);
	unlink(path);
	snprintf(text, sizeof(text), "pos:\t0\nPid:\t%d\nNSpid:\t%d\n",
		 mock.hidden_pid ? 0 : mock.opened_pid, pid);
	mock_proc_file(name, text);
	return fd;
}

int pidfd_getfd(int pidfd, int targetfd, unsigned int flags)
{
	char file[64], to[128], from[128];
	int fd;

	if (flags || pidfd < 0)
		broken("pidfd_getfd(%d, %d, %#x)", pidfd, targetfd, flags);
	if (mock.getfd_error) {
		errno = mock.getfd_error;
		return -1;
	}
	fd = real_open("/dev/null", O_RDWR | O_CLOEXEC, 0);
	snprintf(file, sizeof(file), "%d/fdinfo/%d", mock.opened_pid, targetfd);
	snprintf(to, sizeof(to), "%s/%s", mock.proc,
		 mock.getfd_file ? mock.getfd_file : file);
	mock.getfd_file = NULL;
	snprintf(from, sizeof(from), "%s/self/fdinfo/%d", mock.proc, fd);
	unlink(from);
	if (fd < 0 || symlink(to, from))
		broken("no descriptor for %s", file);
	return fd;
}

int close(int fd)
{
	int (*real_close)(int fd) = real("close");

	if (fd >= 0 && fd < MAX_FDS && mock.is_node[fd]) {
		mock.is_node[fd] = false;
		if (mock.writers[fd])
			real_close(mock.writers[fd]);
		mock.writers[fd] = 0;
	}

	return real_close(fd);
}

int scandir(const char *path, struct dirent ***entries,
	    int (*wanted)(const struct dirent *entry),
	    int (*compare)(const struct dirent **a, const struct dirent **b))
{
	typeof(scandir) *real_scandir = real("scandir");
	char mapped[128];

	return real_scandir(map_proc(path, mapped), entries, wanted, compare);
}

/* A folder with the names of the nodes, to be read by readdir(). */
DIR *opendir(const char *path)
{
	DIR *(*real_opendir)(const char *path) = real("opendir");
	char folder[] = "/tmp/mock-dev-XXXXXX";
	char name[sizeof(folder) + NAME_MAX + 1];
	char mapped[128];
	DIR *dir;

	if (open_fails(path))
		return NULL;
	if (strcmp(path, "/dev"))
		return real_opendir(map_proc(path, mapped));

	if (!mkdtemp(folder))
		broken("no folder");
	for (size_t i = 0; i < mock.num_nodes; i++) {
		snprintf(name, sizeof(name), "%s/%s", folder,
			 mock.nodes[i].name);
		close(real_open(name, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
	}

	dir = real_opendir(folder);
	if (!dir)
		broken("cannot read %s", folder);
	return dir;
}

int closedir(DIR *dir)
{
	int (*real_closedir)(DIR *dir) = real("closedir");
	char link[64], folder[64], name[sizeof(folder) + NAME_MAX + 1];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", dirfd(dir));
	n = real_readlink(link, folder, sizeof(folder) - 1);
	if (n > 0) {
		folder[n] = '\0';
		if (!strncmp(folder, "/tmp/mock-dev-", 14)) {
			for (size_t i = 0; i < mock.num_nodes; i++) {
				snprintf(name, sizeof(name), "%s/%s", folder,
					 mock.nodes[i].name);
				unlink(name);
			}
			rmdir(folder);
		}
	}

	return real_closedir(dir);
}

int stat(const char *path, struct stat *st)
{
	int (*real_stat)(const char *path, struct stat *st) = real("stat");
	char mapped[128];
	int ret;

	if (mock.file && !strcmp(path, mock.file)) {
		memset(st, 0, sizeof(*st));
		st->st_mode = mock.file_mode;
		st->st_rdev = mock.file_rdev;
		return 0;
	}
	if (!strcmp(path, "/sys/module/amdgpudbg")) {
		errno = ENOENT;
		return mock.module ? 0 : -1;
	}

	ret = real_stat(map_proc(path, mapped), st);
	if (!ret && mock.has_owner && !strncmp(path, "/proc/", 6))
		st->st_uid = mock.owner;
	return ret;
}
