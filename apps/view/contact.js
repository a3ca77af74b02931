// SPDX-License-Identifier: MIT
// Wheels on their rails, across the track: profiles where they touch, patches with their forces.

import { writeNumber } from "./units.js";

const PATCHES = ["patch1", "patch2", "patch3"];

export class ContactPanel {
    constructor(stage, canvas, select) {
        this.stage = stage;
        this.canvas = canvas;
        this.run = stage.main.run;
        this.wheelsets = stage.main.scene.bodies.filter((b) => b.wheels && this.run.channel(`${b.name}.left.patch1.N`));
        this.select = select;
        select.replaceChildren(...this.wheelsets.map((b, i) => new Option(b.name, i)));
        select.onchange = () => this.draw();
    }

    get usable() {
        return this.wheelsets.length > 0;
    }

    read(name, place) {
        const values = this.run.channel(name)?.values;
        return values ? values.between(place) : 0;
    }

    patches(body, side, place) {
        const wheel = `${body.name}.${side}`;
        return PATCHES.map((p) => {
            const of = (what) => this.read(`${wheel}.${p}.${what}`, Math.round(place));
            return { N: of("N"), a: of("a"), b: of("b"), wheel: of("wheel_y"), rail: of("rail_y"), angle: of("angle"), pressure: of("pressure"), minor: of("minor"), Tx: of("T_x"), Ty: of("T_y") };
        }).filter((p) => p.N > 1e-3 * Math.max(...body.load));
    }

    draw() {
        const body = this.wheelsets[Number(this.select.value)];
        if (!body) return;
        const ratio = Math.min(2, window.devicePixelRatio || 1);
        const { clientWidth: w, clientHeight: h } = this.canvas;
        if (!w || !h) return;
        this.canvas.width = w * ratio;
        this.canvas.height = h * ratio;
        const g = this.canvas.getContext("2d");
        g.setTransform(ratio, 0, 0, ratio, 0, 0);
        g.clearRect(0, 0, w, h);
        const place = this.stage.rowOf(this.stage.main);
        this.half(g, body, "left", 0, w / 2, h, place);
        this.half(g, body, "right", w / 2, w / 2, h, place);
    }

