// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A process of a user who takes no part in the debugging. Its memory lies between the
 * pieces of all memory that the targets get:
 *
 * - It allocates all of VRAM, most of it in large pieces, and frees two of three pages of
 *   a part of the rest. Then it allocates what remains, and what amdgpu has reserved for
 *   page tables, in small pieces that do not fit into these gaps, and frees every second
 *   one. An object in VRAM that is larger than such a piece is therefore scattered, with
 *   pages of this process between its parts.
 * - In system memory it allocates single pages, as objects and as anonymous memory, and
 *   frees two of three of these as well. The kernel decides where it puts the pages of
 *   other processes, but pages of this process are their neighbours.
 *
 * Code that assumes that an object is longer than it is, or that it is contiguous, reads
 * or changes such a page. foreign_check() finds a changed page, foreign_is_in() one that
 * was read.
 */
#define _GNU_SOURCE
#include "foreign.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../vm/guest/parts/until.h"
#include "drm.h"
#include "rng.h"
#include "victims.h"

#define PAGE 4096
#define WORDS (PAGE / 4)
#define ANSWER_S 60
#define END_LOOK_MS 20

/* Largest number of objects of one page in VRAM */
#define NUM_SMALL (3072 + 64)
/*
 * Largest number of objects of MEDIUM bytes in VRAM. They fill what WINDOW and
 * MEDIUM_WINDOW leave, and do not fit into the gaps between small objects.
 */
#define NUM_MEDIUM (1024 + MEDIUM_WINDOW / MEDIUM)
#define MEDIUM (4 * PAGE)
#define NUM_GTT 384
#define NUM_ANON 384
/* The process keeps one of this many objects and frees the others. */
#define SMALL_KEPT 3
#define MEDIUM_KEPT 2

/* Indices in pieces[] of the first piece of each kind */
#define FIRST_MEDIUM NUM_SMALL
#define FIRST_GTT (FIRST_MEDIUM + NUM_MEDIUM)
#define FIRST_ANON (FIRST_GTT + NUM_GTT)
#define NUM_PIECES (FIRST_ANON + NUM_ANON)

/*
 * VRAM that the large pieces leave for the small ones. Two thirds of it are at least what
 * amdgpu reserves for page tables (AMDGPU_VM_RESERVED_VRAM, 8 MiB in Linux 6.1).
 */
#define WINDOW (3072ull * PAGE)
/*
 * VRAM that the large pieces leave for the medium ones, which free half of it. While less
 * than an eighth of VRAM (256 MiB) is free, amdgpu moves at most 8 MB a second into it for
 * all processes together (amdgpu_cs_get_threshold_for_moves()). The processes ask for
 * more, so without this free half, the targets' buffers would stay in system memory.
 */
#define MEDIUM_WINDOW (64 << 20)
/* If free VRAM has grown by this many bytes, amdgpu has moved a large piece out of it. */
#define GAP (4 << 20)

/* With GTT as a second choice, amdgpu evicts no other object if VRAM has no room. */
#define VRAM_IF_FREE (AMDGPU_GEM_DOMAIN_VRAM | AMDGPU_GEM_DOMAIN_GTT)

#define LARGEST (64 << 20)
#define SMALLEST (64 << 10)
#define MAX_LARGE 64

struct piece {
	uint32_t handle;	/* 0: none, or anonymous memory */
	uint32_t *at;		/* NULL: it was freed */
};

static struct piece pieces[NUM_PIECES];
static uint32_t large[MAX_LARGE];
static unsigned int num_large;
static uint64_t hidden;		/* bytes of VRAM that amdgpu counts as free but never allocates */
static uint64_t free_at_first;	/* free bytes of VRAM after all pieces were allocated */
static int drm;

static size_t bytes_of(unsigned int i)
{
	return i >= FIRST_MEDIUM && i < FIRST_GTT ? MEDIUM : PAGE;
}

static bool is_kept(unsigned int i)
{
	return !(i % (bytes_of(i) == MEDIUM ? MEDIUM_KEPT : SMALL_KEPT));
}

