// SPDX-License-Identifier: MIT
// What the test of a study of omissions does in the browser: rows by condition (acceleration 0, 0.25) and term (accuracy, a torque, a
// force that is zero at constant speed).

const expect = (what, is, wanted) => {
    if (JSON.stringify(is) !== JSON.stringify(wanted)) failures.push(`${what}: ${JSON.stringify(is)} instead of ${JSON.stringify(wanted)}`);
};
const wait = (ms) => new Promise((done) => setTimeout(done, ms));

async function choose(row) {
    kane.study.choose(row, false);
    await wait(60);
    return { labels: kane.runs.map((r) => r.label), omitted: kane.runs.map((r) => r.manifest.omitted) };
}

async function test() {
    await wait(200);
    expect("rows", kane.study.raw.rows, 6);
    expect("a torque", await choose(1), { labels: ["complete, 0 m/s²", "0 m/s², body:torque.rotation.z"], omitted: [[], ["body:torque.rotation.z"]] });
    expect("outlines of one over the other", kane.stage.ghosts.length, 1);
    expect("keys", document.querySelectorAll("#run-keys button").length, 2);
    expect("what is zero", await choose(2), { labels: ["complete, 0 m/s²"], omitted: [[]] });
    expect("and told", document.getElementById("study-case").textContent.includes("zero all along"), true);
    expect("with acceleration", await choose(5), { labels: ["complete, 0.25 m/s²", "0.25 m/s², body:force.translation.x"], omitted: [[], ["body:force.translation.x"]] });
    // two terms of one condition share its complete run
    kane.study.choose(4, true);
    await wait(60);
    expect("both terms", kane.runs.map((r) => r.label), ["complete, 0.25 m/s²", "0.25 m/s², body:force.translation.x", "0.25 m/s², body:torque.rotation.z"]);
}

test()
    .catch((e) => failures.push(String(e.stack)))
    .then(() => {
        document.documentElement.innerHTML = `<body><pre>DONE ${failures.length} failures\n${failures.join("\n")}</pre></body>`;
    });
