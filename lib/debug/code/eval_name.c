// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Names after $ in expressions, see eval_name.h.
 */
#include "eval_name.h"

#include <stdio.h>
#include <string.h>

#include <amdgpudbg-debug-value.h>

#define NUM_VGPRS	256
/* VCC is a pair of SGPRs (struct adbgd_context). */
#define SGPR_VCC	106

/* A mask of lanes has as many bits as the wave has lanes. */
#define SIZE_OF_MASK	0

static const struct {
	const char *text;
	struct adbgd_name name;
} names[] = {
	{ "pc", { ADBGD_REG_PC, 0, 8 } },
	{ "exec", { ADBGD_REG_EXEC, 0, SIZE_OF_MASK } },
	{ "exec_lo", { ADBGD_REG_EXEC, 0, 4 } },
	{ "exec_hi", { ADBGD_REG_EXEC, 1, 4 } },
	{ "vcc", { AMDGPUDBG_REG_SGPR, SGPR_VCC, 8 } },
	{ "vcc_lo", { AMDGPUDBG_REG_SGPR, SGPR_VCC, 4 } },
	{ "vcc_hi", { AMDGPUDBG_REG_SGPR, SGPR_VCC + 1, 4 } },
	{ "scc", { ADBGD_REG_SCC, 0, 4 } },
	{ "m0", { ADBGD_REG_M0, 0, 4 } },
	{ "lane", { ADBGD_NAME_LANE, 0, 4 } },
	{ "wave", { ADBGD_REG_WAVE, 0, 4 } },
	{ "group", { ADBGD_REG_GROUP, 0, 4 } },
	{ "group_y", { ADBGD_REG_GROUP, 1, 4 } },
	{ "group_z", { ADBGD_REG_GROUP, 2, 4 } },
	{ "item", { ADBGD_REG_ITEM, 0, 4 } },
};

ADBGD_API const char *adbgd_pseudo_variable_get_name(size_t i)
{
	return i < ARRAY_SIZE(names) ? names[i].text : NULL;
}

static int fail_name(const char *text, struct adbgd_error *error)
{
	char list[192] = "";
	size_t i, at = 0;

	for (i = 0; i < ARRAY_SIZE(names) && at < sizeof(list); i++)
		at += snprintf(list + at, sizeof(list) - at, "$%s, ", names[i].text);
	return adbgd_fail(error, -EINVAL, "there is no register or pseudo variable '$%.128s'; "
			  "known are %s$v0 to $v%u, $s0 to $s%u", text, list, NUM_VGPRS - 1,
			  SGPR_VCC - 1);
}

/* Parse "v3" or "s4". */
static bool find_numbered(const char *text, struct adbgd_name *name)
{
	unsigned int n;
	char end, kind;

	if (sscanf(text, "%c%3u%c", &kind, &n, &end) != 2 || (kind != 'v' && kind != 's') ||
	    n >= (kind == 'v' ? NUM_VGPRS : SGPR_VCC))
		return false;
	*name = (struct adbgd_name){
		.space = kind == 'v' ? AMDGPUDBG_REG_VGPR : AMDGPUDBG_REG_SGPR,
		.number = n, .size = 4,
	};
	return true;
}

int adbgd_name_find(const char *text, uint32_t lanes, struct adbgd_name *name,
		    struct adbgd_error *error)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		if (strcmp(text, names[i].text))
			continue;
		*name = names[i].name;
		if (name->size == SIZE_OF_MASK)
			name->size = lanes == 64 ? 8 : 4;
		return 0;
	}
	return find_numbered(text, name) ? 0 : fail_name(text, error);
}

ADBGD_API bool adbgd_name_is_register(const char *name)
{
	size_t digits = *name ? strspn(name + 1, "0123456789") : 0;

	if (digits && !name[1 + digits] && (*name == 'v' || *name == 's'))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(name, names[i].text))
			return true;
	return false;
}
