import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { CommandContext, commandModel, programOf } from '@kubewright/cli';
import { InProcessCommand } from '../../command-line/in-process-command.js';
import { RunningCommand } from '../../command-line/running-command.js';
import { goldens, matrix } from './matrix.js';
import { filesIn, ScaffoldProject } from './scaffold-project.js';

const RENEW = 'review the changes; if they are intended, run: node test/dist/scaffold/matrix/renew-goldens.js';
/** Maximum number of files that an author must know. Generated files count as one file. */
const MOST_FILES = 15;

const CREATE = ['init', '.', '--name', 'web', '--kind', 'Website', '--no-install', '--no-git', '--force', '--yes'];
const API = 'src/api/v1/website.ts';
const CONTROLLER = 'src/controllers/website-controller.ts';

describe('a new project', { concurrency: 2 }, () => {
  for (const { name, calls } of matrix) {
    it(`a new project (${name}) equals its golden files, compiles, and passes its test`, async () => {
      await using project = await ScaffoldProject.make(calls);
      const [made, kept] = await Promise.all([filesIn(project.root), filesIn(join(goldens, name))]);
      assert.deepEqual([...made.keys()], [...kept.keys()], `the project contains other files; ${RENEW}`);
      for (const [path, text] of kept) assert.equal(made.get(path), text, `${path} differs; ${RENEW}`);
      await project.test();
    });
  }

  it(`the project namespaced has at most ${MOST_FILES} files that an author must know, and no such file of any project has generator markers`, async () => {
    for (const { name } of matrix) {
      const kept = await filesIn(join(goldens, name));
      const own = [...kept].filter(([path]) => !path.startsWith('config/'));
      if (name === 'namespaced') assert.ok(own.length + 1 <= MOST_FILES, own.map(([path]) => path).join(', '));
      for (const [path, text] of own) assert.doesNotMatch(text, /\bscaffold|\+kube|do not edit/i, `${name}/${path}`);
    }
  });

  it('the README and the scripts of a new project mention only existing scripts, commands and paths', async () => {
    const commands = commandNames();
    for (const { name } of matrix) {
      const kept = await filesIn(join(goldens, name));
      const readme = kept.get('README.md') ?? '';
      const { scripts } = JSON.parse(kept.get('package.json') ?? '') as { readonly scripts: Record<string, string> };
      const run = [...readme.matchAll(/npm (?:run )?(\w+)/g)].map(([, script = '']) => script);
      assert.deepEqual(
        run.filter((script) => scripts[script] === undefined),
        [],
        name,
      );
      const called = [readme, ...Object.values(scripts)].flatMap((text) => [...text.matchAll(/kubewright ([a-z]+)/g)]);
      assert.deepEqual(
        called.filter(([, command = '']) => !commands.has(command)),
        [],
        name,
      );
      const paths = [...readme.matchAll(/`((?:src|config)\/[^`]*)`/g)].map(([, path = '']) => path);
      assert.deepEqual(
        paths.filter((path) => ![...kept.keys()].some((each) => each.startsWith(path))),
        [],
        name,
      );
      assert.ok(run.length > 0 && called.length > 0 && paths.length > 0);
    }
  });

  it('kubewright explore finds nothing in a new project, and finds a child that stays when its field is removed', async () => {
    await using project = await ScaffoldProject.make([CREATE]);
    const { explore } = JSON.parse(await readFile(join(project.root, 'package.json'), 'utf8')).scripts;
    assert.equal(explore, 'kubewright explore');
    const output = await project.call('explore', '--budget', '20s');
    assert.match(output, /^found nothing in \d+ s: \d+ trials, [12] fields? with \d+ values?, crashes in \d+ trials/m);

    await edit(
      project,
      API,
      'export class WebsiteSpec {',
      'export class WebsiteSpec {\n  @Field.boolean({ optional: true }) cache?: boolean;',
    );
    await edit(
      project,
      CONTROLLER,
      "import { Deployment } from '@kubewright/api/apps/v1';",
      "import { Deployment } from '@kubewright/api/apps/v1';\nimport { ConfigMap } from '@kubewright/api/core/v1';",
    );
    await edit(project, CONTROLLER, 'owns: [Deployment]', 'owns: [Deployment, ConfigMap]');
    await edit(
      project,
      CONTROLLER,
      'const [deployment] = await this.client.applyOwned(website, [deploymentFor(website)]);',
      `const settings = new ConfigMap({ metadata: { name: website.metadata.name, namespace: 'default' } });
    const isKept = (await this.client.find(ConfigMap, settings.metadata)) !== undefined;
    const children = website.spec.cache === true || isKept ? [settings] : [];
    const [deployment] = await this.client.applyOwned(website, [deploymentFor(website), ...children]);`,
    );
    const environment = { cwd: project.root, env: { ...process.env, NODE_TEST_CONTEXT: undefined } };
    const started = new InProcessCommand(['explore', '--budget', '1h'], environment);
    await using command = new RunningCommand(started);
    await command.until(/^found Website: the result depends on an earlier declaration \(history\)$/);
    command.child.kill('SIGINT');
    assert.equal(await command.closed, 130);
    assert.match(command.lines.join('\n'), /ConfigMap default\/subject exists, but should not exist/);
  });

  it('golden files exist for exactly the projects of the matrix', async () => {
    assert.deepEqual((await readdir(goldens)).toSorted(), matrix.map(({ name }) => name).toSorted());
  });
});

function commandNames(): ReadonlySet<string> {
  const stream = { write: () => true };
  const program = programOf(new CommandContext({ cwd: '/', env: {}, stdout: stream, stderr: stream }));
  return new Set(commandModel(program).commands.map(({ name }) => name));
}

/** Replaces a text in a file of the project. Throws if the file does not contain the text. */
async function edit({ root }: ScaffoldProject, path: string, from: string, to: string): Promise<void> {
  const text = await readFile(join(root, path), 'utf8');
  assert.ok(text.includes(from), `${path} does not contain: ${from}`);
  await writeFile(join(root, path), text.replace(from, to));
}
