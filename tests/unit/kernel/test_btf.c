// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The module's reader of BTF, compiled for the host: with valid and malformed data that is
 * created here, and with that of the guest kernels that were downloaded.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "amdgpu/btf.h"

/* Where tests/unit/kernel/btf-files unpacks to; UNIT_BUILD comes from build.mk. */
#define FILES	UNIT_BUILD "/btf"
#define LAYOUT	"tests/unit/kernel/layout.csv"

/* ---------------------------------------------------- blobs that are made */

struct blob {
	unsigned char types[4096];
	size_t types_len;
	char strs[4096];
	size_t strs_len;
	u32 num_types;		/* in this blob and its base */
	u32 first_str;
	unsigned char data[8192 + sizeof(struct btf_header)];
	size_t size;
};

static void blob_start(struct blob *b, const struct blob *base)
{
	memset(b, 0, sizeof(*b));
	if (base) {
		b->num_types = base->num_types;
		b->first_str = base->first_str + base->strs_len;
	} else {
		b->strs_len = 1;
	}
}

static u32 blob_str(struct blob *b, const char *text)
{
	u32 off = b->first_str + b->strs_len;

	if (!*text)
		return 0;
	assert_true(b->strs_len + strlen(text) + 1 <= sizeof(b->strs));
	strcpy(b->strs + b->strs_len, text);
	b->strs_len += strlen(text) + 1;
	return off;
}

static void blob_put(struct blob *b, const void *data, size_t len)
{
	assert_true(b->types_len + len <= sizeof(b->types));
	memcpy(b->types + b->types_len, data, len);
	b->types_len += len;
}

/* Returns the id of the new type. */
static u32 blob_type(struct blob *b, const char *name, u32 kind, u32 vlen,
		     u32 size_or_type)
{
	struct btf_type type = {
		.name_off = blob_str(b, name),
		.info = kind << 24 | vlen,
		.size = size_or_type,
	};

	blob_put(b, &type, sizeof(type));
	return ++b->num_types;
}

static u32 blob_int(struct blob *b, const char *name, u32 size)
{
	u32 encoding = size * 8;
	u32 id = blob_type(b, name, BTF_KIND_INT, 0, size);

	blob_put(b, &encoding, sizeof(encoding));
	return id;
}

static u32 blob_array(struct blob *b, u32 type, u32 nelems)
{
	struct btf_array array = { .type = type, .nelems = nelems };
	u32 id = blob_type(b, "", BTF_KIND_ARRAY, 0, 0);

	blob_put(b, &array, sizeof(array));
	return id;
}

static void blob_member(struct blob *b, const char *name, u32 type, u32 byte)
{
	struct btf_member member = {
		.name_off = blob_str(b, name),
		.type = type,
		.offset = byte * 8,
	};

	blob_put(b, &member, sizeof(member));
}

static void blob_finish(struct blob *b)
{
	struct btf_header hdr = {
		.magic = BTF_MAGIC,
		.version = BTF_VERSION,
		.hdr_len = 24,
		.type_len = b->types_len,
		.str_off = b->types_len,
		.str_len = b->strs_len,
	};

	memcpy(b->data, &hdr, hdr.hdr_len);
	memcpy(b->data + hdr.hdr_len, b->types, b->types_len);
	memcpy(b->data + hdr.hdr_len + b->types_len, b->strs, b->strs_len);
	b->size = hdr.hdr_len + b->types_len + b->strs_len;
}

/* Parse, expecting this. */
static void blob_parse(const struct blob *b, struct wdbg_btf *btf, int want)
{
	assert_int_equal(wdbg_btf_parse(btf, b->data, b->size, NULL), want);
}

#define assert_member(_btf, _path, _offset, _size, _elems)		\
	do {								\
		struct wdbg_btf_member _m;				\
		assert_int_equal(wdbg_btf_member(_btf, _path, &_m), 0);	\
		assert_int_equal(_m.offset, _offset);			\
		assert_int_equal(_m.size, _size);			\
		assert_int_equal(_m.elems, _elems);			\
	} while (0)

