// npm run soak -- [--minutes 30] [--objects 2000] [--seed 1]: runs an operator on a real control plane while objects change continuously
// and a fault occurs every 20 s.
import { parseArgs } from 'node:util';
import { buildControlPlane } from './build-control-plane.mjs';
import { showHelp } from './help.mjs';
import { setUp } from './setup.mjs';

showHelp(`npm run soak -- [--minutes M] [--objects N] [--seed S]

Runs an operator on a real control plane with constantly changing objects and a fault every 20 s. The first run requires Go.

Options:
  --minutes M  duration (default: 30)
  --objects N  number of objects (default: 2000)
  --seed S     seed of the changes and faults, an integer (default: 1)
  -h, --help   print this help`);

setUp();
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    objects: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
  },
});
const [minutes, objects, seed] = [Number(values.minutes), Number(values.objects), Number(values.seed)];
const folder = buildControlPlane();
if (!(minutes > 0) || !Number.isInteger(objects) || objects < 1 || !Number.isInteger(seed)) {
  console.error(
    '--minutes, --objects or --seed is not valid; use npm run soak -- --minutes 30 --objects 2000 --seed 1',
  );
  process.exitCode = 1;
} else if (folder === undefined) {
  process.exitCode = 1;
} else {
  process.env.KUBEWRIGHT_CONTROL_PLANE = folder;
  const { failuresOf, soak, summaryOf } = await import('../test/dist/control-plane/soak/soak.js');
  const report = await soak({ minutes, objects, seed, onLine: console.log });
  const failures = failuresOf(report);
  for (const line of failures) console.log(`VIOLATION: ${line}`);
  console.log(summaryOf(report));
  process.exitCode = failures.length === 0 ? 0 : 1;
}
