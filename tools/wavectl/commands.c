// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table of all commands. Help, completion and the test of the man page are
 * made from it.
 */
#include <stddef.h>

#include "util.h"
#include "wavectl.h"

static const struct option_desc *const no_options[] = { NULL };

static const struct option_desc *const list_options[] = {
	&opt_vmid, &opt_wave, NULL,
};

static const struct option_desc *const halt_options[] = {
	&opt_vmid, &opt_wave, &opt_all, &opt_pc, &opt_leave_halted, &opt_for,
	NULL,
};

static const struct option_desc *const resume_options[] = {
	&opt_vmid, &opt_wave, &opt_all, &opt_pc, NULL,
};

const struct command commands[] = {
	{
		.noun = "gpu",
		.verb = "list",
		.summary = "list the GPUs that can be debugged",
		.options = no_options,
		.run = cmd_gpu_list,
	},
	{
		.noun = "caps",
		.summary = "what can be done with the GPU, and why not",
		.options = no_options,
		.run = cmd_caps,
	},
	{
		.noun = "wave",
		.verb = "list",
		.alias = "list",
		.summary = "list the live waves",
		.help = "With --verbose, also every register of each wave, field by field.",
		.options = list_options,
		.run = cmd_wave_list,
	},
	{
		.noun = "wave",
		.verb = "halt",
		.alias = "halt",
		.summary = "halt waves, and hold them until Ctrl-C",
		.help = "--vmid alone halts every wave of that VMID; --wave halts one wave, one\n"
			"WGP or a pattern of waves; --all halts every VMID that has live waves.\n"
			"Waves that start later are not halted. The waves run on when wavectl\n"
			"ends, however it ends, unless --leave-halted is given.",
		.options = halt_options,
		.run = cmd_wave_halt,
	},
	{
		.noun = "wave",
		.verb = "resume",
		.alias = "resume",
		.summary = "let waves go on that were left halted",
		.help = "Takes the waves that \"wave halt --leave-halted\" left. Waves that\n"
			"another session holds stay halted.",
		.options = resume_options,
		.run = cmd_wave_resume,
	},
	{
		.noun = "version",
		.summary = "versions of wavectl, the library and the module",
		.options = no_options,
		.run = cmd_version,
	},
	{
		.noun = "dump-commands",
		.summary = "print all commands and options, for completion",
		.hidden = true,
		.options = no_options,
		.run = cmd_dump_commands,
	},
};

const unsigned int num_commands = ARRAY_SIZE(commands);
