/** @module A topic that a strategy hears by a misspelt name is found before a run, with its place. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { prepareStrategies } from '../../../../src/bot/setup/index.ts';
import { loadConfig } from '../../../../src/config/index.ts';
import { ROOT } from '../../../tidy/source.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ballast-topics-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function sourceOf(heard: string) {
  const entry = join(ROOT, 'src/bot/strategy/index.ts');
  const strategy = (name: string, parts: string): void =>
    writeFileSync(
      join(folder, `${name}.ts`),
      `import { defineStrategy, param, topic } from '${entry}';
const values = param.object({ isOn: param.flag() });
export default defineStrategy({ name: '${name}', parameters: param.object({}), ${parts} });
`,
    );
  strategy('sender', `publishes: [topic('pause', values)], create: () => ({})`);
  strategy('receiver', `hears: [topic('${heard}', values)], create: () => ({ onMessage: () => undefined })`);
  const file = join(folder, 'config.yaml');
  writeFileSync(
    file,
    `environment: { name: sim }
markets: [{ symbol: BTC-USD }]
strategies:
  - { name: one, module: ./sender.ts, markets: [BTC-USD] }
  - { name: two, module: ./receiver.ts, markets: [BTC-USD] }
risk: { capital: 1000 }
`,
  );
  return loadConfig(file);
}

test('error: with its line and the name that was meant', async () => {
  await expect(prepareStrategies(sourceOf('puase'))).rejects.toThrow(
    /config\.yaml:5:\d+.*strategies\[1\]\.module.*got puase \(did you mean pause, which nobody hears\?\)/s,
  );
});

test.each(['pause', 'signal'])('none: %s', async (heard) => {
  expect(await prepareStrategies(sourceOf(heard))).toHaveLength(2);
});
