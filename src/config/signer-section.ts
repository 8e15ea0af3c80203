/** @module The key `signer` of a wallet: a process or a service that has the key and signs in place of this one. */
import { z } from 'zod';
import { address, durationFrom, httpUrl, path } from './scalars.ts';

/** Of these names a URL may be without TLS: nobody is on the way. */
const OWN_MACHINE = /^(?:127(?:\.[0-9]{1,3}){3}|localhost|\[::1\])$/;

/** The section. */
export const signerSection = z
  .strictObject({
    command: z
      .array(z.string().min(1, { error: 'a text' }).meta({ title: 'a text' }))
      .min(1, { error: 'a program and its arguments' })
      .optional()
      .describe(
        'Program and arguments of a process that signs for this wallet, by JSON lines on its standard input and output (docs/guides/external-signers.md). In place of keyFile.',
      ),
    url: httpUrl
      .refine(isPrivate, { error: 'an https URL, or an http URL of this machine, without a password' })
      .optional()
      .describe(
        'URL of a service that signs for this wallet, by one POST a signature. https, by the certificates that Node knows and those of environment.caFile; http on this machine alone. In place of command.',
      ),
    tokenFile: path
      .optional()
      .describe(
        'File of mode 600 with the token that the service at url knows this bot by. Relative to the configuration.',
      ),
    address: address.describe('Address of the API wallet: each signature must be of it.'),
    timeout: durationFrom('50ms', '1s')
      .prefault('1s')
      .describe('How long one signature may take; a write whose signature is late is not sent.'),
  })
  .superRefine(({ command, url, tokenFile }, context) => {
    const wrong = (key: string, message: string): void => {
      context.addIssue({ code: 'custom', path: [key], message });
    };
    if (command === undefined && url === undefined) wrong('command', 'a command, or the url of a service');
    if (command !== undefined && url !== undefined) wrong('url', 'either a command or a url');
    if (url === undefined && tokenFile !== undefined)
      wrong('tokenFile', 'nothing, since a command does not use it');
  })
  .describe('A process or a service that has the key of this wallet and signs in place of this one.');

function isPrivate(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || OWN_MACHINE.test(url.hostname);
}
