// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * System management unit (SMU): the mailbox for messages, GFXOFF, and the tables that the
 * driver reads; also the RLC's safe-mode handshake, which is a part of power management.
 * The numbers of messages are in the profile.
 */
#include <errno.h>
#include <stdlib.h>

#include "firmware/smu.h"
#include "gpu.h"
#include "mem/gmc.h"
#include "profiles/profile.h"
#include "regs/checker.h"
#include "regs/instances.h"
#include "regs/log.h"
#include "regs/nbio.h"
#include "regs/quirks.h"
#include "regs/regs.h"

#define RESULT_OK		0x01
#define RESULT_UNKNOWN_CMD	0xfe
#define RESULT_FAILED		0xff

/* Constant values that are reported for clocks, voltage, power and temperature */
#define GFXCLK_MIN_MHZ		200
#define GFXCLK_MAX_MHZ		1600
#define SOCCLK_MHZ		600
#define FCLK_MHZ		800
#define VCNCLK_MHZ		400
#define VOLTAGE_MV		800
#define POWER_MW		4000
#define PPT_LIMIT_MW		15000
#define TEMPERATURE_C		45
#define TEMPERATURE_LIMIT_C	100

/* SMUIO_GFX_MISC_CNTL.PWR_GFXOFF_STATUS: 0 is off, 2 is on (vangogh_ppt.c) */
#define GFXOFF_STATUS_OFF	0
#define GFXOFF_STATUS_ON	2
/* RLC_SAFE_MODE, gc_10_3_0_sh_mask.h; MESSAGE 1 is "enter", 0 is "exit" */

/* DpmClocks_t in smu11_driver_if_vangogh.h */
struct dpm_clocks {
	u32 dcf[7], disp[7], dpp[7], soc[7], ispi[7], ispx[7];
	struct {
		u32 vclk, dclk;
	} vcn[5];
	u32 soc_voltage[8];
	struct {
		u32 fclk, memclk, voltage;
	} df[4];
	u32 min_gfx, max_gfx;
	u8 num_df, num_dcf, num_disp, num_soc, num_isp, num_vcn;
	u8 spare[2];
};

/* SmuMetricsTable_t and SmuMetrics_t in smu11_driver_if_vangogh.h */
struct metrics_sample {
	u16 gfxclk, socclk, vclk, dclk, memclk, spare;
	u16 gfx_activity, uvd_activity, c0_residency[4];
	u16 voltage[3], current[3], power[3], socket_power;
	u16 core_freq[4], core_power[4], core_temp[4];
	u16 l3_freq, l3_temp;
	u16 gfx_temp, soc_temp, edge_temp, throttler_status;
};

struct metrics {
	struct metrics_sample current, average;
	u32 start, stop;
};

struct vgpu_smu {
	bool gfxoff_allowed;
	bool core_off;		/* result of the last vgpu_smu_core_off() */
	u32 gfxoff_entries;
	u64 table_addr;
};

bool vgpu_smu_gfxoff_allowed(struct vgpu *g)
{
	u32 safe = vgpu_reg_load(g, R_RLC_SAFE_MODE, 0);

	if (vgpu_get(g, F_RLC_SAFE_MODE_MESSAGE, safe) == 1 &&
	    vgpu_quirk(g, VGPU_QUIRK_SAFE_MODE_HAS_POWER))
		return false;
	return g->smu->gfxoff_allowed;
}

bool vgpu_smu_core_off(struct vgpu *g)
{
	bool off = vgpu_smu_gfxoff_allowed(g) && !g->hooks.core_busy(g);

	if (off && !g->smu->core_off)
		g->smu->gfxoff_entries++;
	g->smu->core_off = off;
	return off;
}

static void set_gfxoff(struct vgpu *g, bool allowed)
{
	g->counters.gfxoff_allowed += allowed;
	g->smu->gfxoff_allowed = allowed;
	vgpu_smu_core_off(g);
}

static u32 gfxoff_status(struct vgpu *g)
{
	return vgpu_smu_core_off(g) ? GFXOFF_STATUS_OFF : GFXOFF_STATUS_ON;
}

static u32 misc_cntl_read(struct vgpu *g, unsigned int idx)
{
	u32 val = vgpu_reg_load(g, R_SMUIO_GFX_MISC_CNTL, idx) &
		  ~vgpu_field(g, F_SMUIO_GFX_MISC_CNTL_PWR_GFXOFF_STATUS);

	return val | vgpu_put(g, F_SMUIO_GFX_MISC_CNTL_PWR_GFXOFF_STATUS,
			      gfxoff_status(g));
}

