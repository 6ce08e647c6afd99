// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reader of the BTF type format. Every offset, id and length in a blob is checked once,
 * in wdbg_btf_parse(), or where it is followed; a malformed blob gives -EBADMSG, never
 * a wild read or an endless loop.
 *
 * Compiles in the kernel and on the host, see btf_port.h.
 */
#include "amdgpu/btf.h"

/* Maximum number of typedefs, qualifiers and array dimensions around one type */
#define MAX_CHAIN	32
/* Maximum depth of anonymous structures and unions */
#define MAX_NESTING	16
/* Maximum length of a type or member name within a path */
#define MAX_NAME	64

static const struct btf_type *btf_type_at(const struct wdbg_btf *btf, u32 pos)
{
	return (const struct btf_type *)(btf->types + pos);
}

/* NULL for void (id 0) and for ids that do not exist. */
static const struct btf_type *btf_type_of_id(const struct wdbg_btf *btf, u32 id)
{
	while (btf && id < btf->first_id)
		btf = btf->base;
	if (!btf || id - btf->first_id >= btf->num_types)
		return NULL;
	return btf_type_at(btf, btf->index[id - btf->first_id]);
}

/* NULL for offsets that do not exist. */
static const char *btf_string(const struct wdbg_btf *btf, u32 off)
{
	while (btf && off < btf->first_str)
		btf = btf->base;
	if (!btf || off - btf->first_str >= btf->strs_len)
		return NULL;
	return btf->strs + (off - btf->first_str);
}

static const char *btf_type_name(const struct wdbg_btf *btf,
				 const struct btf_type *type)
{
	const char *name = type ? btf_string(btf, type->name_off) : NULL;

	return name ? name : "";
}

/* Number of bytes that follow struct btf_type; -EBADMSG for an unknown kind */
static int btf_type_tail(const struct btf_type *type)
{
	u32 vlen = BTF_INFO_VLEN(type->info);

	switch (BTF_INFO_KIND(type->info)) {
	case BTF_KIND_PTR:
	case BTF_KIND_FWD:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_FUNC:
	case BTF_KIND_FLOAT:
	case BTF_KIND_TYPE_TAG:
		return 0;
	case BTF_KIND_INT:
		return sizeof(u32);
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return vlen * sizeof(struct btf_member);
	case BTF_KIND_ENUM:
		return vlen * sizeof(struct btf_enum);
	case BTF_KIND_ENUM64:
		return vlen * sizeof(struct btf_enum64);
	case BTF_KIND_FUNC_PROTO:
		return vlen * sizeof(struct btf_param);
	case BTF_KIND_VAR:
		return sizeof(struct btf_var);
	case BTF_KIND_DATASEC:
		return vlen * sizeof(struct btf_var_secinfo);
	case BTF_KIND_DECL_TAG:
		return sizeof(struct btf_decl_tag);
	default:
		return -EBADMSG;
	}
}

/* Walk the type section; with @index, store the offset of each type there. */
static int btf_walk_types(const struct wdbg_btf *btf, u32 *index)
{
	const struct btf_type *type;
	u32 pos = 0, num = 0;
	int tail;

	while (pos < btf->types_len) {
		u32 left = btf->types_len - pos;

		if (left < sizeof(*type))
			return -EBADMSG;
		type = btf_type_at(btf, pos);
		tail = btf_type_tail(type);
		if (tail < 0 || left - sizeof(*type) < (u32)tail)
			return -EBADMSG;
		if (!btf_string(btf, type->name_off))
			return -EBADMSG;
		if (index)
			index[num] = pos;
		num++;
		pos += sizeof(*type) + tail;
	}
	return num;
}

static int btf_parse_header(struct wdbg_btf *btf, const void *data, size_t size)
{
	const struct btf_header *hdr = data;
	size_t room;

	/* str_len is the last member of the header's first version. */
	if (size < offsetof(struct btf_header, str_len) + sizeof(hdr->str_len))
		return -EBADMSG;
	if (hdr->magic != BTF_MAGIC || hdr->version != BTF_VERSION)
		return -EBADMSG;
	if (hdr->hdr_len < offsetof(struct btf_header, str_len) +
			   sizeof(hdr->str_len) || hdr->hdr_len > size ||
	    hdr->hdr_len % sizeof(u32))
		return -EBADMSG;
	room = size - hdr->hdr_len;
	if (hdr->type_off > room || hdr->type_len > room - hdr->type_off ||
	    hdr->str_off > room || hdr->str_len > room - hdr->str_off ||
	    hdr->type_off % sizeof(u32))
		return -EBADMSG;

	btf->types = (const u8 *)data + hdr->hdr_len + hdr->type_off;
	btf->types_len = hdr->type_len;
	btf->strs = (const char *)data + hdr->hdr_len + hdr->str_off;
	btf->strs_len = hdr->str_len;
	if (!btf->strs_len || btf->strs[btf->strs_len - 1])
		return -EBADMSG;
	/* Offset 0 is the empty string; a split blob has it in its base. */
	if (!btf->base && btf->strs[0])
		return -EBADMSG;
	return 0;
}

