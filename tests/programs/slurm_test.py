"""A sweep as jobs: a Slurm array of which a job is killed and submitted again, and GNU parallel, end with the rows of one run.

Starts a Slurm of one node, with ports, key and folders of its own, and ends it; installs nothing. Where slurmctld, slurmd and
munge (Debian's packages) are not, or this is not root, it is skipped. Usage: slurm_test.py LANESCOPE"""

import os
import pathlib
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import tool  # noqa: E402

PROGRAM = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else "build/lanescope").resolve()
SWEEP = ["sweep", "--lesson", "transpose", "--set", "size=256..4096:128", "--set", "padding=0,1"]
COMBINATIONS = 31 * 2
PARTS = 4
KILLED = 2
NEEDED = ("slurmctld", "slurmd", "munged", "sbatch", "scancel", "squeue")
PATIENCE = 240  # seconds
PATH = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"


def is_there(program):
    return shutil.which(program, path=PATH) is not None


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def wait_until(condition, what):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"{what}: not within {PATIENCE} s")
        time.sleep(0.05)


def rows_in(file):
    """The number of rows of a database, which may not be there yet."""
    try:
        database = sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)
        try:
            return database.execute("SELECT count(*) FROM combinations").fetchone()[0]
        finally:
            database.close()
    except sqlite3.Error:
        return 0


class Slurm:
    """One node without systemd: munged, slurmctld and slurmd in the foreground, as children of this process."""

    def __init__(self, folder):
        self.folder, self.children = folder, []
        for name in ("state", "spool", "munge"):
            (folder / name).mkdir()
        (folder / "munge").chmod(0o755)
        host = socket.gethostname().split(".")[0]
        (folder / "slurm.conf").write_text(f"""ClusterName=trial
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={free_port()}
SlurmdPort={free_port()}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
ReturnToService=2
MpiDefault=none
SchedulerParameters=sched_interval=1
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 RealMemory=100 State=UNKNOWN
PartitionName=main Nodes={host} Default=YES MaxTime=INFINITE State=UP
""", encoding="utf-8")
        self.environment = {**os.environ, "PATH": PATH, "SLURM_CONF": str(folder / "slurm.conf")}
        key = folder / "munge/key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)
        munge = [f"--{name}={folder}/munge/{name.split('-')[0]}" for name in ("key-file", "log-file", "pid-file", "seed-file")]
        self.start("munged", "--foreground", "--force", f"--socket={folder}/munge/socket", *munge)
        wait_until((folder / "munge/socket").exists, "munged")
        self.start("slurmctld", "-D")
        self.start("slurmd", "-D")
        wait_until(lambda: self.ask("sinfo", "-h", "-o", "%T").strip() in ("idle", "mixed"), "the node of Slurm")

    def start(self, *words):
        with open(self.folder / f"{words[0]}.out", "wb") as output:
            self.children.append(subprocess.Popen(words, env=self.environment, stdout=output, stderr=output))

    def ask(self, *words):
        return subprocess.run(words, env=self.environment, capture_output=True, text=True, check=False).stdout

    def submit(self, *words):
        return self.ask("sbatch", "--parsable", *map(str, words)).strip()

    def wait_for(self, job):
        wait_until(lambda: not self.ask("squeue", "-h", "-j", job).strip(), f"job {job}")

    def end(self):
        for child in reversed(self.children):
            child.terminate()
        for child in reversed(self.children):
            try:
                child.wait(10)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()


class Jobs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory(prefix="lanescope-jobs-")
        cls.addClassCleanup(cls.holder.cleanup)
        cls.folder = pathlib.Path(cls.holder.name)
        cls.whole = cls.folder / "whole.sqlite"
        cls.lanescope(*SWEEP, "-o", cls.whole)

    @classmethod
    def lanescope(cls, *words, status=0):
        return tool.printed_by(PROGRAM, *words, statuses=(status,))

    def merge(self, jobs, status):
        return tool.printed_by("bash", jobs / "merge.sh", statuses=(status,)).stderr

    def assert_same_as_whole(self, jobs):
        """A merge refuses rows that differ, and counts those that are alike."""
        self.merge(jobs, 0)
        done = self.lanescope("merge", self.whole, jobs / "all.sqlite", "-o", self.folder / "both.sqlite")
        self.assertIn(f"{COMBINATIONS} rows were in several files", done.stderr)

    @unittest.skipUnless(all(map(is_there, NEEDED)), "no Slurm: apt install slurmctld slurmd slurm-client munge")
    @unittest.skipUnless(os.getuid() == 0, "slurmd needs root")
    def test_a_slurm_array_with_a_killed_job_ends_with_the_same_rows(self):
        slurm_folder = self.folder / "slurm"
        slurm_folder.mkdir()
        slurm = Slurm(slurm_folder)
        self.addCleanup(slurm.end)
        jobs = self.folder / "jobs of slurm"
        self.lanescope(*SWEEP, "--jobs", f"slurm:{PARTS}", "-o", jobs)
        script = jobs / "sweep.sbatch"
        job = slurm.submit(script)
        killed = jobs / f"{KILLED}.sqlite"
        wait_until(lambda: rows_in(killed) > 0, "a row of the job that is to be killed")
        slurm.ask("scancel", "--signal=KILL", "--full", f"{job}_{KILLED}")
        slurm.wait_for(job)
        before = rows_in(killed)
        self.assertLess(before, COMBINATIONS // PARTS, "the job was done before it was killed")
        self.assertIn("missing", self.merge(jobs, 1))
        again = slurm.submit(f"--array={KILLED}", script)
        slurm.wait_for(again)
        self.assert_same_as_whole(jobs)

    @unittest.skipUnless(is_there("parallel"), "no GNU parallel: apt install parallel")
    def test_gnu_parallel_ends_with_the_same_rows(self):
        jobs = self.folder / "it's jobs"
        self.lanescope(*SWEEP, "--jobs", f"parallel:{PARTS}", "-o", jobs)
        environment = {**os.environ, "HOME": str(self.folder), "PARALLEL_HOME": str(self.folder)}
        done = subprocess.run(["bash", jobs / "parallel.sh", "-j", "2"], capture_output=True, text=True, check=False, env=environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_same_as_whole(jobs)


if __name__ == "__main__":
    result = unittest.main(exit=False).result
    is_skipped = result.wasSuccessful() and len(result.skipped) == result.testsRun
    sys.exit(77 if is_skipped else not result.wasSuccessful())
