# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Reads tests/vm/cells, the table of what `make ci` runs where. For scripts that have
# sourced lib.sh and suites.sh. VM_CELLS names another table.

CELLS=${VM_CELLS:-$VM_DIR/cells}

# cell_lines: "SUITE KERNEL PROFILE" a line
cell_lines()
{
	sed -e 's/#.*//' "$CELLS" | awk 'NF { $1 = $1; print }'
}

# cells: "KERNEL PROFILE" of each cell in which something runs
cells()
{
	cell_lines | cut -d' ' -f2-3 | grep -vxF -- "- -" | sort -uV
}

# cell_named KERNEL PROFILE: the suites that the table has for this cell
cell_named()
{
	cell_lines | awk -v cell="$1 $2" '$2 " " $3 == cell { print $1 }'
}

# cell_differing KERNEL: the short suites for this kernel whose result can differ there
cell_differing()
{
	local name

	suites_of "$1" | while read -r name; do
		! suite_differs "$name" || echo "$name"
	done
}

# cell_suites KERNEL PROFILE: what runs in this cell, as tests/vm/run wants it
cell_suites()
{
	local named

	named=$(cell_named "$1" "$2")
	{
		sed '/^differing$/d; /^$/d' <<<"$named"
		! grep -qx differing <<<"$named" || cell_differing "$1"
	} | sort -u
}
