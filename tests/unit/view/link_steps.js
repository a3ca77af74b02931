// SPDX-License-Identifier: MIT
// What the test of addresses does in the browser. linked: what the page was opened with, by a link of a report.

const expect = (what, is, wanted) => {
    if (JSON.stringify(is) !== JSON.stringify(wanted)) failures.push(`${what}: ${JSON.stringify(is)} instead of ${JSON.stringify(wanted)}`);
};
const near = (what, is, wanted, by) => {
    if (!(Math.abs(is - wanted) <= by)) failures.push(`${what}: ${is} instead of ${wanted}`);
};
const wait = (ms) => new Promise((done) => setTimeout(done, ms));

function expectView(what, { run, from, to, curves }) {
    const { window, panels, shown } = kane.curves;
    near(`${what}: from`, window[0], from, 1e-9);
    near(`${what}: to`, window[1], to, 1e-9);
    expect(`${what}: curves`, panels.flatMap((p) => p.names), curves);
    expect(`${what}: runs`, [...shown], run);
    expect(`${what}: keys of runs`, [...document.querySelectorAll("#run-keys button")].map((b) => b.getAttribute("aria-pressed")), [0, 1].map((i) => String(run.includes(i))));
    const [first] = kane.runs;
    let row = 0;
    while (first.distance.at(row + 1) < from) row++;
    expect(`${what}: the moment is at the beginning`, kane.time >= first.time.at(row) - 1e-9 && kane.time <= first.time.at(row + 1) + 1e-9, true);
}

async function goTo(address) {
    location.hash = address;
    await wait(100);
}

async function test() {
    await wait(200);
    const names = decodeURIComponent(linked.curves).split(",");
    expect("channels of the report are there", names.every((n) => kane.runs.every((r) => r.channel(n))), true);
    expectView("report", { run: [linked.run - 1], from: linked.from, to: linked.to, curves: names });
    await goTo("#run=1&from=40&to=80&curves=body.y,leading.left.Q,leading.right.Q,nothing.there");
    expectView("address", { run: [0], from: 40, to: 80, curves: ["body.y", "leading.left.Q", "leading.right.Q"] });
    expect("a panel for each unit", kane.curves.panels.length, 2);
    // parts of an address leave the rest as it is
    await goTo("#from=20&to=30");
    expectView("window alone", { run: [0], from: 20, to: 30, curves: ["body.y", "leading.left.Q", "leading.right.Q"] });
    await goTo("#curves=trailing.y");
    expectView("curves alone", { run: [0], from: 20, to: 30, curves: ["trailing.y"] });
    await goTo("#run=2&from=50&to=10&curves=");
    expectView("a window that ends before it begins, and no curves", { run: [1], from: 20, to: 30, curves: ["trailing.y"] });
}

test()
    .catch((e) => failures.push(String(e.stack)))
    .then(() => {
        document.documentElement.innerHTML = `<body><pre>DONE ${failures.length} failures\n${failures.join("\n")}</pre></body>`;
    });
