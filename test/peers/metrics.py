"""Statistics of series of returns by empyrical and QuantStats. metrics.py <file of JSON: [[returns, periods a year], ...]>"""

import json
import math
import sys
import warnings

warnings.filterwarnings("ignore")

import empyrical
import numpy
import pandas
import quantstats.stats


def finite(value):
    return float(value) if math.isfinite(value) else None


def figures(values, per_year):
    returns = pandas.Series(
        [math.nan if value is None else value for value in values],
        index=pandas.date_range("2024-01-01", periods=len(values), freq="D"),
    )
    array = returns.to_numpy()
    there = returns.dropna()
    return {
        "empyrical": {
            "sharpe": finite(empyrical.sharpe_ratio(array, annualization=per_year)),
            "sortino": finite(empyrical.sortino_ratio(array, annualization=per_year)),
            "calmar": finite(empyrical.calmar_ratio(array, annualization=per_year)),
            "maxDrawdown": finite(empyrical.max_drawdown(array)),
            "annualizedReturn": finite(empyrical.annual_return(array, annualization=per_year)),
            "annualizedVolatility": finite(empyrical.annual_volatility(array, annualization=per_year)),
        },
        "quantstats": {
            "sharpe": finite(quantstats.stats.sharpe(there, periods=per_year)),
            "sortino": finite(quantstats.stats.sortino(there, periods=per_year)),
            "maxDrawdown": finite(quantstats.stats.max_drawdown(there)),
            # A missing return is no move.
            "exposure": finite(quantstats.stats.exposure(returns.fillna(0))),
        },
    }


print(json.dumps([figures(*one) for one in json.load(open(sys.argv[1]))]))
