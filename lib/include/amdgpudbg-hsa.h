/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libamdgpudbg for tools that were written to amdkfd's old debugger interface.
 *
 * The debugger interface that amdkfd had up to Linux 5.10, as its thunk (ROCm's
 * libhsakmt) offers it to programs: hsaKmtDbgWavefrontControl(),
 * hsaKmtDbgAddressWatch(), hsaKmtSetTrapHandler(). These functions have the same
 * shape, with a session that has a target in place of the node, and mean the
 * same where the old interface worked as it was described. hsaKmtDbgRegister()
 * is opening the session and setting its target.
 */
#ifndef AMDGPUDBG_HSA_H
#define AMDGPUDBG_HSA_H

#include <amdgpudbg.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * struct adbg_hsa_wave_message - HsaDbgWaveMessage of the thunk
 * @memory_va: MemoryVA; not looked at, as before
 * @value: HsaDbgWaveMsgAMDGen2.Value, see adbg_hsa_message_decode()
 * @reserved2: HsaDbgWaveMsgAMDGen2.Reserved2; not looked at
 *
 * Of fixed size and laid out as that, so that a pointer to one can be taken for
 * a pointer to the other.
 */
struct adbg_hsa_wave_message {
	void *memory_va;
	uint32_t value;
	uint32_t reserved2;
};

/**
 * struct adbg_hsa_message - what HsaDbgWaveMsgAMDGen2.Value says
 * @at: the wave: ShaderEngine, ShaderArray, HSACU (the WGP on gfx10 and later),
 *	SIMD, WaveId
 * @user_data: UserData, 8 bits
 * @priv: Priv, 1 bit
 * @type: MessageType, 2 bits: 0 automatic, 1 user, 2 error
 *
 * Of fixed size.
 */
struct adbg_hsa_message {
	struct amdgpudbg_wave_coord at;
	uint32_t user_data;
	uint32_t priv;
	uint32_t type;
	uint32_t __reserved;
};

/**
 * adbg_hsa_message_decode() - take HsaDbgWaveMsgAMDGen2.Value apart
 * @value: the value; its reserved bits are not looked at
 * @message: set to what it says
 */
void adbg_hsa_message_decode(uint32_t value, struct adbg_hsa_message *message);

/**
 * adbg_hsa_message_encode() - make HsaDbgWaveMsgAMDGen2.Value
 * @message: what it is to say
 * @value: set to the value
 *
 * Return: 0; -ERANGE when it has no room for a member: it can name 4 shader
 * engines, 2 arrays, 16 CUs, 4 SIMDs and 16 slots, and no accelerator complex
 * but the first.
 */
int adbg_hsa_message_encode(const struct adbg_hsa_message *message,
			    uint32_t *value) ADBG_WUR;

/**
 * adbg_hsa_wave_control() - hsaKmtDbgWavefrontControl()
 * @session: the session, which has a target
 * @operand: HSA_DBG_WAVEOP: 1 halt, 2 resume, 3 kill, 4 debug, 5 trap
 * @mode: HSA_DBG_WAVEMODE: 0 one wave, 2 all waves of the target, 3 all of them
 *	on one CU (WGP on gfx10 and later)
 * @trap_id: for operand 5; else not looked at
 * @message: which wave or CU; not looked at with mode 2, when it may be NULL
 *
 * Other than the old interface, it never reaches waves of others, and says when
 * there is no such wave.
 *
 * Return: as adbg_wave_control().
 */
int adbg_hsa_wave_control(struct adbg_session *session, uint32_t operand,
			  uint32_t mode, uint32_t trap_id,
			  const struct adbg_hsa_wave_message *message) ADBG_WUR;

/** ADBG_HSA_MAX_WATCHES - how many watches the old interface had */
#define ADBG_HSA_MAX_WATCHES	4

/**
 * adbg_hsa_address_watch() - hsaKmtDbgAddressWatch()
 * @session: the session, which has a target
 * @count: how many watches, 1 to ADBG_HSA_MAX_WATCHES
 * @mode: HSA_DBG_WATCH_MODE of each, see &enum amdgpudbg_watch_mode
 * @address: where each is; NULL for a watch that is to be off
 * @mask: as the field of the old register: bit n says whether bit n + 6 of an
 *	address is compared, for n from 0 to 23. NULL, or 0 in the first one: all
 *	are compared by all watches.
 *
 * The watches of the call before are ended first, also when it fails; watches
 * set by adbg_watch_set() stay. What is watched is rounded to the granule of the
 * GPU, 128 bytes on gfx10. The thunk's events never worked, and are left out: see
 * adbg_watch_set() for what it takes that a wave stops.
 *
 * Return: as adbg_watch_set().
 */
int adbg_hsa_address_watch(struct adbg_session *session, uint32_t count,
			   const uint32_t *mode, void *const *address,
			   const uint64_t *mask) ADBG_WUR;

/**
 * adbg_hsa_set_trap_handler() - hsaKmtSetTrapHandler()
 * @session: the session, which has a target
 * @tba: address of the handler in the target's GPU address space; NULL: end the
 *	session's own
 * @tba_size: its length in bytes
 * @tma: address of the handler's memory there, or NULL
 * @tma_size: its length in bytes
 *
 * Unlike the thunk's, it is not for amdkfd's processes.
 *
 * Return: as adbg_trap_handler_set().
 */
ADBG_WUR static inline int
adbg_hsa_set_trap_handler(struct adbg_session *session, void *tba,
			  uint64_t tba_size, void *tma, uint64_t tma_size)
{
	struct amdgpudbg_trap_handler handler = ADBG_ZERO;
	int ret;

	if (!tba && (tba_size || tma || tma_size))
		return -EINVAL;
	if (!tba) {
		ret = adbg_trap_handler_clear(session);
		return ret == -ENOENT ? 0 : ret;
	}
	handler.tba = (uintptr_t)tba;
	handler.tba_size = tba_size;
	handler.tma = (uintptr_t)tma;
	handler.tma_size = tma_size;
	return adbg_trap_handler_set(session, &handler);
}

/**
 * adbg_hsa_status() - an error as the thunk tells it
 * @error: what a function of the library returned; the sign does not matter
 *
 * Return: HSAKMT_STATUS: 0 success, 1 error, 3 invalid parameter, 6 no memory,
 * 11 not supported, 12 unavailable at present, 13 out of resources, 31 timeout.
 */
int adbg_hsa_status(int error);

#ifdef __cplusplus
}
#endif

#endif /* AMDGPUDBG_HSA_H */
