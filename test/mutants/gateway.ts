/**
 * @module
 * Mutants of the gateway: budgets, headers, identities, the environment.
 */
import type { Mutant } from './mutant.ts';

const BUDGETS = { faults: { F35: 4 }, ambiguities: {} } as const;
const BUCKET = 'src/wire/gateway/rest/request-bucket.ts';

/** See the module. */
export const MUTANTS: readonly Mutant[] = [
  {
    id: 'retry-after-ignored',
    obligation: 'I14',
    breaks: ['I14'],
    what: 'sends on while a 429 asks to wait',
    file: BUCKET,
    find: 'this.#blockedUntilMs = Math.max(this.#blockedUntilMs, nowMs + waitMs);\n    this.#concurrentMax = 1;',
    replace: 'this.#blockedUntilMs = Math.max(this.#blockedUntilMs, nowMs + waitMs * 0);',
    hint: BUDGETS,
  },
  {
    id: 'probes-all-together',
    obligation: 'O115',
    breaks: ['I14'],
    what: 'lets everybody go at once when the wait after a 429 is over',
    file: BUCKET,
    find: 'nowMs + waitMs);\n    this.#concurrentMax = 1;',
    replace: 'nowMs + waitMs);',
    hint: BUDGETS,
  },
  {
    id: 'date-by-own-clock',
    obligation: 'O117',
    breaks: ['I14'],
    what: 'holds a wait until a date against the clock of the machine',
    file: 'src/wire/gateway/rest/request-budget.ts',
    find: 'retryAfterMsOf(answer.headers, this.#serverNowMs())',
    replace: 'retryAfterMsOf(answer.headers, this.#clock.nowMs())',
    // One refusal in thirty tells a date, and the clock must be ahead just then.
    hint: { faults: { F35: 20, F54: 4 }, ambiguities: {}, faultsForMs: 1_800_000 },
  },
  {
    id: 'wrong-bucket-waits',
    obligation: 'O115',
    what: 'waits in the account budget when the address is over its own',
    file: 'src/wire/gateway/rest/request-budget.ts',
    find: 'this.#close(named === undefined ? this.#bucketNamesOf(request) : [named], stated, nowMs)',
    replace: "this.#close(['account'], stated, nowMs)",
    hint: BUDGETS,
  },
  {
    id: 'no-reserve',
    obligation: 'O116',
    breaks: ['I26'],
    what: 'keeps nothing of a budget for receipts, cancels and the switch',
    file: BUCKET,
    find: 'const RESERVE_SHARE = 0.15;',
    replace: 'const RESERVE_SHARE = -100;',
    hint: BUDGETS,
  },
  {
    id: 'header-prefix-fixed',
    obligation: 'O2',
    what: 'knows one prefix of headers only',
    file: 'src/wire/gateway/rest/client.ts',
    find: 'this.#names = headerNames(options.headerPrefix);',
    replace: 'this.#names = headerNames();',
    hint: { faults: { F29: 3 }, ambiguities: {}, settings: { headerPrefix: 'x-other-' } },
  },
  {
    id: 'wallet-as-account',
    obligation: 'O15',
    breaks: ['I22'],
    what: "names the API wallet's address where the account's belongs",
    file: 'src/wire/gateway/rest/write-pipe.ts',
    find: 'query: { ...account, signer }, minSeq',
    replace: 'query: { ...account, address: signer, signer }, minSeq',
  },
  {
    id: 'account-number-as-address',
    obligation: 'O32',
    breaks: ['I22'],
    what: 'writes the number that is signed for the account where its address belongs',
    file: 'src/bot/execution/in-flight-write.ts',
    find: 'account: account.address,\n      subaccount',
    replace:
      "account: '0x'.concat(flight.target.context.signingAccountId.toString(16).padStart(40, '0')),\n      subaccount",
  },
  {
    id: 'twap-for-a-vault',
    obligation: 'O40',
    breaks: ['I22'],
    what: 'sends its orders as TWAPs, and for a vault',
    file: 'src/wire/protocol/commands/write.ts',
    find: 'return planPlace(command, context, nowMs);',
    replace:
      'return planTwap({ ...command.orders[0]!, slices: 2, intervalMs: 1_000, priceTolerancePpm: 100 }, context, nowMs);',
    also: [
      {
        file: 'src/wire/protocol/commands/write.ts',
        find: "import { readTwap } from './twap.ts';",
        replace: "import { planTwap, readTwap } from './twap.ts';",
      },
      {
        file: 'src/bot/execution/in-flight-write.ts',
        find: '      vault: vaultOf(flight.target),\n',
        replace: "      vault: flight.planned.path === '/v1/orders/twap' ? '1' : vaultOf(flight.target),\n",
      },
    ],
  },
  {
    id: 'nonce-of-the-account',
    obligation: 'O31',
    what: "asks for the account's nonce and signs with it as the wallet's",
    file: 'src/wire/gateway/rest/write-pipe.ts',
    find: 'query: { ...account, signer }, minSeq',
    replace: 'query: account, minSeq',
    also: [
      {
        file: 'src/bot/execution/start.ts',
        find: 'if (next.scope === scope && next.signingAccountId === account) return next;',
        replace: 'if (next.signingAccountId === account) return next;',
      },
    ],
  },
  {
    id: 'signer-left-out',
    obligation: 'O37',
    what: 'does not name the API wallet that signed',
    file: 'src/bot/execution/in-flight-write.ts',
    find: 'signer: writer.signer.address === account.address ? undefined : writer.signer.address,',
    replace: 'signer: undefined,',
  },
  {
    id: 'min-seq-of-the-grant-forgotten',
    obligation: 'O50',
    what: 'sends the first write after an approval without its position',
    file: 'src/bot/execution/lane.ts',
    find: 'const minSeq = options.minSeq ?? this.#firstMinSeq;',
    replace: 'const { minSeq } = options;',
    hint: { faults: { F29: 3 }, ambiguities: {} },
  },
  {
    id: 'first-nonce-not-burned',
    obligation: 'O122',
    what: 'begins with an order after an approval, whatever bytes may still be on their way',
    file: 'src/bot/execution/executor.ts',
    find: "lane.begin(opened.nonce);\n    if (lane.state !== 'idle') return;",
    replace: "lane.begin(opened.nonce);\n    if (lane.state === 'idle') return;",
  },
  {
    id: 'other-scopes-receipt',
    obligation: 'O62',
    what: 'asks for receipts with the nonce and without its scope',
    file: 'src/wire/gateway/rest/write-pipe.ts',
    find: 'query: { scope, nonce, commandHash },',
    replace: "query: { nonce, commandHash, ...(scope === '' ? { scope } : {}) },",
    hint: { faults: { F4: 5 }, ambiguities: {} },
  },
  {
    id: 'other-bytes-than-recorded',
    obligation: 'O44',
    what: 'signs other bytes than those that it sends and records',
    file: 'src/bot/execution/in-flight-write.ts',
    find: 'const bytes = bytesOf(planned.canonical);',
    replace:
      "const { canonical } = planned;\n  const bytes = bytesOf(\n    canonical.kind === 'BatchPlace' ? { ...canonical, nowMs: canonical.nowMs + 1 } : canonical,\n  );",
  },
];
