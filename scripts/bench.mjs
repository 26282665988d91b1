// npm run bench -- [ROW …]: measures memory, CPU time and delays of operators and of the embedded server, with --peers beside Go.
import { showHelp } from './help.mjs';
import { setUp } from './setup.mjs';

showHelp(`npm run bench -- [ROW …] [--peers] [--runs N] [--seconds N] [--json FILE] [--plots DIR] [--against DIR]
       npm run bench -- --list
       npm run bench -- --docs FILE

Measures the rows with the given names, or all rows. A name also selects all rows that begin with this name and a hyphen, for example
sync or sync-cr. Prints a table with medians, ranges, ratios and goals. Exits with code 1 if a goal is missed or a
measurement fails. Ctrl-C ends the command before the next measurement, and prints the results so far.

Options:
  --peers        also measure the same work with controller-runtime and client-go; requires Go
  --runs N       the number of interleaved runs (default: 5)
  --seconds N    the duration of the rows about minutes of changes (default: 300)
  --json FILE    write the results
  --plots DIR    write a plot of each row as SVG
  --against DIR  also measure a built checkout of another commit
  --list         print the names of the rows
  --docs FILE    generate docs/reference/performance.md and its plots from the results in FILE
  -h, --help     print this help`);

setUp();
const { bench } = await import('../test/dist/bench/bench.js');
process.exitCode = await bench(process.argv.slice(2));
