# SPDX-License-Identifier: GPL-2.0-or-later
#
# Programs and data that run inside the guest. GUEST_FILES is what a boot needs.

GUEST_OUT := $(BUILD)/tests/vm/guest
GUEST_FILES := $(addprefix $(GUEST_OUT)/,abi addrwatch bounds causes compute \
	debugger debugfs-regs death events failnth halts hammer hands harass ignoring \
	isolate jobevents joblist jsonlines launch memory \
	operations pidns registers remains rights stepper stops targets theft traps turns vmfaults \
	breaks.co death.co faults.co kernels.cl kernels.co kernels_debug.co registers.co steps.co \
	touch.co traps.co tap.sh talk.sh remains.sh grants.awk \
	handler.bin session debugger-session example-pcs example-writes \
	example-histogram example-trace)
VM_TARGETS += $(GUEST_FILES)

DRM_CFLAGS = $(shell pkg-config --cflags libdrm_amdgpu)
DRM_LIBS = $(shell pkg-config --libs libdrm_amdgpu)

$(GUEST_OUT)/%.o: tests/vm/guest/%.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -Itests/kernels -Ilib/include \
		$(GUEST_CPPFLAGS) \
		$(DRM_CFLAGS) -c $< -o $@

# The sessions of the documentation, without their indentation
$(GUEST_OUT)/session: tools/wavectl/sessions.md
	@mkdir -p $(@D)
	sed -n '/^    \$$ wavectl shell --pid 4711$$/,/^$$/s/^    //p' $< > $@

$(GUEST_OUT)/debugger-session: tools/wavectl/sessions.md
	@mkdir -p $(@D)
	sed -n '/^    \$$ compute -c/,/^$$/s/^    //p' $< > $@

# The library's examples, under names that say so
$(addprefix $(GUEST_OUT)/example-,histogram trace): $(GUEST_OUT)/example-%: \
		$(LIB_BUILD)/debug-examples/%
	@mkdir -p $(@D)
	cp $< $@

$(GUEST_OUT)/example-%: $(LIB_BUILD)/examples/%
	@mkdir -p $(@D)
	cp $< $@

# A program with the kernels of tests/kernels
PROG_O := $(addprefix $(GUEST_OUT)/,prog.o gpu.o port.o until.o) \
	$(KERNELS_OUT)/codeobj.o

$(GUEST_OUT)/compute: $(GUEST_OUT)/compute.o $(PROG_O) \
		$(KERNELS_OUT)/kernels_cpu.o
	$(CC) -o $@ $^ $(DRM_LIBS) -lelf

$(GUEST_OUT)/events: $(addprefix $(GUEST_OUT)/,events.o events_read.o events_vm.o child.o \
		regs2.o self.o truth.o userfault.o) \
		$(PROG_O)
	$(CC) -o $@ $^ $(DRM_LIBS) -lelf -lcmocka -lpthread -ljson-c

$(GUEST_OUT)/jobevents: $(addprefix $(GUEST_OUT)/,jobevents.o people.o) $(PROG_O) $(LIB_A)
	$(CC) -o $@ $^ $(DRM_LIBS) -lelf -lcmocka

$(GUEST_OUT)/joblist: $(addprefix $(GUEST_OUT)/,joblist.o people.o) $(PROG_O) $(LIB_A)
	$(CC) -o $@ $^ $(DRM_LIBS) -lelf -lcmocka

$(GUEST_OUT)/ignoring: $(GUEST_OUT)/ignoring.o
	$(CC) -o $@ $^

$(GUEST_OUT)/jsonlines: $(GUEST_OUT)/jsonlines.o
	$(CC) -o $@ $^ -ljson-c

$(GUEST_OUT)/pidns: $(GUEST_OUT)/pidns.o $(PROG_O) $(LIB_A)
	$(CC) -o $@ $^ $(DRM_LIBS) -lelf -lcmocka

$(GUEST_OUT)/remains: $(GUEST_OUT)/remains.o $(PROG_O) $(LIB_A)
	$(CC) -o $@ $^ $(DRM_LIBS) -lelf

$(GUEST_OUT)/rights: $(GUEST_OUT)/rights.o $(PROG_O)
	$(CC) -o $@ $^ $(DRM_LIBS) -lelf -lcmocka

$(GUEST_OUT)/vmfaults: $(addprefix $(GUEST_OUT)/,vmfaults.o self.o) $(PROG_O) $(LIB_A)
	$(CC) -o $@ $^ $(DRM_LIBS) -lelf -lcmocka -lpthread

$(GUEST_OUT)/targets: $(addprefix $(GUEST_OUT)/,targets.o self.o) $(PROG_O) $(LIB_A)
	$(CC) -o $@ $^ $(DRM_LIBS) -lelf -lcmocka -lpthread

$(GUEST_OUT)/abi: $(addprefix $(GUEST_OUT)/,abi.o abi_args.o abi_waves.o \
		busy.o child.o victim.o)
	$(CC) -o $@ $^ -lcmocka

