// SPDX-License-Identifier: MIT
// The page: one moment of the replay, which curves and picture share.

import { readRuns, placeOf, Run } from "./data.js";
import { Curves, thin } from "./curves.js";
import { Stage, FORCE, GHOSTS, GROUND, ON_TYRE, TERMS } from "./scene.js";
import { ContactPanel } from "./contact.js";
import * as modes from "./modes.js";
import { Study } from "./study.js";
import { toggleTheme, watchTheme } from "./theme.js";
import { writeNumber, writeUnit } from "./units.js";

const $ = (id) => document.getElementById(id);
const { runs: all, study: told, title, library, commit } = readRuns();
let runs = told ? [all[0] ?? Run.empty()] : all; // that are shown: of a study those of the cases that were taken
let first = runs[0];
if (first.modes) modes.prepare(first);
let study = null;
let stage = null;
let contact = null;
let playing = false;
let linked = true;
let t = 0; // of the replay: time of the first run [s]

// --- title ---

const stem = (file) => file.replace(/^.*\//, "").replace(/\.[^.]*$/, "");
// Vehicle and run, of runs; vehicle, run, kind and directory of a study.
function describeAll() {
    const kinds = { critical: "limit cycles" };
    const vehicle = told ? stem(told.vehicle) || first.vehicle : first.vehicle;
    const what = told ? `${stem(told.run)}: ${kinds[told.kind] ?? told.kind}, ${told.folder.replace(/\/+$/, "").replace(/^.*\//, "")}` : runs.map((r) => r.label).join(" | ");
    return [vehicle, what].filter((text, i, list) => text && list.indexOf(text) === i).join(", ");
}
document.title = $("title").textContent = title || describeAll();
$("made").textContent = `Made by libkane ${library} (${commit}). This page needs no network; all data are in it.`;

function describe() {
    $("manifest").replaceChildren();
    const study = told ? [{ study: told.folder, kind: told.kind, run: told.run, "rows of its table": String(told.rows), "made by": `libkane ${told.library} (${told.commit})`, "settings of all": told.common.join(", "), note: told.changed }] : [];
    const of = (run) => {
        const m = run.manifest ?? {};
        return { run: run.label, folder: run.folder, formulation: m.formulation, state: m.state ? `${m.state}${m.end ? `: ${m.end}` : ""}` : "", key: m.key, omitted: (m.omitted ?? []).join(", "), "rows and channels": `${run.rows}, ${run.channels.length}`, note: run.told };
    };
    for (const lines of [...study, ...runs.filter((r) => r.rows > 0).map(of)])
        for (const [name, text] of Object.entries(lines)) {
            if (!text) continue;
            const dt = document.createElement("dt");
            const dd = document.createElement("dd");
            dt.textContent = name;
            dd.textContent = text;
            $("manifest").append(dt, dd);
        }
}

// --- curves ---

const curves = new Curves(runs, $("panels"), {
    seek: (x, sure) => {
        if (sure || (linked && !playing)) setMoment(timeOf(x));
    },
    changed: () => fillList(),
});

// time of the first run where its axis has x, and back
function timeOf(x) {
    const axis = first.axis(curves.axis);
    return axis === first.time ? x : first.time.between(placeOf(axis, x));
}

function axisAt(moment) {
    const axis = first.axis(curves.axis);
    return axis === first.time ? moment : axis.between(placeOf(first.time, moment));
}

// What people look at first: lateral motion of wheelsets and car bodies, forces of wheels or tyres, accelerations; of a
// mechanism the first coordinates.
function choosePanels() {
    const names = first.channels.map((c) => c.name);
    const wheelsets = (first.manifest?.wheelsets ?? []).map((w) => w.name);
    const tyres = (first.scene?.bodies ?? []).flatMap((b) => b.tyres.map((tyre) => tyre.name));
    const cars = wheelsets.length || tyres.length ? first.manifest?.car_bodies ?? [] : [];
    const here = (list) => list.filter((n) => first.channel(n) && !isIdle(n));
    const sets = [
        here([...cars.slice(0, 2), ...wheelsets.slice(0, 2)].map((b) => `${b}.y`)),
        here(wheelsets.slice(0, 2).flatMap((w) => [`${w}.left.Q`, `${w}.right.Q`])).slice(0, 4),
        here(tyres.slice(0, 4).map((tyre) => `${tyre}.load`)),
        here(tyres.length ? cars.flatMap((b) => [`${b}.yaw`, `${b}.roll`]) : []),
        here(cars.slice(0, 1).flatMap((b) => [`${b}.acceleration.y`, `${b}.acceleration.z`])),
    ].filter((s) => s.length);
    if (!sets.length) {
        const byUnit = new Map();
        for (const c of first.channels) {
            if (["time", "distance", "chainage"].includes(c.name) || /rate|acceleration|alpha/.test(c.name) || isIdle(c.name)) continue;
            if (!byUnit.has(c.unit)) byUnit.set(c.unit, []);
            byUnit.get(c.unit).push(c.name);
        }
        for (const list of [...byUnit.values()].slice(0, 3)) sets.push(list.slice(0, 3));
    }
    if (!sets.length && names.length) sets.push([names[names.length - 1]]);
    for (const set of sets.slice(0, 4)) curves.add(set);
}

// constant but for round-off
function isIdle(name) {
    const [least, greatest] = first.channel(name).values.extremes();
    return !(greatest - least > 1e-9);
}

function fillAxis() {
    $("axis").querySelector('[value="distance"]').hidden = !runs.every((r) => r.distance);
    $("axis").value = curves.axis;
    $("difference-curves").hidden = runs.length < 2;
    pressed("difference-curves", curves.difference);
}
$("axis").addEventListener("change", () => {
    curves.setAxis($("axis").value);
    if (stage) stage.settings.align = curves.axis;
    setMoment(t);
});
$("difference-curves").addEventListener("click", () => {
    curves.setDifference(!curves.difference);
    pressed("difference-curves", curves.difference);
});
$("zoom-in").addEventListener("click", () => curves.zoom(0.5, axisAt(t)));
$("zoom-out").addEventListener("click", () => curves.zoom(2, axisAt(t)));
$("zoom-all").addEventListener("click", () => curves.setWindow(...curves.whole()));
const pressed = (id, on) => $(id).setAttribute("aria-pressed", String(on));
$("link").addEventListener("click", () => pressed("link", (linked = !linked)));

// --- runs ---

const DASH = ["", "7 4", "2 3", "10 3 2 3", "14 5", "5 2 1 2", "1 4", "9 9"];
function fillRuns() {
    $("run-keys").replaceChildren();
    for (const run of runs.length > 1 ? runs : []) {
        const button = document.createElement("button");
        button.setAttribute("aria-pressed", "true");
        const colour = run.index === 0 ? "currentColor" : GHOSTS[(run.index - 1) % GHOSTS.length];
        button.innerHTML = `<svg><line x1="0" y1="4" x2="30" y2="4" stroke="${colour}" stroke-width="2.5" stroke-dasharray="${DASH[run.index % 8]}"/></svg><span></span>`;
        button.querySelector("span").textContent = run.label;
        button.addEventListener("click", () => {
            const on = button.getAttribute("aria-pressed") !== "true";
            button.setAttribute("aria-pressed", String(on));
            curves.showRun(run.index, on);
            if (stage) {
                stage.settings.ghosts[on ? "add" : "delete"](run.index);
                stage.dirty = true;
            }
        });
        $("run-keys").append(button);
    }
}

// --- channels ---

function fillList() {
    const words = $("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const all = new Map();
    for (const run of runs) for (const c of run.channels) if (!all.has(c.name)) all.set(c.name, c);
    const shown = new Set(curves.panels.flatMap((p) => p.names));
    const found = [...all.values()].filter((c) => {
        const text = `${c.name} ${c.unit} ${c.description}`.toLowerCase();
        return words.every((w) => text.includes(w));
    });
    // parts of names that begin with a word come first
    const rank = ({ name }) => {
        const parts = name.toLowerCase().split(/[. ]/);
        return words.filter((w) => parts.some((p) => p === w)).length * 2 + words.filter((w) => parts.some((p) => p.startsWith(w))).length;
    };
    const ranks = new Map(found.map((c) => [c, rank(c)]));
    found.sort((a, b) => ranks.get(b) - ranks.get(a));
    $("found").textContent = `${found.length} of ${all.size} channels${found.length > 400 ? ", the first 400 are listed" : ""}`;
    $("list").replaceChildren(...found.slice(0, 400).map((c) => {
        const item = document.createElement("li");
        const button = document.createElement("button");
        button.classList.toggle("on", shown.has(c.name));
        const [name, unit, about] = ["b", "i", "small"].map((tag) => document.createElement(tag));
        name.textContent = c.name;
        unit.textContent = writeUnit(c.unit) || "1";
        about.textContent = c.description + (c.values.constant !== undefined ? ` (always ${writeNumber(c.values.constant)})` : "");
        button.append(name, unit, about);
        button.addEventListener("click", () => {
            curves.toggle(c.name);
            fillList();
        });
        item.append(button);
        return item;
    }));
}

function openChannels(on) {
    $("channels").hidden = !on;
    if (!on) return;
    fillList();
    $("search").focus();
}
$("channels-button").addEventListener("click", () => openChannels($("channels").hidden));
$("channels-close").addEventListener("click", () => openChannels(false));
$("search").addEventListener("input", fillList);

// --- the replay ---

const end = () => first.time.at(first.time.count - 1);
const begin = () => first.time.at(0);

function setMoment(moment) {
    t = Math.min(end(), Math.max(begin(), moment));
    const x = axisAt(t);
    if ($("slider").value !== String(t)) $("slider").value = t;
    const distance = first.channel("distance")?.values;
    const speed = first.channel("speed")?.values;
    const place = placeOf(first.time, t);
    const parts = [`${t.toFixed(end() < 2 ? 4 : 2)} s`];
    if (distance) parts.push(`${distance.between(place).toFixed(1)} m`);
    if (speed) parts.push(`${(3.6 * speed.between(place)).toFixed(1)} km/h`);
    $("now").textContent = parts.join("  ·  ");
    curves.mark(x);
    if (stage) stage.move(curves.axis === "distance" && stage.settings.align === "distance" ? x : t);
}

function play(on) {
    if (on && t >= end()) setMoment(begin());
    playing = on;
    $("play").textContent = on ? "❚❚" : "▶";
    $("play").setAttribute("aria-label", on ? "Pause" : "Play");
}

function fillSlider() {
    $("slider").min = begin();
    $("slider").max = end();
}
$("slider").addEventListener("input", () => setMoment(Number($("slider").value)));
$("play").addEventListener("click", () => play(!playing));

let last = 0;
let frames = 0;
function frame(now) {
    const elapsed = Math.min(0.1, (now - last) / 1000);
    last = now;
    if (playing) {
        setMoment(t + elapsed * Number($("rate").value));
        if (t >= end() && first.modes) setMoment(begin());
        else if (t >= end()) play(false);
    }
    if (stage?.draw()) {
        frames++;
        if (contact && !$("contact-panel").hidden) contact.draw();
    }
    requestAnimationFrame(frame);
}

// --- the picture ---

function openStage() {
    const seen = runs.filter((r) => r.scene);
    const why = runs.find((r) => !r.scene);
    const before = stage;
    $("missing").hidden = !why?.missing || (told && !why.manifest); // tables alone were never meant to be seen
    if (why) $("missing").textContent = `Nothing in 3-D of ${why.label}: ${why.missing}.`;
    const nothing = !first.scene || first.scene.rows < 1;
    document.querySelector("main").classList.toggle("curves-only", nothing);
    if (nothing) {
        $("curves").prepend($("missing"));
        before?.close();
        stage = contact = null;
        return;
    }
    $("stage").append($("missing"));
    try {
        stage = new Stage(seen, $("view3d"), before);
    } catch (error) {
        $("missing").hidden = false;
        $("missing").textContent = `Nothing in 3-D: this browser offers no WebGL (${error.message}).`;
        document.querySelector("main").classList.add("curves-only");
        $("curves").prepend($("missing"));
        stage = null;
        return;
    }
    stage.settings.align = curves.axis;
    $("still").hidden = !(first.scene.still > 0);
    if (first.scene.still > 0) {
        $("still").textContent = `coordinates of ${first.scene.still} bodies were not recorded (channels "motions"): they are shown as at rest`;
    }
    contact = new ContactPanel(stage, $("contact-canvas"), $("contact-wheelset"));
    $("contact-row").hidden = !contact.usable;
    $("difference-row").hidden = seen.length < 2;
    const legend = (id, colours, words = {}) => {
        $(id).innerHTML = Object.entries(colours).map(([name, colour]) => `<span><i style="background:${colour}"></i>${words[name] ?? name}</span>`).join("");
    };
    const there = Object.entries({ ...FORCE, ...ON_TYRE }).filter(([kind]) => stage.forces.some((f) => f.kind === kind));
    legend("force-legend", Object.fromEntries(there));
    $("imaginary").disabled = !stage.imaginary.length;
    $("forces").disabled = !stage.forces.length;
    if (stage.imaginary.length) legend("imaginary-legend", TERMS);
    else {
        const recorded = first.channels.some((c) => c.name.startsWith("imaginary."));
        $("imaginary-legend").textContent = recorded ? "all are zero" : "not recorded; kane run -c default,imaginary does";
    }
    $("panels-row").hidden = $("panels-legend").hidden = !stage.panels.length;
    if (stage.panels.some((p) => p.arrow)) legend("panels-legend", { ground: GROUND }, { ground: "force of the ground on them" });
    else $("panels-legend").textContent = "at rest: not recorded; kane run -c default,track does";
    fillSensors();
    const tyred = stage.bodies.some((b) => b.kind === "wheel");
    if (!stage.forces.length) $("force-legend").textContent = tyred ? "not recorded; kane run -c default,elements does" : "none recorded";
    if (!stage.main.line) $("follow").hidden = true;
    const close = document.querySelector('[data-look="wheel"]');
    close.hidden = !tyred && !stage.bodies.some((b) => b.kind === "wheelset");
    if (tyred) [close.textContent, close.title] = ["Wheel", "The first wheel (5)"];
}

// Sensors by their names: a click draws what they show, another one takes it away.
function fillSensors() {
    $("sensors-row").hidden = !stage.sensors.length;
    $("sensor-list").replaceChildren(...stage.sensors.map((s) => {
        const button = document.createElement("button");
        button.textContent = s.raw.name;
        button.disabled = !s.channels.some((c) => first.channel(c));
        button.title = button.disabled ? "its accelerations were not recorded" : "Its accelerations as curves";
        button.addEventListener("click", () => toggleSensor(s));
        return button;
    }));
}

function toggleSensor(sensor) {
    const names = sensor.channels.filter((c) => first.channel(c));
    const shown = new Set(curves.panels.flatMap((p) => p.names));
    const missing = names.filter((n) => !shown.has(n));
    if (missing.length === names.length) curves.add(names);
    else for (const n of missing.length ? missing : names) curves.toggle(n);
}

// the name of what the pointer is on, and what a sensor shows
function tell(event) {
    const box = $("view3d").getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const found = event.buttons || !stage ? null : stage.nameAt((2 * x) / box.width - 1, 1 - (2 * y) / box.height, 24 / box.height);
    const tip = $("tip");
    tip.hidden = !found;
    if (!found) return null;
    const place = placeOf(first.time, t);
    const values = (found.sensor?.channels ?? []).flatMap((c) => (first.channel(c) ? [`${c.slice(-1)} ${writeNumber(first.channel(c).values.between(place), 3)}`] : []));
    tip.textContent = `${found.name}${values.length ? `: ${values.join(", ")} m/s²` : ""}`;
    const left = Math.max(0, Math.min(x + 14, box.width - tip.offsetWidth - 4));
    tip.style.transform = `translate(${left}px, ${y > 40 ? y - tip.offsetHeight - 10 : y + 18}px)`;
    return found;
}
$("view3d").addEventListener("pointermove", tell);
$("view3d").addEventListener("pointerleave", () => ($("tip").hidden = true));
let pressedAt = null; // a click is one without a drag
$("view3d").addEventListener("pointerdown", (event) => (pressedAt = [event.clientX, event.clientY]));
$("view3d").addEventListener("click", (event) => {
    const still = pressedAt && Math.hypot(event.clientX - pressedAt[0], event.clientY - pressedAt[1]) < 5;
    const found = still ? tell(event) : null;
    if (found?.sensor) toggleSensor(found.sensor);
});

// a page of modes: their table in the place of curves; they go on for ever
function openModes() {
    const size = stage?.main.line ? 0.12 : 0.06 * (stage?.size ?? 1);
    document.body.classList.add("modes-page");
    modes.list(first, $("panels"), (mode) => {
        modes.choose(first, mode, size);
        stage?.recall();
        setMoment(begin());
        play(true);
    });
}

// --- a study ---

// Runs of the cases that were taken, in this order; panels, window, camera and moment stay as they are.
function takeRuns(list) {
    runs = list.map((i) => all[i]);
    runs.forEach((r, i) => Object.assign(r, { index: i, label: study.labelOf(list[i]) }));
    first = runs[0];
    curves.setRuns(runs);
    fillRuns();
    fillAxis();
    fillSlider();
    describe();
    openStage();
    setMoment(t);
}

function openStudy() {
    document.body.classList.add("study-page");
    document.body.classList.toggle("without-runs", !all.length);
    $("study").hidden = false;
    study = new Study(told, takeRuns);
    study.choose(told.kept[0]?.[0] ?? 0, false);
    if (told.changed) $("study-count").append(` · ${told.changed}`);
}

const redraw = () => stage && (stage.dirty = true);
for (const [id, what] of [["forces", "forces"], ["imaginary", "imaginary"], ["elements", "elements"], ["panels-shown", "panels"], ["sensors", "sensors"]])
    $(id).addEventListener("change", () => {
        stage.settings[what] = $(id).checked;
        $("sensor-list").hidden = !stage.settings.sensors;
        redraw();
    });
for (const id of ["magnify", "difference"])
    $(id).addEventListener("input", () => {
        const value = 10 ** Number($(id).value);
        const round = value < 10 ? Math.round(value * 10) / 10 : Math.round(value);
        stage.settings[id] = round;
        $(`${id}-value`).textContent = round;
        redraw();
    });
$("contact").addEventListener("change", () => {
    $("contact-panel").hidden = !$("contact").checked;
    $("stage").classList.toggle("with-contact", $("contact").checked);
    redraw();
});
function look(view) {
    stage?.look(view);
}
for (const button of document.querySelectorAll("[data-look]")) button.addEventListener("click", () => look(button.dataset.look));
function follow() {
    if (!stage) return;
    stage.settings.follow = !stage.settings.follow;
    pressed("follow", stage.settings.follow);
    redraw();
}
$("follow").addEventListener("click", follow);
function more() {
    $("shows").hidden = !$("shows").hidden;
    pressed("more", !$("shows").hidden);
}
$("more").addEventListener("click", more);

function theme() {
    toggleTheme();
    restyle();
}
function restyle() {
    curves.restyle();
    stage?.restyle();
    study?.refresh();
}
$("theme-button").addEventListener("click", theme);
$("about-button").addEventListener("click", () => $("about").showModal());

// --- keys ---

function stepBy(rows) {
    const place = Math.round(placeOf(first.time, t)) + rows;
    setMoment(first.time.at(Math.max(0, Math.min(first.rows - 1, place))));
}

function changeRate(by) {
    const select = $("rate");
    select.selectedIndex = Math.max(0, Math.min(select.options.length - 1, select.selectedIndex + by));
}

const step = () => Math.max(1, Math.round(first.rows / 2000));
const KEYS = {
    " ": () => play(!playing),
    ArrowLeft: (e) => stepBy(-(e.shiftKey ? 10 : 1) * step()),
    ArrowRight: (e) => stepBy((e.shiftKey ? 10 : 1) * step()),
    Home: () => setMoment(begin()),
    End: () => setMoment(end()),
    "[": () => changeRate(-1),
    "]": () => changeRate(1),
    1: () => look("oblique"),
    2: () => look("side"),
    3: () => look("front"),
    4: () => look("top"),
    5: () => look("wheel"),
    f: follow,
    m: more,
    "+": () => curves.zoom(0.5, axisAt(t)),
    "-": () => curves.zoom(2, axisAt(t)),
    0: () => curves.setWindow(...curves.whole()),
    c: () => openChannels($("channels").hidden),
    l: () => $("link").click(),
    d: theme,
    ArrowUp: () => study?.step(-1),
    ArrowDown: () => study?.step(1),
    "?": () => $("about").showModal(),
    Escape: () => openChannels(false),
};
document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || $("about").open) return;
    if (event.target.matches?.("input[type=search], select") && event.key !== "Escape") return;
    const action = KEYS[event.key];
    if (!action) return;
    if (event.target.matches?.("input[type=range]") && /^Arrow|Home|End/.test(event.key) && event.target !== $("slider")) return;
    event.preventDefault();
    if (event.key === " ") document.activeElement?.blur?.();
    action(event);
});

