import { expect, test } from 'vitest';
import { checkGrant, grantEnd } from '../../src/bot/live/connect/preflight.ts';
import { must } from '../../src/core/index.ts';
import { during, environmentOver, walletsOf } from '../contract/client.ts';
import { Wire } from '../contract/wire.ts';
import { startTestExchange } from '../support/test-exchange.ts';

const LAST_DATE_MS = 8.64e15;

/** A date beyond the last one throws a RangeError where it is printed: the check of a good grant ended in a bug. */
test('a grant that ends beyond all dates is one without an end (O22)', async () => {
  const venue = await startTestExchange();
  const { address, agent } = venue;
  venue.exchange.control.approve({ account: address, agent, validUntilMs: Number.MAX_SAFE_INTEGER });
  const environment = await environmentOver(venue, new Wire(venue.exchange, venue.clock));
  const wallet = must(walletsOf(venue)[0], 'a wallet');
  const granted = await during(
    venue.clock,
    checkGrant(environment, { address, subaccount: 0 }, wallet, { signingAccountId: 0 }),
  );
  expect(granted.validUntilMs).toBe(Number.MAX_SAFE_INTEGER);
  expect(grantEnd(granted.validUntilMs)).toBeUndefined();
});

test.each([
  [0, undefined],
  [1, '1970-01-01T00:00:00.001Z'],
  [LAST_DATE_MS, '+275760-09-13T00:00:00.000Z'],
  [LAST_DATE_MS + 1, undefined],
])('the end %d of a grant is %s', (validUntilMs, end) => {
  expect(grantEnd(validUntilMs)).toBe(end);
});
