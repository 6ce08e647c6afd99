// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Private (scratch) memory of the lanes of a wave.
 *
 * The dwords of all lanes are side by side: first dword 0 of each lane, then dword 1 of each
 * lane. Code accesses it by buffer instructions, whose descriptor has the number of lanes and the
 * beginning; or by scratch and flat instructions, which add FLAT_SCRATCH ("RDNA 2" ISA document,
 * AMD 2020, 9.3). clang uses buffer instructions on gfx10.3, and sets FLAT_SCRATCH only in kernels
 * that use flat addresses or call functions; RADV only uses FLAT_SCRATCH.
 */
#include <errno.h>
#include <string.h>

#include "context.h"

/* Functions of more bytes are not searched for a descriptor. */
#define CODE_MAX	(1U << 20)
/* Dwords of each lane that are read at once */
#define ROWS_MAX	256

/* ------------------------------------------------------------ where the memory is */

/* Returns 1; 0: the code uses no descriptor of private memory, or is not known; or -errno. */
static int by_descriptor(struct adbgd_wave_context *c, struct adbgd_error *error)
{
	const struct adbgd_symbol *function = c->code ? adbgd_code_symbol_at(c->code, c->pc) : NULL;
	const struct adbgd_context context = adbgd_wave_registers(c);
	struct adbgd_memory memory;
	uint32_t *code;
	int ret;

	if (!function || function->size < 4 || function->size > CODE_MAX)
		return 0;
	code = malloc(function->size);
	if (!code)
		return adbgd_no_memory(error, "the instructions of a function");
	adbgd_process_get_memory(c->process, &memory);
	ret = memory.read(memory.data, function->address, code, function->size);
	if (ret) {
		free(code);
		return adbgd_wave_failed(c, error, ret, "the code of %.128s cannot be read",
				    function->name);
	}
	ret = adbgd_scratch_find(adbg_session_get_gc_version(c->session), code, function->size / 4,
				 c->pc - function->address, &context, &c->swizzle);
	free(code);
	if (ret == -ENODATA)
		return adbgd_fail(error, ret, "the kernel has not set up its private memory yet "
				  "at this instruction");
	/* adbgd_wave_registers() has set @c->error, which may be the caller's. */
	if (ret < 0 && error && error != &c->error)
		*error = c->error;
	return ret;
}

static int by_flat_scratch(struct adbgd_wave_context *c, struct adbgd_error *error)
{
	char name[ADBG_WAVE_NAME_MAX];
	uint32_t low, high;
	int ret = adbgd_wave_read_hw(c, "FLAT_SCRATCH_LO", NULL, &low, error);

	if (!ret)
		ret = adbgd_wave_read_hw(c, "FLAT_SCRATCH_HI", NULL, &high, error);
	if (ret)
		return ret;
	if (!low && !high)
		return adbgd_fail(error, -ENODATA, "wave %s has not set up private memory: its "
				  "FLAT_SCRATCH is 0", adbg_wave_name(&c->wave.at, name));
	c->swizzle.base = (uint64_t)high << 32 | low;
	c->swizzle.stride = 0;
	c->swizzle.lanes = c->lanes;
	return 0;
}

static int find_swizzle(struct adbgd_wave_context *c, struct adbgd_error *error)
{
	int ret;

	if (c->has_swizzle)
		return 0;
	ret = by_descriptor(c, error);
	if (!ret)
		ret = by_flat_scratch(c, error);
	if (ret < 0)
		return ret;
	c->has_swizzle = true;
	return 0;
}

static int begin(struct adbgd_wave_context *c, uint64_t address, size_t size,
		 struct adbgd_error *error)
{
	if (address > UINT32_MAX || size > (1ULL << 32) - address)
		return adbgd_fail(error, -ERANGE, "private memory has no address %#llx",
				  (unsigned long long)address);
	return find_swizzle(c, error);
}

/* ---------------------------------------------------------------- read and write */

static int failed(struct adbgd_wave_context *c, int ret, uint64_t address, const char *what,
		  struct adbgd_error *error)
{
	return adbgd_wave_failed(c, error, ret, "private memory at %#llx, in global memory "
			    "from %#llx on, cannot be %s", (unsigned long long)address,
			    (unsigned long long)c->swizzle.base, what);
}

/* Read @num dwords of all lanes that are side by side with @lane. */
static int read_rows(struct adbgd_wave_context *c, uint32_t lane, uint64_t address, uint32_t num,
		     struct adbgd_error *error)
{
	uint32_t group = lane - lane % c->swizzle.lanes;
	struct adbgd_memory_part *part = &c->private;
	uint64_t va = adbgd_swizzle_address(&c->swizzle, group, address);
	size_t bytes = 4UL * num * c->swizzle.lanes;
	int ret;

	if (part->size && part->group == group && address >= part->from &&
	    address + 4ULL * num <= part->from + part->size)
		return 0;
	free(part->bytes);
	part->size = 0;
	part->bytes = malloc(bytes);
	if (!part->bytes)
		return adbgd_no_memory(error, "private memory");
	ret = adbg_vm_read(c->session, c->pid, va, part->bytes, bytes);
	if (ret)
		return failed(c, ret, address, "read", error);
	part->from = address;
	part->size = 4ULL * num;
	part->group = group;
	return 0;
}

int adbgd_private_read(struct adbgd_wave_context *c, uint32_t lane, uint64_t address,
		       uint8_t *buffer, size_t size, struct adbgd_error *error)
{
	int ret = begin(c, address, size, error);
	uint64_t first, end, row;

	while (!ret && size) {
		first = address & ~3ULL;
		end = (address + size + 3) & ~3ULL;
		if (end - first > 4 * ROWS_MAX)
			end = first + 4 * ROWS_MAX;
		ret = read_rows(c, lane, first, (end - first) / 4, error);
		for (; !ret && size && address < end; address++, size--) {
			row = ((address & ~3ULL) - c->private.from) / 4;
			*buffer++ = c->private.bytes[(row * c->swizzle.lanes +
						      lane % c->swizzle.lanes) * 4 + address % 4];
		}
	}
	return ret;
}

int adbgd_private_write(struct adbgd_wave_context *c, uint32_t lane, uint64_t address,
			const uint8_t *buffer, size_t size, struct adbgd_error *error)
{
	int ret = begin(c, address, size, error);
	size_t part;

	for (; !ret && size; address += part, buffer += part, size -= part) {
		part = 4 - address % 4 < size ? 4 - address % 4 : size;
		c->private.size = 0;
		ret = adbg_vm_write(c->session, c->pid,
				    adbgd_swizzle_address(&c->swizzle, lane, address) + address % 4,
				    buffer, part);
		if (ret)
			return failed(c, ret, address, "written", error);
	}
	return ret;
}
