/** @module A maker that quotes one order a side, for flows to trade with. */
import type { Quantums, Side } from '../../src/domain/index.ts';
import type { TestFlowHost } from './flow-host.ts';

/** How a {@link SimpleMaker} quotes. */
export interface SimpleMakerOptions {
  readonly market: number;
  readonly cash: Quantums;
  readonly lots: number;
  /** Blocks between two rounds. */
  readonly everyBlocks: number;
  /** How many ticks its orders stand before the best of all others. */
  readonly betterTicks: number;
}

/** Quotes at the best price of the others, or better, on both sides. */
export class SimpleMaker {
  readonly account: number;
  /** Fills as maker by own side, and blocks in which others had no order on a side. */
  readonly fills = { buy: 0, sell: 0 };
  readonly fillTimesMs: number[] = [];
  oneSidedBlocks = 0;
  readonly #host: TestFlowHost;
  readonly #options: SimpleMakerOptions;
  #blocks = 0;

  constructor(host: TestFlowHost, options: SimpleMakerOptions) {
    this.#host = host;
    this.#options = options;
    this.account = host.createAccount(options.cash);
    const startMs = host.nowMs();
    host.attach({
      name: 'simple-maker',
      start: () => undefined,
      onEvents: (_host, events) => {
        for (const event of events) {
          if (event.kind !== 'Fill' || event.maker.account !== this.account) continue;
          this.fills[event.takerSide === 'sell' ? 'buy' : 'sell']++;
          this.fillTimesMs.push(event.blockAtMs - startMs);
        }
      },
      onBlock: () => this.#round(),
    });
  }

  /** What it has won or lost so far, in quantums. */
  pnl(): bigint {
    return this.#host.account(this.account).equity - this.#options.cash;
  }

  #round(): void {
    const { market, everyBlocks, betterTicks } = this.#options;
    const own = this.#host.openOrders(this.account);
    const standing = new Map(own.map((order) => [order.priceTicks, order.remainingLots]));
    const { bids, asks } = this.#host.book(market, 10);
    const bid = bids.find(([price, lots]) => lots > (standing.get(price) ?? 0))?.[0];
    const ask = asks.find(([price, lots]) => lots > (standing.get(price) ?? 0))?.[0];
    if (bid === undefined || ask === undefined) {
      this.oneSidedBlocks++;
      return;
    }
    if (this.#blocks++ % everyBlocks !== 0) return;
    this.#host.submit({
      kind: 'BatchReplace',
      account: this.account,
      nowMs: this.#host.nowMs(),
      cancels: own.map(({ orderSeq }) => ({ market, orderSeq })),
      orders: [this.#quote('buy', bid + betterTicks), this.#quote('sell', ask - betterTicks)],
    });
  }

  #quote(side: Side, price: number) {
    const { market, lots } = this.#options;
    return { market, side, price, lots: BigInt(lots), tif: 'postOnly' as const, reduceOnly: false };
  }
}
