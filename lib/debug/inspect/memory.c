// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Memory of all address spaces, and conversion of addresses.
 */
#include <errno.h>
#include <string.h>

#include "context.h"

/* A space in the flat address space has 4 GiB ("RDNA 2" ISA document, AMD 2020, 9.1). */
#define APERTURE_BYTES	(1ULL << 32)
/* Null pointers of LDS and private memory ("Address Spaces" in AMDGPUUsage, LLVM 19) */
#define NULL_IN_SPACE	0xffffffffU
/* LDS is read in parts of so many bytes. */
#define LDS_PART	1024

/* ------------------------------------------------------------------- conversion */

/* Get where the addresses of a space are among flat addresses; 0: not known. */
static uint64_t aperture(const struct adbgd_wave_context *c, uint32_t space)
{
	uint64_t lds, scratch;

	adbg_session_get_apertures(c->session, &lds, &scratch);
	return space == ADBGD_SPACE_LOCAL ? lds : scratch;
}

static bool is_in(const struct adbgd_wave_context *c, uint32_t space, uint64_t flat)
{
	uint64_t base = aperture(c, space);

	return base && flat - base < APERTURE_BYTES;
}

static const char *space_text(uint32_t space)
{
	return space == ADBGD_SPACE_LOCAL ? "LDS" : "private memory";
}

static int to_flat(const struct adbgd_wave_context *c, uint32_t from, uint64_t address,
		   uint64_t *result, struct adbgd_error *error)
{
	if (address >= APERTURE_BYTES)
		return adbgd_fail(error, -ERANGE, "%s has no address %#llx", space_text(from),
				  (unsigned long long)address);
	if (address == NULL_IN_SPACE) {
		*result = 0;
		return 0;
	}
	if (!aperture(c, from))
		return adbgd_fail(error, -ENODATA, "it is not known where %s is among the flat "
				  "addresses", space_text(from));
	*result = aperture(c, from) + address;
	return 0;
}

static int from_flat(const struct adbgd_wave_context *c, uint64_t flat, uint32_t to,
		     uint64_t *result, struct adbgd_error *error)
{
	if (!flat) {
		*result = NULL_IN_SPACE;
		return 0;
	}
	if (!aperture(c, to))
		return adbgd_fail(error, -ENODATA, "it is not known where %s is among the flat "
				  "addresses", space_text(to));
	if (!is_in(c, to, flat))
		return adbgd_fail(error, -ERANGE, "%#llx is not in %s", (unsigned long long)flat,
				  space_text(to));
	*result = flat - aperture(c, to);
	return 0;
}

ADBGD_API int adbgd_wave_convert_address(const struct adbgd_wave_context *context, uint32_t from,
					 uint64_t address, uint32_t to, uint64_t *result,
					 struct adbgd_error *error)
{
	if (from > ADBGD_SPACE_LOCAL || to > ADBGD_SPACE_LOCAL ||
	    (from != to && from != ADBGD_SPACE_GLOBAL && to != ADBGD_SPACE_GLOBAL))
		return adbgd_fail(error, -EINVAL, "addresses of space %u have no counterparts in "
				  "space %u", from, to);
	if (from != to)
		return from == ADBGD_SPACE_GLOBAL ? from_flat(context, address, to, result, error) :
		       to_flat(context, from, address, result, error);
	*result = address;
	return 0;
}

/* -------------------------------------------------------------------------- LDS */

/* Read the words around @address into the part that is kept. */
static int load_lds(struct adbgd_wave_context *c, uint64_t address, struct adbgd_error *error)
{
	struct adbgd_memory_part *part = &c->lds;
	uint64_t from = address & ~(LDS_PART - 1ULL);
	uint32_t all;
	int ret;

	if (part->size && address - part->from < part->size)
		return 0;
	ret = adbgd_lds_get_size(c->process, &c->wave.at, &all, error);
	if (ret)
		return ret;
	if (address >= all)
		return adbgd_fail(error, -ERANGE, "the work-group has %u bytes of LDS", all);
	free(part->bytes);
	part->size = 0;
	part->bytes = malloc(LDS_PART);
	if (!part->bytes)
		return adbgd_no_memory(error, "LDS");
	ret = adbgd_lds_read(c->process, &c->wave.at, from, part->bytes,
			     all - from < LDS_PART ? all - from : LDS_PART, error);
	if (ret)
		return ret;
	part->from = from;
	part->size = all - from < LDS_PART ? all - from : LDS_PART;
	return 0;
}

