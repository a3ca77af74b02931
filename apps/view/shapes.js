// SPDX-License-Identifier: MIT
// Shapes of bodies, wheelsets, springs and arrows.

import {
    BoxGeometry, BufferGeometry, CylinderGeometry, ConeGeometry, EdgesGeometry, Float32BufferAttribute, Group, LatheGeometry,
    LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial, MeshStandardMaterial, OctahedronGeometry, SphereGeometry, TubeGeometry, Curve,
    Vector2, Vector3, DoubleSide,
} from "three";

// The box that has a mass and moments of inertia, each side at least 5 cm.
export function boxOf(body) {
    const [xx, yy, zz] = body.inertia ?? [0, 0, 0];
    const side = (a) => Math.sqrt(Math.max(0.0025, (6 * a) / Math.max(body.mass, 1e-9)));
    return [side(yy + zz - xx), side(xx + zz - yy), side(xx + yy - zz)].map((d) => Math.min(d, 40));
}

export const steel = (colour, more = {}) => new MeshStandardMaterial({ color: colour, metalness: 0.25, roughness: 0.6, ...more });

function edges(geometry, colour, opacity = 0.55) {
    return new LineSegments(new EdgesGeometry(geometry, 30), new LineBasicMaterial({ color: colour, transparent: true, opacity }));
}

function box(size, at, material) {
    const mesh = new Mesh(new BoxGeometry(...size), material);
    mesh.position.set(...at);
    return mesh;
}

// A car body: one sees through it; a nose says where its front is. below: how far it reaches below its mass centre [m]. Its floor goes
// as far as what holds it, which may be beyond a box that has its inertia.
export function carBody(body, colour, below, held) {
    const [l, w, whole] = boxOf(body);
    const h = whole / 2 + below;
    const group = new Group();
    const hull = new BoxGeometry(l, w, h).translate(0, 0, h / 2 - below);
    const shell = new Mesh(hull, steel(colour, { transparent: true, opacity: 0.32, depthWrite: false, side: DoubleSide }));
    shell.renderOrder = 2;
    const reach = [0, 1].map((k) => [1, -1].map((side) => Math.max([l, w][k] / 2, ...held.map((p) => side * p[k]))));
    const [[ahead, behind], [left, right]] = reach;
    const floor = box([ahead + behind, left + right, 0.08], [(ahead - behind) / 2, (left - right) / 2, -below], steel(colour, { transparent: true, opacity: 0.75 }));
    const nose = new Mesh(new ConeGeometry(0.18, 0.45, 4), steel(colour));
    nose.rotation.z = -Math.PI / 2;
    nose.position.set(l / 2 + 0.24, 0, -below + 0.2);
    group.add(shell, floor, nose, edges(hull, colour, 0.9));
    return group;
}

// A bogie frame: two side members and a transom in the box of its inertia.
export function bogieFrame(body, colour) {
    const [l, w, h] = boxOf(body);
    const t = Math.max(0.12, Math.min(h, 0.28));
    const group = new Group();
    const material = steel(colour);
    const half = Math.max(0.4, Math.min(w / 2, 1.05));
    for (const side of [-1, 1]) group.add(box([l, 0.16, t], [0, side * half, 0], material));
    group.add(box([Math.max(0.3, 0.16 * l), 2 * half, 0.8 * t], [0, 0, 0], material));
    return group;
}

export function plainBox(body, colour, most) {
    const geometry = new BoxGeometry(...boxOf(body).map((side) => Math.min(side, most)));
    const group = new Group();
    group.add(new Mesh(geometry, steel(colour, { transparent: true, opacity: 0.8 })), edges(geometry, colour, 1));
    return group;
}

// A part of a mechanism: bars from its mass centre to the points that hold it.
export function bars(points, colour, radius) {
    const group = new Group();
    const material = steel(colour);
    const far = [...points];
    if (far.length === 2) { // a bar from one to the other, if the mass centre is between them
        const [a, b] = far.map((p) => new Vector3(...p));
        const ab = b.clone().sub(a);
        const aside = a.clone().cross(ab).length() / Math.max(1e-12, ab.length());
        if (aside < 0.05 * ab.length()) group.add(bar(a, b, radius, material));
        else for (const p of [a, b]) group.add(bar(new Vector3(), p, radius, material));
    } else for (const p of far) group.add(bar(new Vector3(), new Vector3(...p), radius, material));
    for (const p of far) {
        const ball = new Mesh(new SphereGeometry(1.7 * radius, 14, 10), material);
        ball.position.set(...p);
        group.add(ball);
    }
    const centre = new Mesh(new SphereGeometry(1.25 * radius, 12, 8), steel("#888888"));
    group.add(centre);
    return group;
}

