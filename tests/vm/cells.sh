# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Reads tests/vm/cells, the table of suites and of the cells in which `make ci` runs them. For
# scripts that have sourced lib.sh and suites.sh. VM_CELLS can name another table.

CELLS=${VM_CELLS:-$VM_DIR/cells}

# cell_lines: print "SUITE KERNEL PROFILE" for each row
cell_lines()
{
	sed -e 's/#.*//' "$CELLS" | awk 'NF { $1 = $1; print }'
}

# cells: print "KERNEL PROFILE" for each cell in which a suite runs
cells()
{
	cell_lines | cut -d' ' -f2-3 | grep -vxF -- "- -" | sort -uV
}

# cell_named KERNEL PROFILE: print the suites that the table has for this cell
cell_named()
{
	cell_lines | awk -v cell="$1 $2" '$2 " " $3 == cell { print $1 }'
}

# cell_differing KERNEL: print the short suites for this kernel whose result can differ there
cell_differing()
{
	local name

	suites_of "$1" | while read -r name; do
		! suite_differs "$name" || echo "$name"
	done
}

# cell_suites KERNEL PROFILE: print what runs in this cell, as arguments for tests/vm/run, in
# the order of suites
cell_suites()
{
	local named wanted

	named=$(cell_named "$1" "$2")
	wanted=$(
		sed '/^differing$/d; /^$/d' <<<"$named"
		! grep -qx differing <<<"$named" || cell_differing "$1"
	)
	[[ ! $wanted ]] || suite_names | grep -xF "$wanted"
}
