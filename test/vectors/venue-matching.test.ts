import { describe, expect, test } from 'vitest';
import { unixMs } from '../../src/core/index.ts';
import type { Side, TimeInForce } from '../../src/domain/index.ts';
import type { VenueEvent } from '../../src/exchange/engine/index.ts';
import { hasShared, readSharedJson } from '../support/shared.ts';
import { Desk, eventsOf } from '../unit/exchange/engine/desk.ts';

type Amount = number | string;
interface Options {
  a?: string;
  tif?: string;
  post?: boolean;
  ro?: boolean;
  p?: Amount;
}
interface Scenario {
  id: string;
  title: string;
  steps: [string, ...(string | number | Options)[]][];
  trades: [string, string, string, string][];
  events: [string, string][];
  bids: [string, string][];
  asks: [string, string][];
  pos: Record<string, string>;
}

/** Prices and sizes of the scenarios have at most one decimal: one unit is ten ticks, ten lots. */
const SCALE = 10;
const scaled = (amount: Amount) => Math.round(Number(amount) * SCALE);
const plain = (amount: number) => String(amount / SCALE);

/** Plays one scenario. Orders without an account get one of their own. */
class Player {
  readonly desk = new Desk();
  readonly accounts = new Map<string, number>();
  readonly names = new Map<bigint, string>();
  readonly numbers = new Map<string, bigint>();
  readonly trades: string[][] = [];
  readonly notes: [string, string][] = [];

  constructor() {
    this.desk.nowMs = unixMs(0);
    this.desk.index(1000);
  }

  account(name: string): number {
    let account = this.accounts.get(name);
    if (account === undefined) {
      account = this.desk.trader();
      this.accounts.set(name, account);
    }
    return account;
  }

  play([kind, ...args]: Scenario['steps'][number]): void {
    const name = String(args[0]);
    if (kind === 'new') this.#place(args);
    else if (kind === 'cancel') this.#note(this.desk.cancel(...this.#target(name)).events);
    else if (kind === 'replace') this.#replace(name, args[1] as Options);
    else if (kind === 'schedule') this.#schedule(name, Number(args[1]));
    else if (kind === 'tick') this.#note(this.desk.block(Number(name) - this.desk.nowMs));
    else throw new Error(`unknown step ${kind}`);
  }

  #place(args: (string | number | Options)[]): void {
    const [name, side, price, size] = args.map(String) as [string, string, string, string];
    const options = (args[4] ?? {}) as Options;
    const tif = options.post ? 'postOnly' : ((options.tif ?? 'gtc').toLowerCase() as TimeInForce);
    const book: Side = side === 'B' ? 'buy' : 'sell';
    const outcome = this.desk.place(this.account(options.a ?? name), book, scaled(price), scaled(size), {
      tif,
      reduceOnly: options.ro ?? false,
    });
    const orderSeq = outcome.items[0]?.orderSeq;
    if (orderSeq === undefined) {
      const words: Record<string, string> = {
        FokInsufficientLiquidity: 'canceled:fok',
        PostOnlyWouldCross: 'rejected:post-only',
      };
      this.notes.push([name, words[outcome.reason ?? ''] ?? `rejected:${outcome.reason}`]);
      return;
    }
    this.names.set(orderSeq, name);
    this.numbers.set(name, orderSeq);
    this.#note(outcome.events);
  }

  #replace(name: string, change: Options): void {
    const [account, orderSeq] = this.#target(name);
    const old = this.desk.venue.openOrder(0, orderSeq);
    if (old === undefined) throw new Error(`expected ${name} to be open`);
    const outcome = this.desk.execute({
      kind: 'ModifyOrder',
      account,
      orderId: { market: 0, orderSeq },
      price: change.p === undefined ? old.priceTicks : scaled(change.p),
      lots: BigInt(old.remainingLots),
      tif: old.tif,
      reduceOnly: old.reduceOnly,
      goodTilMs: 0,
      nowMs: 0,
    });
    this.names.set(outcome.items[1]?.orderSeq ?? 0n, name);
    this.notes.push([name, 'replaced']);
    this.#note(outcome.events.filter((event) => event.kind !== 'OrderCanceled'));
  }

  #schedule(name: string, triggerMs: number): void {
    const account = this.account(name);
    const outcome = this.desk.execute({ kind: 'ScheduleCancel', account, triggerMs, nowMs: 0 });
    expect(outcome.status).toBe('executed');
  }

  #target(name: string): [number, bigint] {
    const orderSeq = this.numbers.get(name) ?? 0n;
    return [this.desk.venue.openOrder(0, orderSeq)?.account ?? 0, orderSeq];
  }

  /** Restates our events in the words of the scenarios. */
  #note(events: readonly VenueEvent[]): void {
    const name = (orderSeq: bigint) => this.names.get(orderSeq) ?? `${orderSeq}`;
    for (const fill of eventsOf(events, 'Fill')) {
      const { maker, taker, priceTicks, lots, makerOrder } = fill;
      this.trades.push([name(maker.orderSeq), name(taker.orderSeq), plain(priceTicks), plain(lots)]);
      if (makerOrder.status === 'filled') this.notes.push([name(maker.orderSeq), 'filled']);
    }
    for (const { order, isResting } of eventsOf(events, 'OrderAccepted')) {
      const left = plain(order.remainingLots);
      if (isResting) this.notes.push([name(order.orderSeq), `open ${left}`]);
      else {
        this.notes.push([
          name(order.orderSeq),
          order.status === 'filled' ? 'filled' : `canceled:remainder ${left}`,
        ]);
      }
    }
    for (const { order, reason } of eventsOf(events, 'OrderCanceled')) {
      this.notes.push([name(order.orderSeq), reason === 'ReduceOnly' ? 'canceled:reduce-only' : 'canceled']);
    }
  }
}

const FILE = 'matching-scenarios.json';
const isThere = hasShared('vectors', FILE);
const scenarios = isThere ? readSharedJson<{ scenarios: Scenario[] }>('vectors', FILE).scenarios : [];

describe.skipIf(!isThere)('matching scenarios', () => {
  test('there are eleven', () => {
    expect(scenarios).toHaveLength(11);
  });

  test.each(scenarios.map((scenario) => [scenario.id, scenario.title, scenario] as const))(
    '%s %s',
    (_id, _title, scenario) => {
      const player = new Player();
      for (const step of scenario.steps) player.play(step);
      const { bids, asks } = player.desk.bookOf();
      const plainLevels = (levels: typeof bids) => levels.map(([price, lots]) => [plain(price), plain(lots)]);
      expect(player.trades).toEqual(scenario.trades);
      expect(player.notes).toEqual(scenario.events);
      expect(plainLevels(bids)).toEqual(scenario.bids);
      expect(plainLevels(asks)).toEqual(scenario.asks);
      for (const [name, size] of Object.entries(scenario.pos)) {
        expect(plain(player.desk.lotsOf(player.account(name)))).toBe(size);
      }
    },
  );
});
