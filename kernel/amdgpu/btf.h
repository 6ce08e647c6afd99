/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reader of the BTF type format: offset, size and type of a member. Independent of
 * amdgpu. The kernel's Documentation/bpf/btf.rst describes the format.
 */
#ifndef WDBG_BTF_H
#define WDBG_BTF_H

#include "amdgpu/btf_port.h"

/**
 * struct wdbg_btf - one parsed BTF blob
 * @base: the blob that a split blob (of a module) extends, NULL for a whole one
 * @types: start of the type section
 * @types_len: bytes in it
 * @strs: start of the string section, NUL-terminated
 * @strs_len: bytes in it
 * @first_id: id of the first type in here; smaller ones are in @base
 * @num_types: types in here
 * @first_str: string offset of @strs[0]; smaller ones are in @base
 * @index: byte offset of each type within @types
 *
 * Points into the caller's data, which must outlive it.
 */
struct wdbg_btf {
	const struct wdbg_btf *base;
	const u8 *types;
	u32 types_len;
	const char *strs;
	u32 strs_len;
	u32 first_id;
	u32 num_types;
	u32 first_str;
	u32 *index;
};

/**
 * struct wdbg_btf_member - offset and type of a member
 * @offset: bytes from the start of the structure that holds it: the first of the path,
 *	or the one after the last "->"
 * @size: bytes, all elements of an array together
 * @kind: BTF_KIND_* of it or, in an array, of its elements; without typedefs and
 *	qualifiers
 * @elems: number of elements over all dimensions, 1 if it is no array
 * @type_id: type of it or of its elements
 * @name: name of that type, or for a pointer of the type that it points to; "" if it
 *	has none
 */
struct wdbg_btf_member {
	u32 offset;
	u32 size;
	u32 kind;
	u32 elems;
	u32 type_id;
	const char *name;
};

int wdbg_btf_parse(struct wdbg_btf *btf, const void *data, size_t size,
		   const struct wdbg_btf *base);
void wdbg_btf_release(struct wdbg_btf *btf);
int wdbg_btf_struct_size(const struct wdbg_btf *btf, const char *name,
			 u32 *size);
int wdbg_btf_member(const struct wdbg_btf *btf, const char *path,
		    struct wdbg_btf_member *member);
int wdbg_btf_typedef(const struct wdbg_btf *btf, const char *name,
		     struct wdbg_btf_member *member);
int wdbg_btf_func_arg(const struct wdbg_btf *btf,
		      const struct wdbg_btf_member *member, u32 arg,
		      const char **name);
int wdbg_btf_enumerator(const struct wdbg_btf *btf, const char *enum_name,
			const char *name, u32 *value);

#endif /* WDBG_BTF_H */
