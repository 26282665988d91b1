// npm run cache-guarantee -- [--histories N] [--seed S]: checks cached reads of controllers with random declarations during random writes.
// Prints the seeds of failed histories.
import { showHelp } from './help.mjs';
import { setUp } from './setup.mjs';

showHelp(`npm run cache-guarantee -- [--histories N] [--seed S]

Runs random histories of writes against two controllers with random declarations, and checks every cached read and the final state.
Prints each history that violates the guarantee of docs/concepts/cache.md, with its seed.

Options:
  --histories N  number of histories (default: 200)
  --seed S       seed of the first history, an integer (default: 1)
  -h, --help     print this help`);

setUp();
const { cacheGuarantee } = await import('../test/dist/cache-guarantee/command.js');
process.exitCode = await cacheGuarantee(process.argv.slice(2));
