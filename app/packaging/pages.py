"""Man pages, completions for bash, zsh and fish, and the changelog of a package, from the program's own help texts.

Usage: pages.py PROGRAM FOLDER. Method: `PROGRAM --help` names the verbs, `PROGRAM help VERB` the options of each; nothing is listed
here a second time. Dates are of SOURCE_DATE_EPOCH where it is set, so that the same commit makes the same bytes.
Test: tests/packages/install_test.py
"""

import gzip
import os
import pathlib
import re
import subprocess
import sys
import time
from dataclasses import dataclass, field

HEADING = re.compile(r"^(Positionals|Options|Subcommands):$")
ROW = re.compile(r"^  (\S.*?)(?:  +(.*))?$")
MORE = re.compile(r"^ {20,}(\S.*)$")


@dataclass
class Row:
    """A line of a list of the help: the name with its kind of value, and what it is for."""
    name: str
    text: str = ""

    def flags(self):
        return [word.split(" ")[0] for word in self.name.split(" ")[0].split(",")]

    def values(self):
        """Of an option that takes one of several words."""
        match = re.search(r":\{([^}]*)\}", self.name)
        return match[1].split(",") if match else []


@dataclass
class Help:
    purpose: str
    usage: str = ""
    lists: dict = field(default_factory=dict)
    footer: list = field(default_factory=list)

    def options(self):
        return self.lists.get("Options", [])


def read_help(text):
    lines = text.splitlines()
    found, rows = Help(lines[0]), None
    for line in lines[1:]:
        if line.startswith("Usage: "):
            found.usage = line[len("Usage: "):]
        elif match := HEADING.match(line):
            rows = found.lists.setdefault(match[1], [])
        elif rows is not None and (match := MORE.match(line)) and rows:
            rows[-1].text = f"{rows[-1].text} {match[1]}".strip()
        elif rows is not None and (match := ROW.match(line)):
            rows.append(Row(match[1], match[2] or ""))
        elif line.strip():
            rows = None
            found.footer.append(line)
    return found


def date_of_build():
    return time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", time.time())))


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def man_page(name, page, version, others):
    out = [f'.TH {name.upper()} 1 "{time.strftime("%Y-%m-%d", date_of_build())}" "Lanescope {version}" "User Commands"',
           ".SH NAME", f"{roff(name)} \\- {roff(page.purpose.rstrip('.'))}", ".SH SYNOPSIS", roff(page.usage)]
    for heading, title in (("Positionals", "ARGUMENTS"), ("Options", "OPTIONS"), ("Subcommands", "COMMANDS")):
        if rows := page.lists.get(heading):
            out.append(f".SH {title}")
            for row in rows:
                out += [".TP", f"\\fB{roff(row.name)}\\fR", roff(row.text) or "\\&"]
    if page.footer:
        out += [".SH NOTES", ".nf", *map(roff, page.footer), ".fi"]
    out += [".SH SEE ALSO", ", ".join(f"\\fB{roff(other)}\\fR(1)" for other in others)]
    return "\n".join(out) + "\n"


def options_of(page):
    return [flag for row in page.options() for flag in row.flags() if flag.startswith("-")]


def bash_completion(program, verbs):
    cases = "\n".join(f"    {name}) options='{' '.join(options_of(page))}' ;;" for name, page in verbs.items())
    values = {}
    for page in (program, *verbs.values()):
        for row in page.options():
            for flag in row.flags():
                values.setdefault(flag, []).extend(word for word in row.values() if word not in values.get(flag, []))
    choices = "\n".join(f"    {flag}) COMPREPLY=($(compgen -W '{' '.join(words)}' -- \"$word\")); return ;;"
                        for flag, words in values.items() if words)
    return f"""# Completion of lanescope for bash: verbs, their options, values of options, else files.
_lanescope() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} verb=${{COMP_WORDS[1]:-}} options
  case $before in
{choices}
    --lesson) COMPREPLY=($(compgen -W "$(lanescope lesson 2>/dev/null | sed -n 's/^\\([a-z][^\\t]*\\)\\t.*/\\1/p')" -- "$word")); return ;;
  esac
  case $verb in
{cases}
    *) options='{' '.join(options_of(program))}' ;;
  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  elif [ "$COMP_CWORD" = 1 ]; then
    COMPREPLY=($(compgen -W '{' '.join(verbs)}' -- "$word") $(compgen -f -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}}
complete -o filenames -F _lanescope lanescope
"""


