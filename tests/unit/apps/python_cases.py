# SPDX-License-Identifier: MIT
# Cases of the Python package; test_python.c makes the files that they read and carries them out.

import contextlib
import ctypes
import copy
import gc
import inspect
import io
import json
import math
import os
import re
import resource
import subprocess
import sys
import typing
import unittest

import numpy

import kane

WAGON = "data/runs/wagon-transition.json"
COACH = "data/runs/coach-straight.json"
CURVE = "data/runs/coach-curve.json"
EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../apps/python/examples")
FOUR_BAR = "data/runs/mechanism-four-bar.json"


class Layouts(unittest.TestCase):
    def test_offsets(self):
        with open("layouts.json") as file:
            compiled = json.load(file)
        kinds = {ctypes.c_double: "d", ctypes.c_int: "i", ctypes.c_uint: "i", ctypes.c_long: "i"}
        ours = {}
        for name, struct in vars(kane._c).items():
            if not (isinstance(struct, type) and issubclass(struct, ctypes.Structure)) or struct is ctypes.Structure:
                continue
            ours[name] = [0, ctypes.sizeof(struct), ""]
            for field, of in struct._fields_:
                place = getattr(struct, field)
                ours[f"{name}.{field}"] = [place.offset, place.size, kinds.get(of, "")]
        names = {*ours, *compiled}
        self.assertEqual({n: (ours.get(n), compiled.get(n)) for n in names if ours.get(n) != compiled.get(n)}, {})
        self.assertGreater(len(ours), 800)

    def test_functions_have_types_and_documentation(self):
        self.assertGreater(len(kane._c._PROTOTYPES), 450)
        function = kane._lib.kane_track_eval
        self.assertEqual((function.restype, len(function.argtypes)), (None, 4))
        self.assertIn("Frame at s", function.__doc__)
        self.assertIn("[m]", inspect.getsource(kane._c.kane_body_definition))
        self.assertEqual((kane._c.KANE_IN_USE, kane._c.KANE_PITCH, kane._c.KANE_CALL_OUTPUTS), (-9, 5, 46))

    def test_public_functions_are_annotated(self):
        bare = []
        for name in kane.__all__:
            thing = getattr(kane, name)
            members = vars(thing).items() if isinstance(thing, type) else [(name, thing)]
            for member, function in members:
                function = getattr(function, "fget", function)
                if inspect.isfunction(function) and not member.startswith("_"):
                    hints = typing.get_type_hints(function)
                    given = inspect.signature(function).parameters
                    if "return" not in hints or any(p not in hints for p in given if p not in ("self", "_")):
                        bare.append(f"{name}.{member}")
        self.assertEqual(bare, [])


