# SPDX-License-Identifier: MIT
"""libkane from Python: railway vehicles and mechanisms in moving track frames.

    import kane
    run  = kane.Run("data/runs/wagon-transition.json", set={"start.speed": "60 km/h"})
    rows = run.collect("body.*", "*.Q")              # carried out in memory
    print(rows["distance"][-1], abs(rows["body.yaw"]).max())

The package uses ctypes and numpy; its C interface (`kane._c`: structs and prototypes with their documentation) is made from the
headers when libkane is built. It calls the shared libkane (KANE_LIBRARY, else the one that it was installed with) and, for studies,
the program `kane` (KANE_PROGRAM, else that of the same installation). Units are SI and radians, arrays are numpy's and belong to
the caller. An error is a `kane.Error` with every message and its place: file, line and column, or time and distance. Objects keep
alive what they were made from and free their memory with their last reference. Use a `Model` and all that is made of it in one
thread at a time.
"""

from __future__ import annotations

import csv
import ctypes
import ctypes.util
import json
import os
import subprocess
import tempfile
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_void_p
from pathlib import Path
from typing import Any, Callable, Iterable, Iterator, Mapping, NoReturn, Optional, Sequence, Union

try:
    import numpy
except ImportError as problem:
    raise ImportError("kane needs numpy (Debian: python3-numpy; else pip install numpy)") from problem
from . import _c

PathLike = Union[str, "os.PathLike[str]"]
Settings = Union[None, str, Sequence[str], Mapping[str, Any]]

__version__ = "0.1.0"
__all__ = ["Channel", "Error", "Mechanism", "Message", "Mode", "Model", "Outcome", "Program", "Results", "Run", "Simulation",
           "Steady", "Table", "Track", "Vehicle", "open_results", "program", "study", "sweep"]

# --- the library ----------------------------------------------------------------------------------------------------------


def _find_library() -> ctypes.CDLL:
    named = os.environ.get("KANE_LIBRARY")
    # installed: LIBDIR/python/kane/__init__.py beside LIBDIR/libkane.so; built: BUILD/python/kane/__init__.py and BUILD/libkane.so
    beside = [str(folder / "libkane.so") for folder in list(Path(__file__).resolve().parents)[:3]]
    places = [named] if named else [p for p in beside if os.path.exists(p)] + [ctypes.util.find_library("kane")]
    tried = []
    for place in filter(None, places):
        try:
            return ctypes.CDLL(place)
        except OSError as problem:
            tried.append(str(problem))
    raise ImportError("there is no shared libkane: " + ("; ".join(tried) if tried else "name it by KANE_LIBRARY=FILE"))


_lib = _c.declare(_find_library())
if _lib.kane_version().decode() != __version__:
    raise ImportError(f"this is the module kane of version {__version__}, the libkane that it found is of {_lib.kane_version().decode()}")

_Progress = ctypes.CFUNCTYPE(c_int, ctypes.POINTER(_c.kane_progress), c_void_p)


_tables = _lib.kane_tables_create(64 << 20)  # of contacts: who reads a run again and again makes them once


class _Handle:
    """What C gave: frees it when the last reference goes, before whatever it was made from."""

    def __init__(self, pointer: Any, free: Callable[[Any], Any], *made_from: Any) -> None:
        self.pointer, self.free, self.made_from = pointer, free, made_from

    def __del__(self) -> None:
        if getattr(self, "pointer", None):
            self.free(self.pointer)
            self.pointer = None

    def __reduce_ex__(self, protocol: Any) -> NoReturn:  # copy, deepcopy, pickle
        raise TypeError("objects of libkane cannot be copied or pickled: read the file again, or use Run.change()")


def _text(value: Optional[bytes]) -> str:
    return value.decode("utf-8", "replace") if value else ""


def _bytes(value: PathLike) -> bytes:
    return os.fsencode(value)


def _texts(values: Iterable[str]) -> Any:
    """A NULL-terminated list of texts for C; None for none."""
    values = [v.encode() for v in values]
    return (c_char_p * (len(values) + 1))(*values, None) if values else None


def _address(array: numpy.ndarray) -> c_void_p:
    return array.ctypes.data_as(c_void_p)


def _floats(values: Any, count: int, name: str) -> numpy.ndarray:
    array = numpy.ascontiguousarray(values, dtype=float)
    if array.shape != (count,):
        raise ValueError(f"{name} has the shape {array.shape}, must be ({count},)")
    return array


def _copy(pointer: Any, count: int) -> numpy.ndarray:
    """count doubles from an address."""
    if count == 0:
        return numpy.zeros(0)
    return numpy.ctypeslib.as_array(ctypes.cast(pointer, POINTER(c_double)), (count,)).copy()


def _vector(v: _c.kane_vec3) -> numpy.ndarray:
    return numpy.array([v.x, v.y, v.z])


def _settings(changes: Settings) -> list[str]:
    """{"path": value} or ["path=value", ...] as --set has it."""
    if not changes:
        return []
    if isinstance(changes, str):
        return [changes]
    if not hasattr(changes, "items"):
        return list(changes)
    return [f"{path}={_typed(value)}" for path, value in changes.items()]


def _typed(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, numpy.ndarray):
        value = value.tolist()
    if isinstance(value, numpy.generic):
        value = value.item()
    return json.dumps(value)  # true, 1.5, [1, 2]: all digits


# --- errors -----------------------------------------------------------------------------------------------------------------


