/** Agents at the server of the command line: a client of the SDK and the real process, on a live bot at an exchange. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { LiveRig } from '../support/live-rig.ts';
import { LAUNCHER, until } from '../support/processes.ts';

const isLinux = process.platform === 'linux';
const READS = [
  'runs',
  'status',
  'orders',
  'positions',
  'fills',
  'alerts',
  'explain',
  'report',
  'tapes',
  'tape',
];
const CONTROLS = ['pause', 'reduce', 'resume', 'flatten', 'cancel-all', 'set', 'ack', 'stop'];
let rig: LiveRig;

beforeAll(async () => {
  if (isLinux) rig = await LiveRig.start({ seed: 41, accounts: 3 });
});

afterAll(async () => {
  await rig?.end();
});

/** A client of the SDK with a server of its own. */
async function agentOf(env: Readonly<Record<string, string>>, ...words: readonly string[]) {
  const client = new Client({ name: 'desk\u001b[31m agent', version: '1.0.0' });
  const command = { command: process.execPath, args: [LAUNCHER, 'mcp', ...words], stderr: 'pipe' as const };
  const path = { PATH: process.env['PATH'] ?? '' };
  await client.connect(new StdioClientTransport({ ...command, env: { ...path, ...env } }));
  onTestFinished(() => client.close());
  const ask = async (name: string, given: Readonly<Record<string, unknown>> = {}) => {
    const { content, isError = false } = await client.callTool({ name, arguments: { ...given } });
    const [first] = content;
    const text = first?.type === 'text' ? first.text : '';
    // biome-ignore lint/suspicious/noExplicitAny: documents of many shapes
    return { isError, text, json: JSON.parse(text) as any };
  };
  return { client, ask };
}

describe.skipIf(!isLinux)('an agent', () => {
  test('reads a live bot, and controls it only where it is allowed to, with its name in the journal', async () => {
    const home = mkdtempSync(join(tmpdir(), 'ballast-mcp-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const env = { ...rig.env(), BALLAST_STATE_HOME: home };
    const bot = await rig.bot('watched', { record: { enabled: true, folder: 'tapes' } });
    const [node = '', ...words] = bot.command();
    const run = rig.processes.start(node, words, { env });
    const [order] = await bot.quoting(run);

    const reader = await agentOf(env);
    const { tools } = await reader.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(READS);
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
    expect(reader.client.getServerVersion()).toMatchObject({ name: 'ballast' });

    const { runs } = (await reader.ask('runs')).json;
    expect(runs).toMatchObject([{ name: 'watched', mode: 'live' }]);
    const folder: string = runs[0].folder;
    const answered = async (name: string, given: Readonly<Record<string, unknown>> = {}) =>
      await until(
        `${name} to be answered`,
        async () => {
          const said = await reader.ask(name, given);
          return said.isError ? undefined : said;
        },
        { withinMs: 20_000 },
      );
    const status = await answered('status', { run: 'watched' });
    expect(status.json).toMatchObject({ runId: runs[0].runId, trading: { state: 'active' } });
    const { token } = JSON.parse(readFileSync(join(folder, 'control.json'), 'utf8'));
    const explained = await answered('explain', { question: 'now' });
    expect(explained.json).toMatchObject({ name: 'watched', halts: [] });
    const asked = `order ${order?.orderId}`;
    expect((await answered('explain', { question: asked, run: 'watched' })).json.runId).toBe(runs[0].runId);
    const tapes = await answered('tapes');
    expect(tapes.json.tapes).toMatchObject([{ folder }]);
    expect((await answered('tape', { name: runs[0].runId })).json.markets).toMatchObject([
      { symbol: 'BTC-USD' },
    ]);
    for (const { text } of [status, explained, tapes]) expect(text).not.toContain(token);

    expect((await reader.ask('pause')).json.error).toMatchObject({ code: 'AGENT_CONTROLS_OFF' });
    expect((await reader.ask('stat')).json.error).toMatchObject({ code: 'AGENT_TOOL_UNKNOWN' });
    expect((await reader.ask('status', { run: 'watchd' })).json.error).toMatchObject({
      code: 'OPERATOR_RUN_UNKNOWN',
    });
    expect((await reader.ask('status', { runn: 'watched' })).json.error.message).toContain('one of run');
    expect((await reader.ask('tape', { name: '../../etc' })).json.error.code).toBe('AGENT_TAPE_UNKNOWN');
    expect((await reader.ask('status')).json.halts).toEqual([]);

    const trader = await agentOf(env, '--allow-controls');
    const all = (await trader.client.listTools()).tools.map(({ name }) => name);
    expect(all).toEqual([...READS, ...CONTROLS]);
    expect(await trader.ask('resume')).toMatchObject({ isError: true });
    const paused = await until(
      'the pause to be confirmed',
      async () => {
        const said = await trader.ask('pause', { reason: 'the spread is odd' });
        return said.json.isConfirmed === true ? said : undefined;
      },
      { withinMs: 20_000 },
    );
    expect(paused.json).toMatchObject({ name: 'watched', scope: 'account', after: 'halted' });
    expect(await bot.reader.openOrders()).toEqual([]);
    const set = await trader.ask('set', { parameter: 'ladder.levels', value: '1' });
    expect(set.json, set.text).toMatchObject({ before: '2', after: '1' });
    expect((await trader.ask('set', { parameter: 'ladder.levls', value: '1' })).text).toContain(
      'most like it: levels',
    );
    expect((await trader.ask('resume', { reason: 'looked at it' })).json).toMatchObject({ after: 'active' });
    const stopped = await trader.ask('stop', { reason: 'end of day' });
    expect(stopped.isError, stopped.text).toBe(false);
    expect(await run.toEnd(60_000), run.errors).toMatchObject({ code: 0 });

    const actors = bot.journal((journal) =>
      journal.audit({}).flatMap(({ fields }) => ('actor' in fields ? [fields['actor']] : [])),
    );
    expect(actors.length).toBeGreaterThanOrEqual(4);
    for (const actor of actors) expect(actor).toMatch(/^mcp client desk\?\?31m agent of \S+$|^operator$/);
    const report = await answered('report', { run: 'watched' });
    expect(report.json).toMatchObject({ schema: 'ballast-report', run: { runId: runs[0].runId } });
  });
});
