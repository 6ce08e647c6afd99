// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The options: what they are called, what they mean, how they are checked.
 */
#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>

#include "util.h"
#include "wavectl.h"

/* timerfd takes more, but nobody waits for that. */
#define MAX_HOLD_SECONDS 1e9

static bool set_gpu(struct wavectl *w, const char *arg)
{
	uint64_t number;

	w->gpu = arg;
	return parse_u64(arg, UINT32_MAX, &number);
}

static bool set_pci(struct wavectl *w, const char *arg)
{
	w->pci = arg;
	return true;
}

static bool set_render(struct wavectl *w, const char *arg)
{
	w->render = arg;
	return true;
}

static bool set_json(struct wavectl *w, const char *arg)
{
	(void)arg;
	w->json = true;
	return true;
}

static bool set_dry_run(struct wavectl *w, const char *arg)
{
	(void)arg;
	w->dry_run = true;
	return true;
}

static bool set_verbose(struct wavectl *w, const char *arg)
{
	(void)arg;
	w->verbose = true;
	return true;
}

static bool set_help(struct wavectl *w, const char *arg)
{
	(void)arg;
	w->help = true;
	return true;
}

static bool set_vmid(struct wavectl *w, const char *arg)
{
	uint64_t vmid;

	/* A VMID is a bit of the 32-bit mask of the kernel interface. */
	if (!parse_u64(arg, 31, &vmid) || !vmid)
		return false;
	w->vmid = vmid;
	return true;
}

static bool set_wave(struct wavectl *w, const char *arg)
{
	w->has_spec = true;
	w->spec_text = arg;
	return !adbg_wave_spec_parse(arg, &w->spec, NULL);
}

static bool set_all(struct wavectl *w, const char *arg)
{
	(void)arg;
	w->all = true;
	return true;
}

static bool set_pc(struct wavectl *w, const char *arg)
{
	w->has_pc = true;
	return parse_u64(arg, UINT64_MAX, &w->pc);
}

static bool set_leave_halted(struct wavectl *w, const char *arg)
{
	(void)arg;
	w->leave_halted = true;
	return true;
}

static bool set_for(struct wavectl *w, const char *arg)
{
	double seconds;
	char *end;

	if (!isdigit((unsigned char)*arg))
		return false;
	seconds = strtod(arg, &end);
	if (*end || !(seconds > 0) || seconds > MAX_HOLD_SECONDS)
		return false;

	w->hold_ns = seconds * 1e9;
	return w->hold_ns > 0;
}

const struct option_desc global_options[] = {
	{ "gpu", 'g', "N", "the GPU of /dev/amdgpudbgN", set_gpu },
	{ "pci", 'p', "ADDR", "the GPU at a PCI address, such as 0000:0a:00.0",
	  set_pci },
	{ "render", 'r', "PATH",
	  "the GPU of a render node, such as /dev/dri/renderD128", set_render },
	{ "json", 'j', NULL, "print JSON, one object per line", set_json },
	{ "dry-run", 'n', NULL, "say what would be done, and do not do it",
	  set_dry_run },
	{ "verbose", 'v', NULL, "print more", set_verbose },
	{ "help", 'h', NULL, "print help", set_help },
};

const unsigned int num_global_options = ARRAY_SIZE(global_options);

const struct option_desc opt_vmid = {
	"vmid", 0, "V", "waves of this VMID", set_vmid,
};

const struct option_desc opt_wave = {
	"wave", 'w', "SPEC",
	"these waves: se0.sa0.wgp3.simd1.wave5, 0.0.3.1.5, se0.sa0.wgp3, *.*.0-2",
	set_wave,
};

const struct option_desc opt_all = {
	"all", 'a', NULL, "every VMID that has live waves", set_all,
};

const struct option_desc opt_pc = {
	"pc", 0, "ADDR", "only if the one wave is at this address", set_pc,
};

const struct option_desc opt_leave_halted = {
	"leave-halted", 0, NULL, "end at once, and leave the waves halted",
	set_leave_halted,
};

const struct option_desc opt_for = {
	"for", 0, "SECONDS", "hold the waves that long, then resume them",
	set_for,
};
