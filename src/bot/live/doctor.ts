/**
 * @module
 * Looks at everything a live run needs, one row a check, each with its fix. It does not stop at the first failure and never
 * crashes: what cannot be looked at because of an earlier failure is skipped and says so. The last check arms the dead man's
 * switch for real, through journal and lanes; it places nothing.
 */
import { BotError, messageOf } from '../../core/index.ts';
import type { Check } from './checks/check.ts';
import { Examination, type ExaminationOptions, Missing } from './checks/examination.ts';
import { type Host, thisHost } from './checks/host.ts';
import { CHECKS } from './checks/list.ts';
import { walletsOf } from './checks/refuse.ts';

/** One thing that was looked at. */
export interface DoctorRow {
  /** The check: a row of docs/reference/preflight.md. */
  readonly id: string;
  /** What was checked: the id, with the wallet where each has its own. */
  readonly check: string;
  /** `skip`: it does not apply here, or another check failed that it needs. */
  readonly status: 'ok' | 'warn' | 'fail' | 'skip';
  /** The finding, one sentence. */
  readonly detail: string;
  /** What to do; empty when nothing. */
  readonly fix: string;
}

/** What the doctor looks with. */
export interface DoctorOptions extends Omit<ExaminationOptions, 'host'> {
  /** Absent: this machine. */
  readonly host?: Host;
  /** Hears each row as soon as it is known. */
  readonly onRow: (row: DoctorRow) => void;
}

/** Looks at everything; gives all rows. */
export async function examine(options: DoctorOptions): Promise<readonly DoctorRow[]> {
  const at = new Examination({ host: thisHost, ...options });
  const rows: DoctorRow[] = [];
  try {
    for (const check of CHECKS)
      for (const wallet of walletsOf(check, at)) {
        const row = await rowOf(check, at, wallet);
        if (row.status === 'fail') at.failed.add(check.id);
        rows.push(row);
        options.onRow(row);
      }
    return rows;
  } finally {
    await at.opened.environment?.gateway.close();
  }
}

async function rowOf(check: Check, at: Examination, wallet: string): Promise<DoctorRow> {
  const named = { id: check.id, check: wallet === '' ? check.id : `${check.id} ${wallet}` };
  try {
    return { ...named, ...(await check.look(at, wallet)) };
  } catch (thrown) {
    if (thrown instanceof Missing) return { ...named, status: 'skip', detail: thrown.message, fix: '' };
    const fix = thrown instanceof BotError ? thrown.remedy : 'This should not happen: please report it.';
    return { ...named, status: 'fail', detail: messageOf(thrown), fix };
  }
}
