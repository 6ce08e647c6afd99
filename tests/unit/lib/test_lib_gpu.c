// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/gpu.c: the list of GPUs, and the module's reason when there are none.
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

static void no_nodes_give_an_empty_list(void **state)
{
	struct adbg_gpu_list *list = NULL;

	(void)state;
	assert_int_equal(adbg_gpu_list_new(&list), 0);
	assert_int_equal(adbg_gpu_list_count(list), 0);
	assert_null(adbg_gpu_list_get(list, 0));
	adbg_gpu_list_free(list);
	adbg_gpu_list_free(NULL);
}

static void nodes_come_in_the_order_of_their_numbers(void **state)
{
	static const struct mock_node nodes[] = {
		{ .name = "amdgpudbg10" }, { .name = "amdgpudbg2" },
		{ .name = "amdgpudbg0" }, { .name = "amdgpudbg" },
		{ .name = "amdgpudbg1x" }, { .name = "amdgpudbg-1" },
		{ .name = "amdgpudbg99999999999" }, { .name = "null" },
	};
	static const struct mock_ioctl expect[] = {
		MOCK_GET_INFO, MOCK_GET_INFO, MOCK_GET_INFO,
	};
	static const unsigned int numbers[] = { 0, 2, 10 };
	struct adbg_gpu_list *list = NULL;

	(void)state;
	mock_set_nodes(nodes, ARRAY_SIZE(nodes));
	mock_expect(expect, ARRAY_SIZE(expect));
	assert_int_equal(adbg_gpu_list_new(&list), 0);
	assert_int_equal(mock_open_nodes(), 0);
	assert_int_equal(adbg_gpu_list_count(list), 3);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(adbg_gpu_list_get(list, i)->number,
				 numbers[i]);
	assert_string_equal(adbg_gpu_list_get(list, 2)->path,
			    "/dev/amdgpudbg10");
	assert_null(adbg_gpu_list_get(list, 3));
	adbg_gpu_list_free(list);
}

static void gpus_have_the_names_of_the_compiler(void **state)
{
	(void)state;
	assert_string_equal(adbg_gpu_name(ADBG_GC_VERSION(10, 3, 1)), "gfx1033");
	assert_string_equal(adbg_gpu_name(ADBG_GC_VERSION(10, 3, 0)), "gfx1030");
	assert_null(adbg_gpu_name(ADBG_GC_VERSION(10, 1, 0)));
	assert_null(adbg_gpu_name(0));
}

static void the_info_of_a_gpu_is_complete(void **state)
{
	static const struct mock_node nodes[] = { { .name = "amdgpudbg0" } };
	static const struct mock_ioctl expect[] = { MOCK_GET_INFO };
	const struct amdgpudbg_info *info;
	struct adbg_gpu_list *list = NULL;

	(void)state;
	mock_set_nodes(nodes, 1);
	mock_expect(expect, 1);
	assert_int_equal(adbg_gpu_list_new(&list), 0);
	assert_int_equal(adbg_gpu_list_get(list, 0)->error, 0);
	info = &adbg_gpu_list_get(list, 0)->info;
	assert_int_equal(info->size, sizeof(*info));
	assert_int_equal(info->abi_version, 0);
	assert_int_equal(info->gc_version, 0x0a0301);
	assert_int_equal(ADBG_GC_MAJOR(info->gc_version), 10);
	assert_int_equal(ADBG_GC_MINOR(info->gc_version), 3);
	assert_int_equal(ADBG_GC_REV(info->gc_version), 1);
	assert_int_equal(info->pci_bus, 4);
	assert_int_equal(info->vendor_id, 0x1002);
	assert_int_equal(info->device_id, 0x163f);
	assert_int_equal(info->num_xcc, 1);
	assert_int_equal(info->num_se, 1);
	assert_int_equal(info->num_sa, 2);
	assert_int_equal(info->num_wgp, 4);
	assert_int_equal(info->num_simd, 4);
	assert_int_equal(info->num_wave, 16);
	assert_int_equal(info->num_vmid, 16);
	assert_int_equal(info->first_kfd_vmid, 8);
	assert_int_equal(info->num_capabilities, 3);
	assert_int_equal(info->num_active_cu, 8);
	assert_int_equal(info->gpu_reset_count, 2);
	assert_int_equal(info->render_minor, 128);
	assert_string_equal(info->driver_build_id, "0123456789abcdef");
	assert_string_equal(info->module_version, "9.8.7");
	assert_int_equal(info->halt_left_ms, 59000);
	assert_int_equal(info->halt_wait_ms, 7);
	adbg_gpu_list_free(list);
}

