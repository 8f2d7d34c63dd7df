"""Rows for PostgreSQL's COPY: of models, and of arrays in its binary format."""

import struct
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from django.db.models import Model
from numpy.typing import NDArray
from psycopg import Connection
from psycopg.sql import SQL, Identifier
from psycopg.types.json import Jsonb

Array = NDArray[Any]

SIGNATURE = b"PGCOPY\n\xff\r\n\0" + struct.pack(">ii", 0, 0)
TRAILER = struct.pack(">h", -1)
NULL = -1


def copy_models(connection: Connection[Any], rows: Sequence[Model]) -> None:
    """Copy unsaved objects of one model into its table."""
    if not rows:
        return
    names = [field.attname for field in rows[0]._meta.concrete_fields]
    with connection.cursor() as cursor, cursor.copy(_into(rows[0], names, "TEXT")) as copy:
        for row in rows:
            copy.write_row([_plain(getattr(row, name)) for name in names])


def copy_columns(connection: Connection[Any], model: type[Model], columns: dict[str, Any]) -> None:
    """Copy columns of fixed width into a model's table; None is NULL in every row."""
    with connection.cursor() as cursor, cursor.copy(_into(model, columns, "BINARY")) as copy:
        copy.write(SIGNATURE + packed(list(columns.values())) + TRAILER)


def packed(columns: Sequence[Array | None]) -> bytes:
    """Rows in the binary format: the number of columns, then of each its length and its bytes.

    An array's items are the bytes that PostgreSQL receives; numbers have to be big-endian.
    """
    count = next(len(column) for column in columns if column is not None)
    parts: list[tuple[str, Any]] = [("columns", ">i2")]
    for number, column in enumerate(columns):
        parts.append((f"length{number}", ">i4"))
        if column is not None:
            parts.append((f"value{number}", column.dtype))
    rows = np.zeros(count, parts)
    rows["columns"] = len(columns)
    for number, column in enumerate(columns):
        rows[f"length{number}"] = NULL if column is None else column.dtype.itemsize
        if column is not None:
            rows[f"value{number}"] = column
    return rows.tobytes()


def repeated(value: bytes, count: int) -> Array:
    """The same bytes in every row."""
    return np.full(count, np.void(value), f"V{len(value)}")


def half_vectors(vectors: Array) -> Array:
    """Half precision vectors (n, d) as pgvector receives them: dimensions, two unused bytes, d."""
    dimensions = vectors.shape[1]
    rows = np.zeros(
        len(vectors), [("dimensions", ">u2"), ("unused", ">u2"), ("values", ">f2", (dimensions,))]
    )
    rows["dimensions"], rows["values"] = dimensions, vectors
    return rows


def _into(model: Any, names: Iterable[str], form: str) -> Any:
    columns = SQL(", ").join(Identifier(name) for name in names)
    return SQL("COPY {} ({}) FROM STDIN (FORMAT {})").format(
        Identifier(model._meta.db_table), columns, SQL(form)
    )


def _plain(value: Any) -> Any:
    return Jsonb(value) if isinstance(value, dict) else value
