/**
 * @module
 * The limits that the interface document names (openapi.yaml), and those it does not show: own choices, x-assumed in
 * openapi.yaml. Operators can change budgets, so none of the assumed ones is a guarantee (obligation O114).
 */

/** Subscriptions one connection may hold (openapi.yaml). */
export const SUBSCRIPTIONS_PER_CONNECTION_MAX = 200;
/** A connection without a client frame for this long is closed; server frames do not count. */
export const IDLE_CLOSE_MS = 60_000;
/** How often a client should ping. */
export const PING_INTERVAL_MS = 20_000;
/** Levels of the `book` channel when none are asked for. */
export const BOOK_DEPTH_DEFAULT = 20;
/** The most levels of the `book` channel; of the REST book too (own choice). */
export const BOOK_DEPTH_MAX = 100;
/** The length of a rate-limit window. */
export const RATE_WINDOW_MS = 60_000;
/** What a 429 may ask to wait at most (obligation O117). */
export const RETRY_AFTER_MS_MAX = 60_000;

/** Entries on a history page when no limit is asked for (exchange.md#streams). */
export const PAGE_LIMIT_DEFAULT = 200;
/** The most entries on a history page (exchange.md#streams). */
export const PAGE_LIMIT_MAX = 1000;
/** The newest trades that REST shows (exchange.md#resources). */
export const TRADES_MAX = 200;
/** The most candles in one answer (own choice). */
export const CANDLES_MAX = 1000;
/** Placements, and likewise cancels, in one write (own choice: the kernel has no limit, exchange.md#market-rules). */
export const BATCH_ITEMS_MAX = 200;
/** The longest client order id (own choice). */
export const CLIENT_ORDER_ID_LENGTH_MAX = 64;
/** Decimals of collateral amounts: USDC uses 6 (openapi.yaml). Shares of vaults count alike (own choice). */
export const COLLATERAL_DECIMALS_DEFAULT = 6;
/** The longest name of a vault, in characters (own choice). */
export const VAULT_NAME_LENGTH_MAX = 32;
/** The greatest leverage that a vault can be held to (own choice). */
export const VAULT_LEVERAGE_MAX = 1_000;
