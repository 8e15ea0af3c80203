/**
 * @module
 * One list of checks: what `ballast doctor` names keeps `ballast run` from starting, by the same id and in the same words; and
 * where it names nothing, the run starts.
 */
import { chmodSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { scopeOf } from '../../src/bot/execution/index.ts';
import { lockScope } from '../../src/bot/journal/index.ts';
import type { Check } from '../../src/bot/live/checks/check.ts';
import { CHECKS } from '../../src/bot/live/checks/list.ts';
import { NODE_MIN } from '../../src/bot/live/checks/machine-refusals.ts';
import type { DoctorRow } from '../../src/bot/live/index.ts';
import type { Address } from '../../src/domain/index.ts';
import type { ExchangeSettings } from '../../src/exchange/state/index.ts';
import { FastClock } from '../support/fast-clock.ts';
import { ladder } from '../support/live-rig.ts';
import { type Changes, PreflightBot } from '../support/preflight-rig.ts';
import { ROOT } from '../support/processes.ts';
import { serveTest } from '../support/served.ts';
import { AUTHORITY, aProxy, EXPIRED_AUTHORITY, tlsBefore } from '../support/tls-gateway.ts';

const isLinux = process.platform === 'linux';
const MB = 1024 * 1024;
/** What waits for thirty seconds is over in three. */
const IN_A_HURRY = 10;

async function aBot(settings: Partial<ExchangeSettings> = {}): Promise<PreflightBot> {
  const served = await serveTest({ settings });
  const bot = new PreflightBot(served);
  onTestFinished(async () => {
    await served.stop();
    bot.end();
  });
  return bot;
}

/** What keeps a bot from running, made in its world; gives what else differs of it. */
type Trouble = (bot: PreflightBot) => Changes | undefined | Promise<Changes | undefined>;

/** An answer of the gateway with other words in it. */
function edited(bot: PreflightBot, path: string, change: (body: string) => string): undefined {
  bot.served.exchange.control.disturb({
    fault: {
      kind: 'edit',
      edit: (answer) => ({ ...answer, body: change(String(answer.body)) }),
    },
    matches: (asked) => asked.path.startsWith(path),
    times: Number.POSITIVE_INFINITY,
  });
}

/** Orders on the account that are not of the bot. */
function trade(bot: PreflightBot, side: 'buy' | 'sell', price: number, tif: 'gtc' | 'ioc'): void {
  bot.served.exchange.control.execute({
    kind: 'BatchPlace',
    account: bot.account.accountId,
    nowMs: 0,
    orders: [{ market: 0, side, price, lots: 100n, tif, reduceOnly: false }],
  });
}

/** A proxy before the gateway that lets no WebSocket through. */
async function withoutSockets(bot: PreflightBot): Promise<Changes> {
  const { port } = bot.served.server;
  const proxy = createServer((asked, answer) => {
    const on = request({
      port,
      host: '127.0.0.1',
      path: asked.url,
      method: asked.method,
      headers: asked.headers,
    });
    on.on('response', (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    });
    on.on('error', () => answer.destroy());
    asked.pipe(on);
  });
  proxy.on('upgrade', (_asked, socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'));
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', () => resolve()));
  onTestFinished(() => void proxy.close());
  const baseUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return { config: { environment: { name: 'test', baseUrl } }, clock: new FastClock(IN_A_HURRY) };
}

/** A port that another server has. */
async function takenPort(): Promise<number> {
  const other = createServer();
  await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', () => resolve()));
  onTestFinished(() => void other.close());
  return (other.address() as AddressInfo).port;
}

/** Each check that can refuse: how it comes to, and the code. */
const TROUBLES: Readonly<Record<string, readonly [code: string, trouble: Trouble]>> = {
  production: [
    'CONFIG_PRODUCTION_NOT_CONFIRMED',
    (bot) => ({
      config: { environment: { name: 'real', baseUrl: bot.served.server.baseUrl, production: true } },
    }),
  ],
  node: ['PREFLIGHT_NODE_UNSUPPORTED', () => ({ host: { nodeVersion: '24.11.9' } })],
  strategies: [
    'CONFIG_INVALID',
    () => ({ config: { strategies: [ladder('ladder', { parameters: { levels: 'two' } })] } }),
  ],
  structs: [
    'CONFIG_DOCUMENT_INVALID',
    (bot) => ({
      config: {
        environment: {
          ...{ name: 'test', baseUrl: bot.served.server.baseUrl },
          openapiFile: bot.write('openapi.yaml', 'paths: [1]\n'),
        },
      },
    }),
  ],
  descriptors: [
    'PREFLIGHT_DESCRIPTORS_FEW',
    () => ({ host: { descriptors: () => ({ open: 990, most: 1_024 }) } }),
  ],
  disk: ['PREFLIGHT_DISK_FULL', () => ({ host: { freeBytes: () => MB / 2 } })],
  'tape disk': [
    'PREFLIGHT_DISK_UNUSABLE',
    (bot) => ({ config: { record: { enabled: true, folder: join(bot.write('file', ''), 'tapes') } } }),
  ],
  'log disk': ['PREFLIGHT_DISK_UNUSABLE', (bot) => ({ config: { log: { file: bot.folder } } })],
  door: [
    'CONFIG_PORT_IN_USE',
    async () => ({
      config: { operator: { port: await takenPort() }, record: { enabled: true, folder: 'tapes' } },
    }),
  ],
  keys: [
    'CONFIG_KEY_FILE_UNSAFE',
    (bot) => {
      chmodSync(join(bot.folder, 'maker.key'), 0o644);
      return undefined;
    },
  ],
  tls: [
    'CONFIG_CA_FILE_EXPIRED',
    async (bot) => ({
      config: {
        environment: {
          ...{ name: 'test', baseUrl: await tlsBefore(bot.served.server.port) },
          caFile: bot.write('authority.pem', EXPIRED_AUTHORITY),
        },
      },
    }),
  ],
  alerts: [
    'CONFIG_ALERT_SECRET_INVALID',
    (bot) => {
      const urlFile = bot.write('channel.url', 'somewhere');
      chmodSync(urlFile, 0o600);
      return { config: { alerts: { channels: [{ name: 'ops', kind: 'webhook', urlFile }] } } };
    },
  ],
  proxy: [
    'PREFLIGHT_PROXY_REFUSED',
    async (bot) => ({
      config: {
        environment: { name: 'test', baseUrl: bot.served.server.baseUrl, proxy: (await aProxy(403)).url },
      },
    }),
  ],
  gateway: [
    'PREFLIGHT_UNREACHABLE',
    () => ({ config: { environment: { name: 'test', baseUrl: 'http://127.0.0.1:1' } } }),
  ],
  domain: [
    'PREFLIGHT_CODEC_UNSUPPORTED',
    (bot) =>
      edited(bot, '/v1/exchange', (body) =>
        body.replace(/"codecVersion":("?)[^,"}]+/, '"codecVersion":$1977'),
      ),
  ],
  markets: [
    'PREFLIGHT_MARKET_CLOSED',
    (bot) => {
      bot.served.exchange.control.marketStatus({ symbol: 'BTC-USD', status: 'Paused' });
      return undefined;
    },
  ],
  account: [
    'PREFLIGHT_ACCOUNT_MISSING',
    () => ({ config: { account: { address: `0x${'ab'.repeat(20)}` } } }),
  ],
  collateral: [
    'PREFLIGHT_COLLATERAL_MISSING',
    (bot) => {
      bot.served.exchange.control.withdraw({ account: bot.account.address, amount: '1000000' });
      return undefined;
    },
  ],
  capital: [
    'RISK_LIMIT_INVALID',
    () => ({ config: { risk: { capital: '0.0000000001', minSwitchTimeLeft: '1s' } } }),
  ],
  limits: [
    'PREFLIGHT_LIMIT_BELOW_MINIMUM',
    () => ({ config: { risk: { capital: 1, minSwitchTimeLeft: '1s' } } }),
  ],
  leverage: [
    'PREFLIGHT_LEVERAGE_INVALID',
    () => ({ config: { markets: [{ symbol: 'BTC-USD', leverage: 100 }] } }),
  ],
  grant: [
    'PREFLIGHT_GRANT_MISSING',
    (bot) => {
      const [, guard] = bot.account.apiWallets;
      bot.served.exchange.control.revoke({ account: bot.account.address, agent: guard?.address ?? '' });
      return undefined;
    },
  ],
  nonce: [
    'PREFLIGHT_SCOPE_UNEXPECTED',
    (bot) => edited(bot, '/v1/account/nonce', (body) => body.replaceAll(/"agent:0x/g, '"other:0x')),
  ],
  locks: [
    'JOURNAL_SCOPE_LOCKED',
    async (bot) => {
      const rows = await bot.examine();
      const domain = rows.find(({ id }) => id === 'domain')?.detail.replace(/, codec .*/, '') ?? '';
      const lock = lockScope({
        folder: join(bot.folder, 'state', 'ballast', 'locks'),
        environment: domain,
        scope: scopeOf({ address: bot.account.apiWallets[0]?.address as Address }),
        holder: 'another bot',
      });
      onTestFinished(() => lock.release());
      return undefined;
    },
  ],
  journal: [
    'JOURNAL_CORRUPT',
    async (bot) => {
      expect(await bot.run()).toBeUndefined();
      const folder = join(bot.folder, 'journal');
      for (const name of readdirSync(folder)) {
        if (name.endsWith('.sqlite')) writeFileSync(join(folder, name), 'no journal '.repeat(1_000));
        else if (/-(?:wal|shm)$/.test(name)) rmSync(join(folder, name));
      }
      return undefined;
    },
  ],
  orders: [
    'PREFLIGHT_ORPHAN_ORDERS',
    (bot) => {
      trade(bot, 'buy', 500_000, 'gtc');
      return undefined;
    },
  ],
  positions: [
    'PREFLIGHT_ORPHAN_POSITION',
    (bot) => {
      const { control } = bot.served.exchange;
      control.order({ symbol: 'BTC-USD', side: 'sell', price: '100000', size: '1' });
      trade(bot, 'buy', 1_000_000, 'ioc');
      return undefined;
    },
  ],
  websocket: ['PREFLIGHT_SOCKET_SILENT', withoutSockets],
  switch: [
    'PREFLIGHT_SWITCH_NOT_ARMED',
    (bot) => {
      // No trigger lies that far ahead: each schedule-cancel is rejected.
      bot.served.exchange.control.minSwitchLead({ lead: 3_600_000 });
      return { clock: new FastClock(IN_A_HURRY) };
    },
  ],
};

/** What cannot be brought about in this process, and who shows it instead. */
const SHOWN_ELSEWHERE: ReadonlySet<string> = new Set([
  // A back end that does not work: test/unit/bot/setup; an open debugger: test/regressions/debugger-open-in-live.test.ts.
  ...['signing', 'debugger'],
]);

/** Each check that only warns: how it comes to. */
const WARNINGS: Readonly<Record<string, Trouble>> = {
  memory: () => ({ host: { availableBytes: () => 100 * MB } }),
  'tape disk': () => ({
    config: { record: { enabled: true, folder: 'tapes' } },
    host: { freeBytes: (folder) => (folder.includes('tapes') ? MB / 2 : 10 * MB) },
  }),
  'log disk': (bot) => ({
    config: { log: { file: join(bot.folder, 'logs', 'bot.log') } },
    host: { freeBytes: (folder) => (folder.includes('logs') ? MB / 2 : 10 * MB) },
  }),
  feeds: () => ({ config: { feeds: [{ name: 'fair', kind: 'file', file: 'fair.jsonl' }] } }),
  'safety wallet': () => ({ config: { wallets: [{ name: 'maker', keyFile: 'maker.key' }] } }),
  clock: (bot) => {
    bot.served.exchange.control.clockSkew({ ms: 5_000 });
    return undefined;
  },
  capital: () => ({ config: { risk: { capital: 2_000_000, minSwitchTimeLeft: '1s' } } }),
};

const failedOf = (rows: readonly DoctorRow[]) => rows.filter(({ status }) => status === 'fail');

describe.skipIf(!isLinux)('the checks before a run', () => {
  test('are one list of at least 25, each with an id of its own and what to do', () => {
    expect(CHECKS.length).toBeGreaterThanOrEqual(25);
    expect(new Set(CHECKS.map(({ id }) => id)).size).toBe(CHECKS.length);
    for (const { id, looksAt, remedy, codes, refuses, by } of CHECKS) {
      expect(looksAt, id).not.toBe('');
      expect(remedy, id).not.toBe('');
      // What refuses has codes, by which a start finds its check; what only the doctor looks at refuses nothing.
      expect(codes.length > 0, id).toBe(refuses !== '');
      if (by === 'doctor') expect(refuses, id).toBe('');
    }
    expect(`>=${NODE_MIN}`).toBe(manifest.engines.node);
  });

  test('each that refuses is shown to', () => {
    const refusing = CHECKS.filter(({ refuses, id }: Check) => refuses !== '' && !SHOWN_ELSEWHERE.has(id));
    expect(refusing.map(({ id }) => id).sort()).toEqual(Object.keys(TROUBLES).sort());
  });

  test('find nothing where the run then starts, and the run starts where they find nothing', async () => {
    const bot = await aBot();
    const rows = await bot.examine();
    expect(failedOf(rows)).toEqual([]);
    for (const { detail, check } of rows) expect(detail, check).not.toBe('');
    expect(await bot.run()).toBeUndefined();
    expect(failedOf(await bot.examine())).toEqual([]);
    expect(await bot.run()).toBeUndefined();
  });

  test.each(Object.entries(TROUBLES))(
    '%s: doctor and run refuse by the same id and words',
    async (id, [code, make]) => {
      const bot = await aBot();
      const changes = (await make(bot)) ?? {};
      const failed = failedOf(await bot.examine(changes));
      const refusal = await bot.run(changes);
      expect(refusal?.error.code).toBe(code);
      expect({ check: refusal?.check, words: refusal?.words, fix: refusal?.error.remedy }).toEqual({
        check: id,
        words: failed[0]?.detail,
        fix: failed[0]?.fix,
      });
      expect(failed[0]?.id).toBe(id);
    },
  );

  test.each(Object.entries(WARNINGS))(
    '%s: doctor and run warn alike, and the run starts',
    async (id, make) => {
      const bot = await aBot();
      const changes = (await make(bot)) ?? {};
      const rows = await bot.examine(changes);
      expect(failedOf(rows)).toEqual([]);
      const row = rows.find((one) => one.id === id);
      expect(row).toMatchObject({ status: 'warn', fix: expect.stringMatching(/./) });
      expect(await bot.run(changes)).toBeUndefined();
      expect(bot.warned.filter((line) => line.startsWith(`check ${id}: `))).toHaveLength(1);
    },
  );

  test('a person who says so runs on production, and takes a position as nobody’s', async () => {
    const bot = await aBot();
    await TROUBLES['positions']?.[1](bot);
    const changes = {
      config: { environment: { name: 'real', baseUrl: bot.served.server.baseUrl, production: true } },
      said: { production: true, acceptsDifference: true },
    };
    expect(failedOf(await bot.examine(changes))).toEqual([]);
    expect(await bot.run(changes)).toBeUndefined();
  });

  test('a gateway behind a proxy, with an authority of its own, is traded on over requests and streams', async () => {
    const bot = await aBot();
    const baseUrl = await tlsBefore(bot.served.server.port);
    const caFile = bot.write('authority.pem', AUTHORITY);
    const proxy = await aProxy();
    const environment = { name: 'test', baseUrl, caFile, proxy: proxy.url };
    const rows = await bot.examine({ config: { environment } });
    expect(failedOf(rows)).toEqual([]);
    expect(rows.find(({ id }) => id === 'tls')?.detail).toMatch(/ballast test until .*2120/);
    expect(await bot.run({ config: { environment } })).toBeUndefined();
    expect(new Set(proxy.led)).toEqual(new Set([new URL(baseUrl).host]));
    // Without the certificates nothing is said to it.
    const strange = await bot.run({ config: { environment: { ...environment, caFile: undefined } } });
    expect(strange).toMatchObject({ check: 'gateway', error: { code: 'PREFLIGHT_UNREACHABLE' } });
  });

  test('a key in another process trades as one in a file, and one that is not its own is refused', async () => {
    const bot = await aBot();
    const [maker, guard] = bot.account.apiWallets;
    const signer = (name: string, address = '') => ({
      command: [
        process.execPath,
        join(ROOT, 'docs/guides/examples/signer.mjs'),
        join(bot.folder, `${name}.key`),
      ],
      address,
    });
    const wallets = [
      { name: 'maker', signer: signer('maker', maker?.address) },
      { name: 'guard', role: 'safety', signer: signer('guard', guard?.address) },
    ];
    const rows = await bot.examine({ config: { wallets } });
    expect(failedOf(rows)).toEqual([]);
    expect(rows.find(({ check }) => check === 'signer maker')?.detail).toMatch(
      /^1[0-9] signatures, median [0-9.]+ ms/,
    );
    expect(await bot.run({ config: { wallets } })).toBeUndefined();
    const wrong = { config: { wallets: [{ name: 'maker', signer: signer('guard', maker?.address) }] } };
    const [failed] = failedOf(await bot.examine(wrong));
    const refusal = await bot.run(wrong);
    expect(failed?.detail).toContain(`got one of ${guard?.address}`);
    expect(refusal).toMatchObject({
      check: 'keys',
      words: failed?.detail,
      error: { code: 'CONFIG_SIGNER_UNUSABLE' },
    });
    const main = { config: { wallets: [{ name: 'maker', signer: signer('maker', bot.account.address) }] } };
    expect(await bot.run(main)).toMatchObject({ check: 'keys', error: { code: 'CONFIG_WALLET_IS_MAIN' } });
  });

  test('a market whose tick has changed since the last run is named', async () => {
    const bot = await aBot();
    expect(await bot.run()).toBeUndefined();
    bot.served.exchange.control.marketRules({ symbol: 'BTC-USD', tickSize: '0.5' });
    const row = (await bot.examine()).find(({ id }) => id === 'steps');
    expect(row).toMatchObject({
      status: 'warn',
      detail: expect.stringMatching(/BTC-USD was tick 0\.1 .* and is tick 0\.5 /),
    });
  });

  test('what cannot be looked at refuses no run: the start is patient with a gateway', async () => {
    const bot = await aBot();
    bot.served.exchange.control.disturb({
      fault: { kind: 'answer', answer: { status: 500, headers: {}, body: 'down' } },
      matches: ({ path }) => path.startsWith('/v1/markets/BTC-USD/candles') && path.includes('limit=1'),
      times: 6,
    });
    expect(await bot.run()).toBeUndefined();
    expect(bot.warned).toContain('check limits could not be made');
  });
});