class Message:
    """One error: `text` with its place in a file (`file`, `line`, `column`, `path`) or of a run (`subject`, `time`, `distance`,
    nan where unknown); `status` is the number of C's kane_status. str() is the line that the program prints."""

    def __init__(self, record: Any) -> None:
        self.status, self.text = record.status, _text(record.text)
        self.file, self.line, self.column, self.path = _text(record.file), record.line, record.column, _text(record.path)
        self.subject, self.time, self.distance = _text(record.subject), record.time, record.distance
        room = ctypes.create_string_buffer(2048)
        _lib.kane_error_format(byref(record), len(room), room)
        self._line = _text(room.value)

    def __str__(self) -> str:
        return self._line

    def __repr__(self) -> str:
        return f"<kane.Message {self._line}>"


class Error(Exception):
    """What libkane said: all `messages` (kane.Message), the `status` of the first one, and of a run that failed on the way
    the `results` up to there (kane.Results or None)."""

    def __init__(self, text: str, messages: Iterable[Message] = (), status: int = 0, results: Optional[Results] = None) -> None:
        super().__init__(text)
        self.messages, self.status, self.results = list(messages), status, results


class _Errors:
    """Collects what C reports; raises it."""

    def __init__(self) -> None:
        self.record = _c.kane_errors()
        self.address = byref(self.record)

    def __del__(self) -> None:
        _lib.kane_errors_free(self.address)

    def fail(self, status: Optional[int] = None, results: Optional[Results] = None) -> NoReturn:
        count = self.record.count
        messages = [Message(_c.kane_error.from_address(_lib.kane_errors_get(self.address, i)))
                    for i in range(self.record.kept)]
        lines = [str(m) for m in messages] or [_text(_lib.kane_status_text(-2 if status is None else status))]
        if count > len(messages):
            lines.append(f"... and {count - len(messages)} more")
        first = messages[0].status if messages else (-2 if status is None else status)
        raise Error("\n".join(lines), messages, first, results)

    def need(self, pointer: Any) -> Any:
        """The pointer, or an Error."""
        return pointer if pointer else self.fail()

    def check(self, status: int) -> None:
        if status != 0:
            self.fail(status)


# --- results ----------------------------------------------------------------------------------------------------------------


class _Columns:
    """Columns by name, as a dict has them: what Results and Table share."""

    names: list[str]

    def __getitem__(self, name: str) -> numpy.ndarray:
        raise NotImplementedError

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def keys(self) -> list[str]:
        """Names of the columns."""
        return list(self.names)

    def items(self) -> Iterator[tuple[str, numpy.ndarray]]:
        """Names and values of the columns."""
        return ((name, self[name]) for name in self.names)

    def to_frame(self) -> Any:
        """The columns as a pandas.DataFrame."""
        import pandas
        return pandas.DataFrame(dict(self.items()))


class Results(_Columns):
    """Rows of channels: `results["body.yaw"]` is an array, `results.unit("body.yaw")` its unit, `results.names` all of them,
    `results.manifest` what was computed, as a dict. `outcome` says how the run ended, where it was carried out here."""

    def __init__(self, pointer, outcome=None):
        self._handle = _Handle(pointer, _lib.kane_results_free)
        self.outcome = outcome
        self.names = [_text(self._column(i).name) for i in range(_lib.kane_results_column_count(pointer))]
        self._index = {name: i for i, name in enumerate(self.names)}

    def _column(self, i: int) -> _c.kane_column:
        return ctypes.cast(_lib.kane_results_column(self._handle.pointer, i), POINTER(_c.kane_column)).contents

    def _find(self, name: str) -> int:
        if name in self._index:
            return self._index[name]
        errors = _Errors()
        _lib.kane_results_find(self._handle.pointer, name.encode(), errors.address)
        errors.fail()

    def __len__(self) -> int:
        """Number of rows."""
        return _lib.kane_results_row_count(self._handle.pointer)

    def __repr__(self) -> str:
        return f"<kane.Results {len(self)} rows of {len(self.names)} channels>"

    def __getitem__(self, name: str) -> numpy.ndarray:
        """Values of a channel, one a row."""
        return _copy(_lib.kane_results_values(self._handle.pointer, self._find(name)), len(self))

    def unit(self, name: str) -> str:
        """Unit of a channel."""
        return _text(self._column(self._find(name)).unit)

    def description(self, name: str) -> str:
        """What a channel is, in words."""
        return _text(self._column(self._find(name)).description)

    @property
    def manifest(self) -> Optional[dict[str, Any]]:
        """What was computed: files, settings, versions; None: not known."""
        text = _lib.kane_results_manifest(self._handle.pointer)
        return json.loads(text) if text else None

    @property
    def incomplete(self) -> str:
        """Why their run has not come to its end, in words; "" if it has."""
        room = ctypes.create_string_buffer(512)
        return _text(room.value) if _lib.kane_results_format(self._handle.pointer, len(room), room) else ""

    def array(self, *names: str) -> numpy.ndarray:
        """Channels side by side, [rows, names]; without names all of them."""
        return numpy.column_stack([self[name] for name in names or self.names])

    def write(self, file: PathLike) -> None:
        """Writes FILE.h5 or FILE.csv."""
        errors = _Errors()
        errors.check(_lib.kane_results_write(self._handle.pointer, _bytes(file), int(str(file).endswith(".h5")),
                                             errors.address))


def open_results(path: PathLike) -> Results:
    """Results of a file (results.h5, results.csv) or of the directory of a run, also while it goes on."""
    errors = _Errors()
    return Results(errors.need(_lib.kane_results_open(_bytes(path), errors.address)))


