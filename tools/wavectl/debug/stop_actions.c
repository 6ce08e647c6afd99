// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the shell does when waves stop: see stop_actions.h.
 */
#include "debug/stop_actions.h"

#include <stdlib.h>
#include <string.h>

#include "base/util.h"

static void free_lines(struct stop_commands *c)
{
	for (size_t i = 0; i < c->num_lines; i++)
		free(c->lines[i]);
	free(c->lines);
}

static void free_display(struct stop_display *display)
{
	free(display->text);
	free(display->line);
}

static struct stop_commands *find(const struct stop_actions *s, uint32_t breakpoint)
{
	for (size_t i = 0; i < s->num_commands; i++)
		if (s->commands[i].breakpoint == breakpoint)
			return &s->commands[i];
	return NULL;
}

const struct stop_commands *stop_actions_commands(const struct stop_actions *s, uint32_t breakpoint)
{
	return find(s, breakpoint);
}

void stop_actions_set_commands(struct stop_actions *s, uint32_t breakpoint, bool is_silent,
			       char **lines, size_t num_lines)
{
	struct stop_commands *c = find(s, breakpoint);

	if (c) {
		free_lines(c);
	} else {
		s->commands = xreallocarray(s->commands, s->num_commands + 1,
					    sizeof(*s->commands));
		c = &s->commands[s->num_commands++];
	}
	*c = (struct stop_commands){
		.breakpoint = breakpoint, .is_silent = is_silent,
		.lines = lines, .num_lines = num_lines,
	};
	if (!num_lines && !is_silent) {
		free_lines(c);
		*c = s->commands[--s->num_commands];
	}
}

const char *stop_actions_condition(const struct stop_actions *s, uint32_t breakpoint)
{
	for (size_t i = 0; i < s->num_conditions; i++)
		if (s->conditions[i].breakpoint == breakpoint)
			return s->conditions[i].text;
	return NULL;
}

void stop_actions_set_condition(struct stop_actions *s, uint32_t breakpoint, const char *text)
{
	size_t i = 0;

	while (i < s->num_conditions && s->conditions[i].breakpoint != breakpoint)
		i++;
	if (i < s->num_conditions) {
		free(s->conditions[i].text);
		s->conditions[i] = s->conditions[--s->num_conditions];
	}
	if (!text)
		return;
	s->conditions = xreallocarray(s->conditions, s->num_conditions + 1,
				      sizeof(*s->conditions));
	s->conditions[s->num_conditions++] = (struct stop_condition){
		.breakpoint = breakpoint, .text = xstrdup(text),
	};
}

uint32_t stop_actions_add_display(struct stop_actions *s, const char *text, const char *line)
{
	s->displays = xreallocarray(s->displays, s->num_displays + 1, sizeof(*s->displays));
	s->displays[s->num_displays++] = (struct stop_display){
		.number = ++s->last_display, .text = xstrdup(text), .line = xstrdup(line),
		.is_due = true,
	};
	return s->last_display;
}

bool stop_actions_drop_display(struct stop_actions *s, uint32_t number)
{
	size_t i = 0;

	while (i < s->num_displays && s->displays[i].number != number)
		i++;
	if (i == s->num_displays)
		return false;
	free_display(&s->displays[i]);
	memmove(&s->displays[i], &s->displays[i + 1],
		(--s->num_displays - i) * sizeof(*s->displays));
	return true;
}

void stop_actions_show_all(struct stop_actions *s)
{
	for (size_t i = 0; i < s->num_displays; i++)
		s->displays[i].is_due = true;
}

void stop_actions_note(struct stop_actions *s, const struct adbgd_stop *stop)
{
	stop_actions_show_all(s);
	if (!stop->breakpoint || !find(s, stop->breakpoint))
		return;
	s->due = xreallocarray(s->due, s->num_due + 1, sizeof(*s->due));
	s->due[s->num_due++] = (struct stop_due){
		.breakpoint = stop->breakpoint, .at = stop->at, .pc = stop->pc,
	};
}

bool stop_actions_take(struct stop_actions *s, struct stop_due *due)
{
	if (!s->num_due)
		return false;
	*due = s->due[0];
	memmove(s->due, s->due + 1, --s->num_due * sizeof(*s->due));
	return true;
}

void stop_actions_free(struct stop_actions *s)
{
	for (size_t i = 0; i < s->num_commands; i++)
		free_lines(&s->commands[i]);
	for (size_t i = 0; i < s->num_displays; i++)
		free_display(&s->displays[i]);
	for (size_t i = 0; i < s->num_conditions; i++)
		free(s->conditions[i].text);
	free(s->conditions);
	free(s->commands);
	free(s->displays);
	free(s->due);
}
