import { describe, expect, test } from 'vitest';
import {
  BANNED_CALLS,
  CASTS_PER_1000_LINES_MAX,
  FILE_LINES_MAX,
  FILE_LINES_SMELL,
  LONG_FILES,
  ROOMS,
} from './rules.ts';
import { roomOf, type SourceFile, sourceFiles } from './source.ts';

/** The command line's edge: what it throws, yargs shows beside the help. */
const COMMAND_LINE = /^src\/cli\//;

const source = [...sourceFiles('src'), ...sourceFiles('strategies')];

/** The lines of a file without comments and without the text of string literals. */
function codeLines(file: SourceFile): string[] {
  return file.text
    .replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ' '))
    .replaceAll(/(^|[\s;{}(),])\/\/[^\n]*/g, '$1')
    .replaceAll(/'(?:[^'\\\n]|\\.)*'/g, "''")
    .split('\n');
}

describe('house', () => {
  test('keeps files short', () => {
    const byLength = source.toSorted((a, b) => b.lines.length - a.lines.length);
    process.stdout.write(
      `the longest files\n${byLength
        .slice(0, 20)
        .map(({ path, lines }) => `  ${lines.length} ${path}`)
        .join('\n')}\n`,
    );
    expect(byLength.filter(({ lines }) => lines.length > FILE_LINES_MAX).map(({ path }) => path)).toEqual([]);
    // Each above the smell has its reason; a reason that no file needs leaves the list.
    const long = byLength.filter(({ lines }) => lines.length > FILE_LINES_SMELL).map(({ path }) => path);
    expect(Object.keys(LONG_FILES).toSorted()).toEqual(long.toSorted());
  });

  test('has few long files', () => {
    const lengths = source.map((file) => file.lines.length).sort((a, b) => a - b);
    expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThanOrEqual(130);
    expect(lengths[Math.floor(lengths.length * 0.9)]).toBeLessThanOrEqual(280);
  });

  test('says at the top of each file what it is for', () => {
    const silent = source
      .filter((file) => !/^\/\*\*[\s\S]*?@module[\s\S]*?\*\//.test(file.text))
      .map((file) => file.path);
    expect(silent).toEqual([]);
  });

  test('documents each export', () => {
    const undocumented: string[] = [];
    let seen = 0;
    for (const file of source) {
      file.lines.forEach((line, at) => {
        if (
          !/^export (?:default |abstract |declare |async )*(?:const|let|function|class|interface|type)\b/.test(
            line,
          )
        )
          return;
        if (/^export type \{/.test(line)) return;
        seen++;
        const above = file.lines[at - 1]?.startsWith('// biome-ignore') ? at - 2 : at - 1;
        if (!file.lines[above]?.trimEnd().endsWith('*/'))
          undocumented.push(`${file.path}:${at + 1}: ${line.slice(0, 70)}`);
      });
    }
    expect(seen).toBeGreaterThan(400);
    expect(undocumented).toEqual([]);
  });

  test('calls nothing that is banned', () => {
    const found: string[] = [];
    for (const file of source) {
      const lines = codeLines(file);
      for (const ban of BANNED_CALLS) {
        if (ban.allowed.includes(file.path)) continue;
        lines.forEach((line, at) => {
          if (ban.pattern.test(line))
            found.push(`${file.path}:${at + 1}: use ${ban.instead}: ${line.trim().slice(0, 80)}`);
        });
      }
    }
    expect(found).toEqual([]);
  });

  test('keeps the pure rooms synchronous (R8)', () => {
    const found: string[] = [];
    for (const file of source) {
      const room = roomOf(file.path) ?? '';
      const isPure =
        ROOMS[room]?.isSynchronous === true || (room === 'core' && !file.path.endsWith('clock.ts'));
      if (!isPure) continue;
      codeLines(file).forEach((line, at) => {
        if (/\basync\b|\bawait\b|\bPromise\./.test(line))
          found.push(`${file.path}:${at + 1}: ${line.trim()}`);
      });
    }
    expect(found).toEqual([]);
  });

  test('exports nothing by default from src', () => {
    expect(
      source
        .filter((file) => file.path.startsWith('src/') && /^export default/m.test(file.text))
        .map((file) => file.path),
    ).toEqual([]);
  });

  test('names files in kebab-case and never after a Manager, Helper or Utils', () => {
    const bad = source
      .map((file) => file.path)
      .filter((path) => !/^[a-z0-9/-]+\.ts$/.test(path) || /(?:manager|helper|utils|misc|common)/.test(path));
    expect(bad).toEqual([]);
  });

  test('casts rarely', () => {
    let casts = 0;
    let lines = 0;
    for (const file of source) {
      lines += file.lines.length;
      for (const line of codeLines(file))
        if (!/^\s*(?:import|export)\b.*(?:\bfrom\b|[{,])|^\s*\w+ as \w+,$/.test(line))
          casts += (line.match(/\bas (?!const\b)[A-Z{(\w]/g) ?? []).length;
    }
    expect((casts / lines) * 1000).toBeLessThanOrEqual(CASTS_PER_1000_LINES_MAX);
  });

  test('throws errors with a code, a message and a remedy', () => {
    const untyped = source
      .filter(({ path }) => path.startsWith('src/') && !COMMAND_LINE.test(path))
      .flatMap((file) =>
        codeLines(file).flatMap((line, at) =>
          /\bthrow new (?:Range|Type|Syntax)?Error\(/.test(line) ? [`${file.path}:${at + 1}`] : [],
        ),
      );
    expect(untyped).toEqual([]);
  });
});
