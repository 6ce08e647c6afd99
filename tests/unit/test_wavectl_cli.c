// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl's command line: usage, help, choice of the GPU, and the exit status
 * and words for each error.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cmocka.h>
#include <json-c/json.h>

#include "mock.h"
#include "run_wavectl.h"

#define TEST(f) cmocka_unit_test_setup(f, mock_setup)

#define VERBS_OF_WAVE \
	"the verbs are list, snapshot, halt, resume, kill, trap, debug, barrier, step, focus"

static struct run r;

static void wrong_usage_is_2_and_touches_nothing(void **state)
{
	static const struct {
		const char *args;
		const char *said;
	} cases[] = {
		{ "", "no command" },
		{ "frobnicate", "unknown command 'frobnicate'; see wavectl --help" },
		{ "wave", "'wave' needs a verb; " VERBS_OF_WAVE "\n" },
		/* Short forms that are the first word of others, too */
		{ "break lst", "unknown command 'break lst'; did you mean 'break list'? the" },
		{ "break main", "this command is only available in a shell or batch" },
		{ "watch 0x1000", "this command is only available in a shell or batch" },
		{ "watch main", "one address is required; wavectl watchpoint set ADDRESS" },
		{ "lds 8", "this command is only available in a shell or batch" },
		{ "wave 0.0.3.1.5", "this command is only available in a shell or batch" },
		{ "wave hold", "unknown command 'wave hold'; " },
		{ "attach x --client 7", "\"attach\" takes the number of a process" },
		{ "delete 1x",
		  "\"break clear\" takes one breakpoint number, or no argument to clear all" },
		{ "list", "this command is only available in a shell or batch" },
		{ "wave fly", "unknown command 'wave fly'; " VERBS_OF_WAVE "\n" },
		{ "wave hlt", "'wave hlt'; did you mean 'wave halt'? " VERBS_OF_WAVE },
		{ "wav list", "unknown command 'wav'; did you mean 'wave'?\n" },
		{ "evnets", "unknown command 'evnets'; did you mean 'events'?\n" },
		{ "dump-command", "unknown command 'dump-command'; see" },
		{ "gpu", "'gpu' needs a verb" },
		{ "gpu halt", "unknown command 'gpu halt'" },
		{ "wave list list",
		  "'list' is not a wave name: unexpected 'list'; use names such as se0" },
		{ "wave list 0 list", "unexpected argument 'list'" },
		{ "wave list 0 more", "unexpected argument 'more'" },
		{ "caps 0", "unexpected argument '0'" },
		{ "--bogus wave list", "unknown option '--bogus'" },
		{ "wave list --bogus", "unknown option '--bogus'; see wavectl --help" },
		{ "wave list --dryrun", "unknown option '--dryrun'; did you mean --dry-run?\n" },
		{ "wave list --json=x", "option '--json' takes no argument" },
		{ "wave list --co 1",
		  "unknown option '--co'; it is ambiguous: --count or --compare" },
		{ "--dry-run -zj caps", "unknown option '-z'" },
		{ "wave list --vmdi=1", "unknown option '--vmdi'; did you mean --vmid?" },
		{ "hlp", "unknown command 'hlp'; did you mean 'help'?" },
		{ "frob", "unknown command 'frob'; see wavectl --help" },
		{ "wave list -- --json", "'--json' is not a wave name" },
		{ "wave list --wave 0", "unknown option '--wave'" },
		{ "wave list -z", "unknown option '-z'" },
		{ "wave list -jz", "unknown option '-z'" },
		{ "wave list --all", "no option --all; see \"wavectl help wave list\"\n" },
		{ "caps --vmid 1", "'caps' has no option --vmid" },
		{ "resume --for 1 --all", "'wave resume' has no option --for" },
		{ "--for 1 resume --all", "'wave resume' has no option --for" },
		{ "wave list --vmid", "'--vmid' needs an argument" },
		{ "wave list --vmid 0", "'0' is not a valid V" },
		{ "wave list --vmid 32", "'32' is not a valid V" },
		{ "wave list --vmid -1", "'-1' is not a valid V" },
		{ "wave list --vmid 1x", "'1x' is not a valid V" },
		{ "wave list --vmid 99999999999999999999", "is not a valid V" },
		{ "wave list se", "'se' is not a wave name: unexpected 'se'" },
		{ "wave list 0.0.wpg3.simd1",
		  "'0.0.wpg3.simd1' is not a wave name: unexpected 'wpg3'" },
		{ "wave list 0.0.", "'0.0.' is not a wave name: a part is missing" },
		{ "reg read 0..0 pc", "'0..0' is not a wave name: a part is missing" },
		{ "reg read wgp1 pc", "'wgp1' does not name a single wave" },
		{ "wave list 65536", "'65536' is not a wave name: unexpected '65536'" },
		{ "wave list --gpu x", "'x' is not a valid N; see wavectl --help\n" },
		{ "wave list --gpu 4294967296", "is not a valid N" },
		{ "wave list --gpu 0 --pci 0", "cannot be used together" },
		{ "wave list --pci 0 --render 0", "cannot be used together" },
		{ "halt", "no waves selected" },
		{ "resume", "no waves selected" },
		{ "halt --dry-run", "no waves selected" },
		{ "halt --all --vmid 1", "--all cannot be used with" },
		{ "halt --all 0", "--all cannot be used with" },
		{ "halt --vmid 1 --pc 0x10", "--pc needs the full name of one wave" },
		{ "halt wgp1 --pc 0x10", "--pc needs the full" },
		{ "halt 0.0.0.0.0 --pc zz", "'zz' is not a valid ADDR" },
		{ "halt --all --for 0", "'0' is not a valid SECONDS" },
		{ "halt --all --for -1", "'-1' is not a valid SECONDS" },
		{ "halt --all --for 1s", "'1s' is not a valid SECONDS" },
		{ "halt --all --for nan", "'nan' is not a valid SECONDS" },
		{ "halt --all --for inf", "'inf' is not a valid SECONDS" },
		{ "halt --all --for 1e10", "'1e10' is not a valid SECONDS" },
		{ "halt --all --for 1e-30", "is not a valid SECONDS" },
		{ "halt --all --for 1 --leave-halted", "cannot be used together" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		if (run(&r, cases[i].args) != 2)
			fail_msg("'%s': status %d", cases[i].args, r.status);
		assert_string_equal(r.out, "");
		contains(r.err, "wavectl: ");
		contains(r.err, cases[i].said);
		/* one line */
		assert_ptr_equal(strchr(r.err, '\n'),
				 r.err + strlen(r.err) - 1);
	}
}

static void help_names_every_command_and_status(void **state)
{
	static const char *const main_help[] = {
		"gpu list", "caps", "wave list", "wave halt", "wave resume",
		"version", "--gpu", "--pci", "--render", "--json", "--dry-run",
		"--verbose", "--help", "Exit status:", "  0  ", "  1  ",
		"  2  ", "  3  ", "  4  ", "  5  ", "  6  ",
	};
	static const char *const halt_help[] = {
		"Usage: wavectl wave halt [WAVES] [options]\n",
		"--vmid V", "--all", "--pc ADDR", "--leave-halted",
		"--for SECONDS", "--json, --dry-run", "\"wavectl halt\" is short",
	};

	(void)state;
	assert_int_equal(run(&r, "--help"), 0);
	for (size_t i = 0; i < ARRAY_SIZE(main_help); i++)
		contains(r.out, main_help[i]);
	assert_null(strstr(r.out, "dump-commands"));
	assert_string_equal(r.err, "");

	assert_int_equal(run(&r, "wave halt --help"), 0);
	for (size_t i = 0; i < ARRAY_SIZE(halt_help); i++)
		contains(r.out, halt_help[i]);
	/* Global options are described once. */
	lacks(r.out, "Exit status:");
	lacks(r.out, "print JSON");
	assert_int_equal(run(&r, "-h halt"), 0);
	contains(r.out, "wave halt [WAVES] [options]");
	assert_int_equal(run(&r, "help wave halt"), 0);
	contains(r.out, "wave halt [WAVES] [options]");
	assert_int_equal(run(&r, "help reg read"), 0);
	contains(r.out, "Usage: wavectl reg read WAVE REG... [options]\n");
	assert_int_equal(run(&r, "help"), 0);
	contains(r.out, "Exit status:");
	/* Also if something else is wrong. */
	assert_int_equal(run(&r, "wave list --all --help"), 0);
	contains(r.out, "Usage: wavectl wave list [WAVES] [options]\n");
	assert_int_equal(run(&r, "help wave list --vmid xx"), 0);
	assert_int_equal(run(&r, "help wave"), 0);
	contains(r.out, "wave resume");
	assert_int_equal(run(&r, "wave -h"), 0);
	contains(r.out, "wave resume");
	assert_null(strstr(r.out, "gpu list"));
}

static void version_needs_no_gpu(void **state)
{
	(void)state;
	assert_int_equal(run(&r, "--version"), 0);
	contains(r.out, "wavectl " LIB_VERSION "\n");
	assert_int_equal(run(&r, "kill --all --version"), 2);
	contains(r.err, "'version' has no option --all");
	assert_int_equal(run(&r, "wave list --version"), 0);
	contains(r.out, "wavectl " LIB_VERSION "\n");
	assert_int_equal(run(&r, "version -vj"), 0);
	contains(r.out, "{\"schema\":1");
	assert_int_equal(run(&r, "version"), 0);
	contains(r.out, "wavectl " LIB_VERSION "\n");
	contains(r.out, "kernel interface 0");
	contains(r.out, "not loaded");

	static const struct mock_ioctl expect[] = { MOCK_GET_INFO };

	mock_set_nodes(&mock_node, 1);
	mock_expect(expect, 1);
	assert_int_equal(run(&r, "version"), 0);
	contains(r.out, "amdgpudbg.ko: 9.8.7");
}

static void without_a_gpu_it_says_why_and_5(void **state)
{
	static const char *const commands[] = {
		"gpu list", "caps", "wave list", "info waves", "halt --all",
		"resume --vmid 1", "--dry-run halt --vmid 1",
		"--gpu 0 wave list", "--pci 0:0.0 wave list",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
		mock_reset();
		assert_int_equal(run(&r, commands[i]), 5);
		contains(r.err, "module amdgpudbg is not loaded (ENODEV); insmod");
		assert_string_equal(r.out, "");

		mock_set_module();
		assert_int_equal(run(&r, commands[i]), 5);
		contains(r.err, "not created a device node");

		mock_set_no_gpu();
		assert_int_equal(run(&r, commands[i]), 5);
		contains(r.err, "no GPU to debug: There is no AMD GPU on the PCI bus (ENODEV)\n");

		mock_set_gpu("a", "0x1", "", "Not bound.");
		mock_set_gpu("b", "0x2", "", "No BTF.");
		assert_int_equal(run(&r, commands[i]), 5);
		contains(r.err, ": a 1002:0001 - Not bound; b 1002:0002 - No BTF (ENODEV)\n");
	}
}

static void errors_of_opening_have_their_status(void **state)
{
	static const struct {
		int error;
		int status;
		const char *name;
	} cases[] = {
		{ EACCES, 4, "EACCES" }, { EPERM, 4, "EPERM" },
		{ ENODEV, 5, "ENODEV" }, { ENXIO, 3, "ENXIO" },
		{ EBUSY, 6, "EBUSY" }, { EMFILE, 1, "EMFILE" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct mock_node node = {
			.name = "amdgpudbg0", .error = cases[i].error,
		};

		mock_set_nodes(&node, 1);
		if (run(&r, "wave list") != cases[i].status)
			fail_msg("%s: %d", cases[i].name, r.status);
		contains(r.err, "cannot open /dev/amdgpudbg0: ");
		contains(r.err, cases[i].name);
	}
}

/* Each error of the kernel interface, for each call that can give it. */
static const struct {
	int error;
	int status;
	const char *name;
} kernel_errors[] = {
	{ ENOTTY, 5, "ENOTTY" }, { E2BIG, 5, "E2BIG" },
	{ EFAULT, 1, "EFAULT" }, { EINVAL, 1, "EINVAL" },
	{ EOPNOTSUPP, 5, "EOPNOTSUPP" }, { EPERM, 4, "EPERM" },
	{ EBUSY, 6, "EBUSY" }, { EIO, 1, "EIO" }, { ENODEV, 5, "ENODEV" },
};

static void errors_of_listing_have_their_status(void **state)
{
	static const char *const commands[] = {
		"wave list", "halt wgp1-2", "--dry-run resume --vmid 1",
	};

	(void)state;
	mock_set_nodes(&mock_node, 1);
	for (size_t c = 0; c < ARRAY_SIZE(commands); c++) {
		for (size_t i = 0; i < ARRAY_SIZE(kernel_errors); i++) {
			struct mock_ioctl expect[] = {
				MOCK_GET_INFO, MOCK_GET_INFO, MOCK_GET_INFO,
				{ .request = AMDGPUDBG_IOC_WAVE_LIST,
				  .error = kernel_errors[i].error },
			};
			/* A VMID is compared with those of the GPU. */
			size_t skip = c < 2;

			expect[skip] = expect[0];
			mock_expect(expect + skip, 4 - skip);
			if (run(&r, commands[c]) != kernel_errors[i].status)
				fail_msg("%s: %d", kernel_errors[i].name,
					 r.status);
			contains(r.err, "cannot list the waves: ");
			contains(r.err, kernel_errors[i].name);
		}
	}
}

static void errors_of_control_have_their_status(void **state)
{
	static const struct {
		int error;
		int status;
		const char *name;
	} more[] = {
		{ ENXIO, 3, "ENXIO" }, { ENODATA, 3, "ENODATA" },
		{ ESTALE, 3, "ESTALE" },
	};
	/* Those that hold something listen for its end first. */
	static const struct {
		const char *args;
		bool holds;
	} commands[] = {
		{ "halt --vmid 1", true }, { "resume --vmid 1", false },
		{ "halt --vmid 1 0.0.0.0.0", true },
		{ "resume --vmid 1 0.0.0", false },
		{ "halt --vmid 1 --leave-halted", false },
	};
	struct mock_ioctl expect[] = {
		OPEN_VMID, LISTENS, { .request = AMDGPUDBG_IOC_WAVE_CONTROL },
	};
	struct mock_ioctl *last = &expect[3];

	(void)state;
	mock_set_nodes(&mock_node, 1);
	for (size_t c = 0; c < ARRAY_SIZE(commands); c++) {
		last = &expect[commands[c].holds ? 4 : 3];
		expect[3] = (struct mock_ioctl)LISTENS;
		*last = (struct mock_ioctl){
			.request = AMDGPUDBG_IOC_WAVE_CONTROL,
		};
		mock_expect(expect, last + 1 - expect);
		for (size_t i = 0; i < ARRAY_SIZE(kernel_errors); i++) {
			last->error = kernel_errors[i].error;
			if (run(&r, commands[c].args) != kernel_errors[i].status)
				fail_msg("%s: %d", kernel_errors[i].name,
					 r.status);
			contains(r.err, "VMID 1: ");
			contains(r.err, kernel_errors[i].name);
			assert_string_equal(r.out, "");
		}
		for (size_t i = 0; i < ARRAY_SIZE(more); i++) {
			last->error = more[i].error;
			if (run(&r, commands[c].args) != more[i].status)
				fail_msg("%s: %d", more[i].name, r.status);
			contains(r.err, more[i].name);
		}
	}
}

static void errors_are_json_too(void **state)
{
	static const struct mock_ioctl expect[] = {
		MOCK_GET_INFO, MOCK_GET_INFO,
		{ .request = AMDGPUDBG_IOC_WAVE_LIST, .error = EPERM },
	};
	struct json_object *o, *v;

	(void)state;
	mock_set_nodes(&mock_node, 1);
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "wave list --json"), 4);
	o = json_tokener_parse(r.out);
	assert_non_null(o);
	assert_true(json_object_object_get_ex(o, "schema", &v));
	assert_int_equal(json_object_get_int(v), 1);
	assert_true(json_object_object_get_ex(o, "error", &v));
	contains(json_object_get_string(v), "cannot list the waves");
	assert_true(json_object_object_get_ex(o, "errno", &v));
	assert_string_equal(json_object_get_string(v), "EPERM");
	assert_true(json_object_object_get_ex(o, "hint", &v));
	contains(json_object_get_string(v), "CAP_SYS_PTRACE");
	assert_true(json_object_object_get_ex(o, "exit_status", &v));
	assert_int_equal(json_object_get_int(v), 4);
	json_object_put(o);

	/* also when the option comes after what is wrong */
	mock_expect(NULL, 0);
	assert_int_equal(run(&r, "wave fly --json"), 2);
	o = json_tokener_parse(r.out);
	assert_true(json_object_object_get_ex(o, "errno", &v));
	assert_null(v);
	json_object_put(o);
	contains(r.err, "unknown command");
}

