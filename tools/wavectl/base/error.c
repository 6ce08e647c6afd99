// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints errors: see wavectl.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/pasid.h"
#include "base/text.h"
#include "base/util.h"
#include "base/wavectl.h"

enum wavectl_exit exit_status(int error)
{
	switch (-error) {
	case ENODATA:
	case ESTALE:
	case ENXIO:
	case ESRCH:
	case ENOTCONN:
	case EAGAIN:
	case EINPROGRESS:
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

void complain(const struct wavectl *w, int error, const char *text, const char *hint)
{
	char *line = NULL, *shown;

	xappend(&line, "%s%s%s", w->where ? w->where : "", w->where ? ": " : "",
		text);
	if (error)
		xappend(&line, " (%s)", adbg_errname(error));
	if (hint)
		xappend(&line, "; %s", hint);
	if (w->caught) {
		free(*w->caught);
		*w->caught = line;
		return;
	}
	shown = text_shown(line);
	fprintf(stderr, "wavectl: %s\n", shown);
	free(shown);
	free(line);
}

/* @error: 0 if no system call failed */
static int print_error(struct wavectl *w, enum wavectl_exit status, int error,
		       const char *what, const char *why, const char *hint)
{
	char *text = xstrdup(what);

	if (why)
		xappend(&text, ": %s", why);
	complain(w, error, text, hint);
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
		/* If standard output is a full disk, the error cannot be written there. */
		(void)emit_end(w->emit);
	}

	free(text);
	return status;
}

/* Name the process of a PASID, if the caller may see it. The caller frees the result. */
static char *describe_pasid(struct wavectl *w, uint32_t pasid)
{
	const struct adbg_client *client;
	struct adbg_client_list *list;
	char *text = NULL;

	if (!pasid || adbg_client_list_new(w->session, 0, &list))
		return xstrdup("another process");
	client = pasid_find_client(list, pasid);
	if (client)
		xappend(&text, "process %d (%s)", client->pid, client->name);
	adbg_client_list_free(list);
	if (!text)
		xappend(&text, "the process with PASID %u", pasid);
	return text;
}

/* "process 4711 (wavectl)", with the name if the caller may see it. The caller frees it. */
static char *describe_pid(int32_t pid)
{
	char path[32], name[32];
	char *text = NULL;
	ssize_t n = -1;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		n = read(fd, name, sizeof(name) - 1);
		close(fd);
	}
	name[n > 0 ? n : 0] = '\0';
	/* The last byte is a line feed; the process can choose the others. */
	if (n > 0 && name[n - 1] == '\n')
		name[n - 1] = '\0';
	xappend(&text, "process %d", pid);
	if (*name)
		xappend(&text, " (%s)", name);
	return text;
}

/* Explain -EBUSY by names and times, if the module knows more than the general reason. */
static void explain_busy(struct wavectl *w, char **why, char **hint)
{
	struct amdgpudbg_busy busy;
	char *process = NULL;

	if (!w->session || adbg_session_get_busy(w->session, &busy))
		return;
	if (busy.cause == AMDGPUDBG_BUSY_VMID_JOBS && busy.by == AMDGPUDBG_BUSY_BY_PROCESS) {
		process = describe_pasid(w, busy.pasid);
		xappend(why,
			"jobs of %s are still in VMID %u, which amdgpu has reserved",
			process, busy.vmid);
	} else if (busy.pid) {
		process = describe_pid(busy.pid);
		xappend(why, "%s: %s", adbg_strerror(w->session, -EBUSY), process);
	} else if (busy.wait_ms && busy.wait_ms != UINT32_MAX) {
		xappend(hint, "try again in %u s, or as root",
			(busy.wait_ms + 999) / 1000);
	}
	free(process);
}

int fail(struct wavectl *w, int error, const char *what, ...)
{
	char *text, *why = NULL, *hint = NULL;
	va_list args;
	int status;

	va_start(args, what);
	text = vformat(what, args);
	va_end(args);

	if (error == -EBUSY)
		explain_busy(w, &why, &hint);
	status = print_error(w, exit_status(error), error, text,
			     why ? why : adbg_strerror(w->session, error),
			     hint ? hint : adbg_strhint(w->session, error));
	free(text);
	free(why);
	free(hint);
	return status;
}

int fail_memory(struct wavectl *w, int error, const char *verb, uint64_t va)
{
	char *text = NULL, *hint = NULL;
	int status;

	if (error != -ENXIO)
		return fail(w, error, "cannot %s 0x%016" PRIx64, verb, va);
	xappend(&text, "cannot %s 0x%016" PRIx64, verb, va);
	xappend(&hint, "\"vm map 0x%" PRIx64 "\" names the nearest mappings", va);
	status = print_error(w, exit_status(error), error, text, adbg_strerror(w->session, error),
			     hint);
	free(text);
	free(hint);
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

	status = print_error(w, exit_status(error), error, text, strerror(-error),
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

	print_error(w, status, 0, text, NULL, hint);
	free(text);
	return status;
}

void warn(const char *what)
{
	fprintf(stderr, "wavectl: warning: %s\n", what);
}

/* Join the lines of the status of the module to one sentence. */
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
	const char *why = "the module amdgpudbg has not created a device node";
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

	ret = print_error(w, WAVECTL_UNSUPPORTED, -ENODEV, "no GPU to debug", why,
			  hint);
	free(joined);
	return ret;
}
