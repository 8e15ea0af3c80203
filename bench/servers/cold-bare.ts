/**
 * @module
 * The yardstick of G19 in a process that has just begun: it loads the modules that a live run is made of, and makes the same
 * requests one after the other. A write is asked for as a read, since its nonce is used up.
 */
import { Client } from 'undici';
import type { ColdCounts, ColdOrder } from '../goals/cold-start/wire.ts';
import '../live-run.ts';

const CHEAP = '/v1/time';

process.once('message', ({ origin, requests }: ColdOrder) => void ask(origin, requests));
process.on('disconnect', () => process.exit(0));

async function ask(origin: string, requests: ColdOrder['requests']): Promise<void> {
  const client = new Client(origin);
  for (const { method, path } of requests) {
    const { body } = await client.request({ method: 'GET', path: method === 'GET' ? path : CHEAP });
    await body.text();
  }
  process.send?.({ requests } satisfies ColdCounts);
  await client.destroy();
}
