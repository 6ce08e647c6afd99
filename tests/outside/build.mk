# SPDX-License-Identifier: GPL-2.0-or-later
#
# Builds programs for the guest that use nothing of the project but
# uapi/linux/amdgpudbg.h. They link with the C library only.

OUTSIDE_OUT := $(BUILD)/tests/outside
OUTSIDE_C := $(addprefix $(GUEST_OUT)/outside-,sampler hangs stepper)
VM_TARGETS += $(OUTSIDE_C) $(GUEST_OUT)/outside-waves $(GUEST_OUT)/sample.py

CXX_WARNFLAGS := -Wall -Wextra -Wpedantic $(WERROR_FLAG)

$(OUTSIDE_OUT)/%.o: tests/outside/%.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -c $< -o $@

$(OUTSIDE_C): $(GUEST_OUT)/outside-%: $(OUTSIDE_OUT)/%.o $(OUTSIDE_OUT)/outside.o
	@mkdir -p $(@D)
	$(CC) -o $@ $^

$(OUTSIDE_OUT)/waves.o: tests/outside/waves.cpp
	@mkdir -p $(@D)
	$(strip $(CCACHE) $(CXX)) -std=c++17 -O2 -g $(CXX_WARNFLAGS) -MMD -MP -Iuapi -c $< -o $@

$(GUEST_OUT)/outside-waves: $(OUTSIDE_OUT)/waves.o
	@mkdir -p $(@D)
	$(CXX) -o $@ $^

$(GUEST_OUT)/sample.py: tests/outside/sample.py
	@mkdir -p $(@D)
	cp $< $@
