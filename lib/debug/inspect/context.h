/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The reader of a wave's registers and memory. Registers are read by registers.c, memory by
 * memory.c and private.c. These only use the public functions of process/.
 */
#ifndef ADBGD_INSPECT_CONTEXT_H
#define ADBGD_INSPECT_CONTEXT_H

#include <stdbool.h>

#include <amdgpudbg-debug-wave.h>

#include "internal.h"
#include "isa/scratch.h"

#define ADBGD_LANES_MAX	64

/* A register that was read, in all lanes */
struct adbgd_register_value {
	uint32_t space;
	uint32_t number;
	uint32_t lanes[ADBGD_LANES_MAX];
};

/* A part of LDS, or rows of private memory: the same dword of all lanes side by side */
struct adbgd_memory_part {
	uint64_t from;		/* address of the first byte, of one lane */
	uint64_t size;		/* of one lane; 0: nothing was read */
	uint64_t group;		/* private memory: the first of the lanes */
	uint8_t *bytes;
};

struct adbgd_wave_context {
	struct adbgd_process *process;
	struct adbg_session *session;	/* that of @process */
	int32_t pid;
	struct adbgd_code *code;	/* NULL: not known */
	struct amdgpudbg_wave wave;
	uint64_t pc;
	uint32_t lanes;
	struct adbgd_register_value *registers;
	size_t num_registers, room;
	struct adbgd_memory_part lds, private;
	bool has_swizzle;
	struct adbgd_swizzle swizzle;	/* if @has_swizzle */
	struct adbgd_error error;	/* of the callback that has failed last */
};

/**
 * adbgd_wave_failed() - set the error of a failed call of libamdgpudbg, with its text
 * @format: what cannot be done
 */
int adbgd_wave_failed(const struct adbgd_wave_context *c, struct adbgd_error *error, int ret,
		      const char *format, ...) __attribute__((format(printf, 4, 5)));

/**
 * adbgd_wave_read_register() - read a register of a wave
 * @space, @number: as for adbgd_context.read_register
 */
int adbgd_wave_read_register(struct adbgd_wave_context *c, uint32_t space, uint32_t number,
			     uint32_t lane, uint32_t *value, struct adbgd_error *error);

/** adbgd_wave_read_hw() - read a hardware register, or one of its fields if @field is not NULL */
int adbgd_wave_read_hw(struct adbgd_wave_context *c, const char *name, const char *field,
		       uint32_t *value, struct adbgd_error *error);

/** adbgd_wave_registers() - get a context that reads registers only; it sets @c->error */
struct adbgd_context adbgd_wave_registers(struct adbgd_wave_context *c);

/** adbgd_private_read() - adbgd_wave_memory_read() of private memory */
int adbgd_private_read(struct adbgd_wave_context *c, uint32_t lane, uint64_t address,
		       uint8_t *buffer, size_t size, struct adbgd_error *error);

/** adbgd_private_write() - adbgd_wave_memory_write() of private memory */
int adbgd_private_write(struct adbgd_wave_context *c, uint32_t lane, uint64_t address,
			const uint8_t *buffer, size_t size, struct adbgd_error *error);

#endif /* ADBGD_INSPECT_CONTEXT_H */