function bar(a, b, radius, material) {
    const along = b.clone().sub(a);
    const length = Math.max(1e-9, along.length());
    const mesh = new Mesh(new CylinderGeometry(radius, radius, length, 10), material);
    mesh.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), along.divideScalar(length));
    mesh.position.copy(a).add(b).multiplyScalar(0.5);
    return mesh;
}

// A body that bends along x: its box, section by section. Moved like a figure, node by node.
export function hull(raw, size, colour, below) {
    const nodes = [];
    for (let i = 0; i + 2 < raw.nodes.length; i += 3) nodes.push({ at: raw.nodes.slice(i, i + 3), index: i });
    nodes.sort((a, b) => a.at[0] - b.at[0]);
    const [, w, whole] = size;
    const corners = [[-w / 2, -below], [w / 2, -below], [w / 2, whole / 2], [-w / 2, whole / 2]];
    const rest = nodes.flatMap(({ at }) => corners.flatMap(([y, z]) => [at[0], at[1] + y, at[2] + z]));
    const from = nodes.flatMap(({ index }) => corners.map(() => index));
    const faces = [];
    const lines = [];
    for (let i = 0; i < nodes.length; i++)
        for (let k = 0; k < 4; k++) {
            const a = 4 * i + k;
            const b = 4 * i + ((k + 1) % 4);
            lines.push(a, b);
            if (i + 1 === nodes.length) continue;
            lines.push(a, a + 4);
            faces.push(a, b, a + 4, b, b + 4, a + 4);
        }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new Float32BufferAttribute(rest, 3));
    geometry.setIndex(faces);
    const outline = new BufferGeometry();
    outline.setAttribute("position", geometry.attributes.position);
    outline.setIndex(lines);
    const group = new Group();
    const skin = new Mesh(geometry, new MeshBasicMaterial({ color: colour, transparent: true, opacity: 0.28, depthWrite: false, side: DoubleSide }));
    const wires = new LineSegments(outline, new LineBasicMaterial({ color: colour }));
    skin.frustumCulled = wires.frustumCulled = false;
    group.add(skin, wires);
    group.userData = { rest: Float32Array.from(rest), from, moved: [geometry.attributes.position] };
    return group;
}

export function pointMark(colour, radius = 0.05) {
    return new Mesh(new SphereGeometry(radius, 12, 8), steel(colour));
}

// Two wheels turned from their profiles, on an axle. Origin: mass centre; axle along y.
export function wheelset(body, colour) {
    const group = new Group();
    const { radius, distance } = body.wheels;
    const material = steel(colour, { metalness: 0.55, roughness: 0.45, side: DoubleSide });
    const mark = steel("#d0d4da");
    for (const side of [0, 1]) {
        const outside = side === 0 ? 1 : -1;
        const profile = side === 0 ? body.wheels.left : body.wheels.right;
        const rim = profile ? profile.y.map((y, i) => [y, radius[side] - profile.z[i]]) : [[-0.07, radius[side] + 0.028], [-0.035, radius[side] + 0.02], [-0.03, radius[side]], [0.06, radius[side]]];
        const first = rim[0][0];
        const last = rim[rim.length - 1][0];
        const r = radius[side];
        const outline = [[first, 0.86 * r], ...rim, [last, 0.86 * r], [0.03, 0.8 * r], [0.03, 0.3 * r], [0.06, 0.22 * r], [-0.09, 0.22 * r], [-0.03, 0.3 * r], [-0.03, 0.8 * r], [first, 0.86 * r]];
        const wheel = new Mesh(new LatheGeometry(outline.map(([y, radial]) => new Vector2(radial, outside * y)), 64), material);
        wheel.position.y = outside * distance[side];
        group.add(wheel);
        for (let k = 0; k < 4; k++) { // so that one sees it turn
            const spoke = box([0.04, 0.012, 0.42 * r], [0, 0, 0.55 * r], mark);
            const arm = new Group();
            arm.rotation.y = (k * Math.PI) / 2;
            arm.position.y = outside * (distance[side] + 0.032);
            arm.add(spoke);
            group.add(arm);
        }
    }
    const length = distance[0] + distance[1] + 0.42;
    const axle = new Mesh(new CylinderGeometry(0.08, 0.08, length, 20), material);
    axle.position.y = (distance[0] - distance[1]) / 2;
    group.add(axle);
    for (const end of [-1, 1]) group.add(box([0.24, 0.14, 0.24], [0, axle.position.y + (end * length) / 2, 0], steel(colour)));
    return group;
}

