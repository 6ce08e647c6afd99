/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declarations of all generations and profiles, for the files of this directory.
 */
#ifndef VGPU_PROFILES_H
#define VGPU_PROFILES_H

#include "profiles/profile.h"

extern const struct vgpu_generation vgpu_gfx10_3;

extern const struct vgpu_profile vgpu_profile_vangogh;
extern const struct vgpu_profile vgpu_profile_navi21_hybrid;

#endif /* VGPU_PROFILES_H */
