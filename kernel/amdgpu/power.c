// SPDX-License-Identifier: GPL-2.0-only
/*
 * The bracket around every use of the hardware: the GPU is there and awake, its
 * graphics core is powered, and no reset is in progress.
 *
 * The first use wakes the GPU (runtime PM, GFXOFF), and it stays awake until no session
 * needs it any more (wdbg_gpu.power_users): waking costs more than the use, and the
 * state of halted waves must not be powered off.
 *
 * Registers are accessed with GFXOFF disallowed, but not in the RLC's safe mode. Linux
 * 6.12 writes SQ_CMD in that mode (gfx_v10_0_ring_soft_recovery(), commit ead60e9c4e29
 * "Protect the MMIO access with safe mode"); 6.1 does not, and 7.2 no longer has that
 * function. The job timeout that calls it does not hold GFXOFF off, so that nothing
 * else keeps the graphics core powered there. Where GFXOFF is held off, amdgpu itself
 * does without: amdkfd's debugger holds it off "to prevent garbage read/writes to debug
 * registers" (kfd_dbg_trap_activate(), 6.12) and then writes them as this module does,
 * and wave_control_execute_v10_3() writes SQ_CMD under grbm_idx_mutex alone. Otherwise
 * amdgpu enters safe mode to change clock and power gating (amdgpu_rlc.in_safe_mode),
 * which this module does not do. It could not be done safely either: in_safe_mode is a
 * flag without a lock, so that leaving it here could end the driver's use in the middle
 * of such a change; and entering it waits for up to usec_timeout, which is not possible
 * under a raw spinlock.
 */
#include <drm/drm_drv.h>
#include <linux/pm_runtime.h>
#include <linux/rwsem.h>

#include "amdgpu/amdgpu.h"
#include "gpu.h"

static bool power_is_hw_off(struct wdbg_gpu *gpu)
{
	return wdbg_adev_bool(gpu, WDBG_ADEV_SHUTDOWN) ||
	       wdbg_adev_bool(gpu, WDBG_ADEV_IN_SUSPEND) ||
	       wdbg_adev_bool(gpu, WDBG_ADEV_NO_HW_ACCESS);
}

/*
 * Keep the graphics core out of GFXOFF. The IP block's function is the only way to
 * amdgpu's reference count of it that is reachable through data.
 */
static int power_hold_gfx(struct wdbg_gpu *gpu)
{
	int ret;

	ret = gpu->set_powergating_state(gpu->pg_arg,
					 gpu->layout.pg_state_ungate);
	if (!ret && wdbg_adev_bool(gpu, WDBG_ADEV_GFX_OFF_STATE)) {
		gpu->set_powergating_state(gpu->pg_arg,
					   gpu->layout.pg_state_gate);
		ret = -EIO;
	}
	return ret;
}

static int power_wake(struct wdbg_gpu *gpu)
{
	struct device *dev = &gpu->pdev->dev;
	int ret;

	ret = pm_runtime_resume_and_get(dev);
	return ret < 0 ? -ENODEV : 0;
}

static void power_allow_sleep(struct wdbg_gpu *gpu)
{
	struct device *dev = &gpu->pdev->dev;

	pm_runtime_mark_last_busy(dev);
	pm_runtime_put_autosuspend(dev);
}

/*
 * A reset ended waves: all of them, or only those of one job or ring, which
 * amdgpu counts too (amdgpu_ring_soft_recovery(), amdgpu_job_timedout()).
 */
static void power_notice_reset(struct wdbg_gpu *gpu)
{
	const struct wdbg_part *const *p;
	u32 resets = atomic_read(gpu->reset_counter);

	if (resets == gpu->reset_seen)
		return;
	gpu->reset_seen = resets;
	for (p = gpu->parts; *p; p++)
		if ((*p)->after_reset)
			(*p)->after_reset(gpu);
}

