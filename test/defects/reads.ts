/** @module Wrong exchanges: reads, pages, consistency, budgets, errors. */
import type { Defect } from './defect.ts';

const HISTORY = 'src/exchange/api/rest/history-reads.ts';
const ROUTER = 'src/exchange/api/rest/request-router.ts';
const BUDGET = 'src/exchange/api/rest/weight-limit.ts';
const ACCOUNT_JSON = 'src/exchange/api/json/account-json.ts';

/** See the module. */
export const DEFECTS: readonly Defect[] = [
  {
    id: 'bounds-not-needed',
    check: 'GW-PAGES-7',
    what: 'serves later pages without their bounds',
    file: HISTORY,
    find: 'if (isResumed && (epoch === null || upperText === null))',
    replace: 'if (isResumed && epoch === null && upperText === null)',
  },
  {
    id: 'epoch-not-compared',
    check: 'GW-PAGES-11',
    what: 'serves cursors of another epoch',
    file: HISTORY,
    find: 'if (epoch !== null && epoch !== state.epoch)',
    replace: "if (epoch === '')",
  },
  {
    id: 'incomplete-history-served',
    check: 'GW-PAGES-12',
    what: 'serves bounds that its history has not reached',
    file: HISTORY,
    find: 'if (last > complete)',
    replace: 'if (last < 0)',
  },
  {
    id: 'cursor-inclusive',
    check: 'GW-PAGES-4',
    what: 'begins every page at the first entry',
    file: HISTORY,
    find: 'return { after, upper, upperText: text };',
    replace: 'return { after: undefined, upper, upperText: text };',
  },
  {
    id: 'gap-as-empty-page',
    check: 'GW-PAGES-14',
    what: 'serves pages over gaps as if nothing was missing',
    file: HISTORY,
    find: 'const touched = gaps.filter((gap) => gap.first <= upper.seq && gap.last >= fromSeq);',
    replace: 'const touched = gaps.filter((gap) => gap.first > gap.last && fromSeq < 0);',
  },
  {
    id: 'replica-does-not-wait',
    check: 'GW-MINSEQ-3',
    what: 'takes any position for reached',
    file: ROUTER,
    find: 'BigInt(read().seq) >= required;',
    replace: 'BigInt(read().seq) >= 0n;',
  },
  {
    id: 'wrong-bucket',
    check: 'GW-RATE-7',
    what: 'names the wrong bucket in a 429',
    file: ROUTER,
    find: 'details: { bucket: ipWeightLimit.bucket },',
    replace: "details: { bucket: 'account' },",
  },
  {
    id: 'all-requests-cost-one',
    check: 'GW-RATE-3',
    what: 'charges every request the same',
    file: BUDGET,
    find: 'if (isWithin) this.#spent.set(key, spent + weight);',
    replace: 'if (isWithin) this.#spent.set(key, spent + 1);',
    also: [
      {
        file: BUDGET,
        find: 'spent - (isWithin ? weight : 0)',
        replace: 'spent - (isWithin ? 1 : 0)',
      },
    ],
  },
  {
    id: 'window-never-ends',
    check: 'GW-RATE-8',
    what: 'never begins a fresh window',
    file: BUDGET,
    find: 'if (window !== this.#window) {',
    replace: 'if (this.#window < 0) {',
  },
  {
    id: 'number-of-error-missing',
    check: 'GW-ERROR-3',
    what: 'numbers every error 0',
    file: 'src/exchange/api/rest/answer.ts',
    find: 'num: known?.num ?? 0,',
    replace: 'num: known === undefined ? 1 : 0,',
  },
  {
    id: 'deep-book',
    check: 'GW-DATA-4',
    what: 'takes any depth of a book',
    file: 'src/exchange/api/rest/public-reads.ts',
    find: 'integerFrom(1, BOOK_DEPTH_MAX)',
    replace: 'integerFrom(1, 10_000)',
  },
  {
    id: 'remaining-never-falls',
    check: 'GW-ORDER-7',
    what: 'tells the whole size as remaining',
    file: ACCOUNT_JSON,
    find: 'remaining: sizeText(market, order.remainingLots),',
    replace: 'remaining: sizeText(market, order.lots),',
  },
  {
    id: 'both-sides-alike',
    check: 'GW-FILLS-1',
    what: 'tells both sides of a fill the taker’s side',
    file: ACCOUNT_JSON,
    find: "side: role === 'maker' ? makerSide : event.takerSide,",
    replace: 'side: makerSide === event.takerSide ? makerSide : event.takerSide,',
  },
  {
    id: 'time-in-seconds',
    check: 'GW-ENV-1',
    what: 'tells the time in seconds',
    file: 'src/exchange/api/rest/public-reads.ts',
    find: 'time: ({ nowMs }) => ok({ serverTime: nowMs }',
    replace: 'time: ({ nowMs }) => ok({ serverTime: Math.floor(nowMs / 1000) }',
  },
  {
    id: 'withdrawal-forever-pending',
    check: 'GW-ACCOUNT-24',
    what: 'never tells that a withdrawal was acknowledged',
    file: 'src/exchange/state/withdrawals.ts',
    find: 'nowMs < row.atMs + WITHDRAWAL_ACK_MS ?',
    replace: 'row.atMs > 0 ?',
  },
];
