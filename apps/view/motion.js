// SPDX-License-Identifier: MIT
// Where things are: the line, and bodies against it, at a place among the rows of a run. World: z up, metres.

import { Euler, Matrix4, Quaternion, Vector3 } from "three";
import { Row } from "./data.js";

const Y = 1;
const Z = 2;
const PITCH = 5;
const euler = new Euler();
const turn = new Quaternion();
const step = new Vector3();

// The line of a scene: frames anywhere on it, and how rails deviate.
export class Line {
    constructor(raw) {
        Object.assign(this, { from: raw.from, step: raw.step, count: raw.count, raw });
        for (const key of ["x", "y", "z", "yaw", "pitch", "roll"]) this[key] = new Row(raw[key]).open();
        const i = raw.irregularity;
        if (i) {
            this.rails = { from: i.from, step: i.step, count: i.count };
            for (const key of ["left_y", "left_z", "right_y", "right_z"]) this.rails[key] = new Row(i[key]).open();
        }
        this.to = this.from + this.step * (this.count - 1);
    }

    // fills position (Vector3, doubles) and attitude (Quaternion) of the frame at s
    frame(s, position, attitude) {
        const place = Math.max(0, Math.min(this.count - 1.000001, (s - this.from) / this.step));
        const i = Math.floor(place);
        const u = place - i;
        const w = 1 - u;
        const a = this.angles(i);
        const b = this.angles(i + 1);
        // cubic between two points with their tangents
        const h00 = (1 + 2 * u) * w * w;
        const h10 = u * w * w * this.step;
        const h01 = u * u * (3 - 2 * u);
        const h11 = -u * u * w * this.step;
        position.set(
            h00 * this.x.at(i) + h01 * this.x.at(i + 1) + h10 * a.tx + h11 * b.tx,
            h00 * this.y.at(i) + h01 * this.y.at(i + 1) + h10 * a.ty + h11 * b.ty,
            h00 * this.z.at(i) + h01 * this.z.at(i + 1) + h10 * a.tz + h11 * b.tz,
        );
        const beyond = s - (this.from + place * this.step);
        if (Math.abs(beyond) > 1e-3) position.add(step.set(b.tx, b.ty, b.tz).multiplyScalar(beyond));
        euler.set(w * a.roll + u * b.roll, w * a.pitch + u * b.pitch, w * a.yaw + u * b.yaw, "ZYX");
        attitude.setFromEuler(euler);
    }

    angles(i) {
        const yaw = this.yaw.at(i);
        const pitch = this.pitch.at(i);
        const cos = Math.cos(pitch);
        return { yaw, pitch, roll: this.roll.at(i), tx: Math.cos(yaw) * cos, ty: Math.sin(yaw) * cos, tz: -Math.sin(pitch) };
    }

    // displacement of a rail at s: [y, z]
    rail(side, s) {
        if (!this.rails) return [0, 0];
        const place = Math.max(0, Math.min(this.rails.count - 1, (s - this.rails.from) / this.rails.step));
        return side === 0
            ? [this.rails.left_y.between(place), this.rails.left_z.between(place)]
            : [this.rails.right_y.between(place), this.rails.right_z.between(place)];
    }
}

// Bodies of a run. place: among the rows of its results.
export class Motion {
    constructor(run) {
        this.run = run;
        this.scene = run.scene;
        this.line = run.scene.line ? new Line(run.scene.line) : null;
        this.start = run.scene.line?.start ?? 0;
        this.distance = run.channel("distance")?.values ?? null;
        this.position = new Vector3();
        this.attitude = new Quaternion();
    }

    s(place) {
        return this.start + (this.distance ? this.distance.between(place) : 0);
    }

    // x, y, z, yaw, roll, pitch of a body against its frame
    coordinates(body, place, out) {
        const at = place / this.scene.stride;
        for (let k = 0; k < 6; k++) out[k] = body.motion ? body.motion[k].between(at, k > 2 && k < 5 ? 1 : Infinity) : body.rest[k];
        return out;
    }

    // Matrix of a body with coordinates q; spin: with the pitch of one that spins. magnified: its displacement from rest.
    pose(body, place, q, magnified, spin, matrix) {
        const spins = body.kind === "wheelset" || body.kind === "rotor";
        const k = body.against === "line" ? magnified : 1;
        const of = (i) => (i === 0 ? q[0] : body.rest[i] + k * (q[i] - body.rest[i]));
        if (body.against === "line" && this.line) this.line.frame(this.s(place) + body.offset, this.position, this.attitude);
        else {
            this.position.set(0, 0, 0);
            this.attitude.identity();
        }
        const beside = body.beside ?? [0, 0, 0];
        step.set(of(0) + beside[0], of(Y) + beside[1], of(Z) + beside[2]).applyQuaternion(this.attitude).add(this.position);
        euler.set(of(4), spins ? (spin ? q[PITCH] : 0) : of(PITCH), of(3), "ZXY");
        turn.setFromEuler(euler).premultiply(this.attitude);
        return matrix.compose(step, turn, ONE);
    }

    // the frame that a body is described in
    frameOf(body, place, position, attitude) {
        if (body.against === "line" && this.line) return this.line.frame(this.s(place) + body.offset, position, attitude);
        position.set(0, 0, 0);
        attitude.identity();
    }
}

const ONE = new Vector3(1, 1, 1);
export { Matrix4 };
