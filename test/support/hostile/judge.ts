/**
 * @module
 * Runs hostile scenarios one after the other and judges each: how long no quote rested, how long after the end of the fault
 * the bot quoted again without a restart, and whether its journal has what the exchange has, each fill and entry once.
 */
import type { JournalHistory, JournalRecord } from '../../../src/bot/journal/records.ts';
import { pause } from '../processes.ts';
import type { Json } from './proxy.ts';
import { type BotStart, HostileScene, SYMBOL } from './scene.ts';

/** One fault, and what must come of it. */
export interface Scenario {
  readonly name: string;
  /** Of the table. */
  readonly group: string;
  /** The fault in words. */
  readonly fault: string;
  /** The bot quotes again so long after the exchange serves truth, s. */
  readonly withinS: number;
  /** Only a person can clear it: the bot says this, and may end. */
  readonly person?: RegExp;
  /** With this code the run ends then. */
  readonly exits?: number;
  /** The bot heals when it is started again, as a supervisor does by the exit code. */
  readonly isHealedByStart?: boolean;
  /** What the bot sees is not fit to trade on: from 3 s after the beginning on it places nothing. */
  readonly isUnfit?: boolean;
  /** What was booked before it counts no more: only the position is compared. */
  readonly isNewHistory?: boolean;
  /** Needs a bot started so. */
  readonly start?: BotStart;
  /** From the first wrong thing to the moment at which the exchange serves truth again. */
  run(scene: HostileScene): Promise<void>;
}

/** What a scenario showed. */
export interface Judged {
  readonly name: string;
  readonly group: string;
  readonly fault: string;
  readonly withinS: number;
  /** Seconds without any order of the bot in the book, fault included. */
  readonly withoutS: number;
  /** From the end of the fault; `null`: not at all. */
  readonly healedS: number | null;
  /** `heals`, `person: ...`, or what is wrong. */
  readonly verdict: string;
  readonly isGood: boolean;
}

const SAMPLE_MS = 100;
/** A bot that quotes not by then has something of the scenario before. */
const BEGIN_MS_MAX = 40_000;
/** One lot of the market. */
const LOT = 0.0001;
/** P16 denies from 2 s on; what was under way by then may still arrive. */
const UNFIT_AFTER_MS = 3_000;
/** So much longer than it promises a scenario is watched: how late it heals is shown, too. */
const LATE_MS_MAX = 5_000;

/** The orders of a bot in the book, looked at all the time. */
class Watch {
  readonly seen = new Set<string>();
  withoutMs = 0;
  #isOver = false;
  #ended: Promise<void> = Promise.resolve();

  constructor(scene: HostileScene) {
    this.#ended = this.#run(scene);
  }

  async #run(scene: HostileScene): Promise<void> {
    let beforeMs = performance.now();
    while (!this.#isOver) {
      const ids = await idsOf(scene);
      const nowMs = performance.now();
      if (ids.length === 0) this.withoutMs += nowMs - beforeMs;
      beforeMs = nowMs;
      for (const id of ids) this.seen.add(id);
      await pause(SAMPLE_MS);
    }
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#ended;
  }
}

/** Numbers of the bot's open orders; none while the exchange is gone. */
async function idsOf(scene: HostileScene): Promise<readonly string[]> {
  try {
    const { orders } = await scene.read('/v1/account/orders');
    return orders.map((order: Json) => String(order.orderId));
  } catch {
    return [];
  }
}

/** Runs scenarios; a bot that is healthy after one meets the next. */
export async function runHostile(
  scenarios: readonly Scenario[],
  {
    seed,
    say = () => undefined,
    stop,
  }: {
    readonly seed: number;
    readonly say?: (judged: Judged, errors: string) => void;
    /** Ends it after the scenario that runs. */
    readonly stop?: AbortSignal;
  },
): Promise<readonly Judged[]> {
  const scene = await HostileScene.open({ seed, bots: 100 });
  const judged: Judged[] = [];
  let isFit = false;
  try {
    for (const scenario of scenarios) {
      if (stop?.aborted === true) break;
      const needsOwn = scenario.start !== undefined;
      if (!isFit || needsOwn) {
        if (isFit) judged.push(...(await ending(scene, judged.at(-1))));
        await scene.newBot(scenario.start);
      }
      const one = await judge(scene, scenario);
      judged.push(one);
      say(one, scene.process.errors);
      const isOver =
        !one.isGood || scenario.person !== undefined || needsOwn || scene.process.end !== undefined;
      // A switch that fires twice within an hour is a halt of its own (M12): another bot meets the next fault.
      if (!isOver && /dead man switch fired/.test(scene.process.errors)) {
        judged.push(...(await ending(scene, one)));
        isFit = false;
      } else isFit = !isOver;
    }
    if (isFit) judged.push(...(await ending(scene, judged.at(-1))));
  } finally {
    await scene.end();
  }
  return judged;
}