/**
 * wdbg_power_begin() - begin to use the hardware
 * @gpu: the GPU
 * @stay: also count one more user that needs it awake, until wdbg_power_put()
 * @bracket: out, for wdbg_power_end()
 *
 * Context: may sleep; the GPU's lock is held, amdgpu's are not.
 * Return: 0; -ENODEV if the GPU is gone or off, -EBUSY during a reset, -EIO if the
 *	graphics core cannot be kept powered.
 */
int wdbg_power_begin(struct wdbg_gpu *gpu, bool stay, int *bracket)
{
	bool first = stay && !gpu->power_users;
	int ret;

	lockdep_assert_held(&gpu->lock);
	if (!gpu->adev || !drm_dev_enter(gpu->ddev, bracket))
		return -ENODEV;
	if (first) {
		ret = power_wake(gpu);
		if (ret)
			goto err_exit;
	}
	ret = -EBUSY;
	if (!down_read_trylock(gpu->reset_sem))
		goto err_sleep;
	ret = -ENODEV;
	if (power_is_hw_off(gpu))
		goto err_up;
	if (first) {
		ret = power_hold_gfx(gpu);
		if (ret)
			goto err_up;
	}
	if (stay)
		wdbg_power_get(gpu);
	power_notice_reset(gpu);
	return 0;

err_up:
	up_read(gpu->reset_sem);
err_sleep:
	if (first)
		power_allow_sleep(gpu);
err_exit:
	drm_dev_exit(*bracket);
	return ret;
}

/*
 * Cleanup waits for the end of a reset: before it enters the DRM device, because a
 * reset that fails may unplug that and then waits for all threads that have entered it.
 */
static bool power_enter_cleanup(struct wdbg_gpu *gpu, int *bracket)
{
	down_read(gpu->reset_sem);
	if (pci_device_is_present(gpu->pdev) &&
	    drm_dev_enter(gpu->ddev, bracket))
		return true;
	up_read(gpu->reset_sem);
	return false;
}

/**
 * wdbg_power_enter() - begin to write registers without the GPU's lock
 * @gpu: the GPU, attached, with power users
 * @bracket: out, for wdbg_power_leave()
 *
 * Waits for the end of a reset, which is not noticed.
 * Context: may sleep.
 * Return: 0; -ENODEV if the hardware cannot be reached.
 */
int wdbg_power_enter(struct wdbg_gpu *gpu, int *bracket)
{
	if (!power_enter_cleanup(gpu, bracket))
		return -ENODEV;
	if (!power_is_hw_off(gpu))
		return 0;
	wdbg_power_leave(gpu, *bracket);
	return -ENODEV;
}

/**
 * wdbg_power_leave() - end wdbg_power_enter()
 * @gpu: the GPU
 * @bracket: from there
 */
void wdbg_power_leave(struct wdbg_gpu *gpu, int bracket)
{
	up_read(gpu->reset_sem);
	drm_dev_exit(bracket);
}

/**
 * wdbg_power_begin_cleanup() - begin to use the hardware to take changes back
 * @gpu: the GPU, attached, with power users
 * @bracket: out, for wdbg_power_end()
 *
 * Waits for the end of a reset.
 * Context: see wdbg_power_begin().
 * Return: 0; -ENODEV if the hardware cannot be reached.
 */
int wdbg_power_begin_cleanup(struct wdbg_gpu *gpu, int *bracket)
{
	int ret;

	lockdep_assert_held(&gpu->lock);
	ret = wdbg_power_enter(gpu, bracket);
	if (!ret)
		power_notice_reset(gpu);
	return ret;
}

/**
 * wdbg_power_begin_alone() - begin to use the hardware without a session
 * @gpu: the GPU, attached
 * @bracket: out, for wdbg_power_end_alone()
 *
 * Waits for the end of a reset.
 * Context: see wdbg_power_begin().
 * Return: 0; -ENODEV if the GPU is off, -EIO if the graphics core cannot be kept
 *	powered.
 */
