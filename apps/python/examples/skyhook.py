# SPDX-License-Identifier: MIT
"""A controller outside of libkane: a car body is damped as if by dampers that hang from the sky. Every millisecond it reads how fast the
car moves over its four actuators, and sets their forces (the same in C: apps/examples/skyhook.c).

    python3 skyhook.py [SECONDS]      where `data` and `vehicles` lie
"""

import sys

import numpy

import kane

H, SKY = 1e-3, 20e3  # [s], [N s/m] of each actuator
ACTUATORS = {"leading left": (9.5, 1.0), "leading right": (9.5, -1.0), "trailing left": (-9.5, 1.0), "trailing right": (-9.5, -1.0)}
OUTPUTS = "car.rate.z", "car.rate.roll", "car.rate.pitch", "car.acceleration.z"

run = kane.Run("data/runs/coach-skyhook.json", set={"until.time": float(sys.argv[1])} if len(sys.argv) > 1 else None)
for name, c in ("without", 0.0), ("with", SKY):
    s, accelerations = run.simulation(), []
    while not s.stop:
        up, roll, pitch, acceleration = s.read(*OUTPUTS).values()
        s.set(**{actuator: -c * (up + y * roll - x * pitch) for actuator, (x, y) in ACTUATORS.items()})
        s.step(H)
        accelerations.append(acceleration)
    print(f"{name} skyhook: {numpy.sqrt(numpy.mean(numpy.square(accelerations))):.4f} m/s^2")
