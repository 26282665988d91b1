import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { CommandContext, commandModel, programOf } from '@kubewright/cli';
import { goldens, matrix } from './matrix.js';
import { filesIn, ScaffoldProject } from './scaffold-project.js';

const RENEW = 'review the changes; if they are intended, run: node test/dist/scaffold/matrix/renew-goldens.js';
/** Maximum number of files that an author must know. Generated files count as one file. */
const MOST_FILES = 15;

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

  it('golden files exist for exactly the projects of the matrix', async () => {
    assert.deepEqual((await readdir(goldens)).toSorted(), matrix.map(({ name }) => name).toSorted());
  });
});

function commandNames(): ReadonlySet<string> {
  const stream = { write: () => true };
  const program = programOf(new CommandContext({ cwd: '/', env: {}, stdout: stream, stderr: stream }));
  return new Set(commandModel(program).commands.map(({ name }) => name));
}
