// SPDX-License-Identifier: GPL-2.0-only
/*
 * The registry of GPUs: attach to each GPU when amdgpu is bound to it, and detach
 * before amdgpu is unbound.
 */
#include <linux/debugfs.h>
#include <linux/idr.h>
#include <linux/mm.h>
#include <linux/pci.h>
#include <linux/slab.h>
#include <linux/suspend.h>

#include "amdgpu/amdgpu.h"
#include "gpu.h"
#include "hw/mmio.h"
#include "registry.h"
#include "session.h"
#include "target/target.h"
#include "wave/wave.h"

/**
 * struct refusal - a GPU that the module does not attach to
 * @node: in the registry
 * @pdev: its device, which stays bound
 * @reason: a sentence
 */
struct refusal {
	struct list_head node;
	struct pci_dev *pdev;
	char reason[WDBG_REASON_LEN];
};

/* The outermost lock except that of a device. Protects the variables below. */
static DEFINE_MUTEX(registry_lock);
static LIST_HEAD(gpus);
static LIST_HEAD(unbinding); /* GPUs between the two notifications of an unbind */
static LIST_HEAD(refusals);
static bool closed;

static DEFINE_IDA(gpu_ids);
static struct dentry *debugfs; /* an error pointer where the kernel has none */
static const struct file_operations *node_fops; /* constant from the first GPU on */

static struct wdbg_gpu *registry_find(const struct list_head *list,
				      const struct pci_dev *pdev)
{
	struct wdbg_gpu *gpu;

	lockdep_assert_held(&registry_lock);
	list_for_each_entry(gpu, list, node)
		if (gpu->pdev == pdev)
			return gpu;
	return NULL;
}

static struct wdbg_gpu *registry_find_gpu(const struct pci_dev *pdev)
{
	return registry_find(&gpus, pdev);
}

static struct refusal *registry_find_refusal(const struct pci_dev *pdev)
{
	struct refusal *refusal;

	lockdep_assert_held(&registry_lock);
	list_for_each_entry(refusal, &refusals, node)
		if (refusal->pdev == pdev)
			return refusal;
	return NULL;
}

static int registry_add_node(struct wdbg_gpu *gpu, char *reason)
{
	int ret;

	gpu->id = ida_alloc(&gpu_ids, GFP_KERNEL);
	if (gpu->id < 0)
		return gpu->id;
	snprintf(gpu->name, sizeof(gpu->name), "amdgpudbg%d", gpu->id);
	gpu->misc.minor = MISC_DYNAMIC_MINOR;
	gpu->misc.name = gpu->name;
	gpu->misc.fops = node_fops;
	gpu->misc.parent = &gpu->pdev->dev;
	gpu->misc.mode = 0660;
	ret = misc_register(&gpu->misc);
	if (ret) {
		ida_free(&gpu_ids, gpu->id);
		snprintf(reason, WDBG_REASON_LEN,
			 "The device node cannot be created (error %d).", -ret);
	}
	return ret;
}

/*
 * For tests and benchmarks: the accesses that the calls of all sessions have taken so
 * far
 */
static void registry_add_debugfs(struct wdbg_gpu *gpu)
{
	gpu->debugfs = debugfs_create_dir(gpu->name, debugfs);
	debugfs_create_u64("reg_reads", 0400, gpu->debugfs, &gpu->call_reads);
	debugfs_create_u64("reg_writes", 0400, gpu->debugfs, &gpu->call_writes);
}

static int registry_add_gpu(struct pci_dev *pdev, char *reason)
{
	struct wdbg_gpu *gpu;
	int ret;

	strscpy(reason, "Not enough memory.", WDBG_REASON_LEN);
	gpu = wdbg_gpu_new(pdev, wdbg_parts);
	if (!gpu)
		return -ENOMEM;
	ret = wdbg_gpu_probe(gpu, reason);
	if (ret)
		goto err_put;
	ret = wdbg_gpu_open(gpu);
	if (ret) {
		strscpy(reason, "Not enough memory.", WDBG_REASON_LEN);
		goto err_put;
	}
	ret = registry_add_node(gpu, reason);
	if (ret)
		goto err_close;
	list_add_tail(&gpu->node, &gpus);
	registry_add_debugfs(gpu);
	dev_info(&pdev->dev, "amdgpudbg: attached as %s (%s)\n", gpu->name,
		 gpu->hw.ops->name);
	return 0;

err_close:
	wdbg_gpu_close(gpu);
err_put:
	wdbg_gpu_put(gpu);
	return ret;
}

/* Keep the reason for sysfs. Without memory, there is none to show. */
static void registry_add_refusal(struct pci_dev *pdev, const char *reason)
{
	struct refusal *refusal = kzalloc(sizeof(*refusal), GFP_KERNEL);

	if (!refusal)
		return;
	refusal->pdev = pdev;
	strscpy(refusal->reason, reason, sizeof(refusal->reason));
	list_add_tail(&refusal->node, &refusals);
}

static bool registry_bound_to_amdgpu(struct pci_dev *pdev)
{
	const struct device_driver *driver = pdev->dev.driver;

	device_lock_assert(&pdev->dev);
	return driver && !strcmp(driver->name, "amdgpu");
}

