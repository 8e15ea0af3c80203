/**
 * @module
 * A taker who knows the next index price and takes every quote that it makes stale by more than fee and margin: the
 * reason why a maker can lose money (adverse selection). It looks once per step of the index price, at a random moment,
 * so a fast maker cannot know when. What this does not do: hold a view longer than one step, or rest orders.
 */
import type { Random } from '../../../core/index.ts';
import { ceilToTick, floorToTick, type Side } from '../../../domain/index.ts';
import { FlowAccount } from '../flow-account.ts';
import { lotsWorth, partOf } from '../trade-size.ts';
import type { Participant, ParticipantContext } from './participant.ts';

/** How an informed taker behaves. */
export interface InformedTakerSettings {
  /** What it wants to earn above its fee, ppm of the price. */
  readonly marginPpm: number;
  /** Notional of one order at most, quantums. */
  readonly notionalMax: number;
  /** Must be that of the index price, ms. */
  readonly stepMs: number;
}

/** The informed taker of one market. */
export class InformedTaker implements Participant {
  readonly #context: ParticipantContext;
  readonly #settings: InformedTakerSettings;
  readonly #random: Random;
  readonly #account: FlowAccount;
  #looksAtMs: number;
  #stepEndsAtMs: number;

  constructor(context: ParticipantContext, settings: InformedTakerSettings) {
    this.#context = context;
    this.#settings = settings;
    this.#random = context.host.random(context.name);
    this.#account = new FlowAccount(context.host, context.cash);
    this.#stepEndsAtMs = context.host.nowMs() + settings.stepMs;
    this.#looksAtMs = this.#stepEndsAtMs - this.#random.next() * settings.stepMs;
  }

  onBlock(nowMs: number): void {
    if (nowMs < this.#looksAtMs) return;
    while (this.#stepEndsAtMs <= nowMs) this.#stepEndsAtMs += this.#settings.stepMs;
    this.#looksAtMs = this.#stepEndsAtMs + this.#random.next() * this.#settings.stepMs;
    this.#account.topUpIfDrained();
    this.#look();
  }

  #look(): void {
    const { host, market: number, index } = this.#context;
    const { market } = host.marketView(number);
    const { takerFeePpm } = host.account(this.#account.number);
    const edge = partOf(index.nextTicks, takerFeePpm + this.#settings.marginPpm);
    const buyTicks = floorToTick(market, index.nextTicks - edge);
    const sellTicks = ceilToTick(market, index.nextTicks + edge);
    const { bids, asks } = host.book(number, 1);
    const ask = asks[0]?.[0];
    const bid = bids[0]?.[0];
    if (ask !== undefined && ask <= buyTicks) this.#take('buy', buyTicks);
    else if (bid !== undefined && bid >= sellTicks) this.#take('sell', sellTicks);
  }

  #take(side: Side, limitTicks: number): void {
    const { host, market } = this.#context;
    const lots = lotsWorth(host.marketView(market).market, limitTicks, this.#settings.notionalMax);
    this.#account.take({ market, side, limitTicks, lots });
  }
}
