/**
 * @module
 * Looks at the grants of the wallets while a bot runs (denials.md M16, obligation O52): says in time that an end comes, and
 * ends the run before it is there. A refused wallet could take no order out of the book any more. The list of grants is
 * read again now and then: a bot that has nothing to write would not hear that its wallets are revoked, or renewed.
 */
import {
  type Audit,
  type Clock,
  type Log,
  type Metrics,
  messageOf,
  type UnixMs,
} from '../../../core/index.ts';
import type { Grant } from '../../../wire/protocol/index.ts';
import { type CheckedGrant, grantEnd } from '../connect/preflight.ts';
import type { LoadedWallet } from '../connect/wallets.ts';

/** The halt codes of a run whose grant is about to end, and of one that has none any more. */
const GRANT_EXPIRING = 'EXECUTION_GRANT_EXPIRING';
const GRANT_INVALID = 'EXECUTION_GRANT_INVALID';

/** What is watched, and who is notified. */
export interface GrantWatchOptions {
  readonly grants: readonly CheckedGrant[];
  /** The wallets of the run: without one that trades nothing is left to do. */
  readonly wallets: readonly Pick<LoadedWallet, 'name' | 'role'>[];
  /** With less time left, in ms, the run ends. */
  readonly leftMsMin: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Metrics;
  readonly audit: Audit;
  /** The exchange's time, Unix ms. */
  serverNowMs(): UnixMs;
  /** The grants of the account as the exchange lists them. */
  list(): Promise<readonly Grant[]>;
  /** The grants have other ends by now. */
  onGrants(grants: readonly CheckedGrant[]): void;
  /** The run must end. Reported once. */
  onHalt(why: { readonly code: string; readonly reason: string }): void;
}

/** This long before the end of a grant it is logged: a week, a day, an hour. Each once. */
const GRANT_ALERTS_MS: readonly number[] = [3_600_000, 86_400_000, 604_800_000];
const PERIOD_MS = 1_000;
/** How often the list is read, and how long after a list without one of the wallets it is asked for again. */
const LIST_PERIOD_MS = 30_000;
const CONFIRM_MS = 2_000;

/** Looks from now on; the function it returns ends that. */
export function watchGrants(options: GrantWatchOptions): () => void {
  const watch = new GrantWatch(options);
  watch.start();
  return () => watch.end();
}

class GrantWatch {
  readonly #options: GrantWatchOptions;
  #grants: readonly CheckedGrant[];
  #ending: readonly CheckedGrant[];
  /** The shortest alert that was given for a wallet. */
  readonly #warned = new Map<string, number>();
  #missing = '';
  #isOver = false;
  readonly #timers: { cancel(): void }[] = [];

  constructor(options: GrantWatchOptions) {
    this.#options = options;
    this.#grants = options.grants;
    this.#ending = endingOf(options.grants);
  }

  start(): void {
    const { clock } = this.#options;
    this.#timers.push(clock.every(PERIOD_MS, () => this.#look()));
    this.#timers.push(clock.every(LIST_PERIOD_MS, () => this.#read()));
    this.#look();
  }

  end(): void {
    this.#isOver = true;
    for (const timer of this.#timers) timer.cancel();
  }

  #look(): void {
    const { meter, leftMsMin } = this.#options;
    const ending = this.#ending;
    const nowMs = this.#options.serverNowMs();
    const [first] = ending;
    if (first !== undefined) meter.gauge('grant_time_left_ms', first.validUntilMs - nowMs);
    for (const grant of ending) {
      const leftMs = grant.validUntilMs - nowMs;
      this.#alert(grant, leftMs);
      if (leftMs >= leftMsMin) continue;
      const reason = `the grant of wallet ${grant.wallet} ends in ${leftMs} ms`;
      this.#halt({ code: GRANT_EXPIRING, reason });
      return;
    }
  }

  #alert({ wallet, validUntilMs }: CheckedGrant, leftMs: number): void {
    const { log, audit, clock } = this.#options;
    const beforeMs = GRANT_ALERTS_MS.find((ms) => leftMs <= ms);
    if (beforeMs === undefined || (this.#warned.get(wallet) ?? Number.POSITIVE_INFINITY) <= beforeMs) return;
    this.#warned.set(wallet, beforeMs);
    const fields = { wallet, endsAt: grantEnd(validUntilMs) ?? 'no date', leftMs };
    log.warn('API wallet grant expires soon; renew it with `ballast keys approve`', fields);
    audit.record({ type: 'GrantEnding', atMs: clock.nowMs(), fields });
  }

  /** A list that cannot be read says nothing: others notice a gateway that is down. */
  #read(): void {
    this.#compare().catch((thrown: unknown) =>
      this.#options.log.warn('the grants were not read again', { why: messageOf(thrown) }),
    );
  }

  async #compare(): Promise<void> {
    const { clock, list } = this.#options;
    let listed = await list();
    if (this.#missingIn(listed).length > 0) {
      await new Promise<void>((resolve) => void clock.after(CONFIRM_MS, resolve));
      listed = await list();
    }
    if (this.#isOver) return;
    const untilMs = new Map(listed.map((grant) => [grant.address, grant.validUntilMs]));
    const grants = this.#grants.map((grant) => ({
      ...grant,
      validUntilMs: untilMs.get(grant.address) ?? grant.validUntilMs,
    }));
    if (grants.some(({ validUntilMs }, at) => validUntilMs !== this.#grants[at]?.validUntilMs)) {
      this.#grants = grants;
      this.#ending = endingOf(grants);
      this.#warned.clear();
      this.#options.onGrants(grants);
    }
    this.#judge(this.#missingIn(listed));
  }

  #missingIn(listed: readonly Grant[]): readonly CheckedGrant[] {
    return this.#grants.filter(
      ({ address }) => !listed.some((grant) => grant.address === address && !grant.isExpired),
    );
  }

  #judge(missing: readonly CheckedGrant[]): void {
    const { log, wallets } = this.#options;
    const names = missing.map(({ wallet }) => wallet);
    const isLost = wallets.every(({ name, role }) => role !== 'trading' || names.includes(name));
    if (names.length > 0 && isLost)
      this.#halt({
        code: GRANT_INVALID,
        reason: `the exchange lists no grant of wallet ${names.join(', ')} any more`,
      });
    else if (names.length > 0 && names.join() !== this.#missing)
      log.error('an API wallet has no grant any more; approve it with `ballast keys approve`', {
        wallets: names,
      });
    this.#missing = names.join();
  }

  #halt(why: { readonly code: string; readonly reason: string }): void {
    if (this.#isOver) return;
    this.end();
    this.#options.onHalt(why);
  }
}

/** Those that end, the first one first. */
function endingOf(grants: readonly CheckedGrant[]): readonly CheckedGrant[] {
  return grants
    .filter(({ validUntilMs }) => validUntilMs !== 0)
    .sort((a, b) => a.validUntilMs - b.validUntilMs);
}

/** When the first of these ends by exchange time; 0: none ever does. */
export function firstGrantEnd(grants: readonly CheckedGrant[]): number {
  const ends = grants.map(({ validUntilMs }) => validUntilMs).filter((untilMs) => untilMs !== 0);
  return ends.length === 0 ? 0 : Math.min(...ends);
}
