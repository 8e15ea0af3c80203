/**
 * @module
 * Mutants of the gate and of what it counts: exposure, reservations, freshness of data (invariants I10, I25; obligations
 * O80, O98).
 */
import type { Mutant } from './mutant.ts';

const UNKNOWN = { faults: { F4: 5, F6: 4, F28: 3, F27: 3 }, ambiguities: {} } as const;
const RESERVATIONS = 'src/domain/reservations.ts';

/** See the module. */
export const MUTANTS: readonly Mutant[] = [
  {
    id: 'exposure-released-at-unknown',
    obligation: 'I10',
    breaks: ['I10'],
    what: 'gives the exposure of a write back as soon as its outcome is unknown',
    file: RESERVATIONS,
    find: "write.isUnresolved = true;\n    return this.#move(write, 'unresolved');",
    replace:
      "write.isUnresolved = true;\n    const moved = this.#move(write, 'unresolved');\n    for (const { spec } of moved) this.release(spec.intentId);\n    return moved;",
    hint: UNKNOWN,
  },
  {
    id: 'in-flight-not-counted',
    obligation: 'I10',
    what: 'counts only what works, not what is on its way',
    file: 'src/domain/order-store.ts',
    find: 'open.add(spec.strategyId, spec.side, spec.priceTicks, openLotsOf(spec, spec.sizeLots));',
    replace: 'continue;',
    hint: UNKNOWN,
  },
  {
    id: 'refused-bytes-forgotten',
    obligation: 'I10',
    what: 'gives the exposure of a refused write back while its bytes can still be executed',
    file: RESERVATIONS,
    find: "reservation.stage = 'shadow';",
    replace: 'this.release(intentId);',
    hint: { faults: { F37: 5, F28: 3 }, ambiguities: {} },
  },
  {
    id: 'replaced-orders-not-counted',
    obligation: 'O80',
    breaks: ['I10'],
    what: 'counts an order no more once its cancel is on the way',
    file: 'src/domain/order-tracker.ts',
    find: 'if (order !== undefined)\n          open.add(',
    replace: 'if (order !== undefined && !record.isCancelPending)\n          open.add(',
    hint: { faults: { F9: 4, F42: 4, F4: 3 }, ambiguities: {} },
  },
  {
    id: 'replace-reserves-the-larger',
    obligation: 'O80',
    breaks: ['I10'],
    what: 'reserves the larger of the old and the new order of a replace, not both',
    file: 'src/domain/order-store.ts',
    find: 'this.orders.addExposed(symbol, open);',
    replace: `this.orders.addExposed(symbol, open);
    const old = { buy: 0, sell: 0 };
    for (const order of this.orders.workingIn(symbol))
      if (this.reservations.isReplacing(order.orderId)) old[order.side] += order.remainingLots;`,
    also: [
      {
        file: 'src/domain/order-store.ts',
        find: 'open.add(spec.strategyId, spec.side, spec.priceTicks, openLotsOf(spec, spec.sizeLots));',
        replace: `{
        const covered = Math.min(old[spec.side], spec.sizeLots);
        old[spec.side] -= covered;
        if (spec.sizeLots > covered)
          open.add(spec.strategyId, spec.side, spec.priceTicks, spec.sizeLots - covered);
      }`,
      },
    ],
    hint: {
      config: '../../mutants/configs/cramped-position',
      faults: { F9: 4, F42: 6, F4: 3 },
      ambiguities: {},
    },
  },
  {
    id: 'gone-at-cancel',
    obligation: 'I30',
    what: 'takes an order for canceled when its cancel leaves',
    file: 'src/domain/order-store.ts',
    find: "for (const ref of fact.cancels) this.orders.setCancelPending(ref.orderId, true);\n        return;\n      case 'OrderAccepted':",
    replace:
      "for (const ref of fact.cancels) this.end(ref, 'canceled', { seq: undefined, proof: { by: 'stream', id: 'sent' } });\n        return;\n      case 'OrderAccepted':",
    hint: { faults: { F41: 4, F42: 4, F9: 3, F5: 4 }, ambiguities: {} },
  },
  {
    id: 'not-shown-means-canceled',
    obligation: 'O21',
    breaks: ['I30'],
    what: 'takes an order for canceled that a snapshot does not show, while fills up to it are missing',
    file: 'src/domain/order-store.ts',
    find: 'if (this.#absent.keep(ref, seq)) return;',
    replace: '',
    hint: { faults: { F15: 8, F41: 12 }, ambiguities: {} },
  },
  {
    id: 'found-order-of-nobody',
    obligation: 'I1',
    breaks: ['I1'],
    what: 'forgets whose an order of the life before is when the exchange shows it',
    file: 'src/domain/order-store.ts',
    find: 'record.strategyId = order.strategyId ?? record.strategyId;\n    record.intentId = order.intentId ?? record.intentId;',
    replace: 'record.strategyId = order.strategyId;\n    record.intentId = order.intentId;',
    hint: { faults: { F50: 4, F41: 12 }, ambiguities: {} },
  },
  {
    id: 'open-writes-told-late',
    obligation: 'I1',
    breaks: ['I1'],
    what: 'tells what the last life left open once the history is booked',
    file: 'src/bot/live/live-bot.ts',
    find: 'lanes.executor.reportOpen();',
    replace: '',
    hint: { faults: { F50: 10, F55: 3, F56: 3, F41: 16, F4: 8, F6: 6 }, ambiguities: {} },
  },
  {
    id: 'rejected-cancel-means-gone',
    obligation: 'I30',
    what: 'takes an order for gone because its cancel was not executed',
    file: 'src/domain/order-store.ts',
    find: 'this.#endCancel(ref);\n    const record = this.orders.get(ref.orderId);',
    replace:
      "this.end(ref, 'canceled', { seq: undefined, proof });\n    const record = this.orders.get(ref.orderId);",
    hint: { faults: { F5: 5, F41: 4, F37: 3 }, ambiguities: {} },
  },
  {
    id: 'partial-fill-is-the-end',
    obligation: 'O81',
    what: 'takes an order for filled at its first fill',
    file: 'src/domain/order-store.ts',
    find: 'if (!isFilledUp(record.order) || this.reservations.isReplacing(record.orderId)) return;',
    replace: 'if (record.order === undefined || this.reservations.isReplacing(record.orderId)) return;',
  },
  {
    id: 'filled-part-of-the-answer-ignored',
    obligation: 'I10',
    what: 'forgets what an order has executed between its answer and its fills',
    file: 'src/domain/tracked-order.ts',
    find: 'return Math.max(0, filledLots - fillLots - settledLots);',
    replace: 'return Math.max(0, filledLots - fillLots - settledLots) * 0;',
    hint: { config: '../../mutants/configs/cramped-position', faults: { F20: 5, F41: 8 }, ambiguities: {} },
  },
  {
    id: 'end-before-its-answer-forgotten',
    obligation: 'I10',
    breaks: ['I10'],
    what: 'counts nothing of an order whose end came before the answer to its placement, until its fills come',
    file: 'src/domain/order-tracker.ts',
    find: 'else this.#noteOwing(record);',
    replace: '',
    hint: {
      config: '../../mutants/configs/cramped-position',
      faults: { F9: 3, F41: 8, F42: 12 },
      ambiguities: { A18: 'blocks-first' },
    },
  },
  {
    id: 'degraded-account-traded',
    obligation: '3.3',
    what: 'quotes while the account is not synced',
    file: 'src/bot/risk/checks/freshness.ts',
    find: "if (sync.kind !== 'synced')\n",
    replace: "if (sync.kind !== 'synced' && sync.kind !== 'degraded')\n",
    also: [
      {
        file: 'src/bot/kernel/kernel.ts',
        find: "lifecycle.reason(\n        'account',\n        sync.kind === 'synced'",
        replace: "lifecycle.reason(\n        'account',\n        sync.kind !== 'starting'",
      },
    ],
    hint: { faults: { F15: 3, F32: 3, F29: 3 }, ambiguities: {} },
  },
  {
    id: 'position-limit-off',
    obligation: 'I10',
    what: 'has limits of the position that are never reached',
    file: 'src/bot/risk/checks/position.ts',
    find: 'if (worst > positionNotionalMax)',
    replace: 'if (worst > times(positionNotionalMax, 1_000))',
    also: [
      {
        file: 'src/bot/risk/checks/strategy-budget.ts',
        find: 'if (worst > budget.positionNotionalMax)',
        replace: 'if (worst > times(budget.positionNotionalMax, 1_000))',
      },
      {
        file: 'src/bot/risk/checks/position.ts',
        find: 'if (after.gross > grossNotionalMax && after.gross > before.gross)',
        replace: 'if (after.gross < 0)',
      },
      {
        file: 'src/bot/risk/checks/position.ts',
        find: 'if (net > netNotionalMax && net > netBefore)',
        replace: 'if (net > times(netNotionalMax, 1_000))',
      },
    ],
    hint: { config: '../../mutants/configs/cramped-position', faults: {}, ambiguities: {} },
  },
  {
    id: 'open-orders-not-counted',
    obligation: 'I10',
    what: 'lets any number of orders rest',
    file: 'src/bot/risk/checks/open-orders.ts',
    find: 'if (onSide > openOrdersPerSideMax)',
    replace: 'if (onSide < 0)',
    also: [
      {
        file: 'src/bot/risk/checks/open-orders.ts',
        find: 'if (inAll > openOrdersMax)',
        replace: 'if (inAll < 0)',
      },
    ],
    hint: { config: '../../mutants/configs/cramped-orders', faults: {}, ambiguities: {} },
  },
  {
    id: 'price-collar-off',
    obligation: 'I10',
    breaks: ['I10'],
    what: 'lets orders stand at any distance from the reference price',
    file: 'src/bot/risk/checks/price-collar.ts',
    find: 'if (Math.abs(spec.priceTicks - reference) * 1_000_000 > collarPpm * reference)',
    replace: 'if (collarPpm < 0)',
    hint: { config: '../../mutants/configs/cramped-collar', faults: {}, ambiguities: {} },
  },
  {
    id: 'order-size-off',
    obligation: 'I10',
    breaks: ['I10'],
    what: 'lets one order be of any worth',
    file: 'src/bot/risk/checks/order-size.ts',
    find: 'if (notional > orderNotionalMax)',
    replace: 'if (notional < 0)',
    hint: { config: '../../mutants/configs/cramped-size', faults: {}, ambiguities: {} },
  },
  {
    id: 'stale-market-quoted',
    obligation: 'I25',
    breaks: ['I25'],
    what: 'quotes on market data of any age, whatever the stream says of it',
    file: 'src/bot/risk/checks/freshness.ts',
    find: 'if (ageMs === undefined || Math.abs(ageMs) > dataAgeMsMax)',
    replace: 'if (ageMs === undefined)',
    also: [
      {
        file: 'src/bot/kernel/market-view.ts',
        find: 'return Math.abs(this.#sources.now() - record.dataAtMs) <= this.#sources.dataAgeMsMax;',
        replace: 'return true;',
      },
      {
        file: 'src/bot/kernel/guard.ts',
        find: 'if (hasOrders) kernel.degradeMarket(',
        replace: 'if (hasOrders && nowMs < 0) kernel.degradeMarket(',
      },
      {
        file: 'src/bot/kernel/kernel.ts',
        find: "case 'MarketStale':\n        this.#markets.fold(fact);\n        this.degradeMarket(fact.symbol, fact.reason);\n        return;",
        replace: "case 'MarketStale':\n        return;",
      },
    ],
    hint: { config: 'demo', faults: { F20: 4 }, ambiguities: {} },
  },
  {
    id: 'closed-market-quoted',
    obligation: 'O10',
    what: 'quotes a market that is not open',
    file: 'src/bot/risk/checks/market-rules.ts',
    find: 'if (!isTradable(market))',
    replace: 'if (!isTradable(market) && symbol.length === 0)',
    also: [
      {
        file: 'src/bot/kernel/kernel.ts',
        find: 'if (isTradable(fact.market)) this.#refresh',
        replace: 'if (isTradable(fact.market) || fact.market.symbol.length > 0) this.#refresh',
      },
      {
        file: 'src/bot/kernel/market-view.ts',
        find: 'return market !== undefined && isTradable(market);',
        replace: "return market !== undefined && typeof isTradable(market) === 'boolean';",
      },
    ],
    hint: { faults: { F39: 4 }, ambiguities: {} },
  },
  {
    id: 'open-notional-not-counted',
    obligation: 'I10',
    what: 'lets orders of any worth rest',
    file: 'src/bot/risk/checks/open-notional.ts',
    find: 'if (inMarket > openNotionalPerMarketMax)',
    replace: 'if (inMarket < 0)',
    hint: { config: '../../mutants/configs/cramped-notional', faults: {}, ambiguities: {} },
  },
  {
    id: 'approved-orders-not-counted',
    obligation: 'I10',
    what: 'judges each order of a batch as if it were the only one',
    file: 'src/bot/risk/review-context.ts',
    find: 'if (this.here.market !== undefined) this.here.count(spec);',
    replace: '',
    hint: { config: '../../mutants/configs/cramped-position', faults: {}, ambiguities: {} },
  },
];
