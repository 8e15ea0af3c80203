/**
 * @module
 * One bot of a case: started, quoting far from the touch so that only a cancel takes its orders away, told to misbehave by
 * a file, and judged by the exchange's own log. What is wrong is collected in words; nothing is thrown for it.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ConfigChanges, type LiveRig, type RigBot, TRIGGER_MS } from '../../../test/support/live-rig.ts';
import { pause, type TestProcess, until } from '../../../test/support/processes.ts';
import { BookLog, type Going, LATE_MS_MAX } from './book-log.ts';

/** What a strategy may be told to do: `busy` keeps the event loop for `ms`, `endless` forever; `exit` ends the process. */
export type Misdeed =
  | { readonly kind: 'busy'; readonly ms: number }
  | { readonly kind: 'endless' | 'promise' | 'exit' };

/** Bytes under way at a death may still arrive for so long. */
const UNDER_WAY_MS = 500;

/** Quotes that move with each round, and the misdeed once a file asks for it. */
const OBEDIENT = `
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { defineStrategy, param } from 'ballast/strategy';

const COMMAND = join(import.meta.dirname, 'command.json');
const QUOTE_EVERY_MS = 250;

export default defineStrategy({
  name: 'obedient',
  parameters: param.object({ size: param.decimal({ above: '0' }) }),
  create: (context, { size }) => {
    let rounds = 0;
    let quotedAtMs = 0;
    return {
      onBook(view): void {
        const mid = view.externalMidTicks;
        if (mid === undefined || context.now() - quotedAtMs < QUOTE_EVERY_MS) return;
        quotedAtMs = context.now();
        const far = mid * (0.01 + 0.0002 * (++rounds % 2));
        const sizeLots = view.lotsOf(size);
        context.quote(view.symbol, {
          bids: [{ priceTicks: view.floorTicks(mid - far), sizeLots }],
          asks: [{ priceTicks: view.ceilTicks(mid + far), sizeLots }],
        });
        if (!existsSync(COMMAND)) return;
        const { kind, ms = Infinity } = JSON.parse(readFileSync(COMMAND, 'utf8'));
        rmSync(COMMAND);
        if (kind === 'exit') process.exit(0);
        if (kind === 'promise') return new Promise(() => undefined) as never;
        const untilMs = performance.now() + ms;
        while (performance.now() < untilMs);
      },
    };
  },
});
`;

/** The seat of the strategy that quotes. */
export const OBEDIENT_SEAT = {
  name: 'obedient',
  module: 'obedient.ts',
  markets: ['BTC-USD'],
  parameters: { size: '0.003' },
} as const;

/** How a bot differs from the usual one. */
interface SceneOptions {
  readonly changes?: ConfigChanges;
  readonly grantDays?: number;
  /** Further strategies, as files by name. */
  readonly modules?: Readonly<Record<string, string>>;
  /** Starts it; default: as every bot. */
  readonly start?: (bot: RigBot) => TestProcess;
}

/** A bot with its orders in the book. */
export class Scene {
  readonly bot: RigBot;
  readonly log: BookLog;
  /** What does not hold, in words. */
  readonly violations: string[] = [];
  /** What was measured, by name. */
  readonly figures: Record<string, number> = {};
  #run: TestProcess;
  #areBytesLate = false;

  private constructor(rig: LiveRig, bot: RigBot, run: TestProcess) {
    this.bot = bot;
    this.log = new BookLog(rig.exchange, bot.account.address);
    this.#run = run;
  }

