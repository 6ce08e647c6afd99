// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints a wave as a row of a table.
 */
#include <stdlib.h>
#include <string.h>

#include "base/pasid.h"
#include "base/util.h"
#include "base/wavectl.h"
#include "waves/fault.h"
#include "waves/wave_names.h"

/* Fields of STATUS about the state of a wave, apart from HALT and PRIV */
static const char *const status_flags[] = {
	"TRAP", "IN_BARRIER", "FATAL_HALT", "ECC_ERR", "TRAP_EN",
};

static unsigned int flag_names(uint32_t gc_version,
			       const struct amdgpudbg_wave *wave,
			       const char **names)
{
	const struct adbg_reg *reg = adbg_reg_find(gc_version, "STATUS");
	unsigned int n = 0;

	if (wave->flags & AMDGPUDBG_WAVE_HALTED)
		names[n++] = "HALT";
	if (wave->flags & AMDGPUDBG_WAVE_PRIV)
		names[n++] = "PRIV";

	for (size_t i = 0; reg && i < ARRAY_SIZE(status_flags); i++) {
		const struct adbg_field *field;

		field = adbg_reg_find_field(reg, status_flags[i]);
		if (field && adbg_field_value(field, adbg_reg_value(reg, wave)))
			names[n++] = field->name;
	}

	names[n++] = wave->flags & AMDGPUDBG_WAVE_WAVE64 ? "WAVE64" : "WAVE32";
	return n;
}

static void emit_why(struct wavectl *w, const struct amdgpudbg_wave *wave, const char *reason)
{
	char *why = reason ? xstrdup(reason) : NULL, *fault = NULL;

	if (why && w->shell && strstr(why, "MEM_VIOL"))
		fault = fault_of_wave(w->shell->faults, w->shell->num_faults, wave);
	if (fault)
		xappend(&why, ": %s", fault);
	if (why)
		emit_str(w->emit, "why", why);
	else
		emit_none(w->emit, "why");
	emit_quiet(w->emit, true);
	if (fault)
		emit_str(w->emit, "fault", fault);
	else
		emit_none(w->emit, "fault");
	emit_quiet(w->emit, false);
	free(fault);
	free(why);
}

static void emit_client(struct wavectl *w, const struct amdgpudbg_wave *wave)
{
	const struct adbg_client *client = NULL;

	if (wave->flags & AMDGPUDBG_WAVE_PASID)
		client = pasid_client(w, wave->pasid);
	if (client) {
		emit_uint(w->emit, "pid", client->pid);
		emit_str(w->emit, "program", client->name);
	} else {
		emit_none(w->emit, "pid");
		emit_none(w->emit, "program");
	}
}

static void emit_named(struct wavectl *w, const char *key, const char *name,
		       const struct amdgpudbg_wave *wave)
{
	const struct adbg_reg *reg =
		adbg_reg_find(adbg_session_get_gc_version(w->session), name);

	if (reg && adbg_reg_is_known(reg, wave))
		emit_hex32(w->emit, key, adbg_reg_value(reg, wave));
	else
		emit_none(w->emit, key);
}

/* The parts of the reason, for JSON */
static void emit_trap(struct wavectl *w, const struct amdgpudbg_wave *wave,
		      uint32_t gc_version)
{
	const char *causes[ADBG_MAX_CAUSES];
	struct adbg_trap trap;
	size_t n;

	emit_quiet(w->emit, true);
	emit_named(w, "status", "STATUS", wave);
	n = adbg_wave_get_causes(wave, gc_version, causes,
				 ADBG_MAX_CAUSES);
	emit_names(w->emit, "causes", causes, n);
	if (adbg_wave_get_trap(wave, gc_version, &trap)) {
		emit_none(w->emit, "trap_pc");
		emit_none(w->emit, "trap_id");
		emit_none(w->emit, "trap_host");
	} else {
		emit_hex64(w->emit, "trap_pc", trap.pc);
		emit_uint(w->emit, "trap_id", trap.id);
		emit_bool(w->emit, "trap_host", trap.host);
	}
	emit_quiet(w->emit, false);
}

/* The first word of the instruction in JSON; in text, the whole instruction if it is known */
static void emit_insn(struct wavectl *w, const struct amdgpudbg_wave *wave,
		      const struct wave_insn *insn)
{
	emit_quiet(w->emit, insn->text);
	if (insn->has_word)
		emit_hex32(w->emit, "inst", insn->word);
	else
		emit_named(w, "inst", "INST_DW0", wave);
	emit_quiet(w->emit, !insn->text);
	if (insn->text)
		emit_str(w->emit, "instruction", insn->text);
	else
		emit_none(w->emit, "instruction");
	emit_quiet(w->emit, false);
}

void emit_wave(struct wavectl *w, const struct amdgpudbg_wave *wave,
	       const struct wave_insn *insn, const char *why)
{
	uint32_t gc_version = adbg_session_get_gc_version(w->session);
	const char *names[ARRAY_SIZE(status_flags) + 3];
	const struct adbg_reg *reg;
	unsigned int n;

	emit_row(w->emit);
	emit_gpu_number(w);
	emit_at(w->emit, "name", &wave->at);
	emit_uint(w->emit, "vmid", wave->vmid);
	if (wave->flags & AMDGPUDBG_WAVE_PASID)
		emit_uint(w->emit, "pasid", wave->pasid);
	else
		emit_none(w->emit, "pasid");
	emit_hex64(w->emit, "pc", wave->pc);
	emit_hex64(w->emit, "exec", wave->exec);
	emit_insn(w, wave, insn);
	emit_str(w->emit, "state", wave_state(wave));
	n = flag_names(gc_version, wave, names);
	emit_names(w->emit, "flags", names, n);
	emit_why(w, wave, why);
	emit_client(w, wave);
	emit_trap(w, wave, gc_version);

	if (!w->verbose)
		return;
	for (size_t i = 0; (reg = adbg_reg_get(gc_version, i)); i++)
		if (adbg_reg_is_known(reg, wave))
			emit_reg(w->emit, reg, adbg_reg_value(reg, wave));
}
