# SPDX-License-Identifier: MIT
# Mistakes in shipped files, by JSON schemas (jsonschema, another implementation than the tests') and by the program:
#
#   python3 schema_mistakes.py SOURCE PROGRAM [SCHEMAS] [--all]
#
# A schema refuses nothing that `kane check` accepts. Of what `kane check` refuses, it refuses all wrong units, ranges, types and names of
# keys; what only the whole file tells (names of bodies, what belongs together) it cannot know. SCHEMAS: a folder of others, to compare.

import copy
import json
import os
import re
import subprocess
import sys
import tempfile

import jsonschema

source, program = sys.argv[1:3]
others = [a for a in sys.argv[3:] if not a.startswith("--")]
schemas = others[0] if others else os.path.join(source, "data/schemas")
every = 1 if "--all" in sys.argv else 151
files = ["vehicles/two-axle-wagon.json", "vehicles/locomotive.json", "vehicles/cooperrider.json", "data/mechanisms/sedan.json",
         "data/mechanisms/four-bar.json", "data/mechanisms/ship-crane.json", "data/tracks/short-transition.json",
         "data/tracks/irregular.json", "data/tracks/flexible.json", "data/runs/wagon-transition.json",
         "data/runs/sedan-slalom.json", "data/flexible/bogie-frame.json"]
quantity = re.compile(r"^ *[+-]?[0-9.]+([eE][+-]?[0-9]+)?( *[:/] *[0-9.]+)?( *([^0-9,. ].*|1/.*))?$")

# what becomes of a value, by the name of the mistake
UNITS = ["3 kg", "25 mm", "2 s", "5 deg", "40 kN", "3 MN/m", "20 kN s/m", "7 m/s^2", "70 km/h", "2 kN m/rad", "800 kg m^2", "5 %"]
WORDS = ["3 Kg", "25 milimetre", "2 kNm", "12 furlong", "3 m//s", "0,5 m", "kg 3", "5 kmh"]


# what the program says of a value or a key by itself; all else is of the whole file
OF_VALUES = [", expected ", "unknown unit", "out of range", "is not known", "unknown key", "decimals stand after a point",
             "does not begin with a number", "is not a finite number", "a unit should stand"]


def mistakes(key, value):
    if isinstance(value, str) and quantity.match(value):
        yield from (("unit", u) for u in UNITS)
        yield from (("unknown unit", w) for w in WORDS)
        yield from (("range", v) for v in ("-" + value.lstrip(" +-"), re.sub(r"[1-9]", "0", value), 1e70, "1/0"))
        yield from (("type", v) for v in ([value], {"is": value}, True, None))
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield from (("unit", u) for u in UNITS)
        yield from (("range", v) for v in (-abs(value) - 1, 0, 1e70, 1.5, 4e9))
        yield from (("type", v) for v in ([value, value, value, value], {"is": value}, True, None, "many"))
    elif isinstance(value, str):
        yield from (("type", v) for v in (7, [value], False))
        yield from (("word", v) for v in (value + "x", ""))
    elif isinstance(value, bool):
        yield from (("type", v) for v in ("yes", 1))
    elif isinstance(value, list):
        yield "length", value[:-1]
        yield "length", value + value[-1:]
        yield "length", []
        yield "type", "none"
    elif isinstance(value, dict):
        yield "type", [value]
        yield "key", {**value, "colour of the moon": 1}


def places(node, path=()):
    for key, value in node.items() if isinstance(node, dict) else enumerate(node):
        if key in ("kane", "$schema", "note", "motion"):  # units of motions depend on what moves: no table has them
            continue
        yield path + (key,), value
        if isinstance(value, (dict, list)):
            yield from places(value, path + (key,))


def changed(document, path, value):
    result = copy.deepcopy(document)
    at = result
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return result


# whether it is accepted; if not, whether for a value by itself
def judged_by_program(document, beside):
    with tempfile.NamedTemporaryFile("w", suffix=".json", dir=beside) as file:
        json.dump(document, file)
        file.flush()
        command = [program, "flexible", file.name] if document["kane"].startswith("flexible") else [program, "check", file.name]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        return done.returncode == 0, any(word in done.stderr for word in OF_VALUES)


# a copy, whose files lie where names in them lead to
with tempfile.TemporaryDirectory() as copy_of_source:
    for folder in ("vehicles", "data"):
        subprocess.run(["cp", "-r", os.path.join(source, folder), copy_of_source], check=True)
    count, bad = 0, 0
    table = {}  # by kind of mistake: refused by the program, of these by the schema
    for name in files:
        path = os.path.join(copy_of_source, name)
        document = json.load(open(path))
        kind = document["kane"].split()[0]
        validator = jsonschema.Draft7Validator(json.load(open(os.path.join(schemas, kind + "-1.json"))))
        if not validator.is_valid(document):
            print(f"{name}: refused as it is: {next(validator.iter_errors(document)).message[:200]}")
            bad += 1
        for place, value in places(document):
            for mistake, instead in mistakes(place[-1], value):
                count += 1
                if count % every or instead == value:
                    continue
                wrong = changed(document, place, instead)
                (by_program, of_value), by_schema = judged_by_program(wrong, os.path.dirname(path)), validator.is_valid(wrong)
                if by_program and not by_schema:
                    print(f"{name}: {place} = {instead!r} is right, but the schema refuses it")
                    bad += 1
                if not by_program:
                    row = table.setdefault(mistake if of_value else "(whole file)", [0, 0, []])
                    row[0] += 1
                    row[1] += not by_schema
                    if by_schema:
                        row[2].append(f"{name}: {'.'.join(map(str, place))} = {instead!r}")
    for mistake, (refused, by_schema, let_through) in sorted(table.items()):
        print(f"{mistake}: kane check refuses {refused}, the schema {by_schema} of them")
        for text in let_through if "--show" in sys.argv else []:
            print("   ", text)
        if mistake in ("unit", "unknown unit", "range", "type") and by_schema < 0.9 * refused:
            bad += 1
sys.exit(bad > 0)
