// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * See mc.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mc.h"

#define MAX_LINE	512

static bool write_lines(int fd, struct mc_insn *const *insns, unsigned int num)
{
	FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
	unsigned int n;

	if (!f)
		return false;
	for (n = 0; n < num; n++)
		fprintf(f, "%s\n", insns[n]->text);
	return !fclose(f);
}

/* How many have got their words */
static unsigned int read_words(FILE *f, struct mc_insn *const *insns, unsigned int num)
{
	char line[MAX_LINE];
	unsigned int n = 0;

	while (n < num && fgets(line, sizeof(line), f)) {
		struct mc_insn *insn = insns[n];
		char *s = strstr(line, "encoding: [");
		u8 *to = (u8 *)insn->words;

		if (!s)
			continue;
		insn->num_words = 0;
		for (s += 10; *s == '[' || *s == ','; insn->num_words++)
			*to++ = (u8)strtoul(s + 1, &s, 16);
		insn->num_words /= 4;
		n++;
	}
	return n;
}

bool mc_encode(struct mc_insn *const *insns, unsigned int num, unsigned int lanes)
{
	char path[] = "/tmp/mc.XXXXXX", cmd[256];
	unsigned int done = 0;
	FILE *f;

	if (!write_lines(mkstemp(path), insns, num))
		return false;
	snprintf(cmd, sizeof(cmd),
		 "llvm-mc-19 -triple=amdgcn-amd-amdhsa -mcpu=gfx1033 %s -show-encoding %s",
		 lanes == 64 ? "-mattr=-wavefrontsize32,+wavefrontsize64" : "",
		 path);
	f = popen(cmd, "r");
	if (f) {
		done = read_words(f, insns, num);
		pclose(f);
	}
	unlink(path);
	/* One that is wrong would shift all others. */
	if (done && done != num) {
		printf("Bail out! llvm-mc-19 takes not all instructions\n");
		exit(1);
	}
	return done;
}
