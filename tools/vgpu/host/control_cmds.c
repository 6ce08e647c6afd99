// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The commands of the control socket. Each gets the request and adds its results to the
 * reply. Addresses, masks and register values are strings "0x...", because many JSON
 * readers store numbers as doubles, which cannot hold all 64-bit values.
 */
#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "front/cp.h"
#include "gpu.h"
#include "host/control.h"
#include "isa/wave.h"
#include "regs/checker.h"
#include "regs/faults.h"
#include "regs/quirks.h"
#include "regs/regs.h"
#include "sq/sq.h"

typedef struct json_object json;

/* Limits of fields: in GRBM_GFX_CNTL 2, 2, 3 and 4 bits, a PASID 16 (IH_VMID_0_LUT) */
#define MAX_ME		3
#define MAX_PIPE	3
#define MAX_QUEUE	7
#define MAX_VMID	15
#define MAX_PASID	0xffff

static void add_hex(json *o, const char *key, u64 val)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%llx", (unsigned long long)val);
	json_object_object_add(o, key, json_object_new_string(text));
}

static void add_uint(json *o, const char *key, u64 val)
{
	json_object_object_add(o, key, json_object_new_uint64(val));
}

static void add_string(json *o, const char *key, const char *val)
{
	json_object_object_add(o, key, json_object_new_string(val));
}

static json *hex_array(const u32 *vals, unsigned int num)
{
	json *a = json_object_new_array();
	char text[16];
	unsigned int i;

	for (i = 0; i < num; i++) {
		snprintf(text, sizeof(text), "0x%x", vals[i]);
		json_object_array_add(a, json_object_new_string(text));
	}
	return a;
}

/* Set the reply's error. Returns -EINVAL, for commands to return. */
static int fail(json *reply, const char *why)
{
	add_string(reply, "error", why);
	return -EINVAL;
}

/* Parse a number, or a string that has a number in C notation. */
static bool parse_uint(json *o, u64 *val)
{
	const char *text;
	char *end;

	if (json_object_is_type(o, json_type_int)) {
		*val = json_object_get_uint64(o);
		return json_object_get_int64(o) >= 0;
	}
	if (!json_object_is_type(o, json_type_string))
		return false;
	text = json_object_get_string(o);
	errno = 0;
	*val = strtoull(text, &end, 0);
	return *text && *text != '-' && !*end && !errno;
}

static bool has(json *req, const char *key)
{
	return json_object_object_get_ex(req, key, NULL);
}

/* An optional number of the request; without it, *@val keeps its default. */
struct number {
	const char *key;
	u64 max, *val;
};

/* Get numbers of the request. Stops at the first bad one, with an error in the reply. */
static int get_numbers(json *req, json *reply, const struct number *n,
		       unsigned int num)
{
	char why[80];
	json *o;
	u64 val;

	for (; num--; n++) {
		if (!json_object_object_get_ex(req, n->key, &o))
			continue;
		if (!parse_uint(o, &val) || val > n->max) {
			snprintf(why, sizeof(why),
				 "\"%s\" has to be a number from 0 to %llu",
				 n->key, (unsigned long long)n->max);
			return fail(reply, why);
		}
		*n->val = val;
	}
	return 0;
}

static int get_number(json *req, json *reply, const char *key, u64 max, u64 *val)
{
	const struct number n = { key, max, val };

	return get_numbers(req, reply, &n, 1);
}

static const char *get_string(json *req, const char *key)
{
	json *o;

	if (!json_object_object_get_ex(req, key, &o) ||
	    !json_object_is_type(o, json_type_string))
		return NULL;
	return json_object_get_string(o);
}

static int cmd_info(struct vgpu *g, json *req, json *reply)
{
	(void)req;
	add_string(reply, "profile", g->profile->name);
	add_string(reply, "description", g->profile->description);
	add_string(reply, "isa", g->profile->llvm_cpu);
	add_uint(reply, "se", g->num_se);
	add_uint(reply, "sa", g->num_sa);
	add_uint(reply, "wgp", g->num_wgp);
	add_uint(reply, "simd", g->num_simd);
	add_uint(reply, "slots", g->num_slots);
	add_uint(reply, "vram_bytes", g->vram_size);
	return 0;
}

