/** @module `ballast alerts`: what alarms a run now, what is acknowledged, and whether its channels are heard. */
import type { Argv } from 'yargs';
import type { ListedRun, ReadDocuments } from '../bot/operator/index.ts';
import { SystemClock } from '../core/index.ts';
import { columns } from './terminal/columns.ts';
import { run } from './terminal/command-process.ts';
import { EXIT } from './terminal/exit-codes.ts';
import { ACTION_OPTIONS, act, readSubcommand, runNamePosition } from './terminal/operate.ts';
import { configPosition, jsonOption, position } from './terminal/options.ts';
import { writeDocument, writeLine } from './terminal/output.ts';

/** A channel that takes longer is not heard, ms. */
const TEST_MS_MAX = 10_000;

/** Adds `alerts` to the command line. */
export function alertsCommand(cli: Argv): Argv {
  return cli.command('alerts', 'Show and acknowledge alerts of a run, and try the channels', (group) =>
    readSubcommand(group, { command: 'list', name: 'alerts' }, 'Show alerts that are not over', describe)
      .command(
        'ack <alert> [run]',
        'Acknowledge an alert: it is not said again before it is over',
        (one) =>
          one
            .positional('alert', position('Number of an alert, or all'))
            .positional('run', runNamePosition)
            .options(ACTION_OPTIONS),
        (args) => run(() => act('ack', args, { alert: args.alert })),
      )
      .command(
        'test <config>',
        'Send a test alert to each channel of a configuration',
        (one) => one.positional('config', configPosition).options({ json: jsonOption }),
        (args) => run(() => tryChannels(args.config, args.json === true)),
      )
      .demandCommand(1, 'expected a command of alerts, got none'),
  );
}

function describe({ active, channels, heartbeat }: ReadDocuments['alerts'], { name }: ListedRun): string {
  const rows = active.map(({ id, severity, kind, about, sinceMs, acknowledgedBy, text }) => [
    ...[`${id}`, severity, kind, about, new Date(sinceMs).toISOString()],
    ...[acknowledgedBy === undefined ? '' : `acknowledged by ${acknowledgedBy}`, text],
  ]);
  const told = channels.map((one) => [one.name, one.kind, ...figuresOf(one)]);
  const beats =
    heartbeat === undefined ? [] : [`heartbeat  ${heartbeat.sent} sent, ${heartbeat.failures} failed`];
  return [
    rows.length === 0
      ? `nothing alarms ${name}`
      : columns([['ALERT', 'SEVERITY', 'KIND', 'ABOUT', 'SINCE', '', 'WHAT'], ...rows]),
    ...(told.length === 0 ? ['no channel is configured'] : [columns(told)]),
    ...beats,
  ].join('\n');
}

type Channel = ReadDocuments['alerts']['channels'][number];

function figuresOf({ sent, waiting, dropped, lastError }: Channel): readonly string[] {
  const counts = `${sent} sent, ${waiting} waiting, ${dropped} dropped`;
  return [lastError === undefined ? counts : `${counts}; last error: ${lastError}`];
}

async function tryChannels(file: string, isJson: boolean): Promise<number> {
  const { loadConfig } = await import('../config/index.ts');
  const { alertPlanOf, instanceOf } = await import('../bot/live/index.ts');
  const { postByNetwork, sendOnce } = await import('../bot/alerts/index.ts');
  const { createLog } = await import('../core/telemetry/index.ts');
  const { config } = loadConfig(file);
  const name = instanceOf(config);
  const source = { runId: 'none', name, mode: 'test', environment: config.environment.name };
  const plan = alertPlanOf(config, source);
  const log = createLog({ level: 'error', isPretty: process.stderr.isTTY === true });
  const text = `a test of the alerts of ${name}: nothing is wrong`;
  const channels = await sendOnce(
    plan ?? { source, channels: [] },
    { kind: 'test', about: 'alerts', text },
    { clock: new SystemClock(), log, post: postByNetwork },
    TEST_MS_MAX,
  );
  const isHeard = channels.length > 0 && channels.every(({ sent }) => sent > 0);
  if (isJson) writeDocument({ schema: 1, ok: isHeard, channels });
  else if (channels.length === 0) writeLine('no channel is configured: see alerts.channels');
  else
    writeLine(
      columns(channels.map((one) => [one.sent > 0 ? 'ok' : 'fail', one.name, one.kind, one.lastError ?? ''])),
    );
  return isHeard ? EXIT.ok : EXIT.failure;
}
