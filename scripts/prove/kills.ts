/**
 * Kills a quoting bot with SIGKILL at random instants, again and again, while its exchange lives on in a process of its
 * own, and holds what must be true against a reader that shares nothing with the bot:
 *
 *   kill ─▶ one second after the last trigger at the latest none of its orders stands
 *        ─▶ restart, at once or later ─▶ reconciled, quotes again ─▶ no order twice, no fill lost
 *
 * Usage: npm run prove -- kills [--kills 20] [--seed 1] [--json]
 */
import { jsonOption } from '../../src/cli/terminal/options.ts';
import { freshSeed, type Random, seededRandom } from '../../src/core/index.ts';
import { LiveRig, ladder, type OpenOrder, type RigBot, TRIGGER_MS } from '../../test/support/live-rig.ts';
import { pause, type TestProcess, until } from '../../test/support/processes.ts';
import { maybeWhole, readOptions, whole } from '../options.ts';

/** What one kill showed. Times in ms. */
export interface Kill {
  /** How long the bot had been quoting. */
  readonly afterMs: number;
  /** Its orders in the book when it was killed. */
  readonly orders: number;
  /** Those of them that were filled before they could be canceled. */
  readonly filled: number;
  /** Started again before the trigger, so that it met its own old orders. */
  readonly isEarly: boolean;
  /** Killed once more while it started again. */
  readonly isTwice: boolean;
  /** From the kill to the first look that showed none of its orders. */
  readonly goneMs: number;
  /** From the last trigger that it had set to that look; negative: before the trigger. */
  readonly afterTriggerMs: number;
  /** From the restart to a new order in the book. */
  readonly quotingMs: number;
}

/** What a whole run showed. */
export interface KillRun {
  readonly schema: 1;
  readonly seed: number;
  readonly triggerMs: number;
  readonly kills: readonly Kill[];
  /** Fills and ledger entries of the exchange that the bot's journal does not have once, and the other way round. */
  readonly fills: {
    readonly exchange: number;
    readonly journal: number;
    readonly different: readonly string[];
  };
  readonly ledger: {
    readonly exchange: number;
    readonly journal: number;
    readonly different: readonly string[];
  };
  /** Orders of the exchange whose label another one has too, or that no write of the journal explains. */
  readonly orders: {
    readonly seen: number;
    readonly twice: readonly string[];
    readonly unknown: readonly string[];
  };
  /** The document and exit code of the last life, ended by SIGTERM. */
  // biome-ignore lint/suspicious/noExplicitAny: the document of `ballast run`
  readonly document: any;
  readonly exitCode: number | null;
  /** Everything above is as it must be; otherwise what is not. */
  readonly failures: readonly string[];
}

/** How late after the trigger the last order may be seen. */
const LATE_MS_MAX = 1_000;
/** The longest a bot quotes before it is killed. */
const QUOTING_MS_MAX = 2_000;
/** One restart in so many is killed too, within this time. */
const TWICE_ONE_IN = 4;
const STARTING_MS_MAX = 1_500;

/** Some orders are filled at the touch, others stand too far away for that and wait for the switch. */
const WIDE_LADDER = ladder('wide', {
  parameters: {
    ...{ levels: 4, size: 0.003, maxInventory: 0.05, touch: 'join', halfSpreadPpm: 350, skewPpm: 150 },
    ...{ levelSpacingPpm: 700, requoteTicks: 2, requoteInterval: '100ms' },
  },
});

/** One bot that is killed again and again, and what the exchange ever showed of it. */
class Victim {
  readonly bot: RigBot;
  /** Every order ever seen: number to label. */
  readonly seen = new Map<string, string>();
  #process: TestProcess;

  constructor(bot: RigBot) {
    this.bot = bot;
    this.#process = bot.run();
  }

  get process(): TestProcess {
    return this.#process;
  }

  /** Kills the bot itself, not only its launcher, and says when. */
  async kill(): Promise<{ readonly atMs: number; readonly left: readonly OpenOrder[] }> {
    const { pid } = await this.#process.worker();
    process.kill(pid, 'SIGKILL');
    await this.#process.toVanish(5_000);
    const atMs = performance.now();
    return { atMs, left: await this.bot.reader.openOrders() };
  }

  restart(): void {
    this.#process = this.bot.run();
  }

  /** Notes orders, those of the book and those that ended. */
  async note(): Promise<void> {
    const { reader } = this.bot;
    for (const order of [...(await reader.openOrders()), ...(await reader.orderHistory())])
      this.seen.set(order.orderId, order.clientOrderId ?? '');
  }

