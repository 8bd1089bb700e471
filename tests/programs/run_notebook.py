"""Runs a notebook with the Jupyter kernel that `lanescope run --kernel-spec` writes, and compares what its cells show:
notebook.py NOTEBOOK LANESCOPE FOLDER. The run's report is FOLDER/run/run.json, the notebook with its output is FOLDER too.

Method: a cell's metadata may have `shows`, a regular expression for one of the texts that it shows; a cell tagged
raises-exception must raise one, the others must not. Needs ipykernel, nbclient and what the cells import."""

import json
import os
import pathlib
import re
import subprocess
import sys

import nbformat
from nbclient import NotebookClient


def add_kernel(lanescope, folder):
    """Into a Jupyter folder of the test's own. Returns the kernel's name."""
    os.environ["JUPYTER_DATA_DIR"] = str(folder / "jupyter")
    subprocess.run([lanescope, "run", "--kernel-spec", "--", sys.executable], check=True, stdout=subprocess.DEVNULL)
    file = folder / "jupyter/kernels/lanescope/kernel.json"
    spec = json.loads(file.read_text())
    if spec["display_name"] != "Python 3 (Lanescope)":
        raise RuntimeError(f"the kernel is named {spec['display_name']}")
    words = [word for word in spec["argv"] if word not in ("--save", "auto")]
    spec["argv"] = [words[0], words[1], "--save", str(folder / "run"), *words[2:]]  # where the test finds the report
    file.write_text(json.dumps(spec))
    return "lanescope"


def texts_of(output):
    if output.output_type == "stream":
        return [output.text]
    if output.output_type == "error":
        return [f"{output.ename}: {output.evalue}"]
    return [text for text in output.get("data", {}).values() if isinstance(text, str)]


def complaint_of(cell):
    """What is wrong with a cell that was executed; empty if nothing is."""
    texts = [text for output in cell.outputs for text in texts_of(output)]
    errors = [output for output in cell.outputs if output.output_type == "error"]
    may_raise = "raises-exception" in cell.metadata.get("tags", ())
    if bool(errors) != may_raise:
        return f"an error was {'' if may_raise else 'not '}expected"
    wanted = cell.metadata.get("shows")
    if wanted and not any(re.search(wanted, text.strip()) for text in texts):
        return f"{wanted!r} was expected"
    return ""


def main():
    path, lanescope, folder = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3]).resolve()
    notebook = nbformat.read(path, 4)
    client = NotebookClient(notebook, timeout=300, kernel_name=add_kernel(lanescope, folder), allow_errors=True)
    client.execute()
    nbformat.write(notebook, folder / path.name)
    wrong = 0
    for cell in notebook.cells:
        complaint = complaint_of(cell) if cell.cell_type == "code" else ""
        if complaint:
            wrong += 1
            shown = "\n".join(text for output in cell.outputs for text in texts_of(output))
            print(f"{cell.source}\n-> {complaint}; found:\n{shown[:2000]}\n")
    print(f"{path.name}: {'right' if wrong == 0 else f'{wrong} cells WRONG'}")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
