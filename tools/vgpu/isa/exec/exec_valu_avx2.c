// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Vector arithmetic for CPUs with AVX2 and FMA; lane_code() in run.c selects it at start.
 */
#pragma GCC target("avx2,fma,bmi,bmi2,lzcnt,popcnt")
#pragma GCC optimize("O3", "fp-contract=off", "no-math-errno", "no-trapping-math")

#define VGPU_LANE_CODE vgpu_lane_code_avx2
#include "isa/exec/exec_valu.h"
