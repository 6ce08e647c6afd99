// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How wavectl says that something failed: see wavectl.h.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util.h"
#include "wavectl.h"
#include "who.h"

static enum wavectl_exit exit_status(int error)
{
	switch (-error) {
	case ENODATA:
	case ESTALE:
	case ENXIO:
	case ESRCH:
	case ENOTCONN:
	case EAGAIN:
		return WAVECTL_GONE;
	case EPERM:
	case EACCES:
		return WAVECTL_DENIED;
	case EOPNOTSUPP:
	case ENOTTY:
	case E2BIG:
	case ENODEV:
	case ENOENT:
		return WAVECTL_UNSUPPORTED;
	case EBUSY:
		return WAVECTL_BUSY;
	case ENOTUNIQ:
		return WAVECTL_USAGE;
	default:
		return WAVECTL_FAILED;
	}
}

static char *vformat(const char *format, va_list args)
{
	char *text;

	if (vasprintf(&text, format, args) < 0)
		return xstrdup(format);
	return text;
}

/* @error is 0 when no system call is to blame. */
static int tell(struct wavectl *w, enum wavectl_exit status, int error,
		const char *what, const char *why, const char *hint)
{
	char *text = xstrdup(what);

	if (why)
		xappend(&text, ": %s", why);

	fprintf(stderr, "wavectl: %s%s%s", w->where ? w->where : "",
		w->where ? ": " : "", text);
	if (error)
		fprintf(stderr, " (%s)", adbg_errname(error));
	if (hint)
		fprintf(stderr, "; %s", hint);
	fputc('\n', stderr);

	if (w->json) {
		emit_begin(w->emit);
		emit_str(w->emit, "error", text);
		if (error)
			emit_str(w->emit, "errno", adbg_errname(error));
		else
			emit_none(w->emit, "errno");
		if (hint)
			emit_str(w->emit, "hint", hint);
		else
			emit_none(w->emit, "hint");
		emit_uint(w->emit, "exit_status", status);
		/* A full disk cannot be told about on that disk. */
		(void)emit_end(w->emit);
	}

	free(text);
	return status;
}

/* Which process it is, if we may look at that. To be freed. */
static char *describe_pasid(struct wavectl *w, uint32_t pasid)
{
	const struct adbg_client *client;
	struct adbg_client_list *list;
	char *text = NULL;

	if (!pasid || adbg_client_list_new(w->session, 0, &list))
		return xstrdup("another process");
	client = who_has(list, pasid);
	if (client)
		xappend(&text, "process %d (%s)", client->pid, client->name);
	adbg_client_list_free(list);
	if (!text)
		xappend(&text, "the process with PASID %u", pasid);
	return text;
}

/* Who has kept a call from setting something in the target's VMID? Or NULL. */
static char *vmid_user(struct wavectl *w, int error)
{
	char *who, *text = NULL;
	uint32_t vmid, pasid;

	if (error != -EBUSY || !w->session ||
	    adbg_session_get_vmid_user(w->session, &vmid, &pasid))
		return NULL;
	who = describe_pasid(w, pasid);
	xappend(&text,
		"jobs of %s are still in VMID %u, which amdgpu has reserved",
		who, vmid);
	free(who);
	return text;
}

int fail(struct wavectl *w, int error, const char *what, ...)
{
	char *text, *user = vmid_user(w, error);
	va_list args;
	int status;

	va_start(args, what);
	text = vformat(what, args);
	va_end(args);

	status = tell(w, exit_status(error), error, text,
		      user ? user : adbg_strerror(w->session, error),
		      user ? "try again when they have ended" :
			     adbg_strhint(w->session, error));
	free(text);
	free(user);
	return status;
}

int fail_system(struct wavectl *w, int error, const char *what, ...)
{
	va_list args;
	char *text;
	int status;

	va_start(args, what);
	text = vformat(what, args);
	va_end(args);

	status = tell(w, exit_status(error), error, text, strerror(-error),
		      NULL);
	free(text);
	return status;
}

int fail_with(struct wavectl *w, enum wavectl_exit status, const char *hint,
	      const char *what, ...)
{
	va_list args;
	char *text;

	va_start(args, what);
	text = vformat(what, args);
	va_end(args);

	tell(w, status, 0, text, NULL, hint);
	free(text);
	return status;
}

void warn(const char *what)
{
	fprintf(stderr, "wavectl: warning: %s\n", what);
}

/* The lines of the module's status as one sentence, without full stops. */
static char *join_lines(char *lines)
{
	char *text = xstrdup("");
	char *line, *rest = lines;

	while ((line = strsep(&rest, "\n"))) {
		size_t n = strlen(line);

		if (n && line[n - 1] == '.')
			line[n - 1] = '\0';
		xappend(&text, "%s%s", *text ? "; " : "", line);
	}

	return text;
}

int fail_no_gpu(struct wavectl *w)
{
	const char *why = "the module amdgpudbg has made no device node";
	const char *hint = "see the kernel log";
	char *joined = NULL;
	char status[4096];
	int ret;

	ret = adbg_module_status(status, sizeof(status));
	if (!ret) {
		joined = join_lines(status);
		why = joined;
		hint = NULL;
	} else if (ret == -ENOENT) {
		why = "the module amdgpudbg is not loaded";
		hint = "insmod amdgpudbg.ko";
	}

	ret = tell(w, WAVECTL_UNSUPPORTED, -ENODEV, "no GPU to debug", why,
		   hint);
	free(joined);
	return ret;
}
