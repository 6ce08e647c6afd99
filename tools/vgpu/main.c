// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The program: options, the main loop, and the summary of complaints at the end.
 */
#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "host/control.h"
#include "host/transport.h"
#include "vgpu.h"

#define EXIT_COMPLAINTS	1
#define EXIT_SETUP	2

/* The longest time that waves run before requests of the host are answered. */
#define SLICE_NS	20000
/* The interval at which engines poll memory that the guest changes without a doorbell. */
#define POLL_NS		1000000

#define MAX_QUIRK_OPTIONS 64

struct settings {
	struct vgpu_options opt;
	const char *profile;
	const char *quirks[MAX_QUIRK_OPTIONS];	/* "NAME=VALUE" */
	unsigned int num_quirks;
};

static const char usage_text[] =
"Usage: vgpu --socket PATH [OPTION]...\n"
"A software AMD GPU, attached to QEMU as a PCI device over vfio-user.\n"
"\n"
"  -s, --socket PATH      vfio-user socket to create and serve\n"
"  -c, --control PATH     control socket: JSON lines, see vgpu(1)\n"
"  -l, --log FILE         log to FILE instead of stderr\n"
"  -p, --profile NAME     GPU to emulate; \"help\" lists them\n"
"      --se N             number of shader engines\n"
"      --sa N             shader arrays in each\n"
"      --wgp N            work-group processors in each array\n"
"      --harvest SE.SA.WGP  disable a work-group processor\n"
"      --vram MIB         size of VRAM, a power of two\n"
"      --strict           exit with status 1 if there were complaints\n"
"      --persist          wait for the next host when one disconnects\n"
"      --quirk NAME=VALUE set an assumption about silicon; \"help\" lists them\n"
"      --trace LIST       log each of: mmio, packets, waves (comma separated)\n"
"  -h, --help             print this help\n"
"      --version          print the version\n";

static int bad(const char *fmt, ...)
	__attribute__((format(printf, 1, 2)));

static int bad(const char *fmt, ...)
{
	va_list ap;

	fputs("vgpu: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	return -EINVAL;
}

static int parse_number(const char *option, const char *text,
			unsigned long min, unsigned long max,
			unsigned long *val)
{
	char *end;

	errno = 0;
	*val = strtoul(text, &end, 0);
	if (!*text || *end || errno || *text == '-' || *val < min || *val > max)
		return bad("--%s needs a number from %lu to %lu, not \"%s\"",
			   option, min, max, text);
	return 0;
}

static int parse_count(const char *option, const char *text, u8 *val)
{
	unsigned long n;
	int ret = parse_number(option, text, 1, 32, &n);

	if (!ret)
		*val = (u8)n;
	return ret;
}

static int parse_harvest(const char *text, struct vgpu_options *opt)
{
	unsigned int se, sa, wgp;
	int end = 0;

	if (sscanf(text, "%u.%u.%u%n", &se, &sa, &wgp, &end) != 3 ||
	    text[end] || se >= VGPU_MAX_SE || sa >= VGPU_MAX_SA || wgp >= 16)
		return bad("--harvest needs SE.SA.WGP, such as 0.0.1, not \"%s\"",
			   text);
	opt->harvest[se][sa] |= BIT(wgp);
	return 0;
}

static int parse_vram(const char *text, u32 *val)
{
	unsigned long n;
	int ret = parse_number("vram", text, 16, 16384, &n);

	if (ret)
		return ret;
	if (n & (n - 1))
		return bad("--vram needs a power of two, because it is a BAR, not %lu",
			   n);
	*val = (u32)n;
	return 0;
}

static int parse_trace(char *text, struct vgpu_options *opt)
{
	char *save, *word;

	for (word = strtok_r(text, ",", &save); word;
	     word = strtok_r(NULL, ",", &save)) {
		if (!strcmp(word, "mmio"))
			opt->trace_mmio = true;
		else if (!strcmp(word, "packets"))
			opt->trace_packets = true;
		else if (!strcmp(word, "waves"))
			opt->trace_waves = true;
		else
			return bad("--trace needs mmio, packets or waves, not \"%s\"",
				   word);
	}
	return 0;
}

static void list_profiles(void)
{
	const struct vgpu_profile *const *p;
	unsigned int i, num;

	p = vgpu_profiles(&num);
	for (i = 0; i < num; i++)
		printf("%-16s %s\n", p[i]->name, p[i]->description);
}

static void list_quirks(void)
{
	int i;

	for (i = 0; i < VGPU_NUM_QUIRKS; i++)
		printf("%s=%u\n    %s\n", vgpu_quirk_name(i),
		       vgpu_quirk_default(i), vgpu_quirk_text(i));
}

enum {
	OPT_SE = 256,
	OPT_SA,
	OPT_WGP,
	OPT_HARVEST,
	OPT_VRAM,
	OPT_STRICT,
	OPT_PERSIST,
	OPT_QUIRK,
	OPT_TRACE,
	OPT_VERSION,
};

static const struct option long_options[] = {
	{ "socket", required_argument, NULL, 's' },
	{ "control", required_argument, NULL, 'c' },
	{ "log", required_argument, NULL, 'l' },
	{ "profile", required_argument, NULL, 'p' },
	{ "se", required_argument, NULL, OPT_SE },
	{ "sa", required_argument, NULL, OPT_SA },
	{ "wgp", required_argument, NULL, OPT_WGP },
	{ "harvest", required_argument, NULL, OPT_HARVEST },
	{ "vram", required_argument, NULL, OPT_VRAM },
	{ "strict", no_argument, NULL, OPT_STRICT },
	{ "persist", no_argument, NULL, OPT_PERSIST },
	{ "quirk", required_argument, NULL, OPT_QUIRK },
	{ "trace", required_argument, NULL, OPT_TRACE },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, OPT_VERSION },
	{ NULL, 0, NULL, 0 },
};

