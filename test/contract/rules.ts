/**
 * The rules of the interface in our own words: each obligation of a correct client (O1 to O122) and each further rule of the
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
          'The operator supplies the base URL; every path begins with one `/v1/` after it, and the stream is `/v1/ws` under the same URL.',
      },
      { id: 'O2', words: 'The prefix of header names is configuration, not code.' },
      {
        id: 'O3',
        words:
          'Signing domain, chain id and tokens come from `/v1/exchange`; nothing is signed before it has been read.',
      },
      { id: 'O4', words: 'Precision and signing id of a market come from `/v1/markets`.' },
      {
        id: 'O5',
        words:
          'When version or domain change at run time, nothing is signed until both have been read again: the run ends, and the next run reads them.',
      },
      { id: 'O6', words: 'Prices, sizes and amounts never pass through a binary fraction.' },
      { id: 'O7', words: 'Integers above 2^53 keep every digit.' },
      {
        id: 'O8',
        words: 'A price or size that is no multiple of its step is denied, never rounded silently.',
      },
      { id: 'O9', words: 'An amount is scaled by the decimals of its own token.' },
      {
        id: 'O10',
        words:
          'A market that is not open, or whose status is unknown, is not traded, neither from the start nor after a change; its orders are still canceled.',
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
        words: 'Unknown fields and missing optional fields are tolerated; unknown enum values fail safe.',
      },
    ],
  ],
  [
    'Account selection and consistent reads',
    [
      { id: 'O15', words: 'Account reads name the main wallet, never the API wallet.' },
      { id: 'O16', words: 'A vault is selected by its id only, without address and subaccount.' },
      {
        id: 'O17',
        words: 'A 404 on an account means that it is still empty, and never sets a known position to zero.',
      },
      { id: 'O18', words: 'A read that must include a write carries that write’s commit position.' },
      { id: 'O19', words: 'A 412 is retried with the same header, with a bound.' },
      { id: 'O20', words: 'Commit positions are forgotten when the epoch changes.' },
      { id: 'O21', words: 'An order that is missing from the open orders is not proven to be rejected.' },
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
      { id: 'O27', words: 'After an unknown outcome the receipt is read; a new nonce proves nothing.' },
      { id: 'O28', words: 'An unknown outcome is resolved before a new nonce of the scope is used.' },
      {
        id: 'O29',
        words: 'A nonce that conflicted is not used again; an unexpected writer raises an alarm.',
      },
      { id: 'O30', words: 'After a 422 `nonceConsumed` decides the next nonce.' },
      {
        id: 'O31',
        words:
          'The nonce of an API wallet is read with address and signer, and the returned scope is checked.',
      },
      { id: 'O32', words: 'The signing account id is never sent in an address field.' },
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
      { id: 'O37', words: '`signer` is sent in requests of API wallets only.' },
      { id: 'O38', words: '`subaccount` is sent where it applies, and never with a vault.' },
      { id: 'O39', words: 'A vault write names the vault and the manager’s main wallet.' },
      { id: 'O40', words: 'The vault identity sends six operations only.' },
      { id: 'O41', words: 'An API wallet is never asked to withdraw, transfer or manage grants.' },
      { id: 'O42', words: 'Signatures are over the named struct, field by field; JSON is not the message.' },
      {
        id: 'O43',
        words: 'An API wallet signs the hash of the canonical bytes and the nonce of the envelope.',
      },
      { id: 'O44', words: 'JSON names the symbol, the struct names the signing id of the same market.' },
      { id: 'O45', words: 'No request, log, journal, message or error contains a private key.' },
      { id: 'O46', words: 'An expiry is sent only if the struct has one.' },
      { id: 'O47', words: '`nowMs` comes from the corrected clock, within half a second of the server.' },
      { id: 'O48', words: 'A bad signature stops the lane and names what to check; nothing is sent again.' },
      { id: 'O49', words: 'A missing or expired grant closes the lane permanently.' },
      { id: 'O50', words: 'The first write after an approval carries the approval’s commit position.' },
      { id: 'O51', words: 'Only the main wallet approves and revokes grants.' },
      { id: 'O52', words: 'Trading ends, with no open orders, before the grant expires.' },
      { id: 'O53', words: 'For a vault the grant must be on the account that claimed it.' },
      { id: 'O54', words: 'Vault deposits and redemptions carry the depositor’s signature.' },
      { id: 'O55', words: 'A vault trades after its claim, not before.' },
      { id: 'O56', words: 'The cause of a 403 is looked for; the request is not repeated.' },
    ],
  ],
  [
    'Write outcomes and receipts',
    [
      { id: 'O57', words: 'After an acknowledgement `sequenced` the receipt is always read.' },
      {
        id: 'O58',
        words:
          'Each item of a batch is matched by kind and index; if the counts disagree, the outcome is unknown.',
      },
      { id: 'O59', words: 'A 202 is polled and never sent again.' },
      { id: 'O60', words: '`pending` is polled without a time limit.' },
      {
        id: 'O61',
        words:
          'A final receipt is read by status and `nonceConsumed`; a rejection that consumed nothing is not final.',
      },
      {
        id: 'O62',
        words:
          'A receipt is requested with scope and nonce together, and with the command hash for API wallets.',
      },
      { id: 'O63', words: '`not_found` is true up to its watermark and closes nothing.' },
      { id: 'O64', words: '`conflict` proves that a request never executes.' },
      { id: 'O65', words: '`history_unavailable` proves nothing; the lane waits.' },
      { id: 'O66', words: 'A 5xx on a write is resolved by its receipt; a read may be repeated.' },
      { id: 'O67', words: 'A timeout, a reset or an incomplete answer is an unknown outcome.' },
      { id: 'O68', words: 'A 400 is not repeated unchanged.' },
      { id: 'O69', words: 'After a 421 the client returns to the base URL, never to a named node.' },
      { id: 'O70', words: 'Redirects of signed writes are not followed.' },
      { id: 'O71', words: 'The HTTP layer never repeats a POST.' },
      { id: 'O72', words: 'Decisions depend on codes and fields, not on messages.' },
      { id: 'O73', words: 'A 4xx without a well-formed code is an unknown outcome, not a rejection.' },
      { id: 'O74', words: 'Status, requestId and body of every answer without success are kept.' },
      {
        id: 'O75',
        words: 'The requestId is known before sending; if another one comes back, the lane stops.',
      },
    ],
  ],
  [
    'Trading',
    [
      { id: 'O76', words: 'No order is sent over the WebSocket.' },
      {
        id: 'O77',
        words:
          'Cancel-all cancels every order of the account: each strategy is notified of each order, and a read no older than the cancel proves that no order is open.',
      },
      {
        id: 'O78',
        words: 'The switch is armed before the first order rests, and renewed on every healthy heartbeat.',
      },
      { id: 'O79', words: 'A switch that fired is detected; nothing is quoted until it is armed again.' },
      { id: 'O80', words: 'Both the old and the new order of a replace are reserved until each is proven.' },
      { id: 'O81', words: '`open` keeps an order, `filled`, `canceled` and `expired` remove it.' },
      { id: 'O82', words: 'An order that ended stays ended.' },
      {
        id: 'O83',
        words:
          'All signed operations use the same lane, also those of conditional orders and of a main wallet.',
      },
      {
        id: 'O84',
        words: 'If the switch fires while a position is open, the operator is notified immediately.',
      },
    ],
  ],
  [
    'WebSocket',
    [
      { id: 'O85', words: 'Frames are JSON text; unsubscribing repeats the parameters.' },
      {
        id: 'O86',
        words:
          'An acknowledgement is matched by id and parameters, and its epoch is kept; a missing one is requested again.',
      },
      { id: 'O87', words: 'An error frame leaves the connection open.' },
      {
        id: 'O88',
        words: 'A connection carries at most 200 subscriptions; more are spread over several connections.',
      },
      { id: 'O89', words: 'A ping is sent every 20 s, whatever arrives.' },
      { id: 'O90', words: 'A half-open connection is detected by its missing pong.' },
      { id: 'O91', words: 'No data of a snapshot channel is used before its snapshot.' },
      {
        id: 'O92',
        words: 'Coalesced channels do not show every state, and no state is assumed to be missing.',
      },
      { id: 'O93', words: 'A snapshot of orders replaces them all; later events are applied by order id.' },
      { id: 'O94', words: 'A candle frame replaces its bar.' },
      { id: 'O95', words: 'A jump of `seq` is not a loss.' },
      { id: 'O96', words: 'A frame of another epoch leads to a rebuild.' },
      { id: 'O97', words: 'Cursors are kept per channel, in one transaction with their effects.' },
      {
        id: 'O98',
        words: 'After `lagged`, snapshot state is stale until the next snapshot; quoting pauses.',
      },
      {
        id: 'O99',
        words: 'A backfill requests fills and ledger after the last id, with the frame’s epoch and bound.',
      },
      { id: 'O100', words: 'Pages are followed with fixed bounds to the end.' },
      { id: 'O101', words: '`not yet complete` is requested again with the same bounds.' },
      { id: 'O102', words: 'Backfill and live frames are joined by id.' },
      { id: 'O103', words: 'The boundary covers fills and ledger only; everything else is read again.' },
      { id: 'O104', words: 'Repeated lags lose nothing and keep memory bounded.' },
      { id: 'O105', words: 'Without a cursor the first page is requested without `after`.' },
      { id: 'O106', words: 'Later pages carry `after`, epoch and bound.' },
      { id: 'O107', words: 'A mismatch of epochs invalidates the cursors.' },
      {
        id: 'O108',
        words: 'After a disconnect everything is subscribed again; the same epoch keeps the cursors.',
      },
      {
        id: 'O109',
        words:
          'After a reconnect the history is backfilled past the point at which the new connection began.',
      },
      { id: 'O110', words: 'Ids and bounds are compared as numbers, part by part.' },
      { id: 'O111', words: 'The client refuses a depth or interval outside of the allowed values.' },
    ],
  ],
  [
    'Budgets',
    [
      { id: 'O112', words: 'Every request is charged to the budget of the IP address it comes from.' },
      { id: 'O113', words: 'Signed writes are also charged to the main wallet.' },
      { id: 'O114', words: 'Pacing follows the headers, not built-in numbers.' },
      {
        id: 'O115',
        words: 'After a 429 no request of its bucket is sent for the stated time, then one probe is sent.',
      },
      { id: 'O116', words: 'A reserve is kept for receipts, cancels and the switch.' },
      { id: 'O117', words: '`retry-after` is read as seconds or a date, and bounded.' },
      { id: 'O118', words: 'Reads are retried with jitter, bounded, once per resource.' },
    ],
  ],
  [
    'Epochs, ownership and approvals',
    [
      {
        id: 'O119',
        words: 'The epoch is recorded before a write is sent; a receipt of another epoch proves nothing.',
      },
      { id: 'O120', words: 'Events of unknown orders wait for the write that could own them.' },
      { id: 'O121', words: 'An API wallet serves one bot and one account.' },
      { id: 'O122', words: 'The first write after an approval is harmless and uses up a nonce.' },
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
          'The checks run in this order: signature, ownership, registration, scope, validity, nonce, business rules.',
      },
      {
        id: 'GW-NONCE-STRICT',
        words:
          'Only the next nonce of the scope is accepted; stale and skipped nonces leave the counter unchanged.',
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
          'The same signed request, received again, is answered with its first outcome and not executed again.',
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
        words: 'A replace is one log entry: all cancels, then all places; items fail independently.',
      },
      {
        id: 'GW-SWITCH',
        words:
          'schedule-cancel takes an absolute time, cancels every open order of the account at that time, and is cleared by 0.',
      },
      {
        id: 'GW-GRANT',
        words:
          'A grant is approved, revoked or expires; later use is rejected with `UnknownAgent` or `AgentExpired`.',
      },
    ],
  ],
  [
    'Reads at the exchange',
    [
      {
        id: 'GW-MIN-SEQ',
        words:
          'A read whose state is older than the requested position waits a bounded time, then ends in 412.',
      },
      {
        id: 'GW-PAGES',
        words: 'The first page gives epoch and bound; later pages need both, and a wrong epoch is 409.',
      },
      { id: 'GW-NOT-COMPLETE', words: 'History that is not written yet is 400 with `not yet complete`.' },
      {
        id: 'GW-RATE',
        words:
          'Budgets are fixed windows of 60 s with weights; headers report them, and a 429 names its bucket.',
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
        words: 'A subscriber that falls behind is notified how much was dropped, with epoch and bound.',
      },
      {
        id: 'GW-WS-ERROR',
        words: 'A bad frame is answered with an error frame and the connection stays open.',
      },
      { id: 'GW-WS-IDLE', words: 'A connection without a client frame for 60 s is closed.' },
      { id: 'GW-WS-LIMIT', words: 'More than 200 subscriptions on a connection are refused.' },
      { id: 'GW-WS-DEPTH', words: 'Depth is from 1 to 100, by default 20.' },
    ],
  ],
  [
    'Vaults, liquidation, conditional orders and fees',
    [
      { id: 'GW-VAULTS', words: 'Vault reads and writes.' },
      {
        id: 'GW-LIQUIDATION',
        words:
          'An account below its maintenance margin is closed with the next block; accounts and ledgers balance, whichever account pays.',
      },
      {
        id: 'GW-STATUS',
        words:
          'A market that is not Active accepts no orders but cancels; FinalSettlement settles its positions in cash.',
      },
      {
        id: 'GW-TWAP',
        words:
          'TWAP orders: slices at block boundaries, listed among the open orders, canceled like any other order.',
      },
      {
        id: 'GW-TPSL',
        words:
          'Take-profit and stop-loss: at most one leg fires; they follow the position, or the fills of a parent order.',
      },
      {
        id: 'GW-TRIGGER',
        words:
          'A trigger order waits for the index price, checked with each block; it cannot be part of a batch.',
      },
      {
        id: 'GW-DEXES',
        words:
          'Builder dexes: listed, found by id, with a higher taker fee, which is paid to their deployer.',
      },
      {
        id: 'GW-BUILDERS',
        words: 'A builder that an order names is paid in addition; its summary reports what it earned.',
      },
      {
        id: 'GW-FEES',
        words: 'The fee schedule has base rates and tiers; an account shows its own tier.',
      },
      { id: 'GW-PORTFOLIO', words: 'Account value and profit history.' },
    ],
  ],
];
