/**
 * @module
 * Decisions as text: equal texts are equal decisions. Written at once, since strategies own what they hand over and may
 * change it; whatever they hand over, nothing here throws.
 */
import { formatJson, isRecord } from '../../core/index.ts';
import type {
  Approved,
  Denial,
  IntentId,
  OrderSpec,
  RoutedCommand,
  SafetyCommand,
  StrategyId,
  TradingCommand,
} from '../../domain/index.ts';
import type { DeliveredMessage } from '../kernel/index.ts';
import type { Intent } from '../strategy/index.ts';

/** An intent: who, which, what. */
export function intentText(strategyId: StrategyId, intentId: IntentId, intent: Intent): string {
  return `${strategyId} ${intentId} ${askedText(intent)}`;
}

/** A denial with its code and its values. */
export function denialText({ strategyId, intentId, symbol, code, message }: Denial): string {
  return `${strategyId} ${intentId} ${symbol ?? '-'} ${code}: ${message}`;
}

/** An approved command with every order in it. */
export function approvedText({ lane, command }: Approved<RoutedCommand<TradingCommand>>): string {
  if (command.kind === 'setLeverage') return `${lane} setLeverage ${command.symbol} ${command.leverage}`;
  const cancels = command.kind === 'replace' ? command.cancels.map((ref) => ref.orderId).join(' ') : '';
  return `${lane} ${command.kind} cancels [${cancels}] places [${command.orders.map(orderText).join(', ')}]`;
}

/** A safety command. */
export function safetyText(command: SafetyCommand): string {
  switch (command.kind) {
    case 'cancel':
      return `cancel [${command.orders.map(({ orderId }) => orderId).join(' ')}]`;
    case 'cancelAll':
      return 'cancelAll';
    case 'scheduleCancel':
      return `scheduleCancel ${command.triggerAtMs}`;
  }
}

/** A message with those who hear it. */
export function messageText({ from, topic, json, to, refused }: DeliveredMessage): string {
  const refusals = refused.map(({ by, problem }) => `; refused by ${by}: ${problem}`).join('');
  return `${from} to ${to.join(',') || 'nobody'}: ${topic} ${json}${refusals}`;
}

function orderText(order: OrderSpec): string {
  const { intentId, symbol, side, priceTicks, sizeLots, timeInForce, reduceOnly, expiresAtMs } = order;
  const flags = `${reduceOnly ? ' reduceOnly' : ''}${expiresAtMs === 0 ? '' : ` until ${expiresAtMs}`}${waitText(order)}`;
  return `${intentId} ${side} ${symbol} ${sizeLots} lots at ${priceTicks} ${timeInForce}${flags}`;
}

function waitText({ trigger, twap }: OrderSpec): string {
  if (twap !== undefined)
    return ` in ${twap.slices} slices, one each ${twap.intervalMs} ms, within ${twap.priceTolerancePpm} ppm of the index`;
  if (trigger === undefined) return '';
  const leg = trigger.leg === undefined ? '' : `, ${trigger.leg} of the position`;
  return ` once the index is ${trigger.isAbove ? 'at or above' : 'at or below'} ${trigger.priceTicks}${leg}`;
}

function askedText(intent: Intent): string {
  try {
    switch (intent.kind) {
      case 'quote': {
        const { symbol, target, options, reason } = intent;
        const why = reason === undefined ? '' : ` because ${reason}`;
        return `quote ${symbol} bids ${sideText(target.bids)} asks ${sideText(target.asks)} ${plain(options)}${why}`;
      }
      case 'place':
        return `place ${plain(intent.order)}`;
      case 'placeConditional':
        return `placeConditional ${plain(intent.order)} ${plain(intent.trigger)}`;
      case 'placeTwap':
        return `placeTwap ${plain(intent.order)}`;
      case 'placeTpsl':
        return `placeTpsl ${plain(intent.order)}`;
      case 'cancel':
        return `cancel ${intent.ref.symbol} ${intent.ref.orderId}`;
      case 'cancelAll':
        return `cancelAll ${intent.symbol ?? 'everywhere'}`;
      case 'setLeverage':
        return `setLeverage ${intent.symbol} ${intent.leverage}`;
    }
  } catch {
    return `${intent.kind} of something that cannot be read`;
  }
}

function sideText(levels: unknown): string {
  if (!Array.isArray(levels)) return plain(levels);
  let text = '';
  for (const level of levels as unknown[]) text += `${text === '' ? '' : ' '}${levelText(level)}`;
  return `[${text}]`;
}

function levelText(level: unknown): string {
  if (!isRecord(level)) return plain(level);
  const { priceTicks, sizeLots, price, size } = level;
  return priceTicks === undefined ? `${String(size)}@${String(price)}` : `${sizeLots} lots@${priceTicks}`;
}

function plain(value: unknown): string {
  return formatJson(value) ?? 'nothing';
}
