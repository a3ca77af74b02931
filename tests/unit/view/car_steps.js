// SPDX-License-Identifier: MIT
// What the test of a car on its road does in the browser.

const expect = (what, is, wanted) => {
    if (JSON.stringify(is) !== JSON.stringify(wanted)) failures.push(`${what}: ${is} instead of ${wanted}`);
};
const near = (what, is, wanted, by) => {
    if (!(Math.abs(is - wanted) <= by)) failures.push(`${what}: ${is} instead of ${wanted}`);
};
const wait = (ms) => new Promise((done) => setTimeout(done, ms));

// Rods end where bodies hold them: what is between keeps its length, whatever the car does.
function testRods(lengths) {
    const rods = kane.stage.elements.filter((e) => e.stays);
    expect("rods", rods.length, 12);
    for (const rod of rods) {
        const length = rod.shape.scale.z;
        if (lengths.has(rod.shape.name)) near(rod.shape.name, length, lengths.get(rod.shape.name), 1e-5);
        lengths.set(rod.shape.name, length);
    }
    near("a tie rod as it is drawn", lengths.get("front left tie rod, rod of 2.00 kg"), Math.hypot(1.1506 - 1.088, 0.645 - 0.27, 0.3139 - 0.271), 1e-5);
}

// The road is straight, level and along x: its surface is z = 0.
function testTyres(place) {
    const { stage } = kane;
    const wheels = stage.bodies.filter((b) => b.kind === "wheel");
    expect("wheels", wheels.length, 4);
    expect("arrows", stage.forces.length, 12);
    expect("loads", stage.forces.filter((f) => f.kind === "load" && f.arrow.visible).length, 4);
    for (const force of stage.forces.filter((f) => f.arrow.visible)) {
        const value = force.channel.values.between(place);
        const arrow = force.arrow.position;
        near(`${force.own.name}: height of the contact`, arrow.z + stage.origin.z, 0, 0.015);
        const centre = force.holder.matrix.elements.slice(12, 15);
        near(`${force.own.name}: below its wheel, along`, arrow.x, centre[0], 0.04);
        near(`${force.own.name}: across`, arrow.y, centre[1], 0.04);
        // which way it points, and how far
        const to = arrow.clone().set(0, 0, 1).applyQuaternion(force.arrow.quaternion).multiplyScalar(Math.abs(value) * stage.forceScale);
        const axis = { load: "z", F_y: "y", F_x: "x" }[force.kind];
        near(`${force.own.name}.${force.kind}`, to[axis], value * stage.forceScale, 0.02 * Math.abs(value * stage.forceScale));
    }
    expect("lateral forces are seen", stage.forces.some((f) => f.kind === "F_y" && f.arrow.visible), true);
}

// how far a wheel has turned between two moments, about its axle
function turned(wheel, from, to) {
    const body = wheel.body;
    const at = () => kane.stage.main.coordinates(body, kane.stage.rowOf(kane.stage.main), new Float64Array(6)).slice()[5];
    kane.setMoment(from);
    const before = at();
    kane.setMoment(to);
    return at() - before;
}

async function test() {
    await wait(200);
    const lengths = new Map();
    testRods(lengths);
    for (const t of [0.6, 1.1, 2.3]) {
        kane.setMoment(t);
        await wait(60);
        testRods(lengths);
        testTyres(t / 0.01);
    }
    const [wheel] = kane.stage.bodies.filter((b) => b.kind === "wheel");
    const travelled = kane.runs[0].distance.at(110) - kane.runs[0].distance.at(100);
    near("a wheel rolls", turned(wheel, 1, 1.1), travelled / wheel.body.tyres[0].radius, 0.1);
    expect("curves at first", kane.curves.panels.map((p) => p.names[0]), ["chassis.y", "front left tyre.load", "chassis.yaw", "chassis.acceleration.y"]);
    expect("there are no rails", [Boolean(kane.stage.ways.tar), Boolean(kane.stage.ways.sleepers)], [true, false]);
}

test()
    .catch((e) => failures.push(String(e.stack)))
    .then(() => {
        document.documentElement.innerHTML = `<body><pre>DONE ${failures.length} failures\n${failures.join("\n")}</pre></body>`;
    });
