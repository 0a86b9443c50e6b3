"""Prints, as a JSON list, the ms that DuckDB takes to group the lines of a v1 file by one column and by two.

Each group has what a group of edgescope has: rows, bytes, misses, answers of 5xx, and the time of the newest.
"""
import json
import statistics
import sys
import time

import duckdb

COLUMNS = ["cache", "status", "sent_at", "bytes", "zone", "ip", "referer", "url", "edge", "ua", "id", "country"]
ROUNDS = 7
TYPES = {"status": "SMALLINT", "sent_at": "BIGINT", "bytes": "BIGINT"}
SUMS = "count(*) AS n, sum(bytes), count(*) FILTER (cache = 'MISS'), count(*) FILTER (status >= 500), max(sent_at)"
db = duckdb.connect()
names = ", ".join(f"'{name}': '{TYPES.get(name, 'VARCHAR')}'" for name in COLUMNS)
db.execute(
    "CREATE TABLE rows AS SELECT * FROM read_csv(?, delim='|', header=false, quote='', escape='', "
    f"columns={{{names}}})",
    [sys.argv[1]],
)


def took(columns: str) -> float:
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        db.execute(f"SELECT {columns}, {SUMS} FROM rows GROUP BY {columns} ORDER BY n DESC").fetchall()
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times)


print(json.dumps([took("cache"), took("cache, edge")]))
