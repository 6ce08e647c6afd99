/* SPDX-License-Identifier: GPL-2.0-only */
/* The registry of GPUs, and what sysfs shows of it */
#ifndef WDBG_REGISTRY_H
#define WDBG_REGISTRY_H

#include <linux/stddef.h>

#include "amdgpu/layout.h"
#include "gpu.h"

struct pci_dev;

/* registry.c */
int wdbg_gpus_init(const struct file_operations *fops);
void wdbg_gpus_exit(void);

/**
 * struct wdbg_status - whether a GPU has a node
 * @node: its name, or empty
 * @text: the reason, a sentence
 */
struct wdbg_status {
	char node[sizeof_field(struct wdbg_gpu, name)];
	char text[WDBG_REASON_LEN];
};

void wdbg_gpu_status(struct pci_dev *pdev, struct wdbg_status *status);

/* status.c */
int wdbg_status_init(void);
void wdbg_status_exit(void);

#endif /* WDBG_REGISTRY_H */
