"""Whether a call's arguments are what a tool's schema says: the part of JSON Schema that the tools use, with an error in one sentence.

Tests: tests/mcp"""

import difflib

from lanescope.mcp.places import shown
from lanescope.program import LanescopeError

KINDS = {"string": (str, "a text"), "integer": (int, "an integer"), "number": ((int, float), "a number"),
         "boolean": (bool, "true or false"), "array": (list, "a list"), "object": (dict, "an object")}


def is_kind(value, kind):
    # In Python a bool is an int.
    return isinstance(value, KINDS[kind][0]) and (kind == "boolean" or not isinstance(value, bool))


def name_of(value):
    if value is None:
        return "null"
    return next((name for kind, (_, name) in KINDS.items() if is_kind(value, kind)), type(value).__name__)


def check(value, schema, place):
    """Errors: what was expected of `place` and what was given."""
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(is_kind(value, kind) for kind in kinds):
        expected = " or ".join(KINDS[kind][1] for kind in kinds)
        raise LanescopeError(f"{place}: {expected} was expected, {name_of(value)} was given")
    if "enum" in schema and value not in schema["enum"]:
        raise LanescopeError(f"{place}: one of {', '.join(map(str, schema['enum']))} was expected, '{shown(str(value))}' was given")
    if is_kind(value, "number"):
        check_range(value, schema, place)
    elif isinstance(value, str) and len(value) > schema.get("maxLength", len(value)):
        raise LanescopeError(f"{place}: at most {schema['maxLength']:,} characters were expected, {len(value):,} were given")
    elif isinstance(value, list):
        check_list(value, schema, place)
    elif isinstance(value, dict):
        check_object(value, schema, place)


def check_range(value, schema, place):
    low, high = schema.get("minimum", value), schema.get("maximum", value)
    # A value that is no number is in no range.
    if not low <= value <= high:
        both = f"{low} to {high}" if "maximum" in schema else f"{low} or more"
        raise LanescopeError(f"{place}: {both} was expected, {value} was given")


def check_list(value, schema, place):
    low, high = schema.get("minItems", 0), schema.get("maxItems", len(value))
    if not low <= len(value) <= high:
        count = f"{low} to {high}" if "maxItems" in schema else f"{low} or more"
        raise LanescopeError(f"{place}: {count} values were expected, {len(value)} were given")
    if "items" in schema:
        for n, one in enumerate(value):
            check(one, schema["items"], f"{place}[{n}]")


def check_object(value, schema, place):
    known = schema.get("properties", {})
    for name in value:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            raise LanescopeError(f"{place} has no argument '{shown(name)}'; "
                                 f"{f'did you mean {near[0]}' if near else 'it has ' + ', '.join(known)}")
    for name in schema.get("required", ()):
        if name not in value:
            raise LanescopeError(f"{place}: '{name}' is missing")
    for name, one in value.items():
        check(one, known[name], f"{place}: {name}" if "." not in place and "[" not in place else f"{place}.{name}")
