// SPDX-License-Identifier: GPL-2.0-only
/*
 * The registry of GPUs: attaches to each one that amdgpu is bound to, whenever
 * that happens, and lets go of it before amdgpu does.
 */
#include <linux/idr.h>
#include <linux/mm.h>
#include <linux/pci.h>
#include <linux/slab.h>
#include <linux/suspend.h>

#include "buffer.h"
#include "gpu.h"
#include "session.h"
#include "timeout.h"
#include "trap.h"
#include "watch.h"

/* Processing accelerators, which Instinct cards are (PCI class code 12h). */
#define CLASS_ACCELERATOR	0x12

/**
 * struct refusal - a GPU that is not attached to
 * @node: in the registry
 * @pdev: its device, which stays bound meanwhile
 * @reason: a sentence
 */
struct refusal {
	struct list_head node;
	struct pci_dev *pdev;
	char reason[WDBG_REASON_LEN];
};

/* Outermost lock but for the lock of a device. Protects what follows. */
static DEFINE_MUTEX(registry_lock);
static LIST_HEAD(gpus);
static LIST_HEAD(refusals);
static bool closed;

static DEFINE_IDA(gpu_ids);

static void free_gpu(struct kref *ref)
{
	struct wdbg_gpu *gpu = container_of(ref, struct wdbg_gpu, ref);

	kfree(gpu->rings);
	kvfree(gpu->slots);
	pci_dev_put(gpu->pdev);
	mutex_destroy(&gpu->lock);
	kfree(gpu);
}

/**
 * wdbg_gpu_get() - keep a GPU's structure
 * @gpu: the GPU
 *
 * Keeps neither the GPU nor amdgpu: see wdbg_gpu.adev.
 * Return: @gpu.
 */
struct wdbg_gpu *wdbg_gpu_get(struct wdbg_gpu *gpu)
{
	kref_get(&gpu->ref);
	return gpu;
}

/**
 * wdbg_gpu_put() - end of wdbg_gpu_get()
 * @gpu: the GPU
 */
void wdbg_gpu_put(struct wdbg_gpu *gpu)
{
	kref_put(&gpu->ref, free_gpu);
}

static struct wdbg_gpu *find_gpu(const struct pci_dev *pdev)
{
	struct wdbg_gpu *gpu;

	lockdep_assert_held(&registry_lock);
	list_for_each_entry(gpu, &gpus, node)
		if (gpu->pdev == pdev)
			return gpu;
	return NULL;
}

static struct refusal *find_refusal(const struct pci_dev *pdev)
{
	struct refusal *refusal;

	lockdep_assert_held(&registry_lock);
	list_for_each_entry(refusal, &refusals, node)
		if (refusal->pdev == pdev)
			return refusal;
	return NULL;
}

static int add_node(struct wdbg_gpu *gpu, char *reason)
{
	int ret;

	gpu->id = ida_alloc(&gpu_ids, GFP_KERNEL);
	if (gpu->id < 0)
		return gpu->id;
	snprintf(gpu->name, sizeof(gpu->name), "amdgpudbg%d", gpu->id);
	gpu->misc.minor = MISC_DYNAMIC_MINOR;
	gpu->misc.name = gpu->name;
	gpu->misc.fops = &wdbg_fops;
	gpu->misc.parent = &gpu->pdev->dev;
	gpu->misc.mode = 0660;
	ret = misc_register(&gpu->misc);
	if (ret) {
		ida_free(&gpu_ids, gpu->id);
		snprintf(reason, WDBG_REASON_LEN,
			 "The device node cannot be made (error %d).", -ret);
	}
	return ret;
}

static int add_gpu(struct pci_dev *pdev, char *reason)
{
	struct wdbg_gpu *gpu;
	int ret;

	strscpy(reason, "Not enough memory.", WDBG_REASON_LEN);
	gpu = kzalloc(sizeof(*gpu), GFP_KERNEL);
	if (!gpu)
		return -ENOMEM;
	kref_init(&gpu->ref);
	mutex_init(&gpu->lock);
	INIT_LIST_HEAD(&gpu->sessions);
	wdbg_timeout_init(gpu);
	wdbg_trap_init(gpu);
	wdbg_buffers_init(gpu);
	gpu->pdev = pci_dev_get(pdev);

	ret = wdbg_gpu_probe(gpu, reason);
	if (ret)
		goto err_put;
	ret = wdbg_event_source_open(gpu);
	if (ret) {
		strscpy(reason, "Not enough memory.", WDBG_REASON_LEN);
		goto err_put;
	}
	ret = add_node(gpu, reason);
	if (ret)
		goto err_source;
	list_add_tail(&gpu->node, &gpus);
	dev_info(&pdev->dev, "amdgpudbg: attached as %s (%s)\n", gpu->name,
		 gpu->hw.ops->name);
	return 0;

err_source:
	wdbg_event_source_close(gpu);
err_put:
	wdbg_gpu_put(gpu);
	return ret;
}