class Outcome:
    """How a run ended: `stop` in words ("distance", "wheel lift"), `subject` (the wheel), `detail`, `time`, `distance`, `rows`,
    `wall` seconds, `statistics` of the integrator as a dict; `growing`: of the two straights or curves in which modes grow fastest, or else no
    equilibrium was found, a dict with `text` in words; `damped_from` [Hz]: what swings faster is damped more by the integrator than by the vehicle (both from
    `Run.execute`)."""

    def __init__(self, record: Any) -> None:
        self.status, self.stop = record.status, _text(_lib.kane_stop_name(record.stop))
        self.subject, self.detail = _text(record.subject), _text(record.detail)
        self.unbalanced, self.rough = _text(record.unbalanced), _text(record.rough)
        self.time, self.distance, self.rows, self.wall = record.time, record.distance, record.rows, record.wall
        self.statistics = _members(record.statistics)
        found = record.growth.stretch[: min(record.growth.count, len(record.growth.stretch))]
        self.damped_from = record.growth.damped_from
        self.growing = [{k: _text(v) if isinstance(v, bytes) else v for k, v in _members(g).items()} for g in found]

    def __repr__(self) -> str:
        return f"<kane.Outcome {self.stop} at {self.time:g} s, {self.distance:g} m>"


def _members(record: ctypes.Structure) -> dict[str, Any]:
    return {name: getattr(record, name) for name, *_ in record._fields_}


# --- runs -------------------------------------------------------------------------------------------------------------------


class Run:
    """A run file with its vehicle (or train) and track, or its mechanism.

    set    changes, {"PATH": VALUE} or ["PATH=VALUE"], as `kane run --set`: {"start.speed": "60 km/h", "vehicle.bodies.body.mass": 12000}
    omit   imaginary terms that are left out: ["body:torque.rotation.z"]
    """

    def __init__(self, file: PathLike, set: Settings = None, omit: Union[str, Sequence[str]] = ()) -> None:
        self.file, self.settings, self.omit = str(file), _settings(set), [omit] if isinstance(omit, str) else list(omit)
        errors = _Errors()
        options = _c.kane_run_options(settings=_texts(self.settings), omit=_texts(self.omit), tables=_tables)
        self._handle = _Handle(errors.need(_lib.kane_run_read(_bytes(file), byref(options), errors.address)),
                               _lib.kane_run_free)
        self._definition = _lib.kane_run_get_definition(self._handle.pointer)

    def change(self, set: Settings = None, omit: Union[None, str, Sequence[str]] = None, **paths: Any) -> Run:
        """Another run: this one with further changes."""
        return Run(self.file, self.settings + _settings(set) + _settings(paths), self.omit if omit is None else omit)

    def collect(self, *patterns: str) -> Results:
        """Carries it out in memory: Results with the channels that match ("body.*", "wheels", "all"; without any "default")."""
        errors, record = _Errors(), _c.kane_outcome()
        patterns = patterns or ("default",)
        pointer = _lib.kane_run_to_memory(self._definition, len(patterns), _texts(patterns), byref(record), errors.address)
        results = Results(pointer, Outcome(record)) if pointer else None
        if record.status != 0 or not results:
            errors.fail(record.status, results)
        return results

    def execute(self, directory: PathLike, progress: Optional[Callable[[float, float, float], Any]] = None) -> Outcome:
        """Carries it out into a directory, as `kane run -o`; returns its Outcome. progress(time, distance, done) is called now and
        then; what is true as its answer stops the run, and so does an exception, which goes on to the caller."""
        errors, record, raised = _Errors(), _c.kane_outcome(), []

        def report(p: Any, _: Any) -> int:
            try:
                return int(bool(progress(p.contents.time, p.contents.distance, p.contents.done)))
            except BaseException as problem:
                raised.append(problem)
                return 1

        execution = _c.kane_execution(directory=_bytes(directory), confirm=1)
        called = _Progress(report)  # alive until the run has ended
        if progress:
            execution.progress = ctypes.cast(called, c_void_p)
        status = _lib.kane_run_to_files(self._definition, byref(execution), byref(record), errors.address)
        if raised:
            raise raised[0]
        if status != 0 and not (progress and status == -8):  # stopped by progress
            errors.fail(status)
        return Outcome(record)

    def model(self) -> Model:
        """Its equations of motion."""
        errors = _Errors()
        return Model(_Handle(errors.need(_lib.kane_run_create_model(self._handle.pointer, errors.address)),
                             _lib.kane_model_free, self._handle))

    def simulation(self, model: Optional[Model] = None) -> Simulation:
        """Its motion over time, step by step."""
        return Simulation(self, model or self.model())

    def steady(self, speed: float = 0.0, radius: Optional[float] = None, cant: float = 0.0, curvature: float = 0.0) -> Steady:
        """Its vehicle in equilibrium: at constant speed [m/s] on a line of constant curvature [1/m] (or radius [m], positive to the
        left) and cant [m]; a mechanism as it stands."""
        return Steady(self, _c.kane_steady_definition(float(speed), 1.0 / radius if radius else float(curvature), float(cant)))


