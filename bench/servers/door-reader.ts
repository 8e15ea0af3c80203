/**
 * @module
 * Who watches the run of the bench: reads the feed of its door as an open page does, and its metrics once a second as a
 * monitor does. In a process of its own: the work of a browser is not the bot's.
 *
 *   parent ── watch | leave ──▶ done, as soon as the first message of the feed is there
 */

/** What the reader is told. */
export type DoorOrder =
  | { readonly kind: 'watch'; readonly baseUrl: string; readonly token: string; readonly hasMonitor: boolean }
  | { readonly kind: 'leave' };

const SCRAPE_MS = 1_000;

let reading = new AbortController();
let scraping: NodeJS.Timeout | undefined;

async function watch({ baseUrl, token, hasMonitor }: Extract<DoorOrder, { kind: 'watch' }>): Promise<void> {
  reading = new AbortController();
  const headers = { authorization: `Bearer ${token}` };
  const { signal } = reading;
  const answer = await fetch(`${baseUrl}/feed`, { headers, signal });
  const reader = answer.body?.getReader();
  if (answer.status !== 200 || reader === undefined)
    throw new Error(`expected the feed of the door, got ${answer.status}`);
  await reader.read();
  const drain = async (): Promise<void> => {
    for (let part = await reader.read(); !part.done; part = await reader.read());
  };
  // It ends when this reader leaves.
  drain().catch(() => undefined);
  if (!hasMonitor) return;
  scraping = setInterval(() => {
    for (const path of ['/metrics', '/status'])
      void fetch(`${baseUrl}${path}`, { headers, signal })
        .then((one) => one.text())
        .catch(() => undefined);
  }, SCRAPE_MS);
}

process.on('message', (order: DoorOrder) => {
  reading.abort();
  clearInterval(scraping);
  if (order.kind === 'leave') process.send?.('done');
  else void watch(order).then(() => process.send?.('done'));
});
process.on('disconnect', () => process.exit(0));
