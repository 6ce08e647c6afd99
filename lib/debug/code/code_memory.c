// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Searching code objects in a target's memory: by their headers, and by their instructions.
 */
#include <string.h>

#include "code_object.h"

#define PAGE		4096ULL
/* Kernels begin at a multiple of 256, the unit of COMPUTE_PGM_LO and SPI_SHADER_PGM_LO. */
#define ALIGNMENT	256ULL
#define CHUNK		(64U << 10)
/* Limit of comparisons that may fail, in bytes for each byte of the instructions and of memory */
#define PATIENCE	64

static bool next_multiple(uint64_t *address, uint64_t of)
{
	uint64_t up = (*address + of - 1) / of * of;

	if (up < *address)
		return false;
	*address = up;
	return true;
}

#define MEMORY_NAME	"the search for code objects"

/* Is there an ELF header for AMD GPUs, with valid segments? Return: 0, 1, -E2BIG or -EINTR. */
static int is_code(const struct adbgd_memory *memory, uint64_t address, uint64_t size,
		   struct adbgd_error *error)
{
	struct adbgd_elf elf;
	Elf64_Ehdr header;
	int ret = adbgd_spend(memory->budget, ADBGD_COST_PAGES, 1, MEMORY_NAME, error);

	if (ret)
		return ret;
	/* For most pages, this is all. */
	if (size < sizeof(header) ||
	    memory->read(memory->data, address, &header, sizeof(header)) ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG))
		return 0;
	ret = adbgd_spend(memory->budget, ADBGD_COST_ATTEMPTS, 1, MEMORY_NAME, error);
	if (ret)
		return ret;
	ret = adbgd_elf_open_memory(&elf, memory, address, size, MEMORY_NAME, error);
	if (ret)
		return ret == -EINTR ? ret : 0;
	adbgd_elf_close(&elf);
	return 1;
}

/* Search one span from @from on, and below @best if that is not 0. Return: as is_code(). */
static int find_in(const struct adbgd_memory *memory, const struct adbgd_span *span,
		   uint64_t from, uint64_t *best, struct adbgd_error *error)
{
	uint64_t at = span->start > from ? span->start : from;
	int ret;

	if (!next_multiple(&at, PAGE))
		return 0;
	for (; at - span->start < span->size && !(*best && at >= *best); at += PAGE) {
		ret = is_code(memory, at, span->size - (at - span->start), error);
		if (ret > 0)
			*best = at;
		if (ret)
			return ret;
		if (at + PAGE < at)
			break;
	}
	return 0;
}

ADBGD_API int adbgd_memory_find_code(const struct adbgd_memory *memory,
				     const struct adbgd_span *spans, size_t num_spans,
				     uint64_t from, uint64_t *address,
				     struct adbgd_error *error)
{
	struct adbgd_memory bounded = *memory;
	struct adbgd_budget own;
	uint64_t best = 0;
	size_t i;
	int ret;

	if (!bounded.budget) {
		adbgd_budget_init(&own, 0, -1);
		bounded.budget = &own;
	}
	/* Code objects do not overlap, so skip the one that was found before. */
	if (from < bounded.budget->taken)
		from = bounded.budget->taken;
	/*
	 * Find the lowest one, because spans may be in any order. No code object is at address 0.
	 */
	for (i = 0; i < num_spans; i++) {
		ret = find_in(&bounded, &spans[i], from ? from : PAGE, &best, error);
		if (ret < 0)
			return ret;
	}
	if (!best)
		return adbgd_fail(error, -ENOENT, "there is no %sELF file for AMD GPUs in memory",
				  from ? "further " : "");
	*address = best;
	return 0;
}

/* State of the search for instructions */
struct match {
	const uint8_t *text;
	uint64_t size;
	const struct adbgd_memory *memory;
	const char *name;
	struct adbgd_budget *budget;
	struct adbgd_error *error;
	const struct adbgd_span *masked;
	size_t num_masked;
	uint8_t *window;		/* CHUNK bytes each */
	uint8_t *there;
	uint64_t compared;
	uint64_t patience;
	uint64_t found[2];
	unsigned int count;
};

/* Get the address of the first byte from @at on that is not masked; UINT64_MAX: there is none. */
static uint64_t not_masked(const struct match *m, uint64_t at)
{
	size_t i;

	for (i = 0; i < m->num_masked; i++) {
		uint64_t in = at - m->masked[i].start;

		if (in >= m->masked[i].size)
			continue;
		at += m->masked[i].size - in;
		if (at < m->masked[i].size - in)
			return UINT64_MAX;
		/* It may be in another masked span, so begin again. */
		i = -1;
	}
	return at;
}

/* Are @size bytes at @at, read into @there, equal to the instructions, except for masked bytes? */
static bool same(const struct match *m, uint64_t at, const uint8_t *there,
		 const uint8_t *text, uint64_t size)
{
	uint64_t i = 0;

	if (!memcmp(there, text, size))
		return true;
	while (i < size) {
		if (there[i] == text[i]) {
			i++;
			continue;
		}
		if (not_masked(m, at + i) == at + i)
			return false;
		i = not_masked(m, at + i) - at;
	}
	return true;
}

/* Read a part of memory. Return: 0; 1 it cannot be read; -E2BIG; -EINTR. */
static int read_part(struct match *m, uint64_t at, uint8_t *buffer, uint64_t size)
{
	int ret = adbgd_spend(m->budget, ADBGD_COST_COMPARED, size, m->name, m->error);

	return ret ? ret : !!m->memory->read(m->memory->data, at, buffer, size);
}

