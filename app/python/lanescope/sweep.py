"""The results of `lanescope sweep` as a frame of pandas, which is needed only here.

Method: reads the database's tables (app/docs/sweeps.md) by Python's own sqlite3. Tests: tests/programs/sweep_test.py"""

import os
import pathlib
import sqlite3

from lanescope.program import LanescopeError

APPLICATION_ID = 0x4C535750
VERSION = 1


def read_sweep(path):
    """A row for each combination that was run, by its number: the axes, whose numbers are numbers; the columns of the table
    `combinations`; the counts of each kind of access ("global_load_sectors", 0 where there is none); the findings of each
    kind ("race"). A combination without counts has a sentence in `problem`. Raises LanescopeError."""
    try:
        import pandas
    except ImportError:
        raise LanescopeError("read_sweep() gives a frame of pandas, which is not installed: pip install pandas") from None
    columns = read_columns(path)
    numbers = columns.pop("number")
    return pandas.DataFrame(columns, index=pandas.Index(numbers, name="number"))


def read_columns(path):
    """name -> values, all of one length; `number` is that of the combination."""
    if not os.path.isfile(path):
        raise LanescopeError(f"{path}: there is no such file; `lanescope sweep ... -o FILE.sqlite` makes one")
    database = sqlite3.connect(pathlib.Path(path).resolve().as_uri() + "?mode=ro", uri=True)
    try:
        check(database, path)
        return {**columns_of_axes(database), **columns_of_results(database), **columns_of_kinds(database)}
    except sqlite3.DatabaseError as error:
        raise LanescopeError(f"{path}: the results of a sweep cannot be read from it: {error}") from None
    finally:
        database.close()


def check(database, path):
    if database.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise LanescopeError(f"{path}: the database is not that of a sweep")
    version = database.execute("PRAGMA user_version").fetchone()[0]
    if version != VERSION:
        raise LanescopeError(f"{path}: the tables are of version {version}, and this module reads version {VERSION}")


def columns_of_axes(database):
    columns = {}
    for axis, name in database.execute("SELECT number, name FROM axes ORDER BY number"):
        rows = database.execute("SELECT value FROM settings WHERE axis = ? ORDER BY combination", (axis,))
        columns[name] = as_numbers([value for value, in rows])
    return columns


def columns_of_results(database):
    cursor = database.execute("SELECT * FROM combinations ORDER BY number")
    names = [entry[0] for entry in cursor.description]
    rows = cursor.fetchall()
    return {name: [row[n] for row in rows] for n, name in enumerate(names)}


def columns_of_kinds(database):
    """Counts of each kind, which a combination without counts lacks."""
    place = {}
    for number, problem in database.execute("SELECT number, problem FROM combinations ORDER BY number"):
        place[number] = (len(place), problem is None)
    empty = [0 if has_counts else None for _, has_counts in place.values()]
    columns = {}
    cursor = database.execute("SELECT * FROM totals ORDER BY kind")
    counts = [entry[0] for entry in cursor.description][2:]
    for number, kind, *values in cursor:
        for count, value in zip(counts, values):
            columns.setdefault(f"{kind}_{count}", list(empty))[place[number][0]] = value
    for number, kind, count in database.execute("SELECT combination, kind, count FROM findings ORDER BY kind"):
        columns.setdefault(kind, list(empty))[place[number][0]] = count
    return columns


def as_numbers(texts):
    """The values of an axis: numbers if all are numbers as Python writes them."""
    for number in (int, float):
        try:
            values = [number(text) for text in texts]
        except ValueError:
            continue
        if number is float or all(str(value) == text for value, text in zip(values, texts)):
            return values
    return texts
