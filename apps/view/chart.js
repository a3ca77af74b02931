// SPDX-License-Identifier: MIT
// A chart of cases: lines, points and cells of a map over two axes of numbers or words, each of which can be chosen.

import { scaleFor, writeNumber } from "./units.js";

// cividis (Nunez, Anderton, Renslow 2018): the same for eyes that do not see all colours, and in grey
const MAP = ["#00224e", "#123570", "#3b496c", "#575d6d", "#707173", "#8a8678", "#a59c74", "#c3b369", "#e1cc55", "#fee838"];

export function mapColour(part) {
    const at = Math.max(0, Math.min(1, part)) * (MAP.length - 1);
    const i = Math.min(MAP.length - 2, Math.floor(at));
    const channel = (hex, k) => parseInt(hex.slice(1 + 2 * k, 3 + 2 * k), 16);
    const mix = [0, 1, 2].map((k) => Math.round(channel(MAP[i], k) + (at - i) * (channel(MAP[i + 1], k) - channel(MAP[i], k))));
    return `rgb(${mix.join(",")})`;
}

const stepOf = (width, most) => {
    const rough = width / Math.max(1, most);
    const ten = 10 ** Math.floor(Math.log10(rough));
    return ten * [1, 2, 5, 10].find((k) => k * ten >= rough * (1 - 1e-9));
};

// What an axis writes at its ticks: its words, or numbers in the unit that suits them. column: { name, unit, words }.
export class Axis {
    constructor(column, values) {
        this.column = column;
        this.words = column.words ?? null;
        const finite = values.filter(Number.isFinite);
        this.least = finite.length ? finite.reduce((a, b) => Math.min(a, b)) : 0;
        this.greatest = finite.length ? finite.reduce((a, b) => Math.max(a, b)) : 1;
        this.scale = this.words ? { factor: 1, unit: "" } : scaleFor(column.unit || "1", Math.max(Math.abs(this.least), Math.abs(this.greatest)));
    }

    spread(part) {
        const width = this.greatest - this.least;
        const by = this.words ? 0.5 : width > 0 ? part * width : 0.5 * Math.abs(this.least) || 0.5;
        this.least -= by;
        this.greatest += by;
        return this;
    }

    get label() {
        return this.scale.unit ? `${this.column.name} [${this.scale.unit}]` : this.column.name;
    }

    write(value) {
        return this.words ? (this.words[value] ?? "") : writeNumber(value * this.scale.factor, 4);
    }

    ticks(most) {
        if (this.words) {
            const skip = Math.ceil(this.words.length / most);
            return this.words.map((_, i) => i).filter((i) => i % skip === 0 && i >= this.least && i <= this.greatest);
        }
        const { factor } = this.scale;
        const step = stepOf((this.greatest - this.least) * factor, most);
        const ticks = [];
        for (let k = Math.ceil((this.least * factor) / step - 1e-9); k * step <= this.greatest * factor * (1 + 1e-12) + 1e-9 * step; k++) ticks.push((k * step) / factor);
        return ticks;
    }

    tick(value) {
        return this.words ? this.words[value] : String(Number((value * this.scale.factor).toPrecision(8))).replace("-", "−");
    }
}

export class Chart {
    // chosen(row, more): a case was clicked, `more`: with shift
    constructor(canvas, tip, chosen) {
        this.canvas = canvas;
        this.tip = tip;
        this.spots = [];
        this.what = null;
        canvas.addEventListener("click", (e) => {
            const spot = this.near(e.offsetX, e.offsetY);
            if (spot) chosen(spot.row, e.shiftKey);
        });
        canvas.addEventListener("pointermove", (e) => this.hover(e));
        canvas.addEventListener("pointerleave", () => (tip.hidden = true));
        new ResizeObserver(() => this.draw()).observe(canvas);
    }

    // what: { x, y: Axis, value: Axis of colours or null, lines: [{ points: [{ x, y, row }], colour, dash, name }],
    //         points: [{ x, y, row, colour, kind, from, to }], cells: [{ x, y, left, right, low, high, row, value }], marks: [{ x, name }] }
    show(what) {
        this.what = what;
        this.draw();
    }

    near(px, py) {
        const inside = this.spots.find((s) => s.box && px >= s.box[0] && px < s.box[2] && py >= s.box[1] && py < s.box[3]);
        if (inside) return inside;
        let best = null;
        let least = 26 ** 2;
        for (const s of this.spots) {
            if (s.box) continue;
            const far = (s.px - px) ** 2 + (s.py - py) ** 2;
            if (far < least) [best, least] = [s, far];
        }
        return best;
    }

    hover(e) {
        const spot = this.near(e.offsetX, e.offsetY);
        this.canvas.style.cursor = spot ? "pointer" : "";
        this.tip.hidden = !spot;
        if (!spot) return;
        this.tip.textContent = spot.text();
        const left = Math.min(e.offsetX + 14, this.canvas.clientWidth - this.tip.offsetWidth - 4);
        const top = e.offsetY > 70 ? e.offsetY - this.tip.offsetHeight - 10 : e.offsetY + 16;
        this.tip.style.transform = `translate(${Math.max(0, left)}px, ${top}px)`;
    }