/**
 * wdbg_btf_parse() - check a blob and prepare it for look-ups
 * @btf: filled in
 * @data: the blob, 4-byte aligned; must exist until wdbg_btf_release()
 * @size: bytes in @data
 * @base: the blob that this one extends, or NULL
 *
 * Return: 0, -EBADMSG if it is malformed or has an unknown kind of type, -ENOMEM. After
 *	an error there is nothing to release.
 */
int wdbg_btf_parse(struct wdbg_btf *btf, const void *data, size_t size,
		   const struct wdbg_btf *base)
{
	int ret;

	memset(btf, 0, sizeof(*btf));
	btf->base = base;
	btf->first_id = base ? base->first_id + base->num_types : 1;
	btf->first_str = base ? base->first_str + base->strs_len : 0;

	ret = btf_parse_header(btf, data, size);
	if (ret)
		return ret;
	ret = btf_walk_types(btf, NULL);
	if (ret < 0)
		return ret;
	btf->index = kvcalloc(ret ? ret : 1, sizeof(*btf->index), GFP_KERNEL);
	if (!btf->index)
		return -ENOMEM;
	btf->num_types = btf_walk_types(btf, btf->index);
	return 0;
}

/**
 * wdbg_btf_release() - free what wdbg_btf_parse() allocated
 * @btf: from wdbg_btf_parse(), or zeroed
 */
void wdbg_btf_release(struct wdbg_btf *btf)
{
	kvfree(btf->index);
	memset(btf, 0, sizeof(*btf));
}

/* Find the first type of this kind and name in @btf itself, 0 if there is none. */
static u32 btf_find_here(const struct wdbg_btf *btf, u32 kind, const char *name,
			 u32 after)
{
	u32 i = after < btf->first_id ? 0 : after - btf->first_id + 1;

	for (; i < btf->num_types; i++) {
		const struct btf_type *type = btf_type_at(btf, btf->index[i]);

		if (BTF_INFO_KIND(type->info) == kind &&
		    !strcmp(btf_type_name(btf, type), name))
			return btf->first_id + i;
	}
	return 0;
}

/*
 * Find a structure by name, in the module's blob or else in its base. pahole may leave
 * several copies of one structure (Debian's 7.2 amdgpu has up to 11); they must agree,
 * or nothing about this structure can be trusted.
 */
static int btf_find_struct(const struct wdbg_btf *btf, const char *name, u32 *id)
{
	const struct btf_type *type;
	u32 first, next;

	for (; btf; btf = btf->base) {
		first = btf_find_here(btf, BTF_KIND_STRUCT, name, 0);
		if (!first)
			continue;
		type = btf_type_of_id(btf, first);
		next = first;
		while ((next = btf_find_here(btf, BTF_KIND_STRUCT, name, next)))
			if (btf_type_of_id(btf, next)->size != type->size)
				return -EBADMSG;
		*id = first;
		return 0;
	}
	return -ENOENT;
}

/* Skip typedefs and qualifiers. */
static int btf_skip_modifiers(const struct wdbg_btf *btf, u32 id, u32 *out)
{
	int i;

	for (i = 0; i < MAX_CHAIN; i++) {
		const struct btf_type *type = btf_type_of_id(btf, id);

		if (!type) {
			*out = 0;
			return id ? -EBADMSG : 0;
		}
		switch (BTF_INFO_KIND(type->info)) {
		case BTF_KIND_TYPEDEF:
		case BTF_KIND_VOLATILE:
		case BTF_KIND_CONST:
		case BTF_KIND_RESTRICT:
		case BTF_KIND_TYPE_TAG:
			id = type->type;
			break;
		default:
			*out = id;
			return 0;
		}
	}
	return -EBADMSG;
}

static int btf_elem_size(const struct btf_type *type, u32 *size)
{
	switch (BTF_INFO_KIND(type->info)) {
	case BTF_KIND_PTR:
		*size = sizeof(u64);
		return 0;
	case BTF_KIND_INT:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
	case BTF_KIND_FLOAT:
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		*size = type->size;
		return 0;
	default:
		return -EBADMSG;
	}
}

/* Fill in everything except the offset for a member of type @id. */
static int btf_describe(const struct wdbg_btf *btf, u32 id,
			struct wdbg_btf_member *member)
{
	const struct btf_type *type;
	u64 elems = 1;
	u32 size, to;
	int ret, i;