// What things are painted with, on light and on dark.
export const COLOURS = {
    car: ["#1f6fb2", "#5aa9e6"], frame: ["#c45a00", "#f08a3c"], wheel: ["#5b6570", "#9aa4ae"], body: ["#00805f", "#2fc79c"],
    tyre: ["#363b41", "#4d545c"], rim: ["#b4bcc4", "#cdd3da"], rod: ["#5a7d2a", "#b9c4a0"],
};

const PAINT = new Map(Object.values(COLOURS).flatMap((pair) => pair.map((hex) => [hex.slice(1), pair])));

// Paints everything in a group anew.
export function repaint(group, dark) {
    group.traverse((thing) => {
        for (const material of [thing.material].flat()) {
            const pair = PAINT.get(material?.color?.getHexString());
            if (pair) material.color.set(pair[dark ? 1 : 0]);
        }
    });
}

// A wheel on a tyre, about its axle through the point that the tyre holds. Files of tyres do not say how wide they are: as those of
// cars, 0.7 of the radius.
export function tyre(body, dark) {
    const group = new Group();
    for (const { radius: r, at, axle } of body.tyres) {
        const w = 0.35 * r;
        const outline = [[0.64 * r, -w], [0.82 * r, -1.04 * w], [0.95 * r, -w], [r, -0.72 * w], [r, 0.72 * w], [0.95 * r, w], [0.82 * r, 1.04 * w], [0.64 * r, w]];
        const wheel = new Group();
        wheel.add(new Mesh(new LatheGeometry(outline.map(([radial, y]) => new Vector2(radial, y)), 48), new MeshStandardMaterial({ color: COLOURS.tyre[dark ? 1 : 0], roughness: 0.95, side: DoubleSide })));
        const metal = steel(COLOURS.rim[dark ? 1 : 0], { side: DoubleSide });
        wheel.add(new Mesh(new LatheGeometry([[0.64 * r, -w], [0.6 * r, 0], [0.64 * r, w]].map((p) => new Vector2(...p)), 48), metal));
        for (let k = 0; k < 5; k++) { // so that one sees it turn
            const arm = new Group();
            arm.rotation.y = (2 * Math.PI * k) / 5;
            arm.add(box([0.1 * r, 0.2 * w, 0.56 * r], [0, 0, 0.33 * r], k ? metal : steel("#d55e00")));
            wheel.add(arm);
        }
        wheel.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), new Vector3(...axle).normalize());
        wheel.position.set(...at);
        group.add(wheel);
    }
    return group;
}

// A panel of track: a piece of it that moves, with its rails' ends, below the wheels.
export function panel() {
    const group = new Group();
    const colour = "#2fc79c";
    const slab = new BoxGeometry(1.1, 2.4, 0.04).translate(0, 0, -0.15);
    group.add(new Mesh(slab, new MeshBasicMaterial({ color: colour, transparent: true, opacity: 0.45, depthWrite: false })), edges(slab, colour, 1));
    return group;
}

// Where a sensor is: seen through what it is on, to be scaled.
export function sensor() {
    const mark = new Mesh(new OctahedronGeometry(1), new MeshBasicMaterial({ color: "#e6007e", depthTest: false, transparent: true }));
    mark.renderOrder = 11;
    return mark;
}

class Helix extends Curve {
    constructor(turns, radius) {
        super();
        Object.assign(this, { turns, radius });
    }
    getPoint(t, out = new Vector3()) {
        const a = 2 * Math.PI * this.turns * t;
        const inset = Math.min(1, 12 * t, 12 * (1 - t));
        return out.set(this.radius * inset * Math.cos(a), this.radius * inset * Math.sin(a), t);
    }
}

