"""What rewritten code does at once on plain values, next to what it must do otherwise."""

from __future__ import annotations

from typing import Any

from tests.lift.differential import agree

BITS = [False, True]
SMALL = [0, 1, 2, 3]
WORDS = ["", "a", "ab"]

text = "a-b"
numbers = [1, 2]


def change(result: Any) -> Any:
    """Rebind what an expression around has read already."""
    global text, numbers
    text, numbers = "x-y", [7, 8]
    return result


def restore() -> None:
    """As it was."""
    global text, numbers
    text, numbers = "a-b", [1, 2]


def twice(x: Any) -> Any:
    return x * 2


def thrice(x: Any) -> Any:
    return x * 3


chosen = twice


# --- methods --------------------------------------------------------------------------------------


def test_text_methods() -> None:
    def f(word: str, p: bool) -> Any:
        plain = "abcab"
        part = word if p else "b"
        return (
            plain.startswith(word), plain.replace("b", word), plain.find(part), plain.upper(),
            word.startswith("a"), plain.replace("a", "x" + word), " a ".strip().rjust(3),
        )  # fmt: skip

    agree(f, WORDS, BITS)


def test_a_text_or_something_else() -> None:
    class Other:
        def strip(self) -> str:
            return "other"

        def index(self, part: Any) -> Any:
            return part

    def f(p: bool, q: bool) -> Any:
        found: Any = " a " if p else Other()
        seen: Any = ["a", "b"] if q else "ab"
        return found.strip(), found.index("a"), seen.index("b"), seen.count("a")

    agree(f, BITS, BITS)


def test_a_method_is_looked_up_before_its_arguments() -> None:
    def f(p: bool) -> Any:
        seen: list[Any] = []

        def note(item: Any) -> Any:
            seen.append(item)
            return item

        found: Any = None if p else "a-b"
        try:
            seen.append(found.split(note("-")))
        except AttributeError as error:
            seen.append(str(error))
        try:
            found.append(note(2))
        except AttributeError as error:
            seen.append(str(error))
        return seen

    agree(f, BITS)


def test_what_is_read_first_is_used() -> None:
    def f(x: int) -> Any:
        restore()
        first = text.split(change("-"))
        restore()
        second = numbers[change(x) - 1]
        restore()
        return first, second

    agree(f, [1, 2])


def test_methods_of_containers() -> None:
    class Stack(list):  # type: ignore[type-arg]
        def append(self, item: Any) -> None:
            super().append((item, item))

    class Log:
        def __init__(self) -> None:
            self.seen: list[Any] = []

        def append(self, item: Any) -> None:
            self.seen.append(item)

        def get(self, key: Any, default: Any = None) -> Any:
            return key, default

    def f(p: bool, x: int) -> Any:
        own, log = Stack(), Log()
        some: Any = [0] if p else log
        for item in (x, 5):
            own.append(item)
            log.append(item)
            some.append(item)
        found: Any = {"a": 1} if p else log
        keep = [].append
        keep(x)
        return list(own), log.seen, found.get("b", x), found.get("a")

    agree(f, BITS, SMALL)


# --- functions ------------------------------------------------------------------------------------


def test_a_function_that_is_rebound_in_the_loop() -> None:
    def f(x: int) -> Any:
        global chosen
        chosen = twice
        result = []
        for place in range(4):
            result.append(chosen(x + place))
            if place == 1:
                chosen = thrice
        chosen = twice
        return result

    agree(f, SMALL)


def test_a_function_that_differs_between_paths() -> None:
    def f(p: bool, x: int) -> Any:
        global chosen
        chosen = twice
        result = [chosen(y) for y in (x, 1)]
        if p:
            chosen = thrice
        for y in (x, 2, 3):
            result.append(chosen(y))
        chosen = twice
        return result

    agree(f, BITS, SMALL)


# --- comprehensions -------------------------------------------------------------------------------


