# SPDX-License-Identifier: MIT
"""The wagon of the README: what the imaginary torque about the vertical does to the yaw of its body, for three accelerations.

    python3 wagon.py [PICTURE.png]        where `data` and `vehicles` lie
"""

import sys

import kane

RUN = "data/runs/soft-wagon-transition.json"
figure = {}
for acceleration in 0, 0.5, 1:
    run = kane.Run(RUN, set={"speed": [{"acceleration": acceleration}]})
    for omit in [], ["body:torque.rotation.z"]:
        rows = run.change(omit=omit).collect("body.yaw")
        figure[acceleration, bool(omit)] = rows["distance"], 1e3 * rows["body.yaw"]
        print(f"{acceleration:3g} m/s^2, {'without' if omit else 'with   '}: {abs(rows['body.yaw']).max():.6f} rad")

if len(sys.argv) > 1:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    pyplot.figure(figsize=(9, 4))
    for number, ((acceleration, omitted), (x, y)) in enumerate(figure.items()):
        pyplot.plot(x, y, f"C{number // 2}" + ("--" if omitted else "-"),
                    label=f"{acceleration:g} m/s$^2$" + (", torque omitted" if omitted else ""))
    pyplot.xlabel("distance [m]")
    pyplot.ylabel("yaw of the body [mrad]")
    pyplot.grid(alpha=0.3)
    pyplot.legend()
    pyplot.savefig(sys.argv[1], dpi=90, bbox_inches="tight")
