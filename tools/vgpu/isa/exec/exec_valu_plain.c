// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Vector arithmetic for any x86-64 CPU. The options are here and not in the Makefile,
 * because results depend on them: the compiler must not use a fused multiply-add unless the
 * GPU's instruction is one.
 */
#pragma GCC optimize("O3", "fp-contract=off", "no-math-errno", "no-trapping-math")

#define VGPU_LANE_CODE vgpu_lane_code_plain
#include "isa/exec/exec_valu.h"
