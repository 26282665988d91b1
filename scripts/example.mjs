// npm run example -- NAME [--once]: runs an operator of examples/ on the embedded API server.
import { showHelp } from './help.mjs';
import { endWithNpm, setUp } from './setup.mjs';

showHelp(`npm run example -- NAME [PROGRAM] [--once] [--port N]

Runs an example operator, or a program of an example, on the embedded API server.

Options:
  --once      exit with code 0 when all samples are ready, or with code 1 after 60 s
  --port N    the port of the API server (default: any free port)
  -h, --help  print this help`);

setUp();
endWithNpm();
const { runExample } = await import('./dist/example/run-example.js');
process.exitCode = await runExample(process.argv.slice(2));
