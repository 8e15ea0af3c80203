/** `environment.wsUrl` was checked, documented and used by nobody: streams went to the address of the requests. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { routeOf } from '../../src/bot/live/connect/route.ts';
import { SystemClock, silentLog, silentMeter } from '../../src/core/index.ts';
import { parseBaseUrl } from '../../src/wire/gateway/base-url.ts';
import { createNetworkTransport } from '../../src/wire/gateway/network-transport.ts';

test('streams go to environment.wsUrl, and to the base URL where it is not set', async () => {
  const asked: string[] = [];
  const server = createServer();
  new WebSocketServer({ server }).on('connection', (socket, request) => {
    asked.push(request.url ?? '');
    socket.close();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const base = parseBaseUrl(`http://127.0.0.1:${port}/gate`);
  for (const wsUrl of [`ws://127.0.0.1:${port}/streams`, undefined]) {
    const transport = createNetworkTransport(base, {
      ...{ clock: new SystemClock(), log: silentLog, meter: silentMeter },
      route: routeOf({ caFile: undefined, proxy: undefined, wsUrl }),
    });
    await new Promise<void>((resolve) => {
      transport.open({ onOpen: () => undefined, onFrame: () => undefined, onClose: () => resolve() });
    });
    await transport.close?.();
  }
  expect(asked).toEqual(['/streams', '/gate/v1/ws']);
});
