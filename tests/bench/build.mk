# SPDX-License-Identifier: GPL-2.0-or-later
#
# Benchmarks: costs, as counts and as ratios within one run.

.PHONY: bench bench-against

BENCH_OUT := $(BUILD)/tests/bench

$(BENCH_OUT)/%.o: tests/bench/%.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -Ilib/include $(GUEST_INCLUDE) -c $< -o $@

# In the guest's folder, so that it comes along into the guest.
$(GUEST_OUT)/bench-waves: $(BENCH_OUT)/bench_waves.o \
		$(call guest_parts,regs2 victim) $(BUILD)/lib/libamdgpudbg.a
	$(CC) -o $@ $^ -ljson-c

$(BENCH_OUT)/bench_debugger.o: tests/bench/bench_debugger.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(DRM_CFLAGS) $(LIBDEBUG_CPPFLAGS) $(GUEST_INCLUDE) \
		-Itests/vm/guest/debug -c $< -o $@

# The functions by which the libraries make system calls, which count.c counts
BENCH_WRAPPED := ioctl poll ppoll read pread

$(GUEST_OUT)/bench-debugger: $(addprefix $(BENCH_OUT)/,bench_debugger.o count.o) $(GUEST_OUT)/debug/debugger_prog.o \
		$(call guest_parts,self truth) $(PROG_O) $(LIBDEBUG_OBJS) $(LIB_A)
	$(CC) -o $@ $(BENCH_WRAPPED:%=-Wl,--wrap=%) $^ $(DRM_LIBS) -lcmocka -ljson-c $(LIBDEBUG_LIBS)

$(GUEST_OUT)/bench-guest: tests/bench/bench-guest
	@mkdir -p $(@D)
	cp $< $@

UNIT_TESTS += tests/bench/selftest

VM_TARGETS += $(GUEST_OUT)/bench-waves $(GUEST_OUT)/bench-debugger $(GUEST_OUT)/bench-guest

# Instructions per second, on the host.
$(BENCH_OUT)/bench_isa.o: tests/bench/bench_isa.c
	@mkdir -p $(@D)
	$(CC) $(ISA_CFLAGS) -c $< -o $@

$(BENCH_OUT)/bench_isa: $(BENCH_OUT)/bench_isa.o $(ISA_OUT)/machine.o $(ISA_OBJS)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ -lm -o $@

# Its jobs run for as long as waves are listed, through debugfs, too: no timeout ends them.
bench: $(BENCH_OUT)/bench_isa ## Cost of lists and halts against debugfs, speed of vgpu (KERNEL=)
	@$(BENCH_OUT)/bench_isa
	$(call prepare,$(KERNEL))
	@tests/vm/build-module $(KERNEL)
	@tests/vm/run --series $(KERNEL) --append amdgpu.lockup_timeout=600000 \
		--command "sh /usr/share/amdgpudbg/bench-guest"

bench-against: ## Speed of vgpu's instructions as a ratio to another commit's (COMMIT=)
	@BUILD=$(BUILD) tests/bench/against $(COMMIT) $(ROUNDS)
