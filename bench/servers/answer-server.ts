/** @module A bare server that reads a POST to its end and answers it like an executed write. Says its port to its parent. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const ANSWER = JSON.stringify({
  requestId: `0x${'5'.repeat(64)}`,
  status: 'executed',
  epoch: 'bench',
  seq: 12345,
  sub: 0,
  nonceConsumed: true,
  items: [{ inputIndex: 0, kind: 'place', symbol: 'BTC-USD', state: 'accepted', orderId: '123456' }],
});

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': ANSWER.length,
      'x-svc-seq': '12345',
    });
    response.end(ANSWER);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit(0));
