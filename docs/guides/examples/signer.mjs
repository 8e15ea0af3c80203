/**
 * A signer for `wallets[].signer`: it reads requests as JSON lines, looks at what is to be signed, and answers with signatures.
 * The key stays in this process. Its file is the first argument; the second, where it is given, is the chain that may be signed for.
 */
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { secp256k1 } from '@noble/curves/secp256k1.js';

const [file, chainId] = process.argv.slice(2);
const key = Uint8Array.from(Buffer.from(readFileSync(file, 'utf8').trim().replace(/^0x/, ''), 'hex'));
/** Domains that no exchange has: the wallet is tried at each start, and signs attestations of runs. */
const HARMLESS = ['ballast tries its signer', 'ballast attestation'];

function sign({ digest, typedData }) {
  const { domain, primaryType } = typedData;
  if (primaryType !== 'AgentExec') throw new Error(`expected an AgentExec, got ${primaryType}`);
  if (chainId !== undefined && !HARMLESS.includes(domain.name) && String(domain.chainId) !== chainId)
    throw new Error(`expected chain ${chainId}, got ${domain.chainId}`);
  const bytes = Uint8Array.from(Buffer.from(digest.slice(2), 'hex'));
  const [recovery, ...rest] = secp256k1.sign(bytes, key, { prehash: false, lowS: true, format: 'recovered' });
  return `0x${Buffer.from(rest).toString('hex')}${recovery === 0 ? '1b' : '1c'}`;
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  let answer;
  try {
    answer = { id: request.id, signature: sign(request) };
  } catch (error) {
    answer = { id: request.id, error: error.message };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