class Numbers(unittest.TestCase):
    def test_wagon_is_that_of_the_program(self):
        rows, theirs = kane.Run(WAGON).collect(), kane.open_results("moving")
        self.assertEqual(rows.names, theirs.names)
        for name in rows:
            numpy.testing.assert_array_equal(rows[name], theirs[name], name)
            self.assertEqual((rows.unit(name), rows.description(name)), (theirs.unit(name), theirs.description(name)))
        self.assertEqual(len(rows), 3593)
        self.assertEqual((rows.outcome.stop, rows.outcome.distance), ("distance", 350.0))
        self.assertEqual(rows.manifest["statistics"], theirs.manifest["statistics"])
        self.assertEqual((theirs.incomplete, theirs.outcome), ("", None))

    def test_settings_change_what_the_program_changes(self):
        run = kane.Run(WAGON, set={"until.distance": 60})
        rows, theirs = run.collect("body.y", "body.yaw", "*.Q"), kane.open_results("text/results.csv")
        for name in rows:
            numpy.testing.assert_array_equal(rows[name], theirs[name], name)
        light = run.change(set={"vehicle.bodies.body.mass": "12 t"}).collect("*.Q")
        self.assertLess(light["leading.left.Q"][0], 0.9 * rows["leading.left.Q"][0])
        without = kane.Run(WAGON, omit="body:torque.rotation.z", set=["until.distance=60"]).collect("body.yaw")
        numpy.testing.assert_array_equal(without["body.yaw"], kane.open_results("omitted")["body.yaw"])
        self.assertGreater(abs(without["body.yaw"] - rows["body.yaw"]).max(), 1e-5)
        self.assertEqual(run.settings, ["until.distance=60"])

    def test_execution_leaves_the_files_of_the_program(self):
        run, told = kane.Run(WAGON, set={"until.distance": 40}), []
        outcome = run.execute("executed", progress=lambda time, distance, done: told.append((time, distance, done)))
        found = kane.open_results("executed")
        numpy.testing.assert_array_equal(found["body.y"], run.collect("body.y")["body.y"])
        self.assertEqual(outcome.rows, len(found))
        found.write("copy.csv")
        found.write("copy.h5")
        for copy in "copy.csv", "copy.h5":
            with open(copy, "rb") as file:
                self.assertNotEqual(file.read(4), b"")

    def test_steps(self):
        run = kane.Run(WAGON, set={"until.distance": 30})
        rows, s = run.collect("body.y", "leading.yaw"), run.simulation()
        stepped = s.rows(rows["time"], "body.y", "leading.yaw")
        for name in "time", "body.y", "leading.yaw":
            numpy.testing.assert_array_equal(stepped[name], rows[name], name)
        self.assertEqual(s.stop, "distance")
        self.assertEqual(s.time, rows["time"][-1])
        s.start()
        self.assertEqual((s.time, s.stop), (0.0, ""))
        s.advance(0.5)
        s.save("half.state")
        other = kane.Simulation(run, s.model)
        other.resume("half.state")
        numpy.testing.assert_array_equal(other.y, s.y)
        self.assertEqual(other.read("body.y"), s.read("body.y"))
        self.assertGreater(s.statistics["steps"], 10)
        self.assertEqual([c.unit for c in s.channels("body.y", "leading.left.N")], ["m", "N"])

    def test_inputs(self):
        s, units = kane.Run("data/runs/coach-skyhook.json").simulation(), ["N"] * 4
        self.assertEqual(list(s.inputs.values()), units)
        left, right = list(s.inputs)[:2]
        before = s.read("car.rate.z", "car.rate.roll")
        s.set(**{left: 20e3})
        self.assertEqual((s.get(left), s.get(right)), (20e3, 0.0))
        self.assertAlmostEqual(s.step(0.05), s.time)
        self.assertAlmostEqual(s.time, 0.05)
        after = s.read("car.rate.z", "car.rate.roll")
        self.assertGreater(after["car.rate.z"] - before["car.rate.z"], 0.01)  # 20 kN for 0.05 s on 32 t: .03 m/s
        self.assertGreater(after["car.rate.roll"] - before["car.rate.roll"], 0.003)  # on its left: it rises there
        with self.assertRaises(kane.Error) as caught:
            s.set(nowhere=1)
        self.assertIn(left, str(caught.exception))
        with self.assertRaises(kane.Error):
            s.set(**{left: math.inf})

    def test_modes_are_those_of_the_program(self):
        with open("modes.json") as file:
            theirs = json.load(file)["modes"]
        modes = kane.Run(COACH).steady(50).modes()
        self.assertEqual([m.name for m in modes], [m["name"] for m in theirs])
        for ours, other in zip(modes, theirs):
            self.assertAlmostEqual(ours.frequency, other["frequency"], delta=1e-5 * abs(other["frequency"]) + 1e-9)
            self.assertAlmostEqual(ours.damping, other["damping"], delta=1e-5 * abs(other["damping"]) + 1e-9)
        self.assertAlmostEqual(sum(s.sum() for s in modes[-1].shares.values()), 1.0, places=9)

    def test_what_grows_is_found(self):
        fast, slow = kane.Run(COACH).steady(90), kane.Run(COACH).steady(70)
        self.assertEqual([(round(m.frequency, 1), m.grows) for m in fast.growing()], [(6.4, True)] * 2)
        self.assertEqual(slow.growing(), [])
        outcome = kane.Run(COACH, set={"start.speed": 90, "until.distance": 200}).execute("fast")
        (one,) = outcome.growing
        self.assertEqual((one["modes"], one["speed"], one["curvature"]), (2, 90, 0))
        self.assertTrue(one["text"].startswith("modes grow in the straight from "))

    def test_equations_are_those_of_the_program(self):
        with open("equations.json") as file:
            theirs = json.load(file)
        model = kane.Run(FOUR_BAR).model()
        ours = model.equations(0, model.initial_state())
        for name, value in ours.items():
            if isinstance(value, list):
                self.assertEqual(value, theirs[name])
            else:
                numpy.testing.assert_allclose(value, theirs[name], rtol=1e-9, atol=1e-9, err_msg=name)
        numpy.testing.assert_allclose(ours["M"] @ ours["u_dot"], ours["F"])
        numpy.testing.assert_allclose(ours["A"].T @ ours["Theta"] @ ours["A"], ours["M"])
        numpy.testing.assert_allclose(ours["Phi"] @ ours["A"], 0, atol=1e-12)

    def test_equilibrium_of_the_coach(self):
        steady = kane.Run(CURVE).steady(speed=25, radius=500, cant=0.1)
        Q = steady.read("wheelset 1.*.Q")
        self.assertAlmostEqual(Q["wheelset 1.left.Q"], 42955, delta=1)  # as README shows
        self.assertAlmostEqual(Q["wheelset 1.right.Q"], 66809, delta=1)
        self.assertLess(steady.residual, 1e-8)


