#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rename_keys.py FILE...: rewrites keys and values of files of libkane that had other names before the first release, in place.

All else stays as it was typed: layout, order, digits, notes. What has been rewritten is printed. The names are those of the table in
lib/base/renamed.c. To be removed with that table once no file is older than it.
"""

import os
import re
import sys

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib", "base", "renamed.c")

# Keys whose objects hold names that users choose.
MAPS = {"bodies", "wheelsets", "elements", "constraints", "markers", "frames", "sensors", "inputs", "profiles", "patterns", "vehicles",
        "couplers", "drive", "beams", "masses", "interfaces", "gauges", "variants"}

TOKEN = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+)')


def read_table(name):
    """The rows of both tables: [(old, new, within)]."""
    with open(TABLE, encoding="utf-8") as file:
        text = re.search(name + r"\[\] = \{(.*?)\n\};", file.read(), re.S).group(1)
    return re.findall(r'\{"(\w+)",\s*"(\w+)",\s*"([^"]+)"', text)


KINDS = ("run", "vehicle", "mechanism", "train", "track", "flexible")

KEYS, VALUES = read_table("keys"), read_table("values")


def new_key(key, enclosing, kind, value):
    """The new name of a key in the object that the key `enclosing` has, "" in the outermost object of a file; value: its first token."""
    if enclosing in MAPS:
        return key
    for old, new, within in KEYS:
        if old != key or within not in ("*", enclosing, kind):
            continue
        if old == "turned" and (new == "reversed") != (value in ("true", "false")):
            continue
        return new
    return key


def new_value(key, value):
    for old, new, within in VALUES:
        if within == key and old == value:
            return new
    return value


def rewrite_setting(text, kind):
    """ "PATH=VALUE": the steps of its path, and its value. """
    path, equals, value = text.partition("=")
    if not equals or not re.match(r'^\s*[\w.*\[\]" -]+$', path):
        return text
    steps, enclosing = re.split(r"(\.(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$))", path), ""
    for i in range(0, len(steps), 2):
        name = re.match(r"\s*([^\[\s]*)", steps[i])
        new = new_key(name.group(1), enclosing, kind, value.strip())
        steps[i] = steps[i][:name.start(1)] + new + steps[i][name.end(1):]
        enclosing = new
    bare = value.strip()
    if bare[:1] in ("{", "["):
        return "".join(steps) + "=" + rewrite(value, kind, enclosing)
    return "".join(steps) + "=" + value.replace(bare, new_value(enclosing, bare)) if bare else text


class Rewriter:
    def __init__(self, text, kind):
        self.text, self.kind, self.edits = text, kind, []
        self.tokens = [(m.start(1), m.group(1)) for m in TOKEN.finditer(text)]
        self.at = 0

    def replace(self, token, new):
        place, old = token
        if old != new:
            self.edits.append((place, place + len(old), new))

    def next(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def value(self, key, enclosing):
        token = self.next()
        if token[1] == "{":
            self.object(key)
        elif token[1] == "[":
            while self.tokens[self.at][1] != "]":
                self.value(key, enclosing)
                if self.tokens[self.at][1] == ",":
                    self.at += 1
            self.at += 1
        elif token[1].startswith('"'):
            inner = token[1][1:-1]
            if enclosing == "variants" or key == "settings":
                plain = inner.replace('\\"', '"')
                new = rewrite_setting(plain, self.kind)
                self.replace(token, '"' + (new.replace('"', '\\"') if new != plain else inner) + '"')
            else:
                self.replace(token, '"' + new_value(key, inner) + '"')

    def object(self, enclosing):
        while self.tokens[self.at][1] != "}":
            token = self.next()
            if self.next()[1] != ":":
                raise ValueError("expected ':' behind " + token[1])
            key = token[1][1:-1]
            new = new_key(key, enclosing, self.kind, self.tokens[self.at][1])
            self.replace(token, '"' + new + '"')
            self.value(new, enclosing)
            if self.tokens[self.at][1] == ",":
                self.at += 1
        self.at += 1


def rewrite(text, kind=None, enclosing=""):
    found = re.search(r'"kane"\s*:\s*"([a-z]+ \d+)"', text)
    if not kind and not (found and found.group(1).split()[0] in KINDS):
        return text
    rewriter = Rewriter(text, kind or (found.group(1) if found else ""))
    rewriter.value(enclosing, "")
    for start, end, new in sorted(rewriter.edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def main(names):
    for name in names:
        with open(name, encoding="utf-8", newline="") as file:
            old = file.read()
        try:
            new = rewrite(old)
        except (IndexError, ValueError):
            sys.exit(name + ": is no JSON")
        if new != old:
            with open(name, "w", encoding="utf-8", newline="") as file:
                file.write(new)
            print(name + ": rewritten")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__.splitlines()[0])
    main(sys.argv[1:])
