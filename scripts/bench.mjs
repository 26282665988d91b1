// npm run bench -- apiserver: measures the embedded API server and prints JSON and a table. Exits with 1 if a goal is not met.
// npm run bench -- runtime [--against DIR]: measures the CPU time and the memory that the runtime needs in an operator process. With a
// built checkout of another commit, also reports the change since that commit.
// npm run bench -- webhooks [--peers] [--against DIR]: measures the CPU time of each request to a webhook, with --peers also in Go.
import { showHelp } from './help.mjs';
import { setUp } from './setup.mjs';

showHelp(`npm run bench -- apiserver | runtime [--against DIR] | webhooks [--peers] [--against DIR]

Measures the embedded API server, the CPU time and the memory that the runtime needs in an operator process, or the CPU time of each request
to a webhook. Prints JSON and a table. Exits with code 1 if a goal is not met.

Options:
  --peers        also measure the same webhooks with controller-runtime; requires Go
  --against DIR  compare the runtime with a built checkout of another commit
  -h, --help     print this help`);

setUp();
const { bench } = await import('../test/dist/bench/bench.js');
process.exitCode = await bench(process.argv.slice(2));