    // one wheel; outside of the left one is to the left: seen from behind
    half(g, body, side, x0, w, h, place) {
        const style = getComputedStyle(document.documentElement);
        const [ink, soft, accent, paper] = ["--ink", "--ink-soft", "--accent", "--paper"].map((n) => style.getPropertyValue(n));
        const { line } = this.stage.main.scene;
        const left = side === "left";
        const rail = left ? line.rail_left : line.rail_right;
        const wheel = left ? body.wheels.left : body.wheels.right;
        const patches = this.patches(body, side, place);
        if (!rail || !wheel) return;
        const out = left ? -1 : 1;
        const scale = Math.min(w / 0.165, h / 0.105);
        const cx = x0 + w / 2;
        const cy = 0.5 * h;
        const at = (profile, y) => {
            const { y: ys, z: zs } = profile;
            let i = 0;
            while (i + 2 < ys.length && ys[i + 1] < y) i++;
            return zs[i] + ((zs[i + 1] - zs[i]) * (y - ys[i])) / (ys[i + 1] - ys[i]);
        };
        // the rail leans to the middle, its origin is its highest point; the wheel stands where its heaviest patch touches
        const tilt = Math.atan(line.inclination);
        const lean = (y, z) => [y * Math.cos(tilt) - z * Math.sin(tilt), z * Math.cos(tilt) + y * Math.sin(tilt)];
        const leaned = rail.y.map((y, i) => lean(y, rail.z[i]));
        const crown = leaned.reduce((m, p) => (p[1] > m[1] ? p : m));
        const railPoints = leaned.map(([y, z]) => [y - crown[0], z - crown[1]]);
        const head = { y: railPoints.map((p) => p[0]), z: railPoints.map((p) => p[1]) };
        const main = patches.reduce((m, p) => (p.N > (m?.N ?? 0) ? p : m), null);
        const lift = this.read(`${body.name}.${side}.lift`, place);
        const foot = main ? [main.rail, at(head, main.rail)] : [0, 0];
        const tread = main ? [main.wheel, at(wheel, main.wheel)] : [0, at(wheel, 0)];
        const shift = [foot[0] - tread[0], foot[1] - tread[1] + (main ? 0 : Math.max(0, lift))];
        const screen = ([y, z]) => [cx + out * y * scale, cy - z * scale];
        const path = (points, close) => {
            g.beginPath();
            points.map(screen).forEach(([x, y], i) => (i ? g.lineTo(x, y) : g.moveTo(x, y)));
            if (close) g.closePath();
        };
        const wheelPoints = wheel.y.map((y, i) => [y + shift[0], wheel.z[i] + shift[1]]);
        g.lineWidth = 1.5;
        g.strokeStyle = soft;
        path([...railPoints, [railPoints[railPoints.length - 1][0], -0.2], [railPoints[0][0], -0.2]], true);
        g.fillStyle = style.getPropertyValue("--fill-rail");
        g.fill();
        g.stroke();
        path([...wheelPoints, [wheelPoints[wheelPoints.length - 1][0], 0.2], [wheelPoints[0][0], 0.2]], true);
        g.fillStyle = style.getPropertyValue("--fill-wheel");
        g.fill();
        g.strokeStyle = ink;
        g.stroke();
        for (const p of patches) {
            const [sx, sy] = screen([p.rail, at(head, p.rail)]);
            const slope = Math.atan2(at(wheel, p.wheel + 5e-4) - at(wheel, p.wheel - 5e-4), 1e-3);
            g.save();
            g.translate(sx, sy);
            g.rotate(-out * slope);
            g.fillStyle = accent;
            g.fillRect(-p.b * scale, -2.5, 2 * p.b * scale, 5);
            g.strokeStyle = accent;
            g.lineWidth = 2;
            g.beginPath(); // its normal, as long as the force
            g.moveTo(0, 0);
            const load = Math.max(...body.load);
            const long = Math.min(0.42 * h, (0.2 * h * p.N) / load);
            g.lineTo(0, -long);
            g.moveTo(-4, -long + 7);
            g.lineTo(0, -long);
            g.lineTo(4, -long + 7);
            g.stroke();
            g.restore();
        }
        g.fillStyle = ink;
        const small = w < 230;
        g.font = `${small ? 10.5 : 12}px system-ui, sans-serif`;
        const write = (text, y) => { // to be read on profiles, too
            g.strokeStyle = paper;
            g.lineWidth = 3;
            g.strokeText(text, tx, y);
            g.fillText(text, tx, y);
        };
        g.textAlign = left ? "left" : "right";
        const tx = left ? x0 + 8 : x0 + w - 8;
        write(`${side}${patches.length ? "" : ": no contact"}`, 16);
        g.fillStyle = soft;
        patches.forEach((p, i) => {
            const parts = [`${writeNumber(p.N / 1e3, 3)} kN`, `${p.minor ? "≈ " : ""}${writeNumber(p.pressure / 1e6, p.minor ? 2 : 3)} MPa`, `${writeNumber(2e3 * p.a, 2)} × ${writeNumber(2e3 * p.b, 2)} mm`];
            write(parts.join(small ? " " : "  "), 32 + (small ? 13 : 15) * i);
        });
        // the patch from above, twice as large
        const plan = patches[0] && main;
        if (plan) {
            g.strokeStyle = accent;
            g.lineWidth = 1.5;
            const px = left ? x0 + 26 : x0 + w - 26;
            g.beginPath();
            g.ellipse(px, h - 26, Math.max(1, main.b * 1500), Math.max(1, main.a * 1500), 0, 0, 2 * Math.PI);
            g.stroke();
        }
    }
}
