import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { dynamicKind, type KubeObject } from '@kubewright/api';
import { ValidatingAdmissionPolicy } from '@kubewright/api/admissionregistration/v1';
import { connect } from '@kubewright/runtime';
import { FixtureProject } from './fixture-project.js';
import { RunningCommand } from './running-command.js';

const POLICIES = `import { CustomResource, Field, Kind, Policy } from '@kubewright/api';
import { Foo } from '../api/v1/foo.js';

class LimitsSpec {
  @Field.int32() maxCount!: number;
}
/** The limits of Foos. Only a policy uses this kind. */
@Kind({ group: 'example.com', version: 'v1' })
export class Limits extends CustomResource(LimitsSpec) {}

@Policy({
  for: Foo,
  validations: [{ rule: 'object.spec.count <= params.spec.maxCount', message: 'the count exceeds the limit' }],
  params: Limits,
  bindings: [{ params: { name: 'limits', onMissing: 'Allow' } }],
})
export class FooLimits {}

@Policy({ for: Foo, mutations: [{ apply: "Object{metadata: Object.metadata{labels: {'team': 'none'}}}" }] })
export class FooLabels {}
`;
const MAIN = `import { Manager } from '@kubewright/runtime';
import { FooController } from './controllers/foo-controller.js';
import { FooLabels, FooLimits } from './policies/foo-policies.js';

const manager = new Manager({ leaderElection: 'foo-operator' });
manager.add(FooController);
manager.add(FooLimits);
manager.add(FooLabels);
await manager.start();
`;

interface Foo extends KubeObject {
  readonly spec: object;
}
const kindOf = (kind: string): (new (init: object) => Foo) =>
  dynamicKind('example.com/v1', kind) as unknown as new (
    init: object,
  ) => Foo;
const [Foo, Limits] = [kindOf('Foo'), kindOf('Limits')];

function projectWithPolicies(): Promise<FixtureProject> {
  return FixtureProject.create({ 'src/policies/foo-policies.ts': POLICIES, 'src/main.ts': MAIN });
}

describe('policies of a project', () => {
  it('kubewright generate writes the policies and the kind of their parameters, and checks the expressions', async () => {
    await using project = await projectWithPolicies();
    const { exitCode, stdout, stderr } = await project.run(['generate']);
    assert.equal(exitCode, 0, stderr);
    assert.match(stdout, /^wrote config\/policy\/policies\.yaml$/m);
    const manifests = await project.read('config/policy/policies.yaml');
    assert.match(manifests, /^kind: ValidatingAdmissionPolicy\nmetadata:\n {2}name: foo-operator-foo-limits$/m);
    assert.match(manifests, /^kind: MutatingAdmissionPolicyBinding\nmetadata:\n {2}name: foo-operator-foo-labels$/m);
    assert.match(await project.read('config/crd/bases/example.com_limits.yaml'), /maxCount:/);
    const roles = await project.read('config/rbac/role.yaml');
    assert.doesNotMatch(roles, /admissionregistration|limits/);
    assert.equal((await project.run(['generate', '--check'])).exitCode, 0);

    await project.edit('src/policies/foo-policies.ts', 'params.spec.maxCount', 'params.spec.maxCuont');
    const refused = await project.run(['generate']);
    assert.equal(refused.exitCode, 3);
    assert.match(
      refused.stderr,
      /^error: the policy of class FooLimits is not valid: validations\[0\]\.rule: undefined field 'maxCuont' \(at column 33; did you mean 'maxCount'\?\)$/m,
    );

    await project.write(
      'src/main.ts',
      MAIN.replace(/^manager\.add\(Foo(Limits|Labels)\);$|^import .*policies.*$/gm, ''),
    );
    assert.match((await project.run(['generate'])).stdout, /^removed config\/policy\/policies\.yaml$/m);
  });

  it('kubewright dev writes the policies to its API server, and deletes a policy that the project no longer has', async () => {
    await using project = await projectWithPolicies();
    await using dev = new RunningCommand(project.start(['dev']));
    await dev.until(/^the API server enforces the policies of the operator: foo-limits, foo-labels$/);
    await dev.until(/^running after/);
    await using cluster = await connect({ kubeconfig: join(project.root, '.kubewright', 'kubeconfig') });
    const { client } = cluster;
    const metadata = { name: 'limits', namespace: 'default' };
    await client.create(new Limits({ metadata, spec: { maxCount: 5 } }));
    const created = await client.create(new Foo({ metadata: { ...metadata, name: 'one' }, spec: { count: 5 } }));
    assert.equal(created.metadata.labels?.['team'], 'none');
    const large = new Foo({ metadata: { ...metadata, name: 'two' }, spec: { count: 6 } });
    await assert.rejects(client.create(large), { status: 422, message: /denied request: the count exceeds the limit/ });

    await project.edit('src/main.ts', 'manager.add(FooLimits);', '');
    await dev.until(/^the API server enforces the policies of the operator: foo-labels$/);
    await client.create(large);
    assert.deepEqual(await client.live.list(ValidatingAdmissionPolicy), []);
  });
});
