import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Condition, dynamicKind, findCondition, type KubeObject } from '@kubewright/api';
import { Job } from '@kubewright/api/batch/v1';
import { Service } from '@kubewright/api/core/v1';
import { servingCertificate } from '@kubewright/apiserver/internal';
import { TestEnvironment } from '@kubewright/testing';
import { ReservedPorts } from '@kubewright/testing/internal';
import { PublicOperator, withLocalWebhooks } from './public-operator.js';

interface JobSet extends KubeObject {
  readonly spec: {
    readonly replicatedJobs: readonly object[];
    readonly successPolicy?: { readonly operator: string };
    readonly failurePolicy?: { readonly maxRestarts: number };
  };
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly restarts?: number;
    readonly terminalState?: string;
  };
}
const JobSet = dynamicKind<JobSet>('jobset.x-k8s.io/v1alpha2', 'JobSet');

const programs = process.env['KUBEWRIGHT_JOBSET'] ?? '';
const skip = programs === '' ? 'JobSet is not built; use npm run build:operators' : false;
const account = { namespace: 'jobset-system', name: 'jobset-controller-manager' };

test('JobSet runs, restarts and fails sets of Jobs on the embedded API server', { skip }, async () => {
  await using env = await TestEnvironment.start({ server: 'embedded', workloads: true });
  await using ports = await ReservedPorts.take(1);
  await using operator = await PublicOperator.of(env);
  await startJobSet(operator, ports.ports[0] ?? 0);

  const create = (name: string, maxRestarts: number, jobs: Readonly<Record<string, number>>, more: object = {}) => {
    const spec = {
      ...more,
      failurePolicy: { maxRestarts },
      replicatedJobs: Object.entries(jobs).map(([job, replicas]) => ({ name: job, replicas, template: jobTemplate })),
    };
    return env.client.create(new JobSet({ metadata: { name, namespace: 'default' }, spec }));
  };
  const finished = ({ metadata }: JobSet): Promise<JobSet> =>
    env.cluster.cache.until(JobSet, metadata, ({ status }) => status?.terminalState !== undefined, {
      timeout: '10m',
    });

  // The webhook that sets defaults listens later than the controller starts.
  const training = await operator.eventually(() => create('training', 0, { leader: 1, workers: 2 }));
  assert.equal(training.spec.successPolicy?.operator, 'All');
  const completed = await finished(training);
  assert.equal(findCondition(completed, 'Completed')?.status, 'True');
  const jobs = await env.client.live.list(Job, { namespace: 'default' });
  assert.deepEqual(
    jobs.map(({ metadata, status }) => `${metadata.name} ${status?.succeeded}`),
    ['training-leader-0 2', 'training-workers-0 2', 'training-workers-1 2'],
  );
  const service = await env.client.live.get(Service, { namespace: 'default', name: 'training' });
  assert.equal(service.spec?.clusterIP, 'None');

  // Each restart creates the Jobs again, with another label.
  env.pods.behave('jobset.sigs.k8s.io/restart-attempt=0', { exitCode: 1 });
  const flaky = await finished(await create('flaky', 1, { main: 1 }));
  assert.deepEqual([flaky.status?.terminalState, flaky.status?.restarts], ['Completed', 1]);
  const broken = await finished(await create('broken', 0, { main: 1 }));
  assert.equal(broken.status?.terminalState, 'Failed');
  assert.equal(findCondition(broken, 'Failed')?.reason, 'ReachedMaxRestarts');

  const successPolicy = { operator: 'All', targetReplicatedJobs: ['missing'] };
  await assert.rejects(
    create('invalid', 0, { main: 1 }, { successPolicy }),
    /vjobset\.kb\.io.*invalid replicatedJob name 'missing'/,
  );
});

const container = { name: 'main', image: 'example.com/main', command: ['sh', '-c', 'exit 0'] };
const jobTemplate = {
  spec: {
    backoffLimit: 0,
    completions: 2,
    parallelism: 2,
    template: { spec: { restartPolicy: 'Never', containers: [container] } },
  },
};

/** Installs JobSet from its manifests, and starts its program with webhooks on a port of 127.0.0.1. */
async function startJobSet(operator: PublicOperator, port: number): Promise<void> {
  const { certificateAuthority, certificate, key } = servingCertificate('127.0.0.1');
  const certificates = join(operator.folder, 'certificates');
  await mkdir(certificates);
  await writeFile(join(certificates, 'tls.crt'), certificate);
  await writeFile(join(certificates, 'tls.key'), key);

  const manifests = await operator.kustomized(join(programs, 'config', 'default'));
  const webhooks = { url: `https://127.0.0.1:${port}`, authority: certificateAuthority };
  // The program runs on this machine instead of in a Pod.
  await operator.apply(
    withLocalWebhooks(
      manifests.filter(({ kind }) => kind !== 'Deployment'),
      webhooks,
    ),
  );

  const configuration = join(operator.folder, 'configuration.json');
  await writeFile(
    configuration,
    JSON.stringify({
      apiVersion: 'config.jobset.x-k8s.io/v1alpha1',
      kind: 'Configuration',
      leaderElection: { leaderElect: true, resourceNamespace: account.namespace },
      internalCertManagement: { enable: false },
      metrics: { bindAddress: '0' },
      health: { healthProbeBindAddress: '0' },
      webhook: { host: '127.0.0.1', port, certDir: certificates },
    }),
  );
  await operator.start(join(programs, 'jobset'), account, () => [`--config=${configuration}`]);
}
