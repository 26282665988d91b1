// npm run example -- NAME [--once]: runs an operator of examples/ on the embedded API server.
import { setUp } from './setup.mjs';

setUp();
const { runExample } = await import('./dist/example/run-example.js');
process.exitCode = await runExample(process.argv.slice(2));
