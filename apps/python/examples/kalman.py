# SPDX-License-Identifier: MIT
"""Where are the wheelsets of a wagon on its rails? A Kalman filter finds it from accelerations of their axle boxes.

Its model is libkane's, linearised about the equilibrium:

    x' = A x + B u,   z = C x + D u + noise

x: y, yaw, roll and their rates of all bodies; u: place and direction of the rails under each wheelset. Those under the leading one
follow from white noise by the spectrum of ORE B176, whose lateral density is rational; the trailing one meets them later. Data are
nonlinear runs with noise on all sensors. The likelihood of what three filters saw tells the conicity of the wheels.

    python3 kalman.py [RUNS [PICTURE.png]]      where `data` and `vehicles` lie
"""

import os
import sys
import tempfile

import numpy

import kane

RUN, SPEED, START = "data/runs/wagon-irregular.json", 20.0, 100.0  # [m/s], [m]
H, SETTLED, SECONDS, BASE = 0.015, 5.0, 12.0, 9.0  # interval, begin of the filter, end of a run [s]; wheelsets' distance [m]
CONICITY, OTHERS = 0.14, (0.10, 0.13, 0.16)  # of the wheels; of models whose likelihoods are compared
NOISE, UNMODELLED = 0.1, 0.05  # of each sensor, and what the filter adds to it [m/s^2]
ROUGHNESS, CORNER, LOW = 2.119e-7, 0.8246, 0.0206  # of the lateral density of ore_low: [m^2 rad/m], [rad/m]
WHEELSETS, DELAY = ("leading", "trailing"), round(BASE / SPEED / H)
STATES = [f"{body}.{state}" for body in ("body", *WHEELSETS) for state in ("y", "yaw", "roll", "v.y", "omega.x", "omega.z")]
SENSORS = [f"{w} {side}.acceleration.{axis}" for w in WHEELSETS for side in ("left", "right") for axis in "xy"]
TRACKED = [f"{w}.{state}" for w in WHEELSETS for state in ("y", "yaw")]  # the place less that of the rails


def open_run(conicity, irregularities):
    """The wagon with coned wheels on round rails, and sensors on its axle boxes."""
    sensors = {f"{w} {side}": {"on": w, "at": [x, y, 0.46]} for w, x in zip(WHEELSETS, (4.5, -4.5))
               for side, y in (("left", 1.0), ("right", -1.0))}
    return kane.Run(RUN, set={"vehicle.profiles": {"coned": {"cone": conicity}}, "vehicle.patterns.wheelset.profile": "coned",
                              "vehicle.sensors": sensors, "track.sections": [{"straight": 1000}], "track.rail.profile": "round",
                              "track.irregularities": irregularities, "start": {"at": START, "speed": SPEED},
                              "until": {"time": SECONDS}, "output.interval": H})


def linearise(conicity):
    """A, B, C, D. Of B and D: models whose rails lie aside, or point aside, under both wheelsets; each moves only its own."""
    steady = open_run(conicity, {}).steady(speed=SPEED)
    y, at = steady.y, [steady.model.names.index(name) for name in STATES]
    read = lambda model, state: numpy.array([model.read(0.0, state, *SENSORS)[name] for name in SENSORS])
    A = steady.jacobian()[numpy.ix_(at, at)]
    C = numpy.column_stack([(read(steady.model, y + d) - read(steady.model, y - d)) / 2e-6 for d in 1e-6 * numpy.eye(len(y))[at]])
    B, D = numpy.zeros((len(at), 4)), numpy.zeros((len(SENSORS), 4))
    for k, (wavelength, crest) in enumerate(((9000.0, START), (BASE, START + 0.25 * BASE))):  # flat, or steep, at the wheelsets
        waves = [{"kind": "lateral", "amplitude": a, "wavelength": wavelength,
                  "phase": 2.0 * numpy.pi * (0.25 - crest / wavelength)} for a in (1e-5, -1e-5)]
        models = [open_run(conicity, {"sines": [wave]}).model() for wave in waves]
        size = 2e-5 * (2.0 * numpy.pi / wavelength) ** k
        rates = (models[0].eval(0.0, y) - models[1].eval(0.0, y))[at] / size
        shown = (read(models[0], y) - read(models[1], y)) / size
        for w, name in enumerate(WHEELSETS):
            own = numpy.array([state.startswith(name) for state in STATES])
            B[own, 2 * w + k] = rates[own]
            own = numpy.array([sensor.startswith(name) for sensor in SENSORS])
            D[own, 2 * w + k] = shown[own]
    return A, B, C, D


