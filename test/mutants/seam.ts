/**
 * @module
 * Mutants of the streams: subscriptions, snapshots, `lagged`, epochs, backfill and the join of history and live frames
 * (3.3).
 */
import type { Mutant } from './mutant.ts';

const DROPS = { faults: { F15: 3, F22: 1 }, ambiguities: {} } as const;
const LAGS = { faults: { F17: 3, F32: 4 }, ambiguities: {} } as const;
const EPOCHS = { faults: { F31: 2, F40: 2 }, ambiguities: {} } as const;
const DEATHS = { faults: { F50: 2, F15: 1 }, ambiguities: {} } as const;

const SEAM = 'src/wire/stream/account/resync.ts';
const WALK = 'src/wire/stream/account/history-walk.ts';
const CURSORS = 'src/wire/stream/cursors.ts';

/** What is lost is found by the audit of the account, too: these clients have none. */
const NO_AUDIT = [
  {
    file: 'src/wire/stream/account/exchange-audit.ts',
    find: 'if (this.#isStopped || this.#isRunning) return;',
    replace: 'if (this.#timer === undefined) return;',
  },
  {
    file: 'src/wire/stream/account/exchange-audit.ts',
    find: 'return this.#hasReread;',
    replace: 'return true;',
  },
  {
    file: 'src/wire/stream/account/account-audit.ts',
    find: 'return this.#asked.get(symbol) === differenceLots;',
    replace: 'return differenceLots !== 0;',
  },
] as const;

