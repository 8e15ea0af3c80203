import { describe, expect, test } from 'vitest';
import { fromHex, toHex } from '../../src/core/index.ts';
import { loadCrypto, makeAgentExecDigest, makeDomain, structHasher } from '../../src/wire/crypto/index.ts';
import { encodeCommand, mainWalletMessage, makeRequestIdOf, STRUCTS } from '../../src/wire/protocol/index.ts';
import { decodeCommand } from '../support/decode-command.ts';
import { GOLDEN_COMMANDS } from '../support/golden-commands.ts';
import { hasShared, readSharedJson } from '../support/shared.ts';

const crypto = await loadCrypto();
const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000';
const DOMAIN = { name: 'dex-os', version: '1', chainId: 31337, verifyingContract: ZERO_ADDRESS };
const AGENT = '0x4163e07d9ce9d93aedb70424a27e767c9d437107';

describe('canonical bytes', () => {
  test.each(GOLDEN_COMMANDS)('$name encodes to the golden bytes and back', ({ command, hex }) => {
    expect(toHex(encodeCommand(command))).toBe(`0x${hex}`);
    expect(decodeCommand(fromHex(`0x${hex}`))).toEqual(command);
  });

  test.skipIf(!hasShared('vectors', 'exchange', 'golden.json'))(
    'every vector of golden.json is one of the printed ones, with the same bytes',
    () => {
      const golden = readSharedJson<{ vectors: { name: string; hex: string }[] }>(
        'vectors',
        'exchange',
        'golden.json',
      );
      const printed = GOLDEN_COMMANDS.map(({ name, hex }) => ({ name, hex }));
      const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);
      expect(printed.sort(byName)).toEqual([...golden.vectors].sort(byName));
    },
  );
});

/** Two requests whose digest and request id a real node confirmed (exchange.md#command-bytes). */
const LIVE = [
  {
    name: 'two orders placed',
    command: {
      kind: 'BatchReplace',
      account: 2,
      nowMs: 1790239780144,
      cancels: [],
      orders: [
        { market: 0, side: 'buy', price: 99900, lots: 5n, tif: 'postOnly', reduceOnly: false },
        { market: 0, side: 'sell', price: 100100, lots: 5n, tif: 'postOnly', reduceOnly: false },
      ],
    },
    bytes:
      '0x013e02000000302d9bd2a001000000000000020000000000003c860100050000000000000002000000010487010005000000000000000200',
    commandHash: '0x492a3616cda2ce03226c83681d5388a68b0e426842d0ca3ece3559083d0b1f88',
    nonce: 0n,
    digest: '0x14d47adf69c31af5eabfd97da5fa32a135890157e5bb808e785788bfece63a01',
    requestId: '0x963ffe4034d5d08436000c076600830c09cabc7056c246eb4ed51fb4972f3973',
  },
  {
    name: 'one order canceled, two placed',
    command: {
      kind: 'BatchReplace',
      account: 2,
      nowMs: 1790239780216,
      cancels: [{ market: 0, orderSeq: 4259841n }],
      orders: [
        { market: 0, side: 'sell', price: 100050, lots: 5n, tif: 'postOnly', reduceOnly: false },
        { market: 0, side: 'buy', price: 100200, lots: 1n, tif: 'postOnly', reduceOnly: false },
      ],
    },
    bytes:
      '0x013e02000000782d9bd2a001000001000000010041000000000002000000000001d2860100050000000000000002000000006887010001000000000000000200',
    commandHash: '0x067f10177eb2c04e0f1bbee440fbcaca66e7b9c981d29cfcb64dcb22acd0738a',
    nonce: 1n,
    digest: '0x64a7c0dee2a081c2666131b2127c26bf70231d9eb31933d43eff5eed16ab109b',
    requestId: '0x71587bc425d492851f77e84902e22829413b866c3ccdfc3097c938d65021cd5a',
  },
] as const;

describe('live chains', () => {
  test.each(LIVE)('$name: command, hash, digest and request id follow from each other', (live) => {
    const bytes = encodeCommand(live.command);
    const commandHash = crypto.keccak256(bytes);
    const digest = makeAgentExecDigest(
      crypto,
      makeDomain(crypto, DOMAIN),
      STRUCTS.AgentExec,
    )(commandHash, live.nonce);
    expect(toHex(bytes)).toBe(live.bytes);
    expect(toHex(commandHash)).toBe(live.commandHash);
    expect(toHex(digest)).toBe(live.digest);
    expect(makeRequestIdOf(crypto, AGENT)(digest)).toBe(live.requestId);
  });

  test.skipIf(!hasShared('vectors', 'exchange', 'request_id_golden.json'))(
    'the request id of request_id_golden.json follows from its signer and digest',
    () => {
      const golden = readSharedJson<{ agent: string; signingHash: string; requestId: string }>(
        'vectors',
        'exchange',
        'request_id_golden.json',
      );
      expect(makeRequestIdOf(crypto, golden.agent)(fromHex(golden.signingHash))).toBe(golden.requestId);
    },
  );
});

/** Digests of grants (exchange.md#signing; computed with an independent library for ../shared/vectors/exchange). */
const GRANTS = [
  {
    operation: { kind: 'ApproveAgent', validUntilMs: 1789111997200 },
    nonce: 42n,
    digest: '0xa4796a6df3c8d5b763f45907bf289f57f28ef24ab5677935961cdb8bc970f7a2',
  },
  {
    operation: { kind: 'RevokeAgent' },
    nonce: 43n,
    digest: '0xb687e63cfcaf093061e889b85f3962b0762e4b53aad655268fbf544b978c073c',
  },
] as const;

describe('grants of a main wallet', () => {
  test.each(GRANTS)('$operation.kind has the digest computed elsewhere', ({ operation, nonce, digest }) => {
    const domain = makeDomain(crypto, {
      ...DOMAIN,
      chainId: 11155111,
      verifyingContract: '0x3333333333333333333333333333333333333333',
    });
    const message = mainWalletMessage(
      { ...operation, account: 7, agent: '0x2222222222222222222222222222222222222222' },
      { owner: '0x1111111111111111111111111111111111111111', nonce, hasher: crypto },
    );
    const hash = structHasher(crypto, message.typeString).hash(message.values);
    expect(toHex(domain.digest(hash))).toBe(digest);
  });
});
