/**
 * @module
 * Deaths of a live bot beside its guardian, with a switch that is a minute away: what empties the book within 2 s is the
 * guardian. And what must not stop a bot at all: a terminal that is stopped, a log whose disk is full.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GUARDED } from '../../../test/support/live-rig.ts';
import { pause, until } from '../../../test/support/processes.ts';
import type { ForceCase } from './case.ts';
import { type Misdeed, OBEDIENT_SEAT, Scene } from './scene.ts';

/** Orders rest no longer than this after the death of their bot, ms. */
const GUARDED_MS_MAX = 2_000;
/** How long a bot that must not be stopped is watched, ms. */
const WATCHED_MS = 3_000;
const DIED = 80;

type Rig = Parameters<ForceCase['run']>[0];
type Tools = Parameters<ForceCase['run']>[1];

/** A death, by what `strike` does; gives the time of the exchange at which it was done. */
function death(name: string, what: string, strike: (scene: Scene) => number | Promise<number>): ForceCase {
  return {
    name,
    what,
    run: async (rig, { name: bot, random }) => {
      const scene = await Scene.quoting(rig, bot, { changes: { deadMansSwitch: GUARDED } });
      await pause(random.integer(0, 1_500));
      const atMs = await strike(scene);
      const going = await scene.gone(atMs);
      scene.expect(going.goneMs <= GUARDED_MS_MAX, `its orders went only after ${going.goneMs} ms`);
      await scene.silent(going.goneAtMs, 500);
      await scene.endsWith(DIED);
      await scene.says(/no order is open, proven/);
      return { going, scene };
    },
  };
}

const misdeed = (kind: Exclude<Misdeed['kind'], 'busy'>) => (scene: Scene) => scene.misbehave({ kind });

/** SIGKILL: the guardian is left. */
export const guardedKilled = death('guarded-killed', 'SIGKILL beside a guardian', (scene) =>
  scene.signal('SIGKILL'),
);

/** SIGSTOP: the guardian ends what has no pulse. */
export const guardedStopped = death('guarded-stopped', 'SIGSTOP beside a guardian', (scene) =>
  scene.signal('SIGSTOP'),
);

/** Keeps one order that waits for the index price, out of reach. */
const WAITER = `
import { defineStrategy, order, param } from 'ballast/strategy';

export default defineStrategy({
  name: 'waiter',
  parameters: param.object({ size: param.decimal({ above: '0' }) }),
  create: (context, { size }) => {
    let askedAtMs = 0;
    return {
      onBook(view): void {
        const mid = view.externalMidTicks;
        if (mid === undefined || view.orders.length > 0 || context.now() - askedAtMs < 1_000) return;
        askedAtMs = context.now();
        const triggerTicks = view.floorTicks(mid * 0.99);
        const [priceTicks, sizeLots] = [view.floorTicks(mid * 0.989), view.lotsOf(size)];
        context.placeConditional(
          order.postOnly({ symbol: view.symbol, side: 'buy', priceTicks, sizeLots }),
          { triggerTicks, when: 'atOrBelow' },
        );
      },
    };
  },
});
`;

/** SIGSTOP where the switch spares what waits for a trigger: the guardian cancels that by its number. */
export const guardedWaiting: ForceCase = {
  name: 'guarded-waiting',
  what: 'SIGSTOP beside a guardian, with an order that waits and that no switch reaches (A13)',
  run: async (rig, { name }) => {
    const waiter = {
      name: 'waiter',
      module: 'waiter.ts',
      markets: ['BTC-USD'],
      parameters: { size: '0.003' },
    };
    const scene = await Scene.quoting(rig, name, {
      changes: { deadMansSwitch: GUARDED, strategies: [OBEDIENT_SEAT, waiter] },
      modules: { 'waiter.ts': WAITER },
    });
    await until(
      () => `an order that waits\n${scene.run.errors}`,
      () => scene.log.isWaiting,
      { withinMs: 40_000 },
    );
    const atMs = await scene.signal('SIGSTOP');
    const going = await scene.gone(atMs);
    scene.expect(going.goneMs <= GUARDED_MS_MAX, `its orders went only after ${going.goneMs} ms`);
    await scene.endsWith(DIED);
    await scene.says(/no order is open, proven/);
    return { going, scene };
  },
};

/** A strategy that never comes back. */
export const guardedEndless = death(
  'guarded-endless',
  'an endless loop beside a guardian',
  misdeed('endless'),
);