class Model:
    """Equations of motion of a run: dy/dt = eval(t, y). y is what `names` tell, as include/kane/agem.h has it."""

    def __init__(self, handle: _Handle, work: Optional[_Handle] = None) -> None:
        self._handle = handle
        errors = _Errors()
        self._work = work or _Handle(errors.need(_lib.kane_work_create(handle.pointer, errors.address)),
                                     _lib.kane_work_free, handle)
        self._jacobian = self._equations = None
        self.calls = _lib.kane_model_call_count(handle.pointer)
        self._channels = {}
        self.count = _lib.kane_model_state_count(handle.pointer)
        self.dof = _lib.kane_model_dof_count(handle.pointer)
        self.bodies = [_text(_lib.kane_model_body_name(handle.pointer, i))
                       for i in range(_lib.kane_model_body_count(handle.pointer))]
        self.redundant = [_text(_lib.kane_model_redundant_name(handle.pointer, i))
                          for i in range(_lib.kane_model_redundant_count(handle.pointer))]
        if not work:
            self.initial_state()  # a work means nothing before

    @property
    def names(self) -> list[str]:
        """Names of the numbers in y: "leading.yaw", "leading.omega.y"."""
        room = ctypes.create_string_buffer(256)
        names = []
        for i in range(self.count):
            _lib.kane_state_name(self._handle.pointer, i, len(room), room)
            names.append(_text(room.value))
        return names

    def _check(self, status: int) -> None:
        if status != 0:
            errors = _Errors()
            _lib.kane_work_fault(self._handle.pointer, self._work.pointer, errors.address)
            errors.fail(status)

    def initial_state(self) -> numpy.ndarray:
        """y at the start: static position on the line, wheelsets rolling; of a mechanism its consistent start. Chooses pieces of
        the line and independent speeds anew."""
        y, errors = numpy.zeros(self.count), _Errors()
        errors.check(_lib.kane_initial_state(self._handle.pointer, self._work.pointer, _address(y), errors.address))
        return y

    def locate(self, t: float, y: numpy.ndarray) -> None:
        """Takes those pieces of track and speed on which frames are at (t, y); until then the old ones go on."""
        _lib.kane_work_locate(self._handle.pointer, self._work.pointer, t, _address(_floats(y, self.count, "y")))

    def eval(self, t: float, y: numpy.ndarray) -> numpy.ndarray:
        """dy/dt."""
        y, rate = _floats(y, self.count, "y"), numpy.empty(self.count)
        self._check(_lib.kane_eval(self._handle.pointer, self._work.pointer, t, _address(y), _address(rate)))
        return rate

    def call(self, which: int, inputs: Sequence[Any]) -> numpy.ndarray:
        """What recorded equations call (`kane export equations --to python`; include/kane/calls.h): results by rows. Inputs are
        numbers, or vectors with a number for each of many states. Pieces of the line and the speed are those of `locate`."""
        info = _lib.kane_model_call(self._handle.pointer, which) if 0 <= which < 2 * self.calls else None  # derivatives are the second half
        if not info or len(inputs) != info.inputs:
            raise ValueError(f"there is no call {which} with {len(inputs)} inputs")
        x = numpy.stack(numpy.broadcast_arrays(*inputs)).astype(float)
        columns = numpy.ascontiguousarray(x.reshape(info.inputs, -1).T)
        out, caller = numpy.empty((len(columns), info.outputs)), _c.kane_caller(self._handle.pointer, self._work.pointer)
        for from_, to in zip(columns, out):
            if not _lib.kane_call(ctypes.addressof(caller), which, _address(from_), _address(to)):
                raise Error(f"{_text(info.name)} cannot be computed there")
        return out.T.reshape((info.outputs,) + x.shape[1:])

    def project(self, t: float, y: numpy.ndarray) -> numpy.ndarray:
        """y brought back onto the constraints that multipliers hold (guided wheels, KANE_FORM_MULTIPLIERS)."""
        y = _floats(y, self.count, "y").copy()
        self._check(_lib.kane_project(self._handle.pointer, self._work.pointer, t, _address(y)))
        return y

    def jacobian(self, t: float, y: numpy.ndarray) -> numpy.ndarray:
        """d(eval)/dy [count, count], exact (but for columns of s and v of a driven vehicle, which are differences)."""
        values, row, column = self.sparse_jacobian(t, y)
        full = numpy.zeros((self.count, self.count))
        full[row, column] = values
        return full

    def sparse_jacobian(self, t: float, y: numpy.ndarray) -> tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]:
        """The same as (values, rows, columns) of the entries that can differ from zero, for scipy.sparse.coo_matrix."""
        if not self._jacobian:
            self._jacobian = _Handle(_Errors().need(_lib.kane_jacobian_create(self._handle.pointer, self.count)),
                                     _lib.kane_jacobian_free, self._handle)
        p = ctypes.cast(_lib.kane_jacobian_pattern(self._jacobian.pointer), POINTER(_c.kane_pattern)).contents
        values, rate, y = numpy.empty(p.count), numpy.empty(self.count), _floats(y, self.count, "y")
        self._check(_lib.kane_jacobian_eval(self._jacobian.pointer, self._handle.pointer, self._work.pointer, t, _address(y),
                                            _address(rate), _address(values)))
        start = numpy.ctypeslib.as_array(p.column_start, (p.size + 1,))
        rows = numpy.ctypeslib.as_array(p.row, (p.count,)).copy()
        return values, rows, numpy.repeat(numpy.arange(p.size), numpy.diff(start))

    def equations(self, t: float, y: numpy.ndarray, rates: bool = True) -> dict[str, Any]:
        """The equations at (t, y) as matrices, include/kane/equations.h: a dict of arrays v, v_dot, u, u_dot, Theta, Q, h, Phi, phi,
        gamma, lambda, A, C, G, M, F, with rates A_rate and C_rate; "speeds", "independent" and "rows" are their names."""
        y = _floats(y, self.count, "y")
        if not self._equations:
            errors = _Errors()
            self._equations = _Handle(errors.need(_lib.kane_equations_create(self._handle.pointer, errors.address)),
                                      _lib.kane_equations_free, self._handle)
        e = self._equations.pointer
        self._check(_lib.kane_equations_eval(e, self._work.pointer, t, _address(y)))
        values = ctypes.cast(_lib.kane_equations_get(e), POINTER(_c.kane_equation_values)).contents
        n, m, r = values.speed_count, values.independent_count, values.row_count
        shapes = {"v": (n,), "v_dot": (n,), "u": (m,), "u_dot": (m,), "Theta": (n, n), "Q": (n,), "h": (n,), "Phi": (r, n),
                  "phi": (r,), "gamma": (r,), "lambda": (r,), "A": (n, m), "C": (n,), "G": (n,), "M": (m, m), "F": (m,)}
        found = {name: _copy(getattr(values, name), int(numpy.prod(shape))).reshape(shape) for name, shape in shapes.items()}
        if rates:
            coefficients = _c.kane_coefficients()
            _Errors().check(_lib.kane_get_coefficients(e, byref(coefficients)))
            found["A_rate"] = _copy(coefficients.A_rate, n * m).reshape(n, m)
            found["C_rate"] = _copy(coefficients.C_rate, n)
        room = ctypes.create_string_buffer(256)
        found["speeds"], found["rows"] = [], []
        for k in range(n):
            _lib.kane_speed_name(self._handle.pointer, _lib.kane_equations_speed(e, k), len(room), room)
            found["speeds"].append(_text(room.value))
        found["independent"] = [found["speeds"][_lib.kane_equations_independent(e, i)] for i in range(m)]
        for i in range(r):
            _lib.kane_equations_row_name(e, i, len(room), room)
            found["rows"].append(_text(room.value))
        return found

    def read(self, t: float, y: numpy.ndarray, *patterns: str) -> dict[str, float]:
        """Channels at (t, y) by name: {"body.acceleration.y": .1, ...}."""
        key = patterns or ("default",)
        if key not in self._channels:
            errors = _Errors()
            self._channels[key] = _Channels(errors.need(_lib.kane_channels_create_model(
                self._handle.pointer, len(key), _texts(key), None, errors.address)), self._handle)
        self.eval(t, y)
        _lib.kane_observe(self._handle.pointer, self._work.pointer)
        return self._channels[key].read_state(self, _floats(y, self.count, "y"))

    def energy(self, t: float, y: numpy.ndarray) -> dict[str, float]:
        """Energies and powers at (t, y), as kane_energy has them."""
        self.eval(t, y)
        _lib.kane_observe(self._handle.pointer, self._work.pointer)
        energy = _c.kane_energy()
        _lib.kane_get_energy(self._handle.pointer, self._work.pointer, byref(energy))
        return _members(energy)


