/**
 * @module
 * Signed bytes leave once (obligations O59, O67, O70, O71; part of I5). They leave again only where the exchange, or
 * the socket, showed that nothing was sequenced: after 412, 421 or 429 with a code, or when not one byte had left
 * (outcomes-and-receipts.md and the last one). That a gateway answers `duplicate` is the last line, never used.
 */
import type { Oracle, OracleChecks, OracleWorld } from '../types.ts';
import { sceneOf } from './support/scene.ts';
import { readAnswer } from './support/write-book.ts';

/** The oracle of this file. */
export const ORACLES: readonly Oracle[] = [{ ids: ['I5'], begin }];

const AGAIN: ReadonlySet<number> = new Set([412, 421, 429]);

function begin(world: OracleWorld): OracleChecks {
  const scene = sceneOf(world);
  /** By body: may it leave again? */
  const posted = new Map<string, boolean>();
  const underWay = new Map<number, string>();
  return {
    onSight: (sight) => {
      scene.see(sight);
      if (sight.kind === 'request' && sight.method === 'POST') {
        if (posted.get(sight.body) === false)
          world.violate('I5', `the same signed bytes left twice for ${sight.path.split('?')[0]}`);
        posted.set(sight.body, false);
        underWay.set(sight.id, sight.body);
      } else if (sight.kind === 'answer' || sight.kind === 'noAnswer') {
        const body = underWay.get(sight.id);
        if (body === undefined) return;
        underWay.delete(sight.id);
        const mayLeaveAgain =
          sight.kind === 'noAnswer'
            ? sight.why.startsWith('not sent')
            : AGAIN.has(sight.status) && readAnswer(sight).code !== undefined;
        posted.set(body, mayLeaveAgain);
      }
    },
  };
}
