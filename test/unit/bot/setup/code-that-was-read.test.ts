/** @module Code that a configuration names by its hash, and what was changed since. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { prepareStrategies } from '../../../../src/bot/setup/index.ts';
import { type ConfigSource, loadConfig } from '../../../../src/config/index.ts';
import { ROOT } from '../../../tidy/source.ts';

const SEEN = 'code that was read';
const marks = globalThis as { [SEEN]?: number };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ballast-code-'));
  marks[SEEN] = 0;
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A strategy that leaves a mark as soon as any of it runs. Gives its hash. */
function writeStrategy(comment = ''): string {
  const entry = join(ROOT, 'src/bot/strategy/index.ts');
  const text = `import { defineStrategy, param } from '${entry}';
globalThis['${SEEN}']++; // ${comment}
export default defineStrategy({ name: 'marking', parameters: param.object({}), create: () => ({}) });
`;
  writeFileSync(join(folder, 'marking.ts'), text);
  return createHash('sha256').update(text).digest('hex');
}

function configWith(...hashes: readonly string[]): ConfigSource {
  const strategies = hashes.map(
    (hash, at) => `  - { name: s${at}, module: ./marking.ts, sha256: ${hash}, markets: [BTC-USD] }\n`,
  );
  const file = join(folder, 'config.yaml');
  writeFileSync(
    file,
    `environment: { name: sim }
markets: [{ symbol: BTC-USD }]
strategies:
${strategies.join('')}risk: { capital: 1000 }
`,
  );
  return loadConfig(file);
}

describe('a strategy named with the hash of its code', () => {
  test('runs as it was read, in capital letters too', async () => {
    const hash = writeStrategy();
    const [prepared] = await prepareStrategies(configWith(hash.toUpperCase()));
    expect(prepared?.sha256).toBe(hash);
    expect(marks[SEEN]).toBe(1);
  });

  test('is refused before any of it runs when the code is another: each with its place and the hash of now', async () => {
    const before = writeStrategy();
    const source = configWith(before, 'any', before);
    const now = writeStrategy('changed');
    await expect(prepareStrategies(source)).rejects.toThrow(
      new RegExp(
        `2 errors\n.*:4:\\d+: strategies\\[0\\]\\.sha256: .*which is ${now}.*${before}.*\n.*:6:\\d+: strategies\\[2\\]`,
      ),
    );
    expect(marks[SEEN]).toBe(0);
  });

  test('is any code where no hash is given', async () => {
    writeStrategy('never read');
    expect(await prepareStrategies(configWith('any'))).toHaveLength(1);
  });
});
