/** @module The dashboard that the door of a run serves: a page, the stream that feeds it, and reports of past runs. */
export { createDashboard, type Dashboard, type FeedMessage } from './dashboard.ts';
export { PAGE_POLICY } from './page-files.ts';
export { hasReport } from './reports.ts';
export type { LaneRow, ViewSources } from './view.ts';