// What is stretched from 0 to 1 along z, to be scaled to its length.
const coil = new TubeGeometry(new Helix(6, 0.09), 120, 0.014, 5);
const shank = new CylinderGeometry(0.022, 0.022, 1, 8).rotateX(Math.PI / 2).translate(0, 0, 0.5);
const pot = new CylinderGeometry(0.055, 0.055, 0.55, 14).rotateX(Math.PI / 2).translate(0, 0, 0.275);
const bag = new CylinderGeometry(0.24, 0.24, 1, 24).rotateX(Math.PI / 2).translate(0, 0, 0.5);

const LOOKS = [
    [/damper|maxwell/, "damper", "#8a5fb0"],
    [/air/, "bag", "#3f4750"],
    [/leaf|spring|link|drawgear|bushing/, "coil", "#c98a00"],
    [/plate|bearer|friction|stop/, "pad", "#6b4f3a"],
    [/rod|bar/, "rod", "#5a7d2a"],
    [/./, "rod", "#7b8794"],
];

// A rod that is a constraint, along z; thick: of its own thickness
export function rod(dark, thick) {
    const group = new Group();
    group.add(new Mesh(shank, steel(COLOURS.rod[dark ? 1 : 0])));
    group.userData = { apart: 0, thick };
    return group;
}

export function element(law) {
    const [, look, colour] = LOOKS.find(([words]) => words.test(law));
    const group = new Group();
    const material = steel(colour, look === "bag" ? { transparent: true, opacity: 0.7 } : {});
    if (look === "coil") group.add(new Mesh(coil, material));
    else if (look === "bag" || look === "pad") group.add(new Mesh(bag, material));
    else group.add(new Mesh(shank, material));
    if (look === "damper") group.add(new Mesh(pot, material));
    group.userData.apart = { coil: 0.17, bag: 0.15, pad: 0.04 }[look] ?? 0; // half of what is drawn of one whose ends coincide at rest
    group.userData.thick = look === "pad" ? 0.5 : 1;
    return group;
}

// An arrow along z, whose length is set; over everything, since what it is about would hide it.
const shaft = new CylinderGeometry(0.028, 0.028, 1, 10).rotateX(Math.PI / 2).translate(0, 0, 0.5);
const head = new ConeGeometry(0.085, 0.24, 14).rotateX(Math.PI / 2).translate(0, 0, -0.12);

export class Arrow extends Group {
    constructor(colour, twice = false) {
        super();
        const material = new MeshBasicMaterial({ color: colour, depthTest: false, transparent: true, opacity: 0.92 });
        this.shaft = new Mesh(shaft, material);
        this.heads = Array.from({ length: twice ? 2 : 1 }, () => new Mesh(head, material));
        this.add(this.shaft, ...this.heads);
        for (const part of this.children) part.renderOrder = 10;
    }

    // from a point along a vector, both in the world
    show(from, vector) {
        const length = vector.length();
        this.visible = length > 0.02;
        if (!this.visible) return;
        this.position.copy(from);
        this.quaternion.setFromUnitVectors(UP, vector.clone().divideScalar(length));
        this.shaft.scale.z = Math.max(0.001, length - 0.2);
        const size = Math.min(1, length / 0.3);
        this.heads.forEach((h, i) => {
            h.position.z = length - i * 0.16;
            h.scale.setScalar(size);
        });
    }
}

const UP = new Vector3(0, 0, 1);

// Nodes of a body that deforms, with the lines between them.
export function figure(raw, colour) {
    const geometry = new BufferGeometry();
    const nodes = Float32Array.from(raw.nodes);
    geometry.setAttribute("position", new Float32BufferAttribute(nodes, 3));
    const lines = raw.lines.length ? raw.lines : [...Array(nodes.length / 3 - 1).keys()].flatMap((i) => [i, i + 1]);
    geometry.setIndex(lines);
    const segments = new LineSegments(geometry, new LineBasicMaterial({ color: colour }));
    segments.frustumCulled = false;
    segments.userData = { rest: Float32Array.from(raw.nodes), from: null, moved: [geometry.attributes.position] };
    return segments;
}
