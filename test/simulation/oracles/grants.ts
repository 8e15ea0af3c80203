/**
 * @module
 * The first write of a fresh API wallet (obligations O50, O122; part of I24): it is a harmless schedule-cancel, which
 * burns any nonce for which older bytes may exist, and it carries the commit position of the approval until one write
 * has come through. And the last one: a wallet that was told that its grant is gone signs nothing more (obligation O49).
 */
import type { Oracle, OracleChecks, OracleWorld } from '../types.ts';
import { rowOf } from './support/journal-text.ts';
import { sceneOf } from './support/scene.ts';
import { readAnswer } from './support/write-book.ts';

/** The oracle of this file. */
export const ORACLES: readonly Oracle[] = [{ ids: ['I24'], begin }];

/** Refusals that only a new grant ends. */
const GONE: ReadonlySet<string> = new Set(['UnknownAgent', 'AgentExpired', 'AgentMasterMismatch']);

interface Fresh {
  readonly approvedSeq: number;
  hasSent: boolean;
}

function begin(world: OracleWorld): OracleChecks {
  const scene = sceneOf(world);
  const seen = new Set<string>();
  const fresh = new Map<string, Fresh>();
  const underWay = new Map<number, string>();
  const signers = new Map<number, string>();
  /** Wallets that were told in this life that they have no grant. */
  const gone = new Set<string>();
  const header = `${world.exchange.settings.headerPrefix}min-seq`;
  scene.onLog(({ events }) => {
    for (const event of events) {
      if (event.kind !== 'AgentApproved' || event.account !== world.accountId) continue;
      const agent = event.agent.toLowerCase();
      // A grant that is given again outside is known to nobody inside.
      if (!seen.has(agent)) fresh.set(agent, { approvedSeq: event.seq, hasSent: false });
      seen.add(agent);
    }
  });
  return {
    onSight: (sight) => {
      scene.see(sight);
      // Positions mean nothing in another epoch, and only the life that asked for the grant knows its own.
      if (sight.kind === 'life' && sight.what === 'started') {
        fresh.clear();
        gone.clear();
      }
      if (sight.kind === 'request') {
        const signer = scene.writes.sentBy(sight)?.signer.toLowerCase();
        if (signer !== undefined) signers.set(sight.id, signer);
        const grant = signer === undefined ? undefined : fresh.get(signer);
        if (signer === undefined || grant === undefined) return;
        underWay.set(sight.id, signer);
        const path = sight.path.split('?')[0] ?? '';
        if (!grant.hasSent && path !== '/v1/orders/schedule-cancel')
          world.violate('I24', `the first write of a fresh wallet goes to ${path}`);
        grant.hasSent = true;
        const position = sight.headers[header];
        if (scene.truth.epochs.length === 1 && !(Number(position) >= grant.approvedSeq))
          world.violate(
            'I24',
            `a fresh wallet writes at ${position ?? 'any position'}, not at ${grant.approvedSeq}`,
          );
      } else if (sight.kind === 'answer') {
        const told = signers.get(sight.id);
        signers.delete(sight.id);
        if (told !== undefined && GONE.has(readAnswer(sight).code ?? '')) gone.add(told);
        const signer = underWay.get(sight.id);
        underWay.delete(sight.id);
        if (signer !== undefined && sight.status >= 200 && sight.status < 300) fresh.delete(signer);
      } else if (sight.kind === 'recorded') {
        // A rejection that spent the nonce came through as well, and where no answer said so, a receipt did.
        const row = rowOf(sight);
        if (row?.type === 'write' && gone.has(row.value.scope.slice('agent:'.length)))
          world.violate('I24', `${row.value.scope} signs nonce ${row.value.nonce} though its grant is gone`);
        const write = row?.type === 'outcome' ? scene.writes.byRequestId(row.value.requestId) : undefined;
        const proof = write?.outcome?.proof;
        if (write !== undefined && (proof === 'receipt' || proof === 'answer'))
          fresh.delete(write.scope.slice('agent:'.length));
      }
    },
  };
}