static u32 send_clocks(struct vgpu *g)
{
	struct dpm_clocks t = {
		.min_gfx = GFXCLK_MIN_MHZ, .max_gfx = GFXCLK_MAX_MHZ,
		.num_df = 4, .num_soc = 2, .num_vcn = 2,
	};
	unsigned int i;

	for (i = 0; i < t.num_df; i++) {
		/* vangogh_get_profiling_clk_mask() expects the highest clock first. */
		t.df[i].fclk = FCLK_MHZ * (t.num_df - i) / t.num_df;
		t.df[i].memclk = t.df[i].fclk;
		t.df[i].voltage = VOLTAGE_MV << 2;
	}
	for (i = 0; i < t.num_soc; i++)
		t.soc[i] = SOCCLK_MHZ * (i + 1) / t.num_soc;
	for (i = 0; i < t.num_vcn; i++) {
		t.vcn[i].vclk = VCNCLK_MHZ * (i + 1) / t.num_vcn;
		t.vcn[i].dclk = t.vcn[i].vclk;
	}
	return vgpu_gmc_write(g, 0, g->smu->table_addr, &t, sizeof(t)) ?
		RESULT_FAILED : RESULT_OK;
}

static u32 send_metrics(struct vgpu *g)
{
	struct metrics_sample s = {
		.gfxclk = GFXCLK_MIN_MHZ, .socclk = SOCCLK_MHZ,
		.vclk = VCNCLK_MHZ, .dclk = VCNCLK_MHZ, .memclk = FCLK_MHZ,
		.voltage = { VOLTAGE_MV, VOLTAGE_MV, VOLTAGE_MV },
		.current = { POWER_MW / 4, POWER_MW / 4, POWER_MW / 4 },
		.power = { POWER_MW / 4, POWER_MW / 4, POWER_MW / 2 },
		.socket_power = POWER_MW,
		.gfx_temp = TEMPERATURE_C * 100,
		.soc_temp = TEMPERATURE_C * 100,
		.edge_temp = TEMPERATURE_C * 100,
	};
	struct metrics t = { .current = s, .average = s };

	return vgpu_gmc_write(g, 0, g->smu->table_addr, &t, sizeof(t)) ?
		RESULT_FAILED : RESULT_OK;
}

static enum vgpu_smu_table table_of(const struct vgpu *g, u32 arg)
{
	u32 n = arg & 0xffff;

	return n < VGPU_SMU_NUM_TABLES ? g->profile->smu->tables[n] :
					 VGPU_SMU_NO_TABLE;
}

static u32 send_table(struct vgpu *g, u32 table)
{
	switch (table_of(g, table)) {
	case VGPU_SMU_VANGOGH_CLOCKS:
		return send_clocks(g);
	case VGPU_SMU_VANGOGH_METRICS:
		return send_metrics(g);
	default:
		break;
	}
	vgpu_complain(g, VGPU_BAD_MESSAGE, "SMU table %u is unknown",
		      table & 0xffff);
	return RESULT_FAILED;
}

/* Answer a message that reads a value, in *@arg. Returns false if it is not one. */
static bool answer(struct vgpu *g, enum vgpu_smu_msg msg, u32 *arg)
{
	const struct vgpu_smu_interface *smu = g->profile->smu;

	switch (msg) {
	case VGPU_SMU_TEST:
		*arg += 1;
		return true;
	case VGPU_SMU_GET_VERSION:
		*arg = smu->version;
		return true;
	case VGPU_SMU_GET_DRIVER_IF:
		*arg = smu->driver_if;
		return true;
	case VGPU_SMU_GET_FEATURES:
		*arg = *arg ? upper_32_bits(smu->features) :
			lower_32_bits(smu->features);
		return true;
	case VGPU_SMU_GET_GFXCLK:
		*arg = GFXCLK_MIN_MHZ;
		return true;
	case VGPU_SMU_GET_FCLK:
		*arg = FCLK_MHZ;
		return true;
	case VGPU_SMU_GET_POWER_LIMIT:
		*arg = PPT_LIMIT_MW;
		return true;
	case VGPU_SMU_GET_THERMAL_LIMIT:
		*arg = TEMPERATURE_LIMIT_C;
		return true;
	case VGPU_SMU_GET_TEMPERATURE:
		*arg = TEMPERATURE_C * 100;
		return true;
	case VGPU_SMU_GET_POWER:
		*arg = POWER_MW;
		return true;
	case VGPU_SMU_GET_VOLTAGE:
		*arg = VOLTAGE_MV;
		return true;
	case VGPU_SMU_GET_ACTIVE_WGPS:
		*arg = vgpu_num_wgps(g);
		return true;
	case VGPU_SMU_GET_GFXOFF:
		*arg = gfxoff_status(g);
		return true;
	case VGPU_SMU_GET_GFXOFF_ENTRIES:
		vgpu_smu_core_off(g);
		*arg = g->smu->gfxoff_entries;
		return true;
	default:
		return false;
	}
}

static enum vgpu_smu_msg message_of(const struct vgpu *g, u32 number)
{
	const struct vgpu_smu_interface *smu = g->profile->smu;
	unsigned int i;

