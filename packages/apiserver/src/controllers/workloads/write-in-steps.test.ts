import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finish, type Steps } from '@kubewright/api/apply';
import { isConflict } from '@kubewright/api/errors';
import { bootstrap } from '../../registry/bootstrap.js';
import type { ApiObject } from '../../registry/objects/api-object.js';
import { objectAt } from '../../registry/objects/json-object.js';
import { Registry } from '../../registry/registry.js';
import { at, context, SteppedClock, template, workload } from '../../server/cluster.test.support.js';
import { Store } from '../../storage/store.js';
import type { Controller, ControllerSetting } from '../work/controller.js';
import { EventRecorder } from '../work/event-recorder.js';
import { ObjectIndex } from '../work/object-index.js';
import { keyText } from '../objects/object-reference.js';
import { SimulatedPods } from '../simulation/simulated-pods.js';
import { ResourceFeed } from '../work/resource-feed.js';
import { CronJobController } from './jobs/cron-job-controller.js';
import { DeploymentController } from './deployments/deployment-controller.js';
import { JobController } from './jobs/job-controller.js';

const queue = { add: () => undefined, addAfter: () => undefined };
const jobSpec = { template: template(['true'], { restartPolicy: 'Never' }) };
const metadata = at('web');

/** Creates an object in a registry. Returns functions that reconcile, change and read the object. */
function start(path: 'apps/v1/deployments' | 'batch/v1/cronjobs' | 'batch/v1/jobs', body: object) {
  const registry = new Registry({ store: new Store(), clock: new SteppedClock() });
  bootstrap(registry);
  const index = new ObjectIndex();
  const feed = new ResourceFeed(registry);
  feed.on((event) => index.observe(event));
  feed.start();
  const setting: ControllerSetting = {
    registry,
    index,
    events: new EventRecorder(registry),
    simulated: new SimulatedPods(),
  };
  const controllers = {
    'apps/v1/deployments': DeploymentController,
    'batch/v1/cronjobs': CronJobController,
    'batch/v1/jobs': JobController,
  };
  const controller: Controller = new controllers[path](setting);
  const resource = registry.builtIn(path);
  resource.create(body, context);
  return {
    registry,
    sync: () => controller.sync(keyText(metadata), queue) as Steps<void>,
    change: (fields: object, subresource?: string) => {
      const changed = (live: ApiObject) => ({ ...live, ...fields });
      resource.update(metadata, changed, { ...context, ...(subresource !== undefined && { subresource }) });
    },
    live: () => resource.get(metadata),
  };
}

/** Runs the first step, changes the object, and runs the other steps. */
function interrupt(steps: Steps<void>, change: () => void): void {
  assert.equal(steps.next().done, false);
  change();
  finish(steps);
}

test('does not write the status of a Deployment if the spec changes during the sync', () => {
  const { registry, sync, change, live } = start('apps/v1/deployments', workload());
  const paused = () => change({ spec: { ...objectAt(live(), 'spec'), paused: true } });
  assert.throws(() => interrupt(sync(), paused), isConflict);
  assert.deepEqual(Object.keys(objectAt(live(), 'status')), []);
  finish(sync());
  assert.equal(objectAt(live(), 'status')['observedGeneration'], 2);
  assert.equal(registry.builtIn('apps/v1/replicasets').list().items.length, 1);
});

test('does not write the status of a Job if the spec changes during the sync', () => {
  const { sync, change, live } = start('batch/v1/jobs', { metadata, spec: jobSpec });
  const suspended = () => change({ spec: { ...objectAt(live(), 'spec'), suspend: true } });
  assert.throws(() => interrupt(sync(), suspended), isConflict);
  assert.deepEqual(Object.keys(objectAt(live(), 'status')), []);
});

test('writes the status of a Job and keeps new labels if a client changes the labels during the sync', () => {
  const { registry, sync, change, live } = start('batch/v1/jobs', { metadata, spec: jobSpec });
  const labels = { a: 'b' };
  interrupt(sync(), () => change({ metadata: { ...live().metadata, labels } }));
  assert.equal(objectAt(live(), 'status')['active'], 1);
  assert.deepEqual(live().metadata.labels?.['a'], 'b');
  assert.equal(registry.builtIn('/v1/pods').list().items.length, 1);
});

test('a CronJob creates only one Job for a scheduled time if its status changes during the sync', () => {
  const body = { metadata, spec: { schedule: '* * * * *', jobTemplate: { spec: jobSpec } } };
  const { registry, sync, change, live } = start('batch/v1/cronjobs', body);
  (registry.clock as SteppedClock).advance(61_000);
  const lastSuccessfulTime = '2025-01-01T00:00:00Z';
  assert.throws(() => interrupt(sync(), () => change({ status: { lastSuccessfulTime } }, 'status')), isConflict);
  finish(sync());
  const [job, ...others] = registry.builtIn('batch/v1/jobs').list().items;
  assert.equal(others.length, 0);
  const { active } = objectAt(live(), 'status');
  assert.deepEqual(
    (active as readonly { readonly uid: string }[]).map(({ uid }) => uid),
    [job?.metadata.uid],
  );
});
