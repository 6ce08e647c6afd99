/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A page of memory at which a system call waits until it is released, to test what
 * happens while the kernel copies to or from its caller.
 */
#ifndef GUEST_USERFAULT_H
#define GUEST_USERFAULT_H

struct userfault {
	int fd;
	void *page;
};

/* 0 or -errno; -ENOSYS: the kernel has no userfaultfd. */
int userfault_open(struct userfault *u);
void userfault_close(struct userfault *u);
/* Wait until a thread waits at the page. 0, -ETIME or -errno. */
int userfault_wait(struct userfault *u);
/* Release them: the page is a page of zeros from now on. 0 or -errno. */
int userfault_release(struct userfault *u);

#endif /* GUEST_USERFAULT_H */
