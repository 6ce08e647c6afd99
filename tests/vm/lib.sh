# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Functions that the scripts of this folder share: the places of files, the Debian suite of each
# kernel series, messages.

set -euo pipefail

VM_DIR=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
TOP=$(readlink -f "$VM_DIR/../..")
BUILD=${BUILD:-build}
[[ $BUILD == /* ]] || BUILD=$TOP/$BUILD
CACHE=${AMDGPUDBG_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/amdgpudbg}
# The harness's own test has other suites.
# shellcheck disable=SC2034 # for those who read this file
SUITES=${VM_SUITES:-$VM_DIR/suites}
ALL_SERIES=(6.1 6.12 7.2 debug builtin)
# shellcheck disable=SC2034
DEFAULT_SERIES=6.1 DEFAULT_PROFILE=vangogh

# Kernels that are built here, from Debian's sources of this series.
OWN_CONFIGS=$VM_DIR/debug-kernel
SOURCE_SERIES=6.1
SOURCE_ROOT=$CACHE/linux-$SOURCE_SERIES-source

# A root folder with Debian 13's Vulkan drivers and all that they need.
# shellcheck disable=SC2034
VULKAN_ROOT=$CACHE/vulkan-trixie

# AMD's address library, of which tables of the software GPU are made.
# shellcheck disable=SC2034
ADDRLIB=$CACHE/mesa-addrlib

say()
{
	echo "${0##*/}: $*" >&2
}

die()
{
	say "$*"
	exit 1
}

# vgpu_profiles: print the names of vgpu's profiles
vgpu_profiles()
{
	"$BUILD/tools/vgpu/vgpu" --profile help | awk '{ print $1 }'
}

# suite_of SERIES: print the Debian suite that has this kernel series
suite_of()
{
	case $1 in
	6.1) echo bookworm ;;
	6.12) echo trixie ;;
	7.2) echo trixie-backports ;;
	debug | builtin) suite_of $SOURCE_SERIES ;;
	*) die "unknown kernel series '$1'; there are: ${ALL_SERIES[*]}" ;;
	esac
}

# own_kernel SERIES: is it a kernel that build-kernel builds?
own_kernel()
{
	[[ $1 == debug || $1 == builtin ]]
}

# stock_series: print the series of Debian's kernels
stock_series()
{
	local series

	for series in "${ALL_SERIES[@]}"; do
		own_kernel "$series" || echo "$series"
	done
}

# own_variables SERIES: print the variables for the make that builds it
own_variables()
{
	sed -e '/^#/d' "$OWN_CONFIGS/$1.make" 2>/dev/null || true
}

# own_name SERIES: print the name under which a kernel that is built here is kept. It depends on
# the version of the source and on the configuration.
own_name()
{
	echo -n "$1-"
	{
		cat "$SOURCE_ROOT/version" 2>/dev/null || true
		sed -e '/^#/d' -e '/^$/d' "$OWN_CONFIGS"/{base,"$1"}.config
		own_variables "$1"
	} | sha256sum | cut -c1-12
}

# kernel_dir SERIES: print the folder in the cache with the files of a kernel
kernel_dir()
{
	if own_kernel "$1"; then
		echo "$CACHE/linux-$(own_name "$1")/kernel"
	else
		echo "$CACHE/linux-$1/kernel"
	fi
}

# toolchain_dir SERIES: print the root folder with the compiler of a kernel, and with what is
# needed to build modules
toolchain_dir()
{
	if own_kernel "$1"; then
		echo "$SOURCE_ROOT"
	else
		echo "$CACHE/linux-$1/toolchain"
	fi
}

# headers_dir SERIES: print the kernel's build folder, as seen inside that root
headers_dir()
{
	if own_kernel "$1"; then
		echo "/usr/src/$(own_name "$1")"
	else
		echo "/usr/src/linux-headers-$(kernel_release "$1")"
	fi
}

# packages_of FILE...: print the names in lists of packages
packages_of()
{
	sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$@"
}

# host_root SUITE: print the root folder of another Debian, for building and for tests on the
# host. The name depends on the list of packages.
host_root()
{
	echo "$CACHE/host-$1-$(packages_of "$VM_DIR/packages" | sha256sum | cut -c1-12)"
}

kernel_release()
{
	cat "$(kernel_dir "$1")/release"
}

# in_root ROOT COMMAND...: run a command inside an unpacked root. Users other than root get the
# necessary rights by a user namespace.
in_root()
{
	local root=$1
	shift

	if [[ $(id -u) == 0 ]]; then
		env -i PATH=/usr/sbin:/usr/bin LC_ALL=C chroot "$root" "$@"
	else
		# shellcheck disable=SC2016
		unshare --map-root-user --mount sh -c '
			mount --bind /dev/null "$0/dev/null" &&
			exec env -i PATH=/usr/sbin:/usr/bin LC_ALL=C chroot "$0" "$@"
		' "$root" "$@"
	fi
}

# in_host_root ROOT BUILD COMMAND...: run a command inside the root of another Debian, in the
# tree, which is read-only there, with BUILD at /build. This machine's devices and processes and
# the cache are accessible.
in_host_root()
{
	local root=$1 build=$2 user=()
	shift 2

	[[ $(id -u) == 0 ]] || user=(--map-root-user)
	# shellcheck disable=SC2016
	unshare "${user[@]}" --mount sh -ec '
		root=$0 tree=$1 build=$2 cache=$3
		shift 3
		for dir in /dev /proc; do
			mount --rbind $dir "$root$dir"
		done
		mount --bind "$tree" "$root/tree"
		mount -o remount,bind,ro "$root/tree"
		mount --bind "$build" "$root/build"
		mount --bind "$cache" "$root/cache"
		exec env -i PATH=/usr/sbin:/usr/bin LC_ALL=C HOME=/root \
			AMDGPUDBG_CACHE=/cache CCACHE_DIR=/cache/ccache \
			chroot "$root" sh -c "cd /tree && exec \"\$@\"" sh "$@"
	' "$root" "$TOP" "$build" "$CACHE" "$@"
}

# has_vfio_user QEMU...: does this QEMU support devices over vfio-user?
has_vfio_user()
{
	"$@" -M none -device help 2>/dev/null | grep -q '"vfio-user-pci"'
}

# find_qemu: set QEMU to the command that runs a QEMU with vfio-user. The unpacked one is started
# by its own dynamic linker, so that it does not depend on libraries of the host.
find_qemu()
{
	local r=$CACHE/qemu

	QEMU=(qemu-system-x86_64)
	if command -v "${QEMU[0]}" >/dev/null && has_vfio_user "${QEMU[@]}"; then
		return 0
	fi
	QEMU=("$r/lib64/ld-linux-x86-64.so.2"
		--library-path "$r/usr/lib/x86_64-linux-gnu"
		"$r/usr/bin/qemu-system-x86_64"
		-L "$r/usr/share/qemu" -L "$r/usr/share/seabios")
	[[ -x $r/usr/bin/qemu-system-x86_64 ]]
}

# vmlinuz SERIES: print the path of the packed kernel, which newer packages have in the folder
# of the modules
vmlinuz()
{
	local d release file
	d=$(kernel_dir "$1")
	release=$(kernel_release "$1")

	for file in "$d/boot/vmlinuz-$release" "$d/lib/modules/$release/vmlinuz"; do
		if [[ -e $file ]]; then
			echo "$file"
			return
		fi
	done
	die "no vmlinuz in $d"
}