/** See the module. */
export const MUTANTS: readonly Mutant[] = [
  {
    id: 'snapshot-omissions-ignored',
    obligation: 'O93',
    breaks: ['I4'],
    what: 'keeps an order that a snapshot leaves out',
    file: 'src/domain/order-store.ts',
    find: 'if (present.has(record.orderId)) continue;',
    replace: 'if (record.orderId !== undefined) continue;',
    hint: { faults: { F15: 5, F17: 8, F46: 8 }, ambiguities: {} },
  },
  {
    id: 'lagged-ignored',
    obligation: 'O98',
    what: 'goes on after a lagged frame as if nothing had been dropped',
    file: SEAM,
    find: 'this.#degrade(`lagged: ',
    replace: 'if (lag.dropped >= 0) return;\n    this.#degrade(`lagged: ',
    also: NO_AUDIT,
    hint: LAGS,
  },
  {
    id: 'lagged-for-fills-only',
    obligation: 'O103',
    breaks: ['I25'],
    what: 'reads fills again after a lag and waits for no snapshots of orders and positions',
    file: SEAM,
    find: 'this.#interruptHistory();\n    this.#watch.expect(STATE_CHANNELS);',
    replace: 'this.#isLive = false;',
    also: NO_AUDIT,
    hint: { faults: { F17: 5, F43: 3, F46: 4 }, ambiguities: { A5: 'none' } },
  },
  {
    id: 'gap-means-resync',
    obligation: 'O95',
    breaks: ['I28'],
    what: 'takes a jump of seq for a loss and connects again',
    file: SEAM,
    find: 'if (!isHistory(frame) && frame.isSnapshot) this.#noteSnapshot(',
    replace:
      "if (this.#isLive && frame.seq !== undefined && this.#seq !== undefined && frame.seq > this.#seq + 1n) {\n      this.#options.link.reconnect('a gap');\n      return;\n    }\n    if (!isHistory(frame) && frame.isSnapshot) this.#noteSnapshot(",
    also: [
      {
        file: SEAM,
        find: 'if (seq !== undefined && (this.#seq === undefined || seq > this.#seq)) this.#seq = seq;',
        replace: 'if (seq !== undefined && !this.#isLive) this.#seq = seq;',
      },
    ],
  },
  {
    id: 'backfill-without-min-seq',
    obligation: 'O109',
    breaks: ['I1'],
    what: 'backfills from whatever replica answers, behind the subscription or not',
    file: SEAM,
    find: 'this.#hasWalked ? this.#nextGoal(epoch) : { epoch, minSeq: joinSeq };',
    replace: 'this.#hasWalked ? this.#nextGoal(epoch) : { epoch };',
    also: NO_AUDIT,
    hint: { faults: { F15: 8, F29: 8, F41: 12 }, ambiguities: {} },
  },
  {
    id: 'reconnect-without-backfill',
    obligation: 'O109',
    what: 'reads no history after a reconnect',
    file: SEAM,
    find: 'this.#hasWalked = false;\n    this.#lag',
    replace: 'this.#lag',
    also: NO_AUDIT,
    hint: { faults: { F15: 4, F21: 2 }, ambiguities: {} },
  },
  {
    id: 'bounds-again-for-each-page',
    obligation: 'O100',
    breaks: ['I24'],
    what: 'asks each page of history without the epoch and the bound of the first',
    file: WALK,
    find: 'return { after, epoch: this.#goal.epoch, upper, limit: PAGE_LIMIT_MAX };',
    replace: 'return { after, limit: PAGE_LIMIT_MAX };',
    hint: DROPS,
  },
  {
    id: 'min-seq-dropped-on-412',
    obligation: 'O19',
    breaks: ['I24'],
    what: 'asks again without min-seq when a replica was behind',
    file: WALK,
    find: 'for (;;) {\n      const result = await this.#steps.read(query);',
    replace:
      'for (let isFirst = true; ; isFirst = false) {\n      const result = await this.#steps.read(isFirst ? query : { ...query, minSeq: undefined });',
    also: [
      {
        file: WALK,
        find: 'if (minSeq === undefined || seqOfCursor(answer.page.upper) >= minSeq) return answer;',
        replace: 'if (limit > 0) return answer;',
      },
    ],
    hint: { faults: { F29: 4, F30: 4, F15: 3 }, ambiguities: {} },
  },
  {
    id: 'not-complete-is-the-end',
    obligation: 'O101',
    what: 'takes `not yet complete` for the end of the history',
    file: WALK,
    find: '} else if (!(await this.#steps.pause(result.why, result.afterMs)))',
    replace:
      "} else if (result.why === 'not yet complete' && query.upper !== undefined) {\n        return { kind: 'page', page: { kind: 'page', epoch: this.#goal.epoch, upper: query.upper, next: null, hasMore: false, entries: [] } };\n      } else if (!(await this.#steps.pause(result.why, result.afterMs)))",
    also: NO_AUDIT,
    hint: { faults: { F15: 8, F33: 10, F41: 10 }, ambiguities: {} },
  },
  {
    id: 'only-the-first-page',
    obligation: 'O100',
    what: 'reads one page of a history and leaves the rest',
    file: WALK,
    find: 'if (flaw === undefined && (!page.hasMore || isAtStart)) return await this.#end(upper);',
    replace: 'if (flaw === undefined) return this.#finish(upper);',
    also: NO_AUDIT,
    hint: { faults: { F15: 8, F34: 10, F41: 10 }, ambiguities: {} },
  },
  {
    id: 'history-only-ascends',
    obligation: 'A7',
    what: 'believes that history is always sorted upwards',
    file: WALK,
    find: 'if (order < 0) return await this.#descend();',
    replace: '',
    also: [
      ...NO_AUDIT,
      {
        file: WALK,
        find: '? await this.#descend() : this.#finish(upper);',
        replace: '? this.#finish(upper) : this.#finish(upper);',
      },
      {
        file: WALK,
        find: "if (this.#direction === 'down' && !this.#isFromHead) return await this.#descend();",
        replace: '',
      },
    ],
    hint: { faults: { F15: 4, F21: 2 }, ambiguities: { A7: 'descending' } },
  },
  {
    id: 'epochs-mixed',
    obligation: 'O96',
    what: 'takes frames of another ledger than the acknowledged one',
    file: SEAM,
    find: "link.reconnect('a frame of another epoch');\n      return;",
    replace: '',
    also: [
      {
        file: SEAM,
        find: "this.#options.link.reconnect('acknowledgements of two epochs');\n      return;",
        replace: '',
      },
    ],
    hint: { faults: { F24: 6, F31: 6, F40: 3 }, ambiguities: {} },
  },
  {
    id: 'cursors-kept-over-epochs',
    obligation: 'O108',
    what: 'goes on from the old cursors in a new ledger',
    file: 'src/wire/stream/account/account-facts.ts',
    find: 'this.fills.resumeAt(undefined);\n    this.ledger.resumeAt(undefined);',
    replace: '',
    hint: { faults: { F40: 6 }, ambiguities: {} },
  },
  {
    id: 'account-kept-over-epochs',
    obligation: 'I18',
    what: 'keeps orders and positions of the old ledger in the new one',
    file: 'src/domain/account-state.ts',
    find: 'this.#books.beginEpoch(waiting);\n    this.#audit.clear();',
    replace: '',
    hint: EPOCHS,
  },
  {
    id: 'fills-known-by-seq',
    obligation: 'O97',
    breaks: ['I1', 'I2', 'I28'],
    what: 'knows applied fills by their seq instead of their id',
    file: CURSORS,
    find: 'return this.#recent.has(id) ||',
    replace:
      "if (this.#newest !== undefined && this.#newest.split('-')[0] === id.split('-')[0]) return true;\n    return this.#recent.has(id) ||",
    also: NO_AUDIT,
  },
  {
    id: 'fills-booked-twice',
    obligation: 'I1',
    what: 'books the entries again that backfill and live frames both bring',
    file: CURSORS,
    find: 'if (this.#isApplied(id)) return false;',
    replace: '',
    hint: { faults: { F15: 3, F18: 3, F32: 2 }, ambiguities: {} },
  },
  {
    id: 'cursors-compared-as-text',
    obligation: 'O110',
    breaks: ['I1', 'I3'],
    what: 'compares places in history as text',
    file: 'src/domain/ids.ts',
    find: 'if (x !== y) return x < y ? -1 : 1;',
    replace: 'if (x !== y) return String(x) < String(y) ? -1 : 1;',
  },
  {
    id: 'cursor-before-effect',
    obligation: 'O97',
    breaks: ['I1'],
    what: 'stores the newest entry, and with it the cursor, before the entries that lie below it',
    file: 'src/wire/stream/account/effect-writer.ts',
    find: 'const record = {\n        ...{ epoch: this.#epoch, fills, ledger },',
    replace:
      'const epoch = this.#epoch;\n      await this.#effects.recordEffects({ epoch, fills: fills.splice(-1), ledger: ledger.splice(-1) });\n      const record = {\n        ...{ epoch, fills, ledger },',
    also: NO_AUDIT,
    hint: { faults: { F50: 3, F15: 3, F41: 3 }, ambiguities: {} },
  },
  {
    id: 'effect-before-cursor',
    obligation: 'O97',
    breaks: ['I1'],
    what: 'forgets the stored cursors at a restart, so that stored effects come once more',
    file: 'src/wire/stream/account/account-facts.ts',
    find: 'this.fills.resume({ ids: fills.map(idOf), newest: cursors.fills, proven: proven.fills });',
    replace: '',
    hint: DEATHS,
  },
  {
    id: 'effects-not-stored',
    obligation: 'I1',
    what: 'shows live fills and does not write them down',
    file: 'src/wire/stream/account/account-facts.ts',
    find: "if (frame.channel === 'fills') this.applyFills([frame.fill], 'stream');",
    replace: "if (frame.channel === 'fills') this.#showFill(frame.fill);",
    also: NO_AUDIT,
    hint: DEATHS,
  },
  {
    id: 'acknowledgement-never-missed',
    obligation: 'O86',
    what: 'does not ask again when a subscription is not acknowledged',
    file: 'src/wire/stream/stream-connection.ts',
    find: 'if (subscription.isAcknowledged || nowMs < subscription.againAtMs) continue;',
    replace: 'if (nowMs >= 0) continue;',
    hint: { faults: { F24: 5, F15: 3 }, ambiguities: {} },
  },
  {
    id: 'ping-only-when-idle',
    obligation: 'O89',
    breaks: ['I29'],
    what: 'sends no ping while frames come in',
    file: 'src/wire/stream/heartbeat.ts',
    find: 'if (nowMs - this.#lastPingMs >= PING_INTERVAL_MS) return this.#ping(nowMs);',
    replace: '',
    also: [
      {
        file: 'src/wire/stream/heartbeat.ts',
        find: 'const SILENCE_MS = 1_000;',
        replace: 'const SILENCE_MS = 8_000;',
      },
    ],
  },
  {
    id: 'half-open-unnoticed',
    obligation: 'O90',
    breaks: ['I29'],
    what: 'never gives a silent connection up',
    file: 'src/wire/stream/heartbeat.ts',
    find: "if (isSilent && nowMs - this.#lastPingMs >= ANSWER_MS_MAX) return 'dead';",
    replace: '',
    also: [
      {
        file: 'src/wire/stream/heartbeat.ts',
        find: "if (nowMs - waitingSinceMs >= PONG_MS_MAX) return 'dead';",
        replace: '',
      },
    ],
    hint: { faults: { F21: 3 }, ambiguities: {} },
  },
  {
    id: 'late-open-revives',
    obligation: 'O82',
    breaks: ['I4'],
    what: 'lets a late `open` bring an ended order back',
    file: 'src/wire/stream/account/order-facts.ts',
    find: 'if (endedSeq !== undefined && seq <= endedSeq) return;',
    replace: '',
    also: [
      {
        file: 'src/wire/stream/account/order-facts.ts',
        find: 'if (knownSeq === undefined && seq <= snapshotSeq) return;',
        replace: '',
      },
      {
        file: 'src/domain/order-store.ts',
        find: 'if (record.endedAs !== undefined || (record.seq !== undefined && seq < record.seq)) return;',
        replace: 'record.endedAs = undefined;',
      },
      {
        file: 'src/domain/order-store.ts',
        find: 'if (isKnown && isSameOrder(before, order, record)) return;',
        replace: '',
      },
    ],
    hint: { faults: { F19: 5, F18: 5, F20: 3 }, ambiguities: {} },
  },
  {
    id: 'changes-replace-the-whole',
    obligation: 'A4',
    what: 'takes a frame with changed orders for the whole set',
    file: 'src/wire/stream/account/account-facts.ts',
    find: 'if (frame.isSnapshot) return this.orders.replace(frame.orders, seq);',
    replace:
      "if (frame.isSnapshot || frame.orders.some(({ status }) => status === 'open')) return this.orders.replace(frame.orders, seq);",
  },
  {
    id: 'ids-only-as-text',
    obligation: 'A17',
    what: 'reads order numbers only when they are text',
    file: 'src/bot/execution/bodies.ts',
    find: "const text = ID.read(fields['orderId']);",
    replace: "const text = TEXT.read(fields['orderId']);",
    hint: { faults: {}, ambiguities: { A17: 'number' } },
  },
  {
    id: 'settlement-not-followed',
    obligation: 'I2',
    breaks: ['I2', 'I13'],
    what: 'knows positions by fills alone, whatever the ledger paid for them',
    file: 'src/wire/stream/account/account-audit.ts',
    find: 'if (entry.symbol === null || !movesPosition(entry)) return;',
    replace: 'if (entry.symbol !== null || !movesPosition(entry)) return;',
    hint: { faults: { F39: 4 }, ambiguities: {} },
  },
  {
    id: 'read-for-each-loss',
    obligation: 'O118',
    breaks: ['I15', 'I29'],
    what: 'asks for missed trades, bars and settlements again at each loss of frames, whatever is asked already',
    file: 'src/wire/stream/market/backfill.ts',
    find: 'if (!this.#isReading) this.#attempt(this.#ordinal);',
    replace: 'this.#attempt(this.#ordinal);',
    hint: { faults: { F32: 8, F52: 4 }, ambiguities: {} },
  },
];
