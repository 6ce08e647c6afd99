# SPDX-License-Identifier: GPL-2.0-or-later
#
# A tarball of the sources, and Debian packages made from it. The packaging files are
# here, and are put where Debian's tools want them.

DIST := $(BUILD)/amdgpudbg-$(VERSION).tar.xz
DEB_OUT := $(BUILD)/deb

.PHONY: dist deb

dist: $(DIST) ## Make build/amdgpudbg-VERSION.tar.xz, which can be built without git

# What git knows, as it is now; the times are those of the last commit, so that the same
# sources give the same tarball.
$(DIST): FORCE
	@mkdir -p $(@D)
	git ls-files -z | tar --null --files-from=- --transform 's|^|amdgpudbg-$(VERSION)/|' \
		--sort=name --owner=0 --group=0 --numeric-owner \
		--mtime="@$$(git log -1 --format=%ct)" -cJf $@

deb: $(DIST) ## Build Debian packages in build/deb (needs debhelper and dh-dkms)
	@command -v dh >/dev/null && command -v dh_dkms >/dev/null || \
		{ echo "install the packages debhelper and dh-dkms" >&2; exit 1; }
	rm -rf $(DEB_OUT)
	mkdir -p $(DEB_OUT)
	tar -xf $(DIST) -C $(DEB_OUT)
	cp -r $(DEB_OUT)/amdgpudbg-$(VERSION)/tools/debian $(DEB_OUT)/amdgpudbg-$(VERSION)/debian
	cd $(DEB_OUT)/amdgpudbg-$(VERSION) && env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL \
		dpkg-buildpackage -us -uc -b
	@ls $(DEB_OUT)/*.deb
