// npm run apiserver [-- OPTION …]: runs the embedded API server as a standalone program; `-- --help` lists the options.
import { endWithNpm, setUp } from './setup.mjs';

setUp();
endWithNpm();
await import('../packages/apiserver/dist/command/main.js');