static const struct mock_node two_nodes[] = {
	{ .name = "amdgpudbg0" }, { .name = "amdgpudbg7" },
};

static void the_gpu_is_chosen_by_any_of_its_names(void **state)
{
	static const char *const same[] = {
		"--gpu 7 wave list", "wave list -g 7",
		"wave --pci 0000:0b:00.0 list", "--pci 0b:00.0 wave list",
		"wave list --pci=0b:00.0", "wave list * --pci 0b:00.0",
		"--state running wave -g 7 list",
		"--render=/dev/dri/x wave list", "wave list -r /dev/dri/x",
	};
	static struct amdgpudbg_info far;
	static const struct mock_ioctl expect[] = {
		MOCK_GET_INFO,
		{ .request = AMDGPUDBG_IOC_GET_INFO, .out = &far,
		  .size = sizeof(far) },
		{ .request = AMDGPUDBG_IOC_GET_INFO, .out = &far,
		  .size = sizeof(far) },
		{ .request = AMDGPUDBG_IOC_WAVE_LIST, .waves = mock_waves },
	};

	(void)state;
	far = mock_info;
	far.pci_bus = 0x0b;
	far.render_minor = 129;
	mock_set_nodes(two_nodes, 2);
	mock_set_file("/dev/dri/x", S_IFCHR, makedev(226, 129));
	mock_expect(expect, ARRAY_SIZE(expect));
	for (size_t i = 0; i < ARRAY_SIZE(same); i++)
		assert_int_equal(run(&r, same[i]), 0);

	mock_expect(expect, 2);
	assert_int_equal(run(&r, "wave list"), 2);
	contains(r.err, "there are 2 GPUs; select one");
	assert_int_equal(run(&r, "--gpu 3 wave list"), 5);
	contains(r.err, "cannot open GPU 3");
	assert_int_equal(run(&r, "--pci 0c:00.0 caps"), 5);
	contains(r.err, "0c:00.0");
	assert_int_equal(run(&r, "--pci bus4 caps"), 2);
	contains(r.err, "'bus4' is not a PCI address");
	assert_int_equal(run(&r, "--render /nowhere caps"), 5);
	contains(r.err, "ENOENT");
	/* a path that is no DRM file */
	assert_int_equal(run(&r, "--render /dev/null caps"), 5);
	contains(r.err, "ENOTTY");
}

