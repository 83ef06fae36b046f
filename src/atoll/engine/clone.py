"""Source code of the `clone` method of states, generated from the types of their fields.

The same generator serves interpreted states, whose method is built at run time, and compiled ones,
whose method the build writes into the module.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Container, Mapping
from typing import Final, get_args, get_origin, get_type_hints

_ATOMS: Final = (int, bool, str)


def clone_source(name: str, types: Mapping[str, object], shared: Container[str], *, compiled: bool) -> str:
    """Return the source of the `clone` method of a state class.

    Args:
        name: Name of the class.
        types: Type of each field by name.
        shared: Names of fields whose elements the copies share.
        compiled: Whether mypyc compiles the source. Comprehensions are fastest there; interpreted
            Python is faster with `map` and needs the name `copy` for `list.copy`.

    Returns:
        The source of one function.

    Raises:
        TypeError: If the type of a field isn't supported.
    """
    lines = [
        f"def clone(self) -> {name}:",
        '    """Return an independent copy."""',
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
    """Return the dataclasses that occur in a type, by name."""
    found: dict[str, type] = {}
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        found[hint.__name__] = hint
    for each in get_args(hint):
        found.update(nested_dataclasses(each))
    return found


def _is_immutable(hint: object) -> bool:
    """Return whether copies can share values of a type."""
    if hint in _ATOMS:
        return True
    if get_origin(hint) is tuple:
        return all(each is Ellipsis or _is_immutable(each) for each in get_args(hint))
    return dataclasses.is_dataclass(hint) and bool(vars(hint)["__dataclass_params__"].frozen)


def _copied(hint: object, own: str, depth: int, compiled: bool) -> str:
    """Return the expression that copies a value.

    Args:
        hint: Type of the value.
        own: Expression of the value.
        depth: Number of comprehensions around it.
        compiled: See `clone_source`.

    Raises:
        TypeError: If the type isn't supported.
    """
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
