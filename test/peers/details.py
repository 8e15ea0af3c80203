"""Drawdowns by QuantStats, rolling figures by pandas, beta and quantiles by numpy. details.py <file of JSON>"""

import json
import sys
import warnings

warnings.filterwarnings("ignore")

import numpy
import pandas
import quantstats.stats

given = json.load(open(sys.argv[1]))
index = pandas.to_datetime(given["atMs"], unit="ms")
equity = pandas.Series(given["equity"], index=index, dtype=float)
mids = pandas.Series(given["mids"], index=index, dtype=float)
returns = equity.pct_change().fillna(0)
details = quantstats.stats.drawdown_details(quantstats.stats.to_drawdown_series(returns))
deepest = details.sort_values("max drawdown").head(5)
own = equity.pct_change().dropna()
market = mids.pct_change().dropna()
window = own.rolling(given["window"])
scale = given["periodsPerYear"] ** 0.5
print(
    json.dumps(
        {
            "drawdowns": [
                [str(row["start"])[:10], str(row["valley"])[:10], str(row["end"])[:10], float(row["max drawdown"])]
                for _, row in deepest.iterrows()
            ],
            "sharpe": (window.mean() / window.std() * scale).dropna().tolist(),
            "volatility": (window.std() * scale).dropna().tolist(),
            "beta": float(numpy.cov(own, market)[0][1] / numpy.var(market, ddof=1)),
            "correlation": float(numpy.corrcoef(own, market)[0][1]),
            "quantiles": [float(numpy.percentile(own, q, method="inverted_cdf")) for q in (5, 25, 50, 75, 95)],
        }
    )
)