#define assert_no_member(_btf, _path, _err)				\
	do {								\
		struct wdbg_btf_member _m;				\
		assert_int_equal(wdbg_btf_member(_btf, _path, &_m),	\
				 _err);					\
	} while (0)

/*
 * struct inner { u32 a; u32 b; };
 * struct outer {
 *	u32 first;
 *	union { struct { u32 deep; u32 deeper; }; u64 wide; };	at 8
 *	const struct inner in;					at 16
 *	struct inner *ptr;					at 24
 *	u32 table[3][5];					at 32
 * };
 */
static void make_structs(struct blob *b)
{
	u32 u32_id, u64_id, inner, constant, ptr, anon, uni, row, table;

	blob_start(b, NULL);
	u32_id = blob_type(b, "u32", BTF_KIND_TYPEDEF, 0, 2);
	blob_int(b, "unsigned int", 4);
	u64_id = blob_int(b, "u64", 8);
	inner = blob_type(b, "inner", BTF_KIND_STRUCT, 2, 8);
	blob_member(b, "a", u32_id, 0);
	blob_member(b, "b", u32_id, 4);
	constant = blob_type(b, "", BTF_KIND_CONST, 0, inner);
	ptr = blob_type(b, "", BTF_KIND_PTR, 0, inner);
	anon = blob_type(b, "", BTF_KIND_STRUCT, 2, 8);
	blob_member(b, "deep", u32_id, 0);
	blob_member(b, "deeper", u32_id, 4);
	uni = blob_type(b, "", BTF_KIND_UNION, 2, 8);
	blob_member(b, "", anon, 0);
	blob_member(b, "wide", u64_id, 0);
	row = blob_array(b, u32_id, 5);
	table = blob_array(b, row, 3);
	blob_type(b, "outer", BTF_KIND_STRUCT, 5, 92);
	blob_member(b, "first", u32_id, 0);
	blob_member(b, "", uni, 8);
	blob_member(b, "in", constant, 16);
	blob_member(b, "ptr", ptr, 24);
	blob_member(b, "table", table, 32);
	blob_finish(b);
}

static void members_are_found(void **state)
{
	struct wdbg_btf_member m;
	struct wdbg_btf btf;
	struct blob b;
	u32 size;

	(void)state;
	make_structs(&b);
	blob_parse(&b, &btf, 0);
	assert_int_equal(wdbg_btf_struct_size(&btf, "outer", &size), 0);
	assert_int_equal(size, 92);
	assert_member(&btf, "outer.first", 0, 4, 1);
	assert_member(&btf, "outer.in.b", 20, 4, 1);
	assert_int_equal(wdbg_btf_member(&btf, "outer.ptr", &m), 0);
	assert_int_equal(m.kind, BTF_KIND_PTR);
	assert_string_equal(m.name, "inner");
	wdbg_btf_release(&btf);
}

static void anonymous_members_are_looked_through(void **state)
{
	struct wdbg_btf btf;
	struct blob b;

	(void)state;
	make_structs(&b);
	blob_parse(&b, &btf, 0);
	assert_member(&btf, "outer.deep", 8, 4, 1);
	assert_member(&btf, "outer.deeper", 12, 4, 1);
	assert_member(&btf, "outer.wide", 8, 8, 1);
	wdbg_btf_release(&btf);
}

static void dimensions_are_multiplied(void **state)
{
	struct wdbg_btf_member m;
	struct wdbg_btf btf;
	struct blob b;

	(void)state;
	make_structs(&b);
	blob_parse(&b, &btf, 0);
	assert_member(&btf, "outer.table", 32, 60, 15);
	assert_int_equal(wdbg_btf_member(&btf, "outer.table", &m), 0);
	assert_int_equal(m.kind, BTF_KIND_INT);
	assert_string_equal(m.name, "unsigned int");
	wdbg_btf_release(&btf);
}

static void offsets_start_again_behind_a_pointer(void **state)
{
	struct wdbg_btf btf;
	struct blob b;

	(void)state;
	make_structs(&b);
	blob_parse(&b, &btf, 0);
	assert_member(&btf, "outer.ptr->b", 4, 4, 1);
	assert_no_member(&btf, "outer.in->b", -EINVAL);
	assert_no_member(&btf, "outer.ptr.b", -ENOENT);
	wdbg_btf_release(&btf);
}

