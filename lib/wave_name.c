// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Names of wave slots, and filters for them.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "internal.h"

enum { XCC, SE, SA, WGP, SIMD, WAVE, NUM_PLACES };

/* Names of the levels; the first one is printed */
static const char *const place_names[NUM_PLACES][2] = {
	[XCC] = { "xcc" },
	[SE] = { "se" },
	[SA] = { "sa", "sh" },
	[WGP] = { "wgp", "cu" },
	[SIMD] = { "simd" },
	[WAVE] = { "wave" },
};

static const struct adbg_range any = { .last = ADBG_RANGE_MAX };

ADBG_API char *adbg_wave_name(const struct amdgpudbg_wave_coord *at,
			      char name[ADBG_WAVE_NAME_MAX])
{
	int n = 0;

	if (at->xcc)
		n = snprintf(name, ADBG_WAVE_NAME_MAX, "xcc%u.", at->xcc);
	snprintf(name + n, ADBG_WAVE_NAME_MAX - n,
		 "se%u.sa%u.wgp%u.simd%u.wave%u", at->se, at->sa, at->wgp,
		 at->simd, at->wave);
	return name;
}

/* Find the level whose name @text begins with, and its length; -1: none. */
static int named_place(const char *text, size_t *len)
{
	size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyz");

	for (int place = 0; place < NUM_PLACES; place++) {
		for (size_t i = 0; i < ARRAY_SIZE(place_names[0]); i++) {
			const char *name = place_names[place][i];

			if (name && strlen(name) == n &&
			    !strncmp(text, name, n)) {
				*len = n;
				return place;
			}
		}
	}

	return -1;
}

static int parse_number(const char **text, uint16_t *number)
{
	uint32_t value = 0;

	if (!isdigit((unsigned char)**text))
		return -EINVAL;

	for (; isdigit((unsigned char)**text); (*text)++) {
		value = value * 10 + (**text - '0');
		if (value > UINT16_MAX)
			return -ERANGE;
	}

	*number = value;
	return 0;
}

static int parse_range(const char **text, struct adbg_range *range)
{
	int ret;

	if (**text == '*') {
		(*text)++;
		*range = any;
		return 0;
	}

	ret = parse_number(text, &range->first);
	if (ret)
		return ret;

	range->last = range->first;
	if (**text == '-') {
		(*text)++;
		ret = parse_number(text, &range->last);
		if (!ret && range->last < range->first)
			ret = -EINVAL;
	}

	return ret;
}

static unsigned int count_parts(const char *text)
{
	unsigned int n = 1;

	for (; *text; text++)
		n += *text == '.';

	return n;
}

/*
 * Parse one part. Its level is the one that it names, or @next. On success @text is moved behind
 * the part, and @next is the following level.
 */
static int parse_part(const char **text, int *next, struct adbg_range *ranges)
{
	struct adbg_range range = { .first = 0 };
	const char *p = *text;
	size_t len = 0;
	int place = *next;
	int ret;

	if (isalpha((unsigned char)*p)) {
		place = named_place(p, &len);
		if (place < *next)
			return -EINVAL;
		p += len;
	}
	if (place >= NUM_PLACES)
		return -EINVAL;

	ret = parse_range(&p, &range);
	if (ret)
		return ret;
	if (*p && *p != '.')
		return -EINVAL;

	ranges[place] = range;
	*next = place + 1;
	*text = p;
	return 0;
}

/* Does the text have an xcc? Only one with all parts, or with the name, does. */
static bool names_xcc(const char *text)
{
	return count_parts(text) == NUM_PLACES || !strncmp(text, "xcc", 3);
}

static int parse_parts(const char **text, struct adbg_range *ranges)
{
	int next = names_xcc(*text) ? XCC : SE;
	int ret;

	for (;;) {
		ret = parse_part(text, &next, ranges);
		if (ret || !**text)
			return ret;
		(*text)++;
	}
}

static bool is_one(struct adbg_range range)
{
	return range.first == range.last;
}

ADBG_API int adbg_wave_spec_parse(const char *text, struct adbg_wave_spec *spec,
				  size_t *bad)
{
	struct adbg_range r[NUM_PLACES] = { any, any, any, any, any, any };
	const char *p = text;
	int ret = 0;

	if (!text)
		return -EINVAL;

	if (strcmp(text, "*"))
		ret = parse_parts(&p, r);
	if (ret) {
		if (bad)
			*bad = p - text;
		return ret;
	}

	/*
	 * If one WGP is meant, xcc is 0, which adbg_wave_name() omits. Otherwise any xcc is
	 * meant.
	 */
	if (!names_xcc(text) && is_one(r[SE]) && is_one(r[SA]) && is_one(r[WGP]))
		r[XCC].last = 0;

	*spec = (struct adbg_wave_spec){
		.xcc = r[XCC],
		.se = r[SE],
		.sa = r[SA],
		.wgp = r[WGP],
		.simd = r[SIMD],
		.wave = r[WAVE],
	};
	return 0;
}

static bool in_range(struct adbg_range range, uint16_t value)
{
	return value >= range.first && value <= range.last;
}

ADBG_API bool adbg_wave_spec_match(const struct adbg_wave_spec *spec,
				   const struct amdgpudbg_wave_coord *at)
{
	return in_range(spec->xcc, at->xcc) && in_range(spec->se, at->se) &&
	       in_range(spec->sa, at->sa) && in_range(spec->wgp, at->wgp) &&
	       in_range(spec->simd, at->simd) && in_range(spec->wave, at->wave);
}

static bool is_any(struct adbg_range range)
{
	return range.first == any.first && range.last == any.last;
}

/* Does the filter select one WGP, with any SIMDs and waves? */
static bool one_wgp(const struct adbg_wave_spec *spec)
{
	return is_one(spec->xcc) && is_one(spec->se) && is_one(spec->sa) &&
	       is_one(spec->wgp);
}

static bool every_wgp(const struct adbg_wave_spec *spec)
{
	return is_any(spec->xcc) && is_any(spec->se) && is_any(spec->sa) &&
	       is_any(spec->wgp);
}

static int mode_of(const struct adbg_wave_spec *spec)
{
	if (one_wgp(spec) && is_one(spec->simd) && is_one(spec->wave))
		return AMDGPUDBG_WAVEMODE_SINGLE;
	if (!is_any(spec->simd) || !is_any(spec->wave))
		return -ENOENT;
	if (one_wgp(spec))
		return AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS_CU;
	return every_wgp(spec) ? AMDGPUDBG_WAVEMODE_BROADCAST_PROCESS : -ENOENT;
}

/* A level for which any number matches gets 0, as the modes require. */
static struct amdgpudbg_wave_coord first_slot(const struct adbg_wave_spec *spec)
{
	return (struct amdgpudbg_wave_coord){
		.xcc = spec->xcc.first,
		.se = spec->se.first,
		.sa = spec->sa.first,
		.wgp = spec->wgp.first,
		.simd = spec->simd.first,
		.wave = spec->wave.first,
	};
}

ADBG_API int adbg_wave_spec_mode(const struct adbg_wave_spec *spec,
				 struct amdgpudbg_wave_coord *at)
{
	int mode = mode_of(spec);

	if (mode >= 0 && at)
		*at = first_slot(spec);
	return mode;
}
