/**
 * Cuts every write, read, upgrade and frame of the client at each of its bytes, over real sockets through a fault
 * proxy, and holds what the client makes of it against what happened at the exchange.
 *
 * Usage: npm run prove -- cuts [--section place,upgrade] [--step 1] [--json]
 */
import { jsonOption } from '../../src/cli/terminal/options.ts';
import { type CutCount, cutReads, cutWrites, READS } from '../../test/support/byte-cuts.ts';
import { CutScene } from '../../test/support/cut-scene.ts';
import { WRITES } from '../../test/support/cut-writes.ts';
import { cutClientFrames, cutServerFrames, cutUpgrades, FRAME_TEXTS } from '../../test/support/frame-cuts.ts';
import { readOptions, someOf, whole } from '../options.ts';

const SECTIONS = [
  ...[...WRITES, ...READS.keys(), 'upgrade', 'client frames'],
  ...[...FRAME_TEXTS.keys()].map((name) => `frame ${name}`),
];
const values = readOptions({
  section: someOf('Only these', SECTIONS),
  step: whole('Cut at each n-th byte', { min: 1, otherwise: 1 }),
  json: jsonOption,
});
const steps = { first: 0, step: values.step };
const startedAtMs = performance.now();
const sections: Record<string, number> = {};
const total: CutCount = { cases: 0, wrong: [] };

async function section(name: string, run: (count: CutCount) => Promise<void>): Promise<void> {
  if (!values.section.includes(name)) return;
  const before = total.cases;
  const fromMs = performance.now();
  await run(total);
  sections[name] = total.cases - before;
  if (!values.json)
    process.stdout.write(
      `${name}: ${sections[name]} cuts in ${Math.round(performance.now() - fromMs)} ms, ${total.wrong.length} wrong so far\n`,
    );
}

async function inScene(run: (scene: CutScene) => Promise<void>): Promise<void> {
  const scene = await CutScene.open();
  await run(scene);
  await scene.close();
}

await inScene(async (scene) => {
  for (const name of WRITES) await section(name, (count) => cutWrites(scene, name, steps, count));
});
// Answers about an account that has done little are short.
await inScene(async (scene) => {
  for (const name of READS.keys()) await section(name, (count) => cutReads(scene, name, steps, count));
  await section('upgrade', (count) => cutUpgrades(scene, steps, count));
  await section('client frames', (count) => cutClientFrames(scene, steps, count));
  for (const name of FRAME_TEXTS.keys())
    await section(`frame ${name}`, (count) => cutServerFrames(scene, name, steps, count));
});
const seconds = Math.round((performance.now() - startedAtMs) / 100) / 10;
if (values.json) process.stdout.write(`${JSON.stringify({ ...total, sections, seconds })}\n`);
else process.stdout.write(`${total.cases} cuts in ${seconds} s\n${total.wrong.slice(0, 50).join('\n')}\n`);
process.exitCode = total.wrong.length === 0 && total.cases > 0 ? 0 : 1;
