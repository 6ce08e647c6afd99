// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The vfio-user server and the PCI function, with a small client: each message, and messages
 * that a broken or malicious host could send.
 */
#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <linux/pci_regs.h>
#include <linux/vfio.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "client.h"
#include "host/dma.h"
#include "host/transport.h"

#define CONFIG VFIO_PCI_CONFIG_REGION_INDEX

static struct vgpu gpu;

static int setup(void **state)
{
	static struct client c;

	client_init(&c, &gpu, false);
	client_connect(&c);
	*state = &c;
	return 0;
}

static int setup_persist(void **state)
{
	static struct client c;

	client_init(&c, &gpu, true);
	client_connect(&c);
	*state = &c;
	return 0;
}

static int teardown(void **state)
{
	client_fini(*state);
	return 0;
}

static void version_is_answered_with_limits(void **state)
{
	struct {
		struct vfio_user_version v;
		char json[256];
	} buf = { .v = { 0, 0 }, .json = "{\"capabilities\":{}}" };
	u32 len = sizeof(buf);
	json_object *o, *caps, *fds;

	assert_int_equal(client_call(*state, VFIO_USER_VERSION, &buf, 24, -1,
				     &buf, &len, NULL), 0);
	assert_int_equal(buf.v.major, 0);
	assert_int_equal(buf.v.minor, 0);
	/* The text must have its end inside the message. */
	assert_int_equal(strlen(buf.json) + 1 + sizeof(buf.v), len);
	o = json_tokener_parse(buf.json);
	assert_non_null(o);
	assert_true(json_object_object_get_ex(o, "capabilities", &caps));
	assert_true(json_object_object_get_ex(caps, "max_msg_fds", &fds));
	assert_int_equal(json_object_get_int(fds), VFIO_USER_MAX_FDS);
	json_object_put(o);
}

static void newer_major_version_is_refused(void **state)
{
	struct vfio_user_version v = { .major = 1 };

	assert_int_equal(client_call(*state, VFIO_USER_VERSION, &v, sizeof(v),
				     -1, NULL, NULL, NULL), -ENOTSUP);
}

static void device_is_pci_with_its_regions(void **state)
{
	struct vfio_user_device_info info = { .argsz = sizeof(info) };
	u32 len = sizeof(info);

	assert_int_equal(client_call(*state, VFIO_USER_DEVICE_GET_INFO, &info,
				     len, -1, &info, &len, NULL), 0);
	assert_int_equal(info.flags, VFIO_DEVICE_FLAGS_PCI |
			 VFIO_DEVICE_FLAGS_RESET);
	assert_int_equal(info.num_regions, VFIO_PCI_NUM_REGIONS);
	assert_int_equal(info.num_irqs, VFIO_PCI_NUM_IRQS);
}

static struct vfio_region_info region_info(struct client *c, u32 index, int *fd)
{
	struct vfio_region_info info = { .argsz = sizeof(info), .index = index };
	u32 len = sizeof(info);

	assert_int_equal(client_call(c, VFIO_USER_DEVICE_GET_REGION_INFO, &info,
				     len, -1, &info, &len, fd), 0);
	assert_int_equal(len, sizeof(info));
	assert_int_equal(info.index, index);
	return info;
}

static void regions_have_the_sizes_of_the_bars(void **state)
{
	static const u64 sizes[] = {
		[VFIO_PCI_BAR2_REGION_INDEX] = 2 << 20,
		[VFIO_PCI_BAR5_REGION_INDEX] = 512 << 10,
		[VFIO_PCI_ROM_REGION_INDEX] = 64 << 10,
		[VFIO_PCI_CONFIG_REGION_INDEX] = 4096,
	};
	struct vfio_region_info info;
	u32 i;
	int fd;

	for (i = 1; i < ARRAY_SIZE(sizes); i++) {
		info = region_info(*state, i, &fd);
		assert_int_equal(info.size, sizes[i]);
		assert_int_equal(fd, -1);
		assert_false(info.flags & VFIO_REGION_INFO_FLAG_MMAP);
		assert_int_equal(!!(info.flags & VFIO_REGION_INFO_FLAG_READ),
				 sizes[i] != 0);
	}
	info = region_info(*state, VFIO_PCI_ROM_REGION_INDEX, NULL);
	assert_false(info.flags & VFIO_REGION_INFO_FLAG_WRITE);
}

