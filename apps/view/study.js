// SPDX-License-Identifier: MIT
// A study: its table as map, curves or points, and below as rows. A click on a case takes it, with shift lays it over the first.

import { Axis, Chart, mapColour } from "./chart.js";
import { Row } from "./data.js";
import { curveColour } from "./theme.js";
import { scaleFor, writeNumber, writeUnit } from "./units.js";

const $ = (id) => document.getElementById(id);
const DASHES = [[], [7, 4], [2, 3], [10, 3, 2, 3]];
const LINES_MOST = 24;
const ROWS_MOST = 400; // of the table that are shown at a time

// five digits, no zeros behind
function short(value) {
    const rounded = Number(value.toPrecision(5));
    if (!Number.isFinite(value) || (value !== 0 && Math.abs(value) < 1e-4) || Math.abs(value) >= 1e7) return writeNumber(value, 4);
    return String(rounded).replace("-", "−");
}

export class Column {
    constructor(raw) {
        const { values, ...rest } = raw;
        Object.assign(this, rest);
        this.row = new Row(values);
        this.levels = null;
        // what came out in the unit that suits it, what was asked for as it was typed
        const [least, greatest] = this.words ? [0, 0] : this.row.extremes();
        const suits = this.role === "measure" && least <= greatest;
        this.scale = suits ? scaleFor(this.unit || "1", Math.max(Math.abs(least), Math.abs(greatest))) : { factor: 1, unit: this.unit && this.unit !== "1" ? writeUnit(this.unit) : "" };
    }

    at(row) {
        return this.row.at(row);
    }

    // what it has, ascending (words in the order of the table)
    get values() {
        this.levels ??= [...new Set(Array.from({ length: this.row.count }, (_, i) => this.at(i)))].filter(Number.isFinite).sort((a, b) => a - b);
        return this.levels;
    }

    get label() {
        return this.unit && this.unit !== "1" ? `${this.name} [${writeUnit(this.unit)}]` : this.name;
    }

    // as a table has it
    get head() {
        return this.scale.unit ? `${this.name} [${this.scale.unit}]` : this.name;
    }

    write(row) {
        const value = this.at(row);
        return this.words ? this.words[value] : short(value * this.scale.factor);
    }

    tell(row) {
        return `${this.name} ${this.write(row)}${this.scale.unit && Number.isFinite(this.words ? 0 : this.at(row)) ? ` ${this.scale.unit}` : ""}`;
    }
}

export class Study {
    // take(rows): cases whose runs are to be seen, the first one solid; none of them may have one
    constructor(raw, take) {
        this.raw = raw;
        this.take = take;
        this.columns = raw.columns.map((c) => new Column(c));
        this.axes = this.columns.filter((c) => c.role === "axis" && c.values.length > 1);
        if (!this.axes.length) this.axes = this.columns.filter((c) => c.role === "axis").slice(0, 1);
        this.measures = this.columns.filter((c) => c.role === "measure" && c.values.length > 0);
        this.numbers = this.columns.filter((c) => c.role === "number")[0];
        this.state = this.columns.find((c) => c.name === "state" || c.name === "motion");
        this.runOf = new Map(raw.kept.map(([row, run]) => [row, run])); // of rows
        this.underOf = new Map(raw.kept.flatMap(([row, , under]) => (under === undefined ? [] : [[row, under]]))); // runs that they are laid over
        this.complete = new Set(this.underOf.values());
        this.chosen = [];
        this.fixed = new Map(); // of axes that are neither x nor y: a value, or null for all
        this.chart = new Chart($("study-canvas"), $("study-tip"), (row, more) => this.choose(row, more));
        this.begin();
        this.fill();
        $("study-bar").addEventListener("change", (e) => this.change(e.target));
        this.refresh();
    }

    isCritical() {
        return this.raw.kind === "critical";
    }

