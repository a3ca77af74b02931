// SPDX-License-Identifier: MIT
// Curves: panels of channels that have a unit in common, one cursor and one axis for all.

import uPlot from "uplot";
import { Row, firstFrom, placeOf } from "./data.js";
import { scaleFor, writeNumber } from "./units.js";
import { curveColour } from "./theme.js";

const ROUND_OFF = 1e-9;
const DASHES = [[], [7, 4], [2, 3], [10, 3, 2, 3], [14, 5], [5, 2, 1, 2], [1, 4], [9, 9]];

// Rows of a channel within a window, thinned to pairs of least and greatest where there are more than pixels.
export function thin(x, values, from, to, bins) {
    const begin = Math.max(0, firstFrom(x, from) - 1);
    const end = Math.min(x.count, firstFrom(x, to) + 2);
    const xs = [];
    const ys = [];
    if (end - begin <= 2 * bins) {
        for (let i = begin; i < end; i++) {
            const y = values.at(i);
            xs.push(x.at(i));
            ys.push(Number.isFinite(y) ? y : null);
        }
        return [xs, ys];
    }
    const levels = values.levels();
    let i = begin;
    for (let k = 0; k < bins; k++) {
        const edge = from + ((to - from) * (k + 1)) / bins;
        const next = k + 1 === bins ? end : Math.max(i, firstFrom(x, edge));
        if (next <= i) continue;
        const [least, greatest] = levels.range(i, next);
        const left = x.at(i);
        const right = x.at(next - 1);
        if (least > greatest) {
            xs.push(left);
            ys.push(null);
        } else if (next - i === 1) {
            xs.push(left);
            ys.push(least);
        } else {
            const rises = values.at(next - 1) >= values.at(i);
            xs.push(left, left + (right - left) / 2);
            ys.push(rises ? least : greatest, rises ? greatest : least);
        }
        i = next;
    }
    return [xs, ys];
}

export class Curves {
    // place: element; events: { seek(x), changed() }
    constructor(runs, place, events) {
        this.runs = runs;
        this.place = place;
        this.events = events;
        this.axis = runs.every((r) => r.distance) ? "distance" : "time";
        this.panels = [];
        this.active = null;
        this.shown = new Set(runs.map((r) => r.index));
        this.at = 0;
        this.difference = false;
        this.window = this.whole();
        new ResizeObserver(() => this.resize()).observe(place);
    }

    whole() {
        let least = Infinity;
        let greatest = -Infinity;
        for (const run of this.runs) {
            const x = run.axis(this.axis);
            if (!x) continue;
            least = Math.min(least, x.at(0));
            greatest = Math.max(greatest, x.at(x.count - 1));
        }
        return greatest > least ? [least, greatest] : [0, 1];
    }

    setAxis(axis) {
        this.axis = axis;
        this.window = this.whole();
        for (const panel of this.panels) panel.rebuild();
    }

    setWindow(from, to) {
        const [least, greatest] = this.whole();
        const width = Math.min(Math.max(to - from, 1e-6 * (greatest - least)), greatest - least);
        const begin = Math.max(least, Math.min(from, greatest - width));
        this.window = [begin, begin + width];
        for (const panel of this.panels) panel.refill();
    }

    // other runs in the place of these: panels stay, and the window if it fits
    setRuns(runs) {
        const [from, to] = this.window;
        const before = this.whole();
        this.runs = runs;
        this.shown = new Set(runs.map((r) => r.index));
        this.less = new Map();
        this.difference = this.difference && runs.length > 1;
        if (this.axis === "distance" && !runs.every((r) => r.distance)) this.axis = "time";
        const whole = this.whole();
        const isWhole = from === before[0] && to === before[1];
        this.window = isWhole || from >= whole[1] || to <= whole[0] ? whole : [Math.max(from, whole[0]), Math.min(to, whole[1])];
        for (const panel of this.panels) panel.rebuild();
    }

    zoom(factor, about = (this.window[0] + this.window[1]) / 2) {
        this.setWindow(about - (about - this.window[0]) * factor, about + (this.window[1] - about) * factor);
    }

    pan(part) {
        const shift = part * (this.window[1] - this.window[0]);
        this.setWindow(this.window[0] + shift, this.window[1] + shift);
    }

