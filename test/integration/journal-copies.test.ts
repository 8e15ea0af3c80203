/** A journal is copied while its bot writes, is lost, and comes back: the bot starts from the copy and settles. */
import { copyFileSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { backUpJournals, restoreJournals } from '../../src/bot/journal/index.ts';
import { LiveRig } from '../support/live-rig.ts';

describe.skipIf(process.platform !== 'linux')('copies of a journal', () => {
  let rig: LiveRig;
  let tries = 0;
  beforeAll(async () => {
    rig = await LiveRig.start({ seed: 43, accounts: 4 });
  });
  afterAll(async () => {
    await rig?.end();
  });

  test('are made while a run writes, and bring a bot back that has lost its own', async () => {
    const bot = await rig.bot(`copied-${++tries}`, { deadMansSwitch: { heartbeat: '5s', timeout: '60s' } });
    const say = async (...words: readonly string[]) => {
      const command = rig.processes.ballast([...words, '--json'], { env: rig.env() });
      const { code } = await command.toEnd(60_000);
      return { code, errors: command.errors, json: code === 0 ? command.document() : undefined };
    };
    const copies = join(bot.folder, 'copies');
    const first = bot.run();
    await bot.quoting(first);
    const backed = await say('journal', 'backup', bot.config, copies);
    expect(backed, backed.errors).toMatchObject({ code: 0 });
    expect(backed.json).toMatchObject({ journals: [{ instance: bot.name, records: expect.any(Number) }] });
    const [name = ''] = readdirSync(copies);
    expect(statSync(join(copies, name)).mode & 0o777).toBe(0o600);
    // The run goes on after the copy, and ends in order.
    await bot.quoting(
      first,
      new Set((await bot.reader.openOrders()).map((one) => one.clientOrderId ?? one.orderId)),
    );
    expect(await say('journal', 'restore', bot.config, copies)).toMatchObject({
      ...{ code: 73, errors: expect.stringContaining('move it away yourself') },
    });
    first.signal('SIGTERM');
    expect(await first.toEnd(60_000), first.errors).toMatchObject({ signal: null });

    rmSync(join(bot.folder, 'journal'), { recursive: true });
    expect(await say('journal', 'restore', bot.config, copies)).toMatchObject({ code: 0 });
    // Fills after the copy are of orders that it does not know: they are nobody's, as the runbook says.
    const second = bot.run(['--accept-difference']);
    await bot.quoting(second);
    second.signal('SIGTERM');
    expect(await second.toEnd(60_000), second.errors).toMatchObject({ signal: null });
    expect(second.document()).toMatchObject({ openOrders: 0, unresolved: 0, reconciled: true });
  }, 240_000);

  test('that are damaged, or where one is, are refused by name before anything changes', () => {
    const folder = mkdtempSync(join(tmpdir(), 'ballast-copies-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    expect(() => backUpJournals(folder, join(folder, 'to'))).toThrow(/expected a journal in/);
    writeFileSync(join(folder, 'a.journal.sqlite'), 'no database');
    expect(() => restoreJournals(folder, join(folder, 'to'))).toThrow();
    expect(readdirSync(join(folder, 'to'))).toEqual([]);
    copyFileSync(join(folder, 'a.journal.sqlite'), join(folder, 'to', 'a.journal.sqlite'));
    expect(() => restoreJournals(folder, join(folder, 'to'))).toThrow(/expected no file at/);
  });
});
