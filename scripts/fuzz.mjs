// npm run fuzz -- apiserver|webhooks|parser: sends mutated requests to the embedded API server, or mutated replies of its webhooks, or
// compares the parsers of the cache.
import { showHelp } from './help.mjs';
import { setUp } from './setup.mjs';

showHelp(`npm run fuzz -- apiserver|webhooks [--requests N] [--seed S] [--from N]
       npm run fuzz -- parser [--documents N] [--seed S] [--from N]

Sends mutated requests of the contract tests to an embedded API server in a separate process. A run fails if the process exits, if a
response is missing or late, if a response takes more than one second of processor time, or if a response has status 500 that a
kube-apiserver would not return. With webhooks, sends writes and reads whose admission and conversion webhooks reply with mutated
reviews. With apiserver, prints a line of progress to standard error every 5000 requests.

With parser, parses generated documents with both parsers of the cache: the parser that shares equal values, and the complete parser. A run
fails at the first document with different results, and prints a few small documents with the same difference.

Options:
  --requests N  the number of requests (default: 20000)
  --documents N the number of documents (default: 10000000)
  --seed S      the seed of the mutations (default: 1); the same seed gives the same requests and documents
  --from N      the first request or document (default: 0), to reproduce a defect; the server is reset at multiples of 5000, and the
                parsers at multiples of 100000
  -h, --help    print this help`);

setUp();
const [target, ...others] = process.argv.slice(2);
if (target === 'parser') {
  const { fuzzParser } = await import('../packages/runtime/dist/test-support/fuzz-parser.js');
  process.exitCode = fuzzParser(others, console.log, console.error);
} else {
  const { fuzz } = await import('../test/dist/fuzz/fuzz.js');
  process.exitCode = await fuzz(process.argv.slice(2));
}