    // a channel into the active panel, or one that has its unit, or a new one; out of it if it is there
    toggle(name) {
        const holder = this.panels.find((p) => p.names.includes(name));
        if (holder) return holder.remove(name);
        const unit = this.unitOf(name);
        let panel = this.active && this.active.unit === unit ? this.active : null;
        panel ??= this.panels.find((p) => p.unit === unit && p.names.length < 8);
        if (!panel || panel.names.length >= 16) panel = this.add([name]);
        else panel.insert(name);
        this.activate(panel);
        this.events.changed();
        return panel;
    }

    // rows of a run less what the first one has at the same place of the axis
    lessFirst(name, run, x) {
        const key = `${this.axis} ${run.index} ${name}`;
        this.less ??= new Map();
        if (!this.less.has(key)) {
            const first = this.runs[0];
            const values = run.channel(name).values;
            const against = first.channel(name).values;
            const axis = first.axis(this.axis);
            const end = axis.at(axis.count - 1);
            const numbers = Float64Array.from({ length: values.count }, (_, i) =>
                x.at(i) > end ? NaN : values.at(i) - against.between(placeOf(axis, x.at(i))));
            this.less.set(key, Row.of(numbers));
        }
        return this.less.get(key);
    }

    unitOf(name) {
        for (const run of this.runs) if (run.channel(name)) return run.channel(name).unit;
        return "1";
    }

    add(names) {
        const panel = new Panel(this, names);
        this.panels.push(panel);
        this.resize();
        return panel;
    }

    drop(panel) {
        panel.close();
        this.panels = this.panels.filter((p) => p !== panel);
        if (this.active === panel) this.active = null;
        this.resize();
        this.events.changed();
    }

    activate(panel) {
        this.active = panel;
        for (const p of this.panels) p.box.classList.toggle("active", p === panel && this.panels.length > 1);
    }

    // other runs less the first one, or all as they are
    setDifference(on) {
        this.difference = on;
        for (const panel of this.panels) panel.rebuild();
    }

    showRun(index, on) {
        if (on) this.shown.add(index);
        else this.shown.delete(index);
        for (const panel of this.panels) panel.rebuild();
    }

    // the replay is at x
    mark(x) {
        this.at = x;
        for (const panel of this.panels) panel.mark(x);
    }

    tell(x) {
        for (const panel of this.panels) panel.tell(x);
    }

    resize() {
        if (!this.panels.length) return;
        const room = this.place.clientHeight / this.panels.length - 4;
        const height = Math.max(150, Math.min(360, room));
        for (const panel of this.panels) panel.resize(this.place.clientWidth, height);
    }

    restyle() {
        for (const panel of this.panels) panel.rebuild();
    }
}

class Panel {
    constructor(curves, names) {
        this.curves = curves;
        this.names = [...names];
        this.unit = curves.unitOf(names[0]);
        this.colours = new Map();
        this.box = document.createElement("section");
        this.box.className = "panel";
        this.key = document.createElement("div");
        this.key.className = "key";
        this.field = document.createElement("div");
        this.field.className = "field";
        this.box.append(this.key, this.field);
        this.box.addEventListener("pointerdown", () => curves.activate(this));
        curves.place.append(this.box);
        this.width = Math.max(200, curves.place.clientWidth);
        this.height = 200;
        this.rebuild();
    }

    colourOf(name) {
        if (!this.colours.has(name)) {
            const taken = new Set(this.names.map((n) => this.colours.get(n)));
            let k = 0;
            while (taken.has(k)) k++;
            this.colours.set(name, k);
        }
        return curveColour(this.colours.get(name));
    }

    insert(name) {
        this.names.push(name);
        this.rebuild();
    }

    remove(name) {
        this.names = this.names.filter((n) => n !== name);
        this.colours.delete(name);
        if (!this.names.length) return this.curves.drop(this);
        this.rebuild();
        this.curves.events.changed();
    }

    close() {
        this.plot?.destroy();
        this.box.remove();
    }

