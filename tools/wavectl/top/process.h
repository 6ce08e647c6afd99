/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The processes of the waves, and what their memory tells about a PC.
 */
#ifndef WAVECTL_TOP_PROCESS_H
#define WAVECTL_TOP_PROCESS_H

#include "debug/insn.h"
#include "report/process.h"
#include "top/hot.h"
#include "top/map.h"

#define TOP_TITLE_MAX	192

/* A process with waves. Its memory is read for names and instructions, if the caller may. */
struct top_process {
	size_t gpu;			/* index in struct top */
	uint32_t pasid;
	int32_t owner;			/* as the module reports it; 0: unknown */
	int32_t pid;			/* that has the client; 0: unknown */
	char *program;			/* NULL: unknown */
	bool is_open;
	struct report_process of;	/* if it is open */
	uint64_t seen_at, looked_at;	/* numbers of samples */
	uint64_t search_after_ns;	/* when code objects may be searched for again */
	bool has_files;			/* the code objects of --code-object were added */
};

struct top_gpu {
	struct adbg_session *session;
	struct amdgpudbg_info info;
	char title[TOP_TITLE_MAX];	/* "GPU 0: AMD Custom GPU 0405" */
	struct map map;
	struct adbg_wave_list *list;	/* of the last sample */
	struct adbgd_disasm *disasm[2];	/* for 32 and 64 lanes; NULL: not opened yet */
	bool has_no_disasm;
};

struct top {
	struct wavectl *w;
	int interrupt_fd;
	struct top_gpu *gpus;
	size_t num_gpus;
	struct top_process **processes;
	size_t num_processes;
	struct hot hot;
	char *ignored;			/* the last error of a search for names */
};

/* The process of a wave; NULL: it is not known */
struct top_process *top_find_process(const struct top *t, size_t gpu, uint32_t pasid);
/* The same, and look for it if it is new */
struct top_process *top_get_process(struct top *t, size_t gpu, const struct amdgpudbg_wave *wave);
/* Find the names of a PC, as far as they can be found. @p: its process; NULL: unknown */
void top_name(struct top *t, struct top_process *p, struct hot_entry *entry);
/* A disassembler for the code at @pc; NULL: there is no LLVM */
struct adbgd_disasm *top_disasm(struct top *t, const struct top_process *p, uint64_t pc,
				uint32_t lanes);
/* Forget processes that had no wave for some samples. */
void top_drop_processes(struct top *t, bool all);

#endif /* WAVECTL_TOP_PROCESS_H */