class Equations(unittest.TestCase):
    def check(self, file, t):
        model = kane.Run(file).model()
        y = model.initial_state()
        rate = model.eval(t, y)
        self.assertEqual(rate.shape, (model.count,))
        self.assertEqual(len(model.names), model.count)
        numpy.testing.assert_array_equal(rate, model.eval(t, y))
        J = model.jacobian(t, y)
        for i, name in enumerate(model.names):
            h = 1e-6
            up, down = y.copy(), y.copy()
            up[i] += h
            down[i] -= h
            difference = (model.eval(t, up) - model.eval(t, down)) / (2 * h)
            numpy.testing.assert_allclose(J[:, i], difference, atol=1e-4 * max(1.0, abs(J).max()), err_msg=name)
        self.assertGreater(abs(J).max(), 0)

    def test_wagon(self):
        self.check(WAGON, 0.0)

    def test_four_bar(self):
        self.check(FOUR_BAR, 0.0)

    def test_integration_by_somebody_else(self):
        """Runge and Kutta in numpy end where libkane's integrator does."""
        run = kane.Run(FOUR_BAR, set={"integrator.rtol": 1e-11})
        model, s, h = run.model(), run.simulation(), 1e-3
        y = model.initial_state()
        for i in range(200):
            k1 = model.eval(i * h, y)
            k2 = model.eval((i + 0.5) * h, y + 0.5 * h * k1)
            k3 = model.eval((i + 0.5) * h, y + 0.5 * h * k2)
            k4 = model.eval((i + 1.0) * h, y + h * k3)
            y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        s.advance(200 * h)
        for name, value in s.read("motions").items():
            self.assertAlmostEqual(model.read(200 * h, y, "motions")[name], value, delta=1e-7)

    def round_off(self, model, t, y):
        """How far rates may differ that two mathematical libraries give, one by one.

        numpy's functions are right to 4 units in the last place, and which of its own it takes the processor decides; all other
        operations are the same. A sine or cosine that is wrong by e displaces what it turns by e times its lever, as a state would
        that is wrong by e (1 + |y|) (levers up to a metre, angles of one): rates differ by at most e |J| (1 + |y|). Contact makes
        that stiff: |J| (1 + |y|) is 4e6 m/s^2 where a wheelset moves vertically, whose rate is next to nothing there."""
        epsilon = 4 * numpy.finfo(float).eps
        return epsilon * (abs(model.jacobian(t, y)) @ (1 + abs(y)) + abs(model.eval(t, y)))

    def test_recorded_equations_that_call(self):
        written = subprocess.run([os.environ["KANE_PROGRAM"], "export", "equations", WAGON, "--to", "python", "--what", "rates",
                                  "--name", "recorded", "-o", "recorded.py"], capture_output=True, text=True)
        if "without a C++ compiler" in written.stderr:
            self.skipTest("recorded equations are not built")
        self.assertIn("8 calls", written.stderr)
        code = {}
        with open("recorded.py") as file:
            exec(file.read(), code)
        run = kane.Run(WAGON)
        model, simulation = run.model(), run.simulation()
        for t in (0, 3, 9):
            simulation.advance(t)
            y = simulation.y
            model.locate(t, y)
            near = y + 1e-4 * numpy.sin(numpy.arange(model.count))
            many = code["recorded"](t, numpy.stack([y, near], axis=1), model.call)
            for k, state in enumerate((y, near)):
                rate, bound = model.eval(t, state), self.round_off(model, t, state)
                for found in (code["recorded"](t, state, model.call), many[:, k]):
                    worst = numpy.argmax(abs(found - rate) - bound)
                    self.assertLessEqual(abs(found - rate)[worst], bound[worst], model.names[worst])
        with self.assertRaises(ValueError):
            model.call(model.calls, [0.0])
        failed = 0
        for which in range(model.calls):
            with contextlib.suppress(ValueError):  # it has another number of inputs
                try:
                    model.call(which, [math.nan] * 16)
                except kane.Error:
                    failed += 1
        self.assertEqual(failed, 4)  # the contacts

    def test_small_motions(self):
        steady = kane.Run(CURVE).steady(speed=25, radius=500, cant=0.1)
        A, states = steady.matrix()
        J = steady.jacobian()
        pairs = [(i, s) for i, s in enumerate(states) if s >= 0]
        self.assertGreater(len(pairs), 10)
        eigenvalues = numpy.linalg.eigvals(A)
        for mode in steady.modes():
            self.assertLess(abs(eigenvalues - mode.eigenvalue).min(), 1e-5 * max(1.0, abs(mode.eigenvalue)))
        i, s = pairs[-1]
        self.assertTrue(numpy.isfinite(J).all() and abs(A[i, i] - J[s, s]) <= 1e-9 * abs(J).max())

    def test_energy(self):
        model = kane.Run(WAGON).model()
        energy, speed = model.energy(0.0, model.initial_state()), 54 / 3.6
        mass = sum(b["mass"] for b in kane.Vehicle("vehicles/two-axle-wagon.json").bodies.values())
        self.assertGreater(energy["kinetic"], 0.5 * mass * speed**2)  # wheelsets turn
        self.assertLess(energy["kinetic"], 0.6 * mass * speed**2)

    def test_track(self):
        track = kane.Track("data/tracks/short-transition.json")
        s = 65.0
        frame, h = track.frame(s), 1e-3
        tangent = (track.frame(s + h)["origin"] - track.frame(s - h)["origin"]) / (2 * h)
        numpy.testing.assert_allclose(frame["R"][:, 0], tangent, atol=1e-8)
        rate = frame["R"].T @ (track.frame(s + h)["R"] - track.frame(s - h)["R"]) / (2 * h)  # Omega x
        numpy.testing.assert_allclose([rate[2, 1], rate[0, 2], rate[1, 0]], frame["Omega"], atol=1e-9)
        self.assertAlmostEqual(sum(p["length"] for p in track.sections), track.length)
        self.assertEqual(kane.Mechanism("data/mechanisms/four-bar.json").name, "four-bar linkage")


