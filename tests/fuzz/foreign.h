/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Starts and checks the process whose memory surrounds that of the targets: see
 * foreign.c.
 */
#ifndef FUZZ_FOREIGN_H
#define FUZZ_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Each page is filled with pairs of words: this mark, and the number of the page. */
#define FOREIGN_MARK 0x5ec2e757u

struct foreign {
	pid_t pid;
	int fd;
};

/* The result of foreign_check() */
struct foreign_answer {
	int error;		/* -errno if the pieces could not be allocated again */
	uint32_t pieces;	/* number of pieces that were checked */
	uint32_t wrong;		/* how many of them another process has changed */
	uint32_t rebuilt;	/* VRAM had lost its gaps: all pieces were allocated again */
};

/* Start the process as user @uid; the caller must be root. Returns 0 or -errno. */
int foreign_start(struct foreign *f, uid_t uid);
/* Check that all pages hold what they did, and move some of them. Returns 0 or -errno. */
int foreign_check(struct foreign *f, struct foreign_answer *answer);
/* Returns 0, or -ETIME if the process does not end. */
int foreign_end(struct foreign *f);

/* True if data that was read from a target's memory has a part of such a page. */
bool foreign_is_in(const void *data, size_t bytes);

#endif /* FUZZ_FOREIGN_H */