	for (i = 0; i < MAX_CHAIN; i++) {
		const struct btf_array *array;

		ret = btf_skip_modifiers(btf, id, &id);
		if (ret)
			return ret;
		type = btf_type_of_id(btf, id);
		if (!type)
			return -EBADMSG;
		if (BTF_INFO_KIND(type->info) != BTF_KIND_ARRAY)
			break;
		array = (const struct btf_array *)(type + 1);
		elems *= array->nelems;
		if (elems > (u32)~0)
			return -EBADMSG;
		id = array->type;
	}
	if (i == MAX_CHAIN)
		return -EBADMSG;
	ret = btf_elem_size(type, &size);
	if (ret)
		return ret;
	if (elems * size > (u32)~0)
		return -EBADMSG;

	member->kind = BTF_INFO_KIND(type->info);
	member->elems = elems;
	member->size = elems * size;
	member->type_id = id;
	member->name = btf_type_name(btf, type);
	if (member->kind == BTF_KIND_PTR) {
		ret = btf_skip_modifiers(btf, type->type, &to);
		if (ret)
			return ret;
		member->name = btf_type_name(btf, btf_type_of_id(btf, to));
	}
	return 0;
}

/*
 * Find @name in the structure or union @id, also within its anonymous members.
 * Return: 0 with the member's type and byte offset, or -ENOENT.
 */
static int btf_find_member(const struct wdbg_btf *btf, u32 id, const char *name,
			   int depth, u32 *type_id, u32 *offset)
{
	const struct btf_type *type = btf_type_of_id(btf, id);
	const struct btf_member *m;
	u32 i, vlen, kind;

	kind = type ? BTF_INFO_KIND(type->info) : BTF_KIND_UNKN;
	if (kind != BTF_KIND_STRUCT && kind != BTF_KIND_UNION)
		return -ENOENT;
	if (depth >= MAX_NESTING)
		return -EBADMSG;

	vlen = BTF_INFO_VLEN(type->info);
	m = (const struct btf_member *)(type + 1);
	for (i = 0; i < vlen; i++, m++) {
		const char *m_name = btf_string(btf, m->name_off);
		u32 bits = m->offset, m_type, inner;
		int ret;

		if (BTF_INFO_KFLAG(type->info)) {
			/* Bit fields have no byte offset: they cannot be used here. */
			if (BTF_MEMBER_BITFIELD_SIZE(m->offset))
				continue;
			bits = BTF_MEMBER_BIT_OFFSET(m->offset);
		}
		if (!m_name || bits % 8)
			return -EBADMSG;
		if (*m_name) {
			if (strcmp(m_name, name))
				continue;
			*type_id = m->type;
			*offset = bits / 8;
			return 0;
		}
		ret = btf_skip_modifiers(btf, m->type, &m_type);
		if (ret)
			return ret;
		ret = btf_find_member(btf, m_type, name, depth + 1, type_id,
				      &inner);
		if (ret == -ENOENT)
			continue;
		*offset = bits / 8 + inner;
		return ret;
	}
	return -ENOENT;
}

/* Cut the next name off a path. Return: its separator: '.', '>' or 0. */
static int btf_next_name(const char **path, char *name)
{
	size_t len = strcspn(*path, ".-");
	const char *end = *path + len;

	if (!len || len >= MAX_NAME)
		return -EINVAL;
	memcpy(name, *path, len);
	name[len] = 0;

	if (!*end) {
		*path = end;
		return 0;
	}
	if (*end == '.') {
		*path = end + 1;
		return '.';
	}
	if (end[1] != '>')
		return -EINVAL;
	*path = end + 2;
	return '>';
}

/* Get the structure in which the path continues after "->". */
static int btf_follow_pointer(const struct wdbg_btf *btf, u32 id, u32 *to)
{
	const struct btf_type *type = btf_type_of_id(btf, id);
	int ret;

	if (!type || BTF_INFO_KIND(type->info) != BTF_KIND_PTR)
		return -EINVAL;
	ret = btf_skip_modifiers(btf, type->type, to);
	if (ret)
		return ret;
	type = btf_type_of_id(btf, *to);
	if (type && BTF_INFO_KIND(type->info) == BTF_KIND_FWD)
		return btf_find_struct(btf, btf_type_name(btf, type), to);
	return 0;
}

/**
 * wdbg_btf_struct_size() - get the size of a structure
 * @btf: the blob; its bases are searched too
 * @name: without "struct"
 * @size: out, in bytes
 *
 * Return: 0, -ENOENT, -EBADMSG if there are several that disagree.
 */
int wdbg_btf_struct_size(const struct wdbg_btf *btf, const char *name,
			 u32 *size)
{
	u32 id;
	int ret;

	ret = btf_find_struct(btf, name, &id);
	if (!ret)
		*size = btf_type_of_id(btf, id)->size;
	return ret;
}

