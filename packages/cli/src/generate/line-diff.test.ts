import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lineDiff } from './line-diff.js';

const numbered = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `line ${at}`);

describe('lineDiff', () => {
  it('lineDiff returns changed lines with two unchanged lines before and after them', () => {
    const from = numbered(12);
    const to = [...from.slice(0, 3), 'changed', ...from.slice(4, 9), 'added', ...from.slice(9)];
    assert.deepEqual(lineDiff(from.join('\n'), to.join('\n'), 50), [
      '  line 1',
      '  line 2',
      '- line 3',
      '+ changed',
      '  line 4',
      '  line 5',
      '…',
      '  line 7',
      '  line 8',
      '+ added',
      '  line 9',
      '  line 10',
      '…',
    ]);
  });
  it('lineDiff returns the smallest difference of two texts', () => {
    assert.deepEqual(lineDiff('a\nb\nc', 'b\nc\na', 50), ['- a', '  b', '  c', '+ a']);
    assert.deepEqual(lineDiff('', 'a', 50), ['-', '+ a']);
    assert.deepEqual(lineDiff('a', 'a', 50), []);
  });
  it('lineDiff limits a long difference, and ends with the number of omitted lines', () => {
    const shown = lineDiff(numbered(3000).join('\n'), 'other', 4);
    assert.deepEqual(shown, ['- line 0', '- line 1', '- line 2', '- line 3', '… and 2997 more lines']);
  });
});
