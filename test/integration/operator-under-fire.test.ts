/**
 * Hundreds of random actions of a person on a whole bot, while requests and streams are disturbed: each has its effect or a
 * named refusal, nothing is placed after a confirmed pause, and the run made again from its log decides the same.
 */

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { OPERATOR_ACTIONS } from '../../src/bot/operator/actions.ts';
import type { ActionAnswer } from '../../src/bot/operator/documents.ts';
import { Kept } from '../../src/bot/operator/kept.ts';
import type { OperatedBot, OperatedRun } from '../../src/bot/operator/ports.ts';
import { formatEntry, parseEntry, type RunLogHeader, reRun } from '../../src/bot/replay/index.ts';
import { reRunOptionsOf } from '../../src/bot/replay/replay.ts';
import { RunLog } from '../../src/bot/replay/run-log.ts';
import { prepareStrategies } from '../../src/bot/setup/index.ts';
import { loadConfig } from '../../src/config/index.ts';
import {
  type AuditEvent,
  BotError,
  must,
  type Random,
  runAction,
  seededRandom,
  silentLog,
} from '../../src/core/index.ts';
import { someFigures } from '../support/run-figures.ts';
import { type Disturbance, disturb, runWholeBot, startOf } from '../support/whole-bot.ts';

const FIRST_MS = 5_000;
const EACH_MS = 200;
const ACTIONS = 500;
const CONFIG = join(import.meta.dirname, '..', '..', 'configs', 'demo.yaml');

/** A request to the door. */
interface Asked {
  readonly name: string;
  readonly body: Readonly<Record<string, string>>;
  readonly atMs: number;
  answer?: ActionAnswer;
  answeredAtMs?: number;
  refusal?: string;
  bug?: unknown;
}

function draw(random: Random, at: number): Pick<Asked, 'name' | 'body'> {
  const one = <T>(...choices: readonly T[]): T =>
    must(choices[random.integer(0, choices.length - 1)], 'a choice');
  const scope = one({}, {}, { market: 'BTC-USD' }, { strategy: 'ladder' }, { strategy: 'lader' });
  const reason = `reason ${at}`;
  const market = one({}, { market: 'BTC-USD' });
  const set = {
    parameter: one('ladder.levels', 'ladder.levls', 'ladder.size'),
    value: one('1', '2', '0.002', '['),
  };
  return one<Pick<Asked, 'name' | 'body'>>(
    { name: 'pause', body: { ...scope, reason } },
    { name: 'reduce', body: { ...scope, reason } },
    { name: 'resume', body: { ...scope, reason } },
    { name: 'resume', body: { ...scope, reason } },
    { name: 'resume', body: { reason } },
    { name: 'cancel-all', body: { ...scope, reason } },
    { name: 'flatten', body: { ...market, reason } },
    { name: 'set', body: { ...set, reason } },
  );
}

/** Disturbances that a bot gets over on its own, one after the other. */
function drawDisturbances(random: Random, untilMs: number): readonly Disturbance[] {
  const kinds = [
    'answers lost after commit',
    'requests late after loss',
    'answers delayed',
    'streams cut',
    'reads fail',
  ] as const;
  const plan: Disturbance[] = [];
  for (let atMs = FIRST_MS + 2_000; atMs < untilMs; atMs += random.integer(3_000, 9_000)) {
    const kind = must(kinds[random.integer(0, kinds.length - 1)], 'a kind');
    plan.push({ kind, atMs, forMs: random.integer(200, 1_500), strength: 0.3 });
  }
  return plan;
}

/** All scopes are let go, then the account is paused, and nobody does anything for a while: {@link QUIET_ACTIONS} turns. */
const REST: readonly Pick<Asked, 'name' | 'body'>[] = [
  { name: 'resume', body: { reason: 'on', strategy: 'ladder' } },
  { name: 'resume', body: { reason: 'on', market: 'BTC-USD' } },
  { name: 'resume', body: { reason: 'on' } },
  { name: 'pause', body: { reason: 'rest' } },
];
const ROUND_ACTIONS = 30;
const QUIET_ACTIONS = 12;

/** What is asked at turn `at`; `undefined`: nothing. */
function turn(random: Random, at: number): Pick<Asked, 'name' | 'body'> | undefined {
  const inRound = at % ROUND_ACTIONS;
  if (inRound >= ROUND_ACTIONS - QUIET_ACTIONS) return undefined;
  return REST[inRound - (ROUND_ACTIONS - QUIET_ACTIONS - REST.length)] ?? draw(random, at);
}