/** A strategy that ends the process, and says that all is well. */
export const guardedExit = death('guarded-exit', 'process.exit(0) beside a guardian', misdeed('exit'));

/** The guardian is killed: another one watches, and the bot has not noticed. */
export const guardianKilled: ForceCase = {
  name: 'guardian-killed',
  what: 'SIGKILL to the guardian, then to the bot',
  run: async (rig, { name }) => {
    const scene = await Scene.quoting(rig, name, { changes: { deadMansSwitch: GUARDED } });
    const pids = (): readonly number[] =>
      [...scene.run.errors.matchAll(/"processId":([0-9]+),"msg":"the guardian watches"/g)].map(([, pid]) =>
        Number(pid),
      );
    const [first = 0] = pids();
    process.kill(first, 'SIGKILL');
    await until('another guardian', () => pids().length > 1, { withinMs: 20_000 });
    const atMs = await scene.signal('SIGKILL');
    const going = await scene.gone(atMs);
    scene.expect(going.goneMs <= GUARDED_MS_MAX, `its orders went only after ${going.goneMs} ms`);
    await scene.endsWith(DIED);
    return { going, scene };
  },
};

/** Ctrl-S in its terminal: it quotes on, hears SIGTERM and ends with a proven empty book. */
export const stoppedTerminal: ForceCase = {
  name: 'stopped-terminal',
  what: 'Ctrl-S in the terminal of a quoting bot, then SIGTERM',
  run: (rig, tools) =>
    quotesOn(rig, tools, {
      start: (bot) => {
        // `script` gives it a terminal; what stops that is written into it as a person does.
        const keys = join(bot.folder, 'keys');
        execFileSync('mkfifo', [keys]);
        return rig.processes.start(
          'sh',
          ['-c', `exec script -qefc '${bot.command(['--verbose']).join(' ')}' /dev/null <> '${keys}'`],
          { env: rig.env() },
        );
      },
      strike: (scene) => writeFileSync(join(scene.bot.folder, 'keys'), '\u0013'),
      // A terminal has a session of its own: its processes are in no group that the test started.
      stop: (scene) => process.kill(botOf(scene.bot.config), 'SIGTERM'),
    }),
};

/** A disk without room under its log: it quotes on and ends with a proven empty book. */
export const fullLogDisk: ForceCase = {
  name: 'full-log-disk',
  what: 'a full disk under the log of a quoting bot, then SIGTERM (needs the right to mount)',
  run: async (rig, tools) => {
    const disk = join(rig.folder, `${tools.name}-disk`);
    mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]);
    try {
      return await quotesOn(rig, tools, {
        changes: { log: { level: 'debug', file: join(disk, 'bot.log') } },
        strike: () => {
          try {
            for (let at = 0; ; at++) writeFileSync(join(disk, `fill-${at}`), Buffer.alloc(4_096));
          } catch {
            // Full.
          }
        },
      });
    } finally {
      execFileSync('umount', ['-l', disk]);
    }
  },
};

/** The process of the bot with this configuration. */
function botOf(config: string): number {
  for (const name of readdirSync('/proc')) {
    if (!/^[0-9]+$/.test(name)) continue;
    try {
      const words = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0');
      if (words.includes(config) && words.some((word) => word.endsWith('main.ts'))) return Number(name);
    } catch {
      // It has ended meanwhile.
    }
  }
  throw new Error(`expected a bot that runs ${config}`);
}

async function quotesOn(
  rig: Rig,
  { name }: Tools,
  {
    changes = {},
    start,
    strike,
    stop = (scene) => scene.run.signal('SIGTERM'),
  }: Pick<NonNullable<Parameters<typeof Scene.quoting>[2]>, 'changes' | 'start'> & {
    strike(scene: Scene): void;
    readonly stop?: (scene: Scene) => void;
  },
): Promise<Awaited<ReturnType<ForceCase['run']>>> {
  const scene = await Scene.quoting(rig, name, {
    changes: { deadMansSwitch: GUARDED, ...changes },
    ...(start === undefined ? {} : { start }),
  });
  strike(scene);
  const struckAtMs = Date.now();
  await pause(WATCHED_MS);
  const placed = scene.log.placedBetween(struckAtMs + WATCHED_MS / 2);
  scene.expect(placed.length > 0, 'it does not quote any more');
  const atMs = Date.now();
  stop(scene);
  const going = await scene.gone(atMs);
  scene.expect(going.goneMs <= GUARDED_MS_MAX, `its orders went only after ${going.goneMs} ms`);
  await scene.endsWith(143);
  return { going, scene };
}
