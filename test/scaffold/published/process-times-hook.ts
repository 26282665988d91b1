// Loaded into every Node.js process of a step (--import): writes down when it began and ended, and which program it ran.
import { appendFileSync } from 'node:fs';

const file = process.env['KUBEWRIGHT_PROCESS_TIMES'];
const startMs = performance.timeOrigin;
if (file !== undefined) {
  process.on('exit', () => {
    const [, program = '', ...args] = process.argv;
    appendFileSync(file, `${JSON.stringify({ program, args, startMs, endMs: Date.now() })}\n`);
  });
}
