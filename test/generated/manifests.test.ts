import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { ManifestsInput } from '@kubewright/cli';
import type { TestEnvironment } from '@kubewright/testing';
import { Kubectl, kubectlBinaries, NO_KUBECTL } from '../kubectl/kubectl.js';
import { selectedServer } from '../server/selected-server.js';
import { startEnvironment } from '../server/start-environment.js';
import { exampleInput, exampleNames, writeManifests } from './example-operators.js';

/** A user's patch that makes the namespace enforce the Pod Security Standard `restricted` and warn about violations. */
const RESTRICTED = `patches:
- target:
    kind: Namespace
  patch: |-
    apiVersion: v1
    kind: Namespace
    metadata:
      name: any
      labels:
        pod-security.kubernetes.io/enforce: restricted
        pod-security.kubernetes.io/warn: restricted
`;

const [binary] = kubectlBinaries().slice(-1);

describe(`manifests applied by kubectl to the ${selectedServer()} server`, {
  skip: binary === undefined && NO_KUBECTL,
}, () => {
  let environment: TestEnvironment;
  let folder: string;
  let kubectl: Kubectl;

  before(async () => {
    const server = selectedServer();
    environment = await startEnvironment({ ...(server !== 'existing' && { workloads: true }) });
    folder = await mkdtemp(join(tmpdir(), 'kubewright-generated-'));
    await environment.writeKubeconfig(join(folder, 'kubeconfig'));
    kubectl = new Kubectl(binary ?? assert.fail(NO_KUBECTL), {
      kubeconfig: join(folder, 'kubeconfig'),
      home: folder,
      namespace: '',
    });
  });
  after(async () => {
    await environment[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  /** Runs kubectl, and returns the standard output. Fails if kubectl fails or prints a warning. */
  const withoutOutput = async (args: string): Promise<string> => {
    const { code, out, err } = await kubectl.run(args);
    assert.deepEqual({ code, err }, { code: 0, err: '' }, `kubectl ${args}\n${out}`);
    return out;
  };

  for (const example of exampleNames) {
    test(`kubectl applies an operator ${example} under the restricted Pod Security Standard, and deletes the operator`, async () => {
      const name = `example-${randomBytes(3).toString('hex')}`;
      const input = exampleInput(example, name);
      const project = join(folder, name);
      await writeManifests(input, project, (path, text) =>
        path.startsWith('config/default/') ? text + RESTRICTED : text,
      );

      await withoutOutput(`apply -k ${project}/config/default`);
      await withoutOutput(`apply -k ${project}/config/default --dry-run=server`);
      await withoutOutput(
        `apply -k ${project}/config/default --dry-run=server --server-side --field-manager=test --force-conflicts`,
      );
      await withoutOutput(`apply -k ${project}/config/network-policy`);
      await checkSamples(project, input);
      await kubectl.ok(
        `wait --for=condition=Available deployment/${name}-controller-manager -n ${name}-system --timeout=90s`,
      );

      if (selectedServer() === 'control-plane') {
        const refusal = await kubectl.refused(`run root --image=example --namespace ${name}-system`);
        assert.match(refusal, /violates PodSecurity "restricted:latest"/);
      }

      // Does not wait, because a real cluster needs several seconds to delete a namespace.
      await kubectl.ok(`delete -k ${project}/config/default --ignore-not-found --wait=false`);
      await kubectl.ok(`delete -k ${project}/config/crd --ignore-not-found --timeout=90s`);
      const listed = `get clusterroles,clusterrolebindings,roles,rolebindings -A -l app.kubernetes.io/name=${name}`;
      assert.equal(await kubectl.ok(`${listed} -o name`), '');
    });
  }

  /** Verifies that the server accepts all samples without a warning, first as a dry run. */
  const checkSamples = async (project: string, { crds }: ManifestsInput): Promise<void> => {
    if (crds.length === 0) return;
    await withoutOutput(
      `wait --for=condition=Established ${crds.map(({ metadata }) => `crd/${metadata.name}`).join(' ')}`,
    );
    await withoutOutput(`apply -f ${project}/config/samples --dry-run=server --validate=strict`);
    await withoutOutput(`apply -f ${project}/config/samples`);
  };

  test('kustomize changes the name prefix and the namespace of an operator with one line each', async () => {
    const project = join(folder, 'copied');
    const input = exampleInput('with protected metrics', 'copied');
    await writeManifests(input, project);
    const overlay = join(project, 'config/default/kustomization.yaml');
    await writeFile(overlay, `${await readFile(overlay, 'utf8')}namePrefix: second-\nnamespace: other\n`);
    const built = await withoutOutput(`kustomize ${project}/config/default`);
    assert.match(built, /kind: ServiceAccount\n\s+name: second-copied-controller-manager\n\s+namespace: other/);
    assert.match(built, /serviceAccountName: second-copied-controller-manager/);
    assert.deepEqual(await readdir(join(project, 'config')), [
      'crd',
      'default',
      'manager',
      'network-policy',
      'prometheus',
      'rbac',
      'samples',
    ]);
  });
});
