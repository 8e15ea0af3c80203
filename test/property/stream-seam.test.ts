import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Fact } from '../../src/domain/index.ts';
import { type ExchangeScene, openScene } from '../unit/wire/stream/exchange-scene.ts';

/** One thing that happens at the exchange, to the connection, or to time. */
type Step =
  | { readonly kind: 'fill'; readonly price: number; readonly lots: number }
  | { readonly kind: 'rest' }
  | { readonly kind: 'advance'; readonly ms: number }
  | { readonly kind: 'disconnect' }
  | { readonly kind: 'drop' }
  | { readonly kind: 'lag'; readonly dropped: number }
  | { readonly kind: 'replica'; readonly ms: number }
  | { readonly kind: 'durability'; readonly ms: number }
  | { readonly kind: 'epoch'; readonly keepStreams: boolean }
  | { readonly kind: 'gap' }
  | { readonly kind: 'repair' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    arbitrary: fc.record({
      kind: fc.constant('fill' as const),
      price: fc.integer({ min: 95_000, max: 99_000 }),
      lots: fc.integer({ min: 100, max: 300 }),
    }),
    weight: 6,
  },
  { arbitrary: fc.constant({ kind: 'rest' as const }), weight: 1 },
  { arbitrary: fc.record({ kind: fc.constant('advance' as const), ms: fc.nat(1_200) }), weight: 6 },
  { arbitrary: fc.constant({ kind: 'disconnect' as const }), weight: 2 },
  { arbitrary: fc.constant({ kind: 'drop' as const }), weight: 2 },
  { arbitrary: fc.record({ kind: fc.constant('lag' as const), dropped: fc.nat(9) }), weight: 3 },
  { arbitrary: fc.record({ kind: fc.constant('replica' as const), ms: fc.nat(2_000) }), weight: 1 },
  { arbitrary: fc.record({ kind: fc.constant('durability' as const), ms: fc.nat(800) }), weight: 1 },
  {
    arbitrary: fc.record({ kind: fc.constant('epoch' as const), keepStreams: fc.boolean() }),
    weight: 1,
  },
  { arbitrary: fc.constant({ kind: 'gap' as const }), weight: 1 },
  { arbitrary: fc.constant({ kind: 'repair' as const }), weight: 1 },
);

async function take(scene: ExchangeScene, next: Step): Promise<void> {
  const { control } = scene.exchange.exchange;
  switch (next.kind) {
    case 'fill':
      return scene.fill(`${next.price}.0`, `0.0${next.lots}`);
    case 'rest':
      scene.exchange.place([{ price: '80000.0' }], { query: '?ack=sequenced' });
      return;
    case 'advance':
      return await scene.advance(next.ms);
    case 'disconnect':
      control.disconnect();
      return;
    case 'drop':
      control.dropFrames();
      return;
    case 'lag':
      control.lagStreams({ dropped: next.dropped });
      return;
    case 'replica':
      control.replicaLag({ lag: next.ms });
      return;
    case 'durability':
      control.durabilityLag({ lag: next.ms });
      return;
    case 'epoch':
      control.epoch({ epoch: `${scene.exchange.exchange.epoch}x`, keepStreams: next.keepStreams });
      return;
    case 'gap':
      control.historyGaps({ gaps: [{ first: 1, last: 1_000_000 }] });
      return;
    case 'repair':
      control.historyGaps({ gaps: [] });
      return;
  }
}

async function heal(scene: ExchangeScene): Promise<void> {
  const { control } = scene.exchange.exchange;
  control.historyGaps({ gaps: [] });
  control.replicaLag({ lag: 0 });
  control.durabilityLag({ lag: 0 });
  control.lagStreams();
  await scene.advance(15_000);
}

/** What was shown since the last new ledger: everything before is void. */
function current(facts: readonly Fact[]): readonly Fact[] {
  const last = facts.findLastIndex(({ type }) => type === 'EpochChanged');
  return facts.slice(last + 1);
}

function expectTruth(scene: ExchangeScene, all: readonly Fact[]): void {
  const facts = current(all);
  const { json } = scene.exchange.get(`/v1/account/fills?address=${scene.exchange.address}&limit=1000`);
  const truth: string[] = json.data.map(({ id }: { id: string }) => id);
  const shown = facts.flatMap((fact) => (fact.type === 'FillRecorded' ? [fact.fill.id as string] : []));
  expect(shown.sort()).toEqual([...truth].sort());
  expect(scene.journal.effects().fills.map(({ id }) => id)).toEqual(truth);
  const ledger = scene.exchange.get(`/v1/account/ledger?address=${scene.exchange.address}&limit=1000`).json;
  const entries = facts.flatMap((fact) => (fact.type === 'LedgerRecorded' ? [fact.entry.id as string] : []));
  expect(entries.sort()).toEqual(ledger.data.map(({ id }: { id: string }) => id).sort());
  const orders = scene.exchange.get(`/v1/account/orders?address=${scene.exchange.address}`).json.orders;
  expect([...openOrders(facts)].sort()).toEqual(
    orders.map(({ orderId }: { orderId: string }) => orderId).sort(),
  );
}

/** The set of open orders as who folds the facts sees it. */
function openOrders(facts: readonly Fact[]): Set<string> {
  let open = new Set<string>();
  for (const fact of facts) {
    if (fact.type === 'OrdersReplaced') open = new Set(fact.orders.map(({ orderId }) => orderId));
    else if (fact.type === 'OrderOpened') open.add(fact.order.orderId);
    else if (fact.type === 'OrderEnded') open.delete(fact.ref.orderId);
  }
  return open;
}

describe('the seam under any order of frames, pages, lags and reconnects', () => {
  test('applies every fill and ledger entry exactly once and ends with the exchange’s orders (I1, I3, I4)', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), fc.nat(), async (steps, seed) => {
        const scene = await openScene({ settings: { replicaLagMs: 1 }, seed });
        for (const next of steps) await take(scene, next);
        await heal(scene);
        expect(scene.stream.state().account).toMatchObject({ isSynced: true, reason: undefined });
        expectTruth(scene, scene.facts);
      }),
      { numRuns: 60 },
    );
  });

  test('does so over restarts too (O97)', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { minLength: 1, maxLength: 15 }), { minLength: 2, maxLength: 4 }),
        fc.nat(),
        async (lives, seed) => {
          let scene = await openScene({ settings: { replicaLagMs: 1 }, seed });
          for (const [life, steps] of lives.entries()) {
            if (life > 0) scene = scene.restart();
            for (const next of steps) await take(scene, next);
          }
          await heal(scene);
          expect(scene.stream.state().account.isSynced).toBe(true);
          expectTruth(scene, scene.facts);
        },
      ),
      { numRuns: 25 },
    );
  });
});