static void registry_attach(struct pci_dev *pdev)
{
	char reason[WDBG_REASON_LEN];

	if (!registry_bound_to_amdgpu(pdev))
		return;
	mutex_lock(&registry_lock);
	if (!closed && !registry_find_gpu(pdev) && !registry_find_refusal(pdev) &&
	    registry_add_gpu(pdev, reason))
		registry_add_refusal(pdev, reason);
	mutex_unlock(&registry_lock);
}

static void registry_end_all(struct wdbg_gpu *gpu, struct wdbg_session *unused)
{
	const struct wdbg_part *const *p;
	struct wdbg_session *session;

	list_for_each_entry(session, &gpu->sessions, node) {
		wdbg_session_restore(gpu, session);
		wdbg_target_discard(session, true);
		wdbg_event_post(session, AMDGPUDBG_EVENT_GPU_GONE, 0);
	}
	for (p = gpu->parts; *p; p++)
		if ((*p)->drain)
			(*p)->drain(gpu, true);
	gpu->adev = NULL;
	gpu->ddev = NULL;
}

static void registry_end_for_unbind(struct wdbg_gpu *gpu,
				    struct wdbg_session *unused)
{
	WRITE_ONCE(gpu->unbinding, true);
	registry_end_all(gpu, NULL);
}

/* Afterwards, open sessions get -ENODEV for ever. */
static void registry_remove_gpu(struct wdbg_gpu *gpu, bool unbind)
{
	misc_deregister(&gpu->misc);
	debugfs_remove(gpu->debugfs);
	ida_free(&gpu_ids, gpu->id);

	wdbg_clean(gpu, NULL, unbind ? registry_end_for_unbind :
		   registry_end_all);
	if (unbind)
		list_move(&gpu->node, &unbinding);
	else
		list_del(&gpu->node);
}

/*
 * The rest of a detach, without the registry's lock: a call of amdgpu that has begun
 * before can wait for a job of a target, until amdgpu ends that job.
 */
static void registry_finish(struct wdbg_gpu *gpu, bool unbind)
{
	wdbg_gpu_wait_closed(gpu);
	wdbg_gpu_close(gpu);
	if (!unbind)
		wdbg_gpu_put(gpu);
}

static void registry_detach(struct pci_dev *pdev, bool unbind)
{
	struct refusal *refusal;
	struct wdbg_gpu *gpu;

	device_lock_assert(&pdev->dev);
	mutex_lock(&registry_lock);
	gpu = registry_find_gpu(pdev);
	if (gpu)
		registry_remove_gpu(gpu, unbind);
	refusal = registry_find_refusal(pdev);
	if (refusal) {
		list_del(&refusal->node);
		kfree(refusal);
	}
	mutex_unlock(&registry_lock);
	/* The device is locked: it cannot be bound again before this ends. */
	if (gpu)
		registry_finish(gpu, unbind);
}

/* Detach because this module is unloaded; amdgpu stays bound. */
static void registry_leave(struct pci_dev *pdev)
{
	registry_detach(pdev, false);
}

/* The end of a detach for an unbind: amdgpu is not bound any more. */
static void registry_unbound(struct pci_dev *pdev)
{
	struct wdbg_gpu *gpu;

	device_lock_assert(&pdev->dev);
	mutex_lock(&registry_lock);
	gpu = registry_find(&unbinding, pdev);
	if (gpu)
		list_del(&gpu->node);
	mutex_unlock(&registry_lock);
	if (!gpu)
		return;
	wdbg_gpu_close_late(gpu);
	wdbg_gpu_put(gpu);
}

static int registry_on_bus_event(struct notifier_block *nb, unsigned long event,
				 void *data)
{
	struct pci_dev *pdev = to_pci_dev(data);

	/*
	 * amdgpu_pci_table has no other vendor, and walk_amd_devices() visits no other.
	 */
	if (pdev->vendor != PCI_VENDOR_ID_ATI)
		return NOTIFY_DONE;
	/* The driver core calls the notifier with the device locked. */
	if (event == BUS_NOTIFY_BOUND_DRIVER)
		registry_attach(pdev);
	else if (event == BUS_NOTIFY_UNBIND_DRIVER)
		registry_detach(pdev, true);
	else if (event == BUS_NOTIFY_UNBOUND_DRIVER)
		registry_unbound(pdev);
	return NOTIFY_DONE;
}

static struct notifier_block bus_notifier = {
	.notifier_call = registry_on_bus_event,
};

/*
 * amdgpu waits for the jobs of waves that nothing would resume: waves that a session
 * left halted on purpose, and waves that other agents have halted. amdkfd handles its
 * own waves. A GPU that no session has used is not touched.
 */
static void registry_resume_halted(struct wdbg_gpu *gpu)
{
	u32 vmids = GENMASK(WDBG_NUM_VMID - 1, 1) & ~wdbg_kfd_vmids(gpu);
	int bracket;

	if (!gpu->power_users && !wdbg_wave_left_halted(gpu))
		return;
	if (wdbg_power_begin_alone(gpu, &bracket))
		return;
	wdbg_wave_resume_halted(gpu, vmids);
	wdbg_power_end_alone(gpu, bracket);
}