static void what_is_missing_is_enoent(void **state)
{
	struct wdbg_btf btf;
	struct blob b;
	u32 value;

	(void)state;
	make_structs(&b);
	blob_parse(&b, &btf, 0);
	assert_int_equal(wdbg_btf_struct_size(&btf, "none", &value), -ENOENT);
	assert_no_member(&btf, "none.first", -ENOENT);
	assert_no_member(&btf, "outer.none", -ENOENT);
	assert_no_member(&btf, "outer.first.none", -ENOENT);
	assert_int_equal(wdbg_btf_enumerator(&btf, "none", "A", &value),
			 -ENOENT);
	wdbg_btf_release(&btf);
}

static void wrong_paths_are_einval(void **state)
{
	static const char * const paths[] = {
		"", "outer", ".", "outer.", ".first", "outer..first",
		"outer.ptr-b", "outer.ptr->", "outer->first",
		"outer.a_name_that_is_longer_than_any_identifier_of_the_kernel_has_ever_been",
	};
	struct wdbg_btf btf;
	struct blob b;
	size_t i;

	(void)state;
	make_structs(&b);
	blob_parse(&b, &btf, 0);
	for (i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		assert_no_member(&btf, paths[i], -EINVAL);
	wdbg_btf_release(&btf);
}

static void bit_fields_are_passed_over(void **state)
{
	struct wdbg_btf btf;
	struct blob b;
	u32 type;

	(void)state;
	blob_start(&b, NULL);
	type = blob_int(&b, "unsigned int", 4);
	blob_type(&b, "s", BTF_KIND_STRUCT, 2, 8);
	/* kind_flag: size in bits << 24 | offset in bits */
	b.types[b.types_len - 5] |= 0x80;
	blob_member(&b, "bits", type, 0);
	b.types[b.types_len - 1] = 3;
	blob_member(&b, "whole", type, 4);
	blob_finish(&b);
	blob_parse(&b, &btf, 0);
	assert_no_member(&btf, "s.bits", -ENOENT);
	assert_member(&btf, "s.whole", 4, 4, 1);
	wdbg_btf_release(&btf);
}

static void split_blobs_continue_their_base(void **state)
{
	struct wdbg_btf base_btf, btf;
	struct wdbg_btf_member m;
	struct blob base, b;
	u32 ptr, fwd;

	(void)state;
	make_structs(&base);
	blob_parse(&base, &base_btf, 0);
	blob_start(&b, &base);
	fwd = blob_type(&b, "inner", BTF_KIND_FWD, 0, 0);
	ptr = blob_type(&b, "", BTF_KIND_PTR, 0, fwd);
	blob_type(&b, "module", BTF_KIND_STRUCT, 2, 100);
	blob_member(&b, "there", ptr, 0);
	/* 4: "inner" of the base */
	blob_member(&b, "here", 4, 8);
	blob_finish(&b);
	assert_int_equal(wdbg_btf_parse(&btf, b.data, b.size, &base_btf), 0);
	assert_member(&btf, "module.here.b", 12, 4, 1);
	/* Through a declaration to the definition. */
	assert_member(&btf, "module.there->b", 4, 4, 1);
	/* What only the base has. */
	assert_member(&btf, "outer.deeper", 12, 4, 1);
	assert_no_member(&base_btf, "module.here", -ENOENT);
	assert_int_equal(wdbg_btf_member(&btf, "module.here", &m), 0);
	assert_string_equal(m.name, "inner");
	wdbg_btf_release(&btf);
	wdbg_btf_release(&base_btf);
}

static void make_copies(struct blob *b, u32 second_size)
{
	u32 type;

	blob_start(b, NULL);
	type = blob_int(b, "unsigned int", 4);
	blob_type(b, "twice", BTF_KIND_FWD, 0, 0);
	blob_type(b, "twice", BTF_KIND_STRUCT, 1, 8);
	blob_member(b, "m", type, 4);
	blob_type(b, "twice", BTF_KIND_STRUCT, 1, second_size);
	blob_member(b, "m", type, 4);
	blob_finish(b);
}

static void copies_must_agree(void **state)
{
	struct wdbg_btf btf;
	struct blob b;
	u32 size;

	(void)state;
	make_copies(&b, 8);
	blob_parse(&b, &btf, 0);
	assert_member(&btf, "twice.m", 4, 4, 1);
	wdbg_btf_release(&btf);

	make_copies(&b, 12);
	blob_parse(&b, &btf, 0);
	assert_no_member(&btf, "twice.m", -EBADMSG);
	assert_int_equal(wdbg_btf_struct_size(&btf, "twice", &size), -EBADMSG);
	wdbg_btf_release(&btf);
}

static void functions_have_their_arguments(void **state)
{
	struct btf_param param = { 0 };
	struct wdbg_btf_member m;
	struct wdbg_btf btf;
	const char *name;
	struct blob b;
	u32 integer, object, to_object, to_void, proto, ptr;

	(void)state;
	blob_start(&b, NULL);
	integer = blob_int(&b, "int", 4);
	object = blob_type(&b, "object", BTF_KIND_FWD, 0, 0);
	to_object = blob_type(&b, "", BTF_KIND_PTR, 0, object);
	to_void = blob_type(&b, "", BTF_KIND_PTR, 0, 0);
	proto = blob_type(&b, "", BTF_KIND_FUNC_PROTO, 3, integer);
	param.type = to_object;
	blob_put(&b, &param, sizeof(param));
	param.type = to_void;
	blob_put(&b, &param, sizeof(param));
	param.type = integer;
	blob_put(&b, &param, sizeof(param));
	ptr = blob_type(&b, "", BTF_KIND_PTR, 0, proto);
	blob_type(&b, "ops", BTF_KIND_STRUCT, 2, 16);
	blob_member(&b, "run", ptr, 0);
	blob_member(&b, "data", to_void, 8);
	blob_finish(&b);
	blob_parse(&b, &btf, 0);

	assert_int_equal(wdbg_btf_member(&btf, "ops.run", &m), 0);
	assert_int_equal(wdbg_btf_func_arg(&btf, &m, 0, &name), 0);
	assert_string_equal(name, "object");
	assert_int_equal(wdbg_btf_func_arg(&btf, &m, 1, &name), 0);
	assert_string_equal(name, "");
	assert_int_equal(wdbg_btf_func_arg(&btf, &m, 2, &name), -EINVAL);
	assert_int_equal(wdbg_btf_func_arg(&btf, &m, 3, &name), -ENOENT);
	assert_int_equal(wdbg_btf_member(&btf, "ops.data", &m), 0);
	assert_int_equal(wdbg_btf_func_arg(&btf, &m, 0, &name), -EINVAL);
	wdbg_btf_release(&btf);
}

static void typedefs_name_their_type(void **state)
{
	struct btf_param param = { 0 };
	struct wdbg_btf base_btf, btf;
	struct wdbg_btf_member m;
	u32 object, to_object, proto;
	struct blob base, b;
	const char *name;

	(void)state;
	blob_start(&base, NULL);
	blob_type(&base, "u32", BTF_KIND_TYPEDEF, 0, blob_int(&base, "int", 4));
	blob_finish(&base);
	blob_parse(&base, &base_btf, 0);
	blob_start(&b, &base);
	object = blob_type(&b, "object", BTF_KIND_STRUCT, 0, 24);
	to_object = blob_type(&b, "", BTF_KIND_PTR, 0, object);
	proto = blob_type(&b, "", BTF_KIND_FUNC_PROTO, 1, 0);
	param.type = to_object;
	blob_put(&b, &param, sizeof(param));
	blob_type(&b, "probe", BTF_KIND_TYPEDEF, 0,
		  blob_type(&b, "", BTF_KIND_PTR, 0, proto));
	blob_finish(&b);
	assert_int_equal(wdbg_btf_parse(&btf, b.data, b.size, &base_btf), 0);

	assert_int_equal(wdbg_btf_typedef(&btf, "probe", &m), 0);
	assert_int_equal(m.kind, BTF_KIND_PTR);
	assert_int_equal(wdbg_btf_func_arg(&btf, &m, 0, &name), 0);
	assert_string_equal(name, "object");
	assert_int_equal(wdbg_btf_func_arg(&btf, &m, 1, &name), -ENOENT);
	/* Also of the base; structures are no typedefs. */
	assert_int_equal(wdbg_btf_typedef(&btf, "u32", &m), 0);
	assert_int_equal(m.kind, BTF_KIND_INT);
	assert_int_equal(m.size, 4);
	assert_int_equal(wdbg_btf_typedef(&btf, "object", &m), -ENOENT);
	assert_int_equal(wdbg_btf_typedef(&base_btf, "probe", &m), -ENOENT);
	wdbg_btf_release(&btf);
	wdbg_btf_release(&base_btf);
}

static void enumerators_have_values(void **state)
{
	struct btf_enum e;
	struct wdbg_btf btf;
	struct blob b;
	u32 value;

	(void)state;
	blob_start(&b, NULL);
	blob_type(&b, "colour", BTF_KIND_ENUM, 2, 4);
	e.name_off = blob_str(&b, "RED");
	e.val = 3;
	blob_put(&b, &e, sizeof(e));
	e.name_off = blob_str(&b, "BLUE");
	e.val = 7;
	blob_put(&b, &e, sizeof(e));
	blob_finish(&b);
	blob_parse(&b, &btf, 0);
	assert_int_equal(wdbg_btf_enumerator(&btf, "colour", "BLUE", &value),
			 0);
	assert_int_equal(value, 7);
	assert_int_equal(wdbg_btf_enumerator(&btf, "colour", "GREEN", &value),
			 -ENOENT);
	wdbg_btf_release(&btf);
}

/* --------------------------------------------------------- malformed ones */

static void every_truncation_is_refused(void **state)
{
	struct wdbg_btf btf;
	unsigned char *copy;
	struct blob b;
	size_t size;

	(void)state;
	make_structs(&b);
	for (size = 0; size < b.size; size++) {
		/* Its own allocation, so that a sanitizer sees its end. */
		copy = malloc(size ? size : 1);
		memcpy(copy, b.data, size);
		assert_int_equal(wdbg_btf_parse(&btf, copy, size, NULL),
				 -EBADMSG);
		free(copy);
	}
}

static void wrong_headers_are_refused(void **state)
{
	static const struct {
		size_t offset;
		u32 value;
	} edits[] = {
		{ 0, 0x0001eb9e },		/* magic */
		{ 0, 0x0002eb9f },		/* version */
		{ offsetof(struct btf_header, hdr_len), 0 },
		{ offsetof(struct btf_header, hdr_len), 20 },
		{ offsetof(struct btf_header, hdr_len), 26 },
		{ offsetof(struct btf_header, hdr_len), 0xffffffff },
		{ offsetof(struct btf_header, type_off), 2 },
		{ offsetof(struct btf_header, type_off), 0xfffffffc },
		{ offsetof(struct btf_header, type_len), 0xffffffff },
		{ offsetof(struct btf_header, str_off), 0xffffffff },
		{ offsetof(struct btf_header, str_len), 0 },
		{ offsetof(struct btf_header, str_len), 0xffffffff },
	};
	struct wdbg_btf btf;
	struct blob b;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(edits) / sizeof(edits[0]); i++) {
		make_structs(&b);
		memcpy(b.data + edits[i].offset, &edits[i].value, 4);
		blob_parse(&b, &btf, -EBADMSG);
	}
}