class Channel:
    """What can be read: `name`, `unit`, `description`, `group`."""

    def __init__(self, record: Any) -> None:
        self.name, self.unit, self.description, self.group = (_text(getattr(record, n)) for n, _ in record._fields_)

    def __repr__(self) -> str:
        return f"<kane.Channel {self.name} [{self.unit}]>"


class _Channels:
    def __init__(self, pointer: Any, *made_from: _Handle) -> None:
        self._handle = _Handle(pointer, _lib.kane_channels_free, *made_from)
        self.infos = [Channel(ctypes.cast(_lib.kane_channels_info(pointer, i), POINTER(_c.kane_channel_info)).contents)
                      for i in range(_lib.kane_channels_count(pointer))]
        self.names = [i.name for i in self.infos]

    def read_state(self, model: Model, y: numpy.ndarray) -> dict[str, float]:
        values = numpy.empty(len(self.names))
        _lib.kane_channels_read_state(self._handle.pointer, model._handle.pointer, model._work.pointer, _address(y),
                                      _address(values))
        return dict(zip(self.names, values.tolist()))

    def read(self, simulation: Simulation) -> numpy.ndarray:
        values = numpy.empty(len(self.names))
        status = _lib.kane_channels_read(self._handle.pointer, simulation._handle.pointer, _address(values))
        if status != 0:
            errors = _Errors()
            _lib.kane_work_fault(simulation.model._handle.pointer, _lib.kane_simulation_work(simulation._handle.pointer),
                                 errors.address)
            errors.fail(status)
        return values


