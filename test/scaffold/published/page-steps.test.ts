import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { areSeen, pageSteps } from './page-steps.js';

describe('the steps of a page', () => {
  it('are commands, files and results', () => {
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
  it('require a path in each file block', () => {
    assert.throws(() => pageSteps('```ts\nconst a = 1;\n```'), /a block of ts does not tell its file/);
  });
  it('match the get-started page', () => {
    const page = readFileSync(new URL('../../../../docs/guides/get-started.md', import.meta.url), 'utf8');
    const steps = pageSteps(page);
    assert.equal(steps.filter(({ does }) => does === 'command').length, 6);
    assert.equal(steps.filter(({ does }) => does === 'write').length, 4);
    assert.equal(steps.filter(({ does }) => does === 'see').length, 8);
  });
});

describe('areSeen', () => {
  it('accepts lines in order with other lines in between', () => {
    assert.ok(areSeen(['a …', 'c (1)'], 'a 1\nb\nc   (1)\n'));
    assert.ok(!areSeen(['c', 'a'], 'a\nc\n'));
    assert.ok(!areSeen(['a'], 'ab'));
  });
});