int wdbg_power_begin_alone(struct wdbg_gpu *gpu, int *bracket)
{
	bool first = !gpu->power_users;
	int ret = 0;

	lockdep_assert_held(&gpu->lock);
	if (first)
		ret = power_wake(gpu);
	if (ret)
		return ret;
	ret = wdbg_power_begin_cleanup(gpu, bracket);
	if (!ret && first) {
		ret = power_hold_gfx(gpu);
		if (ret)
			wdbg_power_end(gpu, *bracket);
	}
	if (ret && first)
		power_allow_sleep(gpu);
	if (!ret)
		wdbg_power_get(gpu);
	return ret;
}

/**
 * wdbg_power_end_alone() - end wdbg_power_begin_alone()
 * @gpu: the GPU
 * @bracket: from there
 */
void wdbg_power_end_alone(struct wdbg_gpu *gpu, int bracket)
{
	wdbg_power_end(gpu, bracket);
	wdbg_power_put(gpu);
}

/**
 * wdbg_power_look() - notice a reset that is over, without a call that uses the
 *	hardware
 * @gpu: the GPU, attached
 *
 * Does not wait for a reset in progress: to be called again.
 * Context: see wdbg_power_begin().
 */
void wdbg_power_look(struct wdbg_gpu *gpu)
{
	u32 resets = atomic_read(gpu->reset_counter);
	int bracket;

	lockdep_assert_held(&gpu->lock);
	if (resets == gpu->reset_seen)
		return;
	if (!gpu->power_users) {
		/* No session had anything there: no reason to wake the GPU. */
		power_notice_reset(gpu);
		return;
	}
	if (!drm_dev_enter(gpu->ddev, &bracket))
		return;
	if (down_read_trylock(gpu->reset_sem)) {
		if (!power_is_hw_off(gpu))
			power_notice_reset(gpu);
		up_read(gpu->reset_sem);
	}
	drm_dev_exit(bracket);
}

/**
 * wdbg_power_clock() - read the counter of the GPU's timestamps
 * @gpu: the GPU; its clock_khz is not 0
 *
 * By amdgpu, which knows the registers, and how to read both halves.
 * Context: between wdbg_power_begin() and wdbg_power_end(), without the bank lock; may
 *	sleep.
 * Return: the counter.
 */
u64 wdbg_power_clock(struct wdbg_gpu *gpu)
{
	lockdep_assert_held(&gpu->lock);
	return gpu->get_clock_counter(gpu->adev);
}

/**
 * wdbg_power_end() - end wdbg_power_begin() or wdbg_power_begin_cleanup()
 * @gpu: the GPU
 * @bracket: from there
 */
void wdbg_power_end(struct wdbg_gpu *gpu, int bracket)
{
	lockdep_assert_held(&gpu->lock);
	wdbg_power_leave(gpu, bracket);
}

/**
 * wdbg_power_get() - count one more user that needs the GPU awake, which it is
 * @gpu: the GPU, attached, with power users, or in the bracket
 *
 * Context: the GPU's lock is held.
 */
void wdbg_power_get(struct wdbg_gpu *gpu)
{
	lockdep_assert_held(&gpu->lock);
	gpu->power_users++;
}

/**
 * wdbg_power_put() - count one less user that needs the GPU awake
 * @gpu: the GPU, attached
 *
 * The last one lets it sleep.
 * Context: may sleep; the GPU's lock is held, amdgpu's are not.
 */
void wdbg_power_put(struct wdbg_gpu *gpu)
{
	int bracket;

	lockdep_assert_held(&gpu->lock);
	if (--gpu->power_users)
		return;
	if (power_enter_cleanup(gpu, &bracket)) {
		gpu->set_powergating_state(gpu->pg_arg,
					   gpu->layout.pg_state_gate);
		wdbg_power_end(gpu, bracket);
	}
	power_allow_sleep(gpu);
}
