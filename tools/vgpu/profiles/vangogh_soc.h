/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What Van Gogh has around its graphics core, for all profiles with these blocks.
 */
#ifndef VGPU_VANGOGH_SOC_H
#define VGPU_VANGOGH_SOC_H

#include "profiles/profiles.h"

extern const struct vgpu_smu_interface vgpu_smu_vangogh;

#endif /* VGPU_VANGOGH_SOC_H */
