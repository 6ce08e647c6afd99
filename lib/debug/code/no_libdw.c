// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The functions that need debug information, in a library that was built without libdw: they
 * fail with -EOPNOTSUPP. Everything else does not need libdw, see build.mk.
 */
#include <errno.h>

#include "code_object.h"
#include "place.h"
#include "type_find.h"

static int no_libdw(struct adbgd_error *error)
{
	return adbgd_fail(error, -EOPNOTSUPP, "this library was built without libdw: it cannot read "
			  "source lines and variables");
}

/* There never is debug information. */
void adbgd_dwarf_free(struct adbgd_dwarf *dwarf)
{
	(void)dwarf;
}

void adbgd_dwarf_lost_free(struct adbgd_code *code)
{
	(void)code;
}

/* --------------------------------------------------------------- source lines */

ADBGD_API int adbgd_code_load_debug(struct adbgd_code *code, struct adbgd_error *error)
{
	(void)code;
	return no_libdw(error);
}

ADBGD_API const char *adbgd_code_get_source_file(struct adbgd_code *code, size_t i)
{
	(void)code;
	(void)i;
	return NULL;
}

ADBGD_API int adbgd_source_open_embedded(struct adbgd_code *code, const char *file,
					 struct adbgd_source **source, struct adbgd_error *error)
{
	(void)code;
	(void)file;
	(void)source;
	return no_libdw(error);
}

ADBGD_API int adbgd_line_at(struct adbgd_code *code, uint64_t address, struct adbgd_line *line,
			    struct adbgd_error *error)
{
	(void)code;
	(void)address;
	(void)line;
	return no_libdw(error);
}

ADBGD_API int adbgd_line_find(struct adbgd_code *code, const char *file, uint32_t number,
			      struct adbgd_line *lines, size_t max, size_t *count,
			      struct adbgd_error *error)
{
	(void)code;
	(void)file;
	(void)number;
	(void)lines;
	(void)max;
	(void)count;
	return no_libdw(error);
}

ADBGD_API int adbgd_frames_at(struct adbgd_code *code, uint64_t address,
			      struct adbgd_frame *frames, size_t max, size_t *count,
			      struct adbgd_error *error)
{
	(void)code;
	(void)address;
	(void)frames;
	(void)max;
	(void)count;
	return no_libdw(error);
}

ADBGD_API int adbgd_function_find(struct adbgd_code *code, const char *name,
				  struct adbgd_line *lines, size_t max, size_t *count,
				  struct adbgd_error *error)
{
	(void)code;
	(void)name;
	(void)lines;
	(void)max;
	(void)count;
	return no_libdw(error);
}

int adbgd_place_at(struct adbgd_code *code, uint64_t address, struct adbgd_place *place,
		   struct adbgd_error *error)
{
	(void)code;
	(void)address;
	(void)place;
	return no_libdw(error);
}

/* ------------------------------------------------------------------ variables */

ADBGD_API int adbgd_variables_new_inlined(struct adbgd_code *code, uint64_t pc, uint32_t inlined,
					  struct adbgd_variables **variables,
					  struct adbgd_error *error)
{
	(void)code;
	(void)pc;
	(void)inlined;
	(void)variables;
	return no_libdw(error);
}

ADBGD_API int adbgd_variables_new(struct adbgd_code *code, uint64_t pc,
				  struct adbgd_variables **variables, struct adbgd_error *error)
{
	(void)code;
	(void)pc;
	(void)variables;
	return no_libdw(error);
}

/* No list was ever created; NULL is ignored. */
ADBGD_API void adbgd_variables_free(struct adbgd_variables *variables)
{
	(void)variables;
}

ADBGD_API const struct adbgd_variable *
adbgd_variables_get(const struct adbgd_variables *variables, size_t i)
{
	(void)variables;
	(void)i;
	return NULL;
}

ADBGD_API int adbgd_variables_find(const struct adbgd_variables *variables, const char *name)
{
	(void)variables;
	(void)name;
	return -ENOENT;
}

int adbgd_type_find(struct adbgd_variables *variables, enum adbgd_type_keyword keyword,
		    const char *name, const struct adbgd_type **type, struct adbgd_error *error)
{
	(void)variables;
	(void)keyword;
	(void)name;
	(void)type;
	return no_libdw(error);
}

ADBGD_API int adbgd_variable_locate(struct adbgd_variables *variables, size_t i,
				    const struct adbgd_context *context,
				    struct adbgd_location *location, struct adbgd_error *error)
{
	(void)variables;
	(void)i;
	(void)context;
	(void)location;
	return no_libdw(error);
}

ADBGD_API int adbgd_variable_read_passed(struct adbgd_variables *variables, size_t i,
					 const struct adbgd_context *context,
					 struct adbgd_value **value, struct adbgd_error *error)
{
	(void)variables;
	(void)i;
	(void)context;
	(void)value;
	return no_libdw(error);
}
