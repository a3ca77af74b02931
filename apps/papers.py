#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the commands of docs/papers.md and puts what they make into one folder with one page.

    apps/papers.py docs/papers.md build/release/bin/kane build/papers [WORD ...]

Indented blocks of sections ("###") are commands of a shell, in a folder of their section; `kane` is the given program. As many sections
run at once as the machine has processors, or as $JOBS says. WORDs choose the sections whose headings, or those of their papers, contain
one of them. Every command must succeed: else the page says so, and the exit status is 1.
"""

import concurrent.futures
import html
import os
import re
import subprocess
import sys
import time

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; }
pre { background: #8881; padding: .6em; overflow-x: auto; font-size: 13px; line-height: 1.35; }
pre.failed { border-left: .3em solid #c00; }
table { border-collapse: collapse; } td, th { border-bottom: 1px solid #8885; padding: .2em .7em; text-align: left; }
img { max-width: 100%; background: #fff; } nav { columns: 2; } h3 { margin-top: 2.5em; }
:root { color-scheme: light dark; }
"""
PICTURES = (".svg", ".png")
KEPT_LINES = 60


def read_blocks(text):
    """The page as (kind, text): "#", "##", "###" headings, "text", "table" and "code"."""
    blocks = []
    for part in re.split(r"\n\s*\n", text):
        if not part.strip():
            continue
        heading = re.match(r"(#+) (.*)", part)
        if heading:
            kind, part = heading.group(1), heading.group(2)
        elif part.startswith("    "):
            kind = "code"
            part = "\n".join(line[4:] for line in part.split("\n"))
        else:
            kind = "table" if part.startswith("|") else "text"
        if kind == "code" and blocks and blocks[-1][0] == "code":
            blocks[-1] = (kind, blocks[-1][1] + "\n" + part)
        else:
            blocks.append((kind, part))
    return blocks


def to_html(text, root):
    """Marks inside a paragraph: code, links, emphasis."""
    text = html.escape(text, quote=False)
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
    text = re.sub(r"\[([^]]+)\]\(([^)]+)\)", lambda m: f'<a href="{link_to(m.group(2), root)}">{m.group(1)}</a>', text)
    return re.sub(r"\*([^*]+)\*", r"<em>\1</em>", text)


def link_to(target, root):
    return target if ":" in target or target.startswith("#") else f"{root}/{target}"


def to_table(text, root):
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in text.split("\n")]
    head, rows = rows[0], rows[2:]
    cells = lambda row, tag: "".join(f"<{tag}>{to_html(cell, root)}</{tag}>" for cell in row)
    return "<table><tr>" + cells(head, "th") + "</tr>" + "".join(f"<tr>{cells(r, 'td')}</tr>" for r in rows) + "</table>"


def list_files(folder):
    found = {}
    for where, _, names in os.walk(folder):
        for name in names:
            file = os.path.join(where, name)
            found[os.path.relpath(file, folder)] = os.stat(file).st_mtime_ns
    return found