static json *complaint_counts(struct vgpu *g,
			      u64 (*get)(const struct vgpu *g,
					 enum vgpu_complaint what))
{
	json *o = json_object_new_object();
	int i;

	for (i = 0; i < VGPU_NUM_COMPLAINTS; i++)
		add_uint(o, vgpu_complaint_name(i), get(g, i));
	return o;
}

static int cmd_counters(struct vgpu *g, json *req, json *reply)
{
	static const char *const block_names[VGPU_NUM_BLOCKS] = {
#define BLOCK_NAME(id, name) name,
		VGPU_BLOCKS(BLOCK_NAME)
#undef BLOCK_NAME
	};
	json *reads = json_object_new_object();
	json *writes = json_object_new_object();
	int i;

	(void)req;
#define ADD_COUNTER(name) add_uint(reply, #name, g->counters.name);
	VGPU_COUNTERS(ADD_COUNTER)
#undef ADD_COUNTER
	for (i = 0; i < VGPU_NUM_BLOCKS; i++) {
		add_uint(reads, block_names[i], g->counters.block_reads[i]);
		add_uint(writes, block_names[i], g->counters.block_writes[i]);
	}
	json_object_object_add(reply, "reg_reads_by_block", reads);
	json_object_object_add(reply, "reg_writes_by_block", writes);
	json_object_object_add(reply, "complaints",
			       complaint_counts(g, vgpu_complaints));
	return 0;
}

static int cmd_counters_reset(struct vgpu *g, json *req, json *reply)
{
	(void)req;
	(void)reply;
	memset(&g->counters, 0, sizeof(g->counters));
	return 0;
}

static int cmd_complaints(struct vgpu *g, json *req, json *reply)
{
	json *lines = json_object_new_array();
	const char *line;
	unsigned int i;

	(void)req;
	/* Only the client knows whether the host is within a sequence of accesses. */
	json_object_object_add(reply, "selected",
			       json_object_new_boolean(vgpu_regs_is_selected(g)));
	add_uint(reply, "total", vgpu_complaints_total(g));
	json_object_object_add(reply, "by_kind",
			       complaint_counts(g, vgpu_complaints));
	json_object_object_add(reply, "expected",
			       complaint_counts(g, vgpu_complaints_expected));
	for (i = 0; (line = vgpu_checker_line(g, i)); i++)
		json_object_array_add(lines, json_object_new_string(line));
	json_object_object_add(reply, "latest", lines);
	return 0;
}

static int cmd_expect(struct vgpu *g, json *req, json *reply)
{
	const char *name = get_string(req, "complaint");
	json *on;
	int i;

	if (!name || !json_object_object_get_ex(req, "on", &on) ||
	    !json_object_is_type(on, json_type_boolean))
		return fail(reply, "expect needs \"complaint\" and a boolean \"on\"");
	for (i = 0; i < VGPU_NUM_COMPLAINTS; i++) {
		if (strcmp(name, vgpu_complaint_name(i)))
			continue;
		vgpu_checker_expect(g, i, json_object_get_boolean(on));
		return 0;
	}
	return fail(reply, "no such complaint");
}

static int cmd_quirks(struct vgpu *g, json *req, json *reply)
{
	json *a = json_object_new_array();
	int i;

	(void)req;
	for (i = 0; i < VGPU_NUM_QUIRKS; i++) {
		json *o = json_object_new_object();

		add_string(o, "name", vgpu_quirk_name(i));
		add_uint(o, "value", vgpu_quirk(g, i));
		add_uint(o, "default", vgpu_quirk_default(i));
		add_string(o, "text", vgpu_quirk_text(i));
		json_object_array_add(a, o);
	}
	json_object_object_add(reply, "quirks", a);
	return 0;
}

