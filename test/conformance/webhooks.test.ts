import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import {
  type ConvertedContent,
  Converter,
  CustomResource,
  Defaulter,
  type Draft,
  Field,
  Kind,
  Validator,
  type Violation,
} from '@kubewright/api';
import { ConfigMap } from '@kubewright/api/core/v1';
import { DeniedError } from '@kubewright/api/errors';
import { Controller, isForbidden, isInvalid, type Reconciler, Result } from '@kubewright/runtime';
import { TestEnvironment } from '@kubewright/testing';
import { startEnvironment } from '../server/start-environment.js';

class OldSpec {
  @Field.string() cron!: string;
  @Field.string({ optional: true }) zone?: string;
}
@Kind({ group: 'webhooks.example.com', version: 'v1alpha1', kind: 'Job', storage: false })
class OldJob extends CustomResource(OldSpec) {}
class Spec {
  @Field.string() schedule!: string;
  @Field.string({ optional: true }) class?: string;
}
class Status {
  @Field.string({ optional: true }) seen?: string;
}
@Kind({ group: 'webhooks.example.com', version: 'v1', kind: 'Job', storage: true })
class Job extends CustomResource(Spec, Status) {}

@Converter({ from: OldJob, hub: Job })
class JobConverter implements Converter<OldJob, Job> {
  up({ spec }: OldJob): ConvertedContent<Job> {
    return { spec: { schedule: spec.cron } };
  }
  down({ spec }: Job): ConvertedContent<OldJob> {
    return { spec: { cron: spec.schedule } };
  }
}
@Defaulter({ for: Job })
class JobDefaulter implements Defaulter<Job> {
  default(draft: Draft<Job>): void {
    draft.spec.class ??= 'batch';
  }
}
@Validator({ for: Job, operations: ['create', 'update', 'delete'] })
class JobValidator implements Validator<Job> {
  validate(
    { spec, metadata }: Job,
    _old: Job | undefined,
    { operation, warn }: Parameters<Validator<Job>['validate']>[2],
  ): Violation[] {
    if (operation === 'delete' && metadata.name === 'kept') throw new DeniedError('this job is kept');
    if (spec.schedule === 'hourly') warn('"hourly" is deprecated');
    return spec.schedule === 'often' ? [{ field: 'spec.schedule', message: 'must be in cron format' }] : [];
  }
}
/** Reconciles the old version, so that the first list of its informer requires a conversion by the operator. */
@Controller({ for: OldJob })
class OldJobController implements Reconciler<OldJob> {
  static readonly seen: string[] = [];
  async reconcile({ metadata, spec }: OldJob): Promise<Result> {
    OldJobController.seen.push(`${metadata.name} ${spec.cron} ${spec.zone}`);
    return Result.done();
  }
}
const kinds = [Job, OldJob];
const job = (name: string, schedule: string) =>
  new Job({ metadata: { name, namespace: 'default' }, spec: { schedule } });

for (const warmUp of [true, false]) {
  test(`[RG-15] with warmUp ${warmUp}, an operator starts even if the API server can call its converter only while the operator is ready`, async () => {
    let isReady = false;
    let refused = 0;
    /** Fails while the operator is not ready, because a Service only connects to ready Pods. */
    @Converter({ from: OldJob, hub: Job })
    class ReadyConverter extends JobConverter {
      override down(job: Job): ConvertedContent<OldJob> {
        if (isReady) return super.down(job);
        refused += 1;
        throw new Error('no endpoints are available');
      }
    }
    await using env = await startEnvironment({ kinds });
    await env.client.create(job('stored', '* *'));
    OldJobController.seen.length = 0;
    const health = { port: 0, host: '127.0.0.1' };
    const manager = env.manager({ controllers: { warmUp }, health }).add(ReadyConverter, OldJobController);
    const starting = manager.start();
    // The first list of the controller fails, because the operator is not ready yet.
    await until(starting, () => refused > 0);
    await until(starting, async () => {
      const url = `http://127.0.0.1:${manager.health.address?.port}/readyz`;
      isReady = (await fetch(url)).status === 200;
      return isReady;
    });
    await starting;
    await env.settled();
    assert.deepEqual(OldJobController.seen, ['stored * * undefined']);
    assert.ok(manager.status().endpoints['webhooks']);
    assert.deepEqual(manager.readiness(), { ready: true, reasons: [] });
  });
}

/** Waits until the condition is true. Rejects if `work` rejects first. */
async function until(work: Promise<unknown>, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  let failure: { readonly error: unknown } | undefined;
  work.catch((error: unknown) => {
    failure = { error };
  });
  while (!(await isTrue())) {
    if (failure !== undefined) throw failure.error;
    await setTimeout(20);
  }
}

test('an object of the old version keeps all its fields although the server stores the object in the new version', async () => {
  await using env = await startEnvironment({ kinds });
  await env.manager().add(JobConverter).start();
  const old = new OldJob({ metadata: { name: 'a', namespace: 'default' }, spec: { cron: '* *', zone: 'UTC' } });
  assert.deepEqual((await env.client.create(old)).spec, { cron: '* *', zone: 'UTC' });
  const stored = await env.client.live.get(Job, { namespace: 'default', name: 'a' });
  assert.deepEqual(stored.spec, { schedule: '* *' });
  await env.client.patch(stored, (draft) => void (draft.spec.schedule = '0 *'));
  assert.deepEqual((await env.client.live.get(OldJob, old.metadata)).spec, { cron: '0 *', zone: 'UTC' });
});

