/**
 * @module
 * Who may write for an account: a second bot on the same wallets, on this host and on another one (F69), another version
 * of ballast beside this one (F72), and a grant that runs out (H9). Each is refused or goes silent by name, and no order
 * outlives its armed trigger.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { TRIGGER_MS } from '../../../test/support/live-rig.ts';
import { pause, type TestProcess, until } from '../../../test/support/processes.ts';
import type { Going } from './book-log.ts';
import type { ForceCase } from './case.ts';
import { Scene } from './scene.ts';

/** A start asks for so much of a grant, and for time until it asks. */
const GRANT_MS = 150_000 + 15_000;
/** M16: so long before the end of a grant the run ends on its own. */
const GRANT_LEFT_MS = 120_000;
const DAY_MS = 86_400_000;

/** A second bot on the same wallets and the same host is refused; the first one goes on. */
export const secondBot: ForceCase = {
  name: 'second-bot',
  what: 'a second bot on the nonce scopes of a running one, on the same host (F69, O35)',
  run: async (rig, { name }) => {
    const scene = await Scene.quoting(rig, name);
    const second = secondOf(scene, { stateHome: undefined });
    await refused(scene, second, { code: 75, says: 'JOURNAL_SCOPE_LOCKED' });
    await scene.recovered(Date.now());
    return { going: await stoppedProven(scene), scene };
  },
};

/** On another host there is no lock to see: the orders of the first bot keep the second from starting. */
export const secondHost: ForceCase = {
  name: 'second-host',
  what: 'a second bot on the nonce scopes of a running one, from another host (F69, O29)',
  run: async (rig, { name }) => {
    const scene = await Scene.quoting(rig, name);
    const second = secondOf(scene, { stateHome: join(scene.bot.folder, 'other-host') });
    await refused(scene, second, { code: 77, says: 'PREFLIGHT_ORPHAN_ORDERS' });
    await scene.recovered(Date.now());
    return { going: await stoppedProven(scene), scene };
  },
};

/**
 * Told to live beside orders of others, it starts: two writers then use one row of nonces. The one that meets the other's write
 * first gives up by name and ends.
 */
export const secondWriter: ForceCase = {
  name: 'second-writer',
  what: 'two bots that write with the same wallets, from two hosts (F69, O29)',
  run: async (rig, { name }) => {
    const scene = await Scene.quoting(rig, name);
    const atMs = Date.now();
    const second = secondOf(scene, {
      stateHome: join(scene.bot.folder, 'other-host'),
      account: { address: scene.bot.account.address, orphanOrders: 'adopt', orphanPositions: 'adopt' },
    });
    const runs = [scene.run, second];
    const loser = await until(
      'one of two writers to give up',
      () => runs.find(({ end }) => end !== undefined),
      {
        withinMs: 60_000,
      },
    );
    scene.expect(loser.end?.code === 75, `the loser ended with ${loser.end?.code}, expected 75`);
    scene.expect(loser.errors.includes('EXECUTION_OTHER_WRITER'), 'the loser did not name the other writer');
    await pause(2 * TRIGGER_MS);
    for (const run of runs) {
      run.signal('SIGTERM');
      const { code } = await run.toEnd(60_000);
      scene.expect(run === loser || code === 143, `the other one ended with ${code}, expected 143`);
    }
    scene.expect(scene.log.open.length === 0, 'orders rest after both have ended');
    return { going: scene.log.goingSince(atMs), scene };
  },
};

/** A journal of another schema is refused before anything is sent. */
export const otherVersion: ForceCase = {
  name: 'other-version',
  what: 'an old version of ballast, started on the journal of a newer one (F72)',
  run: async (rig, { name }) => {
    const scene = await Scene.quoting(rig, name);
    const going = await stoppedProven(scene);
    raiseSchema(join(scene.bot.folder, 'journal'));
    const atMs = Date.now();
    scene.restart();
    await scene.endsWith(73);
    await scene.says(/JOURNAL_SCHEMA_UNKNOWN/);
    await scene.silent(atMs, 0);
    return { going, scene };
  },
};

/** A grant that is about to run out: the run takes its orders back while it still can, and ends. */
export const expiredGrant: ForceCase = {
  name: 'expired-grant',
  what: 'the grants of both wallets are about to run out (M16)',
  run: async (rig, { name }) => {
    const scene = await Scene.quoting(rig, name, { grantDays: GRANT_MS / DAY_MS });
    await scene.says(/stopping: halt: the grant of wallet/, GRANT_MS - GRANT_LEFT_MS + 10_000);
    const atMs = Date.now() - TRIGGER_MS;
    const going = await scene.gone(atMs);
    await scene.endsWith(77);
    await scene.silent(going.goneAtMs, 2 * TRIGGER_MS);
    return { going, scene };
  },
};

/** Starts the same bot once more beside itself, with a journal of its own. */
function secondOf(
  scene: Scene,
  { stateHome, ...changes }: { readonly stateHome: string | undefined; readonly account?: object },
): TestProcess {
  const { bot } = scene;
  const folder = join(bot.folder, 'second');
  mkdirSync(folder, { mode: 0o700 });
  for (const file of readdirSync(bot.folder))
    if (/\.(?:key|ts)$/.test(file)) cpSync(join(bot.folder, file), join(folder, file));
  const config = join(folder, `${bot.name}.yaml`);
  writeFileSync(config, JSON.stringify({ ...JSON.parse(readFileSync(bot.config, 'utf8')), ...changes }));
  return bot.rig.processes.ballast(['run', config, '--mode', 'live', '--json'], {
    env: { ...bot.rig.env(), ...(stateHome === undefined ? {} : { BALLAST_STATE_HOME: stateHome }) },
  });
}

async function refused(
  scene: Scene,
  second: TestProcess,
  { code, says }: { readonly code: number; readonly says: string },
): Promise<void> {
  const end = await second.toEnd(40_000);
  scene.expect(end.code === code, `the second bot ended with ${end.code ?? end.signal}, expected ${code}`);
  scene.expect(second.errors.includes(says), `the second bot did not say ${says}`);
}

async function stoppedProven(scene: Scene): Promise<Going> {
  const atMs = Date.now();
  await scene.stopProven();
  await pause(100);
  return scene.log.goingSince(atMs);
}

/** Rewrites the header as a version to come would have written it. */
function raiseSchema(folder: string): void {
  const [file] = readdirSync(folder).filter((name) => name.endsWith('.journal.sqlite'));
  const journal = new DatabaseSync(join(folder, file ?? ''));
  const row = journal.prepare('SELECT text FROM header').get();
  const parts: unknown[] = JSON.parse(String(row?.['text']));
  parts[3] = Number(parts[3]) + 1;
  journal.prepare('UPDATE header SET text = ?').run(JSON.stringify(parts));
  journal.close();
}