class Simulation:
    """A run step by step:

        s = run.simulation()
        while not s.stop:
            s.advance(s.time + .01)
    """

    def __init__(self, run: Run, model: Model) -> None:
        errors = _Errors()
        self.run, self.model = run, model
        self._handle = _Handle(errors.need(_lib.kane_run_create_simulation(run._handle.pointer, model._handle.pointer,
                                                                           errors.address)),
                               _lib.kane_simulation_free, model._handle, run._handle)
        self._channels, self._inputs = {}, {}

    @property
    def time(self) -> float:
        """Where it stands [s]."""
        return _lib.kane_simulation_time(self._handle.pointer)

    @property
    def y(self) -> numpy.ndarray:
        """Its state (without work that is integrated)."""
        return _copy(_lib.kane_simulation_state(self._handle.pointer), self.model.count)

    @property
    def stop(self) -> str:
        """What ended it, in words ("time", "distance", "wheel lift"); "" while it can go on."""
        stop = _lib.kane_simulation_stop(self._handle.pointer)
        return _text(_lib.kane_stop_name(stop)) if stop else ""

    @property
    def stop_subject(self) -> str:
        """The wheel or body that ended it; ""."""
        return _text(_lib.kane_simulation_stop_subject(self._handle.pointer))

    @property
    def statistics(self) -> dict[str, Any]:
        record = _c.kane_statistics()
        _lib.kane_simulation_statistics(self._handle.pointer, byref(record))
        return _members(record)

    def start(self) -> None:
        """Starts over."""
        errors = _Errors()
        errors.check(_lib.kane_simulation_start(self._handle.pointer, errors.address))

    def start_from(self, t: float, y: numpy.ndarray) -> None:
        """Starts from a state, whose independent speeds are those of the simulation at present."""
        errors = _Errors()
        errors.check(_lib.kane_simulation_start_from(self._handle.pointer, t, _address(_floats(y, self.model.count, "y")),
                                                     errors.address))

    def advance(self, t: float) -> float:
        """Integrates up to time t [s] or to what ends the run before; returns the time where it stands."""
        errors = _Errors()
        errors.check(_lib.kane_simulation_advance(self._handle.pointer, float(t), errors.address))
        return self.time

    def step(self, h: float) -> float:
        """Goes on by h [s], for a program that sets inputs in between; returns the time where it stands."""
        errors = _Errors()
        errors.check(_lib.kane_simulation_step(self._handle.pointer, float(h), errors.address))
        return self.time

    @property
    def inputs(self) -> dict[str, str]:
        """What can be set from outside: {name: unit}."""
        model = self.model._handle.pointer
        infos = [_lib.kane_model_input_info(model, i) for i in range(_lib.kane_model_input_count(model))]
        return {_text(info.name): _text(info.unit) for info in infos}

    def _input(self, name: str) -> int:
        if name not in self._inputs:
            errors = _Errors()
            found  = _lib.kane_model_find_input(self.model._handle.pointer, _bytes(name), errors.address)
            if found < 0:
                errors.fail()
            self._inputs[name] = found
        return self._inputs[name]

    def set(self, **inputs: float) -> None:
        """New values of inputs from the present time on; `set(**{"leading left": 1e3})` where names are no words of Python."""
        for name, value in inputs.items():
            if _lib.kane_simulation_set_input(self._handle.pointer, self._input(name), float(value)) < 0:
                raise Error(f"input '{name}': {value} is not finite")

    def get(self, name: str) -> float:
        """The present value of an input."""
        return _lib.kane_simulation_get_input(self._handle.pointer, self._input(name))

    def channels(self, *patterns: str) -> list[Channel]:
        """The channels (kane.Channel) that match, as `read` and `rows` give them; without patterns "default"."""
        return list(self._choose(patterns).infos)

    def _choose(self, patterns: tuple[str, ...]) -> _Channels:
        key = patterns or ("default",)
        if key not in self._channels:
            errors = _Errors()
            self._channels[key] = _Channels(errors.need(_lib.kane_channels_create(
                self._handle.pointer, len(key), _texts(key), None, errors.address)), self._handle)
        return self._channels[key]

    def read(self, *patterns: str) -> dict[str, float]:
        """Channels at the present time by name."""
        chosen = self._choose(patterns)
        return dict(zip(chosen.names, chosen.read(self).tolist()))

    def rows(self, times: Iterable[float], *patterns: str) -> dict[str, numpy.ndarray]:
        """Advances to each of the times, as far as the run goes: {name: array}, with "time" first."""
        chosen, rows = self._choose(patterns), []
        for t in times:
            rows.append([self.advance(t), *chosen.read(self)])
            if self.stop:
                break
        table = numpy.array(rows).reshape(len(rows), len(chosen.names) + 1)
        return dict(zip(["time", *chosen.names], table.T.copy()))

    def save(self, file: PathLike) -> None:
        """Writes its state, to go on from (`resume`, "from_state" of run files)."""
        errors = _Errors()
        state = _Handle(errors.need(_lib.kane_simulation_get_state(self._handle.pointer, errors.address)), _lib.kane_state_free)
        errors.check(_lib.kane_state_write(_bytes(file), self.model._handle.pointer, state.pointer, errors.address))

    def resume(self, file: PathLike) -> None:
        """Goes on from a state that was saved of the same model."""
        errors = _Errors()
        state = _Handle(errors.need(_lib.kane_state_read(_bytes(file), self.model._handle.pointer, errors.address)),
                        _lib.kane_state_free)
        errors.check(_lib.kane_simulation_resume(self._handle.pointer, state.pointer, errors.address))


# --- steady motion ----------------------------------------------------------------------------------------------------------


class Mode:
    """A mode: `name` in words, `eigenvalue` [1/s], `frequency`, `natural` [Hz], `damping` (ratio), `kind` ("oscillates", "creeps",
    "indifferent"), `grows`; `shape` {body: six complex numbers x, y, z, yaw, roll, pitch}, `shares` of kinetic energy {body: six}."""

    kinds = ("oscillates", "creeps", "indifferent")

    def __init__(self, modes: Any, i: int, bodies: Sequence[str]) -> None:
        record = ctypes.cast(_lib.kane_modes_get(modes, i), POINTER(_c.kane_mode)).contents
        self.name, self.kind = _text(record.name), self.kinds[record.kind]
        self.eigenvalue = complex(record.re, record.im)
        self.frequency, self.natural, self.damping = record.frequency, record.natural, record.damping
        self.grows = bool(_lib.kane_mode_grows(byref(record)))
        self.shape, self.shares = {}, {}
        for b, body in enumerate(bodies):
            re, im = numpy.empty(6), numpy.empty(6)
            _lib.kane_modes_shape(modes, i, b, _address(re), _address(im))
            self.shape[body] = re + 1j * im
            self.shares[body] = numpy.array([_lib.kane_modes_share(modes, i, b, c) for c in range(6)])

    def __repr__(self) -> str:
        return f"<kane.Mode {self.name}: {self.frequency:.5g} Hz, damping {self.damping:.4g}>"


