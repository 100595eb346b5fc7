// SPDX-License-Identifier: Apache-2.0
// A WebSocket client by the library `ws`. Prints what came of it as JSON.
//   node websocket_client.mjs URL STEP...     STEP: "send:TEXT", "bytes:N" (sent and compared), "ping", "close:CODE",
//                                             "wait" (for the other side's close), "cut" (no farewell)
import { createRequire } from 'node:module';
import { createHash, randomBytes } from 'node:crypto';

const WebSocket = createRequire(process.env.PAWL_CLIENTS + '/')('ws');
const [url, ...steps] = process.argv.slice(2);
const told = [];
const digest = (bytes) => createHash('sha256').update(bytes).digest('hex');
const once = (target, name) => new Promise((resolve) => target.once(name, (...values) => resolve(values)));

const socket = new WebSocket(url, ['orders.v1', 'orders.v2']);
const received = [];
let heard = () => {};
socket.on('message', (data, binary) => {
  received.push([data, binary]);
  heard();
});
const next = async () => {
  while (received.length === 0) await new Promise((resolve) => { heard = resolve; });
  return received.shift();
};
const closed = once(socket, 'close');
const failed = once(socket, 'unexpected-response').then(([, response]) => ({ refused: response.statusCode }));
const opened = once(socket, 'open').then(() => null);
const refused = await Promise.race([opened, failed]);
if (refused) {
  console.log(JSON.stringify(refused));
  process.exit(0);
}
const welcome = String((await next())[0]);
for (const step of steps) {
  const [name, value] = step.split(':');
  if (name === 'send') {
    socket.send(value);
    if (value !== 'leave') told.push(String((await next())[0]));
  } else if (name === 'bytes') {
    const bytes = randomBytes(Number(value));
    socket.send(bytes);
    const [data, binary] = await next();
    told.push(binary && digest(data) === digest(bytes) ? 'same' : 'other');
  } else if (name === 'ping') {
    socket.ping('p');
    told.push(String((await once(socket, 'pong'))[0]));
  } else if (name === 'close') {
    socket.close(Number(value));
    told.push((await closed)[0]);
  } else if (name === 'wait') {
    told.push((await closed)[0]);
  } else if (name === 'cut') {
    socket.terminate();
  }
}
console.log(JSON.stringify({ welcome, protocol: socket.protocol, told }));
process.exit(0);
