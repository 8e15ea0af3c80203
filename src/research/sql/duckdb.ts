/**
 * @module
 * The user's own DuckDB: an optional peer of 70 MB, loaded when a question is asked. What is used of it is typed here,
 * since it need not be installed where ballast is built.
 */
import { BotError, whyNotLoaded } from '../../core/index.ts';

/** The answer to a question, all of it. */
interface DuckResult {
  columnNames(): string[];
  columnTypes(): { toString(): string }[];
  /** Values as JSON holds them: wide integers, decimals and times as text. */
  getRowsJson(): Promise<unknown[][]>;
}

interface DuckStatement {
  readonly statementType: number;
  run(): Promise<DuckResult>;
}

/** A database in memory. */
export interface Duck {
  run(sql: string): Promise<unknown>;
  extractStatements(sql: string): Promise<{
    readonly count: number;
    prepare(index: number): Promise<DuckStatement>;
  }>;
  closeSync(): void;
}

interface Instance {
  connect(): Promise<Duck>;
  closeSync(): void;
}

/** No extension comes over the network, whatever a question names. */
const SETTINGS = { autoinstall_known_extensions: 'false', autoload_known_extensions: 'false' };

/** Opens an empty database, and closes it after `use`. @throws BotError `SQL_DUCKDB_MISSING`. */
export async function withDuck<T>(use: (duck: Duck) => Promise<T>): Promise<T> {
  const name = '@duckdb/node-api';
  const loaded: unknown = await import(name).catch((cause: unknown) => {
    throw new BotError({
      code: 'SQL_DUCKDB_MISSING',
      message: `expected the package @duckdb/node-api, but ${whyNotLoaded(cause)}`,
      remedy:
        'Install it in your project (`npm install @duckdb/node-api@1.5.6-r.1`): 70 MB, for this command alone.',
      cause,
    });
  });
  const { DuckDBInstance } = loaded as {
    readonly DuckDBInstance: { create(path: string, options: typeof SETTINGS): Promise<Instance> };
  };
  const instance = await DuckDBInstance.create(':memory:', SETTINGS);
  const duck = await instance.connect();
  try {
    return await use(duck);
  } finally {
    duck.closeSync();
    instance.closeSync();
  }
}