static int cmd_quirk(struct vgpu *g, json *req, json *reply)
{
	const char *name = get_string(req, "name");
	u64 val;

	if (!name || !has(req, "value"))
		return fail(reply, "quirk needs \"name\" and \"value\"");
	if (get_number(req, reply, "value", UINT32_MAX, &val))
		return -EINVAL;
	if (vgpu_quirk_set(g, name, (u32)val))
		return fail(reply, "no such quirk");
	return 0;
}

/* Get the register of "dword" or "name". On failure, the reply has an error. */
static int get_register(struct vgpu *g, json *req, json *reply, u32 *dword)
{
	const char *name = get_string(req, "name");
	u64 val;
	unsigned int i;

	if (has(req, "dword")) {
		if (get_number(req, reply, "dword", VGPU_NUM_REGS - 1, &val))
			return -EINVAL;
		*dword = (u32)val;
		return 0;
	}
	if (!name)
		return fail(reply, "no register is given: needs \"dword\" or \"name\"");
	for (i = 0; i < g->profile->num_names; i++) {
		if (strcmp(g->profile->names[i].name, name))
			continue;
		*dword = g->profile->names[i].dword;
		return 0;
	}
	return fail(reply, "no register of that name");
}

static int fault_hang(struct vgpu *g, json *req, json *reply)
{
	u64 me = 1, pipe = 0, queue = 0;
	const struct number n[] = {
		{ "me", MAX_ME, &me },
		{ "pipe", MAX_PIPE, &pipe },
		{ "queue", MAX_QUEUE, &queue },
	};

	if (get_numbers(req, reply, n, ARRAY_SIZE(n)))
		return -EINVAL;
	if (vgpu_cp_hang(g, (struct vgpu_queue_id){ me, pipe, queue }))
		return fail(reply, "no such queue");
	return 0;
}

static int cmd_fault(struct vgpu *g, json *req, json *reply)
{
	const char *name = get_string(req, "name");
	u32 arg = VGPU_FAULT_ANY;
	u64 count = 1;
	int i;

	if (!name)
		return fail(reply, "fault needs \"name\"");
	if (get_number(req, reply, "count", UINT32_MAX, &count))
		return -EINVAL;
	if (!strcmp(name, "hang-queue"))
		return fault_hang(g, req, reply);
	for (i = 0; i < VGPU_NUM_FAULTS; i++) {
		if (strcmp(name, vgpu_fault_name(i)))
			continue;
		if (has(req, "register") || has(req, "dword")) {
			const char *reg = get_string(req, "register");

			if (reg)
				add_string(req, "name", reg);
			if (get_register(g, req, reply, &arg))
				return -EINVAL;
		}
		vgpu_fault_arm(g, i, (u32)count, arg);
		return 0;
	}
	return fail(reply, "no such fault");
}

static int cmd_reg(struct vgpu *g, json *req, json *reply)
{
	struct vgpu_bank_select first = vgpu_reg_first(g), sel;
	u64 me = 0, pipe = 0, queue = 0, vmid = 0;
	u64 se = first.se, sa = first.sa, wgp = first.wgp;
	const struct number bank[] = {
		{ "me", MAX_ME, &me },
		{ "pipe", MAX_PIPE, &pipe },
		{ "queue", MAX_QUEUE, &queue },
		{ "vmid", MAX_VMID, &vmid },
		{ "se", g->num_se - 1, &se },
		{ "sa", g->num_sa - 1, &sa },
		{ "wgp", g->num_wgp - 1, &wgp },
	};
	bool banked = false;
	unsigned int i;
	u32 dword;

	if (get_register(g, req, reply, &dword) ||
	    get_numbers(req, reply, bank, ARRAY_SIZE(bank)))
		return -EINVAL;
	for (i = 0; i < ARRAY_SIZE(bank); i++)
		banked |= has(req, bank[i].key);
	sel = (struct vgpu_bank_select){ me, pipe, queue, vmid, se, sa, wgp };
	add_hex(reply, "dword", dword);
	add_string(reply, "name", vgpu_reg_name(g, dword));
	add_hex(reply, "value", vgpu_reg_peek(g, dword, banked ? &sel : NULL));
	return 0;
}

