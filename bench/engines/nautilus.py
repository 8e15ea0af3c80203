"""
The market and the rule through NautilusTrader, with its queue position and its consumption of liquidity.
`nautilus.py make <columns> <rule> <catalog>` writes the market into its catalog; `nautilus.py run <catalog> <rule> <runs>`
replays it so many times in this process and prints one line of JSON.
"""
import json
import sys
import time
from datetime import timedelta
from decimal import Decimal

import numpy as np
from nautilus_trader.backtest.engine import BacktestEngine, BacktestEngineConfig
from nautilus_trader.backtest.models import FillModel, LatencyModel
from nautilus_trader.config import LoggingConfig, StrategyConfig
from nautilus_trader.model.currencies import BTC, USDT
from nautilus_trader.model.data import BookOrder, OrderBookDelta, TradeTick
from nautilus_trader.model.enums import (
    AccountType,
    AggressorSide,
    BookAction,
    BookType,
    OmsType,
    OrderSide,
    RecordFlag,
)
from nautilus_trader.model.identifiers import InstrumentId, Symbol, TradeId, Venue
from nautilus_trader.model.instruments import CryptoPerpetual
from nautilus_trader.model.objects import Money, Price, Quantity
from nautilus_trader.persistence.catalog import ParquetDataCatalog
from nautilus_trader.trading.strategy import Strategy

VENUE = Venue("SIM")


def instrument_of(rule):
    prices, sizes = rule["priceDecimals"], rule["sizeDecimals"]
    return CryptoPerpetual(
        instrument_id=InstrumentId(Symbol("BTCUSDT"), VENUE),
        raw_symbol=Symbol("BTCUSDT"),
        base_currency=BTC,
        quote_currency=USDT,
        settlement_currency=USDT,
        is_inverse=False,
        price_precision=prices,
        size_precision=sizes,
        price_increment=Price(10**-prices, prices),
        size_increment=Quantity(10**-sizes, sizes),
        margin_init=Decimal("0.05"),
        margin_maint=Decimal("0.03"),
        maker_fee=Decimal(rule["makerFeePpm"]) / 1_000_000,
        taker_fee=Decimal(rule["takerFeePpm"]) / 1_000_000,
        ts_event=0,
        ts_init=0,
    )


def market(folder, rule, instrument):
    """Rows of the tape as its objects; the strategy sees them a latency later."""
    column = lambda name, kind: np.fromfile(f"{folder}/{name}.bin", dtype=kind)
    kinds = column("kind", "<u1")
    times = column("exchangeUs", "<f8").astype("<i8") * 1_000
    prices = column("price", "<u4")
    sizes = column("size", "<f8").astype("<i8")
    ends = np.append(times[1:] != times[:-1], True)
    pd, sd = rule["priceDecimals"], rule["sizeDecimals"]
    data = []
    for at in range(len(kinds)):
        kind, ts = int(kinds[at]), int(times[at])
        flags = RecordFlag.F_LAST if ends[at] else 0
        if kind == 5:
            data.append(OrderBookDelta.clear(instrument.id, at, ts, ts))
            continue
        price = Price(int(prices[at]) / 10**pd, pd)
        size = Quantity(int(sizes[at]) / 10**sd, sd)
        if kind >= 3:
            side = AggressorSide.BUYER if kind == 3 else AggressorSide.SELLER
            data.append(TradeTick(instrument.id, price, size, side, TradeId(str(at)), ts, ts))
            continue
        action = BookAction.DELETE if sizes[at] == 0 else BookAction.UPDATE
        order = BookOrder(OrderSide.BUY if kind == 1 else OrderSide.SELL, price, size, 0)
        data.append(OrderBookDelta(instrument.id, action, order, flags, at, ts, ts))
    return data


