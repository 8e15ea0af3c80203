/**
 * A recording with faults gave a tape that said so, and a backtest over it that did not; a span that the tape covered only
 * in part was replayed without a word.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { aBidder, aBookScene } from '../support/book-scene.ts';

const BACKTEST = ['backtest', 'one.yaml', '--tape', 'tape'];
/** The tape is of ten seconds from here. */
const BEFORE = '2026-01-05T00:00:00Z';
const AFTER = '2026-01-07T00:00:00Z';

test('a report shows the data quality of its tape as text, document and page', async () => {
  const { folder, run } = await aBookScene(aBidder());
  const { stdout } = await run(...BACKTEST, '--html', 'day.html', '--out', 'kept');
  expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(/data rows: .* of \d+ records data span: /);
  expect(readFileSync(join(folder, 'day.html'), 'utf8')).toContain('>data quality<');
  const { stdout: document } = await run('report', 'kept', '--json');
  const [tape] = JSON.parse(document).run.tapes;
  expect(tape.quality).toEqual(expect.arrayContaining([expect.stringMatching(/^gaps: none/)]));
});

test('a span that the tape covers in part is said with every result', async () => {
  const { run } = await aBookScene(aBidder());
  const spanOf = async (...args: readonly string[]): Promise<string | undefined> => {
    const { stdout } = await run(...BACKTEST, '--json', ...args);
    const { assumptions } = JSON.parse(stdout).run as { readonly assumptions: readonly string[] };
    return assumptions.find((line) => line.startsWith('span: '));
  };
  expect(await spanOf('--from', BEFORE, '--to', AFTER)).toMatch(
    /^span: asked for from 2026-01-05T00:00:00.000Z, the tape begins at .*; asked for to 2026-01-07T00:00:00.000Z, the tape ends at /,
  );
  expect(await spanOf('--from', '2026-01-06T00:00:02Z')).toBeUndefined();
});
