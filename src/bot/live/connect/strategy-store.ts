/**
 * @module
 * What strategies save, kept between runs: one JSON file a strategy beside the journal, replaced as a whole so that a
 * crash leaves the old one or the new one. Orders, fills and money are never kept here: the journal and the exchange are.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Log, makeFolder, messageOf, PRIVATE_FOLDER, parseJson } from '../../../core/index.ts';
import type { StrategyId } from '../../../domain/index.ts';
import { type StrategyStore, UNREADABLE } from '../../kernel/index.ts';

/** A store in files. `journal` is the path of the journal whose bot it belongs to. A disk that fails is logged, not thrown. */
export function fileStrategyStore(journal: string, log: Log): StrategyStore {
  const folder = folderBeside(journal);
  const fileOf = (id: StrategyId): string => join(folder, `${id}.json`);
  return {
    load(id) {
      const file = fileOf(id);
      try {
        if (!existsSync(file)) return undefined;
        const json = readFileSync(file, 'utf8');
        // After a power loss a file can have its name and not its content.
        parseJson(json);
        return json;
      } catch (error) {
        const about = { strategy: id, file, error: messageOf(error) };
        log.error('the saved state of a strategy could not be read: it starts without', about);
        return UNREADABLE;
      }
    },
    save(id, json) {
      const file = fileOf(id);
      try {
        makeFolder(dirname(file), PRIVATE_FOLDER);
        writeFileSync(`${file}.new`, json, { mode: 0o600 });
        renameSync(`${file}.new`, file);
        return true;
      } catch (error) {
        log.error('the state of a strategy could not be saved', { strategy: id, error: messageOf(error) });
        return false;
      }
    },
  };
}

/** What strategies saved beside one journal is beside another one from now on, unless something is there. */
export function moveStrategyStore(from: string, to: string): void {
  const [old, wanted] = [folderBeside(from), folderBeside(to)];
  if (existsSync(old) && !existsSync(wanted)) renameSync(old, wanted);
}

function folderBeside(journal: string): string {
  return journal.replace(/\.journal\.sqlite$/, '-strategies');
}
