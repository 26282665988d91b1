// npm run chaos -- [--schedules N] [--seed S] [--example NAME]: runs the examples under seeded fault schedules; a failing seed is printed.
import { setUp } from './setup.mjs';

setUp();
const { chaos } = await import('../test/dist/chaos/chaos.js');
process.exitCode = await chaos(process.argv.slice(2));
