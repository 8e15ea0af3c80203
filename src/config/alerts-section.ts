/** @module The section `alerts`: who is told of what goes wrong with a run. */
import { z } from 'zod';
import { choice, durationFrom, flag, httpUrl, integer, name, path } from './scalars.ts';

const CHAT = 'the id of a chat like -1001234567890, or a name like @desk';

const channel = z
  .strictObject({
    name: name.describe('Name of the channel in logs, metrics and `ballast alerts`.'),
    kind: choice('webhook', 'telegram', 'slack', 'discord').describe(
      'What it speaks to: `webhook` gets a document of JSON, the others get text.',
    ),
    urlFile: path
      .optional()
      .describe(
        'Of webhook, slack and discord: file of mode 600 with the URL, which is a secret. Relative to the configuration.',
      ),
    tokenFile: path
      .optional()
      .describe(
        'File of mode 600 with the token of the Telegram bot; of a webhook what goes with each request as `Authorization: Bearer`. Relative to the configuration.',
      ),
    chat: z
      .string()
      .regex(/^(?:-?[0-9]{1,20}|@[A-Za-z0-9_]{1,64})$/, { error: CHAT })
      .meta({ title: CHAT })
      .optional()
      .describe('Of telegram: the chat that is written to.'),
    apiUrl: httpUrl
      .prefault('https://api.telegram.org')
      .describe('Of telegram: another Bot API server than that of Telegram.'),
    minSeverity: choice('info', 'warning', 'critical')
      .prefault('info')
      .describe('It is told what is at least so severe.'),
    maxPerMinute: integer(1, 60)
      .prefault('10')
      .describe('Messages to it within a minute; what comes meanwhile waits and goes together.'),
  })
  .superRefine(({ kind, urlFile, tokenFile, chat }, context) => {
    const needs = (key: string, value: unknown, expected: string): void => {
      if (value === undefined) context.addIssue({ code: 'custom', path: [key], message: expected });
    };
    const refuses = (key: string, value: unknown): void => {
      if (value !== undefined)
        context.addIssue({ code: 'custom', path: [key], message: `nothing, since ${kind} does not use it` });
    };
    if (kind === 'telegram') {
      needs('tokenFile', tokenFile, 'the file with the token of the Telegram bot');
      needs('chat', chat, CHAT);
      refuses('urlFile', urlFile);
    } else {
      needs('urlFile', urlFile, 'the file with the URL of the channel');
      refuses('chat', chat);
      if (kind !== 'webhook') refuses('tokenFile', tokenFile);
    }
  })
  .describe('One channel.');

const heartbeat = z
  .strictObject({
    urlFile: path.describe(
      'File of mode 600 with the URL that is asked while the run is ready. Relative to the configuration.',
    ),
    interval: durationFrom('10s', '24h')
      .prefault('1m')
      .describe('How often. The service must wait longer before it calls somebody.'),
  })
  .describe('A service outside that calls somebody when it is not asked any more.');

/** The section. */
export const alertsSection = z
  .strictObject({
    channels: z
      .array(channel)
      .max(10, { error: 'at most ten channels' })
      .superRefine((channels, context) => {
        const names = new Set<string>();
        for (const [at, one] of channels.entries()) {
          if (names.has(one.name))
            context.addIssue({
              code: 'custom',
              path: [at, 'name'],
              message: 'a name that no other channel has',
            });
          names.add(one.name);
        }
      })
      .default([])
      .describe('Who is told. Left out: nobody.'),
    heartbeat: heartbeat.optional(),
    staleMarket: durationFrom('1s', '1h')
      .prefault('30s')
      .describe('The data of a market must be too old for so long before it is an alert.'),
    lowDiskMb: integer(1, 1_000_000)
      .prefault('1024')
      .describe('With less free space than this, in megabytes, the disk of the journal is low.'),
    repeat: durationFrom('1m', '24h')
      .prefault('1h')
      .describe('What lasts is said again so often, until somebody acknowledges it.'),
    summary: flag.prefault('true').describe('Whether the end of each UTC day brings a summary of it.'),
  })
  .describe('Where alerts about a run are sent; [the guide](../guides/alerts.md).');

/** The section with absolute paths. */
export function alertsWithPaths(
  values: z.output<typeof alertsSection>,
  here: (text: string) => string,
): z.output<typeof alertsSection> {
  return {
    ...values,
    channels: values.channels.map((one) => ({
      ...one,
      ...(one.urlFile === undefined ? {} : { urlFile: here(one.urlFile) }),
      ...(one.tokenFile === undefined ? {} : { tokenFile: here(one.tokenFile) }),
    })),
    ...(values.heartbeat === undefined
      ? {}
      : { heartbeat: { ...values.heartbeat, urlFile: here(values.heartbeat.urlFile) } }),
  };
}
