/** A live run in a process of its own, explained and attested when it has ended, and the document held against the exchange. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { LiveRig } from '../support/live-rig.ts';
import { until } from '../support/processes.ts';

test.skipIf(process.platform !== 'linux')(
  'a run that is proven is attested, verified, and a changed document is not',
  async () => {
    const rig = await LiveRig.start({ seed: 31, accounts: 2 });
    const home = mkdtempSync(join(tmpdir(), 'ballast-attest-'));
    onTestFinished(async () => {
      await rig.end();
      rmSync(home, { recursive: true, force: true });
    });
    const env = { ...rig.env(), BALLAST_STATE_HOME: home };
    const say = async (...words: readonly string[]) => {
      const said = rig.processes.ballast(words, { env });
      const { code } = await said.toEnd(60_000);
      return { code, text: said.lines.join('\n'), errors: said.errors };
    };
    const bot = await rig.bot('attested', { record: { enabled: true, folder: 'tapes' } });
    const [node = '', ...words] = bot.command();
    const run = rig.processes.start(node, words, { env });
    await bot.quoting(run);
    const fill = await until(
      'a fill',
      async () => {
        const { code, text } = await say('fills', 'attested', '--json');
        return code === 0
          ? (JSON.parse(text.split('\n').at(-1) ?? '{}').fills?.[0]?.id as string | undefined)
          : undefined;
      },
      { withinMs: 60_000 },
    );
    // The journal takes audit events a moment later.
    const explained = await until(
      'the fill to be explained',
      async () => {
        const said = await say('explain', 'fill', fill, 'attested');
        return said.code === 0 ? said : undefined;
      },
      { withinMs: 60_000 },
    );
    expect(explained.text).toContain(`fill ${fill}`);
    expect((await say('attest', 'attested')).errors).toContain('ATTEST_FACTS_MISSING');
    run.signal('SIGTERM');
    await run.toEnd(60_000);
    const file = join(home, 'run.attest.json');
    const attested = await say('attest', 'attested', '--out', file);
    expect(attested.code, attested.errors).toBe(0);
    expect(attested.text).toMatch(/residual +0/);
    const verified = await say('attest', 'verify', file);
    expect(verified.code, verified.errors + verified.text).toBe(0);
    expect(verified.text).toContain('every line agrees');
    const document = JSON.parse(readFileSync(file, 'utf8'));
    document.statement.equityChange = `${document.statement.equityChange}1`;
    writeFileSync(file, JSON.stringify(document));
    const changed = await say('attest', 'verify', file);
    expect(changed.code).toBe(1);
    expect(changed.text).toContain('equity change');
  },
  300_000,
);