static void registry_set_sleeping(bool sleeping)
{
	struct wdbg_gpu *gpu;

	mutex_lock(&registry_lock);
	list_for_each_entry(gpu, &gpus, node) {
		wdbg_gpu_lock_urgent(gpu);
		gpu->sleeping = sleeping;
		if (sleeping) {
			wdbg_restore(gpu, NULL, WDBG_AT_SLEEP);
			registry_resume_halted(gpu);
			wdbg_event_post_all(gpu, AMDGPUDBG_EVENT_SLEEP, 0);
		}
		wdbg_gpu_unlock(gpu);
		/* A session may hold memory that amdgpu is about to move. */
		if (sleeping)
			wdbg_gpu_wait_unreserved(gpu);
	}
	mutex_unlock(&registry_lock);
}

/*
 * Before the system sleeps, amdgpu waits for all jobs; those of halted waves would
 * never end. The registers of watches lose their contents. User space still runs for a
 * while after _PREPARE.
 */
static int registry_on_pm_event(struct notifier_block *nb, unsigned long event,
				void *data)
{
	switch (event) {
	case PM_SUSPEND_PREPARE:
	case PM_HIBERNATION_PREPARE:
	case PM_RESTORE_PREPARE:
		registry_set_sleeping(true);
		break;
	case PM_POST_SUSPEND:
	case PM_POST_HIBERNATION:
	case PM_POST_RESTORE:
		registry_set_sleeping(false);
		break;
	}
	return NOTIFY_DONE;
}

static struct notifier_block pm_notifier = {
	.notifier_call = registry_on_pm_event,
};

static void registry_walk_amd_devices(void (*fn)(struct pci_dev *pdev))
{
	struct pci_dev *pdev = NULL;

	while ((pdev = pci_get_device(PCI_VENDOR_ID_ATI, PCI_ANY_ID, pdev))) {
		device_lock(&pdev->dev);
		fn(pdev);
		device_unlock(&pdev->dev);
	}
}

/**
 * wdbg_gpus_init() - attach to all present and future GPUs
 * @fops: file operations of their nodes
 *
 * Return: 0, also if there is none; or an error of the driver core.
 */
int wdbg_gpus_init(const struct file_operations *fops)
{
	int ret;

	node_fops = fops;
	debugfs = debugfs_create_dir("amdgpudbg", NULL);
	ret = register_pm_notifier(&pm_notifier);
	if (ret)
		goto err_debugfs;
	ret = bus_register_notifier(&pci_bus_type, &bus_notifier);
	if (ret)
		goto err_pm;
	registry_walk_amd_devices(registry_attach);
	return 0;

err_pm:
	unregister_pm_notifier(&pm_notifier);
err_debugfs:
	debugfs_remove(debugfs);
	return ret;
}

/**
 * wdbg_gpus_exit() - detach from all GPUs
 *
 * The notifiers are removed last, so that no GPU is unbound unnoticed before.
 */
void wdbg_gpus_exit(void)
{
	mutex_lock(&registry_lock);
	closed = true;
	mutex_unlock(&registry_lock);
	registry_walk_amd_devices(registry_leave);
	bus_unregister_notifier(&pci_bus_type, &bus_notifier);
	unregister_pm_notifier(&pm_notifier);
	ida_destroy(&gpu_ids);
	debugfs_remove(debugfs);
}

static void registry_status_locked(struct pci_dev *pdev, struct wdbg_status *status)
{
	const struct device_driver *driver = pdev->dev.driver;
	const struct refusal *refusal = registry_find_refusal(pdev);
	const struct wdbg_gpu *gpu = registry_find_gpu(pdev);

	if (gpu) {
		strscpy(status->node, gpu->name, sizeof(status->node));
		snprintf(status->text, sizeof(status->text), "Attached (%s).",
			 gpu->hw.ops->name);
	} else if (refusal) {
		strscpy(status->text, refusal->reason, sizeof(status->text));
	} else if (!driver || !registry_bound_to_amdgpu(pdev)) {
		snprintf(status->text, sizeof(status->text),
			 "The GPU is not bound to amdgpu, but to %s.",
			 driver ? driver->name : "no driver");
	} else {
		strscpy(status->text, "Not enough memory.",
			sizeof(status->text));
	}
}

/**
 * wdbg_gpu_status() - get the node of a GPU, or the reason why it has none
 * @pdev: the GPU, of AMD
 * @status: out
 *
 * Context: may sleep; no lock of the module is held.
 */
void wdbg_gpu_status(struct pci_dev *pdev, struct wdbg_status *status)
{
	memset(status, 0, sizeof(*status));
	/* A bind or unbind may wait until no thread reads this any more. */
	if (!device_trylock(&pdev->dev)) {
		strscpy(status->text, "A driver is being bound or unbound.",
			sizeof(status->text));
		return;
	}
	mutex_lock(&registry_lock);
	registry_status_locked(pdev, status);
	mutex_unlock(&registry_lock);
	device_unlock(&pdev->dev);
}
