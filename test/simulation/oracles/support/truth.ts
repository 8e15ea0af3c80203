/**
 * @module
 * What the exchange's log says of one account: fills and ledger entries by epoch, used nonces by scope. Every entry is
 * looked at once, when it is applied; nothing here was ever sent to the client.
 */
import { must } from '../../../../src/core/index.ts';
import type { EntryListener } from '../../../../src/exchange/index.ts';
import type { OracleWorld } from '../../types.ts';

/** What an entry of the log led to. */
export type Applied = Parameters<EntryListener>[0];
/** An entry of the log. */
export type Entry = Parameters<EntryListener>[1];
/** Its place there. */
export type Position = Parameters<EntryListener>[2];
/** What became of a request at the log. */
export type Receipt = NonNullable<Applied['receipt']>;

/** A fill from the account's side. */
export interface TruthFill {
  readonly id: string;
  readonly market: number;
  readonly side: 'buy' | 'sell';
  readonly priceTicks: number;
  readonly lots: number;
  readonly orderSeq: bigint;
}

/** An entry of the account's ledger. */
export interface TruthEntry {
  readonly id: string;
  readonly kind: string;
  /** Of collateral; 0 where another token came. */
  readonly amount: bigint;
  /** In its smallest unit. */
  readonly other?: { readonly token: number; readonly amount: bigint };
}

/** The account within one life of the ledger. Ids ascend in the order of insertion. */
export interface EpochTruth {
  readonly epoch: string;
  readonly fills: Map<string, TruthFill>;
  readonly ledger: Map<string, TruthEntry>;
}

const NO_BLOCKS = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY] as const;

/** The account as the log has it. */
export class AccountTruth {
  /** The log before oracles looked at it: its last position, and the cash that the account had then. */
  readonly before: { readonly seq: number; readonly cash: bigint };
  readonly #account: number;
  readonly #epochs: EpochTruth[];
  /** Positions of the last two blocks, the older first. */
  #blocks: readonly [number, number] = NO_BLOCKS;
  /** Where something last happened to an order of the account, by its number. */
  readonly #changes = new Map<string, number>();

  constructor({ exchange, accountId }: Pick<OracleWorld, 'exchange' | 'accountId'>) {
    const { epoch, seq, control } = exchange;
    this.before = { seq, cash: control.venue.account(accountId).collateral };
    this.#account = accountId;
    this.#epochs = [{ epoch, fills: new Map(), ledger: new Map() }];
  }

  /** The epoch that runs. */
  get current(): EpochTruth {
    return must(this.#epochs.at(-1), 'an epoch');
  }

  /** All epochs, oldest first. */
  get epochs(): readonly EpochTruth[] {
    return this.#epochs;
  }

  /**
   * The position up to which all is told at the latest by now: that of the block before the last one, since what happens
   * between two blocks may be told with the end of the second (ambiguity A18). Infinite as long as an epoch has no two.
   */
  get toldUpTo(): number {
    return this.#blocks[0];
  }

  /** Position of the last change of an order in this epoch; 0: none was seen. */
  changedAt(orderId: string): number {
    return this.#changes.get(orderId) ?? 0;
  }

  /** An epoch by its name. */
  epoch(name: string): EpochTruth | undefined {
    return this.#epochs.findLast(({ epoch }) => epoch === name);
  }

  /** Takes an entry of the log. */
  take({ events }: Applied, entry: Entry, { seq }: Position): void {
    if (entry.kind === 'epoch') {
      this.#epochs.push({ epoch: entry.epoch, fills: new Map(), ledger: new Map() });
      this.#blocks = NO_BLOCKS;
      this.#changes.clear();
    } else if (entry.kind === 'block') this.#blocks = [this.#blocks[1], seq];
    const { fills, ledger } = this.current;
    for (const event of events) {
      const id = `${event.seq}-${event.sub}-${event.idx}`;
      if (event.kind === 'LedgerAppended' && event.account === this.#account)
        ledger.set(id, { id, kind: event.entryKind, amount: event.amount });
      else if (event.kind === 'TokenAppended' && event.account === this.#account) {
        const { entryKind: kind, token, amount } = event;
        ledger.set(id, { id, kind, amount: 0n, other: { token, amount } });
      }
      if ('order' in event && event.order.account === this.#account)
        this.#changes.set(String(event.order.orderSeq), event.seq);
      if (event.kind !== 'Fill') continue;
      const { market, priceTicks, lots, takerSide, taker, maker } = event;
      const makerSide = takerSide === 'buy' ? 'sell' : 'buy';
      const own = [
        ...(taker.account === this.#account ? [{ side: takerSide, orderSeq: taker.orderSeq }] : []),
        ...(maker.account === this.#account ? [{ side: makerSide, orderSeq: maker.orderSeq } as const] : []),
      ];
      for (const { side, orderSeq } of own) {
        fills.set(id, { id, market, side, priceTicks, lots, orderSeq });
        this.#changes.set(String(orderSeq), event.seq);
      }
    }
  }
}

/** Position in the log of a fill or an entry, by its id. */
export function positionOf(id: string): number {
  return Number(id.split('-')[0]);
}

/** Signed size of a fill. */
export function signed(fill: { readonly side: 'buy' | 'sell'; readonly lots: number }): number {
  return fill.side === 'buy' ? fill.lots : -fill.lots;
}