    draw() {
        const { canvas, what } = this;
        const ratio = Math.min(2, window.devicePixelRatio || 1);
        const { clientWidth: w, clientHeight: h } = canvas;
        if (!w || !h || !what) return;
        canvas.width = w * ratio;
        canvas.height = h * ratio;
        const g = canvas.getContext("2d");
        g.setTransform(ratio, 0, 0, ratio, 0, 0);
        const style = getComputedStyle(document.documentElement);
        const [ink, soft, grid, paper, accent] = ["--ink", "--ink-soft", "--grid", "--paper", "--accent"].map((n) => style.getPropertyValue(n));
        g.font = "12px system-ui, sans-serif";
        const { x, y, value } = what;
        const yTicks = y.ticks(Math.max(2, Math.floor(h / 46)));
        const wide = Math.min(0.32 * w, Math.max(...yTicks.map((t) => g.measureText(y.tick(t)).width), 20));
        const box = { left: wide + 30, right: w - (value ? 84 : 14), top: 14, bottom: h - 40 };
        const px = (v) => box.left + ((v - x.least) / (x.greatest - x.least)) * (box.right - box.left);
        const py = (v) => box.bottom - ((v - y.least) / (y.greatest - y.least)) * (box.bottom - box.top);
        this.spots = [];
        // grid and ticks
        g.strokeStyle = grid;
        g.fillStyle = soft;
        g.lineWidth = 1;
        g.textBaseline = "middle";
        g.textAlign = "right";
        const cut = (text, room) => {
            if (g.measureText(text).width <= room) return text;
            while (text.length > 2 && g.measureText(`${text}…`).width > room) text = text.slice(0, -1);
            return `${text}…`;
        };
        for (const t of yTicks) {
            g.beginPath();
            g.moveTo(box.left, py(t));
            g.lineTo(box.right, py(t));
            g.stroke();
            g.fillText(cut(y.tick(t), wide), box.left - 6, py(t));
        }
        const xTicks = x.ticks(Math.max(2, Math.floor((box.right - box.left) / 64)));
        g.textAlign = "center";
        const room = xTicks.length > 1 ? ((box.right - box.left) * (xTicks[1] - xTicks[0])) / (x.greatest - x.least) - 4 : box.right - box.left;
        for (const t of xTicks) {
            g.beginPath();
            g.moveTo(px(t), box.top);
            g.lineTo(px(t), box.bottom);
            g.stroke();
            g.fillText(cut(x.tick(t), room), px(t), box.bottom + 12);
        }
        g.fillStyle = ink;
        g.fillText(cut(x.label, box.right - box.left), (box.left + box.right) / 2, h - 10);
        g.save();
        g.translate(10, (box.top + box.bottom) / 2);
        g.rotate(-Math.PI / 2);
        g.fillText(cut(y.label, box.bottom - box.top), 0, 0);
        g.restore();
        g.save();
        g.beginPath();
        g.rect(box.left - 6, box.top - 6, box.right - box.left + 12, box.bottom - box.top + 12);
        g.clip();
        this.drawCells(g, what, px, py, paper, soft);
        this.drawLines(g, what, px, py, paper);
        this.drawMarks(g, what, px, py, box, soft, paper);
        g.restore();
        if (value) this.drawScale(g, value, box, ink);
        this.drawChosen(g, accent, ink);
    }

    drawCells(g, what, px, py, paper, soft) {
        const { value } = what;
        for (const c of what.cells ?? []) {
            const [x0, x1, y0, y1] = [px(c.left), px(c.right), py(c.high), py(c.low)];
            if (Number.isFinite(c.value)) {
                g.fillStyle = mapColour(value.greatest > value.least ? (c.value - value.least) / (value.greatest - value.least) : 0.5);
                g.fillRect(x0, y0, x1 - x0 + 0.5, y1 - y0 + 0.5);
            } else {
                g.strokeStyle = soft; // there is no value
                g.beginPath();
                g.moveTo(x0 + 3, y0 + 3);
                g.lineTo(x1 - 3, y1 - 3);
                g.moveTo(x1 - 3, y0 + 3);
                g.lineTo(x0 + 3, y1 - 3);
                g.stroke();
            }
            if (c.marked) {
                g.strokeStyle = paper;
                g.lineWidth = 2;
                g.beginPath();
                g.arc((x0 + x1) / 2, (y0 + y1) / 2, 4, 0, 7);
                g.stroke();
                g.lineWidth = 1;
            }
            this.spots.push({ row: c.row, box: [x0, y0, x1, y1], px: (x0 + x1) / 2, py: (y0 + y1) / 2, text: c.text });
        }
    }

