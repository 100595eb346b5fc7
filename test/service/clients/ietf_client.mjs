// SPDX-License-Identifier: Apache-2.0
// A client as the IETF draft on the Idempotency-Key header describes it: one key per operation, sent as a
// structured-field string, the same request again after a lost connection, a 5xx, or a 409. axios with axios-retry.
//   node ietf_client.mjs PORT RETRIES KEY AMOUNT [KEY AMOUNT]...   one POST each, all at once
import { createRequire } from 'node:module';

const require = createRequire(process.env.PAWL_CLIENTS + '/');
const axios = require('axios').default ?? require('axios');
const retry = require('axios-retry');
const axiosRetry = retry.default ?? retry;
const [port, retries, ...posts] = process.argv.slice(2);
const client = axios.create({ baseURL: `http://127.0.0.1:${port}`, timeout: 20000 });
axiosRetry(client, {
  retries: Number(retries),
  retryDelay: () => 300,
  retryCondition: (error) => !error.response || error.response.status >= 500 || error.response.status === 409,
});

async function post(key, amount) {
  try {
    const answer = await client.post('/v1/orders', { amount: Number(amount) },
      { headers: { 'Idempotency-Key': `"${key}"`, 'X-User': 'ietf' } });
    return { id: answer.data.id, replayed: answer.headers['idempotent-replayed'] ?? null };
  } catch (error) {
    return { error: error.code, status: error.response?.status ?? null, code: error.response?.data?.code ?? null };
  }
}

const wanted = [];
for (let i = 0; i < posts.length; i += 2) wanted.push(post(posts[i], posts[i + 1]));
const results = JSON.stringify(await Promise.all(wanted));
process.stdout.write(results, () => process.exit(0));  // not after the time-outs of kept connections
