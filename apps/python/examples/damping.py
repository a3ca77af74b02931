# SPDX-License-Identifier: MIT
"""Where a coach begins to hunt: least damping of its modes over the speed, for three coefficients of friction.

    python3 damping.py [PICTURE.png]      where `data` and `vehicles` lie
"""

import sys

import numpy

import kane

RUN = "data/runs/coach-straight.json"
SPEEDS = numpy.arange(30.0, 111.0, 5.0)
curves = {}
for friction in 0.15, 0.3, 0.5:
    run, least = kane.Run(RUN, set={"track.rail.friction": friction}), []
    for speed in SPEEDS:
        swinging = [m for m in run.steady(speed).modes() if m.kind == "oscillates" and 0.1 < m.natural < 10]
        least.append(min(swinging, key=lambda m: m.damping).damping)
    curves[friction] = numpy.array(least)
    beyond = numpy.flatnonzero(curves[friction] < 0)
    print(f"friction {friction:g}: hunts from {SPEEDS[beyond[0]]:g} m/s on" if len(beyond) else f"friction {friction:g}: never")

if len(sys.argv) > 1:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    pyplot.figure(figsize=(9, 4))
    for friction, least in curves.items():
        pyplot.plot(SPEEDS, 100 * least, "o-", label=f"friction {friction:g}")
    pyplot.axhline(0, color="black", linewidth=0.8)
    pyplot.xlabel("speed [m/s]")
    pyplot.ylabel("least damping ratio [%]")
    pyplot.grid(alpha=0.3)
    pyplot.legend()
    pyplot.savefig(sys.argv[1], dpi=90, bbox_inches="tight")
