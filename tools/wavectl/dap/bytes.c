// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Requests that read and write memory: see bytes.h.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/util.h"
#include "dap/base64.h"
#include "dap/bytes.h"
#include "dap/memory.h"
#include "dap/out.h"
#include "dap/wave.h"
#include "debug/focus.h"
#include "waves/hold.h"

#define READ_MAX	(8u << 20)
#define PAGE		4096u

/* Memory that a request is about */
struct range {
	struct reference from;
	struct focus focus;		/* the wave, if it is not memory of the process */
	bool has_wave;
};

/* Get the address. Call close_range() also after an error. Returns 0 or -1. */
static int open_range(struct dap *d, struct request *r, struct range *range)
{
	const char *text = json_text(r->arguments, "memoryReference");
	int64_t offset = 0;

	*range = (struct range){ .has_wave = false };
	if (wave_need_process(d, r))
		return -1;
	if (!text || !memory_parse(text, &range->from))
		return out_fail(r, "'%s' is not a memory reference", text ? text : "");
	json_number(r->arguments, "offset", &offset);
	range->from.address.va += (uint64_t)offset;
	if (!range->from.thread)
		return 0;
	range->has_wave = true;
	if (range->from.address.va > UINT32_MAX)
		return out_fail(r, "the address is outside of the address space");
	return wave_open(d, r, range->from.thread, &range->focus);
}

static void close_range(struct range *range)
{
	if (range->has_wave)
		focus_close(&range->focus);
}

/* Read @size bytes from @done on. Returns 0 or -errno. */
static int read_part(struct dap *d, struct range *range, uint64_t done, uint8_t *bytes,
		     uint64_t size, struct adbgd_error *error)
{
	uint64_t va = range->from.address.va + done;
	struct adbgd_memory memory;
	struct adbgd_context context;

	if (!range->has_wave) {
		adbgd_process_get_memory(d->shell.debugger->process, &memory);
		return memory.read(memory.data, va, bytes, size);
	}
	/* The context of the wave exists from here on. */
	context = focus_context(&range->focus, range->from.lane);
	if (!range->focus.context)
		return range->focus.error.error;
	(void)context;
	return adbgd_wave_memory_read(range->focus.context, range->from.address.space,
				      range->from.lane, va, bytes, size, error);
}

/* Read all, or as many whole pages as can be read. Returns the number of bytes. */
static uint64_t read_pages(struct dap *d, struct range *range, uint8_t *bytes, uint64_t size)
{
	uint64_t done = 0, part;
	struct adbgd_error error;

	if (!read_part(d, range, 0, bytes, size, &error))
		return size;
	for (; done < size; done += part) {
		part = PAGE - (range->from.address.va + done) % PAGE;
		if (part > size - done)
			part = size - done;
		/* The last page may be shorter, as LDS is. */
		while (part && read_part(d, range, done, bytes + done, part, &error))
			part = range->has_wave ? part / 2 & ~3ull : 0;
		if (!part)
			break;
	}
	return done;
}

int bytes_read(struct dap *d, struct request *r)
{
	uint64_t count = json_count(r->arguments, "count", 0), done;
	char text[MEMORY_REFERENCE_MAX];
	struct range range;
	uint8_t *bytes;
	char *data;
	int ret = open_range(d, r, &range);

	if (!ret && count > READ_MAX)
		ret = out_fail(r, "at most %u bytes can be read at once", READ_MAX);
	if (ret) {
		close_range(&range);
		return ret;
	}
	bytes = xcalloc(1, count + 1);
	done = count ? read_pages(d, &range, bytes, count) : 0;
	json_put_text(r->body, "address", range.has_wave ?
		      memory_reference(&range.from.address, range.from.thread, range.from.lane,
				       text) :
		      memory_reference(&range.from.address, 0, 0, text));
	if (done < count)
		json_put_number(r->body, "unreadableBytes", (int64_t)(count - done));
	if (done) {
		data = base64_encode(bytes, done);
		json_put_text(r->body, "data", data);
		free(data);
	}
	free(bytes);
	close_range(&range);
	/* Not all of them were read. */
	return hold_interrupted() ? out_fail(r, "interrupted") : 0;
}

/* Would the bytes overwrite a breakpoint, which is an instruction in memory? */
static bool has_breakpoint(const struct dap *d, uint64_t va, uint64_t size)
{
	const struct adbgd_process *process = d->shell.debugger->process;
	const struct adbgd_breakpoint *b;

	for (size_t i = 0; (b = adbgd_process_get_breakpoint(process, i)); i++) {
		uint64_t at = adbgd_breakpoint_get_info(b)->address;

		if (at && at + 4 > va && at < va + size)
			return true;
	}
	return false;
}

static int write_range(struct dap *d, struct request *r, struct range *range, const void *bytes,
		       size_t size)
{
	uint64_t va = range->from.address.va;
	struct adbgd_context context;
	struct adbgd_error error;
	int ret;

	if (!range->has_wave) {
		if (has_breakpoint(d, va, size))
			return out_fail(r, "a breakpoint is there; remove it first");
		ret = adbg_vm_write(d->w->session, d->shell.pid, va, bytes, size);
		return ret ? out_fail(r, "cannot write 0x%016" PRIx64 ": %s", va,
				      adbg_strerror(d->w->session, ret)) : 0;
	}
	context = focus_context(&range->focus, range->from.lane);
	(void)context;
	if (!range->focus.context)
		return out_fail(r, "%s", range->focus.error.text);
	return adbgd_wave_memory_write(range->focus.context, range->from.address.space,
				       range->from.lane, va, bytes, size, &error) ?
	       out_fail(r, "%s", error.text) : 0;
}

int bytes_write(struct dap *d, struct request *r)
{
	const char *data = json_text(r->arguments, "data");
	size_t size = 0;
	void *bytes = data ? base64_decode(data, &size) : NULL;
	struct range range;
	int ret;

	if (!bytes)
		return out_fail(r, "\"data\" is not base64");
	ret = open_range(d, r, &range);
	if (!ret && size)
		ret = write_range(d, r, &range, bytes, size);
	if (!ret)
		json_put_number(r->body, "bytesWritten", (int64_t)size);
	close_range(&range);
	free(bytes);
	return ret;
}
