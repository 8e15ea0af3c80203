/**
 * @module
 * One write of each struct that the product's table of endpoints names, as a client plans it: what {@link CutScene} signs
 * and what is cut. A struct without a plan here fails a test.
 */
import { must } from '../../src/core/index.ts';
import type {
  LaneCommand,
  MainWalletOperation,
  Market,
  MarketSymbol,
  OrderId,
  OrderSpec,
  TpslLeg,
} from '../../src/domain/index.ts';
import {
  ENDPOINTS,
  type Endpoint,
  planMainWalletWrite,
  planTpsl,
  planTrigger,
  planTwap,
  type WriteContext,
} from '../../src/wire/protocol/index.ts';
import type { StructName } from '../../src/wire/protocol/structs.ts';

/** See {@link WRITES}. */
export type WriteName = StructName;

/** Every write of the interface, by the struct that is signed for it. */
export const WRITES: readonly WriteName[] = ENDPOINTS.flatMap(({ structs }: Endpoint) => structs);

/** The market of all of them. */
export const SYMBOL = 'BTC-USD' as MarketSymbol;
/** Far from the price, so that nothing is filled. */
export const BID_TICKS = 900_000;
const ASK_TICKS = 1_100_000;
const TRIGGER_TICKS = 800_000;
const HOUR_MS = 3_600_000;
const LOTS = 10;
/** Millionths: of USDC, and of a share of a vault. */
const UNIT = 1_000_000n;

/** What stands where the write is planned. */
export interface Ground {
  readonly context: WriteContext;
  readonly nowMs: number;
  readonly market: Market;
  /** Numbers of orders that rest, the bids among them, and of those that wait. Oldest first. */
  readonly open: Readonly<Record<'plain' | 'bids' | 'conditional' | 'twap', readonly bigint[]>>;
  /** The account of the main wallet that signs what only that may; its vault; an API wallet to be approved. */
  readonly owner: { readonly accountId: number; readonly vault: number; readonly agent: string };
  /** A number that no plan before had. */
  readonly label: () => string;
  /** A vault that nobody manages. */
  readonly freshVault: () => number;
}