def exponential(A):
    """exp(A) by its series, of a fraction of A, squared again."""
    squarings = max(0, int(numpy.ceil(numpy.log2(max(numpy.abs(A).sum(axis=0).max(), 1e-300)))) + 3)
    term = total = numpy.eye(len(A))
    for k in range(1, 14):
        term = term @ A / (k * 2.0**squarings)
        total = total + term
    for _ in range(squarings):
        total = total @ total
    return total


def rails():
    """(a, a')' = F (a, a') + white noise of this intensity, from place and speed aside of the rails as a wheelset meets them."""
    F = numpy.array([[0.0, SPEED], [-LOW * CORNER * SPEED, -(LOW + CORNER) * SPEED]])
    return F, numpy.diag([0.0, numpy.pi * ROUGHNESS * CORNER**2 * SPEED])


def discretise(F, noise):
    """Step over an interval, and the covariance that white noise adds (Van Loan)."""
    n = len(F)
    both = exponential(H * numpy.block([[-F, noise], [numpy.zeros((n, n)), F.T]]))
    step = both[n:, n:].T
    return step, step @ both[:n, n:]


def long_after(step, noise):
    """Covariance that the noise of all intervals before has left."""
    total = noise
    for _ in range(14):  # of 2, 4, 8, ... intervals
        total, step = total + step @ total @ step.T, step @ step
    return total


def build(conicity):
    """Step, its noise and outputs of (x, rails under the leading wheelset now, one interval ago, ... back to the trailing one's)."""
    A, B, C, D = linearise(conicity)
    turn, white = discretise(*rails())
    n, size = len(A), len(A) + 2 + 2 * DELAY
    held = numpy.zeros((n + 8, n + 8))  # rails change linearly within an interval
    held[:n, :n], held[:n, n:n + 4], held[n:n + 4, n + 4:] = A, B, numpy.eye(4) / H
    held = exponential(H * held)
    before, after = held[:n, n:n + 4] - held[:n, n + 4:], held[:n, n + 4:]
    step, noise, outputs = numpy.zeros((size, size)), numpy.zeros((size, size)), numpy.zeros((len(SENSORS), size))
    step[:n, :n], step[:n, n:n + 2], step[n:n + 2, n:n + 2] = held[:n, :n], before[:, :2] + after[:, :2] @ turn, turn
    step[:n, -2:], step[:n, -4:-2] = before[:, 2:], after[:, 2:]
    push = numpy.vstack([after[:, :2], numpy.eye(2)])
    noise[:n + 2, :n + 2] = push @ white @ push.T
    step[n + 2:, n:-2] = numpy.eye(2 * DELAY)
    outputs[:, :n], outputs[:, n:n + 2], outputs[:, -2:] = C, D[:, :2], D[:, 2:]
    return step, noise, outputs


def track(model, measured):
    """Estimates of what is tracked, their covariances, and the log likelihood of what was measured."""
    step, noise, outputs = model
    variance, tracked = NOISE**2 + UNMODELLED**2, numpy.zeros((len(TRACKED), len(step)))
    tracked[range(len(TRACKED)), [STATES.index(name) for name in TRACKED]] = 1.0
    tracked[0, len(STATES)] = tracked[2, -2] = -1.0
    x, P, found, covariance, likelihood = numpy.zeros(len(step)), long_after(step, noise), [], [], 0.0
    for z in measured:
        S, innovation = outputs @ P @ outputs.T + variance * numpy.eye(len(z)), z - outputs @ x
        likelihood -= 0.5 * (innovation @ numpy.linalg.solve(S, innovation) + numpy.linalg.slogdet(S)[1])
        gain = numpy.linalg.solve(S, outputs @ P).T
        x, P = x + gain @ innovation, P - gain @ S @ gain.T
        found.append(tracked @ x)
        covariance.append(tracked @ P @ tracked.T)
        x, P = step @ x, step @ P @ step.T + noise
    return numpy.array(found), numpy.array(covariance), likelihood