    drawMarks(g, what, px, py, box, soft, paper) {
        g.textAlign = "left";
        const taken = []; // by other names
        // how much of lines lies in a rectangle, so that names go where there is room
        const crowd = (left, right, top, bottom) => {
            let count = taken.filter((t) => t[0] < right && t[1] > left && t[2] < bottom && t[3] > top).length * 1000;
            for (const line of what.lines ?? [])
                for (let k = 0; k + 1 < line.points.length; k++)
                    for (let u = 0; u <= 1; u += 0.02) {
                        const x = px(line.points[k].x + u * (line.points[k + 1].x - line.points[k].x));
                        const y = py(line.points[k].y + u * (line.points[k + 1].y - line.points[k].y));
                        if (x > left && x < right && y > top && y < bottom) count++;
                    }
            return count;
        };
        (what.marks ?? []).forEach((m, i) => {
            const at = px(m.x);
            if (at < box.left - 1 || at > box.right + 1) return;
            g.strokeStyle = soft;
            g.lineWidth = 1;
            g.setLineDash([2, 3]);
            g.beginPath();
            g.moveTo(at, box.top);
            g.lineTo(at, box.bottom);
            g.stroke();
            g.setLineDash([]);
            g.fillStyle = soft;
            const wide = g.measureText(m.name).width + 6; // the first to the left where there is room, the others to the right
            const before = at + wide > box.right || (i === 0 && at - wide > box.left);
            g.textAlign = before ? "right" : "left";
            const left = at + (before ? -wide : 0);
            const heights = [0.06, 0.18, 0.3, 0.42, 0.54, 0.66, 0.78].map((part) => box.top + part * (box.bottom - box.top));
            const crowds = heights.map((y) => crowd(left, left + wide, y - 9, y + 9));
            const y = heights[crowds.indexOf(Math.min(...crowds))];
            taken.push([left, left + wide, y - 9, y + 9]);
            const place = [at + (before ? -4 : 4), y];
            g.strokeStyle = paper;
            g.lineWidth = 4;
            g.strokeText(m.name, ...place);
            g.fillText(m.name, ...place);
        });
    }

    drawLines(g, what, px, py, paper) {
        for (const line of what.lines ?? []) {
            g.strokeStyle = line.colour;
            g.lineWidth = line.width ?? 1.8;
            g.setLineDash(line.dash ?? []);
            g.beginPath();
            let on = false;
            for (const p of line.points) {
                if (!Number.isFinite(p.y)) on = false;
                else {
                    if (on) g.lineTo(px(p.x), py(p.y));
                    else g.moveTo(px(p.x), py(p.y));
                    on = true;
                }
            }
            g.stroke();
            g.setLineDash([]);
        }
        const many = (what.points?.length ?? 0) > 400;
        for (const p of what.points ?? []) {
            if (!Number.isFinite(p.y) || !Number.isFinite(p.x)) continue;
            const [x, y] = [px(p.x), py(p.y)];
            g.strokeStyle = p.colour;
            g.lineWidth = 1.8;
            if (p.to > p.from) {
                g.beginPath();
                g.moveTo(x, py(p.from));
                g.lineTo(x, py(p.to));
                g.stroke();
            }
            g.beginPath();
            if (p.kind === "cross") {
                g.moveTo(x - 4, y - 4);
                g.lineTo(x + 4, y + 4);
                g.moveTo(x + 4, y - 4);
                g.lineTo(x - 4, y + 4);
            } else g.arc(x, y, many ? 2 : 3.6, 0, 7);
            g.fillStyle = p.kind === "open" ? paper : p.colour;
            if (p.kind !== "cross") g.fill();
            g.stroke();
            if (p.row !== null) this.spots.push({ row: p.row, px: x, py: y, text: p.text });
        }
    }

    drawScale(g, value, box, ink) {
        const left = box.right + 14;
        const tall = box.bottom - box.top;
        for (let i = 0; i < tall; i++) {
            g.fillStyle = mapColour(1 - i / tall);
            g.fillRect(left, box.top + i, 12, 1.5);
        }
        g.fillStyle = ink;
        g.textAlign = "left";
        if (!(value.greatest > value.least)) return g.fillText(value.write(value.least), left + 16, box.top + tall / 2);
        for (const t of value.ticks(Math.max(2, Math.floor(tall / 40)))) {
            const at = box.bottom - (tall * (t - value.least)) / (value.greatest - value.least);
            g.fillText(value.tick(t), left + 16, at);
        }
        g.textAlign = "right";
        g.fillText(value.scale.unit ? `[${value.scale.unit}]` : "", box.right + 78, box.top - 7);
        return null;
    }

    // rings around what was chosen: the first solid, what lies over it dashed
    drawChosen(g, accent, ink) {
        (this.what.chosen ?? []).forEach((row, i) => {
            for (const s of this.spots.filter((spot) => spot.row === row)) {
                for (const [colour, width] of [[ink, 5], [accent, 2.5]]) {
                    g.strokeStyle = colour;
                    g.lineWidth = width;
                    g.setLineDash(i ? [5, 4] : []);
                    g.beginPath();
                    if (s.box) g.rect(s.box[0] + 2, s.box[1] + 2, s.box[2] - s.box[0] - 4, s.box[3] - s.box[1] - 4);
                    else g.arc(s.px, s.py, 8, 0, 7);
                    g.stroke();
                }
                g.setLineDash([]);
            }
        });
    }
}
