import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ApiServer } from '@kubewright/apiserver';
import { FixtureProject, type Ran } from './fixture-project.js';

interface Finding {
  readonly check: string;
  readonly state: string;
  readonly found: string;
  readonly remedy?: string;
}
/** Returns the findings of the given checks. Other findings depend on the machine. */
function findings({ stdout }: Ran, ...checks: readonly string[]): readonly Finding[] {
  const document = JSON.parse(stdout) as { readonly findings: readonly Finding[] };
  return document.findings.filter(({ check }) => checks.includes(check));
}

const VALIDATOR = `import { type AdmissionContext, Validator, type Violation } from '@kubewright/api';
import { Foo } from '../api/v1/foo.js';

const MOST = 100;

@Validator({ for: Foo, name: 'count.foo.example.com' })
export class FooValidator implements Validator<Foo> {
  validate({ spec }: Foo): Violation[] {
    return spec.count > MOST ? [{ field: 'spec.count', message: \`must be at most \${MOST}\` }] : [];
  }
}

@Validator({ for: Foo, path: '/names' })
export class NameValidator implements Validator<Foo> {
  readonly #allowed = /^foo-/;

  validate({ metadata }: Foo, _old: Foo | undefined, context: AdmissionContext): Violation[] {
    return this.#allowed.test(metadata.name) || context.user.name === 'admin' ? [] : [{ field: 'metadata.name', message: 'is wrong' }];
  }
}
`;

describe('kubewright doctor', () => {
  it('kubewright doctor finds no problems in a valid project', async () => {
    await using project = await FixtureProject.create();
    await project.run(['generate']);
    const { exitCode, stdout, stderr } = await project.run(['doctor']);
    assert.equal(`${exitCode}${stderr}`, '0');
    const lines = stdout.split('\n').filter((line) => !line.startsWith(' ') && !line.startsWith('warning '));
    assert.deepEqual(lines, [
      `ok      Node.js ${process.versions.node}`,
      ...lines.filter((line) => /^ok {6}(npm|kubectl|docker|podman|nerdctl|buildah) /.test(line)),
      `ok      foo-operator in ${project.root}`,
      ...lines.filter((line) => line.startsWith('ok      TypeScript ')),
      'ok      tsconfig.json has the options that decorators require',
      ...lines.filter((line) => /^ok {6}all Kubewright packages have version .*, with one copy of each$/.test(line)),
      'ok      the generated files are up to date',
      '',
    ]);
  });

  it('kubewright doctor reports problems with their solutions, and exits with 1', async () => {
    await using project = await FixtureProject.create();
    const outdated = await project.run(['doctor', '--json']);
    assert.equal(outdated.exitCode, 1);
    const [generated] = findings(outdated, 'generated');
    assert.equal(generated?.state, 'wrong');
    assert.match(generated.remedy ?? '', /^run 'kubewright generate'/);
    await project.edit('src/main.ts', 'FooController)', 'FoController)');
    const [, broken] = findings(await project.run(['doctor', '--json']), 'project');
    assert.match(broken?.found ?? '', /^cannot compile the project:\nsrc\/main\.ts:5:13: /);
    await project.edit('tsconfig.json', '"emitDecoratorMetadata":true', '"emitDecoratorMetadata":false');
    const settings = await project.run(['doctor', '--json']);
    assert.deepEqual(
      findings(settings, 'tsconfig', 'generated').map(({ state, remedy }) => [state, remedy]),
      [['wrong', 'set "emitDecoratorMetadata": true in "compilerOptions" of tsconfig.json']],
    );
    const { exitCode, stdout } = await project.run(['doctor']);
    assert.equal(exitCode, 1);
    assert.match(stdout, /^wrong {3}"emitDecoratorMetadata" is not true: .*\n {8}set /m);
  });

  it('kubewright doctor reports validators that CEL rules can replace, with the rules', async () => {
    await using project = await FixtureProject.create({ 'src/webhooks/foo-validator.ts': VALIDATOR });
    await project.edit(
      'src/main.ts',
      'manager.add(FooController);',
      'manager.add(FooController, FooValidator, NameValidator);',
    );
    await project.edit(
      'src/main.ts',
      'const manager',
      "import { FooValidator, NameValidator } from './webhooks/foo-validator.js';\nconst manager",
    );
    await project.run(['generate']);
    const ran = await project.run(['doctor', '--json']);
    assert.equal(ran.exitCode, 0, ran.stdout);
    assert.deepEqual(findings(ran, 'candidates'), [
      {
        check: 'candidates',
        state: 'note',
        found:
          'class FooValidator in src/webhooks/foo-validator.ts needs no webhook: rules in CEL reject the same objects\n' +
          "@Rule({ rule: 'self.count <= 100', message: 'must be at most 100', fieldPath: '.count' })",
        remedy: 'add the rules to the class of the spec of Foo, and remove the validator',
      },
    ]);
    await project.edit('src/webhooks/foo-validator.ts', '{ for: Foo, name', "{ for: Foo, operations: ['create'], name");
    const [policy] = findings(await project.run(['doctor', '--json']), 'candidates');
    assert.equal(
      policy?.found.split('\n')[1],
      "{ rule: 'object.spec.count <= 100', message: 'spec.count: must be at most 100' }",
    );
    assert.match(policy?.remedy ?? '', /^declare @Policy\(\{ for: Foo, operations: \['create'\], validations: /);
  });

  it('kubewright doctor checks only the machine if there is no project', async () => {
    await using project = await FixtureProject.create({ 'package.json': '{ "name": "other" }' });
    const ran = await project.run(['doctor', '--json']);
    assert.equal(ran.exitCode, 0);
    assert.deepEqual(
      findings(ran, 'node', 'project').map(({ state }) => state),
      ['ok', 'warning'],
    );
  });

  it('kubewright doctor --cluster also checks whether the cluster responds and has the current definitions', async () => {
    await using project = await FixtureProject.create();
    await project.run(['generate']);
    const kubeconfig = join(project.root, 'kubeconfig');
    const server = await ApiServer.start();
    const findingsOfCluster = async (): Promise<readonly Finding[]> =>
      findings(await project.run(['doctor', '--cluster', '--json', '--kubeconfig', kubeconfig]), 'cluster', 'kinds');
    try {
      await project.write('kubeconfig', server.kubeconfig());
      const [cluster, missing] = await findingsOfCluster();
      assert.match(cluster?.found ?? '', /^the cluster .*answers$/);
      assert.deepEqual(missing, {
        check: 'kinds',
        state: 'warning',
        found: 'foos.example.com is not installed',
        remedy: "run 'kubewright install'",
      });
      await project.run(['install', '--kubeconfig', kubeconfig]);
      assert.equal((await findingsOfCluster())[1]?.found, 'foos.example.com is installed as declared');
      await project.edit('src/api/v1/foo.ts', 'minimum: 0', 'minimum: 1');
      await project.run(['generate']);
      const [, differs] = await findingsOfCluster();
      assert.equal(differs?.state, 'wrong');
      assert.match(differs.found, /^foos\.example\.com is installed with a different spec\..*minimum/);
    } finally {
      await server.stop();
    }
    const [unreachable] = await findingsOfCluster();
    assert.equal(unreachable?.state, 'wrong');
    assert.match(unreachable.found, /^cannot reach the cluster /);
  });
});