/** Spans, in Unix ms, in which nothing may be placed: from a confirmed pause of the account until somebody acts again. */
function quietSpans(asked: readonly Asked[]): readonly (readonly [number, number])[] {
  return asked.flatMap(({ body, atMs, answer, answeredAtMs }) =>
    body['reason'] === 'rest' && answer?.isConfirmed === true && answeredAtMs !== undefined
      ? [[answeredAtMs, atMs + QUIET_ACTIONS * EACH_MS] as const]
      : [],
  );
}

describe('a person under fire', () => {
  test.each([11, 12, 13])(
    'seed %i: actions have their effect or a named refusal; the replay decides the same',
    async (seed) => {
      const random = seededRandom(`operator ${seed}`);
      const forMs = FIRST_MS + ACTIONS * EACH_MS + 8_000;
      const source = loadConfig(CONFIG);
      const strategies = await prepareStrategies(source);
      const log = new RunLog();
      let header: RunLogHeader | undefined;
      const begin = (begun: RunLogHeader) => {
        header = begun;
      };
      const asked: Asked[] = [];
      const audit: AuditEvent[] = [];
      let bot: OperatedBot | undefined;
      const run = await runWholeBot({
        ...{ seed, forMs, strategies },
        runLog: { log, begin, waiting: 0, flush: async () => undefined, close: async () => undefined },
        onBot: (made) => {
          bot = made;
        },
        prepare: (world) => {
          disturb(world, drawDisturbances(random, FIRST_MS + ACTIONS * EACH_MS));
          const { clock } = world;
          const operated: OperatedRun = {
            ...{ clock, log: silentLog, about: {} as never, lines: new Kept(1), events: new Kept(1) },
            board: undefined,
            started: () =>
              bot && {
                bot,
                audit: { record: (event) => audit.push(event) },
                parametersOf: () => ['levels', 'size'],
                figures: someFigures(),
              },
            stop: () => undefined,
          };
          for (let at = 0; at < ACTIONS; at++)
            clock.after(FIRST_MS + at * EACH_MS, () => {
              const drawn = turn(random, at);
              if (drawn === undefined) return;
              const one: Asked = { ...drawn, atMs: clock.nowMs() };
              asked.push(one);
              const action = must(
                OPERATOR_ACTIONS.find(({ name }) => name === one.name),
                'an action',
              );
              const work = async () => await runAction<OperatedRun>(action, operated, one.body);
              work().then(
                (answer) => {
                  one.answer = answer as ActionAnswer;
                  one.answeredAtMs = clock.nowMs();
                },
                (thrown: unknown) => {
                  if (thrown instanceof BotError) one.refusal = thrown.code;
                  else one.bug = thrown;
                },
              );
            });
        },
      });
      expect(asked.length).toBeGreaterThan(ACTIONS / 2);
      expect(asked.filter(({ answer, refusal }) => answer === undefined && refusal === undefined)).toEqual(
        [],
      );
      const refused = asked.filter(({ refusal }) => refusal !== undefined);
      expect(refused.every(({ refusal }) => refusal === 'CONTROL_INVALID')).toBe(true);
      expect(refused.length).toBeGreaterThan(10);
      const spans = quietSpans(asked);
      expect(spans.length).toBeGreaterThan(5);
      const placed = run.observed.placedAtMs.filter((atMs) =>
        spans.some(([from, to]) => atMs > from && atMs < to),
      );
      expect(placed.map((atMs) => atMs - startOf(run.world))).toEqual([]);
      expect(run.observed.breaks).toEqual([]);
      expect(run.observed.atEnd().openOrders).toBe(0);
      expect(run.report).toMatchObject({ openOrdersProof: 'proven', reconciled: true, differences: [] });

      const entries = log.take().map((entry) => parseEntry(formatEntry(entry)));
      const calls = entries.filter(({ event }) => event.kind === 'call' && event.name !== 'recallOwners');
      expect(calls.length).toBeGreaterThan(ACTIONS / 3);
      const again = await reRun(entries, reRunOptionsOf(must(header, 'a header'), source, strategies));
      expect(again.divergence).toBeUndefined();
      expect(again.decisions).toBeGreaterThan(50);
    },
  );
});