static void strings_must_end(void **state)
{
	struct wdbg_btf btf;
	struct blob b;

	(void)state;
	make_structs(&b);
	b.data[b.size - 1] = 'x';
	blob_parse(&b, &btf, -EBADMSG);
}

static void names_out_of_range_are_refused(void **state)
{
	struct btf_type type = {
		.name_off = 1000,
		.info = BTF_KIND_FLOAT << 24,
	};
	struct wdbg_btf btf;
	struct blob b;

	(void)state;
	blob_start(&b, NULL);
	blob_put(&b, &type, sizeof(type));
	blob_finish(&b);
	blob_parse(&b, &btf, -EBADMSG);

	/* A member's name is met when it is searched for. */
	blob_start(&b, NULL);
	blob_type(&b, "s", BTF_KIND_STRUCT, 1, 4);
	blob_put(&b, &(struct btf_member){ .name_off = 1000 },
		 sizeof(struct btf_member));
	blob_finish(&b);
	blob_parse(&b, &btf, 0);
	assert_no_member(&btf, "s.m", -EBADMSG);
	wdbg_btf_release(&btf);
}

static void unknown_kinds_are_refused(void **state)
{
	struct wdbg_btf btf;
	struct blob b;
	u32 kind;

	(void)state;
	for (kind = BTF_KIND_ENUM64 + 1; kind < 32; kind++) {
		blob_start(&b, NULL);
		blob_type(&b, "strange", kind, 0, 0);
		blob_finish(&b);
		blob_parse(&b, &btf, -EBADMSG);
	}
	blob_start(&b, NULL);
	blob_type(&b, "void", BTF_KIND_UNKN, 0, 0);
	blob_finish(&b);
	blob_parse(&b, &btf, -EBADMSG);
}

