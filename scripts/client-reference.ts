/**
 * Reads the functions of the client for people out of its sources: every method of the interfaces that make up a client, with
 * what its docstring says, and its examples. docs/reference/client.md is made from them, and test/docs/client.test.ts runs
 * every example.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ArgumentReader, ArgumentRow } from '../src/client/calls/argument.ts';
import { CALLS, OPTIONS } from '../src/client/calls/calls.ts';
import type { Call } from '../src/client/calls/checked.ts';
import { REMEDIES } from '../src/client/index.ts';
import { ERROR_CODES } from '../src/wire/protocol/index.ts';

/** One function of a client. */
export interface ClientFunction {
  /** As it is called, such as `client.orders.place`. */
  readonly name: string;
  /** Parameters and result, as TypeScript. */
  readonly signature: string;
  readonly text: string;
  readonly throws: string;
  readonly examples: readonly string[];
  readonly file: string;
}

/** The interfaces whose methods are the functions of a group of the client. */
const GROUPS: Readonly<Record<string, string>> = {
  EnvironmentReads: 'environment',
  MarketReads: 'markets',
  DexReads: 'dexes',
  AccountReads: 'account',
  AccountWrites: 'account',
  OrderWrites: 'orders',
  AlgoOrderWrites: 'orders',
  RequestReads: 'requests',
  EventReads: 'events',
  ApiWalletReads: 'apiWallets',
  ApiWalletWrites: 'apiWallets',
  VaultReads: 'vaults',
  VaultWrites: 'vaults',
  Streams: 'streams',
};

/** All functions, in the order of the groups. */
export function clientFunctions(root: string): readonly ClientFunction[] {
  const folder = join(root, 'src/client');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort();
  const found = files.flatMap((name) =>
    functionsOf(readFileSync(join(folder, name), 'utf8'), `src/client/${name}`),
  );
  const order = [...new Set(Object.values(GROUPS))];
  const rank = ({ name }: ClientFunction): number => order.indexOf(name.split('.')[1] ?? '');
  return found.sort((a, b) => rank(a) - rank(b));
}

function functionsOf(text: string, file: string): ClientFunction[] {
  return [...text.matchAll(/^export interface (\w+) \{\n(.*?)^\}/gms)].flatMap(([, name = '', body = '']) => {
    const group = GROUPS[name];
    if (group === undefined) return [];
    return [...body.matchAll(/^ {2}\/\*\*\n(.*?)^ {3}\*\/\n {2}(\w+)(\(.*?\): .*?);$/gms)].map(
      ([, doc = '', method = '', signature = '']) => ({
        name: `client.${group}.${method}`,
        signature: signature.replaceAll(/\s+/g, ' ').replaceAll('( ', '(').replaceAll(', )', ')'),
        ...partsOf(doc),
        file,
      }),
    );
  });
}

function partsOf(doc: string): Pick<ClientFunction, 'text' | 'throws' | 'examples'> {
  const lines = doc
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/^ {3}\* ?/, ''));
  const [head = '', ...examples] = lines.join('\n').split(/^@example\n?/m);
  const [text = '', throws = ''] = head.split(/^@throws /m);
  const flat = (part: string): string => part.trim().replaceAll('\n', ' ');
  return { text: flat(text), throws: flat(throws), examples: examples.map((example) => example.trimEnd()) };
}

/** docs/reference/client.md without its last line. */
export function clientPage(root: string): readonly string[] {
  const functions = clientFunctions(root);
  const groups = [...new Set(functions.map(({ name }) => name.split('.')[1] ?? ''))];
  return [
    '# The client\n',
    "`import { createClient } from 'ballast/client'`: every read and every write of a gateway as one function. Decimal text goes",
    'in (or a `Decimal`), exact `Decimal`s come out; log positions and nonces are `bigint`, times are Unix milliseconds. A',
    'number in place of decimal text is refused, nothing is rounded.\n',
    '```js',
    ...createExample(root),
    '```\n',
    '| Option | Type | Needed | Meaning |',
    '|---|---|---|---|',
    ...optionRows(root),
    '',
    'The key decides who signs: that of the main wallet of `account`, or that of an API wallet approved for it. Writes name',
    'another account with `subaccount` or `vault`. Each write resolves when its outcome is proven, by its answer or by its',
    'receipt, and is sent once ([outcomes and receipts](../concepts/outcomes-and-receipts.md)); writes of one nonce scope go one',
    'after the other ([lanes and nonces](../concepts/lanes-and-nonces.md)). An open nonce is spent on a replacement of nothing by',
    'nothing ([why](../decisions/0002-fence-of-a-client.md)).\n',
    'Each call refuses what it does not know (`ClientUsageError`): a field of another name, with the nearest one that it has; a',
    'value of another type; two forms of one thing. It reads fields of prototypes, getters and instances of classes too, and',
    'nothing is sent before. *Needed* of a form with others counts in that form.\n',
    '## Errors\n',
    '| Class | When | `effect` |',
    '|---|---|---|',
    "| `GatewayError` | The gateway refused or rejected. `code` and `num` are the gateway's ([gateway codes](gateway-codes.md)); `status`, `requestId`, `body`, `remedy`. | `none`; `unknown` of a write whose ledger is gone |",
    '| `UnresolvedWriteError` | A write is not proven within `resolveWithinMs`. Await its `resolution`; never send it again. | `unknown` |',
    '| `TransportError` | No answer to a read, or not one byte of a write has left. | `none` |',
    '| `ProtocolError` | An answer breaks the interface. | `unknown` |',
    '| `ClientUsageError` | The call asks for what cannot be: an unknown field, a value of a wrong type, a price off the tick, an unknown market. Nothing was sent. | `none` |',
    '',
    ...groups.flatMap((group) => [
      `## ${group}\n`,
      ...functions.filter(({ name }) => name.startsWith(`client.${group}.`)).flatMap(section),
    ]),
  ];
}

