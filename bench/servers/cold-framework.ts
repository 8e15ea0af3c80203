/** @module The framework of G19 in a process that has just begun: says when its strategy may quote, and what was asked for until then. */
import { subscribe } from 'node:diagnostics_channel';
import { join } from 'node:path';
import { isRecord } from '../../src/core/index.ts';
import { coldPort } from '../goals/cold-start/cold-port.ts';
import type { ColdCounts, ColdOrder, ColdRequest } from '../goals/cold-start/wire.ts';
import { startLiveRun } from '../live-run.ts';

const CONFIG = `
markets: [{ symbol: BTC-USD }]
strategies:
  - name: cold
    module: ${join(import.meta.dirname, '..', 'goals', 'cold-start', 'strategy.ts')}
    markets: [BTC-USD]
risk: { capital: 10000 }
`;

const requests: ColdRequest[] = [];
subscribe('undici:request:create', (message) => {
  const request = isRecord(message) ? message['request'] : undefined;
  if (isRecord(request)) requests.push({ method: String(request['method']), path: String(request['path']) });
});

process.once('message', (order: ColdOrder) => {
  const { origin, account, folder } = order;
  const ready = Promise.withResolvers<void>();
  coldPort.onReady = ready.resolve;
  const run = startLiveRun({ origin, account, folder, config: CONFIG });
  const counted = Promise.race([ready.promise, run.failed]).then(async () => {
    process.send?.({ requests } satisfies ColdCounts);
    await new Promise((resolve) => process.once('message', resolve));
    await run.stop();
  });
  counted.then(
    () => process.exit(0),
    () => process.exit(1),
  );
});
process.on('disconnect', () => process.exit(0));
