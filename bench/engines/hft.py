"""
The market and the rule through hftbacktest with its fast depth, an array over the prices of the market.
`hft.py make <columns> <rule> <events>` writes the market in its file format; `hft.py run <events> <rule> <runs>` replays
it so many times in this process, compiled first where there are several, and prints one line of JSON.
"""
import json
import sys
import time

import numpy as np
from hftbacktest import BUY, GTX, LIMIT, BacktestAsset, ROIVectorMarketDepthBacktest
from hftbacktest.types import (
    BUY_EVENT,
    DEPTH_CLEAR_EVENT,
    DEPTH_EVENT,
    EXCH_EVENT,
    LOCAL_EVENT,
    SELL_EVENT,
    TRADE_EVENT,
    event_dtype,
)
from numba import njit


def market(folder, rule):
    """Rows of the tape as events; both sides of the wire see them, the local one a latency later."""
    column = lambda name, kind: np.fromfile(f"{folder}/{name}.bin", dtype=kind)
    kind = column("kind", "<u1")
    names = {1: DEPTH_EVENT | BUY_EVENT, 2: DEPTH_EVENT | SELL_EVENT, 3: TRADE_EVENT | BUY_EVENT,
             4: TRADE_EVENT | SELL_EVENT, 5: DEPTH_CLEAR_EVENT}
    events = np.zeros(len(kind), dtype=event_dtype)
    for number, name in names.items():
        events["ev"][kind == number] = name | EXCH_EVENT | LOCAL_EVENT
    events["exch_ts"] = column("exchangeUs", "<f8").astype("<i8") * 1_000
    events["local_ts"] = events["exch_ts"] + rule["latencyMs"] * 1_000_000
    events["px"] = column("price", "<u4") / 10 ** rule["priceDecimals"]
    events["qty"] = column("size", "<f8") / 10 ** rule["sizeDecimals"]
    return events


@njit
def follow(hbt, period, size, position_max):
    order_id = 1
    orders_sent = 0
    while True:
        code = hbt.elapse(period)
        if code != 0:
            return orders_sent if code == 1 else -code
        hbt.clear_inactive_orders(0)
        depth = hbt.depth(0)
        bid_tick = depth.best_bid_tick
        ask_tick = depth.best_ask_tick
        if depth.best_bid != depth.best_bid or depth.best_ask != depth.best_ask:
            continue
        position = hbt.position(0)
        want_bid = position + size <= position_max + 1e-9
        want_ask = position - size >= -position_max - 1e-9
        has_bid = False
        has_ask = False
        orders = hbt.orders(0)
        values = orders.values()
        while values.has_next():
            order = values.get()
            if order.side == BUY:
                if want_bid and order.price_tick == bid_tick and abs(order.leaves_qty - size) < 1e-9:
                    has_bid = True
                elif order.cancellable:
                    hbt.cancel(0, order.order_id, False)
            else:
                if want_ask and order.price_tick == ask_tick and abs(order.leaves_qty - size) < 1e-9:
                    has_ask = True
                elif order.cancellable:
                    hbt.cancel(0, order.order_id, False)
        if want_bid and not has_bid:
            hbt.submit_buy_order(0, order_id, depth.best_bid, size, GTX, LIMIT, False)
            order_id += 1
            orders_sent += 1
        if want_ask and not has_ask:
            hbt.submit_sell_order(0, order_id, depth.best_ask, size, GTX, LIMIT, False)
            order_id += 1
            orders_sent += 1


def run(events, rule):
    scale = 10 ** rule["sizeDecimals"]
    latency = rule["latencyMs"] * 1_000_000
    prices = events["px"][events["px"] > 0]
    asset = (
        BacktestAsset()
        .data([events])
        .linear_asset(1.0)
        .constant_order_latency(latency, latency)
        .power_prob_queue_model(float(rule["queueExponent"]))
        # Its exchange with partial fills ends in an error (14) when a partly filled order is canceled.
        .no_partial_fill_exchange()
        .trading_value_fee_model(rule["makerFeePpm"] / 1e6, rule["takerFeePpm"] / 1e6)
        .tick_size(10 ** -rule["priceDecimals"])
        .lot_size(1 / scale)
        # The range of prices that its array covers: those of the market.
        .roi_lb(float(prices.min()))
        .roi_ub(float(prices.max()))
    )
    hbt = ROIVectorMarketDepthBacktest([asset])
    began = time.perf_counter()
    sent = follow(hbt, rule["periodMs"] * 1_000_000, rule["sizeLots"] / scale, rule["positionLotsMax"] / scale)
    took = time.perf_counter() - began
    if sent < 0:
        raise RuntimeError(f"hftbacktest ended with error {-sent}")
    state = hbt.state_values(0)
    result = {
        "engine": "hftbacktest",
        "orders": int(sent),
        "fills": int(state.num_trades),
        "volumeLots": round(float(state.trading_volume) * scale),
        "positionLots": round(float(state.position) * scale),
    }
    hbt.close()
    return took, result


mode, given, ruled, last = sys.argv[1:5]
rule = json.load(open(ruled))
if mode == "make":
    np.savez(last, data=market(given, rule))
else:
    events = np.load(given)["data"]
    # The first run compiles the rule.
    if int(last) > 1:
        run(events[:1_000].copy(), rule)
    seconds = []
    for _ in range(int(last)):
        took, result = run(events if int(last) == 1 else events.copy(), rule)
        seconds.append(took)
    print(json.dumps({**result, "rows": len(events), "seconds": seconds}))
