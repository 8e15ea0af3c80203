/** @module The fenced blocks of the pages of this repository, and what a reader would type of them. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../tidy/source.ts';

/** One block. */
export interface PageBlock {
  /** Path of the page from the root. */
  readonly page: string;
  /** The line of its fence. */
  readonly line: number;
  /** As the fence says; empty: none. */
  readonly language: string;
  readonly text: string;
}

const PLACES = '{*.md,{docs,backtest,strategies,templates,examples,deploy}/**/*.md}';

/** Every block of every page that people read. */
export function pageBlocks(): readonly PageBlock[] {
  return globSync(PLACES, { cwd: ROOT })
    .sort()
    .flatMap((page) => {
      const text = readFileSync(join(ROOT, page), 'utf8');
      return [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map((match) => ({
        ...{ page, line: text.slice(0, match.index).split('\n').length },
        ...{ language: match[1] ?? '', text: match[2] ?? '' },
      }));
    });
}

/** The commands of a block of a shell: without comments, cut at `&&` and `|`. */
export function commandsOf(text: string): readonly string[] {
  return text
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .flatMap((line) => line.replace(/(^|\s)#.*$/, '').split(/ && | \| /))
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** The words of a command, as a shell parts them. */
export function wordsOf(command: string): readonly string[] {
  return [...command.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) => word.replaceAll(/["']/g, ''));
}
