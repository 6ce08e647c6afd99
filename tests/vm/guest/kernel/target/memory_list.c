// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The list of mappings, and mappings whose memory a debugger cannot access: see memory.h.
 */
#define _GNU_SOURCE
#include "memory.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include <linux/udmabuf.h>

#include "self.h"

#define MANY 300	/* more than the kernel lists at once */

static void has(const struct amdgpudbg_mapping *m, uint64_t va, uint64_t bytes,
		uint32_t flags, uint32_t kind, uint64_t offset)
{
	assert_int_equal(m->va, va);
	assert_int_equal(m->bytes, bytes);
	assert_int_equal(m->flags, flags);
	assert_int_equal(m->kind, kind);
	assert_int_equal(m->offset, offset);
	assert_int_equal(m->cpu_address, 0);
}

void the_list_has_all_mappings(void **state)
{
	static const struct {
		uint64_t api;
		uint32_t flags;
	} rights[] = {
		{ AMDGPU_VM_PAGE_READABLE, AMDGPUDBG_MAPPING_READ },
		{ AMDGPU_VM_PAGE_WRITEABLE, AMDGPUDBG_MAPPING_WRITE },
		{ AMDGPU_VM_PAGE_EXECUTABLE, AMDGPUDBG_MAPPING_EXEC },
		{ AMDGPU_VM_PAGE_READABLE | AMDGPU_VM_PAGE_WRITEABLE |
		  AMDGPU_VM_PAGE_EXECUTABLE,
		  AMDGPUDBG_MAPPING_READ | AMDGPUDBG_MAPPING_WRITE |
		  AMDGPUDBG_MAPPING_EXEC },
	};
	struct amdgpudbg_mapping m[8];
	struct bo gtt, vram, room;
	uint64_t at;
	size_t i;

	(void)state;
	bo_new(&gtt, AMDGPU_GEM_DOMAIN_GTT, 0, false);
	bo_new(&vram, AMDGPU_GEM_DOMAIN_VRAM,
	       AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED, true);
	vm_at(gtt.va, &m[0]);
	has(&m[0], gtt.va, MAPPED, AMDGPUDBG_MAPPING_READ |
	    AMDGPUDBG_MAPPING_WRITE, AMDGPUDBG_KIND_SYSTEM, SKIPPED);
	vm_at(vram.va + MAPPED - 1, &m[0]);
	has(&m[0], vram.va, MAPPED, AMDGPUDBG_MAPPING_READ |
	    AMDGPUDBG_MAPPING_WRITE, AMDGPUDBG_KIND_VRAM, SKIPPED);
	assert_int_equal(vm_list(gtt.va - 1, 1, m, 8), 0);
	assert_int_equal(vm_list(gtt.va + MAPPED, 1, m, 8), 0);

	bo_room(&room, 8 * PAGE, false);
	for (i = 0; i < 4; i++)
		assert_int_equal(bo_map(&gtt, i * 3 * PAGE, PAGE,
					room.reserved + 2 * i * PAGE,
					rights[i].api), 0);
	assert_int_equal(vm_list(room.reserved, 8 * PAGE, m, 8), 4);
	for (i = 0; i < 4; i++)
		has(&m[i], room.reserved + 2 * i * PAGE, PAGE, rights[i].flags,
		    AMDGPUDBG_KIND_SYSTEM, i * 3 * PAGE);
	/* From one's last byte to the next one's first */
	at = room.reserved + PAGE - 1;
	assert_int_equal(vm_list(at, PAGE + 2, m, 8), 2);
	assert_int_equal(vm_list(at, PAGE + 1, m, 8), 1);
	assert_int_equal(vm_list(at + 1, PAGE, m, 8), 0);
	for (i = 0; i < 4; i++)
		bo_unmap(&gtt, i * 3 * PAGE, PAGE,
			 room.reserved + 2 * i * PAGE);
	bo_free(&room);
	bo_free(&gtt);
	bo_free(&vram);
}

/* 0 if @list's first mappings are those of @room, one in each second page. */
static void is_many(const char *list, size_t stride, uint32_t num,
		    const struct bo *room)
{
	const struct amdgpudbg_mapping *m;
	uint32_t i;

	for (i = 0; i < num; i++) {
		m = (const void *)(list + i * stride);
		assert_int_equal(m->va, room->reserved + 2 * i * PAGE);
		assert_int_equal(m->bytes, PAGE);
		assert_int_equal(m->offset, i % 60 * PAGE);
	}
}

