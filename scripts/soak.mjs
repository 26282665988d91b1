// npm run soak -- [--minutes 30] [--objects 2000] [--seed 1]: objects that change without end on a real control plane, with a fault every 20 s.
import { parseArgs } from 'node:util';
import { buildControlPlane } from './build-control-plane.mjs';
import { setUp } from './setup.mjs';

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
    'say how many minutes and objects, and which seed: npm run soak -- --minutes 30 --objects 2000 --seed 1',
  );
  process.exitCode = 1;
} else if (folder === undefined) {
  process.exitCode = 1;
} else {
  process.env.KUBEWRIGHT_CONTROL_PLANE = folder;
  const { heapGrowth, soak } = await import('../test/dist/control-plane/soak/soak.js');
  const { unmet, samples, writes, runs, faults } = await soak({ minutes, objects, seed, onLine: console.log });
  const { middleBytes, lastBytes } = heapGrowth(samples);
  const mb = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MB`;
  for (const line of unmet) console.log(`NOT SO: ${line}`);
  console.log(
    `${writes} writes, ${runs} reconciles, ${faults.length} faults; heap ${mb(middleBytes)} in the middle third, ${mb(lastBytes)} in the last`,
  );
  process.exitCode = unmet.length === 0 ? 0 : 1;
}
