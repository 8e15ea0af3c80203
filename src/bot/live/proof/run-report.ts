/**
 * @module
 * The document of a run: what `--json` prints as its last line. Amounts, sizes and prices are decimal text.
 */
import { formatScaled, formatShort, must } from '../../../core/index.ts';
import type { MetricsSnapshot } from '../../../core/telemetry/index.ts';
import {
  type MarketSymbol,
  type RunRecord,
  type StrategyId,
  type Ticks,
  totalOf,
} from '../../../domain/index.ts';
import type { Bot, HaltStatus } from '../../kernel/index.ts';
import { isOfPerson } from '../../risk/index.ts';
import type { RunVerification } from './proof.ts';

/** How one strategy ended. */
export interface StrategyResult {
  readonly fills: number;
  /** Profit and loss, decimal text; open positions at the prices at which the exchange values those of the account. */
  readonly pnl: string;
  readonly state: string;
  /** Of one that ended as failed: why. */
  readonly reason?: string;
  /** How often it failed; absent: never. */
  readonly failures?: number;
}

/** How a run ended, in values that the exchange confirms. */
export interface RunReport extends RunVerification {
  /** Version of this document's layout. */
  readonly schema: 1;
  readonly mode: 'demo' | 'sim' | 'live' | 'paper';
  /** Name of the environment. */
  readonly environment: string;
  /** Whose process the exchange was, and what drove its market. */
  readonly market: 'synthetic' | 'recorded' | 'live';
  /** From the start to the stop, ms. */
  readonly durationMs: number;
  /** From the start of the process to the first order that rested, ms; `null` when none did. */
  readonly timeToFirstQuoteMs: number | null;
  /** Replace writes that were executed. */
  readonly replaces: number;
  /** Orders that the exchange accepted. */
  readonly ordersPlaced: number;
  /** Orders that were canceled. */
  readonly ordersCanceled: number;
  /** `proven`, or why it could not be proven that no order was open when the bot stopped. */
  readonly openOrdersProof: string;
  /** Writes of ours whose outcome is not proven. */
  readonly unresolved: number;
  /** How often the switch was armed, and how often it fired. */
  readonly switch: { readonly armed: number; readonly fired: number };
  /** Name of the signing backend. */
  readonly signer: string;
  /** Seed of the embedded exchange; absent: a gateway. */
  readonly seed?: number;
  /** Fills and PnL (decimal text) of each strategy. */
  readonly strategies: Readonly<Record<string, StrategyResult>>;
  /** Of a recorded market: what was played of it and how many gaps there were. */
  readonly recording?: Readonly<Record<string, number>>;
  /** On paper with a calibration: the band around the profit. */
  readonly band?: BandText;
  /** Positions that the run leaves, which nobody manages now: signed size by market; absent: the account is flat. */
  readonly held?: Readonly<Record<string, string>>;
  /** Positions that no strategy owns, as signed size by market; absent: there are none. */
  readonly unowned?: Readonly<Record<string, string>>;
  /** What was halted at the end until a person resumes it: control, scope and cause; absent: nothing was. */
  readonly halts?: readonly HaltStatus[];
  /** In words, what of the run was to be recorded and is not; absent: nothing. */
  readonly notRecorded?: string;
  /** Why the run stopped. */
  readonly stopReason: string;
  /** What a run on a gateway counted about itself: docs/reference/metrics.md. */
  readonly metrics?: MetricsSnapshot;
}

/** True if the run proves what it must: no open orders, nothing unresolved, accounts that agree to the last unit. */
export function isProven(report: RunReport): boolean {
  const hasNoOpenOrders = report.openOrders === 0 && report.openOrdersProof === 'proven';
  return hasNoOpenOrders && report.unresolved === 0 && report.reconciled && report.ledgerResidual === '0';
}

/** True if a strategy had failed and did not live again when the run ended. */
export function hasFailedStrategy({ strategies }: RunReport): boolean {
  return Object.values(strategies).some(({ state }) => state === 'failed');
}

/** What was halted at the end until a person resumes it, and no person had asked for. */
export function haltsByControl({ halts = [] }: RunReport): NonNullable<RunReport['halts']> {
  return halts.filter(({ control }) => !isOfPerson(control));
}

/** True if there is something of {@link haltsByControl}. */
export function isHaltedByControl(report: RunReport): boolean {
  return haltsByControl(report).length > 0;
}

/** Prices and decimals of the profit of strategies. */
export interface Valuation {
  readonly collateralDecimals: number;
  /** Prices of positions, ticks; absent, or absent there: those that the bot saw last. */
  readonly marks?: ReadonlyMap<MarketSymbol, Ticks>;
}

/** The result of each strategy of a bot. */
export function strategiesOf(bot: Bot, { collateralDecimals, marks }: Valuation): RunReport['strategies'] {
  const { account, markets } = bot;
  const markOf = (symbol: MarketSymbol) => marks?.get(symbol) ?? markets.valuationTicks(symbol);
  const { strategies } = bot.status();
  return Object.fromEntries(
    strategies.map(({ id, fills, state, reason, failures }) => [
      id,
      {
        fills,
        pnl: formatShort(totalOf(account.pnl(markOf, id as StrategyId)), collateralDecimals),
        state,
        ...(state === 'failed' ? { reason } : {}),
        ...(failures === 0 ? {} : { failures }),
      },
    ]),
  );
}

/** The positions that a run leaves; nothing where the account is flat. */
export function positionsHeld({ position }: Pick<RunVerification, 'position'>): Pick<RunReport, 'held'> {
  const rows = Object.entries(position).filter(([, size]) => /[1-9]/.test(size));
  return rows.length === 0 ? {} : { held: Object.fromEntries(rows) };
}

/** The positions that a run leaves, in words; `undefined`: the account is flat. */
export function heldText(of: Pick<RunVerification, 'position'>): string | undefined {
  const rows = Object.entries(positionsHeld(of).held ?? {}).map(([symbol, size]) => `${symbol} ${size}`);
  return rows.length === 0 ? undefined : rows.join(', ');
}

/** What the account of a bot holds and none of its strategies owns; nothing where all is owned. */
export function unownedOf({ account, markets }: Bot): Pick<RunReport, 'unowned'> {
  const rows = Array.from(markets.symbols()).flatMap((symbol) => {
    const lots = account.unownedLots(symbol);
    const { market } = must(markets.get(symbol), symbol);
    return lots === 0 ? [] : [[symbol, formatShort(lots, must(market, symbol).sizeDecimals)] as const];
  });
  return rows.length === 0 ? {} : { unowned: Object.fromEntries(rows) };
}

/** The band of a record as decimal text. */
export interface BandText {
  /** Lower bound, decimal text. */
  readonly low: string;
  /** Upper bound, decimal text. */
  readonly high: string;
  /** What the band is based on, in words. */
  readonly basis: string;
}

/** The band for the document of a run; nothing where there is none. */
export function bandTextOf({ band, collateralDecimals }: RunRecord): { readonly band?: BandText } {
  if (band === undefined) return {};
  const money = (amount: bigint): string => formatScaled(amount, collateralDecimals);
  return { band: { low: money(band.low), high: money(band.high), basis: band.basis } };
}
