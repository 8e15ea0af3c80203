/**
 * @module
 * What a journal belongs to, written once when it is made and bound into its hash chain. A journal of another
 * environment, account or process is refused by name.
 */
import { BotError, ConfigError } from '../../core/index.ts';

/** The version of tables and records. */
export const JOURNAL_SCHEMA = 1;

/** What a journal is bound to. */
export interface JournalBinding {
  /** Chain id and domain of the environment, as one text. */
  readonly environment: string;
  /** Address of the main wallet and subaccount, as one text. */
  readonly account: string;
  /** The process that owns it: a bot's name, or the guardian's. */
  readonly instance: string;
}

/** The header as it is in the file. */
export interface JournalHeader extends JournalBinding {
  /** Version of the file's layout. */
  readonly schema: number;
  /** The version of ballast that made it. */
  readonly version: string;
  /** The last hash of the journal that this one continues from; absent in the first. */
  readonly previous?: string | undefined;
}

const BOUND = ['environment', 'account', 'instance'] as const satisfies readonly (keyof JournalBinding)[];

/** The header's text: the first link of the hash chain. */
export function headerText(header: JournalHeader): string {
  const { environment, account, instance, schema, version, previous } = header;
  const parts = [environment, account, instance, schema, version];
  return JSON.stringify(previous === undefined ? parts : [...parts, previous]);
}

/** The header of a text. @throws BotError `JOURNAL_CORRUPT` when it is none. */
export function parseHeader(text: string, path: string): JournalHeader {
  const [environment, account, instance, schema, version, previous] = partsOf(text);
  if (
    typeof environment !== 'string' ||
    typeof account !== 'string' ||
    typeof instance !== 'string' ||
    typeof schema !== 'number' ||
    typeof version !== 'string' ||
    (previous !== undefined && typeof previous !== 'string')
  ) {
    throw corrupt(path, 'its header cannot be read');
  }
  return { environment, account, instance, schema, version, previous };
}

function partsOf(text: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(text);
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

/**
 * Compares the header of a file with what it must be bound to.
 * @throws ConfigError `JOURNAL_MISMATCH` naming the first difference, `JOURNAL_SCHEMA_UNKNOWN` for another schema.
 */
export function checkBinding(header: JournalHeader, expected: JournalBinding, path: string): void {
  if (header.schema !== JOURNAL_SCHEMA) {
    throw new ConfigError({
      code: 'JOURNAL_SCHEMA_UNKNOWN',
      message: `expected a journal of schema ${JOURNAL_SCHEMA} in ${path}, got schema ${header.schema} of version ${header.version}`,
      remedy:
        'Run the version of ballast that wrote it until no write is open, then start with a new journal.',
    });
  }
  for (const field of BOUND) {
    if (header[field] === expected[field]) continue;
    throw new ConfigError({
      code: 'JOURNAL_MISMATCH',
      message: `expected a journal of ${field} ${expected[field]} in ${path}, got ${header[field]}`,
      remedy: 'Point the configuration at the journal of this environment, account and instance.',
      details: { field },
    });
  }
}

/** The error of a journal that cannot be believed. */
export function corrupt(path: string, why: string, cause?: unknown): BotError {
  return new BotError({
    code: 'JOURNAL_CORRUPT',
    message: `expected an intact journal in ${path}, got one of which ${why}`,
    remedy:
      'Keep the file, move it aside and start again: the start-up check rebuilds from the exchange and names what is missing.',
    cause,
  });
}
