// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The software GPU's waves: see truth.h.
 */
#include "truth.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "self.h"

static struct json_object *member(struct json_object *o, const char *key)
{
	struct json_object *v;

	if (json_object_object_get_ex(o, key, &v))
		return v;
	fprintf(stderr, "no %s in %s\n", key, json_object_to_json_string(o));
	abort();
}

static uint64_t number(struct json_object *o, const char *key)
{
	struct json_object *v = member(o, key);

	if (json_object_is_type(v, json_type_string))
		return strtoull(json_object_get_string(v), NULL, 0);
	return json_object_get_uint64(v);
}

struct truth truth_of(uint32_t vmid)
{
	static char answer[1 << 20];
	struct json_object *o, *waves, *w;
	struct truth t = { 0 };

	if (vgpu_ask("{\"cmd\":\"waves\"}", answer, sizeof(answer))) {
		fprintf(stderr, "vgpu does not list its waves\n");
		abort();
	}
	o = json_tokener_parse(answer);
	waves = member(o, "waves");
	for (size_t i = 0; i < json_object_array_length(waves); i++) {
		w = json_object_array_get_idx(waves, i);
		if (number(w, "vmid") != vmid)
			continue;
		if (t.count == MAX_WAVES) {
			fprintf(stderr, "vgpu has more than %d waves\n", MAX_WAVES);
			abort();
		}
		t.wave[t.count].at = (struct amdgpudbg_wave_coord){
			.se = number(w, "se"), .sa = number(w, "sa"),
			.wgp = number(w, "wgp"), .simd = number(w, "simd"),
			.wave = number(w, "slot"),
		};
		t.wave[t.count].serial = number(w, "serial");
		t.wave[t.count].instructions = number(w, "instructions");
		t.wave[t.count].pc = number(w, "pc");
		t.wave[t.count].vmid = vmid;
		t.wave[t.count].mode = number(w, "mode");
		t.wave[t.count].status = number(w, "status");
		t.wave[t.count].halted = number(w, "halted");
		t.count++;
	}
	json_object_put(o);
	return t;
}

int truth_find(const struct truth *t, const struct amdgpudbg_wave_coord *at)
{
	for (unsigned int i = 0; i < t->count; i++)
		if (!memcmp(&t->wave[i].at, at, sizeof(*at)))
			return i;

	return -1;
}

unsigned int truth_halted(const struct truth *t)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < t->count; i++)
		n += t->wave[i].halted;
	return n;
}

/* To be put */
static struct json_object *counters(void)
{
	static char answer[8192];

	if (vgpu_ask("{\"cmd\":\"counters\"}", answer, sizeof(answer))) {
		fprintf(stderr, "vgpu does not tell what it counts\n");
		abort();
	}
	return json_tokener_parse(answer);
}

bool truth_uses_gfxoff(void)
{
	struct json_object *o = counters();
	bool uses = number(o, "gfxoff_allowed");

	json_object_put(o);
	return uses;
}

struct truth_accesses truth_accesses(void)
{
	struct truth_accesses a;
	struct json_object *o = counters();

	a.reads = number(o, "reg_reads");
	a.writes = number(o, "reg_writes");
	json_object_put(o);
	return a;
}

static uint64_t counted(const char *path)
{
	unsigned long long n;
	FILE *f = fopen(path, "r");

	if (!f || fscanf(f, "%llu", &n) != 1) {
		fprintf(stderr, "the module does not say what calls have cost: %s\n", path);
		abort();
	}
	fclose(f);
	return n;
}

struct truth_accesses truth_counted_accesses(void)
{
	return (struct truth_accesses){
		.reads = counted("/sys/kernel/debug/amdgpudbg/amdgpudbg0/reg_reads"),
		.writes = counted("/sys/kernel/debug/amdgpudbg/amdgpudbg0/reg_writes"),
	};
}

void truth_history_of(uint32_t pasid, struct truth_history history[MAX_VMIDS])
{
	char question[64], answer[8192];
	struct json_object *o, *rows, *row;
	struct truth_history *h;

	snprintf(question, sizeof(question),
		 "{\"cmd\":\"history\",\"pasid\":%u}", pasid);
	if (vgpu_ask(question, answer, sizeof(answer))) {
		fprintf(stderr, "vgpu does not tell what has happened\n");
		abort();
	}
	memset(history, 0, MAX_VMIDS * sizeof(history[0]));
	o = json_tokener_parse(answer);
	rows = member(o, "history");
	for (size_t i = 0; i < json_object_array_length(rows); i++) {
		row = json_object_array_get_idx(rows, i);
		h = &history[number(row, "vmid") % MAX_VMIDS];
		*h = (struct truth_history){
			.waves = number(row, "waves"),
			.trap_en = number(row, "trap_en"),
			.halted = number(row, "halted"),
			.debug = number(row, "debug"),
			.excp = number(row, "excp"),
			.stalls = number(row, "stalls"),
			.watch_hits = number(row, "watch_hits"),
			.traps = number(row, "traps"),
		};
	}
	json_object_put(o);
}
