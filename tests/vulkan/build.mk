# SPDX-License-Identifier: GPL-2.0-or-later
#
# Builds Vulkan compute shaders and the program that runs them: see README.md. They are put
# into the guest with the other programs and data.

VULKAN_OUT := $(BUILD)/tests/vulkan
VULKAN_SPV := $(patsubst tests/vulkan/shaders/%.comp,$(GUEST_OUT)/%.spv, \
	$(wildcard tests/vulkan/shaders/*.comp))

VM_TARGETS += $(GUEST_OUT)/vulkan $(VULKAN_SPV)

$(VULKAN_OUT)/%.o: tests/vulkan/%.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -c $< -o $@

$(GUEST_OUT)/vulkan: $(addprefix $(VULKAN_OUT)/,vulkan.o vk.o cases.o)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $^ -lvulkan

$(GUEST_OUT)/%.spv: tests/vulkan/shaders/%.comp
	@mkdir -p $(@D)
	glslangValidator --quiet --target-env vulkan1.2 $< -o $@

.PHONY: check-vulkan

check-vulkan: ## Vulkan compute shaders by Debian's RADV on vgpu: the results are lavapipe's
	$(call prepare,vulkan 6.12)
	@tests/vm/build-module 6.12
	@tests/run --deadline 1800 --name vulkan \
		"tests/vm/run --series 6.12 --suites vulkan-compute:long"
