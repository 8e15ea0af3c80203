/**
 * @module
 * A key in another process, honest or hostile: whatever it does, what leaves has a signature of the wallet over the very digest,
 * or nothing leaves.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { newExternalKey } from '../../src/bot/live/connect/external-keys.ts';
import { SystemClock, silentLog, toHex } from '../../src/core/index.ts';
import type { Nonce } from '../../src/domain/index.ts';
import {
  type Crypto,
  generateSecretKey,
  loadCrypto,
  makeAgentExecDigest,
  makeDomain,
  type SecretKey,
  type SigningRequest,
} from '../../src/wire/crypto/index.ts';
import { createApiWallet, ExternalSignatures } from '../../src/wire/gateway/index.ts';
import { encodeCommand } from '../../src/wire/protocol/index.ts';
import { ROOT } from '../support/processes.ts';
import { type Manner, startSignerService } from '../support/signer-service.ts';
import { AUTHORITY, tlsBefore } from '../support/tls-gateway.ts';
import { oracleDigest } from '../support/typed-data-oracle.ts';

const SAMPLE = join(ROOT, 'docs/guides/examples/signer.mjs');
const DOMAIN = { name: 'exchange', version: '1', chainId: 7, verifyingContract: `0x${'12'.repeat(20)}` };
const BYTES = encodeCommand({ kind: 'CancelAll', account: 3 } as never);

let crypto: Crypto;
let key: SecretKey;
let other: SecretKey;
beforeAll(async () => {
  crypto = await loadCrypto();
  const bytes = (count: number) => globalThis.crypto.getRandomValues(new Uint8Array(count));
  key = generateSecretKey(crypto, bytes);
  other = generateSecretKey(crypto, bytes);
});

/** A wallet whose signer is a program, and a pipe that keeps what it is given. */
function aWallet(
  reached: readonly string[] | { readonly url: string; readonly token?: string; readonly ca?: string },
  timeoutMs: number,
) {
  const clock = new SystemClock();
  const named = { wallet: 'maker', timeoutMs };
  const plan = 'url' in reached ? { ...named, ...reached } : { ...named, command: reached };
  const external = newExternalKey(plan, key.address, { clock, log: silentLog });
  onTestFinished(() => external.signer.close());
  const signatures = new ExternalSignatures();
  const domain = makeDomain(crypto, DOMAIN);
  const wallet = createApiWallet({ crypto, key: external, domain, signatures });
  const left: string[] = [];
  const pipe = signatures.over({
    post: ({ body }: { readonly body: string }) => {
      left.push(body);
      return Promise.resolve({ kind: 'notSent', why: 'the test' });
    },
  } as never);
  let nonce = 0n;
  const write = async () => {
    nonce++;
    const prepared = wallet.prepare(BYTES, nonce as Nonce);
    const body = `{"account":"0x","nonce":${nonce},"signature":"${prepared.sign()}"}`;
    const post = () => pipe.post({ path: '/v1/x', body, timeoutMs: 1_000 });
    return { digest: makeAgentExecDigest(crypto, domain)(crypto.keccak256(BYTES), nonce), post };
  };
  return { external, left, write };
}

