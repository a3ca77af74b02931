// SPDX-License-Identifier: MIT
// Modes: a run that is made up, three periods of one mode, which the stage shows as any other.

import { Row } from "./data.js";
import { writeNumber } from "./units.js";

const ROWS = 361;
const PERIODS = 3;
const PERIOD = 2; // as it is shown [s]

const phase = (i) => (2 * Math.PI * PERIODS * i) / (ROWS - 1);

// Rows of a run that rests, so that there is a time.
export function prepare(run) {
    run.rows = ROWS;
    run.time = Row.of(Float64Array.from({ length: ROWS }, (_, i) => (PERIOD * PERIODS * i) / (ROWS - 1)));
    run.scene.rows = ROWS;
    run.scene.stride = 1;
}

// How far something is at a phase: re cos p - im sin p; what only creeps goes to or from its shape.
function follow(mode, re, im) {
    if (mode.kind === "oscillates") return (i) => re * Math.cos(phase(i)) - im * Math.sin(phase(i));
    const whole = mode.re > 0 ? ROWS - 1 : 0;
    return (i) => re * Math.exp(-Math.abs(i - whole) / (0.2 * ROWS));
}

// Bodies of the run move as the mode does, by `size` [m] at most; nobody wants to see wheels spin.
export function choose(run, mode, size) {
    run.scene.bodies.forEach((body, b) => {
        const spins = body.kind === "wheelset" || body.kind === "rotor";
        body.motion = body.rest.map((rest, k) => {
            const move = follow(mode, size * mode.shape_re[b][k], size * mode.shape_im[b][k]);
            return Row.of(Float64Array.from({ length: ROWS }, (_, i) => rest + (spins && k === 5 ? 0 : move(i))));
        });
    });
    for (const [name, [re, im]] of Object.entries(mode.modal)) {
        const move = follow(mode, size * re, size * im);
        run.byName.set(name, { name, unit: "1", description: "", values: Row.of(Float64Array.from({ length: ROWS }, (_, i) => move(i))) });
    }
}

// The table of modes in the place of curves; chosen(mode) when one is taken.
export function list(run, place, chosen) {
    const table = document.createElement("table");
    table.className = "modes";
    table.innerHTML = "<thead><tr><th>mode</th><th>f [Hz]</th><th>damping</th><th></th></tr></thead><tbody></tbody>";
    const rows = run.modes.map((mode) => {
        const row = document.createElement("tr");
        row.tabIndex = 0;
        const oscillates = mode.kind === "oscillates";
        const damping = oscillates ? `${writeNumber(100 * mode.damping, 3)} %` : `${writeNumber(mode.re, 3)} 1/s`;
        for (const text of [mode.number, oscillates ? writeNumber(mode.frequency) : "–", damping, mode.name])
            row.append(Object.assign(document.createElement("td"), { textContent: text }));
        row.classList.toggle("grows", mode.grows);
        const take = () => {
            for (const r of rows) r.classList.toggle("on", r === row);
            chosen(mode);
        };
        row.addEventListener("click", take);
        row.addEventListener("keydown", (e) => e.key === "Enter" && take());
        return row;
    });
    table.querySelector("tbody").append(...rows);
    place.append(table);
    rows[Math.max(0, run.modes.findIndex((m) => m.kind === "oscillates"))]?.click();
}
