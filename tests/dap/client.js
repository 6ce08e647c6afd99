// SPDX-License-Identifier: GPL-2.0-or-later
//
// An editor's client of wavectl dap, by VS Code's test library. Prints TAP.
//
// usage: client.js FOLDER KERNELS
//
// Listens on FOLDER/NAME for each session, to which the guest's virtio ports connect, and closes
// descriptor 3 when it does. KERNELS is the folder of the kernels' sources.

"use strict";

const assert = require("assert");
const fs = require("fs");
const net = require("net");
const path = require("path");
const { DebugClient } = require("@vscode/debugadapter-testsupport");

const [folder, kernels] = process.argv.slice(2);
const share = "/usr/share/amdgpudbg";
const object = `${share}/kernels_debug.co`;
const embeddedObject = `${share}/private_O0_embed.co`;
const text = fs.readFileSync(path.join(kernels, "kernels.cl"), "utf8").split("\n");
// The client may know the file by another path than the compiler.
const source = { path: "/home/me/project/kernels.cl" };
const embedded = fs.readFileSync(path.join(kernels, "private.cl"), "utf8");
const squareLine = text.indexOf("\tx = i * i;") + 1;
const lineOf = (frame) => embedded.split("\n")[frame.line - 1];
const ITEMS = 128;
const TIMEOUT = 60000;

let failures = 0;
let tests = 0;

// test NAME BODY: one line of TAP. After a failure, the others of the session are not executed:
// each of them could wait for an event that does not come.
async function test(name, body) {
	tests++;
	if (failures) {
		console.log(`not ok - ${name}`);
		return;
	}
	try {
		await body();
		console.log(`ok - ${name}`);
	} catch (error) {
		failures++;
		console.log(`not ok - ${name}`);
		console.log(String(error.stack || error).replace(/^/gm, "# "));
	}
}

// A session, with all events that were not waited for yet
class Session extends DebugClient {
	constructor(socket) {
		super("", "", "amdgpudbg");
		this.defaultTimeout = TIMEOUT;
		this.events = [];
		this.waiting = [];
		socket.on("data", (data) => {
			if (process.env.DAP_TRACE)
				console.log(String(data).replace(/^/gm, "# < "));
		});
		this.socket = socket;
		this.connect(socket, socket);
		socket.resume();
	}

	write(bytes) {
		this.socket.write(bytes);
	}

	// End the input without a request, as an editor does that crashes.
	hangUp() {
		this.socket.destroy();
	}

	dispatch(body) {
		const message = JSON.parse(body);

		if (message.type === "event") {
			this.events.push(message);
			this.waiting = this.waiting.filter((look) => !look());
		}
		super.dispatch(body);
	}

	// The first event that was not taken yet and for which @accepts is true
	next(name, accepts = () => true) {
		return new Promise((resolve, reject) => {
			const timer = setTimeout(() => reject(new Error(`no event ${name}; got ` +
				JSON.stringify(this.events.map((e) => [e.event, e.body])))), TIMEOUT);
			const look = () => {
				const i = this.events.findIndex((e) => e.event === name && accepts(e.body || {}));

				if (i < 0)
					return false;
				clearTimeout(timer);
				resolve(this.events.splice(i, 1)[0].body || {});
				return true;
			};

			if (!look())
				this.waiting.push(look);
		});
	}

	async refused(command, args, pattern) {
		await assert.rejects(() => this.send(command, args), (error) => {
			assert.match(error.message, pattern);
			return true;
		});
	}

	async frame(threadId) {
		const { body } = await this.stackTraceRequest({ threadId });

		return body.stackFrames[0];
	}

	async scopes(threadId) {
		const frame = await this.frame(threadId);
		const { body } = await this.scopesRequest({ frameId: frame.id });

		return body.scopes;
	}

	async variables(variablesReference, more = {}) {
		const { body } = await this.variablesRequest({ variablesReference, ...more });

		return body.variables;
	}