    // channels by runs that are shown
    list() {
        const list = [];
        for (const name of this.names)
            for (const run of this.curves.runs) {
                const channel = run.channel(name);
                const x = run.axis(this.curves.axis);
                if (!channel || !x || !this.curves.shown.has(run.index)) continue;
                if (!this.curves.difference) list.push({ name, run, channel, x, values: channel.values });
                else if (run.index > 0 && this.curves.runs[0].channel(name))
                    list.push({ name, run, channel, x, values: this.curves.lessFirst(name, run, x) });
            }
        return list;
    }

    rebuild() {
        this.plot?.destroy();
        this.lines = this.list();
        let magnitude = 0;
        for (const { values } of this.lines) {
            const [least, greatest] = values.extremes();
            if (least <= greatest) magnitude = Math.max(magnitude, Math.abs(least), Math.abs(greatest));
        }
        this.scale = scaleFor(this.unit, magnitude < ROUND_OFF ? 1 : magnitude);
        const style = getComputedStyle(document.documentElement);
        const ink = style.getPropertyValue("--ink-soft");
        const grid = { stroke: style.getPropertyValue("--grid"), width: 1 };
        const font = "12px system-ui, sans-serif";
        const curves = this.curves;
        const axis = { stroke: ink, grid, ticks: grid, font };
        const options = {
            width: this.width,
            height: this.height,
            pxAlign: 0,
            legend: { show: false },
            scales: {
                x: { time: false, range: () => curves.window },
                y: { range: (u, least, greatest) => around(least, greatest, this.scale.factor) },
            },
            cursor: {
                sync: { key: "kane", setSeries: false, scales: ["x", null] },
                drag: { x: true, y: false, setScale: false },
                points: { size: 5 },
                bind: { dblclick: (u) => () => (curves.setWindow(...curves.whole()), u.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false), null) },
            },
            axes: [
                { ...axis, size: 34, values: (u, ticks) => ticks.map((t) => writeTick(t)) },
                { ...axis, size: 58, values: (u, ticks) => ticks.map((t) => writeTick(t)) },
            ],
            series: [
                {},
                ...this.lines.map(({ name, run }) => ({
                    label: name,
                    stroke: this.colourOf(name),
                    width: 1.6,
                    dash: DASHES[run.index % DASHES.length],
                    spanGaps: false,
                    points: { show: false },
                })),
            ],
            hooks: {
                setCursor: [(u) => this.hover(u)],
                setSelect: [(u) => this.select(u)],
                ready: [(u) => this.bind(u)],
                draw: [(u) => this.mark(curves.at, u)], // scales come into force only now
            },
        };
        this.plot = new uPlot(options, this.data(), this.field);
        this.write();
        this.mark(curves.at);
    }

    data() {
        const [from, to] = this.curves.window;
        const bins = Math.max(100, Math.round(this.width));
        const { factor } = this.scale;
        if (!this.lines.length) return [[from, to]];
        const tables = this.lines.map(({ x, values }) => {
            const [xs, ys] = thin(x, values, from, to, bins);
            return [xs, ys.map((y) => (y === null ? null : y * factor))];
        });
        // rows of one run and one thinning share their axis; others are joined
        const first = tables[0][0];
        const same = tables.every(([xs]) => xs.length === first.length && xs.every((v, i) => v === first[i]));
        if (same) return [first, ...tables.map((t) => t[1])];
        return uPlot.join(tables, tables.map((t) => t.slice(1).map(() => 2)));
    }

    refill() {
        this.plot.setData(this.data());
    }

    resize(width, height) {
        const inside = Math.max(120, height - this.key.offsetHeight);
        if (width === this.width && inside === this.height) return;
        this.width = Math.max(200, width);
        this.height = inside;
        this.plot.setSize({ width: this.width, height: this.height });
        this.plot.setData(this.data());
    }

    bind(u) {
        this.line = document.createElement("div");
        this.line.className = "replay-line";
        u.over.append(this.line);
        this.mark(this.curves.at, u);
        u.over.addEventListener("wheel", (event) => {
            event.preventDefault();
            const x = u.posToVal(event.offsetX, "x");
            if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
                this.curves.pan((event.deltaX || event.deltaY) / 800);
            else this.curves.zoom(Math.exp(event.deltaY / 400), x);
        }, { passive: false });
        u.over.addEventListener("click", (event) => {
            if (!this.selected) this.curves.events.seek(u.posToVal(event.offsetX, "x"), true);
            this.selected = false;
        });
        this.fingers(u);
    }

    // two fingers zoom and move; one that moves across moves the replay
    fingers(u) {
        let before = null;
        const spread = (t) => Math.abs(t[0].clientX - t[1].clientX);
        const middle = (t) => (t[0].clientX + t[1].clientX) / 2 - u.over.getBoundingClientRect().left;
        u.over.addEventListener("touchstart", (e) => {
            if (e.touches.length === 2) before = { spread: spread(e.touches), x: u.posToVal(middle(e.touches), "x"), window: [...this.curves.window] };
        }, { passive: true });
        u.over.addEventListener("touchmove", (e) => {
            if (e.touches.length === 2 && before) {
                e.preventDefault();
                const factor = before.spread / Math.max(10, spread(e.touches));
                const width = (before.window[1] - before.window[0]) * factor;
                const from = before.x - (width * middle(e.touches)) / u.over.clientWidth;
                this.curves.setWindow(from, from + width);
            }
        }, { passive: false });
        u.over.addEventListener("touchend", () => (before = null), { passive: true });
    }

    select(u) {
        const { left, width } = u.select;
        if (width < 4) return;
        this.selected = true;
        const [from, to] = [u.posToVal(left, "x"), u.posToVal(left + width, "x")];
        u.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
        this.curves.setWindow(from, to);
    }

    hover(u) {
        const { left } = u.cursor;
        if (left === null || left === undefined || left < 0) {
            if (u.over.matches(":hover")) return;
            this.tell(this.curves.at);
            return;
        }
        const x = u.posToVal(left, "x");
        this.tell(x);
        if (u.over.matches(":hover")) this.curves.events.seek(x, false);
    }

    mark(x, u = this.plot) {
        if (!u || !this.line) return;
        const left = u.valToPos(x, "x");
        this.line.style.transform = `translateX(${left}px)`;
        this.line.hidden = !(left >= 0 && left <= u.over.clientWidth);
        if (!(u.cursor.left >= 0)) this.tell(x);
    }

    // the key: names, colours, values
    write() {
        this.key.replaceChildren();
        const unit = document.createElement("span");
        unit.className = "unit";
        unit.textContent = this.scale.unit ? `[${this.scale.unit}]` : "[1]";
        this.key.append(unit);
        this.values = [];
        for (const name of this.names) {
            const chip = document.createElement("button");
            chip.className = "chip";
            chip.title = `${this.lines.find((l) => l.name === name)?.channel.description ?? ""}; click to take it out`;
            chip.style.setProperty("--line", this.colourOf(name));
            chip.innerHTML = "<i></i><b></b>";
            chip.querySelector("b").textContent = name;
            chip.addEventListener("click", () => this.remove(name));
            for (const line of this.lines.filter((l) => l.name === name)) {
                const value = document.createElement("output");
                chip.append(value);
                this.values.push({ line, value });
            }
            this.key.append(chip);
        }
    }

    tell(x) {
        for (const { line, value } of this.values ?? []) {
            const v = line.values.between(placeOf(line.x, x));
            const text = writeNumber(Math.abs(v) < 1e-3 * ROUND_OFF ? 0 : v * this.scale.factor);
            if (value.textContent !== text) value.textContent = text;
        }
    }
}

// Limits of an axis: what is there and a little more. Round-off is no signal (docs/results.md): what spans less than 1e-9 of its
// SI unit or 1e-7 of its size is a flat line.
function around(least, greatest, factor) {
    if (least === null || least === undefined || !Number.isFinite(least)) return [-1, 1];
    const size = Math.max(Math.abs(least), Math.abs(greatest));
    const span = greatest - least;
    if (span > 1e-7 * size && span > ROUND_OFF * factor) return [least - 0.08 * span, greatest + 0.08 * span];
    return size <= ROUND_OFF * factor ? [-1, 1] : [least - 0.1 * size, greatest + 0.1 * size];
}

function writeTick(t) {
    return String(+t.toPrecision(10)).replace("-", "−");
}