static void bar0_is_the_memory_of_the_gpu(void **state)
{
	struct vfio_region_info info;
	u8 *map;
	u32 val;
	int fd;

	info = region_info(*state, VFIO_PCI_BAR0_REGION_INDEX, &fd);
	assert_true(info.flags & VFIO_REGION_INFO_FLAG_MMAP);
	assert_int_equal(info.size, gpu.vram_size);
	assert_true(fd >= 0);
	map = mmap(NULL, info.size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	assert_ptr_not_equal(map, MAP_FAILED);
	close(fd);

	memcpy(map + 0x123000, "guest", 6);
	assert_string_equal((char *)gpu.vram + 0x123000, "guest");
	memcpy(gpu.vram + info.size - 4, "gpu", 4);
	assert_string_equal((char *)map + info.size - 4, "gpu");
	/* The same memory by message, for a host that does not map it. */
	val = 0x12345678;
	assert_int_equal(client_write(*state, VFIO_PCI_BAR0_REGION_INDEX,
				      0x2000, &val, 4), 0);
	assert_memory_equal(map + 0x2000, &val, 4);
	munmap(map, info.size);
}

/* A file that became shorter would end vgpu, at its next access behind the end. */
static void bar0_keeps_its_size(void **state)
{
	struct vfio_region_info info;
	int fd;

	info = region_info(*state, VFIO_PCI_BAR0_REGION_INDEX, &fd);
	assert_int_equal(ftruncate(fd, 0), -1);
	assert_int_equal(errno, EPERM);
	assert_int_equal(ftruncate(fd, (off_t)info.size * 2), -1);
	assert_int_equal(errno, EPERM);
	/* A reset has to be able to give the pages back (fcntl(2), F_SEAL_WRITE). */
	assert_int_equal(fcntl(fd, F_ADD_SEALS, F_SEAL_FUTURE_WRITE), -1);
	assert_int_equal(errno, EPERM);
	close(fd);
}

static void config_space_names_the_gpu(void **state)
{
	u32 id, class;
	u16 subsystem[2];

	assert_int_equal(client_read(*state, CONFIG, PCI_VENDOR_ID, &id, 4), 0);
	assert_int_equal(id, 0x163f1002);
	assert_int_equal(client_read(*state, CONFIG, PCI_CLASS_REVISION, &class,
				     4), 0);
	assert_int_equal(class >> 8, 0x038000);
	assert_int_equal(client_read(*state, CONFIG, PCI_SUBSYSTEM_VENDOR_ID,
				     subsystem, 4), 0);
	assert_int_equal(subsystem[0], gpu.profile->pci_subvendor);
	assert_int_equal(subsystem[1], gpu.profile->pci_subdevice);
	id = 0;
	assert_int_equal(client_write(*state, CONFIG, PCI_VENDOR_ID, &id, 4), 0);
	assert_int_equal(client_read(*state, CONFIG, PCI_VENDOR_ID, &id, 4), 0);
	assert_int_equal(id, 0x163f1002);
}

static u32 bar_after_ones(struct client *c, u32 offset)
{
	u32 val = ~0U;

	assert_int_equal(client_write(c, CONFIG, offset, &val, 4), 0);
	assert_int_equal(client_read(c, CONFIG, offset, &val, 4), 0);
	return val;
}

static void bars_can_be_sized(void **state)
{
	assert_int_equal(bar_after_ones(*state, PCI_BASE_ADDRESS_0),
			 (u32)-gpu.vram_size | 0xc);
	assert_int_equal(bar_after_ones(*state, PCI_BASE_ADDRESS_1), ~0U);
	assert_int_equal(bar_after_ones(*state, PCI_BASE_ADDRESS_2),
			 -(2U << 20) | 0xc);
	assert_int_equal(bar_after_ones(*state, PCI_BASE_ADDRESS_4), 0);
	assert_int_equal(bar_after_ones(*state, PCI_BASE_ADDRESS_5),
			 -(512U << 10));
	assert_int_equal(bar_after_ones(*state, PCI_ROM_ADDRESS),
			 -(64U << 10) | PCI_ROM_ADDRESS_ENABLE);
}

static void capabilities_are_express_and_msi(void **state)
{
	u8 config[256], pos;
	unsigned int msi = 0, express = 0, num = 0;

	assert_int_equal(client_read(*state, CONFIG, 0, config, sizeof(config)),
			 0);
	assert_true(config[PCI_STATUS] & PCI_STATUS_CAP_LIST);
	for (pos = config[PCI_CAPABILITY_LIST]; pos; pos = config[pos + 1]) {
		assert_true(num++ < 8);
		if (config[pos] == PCI_CAP_ID_MSI)
			msi = pos;
		else if (config[pos] == PCI_CAP_ID_EXP)
			express = pos;
	}
	assert_true(msi && express);
	assert_true(config[msi + PCI_MSI_FLAGS] & PCI_MSI_FLAGS_64BIT);
	assert_int_equal(config[express + PCI_EXP_FLAGS] & PCI_EXP_FLAGS_VERS, 2);
	/* No INTx: a host that cannot do MSI gets no interrupts. */
	assert_int_equal(config[PCI_INTERRUPT_PIN], 0);
}

static void rom_holds_the_vbios(void **state)
{
	u8 rom[512], zero = 0;
	u16 pcir;

	assert_int_equal(client_read(*state, VFIO_PCI_ROM_REGION_INDEX, 0, rom,
				     sizeof(rom)), 0);
	assert_int_equal(rom[0], 0x55);
	assert_int_equal(rom[1], 0xaa);
	memcpy(&pcir, rom + 0x18, 2);
	assert_true(pcir < sizeof(rom) - 4);
	assert_memory_equal(rom + pcir, "PCIR", 4);
	assert_int_equal(client_write(*state, VFIO_PCI_ROM_REGION_INDEX, 0,
				      &zero, 1), -EINVAL);
}

static void accesses_outside_a_region_fail(void **state)
{
	u8 buf[64];

	assert_int_equal(client_read(*state, CONFIG, 4093, buf, 4), -EINVAL);
	assert_int_equal(client_read(*state, CONFIG, ~0ULL - 1, buf, 4),
			 -EINVAL);
	assert_int_equal(client_write(*state, CONFIG, 4096, buf, 1), -EINVAL);
	assert_int_equal(client_read(*state, VFIO_PCI_BAR0_REGION_INDEX,
				     gpu.vram_size - 1, buf, 2), -EINVAL);
	assert_int_equal(client_read(*state, VFIO_PCI_BAR1_REGION_INDEX, 0, buf,
				     4), -EINVAL);
	assert_int_equal(client_read(*state, 1000, 0, buf, 4), -EINVAL);
}

static void registers_take_whole_dwords(void **state)
{
	const u32 bar5 = VFIO_PCI_BAR5_REGION_INDEX;
	/* A scratch register: stores what is written. */
	const u64 offset = gpu.profile->regs[R_BIOS_SCRATCH_7] * 4 + 4;
	u64 reads = gpu.counters.reg_reads, writes = gpu.counters.reg_writes;
	u32 val = 0xa1b2c3d4, got, many[65] = { 0 };
	u16 half;

	assert_int_equal(client_write(*state, bar5, offset, &val, 4), 0);
	assert_int_equal(client_read(*state, bar5, offset, &got, 4), 0);
	assert_int_equal(got, val);
	assert_int_equal(client_read(*state, bar5, offset + 2, &half, 2), 0);
	assert_int_equal(half, 0xa1b2);
	assert_int_equal(gpu.counters.reg_reads - reads, 2);
	assert_int_equal(gpu.counters.reg_writes - writes, 1);

	/* No packet on the bus has more than the 256 bytes of DEVCAP. */
	assert_int_equal(client_read(*state, bar5, 0, many, 256), 0);
	assert_int_equal(client_read(*state, bar5, 0, many, 260), -EINVAL);
	assert_int_equal(client_write(*state, bar5, 0, many, 260), -EINVAL);
	vgpu_checker_fini(&gpu);
	vgpu_checker_init(&gpu);
	assert_int_equal(client_write(*state, bar5, offset, &half, 2), -EINVAL);
	assert_int_equal(vgpu_complaints(&gpu, VGPU_BAD_REGISTER), 1);
}

static void a_doorbell_without_a_queue_is_complained_about(void **state)
{
	u64 val = 1;

	assert_int_equal(client_write(*state, VFIO_PCI_BAR2_REGION_INDEX,
				      0x1000, &val, 8), 0);
	assert_int_equal(vgpu_complaints(&gpu, VGPU_BAD_DOORBELL), 1);
	assert_int_equal(client_write(*state, VFIO_PCI_BAR2_REGION_INDEX,
				      0x1002, &val, 2), -EINVAL);
	assert_int_equal(client_write(*state, VFIO_PCI_BAR2_REGION_INDEX,
				      0x1004, &val, 8), -EINVAL);
	assert_int_equal(vgpu_complaints(&gpu, VGPU_BAD_DOORBELL), 3);
	assert_int_equal(gpu.counters.doorbells, 1);
}

static void doorbell_of_a_queue_that_has_gone_is_no_complaint(void **state)
{
	/* IH_DOORBELL_RPTR: OFFSET 25:0, ENABLE 28 (osssys_5_0_0_sh_mask.h) */
	const u32 index = 0x178, enable = BIT(28);
	u32 val = 0x40;

	vgpu_reg_store(&gpu, R_IH_DOORBELL_RPTR, 0, index | enable);
	assert_int_equal(client_write(*state, VFIO_PCI_BAR2_REGION_INDEX,
				      index * 4, &val, 4), 0);
	assert_int_equal(vgpu_reg_load(&gpu, R_IH_RB_RPTR, 0), 0x40);
	vgpu_reg_store(&gpu, R_IH_DOORBELL_RPTR, 0, 0);
	assert_int_equal(client_write(*state, VFIO_PCI_BAR2_REGION_INDEX,
				      index * 4, &val, 4), 0);
	assert_int_equal(vgpu_complaints(&gpu, VGPU_BAD_DOORBELL), 0);
	/* After a reset the GPU has never seen it. */
	assert_int_equal(client_call(*state, VFIO_USER_DEVICE_RESET, NULL, 0, -1,
				     NULL, NULL, NULL), 0);
	assert_int_equal(client_write(*state, VFIO_PCI_BAR2_REGION_INDEX,
				      index * 4, &val, 4), 0);
	assert_int_equal(vgpu_complaints(&gpu, VGPU_BAD_DOORBELL), 1);
}

static void guest_memory_is_reached_by_bus_address(void **state)
{
	int fd = memfd_create("guest", MFD_CLOEXEC);
	char text[8];

	assert_int_equal(ftruncate(fd, 0x8000), 0);
	/* As QEMU does it: one file, several pieces, at other addresses. */
	assert_int_equal(client_dma_map(*state, 0x100000, 0x4000, 0x4000, fd), 0);
	assert_int_equal(client_dma_map(*state, 0, 0x4000, 0, fd), 0);

	assert_int_equal(pwrite(fd, "hello", 6, 0x4ffa), 6);
	assert_string_equal((char *)vgpu_dma_ptr(&gpu, 0x100ffa, 6, false),
			    "hello");
	memcpy(vgpu_dma_ptr(&gpu, 0x3ffa, 6, true), "world", 6);
	assert_int_equal(pread(fd, text, 6, 0x3ffa), 6);
	assert_string_equal(text, "world");

	/* Beyond the end, across it, before the start, between regions. */
	assert_null(vgpu_dma_ptr(&gpu, 0x4000, 1, false));
	assert_null(vgpu_dma_ptr(&gpu, 0x3ffa, 7, false));
	assert_null(vgpu_dma_ptr(&gpu, 0xfffff, 1, false));
	assert_null(vgpu_dma_ptr(&gpu, 0x104000, 1, false));
	assert_null(vgpu_dma_ptr(&gpu, ~0ULL, 1, false));

	assert_int_equal(client_dma_unmap(*state, 0x100000, 0x4000), 0);
	assert_null(vgpu_dma_ptr(&gpu, 0x100000, 1, false));
	assert_non_null(vgpu_dma_ptr(&gpu, 0, 1, false));
	close(fd);
}

static void overlapping_maps_are_refused(void **state)
{
	int fd = memfd_create("guest", MFD_CLOEXEC);

	assert_int_equal(ftruncate(fd, 0x10000), 0);
	assert_int_equal(client_dma_map(*state, 0x4000, 0x4000, 0, fd), 0);
	assert_int_equal(client_dma_map(*state, 0x7fff, 0x1000, 0, fd), -EEXIST);
	assert_int_equal(client_dma_map(*state, 0, 0x4001, 0, fd), -EEXIST);
	assert_int_equal(client_dma_map(*state, 0, 0x10000, 0, fd), -EEXIST);
	assert_int_equal(client_dma_map(*state, 0, 0x4000, 0, fd), 0);
	assert_int_equal(client_dma_map(*state, 0x8000, 0, 0, fd), -EINVAL);
	assert_int_equal(client_dma_map(*state, -0x1000ULL, 0x2000, 0, fd),
			 -EINVAL);
	/* A region goes as a whole; several may go at once. */
	assert_int_equal(client_dma_unmap(*state, 0x4000, 0x2000), -EINVAL);
	assert_int_equal(client_dma_unmap(*state, 0x6000, 0x2000), -EINVAL);
	assert_non_null(vgpu_dma_ptr(&gpu, 0x4000, 0x4000, true));
	assert_int_equal(client_dma_unmap(*state, 0, 0x8000), 0);
	assert_int_equal(client_dma_unmap(*state, 0, 0x8000), -ENOENT);
	close(fd);
}

static void memory_without_fd_is_accepted_but_empty(void **state)
{
	assert_int_equal(client_dma_map(*state, 0xfffc0000, 0x40000, 0, -1), 0);
	assert_null(vgpu_dma_ptr(&gpu, 0xfffc0000, 4, false));
	assert_int_equal(client_dma_unmap(*state, 0xfffc0000, 0x40000), 0);
}

static void read_only_memory_is_not_written(void **state)
{
	struct vfio_user_dma_map map = {
		.argsz = sizeof(map), .addr = 0x1000, .size = 0x1000,
		.flags = VFIO_USER_DMA_READ,
	};
	int fd = memfd_create("guest", MFD_CLOEXEC);

	assert_int_equal(ftruncate(fd, 0x1000), 0);
	assert_int_equal(client_call(*state, VFIO_USER_DMA_MAP, &map,
				     sizeof(map), fd, NULL, NULL, NULL), 0);
	assert_non_null(vgpu_dma_ptr(&gpu, 0x1000, 4, false));
	assert_null(vgpu_dma_ptr(&gpu, 0x1000, 4, true));
	close(fd);
}

static void many_dma_regions_are_found(void **state)
{
	const unsigned int num = 200;
	int fd = memfd_create("guest", MFD_CLOEXEC);
	unsigned int i;

	assert_int_equal(ftruncate(fd, num * 0x1000), 0);
	for (i = 0; i < num; i++) {
		/* Not in order: 77 has no common factor with 200. */
		u64 n = i * 77 % num;

		assert_int_equal(client_dma_map(*state, n * 0x2000, 0x1000,
						n * 0x1000, fd), 0);
		assert_int_equal(pwrite(fd, &n, 8, (off_t)n * 0x1000), 8);
	}
	for (i = 0; i < num; i++) {
		u64 *p = (u64 *)vgpu_dma_ptr(&gpu, i * 0x2000ULL, 8, false);

		assert_non_null(p);
		assert_int_equal(*p, i);
		assert_null(vgpu_dma_ptr(&gpu, i * 0x2000ULL + 0x1000, 8, false));
	}
	close(fd);
}

/* Behind the end of a file there is no memory, only SIGBUS. */
static void a_file_is_as_long_as_its_region(void **state)
{
	int fd = memfd_create("guest", MFD_CLOEXEC);

	assert_int_equal(ftruncate(fd, 0x1800), 0);
	assert_int_equal(client_dma_map(*state, 0, 0x3000, 0, fd), -EINVAL);
	assert_int_equal(client_dma_map(*state, 0, 0x1000, 0x2000, fd), -EINVAL);
	assert_int_equal(client_dma_map(*state, 0, 0x2000, 0, fd), 0);
	assert_int_equal(*vgpu_dma_ptr(&gpu, 0x1fff, 1, false), 0);
	close(fd);
}

/* What is aligned for the GPU has to be so for the atomics of vgpu. */
static void a_region_is_aligned_as_its_file(void **state)
{
	int fd = memfd_create("guest", MFD_CLOEXEC);

	assert_int_equal(ftruncate(fd, 0x4000), 0);
	assert_int_equal(client_dma_map(*state, 0x1000, 0x1000, 1, fd), -EINVAL);
	assert_int_equal(client_dma_map(*state, 0x1002, 0x1000, 0, fd), -EINVAL);
	assert_int_equal(client_dma_map(*state, 0x1800, 0x800, 0x800, fd), 0);
	close(fd);
}

/* dma_entry_limit of vfio_iommu_type1.c (Linux 6.1) is 65535. */
static void the_number_of_dma_regions_is_limited(void **state)
{
	u64 n;
	int ret = 0;

	for (n = 0; n < 100000 && !ret; n++)
		ret = client_dma_map(*state, n << 12, 0x1000, 0, -1);
	assert_int_equal(ret, -ENOSPC);
	assert_int_equal(n, 65536);
}

static int set_msi(struct client *c, u32 flags, u32 count, int fd)
{
	struct vfio_irq_set set = {
		.argsz = sizeof(set), .index = VFIO_PCI_MSI_IRQ_INDEX,
		.flags = flags | VFIO_IRQ_SET_ACTION_TRIGGER, .count = count,
	};

	return client_call(c, VFIO_USER_DEVICE_SET_IRQS, &set, sizeof(set), fd,
			   NULL, NULL, NULL);
}

static u64 take_events(int fd)
{
	u64 n = 0;

	if (read(fd, &n, sizeof(n)) != sizeof(n))
		assert_int_equal(errno, EAGAIN);
	return n;
}

static void msi_is_an_eventfd(void **state)
{
	int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

	vgpu_transport_irq(&gpu);
	assert_int_equal(gpu.counters.irqs, 0);
	assert_int_equal(set_msi(*state, VFIO_IRQ_SET_DATA_EVENTFD, 1, fd), 0);
	vgpu_transport_irq(&gpu);
	vgpu_transport_irq(&gpu);
	assert_int_equal(take_events(fd), 2);
	assert_int_equal(gpu.counters.irqs, 2);

	vgpu_fault_arm(&gpu, VGPU_FAULT_DROP_IRQ, 1, VGPU_FAULT_ANY);
	vgpu_transport_irq(&gpu);
	assert_int_equal(take_events(fd), 0);
	assert_int_equal(set_msi(*state, VFIO_IRQ_SET_DATA_NONE, 1, -1), 0);
	assert_int_equal(take_events(fd), 1);

	assert_int_equal(set_msi(*state, VFIO_IRQ_SET_DATA_NONE, 0, -1), 0);
	vgpu_transport_irq(&gpu);
	assert_int_equal(take_events(fd), 0);
	assert_int_equal(set_msi(*state, VFIO_IRQ_SET_DATA_EVENTFD, 2, fd),
			 -EINVAL);
	close(fd);
}

/* Any file may be given for an eventfd; vgpu does not wait for who reads it. */
static void an_interrupt_does_not_wait_for_the_client(void **state)
{
	static const u8 zeros[4096];
	int fds[2];

	assert_int_equal(pipe2(fds, O_CLOEXEC | O_NONBLOCK), 0);
	while (write(fds[1], zeros, sizeof(zeros)) > 0)
		;
	assert_int_equal(fcntl(fds[1], F_SETFL, 0), 0);
	assert_int_equal(set_msi(*state, VFIO_IRQ_SET_DATA_EVENTFD, 1, fds[1]),
			 0);
	vgpu_transport_irq(&gpu);
	assert_int_equal(gpu.counters.irqs, 0);
	close(fds[0]);
	close(fds[1]);
}

static void only_msi_has_a_vector(void **state)
{
	struct vfio_irq_info info;
	u32 i, len;

	for (i = 0; i <= VFIO_PCI_NUM_IRQS; i++) {
		info = (struct vfio_irq_info) {
			.argsz = sizeof(info), .index = i,
		};
		len = sizeof(info);
		if (i == VFIO_PCI_NUM_IRQS) {
			assert_int_equal(client_call(*state,
						     VFIO_USER_DEVICE_GET_IRQ_INFO,
						     &info, len, -1, NULL, NULL,
						     NULL), -EINVAL);
			break;
		}
		assert_int_equal(client_call(*state,
					     VFIO_USER_DEVICE_GET_IRQ_INFO,
					     &info, len, -1, &info, &len, NULL),
				 0);
		assert_int_equal(info.count, i == VFIO_PCI_MSI_IRQ_INDEX ||
				 i == VFIO_PCI_ERR_IRQ_INDEX);
	}
}

static void a_reset_restores_the_power_on_state(void **state)
{
	u16 command = PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER;
	u32 zero;

	assert_int_equal(client_write(*state, CONFIG, PCI_COMMAND, &command, 2),
			 0);
	memset(gpu.vram + 0x800000, 0xee, 64);
	assert_int_equal(client_call(*state, VFIO_USER_DEVICE_RESET, NULL, 0, -1,
				     NULL, NULL, NULL), 0);
	assert_int_equal(client_read(*state, CONFIG, PCI_COMMAND, &command, 2),
			 0);
	assert_int_equal(command, 0);
	memcpy(&zero, gpu.vram + 0x800000, 4);
	assert_int_equal(zero, 0);
}

static struct vfio_user_header config_read_msg(void)
{
	return (struct vfio_user_header) {
		.id = 7, .command = VFIO_USER_DEVICE_GET_INFO,
		.size = sizeof(struct vfio_user_header) +
			sizeof(struct vfio_user_device_info),
	};
}

static void a_message_may_come_in_pieces(void **state)
{
	struct client *c = *state;
	u8 msg[sizeof(struct vfio_user_header) +
	       sizeof(struct vfio_user_device_info)] = { 0 };
	struct vfio_user_header hdr = config_read_msg();
	size_t i;

	memcpy(msg, &hdr, sizeof(hdr));
	for (i = 0; i < sizeof(msg); i++) {
		assert_false(client_has_input(c));
		client_send(c, msg + i, 1, -1);
	}
	assert_int_equal(read(c->fd, msg, sizeof(msg)), sizeof(msg));
	memcpy(&hdr, msg, sizeof(hdr));
	assert_int_equal(hdr.id, 7);
	assert_int_equal(hdr.flags, VFIO_USER_REPLY);
}

static void several_messages_may_come_at_once(void **state)
{
	struct client *c = *state;
	struct {
		struct vfio_user_header hdr;
		struct vfio_user_device_info info;
	} msg[3];
	int i;

	memset(msg, 0, sizeof(msg));
	for (i = 0; i < 3; i++) {
		msg[i].hdr = config_read_msg();
		msg[i].hdr.id = (u16)(100 + i);
	}
	/* The middle one does not want an answer. */
	msg[1].hdr.flags = VFIO_USER_NO_REPLY;
	client_send(c, msg, sizeof(msg), -1);
	assert_int_equal(read(c->fd, msg, sizeof(msg)), 2 * sizeof(msg[0]));
	assert_int_equal(msg[0].hdr.id, 100);
	assert_int_equal(msg[1].hdr.id, 102);
}

/* Others want to be served, too, whatever a host has to say. */
static void many_messages_take_turns(void **state)
{
	struct client *c = *state;
	struct {
		struct vfio_user_header hdr;
		struct vfio_user_device_info info;
	} msg[1000];
	ssize_t n, sum = 0;
	int i, turns = 0;

	memset(msg, 0, sizeof(msg));
	for (i = 0; i < 1000; i++)
		msg[i].hdr = config_read_msg();
	client_send(c, msg, sizeof(msg), -1);
	while ((n = recv(c->fd, msg, sizeof(msg), MSG_DONTWAIT)) > 0) {
		sum += n;
		turns++;
		vgpu_transport_serve(&gpu);
	}
	assert_int_equal(sum, sizeof(msg));
	assert_in_range(turns, 10, 100);
}

static void bad_requests_are_answered_and_survived(void **state)
{
	static const u16 with_payload[] = {
		VFIO_USER_VERSION, VFIO_USER_DMA_MAP, VFIO_USER_DMA_UNMAP,
		VFIO_USER_DEVICE_GET_INFO, VFIO_USER_DEVICE_GET_REGION_INFO,
		VFIO_USER_DEVICE_GET_IRQ_INFO, VFIO_USER_DEVICE_SET_IRQS,
		VFIO_USER_REGION_READ, VFIO_USER_REGION_WRITE,
	};
	struct vfio_user_region_rw rw = { .region = CONFIG };
	struct vfio_region_info info = { .index = VFIO_PCI_NUM_REGIONS };
	u32 id;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(with_payload); i++)
		assert_int_equal(client_call(*state, with_payload[i], "12", 3,
					     -1, NULL, NULL, NULL), -EINVAL);
	assert_int_equal(client_call(*state, 0, NULL, 0, -1, NULL, NULL, NULL),
			 -EOPNOTSUPP);
	assert_int_equal(client_call(*state, 6, NULL, 0, -1, NULL, NULL, NULL),
			 -EOPNOTSUPP);
	assert_int_equal(client_call(*state, 0xffff, NULL, 0, -1, NULL, NULL,
				     NULL), -EOPNOTSUPP);
	assert_int_equal(client_call(*state, VFIO_USER_DEVICE_GET_REGION_INFO,
				     &info, sizeof(info), -1, NULL, NULL, NULL),
			 -EINVAL);
	rw.count = VFIO_USER_MAX_XFER + 1;
	assert_int_equal(client_call(*state, VFIO_USER_REGION_READ, &rw,
				     sizeof(rw), -1, NULL, NULL, NULL),
			 -EINVAL);
	/* Promises four bytes, brings none. */
	rw.count = 4;
	assert_int_equal(client_call(*state, VFIO_USER_REGION_WRITE, &rw,
				     sizeof(rw), -1, NULL, NULL, NULL),
			 -EINVAL);
	assert_int_equal(client_read(*state, CONFIG, 0, &id, 4), 0);
	assert_int_equal(id, 0x163f1002);
}

