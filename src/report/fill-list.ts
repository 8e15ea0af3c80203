/** @module The fills of a run one by one as CSV for people: times as text, prices and sizes in their units, each with its order. */
import { formatScaled } from '../core/index.ts';
import { MARKOUT_HORIZONS_MS, type RecordedFill, type RunRecord, type RunTrigger } from '../domain/index.ts';
import { csvOf } from './csv.ts';
import { restsOf } from './distributions.ts';
import { timeText } from './times.ts';

/** How many fills are listed on a page: more of them are too much to scroll. */
const LISTED_MAX = 20_000;
/** Which markout is listed. */
const MARKOUT = MARKOUT_HORIZONS_MS.indexOf(1_000);

const HEAD = [
  ...['time', 'market', 'side', 'role', 'price', 'size', 'fee', 'spread bps', 'markout 1 s bps'],
  ...['rested before ms', 'queue at entry', 'order', 'strategy', 'intent', 'waited for'],
];

/** The first fills as CSV, and how many they are. */
export function listedFills(record: RunRecord): { readonly csv: string; readonly count: number } {
  const fills = record.fills.slice(0, LISTED_MAX);
  const rested = restsOf(record);
  const markets = new Map(record.markets.map((market) => [market.symbol, market]));
  const triggers = new Map((record.triggers ?? []).map((one) => [one.orderId, one]));
  const bps = ({ side, priceTicks }: RecordedFill, ticks: number) =>
    Number((((side === 'buy' ? 1 : -1) * (ticks - priceTicks) * 10_000) / priceTicks).toFixed(3));
  const rows = fills.map((fill) => {
    const market = markets.get(fill.symbol);
    const since = rested.get(fill.orderId);
    const trigger = triggers.get(fill.orderId);
    return [
      ...[timeText(fill.atMs), fill.symbol, fill.side, fill.role],
      formatScaled(fill.priceTicks, market?.priceDecimals ?? 0),
      formatScaled(fill.sizeLots, market?.sizeDecimals ?? 0),
      fill.fee === null ? '' : formatScaled(fill.fee, record.collateralDecimals),
      ...[bps(fill, fill.midTicks), bps(fill, fill.laterMidTicks[MARKOUT] ?? Number.NaN)],
      since === undefined ? Number.NaN : Math.max(0, fill.atMs - since),
      ...[fill.queueAtRestLots, fill.orderId, fill.strategyId ?? '', fill.intentId ?? ''],
      trigger === undefined ? '' : triggerWords(trigger, market?.priceDecimals ?? 0),
    ];
  });
  return { csv: csvOf(HEAD, rows), count: fills.length };
}

function triggerWords({ triggerTicks, isAbove }: RunTrigger, priceDecimals: number): string {
  if (triggerTicks === 0) return 'a price of the index';
  return `index ${isAbove ? '>=' : '<='} ${formatScaled(triggerTicks, priceDecimals)}`;
}
