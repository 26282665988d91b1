// npm run bench -- apiserver: measures the embedded API server and prints JSON and a table. Ends with 1 when a goal is not met.
import { setUp } from './setup.mjs';

setUp();
const { bench } = await import('../test/dist/bench/bench.js');
process.exitCode = await bench(process.argv.slice(2));
