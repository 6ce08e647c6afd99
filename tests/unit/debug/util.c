// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * See util.h.
 */
#include "util.h"

#include <elf.h>
#include <stdio.h>

char *run_tool(const char *format, ...)
{
	size_t size = 0, room = 1 << 16;
	char command[1024], *text = malloc(room);
	va_list args;
	FILE *pipe;
	size_t n;

	va_start(args, format);
	vsnprintf(command, sizeof(command), format, args);
	va_end(args);
	pipe = popen(command, "r");
	assert_non_null(pipe);
	assert_non_null(text);
	while ((n = fread(text + size, 1, room - size - 1, pipe)) > 0) {
		size += n;
		if (room - size < 4096) {
			room *= 2;
			text = realloc(text, room);
			assert_non_null(text);
		}
	}
	text[size] = 0;
	if (pclose(pipe))
		fail_msg("%s fails", command);
	return text;
}

uint32_t line_of(const char *path, const char *text)
{
	char *number = run_tool("grep -n '%s' %s | cut -d: -f1", text, path);
	uint32_t line = atoi(number);

	free(number);
	return line;
}

int read_zero_register(void *data, uint32_t space, uint32_t number, uint32_t lane,
		       uint32_t *value)
{
	(void)data;
	(void)space;
	(void)number;
	(void)lane;
	*value = 0;
	return 0;
}

char *next_line(char **text)
{
	char *line = *text, *end;

	if (!*line)
		return NULL;
	end = strchrnul(line, '\n');
	*text = *end ? end + 1 : end;
	*end = 0;
	return line;
}

uint8_t *read_whole(const char *path, size_t *size)
{
	FILE *file = fopen(path, "r");
	uint8_t *bytes;

	if (!file)
		fail_msg("%s cannot be opened", path);
	fseek(file, 0, SEEK_END);
	*size = ftell(file);
	rewind(file);
	bytes = malloc(*size + 1);
	assert_non_null(bytes);
	assert_int_equal(fread(bytes, 1, *size, file), *size);
	fclose(file);
	return bytes;
}

struct adbgd_code *open_code(const char *path)
{
	struct adbgd_code *code = NULL;
	struct adbgd_error error;

	if (adbgd_code_open(path, &code, &error))
		fail_msg("%s", error.text);
	return code;
}

static int fake_read(void *data, uint64_t address, void *buffer, size_t size)
{
	struct fake_memory *fake = data;
	size_t i;

	fake->reads++;
	for (i = 0; i < fake->num; i++) {
		uint64_t in = address - fake->pieces[i].start;

		if (in < fake->pieces[i].size && size <= fake->pieces[i].size - in) {
			memcpy(buffer, fake->pieces[i].bytes + in, size);
			fake->bytes_read += size;
			return 0;
		}
	}
	return -ENXIO;
}

void fake_init(struct fake_memory *fake)
{
	memset(fake, 0, sizeof(*fake));
	fake->memory.read = fake_read;
	fake->memory.data = fake;
}

uint8_t *fake_add(struct fake_memory *fake, uint64_t start, size_t size)
{
	uint8_t *bytes = calloc(1, size);

	assert_non_null(bytes);
	assert_true(fake->num < ARRAY_SIZE(fake->pieces));
	fake->spans[fake->num].start = start;
	fake->spans[fake->num].size = size;
	fake->pieces[fake->num].start = start;
	fake->pieces[fake->num].size = size;
	fake->pieces[fake->num++].bytes = bytes;
	return bytes;
}

void fake_free(struct fake_memory *fake)
{
	while (fake->num)
		free(fake->pieces[--fake->num].bytes);
}

size_t load_segments(const uint8_t *file, uint8_t *to)
{
	const Elf64_Ehdr *h = (const Elf64_Ehdr *)file;
	const Elf64_Phdr *p = (const Elf64_Phdr *)(file + h->e_phoff);
	size_t end = 0, i;

	for (i = 0; i < h->e_phnum; i++) {
		if (p[i].p_type != PT_LOAD)
			continue;
		memcpy(to + p[i].p_vaddr, file + p[i].p_offset, p[i].p_filesz);
		if (p[i].p_vaddr + p[i].p_memsz > end)
			end = p[i].p_vaddr + p[i].p_memsz;
	}
	return end;
}
