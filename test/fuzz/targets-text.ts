/**
 * @module
 * Texts of people and of the disk: configurations, decimals, rows of the journal.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { genesisHash, nextHash } from '../../src/bot/journal/hash-chain.ts';
import { headerText, JOURNAL_SCHEMA } from '../../src/bot/journal/header.ts';
import { decodeRecord, encodeRecord, type JournalRow } from '../../src/bot/journal/records.ts';
import { verify } from '../../src/bot/journal/store.ts';
import { type Config, parseConfig } from '../../src/config/index.ts';
import {
  BotError,
  ConfigError,
  Decimal,
  formatScaled,
  isRecord,
  messageOf,
  ProtocolError,
  parseScaled,
  parseScaledNumber,
  ReadFault,
} from '../../src/core/index.ts';
import { aFill, anEntry, anOutcome, aWrite, BINDING } from '../unit/bot/journal/support.ts';
import { type Outcome, REFUSED, type Target, taken, wrong } from './target.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Configurations: errors name their place, what passes keeps its rules. */
export const configuration: Target = {
  name: 'configuration',
  samples: () =>
    ['configs', 'test/golden/configs'].flatMap((folder) =>
      readdirSync(join(ROOT, folder))
        .filter((name) => name.endsWith('.yaml'))
        .map((name) => readFileSync(join(ROOT, folder, name), 'utf8')),
    ),
  feed: (text) => {
    let config: Config;
    try {
      ({ config } = parseConfig(text, '/fuzz.yaml'));
    } catch (thrown) {
      return refusalOf(thrown);
    }
    return taken(configFlaw(config));
  },
};

const FINDING = /^fuzz\.yaml:[1-9][0-9]*:[1-9][0-9]*: .+: expected .+, got .*$/s;

function refusalOf(thrown: unknown): Outcome {
  if (!(thrown instanceof ConfigError)) return wrong(`thrown: ${messageOf(thrown)}`);
  const [head = '', ...findings] = thrown.message.split('\n');
  const count = Number(/has ([0-9]+) error/.exec(head)?.[1]);
  const odd = findings.find((line) => !FINDING.test(line));
  if (odd !== undefined) return wrong(`a finding without its place: ${odd}`);
  return count === findings.length && count > 0
    ? REFUSED
    : wrong(`${count} findings in ${findings.length} lines`);
}

function configFlaw(config: Config): string | undefined {
  const { account, markets, strategies, risk, deadMansSwitch: deadMan } = config;
  if (account.address !== undefined && !/^0x[0-9a-f]{40}$/.test(account.address))
    return 'an address of another form';
  if (!risk.capital.gt(0)) return 'no capital';
  if (!(deadMan.timeout >= 3 * deadMan.heartbeat)) return 'a switch that fires between two heartbeats';
  const symbols = new Set(markets.map(({ symbol }) => symbol));
  const names = new Set(strategies.map(({ name }) => name));
  if (symbols.size !== markets.length || names.size !== strategies.length) return 'a name twice';
  if (strategies.some((strategy) => strategy.markets.some((symbol) => !symbols.has(symbol))))
    return 'a strategy in a market nobody declared';
  return valueFlaw(config, 'config');
}

function valueFlaw(value: unknown, path: string): string | undefined {
  if (typeof value === 'number')
    return value >= 0 && Number.isFinite(value) ? undefined : `${path} is ${value}`;
  if (value instanceof Decimal)
    return value.isFinite() && !value.isNegative() ? undefined : `${path} is ${value.toString()}`;
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Object.isFrozen(value)) return `${path} can be changed`;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== Array.prototype && prototype !== null)
    return `${path} has a prototype from the file`;
  for (const [key, item] of Object.entries(value)) {
    const flaw = valueFlaw(item, `${path}.${key}`);
    if (flaw !== undefined) return flaw;
  }
  return undefined;
}

/** Decimals, held against decimal.js. */
export const decimals: Target = {
  name: 'decimals',
  samples: () => [
    '0',
    '1.5',
    '-0.001',
    '118000.50',
    '9007199254740991',
    '0.000000000000000001',
    '12345678901234567890',
  ],
  feed: (text) => {
    for (const scale of [0, 1, 6, 18]) {
      const flaw = decimalFlaw(text, scale);
      if (flaw !== undefined) return wrong(`at ${scale} decimals: ${flaw}`);
    }
    return parseScaled(text, 18) === undefined ? REFUSED : { kind: 'accepted' };
  },
};

