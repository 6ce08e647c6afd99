// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Functions for tools that use the debugger interface of amdkfd: its interrupt message, and calls
 * with the same arguments as in its thunk library (ROCm's libhsakmt/hsakmt.h).
 */
#include <errno.h>
#include <stdlib.h>

#include <amdgpudbg-hsa.h>

#include "internal.h"

struct part {
	unsigned int shift, width;
};

/* HsaDbgWaveMsgAMDGen2.ui32 of amdkfd/kfd_dbgmgr.h, Linux 5.10 */
static const struct part user_data = { 0, 8 };
static const struct part shader_array = { 8, 1 };
static const struct part priv = { 9, 1 };
static const struct part wave_id = { 14, 4 };
static const struct part simd = { 18, 2 };
static const struct part hsacu = { 20, 4 };
static const struct part shader_engine = { 24, 2 };
static const struct part message_type = { 26, 2 };

/* The watch register compares addresses from bit 6 on: kfd_dbgdev.h, Linux 5.10 */
#define MASK_BITS	0xffffffULL
#define MASK_SHIFT	6

/* enum HSAKMT_STATUS of hsakmttypes.h */
enum {
	STATUS_SUCCESS = 0,
	STATUS_ERROR = 1,
	STATUS_INVALID_PARAMETER = 3,
	STATUS_NO_MEMORY = 6,
	STATUS_NOT_SUPPORTED = 11,
	STATUS_UNAVAILABLE = 12,
	STATUS_OUT_OF_RESOURCES = 13,
	STATUS_WAIT_TIMEOUT = 31,
};

static uint32_t get(uint32_t value, struct part part)
{
	return value >> part.shift & ((1U << part.width) - 1);
}

/* Set a member; false: the value does not fit. */
static bool put(uint32_t *value, struct part part, uint32_t member)
{
	*value |= member << part.shift;
	return member < 1U << part.width;
}

ADBG_API void adbg_hsa_message_decode(uint32_t value,
				      struct adbg_hsa_message *message)
{
	*message = (struct adbg_hsa_message){
		.at = {
			.se = get(value, shader_engine),
			.sa = get(value, shader_array),
			.wgp = get(value, hsacu),
			.simd = get(value, simd),
			.wave = get(value, wave_id),
		},
		.user_data = get(value, user_data),
		.priv = get(value, priv),
		.type = get(value, message_type),
	};
}

ADBG_API int adbg_hsa_message_encode(const struct adbg_hsa_message *message,
				     uint32_t *value)
{
	const struct amdgpudbg_wave_coord *at = &message->at;
	uint32_t v = 0;

	if (at->xcc || !put(&v, shader_engine, at->se) ||
	    !put(&v, shader_array, at->sa) || !put(&v, hsacu, at->wgp) ||
	    !put(&v, simd, at->simd) || !put(&v, wave_id, at->wave) ||
	    !put(&v, user_data, message->user_data) ||
	    !put(&v, priv, message->priv) ||
	    !put(&v, message_type, message->type))
		return -ERANGE;

	*value = v;
	return 0;
}

ADBG_API int
adbg_hsa_wave_control(struct adbg_session *session, uint32_t operand,
		      uint32_t mode, uint32_t trap_id,
		      const struct adbg_hsa_wave_message *message)
{
	/*
	 * Operations and modes have the same numbers. Without a VMID, the call is about the
	 * target's.
	 */
	struct amdgpudbg_wave_control control = { .op = operand, .mode = mode };
	struct adbg_hsa_message m;

	if (operand < AMDGPUDBG_WAVEOP_HALT || operand > AMDGPUDBG_WAVEOP_TRAP)
		return -EINVAL;
	if (operand == AMDGPUDBG_WAVEOP_TRAP)
		control.trap_id = trap_id;
	if (mode == AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS)
		return adbg_wave_control(session, &control);

	if (!message)
		return -EINVAL;
	adbg_hsa_message_decode(message->value, &m);
	control.at = m.at;
	if (mode == AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS_CU) {
		control.at.simd = 0;
		control.at.wave = 0;
	}
	return adbg_wave_control(session, &control);
}

/* Clear the watches of the previous call; watches that do not exist any more are no error. */
static int clear_watches(struct adbg_session *session)
{
	int ret;

	for (uint32_t id = 0; session->hsa_watches >> id; id++) {
		if (!(session->hsa_watches >> id & 1))
			continue;
		ret = adbg_watch_clear(session, id);
		if (ret && ret != -ENOENT)
			return ret;
		session->hsa_watches &= ~(1U << id);
	}

	return 0;
}

static int set_watch(struct adbg_session *session, uint32_t mode,
		     uint64_t address, uint64_t field)
{
	struct amdgpudbg_watch_set watch = {
		.flags = AMDGPUDBG_WATCH_SET_MASK, .mode = mode,
	};
	const uint64_t always = ~(MASK_BITS << MASK_SHIFT);
	struct amdgpudbg_info info = { 0 };
	int ret;

	ret = adbg_session_get_info(session, &info);
	if (ret)
		return ret;
	watch.mask = always | field << MASK_SHIFT;
	watch.mask &= ~((uint64_t)info.watch_granule - 1);
	watch.address = address & watch.mask;
	ret = adbg_watch_set(session, &watch);
	if (!ret)
		session->hsa_watches |= 1U << watch.id;
	return ret;
}

ADBG_API int adbg_hsa_address_watch(struct adbg_session *session,
				    uint32_t count, const uint32_t *mode,
				    void *const *address, const uint64_t *mask)
{
	int ret;

	if (!count || count > ADBG_HSA_MAX_WATCHES || !mode || !address)
		return -EINVAL;
	for (uint32_t i = 0; i < count; i++)
		if (mode[i] > AMDGPUDBG_WATCH_ALL)
			return -EINVAL;
	if (mask && !mask[0])
		mask = NULL;

	ret = clear_watches(session);
	for (uint32_t i = 0; i < count && !ret; i++)
		if (address[i])
			ret = set_watch(session, mode[i],
					(uintptr_t)address[i],
					mask ? mask[i] & MASK_BITS :
					       MASK_BITS);
	if (ret)
		clear_watches(session);
	return ret;
}

ADBG_API int adbg_hsa_status(int error)
{
	switch (abs(error)) {
	case 0:
		return STATUS_SUCCESS;
	case EINVAL:
	case ERANGE:
	case ENXIO:
		return STATUS_INVALID_PARAMETER;
	case ENOMEM:
		return STATUS_NO_MEMORY;
	case EOPNOTSUPP:
	case ENOTTY:
	case E2BIG:
		return STATUS_NOT_SUPPORTED;
	case EBUSY:
	case EAGAIN:
	case EINPROGRESS:
		return STATUS_UNAVAILABLE;
	case ENOSPC:
		return STATUS_OUT_OF_RESOURCES;
	case ETIMEDOUT:
		return STATUS_WAIT_TIMEOUT;
	default:
		return STATUS_ERROR;
	}
}
