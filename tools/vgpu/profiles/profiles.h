/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All profiles. Only profile.c needs this list.
 */
#ifndef VGPU_PROFILES_H
#define VGPU_PROFILES_H

#include "profiles/profile.h"

extern const struct vgpu_profile vgpu_profile_vangogh;

#endif /* VGPU_PROFILES_H */
