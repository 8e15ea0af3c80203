/** @module What the exchange itself has of an account, kept while a run goes on: fills, ledger entries, and which sides were quoted. */
import type { InProcessWorld } from '../../src/cli/compose/in-process-run.ts';

/** A fill as the exchange's log has it. */
export interface ExchangeFill {
  readonly id: string;
  readonly orderSeq: string;
  readonly side: 'buy' | 'sell';
  readonly role: 'maker' | 'taker';
  readonly priceTicks: number;
  readonly lots: number;
  readonly fee: string;
}

/** Records of one account. */
export interface ExchangeRecords {
  readonly fills: ReadonlyMap<string, ExchangeFill>;
  /** Ledger entries by id. */
  readonly ledger: ReadonlyMap<string, { readonly orderSeq: string; readonly amount: string }>;
  /** Numbers of accepted orders. */
  readonly orders: ReadonlySet<string>;
  /** Whether an order was on a side of the first market at any and at every moment from one instant to another. */
  restsBetween(
    side: 'bid' | 'ask',
    fromMs: number,
    toMs: number,
  ): { readonly any: boolean; readonly every: boolean };
}

/** Begins to keep records. */
export function keepRecords({ exchange, accountId }: InProcessWorld): ExchangeRecords {
  const { venue } = exchange.control;
  const fills = new Map<string, ExchangeFill>();
  const ledger = new Map<string, { orderSeq: string; amount: string }>();
  const orders = new Set<string>();
  const changes: Record<'bid' | 'ask', { atMs: number; isQuoted: boolean }[]> = { bid: [], ask: [] };
  exchange.control.watch(({ events }, _entry, { blockAtMs }) => {
    let isTouched = false;
    for (const event of events) {
      const id = `${event.seq}-${event.sub}-${event.idx}`;
      if (event.kind === 'Fill') {
        for (const role of ['maker', 'taker'] as const) {
          const { account, orderSeq, fee } = event[role];
          if (account !== accountId) continue;
          isTouched = true;
          const side = (role === 'taker') === (event.takerSide === 'buy') ? 'buy' : 'sell';
          const { priceTicks, lots } = event;
          fills.set(id, { id, orderSeq: `${orderSeq}`, side, role, priceTicks, lots, fee: `${fee}` });
        }
      } else if (event.kind === 'LedgerAppended') {
        if (event.account === accountId)
          ledger.set(id, { orderSeq: `${event.orderSeq}`, amount: `${event.amount}` });
      } else if ('order' in event && event.order.account === accountId) {
        isTouched = true;
        if (event.kind === 'OrderAccepted') orders.add(`${event.order.orderSeq}`);
      }
    }
    if (!isTouched) return;
    const open = venue.openOrders(accountId).filter(({ market }) => market === 0);
    for (const [name, side] of [
      ['bid', 'buy'],
      ['ask', 'sell'],
    ] as const) {
      const isQuoted = open.some((order) => order.side === side);
      if (changes[name].at(-1)?.isQuoted !== isQuoted) changes[name].push({ atMs: blockAtMs, isQuoted });
    }
  });
  return {
    ...{ fills, ledger, orders },
    restsBetween: (side, fromMs, toMs) => {
      const all = changes[side];
      const before = all.findLast(({ atMs }) => atMs <= fromMs)?.isQuoted ?? false;
      const states = [
        before,
        ...all.filter(({ atMs }) => atMs > fromMs && atMs <= toMs).map(({ isQuoted }) => isQuoted),
      ];
      return { any: states.includes(true), every: !states.includes(false) };
    },
  };
}
