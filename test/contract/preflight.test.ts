/** What must agree before a run starts (obligations O22, O121). */
import { describe, expect, test } from 'vitest';
import { checkAccount, checkGrant } from '../../src/bot/live/connect/preflight.ts';
import { quantums } from '../../src/domain/index.ts';
import { startTestExchange, type TestExchange } from '../support/test-exchange.ts';
import { during, environmentOver, walletsOf } from './client.ts';
import { type Disturbance, made, Wire } from './wire.ts';

const GRANT_REST_MS_MIN = 150_000;

async function prepared(disturb?: Disturbance) {
  const venue = await startTestExchange();
  const wire = new Wire(venue.exchange, venue.clock);
  if (disturb !== undefined) wire.disturb = disturb;
  const environment = await environmentOver(venue, wire);
  const [wallet] = walletsOf(venue);
  if (wallet === undefined) throw new Error('expected a wallet');
  const check = (subaccount = 0) =>
    during(
      venue.clock,
      checkGrant(environment, { address: venue.address, subaccount }, wallet, { signingAccountId: 0 }),
    );
  return { venue, wire, environment, wallet, check };
}

/** A second account with the same API wallet. */
function grantElsewhere(venue: TestExchange): TestExchange {
  const other = venue.another();
  venue.exchange.control.approve({ account: other.address, agent: venue.agent });
  return other;
}

describe('the grant of an API wallet (obligations O22)', () => {
  test('passes when both listings name this account, and both are asked', async () => {
    const { venue, wire, check } = await prepared();
    await expect(check()).resolves.toEqual({ wallet: 'trader', address: venue.agent, validUntilMs: 0 });
    expect(wire.reads('/v1/account/agents')).toHaveLength(1);
    expect(wire.reads(`/v1/agents/${venue.agent}`)).toHaveLength(1);
    expect(wire.posts()).toEqual([]);
  });

  test('error: is missing when it was never given, or taken away', async () => {
    const { venue, check } = await prepared();
    venue.exchange.control.revoke({ account: venue.address, agent: venue.agent });
    await expect(check()).rejects.toMatchObject({
      code: 'PREFLIGHT_GRANT_MISSING',
      message: expect.stringContaining('got none'),
    });
  });

  test('error: is missing when it is for another account, which is named', async () => {
    const { venue, check } = await prepared();
    const other = grantElsewhere(venue);
    venue.exchange.control.revoke({ account: venue.address, agent: venue.agent });
    await expect(check()).rejects.toMatchObject({
      code: 'PREFLIGHT_GRANT_MISSING',
      message: expect.stringContaining(other.address),
    });
  });

  test.each([
    ['/v1/account/agents', { agents: [] }],
    ['/v1/agents/', { address: `0x${'00'.repeat(20)}`, grants: [] }],
  ])('error: is refused when only the other listing has it and %s has not', async (path, body) => {
    const { check } = await prepared((request, pass) =>
      request.path.startsWith(path) ? Promise.resolve(made(200, body)) : pass(),
    );
    await expect(check()).rejects.toMatchObject({ code: 'PREFLIGHT_GRANT_MISSING' });
  });

  test('error: is refused when it ends before a run is worth while', async () => {
    const { venue, check } = await prepared();
    const grantFor = (restMs: number) =>
      venue.exchange.control.approve({
        ...{ account: venue.address, agent: venue.agent },
        validUntilMs: venue.nowMs + restMs,
      });
    grantFor(GRANT_REST_MS_MIN - 100);
    await expect(check()).rejects.toMatchObject({ code: 'PREFLIGHT_GRANT_EXPIRED' });
    grantFor(GRANT_REST_MS_MIN + 10_000);
    await expect(check()).resolves.toMatchObject({ wallet: 'trader' });
    venue.clock.advance(GRANT_REST_MS_MIN + 20_000);
    await expect(check()).rejects.toMatchObject({ code: 'PREFLIGHT_GRANT_EXPIRED' });
  });

  test('error: an account that does not exist is told so', async () => {
    const { venue, environment } = await prepared();
    const selection = { address: venue.address, subaccount: 9 };
    await expect(during(venue.clock, checkAccount(environment, selection))).rejects.toMatchObject({
      code: 'PREFLIGHT_ACCOUNT_MISSING',
    });
  });
});

describe('an API wallet serves one account (obligations O121)', () => {
  test('error: with a living grant of another wallet’s account it is refused', async () => {
    const { venue, check } = await prepared();
    const other = grantElsewhere(venue);
    await expect(check()).rejects.toMatchObject({
      code: 'PREFLIGHT_GRANT_SHARED',
      message: expect.stringContaining(other.address),
    });
    venue.exchange.control.revoke({ account: other.address, agent: venue.agent });
    await expect(check()).resolves.toMatchObject({ wallet: 'trader' });
  });

  test('error: with a living grant of a subaccount of the same wallet too', async () => {
    const { venue, check } = await prepared();
    const { control } = venue.exchange;
    const subaccount = control.subaccount({ account: venue.address }).subaccount;
    control.fund({ account: venue.address, amount: quantums(1_000_000n), subaccount });
    control.approve({ account: venue.address, agent: venue.agent, subaccount });
    await expect(check()).rejects.toMatchObject({ code: 'PREFLIGHT_GRANT_SHARED' });
    await expect(check(subaccount)).rejects.toMatchObject({ code: 'PREFLIGHT_GRANT_SHARED' });
  });
});
