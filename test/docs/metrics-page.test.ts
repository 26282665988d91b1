import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { METRICS } from '@kubewright/runtime/internal';

const page = readFileSync(new URL('../../../docs/reference/metrics.md', import.meta.url), 'utf8');
const row = /^- `(\w+)` \((counter|gauge|histogram)(?: by (.*?))?\): .+$/gm;

test('the page about metrics lists the name, type and labels of every metric of the runtime, and no other metric', () => {
  const reported = [...page.matchAll(row)].map(([, name = '', type = '', labels = '']) => ({
    name,
    type,
    labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label),
  }));
  const byName = (a: { readonly name: string }, b: { readonly name: string }): number => a.name.localeCompare(b.name);
  const known = Object.values(METRICS).map(({ name, type, labels }) => ({ name, type, labels: [...labels] }));
  assert.deepEqual(reported.toSorted(byName), known.toSorted(byName));
});
