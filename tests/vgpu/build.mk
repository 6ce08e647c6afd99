# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests of the software GPU on the host: each test_*.c is a program, linked with
# all of vgpu but its main().

VGPU_TEST_SRCS := $(wildcard tests/vgpu/test_*.c)
VGPU_TEST_OBJS := $(patsubst %.c,$(BUILD)/%.o,\
	$(filter-out $(VGPU_TEST_SRCS),$(wildcard tests/vgpu/*.c)))
VGPU_TESTS := $(VGPU_TEST_SRCS:%.c=$(BUILD)/%)

UNIT_TESTS += $(VGPU_TESTS)

$(BUILD)/tests/vgpu/%.o: tests/vgpu/%.c
	@mkdir -p $(@D)
	$(CC) $(VGPU_CFLAGS) -Itests/vgpu -c $< -o $@

$(VGPU_TESTS): %: %.o $(VGPU_TEST_OBJS) $(filter-out %/main.o,$(VGPU_OBJS))
	$(CC) $(CFLAGS) $(LDFLAGS) $^ $(VGPU_LIBS) -lcmocka -o $@

# It runs the program itself.
$(BUILD)/tests/vgpu/test_program: | $(VGPU)