static void gpus_are_listed(void **state)
{
	static const struct mock_ioctl expect[] = {
		MOCK_GET_INFO, MOCK_GET_INFO,
	};
	struct json_object *o, *gpus, *gpu, *v;

	(void)state;
	mock_set_nodes(two_nodes, 2);
	mock_expect(expect, 2);
	assert_int_equal(run(&r, "gpu list"), 0);
	contains(r.out, "NUMBER  NODE");
	contains(r.out, "/dev/amdgpudbg7");
	contains(r.out, "0000:04:00.0");
	contains(r.out, "1002:163f");
	contains(r.out, "10.3.1");
	contains(r.out, "1x1x2x4x4x16");
	contains(r.out, "renderD128");
	contains(r.out, "9.8.7");

	assert_int_equal(run(&r, "gpu list --json"), 0);
	o = json_tokener_parse(r.out);
	assert_true(json_object_object_get_ex(o, "gpus", &gpus));
	assert_int_equal(json_object_array_length(gpus), 2);
	gpu = json_object_array_get_idx(gpus, 1);
	assert_true(json_object_object_get_ex(gpu, "number", &v));
	assert_int_equal(json_object_get_int(v), 7);
	assert_true(json_object_object_get_ex(gpu, "gpu_reset_count", &v));
	assert_int_equal(json_object_get_int(v), 2);
	assert_true(json_object_object_get_ex(gpu, "halt_left_ms", &v));
	assert_int_equal(json_object_get_int(v), 59000);
	assert_true(json_object_object_get_ex(gpu, "halt_wait_ms", &v));
	assert_int_equal(json_object_get_int(v), 7);
	assert_true(json_object_object_get_ex(gpu, "driver_build_id", &v));
	assert_string_equal(json_object_get_string(v), "0123456789abcdef");
	json_object_put(o);

	assert_int_equal(run(&r, "--gpu 7 gpu list"), 0);
	assert_null(strstr(r.out, "amdgpudbg0"));
}

