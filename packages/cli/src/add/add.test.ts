import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { TemporaryProject } from '../test-support/temporary-project.js';

const parcels = fileURLToPath(new URL('../../src/test-support/parcels.yaml', import.meta.url));

/** Returns the exit code and the error message of a failing command. Verifies that the command changes no file. */
async function refusal(project: TemporaryProject, ...args: readonly string[]): Promise<string> {
  const before = await project.files();
  const { exitCode, stdout, stderr } = await project.run('add', ...args);
  assert.notEqual(exitCode, 0, args.join(' '));
  assert.equal(stdout, '');
  assert.deepEqual(await project.files(), before);
  return `${exitCode} ${stderr.trim()}`;
}

describe('kubewright add api', () => {
  it('kubewright add api preserves a UTF-8 BOM at the start of the main program', async (t) => {
    const project = await TemporaryProject.make(t);
    await project.write('src/main.ts', `\uFEFF${await project.read('src/main.ts')}`);
    await project.run('add', 'api', '--kind', 'Alias');
    assert.match(await project.read('src/main.ts'), /^\uFEFFimport [^\uFEFF]*AliasController[^\uFEFF]*$/);
  });

  it('kubewright add api writes a kind, a controller, and a test, and adds the controller to the program; a second run changes nothing', async (t) => {
    const project = await TemporaryProject.make(t);
    const { exitCode, stdout } = await project.run(
      'add',
      'api',
      '--kind',
      'Database',
      '--group',
      'data',
      '--version',
      'v1beta1',
    );
    assert.equal(exitCode, 0);
    assert.equal(
      stdout,
      `added Database (data.example.com/v1beta1)
wrote src/api/data/v1beta1/database.ts
wrote src/controllers/database-controller.ts
wrote src/controllers/database-controller.test.ts
changed src/main.ts
declare the fields of Database in src/api/data/v1beta1/database.ts, and then run 'kubewright generate' to write the manifests
`,
    );
    assert.equal(
      await project.read('src/main.ts'),
      `import { Manager } from '@kubewright/runtime';
import { DatabaseController } from './controllers/database-controller.js';
import { WebsiteController } from './controllers/website-controller.js';

const manager = new Manager({ leaderElection: 'web-operator' });
manager.add(WebsiteController);
manager.add(DatabaseController);
await manager.start();
`,
    );
    const before = await project.files();
    const again = await project.run('add', 'api', '--kind', 'Database', '--group', 'data', '--version', 'v1beta1');
    assert.deepEqual(
      [again.exitCode, again.stdout],
      [0, 'nothing changed: Database (data.example.com/v1beta1) already exists in src/api/data/v1beta1/database.ts\n'],
    );
    assert.deepEqual(await project.files(), before);
  });
  it('kubewright add api derives the group and the folder layout from the project', async (t) => {
    const project = await TemporaryProject.make(t);
    const created = async (...args: readonly string[]): Promise<readonly string[]> => {
      const { stdout } = await project.run('add', 'api', '--no-controller', '--json', ...args);
      return (JSON.parse(stdout) as { readonly created: readonly string[] }).created;
    };
    assert.deepEqual(await created('--kind', 'Page'), ['src/api/v1/page.ts']);
    assert.match(await project.read('src/api/v1/page.ts'), /group: 'example\.com', version: 'v1'/);
    assert.deepEqual(await created('--kind', 'Invoice', '--group', 'billing.example.com'), [
      'src/api/billing/v1/invoice.ts',
    ]);
    assert.deepEqual(await created('--kind', 'Bill', '--group', 'billing'), ['src/api/billing/v1/bill.ts']);
    assert.deepEqual(await created('--kind', 'Zone', '--group', 'dns.other.io'), ['src/api/dns.other.io/v1/zone.ts']);
    assert.deepEqual(await created('--kind', 'Blog', '--group', 'example.com', '--cluster-scoped'), [
      'src/api/v1/blog.ts',
    ]);
    assert.match(await project.read('src/api/v1/blog.ts'), /scope: 'Cluster'/);
  });
  it('kubewright add api rejects invalid names and existing kinds, and suggests valid options', async (t) => {
    const project = await TemporaryProject.make(t);
    await project.run('add', 'api', '--kind', 'Invoice', '--group', 'billing', '--no-controller');
    assert.deepEqual(
      await Promise.all(
        [
          ['--kind', 'data-base'],
          ['--kind', 'Website', '--group', 'example.com', '--version', 'v2'],
          ['--kind', 'Page'],
          ['--kind', 'Page', '--group', 'Web Pages'],
          ['--kind', 'Page', '--group', 'billing', '--version', '2'],
          ['--kind', 'Website', '--group', 'billing'],
        ].map((args) => refusal(project, 'api', ...args)),
      ),
      [
        "2 error: cannot add data-base: kind 'data-base' is not a name in PascalCase; use 'DataBase'",
        '2 error: cannot add Website (example.com/v2): the kind already exists as v1 in src/api/v1/website.ts; run: kubewright add version --kind Website --from v1 --version v2',
        '2 error: cannot add Page: the project has the groups billing.example.com, example.com; pass --group with one of them',
        "2 error: cannot add Page: group 'Web Pages' does not consist of lowercase words separated by dots, with at most 63 characters per word; use 'web-pages'",
        "2 error: cannot add Page: version '2' is not a valid version of a Kubernetes API; use 'v1', 'v1beta1' or 'v1alpha1'",
        '2 error: cannot add Website: src/controllers/website-controller.ts already exists for another kind; pass --no-controller, and then run: kubewright add controller --kind Website --group billing.example.com --name another-name',
      ],
    );
  });
  it('the errors of kubewright add version and add controller contain the group of the kind if --group is another group', async (t) => {
    const project = await TemporaryProject.make(t);
    for (const what of ['version', 'controller'] as const) {
      const version = what === 'version' ? ['--version', 'v2'] : [];
      assert.equal(
        await refusal(project, what, '--kind', 'Website', '--group', 'billing', ...version),
        '2 error: cannot add to Website: the project declares this kind in example.com, not in the group billing; pass --group example.com',
      );
    }
  });
  it('kubewright add api writes nothing if it cannot change the program, and prints the lines to add', async (t) => {
    const project = await TemporaryProject.make(t);
    await project.write('src/main.ts', "import { run } from './operator.js';\n\nawait run();\n");
    assert.equal(
      await refusal(project, 'api', '--kind', 'Page'),
      `3 error: cannot add PageController to src/main.ts: the file does not create a manager; no file was written. Add these two lines, and run the command again:
  import { PageController } from './controllers/page-controller.js';
  manager.add(PageController);`,
    );
    const main =
      "import { PageController } from './controllers/page-controller.js';\nimport { run } from './operator.js';\n\nawait run(PageController);\n";
    await project.write('src/main.ts', main);
    assert.equal((await project.run('add', 'api', '--kind', 'Page')).exitCode, 0);
    assert.equal(await project.read('src/main.ts'), main);
  });
  it('the error of kubewright add api states why the program cannot be changed', async (t) => {
    const project = await TemporaryProject.make(t);
    const main = await project.read('src/main.ts');
    const reason = async (text: string): Promise<string | undefined> => {
      await project.write('src/main.ts', text);
      return /src\/main\.ts: (.*); no file was written/.exec(await refusal(project, 'api', '--kind', 'Page'))?.[1];
    };
    assert.equal(await reason('const {'), 'the file does not exist or is not valid TypeScript');
    assert.equal(await reason(`${main}new Manager();\n`), 'the file creates 2 managers');
    const elsewhere = { 'src/a.ts': main, 'src/b.ts': main };
    for (const [path, text] of Object.entries(elsewhere)) await project.write(path, text);
    await rm(join(project.root, 'src/main.ts'));
    assert.match(
      await refusal(project, 'api', '--kind', 'Page'),
      /^3 error: cannot add PageController to src\/main\.ts: the file does not exist or is not valid TypeScript; /,
    );
  });
  it('kubewright add api does not overwrite files', async (t) => {
    const project = await TemporaryProject.make(t);
    await project.write('src/controllers/page-controller.test.ts', '// mine\n');
    assert.equal(
      await refusal(project, 'api', '--kind', 'Page'),
      '3 error: cannot add Page (example.com/v1): src/controllers/page-controller.test.ts already exists with other content; move the file away, or choose another name; no file was written',
    );
  });
});

