import { beforeAll, describe, expect, test } from 'vitest';
import { seededRandom, VirtualClock } from '../../../../src/core/index.ts';
import type { Address } from '../../../../src/domain/index.ts';
import { runControlAction } from '../../../../src/exchange/control/table.ts';
import { createSyntheticParticipants } from '../../../../src/exchange/flow/synthetic-participants.ts';
import { ControlledClock } from '../../../../src/exchange/kernel/controlled-clock.ts';
import { Exchange } from '../../../../src/exchange/kernel/exchange.ts';
import { ControlApi } from '../../../../src/exchange/server/control-api.ts';
import { readLines, writeLines } from '../../../../src/exchange/snapshot/lines.ts';
import type { ExchangeSettings } from '../../../../src/exchange/state/settings.ts';
import { type Crypto, loadCrypto } from '../../../../src/wire/crypto/index.ts';

const START_MS = 1_767_700_020_000;
let crypto: Crypto;

beforeAll(async () => {
  crypto = await loadCrypto();
});

/** A control API with an exchange whose clock is moved by hand. */
function open(settings: Partial<ExchangeSettings> = {}, isRecorded = true) {
  const controlledClock = new ControlledClock(new VirtualClock(START_MS), 'manual');
  const exchange = new Exchange({
    clock: controlledClock,
    random: seededRandom(5),
    crypto,
    settings,
    isRecorded,
  });
  const api = new ControlApi({
    exchange,
    clock: controlledClock,
    controlledClock,
    origin: { seed: 5, crypto },
  });
  const run = (name: string, input: unknown = {}) => runControlAction(api.exchange.control, name, input);
  return { api, controlledClock, run };
}

/** A vault that the account claims, pays into and trades for. */
async function joinVault({ api, run }: ReturnType<typeof open>, owner: Address): Promise<void> {
  const { vault: id } = (await run('fresh-vault', { name: 'Seeded' })) as { readonly vault: string };
  const vault = Number(id);
  const { control } = api.exchange;
  control.submit({ owner }, (account) => ({ kind: 'ClaimVault', account, vault }));
  control.submit({ owner }, (account) => ({ kind: 'DepositVault', account, vault, amount: 900_000_007n }));
  control.submit({ owner }, (account) => ({ kind: 'RedeemVault', account, vault, shares: 100_000_001n }));
}

/** An exchange after a lively minute: participants, an account with orders, a grant gone, a new ledger, a gap. */
async function lively(settings: Partial<ExchangeSettings> = {}) {
  const opened = open(settings);
  const { api, run, controlledClock } = opened;
  api.exchange.start();
  const { address } = api.exchange.control.account({
    name: 'maker',
    balance: '5000',
    apiWallets: 2,
    validUntilMs: 0,
  });
  api.exchange.attachParticipants(createSyntheticParticipants({ followsIndex: true }));
  await controlledClock.advance(20_000);
  const place = (price: number, clientOrderId: string | undefined) =>
    api.exchange.control.submit({ owner: address }, (account) => ({
      kind: 'BatchPlace',
      account,
      nowMs: controlledClock.nowMs(),
      orders: [{ market: 0, side: 'buy', price, lots: 10n, tif: 'gtc', reduceOnly: false }],
      ...(clientOrderId === undefined ? {} : { clientOrderId }),
    }));
  place(900_000, undefined);
  place(1_100_000, 'label');
  await run('revoke', { account: 'maker', agent: api.accounts[0]?.apiWallets[1]?.address });
  await joinVault(opened, address);
  await run('price', { symbol: 'ETH-USD', price: '3900' });
  await run('fund', { account: 'maker', amount: '0.25', token: 'WETH' });
  await controlledClock.advance(20_030);
  await run('epoch');
  place(899_000, undefined);
  await run('order', { symbol: 'BTC-USD', side: 'sell', price: '120000', size: '1' });
  await run('rate-limit', { bucket: 'account', quota: 77 });
  await run('clock-skew', { ms: 40 });
  await run('quirk', { id: 'A7', value: 'descending' });
  await controlledClock.advance(10_050);
  return { ...opened, address };
}

function reads(api: ControlApi, address: string): string[] {
  const paths = [
    '/v1/time',
    '/v1/exchange',
    '/v1/prices',
    '/v1/markets/BTC-USD/book?depth=100',
    '/v1/markets/ETH-USD/book?depth=100',
    '/v1/markets/BTC-USD/trades',
    '/v1/markets/BTC-USD/candles?interval=1m',
    '/v1/markets/BTC-USD/funding',
    '/v1/events?limit=1000',
    `/v1/account?address=${address}`,
    `/v1/account/positions?address=${address}`,
    `/v1/account/orders?address=${address}`,
    `/v1/account/orders/history?address=${address}`,
    `/v1/account/fills?address=${address}`,
    `/v1/account/ledger?address=${address}`,
    `/v1/account/agents?address=${address}`,
    `/v1/account/nonce?address=${address}`,
    `/v1/account/portfolio?address=${address}`,
    `/v1/account/vaults?address=${address}`,
    '/v1/vaults',
  ];
  return paths.map((path) => {
    const reply = api.exchange.handle({ method: 'GET', path, headers: {}, body: '', ip: '10.0.0.1' });
    if (reply instanceof Promise || reply === 'lost') throw new Error('expected an answer at once');
    return `${path} ${reply.status} ${reply.body}`;
  });
}

