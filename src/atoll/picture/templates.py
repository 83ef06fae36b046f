"""How templates are read and run, those of pages and of pictures: strictly, with escaping, and quickly.

Jinja asks of each call whether what is called wants the context, copies markup that is safe already, and looks for an
attribute before an item. Here nothing that is called wants the context, safe markup stays as it is, and of a dict an
item is meant if there is one.
"""

from __future__ import annotations

import re
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from jinja2.compiler import CodeGenerator
from jinja2.runtime import Context
from markupsafe import Markup, escape

_UNSAFE: Final = re.compile("[&<>'\"]")


class _Context(Context):
    """What a template knows."""

    def call(__self, __obj: Any, *args: Any, **values: Any) -> Any:  # noqa: N805 - as in Jinja, whose names it frees
        """See Jinja."""
        values.pop("_loop_vars", None)
        values.pop("_block_vars", None)
        return __obj(*args, **values)


class _Generator(CodeGenerator):
    """Writes a template as Python."""

    def _output_child_pre(self, node: Any, frame: Any, finalize: Any) -> None:
        assert frame.eval_ctx.autoescape and not frame.eval_ctx.volatile and finalize.src is None
        self.write("environment.escaped(")


class Templates(Environment):
    """The templates of a package, in one of its folders."""

    code_generator_class = _Generator
    context_class = _Context

    def __init__(self, package: str, folder: str = "templates") -> None:
        super().__init__(
            loader=PackageLoader(package, folder),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
        )

    @staticmethod
    def escaped(value: Any) -> Any:
        """A value as it stands in markup."""
        kind = type(value)
        if kind is Markup or (kind is str and _UNSAFE.search(value) is None):
            return value
        return str(value) if kind is int else escape(value)

    def getattr(self, obj: Any, attribute: str) -> Any:
        """See Jinja."""
        if type(obj) is dict and attribute in obj:
            return obj[attribute]
        try:
            return getattr(obj, attribute)
        except AttributeError:
            return super().getattr(obj, attribute)
