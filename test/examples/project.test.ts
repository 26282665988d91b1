import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { dynamicKind } from '@kubewright/api';
import { ServiceAccount } from '@kubewright/api/core/v1';
import { covers, permissionsIn, permissionText } from '@kubewright/api/rbac';
import { type Role, RoleBinding } from '@kubewright/api/rbac/v1';
import { kinds } from '@kubewright/example-project';
import type { Connection } from '@kubewright/runtime';
import { kubeconfigOf, TestEnvironment } from '@kubewright/testing';
import { parse } from 'yaml';
import { type ExampleServer, startExampleServer } from './example-server.js';
import { OperatorProcess, run } from './operator-process.js';
import { RecordingProxy } from './recording-proxy.js';
import { shownOutput } from './shown-output.js';

const config = fileURLToPath(new URL('../../../examples/project/config/', import.meta.url));
const crds = [join(config, 'crd/bases')];
const namespace = 'default';
const [Project] = kinds;

describe('the programs client and store, with only the permissions in config/rbac', () => {
  let server: ExampleServer;
  let env: TestEnvironment;
  let proxy: RecordingProxy;
  let role: Role;
  let connection: Connection;

  before(async () => {
    server = await startExampleServer();
    process.env['KUBECONFIG'] = server.kubeconfig;
    env = await TestEnvironment.start({ server: 'existing', crds });
    role = await env.client.create(parse(await readFile(join(config, 'rbac/role.yaml'), 'utf8')) as Role);
    const account = await env.client.create(new ServiceAccount({ metadata: { namespace, name: 'somebody' } }));
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: role.metadata.name };
    const subjects = [{ kind: 'ServiceAccount', namespace, name: 'somebody' }];
    await env.client.create(new RoleBinding({ metadata: { namespace, name: 'somebody' }, roleRef, subjects }));
    const { status } = await env.client.subresource(account, 'token').create({ spec: { audiences: [] } });
    proxy = await RecordingProxy.open(env.connection);
    connection = { ...proxy.connection, token: status?.token ?? '', namespace };
  });
  after(async () => {
    await proxy[Symbol.asyncDispose]();
    await env[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  /** Writes the kubeconfig of the restricted user to a file, and returns the path of the file. */
  async function restrictedKubeconfig(): Promise<string> {
    const file = `${server.kubeconfig}-restricted`;
    await writeFile(file, kubeconfigOf(connection), { mode: 0o600 });
    return file;
  }

  test('the program crd prints the definition in config/crd/bases', async () => {
    const { out } = await run(['examples/project/dist/crd.js']);
    assert.equal(out, await readFile(join(config, 'crd/bases/examples-gzh.com_projects.yaml'), 'utf8'));
  });

  test('the client and the store print the output in the README', async () => {
    for (const [program, ...args] of [['client'], ['store', '--once']] as const) {
      await using child = await OperatorProcess.start(`project/dist/${program}.js`, env, { connection, args });
      const { code, out, err } = await child.ended;
      assert.deepEqual([code, err], [0, ''], out);
      assert.match(out, shownOutput('project', program));
    }
  });

  test('the client and the store handle errors as the README describes', async () => {
    await using store = await OperatorProcess.start('project/dist/store.js', env, { connection });
    await store.until(/^added gzh-cr: 3 replicas, 1 in the store$/m);
    const Untyped = dynamicKind('examples-gzh.com/v1alpha1', 'Project');
    const typo = new Untyped({ metadata: { namespace, name: 'typo' }, spec: { replica: 2 } });
    await assert.rejects(env.client.create(typo, { fieldValidation: 'Strict' }), {
      message: /cannot be handled as a Project: strict decoding error: unknown field "spec\.replica"$/,
    });
    await env.client.delete(await env.client.get(Project, { namespace, name: 'gzh-cr' }));
    await store.until(/^deleted gzh-cr: 3 replicas, 0 in the store$/m);
    await server.kill();
    await store.until(/the API server at .* is not responding/);
    await server.start();
    await env.client.create(new Project({ metadata: { namespace, name: 'later' }, spec: { replicas: 1 } }));
    await store.until(/^added later: 1 replicas, 1 in the store$/m);
    assert.equal((await store.terminate()).code, 0);
  });

  test('the store reports every Project again after the resync period, and accepts the option --kubeconfig', async () => {
    const options = { connection, args: ['--resync', '1s', '--kubeconfig', await restrictedKubeconfig()] };
    await using store = await OperatorProcess.start('project/dist/store.js', env, {
      ...options,
      variables: { KUBECONFIG: '/nonexistent' },
    });
    await store.until(/^resync later: 1 replicas, 1 in the store$/m);
    assert.equal((await store.terminate()).code, 0);
  });

  test('the role grants only permissions that the programs use', () => {
    const unused = permissionsIn(role.rules ?? []).filter(
      (permission) => !proxy.used.some((used) => covers(permission, used)),
    );
    assert.deepEqual(unused.map(permissionText), []);
  });
});