static void lists_beyond_the_end_are_refused(void **state)
{
	static const u32 kinds[] = {
		BTF_KIND_STRUCT, BTF_KIND_UNION, BTF_KIND_ENUM,
		BTF_KIND_ENUM64, BTF_KIND_FUNC_PROTO, BTF_KIND_DATASEC,
	};
	struct wdbg_btf btf;
	struct blob b;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		blob_start(&b, NULL);
		blob_type(&b, "long", kinds[i], 0xffff, 4);
		blob_member(&b, "m", 0, 0);
		blob_finish(&b);
		blob_parse(&b, &btf, -EBADMSG);
	}
}

static void ids_out_of_range_are_refused(void **state)
{
	struct wdbg_btf btf;
	struct blob b;
	u32 ptr;

	(void)state;
	blob_start(&b, NULL);
	ptr = blob_type(&b, "", BTF_KIND_PTR, 0, 1000);
	blob_type(&b, "s", BTF_KIND_STRUCT, 3, 16);
	blob_member(&b, "bad", 1000, 0);
	blob_member(&b, "to_bad", ptr, 0);
	blob_member(&b, "void", 0, 8);
	blob_finish(&b);
	blob_parse(&b, &btf, 0);
	assert_no_member(&btf, "s.bad", -EBADMSG);
	assert_no_member(&btf, "s.to_bad", -EBADMSG);
	assert_no_member(&btf, "s.to_bad->m", -EBADMSG);
	assert_no_member(&btf, "s.void", -EBADMSG);
	wdbg_btf_release(&btf);
}

