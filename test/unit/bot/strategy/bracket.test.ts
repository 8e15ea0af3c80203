/** @module An entry with its exits: there before it, as large as what it has brought, one for the other, and again after a restart. */
import { beforeEach, describe, expect, test } from 'vitest';
import {
  Bracket,
  type BracketEnd,
  type BracketPlan,
  compose,
  defineStrategy,
  param,
  type StrategyContext,
} from '../../../../src/bot/strategy/index.ts';
import {
  type Fact,
  type Lots,
  lots,
  type OrderId,
  type OrderSpec,
  type WorkingOrder,
} from '../../../../src/domain/index.ts';
import { aRig, keepArmed, type Rig, setupOf } from '../../../support/bot-rig.ts';
import { aFill, BTC, MAKER, seq } from '../../../support/trading-builders.ts';

const PLAN: BracketPlan = {
  side: 'buy',
  sizeLots: lots(10),
  entryTicks: 999_000 as never,
  stopTicks: 990_000 as never,
  takeProfitTicks: 1_010_000 as never,
};

let bracket: Bracket;
let ends: BracketEnd[];
let at = 100;
beforeEach(() => {
  ends = [];
});

const strategy = (act: (context: StrategyContext) => void) =>
  defineStrategy({
    name: 'bracketed',
    parameters: param.object({}),
    create: (context) => {
      bracket = new Bracket(context, { symbol: BTC, onEnded: (how) => void ends.push(how) });
      return compose(bracket, { onStart: () => act(context) });
    },
  });

function rigOf(act: (context: StrategyContext) => void = () => void bracket.enter(PLAN)): Rig {
  return aRig([setupOf(strategy(act))]);
}

const specsOf = ({ venue }: Rig): readonly OrderSpec[] =>
  venue.submitted.flatMap(({ command }) => (command.kind === 'place' ? command.orders : []));
const openOf = ({ bot }: Rig): readonly WorkingOrder[] => bot.account.workingOrders(BTC, MAKER);
const stopsOf = (rig: Rig) => openOf(rig).filter((one) => one.trigger?.isAbove === false);
const profitsOf = (rig: Rig) => openOf(rig).filter((one) => one.trigger?.isAbove === true);
const plainOf = (rig: Rig) => openOf(rig).filter((one) => one.trigger === undefined);

function fire(rig: Rig, order: WorkingOrder | undefined, sizeLots: Lots = order?.sizeLots ?? lots(0)): void {
  if (order === undefined) throw new Error('expected an order');
  const { trigger: _fired, ...plain } = order;
  rig.feed({ type: 'OrderOpened', order: { ...plain, sizeLots, remainingLots: sizeLots }, seq: seq(++at) });
}

function fill(rig: Rig, order: WorkingOrder | undefined, size: number): void {
  if (order === undefined) throw new Error('expected an order');
  const { orderId, side, priceTicks } = order;
  rig.feed({
    type: 'FillRecorded',
    fill: aFill({ orderId, side, priceTicks, sizeLots: size, id: `${++at}-0-1` as never }),
  });
}

function cancel(rig: Rig, orderId: OrderId | undefined): void {
  if (orderId === undefined) throw new Error('expected an order');
  const proof = { by: 'stream', id: `${++at}` } as const;
  const fact: Fact = {
    type: 'OrderEnded',
    ref: { symbol: BTC, orderId },
    status: 'canceled',
    seq: seq(at),
    proof,
  };
  rig.feed(fact);
}

describe('an entry', () => {
  test('is sent when both exits wait at the exchange, never before', () => {
    const rig = rigOf();
    const kinds = specsOf(rig).map(
      ({ trigger, reduceOnly }) => `${trigger?.isAbove ?? 'entry'} ${reduceOnly}`,
    );
    expect(kinds).toEqual(['false true', 'true true', 'entry false']);
    expect([stopsOf(rig).length, profitsOf(rig).length, plainOf(rig).length]).toEqual([1, 1, 1]);
  });

  test('is not sent where an exit is refused, and what waits is taken back', () => {
    const rig = rigOf(() => void bracket.enter({ ...PLAN, stopTicks: 990_003.5 as never }));
    expect(specsOf(rig).filter(({ trigger }) => trigger === undefined)).toEqual([]);
    expect(openOf(rig)).toEqual([]);
    expect(ends).toEqual(['refused']);
    expect(bracket.isActive).toBe(false);
  });

  test('that ends unfilled takes its exits with it', () => {
    const rig = rigOf();
    cancel(rig, plainOf(rig)[0]?.orderId);
    expect(openOf(rig)).toEqual([]);
    expect(ends).toEqual(['not entered']);
  });

  test('that ends with a part of it shrinks both exits to that part', () => {
    const rig = rigOf();
    const [entry] = plainOf(rig);
    fill(rig, entry, 4);
    expect(stopsOf(rig)).toMatchObject([{ sizeLots: 10 }]);
    rig.feed({
      ...{ type: 'OrderEnded', ref: { symbol: BTC, orderId: entry?.orderId as OrderId }, status: 'canceled' },
      ...{ remainingLots: lots(6), seq: seq(++at), proof: { by: 'stream', id: `${at}` } },
    });
    expect(stopsOf(rig)).toMatchObject([{ sizeLots: 4 }]);
    expect(profitsOf(rig)).toMatchObject([{ sizeLots: 4 }]);
    expect(bracket.openLots).toBe(4);
  });
});