/* Every member of a GPU is a column, however many there are. */
static void verbose_gpu_list_has_all_columns(void **state)
{
	static const struct mock_node nodes[] = {
		{ .name = "amdgpudbg0" }, { .name = "amdgpudbg7", .error = EACCES },
	};
	static const struct mock_ioctl expect[] = { MOCK_GET_INFO };
	const char *row;

	(void)state;
	mock_set_nodes(nodes, 2);
	mock_expect(expect, 1);
	assert_int_equal(run(&r, "gpu list --verbose"), 4);
	contains(r.out, "NUMBER  NODE ");
	contains(r.out, "MODULE  ABI  NUM VMID  FIRST KFD VMID  GPU RESET COUNT  APU");
	contains(r.out, "DRIVER BUILD ID   ERROR\n");
	row = strstr(r.out, "/dev/amdgpudbg0");
	assert_non_null(row);
	contains(row, "  0123456789abcdef  -\n");
	row = strstr(r.out, "/dev/amdgpudbg7");
	assert_non_null(row);
	contains(row, "  -                 EACCES\n");
}

static void a_gpu_that_cannot_be_asked_is_listed(void **state)
{
	static const struct mock_node nodes[] = {
		{ .name = "amdgpudbg0", .error = EACCES },
	};

	(void)state;
	mock_set_nodes(nodes, 1);
	assert_int_equal(run(&r, "gpu list"), 4);
	contains(r.out, "/dev/amdgpudbg0");
	contains(r.out, "EACCES");
	contains(r.err, "cannot query /dev/amdgpudbg0: no permission");
}

