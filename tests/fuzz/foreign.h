/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory of another user around that of the targets: see foreign.c.
 */
#ifndef FUZZ_FOREIGN_H
#define FUZZ_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Each page has this word, and then its number, again and again. */
#define FOREIGN_MARK 0x5ec2e757u

struct foreign {
	pid_t pid;
	int fd;
};

/* What a look at this memory shows */
struct foreign_answer {
	int error;		/* -errno: they could not be made again */
	uint32_t pieces;	/* that were looked at */
	uint32_t wrong;		/* of them, changed by others */
	uint32_t rebuilt;	/* VRAM had lost its gaps, and all were made again */
};

/* As root. 0 or -errno. */
int foreign_start(struct foreign *f, uid_t uid);
/* Look whether all are as they were, and make some again elsewhere. 0 or -errno. */
int foreign_check(struct foreign *f, struct foreign_answer *answer);
void foreign_end(struct foreign *f);

/* Is some of such a page in what was read from a target's memory? */
bool foreign_is_in(const void *data, size_t bytes);

#endif /* FUZZ_FOREIGN_H */
