import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { ServiceAccount } from '@kubewright/api/core/v1';
import {
  covers,
  isAllowed,
  type OperatorPermissions,
  type Permission,
  permissionText,
  rolesOf,
  rulesOf,
} from '@kubewright/api/rbac';
import * as virtualMachine from '@kubewright/example-virtual-machine';
import { ControlPlane, kubeconfigOf, TestEnvironment } from '@kubewright/testing';
import { OperatorProcess } from '../examples/operator-process.js';
import { inspectedPermissions } from '../generated/rbac/inspected-permissions.js';
import { OPERATORS } from '../generated/rbac/operators.js';

const main = 'examples/virtual-machine/dist/main.js';
const policy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived, ResponseStarted]
rules: [{ level: Metadata }]
`;

/** The fields that the test reads from a line of the audit log. */
interface Audited {
  readonly verb: string;
  readonly requestURI: string;
  readonly user: { readonly username: string };
  readonly objectRef?: {
    readonly apiGroup?: string;
    readonly resource: string;
    readonly subresource?: string;
    readonly namespace?: string;
    readonly name?: string;
  };
  readonly responseStatus?: { readonly code: number };
  readonly annotations?: Readonly<Record<string, string>>;
}

/** The cluster writes an audit log. Its admission plugin rejects blockOwnerDeletion without permission for the finalizers of the owner. */
describe('the audit log of an operator with only its derived roles', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kubewright-audit-'));
  const log = join(folder, 'audit.log');
  const kubeconfig = process.env['KUBECONFIG'];
  let plane: ControlPlane;
  let permissions: OperatorPermissions;

  before(async () => {
    writeFileSync(join(folder, 'policy.yaml'), policy);
    plane = await ControlPlane.start({
      workloads: true,
      apiServerFlags: [
        '--enable-admission-plugins=OwnerReferencesPermissionEnforcement',
        `--audit-policy-file=${join(folder, 'policy.yaml')}`,
        `--audit-log-path=${log}`,
      ],
    });
    process.env['KUBECONFIG'] = join(folder, 'kubeconfig');
    writeFileSync(process.env['KUBECONFIG'], kubeconfigOf(plane.connection), { mode: 0o600 });
    permissions = await inspectedPermissions(main);
  });
  after(async () => {
    if (kubeconfig === undefined) delete process.env['KUBECONFIG'];
    else process.env['KUBECONFIG'] = kubeconfig;
    await plane.stop();
    rmSync(folder, { recursive: true });
  });

  test('the audit log contains only allowed requests, and a request for each permission that this operator uses', async () => {
    await using env = await TestEnvironment.start({ server: 'existing', kinds: virtualMachine.kinds });
    await using program = await run(env, 'exact', permissions);
    const operator = OPERATORS.find((one) => one.main === main);
    await operator?.exercise(env, undefined);
    assert.equal((await program.terminate()).code, 0);
    const done = audited('exact');
    assert.deepEqual(
      done.filter(({ annotations = {} }) => annotations['authorization.k8s.io/decision'] !== 'allow'),
      [],
    );
    const used = done.map(permissionOf).filter((permission) => 'group' in permission);
    assert.ok(used.length > 0);
    assert.deepEqual(
      used.filter((permission) => !isAllowed(rulesOf(permissions.cluster), permission)).map(permissionText),
      [],
    );
    const unused = permissions.cluster.filter((permission) => !used.some((one) => covers(permission, one)));
    assert.deepEqual(
      unused
        .map(permissionText)
        .filter((text) => !/^(get|list) |\/finalizers |^create events|^patch events/.test(text)),
      [
        // An apply of an absent object is one patch request, for which the server also checks the permission to create.
        'create pods',
        'create services',
        // The operator creates these reviews only when a client requests its metrics.
        'create tokenreviews of authentication.k8s.io',
        'create subjectaccessreviews of authorization.k8s.io',
      ],
    );
  });

  test('the operator logs that the server rejects a child because the operator lacks permission to update the finalizers of the owner', async () => {
    const less = without(permissions, (permission) => permission.resource.endsWith('/finalizers'));
    await using env = await TestEnvironment.start({ server: 'existing', kinds: virtualMachine.kinds });
    await using program = await run(env, 'no-finalizers', less);
    const [sample] = virtualMachine.samples;
    assert.ok(sample);
    await env.client.create(sample);
    await program.until(/cannot set blockOwnerDeletion/);
    await program.terminate();
    await release(env, sample);
  });

  test('the operator logs the @Rbac decorator that grants a missing permission', async () => {
    const less = without(permissions, ({ resource, verb }) => resource === 'services' && verb === 'create');
    await using env = await TestEnvironment.start({ server: 'existing', kinds: virtualMachine.kinds });
    await using program = await run(env, 'no-services', less);
    const [sample] = virtualMachine.samples;
    assert.ok(sample);
    await env.client.create(sample);
    await program.until(
      /add @Rbac\(\{ groups: \[''\], resources: \['services'\], verbs: \['create'\] \}\) to the controller class/,
    );
    await program.terminate();
    await release(env, sample);
  });

  /** Runs the program as a new ServiceAccount with the given name and permissions. */
  async function run(env: TestEnvironment, name: string, granted: OperatorPermissions): Promise<OperatorProcess> {
    const account = await env.client.create(new ServiceAccount({ metadata: { name, namespace: 'default' } }));
    const names = { prefix: `${name}-`, namespace: 'default', serviceAccount: name };
    for (const role of rolesOf(granted, names)) await env.client.create(role);
    const { status } = await env.client.subresource(account, 'token').create({ spec: { audiences: [] } });
    return OperatorProcess.start(main, env, {
      connection: { ...env.connection, token: status?.token ?? '' },
      folder: '.',
    });
  }
  /** Returns the audit entries of the ServiceAccount. */
  function audited(name: string): readonly Audited[] {
    const lines = readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
    const all = lines.map((line) => JSON.parse(line) as Audited);
    return all.filter(({ user }) => user.username === `system:serviceaccount:default:${name}`);
  }
});

/** Removes all finalizers of an object whose operator no longer runs. */
async function release(env: TestEnvironment, object: KubeObject): Promise<void> {
  await env.client.patch(await env.read(object), (draft) => {
    draft.metadata.finalizers = [];
  });
}
function without(
  permissions: OperatorPermissions,
  isLeftOut: (permission: { resource: string; verb: string }) => boolean,
): OperatorPermissions {
  return {
    ...permissions,
    cluster: permissions.cluster.filter((permission) => !('group' in permission && isLeftOut(permission))),
  };
}
function permissionOf({ verb, requestURI, objectRef }: Audited): Permission {
  if (objectRef === undefined) return { url: requestURI.replace(/\?.*/, ''), verb };
  const { apiGroup: group = '', resource, subresource, namespace, name } = objectRef;
  return {
    group,
    resource: subresource === undefined ? resource : `${resource}/${subresource}`,
    verb,
    ...(namespace !== undefined && { namespace }),
    ...(name !== undefined && { name }),
  };
}
