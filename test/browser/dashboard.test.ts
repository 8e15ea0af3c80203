/** The dashboard in a real browser, served by a real door in front of a bot whose market a test holds by the hand. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Operation, operate } from '../../src/bot/operator/index.ts';
import { riskLimits } from '../../src/bot/risk/index.ts';
import { defineStrategy, param } from '../../src/bot/strategy/index.ts';
import { type AuditEvent, SystemClock, silentLog } from '../../src/core/index.ts';
import { lots, type OrderId, ticks } from '../../src/domain/index.ts';
import { saveRun } from '../../src/report/index.ts';
import { aRig, setupOf } from '../support/bot-rig.ts';
import { launchChromium } from '../support/chromium.ts';
import { someFigures } from '../support/run-figures.ts';
import { aDay } from '../support/run-records.ts';
import { BTC, LANE, usd } from '../support/trading-builders.ts';

const SIZES = [
  { width: 1400, height: 900 },
  { width: 390, height: 844 },
] as const;
/** Markup, a right-to-left override and a line break: what a name from outside may hold. */
const HOSTILE = '<img src=x onerror="document.title=1">\u202Egnitirw\n<script>alert(1)</script>';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
});

/** One bid and one ask. */
const maker = defineStrategy({
  name: 'maker',
  parameters: param.object({ levels: param.integer({ min: 1, max: 5 }) }),
  create: (context) => ({
    onBook: (view) =>
      context.quote(view.symbol, {
        bids: [{ priceTicks: ticks((view.bestBidTicks ?? 0) - 100), sizeLots: lots(10) }],
        asks: [{ priceTicks: ticks((view.bestAskTicks ?? 0) + 100), sizeLots: lots(10) }],
      }),
  }),
});

async function aRun({ isStarted = true, name = 'maker' } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'ballast-dashboard-'));
  const rig = aRig([setupOf(maker, { parameters: { levels: 1 } })], { operatorLane: LANE });
  const audit: AuditEvent[] = [];
  const stops: unknown[] = [];
  const about = {
    ...{ runId: 'run-1', name, mode: 'sim' as const, environment: 'sim', config: '/maker.yaml' },
    ...{ folder: join(folder, 'run-1'), processId: process.pid, startedAtMs: 1 },
  };
  const operation: Operation = operate({
    about,
    ...{
      clock: new SystemClock(),
      log: silentLog,
      place: { port: 0 },
      lowDiskBytes: 0,
      runsFolder: join(folder, 'runs'),
    },
    stop: (order) => stops.push(order),
  });
  await operation.open();
  onTestFinished(() => {
    operation.close({ reason: 'test', isProven: true });
    rmSync(folder, { recursive: true });
  });
  const start = () =>
    operation.began({
      bot: rig.bot,
      audit: { record: (event) => audit.push(event) },
      parametersOf: () => ['levels', 'size'],
      figures: someFigures(),
      explain: (words) => ({
        answer: `because of ${words.join(' ')} ${HOSTILE}`,
        steps: [{ step: 'fill', atMs: 1_000, text: `it was filled ${HOSTILE}`, facts: {} }],
      }),
      limits: riskLimits({ capital: usd(100_000), symbols: [BTC] }),
      lanes: () => [{ lane: LANE, state: 'idle', busyMs: 0, unresolved: 0 }],
    });
  if (isStarted) start();
  const { baseUrl, token } = JSON.parse(readFileSync(join(folder, 'run-1', 'control.json'), 'utf8'));
  return { rig, audit, stops, operation, baseUrl, token, folder, start, about };
}

