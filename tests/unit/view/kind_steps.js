// SPDX-License-Identifier: MIT
// What the test of every kind of page does in the browser: the page shows what it is of. `wanted`: words of the title, rows of a study
// (0: none, -1: some), whether there is something in 3-D.

const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const tall = (id) => document.getElementById(id).getBoundingClientRect().height;

async function test() {
    await wait(300);
    const heading = document.getElementById("title").textContent;
    if (heading !== document.title) failures.push(`heading "${heading}", title "${document.title}"`);
    for (const word of wanted.words) if (!heading.includes(word)) failures.push(`"${heading}" does not name ${word}`);
    const rows = kane.study?.raw.rows ?? 0;
    if (wanted.rows < 0 ? !(rows > 0) : rows !== wanted.rows) failures.push(`${rows} rows instead of ${wanted.rows}`);
    if (Boolean(kane.stage) !== wanted.stage) failures.push(wanted.stage ? "nothing in 3-D" : "something in 3-D");
    if (wanted.rows && !(tall("study-canvas") > 100)) failures.push(`a chart ${tall("study-canvas")} px tall`);
    if (wanted.stage && !(tall("view3d") > 100)) failures.push(`a picture ${tall("view3d")} px tall`);
}

test()
    .catch((e) => failures.push(String(e.stack)))
    .then(() => {
        document.documentElement.innerHTML = `<body><pre>DONE ${failures.length} failures\n${failures.join("\n")}</pre></body>`;
    });
