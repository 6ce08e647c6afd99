/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Commands to the trap handler of a halted wave: see command.c.
 */
#ifndef ADBGD_COMMAND_H
#define ADBGD_COMMAND_H

#include "process.h"

/**
 * adbgd_command_check() - test whether a halted wave can execute commands
 *
 * Return: 0, or -EOPNOTSUPP: the wave has no trap handler.
 */
int adbgd_command_check(struct adbgd_process *process, const struct amdgpudbg_wave *wave,
			struct adbgd_error *error);

/**
 * adbgd_command() - execute a command in a halted wave's trap handler, and wait for its end
 * @wave: as set by adbgd_wave_find()
 * @op: TRAP_OP_*
 * @address: address in LDS of the first dword in the command buffer
 * @count: see TRAP_HDR_COUNT
 *
 * Return: 0 or -errno, for which adbgd_command_failed() sets a message.
 */
int adbgd_command(struct adbgd_process *process, const struct amdgpudbg_wave *wave, uint32_t op,
		  uint32_t address, uint32_t count);

/** adbgd_command_failed() - set the error of a failed adbgd_command(); returns @ret */
int adbgd_command_failed(struct adbgd_process *process, struct adbgd_error *error, int ret,
			 const struct amdgpudbg_wave_coord *at);

#endif /* ADBGD_COMMAND_H */