describe('kubewright add version', () => {
  it('kubewright add version copies the source of a kind without changing the storage version', async (t) => {
    const project = await TemporaryProject.make(t);
    await project.write('src/api/v1/theme.ts', 'export class Theme {}\n');
    await project.change('src/api/v1/website.ts', 'import {', "import { Theme } from './theme.js';\n// mine\nimport {");
    const before = await project.read('src/api/v1/website.ts');
    const { stdout } = await project.run('add', 'version', '--kind', 'Website', '--version', 'v2');
    assert.match(
      stdout,
      /^added Website \(example\.com\/v2\)\nwrote src\/api\/v2\/website\.ts\nchanged src\/api\/v1\/website\.ts\n/,
    );
    assert.equal(
      await project.read('src/api/v1/website.ts'),
      before.replace("version: 'v1' }", "version: 'v1', storage: true }"),
    );
    assert.equal(
      await project.read('src/api/v2/website.ts'),
      before.replace("version: 'v1'", "version: 'v2'").replace('./theme.js', '../v1/theme.js'),
    );
    const again = await project.run('add', 'version', '--kind', 'Website', '--version', 'v2');
    assert.match(
      again.stdout,
      /^nothing changed: Website \(example\.com\/v2\) already exists in src\/api\/v2\/website\.ts\n$/,
    );
  });
  it('kubewright add version makes the new version the storage version with --stored', async (t) => {
    const project = await TemporaryProject.make(t);
    await project.change('src/api/v1/website.ts', "version: 'v1' }", "version: 'v1', storage: true,\n}");
    await project.run('add', 'version', '--kind', 'Website', '--version', 'v2', '--stored');
    assert.match(await project.read('src/api/v1/website.ts'), /version: 'v1', storage: false,\n\}/);
    assert.match(await project.read('src/api/v2/website.ts'), /version: 'v2', storage: true,\n\}/);
    await project.run('add', 'version', '--kind', 'Website', '--version', 'v3', '--from', 'v1');
    assert.match(await project.read('src/api/v3/website.ts'), /version: 'v3', storage: false,\n\}/);
  });
  it('kubewright add version rejects unknown kinds, unknown versions, and sources that it cannot copy', async (t) => {
    const project = await TemporaryProject.make(t);
    const args = ['version', '--kind', 'Website', '--version', 'v2'];
    assert.equal(
      await refusal(project, 'version', '--kind', 'Page', '--version', 'v2'),
      '2 error: cannot add to Page: the project declares Website; run: kubewright add api --kind Page',
    );
    assert.equal(
      await refusal(project, ...args, '--from', 'v3'),
      '2 error: cannot add a version of Website: the kind has no version v3; pass --from with one of v1',
    );
    await project.change('src/api/v1/website.ts', "version: 'v1'", 'version');
    assert.match(
      await refusal(project, ...args),
      /^3 error: cannot copy Website: the version in @Kind of src\/api\/v1\/website\.ts is not a string literal; /,
    );
  });
});

