/**
 * @module
 * The deaths and half-deaths of a live bot whose exchange lives on (dead-mans-switch.md, I11; faults F52, F53, F55,
 * F62, F21): each leaves no open orders by the armed trigger, and where life goes on it quotes again on its own.
 */
import { spawnSync } from 'node:child_process';
import { TRIGGER_MS } from '../../../test/support/live-rig.ts';
import { pause } from '../../../test/support/processes.ts';
import type { ForceCase } from './case.ts';
import { Scene } from './scene.ts';
import { Valve } from './valve.ts';

/** How long a bot is held after its switch has fired. */
const HELD_MS = 1_500;

/** SIGKILL: nobody is left, the switch empties the book. */
export const killed: ForceCase = {
  name: 'killed',
  what: 'SIGKILL at an instant of a quoting bot',
  run: async (rig, { name, random }) => {
    const scene = await Scene.quoting(rig, name);
    await pause(random.integer(0, 1_500));
    const atMs = await scene.signal('SIGKILL');
    const going = await scene.gone(atMs);
    await scene.silent(atMs, 500);
    await scene.run.toVanish(5_000);
    return { going, scene };
  },
};

/** SIGSTOP beyond the trigger, then SIGCONT: it finds its orders gone, arms the switch and quotes again. */
export const stopped: ForceCase = {
  name: 'stopped',
  what: 'SIGSTOP until the switch has fired, then SIGCONT (F52)',
  run: async (rig, { name, random }) => {
    const scene = await Scene.quoting(rig, name);
    await pause(random.integer(0, 1_500));
    const atMs = await scene.signal('SIGSTOP');
    const going = await scene.gone(atMs);
    await scene.silent(atMs, HELD_MS);
    const backAtMs = await scene.signal('SIGCONT');
    await scene.recovered(backAtMs);
    await scene.stopProven();
    return { going, scene };
  },
};

/** A strategy that works synchronously for longer than the trigger. */
export const blocked: ForceCase = {
  name: 'blocked',
  what: 'thirty seconds of synchronous work in a strategy (F53)',
  run: (rig, tools) => runBlocked(rig, tools, 30_000),
};

/** As {@link blocked}, as short as the trigger allows. */
export const blockedShortly: ForceCase = {
  name: 'blocked-shortly',
  what: 'synchronous work in a strategy just beyond the trigger (F53)',
  run: (rig, tools) => runBlocked(rig, tools, TRIGGER_MS + HELD_MS),
};

/** A strategy that never comes back. */
export const endless: ForceCase = {
  name: 'endless',
  what: 'an endless loop in a strategy (F62)',
  run: async (rig, { name }) => {
    const scene = await Scene.quoting(rig, name);
    const atMs = scene.misbehave({ kind: 'endless' });
    const going = await scene.gone(atMs);
    await scene.silent(going.goneAtMs, HELD_MS);
    scene.expect(scene.run.end === undefined, 'it ended on its own');
    await scene.run.kill();
    return { going, scene };
  },
};

/** A handler that hands back a promise that never settles: the strategy is stopped at once and lives again. */
export const unsettled: ForceCase = {
  name: 'unsettled',
  what: 'a handler whose promise never settles (F62)',
  run: async (rig, { name }) => {
    const scene = await Scene.quoting(rig, name);
    const atMs = scene.misbehave({ kind: 'promise' });
    await scene.says(/returned a promise/);
    const going = await scene.gone(atMs);
    scene.expect(going.goneMs <= 2_000, `its orders went only after ${going.goneMs} ms (I17)`);
    await scene.recovered(going.goneAtMs);
    await scene.stopProven();
    return { going, scene };
  },
};

/** Nothing passes and nobody is told; afterwards the connections are lost. */
export const blackHole: ForceCase = {
  name: 'black-hole',
  what: 'a network that passes nothing, then loses its connections (F21)',
  run: (rig, tools) => runBlackHole(rig, tools, (valve) => valve.openAgain()),
};

/** Nothing passes and nobody is told; afterwards everything held back arrives late. */
export const lateNetwork: ForceCase = {
  name: 'late-network',
  what: 'a network that passes nothing, then everything late (F6, F21)',
  run: (rig, tools) =>
    runBlackHole(rig, tools, (valve, scene) => {
      scene.excuseLateBytes();
      valve.open();
    }),
};

/** No file of the bot may grow or be written any more. */
export const fullDisk: ForceCase = {
  name: 'full-disk',
  what: 'every write of the journal fails (F55)',
  run: async (rig, { name }) => {
    const scene = await Scene.quoting(rig, name);
    const { pid } = await scene.run.worker();
    const limit = spawnSync('prlimit', ['--pid', String(pid), '--fsize=0'], { encoding: 'utf8' });
    if (limit.status !== 0) throw new Error(`expected prlimit to work: ${limit.stderr}`);
    const atMs = Date.now();
    const going = await scene.gone(atMs);
    await scene.silent(atMs, HELD_MS);
    await scene.endsWith(73);
    await scene.says(/EXECUTION_JOURNAL_FAILED/);
    return { going, scene };
  },
};

async function runBlocked(
  rig: Parameters<ForceCase['run']>[0],
  { name }: Parameters<ForceCase['run']>[1],
  ms: number,
) {
  const scene = await Scene.quoting(rig, name);
  const atMs = scene.misbehave({ kind: 'busy', ms });
  const going = await scene.gone(atMs);
  await scene.silent(going.goneAtMs, Math.max(0, atMs + ms - Date.now() - 200));
  await scene.recovered(going.goneAtMs);
  await scene.stopProven();
  return { going, scene };
}

async function runBlackHole(
  rig: Parameters<ForceCase['run']>[0],
  { name, random }: Parameters<ForceCase['run']>[1],
  heal: (valve: Valve, scene: Scene) => void,
) {
  const valve = await Valve.before(rig.baseUrl);
  try {
    const scene = await Scene.quoting(rig, name, {
      changes: { environment: { name: 'test', baseUrl: valve.url } },
    });
    await pause(random.integer(0, 1_500));
    valve.shut();
    const atMs = Date.now();
    const going = await scene.gone(atMs);
    await scene.silent(atMs, random.integer(HELD_MS, 4 * TRIGGER_MS));
    heal(valve, scene);
    await scene.recovered(Date.now());
    await scene.stopProven();
    return { going, scene };
  } finally {
    await valve.close();
  }
}
