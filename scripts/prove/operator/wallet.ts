/**
 * @module
 * A main wallet in a process of its own, as on another machine: it has nothing of ballast. It reads typed data from the
 * file that it is called with and its key from file descriptor 3, and prints the signature.
 */
import { readFileSync } from 'node:fs';
import { privateKeyToAccount } from 'viem/accounts';

const { domain, types, primaryType, message } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const key = readFileSync(3, 'utf8').trim();
const account = privateKeyToAccount(`0x${key.replace(/^0x/, '')}`);
process.stdout.write(`${await account.signTypedData({ domain, types, primaryType, message })}\n`);
