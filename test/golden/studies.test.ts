/**
 * @module
 * The studies in `backtest`, run as its README says, in a folder of their own. Their figures are the baselines, exactly;
 * `vitest run --project golden -u` writes them again, and a difference is to be explained.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writeSampleTape } from '../../scripts/sample-tape.ts';
import { isRecord } from '../../src/core/index.ts';
import { EVENT, type EventRow, openTape } from '../../src/tape/format/index.ts';
import { rowsOf } from '../../src/tape/tools/index.ts';
import { ballast } from '../support/ballast-process.ts';
import { ROOT } from '../tidy/source.ts';

/** What changes with the text of the code or of a comment, or with the folder, and not with the result. */
const OF_THE_TEXT = ['runId', 'codeHash', 'configHash', 'key', 'paretoFront'];

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'study-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function figuresOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(figuresOf);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) =>
      OF_THE_TEXT.includes(name) || name.endsWith('.sha256') ? [] : [[name, figuresOf(part)]],
    ),
  );
}

test.each([
  ['maker', ['backtest', 'maker.yaml']],
  ['bars', ['bars', 'bars.yaml']],
  ['trend', ['backtest', 'bars.yaml']],
  ['bars-sweep', ['bars', 'bars.yaml', '--sweep', '--out', '.']],
  ['sweep', ['sweep', 'sweep.yaml', '--out', '.']],
  ['walk-forward', ['sweep', 'walk-forward.yaml', '--out', '.']],
] as const)(
  '%s: the same figures as the baseline',
  async (name, [command, file, ...more]) => {
    const args = [command, join(ROOT, 'backtest', file), ...more, '--json'];
    const { exitCode, stdout, stderr } = await ballast(args, { cwd: aFolder() });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const figures = JSON.stringify(figuresOf(JSON.parse(stdout)), null, 1);
    await expect(`${figures}\n`).toMatchFileSnapshot(join(ROOT, 'backtest', 'baselines', `${name}.json`));
  },
  300_000,
);

test('scripts/sample-tape.ts makes the rows of the sample tape', async () => {
  const sample = openTape(join(ROOT, 'backtest', 'tapes', 'sample'));
  const out = join(aFolder(), 'tape');
  await writeSampleTape(out, 2);
  // The last candle of a recording that ends there is another one.
  const toUs = sample.fromUs + 60_000_000;
  const made = [...rowsOf(openTape(out).batches({ toUs }))];
  expect(made.length).toBeGreaterThan(4_000);
  expect(withoutRepeats(made)).toEqual(withoutRepeats([...rowsOf(sample.batches({ toUs }))]));
});

/** The rows without quotes that say again what they said before: whether quiet ones are shown again is not the market's. */
function withoutRepeats(rows: readonly EventRow[]): readonly EventRow[] {
  const last = new Map<string, number>();
  return rows.filter(({ kind, market, price, size }) => {
    const isBest = kind === EVENT.bestBid || kind === EVENT.bestAsk;
    if (!isBest && kind !== EVENT.bidLevel && kind !== EVENT.askLevel) return true;
    const place = isBest ? `${market} ${kind}` : `${market} ${kind} ${price}`;
    const said = isBest ? price * 1e9 + size : size;
    const isRepeat = last.get(place) === said;
    last.set(place, said);
    return !isRepeat;
  });
}

test('a study without a tape says both ways to name one', async () => {
  const { exitCode, stderr } = await ballast(['backtest', 'backtest/maker-standx.yaml']);
  expect(exitCode).toBe(78);
  expect(stderr).toContain(
    'CONFIG_TAPE_MISSING: expected a tape, got neither --tape nor the key tape in maker-standx.yaml',
  );
  expect(stderr).toContain('with --tape <folder>, or with `tape: <folder>` in the configuration');
});
