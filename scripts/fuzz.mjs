// npm run fuzz -- apiserver|webhooks: sends mutated requests to the embedded API server, or mutated replies of its webhooks.
import { showHelp } from './help.mjs';
import { setUp } from './setup.mjs';

showHelp(`npm run fuzz -- apiserver|webhooks [--requests N] [--seed S] [--from N]

Sends mutated requests of the contract tests to an embedded API server in a separate process. A run fails if the process exits, if a
response is missing or late, if a response takes more than one second of processor time, or if a response has status 500 that a
kube-apiserver would not return. With webhooks, sends writes and reads whose admission and conversion webhooks reply with mutated
reviews. With apiserver, prints a line of progress to standard error every 5000 requests.

Options:
  --requests N  the number of requests (default: 20000)
  --seed S      the seed of the mutations (default: 1); the same seed gives the same requests
  --from N      the first request (default: 0), to reproduce a defect; the server is reset at multiples of 5000
  -h, --help    print this help`);

setUp();
const { fuzz } = await import('../test/dist/fuzz/fuzz.js');
process.exitCode = await fuzz(process.argv.slice(2));
