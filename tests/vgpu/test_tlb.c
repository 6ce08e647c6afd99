// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The TLB alone: a lookup finds the translation that was inserted last and not removed since.
 * test_gmc.c tests its effects on the driver and on waves.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mem/tlb.h"

#define PAGE		4096ULL
#define LAST_PAGE	(~0ULL - PAGE + 1)
#define VMID		3

static struct vgpu_tlb *tlb;

static int setup(void **state)
{
	(void)state;
	tlb = malloc(sizeof(*tlb));
	vgpu_tlb_init(tlb);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	free(tlb);
	return 0;
}

/* Nothing is read there: any address will do, as long as pages differ. */
static u8 *host(u64 n)
{
	return (u8 *)(uintptr_t)(0x7f0000000000ULL + n * PAGE);
}

static u8 *get(unsigned int vmid, u64 va, bool write)
{
	struct vgpu_tlb_pages *t = vgpu_tlb_pages(tlb, vmid, write);
	u8 *p = vgpu_tlb_lookup(t, va, 1);

	return p ? p : vgpu_tlb_find(t, va);
}

static void knows_nothing(void)
{
	unsigned int vmid, n;

	for (vmid = 0; vmid < 16; vmid++) {
		for (n = 0; n < 4096; n++) {
			assert_null(get(vmid, n * PAGE, false));
			assert_null(get(vmid, n * PAGE, true));
			assert_null(get(vmid, LAST_PAGE - n * PAGE, false));
			assert_null(get(vmid, LAST_PAGE - n * PAGE + 4095, true));
		}
	}
}

/* Neither the first nor the last page of the address space is there by itself. */
static void empty(void **state)
{
	unsigned int n;

	(void)state;
	knows_nothing();
	for (n = 0; n < 5000; n++) {
		vgpu_tlb_insert(tlb, n % 16, n & 1, n * PAGE, host(n));
		vgpu_tlb_insert(tlb, n % 16, n & 1, LAST_PAGE - n * PAGE,
				host(n));
	}
	vgpu_tlb_forget(tlb, 0xffff);
	knows_nothing();
}

static void ends_of_the_address_space(void **state)
{
	(void)state;
	vgpu_tlb_insert(tlb, VMID, false, 0, host(1));
	vgpu_tlb_insert(tlb, VMID, false, LAST_PAGE + 5, host(2));
	assert_ptr_equal(get(VMID, 0, false), host(1));
	assert_ptr_equal(get(VMID, 4095, false), host(1) + 4095);
	assert_ptr_equal(get(VMID, LAST_PAGE, false), host(2));
	assert_ptr_equal(get(VMID, ~0ULL, false), host(2) + 4095);
}

/* A lookup of several bytes finds those that are in one page. */
static void several_bytes(void **state)
{
	static const u32 sizes[] = { 1, 2, 4, 8, 12, 16 };
	struct vgpu_tlb_pages *t = vgpu_tlb_pages(tlb, VMID, false);
	unsigned int i;
	u64 off;

	(void)state;
	vgpu_tlb_insert(tlb, VMID, false, 7 * PAGE, host(1));
	vgpu_tlb_insert(tlb, VMID, false, 8 * PAGE, host(9));
	for (i = 0; i < 6; i++) {
		for (off = 4070; off < 4096; off++) {
			u8 *p = vgpu_tlb_lookup(t, 7 * PAGE + off, sizes[i]);

			assert_ptr_equal(p, off + sizes[i] <= 4096 ?
					 host(1) + off : NULL);
		}
	}
}

/*
 * Eight pages have room whatever they are: here as far apart as pages can be by a
 * power of two, or by an odd number of pages.
 */
static void eight_pages(void **state)
{
	unsigned int shift, n, round;
	u64 stride;

	(void)state;
	for (shift = 0; shift < 2 * 49; shift++) {
		stride = (shift & 1 ? 257 : 1) * PAGE << shift / 2;
		vgpu_tlb_forget(tlb, ~0U);
		for (n = 0; n < 8; n++)
			vgpu_tlb_insert(tlb, VMID, false, n * stride, host(n));
		for (round = 0; round < 3; round++) {
			for (n = 0; n < 8; n++)
				assert_ptr_equal(get(VMID, n * stride, false),
						 host(n));
		}
	}
}