function section({ name, signature, text, throws, examples }: ClientFunction): string[] {
  return [
    `### ${name}\n`,
    `\`\`\`ts\n${name}${signature}\n\`\`\`\n`,
    ...fieldTable(name),
    text,
    ...(throws === '' ? [''] : [`Throws ${throws}\n`]),
    ...examples.map((example) => `\`\`\`js\n${example}\n\`\`\`\n`),
  ];
}

/** The types of the parameters of a function. */
function fieldTable(name: string): string[] {
  const [, group = '', method = ''] = name.split('.');
  const call = (CALLS as unknown as Record<string, Record<string, Call>>)[group]?.[method];
  const rows = method === 'prices' && group === 'streams' ? [] : (call?.args[0]?.argument.rows('') ?? []);
  if (rows.length === 0) return [];
  return ['| Field | Type | Needed |', '|---|---|---|', ...rows.map(fieldRow), ''];
}

function fieldRow({ name, expected, isRequired, insteadOf }: ArgumentRow): string {
  const others = insteadOf.map((other) => `\`${other}\``).join(', ');
  const needed = isRequired ? 'yes' : 'no';
  return `| \`${name}\` | ${expected} | ${needed}${others === '' ? '' : `; not with ${others}`} |`;
}

/** The first cells of an option: its name, and what the client reads it as. */
function typeCells(name: string, options: ArgumentReader): string {
  const row = options.rows('').find((one) => one.name === name);
  if (row === undefined) throw new Error(`no type of the option ${name}`);
  return `| \`${name}\` | ${row.expected} | ${row.isRequired ? 'yes' : 'no'} |`;
}

function createExample(root: string): string[] {
  const text = readFileSync(join(root, 'src/client/client.ts'), 'utf8');
  const [, doc = ''] = /\/\*\*\n((?: \*.*\n)+?) \*\/\nexport function createClient/.exec(text) ?? [];
  return doc
    .split(' * @example\n')
    .slice(1)
    .join('')
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/^ \* ?/, ''));
}

function optionRows(root: string): string[] {
  const text = readFileSync(join(root, 'src/client/client.ts'), 'utf8');
  const [, body = ''] = /export interface ClientOptions \{\n(.*?)^\}/ms.exec(text) ?? [];
  return [...body.matchAll(/ {2}\/\*\*(.*?)\*\/\n {2}readonly (\w+)\??:/gs)].map(
    ([, doc = '', name = '']) => {
      const meaning = doc
        .replaceAll(/\n\s*\*/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim();
      return `${typeCells(name, OPTIONS)} ${meaning.replaceAll('|', '\\|')} |`;
    },
  );
}

/** docs/reference/gateway-codes.md without its last line. */
export function gatewayCodesPage(): readonly string[] {
  const rows = Object.entries(ERROR_CODES).map(([code, { num, httpStatus, meaning, consumesNonce }]) => {
    const nonce = consumesNonce ? 'spent' : '';
    return `| \`${code}\` | ${num} | ${httpStatus} | ${nonce} | ${meaning} | ${REMEDIES[code] ?? ''} |`;
  });
  return [
    '# Gateway codes\n',
    'The codes a gateway answers with, and the reasons of rejected writes. Numbers, and every code but those that the interface',
    'document names, are own choices of the embedded exchange (`x-assumed` in openapi.yaml). A code that is not here is handed',
    'on as it came, with the remedy of its HTTP status. Nonce `spent`: a write that is rejected so has used its nonce.\n',
    '| Code | Num | HTTP | Nonce | Meaning | Remedy |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
  ];
}
