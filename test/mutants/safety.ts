/**
 * @module
 * Mutants of what takes risk away: the dead man's switch, health, cancels, halts, the end of a run.
 */
import type { Mutant } from './mutant.ts';

const RED = { faults: { F5: 4, F21: 2, F1: 2 }, ambiguities: {} } as const;
const NO_FAULTS = { faults: {}, ambiguities: {} } as const;
const SWITCH = 'src/bot/execution/dead-mans-switch.ts';

/** RecordedOrders who make the bot halt, while the exchange refuses: more of it, and no client gets a cancel through within 10 s. */
const REFUSED_AT_A_HALT = { faults: { F37: 6, F46: 3 }, ambiguities: { A3: 'lead' } } as const;

/** See the module. */
export const MUTANTS: readonly Mutant[] = [
  {
    id: 'idle-behind-a-failed-journal',
    obligation: 'I13',
    breaks: ['I13'],
    what: 'ends for a journal that failed only when a lane meets it, which no lane does below a red health',
    file: 'src/bot/live/listeners.ts',
    find: '      else run.endOnJournalFailure();\n',
    replace: '',
    // The disk must fail while the stream is away and no lane writes: seldom, and nothing fixes it from then on.
    hint: { faults: { F55: 0.4, F14: 4, F31: 6 }, ambiguities: {}, faultsForMs: 1_800_000 },
  },
  {
    id: 'markets-of-a-start-forgotten',
    obligation: 'O10',
    breaks: ['I23'],
    what: 'looks at the markets while it starts and keeps nothing of what it sees',
    file: 'src/bot/live/live-bot.ts',
    find: 'watchEnvironment({ ...this.#options, markets, onMarket })',
    replace:
      'watchEnvironment({ ...this.#options, markets, onMarket: (market) => void (this.#gate.isOpen && onMarket(market)) })',
    // A start must be long enough for a look, and the market must close within it.
    hint: { faults: { F39: 5, F14: 6, F50: 4 }, ambiguities: {}, faultsForMs: 600_000 },
  },
  {
    id: 'first-table-of-a-start',
    obligation: 'O10',
    breaks: ['I23'],
    what: 'goes by the first of the two tables of markets that it has read at its start',
    file: 'src/bot/live/run.ts',
    find: 'checkMarkets(\n      reader,',
    replace: 'checkMarkets(\n      environment,',
    hint: { faults: { F39: 10, F50: 6 }, ambiguities: {} },
  },
  {
    id: 'switch-renewed-by-a-timer',
    obligation: 'C4',
    breaks: ['I12'],
    what: 'renews the switch on every heartbeat, whatever the health is',
    file: SWITCH,
    find: 'this.#ports.withdraw();\n    this.#cancelAll();',
    replace: 'this.#cancelAll();\n    this.#renew();',
    hint: RED,
  },
  {
    id: 'waiting-renewal-not-judged-again',
    obligation: 'I12',
    breaks: ['I12'],
    what: 'lets a renewal that has waited for its lane leave by the health of the moment it was asked for',
    file: 'src/bot/execution/safety-lane.ts',
    find: 'this.#recheckRenewal();\n    const schedule',
    replace: 'const schedule',
    // The lane must be busy as the renewal comes, and who would take it back must stand still as the lane turns idle.
    hint: { faults: { F52: 8, F53: 8, F4: 6, F27: 4 }, ambiguities: {} },
  },
  {
    id: 'health-not-asked',
    obligation: 'I12',
    what: 'takes every health for green',
    file: SWITCH,
    find: 'const reasons = [...this.#ports.health()];',
    replace: 'const reasons = [...this.#ports.health()].slice(0, 0);',
    hint: RED,
  },
  {
    id: 'unresolved-health-forgotten',
    obligation: 'I12',
    what: 'leaves unresolved writes out of the health',
    file: 'src/bot/kernel/health.ts',
    find: 'const UNRESOLVED_MS_MAX = 5_000;',
    replace: 'const UNRESOLVED_MS_MAX = 5_000_000;',
    also: [
      {
        file: 'src/bot/execution/lane-supervisor.ts',
        find: 'const RED_AFTER_MS = 5000;',
        replace: 'const RED_AFTER_MS = 5_000_000;',
      },
    ],
    hint: { faults: { F4: 5, F27: 6, F28: 6 }, ambiguities: {} },
  },
  {
    id: 'stream-health-forgotten',
    obligation: 'I12',
    breaks: ['I12'],
    what: 'leaves the private stream out of the health',
    file: 'src/bot/kernel/health.ts',
    find: 'const STREAM_AGE_MS_MAX = 10_000;',
    replace: 'const STREAM_AGE_MS_MAX = Number.POSITIVE_INFINITY;',
    hint: { faults: { F14: 4 }, ambiguities: {} },
  },
  {
    id: 'armed-when-asked',
    obligation: 'O78',
    what: 'believes in the switch when its request leaves, not when it is confirmed',
    file: SWITCH,
    find: "this.#ports.send({ kind: 'scheduleCancel', triggerAtMs }, (end) => {",
    replace:
      "this.confirmed(triggerAtMs, undefined);\n    this.#ports.send({ kind: 'scheduleCancel', triggerAtMs }, (end) => {",
    hint: { faults: { F44: 3, F5: 4, F36: 3 }, ambiguities: {} },
  },
  {
    id: 'orders-before-the-switch',
    obligation: 'O78',
    what: 'places orders whether the switch is armed or not',
    file: SWITCH,
    find: 'if (this.#triggerAtMs === undefined || this.isHeld) return false;\n    return this.#triggerAtMs - this.#ports.serverNowMs() >= remainingMsMin;',
    replace: 'return remainingMsMin >= 0;',
    also: [
      {
        file: 'src/bot/risk/checks/switch-armed.ts',
        find: 'if (remainingMs >= switchRemainingMsMin && switchHeldReasons.length === 0) return undefined;',
        replace: 'if (switchRemainingMsMin >= 0) return undefined;',
      },
    ],
    hint: { faults: { F4: 6, F5: 6, F27: 6 }, ambiguities: {} },
  },
  {
    id: 'never-renewed',
    obligation: 'O78',
    what: 'arms the switch once and never again',
    file: SWITCH,
    find: 'this.#renew();\n      return;',
    replace: 'if (!wasArmed) this.#renew();\n      return;',
    hint: NO_FAULTS,
  },
  {
    id: 'trigger-too-far',
    obligation: 'I11',
    what: 'sets the switch a minute ahead',
    file: SWITCH,
    find: 'this.#ports.serverNowMs() + this.#settings.timeoutMs) as UnixMs;',
    replace: 'this.#ports.serverNowMs() + this.#settings.timeoutMs * 3) as UnixMs;',
  },
  {
    id: 'switch-cleared-when-red',
    obligation: '3.4',
    breaks: ['I11', 'I23'],
    what: 'clears the switch when its health is red, in place of letting it fire',
    file: SWITCH,
    find: 'this.#ports.withdraw();\n    this.#cancelAll();',
    replace:
      "this.#ports.withdraw();\n    this.#ports.send({ kind: 'scheduleCancel', triggerAtMs: 0 }, () => undefined);",
    hint: { faults: { F28: 5, F4: 5, F27: 5 }, ambiguities: { A3: 'plain' } },
  },
  {
    id: 'clock-of-this-machine',
    obligation: 'O47',
    what: 'signs with the time of its own machine',
    file: 'src/wire/gateway/server-clock.ts',
    find: 'if (this.#best === undefined) return this.#clock.nowMs();',
    replace: 'if (this.#best === undefined || this.#lastJumpMs !== undefined) return this.#clock.nowMs();',
    hint: { faults: { F54: 3, F49: 3 }, ambiguities: {} },
  },
  {
    id: 'cancel-blocked-by-a-halt',
    obligation: 'I23',
    breaks: ['I23'],
    what: 'cancels nothing any more once a lane has halted',
    file: 'src/bot/execution/executor.ts',
    find: "if (this.#phase !== 'disposed') this.#safety.submit(command);",
    replace:
      "if (this.#phase !== 'disposed' && this.lanes().every((lane) => lane.haltCode === undefined))\n      this.#safety.submit(command);",
    also: [
      {
        file: 'src/bot/execution/executor.ts',
        find: 'send: (command, onEnd) => this.#safety.submit(command, onEnd),',
        replace:
          "send: (command, onEnd) => {\n          if (command.kind === 'cancelAll' && this.lanes().some((lane) => lane.haltCode !== undefined)) return;\n          this.#safety.submit(command, onEnd);\n        },",
      },
    ],
    hint: { faults: { F45: 2, F69: 2 }, ambiguities: {} },
  },
  {
    id: 'refused-cancel-all-forgotten',
    obligation: 'I23',
    breaks: ['I23'],
    what: 'asks for nothing again once cancel-all and the switch at once were refused, and renews the switch',
    file: 'src/bot/execution/safety-lane.ts',
    find: "else if (end !== 'superseded') this.#retry.schedule();",
    replace: '',
    hint: REFUSED_AT_A_HALT,
  },
  {
    id: 'renewed-behind-a-refused-cancel-all',
    obligation: 'C4',
    breaks: ['I12'],
    what: 'renews the switch while a refused cancel-all leaves orders in the book',
    file: 'src/bot/execution/safety-lane.ts',
    find: 'return !this.#retry.isPending || (this.#ports.lastTriggerAtMs() ?? 0) <= this.#ports.serverNowMs();',
    replace: 'return triggerAtMs !== 0;',
    hint: REFUSED_AT_A_HALT,
  },
  {
    id: 'safety-waits-for-trading',
    obligation: 'C3',
    breaks: ['I23'],
    what: 'sends no cancel while a trading lane is blocked',
    file: 'src/bot/execution/safety-lane.ts',
    find: "if (this.#own.state === 'idle') return this.#own;",
    replace:
      "if (this.#others.some((lane) => lane.state !== 'idle')) return undefined;\n    if (this.#own.state === 'idle') return this.#own;",
    hint: { faults: { F28: 4, F4: 5, F27: 4 }, ambiguities: {} },
  },
  {
    id: 'empty-book-not-read',
    obligation: 'I27',
    what: 'calls the book empty as soon as it is asked to end',
    file: 'src/bot/execution/open-orders-proof.ts',
    find: 'const canceling = new Canceling(ports);',
    replace:
      'if (untilMs > 0) return { isProven: true, seq: ports.position.newest };\n  const canceling = new Canceling(ports);',
  },
  {
    id: 'orders-placed-after-a-halt',
    obligation: 'I23',
    what: 'lets orders pass in a scope that is halted',
    file: 'src/bot/risk/checks/trading-state.ts',
    find: "if (state === 'active' || state === 'throttled' || spec.reduceOnly) return undefined;",
    replace: 'if (state.length > 0) return undefined;',
    hint: { config: 'demo', faults: { F37: 12 }, ambiguities: {} },
  },
  {
    id: 'dead-strategy-still-heard',
    obligation: 'I17',
    what: 'takes orders from a life of a strategy that is over',
    file: 'src/bot/kernel/intent-router.ts',
    find: 'if (this.#isClosed || !host.isRunning || host.instanceId !== instanceId) {',
    replace: 'if (this.#isClosed) {',
    also: [
      {
        file: 'src/bot/kernel/order-lines.ts',
        find: '!host.isRunning || host.instanceId !== instanceId;',
        replace: 'false;',
      },
      {
        file: 'src/bot/kernel/intent-router.ts',
        find: 'if (wanted === undefined || !host.isRunning) {',
        replace: 'if (wanted === undefined) {',
      },
    ],
    hint: { faults: { F61: 3, F67: 3 }, ambiguities: {} },
  },
  {
    id: 'failed-strategy-keeps-its-orders',
    obligation: 'I17',
    breaks: ['I17'],
    what: 'leaves the orders of a strategy that failed where they are',
    file: 'src/bot/kernel/strategy-supervisor.ts',
    find: 'this.#ends.set(host, why);\n    router.cancelAll(host, why);',
    replace: 'if (host.life < 0) router.cancelAll(host, why);',
    hint: { config: 'company', faults: { F61: 4 }, ambiguities: {} },
  },
  {
    id: 'lost-grant-ignored',
    obligation: 'O49',
    what: 'goes on writing with a wallet whose grant is gone',
    file: 'src/bot/execution/settlement.ts',
    find: 'if (GRANT_CODES.has(code))',
    replace: "if (GRANT_CODES.has(code) && code === '')",
    also: [
      {
        file: 'src/bot/execution/lane.ts',
        find: 'const REFUSALS_MAX = 10;',
        replace: 'const REFUSALS_MAX = 1_000_000;',
      },
    ],
    hint: { faults: { F45: 3 }, ambiguities: {} },
  },
];
