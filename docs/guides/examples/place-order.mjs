// Approves an API wallet, places a signed order with it, reads the receipt, cancels with the main wallet.
// Any EIP-712 library does; this is viem and nothing of ballast.
//
//   node docs/guides/examples/place-order.mjs <baseUrl> <privateKey of a funded account>
import { concatHex, hashTypedData, keccak256 } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

const [baseUrl, privateKey] = process.argv.slice(2);
const mainWallet = privateKeyToAccount(privateKey);
const address = mainWallet.address.toLowerCase();

async function call(path, init) {
  const response = await fetch(baseUrl + path, init);
  const body = await response.json();
  if (!response.ok) throw new Error(`${path}: status ${response.status} ${JSON.stringify(body)}`);
  return body;
}
const post = (path, body, headers = {}) =>
  call(path, { method: 'POST', headers, body: JSON.stringify(body) });

// 1. What everything that is signed depends on: domain, market, account. Never write the domain down, read it.
const { domain } = await call('/v1/exchange');
const market = await call('/v1/markets/BTC-USD');
const account = await call(`/v1/account/nonce?address=${address}`); // nonce, signingAccountId, scope

// 2. The main wallet approves an API wallet for one day. Its struct carries the operation's own fields.
const apiWallet = privateKeyToAccount(generatePrivateKey());
const agent = apiWallet.address.toLowerCase();
const validUntilMs = Date.now() + 86_400_000;
const approved = await post('/v1/account/agents/approve', {
  account: address,
  nonce: account.nonce,
  signature: await mainWallet.signTypedData({
    domain,
    primaryType: 'ApproveAgent',
    types: {
      ApproveAgent: [
        { name: 'owner', type: 'address' },
        { name: 'master', type: 'uint32' },
        { name: 'agent', type: 'address' },
        { name: 'validUntilMs', type: 'uint64' },
        { name: 'nonce', type: 'uint64' },
      ],
    },
    message: {
      owner: address,
      master: account.signingAccountId,
      agent,
      validUntilMs: BigInt(validUntilMs),
      nonce: BigInt(account.nonce),
    },
  }),
  agent,
  validUntilMs,
});
console.log(`approved ${agent} at seq ${approved.seq}`);

// 3. One order, as JSON for the gateway and as canonical bytes for the signature: both must say the same.
const { bids } = await call('/v1/markets/BTC-USD/book?depth=10');
const [price] = bids.at(-1); // far from the touch, so that it rests
const order = { symbol: 'BTC-USD', side: 'buy', price, size: '0.0010', timeInForce: 'postOnly', reduceOnly: false };
const { serverTime: nowMs } = await call('/v1/time');

const scaled = (text, decimals) => {
  const [whole, fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0'));
};
const bytes = new DataView(new ArrayBuffer(47));
bytes.setUint8(0, 1); // codec version, equal to version.codecVersion of /v1/exchange
bytes.setUint8(1, 0x05); // tag of PlaceOrder
bytes.setUint32(2, account.signingAccountId, true); // every number little-endian
bytes.setUint16(6, market.signingMarketId, true);
bytes.setUint8(8, 0); // side: 0 buy, 1 sell
bytes.setUint32(9, Number(scaled(order.price, market.priceDecimals)), true); // ticks
bytes.setBigUint64(13, scaled(order.size, market.sizeDecimals), true); // lots
bytes.setUint8(21, 2); // time in force: 0 gtc, 1 ioc, 2 postOnly, 3 fok
bytes.setUint8(22, 0); // reduceOnly
bytes.setBigUint64(23, 0n, true); // goodTilMs: none
bytes.setBigUint64(31, BigInt(nowMs), true);
bytes.setUint32(39, 0, true); // router: none
bytes.setUint32(43, 0, true); // router fee

// 4. The API wallet signs the hash of these bytes and the next number of its own scope.
const { nonce, scope } = await call(`/v1/account/nonce?address=${address}&signer=${agent}`);
const typedData = {
  domain,
  primaryType: 'AgentExec',
  types: {
    AgentExec: [
      { name: 'commandHash', type: 'bytes32' },
      { name: 'nonce', type: 'uint64' },
    ],
  },
  message: { commandHash: keccak256(new Uint8Array(bytes.buffer)), nonce: BigInt(nonce) },
};
const envelope = {
  account: address,
  signer: agent,
  nonce,
  signature: await apiWallet.signTypedData(typedData),
};
// The name of the write is known before it is sent: if the answer is lost, the receipt is asked for under it.
const requestId = keccak256(concatHex([agent, hashTypedData(typedData)]));
// A fresh grant may not have reached every replica yet: x-svc-min-seq asks for one that has it.
const placed = await post('/v1/orders', { ...envelope, orders: [order], nowMs }, { 'x-svc-min-seq': String(approved.seq) });
const [item] = placed.items; // one for each order, in their order; a rejected one says why
console.log(`placed ${order.side} ${order.size} at ${order.price}: order ${item.orderId} ${item.state}, seq ${placed.seq}`);

// 5. The receipt is the proof, whatever became of the answer.
const receipt = await call(`/v1/requests/${requestId}?scope=${scope}&nonce=${nonce}`);
console.log(`receipt ${receipt.requestId === requestId ? 'of this request' : 'of another one'}: ${receipt.status}`);

// 6. The main wallet may trade too: a struct with the command's fields instead of a hash of bytes.
const { nonce: mainNonce } = await call(`/v1/account/nonce?address=${address}`);
const canceled = await post('/v1/orders/cancel', {
  account: address,
  nonce: mainNonce,
  signature: await mainWallet.signTypedData({
    domain,
    primaryType: 'CancelOrder',
    types: {
      CancelOrder: [
        { name: 'owner', type: 'address' },
        { name: 'account', type: 'uint32' },
        { name: 'orderId', type: 'uint64' },
        { name: 'nonce', type: 'uint64' },
      ],
    },
    message: {
      owner: address,
      account: account.signingAccountId,
      orderId: (BigInt(market.signingMarketId) << 48n) | BigInt(item.orderId), // the market is part of the number
      nonce: BigInt(mainNonce),
    },
  }),
  orders: [{ symbol: order.symbol, orderId: item.orderId }],
});
console.log(`canceled order ${canceled.items[0].orderId}: ${canceled.items[0].state}, seq ${canceled.seq}`);
