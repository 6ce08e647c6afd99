// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See metadata.h.
 */
#include "metadata.h"

#include <limits.h>
#include <string.h>

#include "msgpack.h"

#define NOTE_OWNER	"AMDGPU"
#define NOTE_METADATA	32	/* NT_AMDGPU_METADATA */

/* Keys that every argument has */
#define HAS_OFFSET	(1U << 0)
#define HAS_SIZE	(1U << 1)

/* The arguments of one kernel. They are read when they are first needed. */
struct adbgd_metadata {
	struct adbgd_metadata *next;
	uint64_t descriptor;	/* address of the kernel's descriptor in the file */
	struct adbgd_argument *arguments;
	size_t num, room;
	char *names;		/* all names, each with a 0 at its end */
	size_t names_size;
	uint64_t charged;	/* bytes of ADBGD_COST_NAMES */
};

/* ----------------------------------------------------------------- the note */

static const Elf64_Phdr *find_segment(const struct adbgd_elf *elf)
{
	unsigned int i;

	for (i = 0; i < elf->num_segments; i++) {
		if (elf->segments[i].p_type == PT_NOTE && elf->segments[i].p_filesz)
			return &elf->segments[i];
	}
	return NULL;
}

int adbgd_metadata_find(struct adbgd_code *code, const struct adbgd_elf *elf,
			struct adbgd_error *error)
{
	const Elf64_Phdr *p = find_segment(elf);
	int ret;

	if (!p)
		return 0;
	code->notes.size = p->p_filesz;
	code->notes.bytes = adbgd_elf_bytes(elf, p->p_vaddr, p->p_filesz);
	if (elf->bytes || p->p_filesz > ADBGD_NOTES_COPY_MAX)
		return 0;
	code->notes_copy = malloc(p->p_filesz);
	if (!code->notes_copy)
		return adbgd_no_memory(error, code->name);
	ret = adbgd_elf_read(elf, p->p_vaddr, code->notes_copy, p->p_filesz, error);
	if (!ret)
		code->notes.bytes = code->notes_copy;
	return ret == -EINTR || ret == -ENOMEM ? ret : 0;
}

static uint64_t padded(uint64_t size)
{
	return (size + 3) & ~3ULL;
}

/* Find the content of the metadata among the notes. */
static bool find_note(const struct adbgd_section *notes, struct adbgd_cursor *content)
{
	struct adbgd_cursor c;
	Elf64_Nhdr h;

	if (!adbgd_cursor_begin(&c, notes, 0))
		return false;
	while ((uint64_t)(c.end - c.at) >= sizeof(h)) {
		const uint8_t *name = c.at + sizeof(h);

		memcpy(&h, c.at, sizeof(h));
		adbgd_cursor_skip(&c, sizeof(h));
		adbgd_cursor_skip(&c, padded(h.n_namesz));
		if (c.bad || h.n_descsz > c.end - c.at)
			return false;
		if (h.n_type == NOTE_METADATA && h.n_namesz == sizeof(NOTE_OWNER) &&
		    !memcmp(name, NOTE_OWNER, sizeof(NOTE_OWNER))) {
			*content = (struct adbgd_cursor){ .at = c.at, .end = c.at + h.n_descsz };
			return true;
		}
		adbgd_cursor_skip(&c, padded(h.n_descsz));
	}
	return false;
}

/* -------------------------------------------------------------- its content */

/* There is room for all names, because in the note each has a byte for its length. */
static bool take_name(struct adbgd_metadata *m, const struct adbgd_msgpack *object,
		      const char **name)
{
	char *to = m->names + m->names_size;
	uint64_t length = object->number;

	if (object->kind != ADBGD_MSGPACK_STRING)
		return false;
	if (length > PATH_MAX - 1)
		length = PATH_MAX - 1;
	memcpy(to, object->bytes, length);
	to[length] = '\0';
	m->names_size += length + 1;
	*name = to;
	return true;
}

static bool take_number(const struct adbgd_msgpack *object, uint32_t *number)
{
	if (object->kind != ADBGD_MSGPACK_UINT || object->number > UINT32_MAX)
		return false;
	*number = object->number;
	return true;
}

/* Read the next object; false: it is not of this kind, or malformed. */
static bool read_as(struct adbgd_cursor *c, enum adbgd_msgpack_kind kind,
		    struct adbgd_msgpack *object)
{
	return adbgd_msgpack_read(c, object) && object->kind == kind;
}

/* Read the key and the value of an element of a map; of an array or a map only the number. */
static bool read_pair(struct adbgd_cursor *c, struct adbgd_msgpack *key,
		      struct adbgd_msgpack *value)
{
	return read_as(c, ADBGD_MSGPACK_STRING, key) && adbgd_msgpack_read(c, value);
}

