"""What a statement asks of tables that are distributed by ``tenant_id``, from its parse tree.

A statement goes to one node whole, whatever it is made of, if every table in it is kept to one tenant:
by ``tenant_id = PARAMETER``, or by equality with a table of the same level that is. A column of an
outer level does not count, nor what a statement inside it that writes returns: neither is a value
when the statement is planned.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pglast import ast, enums, parse_sql

KEY = "tenant_id"
_PARAMETER = re.compile(r"%\((\w+)\)[sbt]")
_TENANT = 1  # the number of the tenant's parameter
_WRITES = (ast.InsertStmt, ast.UpdateStmt, ast.DeleteStmt)


def parsed(text: str) -> Any:
    """The tree of one named statement; the tenant's parameter is the first."""
    numbers = {KEY: _TENANT}

    def number(found: re.Match[str]) -> str:
        return f"${numbers.setdefault(found[1], len(numbers) + 1)}"

    return parse_sql(_PARAMETER.sub(number, text).replace("%%", "%"))[0].stmt


def _is(tree: Any, *kinds: type[ast.Node]) -> bool:
    return isinstance(tree, kinds)


def nodes(tree: Any) -> Iterator[Any]:
    """Every node of a tree."""
    if _is(tree, ast.Node):
        yield tree
        for name in tree:
            yield from nodes(getattr(tree, name))
    elif isinstance(tree, tuple | list):
        for one in tree:
            yield from nodes(one)


def tables_in(tree: Any) -> set[str]:
    """Names in the place of a table, those of common table expressions too."""
    return {node.relname for node in nodes(tree) if _is(node, ast.RangeVar)}


def functions_in(tree: Any) -> set[str]:
    """Functions that are called, without their schemas."""
    return {node.funcname[-1].sval for node in nodes(tree) if _is(node, ast.FuncCall)}


def statements_in(tree: Any) -> Iterator[Any]:
    """The statement and every one inside it."""
    return (node for node in nodes(tree) if _is(node, ast.SelectStmt, *_WRITES))


@dataclass
class _Level:
    """What stands beside one another in a FROM, and what is known to be equal to what."""

    pinned: dict[str, bool] = field(default_factory=dict)  # of common table expressions in sight
    members: list[str] = field(default_factory=list)
    tables: dict[str, str] = field(default_factory=dict)  # alias to distributed table
    kept: set[str] = field(default_factory=set)
    equal: list[set[str]] = field(default_factory=list)

    def settle(self) -> None:
        """Whoever is equal to one that is kept is kept too."""
        grown = True
        while grown:
            grown = False
            for group in self.equal:
                if group & self.kept and not group <= self.kept:
                    self.kept |= group
                    grown = True