$(GUEST_OUT)/registers: $(addprefix $(GUEST_OUT)/,registers.o busy.o self.o truth.o) \
		$(PROG_O) $(LIB_A)
	$(CC) -o $@ $^ $(DRM_LIBS) -lelf -lcmocka -ljson-c

$(GUEST_OUT)/stops.o: $(KERNELS_OUT)/slow.inc
$(GUEST_OUT)/stops.o: GUEST_CPPFLAGS := -I$(KERNELS_OUT)

$(GUEST_OUT)/stops: $(GUEST_OUT)/stops.o $(PROG_O) $(LIB_A)
	$(CC) -o $@ $^ $(DRM_LIBS) -lelf -lcmocka

$(GUEST_OUT)/operations: $(addprefix $(GUEST_OUT)/,operations.o \
		operations_id.o operations_list.o operations_record.o operations_regs.o operations_select.o \
		operations_sleep.o operations_reports.o \
		operations_waves.o \
		busy.o child.o self.o truth.o victim.o regs2.o) \
		$(PROG_O) $(LIB_A)
	$(CC) -o $@ $^ $(DRM_LIBS) -lelf -lcmocka -ljson-c

DEBUGGER_O := $(addprefix $(GUEST_OUT)/,debugger.o debugger_barrier.o debugger_clear.o \
	debugger_death.o debugger_detach.o debugger_if.o debugger_lds.o debugger_match.o debugger_prog.o \
	debugger_room.o debugger_run.o debugger_start.o debugger_stops.o debugger_target.o \
	debugger_trace.o debugger_two.o debugger_until.o debugger_watch.o debugger_waves.o)
$(DEBUGGER_O): GUEST_CPPFLAGS := $(LIBDEBUG_CPPFLAGS)

$(GUEST_OUT)/debugger: $(DEBUGGER_O) $(addprefix $(GUEST_OUT)/,child.o people.o self.o \
		victim.o) \
		$(PROG_O) $(LIBDEBUG_OBJS) $(LIB_A)
	$(CC) -Wl,--wrap=adbg_call -o $@ $^ $(DRM_LIBS) -lcmocka $(LIBDEBUG_LIBS)

$(GUEST_OUT)/harass.o: GUEST_CPPFLAGS := $(LIBDEBUG_CPPFLAGS)

$(GUEST_OUT)/harass: $(addprefix $(GUEST_OUT)/,harass.o until.o) $(LIBDEBUG_OBJS) $(LIB_A)
	$(CC) -o $@ $^ $(LIBDEBUG_LIBS)

$(GUEST_OUT)/hammer: $(addprefix $(GUEST_OUT)/,hammer.o until.o) $(LIB_A)
	$(CC) -o $@ $^ -lpthread

$(GUEST_OUT)/debugfs-regs: $(addprefix $(GUEST_OUT)/,debugfs-regs.o regs2.o)
	$(CC) -o $@ $^

# Programs that debug themselves.
$(addprefix $(GUEST_OUT)/,launch addrwatch causes): $(GUEST_OUT)/%: \
		$(GUEST_OUT)/%.o \
		$(addprefix $(GUEST_OUT)/,busy.o self.o victim.o regs2.o child.o) \
		$(PROG_O)
	$(CC) -o $@ $^ $(DRM_LIBS) -ldrm -lelf -lcmocka -lpthread

# Programs that are several users
$(GUEST_OUT)/theft_thief.o: $(KERNELS_OUT)/handler.inc
$(GUEST_OUT)/theft_thief.o: GUEST_CPPFLAGS := -I$(KERNELS_OUT)

$(GUEST_OUT)/theft: $(addprefix $(GUEST_OUT)/,theft.o theft_people.o \
		theft_thief.o theft_away.o theft_lost.o theft_tba.o \
		theft_reader.o theft_rounds.o busy.o actor.o truth.o people.o child.o \
		trap_prog.o self.o regs2.o) $(PROG_O) $(LIB_A)
	$(CC) -o $@ $^ $(DRM_LIBS) -ldrm -lelf -lcmocka -ljson-c

$(GUEST_OUT)/turns: $(addprefix $(GUEST_OUT)/,turns.o self.o people.o truth.o) \
		$(PROG_O) $(LIB_A)
	$(CC) -o $@ $^ $(DRM_LIBS) -lelf -lcmocka -lpthread -ljson-c

$(GUEST_OUT)/bounds: $(addprefix $(GUEST_OUT)/,bounds.o busy.o self.o people.o \
		truth.o victim.o) $(PROG_O) $(LIB_A)
	$(CC) -o $@ $^ $(DRM_LIBS) -lelf -lcmocka -ljson-c

$(GUEST_OUT)/isolate: $(addprefix $(GUEST_OUT)/,isolate.o isolate_people.o \
		isolate_calls.o isolate_target.o busy.o people.o victim.o child.o \
		until.o) $(LIB_A)
	$(CC) -o $@ $^ -lcmocka

