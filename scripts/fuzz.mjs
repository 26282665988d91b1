// npm run fuzz -- apiserver [--requests N] [--seed S]: sends mutated requests of the contract to the embedded API server; --help lists the options.
import { setUp } from './setup.mjs';

setUp();
const { fuzz } = await import('../test/dist/fuzz/fuzz.js');
process.exitCode = await fuzz(process.argv.slice(2));