def run_block(commands, folder, environment):
    """Carries out a block; returns whether it succeeded, its output, its seconds and the files that it has made."""
    before, start = list_files(folder), time.monotonic()
    done = subprocess.run(["sh", "-e", "-c", commands], cwd=folder, env=environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    made = sorted(file for file, when in list_files(folder).items() if before.get(file) != when)
    return done.returncode == 0, done.stdout, time.monotonic() - start, made


def run_section(name, blocks, folder, top, environment):
    """Carries out the blocks of a section in its own folder; returns their results, files as seen from `folder`."""
    own, results = os.path.join(folder, to_anchor(name)), []
    os.makedirs(own, exist_ok=True)
    for part in ("data", "vehicles"):  # as in the folder of the sources
        if not os.path.lexists(os.path.join(own, part)):
            os.symlink(os.path.join(top, part), os.path.join(own, part))
    for commands in blocks:
        good, output, seconds, made = run_block(commands, own, environment)
        print(f"{seconds:7.1f} s  {name}{'' if good else ': FAILED'}", flush=True)
        results.append((good, output, seconds, [os.path.join(to_anchor(name), file) for file in made]))
    return results


def run_sections(blocks, folder, top, environment):
    """Results of all code by its section, several sections at once."""
    sections, section = {}, ""
    for kind, text in blocks:
        section = text if kind.startswith("#") else section
        if kind == "code":
            sections.setdefault(section, []).append(text)
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS") or os.cpu_count() or 1)) as pool:
        running = {name: pool.submit(run_section, name, codes, folder, top, environment) for name, codes in sections.items()}
        return {name: task.result() for name, task in running.items()}


def to_anchor(heading):
    return re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-")


def choose_pictures(made):
    """Pictures among the files: of those that are there as .svg and .png, the first."""
    return [file for file in made if file.endswith(PICTURES) and not
            (file.endswith(".png") and file[:-4] + ".svg" in made)]


def show_block(commands, result):
    good, output, seconds, made = result
    lines = output.rstrip("\n").split("\n")
    if len(lines) > KEPT_LINES:
        lines = lines[:KEPT_LINES] + [f"... {len(lines) - KEPT_LINES} more lines"]
    parts = [f"<pre>{html.escape(commands)}</pre>"]
    if any(lines):
        parts.append(f'<pre class="{"made" if good else "failed"}">{html.escape(chr(10).join(lines))}</pre>')
    parts += [f'<p><img src="{file}" alt="{file}"></p>' for file in choose_pictures(made)]
    others = [f'<a href="{file}">{file}</a>' for file in made if not file.endswith(PICTURES)]
    parts.append(f"<p>{seconds:.1f} s{'' if good else ', failed'}{': ' if others else ''}{', '.join(others)}</p>")
    return parts


def choose_sections(blocks, words):
    """Blocks of sections ("###") of which the heading, or that of their paper ("##"), has one of the words; all without
    words."""
    has_word = lambda text: any(word.lower() in text.lower() for word in words)
    chosen, paper, inside = [], False, True
    for kind, text in blocks:
        if kind == "##":
            paper = inside = has_word(text) or not words
        elif kind == "###":
            inside = paper or has_word(text) or not words
        if inside or kind == "##":
            chosen.append((kind, text))
    return chosen


def split_commands(blocks):
    """Indented blocks outside of sections are text."""
    inside, split = False, []
    for kind, text in blocks:
        inside = kind == "###" if kind.startswith("#") else inside
        split.append(("quote" if kind == "code" and not inside else kind, text))
    return split


def main(page, program, folder, words):
    os.makedirs(folder, exist_ok=True)
    folder, top = os.path.abspath(folder), os.path.dirname(os.path.dirname(os.path.abspath(page)))
    root = os.path.relpath(os.path.dirname(os.path.abspath(page)), folder)
    path = os.path.dirname(os.path.abspath(program)) + os.pathsep + os.environ["PATH"]
    with open(page, encoding="utf-8") as file:
        blocks = choose_sections(split_commands(read_blocks(file.read())), words)
    results = run_sections(blocks, folder, top, {**os.environ, "PATH": path})
    out, contents, failed = [], [], []
    title = section = ""
    for kind, text in blocks:
        if kind.startswith("#"):
            name, level = to_anchor(text), len(kind)
            title, section = (text, section) if level == 1 else (title, text)
            out.append(f'<h{level} id="{name}">{to_html(text, root)}</h{level}>')
            if level == 3:
                contents.append(f'<a href="#{name}">{html.escape(text)}</a><br>')
        elif kind == "code":
            result = results[section].pop(0)
            failed += [] if result[0] else [section]
            out += show_block(text, result)
        elif kind == "quote":
            out.append(f"<pre>{html.escape(text)}</pre>")
        else:
            out.append(to_table(text, root) if kind == "table" else f"<p>{to_html(text, root)}</p>")
    with open(os.path.join(folder, "index.html"), "w", encoding="utf-8") as file:
        file.write(f"<!doctype html><meta charset=utf-8><title>{html.escape(title)}</title><style>{STYLE}</style>"
                   f"<nav>{''.join(contents)}</nav>{chr(10).join(out)}\n")
    for name in failed:
        print(f"failed: {name}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]))