describe('a snapshot', () => {
  test.each<[string, Partial<ExchangeSettings>]>([
    ['plain', {}],
    [
      'with a replica that is behind and results that stay pending',
      { replicas: [700], durabilityLagMs: 300 },
    ],
    ['with quirks', { quirks: { A12: 'integer', A17: 'text', A4: 'full' } }],
  ])(
    '%s: the exchange answers the same bytes to the same reads, and goes on the same',
    async (_what, settings) => {
      const { api, address, controlledClock } = await lively(settings);
      const text = api.snapshot();
      const other = open();
      other.api.restore(text);
      expect(reads(other.api, address)).toEqual(reads(api, address));
      expect(other.api.accounts).toEqual(api.accounts);
      // Replicas go on with their full lag, so that only what all have reached is the same at once.
      await Promise.all([controlledClock.advance(30_000), other.controlledClock.advance(30_000)]);
      expect(other.api.exchange.seq).toBe(api.exchange.seq);
      expect(reads(other.api, address)).toEqual(reads(api, address));
      const made = [api, other.api].map((one) =>
        one.exchange.control.account({ balance: '1', apiWallets: 1, validUntilMs: 0 }),
      );
      expect(made[0]).toEqual(made[1]);
      await other.run('epoch');
      await runControlAction(api.exchange.control, 'epoch', {});
      expect(api.exchange.epoch).toBe(other.api.exchange.epoch);
    },
  );

  test('of what was loaded is the snapshot it was loaded from', async () => {
    const { api } = await lively();
    const text = api.snapshot();
    const other = open();
    other.api.restore(text);
    expect(other.api.snapshot()).toBe(text);
  });

  test('keeps only what came from outside: a minute of a lively market is small', async () => {
    const { api } = await lively();
    expect(api.snapshot().length).toBeLessThan(20_000);
    expect(api.exchange.seq).toBeGreaterThan(1_000);
  });

  test('that was changed, cut or put together is refused, and the line is named; what is served stays', async () => {
    const { api } = await lively();
    const text = api.snapshot();
    const lines = text.split('\n');
    const other = open();
    const served = other.api.exchange;
    const before = other.controlledClock.nowMs();
    const thrown = (damaged: string): string => {
      try {
        other.api.restore(damaged);
        return 'restored';
      } catch (error) {
        return String((error as Error & { code: string }).code) + (error as Error).message.slice(0, 9);
      }
    };
    expect(thrown('')).toContain('SNAPSHOT_DAMAGED');
    expect(thrown('no snapshot\n')).toBe('SNAPSHOT_DAMAGEDline 1 of');
    expect(thrown(text.slice(0, -1))).toContain('SNAPSHOT_DAMAGED');
    expect(thrown(`${lines.slice(0, -2).join('\n')}\n`)).toContain('SNAPSHOT_DAMAGED');
    expect(thrown(lines.toSpliced(3, 1).join('\n'))).toBe('SNAPSHOT_DAMAGEDline 4 of');
    for (let at = 0; at < text.length; at += 97) {
      const letter = text[at] === '7' ? '8' : '7';
      if (text[at] === '\n') continue;
      expect(thrown(text.slice(0, at) + letter + text.slice(at + 1)), `letter ${at}`).toContain('SNAPSHOT_');
    }
    expect([other.api.exchange, other.controlledClock.nowMs()]).toEqual([served, before]);
    expect(thrown(text)).toBe('restored');
  });

  test.each([
    ['a younger', 3],
    // Its head had other keys (`standing`, `counters`, `accounts`): read by these it would be read half.
    ['an older', 1],
  ])('of %s version is refused by its version, and what is served stays', (_age, version) => {
    const { api } = open();
    const served = api.exchange;
    const [head = {}, ...steps] = readLines(api.snapshot()).records;
    const text = writeLines([{ ...head, version }, ...steps, { end: {} }]);
    expect(() => api.restore(text)).toThrow(
      expect.objectContaining({
        code: 'SNAPSHOT_VERSION_UNSUPPORTED',
        message: `expected a snapshot of version 2 and codec 1, got ${version} and 1`,
      }),
    );
    expect(api.exchange).toBe(served);
  });

  test('of version 2 has these keys: another shape needs another version', async () => {
    const { api } = await lively();
    const [head = {}, ...steps] = readLines(api.snapshot()).records;
    expect(Object.keys(head).sort().join(' ')).toBe(
      'codecVersion control format nowMs seed settings settingsState startMs version',
    );
    expect(
      Object.keys(head['control'] as object)
        .sort()
        .join(' '),
    ).toBe('accounts counters participant');
    expect(
      Object.keys(head['settingsState'] as object)
        .sort()
        .join(' '),
    ).toBe('accountQuota domain durabilityLagMs durableSeq gaps ipQuota quirks replicaShare replicas skewMs');
    const shapes = new Set(steps.map((step) => Object.keys(step).sort().join(' ')));
    expect([...shapes].sort()).toEqual(['blocks', 'entry seq', 'flow seq']);
  });

  test('whose steps lead elsewhere is refused', async () => {
    const { api } = await lively();
    // The same steps among other participants, the chain made again: as another version of them would do it.
    const { records, end } = readLines(api.snapshot());
    const changed = records.map((record) =>
      'flow' in record ? { ...record, flow: { ...(record['flow'] as object), makers: [] } } : record,
    );
    expect(() => open().api.restore(writeLines([...changed, { end }]))).toThrow(
      /line \d+ of the snapshot: expected seq/,
    );
  });

  test('is impossible without recording, while the exchange is down, and after a rollback', async () => {
    expect(() => open({}, false).api.snapshot()).toThrow('it was started without');
    const { api, run, controlledClock } = open({ keepsLog: true });
    api.exchange.start();
    await run('restart', { down: '2s' });
    expect(() => api.snapshot()).toThrow('it is down');
    await controlledClock.advance(3_000);
    expect(api.snapshot()).toContain('ballast-snapshot');
    api.exchange.control.restart({ down: 10, rollBackTo: 5 });
    await controlledClock.advance(3_000);
    expect(() => api.snapshot()).toThrow('its log was cut');
  });
});
