/**
 * @module
 * A bot on a virtual clock in front of a venue that a test holds by the hand: it answers at once, or when told to.
 */

import { diffQuotes } from '../../src/bot/execution/index.ts';
import { type Bot, type BotOptions, createBot, type StrategySetup } from '../../src/bot/kernel/index.ts';
import { createRiskGate, type LimitOverrides, riskLimits } from '../../src/bot/risk/index.ts';
import {
  defineStrategy,
  param,
  type StrategyContext,
  type StrategyDefinition,
  type StrategyHandlers,
} from '../../src/bot/strategy/index.ts';
import {
  type Audit,
  type AuditEvent,
  seededRandom,
  silentLog,
  silentMeter,
  unixMs,
  VirtualClock,
} from '../../src/core/index.ts';
import type {
  Approved,
  Fact,
  FactSink,
  LaneId,
  MarketSymbol,
  OrderId,
  OrderRef,
  OrderSpec,
  RequestId,
  RoutedCommand,
  SafetyCommand,
  StrategyId,
  TradingCommand,
  VenuePort,
} from '../../src/domain/index.ts';
import { isOutsideBook, lots } from '../../src/domain/index.ts';
import { quietWorld } from './risk-scene.ts';
import { aBook, aFill, BTC, ETH, LANE, MAKER, proof, START_MS, seq, usd } from './trading-builders.ts';

/** A venue without a market: it accepts what it is sent, when the test lets it. */
export class HandVenue implements VenuePort {
  readonly submitted: RoutedCommand<TradingCommand>[] = [];
  readonly safety: SafetyCommand[] = [];
  /** Answers at once; otherwise lanes stay busy until {@link answer}. */
  isInstant = true;
  /** Orders that take work until they are filled, as if the answer were late; otherwise they end with it. */
  areTakersKept = true;
  /** Cancel-all leaves orders that wait outside the book (ambiguity A13). */
  sparesWaiting = false;
  sink: FactSink = () => undefined;
  readonly #busy = new Map<LaneId, RoutedCommand<TradingCommand>>();
  readonly #working = new Map<OrderId, OrderRef & Pick<OrderSpec, 'sizeLots' | 'trigger' | 'twap'>>();
  #requestCount = 0;
  #orderCount = 100;

  isReady(lane: LaneId): boolean {
    return !this.#busy.has(lane);
  }