/** A bot that went through everything ends with the proof. Says only what is wrong. */
async function ending(scene: HostileScene, last: Judged | undefined): Promise<readonly Judged[]> {
  const wrong = (verdict: string): readonly Judged[] => [
    {
      ...{ name: 'end', group: 'end', fault: `the end in order, after ${last?.name}`, withinS: 20 },
      ...{ withoutS: 0, healedS: null, verdict, isGood: false },
    },
  ];
  try {
    await scene.stopBot();
  } catch (error) {
    return wrong(textOf(error).slice(0, 300));
  }
  const { end } = scene.process;
  const document = scene.process.lines.at(-1) ?? '{}';
  const { openOrders, openOrdersProof, reconciled, ledgerResidual, unresolved, stopReason } =
    JSON.parse(document);
  const isProven = openOrders === 0 && reconciled === true && ledgerResidual === '0' && unresolved === 0;
  if (end?.code === 143 && isProven) return [];
  return wrong(
    `ended with ${end?.code ?? end?.signal}, ${JSON.stringify({ openOrders, openOrdersProof, reconciled, ledgerResidual, unresolved, stopReason })}`,
  );
}

async function judge(scene: HostileScene, scenario: Scenario): Promise<Judged> {
  const { name, group, fault, withinS } = scenario;
  const result = (parts: Pick<Judged, 'withoutS' | 'healedS' | 'verdict' | 'isGood'>): Judged => ({
    ...{ name, group, fault, withinS },
    ...parts,
  });
  try {
    await quoting(scene);
  } catch (error) {
    return result({
      withoutS: 0,
      healedS: null,
      verdict: `not begun: ${textOf(error).slice(0, 200)}`,
      isGood: false,
    });
  }
  const watch = new Watch(scene);
  await pause(3 * SAMPLE_MS);
  watch.withoutMs = 0;
  const beganMs = performance.now();
  let wrong: string | undefined;
  try {
    await scenario.run(scene);
  } catch (error) {
    wrong = textOf(error);
  }
  const endedMs = performance.now();
  const late = scene.proxy.posts.filter(
    ({ atMs, isPlacing }) => isPlacing && atMs > beganMs + UNFIT_AFTER_MS && atMs < endedMs,
  ).length;
  if (scenario.isUnfit === true && late > 0) wrong ??= `placed ${late} times on what was not fit to trade on`;
  const healing = wrong === undefined ? await healed(scene, scenario, new Set(watch.seen)) : undefined;
  await watch.end();
  const withoutS = rounded(watch.withoutMs);
  if (healing === undefined)
    return result({
      withoutS,
      healedS: null,
      verdict: (wrong ?? '').split('\n')[0]?.slice(0, 200) ?? '',
      isGood: false,
    });
  const { why } = healing;
  if (why !== undefined) {
    const isNamed =
      scenario.person?.test(`${scene.process.errors}\n${scene.process.lines.join('\n')}`) === true;
    const { end } = scene.process;
    const isEnded = scenario.exits === undefined || end?.code === scenario.exits;
    const ending = scenario.exits === undefined ? '' : `, exit code ${end?.code ?? 'none'}`;
    if (isNamed && isEnded && scenario.isHealedByStart === true) {
      scene.startBot();
      const beganAgainMs = performance.now();
      const { person: _, exits: __, ...plain } = scenario;
      const { why: still } = await healed(scene, plain, new Set(watch.seen));
      const verdict = still ?? `ends with exit code ${scenario.exits}, heals at the next start`;
      return result({
        withoutS,
        healedS: rounded(performance.now() - beganAgainMs),
        verdict,
        isGood: still === undefined,
      });
    }
    const verdict = isNamed ? `person: ${lastWords(scene)}${ending}` : why;
    return result({ withoutS, healedS: null, verdict, isGood: isNamed && isEnded });
  }
  const healedS = rounded(performance.now() - endedMs);
  const isGood = healedS <= withinS;
  return result({ withoutS, healedS, verdict: isGood ? 'heals' : 'heals late', isGood });
}

/** Waits until the bot has orders in the book. @throws Error when it ends first, or never does. */
async function quoting(scene: HostileScene): Promise<void> {
  for (
    const untilMs = performance.now() + BEGIN_MS_MAX;
    performance.now() < untilMs;
    await pause(SAMPLE_MS)
  ) {
    if (scene.process.end !== undefined) break;
    if ((await idsOf(scene)).length > 0) return;
  }
  throw new Error(`${JSON.stringify(scene.process.end ?? 'no quotes')}: ${lastWords(scene)}`);
}

