// SPDX-License-Identifier: GPL-2.0-only
/*
 * Read files in the real sysfs, for any calling task. The kernel exports the BTF of
 * itself and of its modules only as such files.
 *
 * Not by kernel_read_file(): with CONFIG_SECURITY_IPE (Linux 6.12) it warns about
 * callers that have no READING_* id of their own.
 */
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/fs_struct.h>
#include <linux/kernfs.h>
#include <linux/lockdep.h>
#include <linux/magic.h>
#include <linux/mm.h>
#include <linux/path.h>
#include <linux/sched/task.h>
#include <linux/seq_file.h>

#include "amdgpu/sysfs.h"

/*
 * A task with another root directory, in which /sys may be anything, may also bind a
 * driver. The first task has the machine's.
 */
static struct file *sysfs_open_in_init_root(const char *path)
{
	struct path root;
	struct file *file;

	task_lock(&init_task);
	get_fs_root(init_task.fs, &root);
	task_unlock(&init_task);
	file = file_open_root(&root, path, O_RDONLY, 0);
	path_put(&root);
	return file;
}

/* As kernfs_of() of fs/kernfs/file.c. */
static inline struct kernfs_open_file *sysfs_open_file_of(struct file *file)
{
	struct seq_file *seq = file->private_data;

	return seq->private;
}

/*
 * Each read of sysfs holds a lock that belongs to the open file. To lockdep all of
 * these are one lock, also that of a file through which a driver is bound, or the
 * system is put to sleep, during this read; but no other code uses this file.
 */
static void sysfs_set_lock_class(struct file *file)
{
	static struct lock_class_key key;

	lockdep_set_class(&sysfs_open_file_of(file)->mutex, &key);
}

/**
 * wdbg_sysfs_read() - read a whole file of sysfs
 * @path: from the root directory
 * @max: longest file to accept, in bytes
 * @size: out, bytes that were read
 *
 * Context: may sleep.
 * Return: the contents, to be freed with kvfree(), or ERR_PTR(): -ENOENT if
 * there is no such file, -EINVAL if it is not in sysfs, -EFBIG.
 */
void *wdbg_sysfs_read(const char *path, size_t max, size_t *size)
{
	struct file *file;
	loff_t pos = 0;
	ssize_t ret;
	size_t len;
	void *buf;

	file = sysfs_open_in_init_root(path);
	if (IS_ERR(file))
		return file;

	ret = -EINVAL;
	if (file_inode(file)->i_sb->s_magic != SYSFS_MAGIC)
		goto err_close;
	sysfs_set_lock_class(file);
	ret = -EFBIG;
	if (i_size_read(file_inode(file)) > max)
		goto err_close;
	len = i_size_read(file_inode(file));
	ret = -ENOMEM;
	buf = kvmalloc(len, GFP_KERNEL);
	if (!buf)
		goto err_close;

	while (pos < len) {
		ret = kernel_read(file, buf + pos, len - pos, &pos);
		if (ret <= 0)
			goto err_free;
	}
	fput(file);
	*size = len;
	return buf;

err_free:
	kvfree(buf);
	if (!ret)
		ret = -EIO;
err_close:
	fput(file);
	return ERR_PTR(ret);
}
