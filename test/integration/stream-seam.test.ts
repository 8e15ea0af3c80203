import { describe, expect, test } from 'vitest';
import type { Fact } from '../../src/domain/index.ts';
import type { HttpRequest, Transport } from '../../src/wire/gateway/index.ts';
import { type ExchangeScene, openScene } from '../unit/wire/stream/exchange-scene.ts';

/** The ids of all fills of the account by the exchange's own history. */
function fillsAtTheExchange(scene: ExchangeScene): string[] {
  const { json } = scene.exchange.get(`/v1/account/fills?address=${scene.exchange.address}&limit=1000`);
  return json.data.map(({ id }: { id: string }) => id);
}

function recordedFills(scene: ExchangeScene): string[] {
  return scene.of('FillRecorded').map(({ fill }) => fill.id);
}

function expectExactlyOnce(scene: ExchangeScene): void {
  const truth = fillsAtTheExchange(scene);
  expect(recordedFills(scene).sort()).toEqual([...truth].sort());
  expect(scene.journal.effects().fills.map(({ id }) => id)).toEqual(truth);
}

function lastTwo(scene: ExchangeScene): string[] {
  const account = ['AccountSynced', 'AccountDegraded', 'EpochChanged'];
  return scene.facts
    .map(({ type }) => type)
    .filter((type) => account.includes(type))
    .slice(-2);
}

/** A transport that notes the paths of reads. */
function spied(): { paths: string[]; requests: HttpRequest[]; wrap: (inner: Transport) => Transport } {
  const requests: HttpRequest[] = [];
  const paths: string[] = [];
  return {
    paths,
    requests,
    wrap: (inner) => ({
      ...inner,
      request: (request) => {
        requests.push(request);
        paths.push(request.path);
        return inner.request(request);
      },
      open: (listener, onUpgrade) => inner.open(listener, onUpgrade),
    }),
  };
}

const LEDGER = '/v1/account/ledger';
const FILLS = '/v1/account/fills';
const of = (path: string, paths: readonly string[]) =>
  paths.filter((candidate) => candidate.startsWith(path));
const paramsOf = (path: string) => new URLSearchParams(path.split('?')[1]);

