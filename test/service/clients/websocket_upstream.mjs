// SPDX-License-Identifier: Apache-2.0
// A WebSocket service by the library `ws`: sends back what it gets, closes with 4001 when told "leave", and answers
// GET /closes with the close codes that it has seen, GET /heads with the heads of the upgrades.
import { createRequire } from 'node:module';
import { createServer } from 'node:http';

const { WebSocketServer } = createRequire(process.env.PAWL_CLIENTS + '/')('ws');
const closes = [];
const heads = [];
const server = createServer((request, response) => {
  const lists = { '/closes': closes, '/heads': heads };
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify(lists[request.url] ?? null));
});
const sockets = new WebSocketServer({ noServer: true, handleProtocols: (protocols) => [...protocols].at(-1) });
server.on('upgrade', (request, socket, head) => {
  heads.push([request.method, request.url, request.rawHeaders]);
  if (request.url === '/refused') return socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno');
  sockets.handleUpgrade(request, socket, head, (client) => {
    client.send('welcome');
    client.on('message', (data, binary) => {
      if (String(data) === 'leave') client.close(4001);
      else client.send(data, { binary });
    });
    client.on('close', (code) => closes.push(code));
  });
});
server.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('websocket upstream is there'));
