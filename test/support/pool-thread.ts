/**
 * @module
 * A thread of a pool for tests: the key of a job says what becomes of it. `dies`: the thread ends, each time; `dies-once`:
 * the first time, which a file remembers.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { parentPort, threadId, workerData } from 'node:worker_threads';

parentPort?.on('message', ({ key }: { readonly key: string }) => {
  if (key.startsWith('dies-once')) {
    const mark = `${(workerData as { folder: string }).folder}/${key}`;
    if (!existsSync(mark)) {
      writeFileSync(mark, '');
      process.exit(9);
    }
  } else if (key.startsWith('dies')) throw new Error('this job is too much');
  parentPort?.postMessage({ key, statistics: { thread: threadId }, annualReason: null, decisionHash: key });
});
