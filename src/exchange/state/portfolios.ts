/**
 * @module
 * What accounts were worth over time, and what came into them from outside: profit is the one less the other. Sampled at
 * the first block of each hour and whenever money comes in or goes out.
 */
import type { ExchangeEvent } from './event.ts';
import { SAMPLE_PERIOD_MS, Samples } from './samples.ts';

/** The value of an account at one time, in quantums. */
export interface ValueSample {
  /** Time, Unix ms. */
  readonly atMs: number;
  /** Equity in quantums. */
  readonly equity: bigint;
  /** Paid in less taken out up to then. */
  readonly netInflow: bigint;
}

/** Ledger kinds that are no profit or loss: money that was moved, not earned. */
const INFLOW_KINDS: ReadonlySet<string> = new Set([
  'deposit',
  'withdrawal',
  'transfer',
  'vault_deposit',
  'vault_redeem',
]);

interface Portfolio {
  netInflow: bigint;
  readonly samples: Samples<ValueSample>;
}

/** The value histories of all accounts that can be asked for. */
export class Portfolios {
  readonly #byAccount = new Map<number, Portfolio>();
  #nextSampleAtMs = 0;

  /** Begins to remember an account. */
  track(account: number): void {
    this.#byAccount.set(account, { netInflow: 0n, samples: new Samples() });
  }

  /** Notes money that was moved by `events`; `equityOf` is asked for each account concerned. */
  noteMoved(events: readonly ExchangeEvent[], atMs: number, equityOf: (account: number) => bigint): void {
    for (const event of events) {
      if (event.kind !== 'LedgerAppended' || !INFLOW_KINDS.has(event.entryKind)) continue;
      const portfolio = this.#byAccount.get(event.account);
      if (portfolio === undefined) continue;
      portfolio.netInflow += event.amount;
      portfolio.samples.add(sampleOf(portfolio, atMs, equityOf(event.account)));
    }
  }

  /** True when a sample of every account is due. Checked at each block. */
  isDue(atMs: number): boolean {
    return atMs >= this.#nextSampleAtMs;
  }

  /** Samples every account. */
  sample(atMs: number, equityOf: (account: number) => bigint): void {
    this.#nextSampleAtMs = atMs - (atMs % SAMPLE_PERIOD_MS) + SAMPLE_PERIOD_MS;
    for (const [account, portfolio] of this.#byAccount)
      portfolio.samples.add(sampleOf(portfolio, atMs, equityOf(account)));
  }

  /** The newest `limit` samples of an account, ascending, with what it is worth now as the last one. */
  read(
    account: number,
    now: { readonly limit: number; readonly atMs: number; readonly equity: bigint },
  ): readonly ValueSample[] {
    const portfolio = this.#byAccount.get(account);
    if (portfolio === undefined) return [];
    const past = portfolio.samples.newest(now.limit).filter(({ atMs }) => atMs !== now.atMs);
    return [...past, sampleOf(portfolio, now.atMs, now.equity)].slice(-now.limit);
  }
}

function sampleOf({ netInflow }: Portfolio, atMs: number, equity: bigint): ValueSample {
  return { atMs, equity, netInflow };
}
