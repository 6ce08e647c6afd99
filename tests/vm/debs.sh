# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Fetches Debian packages of any suite from the mirror for which this machine's apt is
# configured, and unpacks them to a folder. apt gets a separate configuration and state, so
# nothing on the host changes, and root is not needed.

KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg

# debian_site [-security]: print the address of the archive for which apt is configured
debian_site()
{
	# shellcheck disable=SC2016
	apt-get indextargets --format '$(RELEASE) $(SITE)' \
		'Created-By: Packages' 'Origin: Debian' |
	awk -v security="${1:-}" '
		$2 ~ /^https?:/ && ($1 ~ /-security/) == (security != "") {
			print $2
			exit
		}'
}

# suite_sources SUITE: print a sources.list for a suite with its updates and backports
suite_sources()
{
	local base=${1%-backports} site security

	site=$(debian_site)
	security=$(debian_site -security)
	[[ $site ]] || die "apt knows no Debian mirror; as root: apt-get update"
	if [[ $1 == sid ]]; then
		# sid has no updates. A mirror with a copy of a certain day has a Release file
		# that has expired; its signature is still checked.
		echo "deb [signed-by=$KEYRING check-valid-until=no] $site sid main"
		return
	fi
	echo "deb [signed-by=$KEYRING] $site $base main"
	echo "deb [signed-by=$KEYRING] $site $base-updates main"
	if [[ $security ]]; then
		echo "deb [signed-by=$KEYRING] $security $base-security main"
	fi
	if [[ $1 == *-backports ]]; then
		echo "deb [signed-by=$KEYRING] $site $1 main"
	fi
}

# apt_transport: print the settings (such as proxies) by which this machine's apt reaches its
# mirror, for the other apt
apt_transport()
{
	apt-config dump | grep -E '^Acquire::(https?|ftp)::' || true
}

# suite_open SUITE: make apt use this suite from now on
suite_open()
{
	local d=$CACHE/apt/$1

	mkdir -p "$d"/etc/{apt.conf.d,preferences.d} \
		"$d"/{state/lists,cache/archives}/partial
	unset APT_CONFIG
	suite_sources "$1" >"$d/etc/sources.list"
	{
		apt_transport
		cat <<-CONF
		Dir "$d";
		Dir::Etc "etc";
		Dir::State "state";
		Dir::State::status "status";
		Dir::Cache "cache";
		APT::Architecture "amd64";
		APT::Architectures { "amd64"; };
		APT::Install-Recommends "false";
		APT::Sandbox::User "root";
		Acquire::Languages "none";
		Acquire::Retries "3";
		Debug::NoLocking "true";
		CONF
		# apt installs backports only if that is requested; else the newest version.
		[[ $1 != *-backports ]] || echo "APT::Default-Release \"$1\";"
	} >"$d/apt.conf"
	: >"$d/state/status"
	export APT_CONFIG=$d/apt.conf
	if ! apt-get -q update >"$d/update.log" 2>&1; then
		cat "$d/update.log" >&2
		die "the configured mirror does not serve Debian's $1"
	fi
	SUITE_ARCHIVES=$d/cache/archives
}

# say_downloads: print how many packages were fetched, their size, and the largest of them
say_downloads()
{
	say "fetched $(stat -c '%s %n' "$SUITE_ARCHIVES"/*.deb | sort -rn | awk '
		{ sum += $1; bytes = $1; sub(/.*\//, ""); sub(/_.*/, "") }
		NR <= 5 { largest = largest sprintf("%s%s (%d MB)", NR > 1 ? ", " : "", $0, bytes / 1e6) }
		END { printf "%d packages, %d MB; the largest: %s", NR, sum / 1e6, largest }')"
}

# unpack_debs DIR FILE...: unpack these packages below DIR
unpack_debs()
{
	local dir=$1 deb link
	shift

	for link in bin sbin lib lib64; do
		mkdir -p "$dir/usr/$link"
		ln -sfn "usr/$link" "$dir/$link"
	done
	for deb in "$@"; do
		dpkg-deb --fsys-tarfile "$deb" |
			tar -x --keep-directory-symlink -C "$dir" --no-same-owner
	done
}

# suite_unpack DIR PACKAGE...: fetch and unpack packages and all their dependencies
suite_unpack()
{
	local dir=$1
	shift

	apt-get clean
	apt-get -q -y --download-only install "$@" >"$APT_CONFIG.log" 2>&1 || {
		cat "$APT_CONFIG.log" >&2
		die "cannot fetch: $*"
	}
	say_downloads
	unpack_debs "$dir" "$SUITE_ARCHIVES"/*.deb
	apt-get clean
}

# suite_fetch PACKAGE...: fetch only these packages to SUITE_ARCHIVES
suite_fetch()
{
	apt-get clean
	(cd "$SUITE_ARCHIVES" && apt-get -q download "$@") >"$APT_CONFIG.log" 2>&1 || {
		cat "$APT_CONFIG.log" >&2
		die "cannot fetch: $*"
	}
	say_downloads
}

# suite_unpack_alone DIR PACKAGE...: fetch and unpack only these packages
suite_unpack_alone()
{
	local dir
	dir=$(readlink -f "$1")
	shift

	suite_fetch "$@"
	unpack_debs "$dir" "$SUITE_ARCHIVES"/*.deb
	apt-get clean
}

# suite_source DIR PACKAGE PATTERN...: fetch and unpack files of a package's sources, without
# Debian's changes
suite_source()
{
	local dir=$1 package=$2 apt=${APT_CONFIG%/*}
	shift 2

	mkdir "$dir/fetched"
	sed -i -e p -e 's/^deb /deb-src /' "$apt/etc/sources.list"
	(cd "$dir/fetched" && apt-get -q update &&
		apt-get -q --download-only source "$package") \
		>"$APT_CONFIG.log" 2>&1 || {
		cat "$APT_CONFIG.log" >&2
		die "cannot fetch the sources of $package"
	}
	tar -C "$dir" -xf "$dir/fetched/$package"_*.orig.tar.[gx]z \
		--strip-components=1 --wildcards "$@"
	rm -r "$dir/fetched"
}

# newest_kernel SERIES: print the release of the newest stock kernel of a series that the open
# suite has together with its headers
newest_kernel()
{
	local series=${1//./\\.} release

	apt-cache pkgnames linux-image- |
	sed -nE "s/^linux-image-(${series}[.+~-][.+~0-9a-z-]*-amd64)\$/\1/p" |
	grep -vE -- '-(rt|cloud)-' | sort -rV |
	while read -r release; do
		if apt-cache show "linux-headers-$release" >/dev/null 2>&1; then
			echo "$release"
			break
		fi
	done
}

# kernel_packages RELEASE: print the packages of a stock kernel. Newer kernels are split into an
# image, modules and more packages, whose names contain the release.
kernel_packages()
{
	echo "linux-image-$1"
	apt-cache depends "linux-image-$1" |
		sed -nE 's/^ *Depends: (linux-[a-z]+-[0-9].*)$/\1/p' |
		grep -F -- "-$1" || true
}
