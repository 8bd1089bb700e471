"""`lanescope mcp`: a server of the Model Context Protocol over stdio, for coding agents. See app/docs/agents.md.

Needs PyPI's `mcp` (pip install "lanescope[mcp]"). Method: each tool runs verbs of the lanescope program and shortens their reports.
Tests: tests/mcp"""