describe('the seam against the embedded exchange', () => {
  test('syncs a cold start with everything the account has (O91, O93, O105)', async () => {
    const spy = spied();
    const scene = await openScene({ wrap: spy.wrap });
    scene.fill('99000.0', '0.0100');
    scene.exchange.place([{ price: '90000.0' }]);
    await scene.advance(1_000);
    expect(scene.stream.state().account).toMatchObject({ isSynced: true, isAuditClean: true, backfillMs: 0 });
    expect(scene.of('OrdersReplaced').at(-1)?.orders).toHaveLength(1);
    expect(scene.of('LedgerRecorded').length).toBeGreaterThan(0);
    expect(scene.stream.epoch()).toBe(scene.exchange.exchange.epoch);
    expectExactlyOnce(scene);
    const first = paramsOf(of(FILLS, spy.paths)[0] ?? '');
    expect([first.get('after'), first.get('epoch'), first.get('upper')]).toEqual([null, null, null]);
  });

  test('shows live fills at once and keeps them with their cursor (O97)', async () => {
    const scene = await openScene();
    await scene.advance(1_000);
    for (let i = 0; i < 5; i++) scene.fill('99000.0', '0.0100');
    await scene.advance(500);
    expect(recordedFills(scene)).toHaveLength(5);
    expect(scene.journal.cursors()?.fills).toBe(fillsAtTheExchange(scene).at(-1));
    expectExactlyOnce(scene);
    expect(scene.stream.state().account.isSynced).toBe(true);
  });

  test('loses no fill and doubles none over a disconnect (O108, O109)', async () => {
    const spy = spied();
    const scene = await openScene({ wrap: spy.wrap });
    await scene.advance(1_000);
    scene.fill('99000.0', '0.0100');
    await scene.advance(200);
    scene.exchange.exchange.control.disconnect();
    scene.fill('98000.0', '0.0200');
    scene.fill('97000.0', '0.0300');
    await scene.advance(50);
    expect(scene.stream.state().account.reason).toMatch(/^disconnected/);
    spy.requests.length = 0;
    await scene.advance(3_000);
    expect(lastTwo(scene)).toEqual(['AccountDegraded', 'AccountSynced']);
    expect(scene.stream.state().account.isAuditClean).toBe(true);
    expectExactlyOnce(scene);
    const first = spy.requests.find(({ path }) => path.startsWith(FILLS));
    expect(BigInt(first?.headers['x-svc-min-seq'] ?? -1)).toBeGreaterThan(0n);
  });

  test('waits for a replica that is behind the subscription (O109)', async () => {
    const scene = await openScene({ settings: { replicaLagMs: 100 } });
    await scene.advance(3_000);
    scene.exchange.exchange.control.replicaLag({ lag: 4_000 });
    scene.exchange.exchange.control.disconnect();
    scene.fill('98000.0', '0.0200');
    await scene.advance(2_000);
    expect(scene.stream.state().account.isSynced).toBe(false);
    await scene.advance(8_000);
    expect(scene.stream.state().account.isSynced).toBe(true);
    expect(recordedFills(scene)).toHaveLength(1);
  });

  test('joins history and live frames after lagged, with the bounds of the frame (O98 to O100, O102)', async () => {
    const spy = spied();
    const scene = await openScene({ wrap: spy.wrap });
    await scene.advance(1_000);
    scene.fill('99000.0', '0.0100');
    await scene.advance(500);
    const cursor = scene.journal.cursors()?.fills;
    scene.exchange.exchange.control.dropFrames();
    scene.fill('98000.0', '0.0200');
    await scene.advance(300);
    spy.paths.length = 0;
    scene.exchange.exchange.control.lagStreams();
    scene.fill('97000.0', '0.0300');
    await scene.advance(10);
    expect(scene.of('AccountDegraded').at(-1)?.reason).toMatch(/^lagged/);
    expect(scene.of('MarketStale')).toHaveLength(1);
    // Before the audit that follows a join.
    await scene.advance(900);
    expect(lastTwo(scene)).toEqual(['AccountDegraded', 'AccountSynced']);
    expectExactlyOnce(scene);
    const asked = of(FILLS, spy.paths).map(paramsOf);
    expect(asked.map((params) => params.get('after'))).toEqual([cursor]);
    expect(asked[0]?.get('epoch')).toBe(scene.exchange.exchange.epoch);
    expect(asked[0]?.get('upper')).toMatch(/^[0-9]+-65535-4294967295$/);
    expect(asked[0]?.get('address')).toBe(scene.exchange.address);
    expect(of(LEDGER, spy.paths)).toHaveLength(1);
    expect(scene.stream.state().connections[0]?.opened).toBe(1);
  });

  test('has the right open orders within two seconds of a lag (O103)', async () => {
    const scene = await openScene();
    await scene.advance(1_000);
    const kept = scene.exchange.place([{ price: '90000.0' }, { price: '89000.0' }]).json.items[1].orderId;
    await scene.advance(300);
    scene.exchange.exchange.control.dropFrames();
    scene.other.place([{ side: 'sell', price: '90000.0', size: '0.0100', timeInForce: 'ioc' }]);
    await scene.advance(300);
    scene.exchange.exchange.control.lagStreams();
    await scene.advance(2_000);
    expect(
      scene
        .of('OrdersReplaced')
        .at(-1)
        ?.orders.map(({ orderId }) => orderId),
    ).toEqual([kept]);
    expect(scene.stream.state().account.isSynced).toBe(true);
  });

  test('asks again with the same bounds while history is not yet complete (O101)', async () => {
    const spy = spied();
    const scene = await openScene({ wrap: spy.wrap });
    await scene.advance(1_000);
    scene.fill('99000.0', '0.0100');
    await scene.advance(500);
    scene.exchange.exchange.control.durabilityLag({ lag: 3_000 });
    scene.exchange.exchange.control.dropFrames();
    scene.fill('98000.0', '0.0200');
    await scene.advance(100);
    spy.paths.length = 0;
    scene.exchange.exchange.control.lagStreams();
    await scene.advance(1_500);
    expect(scene.stream.state().account.isSynced).toBe(false);
    const asked = of(FILLS, spy.paths);
    await scene.advance(6_000);
    expect(scene.stream.state().account.isSynced).toBe(true);
    expect(asked.length).toBeGreaterThan(1);
    expect(new Set(asked).size).toBe(1);
    expectExactlyOnce(scene);
  });

  test('rebuilds everything when the ledger begins again (O96, O107)', async () => {
    const scene = await openScene();
    await scene.advance(1_000);
    scene.fill('99000.0', '0.0100');
    await scene.advance(500);
    scene.exchange.exchange.control.epoch({ epoch: 'k2-1' });
    await scene.advance(3_000);
    expect(scene.of('EpochChanged').map(({ epoch }) => epoch)).toEqual(['k2-1']);
    expect(scene.stream.epoch()).toBe('k2-1');
    expect(scene.journal.cursors()?.epoch).toBe('k2-1');
    const order = scene.facts.map(({ type }) => type);
    expect(order.lastIndexOf('OrdersReplaced')).toBeGreaterThan(order.indexOf('EpochChanged'));
  });

  test('notices a new epoch on a connection that stays open (O96)', async () => {
    const scene = await openScene();
    await scene.advance(1_000);
    scene.exchange.exchange.control.epoch({ epoch: 'k2-1', keepStreams: true });
    scene.fill('99000.0', '0.0100');
    await scene.advance(4_000);
    expect(scene.stream.epoch()).toBe('k2-1');
    expect(scene.of('EpochChanged')).toHaveLength(1);
  });

  test('goes on after a restart where the journal ends (O97)', async () => {
    const scene = await openScene();
    await scene.advance(1_000);
    scene.fill('99000.0', '0.0100');
    await scene.advance(500);
    scene.stream.stop();
    scene.fill('98000.0', '0.0200');
    const second = scene.restart();
    // What the journal has is shown before anything is read.
    expect(second.of('FillRecorded')).toHaveLength(1);
    await second.advance(1_000);
    expect(second.stream.state().account.isSynced).toBe(true);
    expectExactlyOnce(second);
    expect(second.of('EpochChanged')).toEqual([]);
  });

  test('stays degraded while history has a gap and recovers when it is filled', async () => {
    const scene = await openScene();
    await scene.advance(1_000);
    scene.fill('99000.0', '0.0100');
    await scene.advance(500);
    scene.exchange.exchange.control.historyGaps({ gaps: [{ first: 1, last: 1_000_000 }] });
    scene.exchange.exchange.control.disconnect();
    await scene.advance(20_000);
    expect(scene.stream.state().account.isSynced).toBe(false);
    expect(scene.stream.state().account.backfillMs).toBeGreaterThan(10_000);
    scene.exchange.exchange.control.historyGaps({ gaps: [] });
    await scene.advance(3_000);
    expect(scene.stream.state().account).toMatchObject({ isSynced: true, backfillMs: 0 });
  });

  test('shows no fact of the account between a disconnect and the next snapshot but fills that are true', async () => {
    const scene = await openScene();
    await scene.advance(1_000);
    scene.exchange.exchange.control.disconnect();
    const from = scene.facts.length;
    scene.fill('98000.0', '0.0200');
    await scene.advance(3_000);
    const types = new Set(scene.facts.slice(from).map((fact: Fact) => fact.type));
    expect(types.has('OrdersReplaced') && types.has('PositionsReplaced')).toBe(true);
    expectExactlyOnce(scene);
  });
});
