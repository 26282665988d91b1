import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compilerAnswers, readCases } from './compiler-answers.js';

// `node test/dist/compile-fail/record.js` writes the answers of the installed compiler to the heads of the files.
describe('what does not compile', () => {
  const cases = readCases();
  const answers = compilerAnswers();
  it('is 60 mistakes', () => assert.equal(cases.length, 60));
  for (const { file, recorded } of cases) {
    it(`${file.replace('.ts', '').replaceAll('-', ' ')} is refused as written`, () => {
      assert.equal(answers.get(file), recorded);
    });
  }
});
