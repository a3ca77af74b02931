// SPDX-License-Identifier: MIT
// The track around the vehicle: rails with their profiles, sleepers and ballast, or a road with its lines; laid anew where the
// vehicle has gone.

import {
    BoxGeometry, BufferAttribute, BufferGeometry, DoubleSide, Group, InstancedMesh, Matrix4, Mesh, MeshStandardMaterial, PlaneGeometry,
    Quaternion, Vector3,
} from "three";
import { steel } from "./shapes.js";

const STATION = 0.5; // between two sections that are drawn [m]
const MARGIN = 120; // of track before and behind the vehicle [m]
const SLEEPERS = 0.6; // from one to the next [m]
const LANE = 3.5; // width, about the line [m]
const DASH = [3, 9]; // of its lines: how long, and from one to the next [m]
const PAINT = 0.006; // lines lie so far above the surface, that both are not drawn at the same place [m]

const matrix = new Matrix4();
const position = new Vector3();
const attitude = new Quaternion();
const point = new Vector3();
const ONE = new Vector3(1, 1, 1);

const matt = (colour, more = {}) => new MeshStandardMaterial({ color: colour, roughness: 1, side: DoubleSide, ...more });

export class Track {
    // line: Line; raw: scene.line; bodies: of the scene; half: of a road, half its width at least [m]
    constructor(line, raw, bodies, half) {
        Object.assign(this, { line, raw, group: new Group(), strips: [] });
        const offsets = bodies.filter((b) => b.against === "line").map((b) => b.offset);
        this.reach = [Math.min(0, ...offsets) - MARGIN, Math.max(0, ...offsets) + MARGIN];
        this.stations = Math.ceil((this.reach[1] - this.reach[0]) / STATION) + 1;
        this.ground = new Mesh(new PlaneGeometry(4000, 4000), new MeshStandardMaterial({ roughness: 1 }));
        this.group.add(this.ground);
        if (raw.road) this.buildRoad(half);
        else this.buildRails(bodies.find((b) => b.wheels)?.wheels.rail_distance ?? [raw.running_distance / 2, raw.running_distance / 2]);
    }

    buildRails(half) {
        const { raw } = this;
        for (const side of [0, 1]) {
            const profile = side === 0 ? raw.rail_left : raw.rail_right;
            const outside = side === 0 ? 1 : -1;
            const tilt = Math.atan(raw.inclination);
            const top = (profile?.y ?? [-0.036, 0, 0.036]).map((y, i) => [y, profile?.z[i] ?? 0]).filter((_, i, all) => i % 2 === 0 || i === all.length - 1);
            const lean = (y, z) => [y * Math.cos(tilt) - z * Math.sin(tilt), z * Math.cos(tilt) + y * Math.sin(tilt)];
            const crown = (profile?.y ?? [0]).map((y, i) => lean(y, profile?.z[i] ?? 0)).reduce((m, p) => (p[1] > m[1] ? p : m)); // rails are placed by it
            const section = [[-0.0365, -0.05], ...top.filter(([, z]) => z > -0.045), [0.0365, -0.05], [0.01, -0.06], [0.01, -0.14], [0.075, -0.16], [0.075, -0.172], [-0.075, -0.172], [-0.075, -0.16], [-0.01, -0.14], [-0.01, -0.06], [-0.0365, -0.05]];
            // rails lean to the middle
            const leaned = section.map(([y, z]) => lean(y, z)).map(([y, z]) => [outside * (half[side] + y - crown[0]), z - crown[1]]);
            this.strip(leaned, steel("#8f8479", { metalness: 0.5, roughness: 0.5, side: DoubleSide }), (at) => this.line.rail(side, at));
        }
        raw.check_rails.forEach((rail) => this.buildCheckRail(rail));
        // what is below goes along with the mean of both rails
        this.mean = (at) => {
            const [left, right] = [this.line.rail(0, at), this.line.rail(1, at)];
            return [(left[0] + right[0]) / 2, (left[1] + right[1]) / 2];
        };
        this.bed = matt("#9b958c", { flatShading: true });
        this.strip([[-2.9, -1.1], [-1.6, -0.24], [1.6, -0.24], [2.9, -1.1]], this.bed, this.mean);
        this.sleepers = new InstancedMesh(new BoxGeometry(0.26, 2.5, 0.2), new MeshStandardMaterial({ roughness: 0.95 }), Math.ceil((this.reach[1] - this.reach[0]) / SLEEPERS) + 2);
        this.sleepers.frustumCulled = false;
        this.group.add(this.sleepers);
    }

    // Beside its running rail and along with it; its face opens toward both ends.
    buildCheckRail({ side, from, to, flare, flangeway, opening, height }) {
        const outside = side === 0 ? 1 : -1;
        const face = this.raw.gauge / 2 - flangeway;
        const section = [[face, -0.12], [face, height], [face - 0.04, height], [face - 0.06, -0.12]].map(([y, z]) => [outside * y, z]);
        const narrow = (x) => { const t = Math.min(Math.max(x / flare, 0), 1); return t * t * t * (10 - 15 * t + 6 * t * t); };
        const aside = (s) => outside * (flangeway - opening) * (2 - narrow(s - from) - narrow(to - s));
        this.strip(section, steel("#6f757c", { metalness: 0.5, roughness: 0.5, side: DoubleSide }), (at) => this.line.rail(side, at), { aside, within: [from, to] });
    }

