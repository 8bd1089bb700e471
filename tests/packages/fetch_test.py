"""third_party/fetch.py: progress of a download whose folder pip changes meanwhile. Usage: fetch_test.py"""

import importlib.util
import pathlib
import shutil
import tempfile
import threading
import unittest

FILE = pathlib.Path(__file__).resolve().parents[2] / "third_party/fetch.py"
specification = importlib.util.spec_from_file_location("fetch", FILE)
fetch = importlib.util.module_from_spec(specification)
specification.loader.exec_module(fetch)


class Progress(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="lanescope-fetch-")
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def test_files_are_counted(self):
        (self.folder / "in").mkdir()
        (self.folder / "in/archive").write_bytes(bytes(2_500_000))
        self.assertEqual(fetch.megabytes(self.folder), 2)

    def test_folders_may_vanish_meanwhile(self):
        done = threading.Event()

        def make_and_remove():
            while not done.is_set():
                for n in range(20):
                    (self.folder / f"part/{n}/deep/er").mkdir(parents=True, exist_ok=True)
                shutil.rmtree(self.folder / "part")

        worker = threading.Thread(target=make_and_remove)
        worker.start()
        try:
            for _ in range(300):
                self.assertEqual(fetch.megabytes(self.folder), 0)
        finally:
            done.set()
            worker.join()


if __name__ == "__main__":
    unittest.main()
