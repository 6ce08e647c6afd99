/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Trace events of amdgpudbg: amdgpudbg_reg, each register access; amdgpudbg_turn and
 * amdgpudbg_turn_end, each time that a thread gets and releases the lock of a GPU;
 * amdgpudbg_rewind, each time that waves were moved back to patched instructions;
 * amdgpudbg_revoke, each time that the registers of a VMID are restored for its new
 * owner.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM amdgpudbg

#if !defined(WDBG_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define WDBG_TRACE_H

#include <linux/tracepoint.h>

TRACE_EVENT(amdgpudbg_reg,
	    TP_PROTO(bool write, u32 reg, u32 value),
	    TP_ARGS(write, reg, value),
	    TP_STRUCT__entry(__field(bool, write)
			     __field(u32, reg)
			     __field(u32, value)),
	    TP_fast_assign(__entry->write = write;
			   __entry->reg = reg;
			   __entry->value = value),
	    TP_printk("%s 0x%05x 0x%08x", __entry->write ? "write" : "read",
		      __entry->reg, __entry->value)
);

/* @passed: how many others got the lock while the thread waited for it */
TRACE_EVENT(amdgpudbg_turn,
	    TP_PROTO(bool urgent, u64 passed),
	    TP_ARGS(urgent, passed),
	    TP_STRUCT__entry(__field(bool, urgent)
			     __field(u64, passed)),
	    TP_fast_assign(__entry->urgent = urgent;
			   __entry->passed = passed),
	    TP_printk("urgent=%u passed=%llu", __entry->urgent,
		      __entry->passed)
);

TRACE_EVENT(amdgpudbg_turn_end,
	    TP_PROTO(u64 us),
	    TP_ARGS(us),
	    TP_STRUCT__entry(__field(u64, us)),
	    TP_fast_assign(__entry->us = us),
	    TP_printk("us=%llu", __entry->us)
);

/* @walks: how often all waves were read, because some were in their handler */
TRACE_EVENT(amdgpudbg_rewind,
	    TP_PROTO(u32 walks),
	    TP_ARGS(walks),
	    TP_STRUCT__entry(__field(u32, walks)),
	    TP_fast_assign(__entry->walks = walks),
	    TP_printk("walks=%u", __entry->walks)
);

/*
 * @before: register accesses from the stall of the VMID until the worker began;
 *	@waited: accesses of others from then on until it had the locks
 */
TRACE_EVENT(amdgpudbg_revoke,
	    TP_PROTO(u32 vmid, u32 before, u32 waited),
	    TP_ARGS(vmid, before, waited),
	    TP_STRUCT__entry(__field(u32, vmid)
			     __field(u32, before)
			     __field(u32, waited)),
	    TP_fast_assign(__entry->vmid = vmid;
			   __entry->before = before;
			   __entry->waited = waited),
	    TP_printk("vmid=%u before=%u waited=%u", __entry->vmid,
		      __entry->before, __entry->waited)
);

#endif /* WDBG_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