	// The variables of a frame, by name
	async locals(frameId) {
		const { body } = await this.scopesRequest({ frameId });

		return Object.fromEntries((await this.variables(body.scopes[0].variablesReference))
			.map((v) => [v.name, v]));
	}

	// The variables of the scope whose name begins so, by name
	async scope(threadId, name) {
		const scope = (await this.scopes(threadId)).find((s) => s.name.startsWith(name));

		assert.ok(scope, `there is no scope ${name}`);
		return Object.fromEntries((await this.variables(scope.variablesReference))
			.map((v) => [v.name, v]));
	}

	async value(threadId, expression, context = "watch") {
		const frame = await this.frame(threadId);
		const { body } = await this.evaluateRequest({ expression, frameId: frame.id, context });

		return body;
	}
}

// ------------------------------------------------------------------ a launched program

async function begin(dc) {
	await test("initialize returns capabilities", async () => {
		const { body } = await dc.initializeRequest();

		assert.equal(body.supportsConfigurationDoneRequest, true);
		assert.equal(body.supportsStepBack, undefined);
		assert.ok(body.exceptionBreakpointFilters.some((f) => f.filter === "float-div0"));
	});
	await test("requests about waves are refused before there is a process", async () => {
		await dc.refused("stackTrace", { threadId: 1 }, /no process is being debugged/);
		await dc.refused("nosuch", {}, /unknown request 'nosuch'/);
	});
}

async function launch(dc) {
	await test("launch without a program is refused", () =>
		dc.refused("launch", { args: [] }, /"program" is missing/));
	await test("launch of a missing program is refused", () =>
		dc.refused("launch", { program: "/nowhere" }, /nowhere/));
	await test("a program is launched", async () => {
		await dc.launchRequest({
			program: "compute", cwd: share, codeObjects: [object], env: { DAP_TEST: "1" },
			args: ["-c", "kernels_debug.co", "-n", String(ITEMS), "-p", "square", "saxpy"],
		});
		await dc.next("initialized");
	});
	await test("breakpoints are pending until the program uses the GPU", async () => {
		const lines = await dc.setBreakpointsRequest({
			source, breakpoints: [{ line: squareLine }],
		});
		const functions = await dc.setFunctionBreakpointsRequest({
			breakpoints: [{ name: "saxpy", condition: "group 1" }],
		});

		dc.line = lines.body.breakpoints[0].id;
		dc.function = functions.body.breakpoints[0].id;
		assert.equal(lines.body.breakpoints[0].verified, false);
		assert.match(lines.body.breakpoints[0].message, /pending/);
		assert.equal(functions.body.breakpoints[0].verified, false);
	});
	await test("an unknown exception is refused", () =>
		dc.refused("setExceptionBreakpoints", { filters: ["nosuch"] }, /no exception 'nosuch'/));
	await test("breakpoints are set before the first wave runs", async () => {
		await dc.setExceptionBreakpointsRequest({ filters: [] });
		await dc.configurationDoneRequest();
		const { breakpoint } = await dc.next("breakpoint", (b) => b.breakpoint.id === dc.line);

		assert.equal(breakpoint.verified, true);
		assert.equal(breakpoint.line, squareLine);
	});
}

