/** @module Whom a bot trades for, and what it is called: with environment and account its name is that of its journal, and commands find its runs by it. */
import type { Config } from '../../config/index.ts';
import { type AccountSelection, accountName } from '../../domain/index.ts';

/** The account, subaccount or vault of a configuration; `undefined`: it names none. */
export function selectionOf({ account }: Pick<Config, 'account'>): AccountSelection | undefined {
  const { address, subaccount, vault } = account;
  if (address === undefined) return undefined;
  return { address, subaccount, ...(vault === undefined ? {} : { vault }) };
}

/** The same for people; `undefined`: none is named. */
export function identityOf(config: Pick<Config, 'account'>): string | undefined {
  const selection = selectionOf(config);
  return selection === undefined ? undefined : accountName(selection);
}

/** The name in the configuration, else that of its file. */
export function instanceOf(config: Config): string {
  return config.name ?? fileNameOf(config);
}

/** The name under which the bot was kept before its configuration named it; `undefined`: it has had no other. */
export function formerInstanceOf(config: Config): string | undefined {
  const former = fileNameOf(config);
  return config.name === undefined || config.name === former ? undefined : former;
}

function fileNameOf({ file }: Config): string {
  const name = /([^/\\]+?)(?:\.ya?ml)?$/.exec(file)?.[1] ?? 'bot';
  return name.replaceAll(/[^a-zA-Z0-9-]/g, '-');
}