    // which measure, over which axes, at first
    begin() {
        const skipped = new Set(["time", "distance", "steps"]);
        this.measure = this.measures.find((m) => !skipped.has(m.name)) ?? this.measures[0];
        const numeric = this.axes.filter((a) => !a.words);
        this.x = numeric[0] ?? this.axes[0];
        this.by = this.axes.find((a) => a !== this.x && !a.words && this.raw.layout === "grid") ?? this.axes.find((a) => a !== this.x) ?? null;
        const name = (n) => this.axes.find((a) => a.name === n);
        if (this.isCritical()) this.by = name("wheelset") ?? this.by;
        if (this.raw.kind === "rods") {
            [this.x, this.by] = [name("step") ?? this.x, name("extrapolation") ?? this.by];
            const inertia = name("inertia");
            if (inertia) this.fixed.set(inertia, Math.max(0, inertia.words.indexOf("partition")));
            if (name("factor")?.values.includes(1)) this.fixed.set(name("factor"), 1);
        }
        if (this.raw.kind === "omission") this.by = name("term") ?? this.by;
        if (this.raw.kind === "optimise") this.x = name("evaluation") ?? this.x;
        const scattered = ["latin hypercube", "list", "samples"].includes(this.raw.layout);
        this.view = scattered ? "points" : this.by && !this.by.words && !this.x.words && this.x.values.length > 2 && this.by.values.length > 2 ? "map" : "curves";
        this.fix();
    }

    // other axes stand at their first value; points show all
    fix() {
        for (const axis of this.axes) {
            if (axis === this.x || axis === this.by) this.fixed.delete(axis);
            else if (!this.fixed.has(axis)) this.fixed.set(axis, this.view === "points" || (this.isCritical() && axis.name === "sweep") ? null : axis.values[0]);
        }
    }

    // --- the bar above ---

    fill() {
        const option = (text, value, on) => Object.assign(document.createElement("option"), { textContent: text, value, selected: on });
        const select = (id, label, options) => {
            const holder = document.createElement("label");
            const s = document.createElement("select");
            s.id = id;
            s.append(...options);
            holder.append(`${label} `, s);
            return holder;
        };
        const index = (c) => this.columns.indexOf(c);
        const views = [["map", "Map"], ["curves", "Curves"], ["points", "Points"]].filter(([v]) => v !== "map" || (this.axes.length > 1 && !this.isCritical()));
        const across = this.view === "points" ? [...this.axes, ...this.measures] : this.axes;
        const parts = [
            select("study-measure", "", this.measures.map((m) => option(m.label, index(m), m === this.measure))),
            select("study-view", "as", views.map(([v, text]) => option(text.toLowerCase(), v, v === this.view))),
            select("study-x", "over", across.map((a) => option(a.label, index(a), a === this.x))),
        ];
        if (this.axes.length > 1 || this.view === "points")
            parts.push(select("study-by", this.view === "map" ? "and" : "by", [
                ...(this.view === "map" ? [] : [option("—", -1, !this.by)]),
                ...across.filter((a) => a !== this.x).map((a) => option(a.label, index(a), a === this.by)),
            ]));
        for (const [axis, value] of this.fixed)
            parts.push(select(`study-fix-${index(axis)}`, axis.name, [
                ...(this.view === "map" ? [] : [option("all", "all", value === null)]),
                ...axis.values.map((v) => option(axis.words ? axis.words[v] : short(v), v, v === value)),
            ]));
        $("study-bar").replaceChildren(...parts);
    }

