"""Serves dist/page/ with the headers that a browser wants before it gives a page threads. Usage: serve_page.py ADDRESS PORT [FOLDER].
Standard output has the page's address. Test: tests/page/page_test.py
"""

import http.server
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "dist/page"


class Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".js": "text/javascript", ".packed": "application/gzip"}

    def end_headers(self):
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        self.send_header("Cache-Control", "no-cache")  # a browser asks whether a file changed, so that no version mixes with another
        self.send_header("X-Content-Type-Options", "nosniff")
        super().end_headers()

    def log_message(self, *_):
        pass


def main():
    address, port = sys.argv[1], sys.argv[2]
    folder = sys.argv[3] if len(sys.argv) > 3 else str(FOLDER)
    if not port.isdigit() or int(port) > 65535:
        print(f"a port is a number from 0 to 65535, and '{port}' was found", file=sys.stderr)
        return 2
    try:
        server = http.server.ThreadingHTTPServer((address, int(port)), lambda *arguments: Handler(*arguments, directory=folder))
    except OSError as error:
        print(f"{address}:{port} cannot be served: {error.strerror}; choose another address or port", file=sys.stderr)
        return 1
    print(f"http://{address}:{server.server_port}/", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    return 0


if __name__ == "__main__":
    sys.exit(main())
