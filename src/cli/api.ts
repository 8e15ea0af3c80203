/**
 * @module
 * `ballast api <method> <path>`: one read from the shell. The answer goes to standard output with all its digits; an error of
 * the gateway goes to standard error with code, status, remedy and body. Signs nothing: writes are refused with a hint.
 */
import type { Argv } from 'yargs';
import { BotError, messageOf, parseJson } from '../core/index.ts';
import { run } from './terminal/command-process.ts';
import { EXIT } from './terminal/exit-codes.ts';
import { flagOption, type Given, listOption, position, textOption } from './terminal/options.ts';
import { writeError, writeLine, writeNote } from './terminal/output.ts';

const OPTIONS = {
  'base-url': {
    ...textOption('Read from the gateway at this address, without /v1'),
    default: 'http://127.0.0.1:8787',
  },
  query: listOption('Add a parameter as name=value (repeatable)'),
  json: flagOption('Print the answer as one line'),
} as const;

/** Adds `api` to the command line. */
export function apiCommand(cli: Argv): Argv {
  return cli.command(
    'api <method> <path>',
    'Read from a gateway, such as ballast api get /v1/markets',
    (one) =>
      one
        .positional('method', position('get; writes are refused'))
        .positional('path', position('Such as /v1/markets/BTC-USD/book'))
        .options(OPTIONS),
    (args) => run(() => api(args.method, args.path, args)),
  );
}

/** Makes the read: 0 when it was answered, 1 when the gateway refused it, 69 when it does not serve. */
async function api(method: string, path: string, args: Given<typeof OPTIONS>): Promise<number> {
  if (method.toUpperCase() !== 'GET') throw onlyReads(method);
  const { createClient, ApiError } = await import('../client/index.ts');
  const client = createClient({ baseUrl: args['base-url'] });
  try {
    const text = await client.get(path, queryOf(args.query ?? []));
    writeLine(shown(text, args.json ? undefined : 2));
    return EXIT.ok;
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown;
    writeError(thrown);
    writeNote(`  body: ${thrown.body}`);
    return thrown.status >= 500 ? EXIT.unreachable : EXIT.failure;
  } finally {
    await client.close();
  }
}

/** JSON text again, with the digits of its integers as they came. */
function shown(text: string, indent: number | undefined): string {
  const raw = JSON as unknown as { rawJSON(digits: string): unknown };
  try {
    return JSON.stringify(
      parseJson(text),
      (_name, value: unknown) => (typeof value === 'bigint' ? raw.rawJSON(value.toString()) : value),
      indent,
    );
  } catch (cause) {
    throw new BotError({
      code: 'CLIENT_RESPONSE_MALFORMED',
      message: `expected JSON, got ${JSON.stringify(text.slice(0, 80))}: ${messageOf(cause)}`,
      remedy: 'The other side does not speak the interface; check --base-url and any proxy in between.',
      cause,
    });
  }
}

function queryOf(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at > 0) return [pair.slice(0, at), pair.slice(at + 1)];
      throw new BotError({
        code: 'CLIENT_QUERY_INVALID',
        message: `expected --query as name=value, got ${JSON.stringify(pair)}`,
        remedy: 'Write it like --query symbol=BTC-USD; give it once for each parameter.',
      });
    }),
  );
}

function onlyReads(method: string): BotError {
  return new BotError({
    code: 'CLIENT_METHOD_REFUSED',
    message: `expected the method get, got ${JSON.stringify(method.slice(0, 20))}`,
    remedy: 'A write must be signed, and its outcome proven: use ballast/client (docs/reference/client.md).',
  });
}
