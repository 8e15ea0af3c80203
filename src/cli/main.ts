/**
 * @module
 * The command line: one file a command, with its options and its text. What a command works with is imported when it
 * runs, so that help and errors come at once. Every command ends with one of the codes of `terminal/exit-codes.ts`.
 */
import yargs, { type Argv } from 'yargs';
import { VERSION } from '../core/index.ts';
import { alertsCommand } from './alerts.ts';
import { apiCommand } from './api.ts';
import { attestCommand } from './attest.ts';
import { backtestCommand } from './backtest.ts';
import { barsCommand } from './bars.ts';
import { calibrateCommand } from './calibrate.ts';
import { cancelAllCommand } from './cancel-all.ts';
import { completionCommandOf } from './completion.ts';
import { configCommand } from './config.ts';
import { conformanceCommand } from './conformance.ts';
import { dashboardCommand } from './dashboard.ts';
import { demoCommand } from './demo.ts';
import { doctorCommand } from './doctor.ts';
import { examineCommand } from './examine.ts';
import { explainCommand } from './explain.ts';
import { fillsCommand } from './fills.ts';
import { flattenCommand } from './flatten.ts';
import { importCommand } from './import.ts';
import { initCommand } from './init.ts';
import { journalCommand } from './journal.ts';
import { keysCommand } from './keys.ts';
import { logsCommand } from './logs.ts';
import { mcpCommand } from './mcp.ts';
import { newCommand } from './new.ts';
import { ordersCommand } from './orders.ts';
import { paperCommand } from './paper.ts';
import { pauseCommand } from './pause.ts';
import { positionsCommand } from './positions.ts';
import { recordCommand } from './record.ts';
import { reduceCommand } from './reduce.ts';
import { replayCommand } from './replay.ts';
import { reportCommand } from './report.ts';
import { resumeCommand } from './resume.ts';
import { runCommand } from './run.ts';
import { runsCommand } from './runs.ts';
import { setCommand } from './set.ts';
import { simCommand } from './sim.ts';
import { sqlCommand } from './sql.ts';
import { statusCommand } from './status.ts';
import { stopCommand } from './stop.ts';
import { sweepCommand } from './sweep.ts';
import { tapeCommand } from './tape.ts';
import { run } from './terminal/command-process.ts';
import { EXIT } from './terminal/exit-codes.ts';
import { errorWords } from './terminal/options.ts';
import { addMisplacedKeys, ignoreLostOutput, writeLine, writeNote, writeProblem } from './terminal/output.ts';
import { usageProblem } from './terminal/usage-problem.ts';
import { topCommand } from './top.ts';
import { workerCommand } from './worker.ts';

ignoreLostOutput();
addMisplacedKeys(process.argv.slice(2));
const base = yargs(process.argv.slice(2))
  // As a number, a key in a wrong place would be told with other digits, which nothing hides.
  // An option that may be repeated takes one value each time: what comes after it is an argument.
  .parserConfiguration({
    'parse-numbers': false,
    'parse-positional-numbers': false,
    'greedy-arrays': false,
  })
  .scriptName('ballast')
  .usage('$0 <command>\n\nTrading bots for perpetuals, with the exchange in the box.')
  .version(VERSION)
  .strict()
  .recommendCommands()
  .updateStrings(errorWords)
  .demandCommand(1, 'expected a command, got none')
  .wrap(80)
  .fail((message, error, cli) => {
    // A parse error has a message; what a command throws never gets here.
    let help = '';
    cli.showHelp((text) => {
      help = text;
    });
    const { problem, isMeant } = usageProblem(
      message ?? error?.message ?? 'unknown error',
      help,
      process.argv.slice(2),
    );
    writeProblem(`ballast: ${problem}\n`);
    // Below a name that is nearly right, a screen of help would hide which one is meant.
    if (!isMeant) writeNote(help);
    process.exit(EXIT.usage);
  });

/** The one table of commands. */
const COMMANDS = [
  demoCommand,
  initCommand,
  newCommand,
  examineCommand,
  runCommand,
  paperCommand,
  runsCommand,
  statusCommand,
  topCommand,
  dashboardCommand,
  ordersCommand,
  positionsCommand,
  fillsCommand,
  logsCommand,
  alertsCommand,
  explainCommand,
  attestCommand,
  mcpCommand,
  pauseCommand,
  resumeCommand,
  reduceCommand,
  flattenCommand,
  cancelAllCommand,
  setCommand,
  stopCommand,
  backtestCommand,
  barsCommand,
  calibrateCommand,
  simCommand,
  sweepCommand,
  workerCommand,
  recordCommand,
  tapeCommand,
  configCommand,
  apiCommand,
  doctorCommand,
  keysCommand,
  journalCommand,
  conformanceCommand,
  replayCommand,
  importCommand,
  reportCommand,
  sqlCommand,
] as const;

await [...COMMANDS, completionCommandOf(COMMANDS)]
  .reduce((cli, add) => add(cli), base as Argv)
  .parseAsync(process.argv.slice(2), {}, (_error, _args, text) => {
    // Help and version: commands write for themselves.
    if (text !== '')
      void run(async () => {
        writeLine(text);
        return EXIT.ok;
      });
  });
