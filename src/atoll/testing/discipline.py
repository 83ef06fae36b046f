"""The discipline of rule coroutines, checked in their source code.

1. A `yield` is a statement of its own, the entire right-hand side of an assignment or return, or
   the only call of a condition. It isn't inside a `with`, `try`, comprehension or lambda.
2. No local variable holds a secret across a yield: neither the answer to a secret question, nor a
   value computed from a field that isn't public. Private flows of sealed decisions are exempt,
   because they are run again.
3. A container of the state is never iterated across a yield, only a copy of it.
4. Choices are a sequence in a defined order: not a set, dictionary or generator, and not an empty
   list.
5. Chance comes only from `Roll` and `Draw`: not from random generators, clocks, hashes, addresses
   or the order of sets.

The laws check by playing that choices are never empty, and that no secret outlives a yield in other
ways.
"""

from __future__ import annotations

import ast
import importlib.resources
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable
from typing import Final, TypeAlias

from atoll.engine import Game
from atoll.engine.state import declarations

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
Yield: TypeAlias = ast.Yield | ast.YieldFrom

SCOPES: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
COMPREHENSIONS: Final = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
FORBIDDEN_MODULES: Final = frozenset(
    {"asyncio", "datetime", "numpy", "os", "random", "secrets", "socket", "threading", "time", "uuid"}
)
FORBIDDEN_CALLS: Final = frozenset({"Random", "eval", "exec", "hash", "id", "input", "open", "print"})
SHARED: Final = frozenset({"components", "options"})  # attributes of a state that never change
VIEWS_OF_LIVE: Final = frozenset({"enumerate", "filter", "iter", "map", "reversed", "zip"})
LIVE_METHODS: Final = frozenset({"items", "keys", "values"})


@dataclass(frozen=True, order=True)
class Violation:
    """A violation of the discipline.

    Attributes:
        line: Line number.
        rule: Number of the rule.
        what: Description of the violation.
    """

    line: int
    rule: int
    what: str

    def __str__(self) -> str:
        return f"line {self.line}, rule {self.rule}: {self.what}"


@dataclass
class _Scope:
    """The nodes of one function without nested functions, in source order.

    Attributes:
        nodes: The nodes.
        parents: The parent of each node.
    """

    nodes: list[ast.AST] = field(default_factory=list)
    parents: dict[ast.AST, ast.AST] = field(default_factory=dict)

    @property
    def yields(self) -> list[Yield]:
        """The yields among the nodes."""
        return [node for node in self.nodes if isinstance(node, Yield)]


def _scope(function: Function) -> _Scope:
    """Return the nodes of a function."""
    scope = _Scope()

    def visit(node: ast.AST) -> None:
        """Add the descendants of a node."""
        for child in ast.iter_child_nodes(node):
            scope.parents[child] = node
            scope.nodes.append(child)
            if not isinstance(child, SCOPES):
                visit(child)

    for statement in function.body:
        scope.parents[statement] = function
        scope.nodes.append(statement)
        if not isinstance(statement, SCOPES):
            visit(statement)
    return scope


def violations(source: str, secrets: Iterable[str] = (), private: Iterable[str] = ()) -> list[Violation]:
    """Return all violations in a module.

    Args:
        source: Source code of the module.
        secrets: Names of state fields that aren't public.
        private: Names of functions in other modules that run only as private flows of sealed
            decisions.

    Returns:
        The violations, sorted by line.

    Raises:
        SyntaxError: If the source can't be parsed.
    """
    tree = ast.parse(source)
    hidden = frozenset(secrets)
    exempt = frozenset(private) | sealed_flows(tree)
    found = [*_chance(tree), *_options(tree)]
    for function in [node for node in ast.walk(tree) if isinstance(node, Function)]:
        scope = _scope(function)
        found += _positions(scope)
        if scope.yields:
            found += _iterations(scope)
            if function.name not in exempt:
                found += _locals(scope, hidden)
    for node in ast.walk(tree):
        if isinstance(node, ast.Lambda) and any(isinstance(each, Yield) for each in ast.walk(node)):
            found.append(Violation(node.lineno, 1, "a yield inside a lambda"))
    return sorted(set(found))


def game_violations(game: Game) -> list[str]:
    """Return all violations in the files of a game's package and its subpackages, with the files.

    Args:
        game: The game.

    Raises:
        SyntaxError: If a file can't be parsed.
    """
    fields = declarations(game.state_type)
    secrets = {name for name, visibility in fields if visibility.who in ("owner", "known", "nobody")}
    sources = dict(_sources(importlib.resources.files(game.package)))
    private: set[str] = set()
    for source in sources.values():
        private |= sealed_flows(ast.parse(source))
    return [f"{name} {each}" for name, source in sources.items() for each in violations(source, secrets, private)]