static void add_reg(json *o, const char *name, struct vgpu *g,
		    const struct vgpu_wave *w, enum vgpu_hwreg reg)
{
	add_hex(o, name, vgpu_wave_reg(g, w, reg));
}

static json *wave_summary(struct vgpu *g, const struct vgpu_wave *w)
{
	json *o = json_object_new_object();

	add_uint(o, "se", w->se);
	add_uint(o, "sa", w->sa);
	add_uint(o, "wgp", w->wgp);
	add_uint(o, "simd", w->simd);
	add_uint(o, "slot", w->slot);
	add_uint(o, "vmid", w->vmid);
	add_uint(o, "serial", w->serial);
	add_uint(o, "lanes", w->lanes);
	add_hex(o, "pc", w->pc);
	add_hex(o, "exec", vgpu_wave_exec(w));
	add_reg(o, "status", g, w, VGPU_HWREG_STATUS);
	add_reg(o, "trapsts", g, w, VGPU_HWREG_TRAPSTS);
	add_reg(o, "mode", g, w, VGPU_HWREG_MODE);
	add_reg(o, "hw_id1", g, w, VGPU_HWREG_HW_ID1);
	add_reg(o, "hw_id2", g, w, VGPU_HWREG_HW_ID2);
	json_object_object_add(o, "halted",
			       json_object_new_boolean(w->stop & VGPU_STOP_HALT));
	add_uint(o, "instructions", w->instructions);
	return o;
}

static void add_wave(struct vgpu *g, struct vgpu_wave *w, void *arg)
{
	json_object_array_add(arg, wave_summary(g, w));
}

static int cmd_waves(struct vgpu *g, json *req, json *reply)
{
	json *a = json_object_new_array();

	(void)req;
	vgpu_sq_for_each(g, add_wave, a);
	json_object_object_add(reply, "waves", a);
	return 0;
}

/* The coordinates of a wave slot */
struct slot {
	u64 se, sa, wgp, simd, slot;
};

static int get_slot(struct vgpu *g, json *req, json *reply, struct slot *at)
{
	const struct number n[] = {
		{ "se", g->num_se - 1, &at->se },
		{ "sa", g->num_sa - 1, &at->sa },
		{ "wgp", g->num_wgp - 1, &at->wgp },
		{ "simd", g->num_simd - 1, &at->simd },
		{ "slot", g->num_slots - 1, &at->slot },
	};

	*at = (struct slot) { 0 };
	return get_numbers(req, reply, n, ARRAY_SIZE(n));
}

static int cmd_wave(struct vgpu *g, json *req, json *reply)
{
	struct slot at;
	struct vgpu_wave *w;
	json *o, *vgprs;
	u32 i;

	if (get_slot(g, req, reply, &at))
		return -EINVAL;
	w = vgpu_sq_wave(g, at.se, at.sa, at.wgp, at.simd, at.slot);
	if (!w)
		return fail(reply, "no wave in this slot");

	o = wave_summary(g, w);
	add_reg(o, "gpr_alloc", g, w, VGPU_HWREG_GPR_ALLOC);
	add_reg(o, "lds_alloc", g, w, VGPU_HWREG_LDS_ALLOC);
	add_reg(o, "ib_sts", g, w, VGPU_HWREG_IB_STS);
	add_reg(o, "ib_sts2", g, w, VGPU_HWREG_IB_STS2);
	add_hex(o, "flat_scratch", w->flat_scratch);
	add_hex(o, "vcc", vgpu_wave_vcc(w));
	add_hex(o, "m0", w->s[VGPU_S_M0]);
	json_object_object_add(o, "sgprs", hex_array(w->s, VGPU_S_VCC));
	json_object_object_add(o, "ttmps",
			       hex_array(w->s + VGPU_S_TTMP0, 16));
	vgprs = json_object_new_array();
	for (i = 0; i < w->num_vgprs && i < VGPU_NUM_VGPRS; i++)
		json_object_array_add(vgprs, hex_array(w->v[i], w->lanes));
	json_object_object_add(o, "vgprs", vgprs);
	json_object_object_add(reply, "wave", o);
	return 0;
}

