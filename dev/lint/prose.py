#!/usr/bin/env python3
"""Finds idioms that make prose hard to read, in documentation, comments and messages.

  dev/lint/prose.py            check all tracked files
  dev/lint/prose.py FILE...    list the findings of some files, without allowances
  dev/lint/prose.py --update   lower the allowances to the present counts

Prints each finding of a module that exceeds its allowance: file, line, idiom, what to write instead.
Then it prints the count and the allowance of each module. It exits with 1 if a module exceeds its
allowance (prose-allowance.txt), which may only fall.

It reads Markdown files, and in src/main the comments of Java, Scala and C++ sources and the string literals
of Java sources. It ignores code in Markdown and in Javadoc. Lines that are wrapped count as one text.
"""

import argparse
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ALLOWANCES = os.path.join("dev", "lint", "prose-allowance.txt")
SOURCES = (".java", ".scala", ".cu", ".cuh", ".cpp", ".h", ".def")

# Each idiom as a regular expression, and what to write instead.
IDIOMS = [
    (r"who(m)?ever", "name the subject: the caller, another thread"),
    (r"nobody|somebody|anybody", "name the subject, or use the passive: no thread, is unreachable"),
    (r"at rest|put to rest|rests? (in|on)", "spilled, or: is in, is on"),
    (r"put(s|ting)? out", "emit, return output"),
    (r"threads of work", "pipeline drivers, compute threads"),
    (r"(in|by) turns?|take(s|n)? turns|taking turns|turn by turn", "round robin, alternately, one after another"),
    (r"at hand", "present, available"),
    (r"for want of", "because there is no, without"),
    (r"(has|have|had|having) (\w+ ){1,3}go on", "lets the ... continue"),
    (r"go(es|ing)? by", "uses, follows, depends on"),
    (r"let(s|ting)? in", "admit"),
    (r"(kept|keeps?|keeping) back", "buffered; buffers"),
    (r"who waits?", "the waiting thread"),
    (r"what it is of", "name the noun"),
    (r"by the dozen", "many"),
    (r"in the end", "finally, at last"),
    (r"meets", "encounters, reads, reaches"),
    (r"room", "memory, space, capacity"),
    (r"figures", "metrics (published), statistics (counted), results, values"),
    (r"diary|diaries", "trace, record"),
    (r"beforehand", "before, earlier, in advance"),
    (r"stands? for", "represents, encodes, means"),
    (r"is at it", "runs, works"),
    (r"(is|as|into|of|for|by) one that", "name the noun again"),
    (r"(go|goes|went|going|carry|carries|carrying) on", "continue"),
    (r"become(s)? of", "say what happens: how it is computed, where it goes"),
    (r"hand(s|ed|ing)? on", "pass, forward, migrate"),
    (r"has no others", "name the noun"),
]
PATTERNS = [(re.compile(rf"\b(?:{idiom})\b", re.IGNORECASE), instead) for idiom, instead in IDIOMS]
# A lane of a vector or a warp is the word of the field; a lane of a pipeline is a driver.
LANES = (re.compile(r"\blanes?\b", re.IGNORECASE), "pipeline driver")

JAVA_OR_CPP = re.compile(
    r'(?P<comment>/\*.*?\*/|//[^\n]*)|(?P<block>"""(?:\\.|[^\\])*?""")|(?P<string>"(?:\\.|[^"\\\n])*")'
    r"|'(?:\\.|[^'\\\n])*'",
    re.DOTALL,
)
CODE_OF_JAVADOC = re.compile(r"\{@(?:code|link|linkplain|value)\s[^{}]*\}|<pre>.*?</pre>|@(?:param|throws)\s+\S+", re.DOTALL)
CODE_OF_MARKDOWN = re.compile(r"^(```|~~~).*?^\1|`[^`\n]*`|<!--.*?-->|\]\([^)\n]*\)", re.DOTALL | re.MULTILINE)
MARGIN = re.compile(r"^[ \t]*(?:/\*+|\*+/|\*|///?|//)?[ \t]*", re.MULTILINE)


