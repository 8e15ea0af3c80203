/** @module Wrong exchanges: matching, flags, batches, the switch, fees. */
import type { Defect } from './defect.ts';

const PLACEMENT = 'src/exchange/engine/orders/placement.ts';
const ORDERS = 'src/exchange/engine/commands/orders.ts';
const SWITCH = 'src/exchange/engine/schedule-cancel.ts';
const FUNDING = 'src/exchange/engine/prices/funding.ts';

/** See the module. */
export const DEFECTS: readonly Defect[] = [
  {
    id: 'funding-beyond-its-rate',
    check: 'GW-FUNDING-5',
    what: 'charges funding with digits that it does not publish',
    file: FUNDING,
    find: 'market.fundingIndexE12 += (dueE12 - market.fundingRestE12) * perLot;',
    replace: 'market.fundingIndexE12 += dueE12 * perLot;',
  },
  {
    id: 'post-only-crosses',
    check: 'GW-ORDER-2',
    what: 'lets post-only orders trade',
    file: PLACEMENT,
    find: "if (tif === 'postOnly' && crosses) return 'PostOnlyWouldCross';",
    replace: '',
  },
  {
    id: 'fok-in-part',
    check: 'GW-ORDER-5',
    what: 'fills fill-or-kill orders in part',
    file: PLACEMENT,
    find: "if (tif === 'fok' &&",
    replace: "if (tif === 'fok' && lots < 0 &&",
    also: [
      {
        file: PLACEMENT,
        find: 'const { tif, crosses } = order;',
        replace: 'const { tif, crosses, lots } = order;',
      },
    ],
  },
  {
    id: 'ioc-rests',
    check: 'GW-ORDER-3',
    what: 'lets the rest of an IOC order stand in the book',
    file: PLACEMENT,
    find: "if (terms.tif === 'gtc' || terms.tif === 'postOnly') {",
    replace: "if (terms.tif !== 'fok') {",
  },
  {
    id: 'dust-orders-taken',
    check: 'GW-ORDER-17',
    what: 'knows no minimum notional',
    file: PLACEMENT,
    find: 'market.isBelowMinimum(price, lots)',
    replace: 'price < 0',
  },
  {
    id: 'reduce-only-opens',
    check: 'GW-ORDER-11',
    what: 'takes reduce-only orders without a position',
    file: PLACEMENT,
    find: "if (holding.lots === 0) return 'ReduceOnlyNoPosition';",
    replace: "if (holding.lots === 0) return 'ReduceOnlyWrongSide';",
  },
  {
    id: 'late-order-taken',
    check: 'GW-ORDER-19',
    what: 'takes orders that are past their expiry',
    file: PLACEMENT,
    find: "return 'OrderExpired';",
    replace: "return 'OrderNotAligned';",
  },
  {
    id: 'closed-market-trades',
    check: 'GW-ORDER-21',
    what: 'takes orders in a paused market',
    file: PLACEMENT,
    find: "if (!market.isTradable) return 'MarketNotTrading';",
    replace: '',
  },
  {
    id: 'foreign-order-canceled',
    check: 'GW-CANCEL-5',
    what: 'cancels orders of other accounts',
    file: ORDERS,
    find: 'order?.holding.account === account &&',
    replace: 'order !== undefined &&',
  },
  {
    id: 'number-of-its-own-making',
    check: 'GW-ITEMS-6',
    what: 'numbers orders without the log position',
    file: ORDERS,
    find: 'const orderSeq = kept ?? BigInt(state.log.at.seq * RECORDS_MAX + recordSub);',
    replace: 'const orderSeq = kept ?? BigInt(state.log.at.seq * 1_000 + recordSub);',
  },
  {
    id: 'switch-in-the-past',
    check: 'GW-SWITCH-2',
    what: 'arms the switch for a time that has passed',
    file: SWITCH,
    find: 'triggerMs < nowMs + state.scheduleCancelLeadMs)',
    replace: 'triggerMs < 0)',
  },
  {
    id: 'switch-fires-never',
    check: 'GW-SWITCH-3',
    what: 'never fires the switch',
    file: SWITCH,
    find: 'account.scheduleCancelAtMs <= blockAtMs);',
    replace: 'account.scheduleCancelAtMs < 0 && blockAtMs < 0);',
  },
  {
    id: 'switch-not-cleared',
    check: 'GW-SWITCH-4',
    what: 'keeps the switch armed when it is cleared',
    file: SWITCH,
    find: 'account.scheduleCancelAtMs = triggerMs;\n  if (triggerMs === 0) state.armed.delete(account);\n  else',
    replace: 'account.scheduleCancelAtMs = triggerMs || account.scheduleCancelAtMs;\n ',
  },
  {
    id: 'leverage-without-end',
    check: 'GW-LEVERAGE-2',
    what: 'takes any leverage',
    file: 'src/exchange/engine/commands/set-leverage.ts',
    find: 'customImfPpm < market.market.initialMarginPpm ||',
    replace: '',
  },
  {
    id: 'fee-rounded-up',
    check: 'GW-FEES-1',
    what: 'charges a unit more than the fee',
    file: 'src/exchange/engine/fees.ts',
    find: 'return (notional * ratePpm) / MILLION;',
    replace: 'return (notional * ratePpm) / MILLION + 1n;',
  },
];
