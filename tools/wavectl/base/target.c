// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Decides which GPUs a command is about, and opens them and its process.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pasid.h"
#include "base/util.h"
#include "base/wavectl.h"

bool names_gpu(const struct wavectl *w)
{
	return w->gpu || w->pci || w->render;
}

/* Append what a user needs to know of a GPU to decide: "0 (AMD Custom GPU 0405, 0000:04:00.0)" */
static void append_gpu(char **text, const struct adbg_gpu *gpu)
{
	const char *llvm = adbg_gpu_name(gpu->info.gc_version);
	char product[128], pci[24];

	if (gpu->error) {
		xappend(text, "%u (%s)", gpu->number, adbg_errname(gpu->error));
		return;
	}
	if (adbg_gpu_product(&gpu->info, product, sizeof(product)))
		snprintf(product, sizeof(product), "%s", llvm ? llvm : "unknown");
	xappend(text, "%u (%s, %s)", gpu->number, product, pci_name(&gpu->info, pci));
}

/* Refuse to guess. @what: why there is more than one candidate. Returns an exit status. */
static int fail_several(struct wavectl *w, const struct adbg_gpu *const *gpus, size_t count,
			const char *what)
{
	char *hint = NULL;
	int status;

	xappend(&hint, "select one with --gpu: ");
	for (size_t i = 0; i < count; i++) {
		if (i)
			xappend(&hint, i + 1 < count ? ", " : " or ");
		append_gpu(&hint, gpus[i]);
	}
	status = fail_with(w, WAVECTL_USAGE, hint, "%s", what);
	free(hint);
	return status;
}

/* Fail because --gpu is a part of several names. */
static int fail_ambiguous(struct wavectl *w, const struct adbg_gpu_list *list)
{
	size_t count = adbg_gpu_list_count(list);
	const struct adbg_gpu **all = xcalloc(count, sizeof(*all));
	char *what = NULL;
	int status;

	for (size_t i = 0; i < count; i++)
		all[i] = adbg_gpu_list_get(list, i);
	xappend(&what, "'%s' is a part of the names of several GPUs", w->gpu);
	status = fail_several(w, all, count, what);
	free(what);
	free(all);
	return status;
}

/* Find the GPU of --gpu: a number, a node, a PCI address or a name. */
static int find_gpu(struct wavectl *w, const struct adbg_gpu_list *list,
		    const struct adbg_gpu **gpu)
{
	int ret = adbg_gpu_list_find(list, w->gpu, gpu);

	if (ret == -ENOTUNIQ)
		return fail_ambiguous(w, list);
	if (ret == -EINVAL)
		return fail_with(w, WAVECTL_UNSUPPORTED, "see \"wavectl gpu list\"",
				 "no GPU has '%s' in its name", w->gpu);
	return ret ? fail(w, ret, "cannot open GPU %s", w->gpu) : WAVECTL_OK;
}

int find_named_gpu(struct wavectl *w, const struct adbg_gpu_list *list,
		   const struct adbg_gpu **gpu)
{
	int ret;

	if (w->gpu)
		return find_gpu(w, list, gpu);
	if (w->pci) {
		ret = strchr(w->pci, ':') ?
		      adbg_gpu_list_find(list, w->pci, gpu) : -EINVAL;
		if (ret == -EINVAL)
			return fail_with(w, WAVECTL_USAGE,
					 "a PCI address looks like 0000:0a:00.0",
					 "'%s' is not a PCI address", w->pci);
		return ret ? fail(w, ret, "cannot open the GPU at %s", w->pci) : WAVECTL_OK;
	}
	ret = strchr(w->render, '/') ? adbg_gpu_list_find(list, w->render, gpu) : -ENOTTY;
	return ret ? fail(w, ret, "cannot open the GPU of %s", w->render) : WAVECTL_OK;
}

