/** @module How much of each limit a run uses now, worst case: what is held and everything that could still execute. */
import { formatScaled } from '../../core/index.ts';
import type { MarketSymbol } from '../../domain/index.ts';
import type { Bot, BotStatus } from '../kernel/index.ts';
import type { RiskLimits } from '../risk/index.ts';

/** One limit and what is used of it. */
export interface RiskUse {
  /** Its number in denials.md. */
  readonly control: string;
  /** `account`, a market or the id of a strategy. */
  readonly scope: string;
  /** What is limited, in words. */
  readonly what: string;
  /** Decimal text in {@link RiskUse.unit}. */
  readonly used: string;
  readonly limit: string;
  readonly unit: 'collateral' | 'orders' | 'x';
  /** used / limit. */
  readonly share: number;
}

/** A row before its amounts are text. */
type Row = Pick<RiskUse, 'control' | 'scope' | 'what'> & { readonly used: bigint; readonly limit: bigint };

/** The use of each limit, account first. */
export function riskUseOf(
  { account, markets }: Pick<Bot, 'account' | 'markets'>,
  status: BotStatus,
  limits: RiskLimits,
): readonly RiskUse[] {
  const perMarket: RiskUse[] = [];
  const sum = { gross: 0n, net: 0n, open: 0n, orders: 0 };
  let decimals = 6;
  for (const symbol of limits.allowedSymbols) {
    const market = markets.get(symbol)?.market;
    const price = markets.valuationTicks(symbol);
    if (market === undefined || price === undefined) continue;
    const { priceDecimals, sizeDecimals, quantumsPerTickLot } = market;
    decimals = priceDecimals + sizeDecimals + quantumsPerTickLot.toString().length - 1;
    const one = account.exposure(symbol);
    const { positionLots, buyLots, sellLots, buyOrders, sellOrders } = one;
    const worst = Math.max(positionLots + buyLots, sellLots - positionLots);
    const position = BigInt(worst) * BigInt(price) * quantumsPerTickLot;
    const open = (BigInt(one.buyTickLots) + BigInt(one.sellTickLots)) * quantumsPerTickLot;
    const net = BigInt(positionLots) * BigInt(price) * quantumsPerTickLot;
    sum.gross += position;
    sum.net += net;
    sum.open += open;
    sum.orders += buyOrders + sellOrders;
    perMarket.push(
      inMoney(
        {
          control: 'P5',
          ...of(symbol, 'largest position'),
          used: position,
          limit: limits.positionNotionalMax,
        },
        decimals,
      ),
      inMoney(
        { control: 'P7', ...of(symbol, 'open orders'), used: open, limit: limits.openNotionalPerMarketMax },
        decimals,
      ),
      inOrders(
        { control: 'P6', scope: symbol, what: 'bids and asks, the longer side' },
        Math.max(buyOrders, sellOrders),
        limits.openOrdersPerSideMax,
      ),
    );
  }
  const { equity } = account.summary ?? {};
  return [
    ...lossesOf(status),
    inMoney(
      {
        control: 'P5',
        ...of('account', 'largest positions, added up'),
        used: sum.gross,
        limit: limits.grossNotionalMax,
      },
      decimals,
    ),
    inMoney(
      {
        control: 'P5',
        ...of('account', 'positions, netted'),
        used: sum.net < 0n ? -sum.net : sum.net,
        limit: limits.netNotionalMax,
      },
      decimals,
    ),
    inMoney(
      { control: 'P7', ...of('account', 'open orders'), used: sum.open, limit: limits.openNotionalMax },
      decimals,
    ),
    inOrders(
      { control: 'P6', scope: 'account', what: 'number of open orders' },
      sum.orders,
      limits.openOrdersMax,
    ),
    ...(equity === undefined || equity <= 0n ? [] : [leverage(sum.gross, equity, limits.leveragePpmMax)]),
    ...perMarket,
  ];
}

function of(scope: MarketSymbol | string, what: string): Pick<RiskUse, 'scope' | 'what'> {
  return { scope, what };
}

function inMoney({ used, limit, ...row }: Row, decimals: number): RiskUse {
  return {
    ...row,
    used: formatScaled(used, decimals),
    limit: formatScaled(limit, decimals),
    unit: 'collateral',
    share: share(Number(used), Number(limit)),
  };
}

function inOrders(row: Pick<RiskUse, 'control' | 'scope' | 'what'>, used: number, limit: number): RiskUse {
  return { ...row, used: `${used}`, limit: `${limit}`, unit: 'orders', share: share(used, limit) };
}

function leverage(gross: bigint, equity: bigint, limitPpm: number): RiskUse {
  const used = Number(gross) / Number(equity);
  const limit = limitPpm / 1e6;
  return {
    ...{ control: 'P8', scope: 'account', what: 'leverage', unit: 'x' },
    ...{ used: used.toFixed(2), limit: limit.toFixed(2), share: share(used, limit) },
  };
}

function lossesOf({ losses }: BotStatus): readonly RiskUse[] {
  return losses.flatMap(({ scope, daily, dailyMax, drawdown, drawdownMax, minute, minuteMax }) =>
    (
      [
        ['loss of the day', daily, dailyMax],
        ['loss from the peak', drawdown, drawdownMax],
        ['loss of the minute', minute, minuteMax],
      ] as const
    ).flatMap(([what, used, limit]) =>
      limit === undefined
        ? []
        : [
            {
              ...{ control: 'M4', scope, what, used, limit },
              unit: 'collateral' as const,
              share: share(Number(used), Number(limit)),
            },
          ],
    ),
  );
}

/** A limit of nothing is used up by anything. */
function share(used: number, limit: number): number {
  if (limit > 0) return used / limit;
  return used > 0 ? 1 : 0;
}
