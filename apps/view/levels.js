// SPDX-License-Identifier: MIT
// Least and greatest of any stretch of rows in a time that hardly depends on how long it is: of 8 rows, of 64, of 512, ...

const FACTOR = 8;

export class Levels {
    // row: { count, at(i) }
    constructor(row) {
        this.row = row;
        this.least = [];
        this.greatest = [];
        let count = row.count;
        let low = (i) => row.at(i);
        let high = low;
        while (count > FACTOR) {
            const next = Math.ceil(count / FACTOR);
            const a = new Float64Array(next);
            const b = new Float64Array(next);
            for (let k = 0; k < next; k++) {
                let least = Infinity;
                let greatest = -Infinity;
                const end = Math.min(count, (k + 1) * FACTOR);
                for (let i = k * FACTOR; i < end; i++) {
                    const l = low(i);
                    const h = high(i);
                    if (l < least) least = l; // never of what is not a number
                    if (h > greatest) greatest = h;
                }
                a[k] = least;
                b[k] = greatest;
            }
            this.least.push(a);
            this.greatest.push(b);
            low = (i) => a[i];
            high = (i) => b[i];
            count = next;
        }
    }

    // [least, greatest] of rows from <= i < to; [Infinity, -Infinity] if none of them is a number
    range(from, to) {
        let least = Infinity;
        let greatest = -Infinity;
        const take = (level, i) => {
            const l = level < 0 ? this.row.at(i) : this.least[level][i];
            const h = level < 0 ? l : this.greatest[level][i];
            if (l < least) least = l;
            if (h > greatest) greatest = h;
        };
        let level = -1;
        while (from < to) {
            if (level + 1 >= this.least.length || to - from < 2 * FACTOR) {
                for (let i = from; i < to; i++) take(level, i);
                break;
            }
            while (from % FACTOR !== 0) take(level, from++);
            while (to % FACTOR !== 0) take(level, --to);
            from /= FACTOR;
            to /= FACTOR;
            level++;
        }
        return [least, greatest];
    }
}
