# SPDX-License-Identifier: MIT
"""Writes what Python needs of the C interface, from the headers of include/kane:

    python3 generate.py --module kane/_c.py HEADER...     structs, constants and prototypes, with their comments
    python3 generate.py --layouts layouts.h HEADER...     offsets of all members as the compiler has them, for unit.apps.python

Headers of formulas (scalar.h, formula.h, creep_formula.h) are for C compilers alone. It reads the others as .clang-format leaves them; what it does not understand is an error, not left out.
"""

import contextlib
import re
import sys
from pathlib import Path

TOKEN = re.compile(r'(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<macro>^[ \t]*#(?:[^\n]*\\\n)*[^\n]*)|(?P<blank>\n[ \t]*(?=\n))|(?P<space>\s+)'
                   r'|(?P<word>[A-Za-z_]\w*)|(?P<number>\.?\d[\w.]*)|(?P<text>"(?:\\.|[^"\\])*")|(?P<mark>\.\.\.|<<|.)', re.S | re.M)
SCALARS = {"int": ("c_int", "int"), "unsigned": ("c_uint", "int"), "long": ("c_long", "int"), "size_t": ("c_size_t", "int"),
           "double": ("c_double", "float"), "char": ("c_char", "bytes"), "unsigned char": ("c_ubyte", "int"),
           "uint64_t": ("c_uint64", "int"), "uint32_t": ("c_uint32", "int"), "int64_t": ("c_int64", "int"),
           "float": ("c_float", "float"), "unsigned long": ("c_ulong", "int"), "long long": ("c_longlong", "int")}


class Declared:
    """What the headers declare, in their order."""

    def __init__(self):
        self.constants, self.structs, self.functions = {}, {}, {}
        self.enums, self.callbacks, self.macros = set(), set(), {}


class Name:
    """A declared name: base type, how often a pointer, lengths of an array, or a pointer to a function."""

    def __init__(self, name, base, stars, lengths, is_function, doc=""):
        self.name, self.base, self.stars, self.lengths, self.is_function, self.doc = name, base, stars, lengths, is_function, doc


def tokens(text):
    """(kind, token, whether something of the same line precedes it); "blank" is an empty line."""
    fresh = True
    for found in TOKEN.finditer(text):
        kind, token = found.lastgroup, found.group()
        if kind == "space":
            fresh = fresh or "\n" in token
            continue
        yield kind, token, not fresh
        fresh = kind in ("macro", "blank")


def plain(comments):
    """The words of comment lines."""
    lines = [c[2:].removesuffix("*/").strip() if c.startswith("/*") else c[2:].removeprefix(" ").rstrip() for c in comments]
    return "\n".join(lines).strip()