def zsh_word(text):
    return re.sub(r"([\[\]:'\\])", lambda match: "'\\''" if match[1] == "'" else "\\" + match[1], text)


def zsh_completion(program, verbs):
    def arguments(page):
        rows = []
        for row in page.options():
            takes = ":value:_files" if " " in row.name and not row.values() else (
                f":value:({' '.join(row.values())})" if row.values() else "")
            rows += [f"'{flag}[{zsh_word(row.text)}]{takes}'" for flag in row.flags() if flag.startswith("-")]
        return " ".join([*rows, "'*:file:_files'"])

    described = "\n".join(f"    '{name}:{zsh_word(page.purpose)}'" for name, page in verbs.items())
    cases = "\n".join(f"    {name}) _arguments {arguments(page)} ;;" for name, page in verbs.items())
    return f"""#compdef lanescope
# Completion of lanescope for zsh: verbs, their options, values of options, else files.
local -a verbs
verbs=(
{described}
)
if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
  _describe verb verbs
  _files
  return
fi
local verb=$words[2]
if (( ${{verbs[(I)$verb:*]}} )); then
  shift words
  (( CURRENT-- ))
fi
case $verb in
{cases}
    *) _arguments {arguments(program)} ;;
esac
"""


def fish_word(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def fish_completion(program, verbs):
    out = ["# Completion of lanescope for fish: verbs, their options, values of options, else files."]
    for name, page in verbs.items():
        out.append(f"complete -c lanescope -n __fish_use_subcommand -a {name} -d {fish_word(page.purpose)}")
    for condition, page in [("__fish_use_subcommand", program),
                            *((f"'__fish_seen_subcommand_from {name}'", page) for name, page in verbs.items())]:
        for row in page.options():
            kinds = " ".join(f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in row.flags())
            needs = f" -x -a {fish_word(' '.join(row.values()))}" if row.values() else (" -r" if " " in row.name else "")
            out.append(f"complete -c lanescope -n {condition} {kinds}{needs} -d {fish_word(row.text)}")
    return "\n".join(out) + "\n"


def main():
    program_file, folder = sys.argv[1], pathlib.Path(sys.argv[2])

    def said(*words):
        return subprocess.run([program_file, *words], check=True, capture_output=True, text=True).stdout

    version = said("--version").split()[-1]
    program = read_help(said("--help"))
    verbs = {row.name: read_help(said("help", row.name)) for row in program.lists["Subcommands"]}
    (folder / "man1").mkdir(parents=True, exist_ok=True)

    def packed(name, text):
        (folder / name).write_bytes(gzip.compress(text.encode(), 9, mtime=0))

    packed("man1/lanescope.1.gz", man_page("lanescope", program, version, [f"lanescope-{name}" for name in verbs]))
    for name, page in verbs.items():
        packed(f"man1/lanescope-{name}.1.gz", man_page(f"lanescope-{name}", page, version, ["lanescope"]))
    (folder / "lanescope.bash").write_text(bash_completion(program, verbs))
    (folder / "_lanescope").write_text(zsh_completion(program, verbs))
    (folder / "lanescope.fish").write_text(fish_completion(program, verbs))
    stamp = time.strftime("%a, %d %b %Y %H:%M:%S +0000", date_of_build())
    packed("changelog.gz", f"lanescope ({version}) unstable; urgency=low\n\n  * Lanescope {version}.\n\n"
                           f" -- The Lanescope authors <lanescope@example.org>  {stamp}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