/* Two GPUs at 0000:04:00.0 and 0001:0a:1f.7, and one that cannot be asked. */
static const struct mock_node three_nodes[] = {
	{ .name = "amdgpudbg0" }, { .name = "amdgpudbg1", .error = EACCES },
	{ .name = "amdgpudbg2" },
};

static struct amdgpudbg_info other_info;

static const struct mock_ioctl ask_two[] = {
	MOCK_GET_INFO,
	{ .request = AMDGPUDBG_IOC_GET_INFO, .out = &other_info,
	  .size = sizeof(other_info) },
};

static struct adbg_gpu_list *three_gpus(void)
{
	struct adbg_gpu_list *list = NULL;

	other_info = mock_info;
	other_info.pci_domain = 0x10001;
	other_info.pci_bus = 0x0a;
	other_info.pci_device = 0x1f;
	other_info.pci_function = 7;
	other_info.render_minor = 130;
	mock_set_nodes(three_nodes, ARRAY_SIZE(three_nodes));
	mock_expect(ask_two, ARRAY_SIZE(ask_two));
	assert_int_equal(adbg_gpu_list_new(&list), 0);
	return list;
}

static void a_gpu_that_cannot_be_asked_is_listed(void **state)
{
	struct adbg_gpu_list *list = three_gpus();
	const struct adbg_gpu *gpu = adbg_gpu_list_get(list, 1);

	(void)state;
	assert_int_equal(adbg_gpu_list_count(list), 3);
	assert_int_equal(gpu->number, 1);
	assert_int_equal(gpu->error, -EACCES);
	assert_int_equal(gpu->info.gc_version, 0);
	for (size_t i = 0; i < ARRAY_SIZE(gpu->__reserved); i++)
		assert_int_equal(gpu->__reserved[i], 0);
	adbg_gpu_list_free(list);
}

static void numbers_and_addresses_are_found(void **state)
{
	static const struct {
		const char *address;
		int ret;
		unsigned int number;
	} cases[] = {
		{ "0000:04:00.0", 0, 0 },
		{ "04:00.0", 0, 0 },
		{ "4:0.0", 0, 0 },
		{ "00010001:0a:1f.7", 0, 2 },
		{ "10001:0A:1F.7", 0, 2 },
		/* The one that could not be asked may be it. */
		{ "0000:05:00.0", -EACCES, 0 },
		{ "0a:1f.7", -EACCES, 0 },
		{ "", -EINVAL, 0 },
		{ "2", 0, 2 },
		{ "/dev/amdgpudbg2", 0, 2 },
		{ "04", -ENOENT, 0 },
		{ "/dev/amdgpudbg4", -ENOENT, 0 },
		{ "amdgpudbg2", -EINVAL, 0 },
		{ "04:00", -EINVAL, 0 },
		{ "04:00.", -EINVAL, 0 },
		{ "04:00.8", -EINVAL, 0 },
		{ "04:20.0", -EINVAL, 0 },
		{ "004:00.0", -EINVAL, 0 },
		{ "04:00.0 ", -EINVAL, 0 },
		{ " 04:00.0", -EINVAL, 0 },
		{ "0000:04:00.0:1", -EINVAL, 0 },
		{ "100000000:04:00.0", -EINVAL, 0 },
		{ "0x0000:04:00.0", -EINVAL, 0 },
		{ ":04:00.0", -EINVAL, 0 },
		{ NULL, -ENOTUNIQ, 0 },
	};
	struct adbg_gpu_list *list = three_gpus();

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct adbg_gpu *gpu = NULL;

		assert_int_equal(adbg_gpu_list_find(list, cases[i].address,
						    &gpu), cases[i].ret);
		if (cases[i].ret)
			assert_null(gpu);
		else
			assert_int_equal(gpu->number, cases[i].number);
	}
	adbg_gpu_list_free(list);
}

