/** @module Scenarios of streams: frames of account and market that are lost, late, doubled, reordered and forged. */
import {
  ACCOUNT,
  AFTER_OUTAGE_S,
  AUDIT_S,
  BOOKS,
  hitting,
  isAnyOf,
  isOf,
  lasting,
  MARKET,
  nothing,
  scenariosOf,
  twice,
} from './faults.ts';
import type { Json } from './proxy.ts';

/** The books of the run are wrong: it ends by name, and the next one begins without what never was. */
const CONTRADICTED = {
  withinS: AUDIT_S,
  person: /ACCOUNT_HISTORY_CONTRADICTED/,
  exits: 69,
  isHealedByStart: true,
} as const;

/** In the order in which they run. */
export const STREAM_SCENARIOS = scenariosOf((add) => {
  // What all others are measured beside.
  add('none', 'none', 'nothing is wrong; fills happen for 3 s', lasting(3_000));

  // Frames of the account.
  for (const channel of ACCOUNT) {
    const withinS = AUDIT_S;
    const extra = channel === 'fills' ? 'and nobody says so' : 'in silence';
    add(
      'account frames',
      `lost-${channel}`,
      `one frame of ${channel} is lost ${extra}`,
      hitting({ on: isOf(channel), to: nothing }),
      { withinS },
    );
    add(
      'account frames',
      `doubled-${channel}`,
      `each frame of ${channel} comes twice`,
      lasting(3_000, { on: isOf(channel), to: twice }),
    );
    add(
      'account frames',
      `late-${channel}`,
      `frames of ${channel} come 3 s late`,
      lasting(5_000, { on: isOf(channel), to: (frame) => [frame], delayMs: 3_000 }),
      { withinS: AFTER_OUTAGE_S },
    );
  }
  add(
    'account frames',
    'lost-three-fills',
    'three fills in a row are lost',
    hitting({ on: isOf('fills'), to: nothing }, 3),
    { withinS: AUDIT_S },
  );
  add(
    'account frames',
    'lost-fill-and-cash',
    'a fill, its cash and the position are lost together',
    lasting(1_500, { on: isOf('fills', 'ledger', 'positions', 'account'), to: nothing }),
    { withinS: AUDIT_S },
  );
  add(
    'account frames',
    'lost-all',
    'all frames of the account are lost for 4 s',
    lasting(4_000, { on: isAnyOf(...ACCOUNT), to: nothing }),
    { withinS: AUDIT_S },
  );
  add(
    'account frames',
    'late-all',
    'all frames of the account come 4 s late',
    lasting(6_000, { on: isAnyOf(...ACCOUNT), to: (frame) => [frame], delayMs: 4_000 }),
    { withinS: AFTER_OUTAGE_S },
  );
  add(
    'account frames',
    'lost-acceptance',
    'the frame of an order that came to rest is lost',
    hitting({ on: (frame) => isOf('orders')(frame) && frame.data?.status === 'open', to: nothing }),
    { withinS: AUDIT_S },
  );
  add(
    'account frames',
    'lost-end',
    'the frame of an order that ended is lost',
    hitting({ on: (frame) => isOf('orders')(frame) && frame.data?.status !== 'open', to: nothing }),
    { withinS: AUDIT_S },
  );
  for (const channel of ['fills', 'ledger', 'orders'])
    add('account frames', `reordered-${channel}`, `two frames of ${channel} change places`, async (scene) => {
      let held: Json;
      const swap = (frame: Json): readonly unknown[] => {
        if (held !== undefined) return [frame, held];
        held = frame;
        return [];
      };
      await scene.hit(scene.proxy.frames({ on: isOf(channel), to: swap, times: 2 }), 2);
    });
  add(
    'account frames',
    'forged-fill',
    'a fill that never was is reported',
    hitting({
      on: isOf('fills'),
      to: (frame) => [frame, { ...frame, data: { ...frame.data, id: `${frame.seq}-9-9`, sub: 9, idx: 9 } }],
    }),
    CONTRADICTED,
  );
  add(
    'account frames',
    'forged-ledger',
    'an entry of the ledger that never was is reported',
    hitting({
      on: isOf('ledger'),
      to: (frame) => [
        frame,
        { ...frame, data: { ...frame.data, id: `${frame.seq}-9-9`, sub: 9, idx: 9, amount: '1.000000' } },
      ],
    }),
    CONTRADICTED,
  );
  add(
    'account frames',
    'changed-fill',
    'a fill is reported with another size',
    hitting({
      on: isOf('fills'),
      to: (frame) => [{ ...frame, data: { ...frame.data, size: '0.0500' } }],
    }),
    CONTRADICTED,
  );
  add(
    'account frames',
    'forged-end',
    'an order that rests is reported as canceled',
    hitting({
      on: (frame) => isOf('orders')(frame) && frame.data?.status === 'open',
      to: (frame) => [frame, { ...frame, data: { ...frame.data, status: 'canceled' } }],
    }),
    { withinS: AUDIT_S },
  );
  add(
    'account frames',
    'forged-position',
    'a position that never was is reported once',
    hitting({
      on: isOf('positions'),
      to: (frame) => [
        {
          ...frame,
          data: { positions: frame.data.positions?.map((one: Json) => ({ ...one, size: '7.000' })) ?? [] },
        },
      ],
    }),
    { withinS: AUDIT_S },
  );
  add(
    'account frames',
    'forged-account',
    'cash that never was is reported once',
    hitting({
      on: isOf('account'),
      to: (frame) => [{ ...frame, data: { ...frame.data, collateral: '1.000000' } }],
    }),
    { withinS: AUDIT_S },
  );

  // Frames of the market.
  const late5 = { to: (frame: Json) => [frame], delayMs: 5_000 };
  add(
    'market frames',
    'late-market',
    'book, quotes, trades and prices come 5 s late with their true times',
    lasting(8_000, { on: isAnyOf(...MARKET), ...late5 }),
    { isUnfit: true, withinS: AFTER_OUTAGE_S },
  );
  add(
    'market frames',
    'silent-books',
    'book and best quotes fall silent, pongs do not',
    lasting(8_000, { on: isAnyOf(...BOOKS), to: nothing }),
    { isUnfit: true },
  );
  add(
    'market frames',
    'silent-book',
    'the book alone falls silent',
    lasting(8_000, { on: isAnyOf('book'), to: nothing }),
    { isUnfit: true },
  );
  add(
    'market frames',
    'hour-old',
    'times of the market are an hour old',
    lasting(8_000, {
      on: isAnyOf(...MARKET),
      to: (frame) => [{ ...frame, data: { ...frame.data, ts: frame.data.ts - 3_600_000 } }],
    }),
    { isUnfit: true },
  );
  add(
    'market frames',
    'frozen-book',
    'the book repeats itself while trades print',
    async (scene) => {
      const last = new Map<string, Json>();
      const freeze = (frame: Json): readonly unknown[] => {
        if (!last.has(frame.channel)) last.set(frame.channel, frame);
        // A bot that asks again gets no fresh snapshot, either.
        return [{ ...last.get(frame.channel), isSnapshot: frame.isSnapshot }];
      };
      await lasting(8_000, { on: isAnyOf(...BOOKS), to: freeze })(scene);
    },
    { isUnfit: true },
  );
  for (const channel of ['prices', 'trades', 'bbo'])
    add(
      'market frames',
      `silent-${channel}`,
      `${channel} fall silent for 5 s`,
      lasting(5_000, { on: isAnyOf(channel), to: nothing }),
      { withinS: AFTER_OUTAGE_S },
    );
  add(
    'market frames',
    'doubled-book',
    'each frame of the market comes twice',
    lasting(3_000, { on: isOf(...MARKET), to: twice }),
  );
  add('market frames', 'reordered-book', 'each second book comes behind the next', async (scene) => {
    let held: Json;
    const swap = (frame: Json): readonly unknown[] => {
      const before = held;
      held = before === undefined ? frame : undefined;
      return before === undefined ? [] : [frame, before];
    };
    await lasting(4_000, { on: isOf('book'), to: swap })(scene);
  });
  add(
    'market frames',
    'crossed-book',
    'a book is crossed',
    hitting(
      {
        on: isOf('book'),
        to: (frame) => [{ ...frame, data: { ...frame.data, bids: frame.data.asks, asks: frame.data.bids } }],
      },
      3,
    ),
  );
  add(
    'market frames',
    'empty-book',
    'books are empty for 4 s',
    lasting(4_000, {
      on: isOf('book'),
      to: (frame) => [{ ...frame, data: { ...frame.data, bids: [], asks: [] } }],
    }),
    { withinS: AFTER_OUTAGE_S },
  );
  add(
    'market frames',
    'wild-book',
    'one book shows ten times the price',
    hitting({
      on: isOf('book'),
      to: (frame) => [
        {
          ...frame,
          data: { ...frame.data, bids: frame.data.bids.map(tenfold), asks: frame.data.asks.map(tenfold) },
        },
      ],
    }),
    { withinS: AFTER_OUTAGE_S },
  );
  add('market frames', 'lost-books', 'each second frame of the book is lost', async (scene) => {
    let count = 0;
    await lasting(4_000, { on: isOf('book'), to: (frame) => (count++ % 2 === 0 ? [] : [frame]) })(scene);
  });
});

function tenfold([price, size]: readonly [string, string]): readonly [string, string] {
  return [`${Number(price) * 10}.0`, size];
}
