/** @module `ballast calibrate`: what a run's own orders show of its market's queue and of the latency to it. */
import { writeFileSync } from 'node:fs';
import type { Argv } from 'yargs';
import type { CalibratedLatency, CalibrationDocument } from '../research/calibration/index.ts';
import { run } from './terminal/command-process.ts';
import { EXIT } from './terminal/exit-codes.ts';
import { type Given, jsonOption, runCodeOption, runPosition, textOption } from './terminal/options.ts';
import { showCode, writeDocument, writeLine, writeNote } from './terminal/output.ts';
import { folderOfRun } from './terminal/run-actions.ts';
import { writing } from './terminal/writing.ts';

const OPTIONS = {
  tape: textOption('Use this tape (default: the one that the run recorded)'),
  out: textOption('Write the calibration to this file, for --calibration'),
  'run-code': runCodeOption,
  json: jsonOption,
} as const;

/** Adds `calibrate` to the command line. */
export function calibrateCommand(cli: Argv): Argv {
  return cli.command(
    'calibrate <run>',
    "Calibrate fill model and latency on a run's own orders",
    (one) => one.positional('run', runPosition).options(OPTIONS),
    (args) => run(() => calibrate(args.run, args)),
  );
}

async function calibrate(asked: string, args: Given<typeof OPTIONS>): Promise<number> {
  const { tape, out, json } = args;
  const { calibrateRun } = await import('../research/calibration/index.ts');
  const document = await calibrateRun({
    folder: await folderOfRun(asked),
    tape,
    runsCode: args['run-code'],
    onCode: showCode,
    onStep: ({ name, exponent }) => {
      const text = exponent === undefined ? name : `${name} ${exponent}`;
      if (process.stderr.isTTY === true) writeNote(`backtest with ${text}`);
    },
  });
  if (out !== undefined) {
    writing(out, () => writeFileSync(out, `${JSON.stringify(document)}\n`));
  }
  if (json) writeDocument(document);
  else writeLine(describe(document));
  return EXIT.ok;
}

function describe(document: CalibrationDocument): string {
  const { runId, tape, fillModel, entry, response, trained, held, errors } = document;
  const model =
    fillModel.exponent === undefined ? fillModel.name : `${fillModel.name}, exponent ${fillModel.exponent}`;
  const lines = [
    `run         ${runId}, on tape ${tape}`,
    `entry       ${latencyText(entry)}`,
    `response    ${latencyText(response)}`,
    `fill model  ${model}`,
    `trained     ${trained.actualFills} fills as maker, ${trained.predictedFills} by the model`,
    `held out    ${held.actualFills} fills as maker, ${held.predictedFills} by the model; size off by ${(errors.sizePart * 100).toFixed(1)} %`,
  ];
  for (const { horizonMs, actualBps, predictedBps } of held.markouts) {
    if (Number.isNaN(actualBps) || Number.isNaN(predictedBps)) continue;
    lines.push(
      `${`  ${horizonMs} ms`.padEnd(12)}${actualBps.toFixed(3)} bps, ${predictedBps.toFixed(3)} by the model`,
    );
  }
  return lines.join('\n');
}

function latencyText(latency: CalibratedLatency | null): string {
  if (latency === null) return 'not measured: as configured';
  const { samples, p50Us, p90Us, heldErrorPart } = latency;
  return `median ${Math.round(p50Us)} us, p90 ${Math.round(p90Us)} us (${samples} samples; median off by ${(heldErrorPart * 100).toFixed(1)} % in the second half)`;
}
