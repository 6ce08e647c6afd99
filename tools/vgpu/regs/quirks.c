// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The quirks of quirks.def and their present values.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gpu.h"
#include "regs/quirks.h"

struct vgpu_quirks {
	u32 value[VGPU_NUM_QUIRKS];
};

static const struct {
	const char *name;
	u32 value;
	const char *text;
} defaults[VGPU_NUM_QUIRKS] = {
#define QUIRK(id, name, def, text) { name, def, text },
#include "regs/quirks.def"
#undef QUIRK
};

int vgpu_quirks_init(struct vgpu *g)
{
	int i;

	g->quirks = calloc(1, sizeof(*g->quirks));
	if (!g->quirks)
		return -ENOMEM;
	for (i = 0; i < VGPU_NUM_QUIRKS; i++)
		g->quirks->value[i] = defaults[i].value;
	return 0;
}

void vgpu_quirks_fini(struct vgpu *g)
{
	free(g->quirks);
	g->quirks = NULL;
}

u32 vgpu_quirk(const struct vgpu *g, enum vgpu_quirk q)
{
	return g->quirks->value[q];
}

int vgpu_quirk_set(struct vgpu *g, const char *name, u32 value)
{
	int i;

	for (i = 0; i < VGPU_NUM_QUIRKS; i++) {
		if (strcmp(defaults[i].name, name))
			continue;
		g->quirks->value[i] = value;
		return 0;
	}
	return -ENOENT;
}

const char *vgpu_quirk_name(enum vgpu_quirk q)
{
	return defaults[q].name;
}

const char *vgpu_quirk_text(enum vgpu_quirk q)
{
	return defaults[q].text;
}

u32 vgpu_quirk_default(enum vgpu_quirk q)
{
	return defaults[q].value;
}
