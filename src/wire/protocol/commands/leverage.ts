/**
 * @module
 * POST /v1/account/leverage. The body names a multiple, what is signed is the initial margin fraction in ppm,
 * floor(1,000,000 / leverage) (exchange.md#fields).
 */
import { assert, closed, FieldError } from '../../../core/index.ts';
import type { SetLeverage } from '../../../domain/index.ts';
import type { WriteContext } from '../write-context.ts';
import { listedMarket, namedMarket, type PlannedWrite, type ReadBody } from './operation.ts';

const LEVERAGE_MAX = 1_000_000;

/** The write that sets the leverage of a market. @throws ProtocolError when the market is unknown. */
export function planLeverage(command: SetLeverage, context: WriteContext): PlannedWrite {
  const { symbol, leverage } = command;
  assert(isLeverage(leverage), `a leverage from 1 to ${LEVERAGE_MAX}, got ${leverage}`);
  return {
    path: '/v1/account/leverage',
    canonical: {
      kind: 'SetLeverage',
      account: context.signingAccountId,
      market: listedMarket(context, symbol).signingMarketId,
      customImfPpm: marginPpmOf(leverage),
    },
    body: { symbol, leverage },
  };
}

/** The leverage of a body. @throws FieldError */
export const readLeverage: ReadBody = (body, context) => {
  const part = closed(body, ['symbol', 'leverage']);
  const market = namedMarket(context, part);
  const leverage = part['leverage'];
  if (!isLeverage(leverage)) throw new FieldError('leverage', `a number from 1 to ${LEVERAGE_MAX}`, leverage);
  return {
    canonical: {
      kind: 'SetLeverage',
      account: context.signingAccountId,
      market: market.signingMarketId,
      customImfPpm: marginPpmOf(leverage),
    },
    clientOrderIds: [],
  };
};

/** The initial margin of a leverage: 5 times is 200,000 ppm. */
function marginPpmOf(leverage: number): number {
  return Math.floor(1_000_000 / leverage);
}

function isLeverage(value: unknown): value is number {
  return typeof value === 'number' && value >= 1 && value <= LEVERAGE_MAX;
}
