"""`yield from`: the generator inside gets what is sent to the one outside, or thrown into it."""

from __future__ import annotations

from collections.abc import Generator
from types import GeneratorType

from solvent.errors import NotLiftedError
from solvent.lift.values.generators import is_shared
from solvent.lift.values.lazy import send, throw
from solvent.lift.values.protocol import iterate
from solvent.vm.kinds import type_name
from solvent.vm.own import position
from solvent.vm.values import Value


class Delegate:
    """What `yield from` takes its items from, and the value that it gives in the end."""

    __slots__ = ("raised", "sent", "source", "value")

    def __init__(self, source: Value) -> None:
        self.source = source
        self.value: Value = None
        # What the generator outside was given for the last item, or what was thrown into it.
        self.sent: Value = None
        self.raised: BaseException | None = None

    def items(self) -> Generator[Value, Value, None]:
        """The items."""
        found = iterate(self.source)
        if type(found) is not GeneratorType:
            for item in found:
                yield item
                self._check()
            return
        try:
            item = next(found)
            while True:
                yield item
                if self.raised is None and self.sent is None:
                    item = next(found)
                else:
                    item = self._pass_on()
        except StopIteration as end:
            self.value = end.value
        except GeneratorExit:
            self.leave()
            raise

    def _check(self) -> None:
        """An iterator that is no generator knows nothing of what is sent or thrown."""
        if self.raised is not None:
            raise self.raised
        if self.sent is not None:
            raise AttributeError(f"'{type_name(iter(self.source))}' object has no attribute 'send'")

    def _pass_on(self) -> Value:
        """The next item of a generator to which something is sent, or into which it is thrown."""
        error, self.raised = self.raised, None
        sent, self.sent = self.sent, None
        if type(self.source) is not GeneratorType:
            raise NotLiftedError(
                f"{position()}: to send or throw something to a `{type_name(self.source)}` in a "
                "`yield from` is not lifted; use a generator there"
            )
        return send(self.source, sent) if error is None else throw(self.source, error)

    def leave(self) -> None:
        """The generator that delegates is closed, so that the one inside is closed too."""
        inside = self.source
        if type(inside) is GeneratorType and not is_shared(inside):
            inside.close()
