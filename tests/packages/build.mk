# SPDX-License-Identifier: GPL-2.0-or-later
#
# Compares what lib/debug knows of the code objects in Debian's packages with what LLVM's and GNU's
# tools know of them, and debugs a kernel of them in a guest.

PACKAGES_OUT := $(BUILD)/tests/packages
PACKAGES_DESCRIBE := $(PACKAGES_OUT)/describe

$(PACKAGES_OUT)/describe.o: tests/packages/describe.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(LIBDEBUG_SRC_CPPFLAGS) -c $< -o $@

$(PACKAGES_DESCRIBE): $(PACKAGES_OUT)/describe.o $(LIBDEBUG_OBJS) $(LIB_A)
	$(CC) -o $@ $^ $(LIBDEBUG_LIBS)

.PHONY: check-packages check-llama
check-packages: $(PACKAGES_DESCRIBE) ## Code objects of Debian's packages rocBLAS and rocRAND, which it fetches (KERNEL=)
	$(call prepare,$(KERNEL))
	@tests/vm/build-module $(KERNEL)
	@tests/run --deadline 1800 --name packages "tests/packages/check $(KERNEL)"

# RADV of Debian's unstable suite needs Linux 6.6.
LLAMA_KERNEL := $(if $(filter 6.1,$(KERNEL)),6.12,$(KERNEL))

check-llama: ## llama.cpp's Vulkan test with the newest RADV under wavectl; fetches them (KERNEL=6.12)
	$(call prepare,$(LLAMA_KERNEL))
	@tests/vm/build-module $(LLAMA_KERNEL)
	@tests/run --deadline 1800 --name llama "tests/packages/llama $(LLAMA_KERNEL)"
