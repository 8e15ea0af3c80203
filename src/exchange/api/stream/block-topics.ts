/**
 * @module The five channels that publish a state and not its changes: prices, book, bbo, positions, account. A topic
 * renders a snapshot for who comes new and, once per block, what has changed since the block before; equal states are
 * not sent. Prices and positions publish changed entries only, or all of them when one has changed; a position that was
 * closed is published once with size zero either way (ambiguity A4).
 */
import { must } from '../../../core/index.ts';
import type { WirePosition, WirePrice } from '../../../wire/protocol/index.ts';
import type { AccountHolder, ExchangeState, QuirkSwitches } from '../../state/index.ts';
import { accountJson, closedPositionJson, positionJson } from '../json/account-json.ts';
import { bboJson, bookJson, priceJson } from '../json/market-json.ts';
import type { Subscription } from './subscription.ts';

/** What happened since the last block. */
export interface BlockChanges {
  /** Ids of the markets that changed in the block. */
  readonly markets: ReadonlySet<number>;
  /** Numbers of the accounts that changed in the block. */
  readonly accounts: ReadonlySet<number>;
  /** True if a mark price changed in the block. */
  readonly isAnyMarkMoved: boolean;
}

/** A state that is published once per block. */
export interface BlockTopic {
  /** The whole state as a frame. */
  snapshot(): string;
  /** The frame of this block, `undefined` when nothing changed. */
  update(changes: BlockChanges): string | undefined;
}

/** The topic of a subscription; `undefined` for channels that publish events. */
export function makeBlockTopic(
  { channel, market, depth, account }: Subscription,
  state: ExchangeState,
  quirks: QuirkSwitches,
): BlockTopic | undefined {
  switch (channel) {
    case 'prices':
      return pricesTopic(state, quirks);
    case 'book':
      return bookTopic(state, must(market, 'a market').signingMarketId, must(depth, 'a depth'));
    case 'bbo':
      return bboTopic(state, must(market, 'a market').signingMarketId);
    case 'positions':
      return positionsTopic(state, must(account, 'an account'), quirks);
    case 'account':
      return accountTopic(state, must(account, 'an account'));
    default:
      return undefined;
  }
}

/** The fields before `data` of an account's frame: a vault's names the vault only. */
export function accountHead(channel: string, account: AccountHolder, state: ExchangeState): string {
  const whose =
    'vault' in account
      ? `"vault":"${account.vault}"`
      : `"address":"${account.owner}","subaccount":${account.subaccount}`;
  return `{"channel":"${channel}",${whose},"epoch":${JSON.stringify(state.epoch)}`;
}

function pricesTopic(state: ExchangeState, quirks: QuirkSwitches): BlockTopic {
  const { venue } = state;
  const all = (): readonly WirePrice[] => venue.markets().map((view) => priceJson(view, venue));
  const last = lastTexts(all(), (price) => price.symbol);
  const frame = (isSnapshot: boolean, prices: readonly WirePrice[]) =>
    `{"channel":"prices","isSnapshot":${isSnapshot},"seq":${state.seq},"data":{"prices":${JSON.stringify(prices)}}}`;
  return {
    snapshot: () => frame(true, all()),
    update({ markets, isAnyMarkMoved }) {
      if (markets.size === 0 && !isAnyMarkMoved) return undefined;
      const now = all();
      const changed = last.keepChanged(now);
      if (changed.length === 0) return undefined;
      return frame(false, changed.length < now.length && quirks.takes('A4', 'full') ? now : changed);
    },
  };
}

function bookTopic(state: ExchangeState, marketId: number, depth: number): BlockTopic {
  const read = () => {
    const market = state.venue.market(marketId);
    const at = { seq: state.seq, atMs: state.blockAtMs };
    return bookJson(market, state.venue.book(marketId, depth), at);
  };
  const levelsText = ({ bids, asks }: ReturnType<typeof read>) => JSON.stringify([bids, asks]);
  let last = levelsText(read());
  const frame = (isSnapshot: boolean, book: ReturnType<typeof read>) =>
    `{"channel":"book","isSnapshot":${isSnapshot},"seq":${book.seq},"data":${JSON.stringify(book)}}`;
  return {
    snapshot: () => frame(true, read()),
    update({ markets }) {
      if (!markets.has(marketId)) return undefined;
      const book = read();
      const text = levelsText(book);
      if (text === last) return undefined;
      last = text;
      return frame(false, book);
    },
  };
}

