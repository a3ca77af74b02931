// SPDX-License-Identifier: MIT
// Light and dark, and colours that people who do not see all of them can tell apart.

// Okabe and Ito without yellow, and one of Paul Tol; on dark the same hues, lighter where they would drown
const LIGHT = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#882255", "#000000"];
const DARK = ["#56B4E9", "#FF8A3D", "#2FC79C", "#E39CC4", "#9CCBF0", "#F2B134", "#D06A9C", "#E8E8E8"];

export const curveColour = (k) => (isDark() ? DARK : LIGHT)[k % 8];

const wish = window.matchMedia("(prefers-color-scheme: dark)");
let chosen = null;

export const isDark = () => (chosen ?? (wish.matches ? "dark" : "light")) === "dark";

function apply() {
    document.documentElement.dataset.theme = isDark() ? "dark" : "light";
}

export function toggleTheme() {
    chosen = isDark() ? "light" : "dark";
    apply();
}

export function watchTheme(changed) {
    apply();
    wish.addEventListener("change", () => {
        apply();
        changed();
    });
}
