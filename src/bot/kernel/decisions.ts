/**
 * @module
 * What a run decides, reported as it is decided: intents of strategies, denials, approved commands, safety commands. Two
 * runs decided the same when they reported the same, in the same order. A listener must not keep what is handed over:
 * intents belong to strategies, which may change them later.
 */
import type {
  Approved,
  Denial,
  IntentId,
  LaneId,
  RoutedCommand,
  SafetyCommand,
  StrategyId,
  TradingCommand,
  VenuePort,
} from '../../domain/index.ts';
import type { Intent } from '../strategy/index.ts';

/** Reports the name of the newest intent: it is seldom asked for of a quote, so it is made when it is asked for. */
export interface NewestIntentId {
  readonly newest: IntentId;
}

/** A message between strategies that was delivered. */
export interface DeliveredMessage {
  readonly from: StrategyId;
  /** Name of its topic. */
  readonly topic: string;
  /** Its value as JSON. */
  readonly json: string;
  /** Strategies that get it, in order; empty: nobody hears it. */
  readonly to: readonly StrategyId[];
  /** Strategies that hear the topic, and whose schema refuses the value. */
  readonly refused: readonly { readonly by: StrategyId; readonly problem: string }[];
}

/** Receives every decision, before anything follows from it. */
export interface DecisionTap {
  /**
   * A strategy asked for something. Whatever it is: it has not been looked at yet. Its name is the newest of `ids` at the
   * time of the call.
   */
  intent(strategyId: StrategyId, ids: NewestIntentId, intent: Intent): void;
  /** An order or intent was denied. */
  denied(denial: Denial): void;
  /** A command was approved and is about to be sent. */
  approved(routed: Approved<RoutedCommand<TradingCommand>>): void;
  /** A safety command is about to be sent. */
  safety(command: SafetyCommand): void;
  /** A message is about to be delivered. */
  message(message: DeliveredMessage): void;
}

/** A venue with a tap that receives what is handed to it. */
export class TappedVenue implements VenuePort {
  readonly #venue: VenuePort;
  readonly #tap: DecisionTap;

  constructor(venue: VenuePort, tap: DecisionTap) {
    this.#venue = venue;
    this.#tap = tap;
  }

  isReady(lane: LaneId): boolean {
    return this.#venue.isReady(lane);
  }

  expect(): void {
    this.#venue.expect?.();
  }

  submit(routed: Approved<RoutedCommand<TradingCommand>>): void {
    this.#tap.approved(routed);
    this.#venue.submit(routed);
  }

  submitSafety(command: SafetyCommand): void {
    this.#tap.safety(command);
    this.#venue.submitSafety(command);
  }
}

/** What the audit keeps of an approved command. */
export function approvedFields(
  strategyId: StrategyId,
  approved: Approved<RoutedCommand<TradingCommand>>,
): Record<string, unknown> {
  const { command, lane } = approved;
  const orders = command.kind === 'setLeverage' ? [] : command.orders;
  return {
    strategy: strategyId,
    lane,
    kind: command.kind,
    cancels: command.kind === 'replace' ? command.cancels.map((ref) => ref.orderId) : [],
    orders: orders.map(({ intentId, symbol, side, priceTicks, sizeLots, timeInForce, trigger, twap }) => ({
      ...{ intentId, symbol, side, priceTicks, sizeLots, timeInForce },
      ...(trigger === undefined ? {} : { trigger }),
      ...(twap === undefined ? {} : { twap }),
    })),
  };
}