async function look(dc) {
	await test("a wave stops at the line", async () => {
		const stopped = await dc.next("stopped");
		const frame = await dc.frame(stopped.threadId);

		dc.thread = stopped.threadId;
		assert.equal(stopped.reason, "breakpoint");
		assert.deepEqual(stopped.hitBreakpointIds, [dc.line]);
		assert.equal(frame.name, "square");
		assert.equal(frame.line, squareLine);
		assert.equal(frame.source.name, "kernels.cl");
		dc.pc = frame.instructionPointerReference;
	});
	await test("threads lists the waves", async () => {
		const { body } = await dc.threadsRequest();
		const thread = body.threads.find((t) => t.id === dc.thread);

		assert.match(thread.name, /^se\d+\.sa\d+\.wgp\d+\.simd\d+\.wave\d+ square/);
	});
	await test("the scope of a lane has its variables", async () => {
		const lane0 = await dc.scope(dc.thread, "Lane 0");

		dc.first = Number(lane0.i.value);
		assert.equal(dc.first % 32, 0);
		assert.equal(lane0.i.type, "u32");
		assert.equal(Number((lane0.n || lane0["n (as passed)"]).value), ITEMS);
	});
	await test("another lane is selected", async () => {
		await dc.customRequest("amdgpudbg/lane", { lane: 5 });
		const lane5 = await dc.scope(dc.thread, "Lane 5");

		assert.equal(Number(lane5.i.value), dc.first + 5);
	});
	await test("the scope of all lanes has the variables of each", async () => {
		const lanes = await dc.scope(dc.thread, "Lanes");

		assert.equal(Object.keys(lanes).length, 32);
		const lane7 = await dc.variables(lanes["lane 7"].variablesReference);

		assert.equal(Number(lane7.find((v) => v.name === "i").value), dc.first + 7);
	});
	await test("the console selects a lane", async () => {
		assert.match((await dc.value(dc.thread, "lane 3", "repl")).result, /lane 3/);
		assert.equal(Number((await dc.value(dc.thread, "i", "repl")).result), dc.first + 3);
		await dc.customRequest("amdgpudbg/lane", { lane: 0 });
	});
}

async function evaluate(dc) {
	await test("expressions are evaluated", async () => {
		const sum = await dc.value(dc.thread, "i * 2 + 1");

		assert.equal(Number(sum.result), dc.first * 2 + 1);
		assert.equal(sum.variablesReference, 0);
		assert.equal(BigInt((await dc.value(dc.thread, "$pc", "hover")).result), BigInt(dc.pc));
	});
	await test("numbers are shown in hexadecimal", async () => {
		const frame = await dc.frame(dc.thread);
		const { body } = await dc.evaluateRequest({
			expression: "i + 10", frameId: frame.id, format: { hex: true },
		});

		assert.match(body.result, /^0x0*[0-9a-f]*a$/);
	});
	await test("an unknown variable is refused", async () => {
		const frame = await dc.frame(dc.thread);

		await dc.refused("evaluate", { expression: "nosuch", frameId: frame.id }, /nosuch/);
	});
	await test("registers are shown and changed", async () => {
		const scopes = await dc.scopes(dc.thread);
		const vector = scopes.find((s) => s.name === "Vector registers of lane 0");
		const all = await dc.variables(vector.variablesReference);
		const last = all[all.length - 1];
		const set = (value) => dc.setVariableRequest({
			variablesReference: vector.variablesReference, name: last.name, value,
		});

		assert.equal(all[0].name, "v0");
		assert.equal(all.length, vector.namedVariables);
		await set("0x1234");
		const some = await dc.variables(vector.variablesReference,
			{ start: all.length - 1, count: 1 });

		assert.deepEqual(some.map((v) => [v.name, v.value]), [[last.name, "0x00001234"]]);
		await set(last.value);
		const wave = await dc.scope(dc.thread, "Wave registers");

		assert.equal(BigInt(wave.pc.value), BigInt(dc.pc));
	});
	await test("memory is read and written", async () => {
		const { body } = await dc.send("readMemory", { memoryReference: dc.pc, count: 16 });
		const result = await dc.value(dc.thread, "out");

		assert.equal(Buffer.from(body.data, "base64").length, 16);
		const memory = { memoryReference: result.memoryReference, offset: 4 * (ITEMS - 1) };

		await dc.send("writeMemory",
			{ ...memory, data: Buffer.from([1, 2, 3, 4]).toString("base64") });
		const back = await dc.send("readMemory", { ...memory, count: 4 });

		assert.deepEqual([...Buffer.from(back.body.data, "base64")], [1, 2, 3, 4]);
		const none = await dc.send("readMemory", { memoryReference: "0x10", count: 8 });

		assert.equal(none.body.unreadableBytes, 8);
		await dc.refused("writeMemory", { ...memory, data: "?" }, /base64/);
	});
	await test("the code before and after the PC is disassembled", async () => {
		const { body } = await dc.disassembleRequest({
			memoryReference: dc.pc, instructionOffset: -4, instructionCount: 8,
			resolveSymbols: true,
		});
		const all = body.instructions;

		assert.equal(all.length, 8);
		assert.equal(BigInt(all[4].address), BigInt(dc.pc));
		assert.match(all[4].instruction, /^v_mul_lo_u32/);
		assert.match(all[4].symbol, /^square\+/);
		assert.equal(all[4].line, squareLine);
	});
	await test("instructions before all code are marked as unknown", async () => {
		const { body } = await dc.disassembleRequest({
			memoryReference: dc.pc, instructionOffset: -10000, instructionCount: 2,
		});

		assert.deepEqual(body.instructions.map((i) => i.presentationHint),
			["invalid", "invalid"]);
	});
}