function bboTopic(state: ExchangeState, marketId: number): BlockTopic {
  const read = () => {
    const market = state.venue.market(marketId);
    const at = { seq: state.seq, atMs: state.blockAtMs };
    return bboJson(market, state.venue.book(marketId, 1), at);
  };
  const quotesText = ({ bid, ask }: ReturnType<typeof read>) => JSON.stringify([bid, ask]);
  let last = quotesText(read());
  const frame = (isSnapshot: boolean, bbo: ReturnType<typeof read>) =>
    `{"channel":"bbo","isSnapshot":${isSnapshot},"seq":${state.seq},"data":${JSON.stringify(bbo)}}`;
  return {
    snapshot: () => frame(true, read()),
    update({ markets }) {
      if (!markets.has(marketId)) return undefined;
      const bbo = read();
      const text = quotesText(bbo);
      if (text === last) return undefined;
      last = text;
      return frame(false, bbo);
    },
  };
}

function positionsTopic(state: ExchangeState, account: AccountHolder, quirks: QuirkSwitches): BlockTopic {
  const { venue } = state;
  const read = (): readonly WirePosition[] =>
    venue.positions(account.id).map((position) => {
      const { market, markTicks } = venue.marketView(position.market);
      return positionJson(market, position, markTicks);
    });
  let open = new Set(venue.positions(account.id).map(({ market }) => market));
  const last = lastTexts(read(), (position) => position.symbol);
  const frame = (isSnapshot: boolean, positions: readonly WirePosition[]) =>
    `${accountHead('positions', account, state)},"isSnapshot":${isSnapshot},"seq":${state.seq},"data":{"positions":${JSON.stringify(positions)}}}`;
  return {
    snapshot: () => frame(true, read()),
    update({ accounts, isAnyMarkMoved }) {
      if (!accounts.has(account.id) && !isAnyMarkMoved) return undefined;
      const before = open;
      open = new Set(venue.positions(account.id).map(({ market }) => market));
      const closed = [...before]
        .filter((id) => !open.has(id))
        .map((id) => venue.market(id))
        .map((market) => closedPositionJson(market, market.initialMarginPpm));
      const now = [...read(), ...closed];
      const changed = last.keepChanged(now);
      if (changed.length === 0) return undefined;
      return frame(false, changed.length < now.length && quirks.takes('A4', 'full') ? now : changed);
    },
  };
}

function accountTopic(state: ExchangeState, account: AccountHolder): BlockTopic {
  const read = () => accountJson(state.venue.account(account.id), state);
  const moneyText = (json: ReturnType<typeof read>) => JSON.stringify({ ...json, seq: 0 });
  let last = moneyText(read());
  const frame = (isSnapshot: boolean, json: ReturnType<typeof read>) =>
    `${accountHead('account', account, state)},"isSnapshot":${isSnapshot},"seq":${json.seq},"data":${JSON.stringify(json)}}`;
  return {
    snapshot: () => frame(true, read()),
    update({ accounts, isAnyMarkMoved }) {
      if (!accounts.has(account.id) && !isAnyMarkMoved) return undefined;
      const json = read();
      const text = moneyText(json);
      if (text === last) return undefined;
      last = text;
      return frame(false, json);
    },
  };
}

/** Remembers the last text of each entry and keeps those that differ. */
function lastTexts<Entry>(entries: readonly Entry[], keyOf: (entry: Entry) => string) {
  const last = new Map(entries.map((entry) => [keyOf(entry), JSON.stringify(entry)]));
  return {
    keepChanged(now: readonly Entry[]): readonly Entry[] {
      return now.filter((entry) => {
        const text = JSON.stringify(entry);
        if (last.get(keyOf(entry)) === text) return false;
        last.set(keyOf(entry), text);
        return true;
      });
    },
  };
}