static int fail_attach(struct wavectl *w, int32_t pid, int error)
{
	const char *what = "cannot debug process %d";

	switch (error) {
	case -EPERM:
	case -EACCES:
		return fail_with(w, WAVECTL_DENIED,
				 adbg_target_reason(pid), what, pid);
	case -ENODATA:
		if (w->client)
			return fail_with(w, WAVECTL_GONE,
					 "see \"wavectl proc list\"",
					 "process %d has no client %" PRIu64 " of this GPU",
					 pid, w->client);
		return fail_with(w, WAVECTL_GONE,
				 "see \"wavectl proc list\"",
				 "process %d does not use this GPU", pid);
	case -ENOTUNIQ:
		return fail_with(w, WAVECTL_USAGE,
				 "select one with --client; see \"wavectl proc list --pid\"",
				 "process %d has several clients of this GPU",
				 pid);
	default:
		return fail(w, error, what, pid);
	}
}

int attach_target(struct wavectl *w)
{
	int ret;

	if (!w->pid)
		return WAVECTL_OK;

	ret = adbg_target_attach(w->session, w->pid, w->client, NULL);
	return ret ? fail_attach(w, w->pid, ret) : WAVECTL_OK;
}

/* The GPUs that a command is about */
struct choice {
	struct adbg_gpu_list *list;
	const struct adbg_gpu **gpus;
	size_t count;
	bool is_named;		/* an option names the GPU, or there is only one */
};

/* Does the process use the GPU, with the client of --client if there is one? 1 yes; 0 no; -errno */
static int uses(const struct wavectl *w, const struct adbg_gpu *gpu, int32_t pid)
{
	const struct adbg_client *client;
	struct adbg_client_list *list;
	int ret = adbg_gpu_client_list_new(gpu, pid, &list);
	size_t i = 0;

	if (ret)
		return ret;
	while ((client = adbg_client_list_get(list, i)) && w->client &&
	       client->client_id != w->client)
		i++;
	adbg_client_list_free(list);
	return !!client;
}

/* Reduce the choice to the GPUs that the process uses. */
static int choose_by_process(struct wavectl *w, struct choice *c, int32_t pid)
{
	size_t count = 0;

	for (size_t i = 0; i < c->count; i++) {
		int ret = c->gpus[i]->error ? 0 : uses(w, c->gpus[i], pid);

		if (ret < 0)
			return fail_attach(w, pid, ret);
		if (ret)
			c->gpus[count++] = c->gpus[i];
	}
	if (!count && w->client)
		return fail_with(w, WAVECTL_GONE, "see \"wavectl proc list\"",
				 "process %d has no client %" PRIu64 " of any GPU", pid, w->client);
	if (!count)
		return fail_with(w, WAVECTL_GONE, "see \"wavectl proc list\"",
				 "process %d uses none of the %zu GPUs", pid, c->count);
	c->count = count;
	return WAVECTL_OK;
}

/*
 * Decide which GPUs a command is about: the one that an option names, the only one, those that
 * process @pid uses, or if @pid is 0, all. Call choice_end() also after an error.
 */
static int choose(struct wavectl *w, struct choice *c, int32_t pid)
{
	int ret, status;

	*c = (struct choice){ .list = NULL };
	ret = adbg_gpu_list_new(&c->list);
	if (ret)
		return fail(w, ret, "cannot search for GPUs");
	c->count = adbg_gpu_list_count(c->list);
	if (!c->count)
		return fail_no_gpu(w);
	c->is_named = names_gpu(w) || c->count == 1;
	c->gpus = xcalloc(c->count, sizeof(*c->gpus));
	for (size_t i = 0; i < c->count; i++)
		c->gpus[i] = adbg_gpu_list_get(c->list, i);
	if (names_gpu(w)) {
		status = find_named_gpu(w, c->list, &c->gpus[0]);
		c->count = 1;
		return status;
	}
	return pid && c->count > 1 ? choose_by_process(w, c, pid) : WAVECTL_OK;
}

static void choice_end(struct choice *c)
{
	adbg_gpu_list_free(c->list);
	free(c->gpus);
}

static int fail_undecided(struct wavectl *w, const struct choice *c, int32_t pid)
{
	char *what = NULL;
	int status;

	if (pid)
		xappend(&what, "process %d uses %zu GPUs", pid, c->count);
	else
		xappend(&what, "there are %zu GPUs", c->count);
	status = fail_several(w, c->gpus, c->count, what);
	free(what);
	return status;
}

static int open_session(struct wavectl *w, const struct adbg_gpu *gpu)
{
	int ret;

	w->session = NULL;
	ret = adbg_open(gpu->path, &w->session);
	return ret ? fail(w, ret, "cannot open %s", gpu->path) : WAVECTL_OK;
}

