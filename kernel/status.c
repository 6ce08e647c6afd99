// SPDX-License-Identifier: GPL-2.0-only
/*
 * Show why a GPU has a node, or none: a folder for each AMD GPU of the machine in
 * /sys/module/amdgpudbg/gpus, named by its PCI address, with
 *
 *   node     the name of its node; empty if it has none
 *   status   a sentence
 *   device   the PCI device
 *
 * Every user may read it, also without permission for the node.
 */
#include <linux/kobject.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include "registry.h"

/* Processing accelerators, such as Instinct cards (PCI class code 12h) */
#define CLASS_ACCELERATOR	0x12

/**
 * struct folder - the folder of a GPU
 * @kobj: the folder
 * @node: in the list of folders
 * @pdev: the GPU, referenced
 */
struct folder {
	struct kobject kobj;
	struct list_head node;
	struct pci_dev *pdev;
};

static struct kobject *gpus;
static LIST_HEAD(folders);
static DEFINE_MUTEX(folders_lock); /* list of folders; within the lock of a device */

/*
 * One reader at a time: each tries the lock of the device, and would find it held by
 * the other.
 */
static DEFINE_MUTEX(readers_lock);

static struct pci_dev *status_pdev_of(struct kobject *kobj)
{
	return container_of(kobj, struct folder, kobj)->pdev;
}

static void status_read(struct kobject *kobj, struct wdbg_status *status)
{
	mutex_lock(&readers_lock);
	wdbg_gpu_status(status_pdev_of(kobj), status);
	mutex_unlock(&readers_lock);
}

static ssize_t node_show(struct kobject *kobj, struct kobj_attribute *attr,
			 char *buf)
{
	struct wdbg_status status;

	status_read(kobj, &status);
	return sysfs_emit(buf, "%s\n", status.node);
}

static ssize_t status_show(struct kobject *kobj, struct kobj_attribute *attr,
			   char *buf)
{
	struct wdbg_status status;

	status_read(kobj, &status);
	return sysfs_emit(buf, "%s\n", status.text);
}

static struct kobj_attribute node_attr = __ATTR_RO(node);
static struct kobj_attribute status_attr = __ATTR_RO(status);

static struct attribute *folder_attrs[] = {
	&node_attr.attr,
	&status_attr.attr,
	NULL
};
ATTRIBUTE_GROUPS(folder);

static void status_free_folder(struct kobject *kobj)
{
	struct folder *folder = container_of(kobj, struct folder, kobj);

	pci_dev_put(folder->pdev);
	kfree(folder);
}

static const struct kobj_type folder_type = {
	.release = status_free_folder,
	.sysfs_ops = &kobj_sysfs_ops,
	.default_groups = folder_groups,
};

static bool status_is_gpu(const struct pci_dev *pdev)
{
	u32 class = pdev->class >> 16;

	/* amdgpu_pci_table has no other vendor. */
	return pdev->vendor == PCI_VENDOR_ID_ATI &&
	       (class == PCI_BASE_CLASS_DISPLAY || class == CLASS_ACCELERATOR);
}

static struct folder *status_find(const struct pci_dev *pdev)
{
	struct folder *folder;

	lockdep_assert_held(&folders_lock);
	list_for_each_entry(folder, &folders, node)
		if (folder->pdev == pdev)
			return folder;
	return NULL;
}

/* Without memory, the GPU has no folder. */
static void status_add(struct pci_dev *pdev)
{
	struct folder *folder = kzalloc(sizeof(*folder), GFP_KERNEL);

	lockdep_assert_held(&folders_lock);
	if (!folder)
		return;
	folder->pdev = pci_dev_get(pdev);
	if (kobject_init_and_add(&folder->kobj, &folder_type, gpus, "%s",
				 pci_name(pdev)) ||
	    sysfs_create_link(&folder->kobj, &pdev->dev.kobj, "device")) {
		kobject_put(&folder->kobj);
		return;
	}
	list_add_tail(&folder->node, &folders);
}

static void status_remove(struct folder *folder)
{
	lockdep_assert_held(&folders_lock);
	list_del(&folder->node);
	sysfs_remove_link(&folder->kobj, "device");
	kobject_put(&folder->kobj);
}

static int status_on_bus_event(struct notifier_block *nb, unsigned long event,
			       void *data)
{
	struct pci_dev *pdev = to_pci_dev(data);
	struct folder *folder;

	if (!status_is_gpu(pdev))
		return NOTIFY_DONE;
	mutex_lock(&folders_lock);
	folder = status_find(pdev);
	if (event == BUS_NOTIFY_ADD_DEVICE && !folder)
		status_add(pdev);
	else if ((event == BUS_NOTIFY_DEL_DEVICE ||
		  event == BUS_NOTIFY_REMOVED_DEVICE) && folder)
		status_remove(folder);
	mutex_unlock(&folders_lock);
	return NOTIFY_DONE;
}

static struct notifier_block bus_notifier = {
	.notifier_call = status_on_bus_event,
};

static void status_add_those_that_are_there(void)
{
	struct pci_dev *pdev = NULL;

	mutex_lock(&folders_lock);
	while ((pdev = pci_get_device(PCI_VENDOR_ID_ATI, PCI_ANY_ID, pdev)))
		if (status_is_gpu(pdev) && device_is_registered(&pdev->dev) &&
		    !status_find(pdev))
			status_add(pdev);
	mutex_unlock(&folders_lock);
}

/**
 * wdbg_status_init() - create the folders of all present and future AMD GPUs
 *
 * Context: before wdbg_gpus_init(), after whose nodes nothing may fail.
 * Return: 0 or an error of the kernel.
 */
int wdbg_status_init(void)
{
	int ret;

	gpus = kobject_create_and_add("gpus", &THIS_MODULE->mkobj.kobj);
	if (!gpus)
		return -ENOMEM;
	ret = bus_register_notifier(&pci_bus_type, &bus_notifier);
	if (ret) {
		kobject_put(gpus);
		return ret;
	}
	status_add_those_that_are_there();
	return 0;
}

/**
 * wdbg_status_exit() - end wdbg_status_init()
 */
void wdbg_status_exit(void)
{
	struct folder *folder, *next;

	bus_unregister_notifier(&pci_bus_type, &bus_notifier);
	mutex_lock(&folders_lock);
	list_for_each_entry_safe(folder, next, &folders, node)
		status_remove(folder);
	mutex_unlock(&folders_lock);
	kobject_put(gpus);
}