def measure(seed):
    """A run on rails of that seed: times, true values of what is tracked, measurements."""
    generator, (step, noise) = numpy.random.default_rng(seed), discretise(*rails())
    a, pushes = [numpy.linalg.cholesky(long_after(step, noise)) @ generator.standard_normal(2)], numpy.linalg.cholesky(noise)
    for _ in range(int((SECONDS + 2.0) / H)):
        a.append(step @ a[-1] + pushes @ generator.standard_normal(2))
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "rails.csv")
        with open(file, "w", encoding="ascii") as out:
            print("chainage,left_lateral,right_lateral\nm,m,m", file=out)
            for k, (y, _) in enumerate(a):
                print(f"{START + 0.5 * BASE + k * SPEED * H},{y},{y}", file=out)
        rows = open_run(CONICITY, {"files": [{"file": file}], "fade_in": {"from": START + 10.0, "length": 40.0}}).collect(
            *SENSORS, *TRACKED)
    begun = rows["time"] >= SETTLED
    measured, truth = rows.array(*SENSORS) + NOISE * generator.standard_normal((len(rows), len(SENSORS))), rows.array(*TRACKED)
    place, under = truth[:, ::2].copy(), numpy.array(a)[:, 0]
    truth[:, 0] -= under[:len(rows)]
    truth[DELAY:, 2] -= under[:len(rows) - DELAY]
    return rows["time"][begun], truth[begun], place[begun], measured[begun]


def dead_reckon(place, measured):
    """Error of the places of the wheelsets by lateral acceleration, integrated twice from the true place and speed."""
    lateral = numpy.array([sum(measured[:, SENSORS.index(f"{w} {side}.acceleration.y")] for side in ("left", "right"))
                           for w in WHEELSETS]).T / 2.0
    speed = (place[1] - place[0]) / H
    return place[0] + numpy.cumsum(speed + numpy.cumsum(lateral, axis=0) * H, axis=0) * H - place


def chi_square(normal, count):
    """Quantile of chi-square at a quantile of the normal distribution (Wilson, Hilferty)."""
    return count * (1.0 - 2.0 / (9.0 * count) + normal * numpy.sqrt(2.0 / (9.0 * count)))**3


def draw(file, time, truth, found, covariance):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(2, 1, sharex=True, figsize=(9, 5))
    for panel, k, label in (panels[0], 0, "y [mm]"), (panels[1], 1, "yaw [mrad]"):
        sigma = numpy.sqrt(covariance[:, k, k])
        panel.fill_between(time, 1e3 * (found[:, k] - 2 * sigma), 1e3 * (found[:, k] + 2 * sigma), alpha=0.25, label="2 sigma")
        panel.plot(time, 1e3 * found[:, k], label="filter")
        panel.plot(time, 1e3 * truth[:, k], "k", linewidth=0.8, label="truth")
        panel.set_ylabel(f"leading wheelset: {label}")
        panel.grid(alpha=0.3)
    panels[0].legend(ncol=3)
    panels[1].set_xlabel("time [s]")
    figure.savefig(file, dpi=90, bbox_inches="tight")


if __name__ == "__main__":
    model, others, runs = build(CONICITY), [build(c) for c in OTHERS], int(sys.argv[1]) if len(sys.argv) > 1 else 12
    errors, reckoned, squares, likelihoods, truths = [], [], [], [], []
    for seed in range(101, 101 + runs):  # numbers above were chosen by runs of other seeds
        time, truth, place, measured = measure(seed)
        found, covariance, _ = track(model, measured)
        errors.append(found - truth)
        truths.append(truth)
        reckoned.append(dead_reckon(place, measured))
        squares += [e @ numpy.linalg.solve(P, e) for e, P in zip(errors[-1][::-150], covariance[::-150])]  # 2.25 s apart
        likelihoods.append([track(other, measured)[2] for other in others])
        if seed == 101 and len(sys.argv) > 2:
            draw(sys.argv[2], time, truth, found, covariance)
    rms = lambda all_runs: 1e3 * numpy.sqrt(numpy.mean(numpy.square(numpy.concatenate(all_runs)), axis=0))
    sigma = 1e3 * numpy.sqrt(numpy.diagonal(covariance, axis1=1, axis2=2)).mean(axis=0)
    print(f"{runs} runs of {SECONDS - SETTLED:g} s, rms error     filter  its sigma  dead reckoning  without")
    for k, name in enumerate(TRACKED):
        unit, reckon = ("mm", f"{rms(reckoned)[k // 2]:16.2f}") if name.endswith(".y") else ("mrad", 16 * " ")
        print(f"{f'{name} [{unit}]':>28} {rms(errors)[k]:10.3f} {sigma[k]:10.3f} {reckon} {rms(truths)[k]:8.3f}")
    count = len(TRACKED) * len(squares)
    low, high = (chi_square(normal, count) / len(squares) for normal in (-1.96, 1.96))
    print(f"normalised squared error {numpy.mean(squares):.2f}; of a consistent filter in 95 %: {low:.2f} to {high:.2f}")
    parabola = numpy.polyfit(OTHERS, numpy.sum(likelihoods, axis=0), 2)
    print(f"most likely conicity {-0.5 * parabola[1] / parabola[0]:.4f}, of the wheels {CONICITY:.4f}")