void the_records_of_the_list_have_a_stride(void **state)
{
	static char records[MANY][64], whole[4096][sizeof(struct amdgpudbg_mapping)];
	struct amdgpudbg_vm_list list = {
		.size = sizeof(list),
		.bytes = 2 * MANY * PAGE,
		.entry_size = 64,
		.capacity = MANY,
		.mappings = (uintptr_t)records,
	};
	struct amdgpudbg_mapping *all = (void *)whole;
	struct bo b, room;
	int i, j, num;

	(void)state;
	bo_new(&b, AMDGPU_GEM_DOMAIN_GTT, 0, false);
	bo_room(&room, 2 * MANY * PAGE, false);
	for (i = 0; i < MANY; i++)
		assert_int_equal(bo_map(&b, i % 60 * PAGE, PAGE,
					room.reserved + 2 * i * PAGE,
					AMDGPU_VM_PAGE_READABLE), 0);

	/* A longer record's rest is cleared. */
	memset(records, 0xee, sizeof(records));
	list.va = room.reserved;
	assert_int_equal(self_call(dev, AMDGPUDBG_IOC_VM_LIST, &list), 0);
	assert_int_equal(list.count, MANY);
	/* It is the caller's: what he makes of it next must be as he has made it. */
	assert_int_equal(list.entry_size, 64);
	is_many(records[0], 64, MANY, &room);
	for (i = 0; i < MANY; i++)
		for (j = sizeof(struct amdgpudbg_mapping); j < 64; j++)
			assert_int_equal(records[i][j], 0);

	/* Too few: the first ones, and nothing behind them. */
	memset(records, 0xee, sizeof(records));
	list.entry_size = 64;
	list.capacity = 7;
	assert_int_equal(self_call(dev, AMDGPUDBG_IOC_VM_LIST, &list),
			 -EMSGSIZE);
	assert_int_equal(list.count, MANY);
	is_many(records[0], 64, 7, &room);
	assert_int_equal((uint8_t)records[7][0], 0xee);

	/* All there are, each once and in order; those are among them. */
	num = vm_list(0, 0, all, 4096);
	assert_in_range(num, MANY + 1 + PROG_NUM_BUFS, 4096);
	for (i = 1; i < num; i++)
		assert_true(all[i].va >= all[i - 1].va + all[i - 1].bytes);
	for (i = 0; i < num && all[i].va != room.reserved; i++)
		;
	assert_true(i + MANY <= num);
	is_many(whole[i], sizeof(*all), MANY, &room);

	for (i = 0; i < MANY; i++)
		bo_unmap(&b, i % 60 * PAGE, PAGE, room.reserved + 2 * i * PAGE);
	bo_free(&room);
	bo_free(&b);
}

void wrong_calls_of_the_list_are_refused(void **state)
{
	struct amdgpudbg_mapping m[4];
	const struct amdgpudbg_vm_list good = {
		.size = sizeof(good),
		.entry_size = sizeof(m[0]),
		.capacity = 4,
		.mappings = (uintptr_t)m,
		.va = prog.buf[PROG_IN].va,
		.bytes = 1,
	};
	struct amdgpudbg_vm_list list = good;
	int fd = open(NODE, O_RDWR | O_CLOEXEC);

	(void)state;
	assert_int_equal(self_call(fd, AMDGPUDBG_IOC_VM_LIST, &list), -ENOTCONN);
	close(fd);
	list.flags = 1;
	assert_int_equal(self_call(dev, AMDGPUDBG_IOC_VM_LIST, &list),
			 -EOPNOTSUPP);
	list = good;
	list.entry_size--;
	assert_int_equal(self_call(dev, AMDGPUDBG_IOC_VM_LIST, &list), -EINVAL);
	list.entry_size = 4097;
	assert_int_equal(self_call(dev, AMDGPUDBG_IOC_VM_LIST, &list), -EINVAL);
	list = good;
	list.bytes = 0;
	assert_int_equal(self_call(dev, AMDGPUDBG_IOC_VM_LIST, &list), -EINVAL);
	list = good;
	list.mappings = 1;
	assert_int_equal(self_call(dev, AMDGPUDBG_IOC_VM_LIST, &list), -EFAULT);
	list.mappings = UINT64_MAX;
	assert_int_equal(self_call(dev, AMDGPUDBG_IOC_VM_LIST, &list), -EFAULT);
	/* No such address: nothing is there. */
	assert_int_equal(vm_list(1ull << 60, 1ull << 40, m, 4), 0);
	/* To the end of all addresses, and beyond. */
	assert_in_range(vm_list(good.va, UINT64_MAX, m, 4), 1, 10000);
	assert_int_equal(vm_list(good.va, 1, m, 0), 1);
}

