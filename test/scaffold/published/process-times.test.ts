import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ProcessTime, processTimes, sharedTime } from './process-times.js';

const npm = '/usr/bin/npm';
const create = '/cache/_npx/1/node_modules/.bin/create-operator';
const kubewright = '/project/node_modules/.bin/kubewright';
const tsc = '/project/node_modules/typescript/bin/tsc';
const ran = (program: string, startMs: number, endMs: number): ProcessTime => ({ program, args: [], startMs, endMs });

describe('sharedTime and processTimes', () => {
  it('sharedTime counts the time in which a program of Kubewright runs, without the npm and tsc processes that the program starts', () => {
    const times = [
      ran(npm, 0, 100),
      ran(create, 20, 95),
      ran(npm, 30, 70),
      ran('/project/node_modules/esbuild/install.js', 60, 65),
      ran(kubewright, 75, 90),
      ran(tsc, 76, 80),
    ];
    assert.deepEqual(sharedTime(times, 100), { oursMs: 31, tscMs: 4 });
  });
  it('sharedTime counts no time after the end of the step, even if programs continue', () => {
    assert.deepEqual(sharedTime([ran(npm, 0, 500), ran(kubewright, 10, 490)], 60), { oursMs: 50, tscMs: 0 });
  });
  it('sharedTime counts overlapping programs of Kubewright once', () => {
    assert.deepEqual(sharedTime([ran(kubewright, 0, 10), ran(kubewright, 5, 20)], 30), { oursMs: 20, tscMs: 0 });
  });
  it('sharedTime counts no time of Kubewright if no program of Kubewright runs', () => {
    assert.deepEqual(sharedTime([ran(npm, 0, 10), ran(tsc, 2, 5)], 10), { oursMs: 0, tscMs: 3 });
    assert.deepEqual(sharedTime([], 10), { oursMs: 0, tscMs: 0 });
  });
  it('processTimes reads one line for each process', () => {
    const one = ran(npm, 1, 2);
    assert.deepEqual(processTimes(`${JSON.stringify(one)}\n`), [one]);
  });
});