/** The plan of each write. */
export const PLANS: Readonly<Partial<Record<WriteName, (ground: Ground) => LaneCommand>>> = {
  PlaceOrder: (ground) => ({ kind: 'place', orders: [orderOf(ground, 'buy')] }),
  BatchPlace: (ground) => ({ kind: 'place', orders: [orderOf(ground, 'buy'), orderOf(ground, 'sell')] }),
  PlaceConditional: (ground) => {
    const { timeInForce, reduceOnly, ...order } = orderOf(ground, 'buy');
    const trigger = { triggerTicks: TRIGGER_TICKS as never, triggerAbove: false };
    return operation(
      planTrigger({ ...order, timeInForce, reduceOnly, ...trigger }, ground.context, ground.nowMs),
    );
  },
  PlaceTwap: ({ context, nowMs }) =>
    operation(
      planTwap(
        {
          ...{ symbol: SYMBOL, side: 'buy', sizeLots: (2 * LOTS) as never, reduceOnly: false },
          ...{ slices: 2, intervalMs: HOUR_MS, priceTolerancePpm: 100 },
        },
        context,
        nowMs,
      ),
    ),
  PlaceTpslPair: ({ context, nowMs, open }) => {
    const leg = (triggerTicks: number): TpslLeg => ({
      triggerTicks: triggerTicks as never,
      priceTicks: TRIGGER_TICKS as never,
    });
    return operation(
      planTpsl(
        {
          symbol: SYMBOL,
          closeSide: 'sell',
          sizeLots: LOTS as never,
          parentOrderId: String(must(open.bids[0], 'a bid')) as OrderId,
          takeProfit: leg(ASK_TICKS),
          stopLoss: leg(TRIGGER_TICKS),
        },
        context,
        nowMs,
      ),
    );
  },
  CancelOrder: ({ open }) => ({ kind: 'cancel', orders: refsOf(open.plain.slice(0, 1)) }),
  BatchCancel: ({ open }) => ({ kind: 'cancel', orders: refsOf(open.plain.slice(0, 2)) }),
  CancelConditional: (ground) => cancelOf(ground, 'CancelConditional', 'conditional'),
  CancelTwap: (ground) => cancelOf(ground, 'CancelTwap', 'twap'),
  CancelAll: () => ({ kind: 'cancelAll' }),
  BatchReplace: (ground) => ({
    kind: 'replace',
    symbol: SYMBOL,
    cancels: refsOf(ground.open.plain.slice(0, 1)),
    orders: [orderOf(ground, 'buy')],
  }),
  ScheduleCancel: ({ nowMs }) => ({ kind: 'scheduleCancel', triggerAtMs: (nowMs + HOUR_MS) as never }),
  SetLeverage: () => ({ kind: 'setLeverage', symbol: SYMBOL, leverage: 5 }),
  ApproveAgent: ({ owner }) => ofOwner(owner, { kind: 'ApproveAgent', agent: owner.agent, validUntilMs: 0 }),
  RevokeAgent: ({ owner }) => ofOwner(owner, { kind: 'RevokeAgent', agent: owner.agent }),
  CreateSubaccount: ({ owner }) => ofOwner(owner, { kind: 'CreateSubaccount' }),
  CreateVault: ({ owner, label }) => ofOwner(owner, { kind: 'CreateVault', name: `vault ${label()}` }),
  DepositVault: ({ owner }) =>
    ofOwner(owner, { kind: 'DepositVault', vault: owner.vault, amount: 10n * UNIT }),
  RedeemVault: ({ owner }) => ofOwner(owner, { kind: 'RedeemVault', vault: owner.vault, shares: UNIT }),
  ClaimVault: ({ owner, freshVault }) => ofOwner(owner, { kind: 'ClaimVault', vault: freshVault() }),
  ConfigureVault: ({ owner }) =>
    ofOwner(owner, { kind: 'ConfigureVault', vault: owner.vault, depositCap: 0n, leverageMax: 3 }),
};

/** An order that stays in the book. */
export function orderOf({ label }: Pick<Ground, 'label'>, side: 'buy' | 'sell'): OrderSpec {
  return {
    intentId: 'i' as never,
    strategyId: 's' as never,
    symbol: SYMBOL,
    side,
    priceTicks: (side === 'buy' ? BID_TICKS : ASK_TICKS) as never,
    sizeLots: LOTS as never,
    timeInForce: 'gtc',
    reduceOnly: false,
    clientOrderId: `cut-${label()}` as never,
    expiresAtMs: 0,
  };
}

function refsOf(numbers: readonly bigint[]) {
  return numbers.map((number) => ({ symbol: SYMBOL, orderId: String(number) as OrderId }));
}

type Planned = Omit<Extract<LaneCommand, { kind: 'operation' }>, 'kind'>;

function operation(planned: Planned): LaneCommand {
  return { kind: 'operation', ...planned };
}

/** The cancel of one order that waits, named with its kind, which signs that kind's own cancel. */
function cancelOf(
  { context, market, open }: Ground,
  kind: 'CancelConditional' | 'CancelTwap',
  named: 'conditional' | 'twap',
): LaneCommand {
  const orderSeq = must(open[named][0], `an order that waits as ${named}`);
  const orderId = { market: market.signingMarketId, orderSeq };
  return operation({
    path: '/v1/orders/cancel',
    canonical: { kind, account: context.signingAccountId, orderId },
    body: { orders: [{ symbol: SYMBOL, orderId: String(orderSeq), kind: named }] },
  });
}

type Unnumbered<Operation> = Operation extends MainWalletOperation ? Omit<Operation, 'account'> : never;

function ofOwner({ accountId }: Ground['owner'], unnumbered: Unnumbered<MainWalletOperation>): LaneCommand {
  return operation(planMainWalletWrite({ ...unnumbered, account: accountId } as MainWalletOperation));
}
