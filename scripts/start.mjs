// npm start [-- --once]: runs the example virtual-machine, like npm run example -- virtual-machine.
import { showHelp } from './help.mjs';
import { endWithNpm, setUp } from './setup.mjs';

showHelp(`npm start [-- --once] [-- --port N]

Runs the example virtual-machine on the embedded API server and prints every reconcile and every change of an object. Equivalent to
npm run example -- virtual-machine.

Options:
  --once      exit with code 0 when all samples are ready, or with code 1 after 60 s
  --port N    the port of the API server (default: any free port)
  -h, --help  print this help`);

setUp();
endWithNpm();
const { runExample } = await import('./dist/example/run-example.js');
process.exitCode = await runExample(['virtual-machine', ...process.argv.slice(2)]);