static int add_quirk(struct settings *s, const char *text)
{
	if (!strcmp(text, "help")) {
		list_quirks();
		exit(EXIT_SUCCESS);
	}
	if (s->num_quirks == MAX_QUIRK_OPTIONS)
		return bad("too many --quirk options");
	s->quirks[s->num_quirks++] = text;
	return 0;
}

static int set_profile(struct settings *s, const char *name)
{
	if (!strcmp(name, "help")) {
		list_profiles();
		exit(EXIT_SUCCESS);
	}
	s->profile = name;
	return 0;
}

static int parse_option(struct settings *s, int c)
{
	struct vgpu_options *opt = &s->opt;

	switch (c) {
	case 's':
		opt->socket_path = optarg;
		return 0;
	case 'c':
		opt->control_path = optarg;
		return 0;
	case 'l':
		opt->log_path = optarg;
		return 0;
	case 'p':
		return set_profile(s, optarg);
	case OPT_SE:
		return parse_count("se", optarg, &opt->num_se);
	case OPT_SA:
		return parse_count("sa", optarg, &opt->num_sa);
	case OPT_WGP:
		return parse_count("wgp", optarg, &opt->num_wgp);
	case OPT_HARVEST:
		return parse_harvest(optarg, &s->opt);
	case OPT_VRAM:
		return parse_vram(optarg, &opt->vram_mib);
	case OPT_STRICT:
		opt->strict = true;
		return 0;
	case OPT_PERSIST:
		opt->persist = true;
		return 0;
	case OPT_QUIRK:
		return add_quirk(s, optarg);
	case OPT_TRACE:
		return parse_trace(optarg, opt);
	case 'h':
		fputs(usage_text, stdout);
		exit(EXIT_SUCCESS);
	case OPT_VERSION:
		puts("vgpu " VGPU_VERSION);
		exit(EXIT_SUCCESS);
	}
	/* getopt_long() has already printed what is wrong. */
	fputs("Try \"vgpu --help\".\n", stderr);
	return -EINVAL;
}

static int parse_options(struct settings *s, int argc, char **argv)
{
	int c, ret;

	while ((c = getopt_long(argc, argv, "s:c:l:p:h", long_options,
				NULL)) != -1) {
		ret = parse_option(s, c);
		if (ret)
			return ret;
	}
	if (optind < argc)
		return bad("unexpected argument \"%s\"; try \"vgpu --help\"",
			   argv[optind]);
	if (!s->opt.socket_path)
		return bad("no socket is given; use --socket PATH");
	return 0;
}

