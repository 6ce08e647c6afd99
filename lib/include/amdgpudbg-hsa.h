/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libamdgpudbg for tools that use amdkfd's old debugger interface.
 *
 * Up to Linux 5.10, amdkfd had a debugger interface, which its thunk (ROCm's libhsakmt)
 * offers to programs: hsaKmtDbgWavefrontControl(), hsaKmtDbgAddressWatch() and
 * hsaKmtSetTrapHandler(). The functions below have the same parameters, except that a
 * session with a target replaces the node. They do what the old interface was documented to
 * do. Instead of calling hsaKmtDbgRegister(), open a session and set its target.
 */
#ifndef AMDGPUDBG_HSA_H
#define AMDGPUDBG_HSA_H

#include <amdgpudbg.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * struct adbg_hsa_wave_message - HsaDbgWaveMessage of the thunk
 * @memory_va: MemoryVA; ignored, as the thunk does
 * @value: HsaDbgWaveMsgAMDGen2.Value, see adbg_hsa_message_decode()
 * @reserved2: HsaDbgWaveMsgAMDGen2.Reserved2; ignored
 *
 * The structure has the layout of HsaDbgWaveMessage, so that a pointer to one can be
 * converted to a pointer to the other. Its size never changes.
 */
struct adbg_hsa_wave_message {
	void *memory_va;
	uint32_t value;
	uint32_t reserved2;
};

/**
 * struct adbg_hsa_message - the members of HsaDbgWaveMsgAMDGen2.Value
 * @at: coordinate of the wave: ShaderEngine, ShaderArray, HSACU (the WGP on gfx10 and
 *	later), SIMD and WaveId
 * @user_data: UserData, 8 bits
 * @priv: Priv, 1 bit
 * @type: MessageType, 2 bits: 0 automatic, 1 user, 2 error
 * @__reserved: 0
 *
 * The size of the structure never changes.
 */
struct adbg_hsa_message {
	struct amdgpudbg_wave_coord at;
	uint32_t user_data;
	uint32_t priv;
	uint32_t type;
	uint32_t __reserved;
};

/**
 * adbg_hsa_message_decode() - decode HsaDbgWaveMsgAMDGen2.Value
 * @value: the value; its reserved bits are ignored
 * @message: set to its members
 */
void adbg_hsa_message_decode(uint32_t value, struct adbg_hsa_message *message);

/**
 * adbg_hsa_message_encode() - encode HsaDbgWaveMsgAMDGen2.Value
 * @message: the members
 * @value: set to the value
 *
 * Return: 0; -ERANGE if a member does not fit in its bits: 4 shader engines, 2 arrays, 16
 * CUs, 4 SIMDs and 16 slots can be represented, and only the first accelerator complex.
 */
int adbg_hsa_message_encode(const struct adbg_hsa_message *message,
			    uint32_t *value) ADBG_WUR;

/**
 * adbg_hsa_wave_control() - control waves like hsaKmtDbgWavefrontControl()
 * @session: a session with a target
 * @operand: HSA_DBG_WAVEOP: 1 halt, 2 resume, 3 kill, 4 debug, 5 trap
 * @mode: HSA_DBG_WAVEMODE: 0 one wave, 2 all waves of the target, 3 all of its waves on one
 *	CU (WGP on gfx10 and later)
 * @trap_id: the trap id for operand 5, otherwise ignored
 * @message: the wave or the CU; ignored with mode 2, and then may be NULL
 *
 * Unlike the old interface, this function never affects waves of other processes, and fails
 * if there is no such wave.
 *
 * Return: as adbg_wave_control().
 */
int adbg_hsa_wave_control(struct adbg_session *session, uint32_t operand,
			  uint32_t mode, uint32_t trap_id,
			  const struct adbg_hsa_wave_message *message) ADBG_WUR;

/** ADBG_HSA_MAX_WATCHES - number of watches of the old interface */
#define ADBG_HSA_MAX_WATCHES	4

/**
 * adbg_hsa_address_watch() - set watches like hsaKmtDbgAddressWatch()
 * @session: a session with a target
 * @count: number of watches, 1 to ADBG_HSA_MAX_WATCHES
 * @mode: HSA_DBG_WATCH_MODE of each watch, see &enum amdgpudbg_watch_mode
 * @address: address of each watch; NULL: do not set this watch
 * @mask: mask of each watch, as in the old register: bit n says whether bit n + 6 of an
 *	address is compared, for n from 0 to 23. If @mask is NULL or the first mask is 0, all
 *	these bits are compared for all watches
 *
 * First, the function removes the watches that its previous call has set, also if it then
 * fails. Watches that were set by adbg_watch_set() remain. The watched range is rounded to
 * the granule of the GPU, 128 bytes on gfx10. The event parameter of the thunk's function
 * never worked and is left out. adbg_watch_set(3) says when a wave stops at a watch.
 *
 * Return: as adbg_watch_set().
 */
int adbg_hsa_address_watch(struct adbg_session *session, uint32_t count,
			   const uint32_t *mode, void *const *address,
			   const uint64_t *mask) ADBG_WUR;

/**
 * adbg_hsa_set_trap_handler() - set a trap handler like hsaKmtSetTrapHandler()
 * @session: a session with a target
 * @tba: address of the handler in the target's GPU address space; NULL: remove the
 *	handler of the session
 * @tba_size: size of the handler in bytes
 * @tma: address of the handler's memory in the same address space, or NULL
 * @tma_size: size of this memory in bytes
 *
 * Unlike the thunk's function, it does not work for processes that use amdkfd.
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
 * adbg_hsa_status() - convert an errno value to the thunk's HSAKMT_STATUS
 * @error: an errno value, positive or negative
 *
 * Return: HSAKMT_STATUS: 0 success, 1 error, 3 invalid parameter, 6 no memory,
 * 11 not supported, 12 unavailable at present, 13 out of resources, 31 timeout.
 */
int adbg_hsa_status(int error);

#ifdef __cplusplus
}
#endif

#endif /* AMDGPUDBG_HSA_H */
