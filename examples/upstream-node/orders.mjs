// SPDX-License-Identifier: Apache-2.0
// The service's own business: it creates orders, and it can answer for itself. Three short methods are all
// that an upstream has to bring so that no operation stays uncertain:
//
//   create   refuses a fence that was closed; with `honour`, a repeated operation key gets its first answer
//   find     "did this operation take effect?"              a hint: a request may still be on its way
//   close    the same, and promises to refuse this fence     final: nothing of this attempt comes later
//
// Everything here runs between two awaits of one thread, which is what a transaction would be in a database
// (docs/make_your_upstream_answer.md has it in SQL).

export class Orders {
    #ledger;
    #honour;
    #answers = new Map();  // operation key -> first answer
    #closed = new Map();   // operation key -> highest closed fence
    #orders = new Map();   // order id -> what it is now
    #next = 1;

    constructor(ledger, { honour = false } = {}) {
        this.#ledger = ledger;
        this.#honour = honour;
        for (const entry of ledger.entries) this.#remember(entry);
    }

    #remember(entry) {
        if (entry.kind === "closed") {
            this.#closed.set(entry.operation_key, BigInt(entry.fence));
            return;
        }
        this.#next = Math.max(this.#next, Number(entry.order_id.slice(2)) + 1);
        this.#orders.set(entry.order_id, entry.order);
        if (entry.operation_key && !this.#answers.has(entry.operation_key)) {
            this.#answers.set(entry.operation_key, entry.answer);
        }
    }

    // Returns { answer } or { refused }. `shape` turns the new order into the answer that is kept and given.
    create(request, shape) {
        const { operationKey, fence } = request;
        if (operationKey !== undefined && fence !== undefined) {
            const closed = this.#closed.get(operationKey);
            if (closed !== undefined && fence <= closed) return { refused: `fence ${fence} was closed` };
        }
        if (this.#honour && operationKey !== undefined && this.#answers.has(operationKey)) {
            return { answer: this.#answers.get(operationKey), repeated: true };
        }
        const order = { order_id: `o-${this.#next}`, status: "created", ...request.fields };
        const answer = shape(order);
        const entry = {
            kind: "effect",
            operation_key: operationKey ?? null,
            fence: fence?.toString() ?? null,
            idempotency_key: request.idempotencyKey ?? null,
            order_id: order.order_id,
            method: request.method,
            path: request.path,
            order,
            answer,
        };
        this.#ledger.append(entry);
        this.#remember(entry);
        return { answer };
    }

    find(operationKey) {
        return this.#answers.get(operationKey);
    }

    // Either the operation took effect, and its answer comes back, or it never will under this fence.
    close(operationKey, fence) {
        const answer = this.#answers.get(operationKey);
        if (answer) return answer;
        const closed = this.#closed.get(operationKey) ?? 0n;
        if (fence > closed) {
            this.#ledger.append({ kind: "closed", operation_key: operationKey, fence: fence.toString() });
            this.#closed.set(operationKey, fence);
        }
        return undefined;
    }

    get(orderId) {
        return this.#orders.get(orderId);
    }

    // The order moves on; no record of a first answer may move with it.
    move(orderId, status) {
        const order = this.#orders.get(orderId);
        if (!order) return undefined;
        const moved = { ...order, status };
        this.#orders.set(orderId, moved);
        return moved;
    }
}
