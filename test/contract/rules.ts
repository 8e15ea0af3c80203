/**
 * The contract in our own words: each obligation of a correct client (O1 to O122) and each further rule of the
 * interface (GW-...). Tests cite an id; `scripts/interface-rules.ts` finds them and writes docs/reference/interface-rules.md.
 */

export interface Rule {
  readonly id: string;
  readonly words: string;
  /** What is not there yet, if anything. */
  readonly open?: string;
}

/** Obligations of a correct client, by group. */
export const OBLIGATIONS: readonly (readonly [string, readonly Rule[]])[] = [
  [
    'Environment, numbers, encoding',
    [
      {
        id: 'O1',
        words:
          'The operator supplies the base URL; every path has one `/v1/` behind it, the stream is `/v1/ws` of the same place.',
      },
      { id: 'O2', words: 'The prefix of header names is configuration, not code.' },
      {
        id: 'O3',
        words:
          'Signing domain, chain id and tokens come from `/v1/exchange`; nothing is signed before that was read.',
      },
      { id: 'O4', words: 'Precision and signing id of a market come from `/v1/markets`.' },
      {
        id: 'O5',
        words:
          'When version or domain change at run time, nothing is signed until both are read anew: the run ends, and the next one reads them.',
      },
      { id: 'O6', words: 'Prices, sizes and amounts never pass through a binary fraction.' },
      { id: 'O7', words: 'Integers above 2^53 keep every digit.' },
      { id: 'O8', words: 'A price or size that is off its step is denied, never rounded in silence.' },
      { id: 'O9', words: 'An amount is scaled by the decimals of its own token.' },
      {
        id: 'O10',
        words:
          'A market that is not open, or whose status is not known, is not traded, from the start or from some moment on; its orders are still canceled.',
      },
      {
        id: 'O11',
        words:
          'The offset to server time is kept from `/v1/time` and from pongs; timers run on monotonic time.',
      },
      { id: 'O12', words: 'Path segments and query values are URL-encoded.' },
      { id: 'O13', words: 'Reads and the stream carry no credential.' },
      {
        id: 'O14',
        words: 'Unknown fields are tolerated, missing optional ones too; unknown words fail safe.',
      },
    ],
  ],
  [
    'Account selection and consistent reads',
    [
      { id: 'O15', words: 'Account reads name the main wallet, never the API wallet.' },
      { id: 'O16', words: 'A vault is selected alone, without address and subaccount.' },
      { id: 'O17', words: 'A 404 on an account means empty so far and never zeroes a known position.' },
      { id: 'O18', words: 'A read that must include a write carries that write’s commit position.' },
      { id: 'O19', words: 'A 412 is retried with the same header, with a bound.' },
      { id: 'O20', words: 'Commit positions are forgotten when the epoch changes.' },
      { id: 'O21', words: 'An order that is not found among open orders is not thereby rejected.' },
      { id: 'O22', words: 'Both listings of grants must agree with the configuration before a run starts.' },
      { id: 'O23', words: 'The greatest commit position per epoch is kept, whatever order answers come in.' },
    ],
  ],
  [
    'Nonces',
    [
      { id: 'O24', words: 'One counter per scope: account, API wallet, vault.' },
      { id: 'O25', words: 'Nonces count up by one; they are no timestamps.' },
      { id: 'O26', words: 'A scope has one writer that also fixes the order of submission.' },
      { id: 'O27', words: 'After an unknown outcome the receipt is asked; a fresh nonce proves nothing.' },
      { id: 'O28', words: 'An unknown outcome is settled before a new nonce of the scope is used.' },
      { id: 'O29', words: 'A nonce that conflicted is not used again; a foreign writer raises an alarm.' },
      { id: 'O30', words: 'After a 422 `nonceConsumed` decides about the next nonce.' },
      {
        id: 'O31',
        words:
          'The nonce of an API wallet is read with address and signer, and the scope that comes back is checked.',
      },
      { id: 'O32', words: 'The signing account id never stands in an address field.' },
      { id: 'O33', words: 'Vault writes of a main wallet use the vault’s own nonce and id.' },
      {
        id: 'O34',
        words: 'At the start every write without an outcome is resolved before the first new one.',
      },
      { id: 'O35', words: 'A scope is locked against a second process on this machine.' },
    ],
  ],
  [
    'Envelope, signing, grants, vaults',
    [
      { id: 'O36', words: 'Every signed write has account, nonce and signature.' },
      { id: 'O37', words: '`signer` stands on requests of API wallets and on no other.' },
      { id: 'O38', words: '`subaccount` stands where it applies and never beside a vault.' },
      { id: 'O39', words: 'A vault write names the vault and the manager’s main wallet.' },
      { id: 'O40', words: 'The vault identity does six operations and no more.' },
      { id: 'O41', words: 'An API wallet is never asked to withdraw, transfer or manage grants.' },
      { id: 'O42', words: 'Signatures are over the named struct, field by field; JSON is not the message.' },
      {
        id: 'O43',
        words: 'An API wallet signs the hash of the canonical bytes and the nonce of the envelope.',
      },
      { id: 'O44', words: 'JSON names the symbol, the struct the signing id of the same market.' },
      { id: 'O45', words: 'A private key is in no request, log, journal, message or error.' },
      { id: 'O46', words: 'An expiry is sent only where the struct has one.' },
      { id: 'O47', words: '`nowMs` comes from the corrected clock, within half a second of the server.' },
      { id: 'O48', words: 'A bad signature stops the lane and names what to check; nothing is repeated.' },
      { id: 'O49', words: 'A missing or expired grant closes the lane for good.' },
      { id: 'O50', words: 'The first write after an approval carries the approval’s commit position.' },
      { id: 'O51', words: 'Grants are approved and revoked by the main wallet alone.' },
      { id: 'O52', words: 'Trading ends, with an empty book, before the grant does.' },
      { id: 'O53', words: 'For a vault the grant must be on the account that claimed it.' },
      { id: 'O54', words: 'Vault deposits and redemptions carry the participant’s signature.' },
      { id: 'O55', words: 'A vault trades after its claim, not before.' },
      { id: 'O56', words: 'A 403 is looked into, not repeated.' },
    ],
  ],
  [
    'Write outcomes and receipts',
    [
      { id: 'O57', words: 'An acknowledgement `sequenced` is always followed by the receipt.' },
      {
        id: 'O58',
        words:
          'Each item of a batch is matched by kind and index; counts that disagree make the outcome unknown.',
      },
      { id: 'O59', words: 'A 202 is polled and never sent again.' },
      { id: 'O60', words: '`pending` is waited for, however long.' },
      {
        id: 'O61',
        words:
          'A final receipt is read by status and `nonceConsumed`; a rejection that consumed nothing is not final.',
      },
      {
        id: 'O62',
        words: 'A receipt is asked with scope and nonce together, and with the command hash for API wallets.',
      },
      { id: 'O63', words: '`not_found` holds up to its watermark and closes nothing.' },
      { id: 'O64', words: '`conflict` proves that a request never executes.' },
      { id: 'O65', words: '`history_unavailable` says nothing; the lane waits.' },
      { id: 'O66', words: 'A 5xx on a write is resolved, on a read it may be repeated.' },
      { id: 'O67', words: 'A timeout, a reset or half an answer is unknown.' },
      { id: 'O68', words: 'A 400 is not repeated letter by letter.' },
      { id: 'O69', words: 'A 421 leads back to the base URL, never to a named node.' },
      { id: 'O70', words: 'Redirects of signed writes are not followed.' },
      { id: 'O71', words: 'The HTTP layer never repeats a POST.' },
      { id: 'O72', words: 'Decisions rest on codes and fields, not on messages.' },
      { id: 'O73', words: 'A 4xx without a well-formed code is unknown, not rejected.' },
      { id: 'O74', words: 'Status, requestId and body of what is not a success are kept.' },
      { id: 'O75', words: 'The requestId is known before sending; another one coming back stops the lane.' },
    ],
  ],
  [
    'Trading',
    [
      { id: 'O76', words: 'No order goes over the WebSocket.' },
      {
        id: 'O77',
        words:
          'Cancel-all empties the account: every strategy is told of each order; the empty book at the end is proven by a read no older than the cancel.',
      },
      {
        id: 'O78',
        words: 'The switch is armed before the first order rests and on every healthy heartbeat.',
      },
      { id: 'O79', words: 'A switch that fired is recognized; nothing is quoted until it is armed again.' },
      { id: 'O80', words: 'Old and new of a replace are both reserved until each is proven.' },
      { id: 'O81', words: '`open` keeps an order, `filled`, `canceled` and `expired` remove it.' },
      { id: 'O82', words: 'An order that ended stays ended.' },
      {
        id: 'O83',
        words:
          'All signed operations go through the same lane, those of orders that wait and of a main wallet too.',
      },
      { id: 'O84', words: 'After the switch fired with a position open, the operator is told at once.' },
    ],
  ],
  [
    'WebSocket',
    [
      { id: 'O85', words: 'Frames are JSON text; unsubscribing repeats the parameters.' },
      {
        id: 'O86',
        words:
          'An acknowledgement is matched by id and parameters, its epoch is kept; a missing one is asked for again.',
      },
      { id: 'O87', words: 'An error frame leaves the connection open.' },
      {
        id: 'O88',
        words: 'A connection carries 200 subscriptions at the most; more are spread over several.',
      },
      { id: 'O89', words: 'A ping goes out every 20 s, whatever comes in.' },
      { id: 'O90', words: 'A half-open connection is found by its missing pong.' },
      { id: 'O91', words: 'Nothing of a snapshot channel is used before its snapshot.' },
      { id: 'O92', words: 'Coalesced channels do not show every state, and none is missed.' },
      { id: 'O93', words: 'A snapshot of orders replaces them all; later events are applied by order id.' },
      { id: 'O94', words: 'A candle frame replaces its bar.' },
      { id: 'O95', words: 'A jump of `seq` is no loss.' },
      { id: 'O96', words: 'A frame of another epoch leads to a rebuild.' },
      { id: 'O97', words: 'Cursors are kept per channel, in one transaction with their effects.' },
      {
        id: 'O98',
        words: 'After `lagged`, snapshot state is stale until the next snapshot; quoting pauses.',
      },
      {
        id: 'O99',
        words: 'A backfill asks fills and ledger from the last id, with the frame’s epoch and bound.',
      },
      { id: 'O100', words: 'Pages are followed with fixed bounds to the end.' },
      { id: 'O101', words: '`not yet complete` is asked again with the same bounds.' },
      { id: 'O102', words: 'Backfill and live frames are joined by id.' },
      { id: 'O103', words: 'The boundary covers fills and ledger alone; the rest is read anew.' },
      { id: 'O104', words: 'Lag upon lag loses nothing and keeps memory bounded.' },
      { id: 'O105', words: 'Without a cursor the first page is asked without `after`.' },
      { id: 'O106', words: 'Later pages carry `after`, epoch and bound.' },
      { id: 'O107', words: 'A mismatch of epochs voids the cursors.' },
      {
        id: 'O108',
        words: 'After a disconnect everything is subscribed again; the same epoch keeps the cursors.',
      },
      {
        id: 'O109',
        words: 'The seam of a reconnect is backfilled past the point where the new connection began.',
      },
      { id: 'O110', words: 'Ids and bounds are compared as numbers, part by part.' },
      { id: 'O111', words: 'Depth and interval outside their sets are refused here.' },
    ],
  ],
  [
    'Budgets',
    [
      { id: 'O112', words: 'Every request is charged to the budget of the address it comes from.' },
      { id: 'O113', words: 'Signed writes are charged to the main wallet besides.' },
      { id: 'O114', words: 'Pacing follows the headers, not built-in numbers.' },
      { id: 'O115', words: 'After a 429 its bucket is silent for the stated time, then one probe goes out.' },
      { id: 'O116', words: 'A reserve is kept for receipts, cancels and the switch.' },
      { id: 'O117', words: '`retry-after` is read as seconds or a date, and bounded.' },
      { id: 'O118', words: 'Reads are retried with jitter, bounded, once per resource.' },
    ],
  ],
  [
    'Seams between the parts',
    [
      { id: 'O119', words: 'The epoch is noted before a send; a receipt of another epoch proves nothing.' },
      { id: 'O120', words: 'Events of orders not known yet wait for the write that could own them.' },
      { id: 'O121', words: 'An API wallet serves one bot and one account.' },
      { id: 'O122', words: 'The first write after an approval is harmless and spends a nonce.' },
    ],
  ],
];

