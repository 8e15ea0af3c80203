/** People are told of a run: channels over a network, and one bot whose life a local webhook follows. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { postByNetwork, sendOnce } from '../../src/bot/alerts/index.ts';
import { alertPlanOf } from '../../src/bot/live/index.ts';
import { parseConfig } from '../../src/config/index.ts';
import { SystemClock, secrets, silentLog, VirtualClock } from '../../src/core/index.ts';
import { aChannel, pass, SOURCE } from '../support/alert-scene.ts';
import { LiveRig } from '../support/live-rig.ts';
import { until } from '../support/processes.ts';
import { Webhook } from '../support/webhook.ts';

const DEMO = readFileSync(join(import.meta.dirname, '..', '..', 'configs', 'demo.yaml'), 'utf8');

async function aHook(): Promise<Webhook> {
  const hook = await Webhook.open();
  onTestFinished(() => hook.close());
  return hook;
}

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ballast-alerts-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const TEST = { kind: 'test', about: 'alerts', text: 'a test' } as const;

describe('the network of alerts', () => {
  test('reaches each kind of channel', async () => {
    const hook = await aHook();
    const channels = (['webhook', 'slack', 'discord', 'telegram'] as const).map((kind) =>
      aChannel({
        ...{ kind, name: kind },
        url: kind === 'telegram' ? hook.url : `${hook.url}/${kind}`,
        token: kind === 'telegram' ? '1:token' : undefined,
        chat: kind === 'telegram' ? '@desk' : undefined,
      }),
    );
    const ports = { clock: new SystemClock(), log: silentLog, post: postByNetwork };
    const figures = await sendOnce({ source: SOURCE, channels }, TEST, ports, 20_000);
    expect(figures.map(({ name, sent }) => [name, sent])).toEqual(channels.map(({ name }) => [name, 1]));
    expect(hook.calls.map(({ path }) => path).toSorted()).toEqual(
      ['/bot1:token/sendMessage', '/discord', '/slack', '/webhook'].toSorted(),
    );
  });

  test('gives a channel up that never answers, or is not there, at its deadline', async () => {
    const hook = await aHook();
    hook.answer = 'silence';
    const gone = await Webhook.open();
    const { url } = gone;
    gone.close();
    const channels = [aChannel({ url: `${hook.url}/a` }), aChannel({ name: 'gone', url: `${url}/a` })];
    const clock = new VirtualClock(1_700_000_000_000);
    let figures: Awaited<ReturnType<typeof sendOnce>> | undefined;
    void sendOnce(
      { source: SOURCE, channels },
      TEST,
      { clock, log: silentLog, post: postByNetwork },
      8_000,
    ).then((found) => {
      figures = found;
    });
    await until('the request to be there', async () => hook.calls.length > 0, { withinMs: 20_000 });
    await until(
      'both channels to be given up',
      async () => {
        await pass(clock, 1_000);
        return figures !== undefined;
      },
      { withinMs: 20_000 },
    );
    expect(figures?.map(({ sent, dropped }) => [sent, dropped])).toEqual([
      [0, 1],
      [0, 1],
    ]);
  });
});

describe('the section alerts', () => {
  const configOf = (alerts: object, folder: string) =>
    parseConfig(`${DEMO}\nalerts: ${JSON.stringify(alerts)}\n`, join(folder, 'maker.yaml')).config;

  test('takes its secrets from files, which nothing shows from then on', () => {
    const folder = aFolder();
    const url = `https://hooks.example/services/T${process.pid}/abcdefghijklmnopqrstuvwx`;
    writeFileSync(join(folder, 'desk.url'), `${url}\n`, { mode: 0o600 });
    writeFileSync(join(folder, 'telegram'), '12345678:token-of-the-bot\n', { mode: 0o600 });
    const config = configOf(
      {
        channels: [
          { name: 'desk', kind: 'slack', urlFile: 'desk.url' },
          { name: 'phone', kind: 'telegram', tokenFile: 'telegram', chat: '-100', minSeverity: 'critical' },
        ],
      },
      folder,
    );
    const plan = alertPlanOf(config, SOURCE);
    expect(plan?.channels).toMatchObject([
      { name: 'desk', kind: 'slack', url, minSeverity: 'info', maxPerMinute: 10 },
      { name: 'phone', url: 'https://api.telegram.org', token: '12345678:token-of-the-bot', chat: '-100' },
    ]);
    for (const text of [url, 'abcdefghijklmnopqrstuvwx', '12345678:token-of-the-bot'])
      expect(secrets.scrub(`said ${text}`)).not.toContain(text);
    expect(alertPlanOf(configOf({}, folder), SOURCE)).toBeUndefined();
  });

  test.each([
    ['a webhook without its URL', { kind: 'webhook' }, /alerts\.channels\[0\]\.urlFile/],
    ['Telegram without its chat', { kind: 'telegram', tokenFile: 'x' }, /alerts\.channels\[0\]\.chat/],
    ['a chat of Slack', { kind: 'slack', urlFile: 'x', chat: '-1' }, /alerts\.channels\[0\]\.chat/],
    ['an unknown kind', { kind: 'pager', urlFile: 'x' }, /webhook, telegram, slack or discord/],
  ])('refuses %s by name', (_name, channel, message) => {
    expect(() => configOf({ channels: [{ name: 'desk', ...channel }] }, '/')).toThrow(message);
  });

  test('refuses a secret that is missing, open to others, or something else', () => {
    const folder = aFolder();
    const planOf = (file: string) =>
      alertPlanOf(configOf({ channels: [{ name: 'desk', kind: 'discord', urlFile: file }] }, folder), SOURCE);
    writeFileSync(join(folder, 'open.url'), 'https://hooks.example/x\n', { mode: 0o644 });
    writeFileSync(join(folder, 'word.url'), 'a-word-that-is-no-address\n', { mode: 0o600 });
    expect(() => planOf('none.url')).toThrow(/file with the secret of a channel at .*none\.url/);
    expect(() => planOf('open.url')).toThrow(/mode 600/);
    expect(() => planOf('word.url')).toThrow(/an http or https URL in .*word\.url, got something else/);
  });
});

describe.skipIf(process.platform !== 'linux')('a bot whose owner is told', () => {
  let tries = 0;
  let rig: LiveRig;
  let hook: Webhook;
  beforeAll(async () => {
    rig = await LiveRig.start({ seed: 41, accounts: 4 });
    hook = await Webhook.open();
  });
  afterAll(async () => {
    hook?.close();
    await rig?.end();
  });

  test('hears that it trades, is halted, is killed, begins again and ends; the switch is not needed for it', async () => {
    const path = `/hook/secret-path-of-a-hook-${Date.now()}`;
    const beat = `/beat/secret-path-of-a-beat-${Date.now()}`;
    const home = mkdtempSync(join(tmpdir(), 'ballast-alerts-home-'));
    const env = { ...rig.env(), BALLAST_STATE_HOME: home };
    const name = `told-${++tries}`;
    const bot = await rig.bot(name, {
      record: { enabled: false, folder: 'tapes' },
      deadMansSwitch: { heartbeat: '5s', timeout: '60s' },
      alerts: {
        channels: [
          { name: 'desk', kind: 'webhook', urlFile: 'desk.url', tokenFile: 'desk.token', maxPerMinute: 60 },
        ],
        heartbeat: { urlFile: 'beat.url', interval: '10s' },
      },
    });
    const secret = (name: string, text: string) =>
      writeFileSync(join(bot.folder, name), `${text}\n`, { mode: 0o600 });
    secret('desk.url', `${hook.url}${path}`);
    secret('desk.token', 'token-of-the-desk');
    secret('beat.url', `${hook.url}${beat}`);
    const say = async (...words: readonly string[]) => {
      const command = rig.processes.ballast(words, { env });
      const { code } = await command.toEnd(30_000);
      return { code, text: command.lines.join('\n'), errors: command.errors };
    };
    const heard = (what: string) =>
      until(
        () => `${what}, not only ${hook.told(path).join(', ')}`,
        async () => hook.told(path).includes(what),
        { withinMs: 60_000 },
      );
    const start = () => {
      const [node = '', ...words] = bot.command();
      return rig.processes.start(node, words, { env });
    };

    const tried = await say('alerts', 'test', bot.config);
    expect(tried, tried.errors).toMatchObject({ code: 0, text: expect.stringContaining('ok') });
    expect(hook.told(path)).toEqual(['test event']);
    expect(hook.calls[0]?.headers.authorization).toBe('Bearer token-of-the-desk');

    const first = start();
    await bot.quoting(first);
    await heard('run-started event');
    await until('a beat', async () => hook.calls.some((call) => call.path === beat), { withinMs: 60_000 });
    expect((await say('pause', name, '--reason', 'lunch')).code).toBeTypeOf('number');
    await heard('halted raised');
    const listed = JSON.parse((await say('alerts', 'list', name, '--json')).text);
    const halted = listed.active.find(({ kind }: { kind: string }) => kind === 'halted');
    expect(halted).toMatchObject({ about: 'account', severity: 'critical' });
    expect(listed.channels).toMatchObject([{ name: 'desk', dropped: 0 }]);
    expect(await say('alerts', 'ack', `${halted.id}`, name, '--reason', 'seen')).toMatchObject({ code: 0 });
    expect(await say('alerts', 'ack', '4711', name)).toMatchObject({ code: 1 });
    expect((await say('alerts', 'list', name)).text).toContain('acknowledged by');

    // The child of the launcher is the bot; its guardian tells that it died.
    const { processId } = JSON.parse((await say('runs', '--json')).text).runs[0];
    process.kill(processId, 'SIGKILL');
    expect(await first.toEnd(60_000)).toMatchObject({ code: 80 });
    await heard('run-died event');

    const second = start();
    await heard('run-restarted event');
    expect(await say('stop', name, '--reason', 'end of day')).toMatchObject({ code: 0 });
    await second.toEnd(60_000);
    await heard('run-ended event');
    const end = hook.calls.findLast((call) => call.path === path)?.body;
    expect(end.text).toContain('end of day');
    expect(end.text).toMatch(/exit code [0-9]+/);
    expect(JSON.parse((await say('runs', '--json')).text).runs[0].ended.code).toBeTypeOf('number');
    for (const text of [first.errors, second.errors, tried.text])
      for (const part of [path, beat, 'token-of-the-desk']) expect(text).not.toContain(part);
    rmSync(home, { recursive: true, force: true });
  }, 240_000);
});
