import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { goldens, matrix } from './matrix.js';
import { filesIn, ScaffoldProject } from './scaffold-project.js';

const RENEW =
  'look at what has changed, and if it is as it should be run: node test/dist/scaffold/matrix/renew-goldens.js';
/** All that a person has to know of a project; what is generated counts as one. */
const MOST_FILES = 15;

describe('a new project', { concurrency: 2 }, () => {
  for (const { name, calls } of matrix) {
    it(`(${name}) is as it is kept, compiles, and passes its test`, async () => {
      await using project = await ScaffoldProject.make(calls);
      const [made, kept] = await Promise.all([filesIn(project.root), filesIn(join(goldens, name))]);
      assert.deepEqual([...made.keys()], [...kept.keys()], `other files are made; ${RENEW}`);
      for (const [path, text] of kept) assert.equal(made.get(path), text, `${path} is another one; ${RENEW}`);
      await project.test();
    });
  }

  it('has few files that a person must know, and no marks for a generator in them', async () => {
    for (const { name } of matrix) {
      const kept = await filesIn(join(goldens, name));
      const own = [...kept].filter(([path]) => !path.startsWith('config/'));
      if (name === 'namespaced') assert.ok(own.length + 1 <= MOST_FILES, own.map(([path]) => path).join(', '));
      for (const [path, text] of own) assert.doesNotMatch(text, /\bscaffold|\+kube|do not edit/i, `${name}/${path}`);
    }
  });

  it('is kept for nothing else', async () => {
    assert.deepEqual((await readdir(goldens)).toSorted(), matrix.map(({ name }) => name).toSorted());
  });
});