static int set_quirks(struct vgpu *g, const struct settings *s)
{
	unsigned int i;
	char name[64];

	for (i = 0; i < s->num_quirks; i++) {
		const char *text = s->quirks[i];
		size_t len = strcspn(text, "=");
		unsigned long val;

		if (!text[len] || len >= sizeof(name))
			return bad("--quirk needs NAME=VALUE, not \"%s\"", text);
		memcpy(name, text, len);
		name[len] = 0;
		if (parse_number("quirk", text + len + 1, 0, UINT32_MAX, &val))
			return -EINVAL;
		if (vgpu_quirk_set(g, name, (u32)val))
			return bad("no quirk \"%s\"; \"--quirk help\" lists them",
				   name);
	}
	return 0;
}

/* Create a descriptor by which SIGTERM and SIGINT end the main loop. */
static int make_signal_fd(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	if (sigprocmask(SIG_BLOCK, &set, NULL))
		return -errno;
	signal(SIGPIPE, SIG_IGN);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static void main_loop(struct vgpu *g, int signal_fd)
{
	struct pollfd fds[2 + VGPU_CONTROL_POLLFDS];
	struct timespec ts = { 0 };
	unsigned int num;
	int ready;
	u64 begin, wait = UINT64_MAX;

	while (!g->stop) {
		fds[0] = (struct pollfd) {
			.fd = signal_fd, .events = POLLIN,
		};
		fds[1] = (struct pollfd) {
			.fd = vgpu_transport_fd(g), .events = POLLIN,
		};
		num = vgpu_control_pollfds(g, fds + 2);
		if (wait > POLL_NS && vgpu_polling(g))
			wait = POLL_NS;
		ts.tv_nsec = (long)wait;	/* less than a second */
		ready = ppoll(fds, 2 + num, wait == UINT64_MAX ? NULL : &ts, NULL);
		begin = vgpu_now_ns();
		if (ready > 0) {
			if (fds[0].revents) {
				vgpu_log(g, "ended by a signal");
				return;
			}
			/* Serve the host first: its CPU waits for the answer. */
			if (fds[1].revents)
				vgpu_transport_serve(g);
			vgpu_control_serve(g, fds + 2, num);
		}
		/* If the host has gone, engines that poll its memory would fault. */
		if (!g->stop)
			wait = vgpu_work(g, SLICE_NS);
		g->counters.busy_ns += vgpu_now_ns() - begin;
	}
}

static void log_summary(struct vgpu *g)
{
	u64 total = vgpu_complaints_total(g);
	int i;

#define LOG_COUNTER(name) \
	vgpu_log_each(g, "counter " #name " %llu", (unsigned long long)g->counters.name);
	VGPU_COUNTERS(LOG_COUNTER)
#undef LOG_COUNTER
	for (i = 0; i < VGPU_NUM_COMPLAINTS; i++) {
		u64 n = vgpu_complaints(g, i);
		u64 expected = vgpu_complaints_expected(g, i);

		if (n || expected)
			vgpu_log_each(g, "checker: %s: %llu, and %llu expected",
				      vgpu_complaint_name(i), (unsigned long long)n,
				      (unsigned long long)expected);
	}
	vgpu_log(g, "checker: %llu complaints in all%s",
		 (unsigned long long)total, total ? "" : ": no error was found");
}

int main(int argc, char **argv)
{
	struct settings s = { .profile = "vangogh" };
	const struct vgpu_profile *profile;
	int signal_fd, status;
	struct vgpu g;

	if (parse_options(&s, argc, argv))
		return EXIT_SETUP;
	profile = vgpu_profile_find(s.profile);
	if (!profile) {
		bad("no profile \"%s\"; \"--profile help\" lists them",
		    s.profile);
		return EXIT_SETUP;
	}
	signal_fd = make_signal_fd();
	if (signal_fd < 0) {
		bad("signalfd: %s", strerror(errno));
		return EXIT_SETUP;
	}
	status = vgpu_create(&g, profile, &s.opt);
	if (status) {
		bad("cannot start: %s", strerror(-status));
		return EXIT_SETUP;
	}
	if (set_quirks(&g, &s)) {
		vgpu_destroy(&g);
		return EXIT_SETUP;
	}

	main_loop(&g, signal_fd);
	log_summary(&g);
	status = s.opt.strict && vgpu_complaints_total(&g) ? EXIT_COMPLAINTS : 0;
	vgpu_destroy(&g);
	close(signal_fd);
	return status;
}
