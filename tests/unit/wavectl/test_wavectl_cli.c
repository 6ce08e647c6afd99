// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl's command line: the version, the choice of one of two GPUs, and the exit status for
 * each error of the kernel interface. The rest is in transcripts/usage.txt, help.txt and gpu.txt.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cmocka.h>

#include <amdgpudbg.h>

#include "mock.h"
#include "run_wavectl.h"

#define TEST(f) cmocka_unit_test_setup(f, mock_setup)

static struct run r;

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

static void errors_of_wave_list_set_the_exit_status(void **state)
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

static void errors_of_wave_operations_set_the_exit_status(void **state)
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

static const struct mock_node two_nodes[] = {
	{ .name = "amdgpudbg0" }, { .name = "amdgpudbg7" },
};

static void a_gpu_is_selected_by_number_node_pci_address_or_name(void **state)
{
	static const char *const same[] = {
		"--gpu 7 wave list", "wave list -g 7",
		"wave --pci 0000:0b:00.0 list", "--pci 0b:00.0 wave list",
		"wave list --pci=0b:00.0", "wave list * --pci 0b:00.0",
		"--state running wave -g 7 list",
		"--render=/dev/dri/x wave list", "wave list -r /dev/dri/x",
		"-g /dev/amdgpudbg7 wave list", "-g 0000:0b:00.0 wave list",
		"--gpu=/dev/dri/x wave list", "--gpu radeon wave list",
		"--gpu GFX1030 wave list",
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
	far.device_id = 0x73bf;
	far.gc_version = ADBG_GC_VERSION(10, 3, 0);
	mock_proc_file("usr/share/libdrm/amdgpu.ids", "73BF,\tC1,\tAMD Radeon RX 6800 XT\n");
	mock_proc_file("sys/bus/pci/devices/0000:0b:00.0/revision", "0xc1\n");
	mock_set_nodes(two_nodes, 2);
	mock_set_file("/dev/dri/x", S_IFCHR, makedev(226, 129));
	mock_expect(expect, ARRAY_SIZE(expect));
	for (size_t i = 0; i < ARRAY_SIZE(same); i++)
		assert_int_equal(run(&r, same[i]), 0);
}

static void gpus_are_listed(void **state)
{
	static const struct mock_ioctl expect[] = {
		MOCK_GET_INFO, MOCK_GET_INFO,
	};

	(void)state;
	mock_set_nodes(two_nodes, 2);
	mock_expect(expect, 2);
	assert_int_equal(run(&r, "gpu list"), 0);
	contains(r.out, "\n0       /dev/amdgpudbg0  ");
	contains(r.out, "\n7       /dev/amdgpudbg7  ");
	assert_int_equal(run(&r, "--gpu 7 gpu list"), 0);
	lacks(r.out, "amdgpudbg0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(version_needs_no_gpu),
		TEST(errors_of_wave_list_set_the_exit_status),
		TEST(errors_of_wave_operations_set_the_exit_status),
		TEST(a_gpu_is_selected_by_number_node_pci_address_or_name),
		TEST(gpus_are_listed),
	};

	return cmocka_run_group_tests_name("wavectl_cli", tests, NULL, NULL);
}
