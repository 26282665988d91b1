// npm start [-- --once]: the short form of npm run example -- virtual-machine.
import { setUp } from './setup.mjs';

setUp();
const { runExample } = await import('./dist/example/run-example.js');
process.exitCode = await runExample(['virtual-machine', ...process.argv.slice(2)]);
