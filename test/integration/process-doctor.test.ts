/**
 * @module
 * `ballast doctor` before a first live run, from a machine where nothing is ready to one where all is: each row says what
 * it found and, where something is missing, what to do.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Examined, LiveRig, ladder, type RigBot } from '../support/live-rig.ts';

let rig: LiveRig;
let bot: RigBot;

beforeAll(async () => {
  if (process.platform !== 'linux') return;
  rig = await LiveRig.start({ seed: 31, isQuiet: true });
  bot = rig.unapprovedBot('patient', rig.takeAccount());
});

afterAll(() => rig?.end());

const statuses = ({ rows }: Examined, status: string): readonly string[] =>
  [...rows.values()].filter((row) => row.status === status).map(({ check }) => check);

describe.skipIf(process.platform !== 'linux')('ballast doctor', () => {
  test('names the keys that are missing, skips what needs them and looks at all else', async () => {
    const finding = await bot.examine();
    expect(finding).toMatchObject({ code: 1, ok: false });
    expect(statuses(finding, 'fail')).toEqual(['keys']);
    expect(finding.rows.get('keys')?.fix).not.toBe('');
    expect(statuses(finding, 'skip')).toEqual(
      expect.arrayContaining(['structs', 'tape disk', 'log disk', 'locks', 'switch']),
    );
    expect(statuses(finding, 'ok')).toEqual(
      expect.arrayContaining(['node', 'strategies', 'gateway', 'markets', 'account', 'websocket']),
    );
    expect(finding.rows.get('disk')).toMatchObject({
      status: 'ok',
      detail: expect.stringMatching(/MB free in /),
    });
    // How fast its commits are is the machine's affair while other tests run: one that is slow is warned of.
    expect(finding.rows.get('commits')).toMatchObject({
      status: expect.stringMatching(/^(?:ok|warn)$/),
      detail: expect.stringMatching(/durable commit p99 [0-9.]+ ms/),
    });
  });

  test('names each wallet that the account has not granted, and arms nothing', async () => {
    bot.makeKeys();
    const finding = await bot.examine();
    expect(finding).toMatchObject({ code: 1, ok: false });
    expect(statuses(finding, 'fail')).toEqual(expect.arrayContaining(['grant maker', 'grant guard']));
    expect(finding.rows.get('grant maker')?.fix).toContain('ballast keys approve');
    expect(finding.rows.get('switch')).toMatchObject({ status: 'skip', detail: 'a grant is missing' });
  });

  test('finds nothing in the way once all is granted, and arms the switch for real', async () => {
    await bot.approve();
    const finding = await bot.examine();
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
    const finding = await bot.examine();
    expect(finding).toMatchObject({ code: 0, ok: true });
    expect(statuses(finding, 'warn')).toEqual(expect.arrayContaining(['safety wallet', 'grant maker']));
    expect(finding.rows.get('safety wallet')).toMatchObject({
      fix: expect.stringMatching(/cancels .* wait for a write/),
    });
    expect(finding.rows.get('grant maker')?.fix).toContain('ballast keys approve');
  });

  test('names capital above the equity, and a leverage that the market does not have', async () => {
    bot.configure({
      markets: [{ symbol: 'BTC-USD', leverage: 100 }],
      risk: { capital: 100_000_000_000, minSwitchTimeLeft: '1s' },
    });
    const finding = await bot.examine();
    expect(finding.rows.get('capital')).toMatchObject({
      status: 'warn',
      detail: expect.stringMatching(/^capital 100000000000, equity [0-9.]+: it is [0-9.]+ times the equity/),
      fix: expect.stringContaining('risk.capital'),
    });
    expect(finding.rows.get('leverage')).toMatchObject({
      status: 'fail',
      detail: expect.stringMatching(
        /PREFLIGHT_LEVERAGE_INVALID: expected a leverage of BTC-USD up to \d+, got 100/,
      ),
    });
  });

  test('names a grant that a run would end for', async () => {
    bot.configure({ risk: { capital: 10000, minSwitchTimeLeft: '1s', minGrantTimeLeft: '100h' } });
    const finding = await bot.examine();
    expect(finding.rows.get('grant maker')).toMatchObject({
      status: 'fail',
      detail: expect.stringContaining('to be valid for more than 360030 s, it ends at'),
    });
  });

  test('names an account and a market that are not there', async () => {
    bot.configure({
      account: { address: `0x${'ab'.repeat(20)}` },
      markets: [{ symbol: 'DOGE-USD' }],
      strategies: [ladder('ladder', { markets: ['DOGE-USD'] })],
    });
    const finding = await bot.examine();
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
    // What was found may take several lines; the next row begins at the margin.
    const rest = command.lines.slice(failed + 1);
    const finding = rest.slice(
      0,
      rest.findIndex((line) => /^\S/.test(line)),
    );
    expect(finding.filter((line) => /^ {21}fix: ./.test(line))).toHaveLength(1);
    expect(finding.every((line) => /^ {21}\S/.test(line))).toBe(true);
    expect(
      command.lines.filter((line) => /^skip +(?:clock|markets|websocket|switch) /.test(line)),
    ).toHaveLength(4);
    expect(command.lines.at(-1)).toMatch(/^1 of \d+ checks failed$/);
  });
});
