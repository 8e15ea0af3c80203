// Reads, listens, quotes with an API wallet, cancels, and holds the ledger against the balance.
//
//   npx node --conditions=ballast-source docs/guides/examples/client.mjs <baseUrl> <privateKey of a funded account>
//
// In a project of your own it takes `npm install viem` too, which makes the key of the API wallet.
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';

if (Number(process.versions.node.split('.')[0]) < 24)
  throw new Error(`ballast/client needs Node 24.12 or later, this is ${process.version}: run it with npx node`);
const { createClient, Decimal, ApiError, UnresolvedWriteError } = await import('ballast/client');

const [baseUrl, wallet] = process.argv.slice(2);
const mainWallet = createClient({ baseUrl, wallet });

// 1. What is there. Prices and sizes are Decimals: nothing has passed a binary fraction.
const market = await mainWallet.markets.get({ symbol: 'BTC-USD' });
const { equity } = await mainWallet.account.summary();
console.log(`equity ${equity.toFixed(2)} USDC, ticks of ${market.tickSize}, lots of ${market.lotSize}`);

// 2. The main wallet approves a fresh API wallet for an hour; from here on it is not needed to trade.
const { serverTime } = await mainWallet.environment.time();
const key = generatePrivateKey();
const { seq } = await mainWallet.apiWallets.approve({
  address: privateKeyToAddress(key).toLowerCase(),
  validUntil: serverTime + 3_600_000,
});
const [{ accountId }] = await mainWallet.account.subaccounts();
const account = { address: privateKeyToAddress(wallet).toLowerCase() };
const client = createClient({ baseUrl, wallet: key, account });
console.log(`account ${accountId}: API wallet approved at ${seq}`);

// 3. Listen before trading. The stream repairs itself; `open` is always the whole set.
let open = [];
const orders = await client.streams.orders({}, (update) => {
  open = update.open;
});
await orders.ready;

// 4. A bid far below the market. The first write of a fresh API wallet names the position of its approval.
const order = { symbol: 'BTC-USD', side: 'buy', price: '20000', size: '0.01', timeInForce: 'postOnly' };
const { requestId, items, proof } = await client.orders.place({ ...order, minSeq: seq });
console.log(`order ${items[0].state}, proven by the ${proof}`);

// 5. Errors say whether anything can have happened, and what to do.
try {
  await client.orders.place({ ...order, timeInForce: 'gtc', size: '100000' });
} catch (error) {
  if (error instanceof UnresolvedWriteError) await error.resolution;
  else if (!(error instanceof ApiError)) throw error;
  console.log(`${error.code} (${error.num}), effect ${error.effect}: ${error.remedy}`);
}

// 6. The receipt proves it once more; then everything is canceled.
const receipt = await client.requests.receipt({ requestId });
await client.orders.cancelAll();
console.log(`receipt ${receipt.status}, open orders at the exchange ${(await client.account.orders()).length}`);

// 7. The whole ledger, page by page: its sum is the cash, to the last unit.
let sum = new Decimal(0);
for await (const { amount } of client.account.ledger()) sum = sum.plus(amount);
const { collateral } = await client.account.summary();
console.log(`ledger ${sum.equals(collateral) ? 'is' : 'is not'} the balance`);
console.log(`open orders as the stream shows them ${open.filter(({ status }) => status === 'open').length}`);
await client.close();
await mainWallet.close();