class Steady:
    """A vehicle (or mechanism) in equilibrium: `y`, `model`, `residual`, `iterations`; `read`, `jacobian`, `modes`, `growing`,
    `matrix`."""

    def __init__(self, run: Run, where: _c.kane_steady_definition) -> None:
        self._run, self._where = run, where
        self._handle = self._create(where)
        model = _Handle(_lib.kane_steady_model(self._handle.pointer), lambda _: None, self._handle)
        work = _Handle(_lib.kane_steady_work(self._handle.pointer), lambda _: None, self._handle)
        self.model = Model(model, work)
        self.y = _copy(_lib.kane_steady_state(self._handle.pointer), self.model.count)
        found = ctypes.cast(_lib.kane_steady_equilibrium(self._handle.pointer), POINTER(_c.kane_equilibrium)).contents
        self.iterations, self.residual = found.iterations, found.residual
        self.worst = self.model.names[found.worst] if 0 <= found.worst < self.model.count else ""

    def read(self, *patterns: str) -> dict[str, float]:
        """Channels by name."""
        return self.model.read(0.0, self.y, *patterns)

    def jacobian(self) -> numpy.ndarray:
        """d(dy/dt)/dy there."""
        return self.model.jacobian(0.0, self.y)

    def _create(self, where: _c.kane_steady_definition) -> _Handle:
        errors = _Errors()
        return _Handle(errors.need(_lib.kane_steady_create(self._run._definition, byref(where), errors.address)),
                       _lib.kane_steady_free, self._run._handle)

    def _linear(self) -> _Handle:
        # FASTSIM needs a finer grid for slopes than a run has for forces
        fine = self._create(_c.kane_steady_definition(self._where.speed, self._where.curvature, self._where.superelevation, 1))
        errors, s = _Errors(), fine.pointer
        return _Handle(errors.need(_lib.kane_linear_create(_lib.kane_steady_model(s), _lib.kane_steady_work(s), 0.0,
                                                           _lib.kane_steady_state(s), errors.address)),
                       _lib.kane_linear_free, fine)

    def matrix(self) -> tuple[numpy.ndarray, list[int]]:
        """A of x' = A x, small motions, and which number of y each of x is the deviation of (-1: of several)."""
        linear = self._linear()
        n = _lib.kane_linear_count(linear.pointer)
        states = [_lib.kane_linear_state(linear.pointer, i) for i in range(n)]
        return _copy(_lib.kane_linear_matrix(linear.pointer), n * n).reshape((n, n), order="F").copy(), states

    def growing(self) -> list[Mode]:
        """Modes that grow, on the run's own grid of FASTSIM; those of a train vehicle by vehicle. Without any it is stable."""
        errors = _Errors()
        modes = _Handle(errors.need(_lib.kane_steady_find_growing(self._handle.pointer, errors.address)), _lib.kane_modes_free)
        return [Mode(modes.pointer, i, self.model.bodies) for i in range(_lib.kane_modes_count(modes.pointer))]

    def modes(self, undamped: bool = False) -> list[Mode]:
        """All modes (kane.Mode) in the order of frequency. undamped: springs and masses alone; of a vehicle on wheels read the run
        with set={"track.rail.friction": 0} for it, as `kane modes --undamped` does."""
        linear, errors = self._linear(), _Errors()
        modes = _Handle(errors.need(_lib.kane_modes_create(linear.pointer, int(undamped), errors.address)),
                        _lib.kane_modes_free)
        return [Mode(modes.pointer, i, self.model.bodies) for i in range(_lib.kane_modes_count(modes.pointer))]


# --- vehicles, mechanisms, tracks by themselves -----------------------------------------------------------------------------


class Vehicle:
    """A vehicle or train file, read and checked: `name`, `gravity`, `bodies`; a run puts it on a track."""

    _kind = 0

    def __init__(self, file: PathLike, set: Settings = None, variant: Optional[str] = None) -> None:
        errors = _Errors()
        options = _c.kane_vehicle_options(kind=self._kind, variant=variant.encode() if variant else None,
                                 variant_place=_c.kane_place(b"", 0, 0, b""), settings=_texts(_settings(set)))
        self.file = str(file)
        self._handle = _Handle(errors.need(_lib.kane_vehicle_read(_bytes(file), byref(options), errors.address)),
                               _lib.kane_vehicle_free)
        self._definition = ctypes.cast(_lib.kane_vehicle_get_definition(self._handle.pointer),
                                       POINTER(_c.kane_vehicle_definition)).contents
        self.name, self.gravity = _text(self._definition.name), self._definition.gravity

    @property
    def bodies(self) -> dict[str, dict[str, Any]]:
        """{name: {"mass": [kg], "inertia": [xx yy zz xy xz yz] about the mass centre [kg m^2], "position": of the mass centre at
        rest [m]}}; points of deformable bodies are among them."""
        found = self._definition.bodies[:self._definition.body_count]
        return {_text(b.block.name): {"mass": b.mass, "inertia": numpy.array(b.inertia), "position": _vector(b.position)}
                for b in found}


class Mechanism(Vehicle):
    """A mechanism file, read and checked; a run moves it."""

    _kind = 1


