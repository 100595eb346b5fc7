// SPDX-License-Identifier: Apache-2.0
// What truly happened, one JSON line per event, on the disk before anybody is answered. It counts effects
// independently of whoever sits in front: two lines of kind "effect" with one operation key are two effects.
//
//   {"kind":"effect", "operation_key", "fence", "idempotency_key", "order_id", "method", "path", "time", "answer"}
//   {"kind":"closed", "operation_key", "fence", "time"}
//
// A torn last line (the process died while writing it) was never answered, and is cut off at the next start.

import fs from "node:fs";

export class Ledger {
    #file;
    #fsync;
    #entries = [];

    constructor(path, { fsync = true } = {}) {
        this.#fsync = fsync;
        this.#file = fs.openSync(path, "a+");
        this.#load(path);
    }

    #load(path) {
        const text = fs.readFileSync(path, "utf8");
        const whole = text.slice(0, text.lastIndexOf("\n") + 1);
        if (whole.length < text.length) fs.ftruncateSync(this.#file, Buffer.byteLength(whole));
        for (const line of whole.split("\n")) {
            if (line) this.#entries.push(JSON.parse(line));
        }
    }

    get entries() {
        return this.#entries;
    }

    append(entry) {
        const line = { ...entry, time: new Date().toISOString() };
        fs.writeSync(this.#file, JSON.stringify(line) + "\n");
        if (this.#fsync) fs.fsyncSync(this.#file);
        this.#entries.push(line);
    }
}
