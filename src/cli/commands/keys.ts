/**
 * @module
 * `keys new` and `keys approve`. The main wallet's key is read once, from a terminal without echo or from an open file
 * descriptor, and is kept nowhere; never from an argument or the environment.
 */
import { approveWallets, makeKeyFile } from '../compose/index.ts';
import { EXIT } from '../exit-codes.ts';
import { writeDocument, writeLine } from '../output.ts';
import { askSecret } from '../secret-prompt.ts';

/** Makes a key file of mode 600; prints its address. @throws ConfigError when the file exists. */
export async function keysNew(options: {
  readonly file: string;
  readonly passwordFile: string | undefined;
  readonly isJson: boolean;
}): Promise<number> {
  const made = await makeKeyFile(options);
  if (options.isJson) writeDocument(made);
  else
    writeLine(
      `${made.address} in ${made.file} (${made.kind}, mode 600)\nApprove it with: ballast keys approve <config>`,
    );
  return EXIT.ok;
}

/** Approves the wallets of a configuration at its gateway; prints each grant. */
export async function keysApprove(options: {
  readonly config: string;
  readonly wallet: string | undefined;
  readonly days: number;
  readonly keyDescriptor: number | undefined;
  readonly isJson: boolean;
}): Promise<number> {
  const grants = await approveWallets({
    config: options.config,
    wallet: options.wallet,
    days: options.days,
    askMainKey: () => askSecret('main wallet private key (not stored): ', options.keyDescriptor),
  });
  if (options.isJson) writeDocument({ schema: 1, grants });
  else
    for (const grant of grants)
      writeLine(
        `${grant.name} ${grant.address}: approved until ${grant.validUntil}, receipt ${grant.requestId}, seq ${grant.seq}`,
      );
  return EXIT.ok;
}
