/**
 * @module
 * The section `feeds`: values from outside the exchange that strategies are shown by `onFeed`. A feed belongs to no
 * market: which strategies look at it is theirs to say.
 */
import { z } from 'zod';
import { choice, durationFrom, name, path } from './scalars.ts';

/** Which addresses each kind takes. */
const PROTOCOLS: Readonly<Record<'http' | 'ws', readonly string[]>> = {
  http: ['http:', 'https:'],
  ws: ['ws:', 'wss:'],
};
const ADDRESS = 'an http or https address for http, a ws or wss one for ws';

const feed = z
  .strictObject({
    name: name.describe('Its name, as strategies see it.'),
    kind: choice('http', 'ws', 'file').describe(
      '`http`: an address that is read every `pollInterval`; `ws`: every frame is a value; `file`: every appended line is a value.',
    ),
    url: z
      .string()
      .min(1, { error: ADDRESS })
      .meta({ title: ADDRESS })
      .optional()
      .describe('Of http and ws. Put no key in it: it appears in logs.'),
    file: path.optional().describe('Of file: JSON, one value a line.'),
    pollInterval: durationFrom('100ms').prefault('5s').describe('Of http and file: how often it is read.'),
    idleTimeout: durationFrom('100ms')
      .prefault('5s')
      .describe('Of ws: it connects again when it was silent for this long.'),
    subscribe: z
      .array(z.string().min(1, { error: 'a text' }).meta({ title: 'a text' }))
      .default([])
      .describe('Of ws: texts that are sent when the connection is open.'),
  })
  .superRefine(({ kind, url, file }, context) => {
    if (kind === 'file') {
      if (file === undefined) context.addIssue({ code: 'custom', path: ['file'], message: 'a path' });
      return;
    }
    const protocol = url === undefined ? undefined : URL.parse(url)?.protocol;
    if (protocol === undefined || !PROTOCOLS[kind].includes(protocol))
      context.addIssue({ code: 'custom', path: ['url'], message: ADDRESS });
  })
  .describe('One feed.');

/** See the module. */
export const feedsSection = z
  .array(feed)
  .superRefine((feeds, context) => {
    const names = new Set<string>();
    for (const [at, one] of feeds.entries()) {
      if (names.has(one.name))
        context.addIssue({ code: 'custom', path: [at, 'name'], message: 'a name that no other feed has' });
      names.add(one.name);
    }
  })
  .describe(
    'Values from outside the exchange, shown to strategies by `onFeed`, recorded and replayed with the rest.',
  );