/**
 * wdbg_btf_member() - find a member by its path
 * @btf: the blob; its bases are searched too
 * @path: "struct.member.member": the name of a structure, then members of it, nested
 *	ones after a dot, through pointers after "->"
 * @member: out
 *
 * Return: 0, -ENOENT if the structure or a member does not exist, -EINVAL if the path
 *	is wrong, -EBADMSG if the blob is malformed or ambiguous.
 */
int wdbg_btf_member(const struct wdbg_btf *btf, const char *path,
		    struct wdbg_btf_member *member)
{
	char name[MAX_NAME];
	u32 id, type_id = 0, offset;
	int sep, ret;

	sep = btf_next_name(&path, name);
	if (sep != '.')
		return -EINVAL;
	ret = btf_find_struct(btf, name, &id);
	if (ret)
		return ret;

	memset(member, 0, sizeof(*member));
	do {
		sep = btf_next_name(&path, name);
		if (sep < 0)
			return sep;
		ret = btf_find_member(btf, id, name, 0, &type_id, &offset);
		if (ret)
			return ret;
		member->offset += offset;
		if (sep) {
			ret = btf_skip_modifiers(btf, type_id, &id);
			if (ret)
				return ret;
		}
		if (sep == '>') {
			ret = btf_follow_pointer(btf, id, &id);
			if (ret)
				return ret;
			member->offset = 0;
		}
	} while (sep);

	return btf_describe(btf, type_id, member);
}

/**
 * wdbg_btf_typedef() - find the type of a typedef
 * @btf: the blob; its bases are searched too
 * @name: of the typedef
 * @member: out, as if a member were of this type; its offset is 0
 *
 * Return: 0, -ENOENT if there is no such typedef, -EBADMSG.
 */
int wdbg_btf_typedef(const struct wdbg_btf *btf, const char *name,
		     struct wdbg_btf_member *member)
{
	const struct wdbg_btf *here;

	for (here = btf; here; here = here->base) {
		u32 id = btf_find_here(here, BTF_KIND_TYPEDEF, name, 0);

		if (!id)
			continue;
		memset(member, 0, sizeof(*member));
		return btf_describe(btf, id, member);
	}
	return -ENOENT;
}

/**
 * wdbg_btf_func_arg() - find what a function pointer's argument points to
 * @btf: the blob that has @member
 * @member: a pointer to a function
 * @arg: number of the argument, from 0
 * @name: out, name of the structure that the argument points to, "" if it has none or
 *	is void
 *
 * Return: 0, -ENOENT if there is no such argument, -EINVAL if @member is no pointer to
 *	a function or the argument no pointer, -EBADMSG.
 */
int wdbg_btf_func_arg(const struct wdbg_btf *btf,
		      const struct wdbg_btf_member *member, u32 arg,
		      const char **name)
{
	const struct btf_type *type;
	const struct btf_param *param;
	u32 id;
	int ret;

	type = btf_type_of_id(btf, member->type_id);
	if (!type || member->kind != BTF_KIND_PTR)
		return -EINVAL;
	ret = btf_skip_modifiers(btf, type->type, &id);
	if (ret)
		return ret;
	type = btf_type_of_id(btf, id);
	if (!type || BTF_INFO_KIND(type->info) != BTF_KIND_FUNC_PROTO)
		return -EINVAL;
	if (arg >= BTF_INFO_VLEN(type->info))
		return -ENOENT;
	param = (const struct btf_param *)(type + 1) + arg;
	ret = btf_skip_modifiers(btf, param->type, &id);
	if (ret)
		return ret;
	type = btf_type_of_id(btf, id);
	if (!type || BTF_INFO_KIND(type->info) != BTF_KIND_PTR)
		return -EINVAL;
	ret = btf_skip_modifiers(btf, type->type, &id);
	if (!ret)
		*name = btf_type_name(btf, btf_type_of_id(btf, id));
	return ret;
}

/**
 * wdbg_btf_enumerator() - get the value of an enumerator
 * @btf: the blob; its bases are searched too
 * @enum_name: name of the enumeration
 * @name: name of the enumerator
 * @value: out
 *
 * Return: 0 or -ENOENT.
 */
int wdbg_btf_enumerator(const struct wdbg_btf *btf, const char *enum_name,
			const char *name, u32 *value)
{
	for (; btf; btf = btf->base) {
		u32 id = btf_find_here(btf, BTF_KIND_ENUM, enum_name, 0);
		const struct btf_type *type;
		const struct btf_enum *e;
		u32 i;

		if (!id)
			continue;
		type = btf_type_of_id(btf, id);
		e = (const struct btf_enum *)(type + 1);
		for (i = 0; i < BTF_INFO_VLEN(type->info); i++, e++) {
			const char *e_name = btf_string(btf, e->name_off);

			if (e_name && !strcmp(e_name, name)) {
				*value = e->val;
				return 0;
			}
		}
	}
	return -ENOENT;
}
