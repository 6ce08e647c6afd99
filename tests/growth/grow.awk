# SPDX-License-Identifier: GPL-2.0-or-later
#
# The kernel interface as a later release might have it: every structure that may
# grow has two members more at its end. Reads linux/amdgpudbg.h, writes the other.
#
# Those may grow that begin with their size, and records that callers give room for
# by a stride (RECORDS, which the caller of this program names). The others are of
# fixed size for ever.

BEGIN {
	n = split(RECORDS, names, " ")
	for (i = 1; i <= n; i++)
		grows["amdgpudbg_" names[i]] = 1
}

/^struct amdgpudbg_[a-z0-9_]+ \{$/ {
	name = $2
	first = 1
	print
	next
}

name != "" && first {
	first = 0
	if ($0 ~ /^\t__u32 size;/)
		grows[name] = 1
}

/^};/ && name != "" {
	if (name in grows)
		print "\t__aligned_u64 grown[2];"
	name = ""
}

{ print }