/* The same by chance: any eight of some pages that are likely to be in the way. */
static void any_eight_pages(void **state)
{
	unsigned int trial, n, round;
	u64 va[8], taken;

	(void)state;
	for (trial = 0; trial < 5000; trial++) {
		vgpu_tlb_forget(tlb, 1 << VMID);
		for (n = 0, taken = 0; n < 8;) {
			unsigned int at = (unsigned int)random() % 64;

			if (taken >> at & 1)
				continue;
			taken |= 1ULL << at;
			va[n++] = at * (0x200001ULL << (random() % 2 ? 12 : 19));
		}
		for (n = 0; n < 8; n++)
			vgpu_tlb_insert(tlb, VMID, false, va[n],
					host(va[n] / PAGE));
		for (round = 0; round < 2; round++) {
			for (n = 0; n < 8; n++)
				assert_ptr_equal(get(VMID, va[n], false),
						 host(va[n] / PAGE));
		}
	}
}

static void vmids_and_accesses_are_apart(void **state)
{
	u64 before;

	(void)state;
	vgpu_tlb_insert(tlb, VMID, false, 5 * PAGE, host(1));
	assert_null(get(VMID, 5 * PAGE, true));
	assert_null(get(VMID + 1, 5 * PAGE, false));
	vgpu_tlb_insert(tlb, VMID, true, 5 * PAGE, host(2));
	vgpu_tlb_insert(tlb, VMID + 1, false, 5 * PAGE, host(3));
	assert_ptr_equal(get(VMID, 5 * PAGE, false), host(1));
	assert_ptr_equal(get(VMID, 5 * PAGE, true), host(2));
	assert_ptr_equal(get(VMID + 1, 5 * PAGE, false), host(3));
	before = tlb->forgotten;
	vgpu_tlb_forget(tlb, 1 << VMID);
	assert_true(tlb->forgotten != before);
	assert_null(get(VMID, 5 * PAGE, false));
	assert_null(get(VMID, 5 * PAGE, true));
	assert_ptr_equal(get(VMID + 1, 5 * PAGE, false), host(3));
}

/* What was put in again counts, wherever it was. */
static void newest_counts(void **state)
{
	unsigned int n;

	(void)state;
	for (n = 0; n < 8; n++)
		vgpu_tlb_insert(tlb, VMID, false, (u64)n << 40, host(n));
	for (n = 0; n < 8; n++)
		vgpu_tlb_insert(tlb, VMID, false, (u64)n << 40, host(n + 100));
	for (n = 0; n < 8; n++)
		assert_ptr_equal(get(VMID, (u64)n << 40, false), host(n + 100));
}

#define MODEL_PAGES	1000

/* What is found is always right, after any history. */
static void against_a_model(void **state)
{
	static u8 *model[16][2][MODEL_PAGES];
	unsigned int n, vmid, found = 0;

	(void)state;
	for (n = 0; n < 400000; n++) {
		unsigned int page = (unsigned int)random() % MODEL_PAGES;
		bool write = random() & 1;
		u64 va = page * (PAGE << (page % 3 * 9)) +
			 (u64)random() % PAGE;
		u8 *p;

		vmid = (unsigned int)random() % 4;
		if (random() % 5000 == 0) {
			u32 mask = (u32)random() & 0xffff;

			vgpu_tlb_forget(tlb, mask);
			for (vmid = 0; vmid < 16; vmid++) {
				if (mask >> vmid & 1)
					memset(model[vmid], 0,
					       sizeof(model[vmid]));
			}
			continue;
		}
		if (random() % 3 == 0) {
			u8 *to = host((u64)random() % 100000);

			vgpu_tlb_insert(tlb, vmid, write, va, to);
			/* Pages of the three kinds can be the same one. */
			for (page = 0; page < MODEL_PAGES; page++) {
				if (page * (PAGE << (page % 3 * 9)) ==
				    (va & -PAGE))
					model[vmid][write][page] = to;
			}
			continue;
		}
		p = get(vmid, va, write);
		if (!p)
			continue;
		found++;
		assert_ptr_equal(p - va % PAGE, model[vmid][write][page]);
	}
	assert_true(found > 50000);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(empty),
		TEST(ends_of_the_address_space),
		TEST(several_bytes),
		TEST(eight_pages),
		TEST(any_eight_pages),
		TEST(vmids_and_accesses_are_apart),
		TEST(newest_counts),
		TEST(against_a_model),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