class Pages(unittest.TestCase):
    """What the pages show works."""

    def code(self, page):
        with open(page) as file:
            lines = file.read().split("\n")
        begin = lines.index("    import kane")
        end = next(i for i in range(begin, len(lines)) if lines[i] and not lines[i].startswith("    "))
        return "\n".join(line[4:] for line in lines[begin:end])

    def shown(self, page):
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            exec(self.code(page), {})
        return text.getvalue()

    def test_readme(self):
        self.assertIn("distance at", self.shown("README.md"))

    def test_python(self):
        shown = self.shown("python.md")
        self.assertIn("body: at most", shown)
        self.assertEqual(shown.count(".Q"), 4)

    def test_examples(self):
        done = subprocess.run([sys.executable, f"{EXAMPLES}/skyhook.py", "1"], stdout=subprocess.PIPE, text=True, check=True)
        without, damped = (float(line.split()[-2]) for line in done.stdout.splitlines())
        self.assertLess(damped, 0.97 * without)
        done = subprocess.run([sys.executable, f"{EXAMPLES}/kalman.py", "1"], stdout=subprocess.PIPE, text=True, check=True)
        rows = [[float(cell) for cell in line.split("]")[1].split()] for line in done.stdout.splitlines() if " [m" in line]
        self.assertEqual(len(rows), 4)
        for error, _, *reckoned, motion in rows:
            self.assertLess(error, 0.6 * motion)
            self.assertTrue(all(other > 40 * error for other in reckoned))
        square, low, high = map(float, re.findall(r"\d+\.\d+", done.stdout.splitlines()[-2]))
        self.assertTrue(low < square < high)
        for name, words in (("wagon", "0.5 m/s^2, without: "), ("own_integrator", "400 steps")):
            done = subprocess.run([sys.executable, f"{EXAMPLES}/{name}.py"], stdout=subprocess.PIPE, text=True, check=True)
            self.assertIn(words, done.stdout)
        errors = [float(line.split()[-1]) for line in done.stdout.splitlines()]
        self.assertTrue(3.5 < errors[0] / errors[1] < 6 and 3.5 < errors[1] / errors[2] < 6)  # of second order


