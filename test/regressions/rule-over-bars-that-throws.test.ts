/** A rule over bars that threw ended `ballast bars` as an unexpected error, with no word of the strategy's own line. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ballast } from '../support/ballast-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'ballast-rule-'));
afterAll(() => rmSync(folder, { recursive: true }));

const BARS = `time,open,high,low,close,volume
1767657600,60000,60100,59900,60050,1.5
1767661200,60050,60100.5,59900,60000,2.25
1767664800,60000,60100,59900,60050,1
`;

test.each([
  ["bars() { throw new Error('no rule today'); }", /bad\.ts:5:\d+: no rule today/],
  ['bars: () => ({ targetLots: () => missing.lots })', /bad\.ts:5:\d+: missing is not defined/],
  ["bars: () => ({ targetLots() { throw 'a text'; } })", /a text/],
])('%s', async (bars, place) => {
  writeFileSync(
    join(folder, 'bad.ts'),
    `import { defineStrategy, param } from 'ballast/strategy';
export default defineStrategy({
  name: 'bad',
  parameters: param.object({}),
  ${bars},
  create: () => ({}),
});
`,
  );
  writeFileSync(join(folder, 'bars.csv'), BARS);
  writeFileSync(
    join(folder, 'bad.yaml'),
    `environment: { name: sim }
markets: [{ symbol: BTC-USD }]
strategies: [{ name: bad, module: ./bad.ts, markets: [BTC-USD] }]
risk: { capital: 10000 }
`,
  );
  const { exitCode, stderr } = await ballast(['bars', 'bad.yaml', '--csv', 'bars.csv'], { cwd: folder });
  expect(exitCode).toBe(78);
  expect(stderr).toMatch(/STRATEGY_RULE_FAILED/);
  expect(stderr).toMatch(place);
});