test('[WC-16] webhooks of classes and functions reject requests, change requests, and warn about requests', async () => {
  const warnings: string[] = [];
  await using env = await startEnvironment({ kinds });
  const manager = env.manager().add(JobDefaulter, JobValidator, JobConverter);
  manager.validate(
    { for: ConfigMap, name: 'deny.configmap.example.com', objectSelector: { matchLabels: { deny: 'yes' } } },
    [
      () => [],
      () => {
        throw new DeniedError('no such maps');
      },
    ],
  );
  await manager.start();
  const client = env.client.with({ warnings: (message) => void warnings.push(message) });
  const made = await client.create(job('kept', 'hourly'));
  assert.equal(made.spec.class, 'batch');
  assert.deepEqual(warnings, ['"hourly" is deprecated']);
  await assert.rejects(client.create(job('bad', 'often')), (error) => {
    assert.ok(isInvalid(error));
    assert.deepEqual(error.body.details?.causes, [
      {
        reason: 'FieldValueInvalid',
        field: 'spec.schedule',
        message: 'Invalid value: "often": must be in cron format',
      },
    ]);
    assert.match(
      error.body.message ?? '',
      /^admission webhook "validate\.job\.v1\.webhooks\.example\.com" denied the request: Job\.webhooks\.example\.com "bad" is invalid: spec\.schedule: Invalid value: "often"/,
    );
    return true;
  });
  await assert.rejects(client.delete(made), (error) => isForbidden(error) && /this job is kept/.test(error.message));
  const map = new ConfigMap({ metadata: { name: 'm', namespace: 'default', labels: { deny: 'yes' } } });
  await assert.rejects(client.create(map), (error) => isForbidden(error) && /no such maps/.test(error.message));
  // The old version is validated after its conversion, because the webhook matches equivalent versions.
  const old = new OldJob({ metadata: { name: 'old', namespace: 'default' }, spec: { cron: 'often' } });
  await assert.rejects(client.create(old), isInvalid);
});

test('a running manager registers added webhooks, and removes them when it stops', async () => {
  await using env = await startEnvironment({ kinds });
  const manager = env.manager();
  await manager.start();
  await env.client.create(job('before', 'often'));
  manager.add(JobValidator);
  await env.settled();
  await assert.rejects(env.client.create(job('during', 'often')), isInvalid);
  manager.admit(
    { for: Job, subresource: 'status', operations: ['update'] },
    {
      validate: () => [{ field: 'status.seen', message: 'must not be set' }],
    },
  );
  await env.settled();
  const before = await env.client.live.get(Job, { namespace: 'default', name: 'before' });
  await assert.rejects(env.client.patchStatus(before, { seen: 'x' }), isInvalid);
  await manager.stop();
  await env.client.create(job('after', 'often'));
});

/** Returns a webhook configuration as in a generated manifest, for the objects with a label. */
function manifestOf(type: 'Mutating' | 'Validating', label: string): string {
  const action = type === 'Mutating' ? 'mutate' : 'validate';
  const configuration = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: `${type}WebhookConfiguration`,
    metadata: { name: `${action}-configuration` },
    webhooks: [
      {
        name: `${action}.job.webhooks.example.com`,
        admissionReviewVersions: ['v1'],
        clientConfig: {
          service: { name: 'webhook', namespace: 'system', path: `/${action}-webhooks-example-com-v1-job` },
        },
        rules: [
          { apiGroups: ['webhooks.example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['jobs'] },
        ],
        objectSelector: { matchLabels: { [label]: 'yes' } },
        sideEffects: 'None',
      },
    ],
  };
  return `# A comment\n---\n${JSON.stringify(configuration)}\n---\napiVersion: v1\nkind: Service\nmetadata: {name: webhook}\n`;
}

test('[OT-18] a test environment registers the webhook configurations of files and folders', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'webhooks-'));
  t.after(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'webhook'));
  await writeFile(join(folder, 'webhook', 'manifests.yaml'), manifestOf('Validating', 'checked'));
  await writeFile(join(folder, 'mutating.yaml'), manifestOf('Mutating', 'defaulted'));
  await using env = await startEnvironment({
    kinds,
    webhooks: [join(folder, 'webhook'), join(folder, 'mutating.yaml')],
  });
  const manager = env.manager().add(JobDefaulter, JobValidator);
  await manager.start();
  const labeled = (name: string, label: string) =>
    new Job({ metadata: { name, namespace: 'default', labels: { [label]: 'yes' } }, spec: { schedule: 'often' } });
  await assert.rejects(env.client.create(labeled('checked', 'checked')), isInvalid);
  assert.equal((await env.client.create(labeled('defaulted', 'defaulted'))).spec.class, 'batch');
  assert.equal((await env.client.create(labeled('other', 'other'))).spec.class, undefined);
  await manager.stop();
  await env.client.create(labeled('after', 'checked'));
});

test('[OT-18] a test environment rejects paths without valid webhook configurations, and webhooks with an existing cluster', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'webhooks-'));
  t.after(() => rm(folder, { recursive: true }));
  const message = /cannot register the webhooks of .*: it contains no MutatingWebhookConfiguration or Validating/;
  await assert.rejects(startEnvironment({ webhooks: [folder] }), { code: 'NO_MANIFEST', message });
  const old = manifestOf('Mutating', 'old').replace('k8s.io/v1"', 'k8s.io/v1beta1"');
  await writeFile(join(folder, 'old.yaml'), old);
  await assert.rejects(startEnvironment({ webhooks: [folder] }), {
    code: 'INVALID_MANIFEST',
    message: /MutatingWebhookConfiguration has the version admissionregistration\.k8s\.io\/v1beta1; use/,
  });
  await assert.rejects(TestEnvironment.start({ server: 'existing', webhooks: [folder] }), { code: 'NOT_SUPPORTED' });
});