/* Open the only GPU that the options select. @may_wait: leave it open which one, for a shell */
static int open_gpu(struct wavectl *w, bool may_wait)
{
	struct choice c;
	int status = choose(w, &c, w->pid);

	w->is_undecided = !status && c.count > 1 && !w->pid && may_wait;
	if (!status && c.count > 1 && !w->is_undecided)
		status = fail_undecided(w, &c, w->pid);
	if (!status)
		status = open_session(w, c.gpus[0]);
	choice_end(&c);
	return status;
}

static void list_words_of(const struct adbg_gpu *gpu, void (*add)(void *data, const char *word),
			  void *data)
{
	const char *llvm = adbg_gpu_name(gpu->info.gc_version);
	char text[32];

	snprintf(text, sizeof(text), "%u", gpu->number);
	add(data, text);
	add(data, gpu->path);
	if (gpu->error)
		return;
	snprintf(text, sizeof(text), "/dev/dri/renderD%u", gpu->info.render_minor);
	add(data, text);
	add(data, pci_name(&gpu->info, text));
	/* Product names have blanks. */
	if (llvm)
		add(data, llvm);
}

void list_gpu_words(void (*add)(void *data, const char *word), void *data)
{
	const struct adbg_gpu *gpu;
	struct adbg_gpu_list *list;

	if (adbg_gpu_list_new(&list))
		return;
	for (size_t i = 0; (gpu = adbg_gpu_list_get(list, i)); i++)
		list_words_of(gpu, add, data);
	adbg_gpu_list_free(list);
}

/* Check that the GPU has the VMID of --vmid. */
static int check_vmid(struct wavectl *w)
{
	struct amdgpudbg_info info = { 0 };
	int ret;

	if (!w->vmid)
		return WAVECTL_OK;

	ret = adbg_session_get_info(w->session, &info);
	if (ret)
		return fail(w, ret, "cannot query the GPU");
	if (w->vmid >= info.num_vmid)
		return fail_with(w, WAVECTL_USAGE, NULL,
				 "the GPU has no VMID %u, only 1 to %u",
				 w->vmid, info.num_vmid - 1);

	return WAVECTL_OK;
}

/* Give the shell this GPU. */
static int decide(struct wavectl *w, const char *number)
{
	struct shell_session *d = w->shell;
	struct adbg_session *session = NULL;
	int ret = adbg_open(number, &session);

	if (ret)
		return fail(w, ret, "cannot open GPU %s", number);
	adbg_session_close(d->session);
	d->session = session;
	adbg_session_set_interrupt(session, d->signals);
	d->listening = 0;
	d->has_new_target = true;
	d->is_undecided = false;
	w->session = session;
	return WAVECTL_OK;
}

int decide_target(struct wavectl *w, int32_t pid, uint32_t number)
{
	struct choice c;
	char text[16];
	int status = WAVECTL_OK;

	if (!w->shell->is_undecided)
		return WAVECTL_OK;
	if (pid) {
		status = choose(w, &c, pid);
		if (!status && c.count > 1)
			status = fail_undecided(w, &c, pid);
		if (!status)
			number = c.gpus[0]->number;
		choice_end(&c);
	}
	snprintf(text, sizeof(text), "%u", number);
	return status ? status : decide(w, text);
}

/* A command that needs a GPU, in a shell that has none yet */
static int join_undecided(struct wavectl *w)
{
	struct choice c;
	int status = choose(w, &c, 0);

	if (!status && c.count > 1)
		status = fail_undecided(w, &c, 0);
	else if (!status)
		status = decide_target(w, 0, c.gpus[0]->number);
	choice_end(&c);
	return status;
}

/* Use the session of the shell. Fail if the options select another GPU or process. */
static int join_shell(struct wavectl *w)
{
	const struct shell_session *d = w->shell;
	const char *hint = "end this session, or use another terminal";
	int status;

	if (d->is_undecided) {
		status = join_undecided(w);
		if (status)
			return status;
		w->gpu = NULL;
		w->pci = NULL;
		w->render = NULL;
	}
	if (names_gpu(w))
		return fail_with(w, WAVECTL_USAGE, hint,
				 "the GPU was selected when this session started");
	if (w->pid && (w->pid != d->pid || w->client != d->client)) {
		if (!d->pid)
			return fail_with(w, WAVECTL_USAGE, hint,
					 "this session is about the whole GPU");
		return fail_with(w, WAVECTL_USAGE, hint,
				 "this session is about process %d", d->pid);
	}
	w->session = d->session;
	return WAVECTL_OK;
}

