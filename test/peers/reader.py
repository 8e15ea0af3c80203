"""Figures of a run from its exported files alone: the tables of its record and the rows of its tape or of its funding.

reader.py <folder of the record> <rows.parquet | funding.csv>

Nothing of ballast is used. Amounts are integers in quantums; sums of fractions go from the first row to the last.
"""

import csv
import gzip
import json
import math
import sys
from datetime import datetime
from decimal import Decimal
from pathlib import Path

HORIZONS = (100, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000)
YEAR_MS = 365 * 86_400_000


def table(path):
    with gzip.open(path, "rt", newline="") as file:
        return list(csv.DictReader(file))


def number(text):
    return math.nan if text == "" else float(text)


def settlements_of_tape(path, market):
    """(time in us, rate in ppb, price in ticks) of each settlement, and the last mark in ticks."""
    import polars

    rows = polars.read_parquet(path)
    ticks = lambda price: int(price.scaleb(market["priceDecimals"]))
    settled = rows.filter(polars.col("kind") == "fundingSettled").select("exchangeUs", "size", "price").rows()
    marks = rows.filter(polars.col("kind") == "mark").select("price").rows()
    return [(us, int(size), ticks(price)) for us, size, price in settled], ticks(marks[-1][0])


def settlements_of_csv(path, samples):
    """Of bars: the price is the last close that is known at the settlement."""
    made = []
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            at_ms = round(datetime.fromisoformat(row["time"]).timestamp() * 1_000)
            rate = int(Decimal(row["funding_rate"]).scaleb(9))
            known = [one["mid"] for one in samples if float(one["at_ms"]) <= at_ms]
            if at_ms <= float(samples[-1]["at_ms"]):
                made.append((at_ms * 1_000, rate, int(float(known[-1]))))
    return made, int(float(samples[-1]["mid"]))


def returns_of(samples, period_ms):
    """Returns over the longest period of a day, an hour, a minute, a second that gives at least 100."""
    times = [float(row["at_ms"]) for row in samples]
    equity = [float(row["equity"]) for row in samples]
    span = times[-1] - times[0]

    def ends(length):
        last = {math.ceil(ms / length): at for at, ms in enumerate(times)}
        return sorted({0, *last.values()})

    lengths = [one for one in (86_400_000, 3_600_000, 60_000, 1_000) if one >= period_ms]
    whole = lambda one: min(len(ends(one)) - 1, span / one)
    length = next((one for one in lengths if whole(one) >= 100), lengths[-1])
    places = ends(length)
    values = [equity[b] / equity[a] - 1 for a, b in zip(places, places[1:])]
    return values, len(values) * YEAR_MS / span, length


def sharpe_of(values, per_year):
    mean = sum(values) / len(values)
    squares = sum((value - mean) ** 2 for value in values)
    return mean / math.sqrt(squares / (len(values) - 1)) * math.sqrt(per_year)


def drawdown_of(samples):
    """The deepest fall as a fraction of the peak before it, and the deepest one in quantums."""
    equity = [int(float(row["equity"])) for row in samples]
    peak, amount, deepest = equity[0], 0, 0.0
    for value in equity:
        peak = max(peak, value)
        amount = max(amount, peak - value)
        deepest = min(deepest, (value - peak) / peak)
    return deepest, amount


def role_of(fills, role, per_tick_lot):
    chosen = [fill for fill in fills if fill["role"] == role]
    notional = lambda fill: int(fill["price_ticks"]) * int(fill["size_lots"]) * per_tick_lot
    markouts = []
    for horizon in HORIZONS:
        known = [one for one in chosen if one[f"mid_{horizon}_ms"] != "" and one["mid_ticks"] != ""]
        weight = sum(map(notional, known))
        total = sum(
            (1 if fill["side"] == "buy" else -1)
            * (float(fill[f"mid_{horizon}_ms"]) - int(fill["price_ticks"]))
            * notional(fill)
            / int(fill["price_ticks"])
            for fill in known
        )
        bps = None if weight == 0 else total * (10_000 / weight)
        markouts.append({"horizonMs": horizon, "fills": len(known), "bps": bps})
    return {
        "fills": len(chosen),
        "turnover": sum(map(notional, chosen)),
        "fees": sum(int(fill["fee"]) for fill in chosen),
        "markouts": markouts,
    }


def main(folder, source):
    run = json.loads((Path(folder) / "record.json").read_text())["run"]
    market = run["markets"][0]
    per_tick_lot = int(market["quantumsPerTickLot"])
    fills = table(Path(folder) / "fills.csv.gz")
    samples = table(Path(folder) / "samples.csv.gz")
    for row in samples:
        row["mid"] = row[f"mid_ticks {market['symbol']}"]
    is_tape = source.endswith(".parquet")
    settlements, last = settlements_of_tape(source, market) if is_tape else settlements_of_csv(source, samples)
    signed = [
        (float(one["at_ms"]), (1 if one["side"] == "buy" else -1) * int(one["size_lots"]), int(one["price_ticks"]))
        for one in fills
    ]
    funding = 0
    for us, rate_ppb, ticks in settlements:
        held = sum(lots for at_ms, lots, _ in signed if at_ms * 1_000 < us)
        funding += (-held * rate_ppb * ticks * per_tick_lot) // 10**9
    fees = sum(int(fill["fee"]) for fill in fills)
    lots = sum(one for _, one, _ in signed)
    cash = -sum(size * ticks for _, size, ticks in signed) * per_tick_lot
    values, per_year, length = returns_of(samples, run["samplePeriodMs"])
    deepest, amount = drawdown_of(samples)
    digits = run["collateralDecimals"]
    money = lambda quantums: format(Decimal(quantums).scaleb(-digits), f".{digits}f")
    roles = {role: role_of(fills, role, per_tick_lot) for role in ("maker", "taker")}
    print(
        json.dumps(
            {
                "pnl": money(cash + lots * last * per_tick_lot + funding - fees),
                "fees": money(fees),
                "funding": money(funding),
                "turnover": money(sum(role["turnover"] for role in roles.values())),
                "periodMs": length,
                "count": len(values),
                "sharpe": sharpe_of(values, per_year),
                "maxDrawdown": deepest,
                "maxDrawdownAmount": money(amount),
                "ordersWithFill": len({fill["order"] for fill in fills}),
                **{
                    role: {**one, "turnover": money(one["turnover"]), "fees": money(one["fees"])}
                    for role, one in roles.items()
                },
            }
        )
    )


main(*sys.argv[1:])