static bool read_argument(struct adbgd_metadata *m, struct adbgd_cursor *c,
			  struct adbgd_argument *a)
{
	bool good = true;
	uint32_t has = 0;
	struct adbgd_msgpack map, key, value;

	memset(a, 0, sizeof(*a));
	if (!read_as(c, ADBGD_MSGPACK_MAP, &map))
		return false;
	for (; good && map.number; map.number--) {
		if (!read_pair(c, &key, &value))
			return false;
		if (adbgd_msgpack_is(&key, ".offset")) {
			good = take_number(&value, &a->offset);
			has |= HAS_OFFSET;
		} else if (adbgd_msgpack_is(&key, ".size")) {
			good = take_number(&value, &a->size);
			has |= HAS_SIZE;
		} else if (adbgd_msgpack_is(&key, ".value_kind")) {
			good = take_name(m, &value, &a->value_kind);
		} else if (adbgd_msgpack_is(&key, ".name")) {
			good = take_name(m, &value, &a->name);
		} else if (adbgd_msgpack_is(&key, ".type_name")) {
			good = take_name(m, &value, &a->type_name);
		} else {
			good = adbgd_msgpack_skip(c, &value);
		}
	}
	if (!good || has != (HAS_OFFSET | HAS_SIZE) || !a->value_kind)
		return false;
	a->flags = strncmp(a->value_kind, "hidden_", 7) ? 0 : ADBGD_ARGUMENT_HIDDEN;
	return true;
}

/* Return: 0, -EBADMSG, -E2BIG, -EINTR or -ENOMEM; @error is not set for -EBADMSG. */
static int read_arguments(struct adbgd_code *code, struct adbgd_metadata *m,
			  struct adbgd_cursor *c, const struct adbgd_msgpack *array,
			  struct adbgd_error *error)
{
	uint64_t left = array->number;
	int ret;

	if (array->kind != ADBGD_MSGPACK_ARRAY)
		return -EBADMSG;
	for (m->num = 0; left; left--, m->num++) {
		struct adbgd_argument *grown = adbgd_grow(m->arguments, m->num, &m->room,
							  sizeof(*grown));

		if (!grown)
			return adbgd_no_memory(error, code->name);
		m->arguments = grown;
		ret = adbgd_spend(&code->budget, ADBGD_COST_NAMES, sizeof(*grown), code->name,
				  error);
		m->charged += ret == -E2BIG ? 0 : sizeof(*grown);
		if (ret)
			return ret;
		if (!read_argument(m, c, &grown[m->num]))
			return -EBADMSG;
	}
	return 0;
}

/* No argument may be outside of the segment. */
static bool are_inside(const struct adbgd_metadata *m, uint32_t segment)
{
	size_t i;

	for (i = 0; i < m->num; i++) {
		const struct adbgd_argument *a = &m->arguments[i];

		if (a->offset > segment || a->size > segment - a->offset)
			return false;
	}
	return true;
}

/* Read the kernel at @c, whose metadata is well-formed MessagePack. */
static int read_kernel(struct adbgd_code *code, struct adbgd_metadata *m,
		       struct adbgd_cursor *c, struct adbgd_error *error)
{
	struct adbgd_msgpack map, key, value;
	bool has_segment = false;
	uint32_t segment = 0;
	int ret = 0;

	if (!read_as(c, ADBGD_MSGPACK_MAP, &map))
		return -EBADMSG;
	for (; !ret && map.number; map.number--) {
		if (!read_pair(c, &key, &value))
			return -EBADMSG;
		if (adbgd_msgpack_is(&key, ".args")) {
			ret = read_arguments(code, m, c, &value, error);
		} else if (adbgd_msgpack_is(&key, ".kernarg_segment_size")) {
			has_segment = take_number(&value, &segment);
			ret = has_segment ? 0 : -EBADMSG;
		} else {
			ret = adbgd_msgpack_skip(c, &value) ? 0 : -EBADMSG;
		}
	}
	return ret || (has_segment && are_inside(m, segment)) ? ret : -EBADMSG;
}

/* Is this object the name of the descriptor? A kernel without a symbol has the same name. */
static bool is_symbol(const struct adbgd_msgpack *object, const char *name)
{
	size_t length = strlen(name);

	if (length > 3 && !strcmp(name + length - 3, ".kd"))
		length -= 3;
	return object->kind == ADBGD_MSGPACK_STRING && object->number == length + 3 &&
	       !memcmp(object->bytes, name, length) && !memcmp(object->bytes + length, ".kd", 3);
}

/* Skip a kernel. Return: 1 it is the one of this name; 0 it is another one; -EBADMSG. */
static int skip_kernel(struct adbgd_cursor *c, const char *name)
{
	struct adbgd_msgpack map, key, value;
	int found = 0;

	if (!read_as(c, ADBGD_MSGPACK_MAP, &map))
		return -EBADMSG;
	for (; map.number; map.number--) {
		if (!read_pair(c, &key, &value) || !adbgd_msgpack_skip(c, &value))
			return -EBADMSG;
		if (adbgd_msgpack_is(&key, ".symbol") && is_symbol(&value, name))
			found = 1;
	}
	return found;
}

