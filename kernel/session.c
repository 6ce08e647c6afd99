// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sessions: opening a node makes one, closing it takes back what it changed.
 */
#include <linux/slab.h>

#include "power.h"
#include "session.h"
#include "timeout.h"
#include "wave.h"

/**
 * wdbg_session_open() - open of a device node
 * @inode: unused
 * @file: its private_data is the node's miscdevice, and becomes the session
 *
 * Context: misc_open() keeps the node registered meanwhile, and the node its
 * GPU.
 * Return: 0 or -ENOMEM.
 */
int wdbg_session_open(struct inode *inode, struct file *file)
{
	struct wdbg_gpu *gpu = container_of(file->private_data,
					    struct wdbg_gpu, misc);
	struct wdbg_session *session;

	session = kzalloc(sizeof(*session), GFP_KERNEL);
	if (!session)
		return -ENOMEM;
	session->gpu = wdbg_gpu_get(gpu);
	file->private_data = session;
	return stream_open(inode, file);
}

/**
 * wdbg_session_let_go() - undo what was done to waves
 * @gpu: the GPU, attached
 * @session: by whom; NULL: by anybody
 *
 * Context: the GPU's lock is held.
 */
void wdbg_session_let_go(struct wdbg_gpu *gpu, struct wdbg_session *session)
{
	int bracket;

	lockdep_assert_held(&gpu->lock);
	/* Only who has kept the GPU awake can have changed it. */
	if (!gpu->power_users)
		return;
	if (!wdbg_power_begin_cleanup(gpu, &bracket)) {
		wdbg_wave_resume_owned(gpu, session);
		wdbg_power_end(gpu, bracket);
	}
	wdbg_wave_disown(gpu, session);
	wdbg_timeout_release_unused(gpu);
}

/**
 * wdbg_session_give_back() - undo all that was done to a GPU
 * @gpu: the GPU, attached
 * @session: by whom; NULL: by anybody, because the GPU goes away
 *
 * Context: the GPU's lock is held.
 */
void wdbg_session_give_back(struct wdbg_gpu *gpu, struct wdbg_session *session)
{
	lockdep_assert_held(&gpu->lock);
	if (!gpu->power_users || (session && !session->powered))
		return;

	wdbg_session_let_go(gpu, session);
	if (session) {
		session->powered = false;
		gpu->power_users--;
	} else {
		gpu->power_users = 0;
	}
	if (!gpu->power_users)
		wdbg_power_drop(gpu);
}

/**
 * wdbg_session_release() - the last close of a device node's file
 * @inode: unused
 * @file: the file
 *
 * Return: 0.
 */
int wdbg_session_release(struct inode *inode, struct file *file)
{
	struct wdbg_session *session = file->private_data;
	struct wdbg_gpu *gpu = session->gpu;

	mutex_lock(&gpu->lock);
	if (gpu->adev)
		wdbg_session_give_back(gpu, session);
	mutex_unlock(&gpu->lock);

	wdbg_gpu_put(gpu);
	kfree(session);
	return 0;
}