/* Remember why not, for those who ask. Without memory, nobody is told. */
static void add_refusal(struct pci_dev *pdev, const char *reason)
{
	struct refusal *refusal = kzalloc(sizeof(*refusal), GFP_KERNEL);

	if (!refusal)
		return;
	refusal->pdev = pdev;
	strscpy(refusal->reason, reason, sizeof(refusal->reason));
	list_add_tail(&refusal->node, &refusals);
}

static bool bound_to_amdgpu(struct pci_dev *pdev)
{
	const struct device_driver *driver = pdev->dev.driver;

	device_lock_assert(&pdev->dev);
	return driver && !strcmp(driver->name, "amdgpu");
}

static void attach(struct pci_dev *pdev)
{
	char reason[WDBG_REASON_LEN];

	if (!bound_to_amdgpu(pdev))
		return;
	mutex_lock(&registry_lock);
	if (!closed && !find_gpu(pdev) && !find_refusal(pdev) &&
	    add_gpu(pdev, reason))
		add_refusal(pdev, reason);
	mutex_unlock(&registry_lock);
}

/* After this, the sessions that are open get -ENODEV for ever. */
static void remove_gpu(struct wdbg_gpu *gpu)
{
	misc_deregister(&gpu->misc);
	ida_free(&gpu_ids, gpu->id);

	wdbg_sessions_end(gpu);
	wdbg_event_source_close(gpu);
	wdbg_timeout_exit(gpu);
	wdbg_trap_exit(gpu);
	wdbg_buffers_exit(gpu);
	list_del(&gpu->node);
	wdbg_gpu_put(gpu);
}

static void detach(struct pci_dev *pdev)
{
	struct refusal *refusal;
	struct wdbg_gpu *gpu;

	device_lock_assert(&pdev->dev);
	mutex_lock(&registry_lock);
	gpu = find_gpu(pdev);
	if (gpu)
		remove_gpu(gpu);
	refusal = find_refusal(pdev);
	if (refusal) {
		list_del(&refusal->node);
		kfree(refusal);
	}
	mutex_unlock(&registry_lock);
}

static int on_bus_event(struct notifier_block *nb, unsigned long event,
			void *data)
{
	struct pci_dev *pdev = to_pci_dev(data);

	/* amdgpu_pci_table names no other; walk_amd_devices() sees no other. */
	if (pdev->vendor != PCI_VENDOR_ID_ATI)
		return NOTIFY_DONE;
	/* Both come from the driver core with the device locked. */
	if (event == BUS_NOTIFY_BOUND_DRIVER)
		attach(pdev);
	else if (event == BUS_NOTIFY_UNBIND_DRIVER)
		detach(pdev);
	return NOTIFY_DONE;
}

static struct notifier_block bus_notifier = {
	.notifier_call = on_bus_event,
};

static void set_sleeping(bool sleeping)
{
	struct wdbg_gpu *gpu;

	mutex_lock(&registry_lock);
	list_for_each_entry(gpu, &gpus, node) {
		mutex_lock(&gpu->lock);
		gpu->sleeping = sleeping;
		if (sleeping) {
			wdbg_watch_end(gpu, NULL);
			wdbg_trap_sleep(gpu);
			wdbg_session_let_go(gpu, NULL);
		}
		mutex_unlock(&gpu->lock);
	}
	mutex_unlock(&registry_lock);
}

/*
 * Before the system sleeps, amdgpu waits for all jobs: those of waves that are
 * halted would never end. What the registers of watches hold is lost. User
 * space still runs for a while after _PREPARE.
 */