static void fill(unsigned int i)
{
	size_t w;

	for (w = 0; w < bytes_of(i) / 4; w += 2) {
		pieces[i].at[w] = FOREIGN_MARK;
		pieces[i].at[w + 1] = i;
	}
}

static bool is_right(unsigned int i)
{
	size_t w;

	for (w = 0; w < bytes_of(i) / 4; w += 2)
		if (pieces[i].at[w] != FOREIGN_MARK ||
		    pieces[i].at[w + 1] != i)
			return false;
	return true;
}

static int create(unsigned int i)
{
	if (i >= FIRST_ANON)
		return 0;
	if (i >= FIRST_GTT)
		return drm_create(drm, PAGE, AMDGPU_GEM_DOMAIN_GTT, 0,
				  &pieces[i].handle);
	return drm_create_aligned(drm, bytes_of(i), bytes_of(i), VRAM_IF_FREE,
				  AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED,
				  &pieces[i].handle);
}

static int map_and_fill(unsigned int i)
{
	struct piece *p = &pieces[i];

	if (p->handle)
		p->at = drm_mmap(drm, p->handle, bytes_of(i));
	else
		p->at = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (!p->at || p->at == MAP_FAILED) {
		p->at = NULL;
		return -ENOMEM;
	}
	fill(i);
	return 0;
}

static int make(unsigned int i)
{
	int ret = create(i);

	return !ret && is_kept(i) ? map_and_fill(i) : ret;
}

/* Clears the page first: in Linux 6.1, the next owner of a page in VRAM finds its contents. */
static void give_back(unsigned int i)
{
	struct piece *p = &pieces[i];

	if (p->at) {
		memset(p->at, 0, bytes_of(i));
		munmap(p->at, bytes_of(i));
	}
	if (p->handle)
		drm_close(drm, p->handle);
	memset(p, 0, sizeof(*p));
}

static void give_back_all(void)
{
	unsigned int i;

	for (i = 0; i < NUM_PIECES; i++)
		give_back(i);
	while (num_large)
		drm_close(drm, large[--num_large]);
}

/* Allocate a large piece. @taken is false if VRAM had no room for it, and it was freed. */
static int take_piece(uint64_t bytes, bool *taken)
{
	uint64_t before, left;
	uint32_t handle;
	int ret = drm_vram_free(drm, &before);

	*taken = false;
	if (!ret)
		ret = drm_create(drm, bytes, VRAM_IF_FREE,
				 AMDGPU_GEM_CREATE_NO_CPU_ACCESS, &handle);
	if (ret)
		return ret;
	ret = drm_vram_free(drm, &left);
	*taken = !ret && left < before && num_large < MAX_LARGE;
	if (*taken)
		large[num_large++] = handle;
	else
		drm_close(drm, handle);
	return ret;
}

/* Allocate all of VRAM but @spared bytes, in pieces that are as large as possible. */
static int take_large(uint64_t spared)
{
	uint64_t bytes, left = 0;
	bool taken;
	int ret = 0;

	for (bytes = LARGEST; bytes >= SMALLEST && !ret; bytes /= 2) {
		do {
			taken = false;
			ret = drm_vram_free(drm, &left);
			if (!ret && left >= hidden + spared + bytes)
				ret = take_piece(bytes, &taken);
		} while (!ret && taken);
	}
	return ret;
}

static int find_hidden(void)
{
	int ret = take_large(0);

	if (!ret)
		ret = drm_vram_free(drm, &hidden);
	while (num_large)
		drm_close(drm, large[--num_large]);
	return ret;
}

/*
 * Allocate the pieces from @first on, until VRAM has no more room, and then free those that
 * is_kept() does not keep.
 */
static int take_small(unsigned int first, unsigned int end)
{
	uint64_t before, left;
	unsigned int i;
	int ret = drm_vram_free(drm, &left);

	for (i = first; i < end && !ret; i++) {
		before = left;
		ret = make(i);
		if (!ret)
			ret = drm_vram_free(drm, &left);
		if (!ret && left >= before) {
			give_back(i);
			break;
		}
	}
	for (i = first; i < end; i++)
		if (!is_kept(i))
			give_back(i);
	return ret;
}