/** Rules of the interface document that are about the exchange or are not among the obligations. */
export const INTERFACE_RULES: readonly (readonly [string, readonly Rule[]])[] = [
  [
    'Writes at the exchange',
    [
      {
        id: 'GW-SIGN-ORDER',
        words:
          'Signature, ownership, registration, scope, validity, nonce and business are checked in this order.',
      },
      {
        id: 'GW-NONCE-STRICT',
        words: 'Only the next nonce of the scope is taken; stale and skipped ones leave the counter alone.',
      },
      {
        id: 'GW-NONCE-CONSUMED',
        words: 'A business rejection consumes the nonce, a refusal before it does not.',
      },
      {
        id: 'GW-NONCE-SURVIVES',
        words: 'The counter of an API wallet survives revoking and approving again.',
      },
      {
        id: 'GW-DUPLICATE',
        words:
          'The same signed request seen again is answered with its first outcome and not executed again.',
      },
      { id: 'GW-ACK', words: '`ack=sequenced` answers 202 with the requestId; `ack=result` waits.' },
      {
        id: 'GW-RECEIPT',
        words: 'A receipt is pending, executed or rejected; 404, 409 and 503 carry their details.',
      },
      {
        id: 'GW-ITEMS',
        words: 'Every item of a batch has its own outcome; cancels and places are numbered separately.',
      },
      {
        id: 'GW-REPLACE',
        words: 'A replace is one log entry: all cancels, then all places; items fail alone.',
      },
      {
        id: 'GW-SWITCH',
        words:
          'schedule-cancel takes an absolute time, cancels every open order of the account then, and is cleared by 0.',
      },
      {
        id: 'GW-GRANT',
        words:
          'A grant is approved, revoked or expires; later use is named `UnknownAgent` or `AgentExpired`.',
      },
    ],
  ],
  [
    'Reads at the exchange',
    [
      { id: 'GW-MIN-SEQ', words: 'A read behind the asked position waits a bounded time, then ends in 412.' },
      {
        id: 'GW-PAGES',
        words: 'The first page gives epoch and bound; later pages need both, and a wrong epoch is 409.',
      },
      { id: 'GW-NOT-COMPLETE', words: 'History that is not written yet is 400 with `not yet complete`.' },
      {
        id: 'GW-RATE',
        words: 'Budgets are fixed windows of 60 s with weights; headers tell them, a 429 names its bucket.',
      },
      { id: 'GW-ERROR', words: 'Every error has code, num and message.' },
      { id: 'GW-404', words: 'An account or an object that does not exist is 404.' },
    ],
  ],
  [
    'Stream at the exchange',
    [
      {
        id: 'GW-WS-ACK',
        words: 'subscribe and unsubscribe are acknowledged with the id; subscribed carries the epoch.',
      },
      {
        id: 'GW-WS-SNAPSHOT',
        words: 'Six channels begin with a snapshot; five of them then send changes per block.',
      },
      { id: 'GW-WS-ORDERS', words: 'Order events follow the snapshot one by one.' },
      {
        id: 'GW-WS-LAGGED',
        words: 'A subscriber that falls behind is told how much was dropped, with epoch and bound.',
      },
      { id: 'GW-WS-ERROR', words: 'A bad frame gets an error frame and the connection stays.' },
      { id: 'GW-WS-IDLE', words: 'A connection without a client frame for 60 s is closed.' },
      { id: 'GW-WS-LIMIT', words: 'More than 200 subscriptions on a connection are refused.' },
      { id: 'GW-WS-DEPTH', words: 'Depth runs from 1 to 100 and is 20 unless said otherwise.' },
    ],
  ],
  [
    'Orders, fees and funds of their own kind',
    [
      { id: 'GW-VAULTS', words: 'Vault reads and writes.' },
      {
        id: 'GW-LIQUIDATION',
        words:
          'An account below its maintenance margin is closed with the next block; books and ledgers balance whoever pays.',
      },
      {
        id: 'GW-STATUS',
        words:
          'A market that is not Active takes no orders and lets them be canceled; FinalSettlement settles its positions in cash.',
      },
      {
        id: 'GW-TWAP',
        words:
          'Time-weighted orders: slices at block boundaries, seen among the open orders, canceled like any other.',
      },
      {
        id: 'GW-TPSL',
        words:
          'Take-profit and stop-loss: one leg at most fires; they follow the position, or what a parent order trades.',
      },
      {
        id: 'GW-TRIGGER',
        words:
          'An order with a trigger waits for the index price, looked at with each block; it stands alone.',
      },
      {
        id: 'GW-DEXES',
        words: 'Builder dexes: listed, found by id, dearer for takers, paid to their deployer.',
      },
      {
        id: 'GW-BUILDERS',
        words: 'A builder that an order names is paid on top; its summary tells what it earned.',
      },
      {
        id: 'GW-FEES',
        words: 'The fee schedule has base rates and tiers; an account says which is its own.',
      },
      { id: 'GW-PORTFOLIO', words: 'Account value and profit history.' },
    ],
  ],
];
