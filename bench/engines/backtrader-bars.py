"""The bars and the cross through backtrader, in memory and in its batch mode. Prints one line of JSON."""
import json
import sys
import time
from array import array
from datetime import datetime, timedelta, timezone

import backtrader as bt

RUNS = 3
CASH = 1e9


def column(folder, name):
    values = array("d")
    with open(f"{folder}/{name}.bin", "rb") as file:
        values.frombytes(file.read())
    return values


class Columns(bt.feed.DataBase):
    """Bars from columns in memory: less work than any feed from a file."""

    params = (("columns", None),)

    def start(self):
        super().start()
        self.at = 0

    def _load(self):
        times, opens, highs, lows, closes, volumes = self.p.columns
        at = self.at
        if at >= len(times):
            return False
        self.lines.datetime[0] = times[at]
        self.lines.open[0] = opens[at]
        self.lines.high[0] = highs[at]
        self.lines.low[0] = lows[at]
        self.lines.close[0] = closes[at]
        self.lines.volume[0] = volumes[at]
        self.lines.openinterest[0] = 0
        self.at = at + 1
        return True


class Cross(bt.Strategy):
    """Long above the mean, flat below it; not asked at the bar at whose open an order was filled."""

    params = (("window", 30),)

    def __init__(self):
        self.mean = bt.indicators.SMA(self.data.close, period=self.p.window)
        self.held = 0
        self.trades = 0

    def next(self):
        size = self.position.size
        if size != self.held:
            self.held = size
            self.trades += size
            return
        last = self.data.close[0]
        if size == 0:
            if last > self.mean[0]:
                self.buy(size=1)
        elif last < self.mean[0]:
            self.close()


def run(columns, window):
    cerebro = bt.Cerebro(stdstats=False)
    cerebro.adddata(Columns(columns=columns, timeframe=bt.TimeFrame.Minutes))
    cerebro.addstrategy(Cross, window=window)
    cerebro.broker.setcash(CASH)
    began = time.perf_counter()
    (strategy,) = cerebro.run(runonce=True, preload=True)
    seconds = time.perf_counter() - began
    return seconds, strategy.trades, cerebro.broker.getvalue() - CASH


def main():
    folder, window = sys.argv[1], int(sys.argv[2])
    begin = datetime(1970, 1, 1, tzinfo=timezone.utc)
    times = [
        bt.date2num((begin + timedelta(microseconds=us)).replace(tzinfo=None))
        for us in column(folder, "openUs")
    ]
    prices = [column(folder, name) for name in ("open", "high", "low", "close", "volume")]
    seconds, trades, profit = [], 0, 0.0
    for _ in range(RUNS):
        took, trades, profit = run([times, *prices], window)
        seconds.append(took)
    print(
        json.dumps(
            {
                "engine": "backtrader",
                "bars": len(times),
                "seconds": seconds,
                "trades": int(trades),
                "profitTicks": profit,
            }
        )
    )


main()