    change(select) {
        const { id, value } = select;
        const column = this.columns[Number(value)];
        if (id === "study-measure") this.measure = column;
        else if (id === "study-view") {
            this.view = value;
            if (value === "points") for (const axis of this.fixed.keys()) this.fixed.set(axis, null);
        } else if (id === "study-x") [this.x, this.by] = [column, column === this.by ? this.x : this.by];
        else if (id === "study-by") this.by = column ?? null;
        else this.fixed.set(this.columns[Number(id.replace("study-fix-", ""))], value === "all" ? null : Number(value));
        if (this.view !== "points") {
            if (!this.axes.includes(this.x)) this.x = this.axes[0];
            if (this.by && !this.axes.includes(this.by)) this.by = null;
        }
        if (this.view === "map") {
            this.by ??= this.axes.find((a) => a !== this.x);
            for (const [axis, at] of this.fixed) if (at === null) this.fixed.set(axis, axis.values[0]);
        }
        this.fix();
        this.fill();
        this.refresh();
    }

    // --- the chart ---

    rows() {
        const rows = [];
        const fixed = [...this.fixed].filter(([, value]) => value !== null);
        for (let i = 0; i < this.raw.rows; i++) if (fixed.every(([axis, value]) => axis.at(i) === value)) rows.push(i);
        return rows;
    }

    stateOf(row) {
        return this.state?.words ? this.state.words[this.state.at(row)] : "done";
    }

    tell(row) {
        const parts = [...this.axes, this.measure].map((c) => c.tell(row));
        const state = this.stateOf(row);
        if (state !== "done") parts.push(state);
        return parts.join(", ");
    }

    // as a key has it: "case 7", "bloss", "27 m/s, down"; what is left out of the name is the same run
    nameOf(row, out = ["wheelset", "response"]) {
        return this.numbers ? `case ${this.numbers.write(row)}` : this.axes.filter((a) => !out.includes(a.name)).map((a) => (a.unit === "1" ? a.tell(row) : `${a.write(row)} ${a.words ? "" : a.scale.unit}`.trim())).join(", ");
    }

    // the same of a run: of one that rows are laid over what they have in common
    labelOf(run) {
        const [row] = this.raw.kept.find((kept) => kept[1] === run || kept[2] === run);
        return this.complete.has(run) ? ["complete", this.nameOf(row, ["term", "response"])].filter(Boolean).join(", ") : this.nameOf(row);
    }

    refresh() {
        const rows = this.rows();
        const text = (row) => () => this.tell(row);
        const { measure, x, by } = this;
        $("study-key").replaceChildren();
        const what = { chosen: this.chosen };
        if (this.view === "map") {
            what.x = new Axis(x, x.values);
            what.y = new Axis(by, by.values);
            what.value = new Axis(measure, rows.map((r) => measure.at(r)));
            const edges = (column) => {
                const v = column.words ? column.words.map((_, i) => i) : column.values;
                const half = (i) => (v.length < 2 ? 0.5 : i + 1 < v.length ? (v[i + 1] - v[i]) / 2 : (v[i] - v[i - 1]) / 2);
                return new Map(v.map((at, i) => [at, [at - (i ? (at - v[i - 1]) / 2 : half(i)), at + half(i)]]));
            };
            const [across, up] = [edges(x), edges(by)];
            what.cells = rows.map((row) => {
                const [[left, right], [low, high]] = [across.get(x.at(row)), up.get(by.at(row))];
                return { left, right, low, high, row, value: measure.at(row), marked: this.stateOf(row) === "derailed", text: text(row) };
            });
            for (const [axis, sides] of [[what.x, across], [what.y, up]]) {
                axis.least = Math.min(...[...sides.values()].map((s) => s[0]));
                axis.greatest = Math.max(...[...sides.values()].map((s) => s[1]));
            }
        } else this.drawOver(what, rows, text);
        this.chart.show(what);
        this.table(rows);
    }