static int cmd_history(struct vgpu *g, json *req, json *reply)
{
	const struct vgpu_history *h;
	json *a, *o;
	u64 pasid;

	if (!has(req, "pasid"))
		return fail(reply, "history needs \"pasid\"");
	if (get_number(req, reply, "pasid", MAX_PASID, &pasid))
		return -EINVAL;
	a = json_object_new_array();
	for (h = vgpu_sq_history(g); h; h = h->next) {
		if (h->pasid != pasid)
			continue;
		o = json_object_new_object();
		add_uint(o, "vmid", h->vmid);
#define ADD_COUNTER(name) add_uint(o, #name, h->name);
		VGPU_HISTORY(ADD_COUNTER)
#undef ADD_COUNTER
		json_object_array_add(a, o);
	}
	json_object_object_add(reply, "history", a);
	return 0;
}

static int cmd_lend(struct vgpu *g, json *req, json *reply)
{
	u64 to = 0, after = 0, stay = 0;
	const struct number n[] = {
		{ "to", g->num_slots - 1, &to },
		{ "after", UINT32_MAX, &after },
		{ "stay", UINT32_MAX, &stay },
	};
	struct vgpu_lend want;
	struct slot at;
	u32 reads;

	if (get_slot(g, req, reply, &at) ||
	    get_numbers(req, reply, n, ARRAY_SIZE(n)))
		return -EINVAL;
	want = (struct vgpu_lend){ at.se, at.sa, at.wgp, at.simd, at.slot,
				   to, after, stay };
	if (vgpu_sq_lend(g, &want, &reads))
		return fail(reply, "lend needs waves in \"slot\" and \"to\"");
	add_uint(reply, "reads", reads);
	return 0;
}

static const struct {
	const char *name;
	int (*run)(struct vgpu *g, json *req, json *reply);
} commands[] = {
	{ "info", cmd_info },
	{ "counters", cmd_counters },
	{ "counters-reset", cmd_counters_reset },
	{ "complaints", cmd_complaints },
	{ "expect", cmd_expect },
	{ "quirks", cmd_quirks },
	{ "quirk", cmd_quirk },
	{ "fault", cmd_fault },
	{ "reg", cmd_reg },
	{ "lend", cmd_lend },
	{ "waves", cmd_waves },
	{ "wave", cmd_wave },
	{ "history", cmd_history },
};

/* Copy the request's "id" to the answer, so that the client can match them. */
static int copy_id(json *req, json *reply)
{
	json *id;

	if (!json_object_is_type(req, json_type_object) ||
	    !json_object_object_get_ex(req, "id", &id))
		return 0;
	if (!json_object_is_type(id, json_type_int) &&
	    !json_object_is_type(id, json_type_string))
		return fail(reply, "\"id\" is neither a number nor a string");
	json_object_object_add(reply, "id", json_object_get(id));
	return 0;
}

static int run_command(struct vgpu *g, json *req, json *reply)
{
	const char *name;
	size_t i;

	if (copy_id(req, reply))
		return -EINVAL;
	/* A client must see the effects of all earlier accesses of the host. */
	vgpu_sq_cmds_finish(g);
	if (!json_object_is_type(req, json_type_object))
		return fail(reply, "not a JSON object on one line");
	name = get_string(req, "cmd");
	if (!name)
		return fail(reply, "no \"cmd\"");
	for (i = 0; i < ARRAY_SIZE(commands); i++)
		if (!strcmp(commands[i].name, name))
			return commands[i].run(g, req, reply);
	return fail(reply, "unknown command");
}

char *vgpu_control_answer(struct vgpu *g, const char *line)
{
	json *req = line ? json_tokener_parse(line) : NULL;
	json *reply = json_object_new_object();
	char *text;
	int ret;

	ret = line ? run_command(g, req, reply) :
		     fail(reply, "the line is too long");

	json_object_object_add(reply, "ok", json_object_new_boolean(!ret));
	text = strdup(json_object_to_json_string_ext(reply,
						     JSON_C_TO_STRING_PLAIN));
	json_object_put(reply);
	json_object_put(req);
	return text;
}