/*
 * Compare all instructions, after the first ones were equal. Return: 1 equal; 0; or as
 * read_part().
 */
static int all_there(struct match *m, uint64_t at)
{
	uint64_t done, n;
	int ret;

	for (done = 0; done < m->size; done += n) {
		n = m->size - done < CHUNK ? m->size - done : CHUNK;
		m->compared += n;
		ret = read_part(m, at + done, m->there, n);
		if (ret)
			return ret < 0 ? ret : 0;
		if (!same(m, at + done, m->there, m->text + done, n))
			return 0;
	}
	return 1;
}

/*
 * Read memory from @at on into the window. @size: set to the number of bytes. Return: as
 * read_part().
 */
static int read_window(struct match *m, uint64_t at, uint64_t *size)
{
	uint64_t page = PAGE - at % PAGE;
	int ret;

	if (*size > CHUNK)
		*size = CHUNK;
	ret = read_part(m, at, m->window, *size);
	if (ret <= 0)
		return ret;
	/* A part of it may be unmapped, so read only to the end of the page. */
	*size = *size < page ? *size : page;
	ret = read_part(m, at, m->window, *size);
	if (ret)
		*size = 0;
	return ret;
}

static int look_at(struct match *m, uint64_t at, const uint8_t *window)
{
	uint64_t head = m->size < ALIGNMENT ? m->size : ALIGNMENT;
	int ret;

	if (!same(m, at, window, m->text, head))
		return 0;
	ret = all_there(m, at);
	/* Spans may overlap. */
	if (ret <= 0 || (m->count && m->found[0] == at))
		return ret < 0 ? ret : 0;
	m->found[m->count++] = at;
	return 0;
}

static int too_much(const struct match *m)
{
	return adbgd_fail(m->error, -E2BIG, "%s: too many places in memory are almost equal to its "
			  "instructions", m->name);
}

/* Search in one span. Return: 0; -E2BIG too many comparisons failed; -EINTR. */
static int match_span(struct match *m, const struct adbgd_span *span)
{
	uint64_t at = span->start, end = span->start + span->size, size, i;
	int ret = 0;

	if (end < at)
		end = UINT64_MAX;
	if (!next_multiple(&at, ALIGNMENT))
		return 0;
	while (at < end && m->size <= end - at && m->count < 2) {
		size = end - at;
		ret = read_window(m, at, &size);
		if (ret < 0)
			return ret;
		for (i = 0; i < size && m->size <= end - at - i && m->count < 2;
		     i += ALIGNMENT) {
			if (m->compared > m->patience)
				return too_much(m);
			/* The span need not end at a multiple of ALIGNMENT. */
			if (size - i >= ALIGNMENT || size - i >= m->size)
				ret = look_at(m, at + i, m->window + i);
			if (ret < 0)
				return ret;
		}
		size = size ? size / ALIGNMENT * ALIGNMENT : PAGE - at % PAGE;
		if (!size || at + size < at)
			break;
		at += size;
	}
	return 0;
}

ADBGD_API int adbgd_code_find_base(const struct adbgd_code *code,
				   const struct adbgd_memory *memory,
				   const struct adbgd_span *spans, size_t num_spans,
				   const struct adbgd_span *masked, size_t num_masked,
				   uint64_t *address, struct adbgd_error *error)
{
	struct match m = {
		.memory = memory, .name = code->name, .budget = memory->budget, .error = error,
		.masked = masked, .num_masked = num_masked,
	};
	uint64_t in_file = code->info.text.start - code->info.bias;
	struct adbgd_budget own;
	size_t i;
	int ret = 0;

	if (!m.budget) {
		adbgd_budget_init(&own, 0, code->budget.interrupt_fd);
		m.budget = &own;
	}
	/*
	 * The target's header specifies the size, up to 1 GiB, although the file may have fewer
	 * bytes. Memory is compared with the bytes of the file, so that no memory is allocated
	 * for that size.
	 */
	m.size = code->info.text.size;
	m.text = adbgd_elf_bytes(&code->elf, in_file, m.size);
	if (!m.text)
		return adbgd_fail(error, -ENODATA, "%s: its instructions are not known, because it "
				  "was not read from a file",
				  code->name);
	m.there = malloc(2 * CHUNK);
	if (!m.there)
		return adbgd_no_memory(error, code->name);
	m.window = m.there + CHUNK;
	m.patience = m.size;
	for (i = 0; i < num_spans; i++)
		m.patience += spans[i].size;
	m.patience = m.patience > UINT64_MAX / PATIENCE ? UINT64_MAX : m.patience * PATIENCE;
	for (i = 0; !ret && i < num_spans && m.count < 2; i++)
		ret = match_span(&m, &spans[i]);
	free(m.there);
	if (ret)
		return ret;
	if (!m.count)
		return adbgd_fail(error, -ENOENT,
				  "the instructions of %s are not in memory", code->name);
	if (m.count > 1)
		return adbgd_fail(error, -ENOTUNIQ,
				  "the instructions of %s are in memory at %#llx and at %#llx",
				  code->name, (unsigned long long)m.found[0],
				  (unsigned long long)m.found[1]);
	*address = m.found[0];
	return 0;
}
