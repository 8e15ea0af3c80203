import { describe, expect, test } from 'vitest';
import { fromHex, toHex } from '../../../../src/core/index.ts';
import type { Nonce, RequestId } from '../../../../src/domain/index.ts';
import {
  loadCrypto,
  makeAgentExecDigest,
  makeDomain,
  secretKeyOf,
} from '../../../../src/wire/crypto/index.ts';
import { createApiWallet } from '../../../../src/wire/gateway/index.ts';

const crypto = await loadCrypto();
/** The development environment of exchange.md#signing. */
const DOMAIN = makeDomain(crypto, {
  name: 'dex-os',
  version: '1',
  chainId: 31_337,
  verifyingContract: '0x0000000000000000000000000000000000000000',
});
const KEY = secretKeyOf(crypto, fromHex(`0x${'17'.repeat(32)}`));
/** Request A of exchange.md#command-bytes, confirmed by a node. */
const BYTES = fromHex(
  '0x013e02000000302d9bd2a001000000000000020000000000003c860100050000000000000002000000010487010005000000000000000200',
);
const COMMAND_HASH = '0x492a3616cda2ce03226c83681d5388a68b0e426842d0ca3ece3559083d0b1f88';
const DIGEST = '0x14d47adf69c31af5eabfd97da5fa32a135890157e5bb808e785788bfece63a01';
const nonce = (value: bigint) => value as Nonce;

describe('an API wallet', () => {
  test('hashes and signs as the live chain of exchange.md#command-bytes has it (O42, O43)', () => {
    const wallet = createApiWallet({ crypto, key: KEY, domain: DOMAIN });
    const prepared = wallet.prepare(BYTES, nonce(0n));
    expect(prepared.commandHash).toBe(COMMAND_HASH);
    expect(crypto.recoverAddress(fromHex(DIGEST), prepared.sign())).toBe(wallet.address);
    const preimage = new Uint8Array([...fromHex(wallet.address), ...fromHex(DIGEST)]);
    expect(prepared.requestId).toBe(toHex(crypto.keccak256(preimage)));
  });

  test('signs what it named, however many commands were prepared in between (O75)', () => {
    const wallet = createApiWallet({ crypto, key: KEY, domain: DOMAIN });
    const prepared = [0n, 1n, 2n ** 64n - 1n].map((value) => wallet.prepare(BYTES, nonce(value)));
    expect(new Set(prepared.map(({ requestId }) => requestId)).size).toBe(3);
    for (const [at, value] of [0n, 1n, 2n ** 64n - 1n].entries()) {
      const digest = makeAgentExecDigest(crypto, DOMAIN)(crypto.keccak256(BYTES), value);
      expect(crypto.recoverAddress(digest, prepared[at]?.sign() ?? '')).toBe(wallet.address);
    }
  });

  test('uses the derivation of request ids that the environment has', () => {
    const wallet = createApiWallet({
      crypto,
      key: KEY,
      domain: DOMAIN,
      requestIdDerivation: (_hasher, _signer, digest) => toHex(digest) as RequestId,
    });
    expect(wallet.prepare(BYTES, nonce(0n)).requestId).toBe(DIGEST);
  });

  test.each([
    ['another codec version', [2, 0x3e, 0, 0]],
    ['a tag that API wallets do not have', [1, 0x01, 0, 0]],
    ['no bytes', []],
  ])('does not sign %s (O41)', (_what, bytes) => {
    const wallet = createApiWallet({ crypto, key: KEY, domain: DOMAIN });
    expect(() => wallet.prepare(Uint8Array.from(bytes), nonce(0n))).toThrow(/may sign/);
  });

  test('shows its key in no form of text (O45)', () => {
    const wallet = createApiWallet({ crypto, key: KEY, domain: DOMAIN });
    expect(JSON.stringify(wallet)).not.toContain('1717');
    expect(String(Object.values(wallet))).not.toContain('1717');
  });
});
