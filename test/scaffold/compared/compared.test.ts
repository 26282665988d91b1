import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { PAGE, pageWith, readCounted } from './comparison.js';
import { countProject } from './counted-project.js';
import { kubewrightCounting, kubewrightProject } from './kubewright-project.js';

const RENEW = 'if the change is intended, run: node scripts/compare-scaffolds.mjs';

describe("the operator of kubebuilder's guide", () => {
  it('the Memcached operator that Kubewright creates passes its test, and the page shows the current counts', async () => {
    const { scaffold, finished } = await kubewrightProject((project) => project.test());
    const ours = countProject(scaffold, finished, kubewrightCounting);
    const page = readFileSync(PAGE, 'utf8');
    assert.equal(page, pageWith(page, readCounted(), ours), RENEW);
  });

  it('pageWith rejects a page that does not contain the table of counts', () => {
    const counts = { files: 0, lines: 0, ownFiles: 0, linesToRead: 0, operatorLines: 0, linesByHand: 0 };
    const counted = { commit: 'a', counts, times: { kubebuilder: 0, kubewright: 0 } };
    assert.throws(
      () => pageWith('# A page\n', counted, counts),
      /the page .* does not contain the text to replace with this content/,
    );
  });
});

describe('lines written by hand', () => {
  it('countProject counts only the lines of code that are not in the scaffold as written by hand', () => {
    const before = new Map([['a.go', 'package a\n\n// TODO\nfunc A() {\n}\n']]);
    const code = 'package a\n\n// Says more.\n// +kubebuilder:rbac:verbs=get\nfunc A() {\n\tb()\n\tb()\n}\n';
    const book = '// +kubebuilder:docs-gen:collapse=A\n';
    const licence = '/*\nCopyright\n*/\n';
    const after = new Map([
      ['a.go', `${licence}${book}${code}`],
      ['go.sum', 'x'],
      ['made.yaml', 'a: 1\nb: 2\n'],
    ]);
    const counting = {
      leftOut: (path: string) => path === 'go.sum',
      generated: (path: string) => path === 'made.yaml',
      operator: (path: string) => path.endsWith('.go'),
    };
    assert.deepEqual(countProject(before, after, counting), {
      files: 2,
      lines: 14,
      ownFiles: 1,
      linesToRead: 12,
      operatorLines: 5,
      linesByHand: 3,
    });
  });
});