static int find_render(const struct adbg_gpu_list *list, mode_t mode,
		       unsigned int major, unsigned int minor,
		       const struct adbg_gpu **gpu)
{
	mock_set_file("/dev/dri/x", mode, makedev(major, minor));
	return adbg_gpu_list_find(list, "/dev/dri/x", gpu);
}

/* It opens, but does not answer. */
static void a_gpu_that_does_not_answer_is_listed(void **state)
{
	static const struct mock_node nodes[] = { { .name = "amdgpudbg0" } };
	static const struct mock_ioctl expect[] = {
		{ .request = AMDGPUDBG_IOC_GET_INFO, .error = ENODEV },
	};
	static const struct amdgpudbg_info none;
	struct adbg_gpu_list *list = NULL;

	(void)state;
	mock_set_nodes(nodes, 1);
	mock_expect(expect, 1);
	assert_int_equal(adbg_gpu_list_new(&list), 0);
	assert_int_equal(adbg_gpu_list_get(list, 0)->error, -ENODEV);
	assert_memory_equal(&adbg_gpu_list_get(list, 0)->info, &none,
			    sizeof(none));
	adbg_gpu_list_free(list);
}

/* A program that was built with a longer structure, or a shorter one */
static void a_list_has_the_size_that_its_caller_knows(void **state)
{
	static const struct mock_node nodes[] = {
		{ .name = "amdgpudbg0" }, { .name = "amdgpudbg1" },
	};
	static const size_t size = sizeof(struct amdgpudbg_info) + 24;
	static struct {
		struct amdgpudbg_info info;
		char newer[24];
	} out;
	static const struct mock_ioctl expect[] = {
		{ .request = AMDGPUDBG_IOC_GET_INFO, .out = &out,
		  .size = sizeof(out) },
		{ .request = AMDGPUDBG_IOC_GET_INFO, .out = &out,
		  .size = sizeof(out) },
	};
	const struct adbg_gpu *a, *b;
	struct adbg_gpu_list *list;

	(void)state;
	out.info = mock_info;
	memset(out.newer, 7, sizeof(out.newer));
	mock_set_nodes(nodes, 2);
	mock_expect(expect, 2);
	assert_int_equal(adbg_gpu_list_new_sized(&list, size), 0);
	a = adbg_gpu_list_get(list, 0);
	b = adbg_gpu_list_get(list, 1);
	assert_memory_equal(&a->info, &out, sizeof(out));
	assert_memory_equal(&b->info, &out, sizeof(out));
	assert_int_equal(b->number, 1);
	assert_int_equal((const char *)b - (const char *)a,
			 offsetof(struct adbg_gpu, info) + size);
	adbg_gpu_list_free(list);
}

static void render_nodes_are_found(void **state)
{
	struct adbg_gpu_list *list = three_gpus();
	const struct adbg_gpu *gpu = NULL;

	(void)state;
	assert_int_equal(find_render(list, S_IFCHR, 226, 130, &gpu), 0);
	assert_int_equal(gpu->number, 2);
	assert_int_equal(find_render(list, S_IFCHR, 226, 128, &gpu), 0);
	assert_int_equal(gpu->number, 0);

	gpu = NULL;
	assert_int_equal(find_render(list, S_IFCHR, 226, 129, &gpu), -EACCES);
	/* A card that sysfs does not show, another driver's device, a block device, a file */
	assert_int_equal(find_render(list, S_IFCHR, 226, 0, &gpu), -EACCES);
	assert_int_equal(find_render(list, S_IFCHR, 1, 130, &gpu), -ENOTTY);
	assert_int_equal(find_render(list, S_IFBLK, 226, 130, &gpu), -ENOTTY);
	assert_int_equal(find_render(list, S_IFREG, 0, 0, &gpu), -ENOTTY);
	assert_int_equal(adbg_gpu_list_find(list, "/nowhere", &gpu),
			 -ENOENT);
	assert_null(gpu);
	adbg_gpu_list_free(list);
}

