/**
 * @module The accounts of a paper run: what the local venue has reported, and its own cash, compared with the bot's
 * state. The statistics are those of a run on a gateway.
 */

import type { Bot } from '../../bot/kernel/index.ts';
import {
  countFact,
  prove,
  type RunVerification,
  type WriteCounts,
  zeroCounts,
} from '../../bot/live/index.ts';
import type { Clock } from '../../core/index.ts';
import {
  type AccountSummary,
  type Fact,
  type Fill,
  type LedgerEntry,
  type Market,
  type MarketSymbol,
  type Position,
  quantums,
} from '../../domain/index.ts';
import type { LocalVenue } from '../venue/index.ts';

/** What a proof is made with. */
export interface PaperProofParts {
  /** The bot. */
  readonly bot: Bot;
  /** The local venue. */
  readonly venue: LocalVenue;
  readonly markets: ReadonlyMap<MarketSymbol, Market>;
  /** Symbols in market order. */
  readonly symbols: readonly MarketSymbol[];
  /** Decimals of the collateral; one quantum is 10^-collateralDecimals. */
  readonly collateralDecimals: number;
}

/** See the module. */
export class PaperBooks {
  readonly counts: WriteCounts = zeroCounts();
  readonly #clock: Clock;
  readonly #fills: Fill[] = [];
  readonly #ledger: LedgerEntry[] = [];
  readonly #positions = new Map<MarketSymbol, Position>();
  #account: AccountSummary | undefined;

  /** `clock`: of the machine, for the time of the first quote. */
  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get fills(): readonly Fill[] {
    return this.#fills;
  }

  /** Takes what the venue reports. */
  take(fact: Fact): void {
    countFact(this.counts, fact, this.#clock);
    if (fact.type === 'FillRecorded') this.#fills.push(fact.fill);
    else if (fact.type === 'LedgerRecorded') this.#ledger.push(fact.entry);
    else if (fact.type === 'AccountUpdated') this.#account = fact.account;
    else if (fact.type === 'PositionUpdated') this.#positions.set(fact.position.symbol, fact.position);
  }

  /** Compares the bot's orders, positions and cash with the venue's. */
  prove({ bot, venue, markets, symbols, collateralDecimals }: PaperProofParts): RunVerification {
    const { collateral, equity } = venue.balance();
    const openOrders = symbols.reduce((sum, symbol) => sum + bot.account.workingOrders(symbol).length, 0);
    const proof = prove({
      snapshot: {
        epoch: 'local',
        openOrders,
        fills: this.#fills,
        ledger: this.#ledger,
        positions: [...this.#positions.values()],
        account: this.#account && { ...this.#account, collateral, equity },
      },
      baseline: { fills: undefined, ledger: undefined, equity: quantums(0n) },
      books: {
        fills: this.#fills,
        ledger: this.#ledger,
        openOrders,
        positionLots: (symbol) => bot.account.positionLots(symbol),
      },
      markets,
      symbols,
      collateralDecimals,
    });
    const own = bot.account.ledgerSum;
    if (own === collateral) return proof;
    const difference = `cash: the venue has ${collateral} quantums, the bot ${own}`;
    return { ...proof, reconciled: false, differences: [...proof.differences, difference] };
  }
}
