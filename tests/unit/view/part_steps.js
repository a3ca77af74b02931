// SPDX-License-Identifier: MIT
// What the test of sensors and panels of track does in the browser. sensorPlace: where the first sensor is in row 50, in the world,
// written before by test_browser.c.

const expect = (what, is, wanted) => {
    if (JSON.stringify(is) !== JSON.stringify(wanted)) failures.push(`${what}: ${is} instead of ${wanted}`);
};
const near = (what, is, wanted, by) => {
    if (!(Math.abs(is - wanted) <= by)) failures.push(`${what}: ${is} instead of ${wanted}`);
};
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const $ = (id) => document.getElementById(id);
const run = () => kane.runs[0];

// where a sensor is in the window [px]
function pixelOf(sensor) {
    const box = $("view3d").getBoundingClientRect();
    const p = sensor.shape.position.clone().project(kane.stage.camera);
    return { clientX: box.left + (box.width * (1 + p.x)) / 2, clientY: box.top + (box.height * (1 - p.y)) / 2, bubbles: true };
}

async function testSensors() {
    const { stage } = kane;
    expect("sensors", stage.sensors.map((s) => s.raw.name), ["floor front", "floor rear"]);
    kane.setMoment(run().time.at(50));
    await wait(60);
    const [sensor] = stage.sensors;
    ["x", "y", "z"].forEach((axis, i) => near(`sensor, ${axis}`, sensor.shape.position[axis] + stage.origin[axis], sensorPlace[i], 2e-4));
    $("view3d").dispatchEvent(new PointerEvent("pointermove", pixelOf(sensor)));
    const shown = run().channel("floor front.acceleration.z").values.at(50);
    expect("told", [$("tip").hidden, $("tip").textContent.startsWith("floor front: x ")], [false, true]);
    near("what it shows", Number(/z (\S+)/.exec($("tip").textContent)[1].replace("−", "-")), shown, 0.006 * Math.abs(shown));
    // a click draws what it shows, another one takes it away
    const names = () => kane.curves.panels.flatMap((p) => p.names).filter((n) => n.startsWith("floor front."));
    for (const kind of ["pointerdown", "click"]) $("view3d").dispatchEvent(new PointerEvent(kind, pixelOf(sensor)));
    expect("drawn", names(), ["x", "y", "z"].map((axis) => `floor front.acceleration.${axis}`));
    $("sensor-list").querySelector("button").click();
    expect("taken away", names(), []);
    // the end of a drag is no click
    $("view3d").dispatchEvent(new PointerEvent("pointerdown", { ...pixelOf(sensor), clientX: 300 }));
    $("view3d").dispatchEvent(new PointerEvent("click", pixelOf(sensor)));
    expect("after a drag", names(), []);
    $("sensors").click();
    await wait(60);
    expect("sensors shown", stage.sensors.some((s) => s.shape.visible), false);
}

// Panels lie under their wheelsets, and move as their channels say, magnified.
async function testPanels() {
    const { stage } = kane;
    expect("panels", stage.panels.map((p) => p.raw.name), ["leading.track", "trailing.track"]);
    const places = () => stage.panels.map((p) => p.shape.matrix.elements.slice(12, 15).map((x, i) => x + stage.origin.getComponent(i)));
    const placesMagnified = async (k) => {
        $("magnify").value = Math.log10(k);
        $("magnify").dispatchEvent(new Event("input"));
        await wait(60);
        return places();
    };
    const [once, often] = [await placesMagnified(1), await placesMagnified(100)];
    stage.panels.forEach((panel, i) => {
        const move = ["y", "z"].map((axis) => run().channel(`${panel.raw.name}.${axis}`).values.at(50));
        const seen = [0, 1, 2].map((k) => (often[i][k] - once[i][k]) / 99); // the track is straight and level there, along x
        near(`${panel.raw.name} along`, seen[0], 0, 1e-9);
        near(`${panel.raw.name} to the left`, seen[1], move[0], 1e-3 * Math.hypot(...move));
        near(`${panel.raw.name} up`, seen[2], move[1], 1e-3 * Math.hypot(...move));
        const wheelset = stage.bodies[panel.raw.wheelset].matrix.elements[12] + stage.origin.x;
        near(`${panel.raw.name} under its wheelset`, once[i][0], wheelset, 0.02);
    });
    expect("forces of the ground", stage.panels.map((p) => p.arrow.visible), [true, true]);
    $("panels-shown").click();
    await wait(60);
    expect("panels shown", stage.panels.some((p) => p.shape.visible || p.arrow.visible), false);
}

// A check rail stands beside its running rail, which is uneven, on straight and level track, where it says and nowhere else.
function testCheckRail() {
    const { ways: track, origin } = kane.stage;
    const strips = track.strips.filter((strip) => strip.within);
    expect("check rails", strips.length, 1);
    const { mesh, section } = strips[0];
    const at = mesh.geometry.attributes.position;
    const face = (i) => [0, 1, 2].map((k) => at.getComponent(i * section.length + 1, k) + origin.getComponent(k));
    const gauge = track.raw.gauge;
    const seen = new Set([...mesh.geometry.index.array].map((i) => Math.floor(i / section.length)));
    const stations = [...seen].sort((a, b) => a - b);
    const begin = face(stations[0]), end = face(stations.at(-1)), middle = face(stations[Math.floor(stations.length / 2)]);
    near("check rail: length", end[0] - begin[0], 20, 1e-4);
    const [asideBegin, [aside, up]] = [track.line.rail(1, begin[0])[0], track.line.rail(1, middle[0])];
    near("check rail: opening", begin[1], asideBegin - (gauge / 2 - 0.08), 2e-6);
    near("check rail: flangeway", middle[1], aside - (gauge / 2 - 0.045), 2e-6);
    near("check rail: height", middle[2], up + 0.02, 2e-6);
}

async function test() {
    await wait(200);
    await testSensors();
    testCheckRail();
    await testPanels();
}

test()
    .catch((e) => failures.push(String(e.stack)))
    .then(() => {
        document.documentElement.innerHTML = `<body><pre>DONE ${failures.length} failures\n${failures.join("\n")}</pre></body>`;
    });
