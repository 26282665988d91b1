import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compilerAnswers, readCases } from './compiler-answers.js';

// `node test/dist/compile-fail/record.js` writes the errors of the installed compiler to the first lines of each case.
describe('code that must not compile', () => {
  const cases = readCases();
  const answers = compilerAnswers();
  it('there are 71 cases of code that must not compile', () => assert.equal(cases.length, 71));
  for (const { file, recorded } of cases) {
    it(`the compiler reports the recorded error for ${file}`, () => {
      assert.equal(answers.get(file), recorded);
    });
  }
});
