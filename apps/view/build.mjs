// SPDX-License-Identifier: MIT
// Puts the page together: node build.mjs PAGE.html. Modules and libraries become one script, all of it one file.

import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const modules = process.argv[3] ?? join(here, "node_modules");
const output = process.argv[2] ?? join(here, "page.built.html");
const esbuild = createRequire(join(modules, "kane"))("esbuild");
const read = (...parts) => readFileSync(join(...parts), "utf8");

const script = esbuild.buildSync({
    entryPoints: [join(here, "main.js")],
    bundle: true,
    minify: true,
    format: "iife",
    target: ["es2020"],
    nodePaths: [modules],
    legalComments: "none", // the whole texts stand in the page
    charset: "ascii",
    write: false,
}).outputFiles[0].text;

const licences = ["three", "uplot"]
    .map((name) => {
        const info = JSON.parse(read(modules, name, "package.json"));
        return `${info.name} ${info.version}, ${info.homepage}\n\n${read(modules, name, "LICENSE").trim()}\n`;
    })
    .join("\n\n");

const style = read(modules, "uplot", "dist", "uPlot.min.css") + read(here, "page.css");
const escape = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
const parts = { style, licences: escape(licences), script: script.replace(/<\/script/gi, "<\\/script") };
const page = read(here, "page.html").replace(/<!-- kane:(style|licences|script) -->/g, (_, part) => parts[part]);
writeFileSync(output, page);
