/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A GPU for tests of its engines: memory, page tables and rings as the driver sets them up,
 * without a host on the socket.
 */
#ifndef TESTS_VGPU_ENGINE_H
#define TESTS_VGPU_ENGINE_H

#include "client.h"
#include "front/queue.h"

#define PM4(op, n)	(3U << 30 | ((n) - 1U) << 16 | (op) << 8)
#define PM4_FILLER	0xffff1000U	/* the one dword long NOP */

#define LO(va)		((u32)(va))
#define HI(va)		((u32)((u64)(va) >> 32))

struct ring {
	struct vgpu *g;
	struct vgpu_queue_id id;
	u32 *dwords;		/* host address */
	u64 va;			/* in VMID 0 */
	u32 size;		/* dwords */
	u64 wptr;
	u32 doorbell;
	u32 *rptr;		/* what the CP reports */
	u64 rptr_va;
	u64 *wptr_mem;
	u64 wptr_va;
	u8 *mqd;
	u64 mqd_va;
};

/* The GPU of the test that runs, and its host. */
extern struct vgpu gpu;
extern struct client host;

int engine_setup(void **state);
/* Of a GPU that is new, or has been reset: nothing of its memory is taken yet. */
void engine_begin(struct vgpu *g);
/* Fails the test when the checker has complained and engine_expect() was not called. */
int engine_teardown(void **state);
#define ENGINE_TEST(f) \
	cmocka_unit_test_setup_teardown(f, engine_setup, engine_teardown)

/* Exactly that many complaints of a kind are to be there now; forget them. */
void engine_expect(struct vgpu *g, enum vgpu_complaint what, unsigned int n);

/* Zeroed VRAM, by pages. */
u64 engine_alloc(struct vgpu *g, u64 size);
void *engine_ptr(struct vgpu *g, u64 offset);
/* Its address in VMID 0. */
u64 engine_mc(struct vgpu *g, u64 offset);
/* One page of VMID @vmid. */
void engine_map(struct vgpu *g, unsigned int vmid, u64 va, u64 offset);

/* CP and SDMA until they have nothing to do; waves do not run. */
void engine_run(struct vgpu *g);
/* The next entry of the interrupt ring; false when there is none. */
bool engine_iv(struct vgpu *g, u32 entry[8]);

u32 engine_reg(struct vgpu *g, enum vgpu_role role, unsigned int idx);
void engine_set_reg(struct vgpu *g, enum vgpu_role role, unsigned int idx,
		    u32 val);

/* A queue with an MQD as gfx_v10_0.c makes it, not mapped. */
void ring_init(struct ring *r, struct vgpu *g, struct vgpu_queue_id id,
	       u32 size, u32 doorbell);
/* Start it by registers, as the KIQ. */
void ring_start_kiq(struct ring *r);
/* Map it by a MAP_QUEUES packet in @kiq. */
void ring_map(struct ring *r, struct ring *kiq);
void ring_put(struct ring *r, const u32 *dwords, u32 n);
/* Ring the doorbell and let the engines run. */
void ring_commit(struct ring *r);

#define RING_PUT(r, ...) do {						\
	const u32 dwords_[] = { __VA_ARGS__ };				\
									\
	ring_put((r), dwords_, ARRAY_SIZE(dwords_));			\
} while (0)

#endif /* TESTS_VGPU_ENGINE_H */
