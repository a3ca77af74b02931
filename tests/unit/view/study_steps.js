// SPDX-License-Identifier: MIT
// What the test of a study's page does in the browser: 3 x 3 cases over speed and friction, of which the last one has no run.

const expect = (what, is, wanted) => {
    if (JSON.stringify(is) !== JSON.stringify(wanted)) failures.push(`${what}: ${is} instead of ${wanted}`);
};
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const text = (id) => document.getElementById(id).textContent;

// a click where the chart has the case of a row
async function clickCase(row, shiftKey) {
    const canvas = document.getElementById("study-canvas");
    const spot = kane.study.chart.spots.find((s) => s.row === row);
    const box = canvas.getBoundingClientRect();
    canvas.dispatchEvent(new MouseEvent("click", { clientX: box.left + spot.px, clientY: box.top + spot.py, shiftKey, bubbles: true }));
    await wait(100);
}

async function choose(id, value) {
    const select = document.getElementById(id);
    select.value = value;
    select.dispatchEvent(new Event("change", { bubbles: true }));
    await wait(60);
}

// colours of cells: the least value has the first of the map, the greatest the last
function testColours() {
    const { study } = kane;
    const { cells, value } = study.chart.what;
    expect("cells", cells.length, 9);
    const values = cells.map((c) => study.measure.at(c.row));
    expect("values", cells.map((c) => c.value), values);
    const colour = (row) => {
        const spot = study.chart.spots.find((s) => s.row === row);
        const ratio = Math.min(2, window.devicePixelRatio);
        return [...document.getElementById("study-canvas").getContext("2d").getImageData(ratio * (spot.box[0] + 12), ratio * (spot.box[1] + 12), 1, 1).data].slice(0, 3);
    };
    expect("scale", [value.least, value.greatest], [Math.min(...values), Math.max(...values)]);
    expect("darkest", colour(cells[values.indexOf(value.least)].row), [0, 34, 78]);
    expect("brightest", colour(cells[values.indexOf(value.greatest)].row), [254, 232, 56]);
}

async function test() {
    await wait(200);
    const { study } = kane;
    expect("view", study.view, "map");
    expect("chosen at first", study.chosen, [0]);
    expect("there is a picture", Boolean(kane.stage), true);
    testColours();
    // a click takes a case, its run and its settings; panels, moment and renderer stay
    kane.setMoment(1.5);
    const panels = kane.curves.panels.length;
    const { renderer } = kane.stage;
    await clickCase(5, false);
    expect("chosen", study.chosen, [5]);
    expect("run", kane.runs.map((r) => kane.all.indexOf(r)), [5]);
    expect("speed of the run", kane.runs[0].manifest.input.changes.includes("start.speed=15"), true);
    expect("moment", kane.time, 1.5);
    expect("panels", kane.curves.panels.length, panels);
    expect("renderer", kane.stage.renderer === renderer && document.querySelectorAll("#view3d canvas").length === 1, true);
    expect("picture of the run", kane.stage.main.run === kane.runs[0], true);
    expect("told", text("study-case").includes("--set 'start.speed=15' --set 'track.rail.friction=0.4'"), true);
    expect("row", Number(document.querySelector("#study-rows tr.on").dataset.row), 5);
    // with shift another one over it
    await clickCase(2, true);
    expect("both", study.chosen, [5, 2]);
    expect("runs", kane.runs.map((r) => r.label), ["case 6", "case 3"]);
    expect("keys of runs", document.querySelectorAll("#run-keys button").length, 2);
    expect("ghost", kane.stage.ghosts.length, 1);
    // of the last one no run came along: the table says so, the picture stays
    document.querySelector('#study-rows tr[data-row="8"]').click();
    await wait(60);
    expect("without run", [study.chosen, kane.runs.length, text("study-case").includes("not kept")], [[8], 2, true]);
    // curves and points, other measure, one value of the second axis
    await choose("study-view", "curves");
    expect("lines", study.chart.what.lines.length, 3);
    expect("points on lines", study.chart.what.lines.map((l) => l.points.map((p) => p.x)), [[10, 15, 20], [10, 15, 20], [10, 15, 20]]);
    await choose("study-measure", String(study.columns.indexOf(study.named("max(leading.left.Y)"))));
    expect("measure", study.chart.what.points.every((p) => p.y === study.named("max(leading.left.Y)").at(p.row)), true);
    await choose("study-by", "-1");
    expect("one line", study.chart.what.lines.length, 1);
    await clickCase(3, false);
    expect("by a point", [study.chosen, kane.runs.length], [[3], 1]);
    await choose("study-view", "points");
    expect("all points", study.chart.what.points.length, 9);
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "d", bubbles: true }));
    await wait(60);
    const fetched = performance.getEntriesByType("resource").filter((r) => !r.name.startsWith("data:"));
    expect("no network", fetched.length, 0);
}

test()
    .catch((e) => failures.push(String(e.stack)))
    .then(() => {
        document.documentElement.innerHTML = `<body><pre>DONE ${failures.length} failures\n${failures.join("\n")}</pre></body>`;
    });
