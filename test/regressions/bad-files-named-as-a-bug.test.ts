/**
 * Symptoms, found by hand with bad files: a folder where a file belongs ended `ballast tape`, `import`, `replay` and `report`
 * as a bug with its stack, and so did an `--out` of `sweep` that could not be made; an empty recording became a tape of
 * nothing; the failure of a damaged or foreign tape was kept as that of each combination; a foreign file in the folder of
 * results was cut to nothing.
 */
import fs, {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import sinon from 'sinon';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readRunLog } from '../../src/bot/replay/run-log-file.ts';
import { exitCodeOf } from '../../src/cli/terminal/exit-codes.ts';
import { showSweep } from '../../src/cli/terminal/sweep-files.ts';
import { parseImportMapping } from '../../src/config/import-mapping.ts';
import { parseConfig } from '../../src/config/index.ts';
import { BotError } from '../../src/core/index.ts';
import { loadRun, type SweepDocument, saveRun } from '../../src/report/index.ts';
import { readBarFile } from '../../src/research/bars/bar-file.ts';
import { sweepConfiguration } from '../../src/research/sweep/index.ts';
import { openResults } from '../../src/research/sweep/sweep-results.ts';
import { openTape } from '../../src/tape/format/index.ts';
import { importTape } from '../../src/tape/importers/index.ts';
import { verifyTape } from '../../src/tape/tools/index.ts';
import { aRunRecord } from '../support/run-records.ts';
import { sweepScene } from '../support/sweep-scene.ts';
import { withTapeFolder } from '../unit/tape/format/tapes.ts';

