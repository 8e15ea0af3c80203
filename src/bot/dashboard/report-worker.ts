/** @module The thread that makes the report of a run: reads its record and sends its page, or why there is none. */
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../core/index.ts';
import { htmlOfRun, loadRun } from '../../report/index.ts';

const { folder } = workerData as { readonly folder: string };
try {
  parentPort?.postMessage({ page: htmlOfRun(loadRun(folder)) });
} catch (thrown) {
  parentPort?.postMessage({ why: messageOf(thrown) });
}
