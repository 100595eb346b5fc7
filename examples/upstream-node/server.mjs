// SPDX-License-Identifier: Apache-2.0
// An order service of the usual kind, without any package: what stands behind Pawl in the examples and the
// tests. README.md lists its routes. Two ports: one for the service, one (never behind a proxy) to look at
// its ledger and to plant faults.

import crypto from "node:crypto";
import http from "node:http";
import process from "node:process";

import { jsonAnswer, send, shapeOf } from "./answer.mjs";
import { Faults } from "./faults.mjs";
import { Ledger } from "./ledger.mjs";
import { Orders } from "./orders.mjs";

const settings = {
    port: Number(process.env.PORT ?? 3000),
    controlPort: Number(process.env.CONTROL_PORT ?? 3001),
    ledger: process.env.LEDGER ?? "ledger.jsonl",
    honour: process.env.HONOUR_OPERATION_KEY === "1",
    fsync: process.env.LEDGER_FSYNC !== "0",
};
const SEEN_MAX = 50_000;

const ledger = new Ledger(settings.ledger, { fsync: settings.fsync });
const orders = new Orders(ledger, { honour: settings.honour });
const faults = new Faults();
const sockets = new Set();
let seen = [];
let resets = 0;

const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// A fence is a 64-bit number: more than a JavaScript number holds.
function fenceOf(request) {
    const text = request.headers["pawl-fence"];
    return text !== undefined && /^[0-9]{1,20}$/.test(text) ? BigInt(text) : undefined;
}

async function readBody(request) {
    const hash = crypto.createHash("sha256");
    const pieces = [];
    let length = 0;
    for await (const piece of request) {
        hash.update(piece);
        length += piece.length;
        if (length <= 1 << 20) pieces.push(piece);
    }
    return { text: Buffer.concat(pieces).toString("utf8"), length, sha256: hash.digest("hex") };
}

function fieldsOf(text) {
    try {
        const value = JSON.parse(text);
        return value !== null && typeof value === "object" && !Array.isArray(value) ? value : {};
    } catch {
        return {};
    }
}

// Goes wrong before the effect. True: the request has ended here.
async function failBefore(fault, request, response) {
    if (fault.startsWith("slow:")) await sleep(Number(fault.slice(5)));
    if (fault === "hold") await faults.hold();
    const statuses = { "500-before": 500, "503-before": 503, "500-not-applied": 500 };
    if (statuses[fault]) {
        const extra = fault === "500-not-applied" ? [["Pawl-Outcome", "not-applied"]] : [];
        send(response, jsonAnswer(statuses[fault], { error: "nothing was done" }), { extra });
        return true;
    }
    if (fault === "drop-before") request.socket.resetAndDestroy();
    return fault === "drop-before" || fault === "hang-before";
}

// Goes wrong after the effect. True: the request has ended here.
function failAfter(fault, request, response, answer) {
    if (fault === "500-after") send(response, jsonAnswer(500, { error: "it broke after the effect" }));
    if (fault === "half-after") send(response, answer, { half: true });
    if (fault === "drop-after") request.socket.resetAndDestroy();
    if (fault === "garbage-after") {
        request.socket.write("HTP!1.1 2O1 nonsense\r\n\r\n");
        request.socket.end();
    }
    return ["500-after", "half-after", "drop-after", "garbage-after", "hang-after"].includes(fault);
}

async function write(request, response, body) {
    const fault = faults.take(request) ?? "";
    if (await failBefore(fault, request, response)) return;
    const made = orders.create({
        operationKey: request.headers["pawl-operation-key"],
        fence: fenceOf(request),
        idempotencyKey: request.headers["idempotency-key"],
        method: request.method,
        path: request.url,
        fields: fieldsOf(body.text),
    }, shapeOf(request));
    if (made.refused) {
        const extra = [["Pawl-Outcome", "not-applied"]];
        send(response, jsonAnswer(409, { error: made.refused }), { extra });
        return;
    }
    if (failAfter(fault, request, response, made.answer)) return;
    send(response, made.answer, { extra: made.repeated ? [["Order-Repeated", "true"]] : [] });
}

function settle(response, answer) {
    if (answer) send(response, answer);
    else send(response, jsonAnswer(404, { error: "this operation did not take effect" }));
}

function read(request, response) {
    const order = orders.get(request.url.split("/").pop());
    if (order) send(response, jsonAnswer(200, order));
    else if (request.url.startsWith("/orders/")) send(response, jsonAnswer(404, { error: "no such order" }));
    else send(response, jsonAnswer(200, { method: request.method, path: request.url }));
}

async function serve(request, response) {
    const body = await readBody(request);
    seen.push({ method: request.method, path: request.url, headers: request.rawHeaders, ...body, text: undefined });
    if (seen.length > SEEN_MAX) seen = seen.slice(-SEEN_MAX / 2);
    const [, close] = /^\/orders\/close\/([^/?]+)$/.exec(request.url) ?? [];
    const [, probe] = /^\/orders\/by-operation\/([^/?]+)$/.exec(request.url) ?? [];
    const [, moved] = /^\/orders\/([^/?]+)\/status$/.exec(request.url) ?? [];
    if (close && request.method === "POST") {
        const fence = fenceOf(request);
        if (fence === undefined) send(response, jsonAnswer(400, { error: "Pawl-Fence is missing" }));
        else settle(response, orders.close(close, fence));
    } else if (probe && request.method === "GET") {
        settle(response, orders.find(probe));
    } else if (moved && request.method === "PUT") {
        const order = orders.move(moved, fieldsOf(body.text).status);
        send(response, order ? jsonAnswer(200, order) : jsonAnswer(404, { error: "no such order" }));
    } else if (["GET", "HEAD", "OPTIONS"].includes(request.method)) {
        read(request, response);
    } else {
        await write(request, response, body);
    }
}

function start(handler) {
    const server = http.createServer((request, response) => {
        handler(request, response).catch(() => request.socket.destroy());
    });
    server.requestTimeout = 0;
    return server;
}

const service = start(serve);
service.on("connection", (socket) => {
    if (resets > 0) {
        resets -= 1;
        socket.resetAndDestroy();
        return;
    }
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
});

function listen(server, port) {
    return new Promise((resolve, reject) => {
        server.once("error", reject);
        server.listen(port, "127.0.0.1", () => resolve(server.address().port));
    });
}

async function setListening(on) {
    if (on && !service.listening) await listen(service, settings.port);
    if (!on && service.listening) {
        const closed = new Promise((resolve) => service.close(resolve));
        for (const socket of sockets) socket.destroy();
        await closed;
    }
}

async function control(request, response) {
    const fields = JSON.parse((await readBody(request)).text || "null");
    const actions = {
        "GET /ledger": () => ledger.entries,
        "GET /seen": () => seen,
        "DELETE /seen": () => { seen = []; },
        "GET /held": () => faults.held,
        "POST /release": () => faults.release(),
        "POST /faults": () => faults.plant(fields),
        "DELETE /faults": () => faults.clear(),
        "PUT /listening": () => setListening(fields),
        "PUT /resets": () => { resets = fields; },
    };
    const action = actions[`${request.method} ${request.url}`];
    if (!action) send(response, jsonAnswer(404, { error: "no such control", controls: Object.keys(actions) }));
    else send(response, jsonAnswer(200, (await action()) ?? null));
}

settings.port = await listen(service, settings.port);
settings.controlPort = await listen(start(control), settings.controlPort);
console.log(`upstream on http://127.0.0.1:${settings.port} control http://127.0.0.1:${settings.controlPort}`);
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(0));
