import { copyFile, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceAccount } from '@kubewright/api/core/v1';
import type { Connection } from '@kubewright/runtime';
import { Transport } from '@kubewright/runtime/internal';
import { ControlPlaneBinaries, TestEnvironment } from '@kubewright/testing';
import { parse } from 'yaml';
import { pathOf, samplesOf } from './developed-operator.js';
import { areReadyAt } from './readiness.js';
import { StepProgram } from './step-programs.js';
import type { Steps } from './steps.js';

/**
 * Applies the manifests of a project to a real control plane, and runs its bundle until the samples are ready. The bundle runs as in the
 * image: under its service account, with only the permissions of the generated roles.
 */
export async function deployAndRun(project: string, env: NodeJS.ProcessEnv, steps: Steps): Promise<void> {
  await using environment = await steps.step('start a control plane', () =>
    TestEnvironment.start({ server: 'control-plane', workloads: true }),
  );
  const binary = ControlPlaneBinaries.find()?.path('kubectl') ?? 'kubectl';
  const kubeconfig = join(project, '..', 'admin');
  await environment.writeKubeconfig(kubeconfig);
  const kubectl = (...args: readonly string[]): Promise<string> =>
    new StepProgram(binary, args, { cwd: project, env: { ...env, KUBECONFIG: kubeconfig } }).done();

  await steps.step('kubectl apply -k config/default', async () => {
    const output = await kubectl('apply', '-k', 'config/default');
    if (/warning/i.test(output)) throw new Error(`kubectl apply -k config/default warns:\n${output}`);
  });
  const account = await serviceAccountOf(project);
  const own = join(project, '..', 'operator');
  await writeFile(own, await kubeconfigFor(environment.connection, account));
  await kubectl('wait', '--for=condition=Established', '--timeout=30s', 'crd', '--all');

  await steps.step('the operator with only its generated permissions, until ready', async (reached) => {
    const image = await imageOf(project);
    // The environment variables of a Pod, including its namespace.
    const pod = {
      KUBECONFIG: own,
      NODE_ENV: 'production',
      KUBEWRIGHT_LEADER_ELECTION_NAMESPACE: account.metadata.namespace,
    };
    await using program = new StepProgram(process.execPath, ['operator.mjs'], { cwd: image, env: { ...env, ...pod } });
    const transport = new Transport(environment.connection);
    try {
      await kubectl('apply', '-f', 'config/samples');
      const paths = (await samplesOf(project)).map((sample) => pathOf(sample, 'default'));
      await program.until('the sample is ready', () => areReadyAt(transport, paths));
      reached();
    } finally {
      await transport.close();
    }
    await program.interrupt();
    if (/forbidden/i.test(program.text)) throw program.failure('received a forbidden error');
  });
}

/** Creates a folder with the contents of the image: the bundle, without packages. */
async function imageOf(project: string): Promise<string> {
  const folder = join(project, '..', '..', 'image');
  await mkdir(folder);
  await copyFile(join(project, 'dist', 'operator.mjs'), join(folder, 'operator.mjs'));
  await cp(join(project, 'dist', 'operator-chunks'), join(folder, 'operator-chunks'), { recursive: true });
  return folder;
}

async function serviceAccountOf(project: string): Promise<ServiceAccount> {
  const text = await readFile(join(project, 'config', 'rbac', 'service_account.yaml'), 'utf8');
  return parse(text) as ServiceAccount;
}

/** Returns a kubeconfig with the credentials that the kubelet would give to the Pod. */
async function kubeconfigFor(connection: Connection, { metadata }: ServiceAccount): Promise<string> {
  const transport = new Transport(connection);
  const { name, namespace = 'default' } = metadata;
  try {
    const { status } = await transport.request<{ readonly status: { readonly token: string } }>({
      method: 'POST',
      path: `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`,
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
      attempted: `get a token for ${name}`,
    });
    const ca = Buffer.from(connection.ca ?? '').toString('base64');
    return JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'c', cluster: { server: connection.server, 'certificate-authority-data': ca } }],
      users: [{ name: 'u', user: { token: status.token } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u', namespace } }],
      'current-context': 'x',
    });
  } finally {
    await transport.close();
  }
}
