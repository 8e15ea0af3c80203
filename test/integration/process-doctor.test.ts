/**
 * @module
 * `ballast doctor` before a first live run, from a machine where nothing is ready to one where all is: each row says what
 * it found and, where something is missing, what to do.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LiveRig, ladder, type RigBot } from '../support/live-rig.ts';

interface Row {
  readonly check: string;
  readonly status: string;
  readonly detail: string;
  readonly fix: string;
}

interface Finding {
  readonly code: number | null;
  readonly ok: boolean;
  readonly rows: ReadonlyMap<string, Row>;
}

let rig: LiveRig;
let bot: RigBot;

beforeAll(async () => {
  if (process.platform !== 'linux') return;
  rig = await LiveRig.start({ seed: 31, isQuiet: true });
  bot = rig.unapprovedBot('patient', rig.takeAccount());
});

afterAll(() => rig?.end());

async function examined(): Promise<Finding> {
  const command = rig.processes.ballast(['doctor', bot.config, '--json'], { env: rig.env() });
  const { code } = await command.toEnd(30_000);
  const { schema, ok, rows } = JSON.parse(command.lines.join('\n')) as {
    readonly schema: number;
    readonly ok: boolean;
    readonly rows: readonly Row[];
  };
  expect(schema).toBe(1);
  return { code, ok, rows: new Map(rows.map((row) => [row.check, row])) };
}

const statuses = ({ rows }: Finding, status: string): readonly string[] =>
  [...rows.values()].filter((row) => row.status === status).map(({ check }) => check);

describe.skipIf(process.platform !== 'linux')('ballast doctor', () => {
  test('names the keys that are missing, skips what needs them and looks at all else', async () => {
    const finding = await examined();
    expect(finding).toMatchObject({ code: 1, ok: false });
    expect(statuses(finding, 'fail')).toEqual(['keys']);
    expect(finding.rows.get('keys')?.fix).not.toBe('');
    expect(statuses(finding, 'skip')).toEqual(['switch']);
    expect(statuses(finding, 'ok')).toEqual(
      expect.arrayContaining(['node', 'strategies', 'gateway', 'markets', 'account', 'websocket']),
    );
    // How fast its commits are is the machine's affair while other tests run: one that is slow is warned of.
    expect(finding.rows.get('disk')).toMatchObject({
      status: expect.stringMatching(/^(?:ok|warn)$/),
      detail: expect.stringMatching(/MB free, durable commit p99 [0-9.]+ ms/),
    });
  });

  test('names each wallet that the account has not granted, and arms nothing', async () => {
    bot.makeKeys();
    const finding = await examined();
    expect(finding).toMatchObject({ code: 1, ok: false });
    expect(statuses(finding, 'fail')).toEqual(expect.arrayContaining(['grant maker', 'grant guard']));
    expect(finding.rows.get('grant maker')?.fix).toContain('ballast keys approve');
    expect(finding.rows.get('switch')).toMatchObject({ status: 'skip', detail: 'a grant is missing' });
  });

  test('finds nothing in the way once all is granted, and arms the switch for real', async () => {
    await bot.approve();
    const finding = await examined();
    expect(statuses(finding, 'fail')).toEqual([]);
    expect(finding).toMatchObject({ code: 0, ok: true });
    expect(finding.rows.get('keys')?.detail).toContain('guard (safety)');
    expect(finding.rows.get('switch')).toMatchObject({ status: 'ok' });
    expect(finding.rows.get('switch')?.detail).toMatch(/^armed until \d{4}-/);
    expect(await bot.reader.openOrders()).toEqual([]);
  });

  test('warns of a grant that ends soon, and of a bot without a safety wallet', async () => {
    await bot.approve(2);
    bot.configure({ wallets: [{ name: 'maker', keyFile: 'maker.key' }] });
    const finding = await examined();
    expect(finding).toMatchObject({ code: 0, ok: true });
    expect(statuses(finding, 'warn')).toEqual(expect.arrayContaining(['keys', 'grant maker']));
    expect(finding.rows.get('keys')).toMatchObject({
      fix: expect.stringMatching(/cancels .* wait for a write/),
    });
    expect(finding.rows.get('grant maker')?.fix).toContain('ballast keys approve');
  });

  test('names an account and a market that are not there', async () => {
    bot.configure({
      account: { address: `0x${'ab'.repeat(20)}` },
      markets: [{ symbol: 'DOGE-USD' }],
      strategies: [ladder('ladder', { markets: ['DOGE-USD'] })],
    });
    const finding = await examined();
    expect(finding).toMatchObject({ code: 1, ok: false });
    expect(statuses(finding, 'fail')).toEqual(expect.arrayContaining(['markets', 'account']));
    expect(finding.rows.get('markets')?.detail).toContain('DOGE-USD');
    for (const check of statuses(finding, 'fail')) expect(finding.rows.get(check)?.fix, check).not.toBe('');
  });

  test('a gateway that is not there is the one failure, and a person reads what to do', async () => {
    bot.configure({ environment: { name: 'test', baseUrl: 'http://127.0.0.1:1' } });
    const command = rig.processes.ballast(['doctor', bot.config], { env: rig.env() });
    expect(await command.toEnd(30_000)).toMatchObject({ code: 1 });
    const failed = command.lines.findIndex((line) => /^fail +gateway /.test(line));
    expect(command.lines[failed + 1]).toMatch(/^ {21}fix: ./);
    expect(
      command.lines.filter((line) => /^skip +(?:clock|markets|websocket|switch) /.test(line)),
    ).toHaveLength(4);
    expect(command.lines.at(-1)).toMatch(/^1 of \d+ checks failed$/);
  });
});
