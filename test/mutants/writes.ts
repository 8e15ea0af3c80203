/**
 * @module
 * Mutants of the write path: what an answer proves, what a receipt proves, nonces, the fence, the journal before the
 * wire (2.5, 3.1, 3.2).
 */
import type { Mutant } from './mutant.ts';

/** Answers get lost after the exchange has executed. */
const LOST_ANSWERS = { faults: { F4: 4 }, ambiguities: {} } as const;
/** Requests get lost, or arrive when nobody waits for them any more. */
const LOST_REQUESTS = { faults: { F5: 4 }, ambiguities: {} } as const;
const LATE_REQUESTS = { faults: { F6: 5 }, ambiguities: {} } as const;
const DEATHS = { faults: { F50: 2, F4: 3 }, ambiguities: {} } as const;

/** See the module. */
export const MUTANTS: readonly Mutant[] = [
  {
    id: 'resend-when-unknown',
    obligation: 'O59',
    breaks: ['I5'],
    what: 'posts the same bytes again when no answer came',
    file: 'src/bot/execution/lane.ts',
    find: 'else this.#undecided(flight, result);',
    replace:
      "else if (result.kind === 'unknown') this.#post(flight);\n    else this.#undecided(flight, result);",
    hint: LOST_ANSWERS,
  },
  {
    id: 'lost-answer-is-not-sent',
    obligation: 'O67',
    what: 'takes a broken pipe for a request that never left',
    file: 'src/bot/execution/classify.ts',
    find: "return answer.kind === 'notSent' ? { kind: 'notSent', why: answer.why } : unknown(answer.why);",
    replace: "return { kind: 'notSent', why: answer.why };",
    hint: LATE_REQUESTS,
  },
  {
    id: 'not-found-is-final',
    obligation: 'O63',
    breaks: ['I30'],
    what: 'closes a write by a receipt that was not found',
    file: 'src/bot/execution/receipt.ts',
    find: "return { kind: 'open', asOfSeq: NATURAL.read(error.details['asOfSeq']), rejection: undefined };",
    replace:
      "return { kind: 'final', outcome: { status: 'rejected', reason: 'NotFound', items: [], seq: undefined, epoch: undefined } };",
    hint: LATE_REQUESTS,
  },
  {
    id: 'timer-decides',
    obligation: 'C2',
    what: 'gives an unknown write up after two seconds instead of fencing it',
    file: 'src/bot/execution/resolution.ts',
    find: 'if (isFenceDue && this.#host.mayFence && (await this.#fence())) return;',
    replace: 'if (isFenceDue) {\n        this.#closeVoid(this.#host.open.nonce);\n        return;\n      }',
    hint: LATE_REQUESTS,
  },
  {
    id: 'no-fence',
    obligation: 'C2',
    breaks: ['I6'],
    what: 'waits for a receipt forever and never fences',
    file: 'src/bot/execution/resolution.ts',
    find: 'const isFenceDue = isOpen && this.#gate.isOpen(ports.clock.monotonicMs());',
    replace: 'const isFenceDue = false;',
    hint: LOST_REQUESTS,
  },
  {
    id: 'fence-renews-the-switch',
    obligation: 'I12',
    what: 'fences with a trigger 20 s ahead',
    file: 'src/bot/execution/fence.ts',
    find: 'triggerAtMs: isAhead ? lastTriggerAtMs : ((serverNowMs + FENCE_LEAD_MS) as UnixMs),',
    replace: 'triggerAtMs: (serverNowMs + (isAhead ? 20_000 : FENCE_LEAD_MS + 19_000)) as UnixMs,',
    hint: { faults: { F5: 6, F21: 1 }, ambiguities: {} },
  },
  {
    id: 'fence-without-record',
    obligation: 'I8',
    what: 'signs a fence that the journal does not know',
    file: 'src/bot/execution/resolution.ts',
    find: 'await ports.journal.recordWrite(flight.record);',
    replace: '',
    hint: LOST_REQUESTS,
  },
  {
    id: 'fence-on-the-next-nonce',
    obligation: 'I7',
    what: 'fences with the nonce after the open one',
    file: 'src/bot/execution/resolution.ts',
    find: 'fenceCommand(nowMs, ports.lastTriggerAtMs()),\n      nonce,',
    replace: 'fenceCommand(nowMs, ports.lastTriggerAtMs()),\n      nonce: (nonce + 1n) as Nonce,',
    hint: LOST_REQUESTS,
  },
  {
    id: 'send-before-durable',
    obligation: 'I8',
    breaks: ['I8'],
    what: 'sends while the journal is still writing',
    file: 'src/bot/execution/lane.ts',
    find: 'this.#ports.journal.recordWrite(flight.record).then(\n',
    replace:
      '(this.#ports.journal.recordWrite(flight.record).catch(() => undefined), Promise.resolve()).then(\n',
  },
  {
    id: 'journal-failure-ignored',
    obligation: 'I8',
    what: 'sends a write that the journal refused',
    file: 'src/bot/execution/lane.ts',
    find: "(error: unknown) =>\n          this.#notSent(flight, false, { code: 'EXECUTION_JOURNAL_FAILED', reason: messageOf(error) }),",
    replace: '() => this.#leave(flight),',
    hint: { faults: { F55: 2, F56: 2 }, ambiguities: {} },
  },
  {
    id: 'nonce-kept-after-a-rejection',
    obligation: 'O30',
    what: 'uses the nonce of a rejected write again, although it was consumed',
    file: 'src/bot/execution/lane.ts',
    find: 'this.#finish((nonce + 1n) as Nonce, unreported);\n    winner.onEnd',
    replace:
      "this.#finish(outcome.status === 'rejected' ? nonce : ((nonce + 1n) as Nonce), unreported);\n    winner.onEnd",
    hint: { faults: { F37: 4 }, ambiguities: {} },
  },
  {
    id: 'nonce-skipped-after-a-refusal',
    obligation: 'O30',
    what: 'goes on to the next nonce when a write was refused without using its own',
    file: 'src/bot/execution/lane.ts',
    find: 'this.#busySinceMs = undefined;\n    this.#rest();\n    if (halt !== undefined) this.halt(halt);\n    else if (isTooOften)',
    replace:
      'this.#finish((this.#open.nonce + 1n) as Nonce, []);\n    if (halt !== undefined) this.halt(halt);\n    else if (isTooOften)',
    hint: { faults: { F37: 4 }, ambiguities: {} },
  },
  {
    id: 'nonce-from-the-endpoint',
    obligation: 'O27',
    breaks: ['I7', 'I10', 'I30'],
    what: 'lets a freshly read nonce decide what became of an unknown write',
    file: 'src/bot/execution/resolution.ts',
    find: 'const verdict = await this.ask();\n      if (waits.isStopped || this.#host.settle(verdict)) return;\n      const isOther',
    replace:
      'const fresh = await this.#readNonce();\n      if (fresh !== undefined) {\n        this.#closeVoid(fresh.nonce);\n        return;\n      }\n      const verdict = await this.ask();\n      if (waits.isStopped || this.#host.settle(verdict)) return;\n      const isOther',
    hint: LATE_REQUESTS,
  },
  {
    id: 'nonce-of-another-scope',
    obligation: 'O24',
    breaks: ['I7'],
    what: 'counts all wallets with one counter',
    file: 'src/bot/execution/executor.ts',
    find: 'if (!mustConsumeFirstNonce(settings, found)) lane.begin(point.nonce);',
    replace:
      'if (!mustConsumeFirstNonce(settings, found))\n      lane.begin([...this.#lanes.values()].reduce((max, one) => (one.nonce > max ? one.nonce : max), point.nonce));',
    hint: { faults: { F50: 3 }, ambiguities: {} },
  },
  {
    id: 'idle-while-in-flight',
    obligation: 'I9',
    what: 'takes the next write before the last one is answered',
    file: 'src/bot/execution/lane.ts',
    find: "this.#state = 'inflight';",
    replace: "this.#state = 'idle';",
  },
  {
    id: 'epoch-of-receipts-ignored',
    obligation: 'O119',
    breaks: ['I6', 'I18', 'I30'],
    what: 'believes the receipt of another ledger',
    file: 'src/bot/execution/receipt.ts',
    find: "return said === undefined || epoch === '' || said === epoch\n",
    replace: "return said === undefined || epoch === '' || said !== ''\n",
    hint: { faults: { F31: 3, F40: 2, F4: 6 }, ambiguities: {} },
  },
  {
    id: 'unconsumed-rejection-is-final',
    obligation: 'O61',
    breaks: ['I30'],
    what: 'takes a rejection that did not use its nonce for the end of the write',
    file: 'src/bot/execution/receipt.ts',
    find: "if (isConsumed === true) return { kind: 'final', outcome };",
    replace: "if (isConsumed !== undefined) return { kind: 'final', outcome };",
    hint: { faults: { F28: 5, F4: 4, F37: 3 }, ambiguities: {} },
  },
  {
    id: 'nonce-consumed-not-read',
    obligation: 'O30',
    breaks: ['I30'],
    what: 'takes every 422 for one that used its nonce',
    file: 'src/bot/execution/classify.ts',
    find: "if (!isConsumed) return { kind: 'refused', code: reason };",
    replace: '',
    also: [
      {
        file: 'src/bot/execution/classify.ts',
        find: 'if (isPreNonceReason(reason)) return unknown(',
        replace: 'if (isPreNonceReason(reason) && isConsumed) return unknown(',
      },
    ],
    hint: { faults: { F37: 5 }, ambiguities: {} },
  },
  {
    id: 'batch-is-all-success',
    obligation: 'O58',
    breaks: ['I30'],
    what: 'takes a 200 for the success of every item in it',
    file: 'src/bot/execution/items.ts',
    find: "if (item['state'] === 'rejected') return { kind: 'placeRejected', spec, reason: reasonOf(item) };",
    replace:
      "if (item['state'] === 'rejected')\n    return { kind: 'placed', spec, orderId: ('9999' + String(item['inputIndex'])) as OrderId, acceptedLots: spec.sizeLots, filledLots: 0 as Lots, isResting: true };",
    hint: { config: 'demo', faults: { F9: 5, F20: 4, F38: 4, F48: 5 }, ambiguities: {} },
  },
  {
    id: 'items-by-position',
    obligation: 'O58',
    breaks: ['I30'],
    what: 'matches items by their place in the list',
    file: 'src/bot/execution/items.ts',
    find: 'const index = count === undefined ? at : indexOf(item, count);',
    replace: 'const index = found.size;',
    also: [
      {
        file: 'src/bot/execution/items.ts',
        find: "if (typeof label === 'string' && label !== spec.clientOrderId)",
        replace: "if (typeof label === 'string' && label === '')",
      },
    ],
    hint: { faults: { F38: 6 }, ambiguities: {} },
  },
  {
    id: 'proxy-page-is-a-refusal',
    obligation: 'O73',
    what: 'takes a 4xx or 5xx page without a code for a refusal by the gateway',
    file: 'src/bot/execution/classify.ts',
    find: 'if (error === undefined) return unknown(',
    replace:
      "if (error === undefined) return { kind: 'refused', code: 'Unknown' };\n  if (error === undefined) return unknown(",
    also: [
      {
        file: 'src/bot/execution/classify.ts',
        find: 'if (fields === undefined) return unknown(',
        replace:
          "if (fields === undefined) return { kind: 'refused', code: 'Unknown' };\n  if (fields === undefined) return unknown(",
      },
    ],
    hint: { faults: { F12: 6 }, ambiguities: {} },
  },
  {
    id: 'server-error-is-a-refusal',
    obligation: 'O66',
    what: 'takes a 5xx for a write that was not executed',
    file: 'src/bot/execution/classify.ts',
    find: 'afterMs: answer.retryAfterMs };\n  return unknown(',
    replace:
      "afterMs: answer.retryAfterMs };\n  if (code !== '') return { kind: 'refused', code };\n  return unknown(",
    hint: { faults: { F36: 6 }, ambiguities: {} },
  },
  {
    id: 'sequenced-is-executed',
    obligation: 'O57',
    what: 'takes a 202 for the success of the write',
    file: 'src/bot/execution/classify.ts',
    find: "return { kind: 'sequenced' };",
    replace:
      "return { kind: 'final', outcome: { status: 'executed', reason: undefined, items: [], seq: undefined, epoch: undefined } };",
    hint: { faults: { F27: 6 }, ambiguities: {} },
  },
  {
    id: 'lost-receipt-is-proof',
    obligation: 'O65',
    breaks: ['I30'],
    what: 'counts a receipt that did not come as one that shows a conflict',
    file: 'src/bot/execution/receipt.ts',
    find: "if (answer.kind !== 'answer') return none(answer.why);",
    replace: "if (answer.kind !== 'answer') return { kind: 'conflict', by: undefined };",
    hint: { faults: { F4: 5, F5: 4, F1: 3 }, ambiguities: {} },
  },
  {
    id: 'unavailable-history-is-not-found',
    obligation: 'O65',
    what: 'reads 503 history_unavailable as proof that nothing was executed',
    file: 'src/bot/execution/receipt.ts',
    find: 'if (!isNotFound && !isConflict) {',
    replace:
      "if (!isNotFound && !isConflict) {\n    if (answer.status === 503) return { kind: 'final', outcome: { status: 'rejected', reason: 'Unavailable', items: [], seq: undefined, epoch: undefined } };",
    hint: { faults: { F28: 6, F4: 5 }, ambiguities: {} },
  },
  {
    id: 'foreign-writer-ignored',
    obligation: 'O29',
    breaks: ['I23'],
    what: 'goes on in a scope that another writer has used',
    file: 'src/bot/execution/lane.ts',
    find: 'if (!this.#closed.has(by.toLowerCase()))',
    replace: "if (reason === '')",
    hint: { faults: { F69: 2, F28: 3 }, ambiguities: {} },
  },
  {
    id: 'restart-skips-recovery',
    obligation: 'O34',
    what: 'begins a life without resolving what the last one left open',
    file: 'src/bot/execution/executor.ts',
    find: 'await lane.recover(open);',
    replace: '',
    hint: DEATHS,
  },
  {
    id: 'restart-sends-again',
    obligation: 'O34',
    what: 'sends the open writes of the last life once more',
    file: 'src/bot/execution/executor.ts',
    find: 'if (!mustConsumeFirstNonce(settings, found)) lane.begin(point.nonce);',
    replace:
      "if (!mustConsumeFirstNonce(settings, found)) lane.begin(point.nonce);\n    const again = open.at(-1)?.command;\n    if (again?.kind === 'place' || again?.kind === 'replace') this.#options.clock.after(4_000, () => lane.state === 'idle' && lane.send(again));",
    hint: { faults: { F50: 5, F4: 6 }, ambiguities: {} },
  },
  {
    id: 'outcome-not-recorded',
    obligation: 'I21',
    what: 'does not write down how a write ended',
    file: 'src/bot/execution/settlement.ts',
    find: 'this.#record(winner, {\n      outcome: outcome.status,',
    replace: 'if (placed.length > 1_000) this.#record(winner, {\n      outcome: outcome.status,',
    hint: DEATHS,
  },
  {
    id: 'redirect-followed',
    obligation: 'O70',
    breaks: ['I5'],
    what: 'follows a redirect with the signed body',
    file: 'src/wire/gateway/rest/client.ts',
    find: 'const result = await transport.request(request);',
    replace:
      "let result = await transport.request(request);\n    if (result.kind === 'answer' && result.status >= 300 && result.status < 400)\n      result = await transport.request(request);",
    hint: { faults: { F13: 6 }, ambiguities: {} },
  },
  {
    id: 'http-layer-repeats-posts',
    obligation: 'O71',
    what: 'has the HTTP layer repeat a POST whose connection broke',
    file: 'src/wire/gateway/rest/client.ts',
    find: 'const result = await transport.request(request);',
    replace:
      "let result = await transport.request(request);\n    if (result.kind === 'lost' && request.method === 'POST') result = await transport.request(request);",
    hint: LOST_ANSWERS,
  },
  {
    id: 'stale-write-sent-late',
    obligation: 'O78',
    what: 'sends an order that has waited for long, whatever the market and the switch are by then',
    file: 'src/bot/execution/lane.ts',
    find: 'if (this.#isUnguarded(flight)) return true;\n    return isStale(',
    replace: "return flight.record.command.kind === 'scheduleCancel' && isStale(",
    hint: { faults: { F30: 4, F35: 4, F36: 2 }, ambiguities: {} },
  },
];
