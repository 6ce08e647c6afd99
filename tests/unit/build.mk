# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests that need no GPU and no guest. Each is a program at
# build/tests/unit/NAME that prints TAP; it is run from the top of the tree.

UNIT_BUILD := $(BUILD)/tests/unit
UNIT_CPPFLAGS = $(LIB_CPPFLAGS) -D_GNU_SOURCE -DLIB_VERSION='"$(LIB_VERSION)"'

UNIT_LIB_TESTS := $(patsubst tests/unit/%.c,$(UNIT_BUILD)/%,\
	$(wildcard tests/unit/test_lib_*.c))
UNIT_WAVECTL_TESTS := $(patsubst tests/unit/%.c,$(UNIT_BUILD)/%,\
	$(wildcard tests/unit/test_wavectl_*.c))
UNIT_TESTS += $(UNIT_LIB_TESTS) $(UNIT_WAVECTL_TESTS)

$(UNIT_BUILD)/obj/%.o: tests/unit/%.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(UNIT_CPPFLAGS) -c -o $@ $<

$(UNIT_LIB_TESTS): $(UNIT_BUILD)/%: $(UNIT_BUILD)/obj/%.o \
		$(UNIT_BUILD)/obj/mock.o $(LIB_A)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lcmocka

# A part of the module that needs nothing of the kernel, under the sanitizers.
UNIT_TESTS += $(UNIT_BUILD)/test_btf
UNIT_SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all

$(UNIT_BUILD)/test_btf: tests/unit/test_btf.c kernel/btf.c kernel/btf.h \
		kernel/btf_port.h
	@mkdir -p $(@D)
	$(CC) $(filter-out -MMD -MP,$(ALL_CFLAGS)) $(UNIT_SANITIZE) -Ikernel \
		-D_GNU_SOURCE -o $@ $(filter %.c,$^) -lcmocka

# wavectl with everything but its main().
$(UNIT_WAVECTL_TESTS): $(UNIT_BUILD)/%: $(UNIT_BUILD)/obj/%.o \
		$(UNIT_BUILD)/obj/mock.o $(UNIT_BUILD)/obj/run_wavectl.o \
		$(filter-out %/main.o,$(WAVECTL_OBJS)) $(LIB_A)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lcmocka -ljson-c

# Stays last, after all that is added to UNIT_TESTS.
.PHONY: check-unit
check-unit: $(UNIT_TESTS) ## Unit tests on the host
	tests/run $(UNIT_TESTS)
