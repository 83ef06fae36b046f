"""How templates are read and run, those of pages and of pictures: strictly, with escaping, and quickly.

Jinja asks of each call whether what is called wants the context, copies markup that is safe already, and looks for an
attribute before an item. Here nothing that is called wants the context, safe markup stays as it is, and of a dict an
item is meant if there is one.
"""

from __future__ import annotations

import re
from io import StringIO
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined, nodes
from jinja2.compiler import CodeGenerator, Frame
from markupsafe import escape

from .block import Block

_UNSAFE: Final = re.compile("[&<>'\"]")


class _Generator(CodeGenerator):
    """Writes a template as Python."""

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:  # noqa: N802 - Jinja's
        """Calls what is called, without a detour by the context."""
        self.visit(node.node, frame)
        outside, self.stream = self.stream, StringIO()
        self.signature(node, frame, {"caller": "caller"} if forward_caller else None)
        given, self.stream = self.stream.getvalue(), outside
        self.write(f"({given.removeprefix(', ')})")

    def _output_child_pre(self, node: Any, frame: Any, finalize: Any) -> None:
        assert frame.eval_ctx.autoescape and not frame.eval_ctx.volatile and finalize.src is None
        self.write("(said if type(said := ")

    def _output_child_post(self, node: Any, frame: Any, finalize: Any) -> None:
        self.write(") is Markup else environment.escaped(said))")


class Templates(Environment):
    """The templates of a package, in one of its folders."""

    code_generator_class = _Generator

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
        """A value that isn't just Markup, as it stands in markup."""
        kind = type(value)
        if kind is Block:
            return value
        if kind is str and _UNSAFE.search(value) is None:
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
