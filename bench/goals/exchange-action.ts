/**
 * @module
 * G3: one order action of Hyperliquid to its signature, the nearest public equal of AgentExec, beside the two clients
 * that people use for it. Ours signs their struct with our crypto: msgpack, keccak, Agent(source, connectionId), curve.
 *
 */
import { type Crypto, loadCrypto, makeDomain, structHasher } from '../../src/wire/crypto/index.ts';
import { type GroupResult, type Limit, missed, reached } from '../goal.ts';
import { asyncLoop, compare, type Effort, loop, rounded } from '../measure.ts';
import { installPeers, loadPeer } from '../peers.ts';
import { showTable } from '../show.ts';
import { sampleKey, viemAccount } from '../wallet.ts';

/** Checked before anything is measured. */
const ACTIONS = 100;
const NONCE = 1_790_000_000_000;
const NKTKAS = '@nktkas/hyperliquid signL1Action';
const CCXT = 'ccxt hyperliquid.signL1Action';
const OURS = 'ballast';
const LIMIT: Limit = {
  id: 'G3',
  what: 'order action to signature, to the faster of @nktkas/hyperliquid and ccxt',
  limit: 0.12,
  better: 'lower',
};

interface Signature {
  readonly r: string;
  readonly s: string;
  readonly v: number;
}

type Action = Readonly<Record<string, unknown>>;

interface Nktkas {
  signL1Action(request: { wallet: unknown; action: Action; nonce: number }): Promise<Signature>;
}

interface Ccxt {
  readonly default: {
    readonly hyperliquid: new (options: {
      walletAddress: string;
      privateKey: string;
    }) => { signL1Action(action: Action, nonce: number): Signature };
  };
}

interface Msgpack {
  encode(value: unknown): Uint8Array;
}

/** Measures G3. */
export async function exchangeAction(effort: Effort): Promise<GroupResult> {
  const absent = installPeers();
  if (absent !== undefined) return { goals: [missed(LIMIT, absent)], figures: {} };
  const nktkas = await loadPeer<Nktkas>('@nktkas/hyperliquid/signing');
  const ccxt = await loadPeer<Ccxt>('ccxt');
  const crypto = await loadCrypto();
  const key = sampleKey(crypto);
  const privateKey = `0x${Buffer.from(key.exposeBytes()).toString('hex')}`;
  const exchange = new ccxt.default.hyperliquid({ walletAddress: key.address, privateKey });

  const withNktkas = (index: number) =>
    nktkas.signL1Action({ wallet: viemAccount, action: orderAction(index), nonce: NONCE + index });
  const withCcxt = (index: number) => exchange.signL1Action(orderAction(index), NONCE + index);
  const sign = actionSigner(crypto, await loadPeer<Msgpack>('@msgpack/msgpack'));
  const withOurs = (index: number) => sign(orderAction(index), NONCE + index);

  for (let index = 0; index < ACTIONS; index++) {
    const own = withOurs(index);
    if (!isSame(await withNktkas(index), own) || !isSame(withCcxt(index), own)) {
      return { goals: [missed(LIMIT, `another signature than a peer, action ${index}`)], figures: {} };
    }
  }
  const samples = await compare(
    { [NKTKAS]: asyncLoop(withNktkas), [CCXT]: loop(withCcxt), [OURS]: loop(withOurs) },
    effort,
  );
  showTable(`G3 order action to signature (r, s, v identical on ${ACTIONS} actions)`, samples.rows(NKTKAS));
  const ratios = { nktkas: samples.ratio(OURS, NKTKAS), ccxt: samples.ratio(OURS, CCXT) };
  return {
    goals: [reached(LIMIT, Math.max(ratios.nktkas, ratios.ccxt))],
    figures: {
      'G3 to @nktkas/hyperliquid': rounded(ratios.nktkas),
      'G3 to ccxt': rounded(ratios.ccxt),
      ...Object.fromEntries(samples.names().map((name) => [`G3 ${name}, us`, rounded(samples.median(name))])),
    },
  };
}

/** As numbers: ccxt drops leading zeros of r and s. */
function isSame(a: Signature, b: Signature): boolean {
  return BigInt(a.r) === BigInt(b.r) && BigInt(a.s) === BigInt(b.s) && a.v === b.v;
}

function orderAction(index: number): Action {
  const order = {
    a: 0,
    b: true,
    p: String(60_000 + (index % 1024)),
    s: '0.01',
    r: false,
    t: { limit: { tif: 'Alo' } },
  };
  return { type: 'order', orders: [order], grouping: 'na' };
}

/** Their signing scheme over our crypto: the id of a connection is the hash of action, nonce, and "no vault". */
function actionSigner(crypto: Crypto, msgpack: Msgpack): (action: Action, nonce: number) => Signature {
  const key = sampleKey(crypto);
  const domain = makeDomain(crypto, {
    name: 'Exchange',
    version: '1',
    chainId: 1337,
    verifyingContract: `0x${'0'.repeat(40)}`,
  });
  const agent = structHasher(crypto, 'Agent(string source,bytes32 connectionId)');
  return (action, nonce) => {
    const packed = msgpack.encode(action);
    const bytes = new Uint8Array(packed.length + 9);
    bytes.set(packed);
    new DataView(bytes.buffer).setBigUint64(packed.length, BigInt(nonce));
    const connectionId = crypto.keccak256(bytes);
    const signature = crypto.sign(domain.digest(agent.hash({ source: 'a', connectionId })), key);
    return {
      r: signature.slice(0, 66),
      s: `0x${signature.slice(66, 130)}`,
      v: Number.parseInt(signature.slice(130), 16),
    };
  };
}
