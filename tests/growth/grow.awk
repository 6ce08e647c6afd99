# SPDX-License-Identifier: GPL-2.0-or-later
#
# Derives the kernel interface of an imagined later release from linux/amdgpudbg.h: in
# each structure that may grow, it adds an array of two words at the end.
#
# A structure may grow if it begins with its size, or if it is a record of an array whose
# stride the caller passes to the kernel. The caller of this program names the latter in
# RECORDS. All other structures have a fixed size for ever.

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
