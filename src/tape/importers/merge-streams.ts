/** @module Several streams that are each in order as one. */
import { must } from '../../core/index.ts';

/** Merges `streams` by `keyOf`; at the same key the earlier stream comes first. Ends when all have ended. */
export async function* mergeStreams<T>(
  streams: readonly AsyncGenerator<T>[],
  keyOf: (item: T) => number | bigint,
): AsyncGenerator<T> {
  try {
    const heads = await Promise.all(streams.map((stream) => stream.next()));
    for (;;) {
      let first = -1;
      let firstKey: number | bigint = 0;
      for (let at = 0; at < heads.length; at++) {
        const head = must(heads[at], 'a head of each stream');
        if (head.done === true) continue;
        const key = keyOf(head.value);
        if (first >= 0 && key >= firstKey) continue;
        first = at;
        firstKey = key;
      }
      if (first < 0) return;
      yield must(heads[first], 'the first head').value as T;
      heads[first] = await must(streams[first], 'its stream').next();
    }
  } finally {
    for (const stream of streams) await stream.return(undefined);
  }
}