static void a_reply_to_nothing_is_ignored(void **state)
{
	struct vfio_user_header hdr = {
		.command = VFIO_USER_DEVICE_RESET, .size = sizeof(hdr),
		.flags = VFIO_USER_REPLY,
	};
	u64 resets = gpu.counters.resets;

	client_send(*state, &hdr, sizeof(hdr), -1);
	assert_false(client_has_input(*state));
	assert_int_equal(gpu.counters.resets, resets);
}

static void a_wrong_size_ends_the_connection(void **state)
{
	struct vfio_user_header hdr = {
		.command = VFIO_USER_DEVICE_GET_INFO, .size = 15,
	};
	char byte;

	client_send(*state, &hdr, sizeof(hdr), -1);
	assert_true(gpu.stop);
	assert_int_equal(read(((struct client *)*state)->fd, &byte, 1), 0);
}

static void an_oversized_message_ends_the_connection(void **state)
{
	struct vfio_user_header hdr = {
		.command = VFIO_USER_DEVICE_GET_INFO, .size = 0xffffffff,
	};

	client_send(*state, &hdr, sizeof(hdr), -1);
	assert_true(gpu.stop);
}

static void a_host_may_disconnect_within_a_message(void **state)
{
	struct vfio_user_header hdr = config_read_msg();
	int fd = memfd_create("guest", MFD_CLOEXEC);

	assert_int_equal(ftruncate(fd, 0x1000), 0);
	assert_int_equal(client_dma_map(*state, 0, 0x1000, 0, fd), 0);
	close(fd);
	client_send(*state, &hdr, sizeof(hdr) - 3, -1);
	client_disconnect(*state);
	/* Not persistent: that was its only host. */
	assert_true(gpu.stop);
	assert_null(vgpu_dma_ptr(&gpu, 0, 1, false));
}

