import { describe, expect, test } from 'vitest';
import { BotError } from '../../../../src/core/index.ts';
import { ticks } from '../../../../src/domain/index.ts';
import { ControlTarget } from '../../../../src/exchange/control/control-target.ts';
import { allControlActions, runControlAction } from '../../../../src/exchange/control/table.ts';
import { ControlledClock } from '../../../../src/exchange/kernel/controlled-clock.ts';
import { ControlApi } from '../../../../src/exchange/server/control-api.ts';
import type { ExchangeSettings } from '../../../../src/exchange/state/settings.ts';
import { startTestExchange } from '../../../support/test-exchange.ts';

async function opened(settings: Partial<ExchangeSettings> = {}) {
  const venue = await startTestExchange(settings);
  const api = new ControlApi({ exchange: venue.exchange, clock: venue.clock });
  // biome-ignore lint/suspicious/noExplicitAny: what actions give has many shapes
  const run = (name: string, input: unknown = {}): Promise<any> =>
    runControlAction(api.exchange.control, name, input);
  const wrong = (name: string, input: unknown) =>
    run(name, input).then(
      () => 'done',
      (thrown: unknown) => (thrown instanceof BotError ? thrown.describe() : thrown),
    );
  return { venue, api, run, wrong };
}

describe('runControlAction', () => {
  test('makes an account with keys that sign at this exchange', async () => {
    const { venue, run } = await opened();
    const made = await run('account', { name: 'maker', balance: '2500.5', apiWallets: 1 });
    expect(venue.get(`/v1/account?address=${made.address}`).json).toMatchObject({ equity: '2500.500000' });
    expect(venue.get(`/v1/account/agents?address=${made.address}`).json.agents).toMatchObject([
      { address: made.apiWallets[0].address, expired: false },
    ]);
    expect((await run('state')).accounts).toEqual([made]);
  });

  test('funds, transfers and makes subaccounts by name', async () => {
    const { venue, run, wrong } = await opened();
    const { address } = await run('account', { name: 'a', balance: '100' });
    expect(await run('subaccount', { account: 'a' })).toMatchObject({ subaccount: 1 });
    await run('transfer', { from: 'a', to: 'a', toSubaccount: 1, amount: '30' });
    await run('fund', { account: address, amount: '5', subaccount: '1' });
    const equity = (subaccount: number) =>
      venue.get(`/v1/account?address=${address}&subaccount=${subaccount}`).json.equity;
    expect([equity(0), equity(1)]).toEqual(['70.000000', '35.000000']);
    expect(await wrong('transfer', { from: 'a', to: 'a', toSubaccount: 1, amount: '71' })).toContain(
      'has less than',
    );
    expect(await wrong('fund', { account: 'nobody', amount: '5' })).toContain('account made here (a)');
  });

  test('funds with other tokens, each with its own decimals (obligation O9)', async () => {
    const { venue, run, wrong } = await opened();
    const { address } = await run('account', { name: 'a', balance: '100' });
    await run('fund', { account: 'a', amount: '0.123456789012345678', token: 'WETH' });
    expect(venue.get(`/v1/account?address=${address}`).json).toMatchObject({
      equity: '100.000000',
      balances: [{ symbol: 'USDC' }, { symbol: 'WETH', amount: '0.123456789012345678' }],
    });
    expect(await wrong('fund', { account: 'a', amount: '0.123456789', token: 'WBTC' })).toContain(
      'at most 8 decimals',
    );
  });

  test('takes cash out, which is under way until the other chain has told of it', async () => {
    const { venue, run, wrong } = await opened();
    const { address } = await run('account', { name: 'a', balance: '100' });
    const listed = () => venue.get(`/v1/account/withdrawals?address=${address}`).json.withdrawals;
    expect(listed()).toEqual([]);
    await run('withdraw', { account: 'a', amount: '40' });
    expect(await wrong('withdraw', { account: 'a', amount: '61' })).toContain('has less than');
    expect(listed()).toMatchObject([{ token: 0, amount: '40.000000', status: 'pending' }]);
    expect(venue.get(`/v1/account?address=${address}`).json).toMatchObject({ equity: '60.000000' });
    await venue.clock.advanceAsync(6_000);
    expect(listed()).toMatchObject([{ amount: '40.000000', status: 'acked' }]);
    await venue.clock.advanceAsync(3_700_000);
    expect(listed()).toEqual([]);
  });

  test('makes a vault that anybody may claim, and its creator configure', async () => {
    const { venue, run, wrong } = await opened();
    const { vault, seq } = await run('fresh-vault', { name: 'Seeded', creator: venue.address });
    expect(seq).toBe(venue.exchange.seq);
    expect(venue.get(`/v1/vaults/${vault}`).json).toMatchObject({
      name: 'Seeded',
      state: 'fresh',
      creator: venue.address,
    });
    const body = { depositCap: '5', leverageMax: null };
    const configured = venue.write(`/v1/vaults/${vault}/config`, body, { by: 'wallet' });
    expect(configured.json.status).toBe('executed');
    expect(await wrong('fresh-vault', {})).toContain('name');
  });

  test('approves and revokes', async () => {
    const { venue, run } = await opened();
    const agent = `0x${'ab'.repeat(20)}`;
    const grants = () =>
      venue
        .get(`/v1/account/agents?address=${venue.address}`)
        .json.agents.map((one: { address: string }) => one.address);
    const { seq } = await run('approve', { account: venue.address, agent });
    expect(seq).toBe(venue.exchange.seq);
    expect(grants()).toContain(agent);
    await run('revoke', { account: venue.address, agent });
    expect(grants()).not.toContain(agent);
    expect(await run('revoke', { account: venue.address })).toMatchObject({ revoked: 2 });
    expect(grants()).toEqual([]);
  });

  test('sets price, status and rules of a market, and trades against people', async () => {
    const { venue, run, wrong } = await opened();
    await run('price', { symbol: 'BTC-USD', price: '90000.0' });
    expect(venue.get('/v1/prices').json.prices[0]).toMatchObject({ indexPrice: '90000.0' });
    venue.place([{ price: '89000.0', size: '0.0010' }]);
    expect(
      await run('order', { symbol: 'BTC-USD', side: 'sell', price: '89000', size: '0.001' }),
    ).toMatchObject({
      state: 'accepted',
      filledLots: '10',
    });
    await run('market-rules', { symbol: 'BTC-USD', tickSize: '0.5' });
    expect(venue.get('/v1/markets/BTC-USD').json.tickSize).toBe('0.5');
    await run('market-status', { symbol: 'BTC-USD', status: 'Paused' });
    expect(venue.place([{}]).json.error.code).toBe('MarketNotTrading');
    expect(await wrong('price', { symbol: 'BTC-USD', price: '0.05' })).toContain(
      'price: expected a price above zero',
    );
    expect(await wrong('price', { symbol: 'DOGE', price: '1' })).toContain('one of BTC-USD, ETH-USD');
  });

  test('a fault hits the requests it names, and no more than it says', async () => {
    const { venue, run } = await opened();
    const ask = async (path: string) => {
      const answer = await venue.getLater(path, {}, 20);
      return answer.status;
    };
    await run('fault', {
      kind: 'httpError',
      code: 'WrongNode',
      method: 'GET',
      path: '/v1/markets/*',
      times: 2,
    });
    expect([
      await ask('/v1/time'),
      await ask('/v1/markets/BTC-USD'),
      await ask('/v1/markets/BTC-USD/book'),
    ]).toEqual([200, 421, 421]);
    expect(await ask('/v1/markets/BTC-USD')).toBe(200);
    const { id } = await run('fault', { kind: 'httpError', code: 'Unavailable', method: 'any', times: 0 });
    expect([await ask('/v1/time'), await ask('/v1/time')]).toEqual([503, 503]);
    await run('clear-faults', { id });
    expect(await ask('/v1/time')).toBe(200);
  });

  test('a fault by chance hits about as often, the same for the same seed', async () => {
    const hits = async () => {
      const { venue, run } = await opened();
      await run('fault', { kind: 'httpError', method: 'GET', times: 0, probability: '0.3' });
      const statuses: number[] = [];
      for (let i = 0; i < 100; i++) statuses.push((await venue.getLater('/v1/time', {}, 1)).status);
      return statuses;
    };
    const [first, second] = [await hits(), await hits()];
    expect(first).toEqual(second);
    const count = first.filter((status) => status === 503).length;
    expect(count).toBeGreaterThan(15);
    expect(count).toBeLessThan(45);
  });

  test('changes epoch, history, budgets, domain, clock and quirks', async () => {
    const { venue, run, wrong } = await opened();
    expect(await run('epoch', { epoch: 'k2' })).toMatchObject({ epoch: 'k2' });
    await run('history-gaps', { gaps: [{ first: 1, last: 3 }] });
    expect(venue.get(`/v1/events`).status).toBe(503);
    await run('history-gaps', { gaps: [] });
    await run('domain', { version: '9' });
    expect(venue.get('/v1/exchange').json.domain).toMatchObject({
      name: 'dex-os',
      version: '9',
      chainId: 31_337,
    });
    await run('clock-skew', { ms: -250 });
    expect(venue.get('/v1/time').json.serverTime).toBe(venue.nowMs - 250);
    await run('quirk', { id: 'A7', value: 'descending' });
    expect((await run('state')).quirks.A7).toBe('descending');
    expect(await wrong('quirk', { id: 'A10', value: 'kept' })).toContain('--quirk A10=kept');
    await run('rate-limit', { bucket: 'ip', quota: 1 });
    expect(venue.get('/v1/prices').status).toBe(429);
    expect(
      await run('use-weight', { bucket: 'account', key: venue.address.toUpperCase(), weight: 7_000 }),
    ).toEqual({
      isWithin: false,
    });
  });

  test('says of a frame that it was dropped, and cuts streams', async () => {
    const { venue, run, wrong } = await opened();
    const stream = venue.stream();
    stream.subscribe({ channel: 'prices' });
    await run('lag-streams', { dropped: 3 });
    expect(stream.of('lagged')).toMatchObject([{ data: { dropped: 3 } }]);
    await run('disconnect', { code: 4001 });
    expect(stream.closedWith()).toBe(4001);
    expect(await wrong('disconnect', { code: 1005 })).toContain('a close code that may be sent');
  });

  test('needs a clock that can be moved to advance, and replicas to change their lag', async () => {
    const { wrong } = await opened();
    expect(await wrong('advance', { by: '5s' })).toContain('CONTROL_REFUSED');
    expect(await wrong('replica-lag', { lag: '5s' })).toContain('--replicas');
  });

  test('makes each action a method of the control, and hides no other member of it', async () => {
    const { api } = await opened();
    const control: Readonly<Record<string, unknown>> = { ...api.exchange.control };
    const members = new Set(Object.getOwnPropertyNames(ControlTarget.prototype));
    for (const { name } of allControlActions()) {
      const method = name.replace(/-./g, ([, letter = '']) => letter.toUpperCase());
      expect(control[method], name).toBeTypeOf('function');
      expect(members.has(method), name).toBe(false);
    }
  });

  test('takes the values of code where a request has text, and presets for what is left out', async () => {
    const { api, venue } = await opened();
    const { control } = api.exchange;
    expect(control.fund({ account: venue.address, amount: 2_500_000n })).toMatchObject({
      accountId: venue.account.accountId,
    });
    expect(() => control.withdraw({ account: venue.account.accountId, amount: 10n ** 18n })).toThrow(
      'has less than',
    );
    control.price({ symbol: 'BTC-USD', price: ticks(1_234_567) });
    expect(control.venue.markets()[0]).toMatchObject({ indexTicks: 1_234_567 });
    control.price({ symbol: 'BTC-USD', price: '98000' });
    expect(control.venue.markets()[0]).toMatchObject({ indexTicks: 980_000 });
    expect(control.revoke({ account: venue.address, agent: undefined })).toMatchObject({ revoked: 2 });
  });

  test('restarts at an earlier position only when the log is kept', async () => {
    const { wrong } = await opened();
    expect(await wrong('restart', { rollBackTo: 1 })).toContain('keepsLog');
  });

  test('advances a controlled through its blocks', async () => {
    const { api, venue } = await opened();
    const controlledClock = new ControlledClock(venue.clock, 'manual');
    const controlled = new ControlApi({ exchange: api.exchange, clock: controlledClock, controlledClock });
    const before = controlledClock.nowMs();
    expect(await runControlAction(controlled.exchange.control, 'advance', { by: '1m' })).toMatchObject({
      nowMs: before + 60_000,
    });
  });

  test('each action names an unknown field, what was expected and what was found', async () => {
    const { run } = await opened();
    for (const { name, parameters } of allControlActions()) {
      const thrown = await run(name, { nonsense: 1 }).catch((error: unknown) => error);
      expect(thrown, name).toMatchObject({
        code: 'CONTROL_INVALID',
        details: { field: 'nonsense', found: '"nonsense"' },
      });
      for (const [field, { type }] of Object.entries(parameters)) {
        const wrong = await run(name, { [field]: [null] }).catch((error: unknown) => error);
        expect((wrong as BotError).message, `${name} ${field}`).toContain(
          `${field}: expected ${type.expected}, got a list of 1`,
        );
      }
    }
  });

  test('a body that is no object and an action that is none are refused', async () => {
    const { wrong } = await opened();
    expect(await wrong('state', [1])).toContain('(body): expected names with values, got a list of 1');
    expect(await wrong('nonsense', {})).toContain('got "nonsense"');
  });
});