  submit(routed: Approved<RoutedCommand<TradingCommand>>): void {
    if (this.#busy.has(routed.lane)) throw new Error(`lane ${routed.lane} is busy`);
    this.submitted.push(routed);
    this.#busy.set(routed.lane, routed);
    const { command } = routed;
    this.#requestCount++;
    this.sink({
      type: 'WriteSent',
      lane: routed.lane,
      requestId: this.#requestId,
      places: command.kind === 'setLeverage' ? [] : command.orders,
      cancels: command.kind === 'replace' ? command.cancels : [],
      atMs: START_MS,
    });
    if (this.isInstant) this.answer(routed.lane);
  }

  submitSafety(command: SafetyCommand): void {
    this.safety.push(command);
    if (!this.isInstant) return;
    this.runSafety(command);
  }

  /** Carries a safety command out. */
  runSafety(command: SafetyCommand): void {
    if (command.kind === 'scheduleCancel') return;
    const all = [...this.#working.values()];
    const reached = this.sparesWaiting ? all.filter((order) => !isOutsideBook(order)) : all;
    const refs = command.kind === 'cancel' ? command.orders : reached;
    for (const ref of refs) this.#cancel(ref);
  }

  /** Executes what a lane carries and frees it. */
  answer(lane: LaneId = LANE): void {
    const routed = this.#busy.get(lane);
    if (routed === undefined) throw new Error(`lane ${lane} carries nothing`);
    const { command } = routed;
    if (command.kind === 'replace') for (const ref of command.cancels) this.#cancel(ref);
    if (command.kind !== 'setLeverage') for (const spec of command.orders) this.accept(spec);
    this.#free(lane, 'executed');
  }

  /** Rejects what a lane carries and frees it. */
  reject(reason: string, lane: LaneId = LANE): void {
    const routed = this.#busy.get(lane);
    if (routed === undefined || routed.command.kind === 'setLeverage') throw new Error('nothing to reject');
    for (const spec of routed.command.orders)
      this.sink({ type: 'OrderRejected', spec, reason, proof: proof('receipt') });
    this.#free(lane, 'rejected');
  }

  accept(spec: OrderSpec): OrderId {
    const orderId = `${++this.#orderCount}` as OrderId;
    const hasEnded = !this.areTakersKept && (spec.timeInForce === 'ioc' || spec.timeInForce === 'fok');
    if (!hasEnded) this.#working.set(orderId, { ...spec, orderId });
    this.sink({
      type: 'OrderAccepted',
      spec,
      orderId,
      acceptedLots: spec.sizeLots,
      filledLots: lots(0),
      isResting: !hasEnded,
      proof: proof(),
    });
    return orderId;
  }

  get #requestId(): RequestId {
    return `0x${this.#requestCount.toString(16).padStart(4, '0')}` as RequestId;
  }

  #free(lane: LaneId, outcome: 'executed' | 'rejected'): void {
    this.#busy.delete(lane);
    this.sink({ type: 'WriteResolved', lane, requestId: this.#requestId, outcome, seq: undefined });
    this.sink({ type: 'LaneReady', lane });
  }

  #cancel(ref: OrderRef): void {
    const canceled = this.#working.get(ref.orderId);
    if (canceled === undefined) return;
    this.#working.delete(ref.orderId);
    this.sink({ type: 'CancelExecuted', ref, canceledLots: canceled.sizeLots, proof: proof() });
  }
}

/** Keeps audit events. */
export class KeptAudit implements Audit {
  readonly events: AuditEvent[] = [];
  record(event: AuditEvent): void {
    this.events.push(event);
  }
  typesOf(...types: readonly string[]): readonly AuditEvent[] {
    return this.events.filter((event) => types.includes(event.type));
  }
}

/** A strategy made of handlers alone. */
export function strategyOf(
  make: (context: StrategyContext) => StrategyHandlers,
  name = 'test-strategy',
): StrategyDefinition {
  return defineStrategy({ name, parameters: param.object({}), create: (context) => make(context) });
}

/** A bot with its venue, ready to be fed. */
export interface Rig {
  readonly bot: Bot;
  readonly venue: HandVenue;
  readonly clock: VirtualClock;
  readonly audit: KeptAudit;
  feed(...facts: readonly Fact[]): void;
  /** A book of one level on each side, received now. */
  book(bidTicks: number, askTicks: number, symbol?: MarketSymbol): void;
  /** Fills a working order of ours whole. */
  fill(orderId: OrderId): void;
}

/** A setup of one strategy in BTC and ETH. */
export function setupOf(definition: StrategyDefinition, changes: Partial<StrategySetup> = {}): StrategySetup {
  return { id: MAKER, definition, parameters: {}, symbols: [BTC, ETH], lane: LANE, ...changes };
}

/** A rig that is started, synced and armed. */
export function aRig(
  strategies: StrategyDefinition | readonly StrategySetup[],
  options: Partial<BotOptions> & { readonly limits?: LimitOverrides; readonly isFed?: boolean } = {},
): Rig {
  const { limits, isFed = true, ...changes } = options;
  const clock = new VirtualClock(START_MS);
  const venue = new HandVenue();
  const audit = new KeptAudit();
  const overrides: LimitOverrides = {
    laneWritesPerS: 1e6,
    laneWriteBurst: 1e6,
    accountWritesPerS: 1e6,
    ...limits,
  };
  const settings = { capital: usd(100_000), symbols: [BTC, ETH], overrides };
  const bot = createBot({
    runId: 'run-1',
    clock,
    random: seededRandom(7),
    log: silentLog,
    meter: silentMeter,
    audit,
    risk: createRiskGate(riskLimits(settings)),
    venue,
    reconcileQuotes: diffQuotes,
    strategies: 'create' in strategies ? [setupOf(strategies)] : strategies,
    ...changes,
  });
  venue.sink = bot.sink;
  const feed = (...facts: readonly Fact[]) => {
    for (const fact of facts) bot.sink(fact);
  };
  const rig: Rig = {
    bot,
    venue,
    clock,
    audit,
    feed,
    book: (bidTicks, askTicks, symbol = BTC) =>
      feed({
        type: 'BookUpdated',
        book: aBook({
          symbol,
          bids: [[bidTicks, 500]],
          asks: [[askTicks, 500]],
          receivedAtMs: unixMs(clock.nowMs()),
        }),
      }),
    fill: (orderId) => {
      const order = bot.account.workingOrder(orderId);
      if (order === undefined) throw new Error(`order ${orderId} does not work`);
      const { symbol, side, priceTicks, remainingLots: sizeLots } = order;
      feed({ type: 'FillRecorded', fill: aFill({ orderId, symbol, side, priceTicks, sizeLots }) });
    },
  };
  bot.start();
  if (isFed) feed(...quietWorld());
  return rig;
}

/** Keeps the switch armed and the account synced for `forMs` more. */
export function keepArmed(rig: Rig, forMs = 20_000): void {
  const nowMs = rig.clock.nowMs();
  rig.feed(
    { type: 'SwitchArmed', triggerAtMs: unixMs(nowMs + forMs), atMs: nowMs },
    { type: 'AccountSynced', seq: seq(2) },
  );
}

export const OTHER = 'other' as StrategyId;