static void the_next_host_finds_the_gpu_as_at_power_on(void **state)
{
	u16 command = PCI_COMMAND_MEMORY;
	u32 val = 0;

	assert_int_equal(client_write(*state, CONFIG, PCI_COMMAND, &command, 2),
			 0);
	memset(gpu.vram + 0x900000, 0xee, 64);
	client_disconnect(*state);
	assert_false(gpu.stop);
	client_connect(*state);
	assert_int_equal(client_read(*state, CONFIG, PCI_COMMAND, &command, 2),
			 0);
	assert_int_equal(command, 0);
	assert_int_equal(client_read(*state, VFIO_PCI_BAR0_REGION_INDEX,
				     0x900000, &val, 4), 0);
	assert_int_equal(val, 0);
}

/*
 * Messages with random commands and payloads, whose headers are mostly right so
 * that the handlers see them. Always the same ones.
 */
static void garbage_does_not_stop_the_server(void **state)
{
	struct client *c = *state;
	u8 msg[256], drain[4096];
	u32 id, seed = 1;
	int round;
	size_t i;

	for (round = 0; round < 20000; round++) {
		struct vfio_user_header hdr;

		for (i = 0; i < sizeof(msg); i++) {
			seed = seed * 1664525 + 1013904223;
			/* Many small numbers: they pass more checks. */
			msg[i] = seed & 0x1000000 ? 0 : seed >> 25 & 0xf;
		}
		memcpy(&hdr, msg, sizeof(hdr));
		hdr.size = 16 + (seed >> 16) % 112;
		if ((seed >> 8) % 500 == 0)
			hdr.size = seed;
		hdr.flags &= VFIO_USER_NO_REPLY;
		memcpy(msg, &hdr, sizeof(hdr));
		client_send(c, msg, hdr.size < sizeof(msg) ? hdr.size :
			    sizeof(msg), -1);
		while (client_has_input(c))
			if (read(c->fd, drain, sizeof(drain)) <= 0) {
				close(c->fd);
				client_connect(c);
			}
	}
	client_disconnect(c);
	client_connect(c);
	assert_int_equal(client_read(c, CONFIG, PCI_VENDOR_ID, &id, 4), 0);
	assert_int_equal(id, 0x163f1002);
}