/** Waits until the bot quotes again and its books are those of the exchange; `why` says what is missing in the end. */
async function healed(
  scene: HostileScene,
  { person, exits, withinS, isNewHistory = false }: Scenario,
  known: ReadonlySet<string>,
): Promise<{ readonly why?: string }> {
  const fromMs = performance.now();
  let missing = 'no new quote';
  for (;;) {
    const { end } = scene.process;
    if (end !== undefined)
      return { why: `the run ended with ${end.code ?? end.signal}: ${lastWords(scene)}` };
    const isNew = (await idsOf(scene)).some((id) => !known.has(id));
    missing = isNew ? await differenceOf(scene, isNewHistory) : 'no new quote';
    if (missing === '') return {};
    const waitedMs = performance.now() - fromMs;
    const isSaid = person?.test(`${scene.process.errors}\n${scene.process.lines.join('\n')}`) === true;
    if (
      waitedMs > withinS * 1_000 + LATE_MS_MAX ||
      (isSaid && waitedMs > (exits === undefined ? 5_000 : 15_000))
    )
      return { why: `not healed: ${missing}: ${lastWords(scene)}` };
    await pause(SAMPLE_MS);
  }
}

/** What bot and exchange do not agree on; empty: nothing. Looked at twice, since both move. */
async function differenceOf(scene: HostileScene, isNewHistory: boolean): Promise<string> {
  const { reader } = scene.bot;
  try {
    const orders: readonly Json[] = (await scene.read('/v1/account/orders')).orders;
    const labels = orders.map((order) => String(order.clientOrderId));
    if (new Set(labels).size !== labels.length) return 'an order rests twice';
    const { effects, known } = scene.bot.journal((one) => ({
      effects: one.state().effects(),
      known: labelsOf(one.records()),
    }));
    const foreign = labels.find((label) => !known.has(label));
    if (foreign !== undefined) return `the order ${foreign} is in no write of the journal`;
    if (isNewHistory) return await positionDifference(scene, effects);
    for (const kind of ['fills', 'ledger'] as const) {
      const ours = effects[kind].map(({ id }) => String(id));
      const theirs = new Set((await reader.history(kind)).map(({ id }) => id));
      if (new Set(ours).size !== ours.length) return `${kind} booked twice`;
      if (ours.some((id) => !theirs.has(id))) return `${kind} booked that the exchange has not`;
      // What came in between the two looks is no difference yet.
      const now = new Set(
        scene.bot.journal((one) => one.state().effects())[kind].map(({ id }) => String(id)),
      );
      const lacking = [...theirs].filter((id) => !now.has(id)).length;
      if (lacking > 0) return `${lacking} ${kind} of the exchange not booked`;
    }
    return '';
  } catch (error) {
    return textOf(error).slice(0, 120);
  }
}

/** Labels of all orders that were ever written. */
function labelsOf(records: Iterable<JournalRecord>): ReadonlySet<string> {
  const labels = new Set<string>();
  for (const record of records) {
    if (record.type !== 'write') continue;
    const { command } = record.value;
    if (command.kind !== 'place' && command.kind !== 'replace') continue;
    for (const order of command.orders)
      if ('clientOrderId' in order && order.clientOrderId !== undefined)
        labels.add(String(order.clientOrderId));
  }
  return labels;
}

/** In lots of 0.0001: what was taken over and the fills since, beside the position of the exchange. */
async function positionDifference(scene: HostileScene, { adopted, fills }: JournalHistory): Promise<string> {
  const taken = adopted.reduce((sum, one) => sum + Number(one.sizeLots), 0);
  const seq = Math.max(0, ...adopted.map((one) => Number(one.seq)));
  const later = fills.filter(({ id }) => Number(String(id).split('-')[0]) > seq);
  const lots = later.reduce((sum, one) => sum + (one.side === 'buy' ? 1 : -1) * Number(one.sizeLots), taken);
  const theirs = Math.round(Number(await positionOf(scene)) / LOT);
  return lots === theirs ? '' : `${lots} lots in the journal, ${theirs} at the exchange`;
}

/** The last warning of the bot, or what it said last. */
function lastWords({ process }: HostileScene): string {
  const lines = process.errors.trim().split('\n');
  for (const line of lines.toReversed().slice(0, 200)) {
    if (line.startsWith('ballast: ')) return line.slice('ballast: '.length).slice(0, 200);
    if (!/^\{"level":(?:40|50|60)/.test(line)) continue;
    const { msg, reason, reasons, error, stopReason, code } = JSON.parse(line);
    const why = [reason, stopReason, code, error?.message, ...(reasons ?? [])].filter(
      (one) => one !== undefined,
    );
    return `${msg} (${why.join('; ')})`.slice(0, 200);
  }
  return (lines.at(-1) ?? '').slice(0, 200);
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function rounded(ms: number): number {
  return Math.round(ms / 100) / 10;
}

/** The position of the account at the exchange, decimal text. */
async function positionOf(scene: HostileScene): Promise<string> {
  const { positions } = await scene.read('/v1/account/positions');
  return positions.find((one: Json) => one.symbol === SYMBOL)?.size ?? '0';
}