class Columns(unittest.TestCase):
    def test_rows_are_a_mapping(self):
        rows = kane.Run(WAGON, set={"until.distance": 12}).collect("body.y")
        as_dict = dict(rows)
        self.assertEqual(list(as_dict), rows.names)
        numpy.testing.assert_array_equal(as_dict["body.y"], rows["body.y"])
        self.assertEqual([name for name, _ in rows.items()], rows.names)
        self.assertIn(f"{len(rows)} rows of {len(rows.names)} channels", repr(rows))

    def test_objects_of_c_are_not_copied(self):
        run = kane.Run(WAGON)
        for duplicate in copy.copy, copy.deepcopy:
            with self.assertRaises(TypeError) as caught:
                duplicate(run._handle)
            self.assertIn("cannot be copied", str(caught.exception))
        with self.assertRaises(TypeError):
            copy.deepcopy(run)

    def test_what_is_missing_is_named(self):
        elsewhere = {**os.environ, "KANE_LIBRARY": "nowhere.so"}
        for code, word in (("import kane", "nowhere.so"), ("import sys; sys.modules['numpy'] = None; import kane", "python3-numpy")):
            done = subprocess.run([sys.executable, "-c", code], env=elsewhere, stderr=subprocess.PIPE, text=True)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(word, done.stderr.splitlines()[-1])