static void a_second_server_is_refused(void **state)
{
	struct client *c = *state;

	assert_int_equal(vgpu_listen(c->socket_path), -EADDRINUSE);
}

static void a_stale_socket_is_replaced(void **state)
{
	char path[80];
	int fd, again;

	snprintf(path, sizeof(path), "%s/stale", ((struct client *)*state)->dir);
	fd = vgpu_listen(path);
	assert_true(fd >= 0);
	close(fd);
	again = vgpu_listen(path);
	assert_true(again >= 0);
	close(again);
	unlink(path);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
#define TEST_PERSIST(f) cmocka_unit_test_setup_teardown(f, setup_persist, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(version_is_answered_with_limits),
		TEST(newer_major_version_is_refused),
		TEST(device_is_pci_with_its_regions),
		TEST(regions_have_the_sizes_of_the_bars),
		TEST(bar0_is_the_memory_of_the_gpu),
		TEST(bar0_keeps_its_size),
		TEST(config_space_names_the_gpu),
		TEST(bars_can_be_sized),
		TEST(capabilities_are_express_and_msi),
		TEST(rom_holds_the_vbios),
		TEST(accesses_outside_a_region_fail),
		TEST(registers_take_whole_dwords),
		TEST(a_doorbell_without_a_queue_is_complained_about),
		TEST(doorbell_of_a_queue_that_has_gone_is_no_complaint),
		TEST(guest_memory_is_reached_by_bus_address),
		TEST(overlapping_maps_are_refused),
		TEST(memory_without_fd_is_accepted_but_empty),
		TEST(read_only_memory_is_not_written),
		TEST(many_dma_regions_are_found),
		TEST(a_file_is_as_long_as_its_region),
		TEST(a_region_is_aligned_as_its_file),
		TEST(the_number_of_dma_regions_is_limited),
		TEST(msi_is_an_eventfd),
		TEST(an_interrupt_does_not_wait_for_the_client),
		TEST(only_msi_has_a_vector),
		TEST(a_reset_restores_the_power_on_state),
		TEST(a_message_may_come_in_pieces),
		TEST(several_messages_may_come_at_once),
		TEST(many_messages_take_turns),
		TEST(bad_requests_are_answered_and_survived),
		TEST(a_reply_to_nothing_is_ignored),
		TEST(a_wrong_size_ends_the_connection),
		TEST(an_oversized_message_ends_the_connection),
		TEST(a_host_may_disconnect_within_a_message),
		TEST_PERSIST(the_next_host_finds_the_gpu_as_at_power_on),
		TEST_PERSIST(garbage_does_not_stop_the_server),
		TEST(a_second_server_is_refused),
		TEST(a_stale_socket_is_replaced),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