async function open(
  { baseUrl, token }: { readonly baseUrl: string; readonly token: string },
  {
    viewport = SIZES[0],
    colorScheme = 'light' as 'light' | 'dark',
    address = `${baseUrl}/#token=${token}`,
  }: {
    readonly viewport?: (typeof SIZES)[number];
    readonly colorScheme?: 'light' | 'dark';
    readonly address?: string;
  } = {},
) {
  const context = await browser.newContext({ viewport, colorScheme });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const foreign: string[] = [];
  const faults: string[] = [];
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${baseUrl}/`) && url !== 'data:,') foreign.push(url);
    if (url.includes(token)) foreign.push(`the token in ${url}`);
  });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    // A door that is gone, a token or a value that is refused: what some tests are about.
    if (!/net::ERR_|status of 40[01]/.test(message.text())) faults.push(message.text());
  });
  await page.goto(address);
  return { page, context, foreign, faults };
}

async function widthOf(page: Page): Promise<number> {
  return Number(await page.evaluate('document.documentElement.scrollWidth'));
}

/** True once a canvas of the page has ink on it. */
async function isDrawn(page: Page): Promise<boolean> {
  return Boolean(
    await page.evaluate(`[...document.querySelectorAll('canvas')].some((canvas) => {
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      let inked = 0;
      for (let at = 3; at < data.length; at += 4) if (data[at] > 0) inked++;
      return inked > 1000;
    })`),
  );
}

describe.each(SIZES)('at a width of $width', (viewport) => {
  test.each(['light', 'dark'] as const)(
    'in %s a trading run is shown, fits, and asks its door alone',
    async (colorScheme) => {
      const run = await aRun();
      run.rig.book(999_990, 1_000_010);
      run.rig.fill(run.rig.bot.account.workingOrders(BTC)[0]?.orderId as OrderId);
      run.rig.book(999_980, 1_000_010);
      const { page, foreign, faults } = await open(run, { viewport, colorScheme });
      await page.waitForSelector('[data-state=quoting]');
      await page.waitForSelector('[data-phase=live]');
      expect(page.url()).toBe(`${run.baseUrl}/`);
      await expect.poll(() => isDrawn(page)).toBe(true);
      expect(await page.locator('table.book tr.own').count()).toBe(2);
      expect(await page.locator('#risk tbody tr').count()).toBeGreaterThan(5);
      expect(await page.locator('#health .checks li').count()).toBe(10);
      expect(await page.locator('#fills tbody tr').count()).toBe(1);
      expect(await page.locator('#lanes').textContent()).toContain('idle');
      expect(await widthOf(page)).toBe(viewport.width);
      expect(await page.evaluate('getComputedStyle(document.querySelector(".panel")).backgroundColor')).toBe(
        colorScheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(28, 32, 38)',
      );
      expect(faults).toEqual([]);
      expect(foreign).toEqual([]);
    },
  );

  test('a fill and an open order are explained in place, with the command for a terminal', async () => {
    const run = await aRun();
    run.rig.book(999_990, 1_000_010);
    run.rig.fill(run.rig.bot.account.workingOrders(BTC)[0]?.orderId as OrderId);
    run.rig.book(999_980, 1_000_010);
    const { page, faults, foreign } = await open(run, { viewport });
    await page.waitForSelector('[data-state=quoting]');
    for (const kind of ['fill', 'order'] as const) {
      const button = page.locator(`[data-explain^="${kind} "]`).first();
      const question = await button.getAttribute('data-explain');
      await button.click();
      const dialog = page.locator('dialog');
      await expect.poll(() => dialog.textContent()).toContain(`because of ${question}`);
      expect(await dialog.textContent()).toContain('it was filled');
      expect(await dialog.locator('#explain-command').textContent()).toBe(
        `ballast explain ${question} --run run-1`,
      );
      expect(await page.locator('dialog img, dialog script').count()).toBe(0);
      expect(await widthOf(page)).toBe(viewport.width);
      await dialog.locator('button').click();
      await expect.poll(() => page.locator('dialog').count()).toBe(0);
    }
    expect(faults).toEqual([]);
    expect(foreign).toEqual([]);
  });

  test('a run that starts says so, and is shown as soon as it trades', async () => {
    const run = await aRun({ isStarted: false });
    const { page, faults } = await open(run, { viewport });
    await page.waitForSelector('[data-state=starting]');
    expect(await page.locator('button[data-action=pause]').isDisabled()).toBe(true);
    expect(await widthOf(page)).toBe(viewport.width);
    run.start();
    run.rig.book(999_990, 1_000_010);
    await page.waitForSelector('[data-state=quoting]');
    expect(await page.locator('button[data-action=pause]').isDisabled()).toBe(false);
    expect(faults).toEqual([]);
  });

  test('an empty run has words where it has no figures', async () => {
    const run = await aRun();
    const { page, faults } = await open(run, { viewport });
    await page.waitForSelector('[data-phase=live]');
    await expect.poll(() => page.locator('#fills').textContent()).toContain('Nothing was filled yet');
    expect(await page.locator('.book tr.own').count()).toBe(0);
    expect(await widthOf(page)).toBe(viewport.width);
    expect(faults).toEqual([]);
  });

  test('a run that is halted or does not trade says why, over everything else', async () => {
    const run = await aRun();
    run.rig.book(999_990, 1_000_010);
    run.rig.bot.halt({ actor: 'ann', reason: 'a drill' });
    const { page, faults } = await open(run, { viewport });
    await page.waitForSelector('[data-state=halted]');
    await expect.poll(() => page.locator('.banner.bad').first().textContent()).toContain('ann: a drill');
    expect(await widthOf(page)).toBe(viewport.width);
    run.rig.bot.setTrading({ kind: 'account' }, 'active', { actor: 'ann', reason: 'over' });
    run.rig.feed({ type: 'AccountDegraded', reason: 'the stream was cut' });
    await page.waitForSelector('[data-state=degraded]');
    await expect.poll(() => page.locator('.banner.warn').first().textContent()).toContain('Not trading');
    expect(await widthOf(page)).toBe(viewport.width);
    expect(faults).toEqual([]);
  });

  test('a door that is gone: the page says since when, keeps what it has, and tries again', async () => {
    const run = await aRun();
    run.rig.book(999_990, 1_000_010);
    const { page } = await open(run, { viewport });
    await page.waitForSelector('[data-state=quoting]');
    run.operation.close({ reason: 'over', isProven: true });
    await page.waitForSelector('#lost');
    expect(await page.locator('#lost').textContent()).toMatch(/Disconnected since \d\d:\d\d:\d\d UTC/);
    expect(await page.locator('table.book tr.own').count()).toBe(2);
    expect(await page.locator('button[data-action=pause]').isDisabled()).toBe(true);
    expect(await widthOf(page)).toBe(viewport.width);
  });
});

describe('the session', () => {
  test('without a token nothing of the run is there; one that is pasted opens it; a button ends it', async () => {
    const run = await aRun();
    run.rig.book(999_990, 1_000_010);
    for (const path of ['/feed', '/view', '/status', '/runs', '/control'])
      expect((await fetch(`${run.baseUrl}${path}`)).status, path).toBe(401);
    expect((await fetch(`${run.baseUrl}/reports/run-1`, { method: 'POST' })).status).toBe(401);
    const files = await fetch(`${run.baseUrl}/`);
    expect(files.status).toBe(200);
    expect(files.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await files.text()).not.toContain('maker');
    const { page, faults } = await open(run, { address: `${run.baseUrl}/` });
    await page.fill('input[name=token]', 'f'.repeat(64));
    await page.click('button[type=submit]');
    await expect.poll(() => page.locator('[role=alert]').textContent()).toContain('not that of the run');
    await page.fill('input[name=token]', run.token);
    await page.click('button[type=submit]');
    await page.waitForSelector('[data-state=quoting]');
    expect(await page.evaluate('[sessionStorage.length, localStorage.length, document.cookie]')).toEqual([
      1,
      0,
      '',
    ]);
    await page.reload();
    await page.waitForSelector('[data-state=quoting]');
    await page.click('#end-session');
    await page.waitForSelector('input[name=token]');
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    expect(await page.locator('body').textContent()).not.toContain('quoting');
    await page.reload();
    await page.waitForSelector('input[name=token]');
    expect(faults).toEqual([]);
  });

  test('another name of this machine and a page of another origin are refused, the token known or not', async () => {
    const run = await aRun();
    const { request } = await import('node:http');
    const ask = (path: string, headers: Record<string, string>) =>
      new Promise<number>((resolve, reject) => {
        const { port } = new URL(run.baseUrl);
        request({ host: '127.0.0.1', port, path, headers }, (answer) => {
          answer.resume();
          resolve(answer.statusCode ?? 0);
        })
          .on('error', reject)
          .end();
      });
    const authorization = `Bearer ${run.token}`;
    for (const path of ['/', '/page/start.js', '/feed', '/view'])
      for (const headers of [{ host: 'evil.example' }, { origin: 'http://evil.example' }, { origin: 'null' }])
        expect(await ask(path, { authorization, ...headers } as Record<string, string>), path).toBe(403);
    // What looks like a file of the page and is none needs the token like everything else.
    for (const path of ['/page/../control', '/page/%2e%2e/status', '/page/start.js/x', '/report/1'])
      expect(await ask(path, {}), path).toBe(401);
  });
});

describe('controls', () => {
  test('each action is confirmed in a dialog, reaches the journal with its reason, and shows its answer', async () => {
    const run = await aRun();
    run.rig.book(999_990, 1_000_010);
    const { page, faults } = await open(run);
    await page.waitForSelector('[data-state=quoting]');
    const act = async (
      action: string,
      fill: (dialog: ReturnType<Page['locator']>) => Promise<void> = async () => undefined,
    ) => {
      await page.click(`button[data-action=${action}]`);
      const dialog = page.locator('dialog');
      await dialog.waitFor();
      await fill(dialog);
      await dialog.locator('input[name=reason]').fill(`why ${action}`);
      await dialog.locator('button[type=submit]').click();
      await dialog.locator('.answer').waitFor();
      const said = (await dialog.locator('.answer').textContent()) ?? '';
      await dialog.locator('button', { hasText: 'Close' }).click();
      await dialog.waitFor({ state: 'detached' });
      return said;
    };
    const choose = (scope: string) => async (dialog: ReturnType<Page['locator']>) => {
      await dialog.locator('select[name=scope]').selectOption(scope);
    };
    expect(await act('pause', choose(`market ${BTC}`))).toContain('from active to halted, done');
    expect(await act('resume', choose(`market ${BTC}`))).toContain('from halted to active, done');
    expect(await act('reduce', choose('strategy maker'))).toContain('reducing');
    expect(await act('resume', choose('strategy maker'))).toContain('active');
    expect(await act('cancel-all')).toContain('done');
    expect(
      await act('set', async (dialog) => {
        await dialog.locator('select[name=parameter]').selectOption('maker.levels');
        await dialog.locator('input[name=value]').fill('no number');
      }),
    ).toContain('expected');
    expect(await act('flatten')).toContain('halted');
    expect(await act('stop')).toContain('stopping');
    expect(run.stops).toEqual([{ actor: 'dashboard', reason: 'why stop' }]);
    expect(
      run.rig.audit
        .typesOf('TradingStateChanged')
        .map(({ fields }) => [fields['actor'], fields['reason']])
        .slice(0, 4),
    ).toEqual(['pause', 'resume', 'reduce', 'resume'].map((action) => ['dashboard', `why ${action}`]));
    expect(run.rig.audit.typesOf('CancelAllAsked')).toHaveLength(1);
    expect(run.audit.map(({ type }) => type)).toContain('ActionRefused');
    expect(faults).toEqual([]);
  });

  test('a dialog that is left does nothing, and a reason must be given', async () => {
    const run = await aRun();
    run.rig.book(999_990, 1_000_010);
    const { page } = await open(run);
    await page.click('button[data-action=flatten]');
    await page.locator('dialog button[type=submit]').click();
    expect(await page.locator('dialog .answer').count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    expect(run.rig.bot.status().trading.state).toBe('active');
  });
});

test('names and reasons from outside bring no markup and turn no text around', async () => {
  const run = await aRun({ name: HOSTILE });
  run.rig.book(999_990, 1_000_010);
  run.rig.bot.halt({ actor: HOSTILE, reason: HOSTILE });
  run.operation.keep({ type: HOSTILE, atMs: 1, fields: { [HOSTILE]: HOSTILE } });
  run.operation.log.warn(HOSTILE, { reason: HOSTILE });
  const { page, foreign, faults } = await open(run);
  await page.waitForSelector('[data-state=halted]');
  await expect.poll(() => page.locator('#events').textContent()).toContain('onerror');
  await expect.poll(() => page.locator('#log').textContent()).toContain('onerror');
  expect(await page.locator('img, #page script').count()).toBe(0);
  const text = `${await page.locator('body').textContent()}${await page.title()}`;
  expect(text).toContain('\\u202egnitirw');
  expect(text).not.toMatch(/\u202e/u);
  expect(await widthOf(page)).toBe(SIZES[0].width);
  expect(faults).toEqual([]);
  expect(foreign).toEqual([]);
});

test('the report of a run that has ended opens once, in an origin of its own', async () => {
  const run = await aRun();
  const record = aDay({ hours: 1, symbols: ['BTC-PERP'] });
  const past = join(run.folder, 'past-1');
  saveRun(past, record);
  const ended = await aListed(run.folder, past);
  const { page, context, faults } = await open(run);
  await page.waitForSelector(`[data-report=${ended}]`);
  const [report] = await Promise.all([context.waitForEvent('page'), page.click(`[data-report=${ended}]`)]);
  await report.waitForSelector('html[data-drawn=yes]');
  expect(new URL(report.url()).pathname).toMatch(/^\/report\/[0-9a-f]{32}$/);
  expect(await report.evaluate('self.origin')).toBe('null');
  expect((await fetch(report.url())).status).toBe(404);
  expect(await page.locator('#runs').textContent()).toContain('this run');
  expect(faults).toEqual([]);
});

/** Puts a run that has ended on the list; its id. */
async function aListed(folder: string, runFolder: string): Promise<string> {
  const past = operate({
    about: {
      ...{ runId: 'past-1', name: 'maker', mode: 'sim', environment: 'sim', config: '/maker.yaml' },
      ...{ folder: runFolder, processId: process.pid, startedAtMs: 0 },
    },
    ...{
      clock: new SystemClock(),
      log: silentLog,
      place: { port: 0 },
      lowDiskBytes: 0,
      runsFolder: join(folder, 'runs'),
    },
    stop: () => undefined,
  });
  await past.open();
  past.close({ reason: 'asked to', isProven: true });
  return 'past-1';
}
