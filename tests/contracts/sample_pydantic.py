"""Functions about models of pydantic; those with `bad` fail."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field, constr, field_validator


class Item(BaseModel):
    n: int = Field(gt=0)
    name: str = Field(max_length=3, default="a")
    xs: list[int] = Field(default_factory=list, max_length=2)


class Outer(BaseModel):
    item: Item
    flag: bool


def good(outer: Outer) -> None:
    assert outer.item.n > 0
    assert len(outer.item.name) <= 3
    assert len(outer.item.xs) <= 2


def bad(outer: Outer) -> None:
    assert outer.flag or outer.item.n != 7 or outer.item.name != "ab"


def bad_change(item: Item) -> None:
    item.xs.append(1)
    item.n -= 1
    assert item.n > 0 or len(item.xs) < 3


def bad_equal(a: Item, b: Item) -> None:
    assert a != b


def bad_result(n: int) -> Annotated[int, Field(gt=0)]:
    return n


def good_parameter(n: Annotated[int, Field(gt=0, strict=True)]) -> None:
    assert n > 0


class Pattern(BaseModel):
    text: str = Field(pattern="a+")


class Validated(BaseModel):
    n: int

    @field_validator("n")
    @classmethod
    def even(cls, n: int) -> int:
        return n * 2


class Renamed(BaseModel):
    n: int = Field(alias="m")


class Setting(BaseModel, str_to_lower=True):
    text: str


def refused_pattern(found: Pattern) -> None:
    assert found.text


def refused_validators(found: Validated) -> None:
    assert found.n % 2 == 0


def refused_names(found: Renamed) -> None:
    assert found.n


def refused_setting(found: Setting) -> None:
    assert found.text == found.text.lower()


class Short(BaseModel):
    text: constr(min_length=1, max_length=2)  # type: ignore[valid-type]
    share: float = Field(ge=0, allow_inf_nan=False)


class Stripped(BaseModel):
    text: constr(strip_whitespace=True)  # type: ignore[valid-type]


def good_short(found: Short) -> None:
    assert 1 <= len(found.text) <= 2
    assert found.share - found.share == 0


def bad_short(found: Short) -> None:
    assert found.share * 2 < float("inf")


def refused_stripped(found: Stripped) -> None:
    assert found.text == found.text.strip()
