/**
 * @module
 * G1: command bytes to the hex of an AgentExec signature, beside viem. G2: the digest alone. G21: every rung of the
 * ladder of back ends signs and recovers the same, and what it costs.
 */
import { type Hex, hashTypedData, keccak256 } from 'viem';
import { toHex } from '../../src/core/index.ts';
import {
  type Crypto,
  type CryptoOptions,
  loadCrypto,
  makeAgentExecDigest,
  SECP256K1_NAMES,
} from '../../src/wire/crypto/index.ts';
import { randomCommands, type SignedInput } from '../commands.ts';
import { type Goal, type GroupResult, missed, reached } from '../goal.ts';
import { asyncLoop, compare, type Effort, loop, rounded, type Work } from '../measure.ts';
import { showTable } from '../show.ts';
import { AGENT_EXEC_TYPES, DOMAIN, sampleDomain, sampleKey, viemAccount } from '../wallet.ts';

const COMMANDS = 1000;
const LADDER = { native: 'G1', wasm: 'G1.wasm', noble: 'G1.noble' } as const;
const LIMITS = { native: 0.12, wasm: 0.3, noble: 1.15 } as const;
const VIEM = 'viem signTypedData';

type SignCommand = (input: SignedInput) => Hex;

/** Measures G1 and G21, which need the same back ends. */
export async function signing(effort: Effort): Promise<GroupResult> {
  const inputs = randomCommands(COMMANDS, 'signing');
  const expected: Hex[] = [];
  for (const input of inputs) expected.push(await signWithViem(input));

  const defects = new Map<string, string>();
  const cases: Record<string, Work> = {
    [VIEM]: asyncLoop((index) => signWithViem(inputs[index % COMMANDS]!)),
  };
  const figures: Record<string, number> = {};
  for (const name of SECP256K1_NAMES) {
    try {
      const crypto = await loadCrypto({ secp256k1: name, keccak: name === 'noble' ? 'noble' : 'auto' });
      const sign = signerOf(crypto);
      const wrong = firstDifference(crypto, { sign, inputs, expected });
      if (wrong !== undefined) throw new Error(wrong);
      cases[name] = loop((index) => sign(inputs[index % COMMANDS]!));
    } catch (error) {
      defects.set(name, error instanceof Error ? error.message : String(error));
    }
  }

  const samples = await compare(cases, effort);
  showTable(
    `G1 command bytes to AgentExec signature (${COMMANDS} random commands, bytes identical)`,
    samples.rows(VIEM),
  );
  for (const name of samples.names()) figures[`G1 ${name}, us`] = rounded(samples.median(name));
  const goals: Goal[] = SECP256K1_NAMES.map((name) => {
    const limit = {
      id: LADDER[name],
      what: `AgentExec signature, ${name} back end, to viem signTypedData`,
      limit: LIMITS[name],
      better: 'lower',
    } as const;
    const defect = defects.get(name);
    return defect === undefined ? reached(limit, samples.ratio(name, VIEM)) : missed(limit, defect);
  });
  goals.push(ladderGoal(defects));
  return { goals, figures };
}

function ladderGoal(defects: ReadonlyMap<string, string>): Goal {
  const limit = {
    id: 'G21',
    what: 'share of the back ends that, forced by name, sign and recover the same vectors',
    limit: 1,
    better: 'higher',
  } as const;
  const reason = [...defects].map(([name, defect]) => `${name}: ${defect}`).join('; ');
  return {
    ...reached(limit, 1 - defects.size / SECP256K1_NAMES.length),
    ...(reason === '' ? {} : { reason }),
  };
}

/** Measures G2. */
export async function digest(effort: Effort): Promise<GroupResult> {
  const inputs = randomCommands(COMMANDS, 'digest').map(({ bytes, nonce }) => ({
    hash: keccak256(bytes, 'bytes'),
    hashText: keccak256(bytes),
    nonce,
  }));
  const viem = 'viem hashTypedData';
  const withViem = (index: number) =>
    typedDigest(inputs[index % COMMANDS]!.hashText, inputs[index % COMMANDS]!.nonce);
  const cases: Record<string, Work> = { [viem]: loop(withViem) };
  const goals: ((ratioOf: (name: string) => number) => Goal)[] = [];
  for (const [id, keccak, limit] of [
    ['G2', 'wasm', 0.03],
    ['G2.noble', 'noble', 0.15],
  ] as const) {
    const terms = {
      id,
      what: `AgentExec digest, ${keccak} keccak, to viem hashTypedData`,
      limit,
      better: 'lower',
    } as const;
    try {
      const digestOf = await digestWith({ secp256k1: 'noble', keccak });
      for (let index = 0; index < COMMANDS; index++) {
        const { hash, nonce } = inputs[index]!;
        if (toHex(digestOf(hash, nonce)) !== withViem(index))
          throw new Error(`another digest, input ${index}`);
      }
      cases[keccak] = loop((index) =>
        digestOf(inputs[index % COMMANDS]!.hash, inputs[index % COMMANDS]!.nonce),
      );
      goals.push((ratioOf) => reached(terms, ratioOf(keccak)));
    } catch (error) {
      goals.push(() => missed(terms, error instanceof Error ? error.message : String(error)));
    }
  }
  const samples = await compare(cases, effort);
  showTable(`G2 AgentExec digest (${COMMANDS} random commands, digests identical)`, samples.rows(viem));
  return {
    goals: goals.map((goal) => goal((name) => samples.ratio(name, viem))),
    figures: Object.fromEntries(
      samples.names().map((name) => [`G2 ${name}, us`, rounded(samples.median(name))]),
    ),
  };
}

async function digestWith(options: CryptoOptions) {
  const crypto = await loadCrypto(options);
  return makeAgentExecDigest(crypto, sampleDomain(crypto));
}

function signerOf(crypto: Crypto): SignCommand {
  const key = sampleKey(crypto);
  const digestOf = makeAgentExecDigest(crypto, sampleDomain(crypto));
  return ({ bytes, nonce }) => crypto.sign(digestOf(crypto.keccak256(bytes), nonce), key);
}

/** What this back end does otherwise than the reference, by all inputs. */
function firstDifference(
  crypto: Crypto,
  given: {
    readonly sign: SignCommand;
    readonly inputs: readonly SignedInput[];
    readonly expected: readonly Hex[];
  },
): string | undefined {
  const digestOf = makeAgentExecDigest(crypto, sampleDomain(crypto));
  const owner = sampleKey(crypto).address;
  for (const [index, input] of given.inputs.entries()) {
    const signature = given.sign(input);
    if (signature !== given.expected[index]) return `signs other bytes than viem, command ${index}`;
    // Recovery is slow in plain JavaScript: every tenth is enough there.
    if (index % 10 !== 0) continue;
    const signer = crypto.recoverAddress(digestOf(crypto.keccak256(input.bytes), input.nonce), signature);
    if (signer !== owner) return `recovers another signer, command ${index}`;
  }
  return undefined;
}

function signWithViem({ bytes, nonce }: SignedInput): Promise<Hex> {
  return viemAccount.signTypedData({
    domain: DOMAIN,
    types: AGENT_EXEC_TYPES,
    primaryType: 'AgentExec',
    message: { commandHash: keccak256(bytes), nonce },
  });
}

function typedDigest(commandHash: Hex, nonce: bigint): Hex {
  return hashTypedData({
    domain: DOMAIN,
    types: AGENT_EXEC_TYPES,
    primaryType: 'AgentExec',
    message: { commandHash, nonce },
  });
}
