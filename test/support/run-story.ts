/** @module What a run decided and was filled with, out of its log, told so that two runs can be held side by side. */

import type { RunLog } from '../../src/bot/replay/run-log.ts';
import type { Fact } from '../../src/domain/index.ts';

/** What one leg decided, ordered and was filled with: one line each, without names that only this leg has. */
export interface Story {
  /** Intents, denials and commands of strategies. */
  readonly decisions: readonly Line[];
  /** What became of each order, and when it was heard of. */
  readonly orders: readonly Line[];
  readonly fills: readonly Line[];
  /** What trading did to the cash, quantums. */
  readonly cash: bigint;
  /** What is held, lots by market. */
  readonly held: Readonly<Record<string, number>>;
}

/** Something that happened, in ms since the strategies began. */
export interface Line {
  readonly atMs: number;
  readonly text: string;
}

/** Whose log it is and which part of it is told, Unix ms. */
export interface StoryFrame {
  readonly runId: string;
  readonly beganAtMs: number;
  readonly untilMs: number;
}

/** What a log says that happened between two times, with orders named by what they came of. */
export function storyOf(entries: ReturnType<RunLog['take']>, frame: StoryFrame): Story {
  const teller = new Teller(frame);
  let atMs = 0;
  for (const { at, event } of entries) {
    if (at !== undefined) atMs = at.nowMs;
    if (atMs > frame.untilMs) break;
    if (event.kind === 'fact') teller.fact(event.fact, atMs - frame.beganAtMs);
    else if (event.kind === 'decision' && event.what !== 'safety' && atMs >= frame.beganAtMs)
      teller.decision(`${event.what} `, event.text, atMs - frame.beganAtMs);
  }
  return teller.story();
}

/** The first place at which each part of two stories differs, in words; empty: they are the same. */
export function partingOf(a: Story, b: Story): readonly string[] {
  const parting: string[] = [];
  for (const part of ['decisions', 'orders', 'fills'] as const) {
    const [one, two] = [a[part], b[part]];
    const length = Math.max(one.length, two.length);
    for (let at = 0; at < length; at++) {
      if (one[at]?.text === two[at]?.text && one[at]?.atMs === two[at]?.atMs) continue;
      parting.push(`${part} ${at}: ${inWords(one[at])}\n against ${inWords(two[at])}`);
      break;
    }
  }
  if (a.cash !== b.cash) parting.push(`profit: cash ${a.cash} against ${b.cash}`);
  const [held, holds] = [JSON.stringify(a.held), JSON.stringify(b.held)];
  if (held !== holds) parting.push(`profit: held ${held} against ${holds}`);
  return parting;
}

function inWords(line: Line | undefined): string {
  return line === undefined ? 'nothing' : `${line.atMs} ms ${line.text}`;
}

class Teller {
  readonly #runId: string;
  readonly #names = new Map<string, string>();
  readonly #decisions: Line[] = [];
  readonly #orders: Line[] = [];
  readonly #fills: Line[] = [];
  readonly #held: Record<string, number> = {};
  #cash = 0n;
  /** Numbers of intents count from the first one of the strategies. */
  #first: number | undefined;

  constructor({ runId }: StoryFrame) {
    this.#runId = runId;
  }

  decision(what: string, text: string, atMs: number): void {
    const named = text
      .replace(/ cancel (\S+) (\d+)$/, (_all, symbol, id: string) => ` cancel ${symbol} ${this.#nameOf(id)}`)
      .replace(
        /^\S+ (place|replace) cancels \[([^\]]*)\]/,
        (_all, kind, ids: string) =>
          `${kind} cancels [${ids
            .split(' ')
            .map((id) => this.#nameOf(id))
            .join(' ')}]`,
      )
      // When an order ends is told by the clock of the exchange, which a bot over the wire knows to the millisecond at best.
      .replace(/ until \d+/g, ' with an end')
      // That a market cannot be trusted is told by a gateway and by a tape in words of their own.
      .replace(/ because (the book cannot be used|nothing was recorded).*$/, ' because the market is stale')
      .replace(/(RISK_MARKET_DATA_STALE: .* stale data): .*$/, '$1');
    this.#decisions.push({ atMs, text: `${what}${this.#renumbered(named)}` });
  }

  fact(fact: Fact, atMs: number): void {
    switch (fact.type) {
      case 'OrderAccepted':
        this.#names.set(fact.orderId, this.#renumbered(fact.spec.intentId));
        this.#order(atMs, `${this.#nameOf(fact.orderId)} accepted ${fact.acceptedLots}`);
        return;
      case 'OrderRejected':
        this.#order(atMs, `${this.#renumbered(fact.spec.intentId)} rejected`);
        return;
      case 'OrderEnded':
        this.#order(atMs, `<${fact.ref.orderId}> ${fact.status}`);
        return;
      case 'FillRecorded': {
        const { orderId, symbol, side, role, priceTicks, sizeLots, fee } = fact.fill;
        const text = `<${orderId}> ${symbol} ${side} ${sizeLots} at ${priceTicks} ${role} fee ${fee}`;
        this.#fills.push({ atMs, text });
        this.#held[symbol] = (this.#held[symbol] ?? 0) + (side === 'buy' ? sizeLots : -sizeLots);
        return;
      }
      case 'LedgerRecorded':
        if (fact.entry.kind !== 'deposit') this.#cash += fact.entry.amount;
        return;
      default:
        return;
    }
  }

  story(): Story {
    // What is heard of an order before the answer that accepts it has its name only now.
    const named = (lines: readonly Line[]): Line[] =>
      lines.map(({ atMs, text }) => ({
        atMs,
        // A slice of an order that is worked over time has a number that nobody asked for.
        text: text.replace(/^<(\d+)>/, (_all, id: string) => this.#names.get(id) ?? 'a slice'),
      }));
    return {
      ...{ decisions: this.#decisions, orders: sorted(named(this.#orders)), fills: named(this.#fills) },
      ...{ cash: this.#cash, held: this.#held },
    };
  }

  #order(atMs: number, text: string): void {
    this.#orders.push({ atMs, text });
  }

  #nameOf(orderId: string): string {
    return this.#names.get(orderId) ?? orderId;
  }

  #renumbered(text: string): string {
    return text.replaceAll(`${this.#runId}-`, '#').replaceAll(/#([0-9]+)/g, (_whole, number: string) => {
      this.#first ??= Number(number);
      return `#${Number(number) - this.#first}`;
    });
  }
}

/** Of what is heard at one time, an answer and frames, the order is the transport's own. */
function sorted(lines: readonly Line[]): readonly Line[] {
  return [...new Map(lines.map((line) => [`${line.atMs} ${line.text}`, line] as const)).values()].sort(
    (a, b) => a.atMs - b.atMs || (a.text < b.text ? -1 : 1),
  );
}