def blank(pattern, text):
    """Replaces matches by spaces that keep line ends and positions."""
    return pattern.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def texts(path, content):
    """Yields (line, text) of the prose of a file."""
    if path.endswith(".md"):
        yield 1, blank(CODE_OF_MARKDOWN, content)
        return
    comments = []
    for match in JAVA_OR_CPP.finditer(content):
        line = content.count("\n", 0, match.start()) + 1
        if match["comment"]:
            # Line comments that follow each other are one text.
            if comments and match[0].startswith("//") and content[comments[-1].end() : match.start()].isspace():
                comments.append(match)
                continue
            yield from joined(content, comments)
            comments = [match]
        elif path.endswith(".java") and match[0].startswith('"'):
            yield line, match[0]
    yield from joined(content, comments)


def joined(content, comments):
    if comments:
        start = comments[0].start()
        text = blank(CODE_OF_JAVADOC, content[start : comments[-1].end()])
        yield content.count("\n", 0, start) + 1, blank(MARGIN, text)


def findings(path, content):
    """Returns (line, idiom, what to write instead) of each idiom in a file."""
    patterns = PATTERNS + ([LANES] if path.startswith("runtime/") else [])
    found = []
    for first, text in texts(path, content):
        # Words of wrapped lines belong together; positions tell the line.
        words = [(match[0], match.start()) for match in re.finditer(r"\S+", text)]
        flat = " ".join(word for word, _ in words)
        starts = []
        position = 0
        for word, at in words:
            starts.append((position, at))
            position += len(word) + 1
        for pattern, instead in patterns:
            for match in pattern.finditer(flat):
                at = max(original for start, original in starts if start <= match.start())
                found.append((first + text.count("\n", 0, at), match[0], instead))
    return sorted(found)


def module_of(path):
    """Returns the module of a file; files of the root and of docs are one module."""
    top = path.split("/")[0]
    return "docs" if top == path or top.startswith(".") else top


def is_checked(path):
    return path.endswith(".md") or ("/src/main/" in path and path.endswith(SOURCES))


def tracked():
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    lines = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    return sorted({path for path in lines if is_checked(path) and os.path.exists(os.path.join(ROOT, path))})


def check(paths):
    """Returns the findings as (module, path, line, idiom, instead)."""
    result = []
    for path in paths:
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            content = file.read()
        result += [(module_of(path), path, *finding) for finding in findings(path, content)]
    return result


def read_allowances():
    try:
        with open(os.path.join(ROOT, ALLOWANCES), encoding="utf-8") as file:
            lines = [line.split() for line in file if line.strip() and not line.startswith("#")]
    except FileNotFoundError:
        return None
    return {module: int(count) for module, count in lines}


def write_allowances(allowances):
    with open(os.path.join(ROOT, ALLOWANCES), "w", encoding="utf-8") as file:
        file.write("# Idioms that dev/lint/prose.py lets pass, per module. A count may only fall; a missing module has 0.\n")
        file.writelines(f"{module} {count}\n" for module, count in sorted(allowances.items()) if count)


def counts_of(result):
    counts = {}
    for module, *_ in result:
        counts[module] = counts.get(module, 0) + 1
    return counts


def lowered(allowances, counts):
    """Returns the allowances, none higher than its count. Without allowances, the counts."""
    if allowances is None:
        return counts
    return {module: min(count, counts.get(module, 0)) for module, count in allowances.items()}


def report(result, allowances):
    """Returns the lines to print, and the modules that exceed their allowances."""
    counts = counts_of(result)
    over = sorted(module for module, count in counts.items() if count > allowances.get(module, 0))
    lines = [f"{path}:{line}: '{idiom}': write: {instead}" for module, path, line, idiom, instead in result if module in over]
    lines.append(f"{'module':20}{'idioms':>8}{'allowed':>9}")
    for module in sorted({*counts, *allowances}):
        mark = "  too many" if module in over else ""
        lines.append(f"{module:20}{counts.get(module, 0):8}{allowances.get(module, 0):9}{mark}")
    return lines, over


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--update", action="store_true", help="lower the allowances to the present counts")
    options = parser.parse_args(arguments)
    if options.files:
        result = check([os.path.relpath(os.path.abspath(file), ROOT) for file in options.files])
        for _, path, line, idiom, instead in result:
            print(f"{path}:{line}: '{idiom}': write: {instead}")
        return 1 if result else 0
    result = check(tracked())
    allowances = read_allowances()
    if options.update:
        allowances = lowered(allowances, counts_of(result))
        write_allowances(allowances)
    lines, over = report(result, allowances or {})
    print("\n".join(lines))
    if over:
        print("The prose of " + ", ".join(over) + " has more idioms than " + ALLOWANCES + " allows.")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