async function run(dc) {
	await test("a step by instruction moves the wave to the next one", async () => {
		await dc.stepInRequest({ threadId: dc.thread, granularity: "instruction" });
		const stopped = await dc.next("stopped", (b) => b.threadId === dc.thread);
		const frame = await dc.frame(dc.thread);

		assert.equal(stopped.reason, "step");
		assert.ok(BigInt(frame.instructionPointerReference) > BigInt(dc.pc));
	});
	await test("references to the frame before the step are refused", () =>
		dc.refused("scopes", { frameId: 1 }, /not valid any more/));
	await test("the next instruction has computed the value of each lane", async () => {
		await dc.stepInRequest({ threadId: dc.thread, granularity: "instruction" });
		await dc.next("stopped", (b) => b.threadId === dc.thread);
		await dc.customRequest("amdgpudbg/lane", { lane: 5 });
		assert.equal(Number((await dc.value(dc.thread, "x")).result), (dc.first + 5) ** 2);
	});
	await test("a step by line reaches the beginning of another line", async () => {
		const before = await dc.frame(dc.thread);

		await dc.nextRequest({ threadId: dc.thread });
		const stopped = await dc.next("stopped", (b) => b.threadId === dc.thread);
		const frame = await dc.frame(dc.thread);

		assert.equal(stopped.reason, "step");
		assert.notEqual(frame.line, before.line);
	});
	await test("the next kernel stops only in the work-group of the condition", async () => {
		await dc.setBreakpointsRequest({ source, breakpoints: [] });
		await dc.continueRequest({ threadId: dc.thread });
		const stopped = await dc.next("stopped",
			(b) => (b.hitBreakpointIds || []).includes(dc.function));
		const { body } = await dc.stackTraceRequest({ threadId: stopped.threadId });

		// The kernel begins with a function that is inlined.
		assert.deepEqual(body.stackFrames.map((f) => f.name), ["global_id", "saxpy"]);
		await dc.customRequest("amdgpudbg/lane", { lane: 0 });
		dc.thread = stopped.threadId;
	});
	await test("the program ends with the right results", async () => {
		await dc.setFunctionBreakpointsRequest({ breakpoints: [] });
		await dc.continueRequest({ threadId: dc.thread });
		const { output } = await dc.next("output",
			(b) => b.category === "stdout" && b.output.includes("square:"));
		const squares = Array.from({ length: ITEMS }, (_, i) => i * i).join(" ");

		assert.ok(output.startsWith(`square: ${squares}\n`), output);
		assert.equal((await dc.next("exited")).exitCode, 0);
		await dc.next("terminated");
	});
	await test("the first session ends", () => dc.disconnectRequest());
}

// ------------------------------------------------------------------- a running program