static int on_pm_event(struct notifier_block *nb, unsigned long event,
		       void *data)
{
	switch (event) {
	case PM_SUSPEND_PREPARE:
	case PM_HIBERNATION_PREPARE:
	case PM_RESTORE_PREPARE:
		set_sleeping(true);
		break;
	case PM_POST_SUSPEND:
	case PM_POST_HIBERNATION:
	case PM_POST_RESTORE:
		set_sleeping(false);
		break;
	}
	return NOTIFY_DONE;
}

static struct notifier_block pm_notifier = {
	.notifier_call = on_pm_event,
};

static void walk_amd_devices(void (*fn)(struct pci_dev *pdev))
{
	struct pci_dev *pdev = NULL;

	while ((pdev = pci_get_device(PCI_VENDOR_ID_ATI, PCI_ANY_ID, pdev))) {
		device_lock(&pdev->dev);
		fn(pdev);
		device_unlock(&pdev->dev);
	}
}

/**
 * wdbg_gpus_init() - attach to the GPUs that are there and that will come
 *
 * Return: 0, also if there is none; or an error of the driver core.
 */
int wdbg_gpus_init(void)
{
	int ret;

	ret = register_pm_notifier(&pm_notifier);
	if (ret)
		return ret;
	ret = bus_register_notifier(&pci_bus_type, &bus_notifier);
	if (ret) {
		unregister_pm_notifier(&pm_notifier);
		return ret;
	}
	walk_amd_devices(attach);
	return 0;
}

/**
 * wdbg_gpus_exit() - let go of all GPUs
 *
 * The notifiers go last, so that no GPU can leave unnoticed before.
 */
void wdbg_gpus_exit(void)
{
	mutex_lock(&registry_lock);
	closed = true;
	mutex_unlock(&registry_lock);
	walk_amd_devices(detach);
	bus_unregister_notifier(&pci_bus_type, &bus_notifier);
	unregister_pm_notifier(&pm_notifier);
	ida_destroy(&gpu_ids);
}

static bool is_gpu(const struct pci_dev *pdev)
{
	u32 class = pdev->class >> 16;

	return class == PCI_BASE_CLASS_DISPLAY || class == CLASS_ACCELERATOR;
}

static int status_of(struct pci_dev *pdev, char *buf, size_t size)
{
	const struct device_driver *driver = pdev->dev.driver;
	const struct refusal *refusal;
	const struct wdbg_gpu *gpu;

	lockdep_assert_held(&registry_lock);
	gpu = find_gpu(pdev);
	if (gpu)
		return scnprintf(buf, size, "%s Attached (%s).\n", gpu->name,
				 gpu->hw.ops->name);
	refusal = find_refusal(pdev);
	if (refusal)
		return scnprintf(buf, size, "- %s\n", refusal->reason);
	if (!driver)
		return scnprintf(buf, size,
				 "- The GPU is not bound to amdgpu, but to no driver.\n");
	if (!bound_to_amdgpu(pdev))
		return scnprintf(buf, size,
				 "- The GPU is not bound to amdgpu, but to %s.\n",
				 driver->name);
	return scnprintf(buf, size, "- Not enough memory.\n");
}

/**
 * wdbg_gpus_status() - a line per AMD GPU of the machine
 * @buf: out, text
 * @size: bytes at @buf
 *
 * A line is: PCI address, vendor:device, name of the node or "-", a sentence.
 * Without any AMD GPU there is only a sentence.
 * Return: bytes written.
 */
int wdbg_gpus_status(char *buf, size_t size)
{
	struct pci_dev *pdev = NULL;
	int len = 0;

	while ((pdev = pci_get_device(PCI_VENDOR_ID_ATI, PCI_ANY_ID, pdev))) {
		if (!is_gpu(pdev))
			continue;
		len += scnprintf(buf + len, size - len, "%s %04x:%04x ",
				 pci_name(pdev), pdev->vendor, pdev->device);
		if (!device_trylock(&pdev->dev)) {
			len += scnprintf(buf + len, size - len,
					 "- A driver is being bound or unbound.\n");
			continue;
		}
		mutex_lock(&registry_lock);
		len += status_of(pdev, buf + len, size - len);
		mutex_unlock(&registry_lock);
		device_unlock(&pdev->dev);
	}
	if (!len)
		len = scnprintf(buf, size,
				"There is no AMD GPU on the PCI bus.\n");
	return len;
}
