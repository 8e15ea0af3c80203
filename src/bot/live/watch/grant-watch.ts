/**
 * @module
 * Looks at the ends of the wallets' grants while a bot runs (denials.md M16, obligation O52): says in time that one
 * comes, and ends the run before it is there. A refused wallet could take no order out of the book any more.
 */
import type { Audit, Clock, Log, Metrics, UnixMs } from '../../../core/index.ts';
import { type CheckedGrant, grantEnd } from '../connect/preflight.ts';

/** The halt code of a run whose grant is about to end. */
const GRANT_EXPIRING = 'EXECUTION_GRANT_EXPIRING';

/** What is watched, and who is notified. */
export interface GrantWatchOptions {
  readonly grants: readonly CheckedGrant[];
  /** With less time left, in ms, the run ends. */
  readonly leftMsMin: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Metrics;
  readonly audit: Audit;
  /** The exchange's time, Unix ms. */
  serverNowMs(): UnixMs;
  /** The run must end. Reported once. */
  onHalt(why: { readonly code: string; readonly reason: string }): void;
}

/** This long before the end of a grant it is logged: a week, a day, an hour. Each once. */
const GRANT_ALERTS_MS: readonly number[] = [3_600_000, 86_400_000, 604_800_000];
const PERIOD_MS = 1_000;

/** Looks from now on; the function it returns ends that. */
export function watchGrants(options: GrantWatchOptions): () => void {
  const { clock, log, meter, audit, leftMsMin } = options;
  const ending = options.grants
    .filter(({ validUntilMs }) => validUntilMs !== 0)
    .sort((a, b) => a.validUntilMs - b.validUntilMs);
  /** The shortest alert that was given for a wallet. */
  const warned = new Map<string, number>();
  const alert = ({ wallet, validUntilMs }: CheckedGrant, leftMs: number): void => {
    const beforeMs = GRANT_ALERTS_MS.find((ms) => leftMs <= ms);
    if (beforeMs === undefined || (warned.get(wallet) ?? Number.POSITIVE_INFINITY) <= beforeMs) return;
    warned.set(wallet, beforeMs);
    const fields = { wallet, endsAt: grantEnd(validUntilMs) ?? 'no date', leftMs };
    log.warn('API wallet grant expires soon; renew it with `ballast keys approve`', fields);
    audit.record({ type: 'GrantEnding', atMs: clock.nowMs(), fields });
  };
  const look = (): void => {
    const nowMs = options.serverNowMs();
    const [first] = ending;
    if (first !== undefined) meter.gauge('grant_time_left_ms', first.validUntilMs - nowMs);
    for (const grant of ending) {
      const leftMs = grant.validUntilMs - nowMs;
      alert(grant, leftMs);
      if (leftMs >= leftMsMin) continue;
      timer.cancel();
      options.onHalt({
        code: GRANT_EXPIRING,
        reason: `the grant of wallet ${grant.wallet} ends in ${leftMs} ms`,
      });
      return;
    }
  };
  const timer = clock.every(PERIOD_MS, look);
  if (ending.length > 0) look();
  else timer.cancel();
  return () => timer.cancel();
}

/** When the first of these ends by exchange time; 0: none ever does. */
export function firstGrantEnd(grants: readonly CheckedGrant[]): number {
  const ends = grants.map(({ validUntilMs }) => validUntilMs).filter((untilMs) => untilMs !== 0);
  return ends.length === 0 ? 0 : Math.min(...ends);
}