describe('one exit cancels the other', () => {
  test.each([
    ['stop', stopsOf],
    ['take profit', profitsOf],
  ] as const)('when the %s is filled whole', (how, exitsOf) => {
    const rig = rigOf();
    fill(rig, plainOf(rig)[0], 10);
    const [exit] = exitsOf(rig);
    fire(rig, exit);
    fill(rig, exit, 10);
    expect(openOf(rig)).toEqual([]);
    expect(ends).toEqual([how]);
    expect(rig.audit.typesOf('IntentDenied')).toEqual([]);
    expect(rig.bot.account.positionLots(BTC, MAKER)).toBe(0);
  });

  test('and in part: what is left of the other is what is left of the position', () => {
    const rig = rigOf();
    fill(rig, plainOf(rig)[0], 10);
    const [profit] = profitsOf(rig);
    fire(rig, profit);
    fill(rig, profit, 7);
    expect(stopsOf(rig)).toMatchObject([{ sizeLots: 3 }]);
    const [stop] = stopsOf(rig);
    fire(rig, stop);
    fill(rig, stop, 3);
    expect(openOf(rig)).toEqual([]);
    expect(ends).toEqual(['stop']);
    expect(rig.audit.typesOf('IntentDenied')).toEqual([]);
  });
});

describe('a stop', () => {
  test('that goes while something is held is placed again, and the log says so until it stands', () => {
    const rig = rigOf();
    fill(rig, plainOf(rig)[0], 10);
    cancel(rig, stopsOf(rig)[0]?.orderId);
    expect(bracket.isNaked).toBe(false);
    expect(stopsOf(rig)).toMatchObject([{ sizeLots: 10 }]);
  });

  test('that fired and left a rest behind is followed by what takes with the market', () => {
    const rig = rigOf(() => void bracket.enter({ ...PLAN, stopTicks: 997_000 as never }));
    fill(rig, plainOf(rig)[0], 10);
    const [stop] = stopsOf(rig);
    rig.book(996_000, 996_100);
    fire(rig, stop);
    fill(rig, stop, 6);
    rig.feed({
      ...{ type: 'OrderEnded', ref: { symbol: BTC, orderId: stop?.orderId as OrderId }, status: 'canceled' },
      ...{ remainingLots: lots(4), seq: seq(++at), proof: { by: 'stream', id: `${at}` } },
    });
    const last = specsOf(rig).at(-1);
    expect(last).toMatchObject({ side: 'sell', sizeLots: 4, timeInForce: 'ioc', reduceOnly: true });
    expect(last?.trigger).toBeUndefined();
  });
});

test('a position that is there is guarded without an entry', () => {
  const { sizeLots, side, stopTicks } = PLAN;
  const rig = rigOf(() => void bracket.guard({ sizeLots, side, stopTicks }));
  expect(specsOf(rig)).toHaveLength(1);
  expect(stopsOf(rig)).toMatchObject([{ sizeLots: 10 }]);
  expect(bracket.enter(PLAN)).toBe(false);
});

describe('after a restart', () => {
  const guarded = (): { readonly rig: Rig; readonly fail: () => void } => {
    let isFirst = true;
    const failing = defineStrategy({
      name: 'bracketed',
      parameters: param.object({}),
      create: (context) => {
        bracket = new Bracket(context, { symbol: BTC, onEnded: (how) => void ends.push(how) });
        const own = {
          onStart: () => {
            if (isFirst) bracket.enter(PLAN);
            isFirst = false;
          },
          onTrade: () => {
            throw new Error('it fails');
          },
        };
        return compose(bracket, own);
      },
    });
    const rig = aRig([setupOf(failing)], { restartDelaysMs: [1_000] });
    const fail = (): void => {
      const trade = {
        id: '1',
        symbol: BTC,
        aggressor: 'buy',
        atMs: rig.clock.nowMs(),
        priceTicks: 1_000_000,
        sizeLots: 1,
      };
      rig.feed({ type: 'TradePrinted', trade } as unknown as Fact);
      for (let ms = 0; ms < 5_000; ms += 250) {
        rig.clock.advance(250);
        keepArmed(rig);
        rig.book(999_900, 1_000_100);
      }
    };
    return { rig, fail };
  };

  test('what is held gets its exits again, as large as it is', () => {
    const { rig, fail } = guarded();
    fill(rig, plainOf(rig)[0], 6);
    fail();
    expect(stopsOf(rig)).toMatchObject([{ sizeLots: 6 }]);
    expect(profitsOf(rig)).toMatchObject([{ sizeLots: 6 }]);
    expect(plainOf(rig)).toEqual([]);
    expect([bracket.openLots, bracket.isNaked]).toEqual([6, false]);
    const [stop] = stopsOf(rig);
    fire(rig, stop);
    fill(rig, stop, 6);
    expect(ends).toEqual(['stop']);
  });

  test('of which nothing is held nothing is placed, and another may begin', () => {
    const { rig, fail } = guarded();
    fail();
    expect(openOf(rig)).toEqual([]);
    expect(bracket.isActive).toBe(false);
    expect(bracket.enter(PLAN)).toBe(true);
  });
});
