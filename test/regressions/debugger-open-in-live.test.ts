/** Symptom: a live run began with a debugger open, or had one opened by a signal; through its port the key can be read. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { shellEnd } from '../support/ballast-process.ts';
import { LiveRig } from '../support/live-rig.ts';

const OPENING = `import { defineStrategy, param } from 'ballast/strategy';
import { open } from 'node:inspector';
export default defineStrategy({
  name: 'opens', parameters: param.object({}),
  create: () => ({ onStart: () => setTimeout(() => open(0, '127.0.0.1'), 500) }),
});
`;

async function aRig(): Promise<LiveRig> {
  const rig = await LiveRig.start({ seed: 32 });
  onTestFinished(() => rig.end());
  return rig;
}

test('options that open a debugger are refused by name', async () => {
  const bot = await (await aRig()).bot('bot', {});
  for (const prefix of [
    'NODE_OPTIONS=--inspect=127.0.0.1:0 "$0" "$1"',
    'NODE_OPTIONS="--max-http-header-size=20000 --inspect=127.0.0.1:0" "$0" "$1"',
    '"$0" --inspect=127.0.0.1:0 "$1"',
    'NODE_OPTIONS=--heapsnapshot-signal=SIGUSR2 "$0" "$1"',
  ]) {
    const { exitCode, stderr } = await shellEnd(
      `BALLAST_STATE_HOME=${join(bot.folder, 'state')} ${prefix} run ${bot.config} --mode live --duration 2s`,
    );
    expect(stderr).toContain('PREFLIGHT_DEBUGGER_OPEN: expected no debugger');
    expect(exitCode).toBe(77);
  }
});

test('one that is opened by code ends the run, with its orders canceled', async () => {
  const rig = await aRig();
  const module = join(rig.folder, 'opens.ts');
  writeFileSync(module, OPENING);
  const bot = await rig.bot('bot', { strategies: [{ name: 'opens', module, markets: ['BTC-USD'] }] });
  const end = await bot.run(['--duration', '30s']).toEnd(60_000);
  expect(end.code).toBe(77);
});

test('SIGUSR1 opens none and ends nothing', async () => {
  const bot = await (await aRig()).bot('bot', {});
  const { exitCode, stderr } = await shellEnd(
    `BALLAST_STATE_HOME=${join(bot.folder, 'state')} "$0" "$1" run ${bot.config} --mode live --duration 8s & bot=$!; sleep 4; kill -USR1 $bot; kill -USR1 $(cat /proc/$bot/task/$bot/children); wait $bot`,
  );
  expect(stderr).not.toContain('Debugger listening');
  expect(exitCode).toBe(0);
});
