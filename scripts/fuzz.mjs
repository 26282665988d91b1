// npm run fuzz -- apiserver: sends mutated requests of the contract tests to the embedded API server.
import { showHelp } from './help.mjs';
import { setUp } from './setup.mjs';

showHelp(`npm run fuzz -- apiserver [--requests N] [--seed S] [--from N]

Sends mutated requests of the contract to the embedded API server in a process of its own. A run fails if the process exits, if an answer has
status 500 and a kube-apiserver does not answer the same, or if an answer takes more than one second of processor time. Every 5000 requests, a
line of progress is written to standard error.

Options:
  --requests N  the number of requests (default: 20000)
  --seed S      the seed of the mutations (default: 1); the same seed gives the same requests
  --from N      the first request (default: 0), to repeat a defect; the state of the server begins at multiples of 5000
  -h, --help    print this`);

setUp();
const { fuzz } = await import('../test/dist/fuzz/fuzz.js');
process.exitCode = await fuzz(process.argv.slice(2));