    drawOver(what, rows, text) {
        const { measure, x, by, view } = this;
        const bars = this.isCritical() && measure.name === "amplitude" ? [this.named("least"), this.named("most")] : null;
        const shades = view === "points" && by && !by.words && by.values.length > 8;
        what.x = new Axis(x, rows.map((r) => x.at(r))).spread(0.03);
        what.y = new Axis(measure, rows.map((r) => measure.at(r)));
        if (bars) what.y.least = 0;
        what.y.spread(0.06);
        if (shades) what.value = new Axis(by, rows.map((r) => by.at(r)));
        const groups = new Map();
        for (const row of rows) {
            const key = by && !shades ? by.at(row) : 0;
            if (!groups.has(key)) groups.set(key, []);
            groups.get(key).push(row);
        }
        const order = [...groups.keys()].sort((a, b) => a - b);
        what.lines = [];
        what.points = [];
        // sweeps of limit cycles are lines of their own: down solid, up dashed
        const other = view === "curves" ? [...this.fixed].filter(([, value]) => value === null).map(([axis]) => axis) : [];
        order.forEach((key, k) => {
            const colour = order.length > 8 && by && !by.words ? this.shade(by, key) : curveColour(k);
            const group = groups.get(key);
            if (view === "curves" && !x.words && k < 200) {
                const parts = new Map();
                for (const row of group) {
                    const own = other.map((a) => a.at(row)).join(" ");
                    if (!parts.has(own)) parts.set(own, []);
                    parts.get(own).push(row);
                }
                [...parts.values()].forEach((part, n) => {
                    const points = part.map((row) => ({ x: x.at(row), y: measure.at(row) })).sort((a, b) => a.x - b.x);
                    what.lines.push({ points, colour, dash: DASHES[n % DASHES.length] });
                });
            }
            for (const row of group) {
                const state = this.stateOf(row);
                const open = this.isCritical() && state !== "settled";
                const kind = state === "derailed" || state === "failed" ? "cross" : open ? "open" : "dot";
                const at = { x: x.at(row), y: measure.at(row), row, kind, text: text(row), colour: shades ? mapOf(what.value, by.at(row)) : colour };
                if (bars && open) [at.from, at.to] = bars.map((b) => b.at(row));
                what.points.push(at);
            }
        });
        if (by && !shades) this.key(by, order);
        if (this.isCritical() && x.name === "speed") this.addCritical(what, measure.name === "amplitude");
    }

    named(name) {
        return this.columns.find((c) => c.name === name);
    }

    shade(by, value) {
        return mapOf(new Axis(by, by.values), value);
    }

    // the equilibrium: stable up to the linear critical speed (solid), beyond it not (dashed); speeds that were found
    addCritical(what, withRest) {
        const of = (key) => this.raw.marks.find((m) => m.key === key)?.value;
        const linear = of("linear");
        const style = getComputedStyle(document.documentElement).getPropertyValue("--ink-soft");
        if (withRest) {
            const [from, to] = [what.x.least, what.x.greatest];
            const change = Math.max(from, Math.min(to, linear ?? to));
            what.lines.unshift({ points: [{ x: from, y: 0 }, { x: change, y: 0 }], colour: style, width: 2.4 });
            if (change < to) what.lines.unshift({ points: [{ x: change, y: 0 }, { x: to, y: 0 }], colour: style, width: 2.4, dash: [4, 5] });
        }
        what.marks = ["nonlinear", "linear"].filter((k) => of(k) !== undefined)
            .map((k) => ({ x: of(k), name: `${k}: ${writeNumber(of(k), 4)} m/s` }));
    }

    key(by, order) {
        const items = order.slice(0, LINES_MOST).map((value, k) => {
            const item = document.createElement("span");
            const colour = order.length > 8 && !by.words ? this.shade(by, value) : curveColour(k);
            item.innerHTML = `<i style="background:${colour}"></i>`;
            item.append(by.words ? by.words[value] : short(value));
            return item;
        });
        const unit = by.unit && by.unit !== "1" ? ` [${writeUnit(by.unit)}]` : "";
        $("study-key").replaceChildren(`${by.name}${unit}:`, ...items);
        if (order.length > LINES_MOST) $("study-key").append(`and ${order.length - LINES_MOST} more`);
        if (this.isCritical()) $("study-key").append("· solid: down, dashed: up · full: settled, open: not · line at 0: equilibrium, dashed where it is not stable");
    }