class Errors(unittest.TestCase):
    def raised(self, function, *words):
        with self.assertRaises(kane.Error) as caught:
            function()
        for word in words:
            self.assertIn(word, str(caught.exception))
        return caught.exception

    def test_places(self):
        with open("data/runs/wagon-transition.json") as file:
            text = file.read()
        with open("broken.json", "w") as file:
            file.write(text.replace('"interval"', '"intervl"').replace("../..", ".").replace('"at"', '"att"'))
        problem = self.raised(lambda: kane.Run("broken.json"), "broken.json:", "did you mean 'interval'", "did you mean 'at'")
        self.assertGreaterEqual(len(problem.messages), 2)
        message = problem.messages[0]
        self.assertTrue(message.file == "broken.json" and message.line > 0 and message.column > 0 and message.path)
        self.assertEqual(message.status, -3)

    def test_others(self):
        run = kane.Run(WAGON, set={"until.distance": 30})
        self.raised(lambda: kane.Run("nothing.json"), "nothing.json")
        self.raised(lambda: run.change({"vehicle.bodies.body.mass": -1}), "mass", "must not be negative")
        self.raised(lambda: run.collect("bodi.*"), "bodi.*")
        self.raised(lambda: run.collect("body.y")["body.x"], "body.x")
        self.raised(lambda: run.simulation().advance(-1))
        self.raised(lambda: kane.open_results("nowhere"), "nowhere")
        self.raised(lambda: kane.Mechanism("vehicles/two-axle-wagon.json"), "two-axle-wagon.json")
        self.raised(lambda: kane.Run(CURVE).steady(speed=200, radius=300, cant=0))
        self.raised(lambda: kane.program("run", "nothing.json"), "nothing.json")
        guided = kane.Run(WAGON, set={"vehicle.patterns.wheelset.contact.model": "table"}).model()
        self.raised(lambda: guided.equations(0, guided.initial_state()), "tables guide wheels")
        with self.assertRaises(ValueError):
            run.model().eval(0, [1.0, 2.0])

    def test_state_that_is_not_finite(self):
        model = kane.Run(WAGON).model()
        y = model.initial_state()
        y[1] = numpy.nan
        self.raised(lambda: model.eval(0, y), "body")

    def test_progress(self):  # which is told ten times a second: many rows make the run as long
        run = kane.Run(WAGON, set={"output.interval": "0.05 ms"})

        def fails(time, distance, done):
            raise KeyError("mine")

        with self.assertRaises(KeyError):
            run.execute("stopped", progress=fails)
        outcome = run.execute("stopped", progress=lambda time, distance, done: True)
        self.assertLess(outcome.distance, 350)
        self.assertIn("stopped", kane.open_results("stopped").incomplete + "stopped")


class Studies(unittest.TestCase):
    def test_sweep(self):
        table = kane.sweep(WAGON, {"speed": [10, 15]}, "peak(*.Y)", set={"until.distance": 60})
        numpy.testing.assert_array_equal(table["speed"], [10, 15])
        self.assertEqual(len(table), 2)
        for speed, peak in zip(table["speed"], table["peak(*.Y)"]):
            rows = kane.Run(WAGON, set={"start.speed": speed, "until.distance": 60}).collect("*.Y")
            self.assertEqual(peak, max(abs(rows[n]).max() for n in rows if n.endswith(".Y")))
        with self.assertRaises(KeyError):
            table["nothing"]

    def test_omission(self):
        tables = kane.study("study omit", WAGON, set={"until.distance": 80}, omit="body:torque.rotation.z", response="body.yaw")
        self.assertIn("effects", tables)
        self.assertIn("ranking", tables)


class Memory(unittest.TestCase):
    def test_objects_give_back_what_they_have(self):
        run = kane.Run(WAGON, set={"until.distance": 12})

        def use():
            other = run.change({"start.speed": 15})
            model = other.model()
            model.jacobian(0, model.initial_state())
            model.read(0, model.initial_state(), "*.Q")
            s = other.simulation(model)
            s.rows([0.01], "all")
            del other, model  # the simulation still needs both
            s.advance(0.02)
            run.collect("body.y")
            try:
                kane.Run(WAGON, set={"nothing": 1})
            except kane.Error:
                pass

        for _ in range(10):
            use()
        gc.collect()
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for _ in range(50):
            use()
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, 2000)  # kB: 40 of each use

    def test_what_is_made_last_can_go_last_or_first(self):
        s = kane.Run(WAGON).simulation()
        model, run = s.model, s.run
        del s
        self.assertEqual(model.eval(0, model.initial_state()).shape, (model.count,))
        del run
        self.assertEqual(model.bodies[0], "body")


if __name__ == "__main__":
    unittest.main()
