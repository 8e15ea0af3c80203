/** @module Still charts in a real browser: a sweep, several runs beside each other, and a study of robustness. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { htmlOfRun, htmlOfRuns, htmlOfSweep } from '../../src/report/index.ts';
import { launchChromium } from '../support/chromium.ts';
import { aDay, aStudy } from '../support/run-records.ts';
import { aSweep } from '../support/sweep-document.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'still-pages-'));
const PAGES: Readonly<Record<string, () => string>> = {
  sweep: () => htmlOfSweep(aSweep()),
  runs: () =>
    htmlOfRuns([
      { ...aDay({ hours: 1 }), runId: 'one', parameters: { size: '1' } },
      { ...aDay({ hours: 1, seed: 8 }), runId: 'two', parameters: { size: '2' } },
    ]),
  robustness: () => htmlOfRun({ ...aDay({ hours: 1 }), robustness: aStudy() }),
};

let browser: Browser;
beforeAll(async () => {
  for (const [name, html] of Object.entries(PAGES)) writeFileSync(join(FOLDER, `${name}.html`), html());
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  rmSync(FOLDER, { recursive: true });
});

describe.each(Object.keys(PAGES))('the page of %s', (name) => {
  test.each([
    [1440, 'light'],
    [1440, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ] as const)(
    'at a width of %i in %s fits, asks no network, and hides no text',
    async (width, colorScheme) => {
      const context = await browser.newContext({
        viewport: { width, height: 844 },
        colorScheme,
        offline: true,
      });
      const page = await context.newPage();
      const complaints: string[] = [];
      const requests: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('request', (request) => requests.push(request.url()));
      const url = pathToFileURL(join(FOLDER, `${name}.html`)).href;
      await page.goto(url);
      expect(complaints).toEqual([]);
      expect(requests.filter((one) => one !== url && one !== 'data:,')).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      const overlaps = await page.evaluate(`(() => {
      const found = [];
      for (const svg of document.querySelectorAll('svg')) {
        const boxes = [...svg.querySelectorAll('text')].map((one) => [one.textContent, one.getBoundingClientRect()]);
        for (const [at, [text, box]] of boxes.entries())
          for (const [other, by] of boxes.slice(at + 1))
            if (box.left < by.right && by.left < box.right && box.top < by.bottom && by.top < box.bottom)
              found.push(text + ' / ' + other);
      }
      return found;
    })()`);
      expect(overlaps).toEqual([]);
      await context.close();
    },
  );
});