    // --- the table ---

    table(rows) {
        const columns = [this.numbers, ...this.columns.filter((c) => c.role === "axis"), this.measure, ...this.columns.filter((c) => c.role !== "axis" && c !== this.numbers && c !== this.measure && c.name !== "unit")]
            .filter((c) => c && (c === this.measure || c.words?.some((w) => w) || (!c.words && c.values.length)));
        const head = document.createElement("tr");
        head.append(...columns.map((c) => Object.assign(document.createElement("th"), { textContent: c.head })));
        const first = this.chosen.length ? rows.indexOf(this.chosen[0]) : 0;
        const from = Math.max(0, Math.min(first - ROWS_MOST / 2, rows.length - ROWS_MOST));
        const body = rows.slice(from, from + ROWS_MOST).map((row) => {
            const line = document.createElement("tr");
            line.dataset.row = row;
            line.tabIndex = 0;
            line.append(...columns.map((c) => Object.assign(document.createElement("td"), { textContent: c.write(row), className: c.words ? "" : "number" })));
            line.classList.toggle("kept", this.runOf.has(row));
            line.addEventListener("click", (e) => this.choose(row, e.shiftKey));
            line.addEventListener("keydown", (e) => e.key === "Enter" && this.choose(row, e.shiftKey));
            return line;
        });
        $("study-head").replaceChildren(head);
        $("study-rows").replaceChildren(...body);
        $("study-count").textContent = `${rows.length} of ${this.raw.rows} rows${rows.length > ROWS_MOST ? `, ${ROWS_MOST} listed` : ""}${this.runOf.size ? `, ${this.runOf.size} with their runs` : "; no runs were kept"}`;
        this.mark();
    }

    mark() {
        for (const line of $("study-rows").children) {
            const row = Number(line.dataset.row);
            line.classList.toggle("on", this.chosen[0] === row);
            line.classList.toggle("over", this.chosen.indexOf(row) > 0);
        }
        const on = $("study-rows").querySelector(".on");
        const place = $("study-table");
        if (on && (on.offsetTop < place.scrollTop + 30 || on.offsetTop + on.offsetHeight > place.scrollTop + place.clientHeight)) place.scrollTop = on.offsetTop - place.clientHeight / 2;
        const row = this.chosen[0];
        if (row === undefined) return;
        const settings = [...this.raw.common, ...(this.raw.settings[row] ?? [])];
        const text = this.raw.kind === "sweep" ? `kane run ${this.raw.run} ${settings.map((s) => `--set '${s}'`).join(" ")}` : this.tell(row);
        const note = !this.runOf.size ? "" : !this.runOf.has(row) ? " (its rows were not kept)" : this.complete.has(this.runOf.get(row)) ? " (the term is zero all along: the complete run)" : "";
        $("study-case").textContent = text + note;
    }

    // more: over what is there already
    choose(row, more) {
        if (more && this.chosen.length && this.chosen[0] !== row) {
            this.chosen = this.chosen.includes(row) ? this.chosen.filter((r) => r !== row) : [...this.chosen.slice(0, 7), row];
        } else this.chosen = [row];
        this.chart.what.chosen = this.chosen;
        this.chart.draw();
        this.mark();
        const runs = this.chosen.flatMap((r) => [this.underOf.get(r), this.runOf.get(r)]).filter((r) => r !== undefined);
        if (runs.length) this.take([...new Set(runs)]);
    }

    step(by) {
        const rows = this.rows();
        const at = rows.indexOf(this.chosen[0]);
        this.choose(rows[Math.max(0, Math.min(rows.length - 1, at + by))], false);
    }
}

function mapOf(axis, value) {
    return mapColour(axis.greatest > axis.least ? (value - axis.least) / (axis.greatest - axis.least) : 0.5);
}