class Track:
    """A track file: `length`, `sections`; `frame(s)`, `state(s)` at s [m] from the beginning of the line."""

    def __init__(self, file: PathLike, set: Settings = None) -> None:
        errors = _Errors()
        self.file = str(file)
        self._handle = _Handle(errors.need(_lib.kane_track_read(_bytes(file), _texts(_settings(set)), errors.address)),
                               _lib.kane_track_free)
        self.length = _lib.kane_track_length(self._handle.pointer)

    @property
    def sections(self) -> list[dict[str, Any]]:
        """Start, length, curvatures and cants at both ends of every section."""
        found = [_lib.kane_track_get_section(self._handle.pointer, i)
                 for i in range(_lib.kane_track_section_count(self._handle.pointer))]
        return [{"start": f.start, "length": f.length, "curvature": tuple(f.curvature),
                 "superelevation": tuple(f.superelevation)} for f in found]

    def frame(self, s: float) -> dict[str, numpy.ndarray]:
        """R (frame axes to A), origin in A [m], Omega [rad/m] and its derivative [rad/m^2], frame axes."""
        piece, frame = _lib.kane_track_find(self._handle.pointer, s), _c.kane_track_frame()
        _lib.kane_track_eval(self._handle.pointer, piece, s, byref(frame))
        anchor = _vector(_lib.kane_track_anchor(self._handle.pointer, piece))
        R = numpy.column_stack([_vector(frame.R.x), _vector(frame.R.y), _vector(frame.R.z)])
        return {"R": R, "origin": anchor + _vector(frame.origin), "Omega": _vector(frame.Omega),
                "Omega_s": _vector(frame.Omega_s)}

    def state(self, s: float) -> dict[str, Any]:
        """Curvature, cant, grade, angles and their derivatives, as kane_track_state has them."""
        state = _c.kane_track_state()
        _lib.kane_track_describe(self._handle.pointer, _lib.kane_track_find(self._handle.pointer, s), s, byref(state))
        return {n: tuple(v) if hasattr(v, "__len__") else v for n, v in _members(state).items()}


# --- studies, by the program ------------------------------------------------------------------------------------------------


def _find_program() -> str:
    named = os.environ.get("KANE_PROGRAM")
    if named:
        return named
    library, here = Path(_lib._name).resolve(), Path(__file__).resolve()
    for folder in (*list(library.parents)[:4], *list(here.parents)[:4]):
        if (folder / "bin" / "kane").is_file():
            return str(folder / "bin" / "kane")
    return "kane"


class Program:
    """What a command of the program left: `out`, `err` as texts, `code`."""

    def __init__(self, done: subprocess.CompletedProcess[str]) -> None:
        self.out, self.err, self.code = done.stdout, done.stderr, done.returncode


def program(*words: Any, accept: Sequence[int] = (0, 5, 8), **options: Any) -> Program:
    """Runs `kane WORDS --OPTION VALUE ...`: program("check", "run.json", channels=True). A list gives an option several times, True
    one without a value, "_" stands for "-"; a dict as in Run's `set`. Codes beside those that are accepted raise kane.Error."""
    command = [_find_program(), *map(str, words)]
    for name, value in options.items():
        name = "--" + name.strip("_").replace("_", "-")
        if hasattr(value, "items"):
            value = _settings(value)
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is True:
                command.append(name)
            elif one is not None and one is not False:
                command.append(f"{name}={one}")
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
    if done.returncode not in accept:
        raise Error(done.stderr.strip() or f"{' '.join(command)}: exit code {done.returncode}", status=-done.returncode)
    return Program(done)


class Table(_Columns):
    """A CSV table of a study: `table["speed"]` is an array (of texts, where a column is no numbers), `names` all columns (with their
    units, which need not be typed: "speed [m/s]"), `rows` the cells as texts."""

    def __init__(self, file: PathLike) -> None:
        with open(file, newline="") as source:
            self.names, *self.rows = csv.reader(source)
        self.file = str(file)

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"<kane.Table {len(self)} rows of {len(self.names)} columns>"

    def __getitem__(self, name: str) -> numpy.ndarray:
        """Values of a column; numbers where all its cells are."""
        found = [i for i, n in enumerate(self.names) if name in (n, n.partition(" [")[0])]
        if not found:
            raise KeyError(f"{name}: there are {', '.join(self.names)}")
        cells = [row[found[0]] for row in self.rows]
        try:
            return numpy.array([float(c) if c else numpy.nan for c in cells])
        except ValueError:
            return numpy.array(cells)


def study(words: str, *files: PathLike, output: Optional[PathLike] = None, **options: Any) -> dict[str, Table]:
    """Carries out a study: study("sweep", "run.json", over="speed=10:20:3", measure="peak(*.Y)"), study("study omit", ...),
    study("critical", ...). Returns {name: Table} of all its CSV files; without `output` in a directory that goes again."""
    with tempfile.TemporaryDirectory() as folder:
        directory = Path(output) if output else Path(folder) / "study"
        program(*words.split(), *files, output=directory, **options)
        return {p.stem: Table(p) for p in sorted(directory.glob("*.csv"))}


def sweep(file: PathLike, over: Union[str, Sequence[str], Mapping[str, Any]], measure: Any, **options: Any) -> Table:
    """`kane sweep`: over {"speed": [10, 15, 20], "vehicle.bodies.body.mass": "1e4:2e4:3"}, measure a text or several. Returns its
    Table, one row a case."""
    def axis(path: str, values: Any) -> str:
        return f"{path}={values if isinstance(values, str) else ','.join(_typed(v) for v in values)}"

    axes = over if isinstance(over, (str, list, tuple)) else [axis(p, v) for p, v in over.items()]
    return study("sweep", file, over=axes, measure=measure, **options)["sweep"]
