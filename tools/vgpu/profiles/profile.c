// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The list of GPUs that vgpu can emulate.
 */
#include <string.h>

#include "profiles/profile.h"
#include "profiles/profiles.h"

static const struct vgpu_profile *const profiles[] = {
	&vgpu_profile_vangogh,
	&vgpu_profile_navi21_hybrid,
};

const struct vgpu_profile *const *vgpu_profiles(unsigned int *num)
{
	*num = ARRAY_SIZE(profiles);
	return profiles;
}

const struct vgpu_profile *vgpu_profile_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(profiles); i++)
		if (!strcmp(profiles[i]->name, name))
			return profiles[i];
	return NULL;
}
