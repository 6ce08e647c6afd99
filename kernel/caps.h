/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Answers that depend on what starts a target's waves. They are derived from a few
 * facts, so that tests/unit/kernel/test_caps.c can check them without a GPU that has amdkfd.
 */
#ifndef WDBG_CAPS_H
#define WDBG_CAPS_H

#include <linux/types.h>

/**
 * enum wdbg_waves_of - what starts the waves of a target
 * @WDBG_WAVES_OF_RINGS: amdgpu's rings, of graphics and compute; or there is no target
 * @WDBG_WAVES_OF_KFD: queues of amdkfd, which can save waves (CWSR)
 * @WDBG_WAVES_OF_KFD_NO_CWSR: queues of amdkfd, which cannot
 */
enum wdbg_waves_of {
	WDBG_WAVES_OF_RINGS,
	WDBG_WAVES_OF_KFD,
	WDBG_WAVES_OF_KFD_NO_CWSR,
};

/**
 * struct wdbg_answer - what a capability means for a target
 * @supported: it can be used
 * @code: enum amdgpudbg_reason
 * @text: a sentence, or NULL
 */
struct wdbg_answer {
	bool supported;
	u32 code;
	const char *text;
};

struct wdbg_answer wdbg_caps_for(enum wdbg_waves_of whose, bool isolated, u32 id);
u32 wdbg_caps_halt_limit_ms(enum wdbg_waves_of whose);

/**
 * struct wdbg_display - state of a GPU's displays and of their user
 * @active: a CRTC is active
 * @master: its primary node has a DRM master
 * @leased: a lease of that master exists
 * @graphics: a job of the processes whose waves are to be stopped is on a graphics ring
 * @pid: of the master, in the caller's PID namespace; 0: not known
 */
struct wdbg_display {
	bool active;
	bool master;
	bool leased;
	bool graphics;
	s32 pid;
};

bool wdbg_caps_blocked_by(const struct wdbg_display *display, bool force);

#endif /* WDBG_CAPS_H */
