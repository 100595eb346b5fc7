// SPDX-License-Identifier: Apache-2.0
// A trivial handler for Restate: what is measured is the idempotent call, not the work in it.
Promise.withResolvers ??= function () {  // the SDK wants Node.js 22; Debian and many machines have 18 or 20
    const all = {};
    all.promise = new this((resolve, reject) => Object.assign(all, { resolve, reject }));
    return all;
};
const restate = await import("@restatedev/restate-sdk");

const orders = restate.service({
    name: "orders",
    handlers: { create: async () => ({ id: "ord_00000001", status: "created" }) },
});

restate.serve({ services: [orders], port: Number(process.env.PORT) });
