/** @module `ballast dashboard`: where a browser finds the page of a run, with the token that the page asks for. */
import type { Argv } from 'yargs';
import { formatJson } from '../core/index.ts';
import { run } from './terminal/command-process.ts';
import { EXIT } from './terminal/exit-codes.ts';
import { runNamePosition } from './terminal/operate.ts';
import { jsonOption } from './terminal/options.ts';
import { writeNote, writeSecret } from './terminal/output.ts';
import { runToRead } from './terminal/run-actions.ts';

/** Adds `dashboard` to the command line. */
export function dashboardCommand(cli: Argv): Argv {
  return cli.command(
    'dashboard [run]',
    'Print the address of the page of a run, with its token',
    (one) => one.positional('run', runNamePosition).options({ json: jsonOption }),
    (args) => run(() => show(args.run, args.json === true)),
  );
}

async function show(asked: string | undefined, isJson: boolean): Promise<number> {
  const { dashboardAddress } = await import('../bot/operator/index.ts');
  const found = await runToRead(asked);
  const address = dashboardAddress(found);
  if (isJson) writeSecret(formatJson({ schema: 1, runId: found.runId, name: found.name, address }));
  else {
    writeNote(`open this in a browser of this machine; who has the address controls ${found.name}`);
    writeSecret(address);
  }
  return EXIT.ok;
}
