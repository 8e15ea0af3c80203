/**
 * @module
 * The side of the run: makes the checks of the list that a start does not make itself. The first that refuses ends it; what
 * a check warns of is logged. What cannot be looked at, since an answer is missing, refuses nothing: the start has patience
 * with a gateway, and does not place before it has what it needs.
 */
import { GatewayError, messageOf, ProtocolError, TransportError } from '../../../core/index.ts';
import type { Check, CheckFinding } from './check.ts';
import { type Examination, Missing } from './examination.ts';
import { CHECKS, withCheck } from './list.ts';

/** Makes the checks of the list that need no more than `needs`. @throws the first refusal, with the id of its check. */
export async function refuseUnready(at: Examination, needs: Check['needs']): Promise<void> {
  const { log } = at.options;
  for (const check of CHECKS) {
    if (check.by !== 'list' || check.needs !== needs) continue;
    for (const wallet of walletsOf(check, at)) {
      const found = await lookOnce(check, at, wallet);
      if (found?.status === 'warn')
        log.warn(`check ${check.id}: ${found.detail}`, { check: check.id, remedy: found.fix });
    }
  }
}

/** The names of the wallets that a check is made for; one without a name for those that are of none. */
export function walletsOf(check: Check, at: Examination): readonly string[] {
  if (check.ofEachWallet !== true) return [''];
  return (at.opened.wallets ?? []).map(({ name }) => name);
}

async function lookOnce(check: Check, at: Examination, wallet: string): Promise<CheckFinding | undefined> {
  try {
    return await check.look(at, wallet);
  } catch (thrown) {
    if (thrown instanceof Missing) return undefined;
    if (!isNoAnswer(thrown)) throw withCheck(thrown, check.id);
    at.options.log.warn(`check ${check.id} could not be made`, { check: check.id, why: messageOf(thrown) });
    return undefined;
  }
}

function isNoAnswer(thrown: unknown): boolean {
  return (
    thrown instanceof TransportError || thrown instanceof GatewayError || thrown instanceof ProtocolError
  );
}
