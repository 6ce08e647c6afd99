# SPDX-License-Identifier: LGPL-2.1-or-later
#
# NAME.3:PAGE.3 for each name that a page has besides that of its file.
FNR == 1 {
	page = FILENAME
	gsub(/.*\/|\.scd/, "", page)
}
/^#/ {
	names = $0 == "# NAME"
	next
}
names {
	last = sub(/ - .*/, "")
	gsub(/,/, " ")
	for (i = 1; i <= NF; i++)
		if ($i ".3" != page)
			print $i ".3:" page
	if (last)
		names = 0
}