function decimalFlaw(text: string, scale: number): string | undefined {
  const expected = modelOf(text, scale);
  const value = parseScaled(text, scale);
  if (value !== expected) return `parseScaled gives ${value}, the model ${expected}`;
  const isSmall = expected !== undefined && expected <= Number.MAX_SAFE_INTEGER && text.length <= 40;
  const isNatural = isSmall && !text.startsWith('-');
  const number = parseScaledNumber(text, scale);
  if (!Object.is(number, isNatural ? Number(expected) : Number.NaN))
    return `parseScaledNumber gives ${number}, the model ${expected}`;
  if (value === undefined) return undefined;
  const again = formatScaled(value, scale);
  if (parseScaled(again, scale) !== value && again.length <= LENGTH_MAX)
    return `${again} is not read as ${value} again`;
  const asNumber = Number(value);
  return Number.isSafeInteger(asNumber) && formatScaled(asNumber, scale) !== again
    ? `the number is shown as ${formatScaled(asNumber, scale)}, the bigint as ${again}`
    : undefined;
}

const LENGTH_MAX = 80;

/** The grammar letter by letter, the value by decimal.js. */
function modelOf(text: string, scale: number): bigint | undefined {
  if (text.length > LENGTH_MAX) return undefined;
  const [whole = '', fraction, ...more] = text.replace(/^-/, '').split('.');
  const isDigits = (part: string): boolean =>
    part !== '' && [...part].every((letter) => '0123456789'.includes(letter));
  if (more.length > 0 || !isDigits(whole) || (fraction !== undefined && !isDigits(fraction)))
    return undefined;
  if (whole.length > 1 && whole.startsWith('0')) return undefined;
  const scaled = new Decimal(text).mul(new Decimal(10).pow(scale));
  return scaled.isInteger() ? BigInt(scaled.toFixed()) : undefined;
}

const HEADER = { ...BINDING, schema: JOURNAL_SCHEMA, version: 'fuzz' };

/** A journal of one row whose hash is right: what stands in the row is all that is left to be wrong. */
class OneRow {
  readonly #database = new DatabaseSync(':memory:');

  constructor() {
    this.#database.exec('CREATE TABLE records (id INTEGER PRIMARY KEY, type, scope, body, hash)');
  }

  read(row: JournalRow): void {
    const hash = nextHash(genesisHash(headerText(HEADER)), row);
    this.#database
      .prepare('INSERT OR REPLACE INTO records VALUES (1, ?, ?, ?, ?)')
      .run(row.type, row.scope, row.body, hash);
    verify(this.#database, HEADER, 'fuzz.journal');
  }
}

/** Rows of the journal: named as damage, or read as the same value again and again. */
export function journalTarget(): Target {
  const oneRow = new OneRow();
  return {
    name: 'journal',
    tokens: [
      '{"$big":"12"}',
      '{"$big":"x"}',
      '{"$big":1}',
      '{"$big":"1","a":2}',
      '"carry"',
      '"epoch"',
      '"effects"',
    ],
    samples: () => RECORDS.map((record) => JSON.stringify(encodeRecord(record))),
    feed: (text) => {
      const row = rowOf(text);
      try {
        oneRow.read(row);
      } catch (thrown) {
        return thrown instanceof BotError ? REFUSED : wrong(`thrown: ${messageOf(thrown)}`);
      }
      const again = repeated(row);
      // Nested deeper than can be written: no journal holds it.
      if (again === undefined) return REFUSED;
      return taken(again ? undefined : 'the row is another one when it is read and written again');
    },
  };
}

const RECORDS = [
  { type: 'write', value: aWrite(3) },
  { type: 'outcome', value: anOutcome(3) },
  { type: 'effects', value: { epoch: 'e', fills: [aFill(2)], ledger: [anEntry(2)] } },
  { type: 'trigger', value: { triggerAtMs: aWrite(1).nowMs } },
  { type: 'epoch', value: { epoch: 'f' } },
] as const;

/** A text that is no row is the body of a write. SQLite keeps no lone surrogates and ends texts at a zero. */
function rowOf(text: string): JournalRow {
  const value = jsonOf(text);
  const fields = isRecord(value) ? value : { type: 'write', scope: '', body: text };
  const part = (name: string): string => {
    const item = fields[name];
    return (typeof item === 'string' ? item : text).toWellFormed().replaceAll('\0', '');
  };
  return { type: part('type') as JournalRow['type'], scope: part('scope'), body: part('body') };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Is the row the same when it is read, written, read and written? Numbers past all doubles are gone with the first. */
function repeated(row: JournalRow): boolean | undefined {
  try {
    const first = encodeRecord(decodeRecord(row)).body;
    return encodeRecord(decodeRecord({ ...row, body: first })).body === first;
  } catch (thrown) {
    const cause = thrown instanceof ProtocolError ? thrown.cause : thrown;
    if (cause instanceof RangeError || cause instanceof ReadFault) return undefined;
    throw thrown;
  }
}
