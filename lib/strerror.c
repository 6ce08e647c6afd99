// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What the errors of the kernel interface mean for each call, and what to do
 * about them. The meanings are those at the top of linux/amdgpudbg.h.
 */
#include <errno.h>
#include <stdlib.h>

#include "internal.h"

struct errtext {
	enum adbg_call call;
	int error;
	const char *text;
	const char *hint;
};

/* The first that fits is taken, so the special ones come before the general. */
static const struct errtext texts[] = {
	{ ADBG_CALL_OPEN, ENOENT, "there is no such GPU or render node",
	  "list the GPUs, and look at the status of the module" },
	{ ADBG_CALL_OPEN, ENODEV, "the module serves no such GPU",
	  "the amdgpu driver must have bound it before amdgpudbg can" },
	{ ADBG_CALL_OPEN, ENOTUNIQ, "there is more than one GPU",
	  "say which one" },
	{ ADBG_CALL_OPEN, EACCES, "no permission to open the device node",
	  "run as root, or get access to /dev/amdgpudbg*" },
	{ ADBG_CALL_OPEN, EPERM, "the kernel does not allow opening the GPU",
	  "run as root" },
	{ ADBG_CALL_OPEN, ENOTTY, "it is not the kind of device expected",
	  "name a DRM render node such as /dev/dri/renderD128" },
	{ ADBG_CALL_OPEN, EINVAL, "it names no GPU",
	  "a PCI address looks like 0000:0a:00.0" },
	{ ADBG_CALL_OPEN, EBUSY, "the GPU is busy", NULL },

	{ ADBG_CALL_WAVE_READ, EINVAL, "a VMID is out of range",
	  "VMIDs go from 1 to the GPU's number of VMIDs minus one" },
	{ ADBG_CALL_WAVE_READ, EMSGSIZE, "there are more waves than fit",
	  "make the buffer larger" },
	{ ADBG_CALL_WAVE_READ, EBUSY, "the GPU is being reset",
	  "try again when the reset is over" },

	{ ADBG_CALL_WAVE_CONTROL, EINVAL,
	  "the operation, the VMID or the wave's place is not valid", NULL },
	{ ADBG_CALL_WAVE_CONTROL, ENXIO, "the GPU has no such wave slot",
	  "see its geometry in the list of GPUs" },
	{ ADBG_CALL_WAVE_CONTROL, ENODATA, "the wave slot is empty",
	  "the wave has ended; list the waves again" },
	{ ADBG_CALL_WAVE_CONTROL, ESTALE,
	  "the wave slot holds another wave than the one expected",
	  "the wave has ended; list the waves again" },
	{ ADBG_CALL_WAVE_CONTROL, EBUSY,
	  "another session holds the waves, or the GPU is being reset",
	  "end the other debugger, or try again when the reset is over" },
	{ ADBG_CALL_WAVE_CONTROL, ETIMEDOUT,
	  "some waves did not reach the wanted state in time",
	  "a wave in a trap handler takes a halt only after it" },

	{ ADBG_CALL_ANY, EPERM, "not allowed",
	  "this needs CAP_SYS_ADMIN: run as root" },
	{ ADBG_CALL_ANY, EACCES, "no permission", "run as root" },
	{ ADBG_CALL_ANY, EOPNOTSUPP,
	  "this GPU, its driver or the module cannot do it",
	  "the list of capabilities says why" },
	{ ADBG_CALL_ANY, ENOTTY, "the module does not know the call",
	  "load a newer amdgpudbg.ko" },
	{ ADBG_CALL_ANY, E2BIG, "the module is too old for the request",
	  "load a newer amdgpudbg.ko" },
	{ ADBG_CALL_ANY, ENODEV, "the GPU is gone",
	  "it was unbound or unplugged; open it again when it is back" },
	{ ADBG_CALL_ANY, EBUSY, "the GPU is being reset",
	  "try again when the reset is over" },
	{ ADBG_CALL_ANY, EIO, "the hardware does not show what was written",
	  "see the kernel log" },
	{ ADBG_CALL_ANY, ETIMEDOUT, "the hardware did not answer in time",
	  "see the kernel log" },
	{ ADBG_CALL_ANY, EINVAL, "a value is not valid", NULL },
	{ ADBG_CALL_ANY, ERANGE, "a number is too large", NULL },
	{ ADBG_CALL_ANY, EFAULT, "a buffer is not accessible", NULL },
	{ ADBG_CALL_ANY, ENOMEM, "out of memory", NULL },
	{ ADBG_CALL_ANY, EINTR, "interrupted by a signal",
	  "list the waves to see how far it got" },
	{ ADBG_CALL_ANY, ENOENT, "not found", NULL },
	{ ADBG_CALL_ANY, EMFILE, "too many open files", NULL },
	{ ADBG_CALL_ANY, 0, "success", NULL },
};

#define NAME(e) { e, #e }

static const struct {
	int error;
	const char *name;
} names[] = {
	NAME(EPERM), NAME(ENOENT), NAME(EINTR), NAME(EIO), NAME(ENXIO),
	NAME(E2BIG), NAME(EBADF), NAME(EAGAIN), NAME(ENOMEM), NAME(EACCES),
	NAME(EFAULT), NAME(EBUSY), NAME(EEXIST), NAME(ENODEV), NAME(ENOTDIR),
	NAME(EINVAL), NAME(ENFILE), NAME(EMFILE), NAME(ENOTTY), NAME(ENOSPC),
	NAME(EPIPE), NAME(ERANGE), NAME(ELOOP), NAME(ENAMETOOLONG),
	NAME(ENODATA), NAME(EPROTO), NAME(ENOTUNIQ), NAME(EMSGSIZE),
	NAME(EOPNOTSUPP), NAME(ENOTCONN), NAME(ETIMEDOUT), NAME(ESTALE),
};

static const struct errtext *find_text(enum adbg_call call, int error)
{
	error = abs(error);
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		if (texts[i].error == error &&
		    (texts[i].call == call || texts[i].call == ADBG_CALL_ANY))
			return &texts[i];

	return NULL;
}

ADBG_API const char *adbg_strerror(enum adbg_call call, int error)
{
	const struct errtext *text = find_text(call, error);

	return text ? text->text : "unexpected error";
}

ADBG_API const char *adbg_strhint(enum adbg_call call, int error)
{
	const struct errtext *text = find_text(call, error);

	return text ? text->hint : NULL;
}

ADBG_API const char *adbg_errname(int error)
{
	error = abs(error);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i].error == error)
			return names[i].name;

	return "E?";
}