static void cycles_end(void **state)
{
	struct wdbg_btf btf;
	struct blob b;
	u32 array;

	(void)state;
	blob_start(&b, NULL);
	blob_type(&b, "a", BTF_KIND_TYPEDEF, 0, 2);
	blob_type(&b, "b", BTF_KIND_TYPEDEF, 0, 1);
	array = blob_array(&b, 3, 1);
	assert_int_equal(array, 3);
	blob_type(&b, "s", BTF_KIND_STRUCT, 2, 8);
	blob_member(&b, "loop", 1, 0);
	blob_member(&b, "array", array, 0);
	/* A structure that has itself as an anonymous member, twice. */
	blob_type(&b, "self", BTF_KIND_STRUCT, 2, 8);
	blob_member(&b, "", 5, 0);
	blob_member(&b, "", 5, 0);
	blob_finish(&b);
	blob_parse(&b, &btf, 0);
	assert_no_member(&btf, "s.loop", -EBADMSG);
	assert_no_member(&btf, "s.loop.m", -EBADMSG);
	assert_no_member(&btf, "s.array", -EBADMSG);
	assert_no_member(&btf, "self.m", -EBADMSG);
	wdbg_btf_release(&btf);
}

static void sizes_do_not_wrap(void **state)
{
	struct wdbg_btf btf;
	struct blob b;
	u32 type, row, table;

	(void)state;
	blob_start(&b, NULL);
	type = blob_int(&b, "u64", 8);
	row = blob_array(&b, type, 0x10000);
	table = blob_array(&b, row, 0x10000);
	blob_type(&b, "s", BTF_KIND_STRUCT, 2, 8);
	blob_member(&b, "table", table, 0);
	blob_member(&b, "row", row, 0);
	blob_finish(&b);
	blob_parse(&b, &btf, 0);
	assert_no_member(&btf, "s.table", -EBADMSG);
	assert_member(&btf, "s.row", 0, 0x80000, 0x10000);
	wdbg_btf_release(&btf);
}