class Reader:
    """One header; its declarations go into `declared`."""

    def __init__(self, file, declared):
        self.file, self.declared = file, declared
        self.stream = list(tokens(file.read_text()))

    def fail(self, what):
        raise SystemExit(f"{self.file}: cannot read {what}")

    def read(self):
        code, doc, depth, shared = [], [], 0, []  # shared: the comment of the declaration before, without an empty line between
        for kind, token, trails in self.stream:
            if kind == "macro":
                self.macro(token)
            elif kind == "blank":
                doc, shared = doc if code else [], shared if code else []
            elif kind == "comment":
                if code:
                    code.append((kind, token, trails))
                elif not trails:
                    doc.append(token)
            elif token in ("KANE_C_BEGIN", "KANE_C_END"):
                doc = []
            else:
                code.append((kind, token, trails))
                depth += (token == "{") - (token == "}")
                if depth == 0 and (token == ";" or (token == "}" and self.is_function_body(code))):
                    shared = doc or shared
                    self.declare(code, plain(shared))
                    code, doc = [], []
        if code:
            self.fail(" ".join(t for _, t, _ in code[:8]))

    @staticmethod
    def is_function_body(code):
        words = [t for k, t, _ in code if k != "comment"]
        return words.index("{") > 0 and words[words.index("{") - 1] == ")"

    def macro(self, token):
        found = re.match(r"\s*#define (\w+)(\([^)]*\))?\s+(.*)", token.replace("\\\n", " "), re.S)
        if found and found[2]:
            self.declared.macros[found[1]] = (found[2][1:-1].replace(" ", "").split(","), found[3])
        elif found:
            value = re.sub(r"//.*", "", found[3]).strip()
            if re.fullmatch(r"[-+.\dexX]+", value):
                self.declared.constants[found[1]] = (float if re.search(r"[.e]", value) else lambda v: int(v, 0))(value)

    def declare(self, code, doc):
        words = [t for k, t, _ in code if k != "comment"]
        if words[-1] == "}" or "inline" in words or "KANE_INLINE" in words or "extern" in words or words == [";"]:
            return
        if "enum" in words[:2] and "{" in words:
            self.enum(words[words.index("{") + 1 : len(words) - 1 - words[::-1].index("}")])
            if words[0] == "typedef":
                self.declared.enums.add(words[-2])
        elif words[:2] == ["typedef", "struct"] and "{" in words:
            self.struct(words[-2], code, doc)
        elif words[0] == "KANE_API":
            self.function(code[1:], doc)
        elif words[0] == "typedef" and "(" in words:
            self.declared.callbacks.add(words[words.index("(") + 2])
        elif words[0] not in ("typedef", "struct") or (words[0] == "typedef" and words[1] != "struct"):
            self.fail(" ".join(words[:8]))

    def enum(self, words):
        if len(words) > 3 and words[1] == "(":  # KANE_LIST(KANE_ENTRY)
            (_, body), (names, entry) = self.declared.macros[words[0]], self.declared.macros[words[2]]
            rows = re.findall(r"X\(((?:[^()\"]|\"[^\"]*\")*)\)", body)
            words = []
            for row in rows:
                given = dict(zip(names, re.split(r",\s*", row)))
                words += re.findall(r"\w+|[-=,()<>|+*]", re.sub(r"\w+", lambda w: given.get(w[0], w[0]), entry))
        value = -1
        for item in " ".join(words).split(","):
            name, _, given = item.partition("=")
            if name.strip():
                value = self.evaluate(given) if given else value + 1
                self.declared.constants[name.strip()] = value

    def evaluate(self, expression):
        known = {k: v for k, v in self.declared.constants.items() if k in expression}
        return int(eval(re.sub(r"(\d)u\b", r"\1", expression), {"__builtins__": {}}, known))

    def struct(self, name, code, doc):
        """Members, each with the comment behind it."""
        members, member, notes, depth = [], [], [], 0
        inside = code[next(i for i, c in enumerate(code) if c[1] == "{") + 1 : len(code) - 3]
        for i, (kind, token, trails) in enumerate(inside):
            if kind == "comment":
                if trails and members and not member:
                    members[-1][1].append(token)
                elif members and not member and notes == [] and i > 0 and inside[i - 1][0] == "comment" and members[-1][1]:
                    members[-1][1].append(token)  # the comment goes on
                else:
                    notes.append(token)
                continue
            depth += (token in "({") - (token in ")}")
            if token == ";" and depth == 0:
                members.append((member, notes))
                member, notes = [], []
            else:
                member.append(token)
        self.declared.structs[name] = ([n for m, c in members for n in self.names(m, plain(c))], doc)

    def names(self, words, doc=""):
        """Names of one declaration: const char *a, b[3]; a pointer to a function is one."""
        if "(" in words:
            at = words.index("(")
            if words[at + 1] != "*":
                self.fail(" ".join(words))
            inner = words[at + 2 : words.index(")", at)]
            follows = words[words.index(")", at) + 1]
            return [Name(inner[0], "void", 1, [], follows == "(", doc)]
        words = [w for w in words if w not in ("const", "struct", "volatile")]
        base = [words.pop(0)]
        while len(words) > 1 and " ".join([*base, words[0]]) in SCALARS:
            base.append(words.pop(0))
        found, part = [], []
        for word in [*words, ","]:
            if word == ",":
                found.append(self.one(" ".join(base), part, doc))
                part = []
            else:
                part.append(word)
        return found

    def one(self, base, words, doc):
        stars = words.count("*")
        words = [w for w in words if w != "*"]
        lengths = re.findall(r"\[([^\]]*)\]", " ".join(words))
        return Name(words[0] if words and re.match(r"\w", words[0]) else "", base, stars,
                    [self.evaluate(n) if n.strip() else 0 for n in lengths], False, doc)

    def function(self, code, doc):
        words = [t for k, t, _ in code if k != "comment"]
        opens = words.index("(")
        if "..." in words:
            return
        result = self.names(words[:opens])[0]
        depth, part, parts = 0, [], []
        for word in words[opens + 1 : len(words) - 1]:
            if word in ",)" and depth == 0:
                parts.append(part)
                part = []
                if word == ")":
                    break
                continue
            depth += (word == "(") - (word == ")")
            part.append(word)
        arguments = [self.names(p)[0] for p in parts if p and p != ["void"]]
        self.declared.functions[result.name] = (result, arguments, doc)


def read_all(files):
    """Headers after those that they include."""
    declared, done, by_name = Declared(), set(), {f.name: f for f in files}

    def read(file):
        if file.name in done:
            return
        done.add(file.name)
        for name in re.findall(r"#include <kane/(\w+\.h)>", file.read_text()):
            if name in by_name:
                read(by_name[name])
        Reader(file, declared).read()

    for file in files:
        read(file)
    return declared


# --- ctypes ---


def c_type(n, declared):
    """A member's type in ctypes."""
    base = n.base
    if n.is_function or base in declared.callbacks:
        kind = "c_void_p"
    elif n.stars == 0:
        kind = base if base in declared.structs else "c_int" if base in declared.enums else SCALARS[base][0]
    elif base == "char":
        kind = "c_char_p" if n.stars == 1 else "POINTER(c_char_p)" if n.stars == 2 else "c_void_p"
    elif n.stars == 1 and (base in declared.structs or base in SCALARS or base in declared.enums):
        kind = f"POINTER({c_type(Name('', base, 0, [], False), declared)})"
    else:
        kind = "c_void_p"
    for length in reversed(n.lengths):
        kind = f"({kind} * {length})" if " * " in kind else f"{kind} * {length}"
    return kind


