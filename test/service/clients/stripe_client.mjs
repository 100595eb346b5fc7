// SPDX-License-Identifier: Apache-2.0
// Stripe's own Node library, pointed at a port. Prints what came of one scenario as JSON.
//   node stripe_client.mjs PORT RETRIES KEY AMOUNT [KEY AMOUNT]...   one create each, all at once
// KEY "-": none is given; the library makes one of its own when it may retry.
import { createRequire } from 'node:module';

const Stripe = createRequire(process.env.PAWL_CLIENTS + '/')('stripe');
const [port, retries, ...creates] = process.argv.slice(2);
const stripe = new Stripe('sk_test_pawl', {
  host: '127.0.0.1', port, protocol: 'http', maxNetworkRetries: Number(retries), telemetry: false, timeout: 20000,
});

async function create(key, amount) {
  try {
    const wanted = { amount: Number(amount), currency: 'eur' };
    const made = await (key === '-' ? stripe.paymentIntents.create(wanted)
      : stripe.paymentIntents.create(wanted, { idempotencyKey: key }));
    return { id: made.id, replayed: made.lastResponse.headers['idempotent-replayed'] ?? null };
  } catch (error) {
    return { error: error.type ?? String(error), status: error.statusCode ?? null, code: error.code ?? null };
  }
}

const wanted = [];
for (let i = 0; i < creates.length; i += 2) wanted.push(create(creates[i], creates[i + 1]));
const results = JSON.stringify(await Promise.all(wanted));
process.stdout.write(results, () => process.exit(0));  // not after the time-outs of kept connections