/* It is refused as a whole, and its neighbour is not. */
static void is_refused(uint64_t va, uint32_t kind, int error)
{
	struct amdgpudbg_vm_access a;
	uint8_t data[64] = { 0 };

	assert_int_equal(vm_access(dev, 0, va + 5, data, sizeof(data), &a),
			 error);
	assert_int_equal(a.done, 0);
	assert_int_equal(a.bad, va + 5);
	assert_int_equal(a.kind, kind);
	assert_int_equal(vm_access(dev, AMDGPUDBG_VM_ACCESS_WRITE, va + 5, data,
				   sizeof(data), &a), error);
	assert_int_equal(a.kind, kind);
}

void pages_of_the_process_are_reported(void **state)
{
	uint8_t *pages = mmap(NULL, BO_BYTES, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct amdgpudbg_mapping m;
	struct bo b;

	(void)state;
	assert_ptr_not_equal(pages, MAP_FAILED);
	memset(pages, 0x77, BO_BYTES);
	bo_room(&b, BO_BYTES, false);
	assert_int_equal(amdgpu_create_bo_from_user_mem(prog.gpu.dev, pages,
							BO_BYTES, &b.bo), 0);
	b.va = b.reserved;
	assert_int_equal(bo_map(&b, SKIPPED, MAPPED, b.va,
				AMDGPU_VM_PAGE_READABLE), 0);
	vm_at(b.va + 100, &m);
	assert_int_equal(m.kind, AMDGPUDBG_KIND_USERPTR);
	assert_int_equal(m.va, b.va);
	assert_int_equal(m.offset, SKIPPED);
	assert_int_equal(m.cpu_address, (uintptr_t)pages + SKIPPED);
	is_refused(b.va, AMDGPUDBG_KIND_USERPTR, -EOPNOTSUPP);
	assert_int_equal(pages[SKIPPED + 5], 0x77);
	bo_free(&b);
	munmap(pages, BO_BYTES);
}

void imported_memory_is_refused(void **state)
{
	struct udmabuf_create create = { .size = BO_BYTES };
	struct amdgpu_bo_import_result got;
	struct amdgpudbg_mapping m;
	struct bo b;
	int fd, buf;

	(void)state;
	if (udmabuf < 0)
		skip();
	fd = memfd_create("memory", MFD_ALLOW_SEALING);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, BO_BYTES), 0);
	assert_int_equal(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK), 0);
	create.memfd = fd;
	buf = ioctl(udmabuf, UDMABUF_CREATE, &create);
	assert_true(buf >= 0);
	bo_room(&b, BO_BYTES, false);
	assert_int_equal(amdgpu_bo_import(prog.gpu.dev,
					  amdgpu_bo_handle_type_dma_buf_fd, buf,
					  &got), 0);
	b.bo = got.buf_handle;
	b.va = b.reserved;
	assert_int_equal(bo_map(&b, SKIPPED, MAPPED, b.va,
				AMDGPU_VM_PAGE_READABLE), 0);
	vm_at(b.va, &m);
	assert_int_equal(m.kind, AMDGPUDBG_KIND_IMPORTED);
	assert_int_equal(m.cpu_address, 0);
	is_refused(b.va, AMDGPUDBG_KIND_IMPORTED, -EOPNOTSUPP);
	bo_free(&b);
	close(buf);
	close(fd);
}

void prt_mappings_are_no_memory(void **state)
{
	struct amdgpudbg_mapping m;
	struct bo b;

	(void)state;
	bo_room(&b, BO_BYTES, false);
	assert_int_equal(bo_map(&b, 0, MAPPED, b.reserved, AMDGPU_VM_PAGE_PRT),
			 0);
	vm_at(b.reserved, &m);
	assert_int_equal(m.va, b.reserved);
	assert_int_equal(m.bytes, MAPPED);
	assert_int_equal(m.kind, AMDGPUDBG_KIND_NONE);
	assert_int_equal(m.flags, AMDGPUDBG_MAPPING_PRT);
	is_refused(b.reserved, AMDGPUDBG_KIND_NONE, -ENXIO);
	bo_unmap(&b, 0, MAPPED, b.reserved);
	bo_free(&b);
}

/* Where there is some, as in 6.12 and 7.2, it may be the same for all processes. */
void buffers_of_the_driver_are_refused(void **state)
{
	static struct amdgpudbg_mapping m[4096];
	int i, num, found = 0;

	(void)state;
	num = vm_list(0, 0, m, 4096);
	assert_in_range(num, 1, 4096);
	for (i = 0; i < num; i++) {
		if (m[i].kind != AMDGPUDBG_KIND_DRIVER)
			continue;
		is_refused(m[i].va, AMDGPUDBG_KIND_DRIVER, -EOPNOTSUPP);
		found++;
	}
	print_message("%d of the driver's own\n", found);
}