def hint(n, declared):
    if n.base == "char" and len(n.lengths) == 1 and n.stars == 0:
        return "bytes"
    if n.is_function or n.base in declared.callbacks or n.lengths or n.stars > 1 or (n.stars and n.base not in declared.structs and n.base != "char"):
        return "Any"
    if n.base in declared.structs:
        return f'"{n.base}"' if n.stars == 0 else "Any"
    return "bytes" if n.stars else "int" if n.base in declared.enums else SCALARS.get(n.base, (0, "None"))[1]


def argument(n, declared):
    """Type of an argument or a result: addresses are untyped, so that arrays, byref(...) and numbers may be passed."""
    if n.is_function or n.base in declared.callbacks or n.lengths or n.stars > 1 or (n.stars == 1 and n.base != "char"):
        return "c_void_p"
    if n.base == "void" and n.stars == 0:
        return "None"
    return c_type(n, declared)


def argument_hint(n, declared):
    kind = argument(n, declared)
    return "Any" if kind == "c_void_p" else "None" if kind == "None" else "Optional[bytes]" if kind == "c_char_p" else \
        f'"{n.base}"' if n.base in declared.structs else "int" if n.base in declared.enums else SCALARS[n.base][1]


def quoted(text, indent):
    text = text.replace("\\", "\\\\").replace('"""', "'''").replace("\n", "\n" + indent if text else "")
    return f'"""{text}{" " if text.endswith(chr(34)) else ""}"""'


def by_need(declared):
    """Structs after those that they contain."""
    order = []

    def add(name):
        if name in order:
            return
        for n in declared.structs[name][0]:
            if n.stars == 0 and not n.is_function and n.base in declared.structs:
                add(n.base)
        order.append(name)

    for name in declared.structs:
        add(name)
    return order


def safe(name):
    return name + "_" if name in ("from", "in", "is", "lambda", "not", "and", "or", "global", "with", "as", "def", "del", "pass") else name


def print_module(declared):
    print('"""The C interface, made from the headers of include/kane when libkane is built: do not edit."""\n')
    print("from ctypes import POINTER, Structure, c_char, c_char_p, c_double, c_float, c_int, c_int64, c_long, c_longlong, c_size_t")
    print("from ctypes import c_ubyte, c_uint, c_uint32, c_uint64, c_ulong, c_void_p")
    print("from typing import Any, Optional\n")
    for name, value in declared.constants.items():
        print(f"{name} = {value!r}")
    for name, (members, doc) in declared.structs.items():
        print(f"\n\nclass {name}(Structure):")
        print(f"    {quoted(doc, '    ')}\n")
        for n in members:
            note = " ".join(n.doc.split())
            if re.fullmatch(r"[A-Za-z_]\w*", n.name) and safe(n.name) == n.name:
                print(f"    {n.name}: {hint(n, declared)}" + (f"  # {note}" if note else ""))
    print("\n")
    for name in by_need(declared):
        print(f"{name}._fields_ = [" + ", ".join(f'("{n.name}", {c_type(n, declared)})' for n in declared.structs[name][0]) + "]")
    print("\n\nclass Functions:")
    print('    """Functions of the library; addresses are those of ctypes objects, of numpy arrays, or numbers."""')
    for name, (result, arguments, doc) in declared.functions.items():
        names = [safe(a.name) or f"a{i}" for i, a in enumerate(arguments)]
        listed = ", ".join(["self", *(f"{n}: {argument_hint(a, declared)}" for n, a in zip(names, arguments))])
        print(f"\n    def {name}({listed}) -> {argument_hint(result, declared)}:")
        print(f"        {quoted(doc, '        ')}")
        print("        raise NotImplementedError")
    print("\n\n_PROTOTYPES = {")
    for name, (result, arguments, _) in declared.functions.items():
        listed = "".join(f"{argument(a, declared)}, " for a in arguments)
        print(f'    "{name}": ({argument(result, declared)}, ({listed.strip()})),')
    print("}\n\n\ndef declare(library: Any) -> Functions:")
    print('    """Types and documentation of all functions of a library that ctypes has loaded."""')
    print("    for name, (result, arguments) in _PROTOTYPES.items():")
    print("        function = getattr(library, name)")
    print("        function.restype, function.argtypes, function.__doc__ = result, arguments, getattr(Functions, name).__doc__")
    print("    return library")


def print_layouts(declared):
    for name in declared.structs:
        print(f"SIZE({name}),")
        for n in declared.structs[name][0]:
            print(f"OF({name}, {n.name}),")


if __name__ == "__main__":
    if len(sys.argv) < 4 or sys.argv[1] not in ("--module", "--layouts"):
        raise SystemExit(__doc__)
    with open(sys.argv[2], "w") as out, contextlib.redirect_stdout(out):
        (print_module if sys.argv[1] == "--module" else print_layouts)(read_all([Path(f) for f in sys.argv[3:]]))
