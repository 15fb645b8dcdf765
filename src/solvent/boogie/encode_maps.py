"""Reading and writing maps: arrays, or maps in boxes where their types are not known."""

from __future__ import annotations

from collections.abc import Sequence

from solvent.boogie import syntax as s
from solvent.boogie.boxes import element_of, updated
from solvent.boogie.choices import ChoiceEncoder
from solvent.boogie.encode_base import proper
from solvent.boogie.scopes import Scope
from solvent.boogie.sorts import UnsupportedError, hidden_parameters, is_open
from solvent.boogie.types import MapType, Type, open_map, resolved
from solvent.reach.positions import Position
from solvent.terms.kinds import Operand


class MapEncoder(ChoiceEncoder):
    """Selections and updates."""

    def _Select(self, e: s.Select, scope: Scope) -> Operand:
        array, indices = self.value(e.map, scope), self.all(e.indices, scope)
        type_, instances = self.type_of(e.map, scope), self.instances_of(e, scope)
        found, result = self.element(array, type_, indices, instances, scope, e.position)
        return proper(found, result)

    def element(
        self,
        array: Operand,
        type_: Type,
        indices: Sequence[Operand],
        instances: Sequence[Type],
        scope: Scope,
        position: Position,
    ) -> tuple[Operand, Type]:
        """An element of a map, and its type."""
        boxes = self.boxes
        map_type = self.map_type(type_, position)
        arguments, result = open_map(map_type, instances)
        if is_open(map_type):
            found = boxes.select(array, self.boxed_all(indices, arguments, position))
            return boxes.unboxed(found, result, position), result
        places = self.places(map_type, indices, instances, scope, position)
        plain = element_of(array, places)
        return boxes.converted(plain, map_type.result, result, position), result

    def _Update(self, e: s.Update, scope: Scope) -> Operand:
        array, indices = self.value(e.map, scope), self.all(e.indices, scope)
        type_, instances = self.type_of(e.map, scope), self.instances_of(e, scope)
        value = self.value(e.value, scope)
        return self.updated(array, type_, indices, instances, value, scope, e.position)

    def updated(
        self,
        array: Operand,
        type_: Type,
        indices: Sequence[Operand],
        instances: Sequence[Type],
        value: Operand,
        scope: Scope,
        position: Position,
    ) -> Operand:
        """A map with another element."""
        boxes = self.boxes
        map_type = self.map_type(type_, position)
        arguments, result = open_map(map_type, instances)
        if is_open(map_type):
            places = self.boxed_all(indices, arguments, position)
            return boxes.store(array, places, boxes.boxed(value, result, position))
        places = self.places(map_type, indices, instances, scope, position)
        return updated(array, places, boxes.converted(value, result, map_type.result, position))

    def map_type(self, type_: Type, position: Position) -> MapType:
        """The type of a map that can be read."""
        found = resolved(type_)
        assert isinstance(found, MapType)
        if is_open(found) and hidden_parameters(found):
            problem = f"a map of type {found} cannot be used where its type is not known"
            raise UnsupportedError(position, problem)
        return found

    def boxed_all(
        self, values: Sequence[Operand], types: Sequence[Type], position: Position
    ) -> list[Operand]:
        """Values of some types, in boxes."""
        pairs = zip(values, types, strict=True)
        return [self.boxes.boxed(value, type_, position) for value, type_ in pairs]

    def places(
        self,
        type_: MapType,
        indices: Sequence[Operand],
        instances: Sequence[Type],
        scope: Scope,
        position: Position,
    ) -> list[Operand]:
        """The indices of an array: types that the others do not tell come first."""
        arguments, _ = open_map(type_, instances)
        return [
            *(
                self.boxes.types.term(instances[hidden], scope.types, position)
                for hidden in hidden_parameters(type_)
            ),
            *(
                self.boxes.converted(value, actual, declared, position)
                for value, actual, declared in zip(indices, arguments, type_.arguments, strict=True)
            ),
        ]
