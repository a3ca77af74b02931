# SPDX-License-Identifier: MIT
"""The equations of a mechanism integrated by a user-defined method: Rosenbrock's of order 2 (ROS2) with the exact Jacobian, and
what halving the step does to its error.

    python3 own_integrator.py             where `data` lies
"""

import numpy

import kane

RUN = "data/runs/mechanism-four-bar.json"
END = 0.5
GAMMA = 1 + 2**-0.5

run = kane.Run(RUN, set={"integrator.rtol": 1e-12})
model = run.model()
exact = run.simulation()
exact.advance(END)
exact = exact.read("motions")


def ros2(steps):
    y, h = model.initial_state(), END / steps
    for i in range(steps):
        t = i * h
        W = numpy.eye(model.count) - GAMMA * h * model.jacobian(t, y)
        k1 = numpy.linalg.solve(W, model.eval(t, y))
        k2 = numpy.linalg.solve(W, model.eval(t + h, y + h * k1) - 2 * k1)
        y = y + 1.5 * h * k1 + 0.5 * h * k2
    return model.read(END, y, "motions")


for steps in 100, 200, 400:
    found = ros2(steps)
    print(f"{steps} steps: {max(abs(found[n] - exact[n]) for n in exact):.3e}")
