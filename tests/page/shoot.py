"""Pictures of the page by hand: shoot.py ADDRESS OUT.png [--size 1280x720] [--dark] [--touch] [--french] [--wait SECONDS] [ACTION...]

ACTION: X,Y clicks; key:p presses; a number waits as many seconds. After each action a picture OUT_1.png, OUT_2.png, ...
Prints the console of the page, and when its first picture came.
"""

import argparse
import pathlib

from chromium import Browser


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("address")
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--size", default="1280x720")
    parser.add_argument("--scale", type=float, default=1)
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--touch", action="store_true")
    parser.add_argument("--french", action="store_true")
    parser.add_argument("--wait", type=float, default=3)
    parser.add_argument("actions", nargs="*")
    wanted = parser.parse_intermixed_args()
    width, height = (int(side) for side in wanted.size.split("x"))
    with Browser(width, height, scale=wanted.scale, dark=wanted.dark, touch=wanted.touch, language="fr-FR" if wanted.french else "en-US") as browser:
        browser.open(wanted.address)
        try:
            print(f"first picture after {browser.wait_for('self.lanescopeStarted > 0', 300):.1f} s, "
                  f"{browser.evaluate('Math.round(self.lanescopeStarted)')} ms of the page; threads: {browser.evaluate('Module.hasThreads')}")
            browser.rest_for(wanted.wait)
        finally:
            browser.screenshot(wanted.out)
            print("\n".join(browser.console))
            browser.console.clear()
        for number, action in enumerate(wanted.actions, 1):
            if action.startswith("key:"):
                key = action[4:]
                browser.press(key, f"Key{key.upper()}", ord(key.upper()))
            elif "," in action:
                browser.click(*(int(part) for part in action.split(",")))
            browser.rest_for(float(action) if action.replace(".", "").isdigit() else 2)
            browser.screenshot(wanted.out.with_stem(f"{wanted.out.stem}_{number}"))
        print("\n".join(browser.console))


if __name__ == "__main__":
    main()