class Statement:
    """One statement, looked at against the tables that are distributed."""

    def __init__(self, text: str, distributed: Iterable[str]) -> None:
        self.tree = parsed(text)
        self._distributed = set(distributed)
        self.faults: list[str] = []
        self._statement(self.tree, {})

    @property
    def distributed(self) -> set[str]:
        """The distributed tables that it names."""
        return tables_in(self.tree) & self._distributed

    def _statement(self, tree: Any, outer: dict[str, bool]) -> bool:
        """Look at a statement; whether a column ``tenant_id`` that it gives is the tenant's."""
        seen = self._with(tree, outer)
        if _is(tree, ast.InsertStmt):
            self._insert(tree, seen)
            return False
        if _is(tree, ast.SelectStmt) and tree.op != enums.SetOperation.SETOP_NONE:
            both = [self._statement(one, seen) for one in (tree.larg, tree.rarg)]
            return all(both)
        level = _Level(pinned=seen)
        if _is(tree, ast.SelectStmt):
            sources: Sequence[Any] = tree.fromClause or ()
        else:
            beside = tree.fromClause if _is(tree, ast.UpdateStmt) else tree.usingClause
            sources = (tree.relation, *(beside or ()))
        for one in sources:
            self._source(one, level)
        self._condition(tree.whereClause, level)
        level.settle()
        for alias, table in level.tables.items():
            if alias not in level.kept:
                self.faults.append(f"{table} {alias} is not kept to a tenant")
        self._inside(tree, seen)
        if _is(tree, ast.UpdateStmt):
            self._keeps_key(tree.targetList)
            return False
        return _is(tree, ast.SelectStmt) and self._gives_key(tree.targetList, level)

    def _with(self, tree: Any, outer: dict[str, bool]) -> dict[str, bool]:
        seen = dict(outer)
        for one in tree.withClause.ctes if tree.withClause else ():
            # Of one that is recursive, its first part decides; the rest joins it.
            if tree.withClause.recursive:
                seen[one.ctename] = self._first_gives_key(one.ctequery, seen)
            seen[one.ctename] = self._statement(one.ctequery, seen)
        return seen

    def _first_gives_key(self, tree: Any, seen: dict[str, bool]) -> bool:
        while _is(tree, ast.SelectStmt) and tree.op != enums.SetOperation.SETOP_NONE:
            tree = tree.larg
        kept, self.faults = self.faults, []
        gives = self._statement(tree, seen)
        self.faults = kept
        return gives

    def _insert(self, tree: Any, seen: dict[str, bool]) -> None:
        select = tree.selectStmt
        names = [column.name for column in tree.cols or ()]
        # Without a list of columns it is given whole rows.
        if tree.relation.relname in self._distributed and names and KEY not in names:
            self.faults.append(f"{tree.relation.relname} is given no {KEY}")
        place = names.index(KEY) if KEY in names else 0
        if select is not None and select.valuesLists:
            for row in select.valuesLists:
                if not _is_tenant(row[place]):
                    self.faults.append(f"{tree.relation.relname} is given another {KEY}")
            self._inside(select, seen)
        elif select is not None:
            self._statement(select, seen)
        if tree.onConflictClause is not None:
            self._keeps_key(tree.onConflictClause.targetList)
            self._inside(tree.onConflictClause, seen)
        self._inside_of(tree.returningClause, seen)

    def _keeps_key(self, targets: Any) -> None:
        if any(target.name == KEY for target in targets or ()):
            self.faults.append(f"{KEY} is changed")

    def _source(self, source: Any, level: _Level) -> list[str]:
        """Take in a part of FROM; the aliases that it brought."""
        if _is(source, ast.JoinExpr):
            left = self._source(source.larg, level)
            right = self._source(source.rarg, level)
            using = {name.sval for name in source.usingClause or ()}
            if KEY in using or source.isNatural:
                keyed = [one for one in (*left, *right) if one in level.members]
                level.equal.append(set(keyed))
            self._condition(source.quals, level)
            return left + right
        if _is(source, ast.RangeVar):
            alias = source.alias.aliasname if source.alias else source.relname
            if source.relname in level.pinned:
                if level.pinned[source.relname]:
                    level.kept.add(alias)
            elif source.relname in self._distributed:
                level.tables[alias] = source.relname
            level.members.append(alias)
            return [alias]
        alias = source.alias.aliasname if source.alias else ""
        if _is(source, ast.RangeSubselect):
            if self._statement(source.subquery, level.pinned):
                level.kept.add(alias)
            level.members.append(alias)
            return [alias]
        self._inside_of(source, level.pinned)
        return []

    def _condition(self, tree: Any, level: _Level) -> None:
        if _is(tree, ast.BoolExpr) and tree.boolop == enums.BoolExprType.AND_EXPR:
            for one in tree.args:
                self._condition(one, level)
        elif _is(tree, ast.A_Expr) and tree.name[-1].sval == "=":
            sides = [(_key_of(one), _is_tenant(one)) for one in (tree.lexpr, tree.rexpr)]
            aliases = [self._members(name, level) for name, _ in sides if name is not None]
            if any(tenant for _, tenant in sides):
                for group in aliases:
                    level.kept |= group
            elif len(aliases) == 2:
                level.equal.append(aliases[0] | aliases[1])

    def _members(self, alias: str, level: _Level) -> set[str]:
        """Whom a column means: an unqualified one those that are joined by it, or the only one."""
        if alias:
            return {alias} & set(level.members)
        joined = [group for group in level.equal if len(group) > 1]
        if joined:
            return set().union(*joined)
        return set(level.members[:1])

    def _inside(self, tree: Any, seen: dict[str, bool]) -> None:
        """Statements in expressions; those of FROM and WITH were looked at."""
        for name in tree:
            if name not in {"fromClause", "usingClause", "withClause", "relation", "larg", "rarg"}:
                self._inside_of(getattr(tree, name), seen)
        for name in ("fromClause", "usingClause"):
            for source in getattr(tree, name, None) or ():
                for join in (one for one in _joins(source) if one.quals is not None):
                    self._inside_of(join.quals, seen)

    def _inside_of(self, tree: Any, seen: dict[str, bool]) -> None:
        if _is(tree, ast.SelectStmt):
            self._statement(tree, seen)
        elif _is(tree, ast.Node):
            for name in tree:
                self._inside_of(getattr(tree, name), seen)
        elif isinstance(tree, tuple | list):
            for one in tree:
                self._inside_of(one, seen)

    def _gives_key(self, targets: Any, level: _Level) -> bool:
        for target in targets or ():
            value, name = target.val, target.name
            if name == KEY and _is_tenant(value):
                return True
            column = value.fields if _is(value, ast.ColumnRef) else ()
            if column and _is(column[-1], ast.A_Star):
                of = column[0].sval if len(column) > 1 else ""
                if (self._members(of, level) if of else set(level.members)) & level.kept:
                    return True
            if name in {None, KEY} and (key := _key_of(value)) is not None:
                return bool(self._members(key, level) & level.kept)
        return False


def _joins(source: Any) -> Iterator[Any]:
    if _is(source, ast.JoinExpr):
        yield source
        yield from _joins(source.larg)
        yield from _joins(source.rarg)


def _is_tenant(tree: Any) -> bool:
    while _is(tree, ast.TypeCast):
        tree = tree.arg
    return _is(tree, ast.ParamRef) and tree.number == _TENANT


def _key_of(tree: Any) -> str | None:
    """The alias of a column ``tenant_id``, empty without one; None for anything else."""
    if not _is(tree, ast.ColumnRef) or not _is(tree.fields[-1], ast.String):
        return None
    if tree.fields[-1].sval != KEY:
        return None
    return tree.fields[0].sval if len(tree.fields) > 1 else ""