def _sources(folder: Traversable, above: str = "") -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each Python file in a folder."""
    for each in sorted(folder.iterdir(), key=lambda each: each.name):
        if each.is_dir():
            yield from _sources(each, f"{above}{each.name}/")
        elif each.name.endswith(".py"):
            yield above + each.name, each.read_text("utf-8")


def sealed_flows(tree: ast.AST) -> frozenset[str]:
    """Return the names of functions that are called as private flows of a `Sealed`."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _name(node.func) == "Sealed" and len(node.args) > 1:
            flow = node.args[1]
            if isinstance(flow, ast.Lambda):
                found |= {_name(each.func) for each in ast.walk(flow.body) if isinstance(each, ast.Call)}
            else:
                found.add(_name(flow))
    return frozenset(found)


def _name(node: ast.AST) -> str:
    """Return the name that an expression ends with; an empty string if there is none."""
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else ""


def _positions(scope: _Scope) -> Iterator[Violation]:
    """Yield violations of rule 1."""
    for node in scope.yields:
        if not _is_well_placed(node, scope):
            yield Violation(node.lineno, 1, "a yield must stand alone or be the whole right-hand side")
        above = scope.parents.get(node)
        while above is not None and above in scope.parents:
            if isinstance(above, ast.With | ast.Try | ast.TryStar | ast.AsyncWith):
                yield Violation(node.lineno, 1, "a yield inside 'with' or 'try'")
            if isinstance(above, COMPREHENSIONS):
                yield Violation(node.lineno, 1, "a yield inside a comprehension")
            above = scope.parents.get(above)


def _is_well_placed(node: Yield, scope: _Scope) -> bool:
    """Return whether a yield is at an allowed place of a statement."""
    parent = scope.parents[node]
    if isinstance(parent, ast.Expr | ast.Return):
        return True
    if isinstance(parent, ast.Assign | ast.AnnAssign):
        return parent.value is node
    top: ast.AST = node
    while not isinstance(parent, ast.stmt):
        top, parent = parent, scope.parents[parent]
    if not isinstance(parent, ast.If | ast.While) or parent.test is not top:
        return False
    own = set(ast.walk(node))
    others = [each for each in ast.walk(top) if each not in own]
    return not any(isinstance(each, ast.Call | Yield) for each in others)


def _targets(node: ast.AST) -> Iterator[str]:
    """Yield the names that a statement assigns."""
    targets: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, ast.AnnAssign) and node.value is not None:
        targets = [node.target]
    for target in targets:
        for each in target.elts if isinstance(target, ast.Tuple | ast.List) else [target]:
            if isinstance(each, ast.Name):
                yield each.id


def _is_zone(node: ast.AST) -> bool:
    """Return whether an expression only names a part of the state: `s.hands`, `s.hands[seat]`."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return isinstance(node, ast.Name)


def _is_secret(value: ast.expr, hidden: frozenset[str]) -> bool:
    """Return whether a value depends on a secret."""
    if isinstance(value, ast.Yield) and isinstance(value.value, ast.Call):
        audiences = [each.value for each in value.value.keywords if each.arg == "audience"]
        return any(_name(each) != "PUBLIC" for each in audiences)
    if isinstance(value, Yield) or _is_zone(value):
        return False
    return any(isinstance(each, ast.Attribute) and each.attr in hidden for each in _read(value))


def _read(value: ast.expr) -> Iterator[ast.AST]:
    """Yield the parts of an expression whose content matters: the number of cards isn't secret."""
    if isinstance(value, ast.Call) and _name(value.func) in ("len", "bool", "any", "range"):
        return
    if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not) and _is_zone(value.operand):
        return
    yield value
    for child in ast.iter_child_nodes(value):
        if isinstance(child, ast.expr):
            yield from _read(child)
        elif isinstance(child, ast.comprehension):
            yield from _read(child.iter)


