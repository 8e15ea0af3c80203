/**
 * @module
 * `ballast api <method> <path>`: one read from the shell. The answer goes to standard output with all its digits; an error of
 * the gateway goes to standard error with code, status, remedy and body. Signs nothing: writes are refused with a hint.
 */
import { createClient, GatewayError } from '../../client/index.ts';
import { BotError, messageOf, parseJson } from '../../core/index.ts';
import { EXIT } from '../exit-codes.ts';
import { writeError, writeLine } from '../output.ts';

/** What `api` takes. */
export interface ApiOptions {
  readonly method: string;
  /** Below the base URL; may hold a query. */
  readonly path: string;
  readonly baseUrl: string;
  /** Each `name=value`. */
  readonly query: readonly string[];
  /** One line instead of indented lines. */
  readonly isJson: boolean;
}

/** Makes the read: 0 when it was answered, 1 when the gateway refused it, 69 when it does not serve. */
export async function api({ method, path, baseUrl, query, isJson }: ApiOptions): Promise<number> {
  if (method.toUpperCase() !== 'GET') throw onlyReads(method);
  const client = createClient({ baseUrl });
  try {
    const text = await client.get(path, queryOf(query));
    writeLine(shown(text, isJson ? undefined : 2));
    return EXIT.ok;
  } catch (thrown) {
    if (!(thrown instanceof GatewayError)) throw thrown;
    writeError(thrown);
    process.stderr.write(`  body: ${thrown.body}\n`);
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
      code: 'CLIENT_ANSWER_MALFORMED',
      message: `expected JSON, was ${JSON.stringify(text.slice(0, 80))}: ${messageOf(cause)}`,
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
        message: `expected --query as name=value, was ${JSON.stringify(pair)}`,
        remedy: 'Write it like --query symbol=BTC-USD; give it once for each parameter.',
      });
    }),
  );
}

function onlyReads(method: string): BotError {
  return new BotError({
    code: 'CLIENT_METHOD_REFUSED',
    message: `expected the method get, was ${JSON.stringify(method.slice(0, 20))}`,
    remedy: 'A write must be signed, and its outcome proven: use ballast/client (docs/reference/client.md).',
  });
}