def test_lists_whose_length_differs_for_a_while() -> None:
    def f(x: int, y: int) -> Any:
        first = [n for n in (x, 1, 2) if n > 1]
        second = [n for row in ([1] * x, [5, 6], [7]) for n in row if n != y]
        return first, second, [n + 1 for n in first], [[n] for n in second]

    agree(f, SMALL, [5, 6, 7])


def test_sets_and_dicts() -> None:
    def f(x: int, p: bool) -> Any:
        some = [1, x, 2, 1] if p else [x]
        found = {n: n + 1 for n in some if n != 2}
        found[1] = found.get(1, 0) + 10
        return sorted({n % 2 for n in some}), sorted(found.items()), dict.fromkeys((x, 3, 3), 0)

    agree(f, SMALL, BITS)


def test_the_key_comes_before_the_value_and_the_hash_last() -> None:
    def f(x: int) -> Any:
        seen: list[Any] = []

        def note(item: Any) -> Any:
            seen.append(item)
            return item

        try:
            return {note(k): note(10 // v) for k, v in ((1, 1), ([], 2), (3, x))}, seen
        except (TypeError, ZeroDivisionError) as error:
            return str(error), seen

    agree(f, SMALL)


def test_an_element_that_fails_on_some_paths() -> None:
    def f(x: int) -> Any:
        done: list[int] = []
        try:
            return [done.append(n) or n // (x - n) for n in (1, 2)], done
        except ZeroDivisionError:
            return done

    agree(f, SMALL)


# --- items and texts ------------------------------------------------------------------------------


def test_records() -> None:
    def f(x: int, key: str) -> Any:
        row: Any = {"id": x, "b": 2}
        if x > 1:
            row["note"] = x
        if x > 2:
            del row["b"]
        row[key] = 9
        try:
            return row["id"], row["a"], row["b"], row["note"]
        except KeyError as error:
            return str(error), row.get("note", -1), row.setdefault("b", x)

    agree(f, SMALL, ["a", "b", "c"])


def test_texts_with_values() -> None:
    def f(x: int, word: str, p: bool) -> Any:
        value: Any = 3 if p else "s"
        return f"{x}", f"{word}|{x:>3}|{1.5:.2f}", f"{value!r:>4}{{}}", f"{'a'}{[1]}{x:{3}}"

    agree(f, SMALL, WORDS, BITS)


def test_views_and_pairs() -> None:
    def f(x: int) -> Any:
        found: Any = {"a": 1, "b": 2}
        if x > 1:
            found["c"] = x
        pairs = [(k, v) for k, v in found.items()]
        made = dict((k, v) for k, v in pairs)  # noqa: C402
        return pairs, list(found.values()), made, dict([(x, 1), (1, 2)])  # noqa: C406

    agree(f, SMALL)


def test_the_least_and_the_largest() -> None:
    def f(x: int, y: int) -> Any:
        some = [n for n in (x, 2, y) if n > 1]
        largest = max(some, default=-1)
        least = min(some, key=lambda n: -n) if some else None
        return largest, least, max([x, y]), min((y, x, 1), key=lambda n: n % 2), max("ab")

    agree(f, SMALL, SMALL)


# --- generators -----------------------------------------------------------------------------------


def test_generators_that_start_plain() -> None:
    def numbered(x: int) -> Any:
        yield 1
        yield 2
        if x > 1:
            yield x
        yield 4

    def f(x: int) -> Any:
        items = numbered(x)
        first = next(items)
        return first, list(items)

    agree(f, SMALL)


def test_generators_that_wait_in_a_try_statement() -> None:
    def guarded(x: int, seen: list[Any]) -> Any:
        yield 0
        try:
            yield 1
            yield 6 // x
        except ZeroDivisionError as error:
            seen.append(str(error))
            yield 3
        finally:
            seen.append("end")
        yield 4

    def f(x: int) -> Any:
        seen: list[Any] = []
        result = []
        for item in guarded(x, seen):
            try:
                result.append(10 // (item - 1))
            except ZeroDivisionError:
                result.append(-1)
        return result, seen

    agree(f, SMALL)


def test_a_try_statement_of_a_generator_that_waits() -> None:
    def guarded() -> Any:
        try:
            yield 1
            yield 2
        except ZeroDivisionError:
            yield 99

    def f(x: int) -> Any:
        items = guarded()
        first = next(items)
        return first, 10 // x, list(items)

    agree(f, SMALL)


def test_a_generator_that_goes_on_under_a_condition() -> None:
    def f(x: int) -> Any:
        items = (n for n in (1, 2, 3))
        result = [next(items)]
        if x > 1:
            result.append(next(items))
        return result

    agree(f, SMALL)

    def g(x: int) -> Any:
        items = (n for n in (1, 2, 3))
        next(items)
        if x > 1:
            next(items)
        return next(items)

    agree(g, SMALL)


def test_the_value_of_a_generator() -> None:
    def counted() -> Any:
        yield 1
        return 5

    def f(p: bool) -> Any:
        items, result = counted(), []
        for _ in range(3):
            try:
                result.append(next(items))
            except StopIteration as error:
                result.append(error.value)
        return result if p else next(items, 7)

    agree(f, BITS)


def test_a_generator_that_ended_on_some_paths() -> None:
    def both(p: Any) -> Any:
        items = (n for n in (1, 2))
        if p:
            return list(items)
        return sum(items)

    def after(p: Any) -> Any:
        items = (n for n in (1, 2))
        if p:
            list(items)
        return next(items, 0)

    def sent(p: Any) -> Any:
        items = (n for n in ())
        if p:
            next(items, 0)
        return items.send(None)

    for function in (both, after, sent):
        agree(function, [False, True])

    def each(p: bool) -> Any:
        if p:
            items = (n for n in (1, 2))
            return list(items), list(items)
        return list(n for n in (3,))  # noqa: C400

    agree(each, BITS)


# --- iterators ------------------------------------------------------------------------------------


def test_iterators_that_start_plain() -> None:
    def f(x: int) -> Any:
        items, pairs = iter([1, 2, 3, 4]), zip([1, 2, 3], "ab")  # noqa: B905
        count = enumerate(map(twice, [1, 2, 3]), 5)
        result = [next(items), next(pairs), next(count)]
        if x > 1:
            result += [next(items), next(pairs), next(count)]
        return result, list(items), list(pairs), list(count), next(items, None)

    agree(f, SMALL)


def test_iterators_of_different_lengths() -> None:
    def f(x: int) -> Any:
        items = iter([1, 2, 3, 4])
        return list(zip(items, "a")), list(zip("b", items)), [x, *items]  # noqa: B905

    agree(f, SMALL)


def test_a_step_that_fails_on_some_paths() -> None:
    def f(x: int) -> Any:
        items = iter([1, 2, 3])
        count = enumerate(map(lambda n: n // (x - n), items))  # noqa: C417
        result = []
        for _ in range(3):
            try:
                result.append(next(count))
            except (ZeroDivisionError, StopIteration) as error:
                result.append(type(error))
        return result, list(items), next(count, "end")

    agree(f, SMALL)


def test_the_function_of_a_map_may_end_it() -> None:
    def f(p: bool) -> Any:
        def until(n: int) -> int:
            if n == 2:
                raise StopIteration
            return n

        items = iter([1, 2, 3])
        result = list(map(until, items))
        for item in map(until, [1, 2, 3]):
            result.append(item)
        return result, list(items), p

    agree(f, BITS)


def test_loops_over_maps() -> None:
    def f(x: int, p: bool) -> Any:
        seen: list[Any] = []

        def note(item: Any) -> Any:
            seen.append(item)
            return 6 // item

        some = [n for n in (1, 2, x) if n != 2]
        result = [n for n in map(note, some)]  # noqa: C416
        for n in map(twice if p else thrice, (x, 4)):
            result.append(n)
            if n == 6:
                break
        return result, seen

    agree(f, SMALL, BITS)


def test_filters() -> None:
    def f(x: int) -> Any:
        items = filter(lambda n: n > x, [1, 2, 3])
        first = next(items, None)
        return first, list(items), list(filter(None, [x, 0, 2])), sum(filter(None, (x, 1)))

    agree(f, SMALL)
