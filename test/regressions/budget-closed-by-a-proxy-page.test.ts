import { expect, test } from 'vitest';
import type { Address } from '../../src/domain/index.ts';
import { aGateway, answer, readTime } from '../unit/wire/gateway/support.ts';

const SELECTION = { address: `0x${'ab'.repeat(20)}` as Address, subaccount: 0 };
const PAGE = '<html><body><h1>Attention Required!</h1></body></html>';

test('a 429 page of a proxy held every read and write until the window ended, up to a minute (O73, O117)', async () => {
  const scripted = aGateway();
  const pipe = scripted.gateway.writePipe(SELECTION);
  scripted.handler = () => answer(429, PAGE, { 'content-type': 'text/html' });
  const refused = await pipe.post({ path: '/v1/orders/replace', body: '{}', timeoutMs: 5_000 });
  expect(refused).toMatchObject({ kind: 'answer', status: 429 });
  scripted.handler = ({ path }) => answer(200, path === '/v1/time' ? { serverTime: 1_767_700_020_000 } : {});
  // The outcome is asked for and the switch goes out at once; what was refused waits a second at most.
  expect(await readTime(scripted.gateway.reader)).toBe(1_767_700_020_000);
  await pipe.post({ path: '/v1/orders/schedule-cancel', body: '{}', timeoutMs: 5_000 });
  expect(scripted.leftAtMs.at(-1)).toBe(scripted.leftAtMs[0]);
  const again = pipe.post({ path: '/v1/orders/replace', body: '{}', timeoutMs: 5_000 });
  await scripted.clock.advanceAsync(1_000);
  expect(await again).toMatchObject({ kind: 'answer', status: 200 });
});
