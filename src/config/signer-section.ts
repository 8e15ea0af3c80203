/** @module The key `signer` of a wallet: a process that has the key and signs in place of this one. */
import { z } from 'zod';
import { address, durationFrom } from './scalars.ts';

/** The section. */
export const signerSection = z
  .strictObject({
    command: z
      .array(z.string().min(1, { error: 'a text' }).meta({ title: 'a text' }))
      .min(1, { error: 'a program and its arguments' })
      .describe(
        'Program and arguments of a process that signs for this wallet, by JSON lines on its standard input and output (docs/guides/external-signers.md). In place of keyFile.',
      ),
    address: address.describe('Address of the API wallet: each signature must be of it.'),
    timeout: durationFrom('50ms', '1s')
      .prefault('1s')
      .describe('How long one signature may take; a write whose signature is late is not sent.'),
  })
  .describe('A process that has the key of this wallet and signs in place of this one.');