static int open_any(struct wavectl *w, bool may_wait)
{
	int status;

	if (w->shell) {
		status = join_shell(w);
	} else {
		status = open_gpu(w, may_wait);
		if (!status)
			status = attach_target(w);
	}
	return status ? status : check_vmid(w);
}

int open_target(struct wavectl *w)
{
	return open_any(w, false);
}

int open_shell_target(struct wavectl *w)
{
	return open_any(w, true);
}

/* Open the GPUs of the choice, in the order of their numbers. */
static int open_choice(struct wavectl *w, const struct choice *c)
{
	int status = WAVECTL_OK;

	w->targets = xcalloc(c->count, sizeof(*w->targets));
	for (size_t i = 0; i < c->count && !status; i++) {
		status = open_session(w, c->gpus[i]);
		if (w->session)
			w->targets[w->num_targets++] = w->session;
		if (!status)
			status = attach_target(w);
		if (!status)
			status = check_vmid(w);
	}
	if (w->num_targets)
		use_target(w, 0);
	return status;
}

int open_targets(struct wavectl *w)
{
	struct choice c;
	int status;

	if (w->shell && !w->shell->is_undecided)
		return open_target(w);
	status = choose(w, &c, w->pid);
	if (!status) {
		w->shows_gpu = !c.is_named;
		status = open_choice(w, &c);
	}
	choice_end(&c);
	return status;
}

bool use_target(struct wavectl *w, size_t i)
{
	if (!w->targets)
		return !i;
	if (i >= w->num_targets)
		return false;
	/* They have their own numbers on each GPU. */
	pasid_forget_clients(w);
	w->session = w->targets[i];
	return true;
}

void keep_target(struct wavectl *w, size_t kept)
{
	use_target(w, kept);
	for (size_t i = 0; i < w->num_targets; i++)
		if (i != kept)
			adbg_session_close(w->targets[i]);
	free(w->targets);
	w->targets = NULL;
	w->num_targets = 0;
}

void emit_gpu_number(struct wavectl *w)
{
	emit_quiet(w->emit, !w->shows_gpu);
	emit_uint(w->emit, "gpu", adbg_session_get_number(w->session));
	emit_quiet(w->emit, false);
}

int open_own_target(struct wavectl *w)
{
	char number[16];
	int ret, status;

	status = open_target(w);
	if (status || !w->shell)
		return status;

	snprintf(number, sizeof(number), "%u",
		 adbg_session_get_number(w->shell->session));
	w->shell = NULL;
	w->session = NULL;
	ret = adbg_open(number, &w->session);
	return ret ? fail(w, ret, "cannot open GPU %s", number) :
		     attach_target(w);
}

int open_own_targets(struct wavectl *w)
{
	int status;

	if (w->shell && !w->shell->is_undecided)
		return open_own_target(w);
	status = open_targets(w);
	/* The shell's session is not this command's. */
	if (!w->targets)
		w->session = NULL;
	w->shell = NULL;
	return status;
}

void close_target(struct wavectl *w)
{
	if (w->shell)
		return;
	adbg_session_close(w->session);
	for (size_t i = 0; i < w->num_targets; i++)
		if (w->targets[i] == w->session)
			w->targets[i] = NULL;
	w->session = NULL;
}

void close_targets(struct wavectl *w)
{
	keep_target(w, 0);
	close_target(w);
}

char *pci_name(const struct amdgpudbg_info *info, char name[24])
{
	snprintf(name, 24, "%04x:%02x:%02x.%x", info->pci_domain,
		 info->pci_bus, info->pci_device, info->pci_function);
	return name;
}

char *gc_name(uint32_t gc_version, char name[16])
{
	snprintf(name, 16, "%u.%u.%u", ADBG_GC_MAJOR(gc_version),
		 ADBG_GC_MINOR(gc_version), ADBG_GC_REV(gc_version));
	return name;
}