static int read_lds(struct adbgd_wave_context *c, uint64_t address, uint8_t *buffer, size_t size,
		    struct adbgd_error *error)
{
	size_t part;
	int ret;

	for (; size; address += part, buffer += part, size -= part) {
		ret = load_lds(c, address, error);
		if (ret)
			return ret;
		part = c->lds.from + c->lds.size - address;
		if (part > size)
			part = size;
		memcpy(buffer, c->lds.bytes + (address - c->lds.from), part);
	}
	return 0;
}

/* LDS is written in words, so that the other bytes of the first and last one are read before. */
static int write_lds(struct adbgd_wave_context *c, uint64_t address, const uint8_t *buffer,
		     size_t size, struct adbgd_error *error)
{
	uint64_t at;
	size_t part;
	int ret;

	for (; size; address += part, buffer += part, size -= part) {
		/* Other waves of the work-group may have changed it since it was read. */
		c->lds.size = 0;
		ret = load_lds(c, address, error);
		if (ret)
			return ret;
		at = address - c->lds.from;
		part = c->lds.size - at < size ? c->lds.size - at : size;
		memcpy(c->lds.bytes + at, buffer, part);
		ret = adbgd_lds_write(c->process, &c->wave.at, address & ~3ULL,
				      c->lds.bytes + (at & ~3ULL),
				      ((at + part + 3) & ~3ULL) - (at & ~3ULL), error);
		if (ret) {
			c->lds.size = 0;
			return ret;
		}
	}
	return 0;
}

/* ------------------------------------------------------------------- all spaces */

static int access_global(struct adbgd_wave_context *c, uint64_t address, void *buffer,
			 size_t size, bool write, struct adbgd_error *error)
{
	struct adbgd_memory memory;
	int ret;

	adbgd_process_get_memory(c->process, &memory);
	/* It may be where private memory is. */
	if (write)
		c->private.size = 0;
	ret = write ? adbg_vm_write(c->session, c->pid, address, buffer, size) :
	      memory.read(memory.data, address, buffer, size);
	return ret ? adbgd_wave_failed(c, error, ret, "memory at %#llx cannot be %s",
				  (unsigned long long)address, write ? "written" : "read") : 0;
}

static int access_space(struct adbgd_wave_context *c, uint32_t space, uint32_t lane,
			uint64_t address, void *buffer, size_t size, bool write,
			struct adbgd_error *error)
{
	if (lane >= c->lanes)
		return adbgd_fail(error, -EINVAL, "the wave has no lane %u", lane);
	if (space == ADBGD_SPACE_GLOBAL && is_in(c, ADBGD_SPACE_LOCAL, address))
		space = ADBGD_SPACE_LOCAL;
	else if (space == ADBGD_SPACE_GLOBAL && is_in(c, ADBGD_SPACE_PRIVATE, address))
		space = ADBGD_SPACE_PRIVATE;
	else if (space == ADBGD_SPACE_GLOBAL)
		return access_global(c, address, buffer, size, write, error);
	else if (address >= APERTURE_BYTES)
		return adbgd_fail(error, -ERANGE, "address %#llx has more than 32 bits",
				  (unsigned long long)address);
	/* Addresses in the space have 32 bits; what is above is the aperture. */
	address &= APERTURE_BYTES - 1;
	if (space == ADBGD_SPACE_LOCAL)
		return write ? write_lds(c, address, buffer, size, error) :
		       read_lds(c, address, buffer, size, error);
	if (space == ADBGD_SPACE_PRIVATE)
		return write ? adbgd_private_write(c, lane, address, buffer, size, error) :
		       adbgd_private_read(c, lane, address, buffer, size, error);
	return adbgd_fail(error, -EINVAL, "address space %u is not supported", space);
}

ADBGD_API int adbgd_wave_memory_read(struct adbgd_wave_context *context, uint32_t space,
				     uint32_t lane, uint64_t address, void *buffer, size_t size,
				     struct adbgd_error *error)
{
	return access_space(context, space, lane, address, buffer, size, false, error);
}

ADBGD_API int adbgd_wave_memory_write(struct adbgd_wave_context *context, uint32_t space,
				      uint32_t lane, uint64_t address, const void *buffer,
				      size_t size, struct adbgd_error *error)
{
	return access_space(context, space, lane, address, (void *)(uintptr_t)buffer, size, true,
			    error);
}
