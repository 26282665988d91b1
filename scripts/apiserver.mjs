// npm run apiserver [-- OPTION …]: the embedded API server as a program of its own; `-- --help` tells what it takes.
import { endWithNpm, setUp } from './setup.mjs';

setUp();
endWithNpm();
await import('../packages/apiserver/dist/command/main.js');