function aPlace(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ballast-bad-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Puts a folder where the file `path` is. */
function folderInPlaceOf(path: string): void {
  rmSync(path, { force: true });
  mkdirSync(path, { recursive: true });
}

/** Exit code and words of what `work` ends with. */
async function endOf(work: () => unknown): Promise<{ readonly exitCode: number; readonly words: string }> {
  const thrown = await Promise.resolve()
    .then(work)
    .catch((error: unknown) => error);
  if (!(thrown instanceof BotError)) throw new Error(`expected an error with a name, got ${String(thrown)}`);
  return { exitCode: exitCodeOf(thrown), words: thrown.describe() };
}

describe('a folder where a file belongs', () => {
  test('in a tape is named, by who opens it and by who checks it', async () => {
    const scene = sweepScene(1);
    onTestFinished(() => scene.remove());
    const file = join(scene.tape, 'events-00001.arrow');
    folderInPlaceOf(file);
    const opened = await endOf(() => openTape(scene.tape));
    expect(opened.exitCode).toBe(65);
    expect(opened.words).toContain(`${file}: expected a file, got a folder`);
    expect(verifyTape(scene.tape).findings).toContainEqual({
      file: 'events-00001.arrow',
      what: 'expected a file, got a folder',
    });
    const manifest = join(scene.tape, 'manifest.json');
    folderInPlaceOf(manifest);
    const unread = await endOf(() => verifyTape(scene.tape));
    expect(unread.exitCode).toBe(65);
    expect(unread.words).toMatch(/TAPE_NOT_RECOGNIZED: .*manifest.json: expected a file, got a folder/);
  });

  test('of a tape that the system does not let be read is no bug either', async () => {
    const scene = sweepScene(1);
    onTestFinished(() => scene.remove());
    const file = join(scene.tape, 'events-00001.arrow');
    rmSync(file);
    // A link to itself: no user may follow it.
    symlinkSync(file, file);
    for (const work of [() => openTape(scene.tape), () => verifyTape(scene.tape)])
      expect(await endOf(work)).toMatchObject({
        exitCode: 65,
        words: expect.stringMatching(/TAPE_UNREADABLE: .*arrow: expected to read it, but ELOOP.* remedy: /s),
      });
  });

  test('of a tape is told from no folder at all', async () => {
    const folder = aPlace();
    writeFileSync(join(folder, 'file'), '');
    for (const [name, found] of [
      ['nothing', 'expected the folder of a tape, got nothing'],
      ['file', 'expected the folder of a tape, got a file'],
      ['', 'expected a tape, got no manifest.json in the folder'],
    ] as const)
      expect((await endOf(() => openTape(join(folder, name)))).words).toContain(found);
  });

  test('in a run is named', async () => {
    const folder = aPlace();
    mkdirSync(join(folder, 'log.jsonl'));
    expect(await endOf(() => readRunLog(folder))).toMatchObject({
      exitCode: 64,
      words: expect.stringContaining('RUN_LOG_MISSING: expected the log of a run at'),
    });
    saveRun(folder, aRunRecord());
    folderInPlaceOf(join(folder, 'fills.csv.gz'));
    expect(await endOf(() => loadRun(folder))).toMatchObject({
      exitCode: 65,
      words: expect.stringContaining('REPORT_RUN_DAMAGED'),
    });
    folderInPlaceOf(join(folder, 'record.json'));
    expect((await endOf(() => loadRun(folder))).words).toContain('cannot be read: EISDIR');
  });

  test('in a recording is left alone, as other names are', async () => {
    const folder = aPlace();
    mkdirSync(join(folder, 'book_2026-01-06_08.csv.gz'));
    const out = join(folder, 'tape');
    const end = await endOf(() => importTape({ format: 'standx', paths: [folder], out, locked: 'separate' }));
    expect(end.exitCode).toBe(65);
    expect(end.words).toMatch(/TAPE_FOLDER_UNKNOWN: .* got book_2026-01-06_08.csv.gz/);
  });
});

describe('a recording without a record', () => {
  test.each([
    ['standx', 'book_2026-01-06_08.csv.gz', ''],
    ['feed', 'feed.jsonl', undefined],
  ] as const)('makes no tape: %s', async (format, name, packed) => {
    await withTapeFolder(async (out) => {
      const path = join(dirname(out), name);
      writeFileSync(path, packed === undefined ? '' : gzipSync(packed));
      const end = await endOf(() => importTape({ format, paths: [path], out, symbol: 'X', locked: 'keep' }));
      expect(end.exitCode).toBe(65);
      expect(end.words).toContain(`TAPE_EMPTY: expected records in ${path}`);
      expect(existsSync(out)).toBe(false);
    });
  });
});

describe('a sweep', () => {
  const sweepOver = (change: (scene: ReturnType<typeof sweepScene>) => string) => {
    const scene = sweepScene(1);
    onTestFinished(() => scene.remove());
    const text = change(scene);
    const out = join(scene.folder, 'out');
    const source = parseConfig(text, scene.config);
    return { out, work: () => sweepConfiguration({ source, tape: scene.tape, out, seed: 1, workers: 1 }) };
  };

  test('over a damaged tape ends with it, and keeps no failure of a combination', async () => {
    const { out, work } = sweepOver(({ tape, text }) => {
      const file = join(tape, 'events-00001.arrow');
      const bytes = readFileSync(file);
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 0xff;
      writeFileSync(file, bytes);
      return text;
    });
    expect(await endOf(work)).toMatchObject({
      exitCode: 65,
      words: expect.stringContaining('expected the bytes of its hash, got others'),
    });
    expect(existsSync(out)).toBe(false);
  });

  test('over the tape of another market ends with it as well', async () => {
    const { out, work } = sweepOver(({ text }) => text.replaceAll('BTC-USD', 'ETH-USD'));
    expect(await endOf(work)).toMatchObject({
      exitCode: 65,
      words: expect.stringContaining('TAPE_MARKET_MISSING: expected market ETH-USD'),
    });
    expect(existsSync(out)).toBe(false);
  });

  test('whose results cannot be written says so before it runs', async () => {
    const folder = aPlace();
    writeFileSync(join(folder, 'file'), '');
    for (const out of ['file', join('file', 'below')])
      expect(await endOf(() => openResults(join(folder, out)))).toMatchObject({
        exitCode: 64,
        words: expect.stringMatching(
          /SWEEP_RESULTS_UNWRITABLE: expected a folder for results at .* remedy: /s,
        ),
      });
  });

  test('cuts no file that is not its own', async () => {
    const folder = aPlace();
    writeFileSync(join(folder, 'results.jsonl'), 'my own notes');
    expect((await endOf(() => openResults(folder))).words).toContain('SWEEP_RESULTS_DAMAGED');
    expect(readFileSync(join(folder, 'results.jsonl'), 'utf8')).toBe('my own notes');
  });

  test('of which nothing succeeded is an error with a name, behind its table', async () => {
    const written = sinon
      .stub(fs, 'writeSync')
      .callsFake((_file, bytes) => Buffer.byteLength(bytes as unknown as Uint8Array));
    onTestFinished(() => written.restore());
    const row = { key: 'a', window: 0, parameters: { 'ladder.skewPpm': '1' }, decisionHash: null };
    const document: SweepDocument = {
      ...{ schema: 'ballast-sweep', version: 1, tape: { name: 'tape', hash: '' }, method: 'grid' },
      axes: [{ path: 'ladder.skewPpm', values: ['1'] }],
      objectives: [{ statistic: 'pnl', better: 'higher' }],
      rows: [
        {
          ...row,
          statistics: null,
          annualReason: null,
          failure: null,
          course: null,
          error: 'STRATEGY_FLOOD: too much',
        },
      ],
      windows: [],
    };
    const end = await endOf(() => showSweep(document, { out: aPlace(), isJson: false }));
    expect(end.exitCode).toBe(78);
    expect(end.words).toContain('SWEEP_ALL_FAILED: expected a backtest that succeeds, got 1 that failed');
    expect(written.args.map(([, bytes]) => String(bytes)).join('')).toContain('STRATEGY_FLOOD: too much');
  });
});

describe('what was found', () => {
  test('in a file of another kind is shown without its control characters', async () => {
    const wordsFor = async (name: string, bytes: Uint8Array) => {
      const path = join(aPlace(), name);
      writeFileSync(path, bytes);
      return (await endOf(() => readBarFile(path, { isGapAllowed: false }))).words;
    };
    const noise = Uint8Array.from({ length: 300 }, (_, at) => 1 + (at % 255)).filter((byte) => byte !== 0x22);
    const words = await wordsFor('noise.bin', noise);
    expect(words).toMatch(/BARS_COLUMN_MISSING: expected one column ts_ms or .* at .*noise.bin:1, got only /);
    expect(words.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    const binary = await wordsFor('noise.bin', Uint8Array.of(0, ...noise));
    expect(binary).toMatch(/BARS_VALUE_INVALID: expected text at .*noise.bin:1, got a byte of zero/);
    expect(await wordsFor('empty.csv', new Uint8Array())).toContain('got an empty file');
  });

  test.each([
    ['', 'expected a section with keys, got nothing'],
    ['- a\n', 'expected a section with keys, got a list of 1'],
    ['files: *none\n', 'expected YAML that can be read, got Unresolved alias'],
    ['files: []\nmarkets: []\n', 'expected a known key (see docs/guides/import-recordings.md)'],
  ])('in a mapping is told in the words of all others: %j', async (text, words) => {
    const end = await endOf(() => parseImportMapping(text, 'mapping.yaml'));
    expect(end.exitCode).toBe(78);
    expect(end.words).toContain(words);
  });
});