async function attach(dc, pid) {
	await test("a running program is attached to", async () => {
		await dc.initializeRequest();
		await dc.refused("attach", {}, /"pid" is missing/);
		await dc.attachRequest({ pid, codeObjects: [object] });
		await dc.next("initialized");
		await dc.configurationDoneRequest();
	});
	await test("a log point prints values and does not stop", async () => {
		await dc.setBreakpointsRequest({ source, breakpoints: [{
			line: squareLine, logMessage: "i is {i}, twice {i * 2}", hitCondition: "2",
		}] });
		const { output } = await dc.next("output", (b) => /^i is /.test(b.output));
		const [, i, twice] = output.match(/^i is (\d+), twice (\d+)\n$/);

		assert.equal(Number(twice), 2 * Number(i));
	});
	await test("a condition with a variable selects the lane in which it holds", async () => {
		await dc.setBreakpointsRequest({ source, breakpoints: [{
			line: squareLine, condition: "i > 37 && i < 39",
		}] });
		const stopped = await dc.next("stopped");

		assert.equal((await dc.value(stopped.threadId, "i")).result, "38");
		assert.equal((await dc.value(stopped.threadId, "$lane")).result, "6");
		dc.thread = stopped.threadId;
	});
	await test("an impossible hit count is refused", async () => {
		const { body } = await dc.setBreakpointsRequest({ source, breakpoints: [{
			line: squareLine, hitCondition: "often",
		}] });

		assert.equal(body.breakpoints[0].verified, false);
		assert.match(body.breakpoints[0].message, /hit counts are/);
		await dc.setBreakpointsRequest({ source, breakpoints: [] });
	});
	await test("stepping out reaches the end of the kernel", async () => {
		await dc.stepOutRequest({ threadId: dc.thread });
		await dc.next("stopped", (b) => b.threadId === dc.thread);
		const frame = await dc.frame(dc.thread);
		const { body } = await dc.disassembleRequest({
			memoryReference: frame.instructionPointerReference, instructionCount: 1,
		});

		assert.equal(body.instructions[0].instruction, "s_endpgm");
	});
	await test("pause stops a program that continues to start waves", async () => {
		await dc.continueRequest({ threadId: dc.thread });
		const { body } = await dc.threadsRequest();

		await dc.pauseRequest({ threadId: body.threads[0].id });
		const stopped = await dc.next("stopped", (b) => b.reason === "pause");

		assert.ok((await dc.frame(stopped.threadId)).instructionPointerReference);
		await dc.refused("exceptionInfo", { threadId: stopped.threadId }, /not stopped by an exc/);
	});
	await test("disconnect resumes everything", () => dc.disconnectRequest());
}

// End the input in the middle of a stop. Everything that the session has changed is undone; the
// guest looks at the program.
async function end(dc, pid) {
	await test("messages that are no requests are ignored", async () => {
		dc.write("Content-Length: 5\r\n\r\n[1,2]");
		await dc.next("output", (b) => /not a JSON object/.test(b.output));
		dc.write('Content-Length: 17\r\n\r\n{"type":"event"} ');
		await dc.next("output", (b) => /not a request/.test(b.output));
	});
	await test("a program is attached to again", async () => {
		await dc.initializeRequest();
		await dc.refused("attach", { pid: "many" }, /"pid" is missing/);
		await dc.attachRequest({ pid, codeObjects: [object] });
		await dc.next("initialized");
		await dc.configurationDoneRequest();
		await dc.refused("attach", { pid }, /about a process already/);
	});
	await test("a breakpoint with a hit count stops at that hit only", async () => {
		await dc.setBreakpointsRequest({ source, breakpoints: [{
			line: squareLine, hitCondition: "== 3",
		}] });
		const stopped = await dc.next("stopped");

		assert.equal(stopped.reason, "breakpoint");
		await dc.setBreakpointsRequest({ source, breakpoints: [{
			line: squareLine, hitCondition: "> 2",
		}] });
		await dc.continueRequest({ threadId: stopped.threadId });
		dc.thread = (await dc.next("stopped", (b) => b.reason === "breakpoint")).threadId;
	});
	await test("exceptions cannot be enabled without privileges", () =>
		dc.refused("setExceptionBreakpoints", { filters: ["float-div0"] }, /cannot enable/));
	await test("the input ends", async () => dc.hangUp());
}

// ----------------------------------------------------------------------------- frames

async function launchEmbedded(dc, ...names) {
	await dc.initializeRequest();
	await dc.launchRequest({
		program: "compute", cwd: share, codeObjects: [embeddedObject],
		args: ["-c", "private_O0_embed.co", "-n", "64", ...names],
	});
	await dc.next("initialized");
}