  /** Starts a bot and waits until it quotes. */
  static async quoting(
    rig: LiveRig,
    name: string,
    { changes = {}, grantDays, modules = {}, start = (bot) => bot.run() }: SceneOptions = {},
  ): Promise<Scene> {
    const bot = rig.unapprovedBot(name, rig.takeAccount(), {
      strategies: [OBEDIENT_SEAT],
      ...changes,
    });
    for (const [file, source] of Object.entries({ ...modules, 'obedient.ts': OBEDIENT }))
      writeFileSync(join(bot.folder, file), source);
    bot.makeKeys();
    // The command takes whole days.
    await bot.approve(grantDays);
    const scene = new Scene(rig, bot, start(bot));
    await scene.log.resting(() => scene.#run.errors);
    return scene;
  }

  get run(): TestProcess {
    return this.#run;
  }

  /** Starts the next life. */
  restart(): void {
    this.#run = this.bot.run();
  }

  /** Sends a signal to the bot itself, below its launcher; gives the time of the exchange. */
  async signal(signal: NodeJS.Signals): Promise<number> {
    const { pid } = await this.#run.worker();
    process.kill(pid, signal);
    return Date.now();
  }

  /** Has the strategy misbehave. */
  misbehave(misdeed: Misdeed): number {
    writeFileSync(join(this.bot.folder, 'command.json'), JSON.stringify(misdeed));
    return Date.now();
  }

  /** Notes what does not hold. */
  expect(holds: boolean, what: string): void {
    if (!holds) this.violations.push(what);
  }

  /** Waits until its orders are gone and holds it against the armed trigger. */
  async gone(fromMs: number): Promise<Going> {
    await this.log.empty(fromMs, { why: () => this.#run.errors, withinMs: TRIGGER_MS + 15_000 });
    const going = this.log.goingSince(fromMs);
    this.expect(
      going.afterTriggerMs <= LATE_MS_MAX,
      `the last order went ${going.afterTriggerMs} ms after the trigger`,
    );
    return going;
  }

  /** Lets time pass in which nothing may be placed and no switch renewed, from `fromMs` on. */
  async silent(fromMs: number, forMs: number): Promise<void> {
    await pause(forMs);
    const placed = this.log.placedBetween(fromMs + UNDER_WAY_MS);
    this.expect(placed.length === 0, `orders placed by a bot that is not there: ${placed.join(', ')}`);
    this.expect(
      !this.log.armedBetween(fromMs + UNDER_WAY_MS, Number.POSITIVE_INFINITY),
      'the switch was renewed by a bot that is not there',
    );
  }

  /** From now on bytes may have been on their way for longer than the trigger: what was sent under a switch is excused. */
  excuseLateBytes(): void {
    this.#areBytesLate = true;
  }

  /** Orders that came to rest while no switch was armed (I11). */
  placedUnarmed(): readonly string[] {
    const unarmed = this.log.placedUnarmed();
    const isExcusable = this.#areBytesLate && unarmed.length > 0;
    return isExcusable ? this.log.placedUnarmed(sentAtMsOf(this.bot)) : unarmed;
  }

  /** Waits until it quotes again on its own: new orders, none of the old ones. */
  async recovered(fromMs: number): Promise<void> {
    const known = this.log.before(fromMs);
    await this.log.resting(() => this.#run.errors, { known, withinMs: 60_000 });
    const old = this.log.placedBetween(fromMs).filter((order) => known.has(order));
    this.expect(old.length === 0, `orders of before came back: ${old.join(', ')}`);
  }

  /** Stops it by SIGTERM: it must prove its end. */
  async stopProven(): Promise<void> {
    this.#run.signal('SIGTERM');
    const { code } = await this.#run.toEnd(30_000);
    this.expect(code === 143, `SIGTERM ended it with ${code}`);
    const document = code === 143 || code === 1 ? this.#run.document() : {};
    const { openOrders, unresolved, reconciled, ledgerResidual, differences } = document;
    this.expect(
      openOrders === 0 && unresolved === 0 && reconciled === true && ledgerResidual === '0',
      `the end is not proven: ${JSON.stringify({ openOrders, unresolved, reconciled, ledgerResidual, differences })}`,
    );
    this.expect(this.log.open.length === 0, 'orders rest after its end');
  }

  /** Waits for an end on its own and holds its exit code against `code`. */
  async endsWith(code: number, withinMs = 40_000): Promise<void> {
    const end = await this.#run.toEnd(withinMs);
    this.expect(end.code === code, `ended with ${end.code ?? end.signal}, expected ${code}`);
  }

  /** What its log must say by now, or soon. */
  async says(what: RegExp, withinMs = 10_000): Promise<void> {
    await until(`the log to say ${what}`, () => what.test(this.#run.errors), { withinMs }).catch(
      (error: unknown) => {
        this.violations.push(error instanceof Error ? error.message : String(error));
      },
    );
  }
}

/** When the journal wrote down the placement of each order, just before it was sent; by number of the order. */
function sentAtMsOf(bot: RigBot): ReadonlyMap<string, number> {
  return bot.journal((journal) => {
    const writtenAtMs = new Map<string, number>();
    const sentAtMs = new Map<string, number>();
    for (const { type, value } of journal.records()) {
      if (type === 'write') writtenAtMs.set(value.requestId, value.nowMs);
      if (type !== 'outcome') continue;
      const atMs = writtenAtMs.get(value.requestId);
      for (const { orderId } of value.placed ?? []) if (atMs !== undefined) sentAtMs.set(orderId, atMs);
    }
    return sentAtMs;
  });
}
