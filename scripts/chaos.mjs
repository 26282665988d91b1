// npm run chaos: runs the examples with random faults, and prints the seed of each failed schedule.
import { buildControlPlane } from './build-control-plane.mjs';
import { showHelp } from './help.mjs';
import { setUp } from './setup.mjs';

showHelp(`npm run chaos -- [--schedules N] [--seed S] [--example NAME | --each] [--control-plane]

Runs the examples under seeded fault schedules until they converge. Prints the command that repeats a failed schedule.

Options:
  --schedules N    number of schedules (default: 20)
  --seed S         seed of the first schedule, an integer (default: 1)
  --example NAME   run only this example
  --each           run the given number of schedules for each example
  --control-plane  use a real control plane; the first run requires Go
  -h, --help       print this help`);

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
