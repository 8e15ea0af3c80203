/** @module The thread of `unpack-ahead`: unpacks the batches that it is the first to come to, in the order it is asked. */
import { readSync } from 'node:fs';
import { type MessagePort, parentPort } from 'node:worker_threads';
import { type PackedBatch, unpackEarly } from './arrow-batch.ts';
import { CLAIM, CLAIMS, claimOf, type FileToUnpack } from './unpack-ahead.ts';

parentPort?.on('message', ({ file, port }: { file: FileToUnpack; port: MessagePort }) => {
  port.on('message', (batch: PackedBatch) => serve(file, port, batch));
});

function serve({ descriptor, claims }: FileToUnpack, port: MessagePort, batch: PackedBatch): void {
  const place = batch.index % CLAIMS;
  const free = claimOf(batch.index, CLAIM.free);
  if (Atomics.compareExchange(claims, place, free, claimOf(batch.index, CLAIM.theirs)) !== free) return;
  let state: number = CLAIM.failed;
  try {
    const values = unpackEarly(batch, bodyOf(descriptor, batch));
    port.postMessage(
      values,
      values.map(({ buffer }) => buffer),
    );
    state = CLAIM.done;
  } catch {
    // Whoever reads comes to the same fault, and says what it is.
  }
  Atomics.store(claims, place, claimOf(batch.index, state));
  Atomics.notify(claims, place);
}

function bodyOf(descriptor: number, { bodyAt, bodyBytes }: PackedBatch): Uint8Array {
  const body = new Uint8Array(bodyBytes);
  for (let done = 0; done < bodyBytes; ) {
    const count = readSync(descriptor, body, done, bodyBytes - done, bodyAt + done);
    if (count === 0) break;
    done += count;
  }
  return body;
}
