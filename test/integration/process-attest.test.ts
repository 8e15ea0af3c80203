/** A live run in a process of its own, explained and attested when it has ended, and the document held against the exchange. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { LiveRig } from '../support/live-rig.ts';
import { ROOT, until } from '../support/processes.ts';
import { AUTHORITY, aProxy, tlsBefore } from '../support/tls-gateway.ts';

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
    // Through a proxy, to a gateway behind TLS by an authority that no system knows.
    const proxy = await aProxy();
    const authority = join(home, 'authority.pem');
    writeFileSync(authority, AUTHORITY);
    const front = await tlsBefore(Number(new URL(rig.baseUrl).port));
    const behind = ['--url', `${front}/`, '--proxy', proxy.url, '--ca-file', authority];
    const elsewhere = await say('attest', 'verify', file, ...behind);
    expect(elsewhere.code, elsewhere.errors + elsewhere.text).toBe(0);
    expect(proxy.led).toContain(new URL(front).host);
    const document = JSON.parse(readFileSync(file, 'utf8'));
    // The same wallet, whose key is in another process now.
    const command = [
      process.execPath,
      join(ROOT, 'docs/guides/examples/signer.mjs'),
      join(bot.folder, 'maker.key'),
    ];
    bot.configure({ wallets: [{ name: 'maker', signer: { command, address: document.signer } }] });
    const other = join(home, 'other.attest.json');
    const signed = await say('attest', 'attested', '--out', other);
    expect(signed.code, signed.errors).toBe(0);
    const { signature, scheme, ...contents } = JSON.parse(readFileSync(other, 'utf8'));
    expect([scheme, signature === document.signature]).toEqual(['eip712', false]);
    expect(contents).toEqual({ ...document, signature: undefined, scheme: undefined });
    expect((await say('attest', 'verify', other)).text).toContain('every line agrees');
    document.statement.equityChange = `${document.statement.equityChange}1`;
    writeFileSync(file, JSON.stringify(document));
    const changed = await say('attest', 'verify', file);
    expect(changed.code).toBe(1);
    expect(changed.text).toContain('equity change');
  },
  300_000,
);