describe('replicas behind one address (obligations O18, O27)', () => {
  test('each is as old as it was told; a request is answered by one of them', async () => {
    const { venue, run } = await opened({ replicas: [0, 200, 2_000] });
    venue.blocks(40);
    const seqs = () => new Set(Array.from({ length: 60 }, () => venue.get('/v1/prices').json.seq as number));
    const newest = venue.exchange.seq;
    const seen = [...seqs()].sort((a, b) => b - a);
    expect(seen).toEqual([newest, newest - 2, newest - 20]);
    expect((await run('state')).replicas).toEqual([
      { lagMs: 0, seq: newest },
      { lagMs: 200, seq: newest - 2 },
      { lagMs: 2_000, seq: newest - 20 },
    ]);
    await run('replica-lag', { lag: 0 });
    expect([...seqs()]).toEqual([newest]);
  });

  test('each waits on its own for the position that is asked for, and ends in 412', async () => {
    const { venue } = await opened({ replicas: [0, 300, 2_000], readTimeoutMs: 500 });
    venue.blocks(40);
    const headers = { 'x-svc-min-seq': String(venue.exchange.seq) };
    const asked = Array.from({ length: 30 }, async () => {
      const path = '/v1/prices';
      return venue.exchange.handle({ method: 'GET', path, headers, body: '', ip: '10.0.0.1' });
    });
    await venue.clock.advanceAsync(600);
    const replies = await Promise.all(asked);
    const count = (status: number) =>
      replies.filter((reply) => reply !== 'lost' && reply.status === status).length;
    expect([count(200) + count(412), count(200) > 12, count(412) > 3]).toEqual([30, true, true]);
  });

  test('one that is too far behind says how far it has come', async () => {
    const { venue } = await opened({ replicas: [2_000], readTimeoutMs: 500 });
    venue.blocks(40);
    const { seq } = venue.exchange;
    const answer = await venue.getLater('/v1/prices', { 'x-svc-min-seq': String(seq) }, 600);
    expect(answer).toMatchObject({
      status: 412,
      json: { error: { code: 'ReplicaBehind', details: { required: seq } } },
    });
  });

  test('a fresh grant is unknown to a gateway whose replica is behind (obligation O50)', async () => {
    const { venue, run } = await opened({ replicas: [0, 5_000] });
    venue.blocks(60);
    await run('approve', { account: venue.address, agent: venue.agent });
    await run('revoke', { account: venue.address, agent: venue.agent });
    venue.blocks(60);
    await run('approve', { account: venue.address, agent: venue.agent });
    const codes = Array.from({ length: 20 }, () => {
      venue.forgetNonces();
      return venue.place([{}]).status;
    });
    expect(new Set(codes)).toEqual(new Set([200, 403]));
  });
});
