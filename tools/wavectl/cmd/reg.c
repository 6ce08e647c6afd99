// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wavectl reg list, read and write.
 */
#include <stdio.h>

#include "waves/regs.h"

/* Registers that are numbered: @prefix0 to the last. */
static void emit_file(struct emit *e, const char *prefix, uint32_t count)
{
	char name[32];

	snprintf(name, sizeof(name), "%s0-%u", prefix, count - 1);
	emit_row(e);
	emit_str(e, "register", name);
	emit_bool(e, "read_at_any_time", false);
	emit_hex32(e, "writable", UINT32_MAX);
}

int cmd_reg_list(struct wavectl *w)
{
	const struct adbg_reg *reg;
	const struct adbg_reg_file *file;
	char name[ADBG_REG_NAME_MAX];
	uint32_t gc_version;
	int status;

	status = open_target(w);
	if (status)
		return status;
	gc_version = adbg_session_get_gc_version(w->session);
	file = adbg_reg_get_file(gc_version);
	if (!file)
		return fail_with(w, WAVECTL_UNSUPPORTED, NULL,
				 "the registers of this GPU are not known");

	emit_begin(w->emit);
	emit_table(w->emit, "registers", true);
	emit_file(w->emit, "s", file->num_sgpr);
	emit_file(w->emit, "v", file->max_vgpr);
	emit_file(w->emit, "ttmp", file->num_ttmp);
	for (size_t i = 0; (reg = adbg_reg_get(gc_version, i)); i++) {
		if (reg->space != AMDGPUDBG_REG_HW)
			continue;
		emit_row(w->emit);
		emit_str(w->emit, "register",
			 adbg_reg_name(gc_version, reg->space, reg->number,
				       name));
		emit_bool(w->emit, "read_at_any_time", true);
		emit_hex32(w->emit, "writable", reg->writable);
	}
	emit_table_end(w->emit);
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

static int read_regs(struct wavectl *w, struct regs *regs)
{
	int status = regs_access(w, regs, false);

	if (status)
		return status;

	emit_begin(w->emit);
	regs_emit(w, regs, false);
	if (regs->has_vgprs)
		emit_hex64(w->emit, "exec", regs->exec);
	emit_uint(w->emit, "values", regs->num_values);
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

int cmd_reg_read(struct wavectl *w)
{
	struct regs regs;
	int status = regs_prepare(w, &regs, false);

	if (!status)
		status = read_regs(w, &regs);
	status = regs_resume(w, &regs) ?: status;
	regs_free(&regs);
	return status;
}

static int write_regs(struct wavectl *w, struct regs *regs)
{
	int status = WAVECTL_OK;

	if (!w->dry_run)
		status = regs_access(w, regs, true);
	if (status)
		return status;

	emit_begin(w->emit);
	emit_bool(w->emit, "dry_run", w->dry_run);
	regs_emit(w, regs, true);
	emit_uint(w->emit, "values", regs->num_values);
	emit_say(w->emit, w->dry_run ?
		 "would write {values} values; nothing was changed" :
		 "wrote {values} values");
	return emit_end(w->emit) ? WAVECTL_FAILED : WAVECTL_OK;
}

int cmd_reg_write(struct wavectl *w)
{
	struct regs regs;
	int status = regs_prepare(w, &regs, true);

	if (!status)
		status = write_regs(w, &regs);
	status = regs_resume(w, &regs) ?: status;
	regs_free(&regs);
	return status;
}
