"""From Python and numpy values to what JSON carries."""

from __future__ import annotations

import operator
from typing import Any, Dict, Iterable, List, Mapping, Sequence, Union

import numpy as np


class Unset:
    """The type of UNSET: a parameter that is not sent."""

    def __repr__(self) -> str:
        return "UNSET"

    def __bool__(self) -> bool:
        return False


UNSET = Unset()

#: Numbers in any shape that numpy reads; sent flat, e.g. (n, 3) positions as x, y, z, x, …
Floats = Union[Sequence[Any], np.ndarray]
#: Whole numbers in any shape; sent flat.
Integers = Union[Sequence[Any], np.ndarray]
#: Vertex indices: one, several, ranges among them (``range(0, 21)``), or a boolean mask.
Vertices = Union[int, range, slice, Sequence[Union[int, range, Mapping[str, int]]], np.ndarray]


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def floats_of(value: Any) -> Any:
    """A flat list of floats; float32 values keep their exact value."""
    if value is None or isinstance(value, Unset):
        return value
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"numbers are needed, in rows of equal length; not {_short(value)}") from None
    if not np.isfinite(array).all():
        raise ValueError("numbers must be finite: JSON has no NaN or infinity")
    return array.reshape(-1).tolist()


def integers_of(value: Any) -> Any:
    """A flat list of ints."""
    if value is None or isinstance(value, Unset):
        return value
    array = np.asarray(value)
    if array.size and not np.issubdtype(array.dtype, np.integer):
        raise TypeError(f"whole numbers are needed, not {array.dtype}")
    return [int(item) for item in array.reshape(-1).tolist()]


def _range_of(value: range) -> List[Any]:
    if value.step == 1 and len(value) > 1:
        return [{"from": value.start, "to": value.stop - 1}]  # both ends included
    return list(value)


def vertices_of(value: Any) -> Any:
    """Indices and ``{"from", "to"}`` ranges, as the protocol writes vertices."""
    if value is None or isinstance(value, Unset):
        return value
    if isinstance(value, slice):
        if value.stop is None:
            raise ValueError("a slice of vertices needs an end")
        value = range(*value.indices(operator.index(value.stop)))
    if isinstance(value, range):
        return _range_of(value)
    if isinstance(value, np.ndarray):
        return np.flatnonzero(value).tolist() if value.dtype == np.bool_ else integers_of(value)
    if isinstance(value, (int, np.integer)):
        return [int(value)]
    if not isinstance(value, Iterable) or isinstance(value, (str, bytes)):
        value = [value]  # told below
    out: List[Any] = []
    for item in value:
        if isinstance(item, range):
            out += _range_of(item)
        elif isinstance(item, Mapping):
            out.append(dict(item))
        elif isinstance(item, (int, np.integer)):
            out.append(int(item))
        else:
            raise TypeError(f"vertices are whole numbers, ranges, or {{'from', 'to'}} among them; not {_short(item)}")
    return out


def _is_row(value: Any) -> bool:
    """One row of a table of numbers, e.g. a triangle."""
    if isinstance(value, np.ndarray):
        return value.ndim == 1
    return isinstance(value, (list, tuple)) and all(isinstance(item, (int, float, np.number)) for item in value)


def plain_of(value: Any) -> Any:
    """The same value without numpy in it, at any depth; rows of numbers become one flat list, as
    the protocol has no nested ones."""
    if isinstance(value, Mapping):
        plain: Dict[str, Any] = {str(key): plain_of(item) for key, item in value.items() if item is not UNSET}
        return plain
    if isinstance(value, np.ndarray):
        return value.reshape(-1).tolist()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, range):
        return _range_of(value)
    if isinstance(value, (list, tuple)):
        if value and all(_is_row(item) for item in value):
            return [plain_of(number) for row in value for number in row]
        return [plain_of(item) for item in value]
    return value
