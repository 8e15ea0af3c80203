/** @module The page of a report in a real browser: offline, narrow and wide, light and dark, zoom and hover. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { htmlOfRun } from '../../src/report/index.ts';
import { launchChromium } from '../support/chromium.ts';
import { aDay, aYear } from '../support/run-records.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'report-page-'));
const FILE = pathToFileURL(join(FOLDER, 'report.html')).href;
const YEAR = pathToFileURL(join(FOLDER, 'year.html')).href;
const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const;

let browser: Browser;
beforeAll(async () => {
  writeFileSync(
    join(FOLDER, 'report.html'),
    htmlOfRun(aDay({ hours: 2, symbols: ['BTC-PERP', 'ETH-PERP'] })),
  );
  writeFileSync(join(FOLDER, 'year.html'), htmlOfRun(aYear()));
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  rmSync(FOLDER, { recursive: true });
});

interface Opened {
  readonly page: Page;
  /** What the page asked for, and what it complained of. */
  readonly requests: readonly string[];
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

async function open(
  viewport: (typeof SIZES)[number] = SIZES[0],
  colorScheme: 'light' | 'dark' = 'light',
  file = FILE,
): Promise<Opened> {
  const context = await browser.newContext({ viewport, colorScheme, offline: true });
  const page = await context.newPage();
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(file);
  await page.waitForSelector('html[data-drawn=yes]');
  return { page, requests, complaints, close: () => context.close() };
}

/** The times that the charts say they show, with the pointer at a part of the width of the first. */
async function timesAt(page: Page, part: number): Promise<readonly string[]> {
  const over = page.locator('#pnl .u-over').first();
  const box = await over.boundingBox();
  if (box === null) throw new Error('expected a chart');
  await page.mouse.move(box.x + box.width * part, box.y + box.height / 2, { steps: 3 });
  await page.waitForTimeout(50);
  return await page
    .locator('.chart .u-series:first-child .u-value')
    .evaluateAll((all) => all.map((one) => one.textContent ?? '').filter((text) => text.endsWith('UTC')));
}

/** How far a time that a chart says lies from one of the day, in seconds: a pixel is six of them. */
function secondsFrom(clock: string, said: string | undefined): number {
  return Math.abs(Date.parse(`2027-01-15T${clock}Z`) - Date.parse(said?.replace(' UTC', 'Z') ?? '')) / 1000;
}

