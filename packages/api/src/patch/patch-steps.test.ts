import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Steps } from '../apply/steps.js';
import { applyMergePatchSteps } from './apply-merge-patch.js';
import { applyStrategicMergePatchSteps } from './strategic-merge-patch.js';

function steps(work: Steps<unknown>): number {
  for (let count = 1; ; count += 1) if (work.next().done === true) return count;
}

const texts = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`k${at}`, 'v']));
const patches = {
  'a new map': { new: texts },
  'a changed map': { old: texts },
  'a new list': { new: Object.keys(texts).map((name) => ({ name })) },
  'many small maps': { new: Object.keys(texts).map((name) => [{ name }]) },
};

for (const [name, patch] of Object.entries(patches)) {
  test(`a merge patch and a strategic merge patch apply ${name} in steps of about 1,000 values`, () => {
    const document = { old: { a: 'b' } };
    assert.ok(steps(applyMergePatchSteps(document, patch)) >= 10);
    assert.ok(steps(applyStrategicMergePatchSteps(document, patch, {})) >= 10);
  });
}
