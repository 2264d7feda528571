"""Arrays that grow by doubling, addressed by row number."""

from __future__ import annotations

from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
S = TypeVar("S", np.int64, np.bool_)


class Column(Generic[S]):
    """One value per row. `data` is the live part, (rows,); take it anew after rows were added or removed."""

    def __init__(self, dtype: type[S]) -> None:
        self._store: npt.NDArray[S] = np.zeros(16, dtype=dtype)
        self._size = 0

    @property
    def data(self) -> npt.NDArray[S]:
        return self._store[: self._size]

    def append(self, value: int | bool) -> None:
        if self._size == len(self._store):
            self._store = np.concatenate([self._store, np.zeros_like(self._store)])
        self._store[self._size] = value
        self._size += 1

    def remove(self, row: int) -> None:
        self._store[row : self._size - 1] = self._store[row + 1 : self._size]
        self._size -= 1
        self._store[self._size] = 0


class Matrix:
    """Rows of equal-typed columns: `data` is (columns, rows) int64, each column contiguous."""

    def __init__(self, columns: int) -> None:
        self._store = np.zeros((columns, 16), dtype=np.int64)
        self._size = 0

    @property
    def data(self) -> Ints:
        return self._store[:, : self._size]

    def column(self, index: int) -> Ints:
        return self._store[index, : self._size]

    def append(self) -> None:
        if self._size == self._store.shape[1]:
            self._store = np.concatenate([self._store, np.zeros_like(self._store)], axis=1)
        self._size += 1

    def add_column(self) -> None:
        self._store = np.concatenate([self._store, np.zeros((1, self._store.shape[1]), dtype=np.int64)])

    def remove(self, row: int) -> None:
        self._store[:, row : self._size - 1] = self._store[:, row + 1 : self._size]
        self._size -= 1
        self._store[:, self._size] = 0
