// SPDX-License-Identifier: MIT
// Numbers and units as they are written by hand: kN from 1000 N on, mm below 0.1 m, m/s².

const PREFIXED = new Set(["m", "N", "N m", "Pa", "J", "W", "rad", "rad/s", "rad/s^2", "s", "N s", "N m s", "Hz", "N/m"]);
const PREFIX = { "-9": "n", "-6": "µ", "-3": "m", 0: "", 3: "k", 6: "M", 9: "G" };
const RAISED = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };

const raise = (digits) => [...digits].map((c) => RAISED[c]).join("");

export function writeUnit(unit) {
    if (unit === "1") return "";
    return unit.replace(/\^(-?\d+)/g, (_, power) => raise(power)).replace(/ /g, " ");
}

// The scale for numbers of a magnitude: { factor, unit } with number * factor in unit.
export function scaleFor(unit, magnitude) {
    const small = magnitude > 0 && Number.isFinite(magnitude);
    if (!small) return { factor: 1, unit: writeUnit(unit) };
    let ten = 0;
    if (magnitude >= 1000) ten = 3 * Math.floor(Math.log10(magnitude) / 3 + 1e-9);
    else if (magnitude < 0.1) ten = 3 * Math.floor(Math.log10(magnitude) / 3 + 1e-9);
    if (PREFIXED.has(unit)) {
        ten = Math.max(unit === "s" || unit === "m" || unit.startsWith("rad") ? -9 : -9, Math.min(9, ten));
        if ((unit === "m" || unit === "s" || unit.startsWith("rad")) && ten > 0) ten = 0; // no km, no krad
        return { factor: 10 ** -ten, unit: PREFIX[ten] + writeUnit(unit) };
    }
    const plain = writeUnit(unit);
    if (ten === 0 || (ten > 0 && magnitude < 1e5)) return { factor: 1, unit: plain };
    return { factor: 10 ** -ten, unit: `10${raise(String(ten))}${plain ? ` ${plain}` : ""}` };
}

export function writeNumber(value, digits = 4) {
    if (!Number.isFinite(value)) return "–";
    if (value === 0) return "0";
    if (Math.abs(value) >= 10 ** (digits - 1) && Math.abs(value) < 1e6) return String(Math.round(value)).replace("-", "−");
    const text = Math.abs(value) >= 1e6 || Math.abs(value) < 1e-4 ? value.toExponential(digits - 1) : value.toPrecision(digits);
    return text.replace(/e\+?(-?\d+)$/, (_, power) => `·10${raise(power)}`).replace("-", "−");
}