  labels(): ReadonlySet<string> {
    return new Set(this.seen.values());
  }

  /** The latest trigger that may be set at the exchange: each is in the journal before it is sent. */
  lastTriggerMs(): number {
    return this.bot.journal((journal) => {
      const triggers = [...journal.records()].flatMap((record) =>
        record.type === 'write' && record.value.command.kind === 'scheduleCancel'
          ? [Number(record.value.command.triggerAtMs)]
          : [],
      );
      return Math.max(0, ...triggers);
    });
  }
}

/** Runs it. @throws Error when a bot does not come back at all. */
export async function runKills(options: {
  readonly kills: number;
  readonly seed: number;
  readonly say?: (line: string) => void;
}): Promise<KillRun> {
  const { seed, say = () => undefined } = options;
  const random = seededRandom(seed);
  const rig = await LiveRig.start({ seed });
  try {
    const victim = new Victim(await rig.bot('victim', { strategies: [WIDE_LADDER] }));
    const kills: Kill[] = [];
    await victim.bot.quoting(victim.process);
    for (let n = 1; n <= options.kills; n++) {
      const kill = await killOnce(victim, random);
      kills.push(kill);
      say(`kill ${n}: ${describe(kill)}`);
    }
    victim.process.signal('SIGTERM');
    const { code } = await victim.process.toEnd(20_000);
    await victim.note();
    const run = { schema: 1, seed, triggerMs: TRIGGER_MS, kills, ...(await books(victim)) } as const;
    const whole = { ...run, document: victim.process.document(), exitCode: code };
    return { ...whole, failures: failuresOf(whole) };
  } finally {
    await rig.end();
  }
}

async function killOnce(victim: Victim, random: Random): Promise<Kill> {
  const afterMs = random.integer(0, QUOTING_MS_MAX);
  const isEarly = random.integer(0, 1) === 1;
  const isTwice = random.integer(1, TWICE_ONE_IN) === 1;
  await pause(afterMs);
  await victim.note();
  const { atMs, left } = await victim.kill();
  const triggerMs = victim.lastTriggerMs();
  for (const order of left) victim.seen.set(order.orderId, order.clientOrderId ?? '');
  let old = victim.labels();
  if (isEarly) victim.restart();
  let restartedAtMs = performance.now();
  const { goneMs, goneAtServerMs } = await untilGone(victim, { atMs, left });
  const filled = await countFilled(victim, left);
  await victim.note();
  if (!isEarly) {
    restartedAtMs = performance.now();
    victim.restart();
  }
  if (isTwice) {
    await pause(random.integer(0, STARTING_MS_MAX));
    await victim.kill();
    await victim.note();
    old = victim.labels();
    restartedAtMs = performance.now();
    victim.restart();
  }
  await victim.bot.quoting(victim.process, old);
  const quotingMs = Math.round(performance.now() - restartedAtMs);
  return {
    ...{ afterMs, orders: left.length, filled, isEarly, isTwice, quotingMs, goneMs: Math.round(goneMs) },
    afterTriggerMs: goneAtServerMs - triggerMs,
  };
}

/** Looks until none of the orders that were left behind stands. */
async function untilGone(
  victim: Victim,
  { atMs, left }: { readonly atMs: number; readonly left: readonly OpenOrder[] },
): Promise<{ readonly goneMs: number; readonly goneAtServerMs: number }> {
  const { reader } = victim.bot;
  const ids = new Set(left.map((order) => order.orderId));
  return await until(
    () => `the ${ids.size} orders of the killed bot to be gone`,
    async () => {
      // The time is asked first: the look at the book is not earlier than it says.
      const goneAtServerMs = await reader.serverNowMs();
      const orders = await reader.openOrders();
      if (orders.some((order) => ids.has(order.orderId))) return undefined;
      return { goneMs: performance.now() - atMs, goneAtServerMs };
    },
    { withinMs: TRIGGER_MS + 10_000 },
  );
}

async function countFilled({ bot }: Victim, orders: readonly OpenOrder[]): Promise<number> {
  const ended = new Map((await bot.reader.orderHistory()).map((order) => [order.orderId, order.status]));
  return orders.filter((order) => ended.get(order.orderId) === 'filled').length;
}

type Books = Pick<KillRun, 'fills' | 'ledger' | 'orders'>;