static void capabilities_come_with_reasons(void **state)
{
	static const struct amdgpudbg_capability yes = {
		.size = sizeof(yes), .supported = 1, .name = "wave-list",
	};
	static const struct amdgpudbg_capability no = {
		.size = sizeof(no), .id = 1, .name = "wave-kill",
		.reason_code = AMDGPUDBG_REASON_DRIVER,
		.reason = "It is not there yet.",
	};
	static const struct amdgpudbg_capability slowly = {
		.size = sizeof(slowly), .id = 2, .supported = 1,
		.name = "reg-read", .reason = "It takes longer here.",
	};
	static const struct mock_ioctl expect[] = {
		MOCK_GET_INFO, MOCK_GET_INFO, MOCK_GET_INFO,
		{ .request = AMDGPUDBG_IOC_GET_CAPABILITY, .out = &yes,
		  .size = sizeof(yes) },
		{ .request = AMDGPUDBG_IOC_GET_CAPABILITY, .out = &no,
		  .size = sizeof(no) },
		{ .request = AMDGPUDBG_IOC_GET_CAPABILITY, .out = &slowly,
		  .size = sizeof(slowly) },
	};
	struct json_object *o, *caps, *cap, *v;

	(void)state;
	mock_set_nodes(&mock_node, 1);
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(run(&r, "caps"), 0);
	contains(r.out, "wave-list   yes        -\n");
	contains(r.out, "wave-kill   no         It is not there yet.\n");
	contains(r.out, "reg-read    yes        It takes longer here.\n");

	assert_int_equal(run(&r, "--json caps"), 0);
	o = json_tokener_parse(r.out);
	assert_true(json_object_object_get_ex(o, "capabilities", &caps));
	assert_int_equal(json_object_array_length(caps), 3);
	cap = json_object_array_get_idx(caps, 1);
	assert_true(json_object_object_get_ex(cap, "supported", &v));
	assert_true(json_object_is_type(v, json_type_boolean));
	assert_false(json_object_get_boolean(v));
	int_is(cap, "reason_code", AMDGPUDBG_REASON_DRIVER);
	cap = json_object_array_get_idx(caps, 0);
	assert_true(json_object_object_get_ex(cap, "reason", &v));
	assert_null(v);
	json_object_put(o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(wrong_usage_is_2_and_touches_nothing),
		TEST(help_names_every_command_and_status),
		TEST(version_needs_no_gpu),
		TEST(without_a_gpu_it_says_why_and_5),
		TEST(errors_of_opening_have_their_status),
		TEST(errors_of_listing_have_their_status),
		TEST(errors_of_control_have_their_status),
		TEST(errors_are_json_too),
		TEST(the_gpu_is_chosen_by_any_of_its_names),
		TEST(gpus_are_listed),
		TEST(verbose_gpu_list_has_all_columns),
		TEST(a_gpu_that_cannot_be_asked_is_listed),
		TEST(capabilities_come_with_reasons),
	};

	return cmocka_run_group_tests_name("wavectl_cli", tests, NULL, NULL);
}
