// SPDX-License-Identifier: Apache-2.0
// Everything that goes wrong between a proxy and a service, on demand: asked for by the request itself
// (header X-Fault) or planted through the control port for the next requests that match.
//
//   before the effect          after it              at both
//   500-before, 503-before     500-after             slow:MS (waits, then goes on)
//   500-not-applied            drop-after            hold    (waits until released, then goes on)
//   drop-before, hang-before   hang-after
//                              garbage-after (no HTTP), half-after (fewer bytes than promised)

export class Faults {
    #planted = [];
    #held = new Map();  // name -> function that lets the request go on
    #number = 0;

    plant(list) {
        for (const fault of list) this.#planted.push({ times: 1, ...fault });
    }

    clear() {
        this.#planted = [];
    }

    // The fault of this request: its own, or the first planted one that fits it.
    take(request) {
        const own = request.headers["x-fault"];
        if (own) return own;
        const at = this.#planted.findIndex(
            (fault) => (!fault.path || request.url.startsWith(fault.path)) &&
                (!fault.method || fault.method === request.method));
        if (at < 0) return undefined;
        const fault = this.#planted[at];
        fault.times -= 1;
        if (fault.times <= 0) this.#planted.splice(at, 1);
        return fault.fault;
    }

    hold() {
        this.#number += 1;
        const name = `h-${this.#number}`;
        return new Promise((resolve) => this.#held.set(name, resolve)).finally(() => this.#held.delete(name));
    }

    get held() {
        return [...this.#held.keys()];
    }

    release() {
        const count = this.#held.size;
        for (const resume of this.#held.values()) resume();
        return count;
    }
}
