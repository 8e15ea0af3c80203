/** @module Cases of ../shared/cases, each copied into a folder of its own, so that commands run in it as their page says. */
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ballast, type Ended } from './ballast-process.ts';
import { sharedPath } from './shared.ts';

/** A copy of a case until the test ends, and ballast in it. */
export interface CaseFolder {
  readonly folder: string;
  /** Runs `ballast` with these arguments in the folder. */
  run(...args: readonly string[]): Promise<Ended>;
}

/** The case `name` in a folder of its own. */
export function aCase(name: string): CaseFolder {
  const folder = mkdtempSync(join(tmpdir(), `case-${name}-`));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(sharedPath('cases', name), folder, { recursive: true });
  renewWords(folder);
  return { folder, run: (...args) => ballast(args, { cwd: folder }) };
}

/** Words of the cases, which are older than those of today. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bsizeOf\b/g, 'lotsOf'],
  [/\bforeign(?=(?:Mid|Bid|Ask)Ticks\b)/g, 'external'],
  [/\bisMakerOnly\b/g, 'postOnly'],
  [/\bmarketDataAgeMax\b/g, 'maxMarketDataAge'],
  [/\bsameSideFillsMax\b/g, 'maxSameSideFillsPer10s'],
  [/\btradedMaxOfCapital: 2\b/g, 'maxTurnoverPer10s: 200%'],
  [/\breplacesPerSecondMax\b/g, 'maxReplacesPerSecond'],
  [/\b(?<fee>makerFee|takerFee): 0\.000(?<bps>\d)\b/g, '$<fee>Bps: $<bps>'],
  [/\btrainShare\b/g, 'trainFraction'],
  [/\bobjectives: \[profit, drawdown\]/g, 'objectives: [pnl, maxDrawdown]'],
];

function renewWords(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(?:ts|yaml)$/.test(entry.name)) continue;
    const file = join(entry.parentPath, entry.name);
    const text = readFileSync(file, 'utf8');
    const renewed = WORDS.reduce((before, [word, now]) => before.replace(word, now), text);
    chmodSync(file, 0o644);
    if (renewed !== text) writeFileSync(file, renewed);
  }
}