async function drag(page: Page, from: number, to: number): Promise<void> {
  const box = await page.locator('#pnl .u-over').first().boundingBox();
  if (box === null) throw new Error('expected a chart');
  await page.mouse.move(box.x + box.width * from, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * to, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
}

describe.each(SIZES)('at a width of $width', (size) => {
  test.each(['light', 'dark'] as const)('in %s it is drawn, fits, and asks no network', async (scheme) => {
    const { page, requests, complaints, close } = await open(size, scheme);
    expect(requests.filter((url) => url !== FILE && url !== 'data:,')).toEqual([]);
    expect(complaints).toEqual([]);
    await makeAllCharts(page);
    const facts = await page.evaluate(`({
      width: document.documentElement.scrollWidth,
      back: getComputedStyle(document.body).backgroundColor,
      inked: [...document.querySelectorAll('canvas')].map((canvas) => {
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        let inked = 0;
        for (let at = 3; at < data.length; at += 4) if (data[at] > 0) inked++;
        return inked;
      }),
      wide: [...document.querySelectorAll('.uplot')].map((one) => one.getBoundingClientRect().right),
    })`);
    const { width, back, inked, wide } = facts as {
      readonly width: number;
      readonly back: string;
      readonly inked: readonly number[];
      readonly wide: readonly number[];
    };
    expect(width).toBeLessThanOrEqual(size.width);
    expect(back).toBe(scheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(20, 23, 27)');
    // Equity, its parts, drawdown, returns, two markets of two charts each, markouts.
    expect(inked).toHaveLength(9);
    for (const count of inked) expect(count).toBeGreaterThan(1_000);
    for (const right of wide) expect(right).toBeLessThanOrEqual(size.width);
    await close();
  });
});

/** Has every chart made, as for a printer. */
async function makeAllCharts(page: Page): Promise<void> {
  await page.evaluate("dispatchEvent(new Event('beforeprint'))");
  await page.waitForTimeout(100);
}

/** Scrolls at once until what has this selector begins at the top of the window. */
function scrollTo(page: Page, selector: string): Promise<unknown> {
  return page.evaluate(`{
    const { top } = document.querySelector('${selector}').getBoundingClientRect();
    scrollBy({ top, behavior: 'instant' });
  }`);
}

describe('a day of ten markets', () => {
  const symbols = Array.from({ length: 10 }, (_, at) => `M${at}-PERP`);
  const path = join(FOLDER, 'ten.html');
  const ten = pathToFileURL(path).href;
  // An order each second: 86,400 of each market, and 17,280 fills.
  beforeAll(() => writeFileSync(path, htmlOfRun(aDay({ hours: 24, symbols, quoteS: 1, fillS: 5 }))));

  /** The page at its first market, with all calls of canvases and paths counted, and the charts that were cleared. */
  async function counted() {
    const { page, complaints, close } = await open(SIZES[0], 'light', ten);
    await page.evaluate(`{
      window.drawn = { calls: 0, charts: [] };
      for (const { prototype } of [CanvasRenderingContext2D, Path2D])
        for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype)))
          if (typeof value === 'function' && name !== 'constructor')
            prototype[name] = function (...given) {
              drawn.calls++;
              if (name === 'clearRect') drawn.charts.push(this.canvas.closest('[id]').id);
              return value.apply(this, given);
            };
    }`);
    await scrollTo(page, '#market-0');
    /** What a gesture has drawn when its last frame is over. */
    const drawnBy = async (gesture: () => Promise<unknown>) => {
      await page.waitForTimeout(200);
      await page.evaluate('window.drawn = { calls: 0, charts: [] }');
      await gesture();
      await expect.poll(() => page.evaluate('drawn.charts.length')).toBeGreaterThan(0);
      await page.waitForTimeout(200);
      return (await page.evaluate('drawn')) as { readonly calls: number; readonly charts: readonly string[] };
    };
    return { page, complaints, close, drawnBy };
  }

  test('draws what can be seen: no more calls than pixels of each chart, however many orders there are', async () => {
    const { page, complaints, close, drawnBy } = await counted();
    // From a day to a few seconds and back.
    for (const move of [...Array.from({ length: 13 }, () => 'in'), 'out', 'right', 'all']) {
      const { calls, charts } = await drawnBy(() => page.click(`button[data-move=${move}]`));
      const most = 2 * SIZES[0].width * charts.length;
      expect({ move, isFew: calls < most, charts: charts.length }).toEqual({ move, isFew: true, charts: 3 });
      expect(charts.slice(0, 2)).toEqual(['market-0', 'market-0']);
    }
    expect(complaints).toEqual([]);
    await close();
  });

  test('draws each chart that can be seen once a frame, and another when it comes into view', async () => {
    const { page, complaints, close, drawnBy } = await counted();
    const wheel = (times: number) =>
      page.evaluate(`{
        const over = document.querySelector('#market-0 .u-over');
        const { left, top } = over.getBoundingClientRect();
        const at = { clientX: left + 200, clientY: top + 50, bubbles: true, cancelable: true };
        for (let times = 0; times < ${times}; times++)
          over.dispatchEvent(new WheelEvent('wheel', { ...at, ctrlKey: true, deltaY: -20 }));
      }`);
    expect((await drawnBy(() => wheel(50))).charts).toEqual(['market-0', 'market-0', 'market-1']);
    const seen = await drawnBy(() => scrollTo(page, '#market-9'));
    expect(seen.charts).toContain('market-9');
    expect(seen.charts).not.toContain('market-0');
    expect(complaints).toEqual([]);
    await close();
  });

  test('makes a chart when it is first seen, with the time that the others show, and all for a printer', async () => {
    const { page, complaints, close } = await open(SIZES[0], 'light', ten);
    const charts = () => page.locator('.chart .uplot').count();
    const places = await page.locator('.chart').count();
    expect(places).toBeGreaterThan(20);
    await expect(charts()).resolves.toBeLessThan(6);
    const before = await page.evaluate('document.body.scrollHeight');
    await page.click('button[data-move=in]');
    await scrollTo(page, '#market-9');
    await expect.poll(() => page.locator('#market-9 .uplot').count()).toBe(2);
    await expect(page.locator('#market-5 .uplot').count()).resolves.toBe(0);
    const box = await page.locator('#market-9 .u-over').first().boundingBox();
    await page.mouse.move((box?.x ?? 0) + 1, (box?.y ?? 0) + 99, { steps: 3 });
    const said = page.locator('#market-9 .u-series:first-child .u-value').first();
    await expect
      .poll(async () => secondsFrom('14:00:00', (await said.textContent()) ?? undefined))
      .toBeLessThan(90);
    await makeAllCharts(page);
    await expect(charts()).resolves.toBeGreaterThanOrEqual(places);
    // What comes later has its place already: nothing jumps under the reader.
    const after = await page.evaluate('document.body.scrollHeight');
    expect(Math.abs(Number(after) - Number(before))).toBeLessThan(8 * places);
    expect(complaints).toEqual([]);
    await close();
  });

  test('is as wide as paper while it is printed, and as the window after it', async () => {
    const { page, complaints, close } = await open(SIZES[0], 'light', ten);
    const widths = () =>
      page.evaluate("[...document.querySelectorAll('.chart .uplot')].map((one) => one.offsetWidth)");
    const [onScreen] = (await widths()) as readonly number[];
    expect(onScreen).toBeGreaterThan(1_000);
    await makeAllCharts(page);
    for (const width of (await widths()) as readonly number[]) expect(width).toBeLessThan(700);
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
    await expect.poll(async () => ((await widths()) as readonly number[])[0]).toBe(onScreen);
    expect(complaints).toEqual([]);
    await close();
  });

  test('gives prices the range of the time that is shown, so that to draw again changes nothing', async () => {
    const { page, close, drawnBy } = await counted();
    const drawing = () => page.evaluate("document.querySelector('#market-0 canvas').toDataURL()");
    for (const move of ['in', 'in', 'in', 'right']) {
      await drawnBy(() => page.click(`button[data-move=${move}]`));
      const before = await drawing();
      await drawnBy(() => page.emulateMedia({ colorScheme: 'dark' }));
      await drawnBy(() => page.emulateMedia({ colorScheme: 'light' }));
      expect((await drawing()) === before, move).toBe(true);
    }
    await close();
  });
});

test.each(SIZES)(
  'a row of the list of fills shows its market below the bar of buttons: $width',
  async (size) => {
    const { page, close } = await open(size);
    // Of the second market: the first may be in view already.
    await page.locator('#fill-rows tbody tr', { hasText: 'ETH-PERP' }).first().click();
    const place = () =>
      page.evaluate(`({
      bar: document.querySelector('.tools').getBoundingClientRect().bottom,
      heading: document.querySelector('#market-1').previousElementSibling.previousElementSibling.getBoundingClientRect().top,
      title: document.querySelector('#market-1 .title').getBoundingClientRect().bottom,
    })`) as Promise<{ readonly bar: number; readonly heading: number; readonly title: number }>;
    await expect.poll(async () => (await place()).title).toBeGreaterThan(0);
    await page.waitForTimeout(300);
    const { bar, heading } = await place();
    expect(heading).toBeGreaterThanOrEqual(bar - 1);
    await close();
  },
);

test('the legend has the colors of the day after a change of theme', async () => {
  const { page, close } = await open();
  const markers = () =>
    page.evaluate(`[...document.querySelectorAll('.chart .u-series .u-marker, #markouts .u-series .u-marker')]
      .map((one) => getComputedStyle(one).borderColor)`);
  const light = (await markers()) as readonly string[];
  expect(light).toContain('rgb(36, 86, 184)');
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = (await markers()) as readonly string[];
  expect(dark).toContain('rgb(122, 167, 255)');
  expect(dark.filter((color) => color === 'rgb(36, 86, 184)')).toEqual([]);
  await close();
});

describe('with a mouse', () => {
  test('charts that begin later than the run, as rolling figures do, leave the others whole', async () => {
    const { page, close } = await open(SIZES[0], 'light', YEAR);
    expect(await timesAt(page, 0)).toContain('2025-01-01 00:00:00.000 UTC');
    await scrollTo(page, '#rolling');
    await page.locator('#rolling .u-over').first().dblclick();
    await scrollTo(page, '#pnl');
    await page.waitForTimeout(100);
    expect(await timesAt(page, 0)).toContain('2025-01-01 00:00:00.000 UTC');
    await close();
  });

  test('all charts in view show the same time under the pointer, the others when they come into view', async () => {
    const { page, close } = await open();
    await scrollTo(page, '#pnl');
    const times = await timesAt(page, 0.5);
    expect(times.length).toBeGreaterThan(2);
    expect(times.length).toBeLessThan(8);
    expect(new Set(times).size).toBe(1);
    expect(secondsFrom('09:00:00', times[0])).toBeLessThan(15);
    await scrollTo(page, '#market-1');
    const box = await page.locator('#market-1 .u-over').first().boundingBox();
    await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) / 4, (box?.y ?? 0) + 99, { steps: 3 });
    const said = page.locator('#market-1 .u-series:first-child .u-value');
    await expect
      .poll(async () => secondsFrom('08:30:00', (await said.first().textContent()) ?? undefined))
      .toBeLessThan(15);
    await expect.poll(async () => new Set(await said.allTextContents()).size).toBe(1);
    await close();
  });

  test('a drag zooms all of them, a double click and a button show the whole run again', async () => {
    const { page, complaints, close } = await open();
    await drag(page, 0.5, 0.75);
    expect(secondsFrom('09:00:00', (await timesAt(page, 0.001))[0])).toBeLessThan(15);
    const zoomed = await timesAt(page, 0.5);
    expect(new Set(zoomed).size).toBe(1);
    expect(secondsFrom('09:15:00', zoomed[0])).toBeLessThan(15);
    await page.locator('#pnl .u-over').first().dblclick();
    expect(secondsFrom('09:00:00', (await timesAt(page, 0.5))[0])).toBeLessThan(15);
    await page.click('button[data-move=in]');
    expect(secondsFrom('08:30:00', (await timesAt(page, 0.001))[0])).toBeLessThan(15);
    await page.click('button[data-move=all]');
    expect(secondsFrom('08:00:00', (await timesAt(page, 0.001))[0])).toBeLessThan(15);
    expect(complaints).toEqual([]);
    await close();
  });

  test('a fill under the pointer says what it was', async () => {
    const { page, close } = await open();
    for (let times = 0; times < 4; times++) await page.click('button[data-move=in]');
    const over = page.locator('#market-0 .u-over').first();
    await scrollTo(page, '#market-0');
    const box = await over.boundingBox();
    if (box === null) throw new Error('expected a chart');
    const tip = page.locator('#market-0 .tip').first();
    let said = '';
    for (let step = 0; step < 900 && said === ''; step++) {
      const x = box.x + (box.width * (step % 45)) / 45;
      await page.mouse.move(x, box.y + (box.height * Math.floor(step / 45)) / 20);
      if (await tip.isVisible()) said = (await tip.textContent()) ?? '';
    }
    // Where the pointer is, and over no other market.
    await expect(page.locator('.tip:visible').count()).resolves.toBe(1);
    expect(said).toMatch(
      /^(?:bought|sold) 0\.010 at 1?\d\d,\d{3}\.\d as maker\n2027-01-15 .* UTC\norder \d+ of maker$/,
    );
    await close();
  });

  test('Ctrl and the wheel zoom around the pointer, Shift and the wheel pan', async () => {
    const { page, complaints, close } = await open();
    await timesAt(page, 0.5);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -300);
    await page.keyboard.up('Control');
    // A factor of e: from 09:00 less 1 h / e on.
    await expect.poll(async () => secondsFrom('08:37:56', (await timesAt(page, 0.001))[0])).toBeLessThan(20);
    await page.keyboard.down('Shift');
    await page.mouse.wheel(0, 1_000);
    await page.keyboard.up('Shift');
    await expect.poll(async () => secondsFrom('09:15:53', (await timesAt(page, 0.001))[0])).toBeLessThan(20);
    expect(complaints).toEqual([]);
    await close();
  });

  test('a row of the list of fills moves the charts there, and the button saves all of them', async () => {
    const { page, complaints, close } = await open();
    const row = page.locator('#fill-rows tbody tr').nth(40);
    const at = (await row.locator('td').first().textContent()) ?? '';
    await row.click();
    await expect
      .poll(async () => {
        await page.evaluate('scrollTo({ top: 0, behavior: "instant" })');
        return secondsFrom(at.slice(11, 23), (await timesAt(page, 0.5))[0]);
      })
      .toBeLessThan(1);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#fills-csv')]);
    expect(download.suggestedFilename()).toBe('fills.csv');
    expect(complaints).toEqual([]);
    await close();
  });
});
