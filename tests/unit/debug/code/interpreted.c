// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Kernels that vgpu's interpreter executes: see interpreted.h.
 */
#include "interpreted.h"

static struct adbgd_code *loaded;	/* the code object that the machine executes */

/*
 * Get where private memory is: by the descriptor that the code uses, or else by FLAT_SCRATCH. The
 * library must not find a descriptor before the kernel has added the offset of the wave.
 */
static int find_private(struct machine *m, struct adbgd_swizzle *swizzle)
{
	const struct adbgd_symbol *function = adbgd_code_symbol_at(loaded, m->w->pc);
	const struct adbgd_context context = {
		.read_register = interpreted_register, .data = m, .lanes = m->w->lanes,
	};
	int ret;

	ret = adbgd_scratch_find(ADBG_GC_VERSION(10, 3, 1),
				 (const uint32_t *)machine_mem(m, function->address),
				 function->size / 4, m->w->pc - function->address, &context,
				 swizzle);
	if (ret < 0)
		return ret;
	if (!ret)
		*swizzle = (struct adbgd_swizzle){
			.base = m->w->flat_scratch, .lanes = m->w->lanes,
		};
	assert_int_equal(swizzle->base, VA_SCRATCH + SCRATCH_OFFSET);
	assert_int_equal(swizzle->lanes, m->w->lanes);
	return 0;
}

int interpreted_memory(void *data, uint32_t space, uint32_t lane, uint64_t address, void *buffer,
		       size_t size)
{
	struct adbgd_swizzle swizzle = { .lanes = 1 };
	struct machine *m = data;
	uint8_t *to = buffer;
	int ret = space == ADBGD_SPACE_PRIVATE ? find_private(m, &swizzle) : 0;
	size_t i;

	for (i = 0; !ret && i < size; i++, address++) {
		if (space == ADBGD_SPACE_PRIVATE && address < 0x10000)
			to[i] = *machine_mem(m, adbgd_swizzle_address(&swizzle, lane, address) +
					     address % 4);
		else if (space == ADBGD_SPACE_LOCAL && address < MACHINE_LDS)
			to[i] = m->lds[address];
		else if (space == ADBGD_SPACE_GLOBAL && address >= MACHINE_BASE &&
			 address < MACHINE_BASE + MACHINE_SIZE)
			to[i] = *machine_mem(m, address);
		else
			return -EFAULT;
	}
	return ret;
}

static void load(struct machine *m, const struct codeobj *co)
{
	uint64_t args[3] = { VA_OUT, VA_IN, N };
	unsigned int item;

	vgpu_isa_invalidate(&m->g, ~0U);
	/* Private memory and LDS have nothing of the kernel before. */
	memset(machine_mem(m, VA_SCRATCH), 0, MACHINE_SIZE - (VA_SCRATCH - MACHINE_BASE));
	memset(m->lds, 0, sizeof(m->lds));
	memcpy(machine_mem(m, VA_IMAGE), co->image, co->size);
	memcpy(machine_mem(m, VA_KERNARG), args, sizeof(args));
	for (item = 0; item < GROUP; item++) {
		int32_t x = interpreted_input(item);

		memcpy(machine_mem(m, VA_IN + 4 * item), &x, 4);
	}
}

void interpreted_begin(struct machine *m, struct codeobj *co, struct adbgd_code *code,
		       const char *path, const char *kernel, unsigned int lanes)
{
	static const struct kernel_where where = {
		.image = VA_IMAGE, .kernarg = VA_KERNARG, .dispatch = VA_DISPATCH,
		.scratch = VA_SCRATCH, .scratch_offset = SCRATCH_OFFSET,
	};
	struct codeobj_kernel k;
	struct adbgd_error error;

	assert_int_equal(codeobj_load(co, path), 0);
	assert_int_equal(codeobj_find(co, kernel, &k), 0);
	assert_int_equal(adbgd_code_set_base(code, adbgd_code_get_info(code)->text.start +
					     VA_IMAGE, &error), 0);
	loaded = code;
	load(m, co);
	machine_reset(m, lanes);
	kernel_wave(m->w, &k, &where, 0, 0);
}
