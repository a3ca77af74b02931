// SPDX-License-Identifier: MIT
// The runs in the page: rows of numbers, decoded when somebody asks for them, and their thinned levels.

import { Levels } from "./levels.js";

// What is in the page once, and many refer to.
let shared = [];
const decoded = new Map(); // blocks, by their number

function whole(value) {
    if (value?.shared === undefined) return value;
    const { shared: which, ...own } = value;
    return Object.keys(own).length ? { ...shared[which], ...own } : shared[which];
}

function decode(id, type) {
    if (!decoded.has(id)) decoded.set(id, decodeBlock(id, type));
    return decoded.get(id);
}

function decodeBlock(id, type) {
    const text = document.getElementById(`block-${id}`).textContent;
    const binary = atob(text);
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
    if (new Uint8Array(new Uint16Array([1]).buffer)[0] === 1)
        return type === "f64" ? new Float64Array(bytes.buffer) : new Float32Array(bytes.buffer);
    const view = new DataView(bytes.buffer); // a machine with the highest byte first
    const size = type === "f64" ? 8 : 4;
    return Float64Array.from({ length: bytes.length / size }, (_, i) =>
        size === 8 ? view.getFloat64(8 * i, true) : view.getFloat32(4 * i, true));
}

// Numbers as the page holds them: differences from an offset, or one number for all.
export class Row {
    constructor(packed) {
        this.count = packed.count;
        this.constant = packed.constant;
        this.offset = packed.offset ?? 0;
        this.packed = packed;
        this.numbers = null;
    }

    open() {
        if (this.constant === undefined && !this.numbers) this.numbers = decode(this.packed.block, this.packed.type);
        return this;
    }

    at(i) {
        if (this.constant !== undefined) return this.constant;
        if (!this.numbers) this.open();
        return this.offset + this.numbers[i];
    }

    // between two rows linear; jumps of more than `jump` are kept
    between(place, jump = Infinity) {
        if (this.constant !== undefined) return this.constant;
        const i = Math.max(0, Math.min(this.count - 1, Math.floor(place)));
        const a = this.at(i);
        if (i + 1 >= this.count) return a;
        const b = this.at(i + 1);
        const part = place - i;
        if (Math.abs(b - a) > jump) return part < 0.5 ? a : b;
        return a + (b - a) * Math.max(0, Math.min(1, part));
    }

    static of(numbers) {
        const row = new Row({ count: numbers.length });
        row.numbers = numbers;
        return row;
    }

    extremes() {
        return this.constant !== undefined ? [this.constant, this.constant] : this.levels().range(0, this.count);
    }

    levels() {
        if (!this.thinned) this.thinned = new Levels(this.open());
        return this.thinned;
    }
}

// The place of x among ascending numbers, between two of them as a fraction.
export function placeOf(row, x) {
    const last = row.count - 1;
    if (last <= 0 || x <= row.at(0)) return 0;
    if (x >= row.at(last)) return last;
    let low = 0;
    let high = last;
    while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (row.at(middle) <= x) low = middle;
        else high = middle;
    }
    const a = row.at(low);
    const b = row.at(high);
    return b > a ? low + (x - a) / (b - a) : low;
}

// The first row whose x is not below.
export function firstFrom(row, x) {
    let low = 0;
    let high = row.count;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (row.at(middle) < x) low = middle + 1;
        else high = middle;
    }
    return low;
}

function isAscending(row) {
    for (let i = 1; i < row.count; i++) if (row.at(i) < row.at(i - 1)) return false;
    return row.count > 1 && row.at(row.count - 1) > row.at(0);
}

const stem = (file) => (file ?? "").replace(/^.*\//, "").replace(/\.[^.]*$/, "");

export class Run {
    constructor(index, raw) {
        this.index = index;
        this.manifest = raw.manifest;
        this.told = raw.told;
        this.rows = raw.rows;
        this.channels = raw.channels.map((c) => ({ ...whole(c), values: new Row(c.values) }));
        this.byName = new Map(this.channels.map((c) => [c.name, c]));
        this.time = this.byName.get("time")?.values;
        const distance = this.byName.get("distance")?.values;
        this.distance = distance && distance.constant === undefined && isAscending(distance) ? distance : null;
        this.scene = "missing" in raw.scene ? null : { ...raw.scene, bodies: raw.scene.bodies.map(whole) };
        for (const key of this.scene ? ["line", "elements", "rods", "sensors"] : []) this.scene[key] = whole(this.scene[key]);
        this.missing = raw.scene.missing ?? "";
        this.modes = raw.modes ?? null;
        for (const one of this.scene ? [...this.scene.bodies, ...this.scene.panels] : []) one.motion = one.motion?.map((m) => new Row(m));
        this.folder = raw.name;
        this.label = this.describe();
    }

    // of a study of which no rows were kept
    static empty() {
        const run = new Run(0, { manifest: null, told: "", rows: 0, channels: [], scene: { missing: "" }, name: "" });
        run.time = Row.of(Float64Array.of(0, 1));
        return run;
    }

    // what was left out and what was changed, as a reader tells runs apart
    describe() {
        const input = this.manifest?.input ?? {};
        const parts = [stem(input.run?.file) || stem(this.folder)];
        if (input.variant) parts.push(input.variant);
        for (const change of input.changes ?? []) if (!change.startsWith("output.")) parts.push(change);
        for (const omitted of this.manifest?.omitted ?? []) parts.push(`without ${omitted}`);
        return parts.join(", ");
    }

    get vehicle() {
        const input = this.manifest?.input ?? {};
        return stem((input.vehicle ?? input.train ?? input.mechanism)?.file) || (this.scene?.vehicle ?? "");
    }

    axis(name) {
        return name === "distance" ? this.distance : this.time;
    }

    channel(name) {
        return this.byName.get(name);
    }
}

export function readRuns() {
    const root = JSON.parse(document.getElementById("runs").textContent);
    shared = root.shared;
    const runs = root.runs.map((raw, i) => new Run(i, raw));
    const labels = runs.map((r) => r.label);
    runs.forEach((r, i) => {
        if (labels.indexOf(r.label) !== i || labels.lastIndexOf(r.label) !== i) r.label += ` (${r.folder})`;
    });
    return { runs, study: root.study ?? null, title: root.title, library: root.library, commit: root.commit };
}
