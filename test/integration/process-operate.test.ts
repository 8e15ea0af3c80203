/** A person at a bot that runs: each command against a live process on an exchange, the journal, the replay, the end. */
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LiveRig, type RigBot } from '../support/live-rig.ts';
import { pause, type TestProcess, until } from '../support/processes.ts';

const isLinux = process.platform === 'linux';
let rig: LiveRig;

beforeAll(async () => {
  if (isLinux) rig = await LiveRig.start({ seed: 29, accounts: 10 });
});

afterAll(async () => {
  await rig?.end();
});

/** Longer than a busy machine stands still, so that the guardian and no firing empties the book. */
const SWITCH = { heartbeat: '5s', timeout: '60s' };

/** How a command ended, and its document. */
interface Said {
  readonly code: number | null;
  readonly text: string;
  readonly errors: string;
  // biome-ignore lint/suspicious/noExplicitAny: documents of many shapes
  readonly json: any;
}

async function say(env: Readonly<Record<string, string>>, ...words: readonly string[]): Promise<Said> {
  const process = rig.processes.ballast(words, { env });
  const { code } = await process.toEnd(30_000);
  const isJson = words.includes('--json') && process.lines.length > 0;
  return {
    ...{ code, text: process.lines.join('\n'), errors: process.errors },
    json: isJson ? process.document() : undefined,
  };
}

/** A bot that is recorded, with a home of its own. */
async function operated(name: string, changes: Readonly<Record<string, unknown>> = {}) {
  const home = mkdtempSync(join(tmpdir(), 'ballast-operate-'));
  const env = { ...rig.env(), BALLAST_STATE_HOME: home };
  const bot = await rig.bot(name, { record: { enabled: true, folder: 'tapes' }, ...changes });
  const ask = (...command: readonly string[]) => say(env, ...command);
  const start = async (called = name, file = bot.config) => {
    const [node = '', ...words] = bot.command().map((word) => (word === bot.config ? file : word));
    const run = rig.processes.start(node, words, { env });
    await bot.quoting(run);
    const isOpen = async () => (await ask('status', called)).code === 0;
    await until('the run to take actions', isOpen, { withinMs: 20_000 });
    return run;
  };
  /** On a busy machine an effect may take longer than one answer waits: asked again, it changes nothing. */
  const confirmed = (...command: readonly string[]) =>
    until(
      `${command.join(' ')} to be confirmed`,
      async () => {
        const said = await ask(...command);
        return said.code === 0 ? said : undefined;
      },
      { withinMs: 20_000 },
    );
  const run = await start();
  return { bot, run, ask, confirmed, start, env, done: () => rmSync(home, { recursive: true, force: true }) };
}

/** The folder of its only run. */
const folderOf = (bot: RigBot): string => {
  const [first = ''] = readdirSync(join(bot.folder, 'tapes'));
  return join(bot.folder, 'tapes', first);
};

async function endOf(run: TestProcess): Promise<void> {
  expect(await run.toEnd(30_000), run.errors).toMatchObject({ code: 0, signal: null });
  expect(run.document()).toMatchObject({ openOrders: 0, unresolved: 0, reconciled: true, differences: [] });
}

