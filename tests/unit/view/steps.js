// SPDX-License-Identifier: MIT
// What the test of the page does in the browser; whatever it finds wrong is a line of "failures". places: rows, bodies and
// their points of the world, written before by test_browser.c.

const expect = (what, is, wanted) => {
    if (JSON.stringify(is) !== JSON.stringify(wanted)) failures.push(`${what}: ${is} instead of ${wanted}`);
};
const near = (what, is, wanted, by) => {
    if (!(Math.abs(is - wanted) <= by)) failures.push(`${what}: ${is} instead of ${wanted}`);
};
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const click = (id) => document.getElementById(id).click();
const key = (k) => document.dispatchEvent(new KeyboardEvent("keydown", { key: k, bubbles: true }));

// bodies against the places that the test knows
function testPlaces() {
    const motion = kane.stage.main;
    for (const [row, name, x, y, z] of places) {
        const body = motion.scene.bodies.find((b) => b.name === name);
        const matrix = kane.stage.bodies[0].matrix.clone();
        motion.pose(body, row, motion.coordinates(body, row, []), 1, true, matrix);
        [x, y, z].forEach((wanted, i) => near(`${name} in row ${row}, axis ${i}`, matrix.elements[12 + i], wanted, 2e-4));
    }
}

// thinned levels against all rows
function testLevels() {
    for (const name of ["leading.left.Q", "body.y", "body.acceleration.y"]) {
        const { values } = kane.runs[0].channel(name);
        const levels = values.levels();
        for (const [from, end] of [[0, 1e9], [3, 17], [7, 8], [5, 200], [64, 192], [63, 193], [100, 100]]) {
            const to = Math.min(end, values.count);
            let [least, greatest] = [Infinity, -Infinity];
            for (let i = from; i < to; i++) {
                least = Math.min(least, values.at(i));
                greatest = Math.max(greatest, values.at(i));
            }
            expect(`${name} from ${from} to ${to}`, levels.range(from, to), [least, greatest]);
        }
        const x = kane.runs[0].distance;
        const [xs, ys] = kane.thin(x, values, x.at(0), x.at(x.count - 1), 40);
        expect("thinned", ys.length <= 80 && ys.length > 40, true);
        expect("range of what is thinned", [Math.min(...ys), Math.max(...ys)], levels.range(0, values.count));
        expect("order of what is thinned", xs.every((v, i) => i === 0 || v >= xs[i - 1]), true);
    }
}

// one moment for curves, picture, slider and text; a click into a curve takes all of them there
async function testMoment() {
    kane.setMoment(2);
    await wait(100);
    const at = kane.runs[0].distance.between(2 / 0.02);
    near("curves", kane.curves.at, at, 0.1);
    near("picture", kane.stage.x, at, 0.1);
    near("slider", Number(document.getElementById("slider").value), 2, 1e-9);
    expect("text", document.getElementById("now").textContent.startsWith("2.00 s"), true);
    const panel = kane.curves.panels[0];
    near("line", new DOMMatrix(getComputedStyle(panel.line).transform).e, panel.plot.valToPos(at, "x"), 0.5);
    const before = kane.stage.bodies[0].matrix.elements.slice();
    const box = panel.plot.over.getBoundingClientRect();
    const clientX = Math.round(box.left + 0.75 * box.width);
    for (const kind of ["mousemove", "mousedown", "mouseup", "click"])
        panel.plot.over.dispatchEvent(new MouseEvent(kind, { clientX, clientY: Math.round(box.top + 9), bubbles: true }));
    await wait(100);
    near("clicked", kane.stage.x, panel.plot.posToVal(clientX - box.left, "x"), 0.6);
    const moved = kane.stage.bodies[0].matrix.elements.some((v, i) => Math.abs(v - before[i]) > 1e-5);
    expect("the picture has moved", moved, true);
}

async function testReplay() {
    const begun = kane.time;
    const drawn = kane.frames;
    key(" ");
    await wait(600);
    key(" ");
    expect("stopped", kane.playing, false);
    expect("moved", kane.time > begun + 0.05, true);
    expect("drawn", kane.frames > drawn + 1, true);
    key("Home");
    near("home", kane.time, 0, 0);
    key("ArrowRight");
    near("a row", kane.time, 0.02, 1e-9);
}

// the line of the replay in the first panel, by the window that it shows
function lineIsAt(what) {
    const { panels, window: [from, to], at } = kane.curves;
    const { line, plot } = panels[0];
    near(what, new DOMMatrix(getComputedStyle(line).transform).e, ((at - from) / (to - from)) * plot.over.clientWidth, 1);
}

async function testRest() {
    kane.setMoment(1);
    const whole = kane.curves.window.slice();
    key("+");
    near("zoomed", kane.curves.window[1] - kane.curves.window[0], (whole[1] - whole[0]) / 2, 1e-6);
    await wait(60);
    lineIsAt("line after zoom");
    key("0");
    expect("all", kane.curves.window, whole);
    key("c");
    const search = document.getElementById("search");
    search.value = "leading left lift";
    search.dispatchEvent(new Event("input"));
    const found = document.querySelectorAll("#list button");
    expect("found", found.length, 1);
    found[0].click();
    expect("added", kane.curves.panels.some((p) => p.names.includes("leading.left.lift")), true);
    key("Escape");
    expect("closed", document.getElementById("channels").hidden, true);
    for (const view of ["1", "2", "3", "4", "5", "f", "d", "d", "m"]) {
        key(view);
        await wait(30);
    }
    lineIsAt("line after themes");
    const magnify = document.getElementById("magnify");
    magnify.value = 2;
    magnify.dispatchEvent(new Event("input"));
    await wait(60);
    expect("magnified", kane.stage.settings.magnify, 100);
    click("contact");
    await wait(60);
    const fetched = performance.getEntriesByType("resource").filter((r) => !r.name.startsWith("data:"));
    expect("no network", fetched.length, 0);
}

async function test() {
    await wait(200);
    expect("there is a picture", Boolean(kane.stage), true);
    testPlaces();
    testLevels();
    await testMoment();
    await testReplay();
    await testRest();
}

test()
    .catch((e) => failures.push(String(e.stack)))
    .then(() => {
        document.documentElement.innerHTML = `<body><pre>DONE ${failures.length} failures\n${failures.join("\n")}</pre></body>`;
    });