/* Any value anywhere: an error or an answer, but no bad access, no hang. */
static void every_byte_may_be_wrong(void **state)
{
	static const unsigned char values[] = { 0, 1, 0x7f, 0x80, 0xff };
	struct wdbg_btf_member m;
	struct wdbg_btf btf;
	unsigned char *copy;
	struct blob b;
	size_t i, v;

	(void)state;
	make_structs(&b);
	for (i = 0; i < b.size; i++) {
		for (v = 0; v < sizeof(values); v++) {
			copy = malloc(b.size);
			memcpy(copy, b.data, b.size);
			copy[i] = values[v];
			if (!wdbg_btf_parse(&btf, copy, b.size, NULL)) {
				wdbg_btf_member(&btf, "outer.deeper", &m);
				wdbg_btf_member(&btf, "outer.ptr->b", &m);
				wdbg_btf_member(&btf, "outer.table", &m);
				wdbg_btf_release(&btf);
			}
			free(copy);
		}
	}
	assert_int_equal(i, b.size);
}

/* ------------------------------------------------------- those of kernels */

static void *read_file(const char *series, const char *name, size_t *size)
{
	char path[256];
	FILE *file;
	void *data;
	long len;

	snprintf(path, sizeof(path), FILES "/%s/%s", series, name);
	file = fopen(path, "r");
	assert_non_null(file);
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	len = ftell(file);
	assert_true(len > 0);
	rewind(file);
	data = calloc(1, len + 1);
	assert_int_equal(fread(data, 1, len, file), len);
	fclose(file);
	*size = len;
	return data;
}

/* One row of the table; true if it was for this series. */
static bool check_row(const struct wdbg_btf *btf, const char *series,
		      char *row)
{
	struct wdbg_btf_member m;
	const char *field[4];
	int i, ret;

	for (i = 0; i < 4; i++)
		field[i] = strsep(&row, ",\n");
	if (!field[3] || strcmp(field[0], series))
		return false;
	ret = wdbg_btf_member(btf, field[1], &m);
	if (!strcmp(field[2], "absent")) {
		if (ret != -ENOENT)
			fail_msg("%s: %d, not absent", field[1], ret);
		return true;
	}
	if (ret || m.offset != strtoul(field[2], NULL, 10) ||
	    m.size != strtoul(field[3], NULL, 10))
		fail_msg("%s: %d, offset %u size %u, not %s %s", field[1], ret,
			 m.offset, m.size, field[2], field[3]);
	return true;
}

/* Is the table right for this build of amdgpu.ko? */
static bool build_is_known(const char *series, const char *build_id)
{
	char row[256], want[256];
	bool known = false;
	FILE *file;

	snprintf(want, sizeof(want), "build,%s,%s", series, build_id);
	file = fopen(LAYOUT, "r");
	assert_non_null(file);
	while (fgets(row, sizeof(row), file))
		if (!strcmp(row, want))
			known = true;
	fclose(file);
	return known;
}