async function frames(dc) {
	await test("a program with calls stops in the innermost function", async () => {
		await launchEmbedded(dc, "nested");
		await dc.setFunctionBreakpointsRequest({ breakpoints: [{ name: "sum_of" }] });
		await dc.configurationDoneRequest();
		dc.thread = (await dc.next("stopped", (b) => b.reason === "breakpoint")).threadId;
		await dc.customRequest("amdgpudbg/lane", { lane: 3 });
	});
	await test("the stack has the callers", async () => {
		const { body } = await dc.stackTraceRequest({ threadId: dc.thread });

		dc.stack = body.stackFrames;
		assert.deepEqual(dc.stack.map((f) => f.name), ["sum_of", "twice_of", "nested"]);
		assert.equal(body.totalFrames, 3);
		assert.ok(lineOf(dc.stack[1]).includes("sum_of(values, num)"));
		assert.ok(lineOf(dc.stack[2]).includes("twice_of(values, 4)"));
	});
	await test("the source that the code object contains is sent", async () => {
		const { sourceReference, origin } = dc.stack[0].source;
		const { body } = await dc.send("source", { source: { sourceReference }, sourceReference });

		assert.equal(origin, "embedded in the code object");
		assert.equal(body.content, embedded);
		await dc.refused("source", { sourceReference: 99 }, /no code object contains/);
	});
	await test("each frame has its own variables", async () => {
		const [inner, middle, outer] = await Promise.all(dc.stack.map((f) => dc.locals(f.id)));

		assert.equal(Number(inner.num.value), 4);
		assert.equal(Number(middle.num.value), 4);
		assert.equal(inner.i, undefined);
		assert.equal(Number(outer.i.value) % 32, 3);
		const elements = outer.values.value.match(/\d+/g).map(Number);

		assert.deepEqual(elements, [0, 1, 2, 3].map((k) => elements[0] + k));
	});
	await test("registers of outer frames are shown, and cannot be changed", async () => {
		const { body } = await dc.scopesRequest({ frameId: dc.stack[2].id });
		const scope = body.scopes.find((s) => s.name === "Wave registers");
		const [pc] = await dc.variables(scope.variablesReference);

		assert.equal(BigInt(pc.value), BigInt(dc.stack[2].instructionPointerReference));
		await dc.refused("setVariable", {
			variablesReference: scope.variablesReference, name: "pc", value: "0",
		}, /only registers of the innermost frame/);
	});
	await test("a variable in the private memory of a lane is changed", async () => {
		const scope = (await dc.scopesRequest({ frameId: dc.stack[0].id })).body.scopes[0];
		const { variablesReference } = scope;

		await dc.setVariableRequest({ variablesReference, name: "sum", value: "40 + 2" });
		assert.equal((await dc.value(dc.thread, "sum")).result, "42");
		await dc.refused("setVariable", { variablesReference, name: "nosuch", value: "1" },
			/nosuch/);
		await dc.refused("setVariable", { variablesReference, name: "sum", value: "?" }, /./);
		const set = await dc.send("setExpression", {
			expression: "sum", value: "sum * 2 + 1", frameId: dc.stack[0].id,
		});

		assert.equal(set.body.value, "85");
		await dc.refused("setExpression", {
			expression: "sum + 1", value: "1", frameId: dc.stack[0].id,
		}, /left side/);
	});
	await test("private memory is read and written", async () => {
		const { body } = await dc.evaluateRequest({
			expression: "values", frameId: dc.stack[2].id, context: "watch",
		});
		const memoryReference = body.memoryReference;
		const first = await dc.send("readMemory", { memoryReference, count: 4 });
		const at = Buffer.from(first.body.data, "base64").readUInt32LE(0);

		assert.match(memoryReference, /^private#/);
		assert.equal(at, Number(body.result.match(/\d+/)[0]));
		await dc.send("writeMemory", { memoryReference, data: Buffer.from([9, 0, 0, 0])
			.toString("base64") });
		assert.match((await dc.evaluateRequest({
			expression: "values[0]", frameId: dc.stack[2].id,
		})).body.result, /^9$/);
	});
	await test("stepping out ends in the caller, and in its caller", async () => {
		await dc.setFunctionBreakpointsRequest({ breakpoints: [] });
		for (const name of ["twice_of", "nested"]) {
			await dc.stepOutRequest({ threadId: dc.thread });
			const { reason } = await dc.next("stopped", (b) => b.threadId === dc.thread);

			assert.equal(reason, "step");
			assert.equal((await dc.frame(dc.thread)).name, name);
		}
	});
	await test("the input of a launched program's session ends", async () => dc.hangUp());
}

// -------------------------------------------------- code that is loaded and unloaded

const firstLine = text.indexOf("\tfor (x = in[i] % 10000 + 1; x != 1; steps++)") + 1;
const storeLine = text.indexOf("\tout[i] = steps;") + 1;
// "run" is a job of two waves. The last job has other code.
const commands = "load\\nrun\\nunload\\nspin\\n";

// The event that says that a breakpoint is set
function placed(dc, id) {
	return dc.next("breakpoint", ({ breakpoint: b }) => b.id === id && b.verified);
}

async function launchReload(dc) {
	await dc.initializeRequest();
	await dc.launchRequest({
		program: "sh", cwd: share, codeObjects: [object],
		args: ["-c", `printf '${commands}' | reload ${object} intloop`],
	});
	await dc.next("initialized");
	const { body } = await dc.setBreakpointsRequest({ source, breakpoints: [
		{ line: firstLine }, { line: storeLine, condition: "i == 40", hitCondition: "2" },
	] });

	[dc.first, dc.store] = body.breakpoints.map((b) => b.id);
	const spin = await dc.setFunctionBreakpointsRequest({ breakpoints: [{ name: "spin" }] });

	dc.spin = spin.body.breakpoints[0].id;
	await dc.configurationDoneRequest();
}

// Both waves of the job stop at the breakpoint. Returns the innermost frame of one.
async function stopTwice(dc, id) {
	for (let i = 0; i < 2; i++) {
		const stopped = await dc.next("stopped");

		assert.deepEqual(stopped.hitBreakpointIds, [id]);
		dc.thread = stopped.threadId;
	}
	return dc.frame(dc.thread);
}

async function reload(dc) {
	await test("a program begins with other code", async () => {
		await launchReload(dc);
		assert.equal((await stopTwice(dc, dc.spin)).name, "spin");
	});
	await test("breakpoints whose code is not loaded say so", async () => {
		const { breakpoint } = await dc.next("breakpoint", (b) => b.breakpoint.id === dc.first);

		assert.equal(breakpoint.verified, false);
		assert.equal(breakpoint.reason, "pending");
		assert.equal(breakpoint.instructionReference, undefined);
	});
	await test("the first waves of code that is loaded later stop", async () => {
		await dc.continueRequest({ threadId: dc.thread });
		const { breakpoint } = await placed(dc, dc.first);

		assert.equal(breakpoint.line, firstLine);
		assert.equal((await stopTwice(dc, dc.first)).line, firstLine);
	});
	await test("breakpoints wait again for code that was unloaded", async () => {
		dc.events = dc.events.filter((e) => e.event !== "breakpoint");
		await dc.continueRequest({ threadId: dc.thread });
		assert.equal((await stopTwice(dc, dc.spin)).name, "spin");
		for (const id of [dc.first, dc.store])
			await dc.next("breakpoint", (b) => b.breakpoint.id === id &&
				!b.breakpoint.verified && !b.breakpoint.instructionReference);
	});
	await test("the program that loads its code ends", async () => {
		await dc.setFunctionBreakpointsRequest({ breakpoints: [] });
		await dc.continueRequest({ threadId: dc.thread });
		assert.equal((await dc.next("exited")).exitCode, 0);
		await dc.next("terminated");
	});
	await test("its session ends", () => dc.disconnectRequest());
}

// ------------------------------------------------------------------------- exceptions

async function fault(dc) {
	await test("a pointer in private memory is changed", async () => {
		await launchEmbedded(dc, "records");
		await dc.setFunctionBreakpointsRequest({ breakpoints: [{ name: "records" }] });
		await dc.configurationDoneRequest();
		dc.thread = (await dc.next("stopped", (b) => b.reason === "breakpoint")).threadId;
		await dc.setFunctionBreakpointsRequest({ breakpoints: [] });
		const { id } = (await dc.stackTraceRequest({ threadId: dc.thread })).body.stackFrames
			.find((f) => f.name === "records");
		const [scope] = (await dc.scopesRequest({ frameId: id })).body.scopes;

		await dc.setVariableRequest({
			variablesReference: scope.variablesReference, name: "out", value: "0x123456789000",
		});
	});
	await test("the wave stops at the fault", async () => {
		await dc.continueRequest({ threadId: dc.thread });
		const stopped = await dc.next("stopped", (b) => b.reason === "exception");

		assert.match(stopped.text, /MEM_VIOL/);
		dc.thread = stopped.threadId;
	});
	await test("exceptionInfo has the instruction, its line and the address", async () => {
		const { body } = await dc.exceptionInfoRequest({ threadId: dc.thread });

		assert.equal(body.exceptionId, "MEM_VIOL");
		assert.match(body.description,
			/instruction at 0x[0-9a-f]{16}, records.* at private\.cl:\d+: write of 0x0000123456789/);
	});
	await test("a launched program ends with a disconnect", () =>
		dc.disconnectRequest({ terminateDebuggee: true }));
}

async function exception(dc) {
	await test("root enables an exception in new waves", async () => {
		await dc.initializeRequest();
		await dc.launchRequest({
			program: "compute", cwd: share, codeObjects: [object],
			args: ["-c", "kernels_debug.co", "-n", "64", "floatloop", "floatloop"],
		});
		await dc.next("initialized");
		await dc.setExceptionBreakpointsRequest({ filters: ["inexact"] });
		await dc.configurationDoneRequest();
		const stopped = await dc.next("stopped", (b) => b.reason === "exception");

		assert.match(stopped.text, /INEXACT/);
		const { body } = await dc.exceptionInfoRequest({ threadId: stopped.threadId });

		assert.equal(body.exceptionId, "INEXACT");
	});
	await test("the last session ends", () => dc.disconnectRequest());
}

// -------------------------------------------------------------------------- the sockets

// The socket of a port, and what the guest has sent first. Before that, the harness may boot the
// guest once more, so that another connection comes.
function listen(name) {
	return new Promise((listening) => {
		const port = { };

		port.first = new Promise((resolve) => {
			const server = net.createServer((socket) => {
				socket.on("error", () => socket.destroy());
				socket.once("data", (data) => {
					server.close();
					socket.pause();
					socket.unshift(data);
					resolve({ socket, text: String(data) });
				});
			});

			server.listen(path.join(folder, name), () => listening(port));
		});
	});
}

// The sessions in the order of guest.sh
const sessions = {
	launch: async (dc) => {
		await begin(dc);
		await launch(dc);
		await look(dc);
		await evaluate(dc);
		await run(dc);
	},
	attach, end, frames, reload, fault, exception,
};

async function main() {
	const ports = {};

	for (const name of Object.keys(sessions))
		ports[name] = await listen(name);
	fs.closeSync(3);
	for (const [name, body] of Object.entries(sessions)) {
		// The fields before the first header
		const { socket, text: fields } = await ports[name].first;
		const target = fields.match(/^Target: (\d+)\r\n/);

		await body(new Session(socket), target && Number(target[1]));
		// The guest then begins the next session, also after a failure.
		if (failures)
			socket.destroy();
	}
	// With the one of the guest
	console.log(`1..${tests + 1}`);
	process.exit(failures ? 1 : 0);
}

main().catch((error) => {
	console.log(`Bail out! ${error.stack}`);
	process.exit(1);
});
