import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { casesFolder, compilerAnswers, readCases } from './compiler-answers.js';

// Run this program manually after a change of the compiler, or of a message that prints a built-in type. Review the difference before you
// commit it.
const answers = compilerAnswers();
for (const { file, code } of readCases()) {
  const answer = answers.get(file);
  if (answer === undefined) throw new Error(`${file} compiles without an error`);
  const head = answer
    .split('\n')
    .map((line) => `// ${line}\n`)
    .join('');
  writeFileSync(join(casesFolder, file), head + code);
}
