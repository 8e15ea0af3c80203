/** @module The embedded exchange over HTTP, in a process of its own, with funded wallets whose keys its parent draws as well. */
import { SystemClock } from '../../src/core/index.ts';
import { startServer } from '../../src/exchange/index.ts';
import { loadCrypto } from '../../src/wire/crypto/index.ts';
import { openScene } from '../signed-writes.ts';

const crypto = await loadCrypto();
process.once('message', (count: number) => {
  const { exchange } = openScene(crypto, new SystemClock(), { count, checksSignatures: true });
  exchange.start();
  void startServer(exchange).then(({ port }) => process.send?.(port));
});
process.on('disconnect', () => process.exit(0));
