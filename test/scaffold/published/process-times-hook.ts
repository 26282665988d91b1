// Loaded into every Node.js process of a step (--import): records its start and end, and its program.
import { appendFileSync } from 'node:fs';

const file = process.env['KUBEWRIGHT_PROCESS_TIMES'];
const startMs = performance.timeOrigin;
if (file !== undefined) {
  process.on('exit', () => {
    const [, program = '', ...args] = process.argv;
    appendFileSync(file, `${JSON.stringify({ program, args, startMs, endMs: Date.now() })}\n`);
  });
}
