import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SystemClock } from '@kubewright/api/clock';
import { bootstrap } from '../registry/bootstrap.js';
import { Registry } from '../registry/registry.js';
import { context, workload } from '../server/cluster.test.support.js';
import { Store } from '../storage/store.js';
import { Controllers } from './controllers.js';
import { selectedWorkloads, workloadNames } from './workload-names.js';

test('the option `workloads` selects all, none or the given workloads, in the declared order', () => {
  assert.deepEqual([...selectedWorkloads(true)], workloadNames);
  assert.deepEqual([...selectedWorkloads(false)], []);
  assert.deepEqual([...selectedWorkloads(['deployments', 'pods', 'pods'])], ['pods', 'deployments']);
});

test('the order of the given workloads does not change the order of the controllers', (t) => {
  const registry = new Registry({ store: new Store(), clock: new SystemClock() });
  bootstrap(registry);
  registry.builtIn('apps/v1/deployments').create(workload(), context);
  registry.builtIn('apps/v1/replicasets').create(workload(), context);
  const controllers = new Controllers(registry, { workloads: ['deployments', 'replicasets'] });
  t.after(() => controllers.stop());
  controllers.start();
  const work = controllers.pending().filter((text) => text.endsWith('default/web'));
  assert.deepEqual(work, ['replicaset-controller default/web', 'deployment-controller default/web']);
});
