// SPDX-License-Identifier: MIT
// The vehicle on its track.

import {
    AmbientLight, BufferAttribute, BufferGeometry, BoxGeometry, Color, DirectionalLight, EdgesGeometry, Fog, Group,
    HemisphereLight, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshBasicMaterial, PerspectiveCamera, Quaternion, Raycaster, Scene,
    Vector2, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { placeOf } from "./data.js";
import { Motion } from "./motion.js";
import { Arrow, bars, bogieFrame, boxOf, carBody, COLOURS, element, figure, hull, panel, plainBox, pointMark, repaint, rod, sensor, tyre, wheelset } from "./shapes.js";
import { isDark } from "./theme.js";
import { Track } from "./track.js";
import { writeNumber } from "./units.js";

const AGAIN = 40; // the track is laid anew every so many metres [m]
const SENSOR = 5; // half of what is drawn of one [px]
const TERMS = { translation: "#D55E00", centrifugal: "#009E73", rotation: "#CC79A7", gyroscopic: "#E69F00" };
const GHOSTS = ["#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#882255", "#888888"];
const FORCE = { Q: "#0072B2", Y: "#D55E00", T_x: "#009E73" };
const ON_TYRE = { load: "#0072B2", F_y: "#D55E00", F_x: "#009E73" };
const GROUND = "#CC79A7"; // what the ground does to panels of track

const matrix = new Matrix4();
const position = new Vector3();
const attitude = new Quaternion();
const q = new Float64Array(6);
const other = new Float64Array(6);

export class Stage {
    // runs that have a scene, the first one solid; place: element; before: stage whose place it takes, or null
    constructor(runs, place, before) {
        this.place = place;
        this.motions = runs.map((r) => new Motion(r));
        this.main = this.motions[0];
        this.settings = { magnify: 1, difference: 1, forces: true, imaginary: true, elements: true, sensors: true, panels: true, follow: true, align: "distance", ...before?.settings, ghosts: new Set(runs.map((r) => r.index)) };
        this.renderer = before?.renderer ?? new WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
        this.world = new Scene();
        this.camera = before?.camera ?? new PerspectiveCamera(38, 1, 0.05, 4000);
        this.camera.up.set(0, 0, 1); // which controls look at once only
        this.controls = before?.controls ?? new OrbitControls(this.camera, this.renderer.domElement);
        this.origin = before?.origin.clone() ?? new Vector3();
        this.before = before?.before ?? null;
        this.drawnAt = null;
        this.ray = new Raycaster();
        if (before) before.leave();
        else {
            this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio || 1));
            place.append(this.renderer.domElement);
            this.controls.maxPolarAngle = 0.54 * Math.PI;
        }
        this.changed = () => (this.dirty = true);
        this.controls.addEventListener("change", this.changed);
        this.build();
        this.restyle();
        this.move(before?.x ?? 0);
        if (!before) this.look("oblique");
        this.observer = new ResizeObserver(() => this.resize());
        this.observer.observe(place);
        this.resize();
    }

    // another stage goes on with its renderer and camera
    leave() {
        this.observer.disconnect();
        this.controls.removeEventListener("change", this.changed);
        this.world.traverse((thing) => {
            thing.geometry?.dispose();
            for (const material of [thing.material].flat()) material?.dispose();
        });
    }

    close() {
        this.leave();
        this.controls.dispose();
        this.renderer.dispose();
        this.renderer.domElement.remove();
    }

    // --- what there is ---

    build() {
        const { scene } = this.main;
        this.sun = new DirectionalLight("#ffffff", 2.2);
        this.sun.position.set(30, -40, 60);
        this.world.add(new AmbientLight("#ffffff", 0.9), new HemisphereLight("#dfefff", "#8a8172", 0.9), this.sun);
        this.track = new Group();
        this.things = new Group();
        this.arrows = new Group();
        this.world.add(this.track, this.things, this.arrows);
        if (this.main.line) this.buildTrack();
        else this.buildGround();
        this.bodies = scene.bodies.map((body) => this.buildBody(body));
        this.recall();
        this.elements = [...scene.elements.map((e) => this.buildElement(e)), ...scene.rods.map((r) => this.buildRod(r))];
        this.panels = scene.panels.map((p) => this.buildPanel(p));
        this.sensors = scene.sensors.filter((s) => s.at.at).map((s) => this.buildSensor(s));
        this.buildForces();
        this.buildGhosts();
        this.size = this.extent();
    }

    kindOf(body) {
        if (body.wheels) return "wheelset";
        if (body.tyres.length) return "wheel";
        if (body.kind === "point") return "point";
        if (!this.main.line) return "body";
        if (this.isCar(body)) return "car";
        const [l, w] = boxOf(body);
        return l > 1 && w > 0.9 ? "frame" : "body";
    }

    // as the manifest says it; without one those that have a third of what the heaviest body of their vehicle has
    isCar(body) {
        const { manifest } = this.main.run;
        if (manifest?.car_bodies) return manifest.car_bodies.includes(body.name);
        const own = this.main.scene.bodies.filter((b) => b.vehicle === body.vehicle);
        return 3 * body.mass >= Math.max(...own.map((b) => b.mass));
    }

    buildBody(body) {
        const kind = this.kindOf(body);
        const pick = (name) => COLOURS[name][isDark() ? 1 : 0];
        let shape;
        const points = this.pointsOf(body);
        if (body.figure && !body.wheels) shape = this.figureOf(body, kind, pick("car"));
        else if (kind === "wheelset") shape = wheelset(body, pick("wheel"));
        else if (kind === "wheel") shape = tyre(body, isDark());
        else if (kind === "car") shape = carBody(body, pick("car"), this.hullBelow(body), this.heldBy(body));
        else if (kind === "frame") shape = bogieFrame(body, pick("frame"));
        else if (kind === "point") shape = pointMark(pick("body"), this.main.line ? 0.06 : 0.02);
        else if (points.length > 1 || (points.length === 1 && !this.main.line)) shape = bars(points, pick("body"), this.thickness());
        else shape = body.mass > 0 ? plainBox(body, pick("body"), this.main.line ? 40 : 0.2 * this.extent()) : pointMark(pick("body"), 0.02);
        shape.matrixAutoUpdate = false;
        shape.name = body.name;
        this.things.add(shape);
        return { body, kind, shape, modes: [], matrix: new Matrix4(), box: new Matrix4() };
    }

    // How far a car body reaches below its mass centre: on rails no farther than wheels leave it room.
    hullBelow(body) {
        const half = boxOf(body)[2] / 2;
        return this.main.scene.line?.road ? half : Math.min(half, Math.max(body.position[2] - 1.02, 0.2));
    }

    // points of a body that joints, constraints and elements hold
    heldBy(body) {
        const index = this.main.scene.bodies.indexOf(body);
        const ends = this.main.scene.elements.flatMap((e) => [e.a, e.b]).filter((end) => end.body === index && end.at);
        return [...body.holds, ...ends.map((end) => end.at)];
    }

    // where a part of a mechanism is held, each place once
    pointsOf(body) {
        const points = this.main.line ? [...body.holds] : this.heldBy(body);
        const apart = (a, b) => Math.hypot(...a.map((x, i) => x - b[i])) > 1e-6;
        return points.filter((p) => Math.hypot(...p) > 1e-6 || points.length > 2).filter((p, i, all) => all.slice(0, i).every((o) => apart(o, p)));
    }

    thickness() {
        return this.main.line ? 0.04 : 0.012 * Math.max(0.01, this.extent());
    }

    // a body that bends along x as its bent box, others as their nodes
    figureOf(body, kind, colour) {
        const { nodes } = body.figure;
        const across = Math.max(...nodes.map((x, i) => (i % 3 === 0 ? 0 : Math.abs(x))));
        if (kind !== "car" || across > 0.3) return figure(body.figure, colour);
        const size = boxOf(body);
        return hull(body.figure, size, colour, this.hullBelow(body));
    }

    // coordinates that deform bodies, looked up anew
    recall() {
        for (const b of this.bodies)
            b.modes = (b.body.figure?.modes ?? []).map((m) => ({ shape: m.shape, values: this.main.run.channel(`${m.channel}.joint.${m.coordinate}`)?.values }));
        this.dirty = true;
    }

    // ends that coincide at rest are drawn apart, so that one sees what they do
    buildElement(raw) {
        const shape = element(raw.law);
        const rest = (end) => {
            const body = end.body === undefined ? null : this.main.scene.bodies[end.body];
            const at = end.at ?? [0, 0, 0];
            return body ? at.map((x, i) => x + body.position[i]) : at;
        };
        const ends = [raw.a, raw.b];
        const drawn = ends.every((e) => e.at) && !raw.rolls; // a tyre is drawn as such
        const points = ends.map((e) => [...(e.at ?? [0, 0, 0])]);
        if (drawn) {
            const [a, b] = ends.map(rest);
            const apart = Math.hypot(...a.map((x, i) => x - b[i]));
            const known = ends.every((e) => e.body !== undefined);
            if (apart < 0.08 && known && shape.userData.apart && this.main.line) {
                const height = ends.map((e) => this.main.scene.bodies[e.body].position[2]);
                const up = height[1] >= height[0] ? 1 : 0;
                points[up][2] += shape.userData.apart;
                points[1 - up][2] -= shape.userData.apart;
            }
        }
        shape.visible = drawn;
        this.things.add(shape);
        shape.name = `${raw.name}, ${raw.law}`;
        return { raw, shape, drawn, points };
    }

    // a constraint, but something that can be seen
    buildRod(raw) {
        const shape = rod(isDark(), this.main.line ? 1 : this.thickness() / 0.022);
        const ends = [raw.a, raw.b];
        shape.name = `${raw.name}, ${raw.mass > 0 ? `rod of ${writeNumber(raw.mass, 3)} kg` : "distance"}`;
        this.things.add(shape);
        return { raw, shape, drawn: ends.every((e) => e.at), points: ends.map((e) => [...(e.at ?? [0, 0, 0])]), stays: true };
    }

    buildPanel(raw) {
        const shape = panel();
        shape.name = `${raw.name}, panel of track`;
        shape.matrixAutoUpdate = false;
        this.things.add(shape);
        return { raw, shape, motion: raw.motion };
    }

    buildSensor(raw) {
        const shape = sensor();
        shape.name = raw.name;
        this.things.add(shape);
        return { raw, shape, channels: ["x", "y", "z"].map((axis) => `${raw.name}.acceleration.${axis}`) };
    }

    buildForces() {
        const run = this.main.run;
        this.forces = [];
        this.imaginary = [];
        const wheelsets = this.bodies.filter((b) => b.kind === "wheelset");
        const tyres = this.bodies.flatMap((holder) => holder.body.tyres.map((own) => ({ holder, own, at: run.channel(`${own.name}.load`)?.values })));
        const load = Math.max(1, ...wheelsets.flatMap((b) => b.body.load), ...tyres.map((t) => t.at?.at(0) ?? 0));
        this.forceScale = 1 / load; // the static load is a metre long
        for (const holder of wheelsets)
            for (const side of [0, 1])
                for (const kind of ["Q", "Y", "T_x"]) {
                    const channel = run.channel(`${holder.body.name}.${side === 0 ? "left" : "right"}.${kind}`);
                    if (!channel) continue;
                    const arrow = new Arrow(FORCE[kind]);
                    this.arrows.add(arrow);
                    this.forces.push({ holder, side, kind, channel, arrow });
                }
        for (const { holder, own } of tyres)
            for (const kind of Object.keys(ON_TYRE)) {
                const channel = run.channel(`${own.name}.${kind}`);
                if (!channel) continue;
                const arrow = new Arrow(ON_TYRE[kind]);
                this.arrows.add(arrow);
                this.forces.push({ holder, own, kind, channel, arrow });
            }
        for (const holder of this.panels) {
            const channels = ["y", "z"].map((axis) => run.channel(`${holder.raw.name}.force.${axis}`));
            if (!channels.every(Boolean)) continue;
            holder.channels = channels;
            holder.arrow = new Arrow(GROUND);
            this.arrows.add(holder.arrow);
        }
        let largest = { force: 0, torque: 0 };
        for (const holder of this.bodies)
            for (const wrench of ["force", "torque"])
                for (const term of Object.keys(TERMS)) {
                    const channels = ["x", "y", "z"].map((axis) => run.channel(`imaginary.${holder.body.name}.${wrench}.${term}.${axis}`));
                    if (channels.every((c) => !c || c.values.constant === 0)) continue;
                    for (const c of channels) {
                        if (!c) continue;
                        const [least, greatest] = c.values.extremes();
                        largest[wrench] = Math.max(largest[wrench], Math.abs(least), Math.abs(greatest));
                    }
                    const arrow = new Arrow(TERMS[term], wrench === "torque");
                    this.arrows.add(arrow);
                    this.imaginary.push({ holder, wrench, term, channels, arrow });
                }
        this.imaginaryScale = { force: largest.force > 0 ? 2.5 / largest.force : 1, torque: largest.torque > 0 ? 2 / largest.torque : 1 };
    }

    buildGhosts() {
        this.ghosts = this.motions.slice(1).map((motion, i) => {
            const colour = GHOSTS[i % GHOSTS.length];
            const parts = [];
            for (const holder of this.bodies) {
                const body = motion.scene.bodies.find((b) => b.name === holder.body.name);
                if (!body || holder.kind === "point") continue;
                const below = holder.kind === "car" ? this.hullBelow(body) : null;
                const size = holder.kind === "wheelset" ? [2 * body.wheels.radius[0], body.wheels.distance[0] + body.wheels.distance[1] + 0.4, 2 * body.wheels.radius[0]] : boxOf(body);
                const shape = new Group();
                const solid = below === null ? new BoxGeometry(...size) : new BoxGeometry(size[0], size[1], size[2] / 2 + below).translate(0, 0, size[2] / 4 - below / 2);
                shape.add(new LineSegments(new EdgesGeometry(solid), new LineBasicMaterial({ color: colour })));
                shape.add(new Mesh(solid, new MeshBasicMaterial({ color: colour, transparent: true, opacity: 0.1, depthWrite: false })));
                shape.matrixAutoUpdate = false;
                this.things.add(shape);
                parts.push({ holder, body, shape });
            }
            return { motion, parts };
        });
    }

    // --- what is below the vehicle ---

    buildTrack() {
        const { line, bodies } = this.main.scene;
        const aside = (b) => Math.max(0, ...(b.motion ? b.motion[1].extremes().map(Math.abs) : []));
        const half = line.road ? Math.max(...bodies.filter((b) => b.against === "line").map(aside)) + 2.5 : 0;
        this.ways = new Track(this.main.line, line, bodies, half);
        this.track.add(this.ways.group);
    }

    buildGround() {
        const lines = [];
        const size = this.extent();
        const cell = 10 ** Math.floor(Math.log10(Math.max(0.05, size)) - 0.3);
        for (let i = -20; i <= 20; i++) lines.push(-20 * cell, i * cell, 0, 20 * cell, i * cell, 0, i * cell, -20 * cell, 0, i * cell, 20 * cell, 0);
        const geometry = new BufferGeometry();
        geometry.setAttribute("position", new BufferAttribute(new Float32Array(lines), 3));
        this.grid = new LineSegments(geometry, new LineBasicMaterial({ color: "#8899aa", transparent: true, opacity: 0.35 }));
        this.track.add(this.grid);
    }

    // how large the vehicle or mechanism is [m]
    extent() {
        const { bodies } = this.main.scene;
        let least = [Infinity, Infinity, Infinity];
        let greatest = [-Infinity, -Infinity, -Infinity];
        for (const body of bodies)
            for (let i = 0; i < 3; i++) {
                const bare = !this.main.line;
                const half = !bare && body.mass > 0 && body.inertia ? boxOf(body)[i] / 2 : 0;
                const x = body.against === "line" ? body.rest[i] + (i === 0 ? body.offset : 0) : body.rest[i];
                const reach = bare ? Math.max(0, ...(body.holds ?? []).map((p) => Math.hypot(...p))) : half;
                least[i] = Math.min(least[i], x - reach);
                greatest[i] = Math.max(greatest[i], x + reach);
            }
        for (const e of this.main.line ? [] : this.main.scene.elements)
            for (const end of [e.a, e.b])
                if (end.at && end.body === undefined)
                    end.at.forEach((x, i) => {
                        least[i] = Math.min(least[i], x);
                        greatest[i] = Math.max(greatest[i], x);
                    });
        this.middle = least.map((a, i) => (a + greatest[i]) / 2);
        return Math.hypot(...least.map((a, i) => greatest[i] - a));
    }

    // --- at a moment ---

    // x: on the axis `align` of all runs
    move(x) {
        this.x = x;
        this.dirty = true;
    }

    rowOf(motion) {
        const row = motion.run.axis(this.settings.align) ?? motion.run.time;
        return row ? placeOf(row, this.x) : 0;
    }

    update() {
        const place = this.rowOf(this.main);
        const s = this.main.s(place);
        if (this.main.line) {
            if (this.drawnAt === null || Math.abs(s - this.drawnAt) > AGAIN || this.drawnMagnified !== this.settings.magnify) {
                this.shiftOrigin(s);
                this.ways.lay(s, this.origin, this.settings.magnify);
                this.drawnAt = s;
                this.drawnMagnified = this.settings.magnify;
            }
        }
        this.follow(s, place);
        for (const b of this.bodies) {
            this.main.coordinates(b.body, place, q);
            this.main.pose(b.body, place, q, this.settings.magnify, true, b.matrix);
            this.main.pose(b.body, place, q, this.settings.magnify, false, b.box);
            for (const m of [b.matrix, b.box]) this.toOrigin(m);
            b.shape.matrix.copy(b.matrix);
            b.shape.visible = Number.isFinite(q[0]);
            if (b.modes.length) this.deform(b, place);
        }
        this.showPanels(place);
        this.stretch();
        this.showSensors();
        this.showForces(place);
        this.showGhosts(place);
    }

    toOrigin(m) {
        m.elements[12] -= this.origin.x;
        m.elements[13] -= this.origin.y;
        m.elements[14] -= this.origin.z;
    }

    shiftOrigin(s) {
        this.main.line.frame(s, position, attitude);
        const shift = this.origin.clone().sub(position);
        this.origin.copy(position);
        this.camera.position.add(shift);
        this.controls.target.add(shift);
        if (this.before) this.before.position.add(shift);
    }

    // What the camera goes along with, into position and attitude: the guide's frame; on a road, where nothing holds the car on its
    // line, beside it as far as the car is.
    anchor(s, place) {
        this.main.line.frame(s, position, attitude);
        position.sub(this.origin);
        const car = this.main.scene.line.road ? this.bodies.find((b) => b.kind === "car") : null;
        if (!car || car.body.against !== "line") return;
        this.main.coordinates(car.body, place, q);
        if (Number.isFinite(q[1])) position.add(point.set(0, q[1], 0).applyQuaternion(attitude));
    }

    // The camera goes along, and turns with the heading of the line.
    follow(s, place) {
        if (!this.main.line) return;
        this.anchor(s, place);
        const ahead = point.set(1, 0, 0).applyQuaternion(attitude);
        const heading = Math.atan2(ahead.y, ahead.x);
        if (this.before && this.settings.follow) {
            const turned = heading - this.before.heading;
            for (const v of [this.camera.position, this.controls.target])
                v.sub(this.before.position).applyAxisAngle(UP, turned).add(position);
        }
        this.before = { position: position.clone(), heading };
    }

    deform(b, place) {
        const k = this.settings.magnify;
        const { rest, from, moved } = b.shape.userData;
        const { array } = moved[0];
        array.set(rest);
        for (const mode of b.modes) {
            if (!mode.values) continue;
            const value = k * mode.values.between(place);
            if (!from) for (let i = 0; i < array.length; i++) array[i] += value * mode.shape[i];
            else for (let i = 0; i < array.length; i++) array[i] += value * mode.shape[from[Math.floor(i / 3)] + (i % 3)];
        }
        for (const attribute of moved) attribute.needsUpdate = true;
    }

    endOf(end, at, out) {
        if (end.body !== undefined) {
            const holder = this.bodies[end.body];
            return out.set(...at).applyMatrix4(holder.box);
        }
        if (end.offset !== undefined && this.main.line) {
            this.main.line.frame(this.main.s(this.rowOf(this.main)) + end.offset, position, attitude);
            return out.set(...at).applyQuaternion(attitude).add(position).sub(this.origin);
        }
        return out.set(...at).sub(this.origin);
    }

    stretch() {
        for (const e of this.elements) {
            e.shape.visible = e.drawn && (this.settings.elements || e.stays);
            if (!e.shape.visible) continue;
            this.endOf(e.raw.a, e.points[0], pointA);
            this.endOf(e.raw.b, e.points[1], pointB).sub(pointA);
            const length = pointB.length();
            e.shape.visible = length > 1e-3;
            if (!e.shape.visible) continue;
            e.shape.position.copy(pointA);
            e.shape.quaternion.setFromUnitVectors(UP, pointB.divideScalar(length));
            const width = e.shape.userData.thick * (this.main.line || e.stays ? 1 : Math.min(1, length));
            e.shape.scale.set(width, width, length);
        }
    }

    // Panels of track below their wheelsets, moved from rest, and what the ground does to them.
    showPanels(place) {
        const k = this.settings.magnify;
        for (const p of this.panels) {
            const on = this.settings.panels;
            p.shape.visible = on;
            if (p.arrow) p.arrow.visible = on;
            if (!on) continue;
            this.main.line.frame(this.main.s(place) + p.raw.offset, position, attitude);
            position.sub(this.origin);
            const [y, z, roll] = p.motion ? p.motion.map((row) => k * row.between(place / this.main.scene.stride)) : [0, 0, 0];
            p.shape.matrix.compose(point.set(0, y, z).applyQuaternion(attitude).add(position), turned.setFromAxisAngle(FORWARD, roll).premultiply(attitude), ONE);
            if (!p.arrow) continue;
            pointA.setFromMatrixPosition(p.shape.matrix);
            pointB.set(0, ...p.channels.map((c) => this.forceScale * c.values.between(place))).applyQuaternion(attitude);
            p.arrow.show(pointA, pointB);
        }
    }

    // as large from near as from far
    showSensors() {
        const high = (2 * Math.tan((this.camera.fov * Math.PI) / 360)) / Math.max(1, this.place.clientHeight); // of a pixel, in 1 m
        for (const s of this.sensors) {
            s.shape.visible = this.settings.sensors;
            this.endOf(s.raw.at, s.raw.at.at, s.shape.position);
            s.shape.scale.setScalar(SENSOR * high * s.shape.position.distanceTo(this.camera.position));
        }
    }

    // The name of what is drawn at a place of the picture, [-1, 1] to the right and upwards: of a sensor that is within `reach` (of the
    // same, upwards), or else of what a look from there meets first. { name, sensor } or null.
    nameAt(x, y, reach) {
        let best = null;
        let least = reach * reach;
        for (const s of this.settings.sensors ? this.sensors : []) {
            point.copy(s.shape.position).project(this.camera);
            const far = ((point.x - x) * this.camera.aspect) ** 2 + (point.y - y) ** 2;
            if (point.z < 1 && far < least) [best, least] = [s, far];
        }
        if (best) return { name: best.shape.name, sensor: best };
        this.ray.setFromCamera(pointer.set(x, y), this.camera);
        const [hit] = this.ray.intersectObjects(this.things.children.filter((t) => t.visible && t.name), true);
        for (let thing = hit?.object; thing; thing = thing.parent) if (thing.name) return { name: thing.name, sensor: null };
        return null;
    }

    // What rails do to wheels: Q up, Y (on the rail, to the left) reversed, in the axes of the track.
    showForces(place) {
        for (const f of this.forces) {
            f.arrow.visible = this.settings.forces;
            if (!this.settings.forces) continue;
            const value = f.channel.values.between(place) * this.forceScale;
            const { body, box } = f.holder;
            if (f.own) {
                this.showTyreForce(f, value);
                continue;
            }
            const outside = f.side === 0 ? 1 : -1;
            this.main.frameOf(body, place, position, attitude);
            pointA.set(0, outside * body.wheels.distance[f.side], -body.wheels.radius[f.side]).applyMatrix4(box);
            if (f.kind === "Q") pointB.set(0, 0, value);
            else if (f.kind === "Y") pointB.set(0, -value, 0);
            else pointB.set(value, 0, 0);
            f.arrow.show(pointA, pointB.applyQuaternion(attitude));
        }
        for (const f of this.imaginary) {
            f.arrow.visible = this.settings.imaginary;
            if (!this.settings.imaginary) continue;
            const scale = this.imaginaryScale[f.wrench];
            this.main.frameOf(f.holder.body, place, position, attitude);
            pointB.set(...f.channels.map((c) => (c ? scale * c.values.between(place) : 0))).applyQuaternion(attitude);
            pointA.setFromMatrixPosition(f.holder.matrix);
            f.arrow.show(pointA, pointB);
        }
    }

    // What the road does to a wheel where it touches: along its normal, along the wheel's way and to its left.
    showTyreForce(f, value) {
        const { body, box } = f.holder;
        this.main.line?.frame(this.main.s(this.rowOf(this.main)) + (body.offset ?? 0), position, attitude);
        if (!this.main.line) attitude.identity();
        const up = point.set(0, 0, 1).applyQuaternion(attitude);
        axle.set(...f.own.axle).transformDirection(box);
        along.copy(axle).cross(up).normalize();
        pointA.set(...f.own.at).applyMatrix4(box).addScaledVector(pointB.copy(along).cross(axle), -f.own.radius);
        if (f.kind === "load") pointB.copy(up);
        else if (f.kind === "F_y") pointB.copy(up).cross(along);
        else pointB.copy(along);
        f.arrow.show(pointA, pointB.multiplyScalar(value));
    }

    // Other runs at the same time or distance; their differences from the first one magnified.
    showGhosts(place) {
        const k = this.settings.magnify;
        const d = this.settings.difference;
        for (const ghost of this.ghosts) {
            const row = this.rowOf(ghost.motion);
            const on = this.settings.ghosts.has(ghost.motion.run.index);
            for (const part of ghost.parts) {
                part.shape.visible = on;
                if (!on) continue;
                this.main.coordinates(part.holder.body, place, q);
                ghost.motion.coordinates(part.body, row, other);
                for (let i = 0; i < 6; i++) other[i] = i === 0 ? other[0] : q[i] + (d / k) * (other[i] - q[i]);
                ghost.motion.pose(part.holder.body, row, other, k, false, part.shape.matrix);
                this.toOrigin(part.shape.matrix);
            }
        }
    }

    // --- cameras ---

    look(view) {
        this.update();
        const place = this.rowOf(this.main);
        const size = this.size;
        const target = new Vector3(...this.middle);
        const long = this.camera.aspect < 1 ? 1.5 : 1;
        const far = (this.main.line ? Math.min(Math.max(size, 8), 60) : size) * long;
        const from = {
            oblique: [-0.95, -0.85, 0.45], side: [0, -1.35, 0.12], front: [0.95, 0, 0.1], top: [-0.02, 0, 1.5], wheel: [0.2, -0.12, 0.02],
        }[view].map((x) => x * far);
        if (view === "wheel") {
            const first = this.bodies.find((b) => b.kind === "wheelset" || b.kind === "wheel");
            if (first) {
                target.set(first.body.position[0], 0, 0.35);
                from.splice(0, 3, 2.3 * long, -2.7 * long, 0.6);
            }
        }
        attitude.identity();
        position.set(0, 0, 0);
        if (this.main.line) {
            this.anchor(this.main.s(place), place);
            if (size > 80) target.set(this.middle[0] * 0, 0, 1.5);
        }
        const ahead = point.set(1, 0, 0).applyQuaternion(attitude);
        const heading = Math.atan2(ahead.y, ahead.x);
        this.controls.target.copy(target).applyAxisAngle(UP, heading).add(position);
        this.camera.position.set(...from).applyAxisAngle(UP, heading).add(this.controls.target);
        this.camera.near = Math.max(0.005, far / 500);
        this.camera.far = Math.max(1500, 20 * far);
        this.camera.updateProjectionMatrix();
        this.controls.update();
        this.dirty = true;
    }

    restyle() {
        const dark = isDark();
        const sky = new Color(dark ? "#161b22" : "#e9f0f6");
        this.world.background = sky;
        if (this.main.line) this.world.fog = new Fog(sky, 90, 320 + (this.size ?? 0));
        this.ways?.restyle(dark);
        repaint(this.things, dark);
        this.dirty = true;
    }

    resize() {
        const { clientWidth: w, clientHeight: h } = this.place;
        if (!w || !h) return;
        this.renderer.setSize(w, h);
        this.camera.aspect = w / h;
        this.camera.updateProjectionMatrix();
        this.dirty = true;
    }

    // draws if anything has changed
    draw() {
        if (!this.dirty) return false;
        this.dirty = false;
        this.update();
        this.controls.update();
        this.renderer.render(this.world, this.camera);
        return true;
    }
}

const UP = new Vector3(0, 0, 1);
const point = new Vector3();
const pointA = new Vector3();
const pointB = new Vector3();
const axle = new Vector3();
const along = new Vector3();
const FORWARD = new Vector3(1, 0, 0);
const ONE = new Vector3(1, 1, 1);
const turned = new Quaternion();
const pointer = new Vector2();

export { TERMS, FORCE, ON_TYRE, GROUND, GHOSTS };
