/**
 * @module
 * History in pages: fills, ledger, raw events; and funding payments out of the ledger. A page over a position that is
 * not written yet or not there any more is an error, never an empty page (exchange.md#streams).
 */
import { PAGE_LIMIT_DEFAULT, type WirePage } from '../../../wire/protocol/index.ts';
import type { AccountHolder, CashEvent, EntryLog, PublicEvent, RowKey } from '../../state/index.ts';
import { fillJson, fundingPaymentJson, ledgerJson } from '../json/account-json.ts';
import { accountsOfEvent, eventJson, marketOfEvent } from '../json/event-json.ts';
import { type EndpointResult, ok, type Refusal, refuse } from './answer.ts';
import {
  type HistoryGap,
  isRefusal,
  PAGE_LIMIT,
  queryOf,
  type ReadContext,
  type ReadTable,
  selectAccount,
  selectMarket,
} from './read.ts';

/** The server's own words for later pages without bounds (exchange.md#streams). */
const BOUNDS_MISSING = 'resume requires epoch and upper from the first page';
/** Ledger entries looked through for funding payments of one answer. */
const FUNDING_SCAN_MAX = 100_000;
/** The largest parts of a cursor after its position. */
const SUB_MAX = 65_535;
const IDX_MAX = 4_294_967_295;

/** Handlers by endpoint. */
export const HISTORY_READS: ReadTable = {
  fills: (context) => {
    const account = selectAccount(context);
    if (isRefusal(account)) return refuse(account);
    const log = context.state.history.account(account.id)?.fills;
    return page(context, log, (row) => fillJson(marketOf(context, row.event.market), row));
  },
  ledger: (context) => {
    const account = selectAccount(context);
    if (isRefusal(account)) return refuse(account);
    const log = context.state.history.account(account.id)?.ledger;
    return page(context, log, (event) => ledgerJson(event, (id) => marketOf(context, id)));
  },
  events: readEvents,
  fundingPayments: (context) => {
    const account = selectAccount(context);
    return isRefusal(account) ? refuse(account) : readFundingPayments(context, account);
  },
};

/** All events, or those about the account and the market that the query selects. */
function readEvents(context: ReadContext): EndpointResult {
  const { state, query } = context;
  const { events } = state.history;
  const toJson = (event: PublicEvent) => eventJson(event, (id) => marketOf(context, id));
  const isSelective = ['address', 'subaccount', 'vault'].some((name) => query.has(name));
  const account = isSelective ? selectAccount(context) : undefined;
  if (isRefusal(account)) return refuse(account);
  const market = query.has('symbol') ? selectMarket(context) : undefined;
  if (isRefusal(market)) return refuse(market);
  return page(
    context,
    events,
    toJson,
    (event) =>
      (account === undefined || accountsOfEvent(event).includes(account.id)) &&
      (market === undefined || marketOfEvent(event) === market.signingMarketId),
  );
}

interface Bounds {
  readonly after: RowKey | undefined;
  readonly upper: RowKey;
  readonly upperText: string;
}

function page<Row extends RowKey>(
  context: ReadContext,
  log: EntryLog<Row> | undefined,
  toJson: (row: Row) => object,
  accepts?: (row: Row) => boolean,
): EndpointResult {
  const limit = queryOf(context.query, 'limit', PAGE_LIMIT, PAGE_LIMIT_DEFAULT);
  if (isRefusal(limit)) return refuse({ ...limit, code: 'InvalidPagination' });
  const bounds = readBounds(context);
  if (isRefusal(bounds)) return refuse(bounds);
  const { after, upper } = bounds;
  // Raw events are many: a first page begins with the oldest that are kept, only a cursor before them is a gap.
  const mayStartLate = after === undefined && context.state.history.events === (log as unknown);
  const gaps = gapsWithin(context, mayStartLate ? undefined : log?.evictedUpTo, bounds);
  if (gaps.length > 0) return refuse(historyUnavailable(context, gaps));
  const query = { after, upper, limit, accepts };
  const isDown = context.quirks.takes('A7', 'descending');
  const found = isDown ? log?.pageDown(query) : log?.page(query);
  const { rows, hasMore } = found ?? { rows: [], hasMore: false };
  const last = rows.at(-1);
  return ok({
    epoch: context.state.epoch,
    upper: bounds.upperText,
    next: last === undefined ? null : `${last.seq}-${last.sub}-${last.idx}`,
    hasMore,
    data: withoutHoles(rows, context.holes).map(toJson),
  } satisfies WirePage<object>);
}