static int make_all(void)
{
	unsigned int i;
	int ret = take_large(WINDOW + MEDIUM_WINDOW);

	if (!ret)
		ret = take_small(0, FIRST_MEDIUM);
	if (!ret)
		ret = take_small(FIRST_MEDIUM, FIRST_GTT);
	for (i = FIRST_GTT; i < NUM_PIECES && !ret; i++)
		ret = make(i);
	for (i = FIRST_GTT; i < NUM_PIECES; i++)
		if (!is_kept(i))
			give_back(i);
	return ret ? ret : drm_vram_free(drm, &free_at_first);
}

/* True if amdgpu has evicted large pieces from VRAM, so that it has large gaps. */
static bool has_large_gaps(void)
{
	uint64_t left;

	return !drm_vram_free(drm, &left) && left > free_at_first + GAP;
}

static void look(struct rng *r, struct foreign_answer *answer)
{
	unsigned int i;

	memset(answer, 0, sizeof(*answer));
	for (i = 0; i < NUM_PIECES; i++) {
		if (!pieces[i].at)
			continue;
		answer->pieces++;
		answer->wrong += !is_right(i);
	}
	if (has_large_gaps()) {
		answer->rebuilt = 1;
		give_back_all();
		answer->error = make_all();
		return;
	}
	for (i = 0; i < NUM_PIECES && !answer->error; i++) {
		if (!pieces[i].at || !rng_once_in(r, 16))
			continue;
		give_back(i);
		answer->error = make(i);
	}
}

static void __attribute__((noreturn)) run(uid_t uid, int fd)
{
	struct foreign_answer answer = { 0 };
	struct rng r = { 1 };
	char c;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	answer.error = victim_become(uid);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	drm = open(RENDER_NODE, O_RDWR | O_CLOEXEC);
	if (!answer.error && drm < 0)
		answer.error = -errno;
	if (!answer.error)
		answer.error = find_hidden();
	if (!answer.error)
		answer.error = make_all();
	/* The first answer is sent without a request: all pieces are allocated. */
	while (write(fd, &answer, sizeof(answer)) == sizeof(answer) &&
	       !answer.error && read(fd, &c, 1) == 1)
		look(&r, &answer);
	_exit(0);
}

static int receive(struct foreign *f, struct foreign_answer *answer)
{
	struct pollfd in = { .fd = f->fd, .events = POLLIN };
	int64_t left = deadline_ns(ANSWER_S) - now_ns();

	if (poll(&in, 1, left / 1000000) <= 0)
		return -ETIME;
	if (read(f->fd, answer, sizeof(*answer)) != sizeof(*answer))
		return -ECHILD;
	return answer->error;
}

int foreign_start(struct foreign *f, uid_t uid)
{
	struct foreign_answer answer;
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds))
		return -errno;
	f->pid = fork();
	if (!f->pid) {
		close(fds[0]);
		run(uid, fds[1]);
	}
	close(fds[1]);
	f->fd = fds[0];
	return f->pid < 0 ? -errno : receive(f, &answer);
}

int foreign_check(struct foreign *f, struct foreign_answer *answer)
{
	if (send(f->fd, "", 1, MSG_NOSIGNAL) != 1)
		return -ECHILD;
	return receive(f, answer);
}

int foreign_end(struct foreign *f)
{
	int64_t end = deadline_ns(ANSWER_S);
	pid_t pid = f->pid;

	if (pid <= 0)
		return 0;
	close(f->fd);
	f->pid = 0;
	kill(pid, SIGKILL);
	/* It closes its DRM file, which waits for ever if another file does not close. */
	while (!waitpid(pid, NULL, WNOHANG)) {
		if (now_ns() > end)
			return -ETIME;
		poll(NULL, 0, END_LOOK_MS);
	}
	return 0;
}

bool foreign_is_in(const void *data, size_t bytes)
{
	const uint32_t *word = data;
	size_t i, n = bytes / 4;

	/* The same number behind two marks is no chance. */
	for (i = 0; i + 3 < n; i++)
		if (word[i] == FOREIGN_MARK && word[i + 2] == FOREIGN_MARK &&
		    word[i + 1] == word[i + 3] && word[i + 1] < NUM_PIECES)
			return true;
	return false;
}
