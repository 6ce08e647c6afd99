/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options: the ones that several commands have, and functions that read the arguments of all.
 */
#ifndef WAVECTL_OPTIONS_H
#define WAVECTL_OPTIONS_H

#include <stddef.h>

#include "base/wavectl.h"

/* The last two members of struct option_desc */
#define OPTION_SHARED(member)	offsetof(struct wavectl, member), true
#define OPTION_OF(type, member)	offsetof(type, member), false

/* Values for struct option_desc.parse, and the type of the member that each one sets */
bool option_flag(const char *arg, void *member);	/* bool */
bool option_text(const char *arg, void *member);	/* const char *; not empty */
bool option_positive(const char *arg, void *member);	/* uint64_t, at least 1 */
bool option_optional(const char *arg, void *member);	/* struct optional_u64 */
bool option_seconds(const char *arg, void *member);	/* uint64_t, in ns, at least 1 */
bool option_lanes(const char *arg, void *member);	/* struct lane_range */
bool option_causes(const char *arg, void *member);	/* uint64_t, AMDGPUDBG_CAUSE_* */
bool option_watch_mode(const char *arg, void *member);	/* uint32_t, AMDGPUDBG_WATCH_* */

extern const struct option_desc global_options[];
extern const unsigned int num_global_options;
extern const struct option_desc opt_pid, opt_client, opt_vmid, opt_all, opt_pc, opt_for,
	opt_format, opt_code_object, opt_debug_dir, opt_directory, opt_from, opt_execute;

/* The process: for each command that reads or changes waves */
#define TARGET_OPTIONS &opt_pid, &opt_client
extern const struct option_desc *const target_options[];
extern const struct option_desc *const no_options[];

/* --off of a command whose arguments are of @type and have the member off */
#define OPTION_SET_OFF(type) { \
	"off", 0, NULL, "end what this command has set in the same shell or batch", \
	option_flag, OPTION_OF(type, off), \
}

/* --count of a command whose arguments are of @type and have the member count */
#define OPTION_COUNT_STOPS(type) { \
	"count", 'c', "N", "end the command after N stops", \
	option_positive, OPTION_OF(type, count), \
}

/* --mode of a command whose arguments are of @type and have the member mode */
#define OPTION_WATCH_MODE(type) { \
	"mode", 'm', "MODE", "accesses to watch: read, nonread (default), atomic or all", \
	option_watch_mode, OPTION_OF(type, mode), \
}

/*
 * Parse a word that selects waves, or print an error that quotes the wrong part of it.
 * Returns an exit status.
 */
int parse_spec(struct wavectl *w, const char *text, struct adbg_wave_spec *spec);

/* As parse_spec(), for the argument WAVES: set w->waves. */
int parse_waves(struct wavectl *w, const char *text);

/* Parse one number up to @max, or a range such as 2-4. False: it is neither. */
bool parse_range(const char *arg, uint32_t max, uint32_t *from_number, uint32_t *to_number);
/* The same for lanes */
bool parse_lanes(const char *arg, uint32_t *first_lane, uint32_t *last_lane);

#endif /* WAVECTL_OPTIONS_H */