describe('kubewright add controller', () => {
  it('kubewright add controller adds a controller for a built-in kind', async (t) => {
    const project = await TemporaryProject.make(t);
    const { stdout } = await project.run('add', 'controller', '--kind', 'Deployment');
    assert.match(stdout, /^added DeploymentController, for Deployment \(apps\/v1\)\n/);
    assert.equal(
      await project.read('src/controllers/deployment-controller.ts'),
      `import { Deployment } from '@kubewright/api/apps/v1';
import { Controller, type ReconcileContext, type Reconciler, Result } from '@kubewright/runtime';

@Controller({ for: Deployment })
export class DeploymentController implements Reconciler<Deployment> {
  /** Brings the cluster to the desired state of the Deployment. Called after each change, regardless of what changed. */
  async reconcile(deployment: Deployment, { log }: ReconcileContext): Promise<Result> {
    log.info(\`reconciling \${deployment.metadata.name}\`);
    return Result.done();
  }
}
`,
    );
    assert.match(await project.read('src/controllers/deployment-controller.test.ts'), /objects: \[sample\]/);
    const second = await project.run('add', 'controller', '--kind', 'Deployment', '--name', 'deployment-guard');
    assert.match(second.stdout, /^added DeploymentGuardController, for Deployment/);
    assert.match(
      await project.read('src/main.ts'),
      /manager\.add\(DeploymentController\);\nmanager\.add\(DeploymentGuardController\);/,
    );
  });
  it('kubewright add controller generates the types of a kind of another operator from the CustomResourceDefinition', async (t) => {
    const project = await TemporaryProject.make(t);
    const args = ['add', 'controller', '--kind', 'Parcel', '--crd', parcels];
    const { stdout } = await project.run(...args);
    assert.equal(
      stdout,
      `added ParcelController, for Parcel (post.example.com/v1)
wrote src/external/post.example.com/v1/parcel.ts
wrote src/controllers/parcel-controller.ts
wrote src/controllers/parcel-controller.test.ts
changed src/main.ts
implement the reconcile method in src/controllers/parcel-controller.ts
`,
    );
    assert.match(await project.read('src/external/post.example.com/v1/parcel.ts'), /external: true,?\s*\}\)/);
    assert.match(
      await project.read('src/controllers/parcel-controller.ts'),
      /for: Parcel, reconcileCondition: false \}/,
    );
    assert.match((await project.run(...args)).stdout, /nothing changed/);
    assert.equal(
      await refusal(project, 'controller', '--kind', 'Letter', '--crd', parcels),
      `2 error: cannot add a controller for Letter: ${parcels} has no definition of this kind; it has the definitions of Parcel (post.example.com)`,
    );
    assert.match(
      await refusal(project, 'controller', '--kind', 'Parcel', '--crd', 'no.yaml'),
      /^3 error: .* no\.yaml: the file does not exist$/,
    );
  });
  it('kubewright add controller selects the storage version if the project declares several versions of a kind of another operator', async (t) => {
    const project = await TemporaryProject.make(t);
    const declare = async (version: string, options: string): Promise<void> => {
      const text = `import { CustomResource, Kind } from '@kubewright/api';

@Kind({ group: 'post.example.com', version: '${version}', external: true${options} })
export class Letter extends CustomResource(undefined) {}
`;
      await project.write(`src/external/post.example.com/${version}/letter.ts`, text);
    };
    await declare('v1', '');
    await declare('v2', '');
    const args = ['controller', '--kind', 'Letter'];
    const several =
      '2 error: cannot add a controller for Letter: the kind has several versions; pass --version with one of v1, v2';
    assert.equal(await refusal(project, ...args), several);
    await declare('v2', ', storage: true');
    await project.write(
      'src/controllers/letter-controller.ts',
      `import { Controller } from '@kubewright/runtime';
import { Letter } from '../external/post.example.com/v2/letter.js';

@Controller({ for: Letter })
export class LetterController {}
`,
    );
    const { stdout } = await project.run('add', ...args);
    assert.match(
      stdout,
      /^nothing changed: LetterController, for Letter \(post\.example\.com\/v2\) already exists in /,
    );
  });
  it('kubewright add controller rejects unknown kinds, invalid names, and a second controller without a name', async (t) => {
    const project = await TemporaryProject.make(t);
    assert.match(
      await refusal(project, 'controller', '--kind', 'Website', '--version', 'v9'),
      /^2 error: cannot add a controller for Website: the kind has no version v9; pass --version with one of v1$/,
    );
    assert.equal(
      await refusal(project, 'controller', '--kind', 'Nix'),
      '2 error: cannot add to Nix: the project declares Website; run: kubewright add api --kind Nix',
    );
    assert.equal(
      await refusal(project, 'controller', '--kind', 'Deploymnt'),
      '2 error: cannot add to Deploymnt: the project declares Website; did you mean Deployment? Otherwise run: kubewright add api --kind Deploymnt',
    );
    assert.match(
      await refusal(project, 'controller', '--kind', 'Pod', '--name', 'Pod Guard'),
      /^2 error: cannot add a controller for Pod: the name 'Pod Guard' is not a valid name for a namespace; use 'pod-guard'/,
    );
    await project.run('add', 'controller', '--kind', 'Pod', '--name', 'guard');
    assert.match(
      await refusal(project, 'controller', '--kind', 'Pod'),
      /src\/controllers\/guard-controller\.ts already has a controller for this kind; pass --name to add another controller$/,
    );
  });
});
