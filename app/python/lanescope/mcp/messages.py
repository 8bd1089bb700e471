"""The messages of a client, of which those that are none get an error: the SDK leaves them without an answer, for which a client would wait.

Source: JSON-RPC 2.0, "Error object". Tests: tests/mcp
"""

import json

import mcp_types as types
from mcp.shared.message import SessionMessage


class Messages:
    """The stream `read` of the SDK; the answer to what is no message goes to `write`."""

    def __init__(self, read, write):
        self.read, self.write = read, write

    @property
    def last_context(self):
        return self.read.last_context

    def __aiter__(self):
        return self

    async def __anext__(self):
        while isinstance(item := await self.read.__anext__(), Exception):
            if (error := error_of(item)) is not None:
                await self.write.send(SessionMessage(error))
        return item

    async def __aenter__(self):
        return self

    async def __aexit__(self, *what):
        await self.read.aclose()

    async def aclose(self):
        await self.read.aclose()


def error_of(problem):
    """The answer to a line that the SDK cannot read; None for an empty line."""
    inputs = [one["input"] for one in problem.errors()] if hasattr(problem, "errors") else []
    is_text = hasattr(problem, "errors") and problem.errors()[0]["type"] == "json_invalid"
    if is_text and not inputs[0].strip():
        return None
    messages = inputs
    if is_text:
        try:
            messages = [json.loads(inputs[0])]
        except (ValueError, RecursionError):
            return answer(None, types.PARSE_ERROR, "a message of JSON-RPC in one line of JSON was expected")
    numbers = [one.get("id") for one in messages if isinstance(one, dict)]
    number = next((one for one in numbers if isinstance(one, (int, str)) and not isinstance(one, bool)), None)
    return answer(number, types.INVALID_REQUEST, "a message of JSON-RPC was expected, with lists at most 100 deep in each other and whole "
                  "characters")


def answer(number, code, sentence):
    return types.JSONRPCError(jsonrpc="2.0", id=number, error=types.ErrorData(code=code, message=sentence))
