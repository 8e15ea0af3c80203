// Loads what is installed in this folder; names resolve from here, not from the framework.

/** The namespace of an installed package. */
export const load = (name) => import(name);

/** ccxt's own order book of its WebSocket feeds, which its front door does not export. */
export const loadCcxtOrderBook = () => import(new URL('./src/base/ws/OrderBook.js', import.meta.resolve('ccxt')).href);
