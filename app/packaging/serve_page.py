"""Serves dist/page/ with the headers that a browser wants before it gives a page threads; for a class it also compiles what the page's
editors hold (class_service.py). Usage: serve_page.py --help. Standard output has the page's address.
Tests: tests/page/page_test.py, tests/page/class_test.py
"""

import argparse
import http.server
import pathlib
import secrets
import socket
import ssl
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import class_service

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST_CONNECTIONS = 600


class Handler(http.server.SimpleHTTPRequestHandler):
    timeout = 30  # seconds without a byte
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".js": "text/javascript", ".packed": "application/gzip"}

    def end_headers(self):
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        self.send_header("Cache-Control", "no-cache")  # a browser asks whether a file changed, so that no version mixes with another
        self.send_header("X-Content-Type-Options", "nosniff")
        super().end_headers()

    def answer(self, status, content, kind):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def answer_of(self, request):
        if self.path == "/compile":
            return self.server.compilers.answer(request, self.client_address[0])
        if self.server.hand_ins is None:
            raise class_service.Refusal(404, "this class takes no files in; here is yours, to be sent to the teacher")
        return self.server.hand_ins.take(request)

    def do_POST(self):
        if not self.server.compilers or self.path not in ("/compile", "/hand-in"):
            return self.send_error(404)
        try:
            class_service.require_own_page(self.headers, self.server.scheme, self.server.word)
            request = class_service.read_body(self.rfile, self.headers, self.connection)
            self.connection.settimeout(self.timeout)
            return self.answer(200, self.answer_of(request), "application/json")
        except TimeoutError:
            return self.answer(408, class_service.failure("the source did not come whole; try again"), "application/json")
        except class_service.Refusal as refusal:
            return self.answer(refusal.status, class_service.failure(str(refusal)), "application/json")

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    """A thread for each connection; those above MOST_CONNECTIONS are closed at once."""

    daemon_threads = True
    request_queue_size = 256

    def __init__(self, wanted):
        self.word, self.scheme = wanted.word, "https" if wanted.certificate else "http"
        self.compilers = class_service.Compilers(wanted.program) if wanted.is_class else None
        self.hand_ins = class_service.HandIns(wanted.hand_in) if wanted.hand_in else None
        self.places = threading.BoundedSemaphore(MOST_CONNECTIONS)
        super().__init__((wanted.address, wanted.port), lambda *arguments: Handler(*arguments, directory=wanted.folder))
        if wanted.certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(wanted.certificate)
            # The handshake is the connection's own thread's: one that stalls keeps nobody else waiting.
            self.socket = context.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)

    def process_request(self, request, client_address):
        if not self.places.acquire(blocking=False):
            return self.shutdown_request(request)
        return super().process_request(request, client_address)

    def process_request_thread(self, request, client_address):
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.places.release()

    def handle_error(self, request, client_address):
        """A client that goes away is no news."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


def port_of(text):
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"a port is a number from 0 to 65535, and '{text}' was found")
    return int(text)


def arguments():
    parser = argparse.ArgumentParser(prog="app/page serve", description="Serve dist/page/, by default to this machine alone.")
    parser.add_argument("address", nargs="?", default="127.0.0.1", help="0.0.0.0 is every address of this machine")
    parser.add_argument("port", nargs="?", type=port_of, default=8000)
    parser.add_argument("--class", dest="is_class", action="store_true", help="compile what the page's editors hold, too")
    parser.add_argument("--word", help="who knows it may have sources compiled; by default one is made")
    parser.add_argument("--hand-in", metavar="FOLDER", help="with --class: take submissions of exercises in, as LESSON/EXERCISE/NAME.cu")
    parser.add_argument("--certificate", help="a file of PEM with certificate and key: serve HTTPS, with which the page has threads")
    parser.add_argument("--folder", default=str(ROOT / "dist/page"), help=argparse.SUPPRESS)
    parser.add_argument("--program", default=str(ROOT / "build/lanescope"), help=argparse.SUPPRESS)
    wanted = parser.parse_args()
    if wanted.word and not (wanted.word.isascii() and wanted.word.isalnum()):
        parser.error("a word is of letters from a to z and digits, as a part of a link")
    wanted.word = wanted.word or secrets.token_hex(4)
    if wanted.hand_in and not wanted.is_class:
        parser.error("--hand-in takes the submissions of a class in; add --class")
    if wanted.is_class and not pathlib.Path(wanted.program).is_file():
        parser.error(f"{wanted.program} compiles for the class and is not there; app/run makes it")
    return wanted


def main():
    wanted = arguments()
    try:
        server = Server(wanted)
    except (OSError, ssl.SSLError) as error:
        print(f"{wanted.address}:{wanted.port} cannot be served: {error.strerror or error}; choose another address or port"
              + (", or look at the certificate" if wanted.certificate else ""), file=sys.stderr)
        return 1
    shown = socket.gethostname() if wanted.address in ("0.0.0.0", "::") else wanted.address
    print(f"{server.scheme}://{shown}:{server.server_port}/" + (f"?word={wanted.word}" if wanted.is_class else ""), flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    return 0


if __name__ == "__main__":
    sys.exit(main())