def _locals(scope: _Scope, hidden: frozenset[str]) -> Iterator[Violation]:
    """Yield violations of rule 2: locals that hold a secret at a yield and are read afterwards."""
    events: list[tuple[int, int, str, str]] = []
    for node in scope.nodes:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            what = "secret" if _is_secret(node.value, hidden) else "plain"
            end = (node.end_lineno or 0, (node.end_col_offset or 0) + 1)
            events += [(*end, what, name) for name in _targets(node)]
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            events.append((node.lineno, node.col_offset, "read", node.id))
        elif isinstance(node, Yield):
            events.append((node.end_lineno or 0, node.end_col_offset or 0, "yield", ""))
    held: dict[str, bool] = {}
    for line, _, what, name in sorted(events):
        if what == "yield":
            held = dict.fromkeys(held, True)
        elif what == "secret":
            held[name] = False
        elif what == "plain":
            held.pop(name, None)
        elif held.get(name):
            yield Violation(line, 2, f"the local {name!r} holds a secret across a yield; move it to the state")


def _iterations(scope: _Scope) -> Iterator[Violation]:
    """Yield violations of rule 3."""
    aliases = {
        name
        for node in scope.nodes
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None and _is_live(node.value, frozenset())
        for name in _targets(node)
    }
    for node in scope.nodes:
        if not isinstance(node, ast.For) or not any(isinstance(each, Yield) for each in _inside(node)):
            continue
        if _is_live(node.iter, frozenset(aliases)):
            what = "a container of the state is iterated across a yield; iterate a tuple of it"
            yield Violation(node.lineno, 3, what)


def _inside(node: ast.For) -> Iterator[ast.AST]:
    """Yield the nodes of a loop's body, without nested functions."""
    waiting: list[ast.AST] = [*node.body, *node.orelse]
    while waiting:
        each = waiting.pop()
        yield each
        if not isinstance(each, SCOPES):
            waiting += ast.iter_child_nodes(each)


def _is_live(value: ast.AST, aliases: frozenset[str]) -> bool:
    """Return whether an expression is a container of the state `s`, or a view of one."""
    if isinstance(value, ast.Call):
        if _name(value.func) in VIEWS_OF_LIVE and isinstance(value.func, ast.Name):
            return any(_is_live(each, aliases) for each in value.args)
        if isinstance(value.func, ast.Attribute) and value.func.attr in LIVE_METHODS:
            return _is_live(value.func.value, aliases)
        return False
    if isinstance(value, ast.GeneratorExp):
        return any(_is_live(each.iter, aliases) for each in value.generators)
    if isinstance(value, ast.Name):
        return value.id in aliases
    chain: list[str] = []
    while isinstance(value, ast.Attribute | ast.Subscript):
        if isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Slice):
            return False
        if isinstance(value, ast.Attribute):
            chain.append(value.attr)
        value = value.value
    return bool(chain) and isinstance(value, ast.Name) and value.id in ("s", "state") and chain[-1] not in SHARED


def _options(tree: ast.AST) -> Iterator[Violation]:
    """Yield violations of rule 4."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _name(node.func) == "Choose" and len(node.args) > 2:
            options = node.args[2]
            if isinstance(options, ast.Set | ast.Dict | ast.SetComp | ast.DictComp | ast.GeneratorExp):
                yield Violation(node.lineno, 4, "choices must be a list or tuple in ascending order")
            if isinstance(options, ast.List | ast.Tuple) and not options.elts:
                yield Violation(node.lineno, 4, "choices must never be empty")
            if isinstance(options, ast.Call) and _name(options.func) in ("set", "frozenset"):
                yield Violation(node.lineno, 4, "choices must be a list or tuple in ascending order")


def _chance(tree: ast.AST) -> Iterator[Violation]:
    """Yield violations of rule 5."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for each in node.names:
                if each.name.partition(".")[0] in FORBIDDEN_MODULES:
                    yield Violation(node.lineno, 5, f"rules must not import {each.name}")
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in FORBIDDEN_MODULES:
            names = {each.name for each in node.names}
            if (node.module, names) != ("random", {"Random"}):  # the type of the argument of `Game.determinize`
                yield Violation(node.lineno, 5, f"rules must not import {node.module}")
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FORBIDDEN_CALLS:
            yield Violation(node.lineno, 5, f"rules must not call {node.func.id}()")
        elif isinstance(node, ast.Global | ast.Nonlocal):
            yield Violation(node.lineno, 5, "rules must not store anything outside the state")
        elif isinstance(node, ast.For | ast.comprehension) and _is_set(node.iter):
            line = node.iter.lineno
            yield Violation(line, 5, "the order of a set is undefined; iterate sorted(...) of it")


def _is_set(value: ast.expr) -> bool:
    """Return whether an expression is a set."""
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        return value.func.id in ("set", "frozenset")
    return isinstance(value, ast.Set | ast.SetComp)