/** The exchange's histories held against the journal: every id once on both sides. */
async function books(victim: Victim): Promise<Books> {
  const { bot, seen } = victim;
  const { effects, labels } = bot.journal((journal) => ({
    effects: journal.state().effects(),
    labels: new Set(
      [...journal.records()].flatMap((record) => {
        if (record.type !== 'write') return [];
        const { command } = record.value;
        if (command.kind !== 'place' && command.kind !== 'replace') return [];
        return command.orders.flatMap((order) =>
          'clientOrderId' in order && order.clientOrderId !== undefined ? [String(order.clientOrderId)] : [],
        );
      }),
    ),
  }));
  const compare = async (kind: 'fills' | 'ledger') => {
    const exchange = (await bot.reader.history(kind)).map((entry) => entry.id).sort();
    const journal = effects[kind].map((entry) => String(entry.id)).sort();
    return { exchange: exchange.length, journal: journal.length, different: differences(exchange, journal) };
  };
  const byLabel = Map.groupBy(seen, ([, label]) => label);
  return {
    fills: await compare('fills'),
    ledger: await compare('ledger'),
    orders: {
      seen: seen.size,
      twice: [...byLabel].filter(([, orders]) => orders.length > 1).map(([label]) => label),
      unknown: [...byLabel.keys()].filter((label) => !labels.has(label)),
    },
  };
}

/** Ids that one side has more often than the other. */
function differences(exchange: readonly string[], journal: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const id of exchange) counts.set(id, (counts.get(id) ?? 0) + 1);
  for (const id of journal) counts.set(id, (counts.get(id) ?? 0) - 1);
  return [...counts]
    .filter(([, count]) => count !== 0)
    .map(([id, count]) => `${id}: ${count > 0 ? 'the journal lacks it' : 'the journal has it more often'}`);
}

function failuresOf(run: Omit<KillRun, 'failures'>): readonly string[] {
  const { document, fills, ledger, orders } = run;
  const late = run.kills.filter((kill) => kill.afterTriggerMs > LATE_MS_MAX);
  const facts: readonly (readonly [boolean, string])[] = [
    [late.length === 0, `${late.length} kills left orders longer than ${LATE_MS_MAX} ms after the trigger`],
    [run.kills.some((kill) => kill.orders > kill.filled), 'no kill left an order that had to be canceled'],
    [fills.different.length === 0, `fills: ${fills.different.join(', ')}`],
    [ledger.different.length === 0, `ledger: ${ledger.different.join(', ')}`],
    [orders.twice.length === 0, `orders placed twice: ${orders.twice.join(', ')}`],
    [orders.unknown.length === 0, `orders that no journal explains: ${orders.unknown.join(', ')}`],
    [run.exitCode === 143, `the last life ended with ${run.exitCode}`],
    [document.openOrders === 0, `${document.openOrders} orders are left`],
    [document.unresolved === 0, `${document.unresolved} writes are unresolved`],
    [document.reconciled === true, `not reconciled: ${document.differences}`],
    [document.ledgerResidual === '0', `ledger residual ${document.ledgerResidual}`],
  ];
  return facts.filter(([holds]) => !holds).map(([, what]) => what);
}

function describe({
  afterMs,
  orders,
  filled,
  isEarly,
  isTwice,
  goneMs,
  afterTriggerMs,
  quotingMs,
}: Kill): string {
  const restart = isEarly ? 'restarted at once' : 'restarted when its orders were gone';
  const trigger = afterTriggerMs > 0 ? `${afterTriggerMs} ms after` : `${-afterTriggerMs} ms before`;
  return `${orders} orders after ${afterMs} ms of quoting, ${filled} of them filled; gone ${goneMs} ms later, ${trigger} the trigger; ${restart}${isTwice ? ' and killed once more' : ''}, quoting after ${quotingMs} ms`;
}

if (import.meta.main) {
  const values = readOptions({
    kills: whole('How many', { min: 1, otherwise: 20 }),
    seed: maybeWhole('Of the instants; a fresh one where it is left out'),
    json: jsonOption,
  });
  const { kills, seed = freshSeed() } = values;
  process.stderr.write(`seed ${seed}\n`);
  const run = await runKills({
    kills,
    seed,
    say: (line) => void process.stderr.write(`${line}\n`),
  });
  const { fills, ledger, orders, failures } = run;
  if (values.json) process.stdout.write(`${JSON.stringify(run)}\n`);
  else
    process.stdout.write(
      `${run.kills.length} kills: ${orders.seen} orders, ${orders.twice.length} twice; ${fills.exchange} fills and ${ledger.exchange} ledger entries, ${fills.different.length + ledger.different.length} different; ${failures.length === 0 ? 'all as it must be' : failures.join('; ')}\n`,
    );
  process.exitCode = failures.length === 0 ? 0 : 1;
}
