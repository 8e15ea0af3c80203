/** @module `ballast calibrate`: what a run's own orders show of its market's queue and of the latency to it. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import type { Argv } from 'yargs';
import { BotError, messageOf } from '../core/index.ts';
import type { CalibratedLatency, CalibrationDocument } from '../research/calibration/index.ts';
import { run } from './terminal/command-process.ts';
import { EXIT } from './terminal/exit-codes.ts';
import { type Given, jsonOption, runPosition, textOption } from './terminal/options.ts';
import { writeDocument, writeLine } from './terminal/output.ts';

const OPTIONS = {
  tape: textOption('Use this tape (default: the one that the run recorded)'),
  out: textOption('Write the calibration to this file, for --calibration'),
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

async function calibrate(folder: string, { tape, out, json }: Given<typeof OPTIONS>): Promise<number> {
  const { calibrateRun } = await import('../research/calibration/index.ts');
  const document = await calibrateRun({
    folder,
    tape,
    onStep: ({ name, exponent }) => {
      const text = exponent === undefined ? name : `${name} ${exponent}`;
      if (process.stderr.isTTY === true) process.stderr.write(`backtest with ${text}\n`);
    },
  });
  if (out !== undefined) keep(out, document);
  if (json) writeDocument(document);
  else writeLine(describe(document));
  return EXIT.ok;
}

function keep(path: string, document: CalibrationDocument): void {
  const wasThere = existsSync(path);
  try {
    writeFileSync(path, `${JSON.stringify(document)}\n`);
  } catch (cause) {
    if (!wasThere) rmSync(path, { force: true });
    throw new BotError({
      code: 'CALIBRATION_FILE_UNWRITABLE',
      message: `expected to write ${path}, got ${messageOf(cause)}`,
      remedy: 'Name a file in a folder that exists and may be written.',
      cause,
    });
  }
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
  return `${Math.round(p50Us)} us, 9 of 10 below ${Math.round(p90Us)} us (${samples} measured, median off by ${(heldErrorPart * 100).toFixed(1)} % in the second half)`;
}
