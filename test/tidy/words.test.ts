/** @module Words that the project does not use: British spellings, and pictures that have a term of the trade. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './source.ts';

/** Each with what is written in its place. A word joins when no tracked file has it any more. */
const BANNED: readonly (readonly [word: RegExp, instead: string])[] = [
  [/throw-?away/i, 'ephemeral'],
  [/counterfactual/i, 'what-if'],
  [/\bh(?:old|olds|olding) against\b/i, 'compare with'],
  [/(?:un)?realis(?:e|ing|ation)/i, 'realize'],
  [/(?:optim|social|normal|minim|recogn|summar|serial|initial|organ)is(?:e|ing|ation)/i, '-ize'],
  [/neighbour|colour|favour|behaviour|honour/i, '-or'],
  [/centre\b|centred/i, 'center'],
  [/judgement/i, 'judgment'],
  // `order.cancellable` is a name of hftbacktest.
  [/(?:model|label|journal|signal|travel)l(?:ed|ing)\b|(?<!order\.)cancellable/i, 'one l'],
  [/\b[Aa]new\b|[a-z]Anew/, 'again'],
  [/\bbesides\b/i, 'also, in addition'],
  [/\b[Mm]end|[a-z]Mend/, 'fix, repair'],
  [/wish/i, 'target (quotes), request, subscription'],
  [/whoever/i, 'the name of the subject'],
  [/\bby (?:itself|themselves)\b/i, 'on its own'],
  [/\bat the most\b/i, 'at most'],
  [/\bfor ever\b/i, 'forever'],
];

const FILES = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((path) => /\.(?:ts|mjs|md|yaml|json|txt|py)$/.test(path))
  .filter((path) => path !== 'package-lock.json' && path !== 'test/tidy/words.test.ts')
  .filter((path) => !path.startsWith('test/vectors/'));

test('no file has a banned word in its text or its name', () => {
  const found = FILES.flatMap((path) =>
    [path, ...readFileSync(join(ROOT, path), 'utf8').split('\n')].flatMap((line, at) =>
      BANNED.flatMap(([word, instead]) => {
        const match = word.exec(line);
        return match === null ? [] : [`${path}:${at}: ${match[0]}, write ${instead}`];
      }),
    ),
  );
  expect(found).toEqual([]);
});
