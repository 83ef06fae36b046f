"""How a state copies itself: the function is written from the types of its fields, plain and compiled alike."""

from __future__ import annotations

import dataclasses
from collections.abc import Container, Mapping
from typing import Final, get_args, get_origin, get_type_hints

_ATOMS: Final = (int, bool, str)


def clone_source(name: str, types: Mapping[str, object], shared: Container[str], *, compiled: bool) -> str:
    """The text of the method `clone` of a state.

    name: of the class. types: of its fields, by name. shared: the fields whose elements copies share. compiled: for
    mypyc, which is fastest with comprehensions; Python is with `map`, and knows `copy` for `list.copy`.
    Raises TypeError for a field that can't be copied by its type.
    """
    lines = [
        f"def clone(self) -> {name}:",
        '    """See State."""',
        f"    c = new_without_init({name})",
        "    c.components = self.components",
        "    c.options = self.options",
        "    c.events = None",
    ]
    for field, hint in types.items():
        own = f"self.{field}"
        try:
            copied = f"{own}.copy()" if field in shared else _copied(hint, own, 0, compiled)
        except TypeError as error:
            raise TypeError(f"{name}.{field}: {error}") from None
        lines.append(f"    c.{field} = {copied}")
    return "\n".join([*lines, "    return c", ""])


def nested_dataclasses(hint: object) -> dict[str, type]:
    """The dataclasses that a type is made of, by name."""
    found: dict[str, type] = {}
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        found[hint.__name__] = hint
    for each in get_args(hint):
        found.update(nested_dataclasses(each))
    return found


def _is_immutable(hint: object) -> bool:
    """Whether values of a type can be shared by copies."""
    if hint in _ATOMS:
        return True
    if get_origin(hint) is tuple:
        return all(each is Ellipsis or _is_immutable(each) for each in get_args(hint))
    return dataclasses.is_dataclass(hint) and bool(vars(hint)["__dataclass_params__"].frozen)


def _copied(hint: object, own: str, depth: int, compiled: bool) -> str:
    """The expression that copies a value. depth: in how many comprehensions it stands."""
    if _is_immutable(hint):
        return own
    if get_origin(hint) is list:
        (element,) = get_args(hint)
        if _is_immutable(element):
            return f"{own}.copy()"
        each = "each" if depth == 0 else f"each_{depth}"
        copied = _copied(element, each, depth + 1, compiled)
        if copied == f"{each}.copy()" and not compiled:
            return f"[*map(copy, {own})]"
        return f"[{copied} for {each} in {own}]"
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        types = get_type_hints(hint)
        names = [field.name for field in dataclasses.fields(hint)]
        parts = [_copied(types[each], f"{own}.{each}", depth, compiled) for each in names]
        return f"{hint.__name__}({', '.join(parts)})"
    raise TypeError(
        f"a state can't copy {hint!r}: use int, bool, str, tuples of these, dataclasses, and lists; "
        "elements that are only ever replaced may be declared with derived(shared=True)"
    )
