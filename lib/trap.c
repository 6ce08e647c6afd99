// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Installing the default trap handler of trap/, and reading the mailboxes that it writes.
 */
#include <assert.h>
#include <errno.h>
#include <string.h>

#include "internal.h"
#include "trap_abi.h"

static const uint32_t stop_code[] = {
#include "gfx10_3_stop.inc"
};

static int fill_header(struct adbg_session *session)
{
	struct amdgpudbg_info info = { 0 };
	int ret;

	static_assert(sizeof(session->trap_header) == TRAP_HDR_SIZE,
		      "session has a header");
	ret = adbg_session_get_info(session, &info);
	if (ret)
		return ret;
	if (ADBG_GC_MAJOR(info.gc_version) != 10 ||
	    ADBG_GC_MINOR(info.gc_version) != 3)
		return -EOPNOTSUPP;

	trap_header(session->trap_header, info.num_se, info.num_sa,
		    info.num_wgp, info.num_simd, info.num_wave);
	return 0;
}

/* Free a buffer after a failed call. Errors are ignored, because there is nothing else to do. */
static void drop(struct adbg_session *session, uint32_t *id)
{
	int ret = *id ? adbg_mem_free(session, *id) : 0;

	(void)ret;
	*id = 0;
}

static void drop_buffers(struct adbg_session *session)
{
	drop(session, &session->trap_code);
	drop(session, &session->trap_mailboxes);
}

/* Load the handler, and allocate its memory, in the target's address space. */
static int load(struct adbg_session *session, struct amdgpudbg_trap_handler *h)
{
	struct amdgpudbg_mem_alloc code = {
		.flags = AMDGPUDBG_MEM_ALLOC_EXEC, .bytes = sizeof(stop_code),
	};
	struct amdgpudbg_mem_alloc mailboxes = {
		.flags = AMDGPUDBG_MEM_ALLOC_UNCACHED,
	};
	const uint32_t *header = session->trap_header;
	int ret;

	ret = fill_header(session);
	if (ret)
		return ret;
	ret = adbg_mem_alloc(session, &code);
	if (ret)
		return ret;
	session->trap_code = code.id;
	mailboxes.bytes = TRAP_HDR_SIZE +
		      (uint64_t)header[TRAP_HDR_NUM_MAILBOXES / 4] * TRAP_MAILBOX_SIZE;
	ret = adbg_mem_alloc(session, &mailboxes);
	if (ret)
		return ret;
	session->trap_mailboxes = mailboxes.id;

	ret = adbg_mem_write(session, code.id, 0, stop_code,
			     sizeof(stop_code));
	if (!ret)
		ret = adbg_mem_write(session, mailboxes.id, 0, header,
				     TRAP_HDR_SIZE);
	h->tba = code.va;
	h->tba_size = code.bytes;
	h->tma = mailboxes.va;
	h->tma_size = mailboxes.bytes;
	return ret;
}

static int install(struct adbg_session *session, uint32_t *vmid)
{
	struct amdgpudbg_trap_handler handler = { 0 };
	int ret;

	if (session->trap_code)
		return -EEXIST;

	ret = load(session, &handler);
	if (!ret)
		ret = adbg_trap_handler_set(session, &handler);
	if (ret) {
		drop_buffers(session);
		return ret;
	}
	if (vmid)
		*vmid = handler.vmid;
	return 0;
}

ADBG_API int adbg_trap_install(struct adbg_session *session, uint32_t *vmid)
{
	return adbg_failed(session, ABOUT_TRAP, install(session, vmid));
}

static int uninstall(struct adbg_session *session)
{
	int ret;

	if (!session->trap_code)
		return -ENOENT;

	ret = adbg_trap_handler_clear(session);
	/* If the handler was removed before, only the buffers are left. */
	if (!ret || ret == -ENOENT || ret == -ENOTCONN)
		drop_buffers(session);
	return ret;
}

ADBG_API int adbg_trap_uninstall(struct adbg_session *session)
{
	return adbg_failed(session, ABOUT_TRAP, uninstall(session));
}

/* Decode TTMP0 and TTMP1 of the mailbox, as those of a wave that has trapped. */
static int decode_trap(const struct adbg_session *session,
		       struct adbg_trap_stop *s)
{
	const struct amdgpudbg_wave wave = {
		.flags = AMDGPUDBG_WAVE_TTMP,
		.ttmp = { s->ttmp[0], s->ttmp[1] },
	};
	struct adbg_trap trap;
	int ret;

	ret = adbg_wave_get_trap(&wave, session->gc_version, &trap);
	if (ret)
		return ret;
	s->pc = trap.pc;
	s->id = trap.id;
	s->host = trap.host;
	return 0;
}

/* Hardware registers that the handler of gfx10.3 writes to the mailbox, see trap_abi.h */
static const struct {
	uint32_t number;
	uint32_t offset;
} hw_in_mailbox[] = {
	{ AMDGPUDBG_GFX10_3_STATUS, TRAP_MAILBOX_STATUS },
	{ AMDGPUDBG_GFX10_3_TRAPSTS, TRAP_MAILBOX_TRAPSTS },
	{ AMDGPUDBG_GFX10_3_MODE, TRAP_MAILBOX_MODE },
	{ AMDGPUDBG_GFX10_3_M0, TRAP_MAILBOX_M0 },
	{ AMDGPUDBG_GFX10_3_HW_ID1, TRAP_MAILBOX_HW_ID1 },
	{ AMDGPUDBG_GFX10_3_HW_ID2, TRAP_MAILBOX_HW_ID2 },
};

static int read_mailbox(struct adbg_session *session,
			const struct amdgpudbg_wave_coord *at,
			struct adbg_trap_stop *stop)
{
	uint32_t mailbox[TRAP_MAILBOX_SIZE / 4];
	struct adbg_trap_stop s = { 0 };
	uint64_t offset;
	uint32_t index;
	int ret;

	if (!session->trap_code)
		return -ENOENT;
	index = trap_mailbox(session->trap_header, at->se, at->sa, at->wgp,
			     at->simd, at->wave);
	if (at->xcc || index == TRAP_NO_MAILBOX)
		return -ENXIO;

	offset = TRAP_HDR_SIZE + (uint64_t)index * TRAP_MAILBOX_SIZE;
	ret = adbg_mem_read(session, session->trap_mailboxes, offset, mailbox,
			    sizeof(mailbox));
	if (ret)
		return ret;

	s.count = mailbox[TRAP_MAILBOX_COUNT / 4];
	s.ttmp[0] = mailbox[TRAP_MAILBOX_TTMP0 / 4];
	s.ttmp[1] = mailbox[TRAP_MAILBOX_TTMP1 / 4];
	s.exec = (uint64_t)mailbox[TRAP_MAILBOX_EXEC_HI / 4] << 32 |
		 mailbox[TRAP_MAILBOX_EXEC_LO / 4];
	for (size_t i = 0; i < ARRAY_SIZE(hw_in_mailbox); i++) {
		s.hw_mask |= 1ULL << hw_in_mailbox[i].number;
		s.hw[hw_in_mailbox[i].number] = mailbox[hw_in_mailbox[i].offset / 4];
	}
	ret = decode_trap(session, &s);
	if (ret)
		return ret;
	adbg_struct_out(stop, &s, sizeof(s));
	return 0;
}

ADBG_API int adbg_trap_read_sized(struct adbg_session *session,
				  const struct amdgpudbg_wave_coord *at,
				  struct adbg_trap_stop *stop)
{
	return adbg_failed(session, ABOUT_TRAP, read_mailbox(session, at, stop));
}
