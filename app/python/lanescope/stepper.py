"""The accesses of a launch step by step under a cell of a notebook: the page that `lanescope handout` writes, in a frame, since its
style and its script are for a page of its own. Tests: tests/programs/stepper_test.py
"""

import html
import os
import tempfile

from lanescope.program import LanescopeError, run_lanescope

HEIGHT = 760


class Stepper:
    """A page: `html` is its text, which a notebook shows `height` pixels high."""

    def __init__(self, page, height=HEIGHT):
        self.html, self.height = page, height

    def _repr_html_(self):
        return (f'<iframe srcdoc="{html.escape(self.html)}" title="Lanescope" sandbox="allow-scripts" '
                f'style="border:0;width:100%;height:{int(self.height)}px"></iframe>')


def stepper(launch, warp=0, block=(0, 0, 0), height=HEIGHT, stills=False):
    """The accesses of a launch of `lanescope.cu`, beginning with a warp. `block`: X, Y, Z; `stills`: pictures of this warp alone, 0.1 to
    1 MB and not 3. Errors: what `lanescope handout` says."""
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "stepper.html")
        _, complaint = run_lanescope("handout", launch.saved, "-o", output, "--warp", str(warp), "--cta", ",".join(map(str, block)),
                                     "--device", launch.json["device"], *(["--stills"] if stills else []))
        # Its exit status is 1 for a kernel with hazards too.
        if not os.path.exists(output):
            raise LanescopeError(complaint or "`lanescope handout` wrote nothing")
        with open(output, encoding="utf-8") as file:
            return Stepper(file.read(), height)