$(GUEST_OUT)/hands: $(addprefix $(GUEST_OUT)/,hands.o people.o victim.o self.o \
		truth.o) $(PROG_O) $(LIB_A)
	$(CC) -o $@ $^ $(DRM_LIBS) -lelf -lcmocka -ljson-c -lpthread

$(GUEST_OUT)/self.o: $(TRAP_OUT)/gfx10_3_stop.inc
$(GUEST_OUT)/memory_patch.o: $(TRAP_OUT)/gfx10_3_stop.inc
$(GUEST_OUT)/traps.o: $(TRAP_OUT)/gfx10_3_stop.inc $(KERNELS_OUT)/handler.inc
$(addprefix $(GUEST_OUT)/,memory_patch.o self.o traps.o trap_prog.o): GUEST_CPPFLAGS := $(TRAP_CPPFLAGS) -I$(KERNELS_OUT)

$(addprefix $(GUEST_OUT)/,bounds.o halts.o memory_rewind.o): $(KERNELS_OUT)/gate.inc
$(addprefix $(GUEST_OUT)/,bounds.o halts.o memory_rewind.o): GUEST_CPPFLAGS := -I$(KERNELS_OUT)

$(GUEST_OUT)/halts: $(addprefix $(GUEST_OUT)/,halts.o busy.o self.o truth.o) \
		$(PROG_O) $(LIB_A)
	$(CC) -o $@ $^ $(DRM_LIBS) -lelf -lcmocka -ljson-c -lpthread

$(GUEST_OUT)/traps: $(addprefix $(GUEST_OUT)/,traps.o traps_mem.o trap_prog.o \
		busy.o self.o child.o regs2.o) $(PROG_O)
	$(CC) -o $@ $^ $(DRM_LIBS) -ldrm -lelf -lcmocka

$(GUEST_OUT)/memory: $(addprefix $(GUEST_OUT)/,memory.o memory_buffers.o \
		memory_close.o memory_list.o memory_moved.o memory_objects.o memory_patch.o \
		memory_race.o memory_rewind.o memory_swap.o memory_users.o memory_waves.o busy.o child.o \
		trap_prog.o people.o self.o regs2.o userfault.o) $(PROG_O) $(LIB_A)
	$(CC) -o $@ $^ $(DRM_LIBS) -ldrm -lelf -lcmocka -lpthread

$(GUEST_OUT)/stepper.o: $(KERNELS_OUT)/stepper.inc
$(GUEST_OUT)/stepper.o: GUEST_CPPFLAGS := $(TRAP_CPPFLAGS) -I$(KERNELS_OUT)

$(GUEST_OUT)/stepper: $(addprefix $(GUEST_OUT)/,stepper.o self.o truth.o) $(PROG_O) $(LIB_A)
	$(CC) -o $@ $^ $(DRM_LIBS) -lelf -lcmocka -ljson-c

$(GUEST_OUT)/stepper.bin: trap/gfx10_3.inc tests/vm/guest/stepper.h
$(addprefix $(GUEST_OUT)/,handler.bin gate.bin slow.bin stepper.bin): \
		$(GUEST_OUT)/%.bin: tests/vm/guest/%.S trap/trap_abi.h
	@mkdir -p $(@D)
	$(CLANG_GPU) $(TRAP_ASFLAGS) -mcpu=$(GPU_CPU) $(TRAP_CPPFLAGS) -c $< -o $@.o
	objcopy -I elf64-little -O binary -j .text $@.o $@

$(addprefix $(KERNELS_OUT)/,handler.inc gate.inc slow.inc stepper.inc): \
		$(KERNELS_OUT)/%.inc: $(GUEST_OUT)/%.bin
	@mkdir -p $(@D)
	od -An -v -tx4 $< | sed 's/ \([0-9a-f]\{8\}\)/0x\1, /g' > $@

$(GUEST_OUT)/death: $(addprefix $(GUEST_OUT)/,death.o death_stages.o people.o \
		victim.o self.o regs2.o) $(PROG_O) $(LIB_A)
	$(CC) -o $@ $^ $(DRM_LIBS) -lelf

$(GUEST_OUT)/failnth: $(addprefix $(GUEST_OUT)/,failnth.o failnth_main.o \
		failnth_waves.o failnth_leases.o victim.o self.o) $(PROG_O) \
		$(addprefix $(BUILD)/tests/fuzz/,abi.o vgpu.o victims.o)
	$(CC) -o $@ $^ $(DRM_LIBS) -lelf

$(GUEST_OUT)/%.co: $(KERNELS_OUT)/%.co
	cp $< $@

# Source lines, for who has compiled them with -g
$(GUEST_OUT)/kernels.cl: tests/kernels/kernels.cl
	@mkdir -p $(@D)
	cp $< $@

$(addprefix $(GUEST_OUT)/,tap.sh talk.sh remains.sh grants.awk): $(GUEST_OUT)/%: tests/vm/guest/%
	@mkdir -p $(@D)
	cp $< $@