	for (i = 0; i < smu->num_messages; i++)
		if (smu->messages[i].number == number)
			return smu->messages[i].msg;
	return number && number <= smu->last_message ? VGPU_SMU_NOTHING :
						       VGPU_SMU_UNKNOWN;
}

static u32 run_message(struct vgpu *g, u32 number, u32 *arg)
{
	enum vgpu_smu_msg msg = message_of(g, number);
	struct vgpu_smu *smu = g->smu;

	if (answer(g, msg, arg))
		return RESULT_OK;
	switch (msg) {
	case VGPU_SMU_TABLE_ADDR_HI:
		smu->table_addr = make_64(*arg, lower_32_bits(smu->table_addr));
		return RESULT_OK;
	case VGPU_SMU_TABLE_ADDR_LO:
		smu->table_addr = make_64(upper_32_bits(smu->table_addr), *arg);
		return RESULT_OK;
	case VGPU_SMU_SEND_TABLE:
		return send_table(g, *arg);
	case VGPU_SMU_TAKE_TABLE:
		/* Tables such as watermarks have no effect on what vgpu models. */
		return (*arg & 0xffff) < VGPU_SMU_NUM_TABLES ? RESULT_OK :
			RESULT_FAILED;
	case VGPU_SMU_ALLOW_GFXOFF:
		set_gfxoff(g, true);
		return RESULT_OK;
	case VGPU_SMU_DISALLOW_GFXOFF:
		set_gfxoff(g, false);
		return RESULT_OK;
	case VGPU_SMU_RESET:
		if (*arg != g->profile->smu->mode2_reset) {
			vgpu_complain(g, VGPU_BAD_MESSAGE,
				      "SMU reset mode %u is unknown", *arg);
			return RESULT_FAILED;
		}
		set_gfxoff(g, false);
		g->hooks.reset(g);
		return RESULT_OK;
	case VGPU_SMU_NOTHING:
		return RESULT_OK;
	default:
		break;
	}
	vgpu_complain(g, VGPU_BAD_MESSAGE,
		      "SMU message 0x%x (argument 0x%x) is unknown", number,
		      *arg);
	return RESULT_UNKNOWN_CMD;
}

/*
 * Handle a message, written to C2PMSG_66: C2PMSG_82 has its argument and then the answer,
 * C2PMSG_90 the result.
 */
static void message_write(struct vgpu *g, unsigned int idx, u32 val)
{
	u32 arg = vgpu_reg_load(g, R_MP1_SMN_C2PMSG_82, 0), given = arg;
	u32 result;

	vgpu_reg_store(g, R_MP1_SMN_C2PMSG_66, idx, val);
	g->counters.smu_messages++;
	result = run_message(g, val, &arg);
	vgpu_reg_store(g, R_MP1_SMN_C2PMSG_82, 0, arg);
	vgpu_reg_store(g, R_MP1_SMN_C2PMSG_90, 0, result);
	if (g->opt.trace_packets)
		vgpu_log_each(g, "SMU message 0x%02x arg 0x%x -> 0x%x, result 0x%x",
			      val, given, arg, result);
}

/* The RLC enters or leaves safe mode at once: the driver sees CMD cleared. */
static void safe_mode_write(struct vgpu *g, unsigned int idx, u32 val)
{
	vgpu_reg_store(g, R_RLC_SAFE_MODE, idx,
		       val & ~vgpu_field(g, F_RLC_SAFE_MODE_CMD));
}

int vgpu_smu_init(struct vgpu *g)
{
	g->smu = calloc(1, sizeof(*g->smu));
	if (!g->smu)
		return -ENOMEM;
	vgpu_reg_hook(g, R_MP1_SMN_C2PMSG_66, 1, 1, NULL, message_write);
	vgpu_reg_hook(g, R_RLC_SAFE_MODE, 1, 1, NULL, safe_mode_write);
	vgpu_reg_hook(g, R_SMUIO_GFX_MISC_CNTL, 1, 1, misc_cntl_read, NULL);
	g->hooks.gfxoff = vgpu_smu_gfxoff_allowed;
	g->hooks.core_off = vgpu_smu_core_off;
	vgpu_smu_reset(g);
	return 0;
}

void vgpu_smu_fini(struct vgpu *g)
{
	free(g->smu);
	g->smu = NULL;
}

/* Set the state after power-on: the firmware runs, and no message is pending. */
void vgpu_smu_reset(struct vgpu *g)
{
	*g->smu = (struct vgpu_smu) { 0 };
	set_gfxoff(g, false);
	vgpu_reg_store(g, R_MP1_SMN_C2PMSG_90, 0, RESULT_OK);
	vgpu_smn_write(g, g->profile->smu->smn_flags,
		       g->profile->smu->flags_running);
}
