import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { ProgramFolder } from '../test-support/program-folder.js';
import { findProject } from './find-project.js';
import { changesIn } from './watch-project.js';

const watchers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'FSEventWrap').length;

test('changesIn watches the sources of linked packages, but not their node_modules folders', async (t) => {
  await using folder = await ProgramFolder.create({
    'web/package.json': '{ "name": "web", "kubewright": {}, "dependencies": { "@acme/api": "*" } }',
    'web/src/main.ts': '',
    'web/node_modules/@acme/.keep': '',
    'api/package.json': '{ "name": "@acme/api" }',
    'api/tsconfig.json': '{ "compilerOptions": { "composite": true } }',
    'api/node_modules/other/index.js': '',
    'api/index.ts': '',
  });
  await symlink(join(folder.root, 'api'), join(folder.root, 'web/node_modules/@acme/api'));
  const ended = new AbortController();
  t.after(() => ended.abort());
  const changes = changesIn(await findProject(join(folder.root, 'web')), ended.signal);
  const first = changes.next();
  // Waits for three watchers: the folder of the project, the source folder, and the linked package.
  while (watchers() < 3) await setImmediate();
  await folder.write('api/node_modules/other/index.js', 'changed');
  await folder.write('api/index.ts', 'changed');
  assert.deepEqual((await first).value, [join(folder.root, 'api/index.ts')]);
  assert.equal(watchers(), 3);
});
