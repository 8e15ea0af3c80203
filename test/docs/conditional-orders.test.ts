/** The bodies that docs/concepts/conditional-orders.md shows are sent to an exchange, as they stand there. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startTestExchange } from '../support/test-exchange.ts';
import { ROOT } from '../tidy/source.ts';

const PAGE = readFileSync(join(ROOT, 'docs/concepts/conditional-orders.md'), 'utf8');
const SHOWN = [...PAGE.matchAll(/^`POST ([^`]+)`\n\n```json\n(.*?)^```/gms)].map(
  ([, path = '', body = '']) => [path, JSON.parse(body) as object] as const,
);

test('docs/concepts/conditional-orders.md shows one body for each kind', () => {
  expect(SHOWN.map(([path]) => path)).toEqual(['/v1/orders', '/v1/positions/tpsl', '/v1/orders/twap']);
});

test.each(SHOWN)('the body of %s is accepted as it stands there', async (path, body) => {
  const venue = await startTestExchange();
  venue.another().place([{ side: 'sell', price: '100000.0', size: '1.0000' }]);
  venue.place([{ price: '100000.0', size: '0.2000' }]);
  const { json } = venue.write(path, { ...body, nowMs: venue.nowMs });
  const states = json.items.map(({ state }: { state: string }) => state);
  expect([json.status, new Set(states)]).toEqual(['executed', new Set(['accepted'])]);
  const open = venue.get(`/v1/account/orders?address=${venue.address}`).json.orders;
  expect(open).toHaveLength(json.items.length);
});
