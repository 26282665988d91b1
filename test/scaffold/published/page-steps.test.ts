import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { areSeen, type PageStep, pageSteps } from './page-steps.js';

describe('the steps of a page', () => {
  it('pageSteps returns the commands, files, and results of a page in order', () => {
    const page = [
      'Type:\n\n```sh\nnpm run dev\n```',
      'Write:\n\n```yaml\n# config/a.yaml\na: 1\n```',
      '```text\nb …\n```',
      'In another terminal:\n\n```sh\nls\n```\n',
    ];
    assert.deepEqual(pageSteps(page.join('\n\n')), [
      { does: 'command', line: 'npm run dev', beside: false },
      { does: 'write', path: 'config/a.yaml', text: 'a: 1\n' },
      { does: 'see', lines: ['b …'] },
      { does: 'command', line: 'ls', beside: true },
    ]);
  });
  it('pageSteps rejects a file block without a path', () => {
    assert.throws(() => pageSteps('```ts\nconst a = 1;\n```'), /a code block in ts does not name its file/);
  });
  it('pageSteps recognizes all steps of the guides that a test follows', () => {
    assert.deepEqual(countsOf('get-started.md'), { command: 7, write: 4, see: 9 });
    assert.deepEqual(countsOf('first-operator.md'), { command: 9, write: 1, see: 9 });
  });
});

describe('areSeen', () => {
  it('areSeen accepts lines in the same order with other lines in between', () => {
    assert.ok(areSeen(['a …', 'c (1)'], 'a 1\nb\nc   (1)\n'));
    assert.ok(!areSeen(['c', 'a'], 'a\nc\n'));
    assert.ok(!areSeen(['a'], 'ab'));
  });
});

/** Returns the numbers of steps of a guide. */
function countsOf(name: string): Readonly<Record<PageStep['does'], number>> {
  const steps = pageSteps(readFileSync(new URL(`../../../../docs/guides/${name}`, import.meta.url), 'utf8'));
  const count = (kind: PageStep['does']): number => steps.filter(({ does }) => does === kind).length;
  return { command: count('command'), write: count('write'), see: count('see') };
}