static void cards_are_found_by_their_pci_device(void **state)
{
	struct adbg_gpu_list *list = three_gpus();
	const struct adbg_gpu *gpu = NULL;

	(void)state;
	mock_proc_link("sys/dev/char/226:0/device", "../../../0000:04:00.0");
	mock_proc_link("sys/dev/char/226:1/device", "../../../10001:0a:1f.7");
	mock_proc_link("sys/dev/char/226:2/device", "../../../vkms");
	assert_int_equal(find_render(list, S_IFCHR, 226, 0, &gpu), 0);
	assert_int_equal(gpu->number, 0);
	assert_int_equal(find_render(list, S_IFCHR, 226, 1, &gpu), 0);
	assert_int_equal(gpu->number, 2);
	gpu = NULL;
	assert_int_equal(find_render(list, S_IFCHR, 226, 2, &gpu), -EACCES);
	assert_null(gpu);
	adbg_gpu_list_free(list);
}

/* As libdrm's table, with a comment, a version, and lines that are not valid */
#define IDS \
	"# List of AMDGPU IDs\n1.0.0\n163F,\tAE,\tAMD Custom GPU 0405\n" \
	"163F\t01\n73BF,\tC1,\tAMD Radeon RX 6800 XT\n73bf,\tc3,\tAMD Radeon RX 6800"

static void names_of_products_are_those_of_libdrm(void **state)
{
	struct amdgpudbg_info info = mock_info;
	char text[32] = "untouched";

	(void)state;
	assert_int_equal(adbg_gpu_product(&info, text, sizeof(text)), -ENOENT);
	mock_proc_file("sys/bus/pci/devices/0000:04:00.0/revision", "0xae\n");
	assert_int_equal(adbg_gpu_product(&info, text, sizeof(text)), -ENOENT);
	mock_proc_file("usr/share/libdrm/amdgpu.ids", IDS);
	assert_int_equal(adbg_gpu_product(&info, text, 0), -EINVAL);
	assert_string_equal(text, "untouched");
	assert_int_equal(adbg_gpu_product(&info, text, sizeof(text)), 0);
	assert_string_equal(text, "AMD Custom GPU 0405");
	assert_int_equal(adbg_gpu_product(&info, text, 4), 0);
	assert_string_equal(text, "AMD");

	/* The last line has no line feed. */
	info.device_id = 0x73bf;
	mock_proc_file("sys/bus/pci/devices/0000:04:00.0/revision", "0xc3\n");
	assert_int_equal(adbg_gpu_product(&info, text, sizeof(text)), 0);
	assert_string_equal(text, "AMD Radeon RX 6800");
	mock_proc_file("sys/bus/pci/devices/0000:04:00.0/revision", "0x00\n");
	assert_int_equal(adbg_gpu_product(&info, text, sizeof(text)), -ENOENT);
}