/** A file of a folder that goes with the test. */
function aFile(name: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'ballast-signer-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, name);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

const keyFileOf = (of: SecretKey) => aFile('key', toHex(of.exposeBytes()));
const program = (source: string) => [process.execPath, aFile('signer.mjs', source)];
const READS = `import { createInterface } from 'node:readline';
for await (const line of createInterface({ input: process.stdin })) {
  const { id, digest } = JSON.parse(line);
`;

describe('a signer in another process', () => {
  test('signs what leaves: the sample of the guide, over typed data that hashes to the digest', async () => {
    const { write, left, external } = aWallet([process.execPath, SAMPLE, keyFileOf(key), '7'], 20_000);
    const { digest, post } = await write();
    expect(await post()).toMatchObject({ why: 'the test' });
    const signature = /"signature":"(0x[0-9a-f]{130})"/.exec(left[0] ?? '')?.[1] ?? '';
    expect(crypto.recoverAddress(digest, signature)).toBe(key.address);
    expect(signature).toBe(crypto.sign(digest, key));
    expect(external.signer.state()).toMatchObject({ signed: 1, failed: 0, why: undefined });
  });

  test('is shown typed data that hashes to the digest, for who looks at it', async () => {
    const asked: SigningRequest[] = [];
    const signatures = new ExternalSignatures();
    const sign = (request: SigningRequest) => Promise.reject(new Error(`kept ${asked.push(request)}`));
    const wallet = createApiWallet({
      ...{ crypto, signatures, domain: makeDomain(crypto, DOMAIN) },
      key: { address: key.address, signer: { sign } },
    });
    wallet.prepare(BYTES, 9n as Nonce).sign();
    const [request] = asked;
    if (request === undefined) throw new Error('expected a request');
    expect(oracleDigest(request.typedData as never)).toBe(request.digest);
    expect(request.typedData.message).toMatchObject({ nonce: '9' });
  });

  test.each([
    ['another key', () => [process.execPath, SAMPLE, keyFileOf(other)], /one of 0x/],
    [
      'another chain than the signer allows',
      () => [process.execPath, SAMPLE, keyFileOf(key), '8'],
      /it refuses: expected chain 8/,
    ],
    [
      'no signature',
      () => program(`${READS} console.log(JSON.stringify({ id, signature: digest })); }`),
      /got no signature/,
    ],
    [
      'an object for a signature',
      () => program(`${READS} console.log(JSON.stringify({ id, signature: {} })); }`),
      /got no signature/,
    ],
    ['garbage', () => program(`${READS} console.log('{{{'); }`), /no signature within/],
    [
      'an answer to another request',
      () => program(`${READS} console.log(JSON.stringify({ id: id + 1, signature: digest })); }`),
      /no signature within/,
    ],
    [
      'half of a line',
      () => program(`${READS} process.stdout.write('{"id":' + id + ',"sig'); }`),
      /no signature within/,
    ],
    [
      'a line without an end',
      () => program(`${READS} process.stdout.write('x'.repeat(70_000)); }`),
      /a line of more than 65536/,
    ],
    ['silence', () => program(`${READS} }`), /no signature within/],
    ['its end', () => program(`${READS} process.exit(3); }`), /it ended with|EPIPE|closed/],
    ['a program that is not there', () => ['/nowhere/signer'], /ENOENT|started again/],
  ])('error: %s sends nothing', async (_name, make, why) => {
    // Time enough to start on a slow machine, for those that answer; a short one for those that never do.
    const timeoutMs = /within/.test(why.source) ? 300 : 20_000;
    const { write, left } = aWallet(make(), timeoutMs);
    const { post } = await write();
    expect(await post()).toMatchObject({ kind: 'notSent', why: expect.stringMatching(why) });
    expect(left).toEqual([]);
  });

  test('one that ended is started again, and the same write leaves with its next try', async () => {
    const flag = aFile('flag', 'die');
    const source = `import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
if (readFileSync(${JSON.stringify(flag)}, 'utf8') === 'die') { writeFileSync(${JSON.stringify(flag)}, 'live'); process.exit(1); }
process.argv.splice(1, 1);
await import(${JSON.stringify(SAMPLE)});`;
    const { write, left } = aWallet([...program(source), 'sample', keyFileOf(key)], 20_000);
    const { post } = await write();
    expect(await post()).toMatchObject({ kind: 'notSent' });
    await expect.poll(post, { timeout: 60_000, interval: 100 }).toMatchObject({ why: 'the test' });
    expect(left.length).toBeGreaterThan(0);
    expect(left.every((body) => !body.includes('eeeeeeee'.repeat(10)))).toBe(true);
  });

  test('of many that wait only a few are asked, and each has its end', async () => {
    const { write, left } = aWallet(program(`${READS} }`), 500);
    const posts = await Promise.all(Array.from({ length: 30 }, write));
    const ends = await Promise.all(posts.map(({ post }) => post()));
    expect(ends.every(({ kind }) => kind === 'notSent')).toBe(true);
    expect(
      ends.filter((end) => 'why' in end && /requests wait already/.test(end.why)).length,
    ).toBeGreaterThan(0);
    expect(left).toEqual([]);
  });
});

/** A service of this test that signs with the key of the wallet. */
async function aService(manner?: Manner) {
  const service = await startSignerService(crypto, [key]);
  onTestFinished(() => service.close());
  service.behave(manner);
  return service;
}

describe('a signer behind a URL', () => {
  test('signs what leaves, and knows us by the token', async () => {
    const service = await aService();
    const { write, left, external } = aWallet({ url: service.url, token: 'the-token-of-this-bot' }, 20_000);
    const { digest, post } = await write();
    expect(await post()).toMatchObject({ why: 'the test' });
    expect(left).toMatchObject([expect.stringContaining(crypto.sign(digest, key))]);
    expect(service.asked).toMatchObject([{ authorization: 'Bearer the-token-of-this-bot' }]);
    expect(external.signer.state()).toMatchObject({ signed: 1, failed: 0, why: undefined });
    expect(external.signer.state().p99Ms).toBeGreaterThan(0);
  });

  test('is reached by TLS with the authority of environment.caFile, and not without it', async () => {
    const service = await aService();
    const url = await tlsBefore(service.port);
    const trusting = aWallet({ url, ca: AUTHORITY }, 20_000);
    expect(await (await trusting.write()).post()).toMatchObject({ why: 'the test' });
    const strange = aWallet({ url }, 20_000);
    expect(await (await strange.write()).post()).toMatchObject({
      kind: 'notSent',
      why: expect.stringMatching(/certificate|self.signed/i),
    });
    expect(strange.left).toEqual([]);
  });

  test.each<[string, Manner, RegExp]>([
    ['a refusal', (_one, to) => void to.writeHead(403).end('{"error":"not today"}'), /it refuses: not today/],
    ['a page', (_one, to) => void to.writeHead(502).end('<html>'), /status 502 and no signature/],
    ['an empty answer', (_one, to) => void to.end(), /status 200 and no signature/],
    ['a list', (_one, to) => void to.end('[]'), /status 200 and no signature/],
    [
      'an answer to another request',
      ({ id }, to) => void to.end(JSON.stringify({ id: id + 1, signature: '0x' })),
      /it answers another request/,
    ],
    [
      'no signature',
      ({ id }, to) => void to.end(JSON.stringify({ id, signature: '0x12' })),
      /got no signature/,
    ],
    ['a flood', (_one, to) => void to.end('x'.repeat(200_000)), /more than 65536 characters/],
    ['a cut', (_one, to) => void to.destroy(), /closed|hang up|reset/],
    ['another place', (_one, to) => void to.writeHead(302, { location: '/x' }).end(), /status 302/],
    ['silence', () => undefined, /no signature within|Timeout/],
  ])('error: %s sends nothing', async (_name, manner, why) => {
    const service = await aService(manner);
    const { write, left } = aWallet({ url: service.url }, /within/.test(why.source) ? 300 : 20_000);
    expect(await (await write()).post()).toMatchObject({ kind: 'notSent', why: expect.stringMatching(why) });
    expect(left).toEqual([]);
  });

  test('is slow after one failure, down after two, and up with the next signature', async () => {
    const service = await aService((_one, to) => void to.writeHead(503).end());
    const { write, external } = aWallet({ url: service.url }, 20_000);
    const kinds: string[] = [];
    external.signer.onChange((kind) => kinds.push(kind));
    expect(external.signer.state().kind).toBe('up');
    await (await write()).post();
    expect(external.signer.state()).toMatchObject({ kind: 'slow', why: expect.stringContaining('503') });
    await (await write()).post();
    expect(external.signer.state()).toMatchObject({ kind: 'down', failed: 2, sinceMs: expect.any(Number) });
    service.behave();
    await (await write()).post();
    // How long the machine takes for a signature is no matter here.
    expect(external.signer.state()).toMatchObject({
      ...{ kind: expect.stringMatching(/up|slow/), why: undefined, sinceMs: undefined },
    });
    expect(kinds.slice(0, 2)).toEqual(['slow', 'down']);
  });

  test('one whose signatures are of another key is down, and stays so', async () => {
    const service = await startSignerService(crypto, [other]);
    onTestFinished(() => service.close());
    const { write, external } = aWallet({ url: service.url }, 20_000);
    for (let tries = 0; tries < 4; tries++) await (await write()).post();
    expect(external.signer.state()).toMatchObject({
      kind: 'down',
      signed: 0,
      why: expect.stringMatching(/one of 0x/),
    });
  });
});
