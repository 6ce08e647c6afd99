/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All generations and profiles. Only the files in here need this list.
 */
#ifndef VGPU_PROFILES_H
#define VGPU_PROFILES_H

#include "profiles/profile.h"

extern const struct vgpu_generation vgpu_gfx10_3;

extern const struct vgpu_profile vgpu_profile_vangogh;
extern const struct vgpu_profile vgpu_profile_navi21_hybrid;

#endif /* VGPU_PROFILES_H */
