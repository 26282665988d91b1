import assert from 'node:assert/strict';
import { rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ProgramFolder } from '../test-support/program-folder.js';
import { type InspectOptions, inspect } from './inspect-project.js';
import type { InspectedProject } from './inspected-project.js';

const PACKAGE = '{ "type": "module" }';
const FOO = `
import { defineKind } from '@kubewright/api';
export const Foo = defineKind({ group: 'example.com', version: 'v1', kind: 'Foo', spec: { type: 'object' } });
`;
const MAIN = `
import { ConfigMap } from '@kubewright/api/core/v1';
import { Manager, Result } from '@kubewright/runtime';
import { Foo } from './api/v1/foo.js';
const manager = new Manager({ leaderElection: 'foo' });
manager.control({ name: 'foo', for: Foo, owns: [ConfigMap] }, () => Result.done());
`;

async function inspected(
  files: Readonly<Record<string, string>>,
  options: InspectOptions = {},
): Promise<{ readonly project: InspectedProject; readonly printed: string }> {
  await using folder = await ProgramFolder.create({ 'package.json': PACKAGE, ...files });
  return await inspectedIn(folder, options);
}
async function inspectedIn({ root }: { readonly root: string }, options: InspectOptions = {}) {
  const printed: string[] = [];
  const settings = { name: 'foo', image: 'foo:latest', namespace: 'foo-system', namespaced: false };
  const folders = {
    sourceFolder: join(root, 'src'),
    outFolder: join(root, 'dist'),
    main: join(root, 'dist', 'main.js'),
  };
  const project = await inspect(
    { root, settings, ...folders },
    { print: (text) => void printed.push(text), ...options },
  );
  return { project, printed: printed.join('') };
}
function program(main: string): Readonly<Record<string, string>> {
  return { 'src/api/v1/foo.ts': FOO, 'dist/api/v1/foo.js': FOO, 'dist/main.js': main };
}
function refuses(work: Promise<unknown>, pattern: RegExp, code = 'INSPECTION_FAILED'): Promise<void> {
  return assert.rejects(work, (error: Error & { readonly code?: string }) => {
    assert.match(error.message, pattern);
    assert.equal(error.code, code);
    return true;
  });
}

