// npm run bench -- apiserver: measures the embedded API server and prints JSON and a table. Ends with 1 when a goal is not met.
// npm run bench -- runtime [--against DIR]: measures what the runtime costs an operator, and with a built checkout of another commit
// how much that has changed.
import { setUp } from './setup.mjs';

setUp();
const { bench } = await import('../test/dist/bench/bench.js');
process.exitCode = await bench(process.argv.slice(2));