class Follower(Strategy):
    """Each period: one bid at the best bid and one ask at the best ask, while the position allows."""

    def __init__(self, instrument, rule):
        super().__init__(StrategyConfig())
        self.instrument = instrument
        self.rule = rule
        scale = 10 ** rule["sizeDecimals"]
        self.size = instrument.make_qty(rule["sizeLots"] / scale)
        self.position_max = Decimal(rule["positionLotsMax"]) / scale
        self.sent = 0

    def on_start(self):
        self.subscribe_order_book_deltas(self.instrument.id, book_type=BookType.L2_MBP)
        self.clock.set_timer("round", timedelta(milliseconds=self.rule["periodMs"]), callback=self.on_round)

    def on_round(self, _event):
        book = self.cache.order_book(self.instrument.id)
        if book is None or book.best_bid_price() is None or book.best_ask_price() is None:
            return
        position = self.portfolio.net_position(self.instrument.id)
        self.side(OrderSide.BUY, book.best_bid_price(), position + self.size.as_decimal() <= self.position_max)
        self.side(OrderSide.SELL, book.best_ask_price(), position - self.size.as_decimal() >= -self.position_max)

    def side(self, side, price, is_wanted):
        has = False
        for order in self.cache.orders_open(instrument_id=self.instrument.id, side=side):
            if is_wanted and order.price == price and order.leaves_qty == self.size:
                has = True
            elif not order.is_pending_cancel:
                self.cancel_order(order)
        if self.cache.orders_inflight(instrument_id=self.instrument.id, side=side):
            return
        if is_wanted and not has:
            order = self.order_factory.limit(self.instrument.id, side, self.size, price, post_only=True)
            self.submit_order(order)
            self.sent += 1


def run(deltas, trades, rule, instrument):
    engine = BacktestEngine(BacktestEngineConfig(logging=LoggingConfig(log_level="OFF")))
    engine.add_venue(
        venue=VENUE,
        oms_type=OmsType.NETTING,
        account_type=AccountType.MARGIN,
        base_currency=None,
        starting_balances=[Money(1_000_000, USDT)],
        fill_model=FillModel(prob_fill_on_limit=1.0, prob_slippage=0.0, random_seed=7),
        latency_model=LatencyModel(rule["latencyMs"] * 1_000_000),
        book_type=BookType.L2_MBP,
        trade_execution=True,
        queue_position=True,
        liquidity_consumption=True,
    )
    engine.add_instrument(instrument)
    # One kind at a time: the engine looks at the first of a list alone.
    engine.add_data(deltas)
    engine.add_data(trades)
    strategy = Follower(instrument, rule)
    engine.add_strategy(strategy)
    began = time.perf_counter()
    engine.run()
    took = time.perf_counter() - began
    scale = 10 ** rule["sizeDecimals"]
    filled = [order for order in engine.cache.orders() if order.filled_qty > 0]
    fills = sum(len([event for event in order.events if type(event).__name__ == "OrderFilled"]) for order in filled)
    result = {
        "engine": "nautilus_trader",
        "orders": strategy.sent,
        "fills": fills,
        "volumeLots": round(sum(float(order.filled_qty) for order in filled) * scale),
        "positionLots": round(float(engine.portfolio.net_position(instrument.id)) * scale),
    }
    engine.dispose()
    return took, result


mode, given, ruled, last = sys.argv[1:5]
rule = json.load(open(ruled))
instrument = instrument_of(rule)
if mode == "make":
    data = market(given, rule, instrument)
    catalog = ParquetDataCatalog(last)
    catalog.write_data([instrument])
    catalog.write_data([one for one in data if isinstance(one, OrderBookDelta)])
    catalog.write_data([one for one in data if isinstance(one, TradeTick)])
else:
    catalog = ParquetDataCatalog(given)
    deltas, trades = catalog.order_book_deltas(), catalog.trade_ticks()
    seconds = []
    for _ in range(int(last)):
        took, result = run(deltas, trades, rule, instrument)
        seconds.append(took)
    print(json.dumps({**result, "rows": len(deltas) + len(trades), "seconds": seconds}))