/* As layout_grant_is_known(), layout_iv_is_known() and layout_job_is_known() */
static void check_tracepoints(const struct wdbg_btf *btf)
{
	static const char *const grant[] = {
		"", "amdgpu_vm", "amdgpu_ring", "amdgpu_job",
	};
	struct wdbg_btf_member m;
	const char *name;
	uint32_t i;

	assert_int_equal(wdbg_btf_typedef(btf, "btf_trace_amdgpu_vm_grab_id",
					  &m), 0);
	for (i = 0; i < sizeof(grant) / sizeof(*grant); i++) {
		assert_int_equal(wdbg_btf_func_arg(btf, &m, i, &name), 0);
		assert_string_equal(name, grant[i]);
	}
	assert_int_equal(wdbg_btf_func_arg(btf, &m, i, &name), -ENOENT);

	assert_int_equal(wdbg_btf_typedef(btf, "btf_trace_amdgpu_sched_run_job",
					  &m), 0);
	assert_int_equal(wdbg_btf_func_arg(btf, &m, 1, &name), 0);
	assert_string_equal(name, "amdgpu_job");
	assert_int_equal(wdbg_btf_func_arg(btf, &m, 2, &name), -ENOENT);

	assert_int_equal(wdbg_btf_typedef(btf, "btf_trace_amdgpu_iv", &m), 0);
	assert_int_equal(wdbg_btf_func_arg(btf, &m, 0, &name), 0);
	assert_string_equal(name, "");
	assert_int_equal(wdbg_btf_func_arg(btf, &m, 2, &name), 0);
	assert_string_equal(name, "amdgpu_iv_entry");
	assert_int_equal(wdbg_btf_func_arg(btf, &m, 3, &name), -ENOENT);
}

static void layout_is_as_in_debian(void **state)
{
	const char *series = *state;
	struct wdbg_btf base, btf;
	void *base_data, *data, *id;
	char row[256];
	unsigned int rows = 0;
	size_t size;
	FILE *file;
	int status;

	snprintf(row, sizeof(row),
		 "tests/unit/kernel/btf-files %s " FILES "/%s 2>&1", series, series);
	status = system(row);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 77)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);

	base_data = read_file(series, "vmlinux.btf", &size);
	assert_int_equal(wdbg_btf_parse(&base, base_data, size, NULL), 0);
	data = read_file(series, "amdgpu.btf", &size);
	assert_int_equal(wdbg_btf_parse(&btf, data, size, &base), 0);
	id = read_file(series, "amdgpu.build-id", &size);

	if (build_is_known(series, id)) {
		file = fopen(LAYOUT, "r");
		assert_non_null(file);
		while (fgets(row, sizeof(row), file))
			rows += check_row(&btf, series, row);
		fclose(file);
		assert_true(rows > 30);
		check_tracepoints(&btf);
	}
	wdbg_btf_release(&btf);
	wdbg_btf_release(&base);
	free(base_data);
	free(data);
	free(id);
	/* A newer build of the kernel: parsed, but nothing to compare with. */
	if (!rows)
		skip();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_are_found),
		cmocka_unit_test(anonymous_members_are_looked_through),
		cmocka_unit_test(dimensions_are_multiplied),
		cmocka_unit_test(offsets_start_again_behind_a_pointer),
		cmocka_unit_test(what_is_missing_is_enoent),
		cmocka_unit_test(wrong_paths_are_einval),
		cmocka_unit_test(bit_fields_are_passed_over),
		cmocka_unit_test(split_blobs_continue_their_base),
		cmocka_unit_test(copies_must_agree),
		cmocka_unit_test(functions_have_their_arguments),
		cmocka_unit_test(typedefs_name_their_type),
		cmocka_unit_test(enumerators_have_values),
		cmocka_unit_test(every_truncation_is_refused),
		cmocka_unit_test(wrong_headers_are_refused),
		cmocka_unit_test(strings_must_end),
		cmocka_unit_test(names_out_of_range_are_refused),
		cmocka_unit_test(unknown_kinds_are_refused),
		cmocka_unit_test(lists_beyond_the_end_are_refused),
		cmocka_unit_test(ids_out_of_range_are_refused),
		cmocka_unit_test(cycles_end),
		cmocka_unit_test(sizes_do_not_wrap),
		cmocka_unit_test(every_byte_may_be_wrong),
		{ "layout_is_as_in_debian_6.1", layout_is_as_in_debian,
		  NULL, NULL, "6.1" },
		{ "layout_is_as_in_debian_6.12", layout_is_as_in_debian,
		  NULL, NULL, "6.12" },
		{ "layout_is_as_in_debian_7.2", layout_is_as_in_debian,
		  NULL, NULL, "7.2" },
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