static void names_are_found_if_they_are_unique(void **state)
{
	static const struct {
		const char *name;
		int ret;
		unsigned int number;
	} cases[] = {
		{ "AMD Radeon RX 6800 XT", 0, 2 },
		{ "rx 6800", 0, 2 },
		{ "CUSTOM", 0, 0 },
		{ "amd", -ENOTUNIQ, 0 },
		{ "nvidia", -EINVAL, 0 },
		{ "gfx1030", 0, 2 },
		{ "GFX1033", 0, 0 },
		{ "gfx", -EINVAL, 0 },
		/* Numbers are never parts of names. */
		{ "6800", -ENOENT, 0 },
	};
	struct adbg_gpu_list *list;

	(void)state;
	mock_proc_file("usr/share/libdrm/amdgpu.ids", IDS);
	mock_proc_file("sys/bus/pci/devices/0000:04:00.0/revision", "0xae\n");
	mock_proc_file("sys/bus/pci/devices/10001:0a:1f.7/revision", "0xc1\n");
	list = three_gpus();
	((struct adbg_gpu *)adbg_gpu_list_get(list, 2))->info.device_id = 0x73bf;
	((struct adbg_gpu *)adbg_gpu_list_get(list, 2))->info.gc_version =
		ADBG_GC_VERSION(10, 3, 0);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct adbg_gpu *gpu = NULL;

		assert_int_equal(adbg_gpu_list_find(list, cases[i].name, &gpu), cases[i].ret);
		if (cases[i].ret)
			assert_null(gpu);
		else
			assert_int_equal(gpu->number, cases[i].number);
	}
	adbg_gpu_list_free(list);
}

static void a_list_that_was_asked_says_nodev(void **state)
{
	static const struct mock_node nodes[] = { { .name = "amdgpudbg0" } };
	static const struct mock_ioctl expect[] = { MOCK_GET_INFO };
	const struct adbg_gpu *gpu = NULL;
	struct adbg_gpu_list *list = NULL;

	(void)state;
	mock_set_nodes(nodes, 1);
	mock_expect(expect, 1);
	assert_int_equal(adbg_gpu_list_new(&list), 0);
	assert_int_equal(adbg_gpu_list_find(list, "05:00.0", &gpu),
			 -ENODEV);
	assert_int_equal(find_render(list, S_IFCHR, 226, 129, &gpu), -ENODEV);
	adbg_gpu_list_free(list);
}

static void the_module_says_why(void **state)
{
	char text[160] = "untouched";

	(void)state;
	assert_int_equal(adbg_module_status(text, sizeof(text)), -ENOENT);
	assert_string_equal(text, "untouched");
	assert_int_equal(adbg_module_status(NULL, 5), -EINVAL);
	assert_int_equal(adbg_module_status(text, 0), -EINVAL);

	mock_set_module();
	assert_int_equal(adbg_module_status(text, sizeof(text)), -ENODATA);
	mock_set_no_gpu();
	assert_int_equal(adbg_module_status(text, sizeof(text)), 0);
	assert_string_equal(text, "There is no AMD GPU on the PCI bus.");

	mock_set_gpu("0000:07:00.0", "0x73bf", "", "No BTF.");
	mock_set_gpu("0000:04:00.0", "0x163f", "amdgpudbg0", "Attached.");
	assert_int_equal(adbg_module_status(text, sizeof(text)), 0);
	assert_string_equal(text,
			    "0000:04:00.0 1002:163f amdgpudbg0 Attached.\n"
			    "0000:07:00.0 1002:73bf - No BTF.");
	assert_int_equal(adbg_module_status(text, 4), 0);
	assert_string_equal(text, "000");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		MOCK_TEST(no_nodes_give_an_empty_list),
		MOCK_TEST(nodes_come_in_the_order_of_their_numbers),
		MOCK_TEST(the_info_of_a_gpu_is_complete),
		MOCK_TEST(gpus_have_the_names_of_the_compiler),
		MOCK_TEST(a_gpu_that_cannot_be_asked_is_listed),
		MOCK_TEST(a_list_has_the_size_that_its_caller_knows),
		MOCK_TEST(a_gpu_that_does_not_answer_is_listed),
		MOCK_TEST(numbers_and_addresses_are_found),
		MOCK_TEST(render_nodes_are_found),
		MOCK_TEST(cards_are_found_by_their_pci_device),
		MOCK_TEST(names_of_products_are_those_of_libdrm),
		MOCK_TEST(names_are_found_if_they_are_unique),
		MOCK_TEST(a_list_that_was_asked_says_nodev),
		MOCK_TEST(the_module_says_why),
	};

	return cmocka_run_group_tests_name("lib_gpu", tests, NULL, NULL);
}