describe.skipIf(!isLinux).concurrent('a person', () => {
  test('reads, pauses, resumes, sets, reduces, cancels, flattens and stops a live bot; its replay decides the same', async () => {
    const { bot, run, ask, confirmed, env, done } = await operated('operated');
    const { json: listed } = await ask('runs', '--json');
    expect(listed.runs).toMatchObject([{ name: 'operated', mode: 'live', environment: 'test' }]);
    expect(['armed', 'quoting', 'degraded', 'silent']).toContain(listed.runs[0].state);
    const folder = folderOf(bot);
    const control = JSON.parse(readFileSync(join(folder, 'control.json'), 'utf8'));
    expect(statSync(join(folder, 'control.json')).mode & 0o777).toBe(0o600);
    expect(run.errors).not.toContain(control.token);

    const followed = rig.processes.ballast(['logs', '-f'], { env });

    expect((await ask('status')).text).toMatch(/^run +\S+ of operated, live,\s/);
    expect((await ask('positions', 'latest')).text).toMatch(/^MARKET +POSITION/);
    expect((await ask('fills', listed.runs[0].runId, '--json')).json.fills).toBeInstanceOf(Array);
    expect((await ask('orders', 'operated', '--json')).json.orders).toBeInstanceOf(Array);
    expect((await ask('logs', '--lines', '5')).text.split('\n').length).toBeLessThanOrEqual(5);

    const { address } = (await ask('dashboard', '--json')).json;
    const { origin, hash } = new URL(address);
    expect([hash, origin]).toEqual([`#token=${control.token}`, control.baseUrl]);
    expect((await ask('dashboard', 'operated')).text).toBe(address);
    expect((await fetch(origin)).status).toBe(200);
    expect((await fetch(`${origin}/view`)).status).toBe(401);
    expect((await ask('top')).text).toMatch(/^operated {2}/);
    expect((await ask('top', 'operated', '--json')).json).toMatchObject({
      schema: 1,
      run: { name: 'operated' },
    });

    const paused = await confirmed('pause', 'operated', '--reason', 'lunch', '--json');
    expect(paused.json).toMatchObject({ scope: 'account', after: 'halted' });
    // Confirmed: the exchange has nothing of ours from here on, whatever the market does.
    const placed = async () => (await bot.reader.orderHistory()).map(({ orderId }) => orderId).sort();
    expect(await bot.reader.openOrders()).toEqual([]);
    const before = await placed();
    await pause(1_500);
    expect(await bot.reader.openOrders()).toEqual([]);
    expect(await placed()).toEqual(before);
    expect((await ask('status', '--json')).json.halts).toMatchObject([
      { control: 'operator', scope: 'account' },
    ]);

    const unsaid = await ask('resume', 'operated');
    expect(unsaid.code).toBe(64);
    expect(unsaid.errors).toContain('OPERATOR_REASON_MISSING: expected why run ');
    expect(unsaid.errors).toContain('account by operator, ');
    expect(unsaid.errors).toContain('ballast resume operated --reason "');
    const resumed = await ask('resume', 'operated', '--reason', 'back', '--json');
    expect(resumed).toMatchObject({ code: 0, json: { before: 'halted', after: 'active', halts: [] } });
    await bot.quoting(run);

    const set = await ask('set', 'ladder.levels=1', '--reason', 'wide', '--json');
    expect(set, set.errors).toMatchObject({ code: 0, json: { scope: 'strategy ladder', after: '1' } });
    const refused = await ask('set', 'ladder.levls=1', 'operated');
    expect(refused.code).toBe(64);
    expect(refused.errors).toContain('most like it: levels');
    expect((await ask('set', 'ladder.levels=many')).errors).toContain('ladder.levels: expected an integer');
    expect((await ask('pause', 'operate')).errors).toContain('most like it: operated');
    expect((await ask('pause', '--strategy', 'lader')).errors).toContain('most like it: ladder');

    const reduced = await confirmed('reduce', '--strategy', 'ladder', '--json');
    expect(reduced.json.after).toBe('reducing');
    expect(await ask('resume', '--strategy', 'ladder', '--reason', 'x')).toMatchObject({ code: 0 });
    await confirmed('cancel-all', '--market', 'BTC-USD');
    const stopped = await ask('stop', '--flatten', '--reason', 'end of day', '--json');
    expect(stopped, stopped.errors).toMatchObject({ code: 0, json: { ended: { isProven: true } } });
    await endOf(run);
    expect(await followed.toEnd(30_000)).toMatchObject({ code: 0 });
    expect(followed.lines.join('\n')).toMatch(/info {2}an action of a person .*"reason":"lunch"/);
    expect((await ask('runs')).text).toMatch(/operated +ended/);
    expect(readdirSync(folder)).not.toContain('control.json');
    expect(await ask('pause', 'operated')).toMatchObject({ code: 64 });

    const rows = bot.journal((journal) =>
      journal.audit({}).filter(({ fields }) => typeof fields['reason'] === 'string' && 'actor' in fields),
    );
    const found = rows.map(({ type, fields }) => [type, fields['reason'], fields['before'], fields['state']]);
    expect(found).toContainEqual(['TradingStateChanged', 'lunch', 'active', 'halted']);
    expect(found).toContainEqual(['TradingStateChanged', 'back', 'halted', 'active']);
    expect(found).toContainEqual(['FlattenAsked', 'end of day', undefined, undefined]);
    expect(rows.find(({ type }) => type === 'ParametersChanged')?.fields).toMatchObject({
      ...{ reason: 'wide', before: { levels: expect.anything() }, after: { levels: '1' } },
    });
    expect(rows.map(({ type }) => type)).toEqual(expect.arrayContaining(['CancelAllAsked', 'StopAsked']));

    const replayed = await ask('replay', folder, '--json');
    expect(replayed, replayed.errors).toMatchObject({ code: 0, json: { missing: 0 } });
    expect(replayed.json.divergence).toBeUndefined();
    expect(replayed.json.decisions).toBeGreaterThan(10);

    const ofFolder = await ask('report', folder);
    expect(ofFolder).toMatchObject({ code: 0, text: expect.stringContaining('ladder') });
    for (const name of ['operated', 'latest', basename(folder)])
      expect(await ask('report', name)).toEqual(ofFolder);
    expect(await ask('report', 'diff', 'operated', folder, '--exit-code')).toMatchObject({ code: 0 });
    expect((await ask('report', 'operatd')).errors).toContain('most like it: operated');
    expect(await ask('report', 'runs/operated')).toMatchObject({ code: 64 });
    done();
  });

  test('finds a run that was killed as died, and is told so by each command', async () => {
    const { run, ask, done } = await operated('dying', { deadMansSwitch: { ...SWITCH, guardian: false } });
    process.kill((await run.worker()).pid, 'SIGKILL');
    await run.toEnd(30_000);
    expect((await ask('runs', '--json')).json.runs).toMatchObject([{ name: 'dying', state: 'died' }]);
    expect(await ask('status', 'dying')).toMatchObject({ code: 69 });
    expect((await ask('pause')).errors).toContain('got no name and none');
    done();
  });

  test('operates a paper run as a live one', async () => {
    const { bot, run: live, ask, env, done } = await operated('papered');
    expect(await ask('stop', 'papered')).toMatchObject({ code: 0 });
    await endOf(live);
    const paper = rig.processes.ballast(['run', bot.config, '--mode', 'paper', '--json'], { env });
    const isOpen = async () => (await ask('status', 'papered')).code === 0;
    await until(() => `the paper run to take actions\n${paper.errors}`, isOpen, { withinMs: 30_000 });
    expect((await ask('runs', '--json')).json.runs[0]).toMatchObject({ name: 'papered', mode: 'paper' });
    const paused = () => ask('pause', '--reason', 'look', '--json');
    await until('the pause', async () => (await paused()).code === 0, { withinMs: 20_000 });
    expect((await ask('orders', '--json')).json.orders).toEqual([]);
    expect(await ask('resume', '--reason', 'go')).toMatchObject({ code: 0 });
    expect(await ask('set', 'ladder.levels=1')).toMatchObject({ code: 0 });
    const stopped = await ask('stop', '--flatten', '--json');
    expect(stopped, stopped.errors).toMatchObject({ json: { ended: { reason: expect.any(String) } } });
    await paper.toEnd(30_000);
    const open = Object.values<string>(paper.document().position).filter((size) => Number(size) !== 0);
    expect(open).toEqual([]);
    done();
  });

  test('is known by its name: a renamed file changes nothing, and the journal of the file name is taken over', async () => {
    const { bot, run, ask, start, done } = await operated('renamed');
    expect(await ask('stop', 'renamed')).toMatchObject({ code: 0 });
    await endOf(run);
    const journals = () =>
      readdirSync(join(bot.folder, 'journal')).filter((name) => name.endsWith('.journal.sqlite'));
    expect(journals()).toEqual([expect.stringMatching(/-renamed\.journal\.sqlite$/)]);
    bot.configure({ name: 'steady' });
    const named = await start('steady');
    expect(named.errors).toContain('the journal of this bot under the name of its file is taken over');
    expect(journals()).toEqual([
      expect.stringMatching(/-steady\.1\.journal\.sqlite$/),
      expect.stringMatching(/-steady\.journal\.sqlite$/),
    ]);
    expect(await ask('stop', 'steady')).toMatchObject({ code: 0 });
    await endOf(named);
    const moved = join(bot.folder, 'other.yaml');
    renameSync(bot.config, moved);
    const again = await start('steady', moved);
    expect(await ask('stop', 'steady')).toMatchObject({ code: 0 });
    await endOf(again);
    expect(journals().length).toBe(2);
    const { runs } = (await ask('runs', '--json')).json;
    expect(runs.map(({ name }: { name: string }) => name)).toEqual(['steady', 'steady', 'renamed']);
    done();
  });

  test('cancels all orders of a bot whose main loop hangs, or that is to be ended, through its guardian', async () => {
    const { bot, run, ask, start, done } = await operated('hanging', { deadMansSwitch: SWITCH });
    expect(await ask('flatten', 'hanging', '--guardian')).toMatchObject({ code: 64 });
    process.kill((await run.worker()).pid, 'SIGSTOP');
    const canceled = await ask('cancel-all', 'hanging', '--json');
    expect(canceled, canceled.errors).toMatchObject({ code: 0 });
    expect(await bot.reader.openOrders()).toEqual([]);
    expect(await run.toEnd(30_000)).toMatchObject({ code: 80 });
    expect((await ask('runs', '--json')).json.runs).toMatchObject([
      {
        state: 'ended',
        ended: { isProven: true, reason: expect.stringContaining('its guardian took over') },
      },
    ]);

    const again = await start();
    const ended = await ask('cancel-all', '--guardian', '--reason', 'drill');
    expect(ended, ended.errors).toMatchObject({ code: 0 });
    expect(ended.text).toMatch(/ended by its guardian|asked for it: drill/);
    expect(await bot.reader.openOrders()).toEqual([]);
    expect(await again.toEnd(30_000)).toMatchObject({ code: 80 });
    done();
  });
});