/** The cursor of a page goes beyond its holes: no later page shows what they hide. */
function withoutHoles<Row extends RowKey>(
  rows: readonly Row[],
  holes: readonly HistoryGap[],
): readonly Row[] {
  if (holes.length === 0) return rows;
  return rows.filter(({ seq }) => !holes.some(({ first, last }) => seq >= first && seq <= last));
}

/** `upper` of everything up to and including a log position. */
function upperOf(seq: number): string {
  return `${seq}-65535-4294967295`;
}

/** The refusal of a reader whose question touches a gap (exchange.md#receipts). */
export function historyUnavailable({ state }: ReadContext, gaps: readonly HistoryGap[]): Refusal {
  return {
    code: 'history_unavailable',
    message: 'this replica has a gap in its history',
    details: { status: 'history_unavailable', epoch: state.epoch, gaps },
  };
}

function readBounds(context: ReadContext): Bounds | Refusal {
  const { state, query, durableSeq, quirks } = context;
  const afterText = query.get('after');
  const upperText = query.get('upper');
  const epoch = query.get('epoch');
  const isResumed = afterText !== null || upperText !== null;
  if (isResumed && (epoch === null || upperText === null))
    return { code: 'InvalidPagination', message: BOUNDS_MISSING };
  if (epoch !== null && epoch !== state.epoch)
    return {
      code: 'history_epoch_mismatch',
      message: 'the ledger was restarted: start with a first page',
      details: { epoch: state.epoch },
    };
  const complete = Math.min(durableSeq, state.seq);
  const text = upperText ?? upperOf(complete);
  const upper = parseKey(text);
  if (upperText === null) context.bounds.note(state.epoch, text);
  else if (afterText !== null && quirks.takes('A9', 'refused') && !context.bounds.has(state.epoch, text))
    return { code: 'InvalidPagination', message: 'the bounds are not those of a first page' };
  if (upper === undefined) return { code: 'InvalidPagination', message: 'bad upper cursor' };
  const after = afterText === null ? undefined : parseKey(afterText);
  if (afterText !== null && after === undefined)
    return { code: 'InvalidPagination', message: 'bad after cursor' };
  const last = after !== undefined && after.seq > upper.seq ? after.seq : upper.seq;
  if (last > complete)
    return {
      code: 'HistoryNotComplete',
      message: `history up to ${last === upper.seq ? text : afterText} is not yet complete`,
      details: { completeSeq: complete },
    };
  return { after, upper, upperText: text };
}

function parseKey(text: string): RowKey | undefined {
  const [, seq, sub, idx] = /^([0-9]{1,15})-([0-9]{1,5})-([0-9]{1,10})$/.exec(text) ?? [];
  const isCursor = seq !== undefined && Number(sub) <= SUB_MAX && Number(idx) <= IDX_MAX;
  return isCursor ? { seq: Number(seq), sub: Number(sub), idx: Number(idx) } : undefined;
}

/** Gaps that the page would have to look into: those set by a test, and rows that have fallen off the front. */
function gapsWithin(
  { gaps }: ReadContext,
  evictedUpTo: RowKey | undefined,
  { after, upper }: Bounds,
): readonly HistoryGap[] {
  const fromSeq = after?.seq ?? 0;
  const touched = gaps.filter((gap) => gap.first <= upper.seq && gap.last >= fromSeq);
  const isCutOff = evictedUpTo !== undefined && (after === undefined || after.seq < evictedUpTo.seq);
  return isCutOff ? [{ first: 1, last: evictedUpTo.seq }, ...touched] : touched;
}

function readFundingPayments(context: ReadContext, account: AccountHolder): EndpointResult {
  const { query, state } = context;
  const limit = queryOf(query, 'limit', PAGE_LIMIT, PAGE_LIMIT_DEFAULT);
  if (isRefusal(limit)) return refuse(limit);
  const entries = state.history.account(account.id)?.ledger.newest(FUNDING_SCAN_MAX) ?? [];
  const payments = entries
    .filter((event): event is CashEvent => event.kind === 'LedgerAppended' && event.entryKind === 'funding')
    .slice(0, limit)
    .map((event) =>
      fundingPaymentJson(event, event.market === undefined ? '' : marketOf(context, event.market).symbol),
    );
  return ok({ payments });
}

function marketOf({ state }: ReadContext, id: number) {
  return state.venue.market(id);
}
