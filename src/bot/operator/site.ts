/**
 * @module
 * The dashboard at the door: its files for anybody of this machine, and what is of the run for who has the token. The feed
 * is written to its socket directly, which says how much of it waits.
 */
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Hono } from 'hono';
import { actionRefused } from '../../core/index.ts';
import { type Dashboard, hasReport, PAGE_POLICY } from '../dashboard/index.ts';
import type { RunRow } from './documents.ts';
import { findRun, isAlive, listedRuns } from './run-list.ts';

/** Only the files of the page, and a report by its ticket. */
const PUBLIC = /^\/(?:|page\/[a-z-]+\.(?:js|css)|report\/[0-9a-f]{32})$/;

/** True for a path that is served without the token: there is nothing of a run in it, or it is good once. */
export function isPublic(path: string): boolean {
  return PUBLIC.test(path);
}

/** A report may run its own scripts, in an origin of its own: it reaches neither the page nor the door. */
const REPORT_POLICY =
  "sandbox allow-scripts allow-downloads; default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'";

const HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** Adds what needs no guard of answers: files, reports by ticket, and the feed. */
export function addSite(app: Hono<{ Bindings: HttpBindings }>, dashboard: Dashboard): void {
  for (const path of ['/', '/page/:name'])
    app.get(path, (context) => {
      const file = dashboard.files().get(context.req.path);
      if (file === undefined) return context.notFound();
      return context.body(file.text, 200, {
        ...HEADERS,
        'content-type': file.type,
        'content-security-policy': PAGE_POLICY,
      });
    });
  app.get('/report/:ticket', (context) => {
    const page = dashboard.reports.take(context.req.param('ticket'));
    return context.body(
      page ?? 'This address was good once. Open the report again from the list of runs.',
      page === undefined ? 404 : 200,
      {
        ...HEADERS,
        'content-type': `${page === undefined ? 'text/plain' : 'text/html'}; charset=utf-8`,
        'content-security-policy': REPORT_POLICY,
      },
    );
  });
  app.get('/feed', ({ env: { outgoing } }) => {
    outgoing.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream; charset=utf-8' });
    const reader = {
      write: (text: string) => void outgoing.write(text),
      waiting: () => outgoing.writableLength,
      drop: () => void outgoing.destroy(),
    };
    outgoing.on('error', () => outgoing.destroy());
    outgoing.on('close', () => dashboard.leave(reader));
    dashboard.join(reader);
    return RESPONSE_ALREADY_SENT;
  });
}

/** The runs of the user, newest first. */
export function runRows(runsFolder: string): readonly RunRow[] {
  return listedRuns(runsFolder).map((run) => ({
    ...run,
    state: run.ended !== undefined ? 'ended' : isAlive(run) ? 'goes on' : 'died',
    hasReport: run.ended !== undefined && hasReport(run.folder),
  }));
}

/** Makes the report of a run that has ended; where it is opened, once. @throws BotError `CONTROL_REFUSED`, `OPERATOR_RUN_UNKNOWN`, `REPORT_NOT_MADE`. */
export async function reportPath(
  runsFolder: string,
  runId: string,
  { reports }: Dashboard,
): Promise<{ readonly path: string }> {
  const run = findRun(runsFolder, runId);
  if (!hasReport(run.folder))
    throw actionRefused(
      `expected a run that has ended and kept its record, got ${run.runId}`,
      'a run keeps its record where record.enabled is on',
    );
  return { path: `/report/${await reports.make(run.folder)}` };
}