// What an address asks for: #curves=A,B&from=100&to=350&run=1, as reports do, or a part of that.
function goToAddress() {
    const asked = new URLSearchParams(location.hash.slice(1));
    const names = (asked.get("curves") ?? "").split(",").filter((n) => runs.some((r) => r.channel(n)));
    if (!location.hash || first.modes || told) return;
    const [from, to] = ["from", "to"].map((k) => Number(asked.get(k) ?? NaN));
    if (names.length) {
        for (const panel of [...curves.panels]) curves.drop(panel);
        const byUnit = new Map();
        for (const n of names) byUnit.set(curves.unitOf(n), [...(byUnit.get(curves.unitOf(n)) ?? []), n]);
        for (const set of byUnit.values()) curves.add(set);
    }
    const only = Number(asked.get("run"));
    if (only >= 1 && only <= runs.length && runs.length > 1)
        document.querySelectorAll("#run-keys button").forEach((b, i) => {
            if ((b.getAttribute("aria-pressed") === "true") !== (i === only - 1)) b.click();
        });
    if (to > from) {
        curves.setWindow(from, to);
        setMoment(timeOf(from));
    }
}
window.addEventListener("hashchange", goToAddress);

watchTheme(restyle);
describe();
fillRuns();
fillAxis();
fillSlider();
if (end() - begin() < 1) $("rate").value = "0.05";
if (!first.modes && first.rows > 0) choosePanels();
if (told) openStudy();
else openStage();
setMoment(begin());
if (first.modes) openModes();
goToAddress();
requestAnimationFrame(frame);

// for tests, and whoever wants to look into the page
window.kane = { thin, all, curves, setMoment, play, get runs() { return runs; }, get stage() { return stage; }, get study() { return study; }, get time() { return t; }, get frames() { return frames; }, get playing() { return playing; }, opened: performance.now() };