/*
 * Find a kernel. Return: 1, and @kernel has the bytes of its map; 0 there is none of this name;
 * -EBADMSG, and @c is where.
 */
static int find_kernel(struct adbgd_cursor *c, const char *name, struct adbgd_cursor *kernel)
{
	struct adbgd_msgpack map, key, value;
	int found = 0;

	if (!read_as(c, ADBGD_MSGPACK_MAP, &map))
		return -EBADMSG;
	for (; map.number; map.number--) {
		if (!read_pair(c, &key, &value))
			return -EBADMSG;
		if (!adbgd_msgpack_is(&key, "amdhsa.kernels")) {
			if (!adbgd_msgpack_skip(c, &value))
				return -EBADMSG;
			continue;
		}
		if (value.kind != ADBGD_MSGPACK_ARRAY)
			return -EBADMSG;
		for (; value.number && !found; value.number--) {
			kernel->at = c->at;
			found = skip_kernel(c, name);
			kernel->end = c->at;
		}
		if (found)
			return found;
	}
	return 0;
}

static void free_metadata(struct adbgd_code *code, struct adbgd_metadata *m)
{
	adbgd_unspend(&code->budget, ADBGD_COST_NAMES, m->charged);
	free(m->arguments);
	free(m->names);
	free(m);
}

static int fill(struct adbgd_code *code, struct adbgd_metadata *m, struct adbgd_cursor *kernel,
		struct adbgd_error *error)
{
	size_t size = kernel->end - kernel->at;
	int ret;

	ret = adbgd_spend(&code->budget, ADBGD_COST_NAMES, size, code->name, error);
	m->charged = ret == -E2BIG ? 0 : size;
	if (ret)
		return ret;
	m->names = malloc(size + 1);
	if (!m->names)
		return adbgd_no_memory(error, code->name);
	return read_kernel(code, m, kernel, error);
}

static int read_metadata(struct adbgd_code *code, struct adbgd_metadata *m,
			 const struct adbgd_kernel *kernel, struct adbgd_error *error)
{
	struct adbgd_cursor all, of = { 0 };
	const uint8_t *start;
	int ret;

	if (!find_note(&code->notes, &all))
		return adbgd_fail(error, -ENODATA, "%s has no metadata of its kernels",
				  code->name);
	start = all.at;
	ret = adbgd_spend(&code->budget, ADBGD_COST_STEPS, all.end - all.at, code->name, error);
	if (ret)
		return ret;
	ret = find_kernel(&all, kernel->name, &of);
	if (!ret)
		return adbgd_fail(error, -ENODATA, "%s has no metadata of the kernel %.128s",
				  code->name, kernel->name);
	if (ret > 0) {
		all = of;
		ret = fill(code, m, &all, error);
	}
	return ret != -EBADMSG ? ret :
	       adbgd_fail(error, ret, "%s: the metadata of its kernels is malformed at byte %llu",
			  code->name, (unsigned long long)(all.at - start));
}

static int get_metadata(struct adbgd_code *code, const struct adbgd_kernel *kernel,
			struct adbgd_metadata **metadata, struct adbgd_error *error)
{
	uint64_t descriptor = kernel->descriptor - code->info.bias;
	struct adbgd_metadata *m;
	int ret;

	for (m = code->metadata; m; m = m->next) {
		if (m->descriptor == descriptor) {
			*metadata = m;
			return 0;
		}
	}
	m = calloc(1, sizeof(*m));
	if (!m)
		return adbgd_no_memory(error, code->name);
	ret = read_metadata(code, m, kernel, error);
	if (ret) {
		free_metadata(code, m);
		return ret;
	}
	m->descriptor = descriptor;
	m->next = code->metadata;
	code->metadata = m;
	*metadata = m;
	return 0;
}

void adbgd_metadata_free(struct adbgd_code *code)
{
	struct adbgd_metadata *next;

	for (; code->metadata; code->metadata = next) {
		next = code->metadata->next;
		free_metadata(code, code->metadata);
	}
	free(code->notes_copy);
}

ADBGD_API int adbgd_kernel_get_arguments(struct adbgd_code *code,
					 const struct adbgd_kernel *kernel,
					 const struct adbgd_argument **arguments, size_t *num,
					 struct adbgd_error *error)
{
	struct adbgd_metadata *m = NULL;
	int ret;

	adbgd_budget_begin(&code->budget);
	ret = get_metadata(code, kernel, &m, error);
	if (ret)
		return ret;
	*arguments = m->arguments;
	*num = m->num;
	return 0;
}