describe('inspect', () => {
  it('inspect returns the kinds, controllers, and permissions of the program, and prints the output of the program', async () => {
    const { project, printed } = await inspected(
      program(`${MAIN}\nconsole.log('here');\nawait manager.start();\nconsole.log('never');`),
    );
    assert.deepEqual(project.kinds, [
      {
        group: 'example.com',
        version: 'v1',
        kind: 'Foo',
        plural: 'foos',
        namespaced: true,
        external: false,
        file: 'src/api/v1/foo.ts',
      },
    ]);
    assert.deepEqual(
      project.crds.map(({ metadata }) => metadata.name),
      ['foos.example.com'],
    );
    const [controller] = project.operator.controllers;
    assert.equal(controller?.for?.kind.plural, 'foos');
    assert.deepEqual(controller.owns[0]?.kind, {
      group: '',
      version: 'v1',
      kind: 'ConfigMap',
      plural: 'configmaps',
      namespaced: true,
    });
    assert.ok(
      project.permissions.cluster.some(
        (permission) => 'resource' in permission && permission.resource === 'configmaps',
      ),
    );
    assert.equal(printed, 'here\n');
  });

  it('inspect finds kinds without a controller, and ignores the output of deleted sources', async () => {
    const bar = FOO.replaceAll('Foo', 'Bar');
    const files = {
      ...program(`${MAIN}\nawait manager.start();`),
      'src/api/v1/bar.ts': bar,
      'dist/api/v1/bar.js': bar,
    };
    const old = FOO.replaceAll('Foo', 'Old');
    const { project } = await inspected({ ...files, 'dist/api/v1/old.js': old });
    assert.deepEqual(
      project.kinds.map(({ kind }) => kind),
      ['Bar', 'Foo'],
    );
  });

  it('inspect finds kinds in JavaScript sources that are compiled', async () => {
    const { 'src/api/v1/foo.ts': foo, ...files } = program(`${MAIN}\nawait manager.start();`);
    const loose = FOO.replaceAll('Foo', 'Loose');
    const { project } = await inspected({ ...files, 'src/api/v1/foo.js': foo ?? '', 'src/api/v1/loose.js': loose });
    assert.deepEqual(
      project.kinds.map(({ kind, file }) => [kind, file]),
      [['Foo', 'src/api/v1/foo.js']],
    );
    assert.equal(project.crds[0]?.metadata.name, 'foos.example.com');
  });

  it('inspect finds reconciled kinds outside of src/api, and generates no definitions for external kinds', async () => {
    const own = FOO.replaceAll('Foo', 'Own');
    const foreign = FOO.replaceAll('Foo', 'Foreign').replace("kind: 'Foreign'", "kind: 'Foreign', external: true");
    const main = `${MAIN}
import { Own } from './own.js';
import { Packaged } from 'packaged';
for (const [name, kind] of Object.entries({ own: Own, packaged: Packaged, map: ConfigMap })) {
  manager.control({ name, for: kind }, () => Result.done());
}
await manager.start();`;
    const files = {
      ...program(main),
      'src/own.ts': own,
      'dist/own.js': own,
      'dist/node_modules/packaged/package.json': '{ "type": "module", "exports": "./index.js" }',
      'dist/node_modules/packaged/index.js': FOO.replaceAll('Foo', 'Packaged'),
      'src/api/v1/foreign.ts': foreign,
      'dist/api/v1/foreign.js': foreign,
    };
    const { project } = await inspected(files);
    assert.deepEqual(
      project.kinds.map(({ kind, file, external }) => [kind, file, external]),
      [
        ['Foo', 'src/api/v1/foo.ts', false],
        ['Foreign', 'src/api/v1/foreign.ts', true],
        ['Own', 'src/own.ts', false],
      ],
    );
    assert.deepEqual(
      project.crds.map(({ metadata }) => metadata.name),
      ['foos.example.com', 'owns.example.com'],
    );
  });

  it('inspect supports programs that start the manager after a delay, only as the main module, or while other work is pending', async () => {
    for (const start of [
      'setTimeout(() => manager.start(), 1)',
      `import { pathToFileURL } from 'node:url';
      if (import.meta.url === pathToFileURL(process.argv[1]).href) await manager.start()`,
      'setInterval(() => undefined, 1000); await manager.start()',
    ]) {
      const { project } = await inspected(program(`${MAIN}\n${start};`));
      assert.equal(project.operator.controllers.length, 1, start);
    }
  });

  it("inspect ignores variables of Kubewright in the caller's environment", async () => {
    process.env['KUBEWRIGHT_LEADER_ELECTION_NAME'] = 'other';
    try {
      const { project } = await inspected(program(`${MAIN}\nawait manager.start();`));
      assert.equal(project.operator.leaderElection?.name, 'foo');
    } finally {
      delete process.env['KUBEWRIGHT_LEADER_ELECTION_NAME'];
    }
  });

  it('inspect reports the file, line, and column of an error that the program throws', async () => {
    await refuses(
      inspected(program("\n\nthrow new Error('no way');")),
      /project: dist\/main\.js:3:7: no way; the CLI runs the program up to manager\.start\(\) .* in a hook/,
    );
    await refuses(
      inspected(program("null['x'];")),
      /project: dist\/main\.js:1:5: Cannot read properties of null .*'x'\)$/,
    );
    await refuses(inspected(program("import './nowhere.js';")), /project: .*Cannot find module .*nowhere\.js/);
    await refuses(
      inspected(program("setTimeout(() => { throw new Error('later'); }, 1);")),
      /project: dist\/main\.js:1:26: later; the CLI runs the program/,
    );
    await refuses(
      inspected(program("void Promise.reject(new Error('lost'));")),
      /project: dist\/main\.js:1:21: lost; the CLI runs the program/,
    );
    await refuses(inspected(program('await Promise.reject(undefined);')), /project: undefined$/);
  });

  it('inspect rejects programs that start no manager or several managers', async () => {
    await refuses(inspected(program(MAIN)), /the program ended without a call to manager\.start\(\)/);
    await refuses(
      inspected(program('process.exit(3);')),
      /the program ended with exit code 3 before it called manager\.start\(\); access variables, .* in a hook/,
    );
    await refuses(
      inspected(program('await new Promise(() => {});')),
      /the program waits at the top level of a module and does not call manager\.start\(\)/,
    );
    await refuses(
      inspected(program(`${MAIN}\nawait Promise.all([manager.start(), new Manager().start()]);`)),
      /starts two managers; add all controllers to one/,
    );
  });

  it('inspect rejects when the time limit is exceeded or the signal aborts', async () => {
    await refuses(
      inspected(program('await new Promise((done) => setInterval(() => done, 1000));'), { timeLimitMs: 300 }),
      /the program did not call manager\.start\(\) within 0\.3 s/,
    );
    const ended = new AbortController();
    const work = inspected(program('process.stdout.write("on"); setInterval(() => {}, 1000);'), {
      signal: ended.signal,
      print: () => ended.abort(),
    });
    await assert.rejects(work, { name: 'AbortError' });
  });

  it('inspect blocks all connections of the program', async () => {
    let connections = 0;
    await using server = createServer((socket) => {
      connections++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { readonly port: number };
    await refuses(
      inspected(program(`await fetch('http://127.0.0.1:${port}/');`)),
      /project: .*opens a connection before it calls manager\.start\(\)/,
    );
    assert.equal(connections, 0);
  });

  it('inspect reports the file and the name of a class without @Kind', async () => {
    const bare =
      "import { CustomResource } from '@kubewright/api';\nexport class Bare extends CustomResource(Object) {}";
    await refuses(
      inspected({ ...program(`${MAIN}\nawait manager.start();`), 'src/api/bare.ts': bare, 'dist/api/bare.js': bare }),
      /project: src\/api\/bare\.ts: cannot use class Bare as a kind: it has no @Kind/,
    );
  });

  it('inspect includes all versions of reconciled kinds of a linked package, and excludes other kinds of this package', async () => {
    const kind = (name: string, version: string, more = '') =>
      `export const ${name} = defineKind({ group: 'acme.com', version: '${version}', kind: 'Site', spec: { type: 'object' }${more} });`;
    const other = "export const Other = defineKind({ group: 'acme.com', version: 'v1', kind: 'Other', spec: {} });";
    const head = "import { defineKind } from '@kubewright/api';\n";
    const sources = {
      v1: `${head}${kind('Site', 'v1', ', storage: true')}\n${other}\nexport class Site2Spec {}`,
      v2: `${head}${kind('SiteV2', 'v2')}`,
      index: "export { Site } from './v1.js';",
      broken: "throw new Error('not for this operator');",
    };
    const compiled = Object.entries(sources).flatMap(([name, text]) => [
      [`api/src/${name}.ts`, text],
      [`api/dist/${name}.js`, text],
    ]);
    const main = MAIN.replace("'./api/v1/foo.js'", "'@acme/api'").replaceAll('Foo', 'Site');
    await using folder = await ProgramFolder.create({
      ...Object.fromEntries(compiled),
      'api/src/gone.ts': `${head}${kind('Gone', 'v3')}`,
      'api/package.json': '{ "name": "@acme/api", "type": "module", "exports": "./dist/index.js" }',
      'web/package.json': '{ "type": "module", "dependencies": { "@acme/api": "*", "@acme/gone": "*" } }',
      'web/dist/main.js': `${main}\nawait manager.start();`,
      'web/node_modules/@acme/.keep': '',
    });
    await symlink(join(folder.root, 'api'), join(folder.root, 'web/node_modules/@acme/api'));
    const { project } = await inspectedIn({ root: join(folder.root, 'web') });
    assert.deepEqual(
      project.kinds.map(({ kind: name, version, file }) => [name, version, file]),
      [
        ['Site', 'v1', '../api/src/v1.ts'],
        ['Site', 'v2', '../api/src/v2.ts'],
      ],
    );
    assert.deepEqual(
      project.crds.map(({ metadata, spec }) => [metadata.name, spec.versions.length]),
      [['sites.acme.com', 2]],
    );
  });

  it('inspect preserves integers outside the safe range', async () => {
    const schema = "{ type: 'object', properties: { most: { type: 'integer', default: 9007199254740993n } } }";
    const files = program(`${MAIN}\nawait manager.start();`);
    const foo = FOO.replace("{ type: 'object' }", schema);
    const { project } = await inspected({ ...files, 'src/api/v1/foo.ts': foo, 'dist/api/v1/foo.js': foo });
    const whole = project.crds[0]?.spec.versions[0]?.schema?.openAPIV3Schema;
    assert.equal(whole?.properties?.['spec']?.properties?.['most']?.default, 9007199254740993n);
  });

  it('inspect explains that Node.js does not support "paths" of tsconfig.json', async () => {
    const alias = program("import '~api/v1/foo.js';");
    const tsconfig = { compilerOptions: { paths: { '~api/*': ['./src/api/*'] } } };
    await refuses(
      inspected({ ...alias, 'tsconfig.json': JSON.stringify(tsconfig) }),
      /Cannot find package '~api' .*; "paths" in tsconfig\.json affect only the compiler, .* "imports": \{ "#\*": ".\/dist\/\*" \}/,
    );
    await refuses(inspected(alias), /Cannot find package '~api' imported from .+\/dist\/main\.js$/);
  });

  it('inspect reports missing files and packages before the program runs', async () => {
    await refuses(inspected({}), /dist\/main\.js does not exist; create src\/main\.ts/);
    await refuses(
      inspected({ 'src/main.ts': '' }),
      /the compiler does not write dist\/main\.js, although src\/main\.ts exists; set "rootDir": "src" and "outDir": "dist"/,
    );
    await using folder = await ProgramFolder.create({ 'package.json': PACKAGE, ...program(MAIN) });
    await rm(join(folder.root, 'node_modules'));
    await refuses(inspectedIn(folder), /@kubewright\/api is not installed in .*; run 'npm install'/);
    await folder.write('node_modules/@kubewright/api/package.json', '{ "version": "9.9.9" }');
    await refuses(
      inspectedIn(folder),
      /the project has @kubewright\/api 9\.9\.9, but this is kubewright .*cli@9\.9\.9/,
      'VERSION_MISMATCH',
    );
    await rm(join(folder.root, 'node_modules'), { recursive: true });
    await symlink('/nowhere', join(folder.root, 'node_modules'));
    await refuses(inspectedIn(folder), /is not installed/);
  });
});
