/** @module `ballast mcp`: the runs of this user for agents, over the Model Context Protocol. It changes nothing unless it is allowed to. */
import type { Argv } from 'yargs';
import { run } from './terminal/command-process.ts';
import { EXIT } from './terminal/exit-codes.ts';
import { flagOption, type Given, listOption } from './terminal/options.ts';
import { writeNote } from './terminal/output.ts';

const OPTIONS = {
  'allow-controls': flagOption('Let agents pause, resume, set, flatten, stop'),
  tapes: listOption('Also list the tapes in this folder (repeatable)'),
} as const;

/** Adds `mcp` to the command line. */
export function mcpCommand(cli: Argv): Argv {
  return cli.command(
    'mcp',
    'Serve runs to agents over stdio (Model Context Protocol)',
    (one) => one.options(OPTIONS),
    (args) => run(() => mcp(args)),
  );
}

async function mcp({ 'allow-controls': allowsControls, tapes = [] }: Given<typeof OPTIONS>): Promise<number> {
  const { serveAgents } = await import('./agents/server.ts');
  await serveAgents({ allowsControls: allowsControls === true, tapeFolders: tapes, note: writeNote });
  return EXIT.ok;
}