    // A plane across the line, uneven as both wheel tracks are; a lane about the line, whose borders are dashed.
    buildRoad(half) {
        const edge = Math.max(2 * LANE - 0.5, half);
        const uneven = (at) => [this.line.rail(0, at)[1], this.line.rail(1, at)[1]];
        const height = (y, at, k) => {
            const [left, right] = uneven(at);
            return k * ((left + right) / 2 + ((left - right) * y) / this.raw.running_distance);
        };
        const lie = (points, material, dash) => this.strip(points, material, null, { height, dash });
        this.paint = matt("#e9e7df", { roughness: 0.8 });
        this.tar = matt("#6f7276");
        this.verge = matt("#8d9a78", { flatShading: true });
        lie([[-edge, 0], [edge, 0]], this.tar);
        for (const side of [-1, 1]) {
            lie([[side * edge, -0.002], [side * (edge + 0.6), -0.05], [side * (edge + 2.4), -1.1]], this.verge);
            lie([-0.07, 0.07].map((w) => [side * (edge - 0.3) + w, PAINT]), this.paint);
            lie([-0.06, 0.06].map((w) => [side * 0.5 * LANE + w, PAINT]), this.paint, DASH);
        }
    }

    // section: [y, z] across the line, moved and raised by `displace(s)` or `height(y, s)`, and by `aside(s)`; drawn only within [from, to];
    // dash: only so long of so much
    strip(section, material, displace, { height = null, dash = null, aside = null, within = null } = {}) {
        const points = section.length;
        const geometry = new BufferGeometry();
        geometry.setAttribute("position", new BufferAttribute(new Float32Array(3 * points * this.stations), 3));
        const mesh = new Mesh(geometry, material);
        mesh.frustumCulled = false;
        this.group.add(mesh);
        const strip = { section, mesh, displace, height, dash, aside, within };
        geometry.setIndex(this.faces(strip, 0));
        this.strips.push(strip);
    }

    faces({ section, dash, within }, from) {
        const points = section.length;
        const index = [];
        for (let i = 0; i + 1 < this.stations; i++) {
            const s = from + (i + 0.5) * STATION;
            if (within && !(s > within[0] && s < within[1])) continue;
            if (dash && s - dash[1] * Math.floor(s / dash[1]) > dash[0]) continue;
            for (let k = 0; k + 1 < points; k++) {
                const a = i * points + k;
                index.push(a, a + 1, a + points, a + 1, a + points + 1, a + points);
            }
        }
        return index;
    }

    sweep(strip, from, origin, k) {
        const { section, mesh, displace, height, dash, aside, within } = strip;
        const { array } = mesh.geometry.attributes.position;
        let at = 0;
        for (let i = 0; i < this.stations; i++) {
            const s = from + i * STATION;
            this.line.frame(s, position, attitude);
            position.sub(origin);
            const [dy, dz] = displace ? displace(s).map((d) => k * d) : [0, 0];
            const shift = aside ? aside(s) : 0;
            for (const [y, z] of section) {
                point.set(0, y + dy + shift, z + dz + (height ? height(y, s, k) : 0)).applyQuaternion(attitude).add(position);
                array[at++] = point.x;
                array[at++] = point.y;
                array[at++] = point.z;
            }
        }
        if (dash || within) mesh.geometry.setIndex(this.faces(strip, from));
        mesh.geometry.attributes.position.needsUpdate = true;
        mesh.geometry.computeVertexNormals();
    }

    // around s, seen from the origin; k: irregularities magnified
    lay(s, origin, k) {
        const from = STATION * Math.floor((s + this.reach[0]) / STATION);
        for (const strip of this.strips) this.sweep(strip, from, origin, k);
        this.line.frame(s, position, attitude); // level but for the slope of the line
        point.set(1, 0, 0).applyQuaternion(attitude);
        this.ground.rotation.set(0, -Math.asin(point.z), Math.atan2(point.y, point.x), "ZYX");
        this.ground.position.copy(position).sub(origin);
        this.ground.position.z -= 1;
        if (!this.sleepers) return;
        const most = this.sleepers.instanceMatrix.count;
        let count = 0;
        for (let at = SLEEPERS * Math.ceil(from / SLEEPERS); at < from + (this.stations - 1) * STATION && count < most; at += SLEEPERS) {
            this.line.frame(at, position, attitude);
            position.sub(origin);
            const [aside, up] = this.mean(at);
            point.set(0, k * aside, k * up - 0.272).applyQuaternion(attitude).add(position);
            this.sleepers.setMatrixAt(count++, matrix.compose(point, attitude, ONE));
        }
        this.sleepers.count = count;
        this.sleepers.instanceMatrix.needsUpdate = true;
    }

    restyle(dark) {
        this.ground.material.color.set(dark ? "#2c3629" : "#c3cdb4");
        this.bed?.color.set(dark ? "#55524d" : "#a59f95");
        this.sleepers?.material.color.set(dark ? "#77736c" : "#beb8ae");
        this.tar?.color.set(dark ? "#3d4147" : "#84878c");
        this.verge?.color.set(dark ? "#3a4634" : "#aab593");
        this.paint?.color.set(dark ? "#a9a89f" : "#f4f2ea");
    }
}
