// npm run chaos -- [--schedules N] [--seed S] [--example NAME | --each] [--control-plane]: runs the examples under seeded fault schedules; a failing seed is printed.
import { buildControlPlane } from './build-control-plane.mjs';
import { setUp } from './setup.mjs';

setUp();
const args = process.argv.slice(2);
const folder = args.includes('--control-plane') ? buildControlPlane() : '';
if (folder === undefined) {
  process.exitCode = 1;
} else {
  if (folder !== '') process.env.KUBEWRIGHT_CONTROL_PLANE = folder;
  const { chaos } = await import('../test/dist/chaos/chaos.js');
  process.exitCode = await chaos(args);
}
