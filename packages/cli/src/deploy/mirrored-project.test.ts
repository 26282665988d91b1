import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { ProgramFolder } from '../test-support/program-folder.js';
import { GENERATED } from '../manifests/manifest-text.js';
import { mirroredProject } from './mirrored-project.js';

it('mirroredProject replaces generated files and links the folders of the repository', async () => {
  const old = `${GENERATED}\nold: true\n`;
  await using folder = await ProgramFolder.create({
    'repository/.git/HEAD': '',
    'repository/base/quota.yaml': 'quota',
    'repository/packages/api/package.json': 'api',
    'repository/packages/web/deploy/one.yaml': 'one',
    'repository/packages/web/config/rbac/role.yaml': old,
    'repository/packages/web/config/default/mine.yaml': 'mine',
  });
  const made = join(folder.root, 'made');
  await mkdir(made);
  const fresh = `${GENERATED}\nnew: true\n`;
  const files = new Map([
    ['config/rbac/role.yaml', fresh],
    ['config/default/mine.yaml', 'as text'],
    ['config/default/kustomization.yaml', 'first'],
  ]);
  const mirrored = await mirroredProject(join(folder.root, 'repository/packages/web'), files, made);
  const read = (path: string): Promise<string> => readFile(join(mirrored, path), 'utf8');
  assert.equal(await read('config/rbac/role.yaml'), fresh);
  assert.equal(await read('config/default/mine.yaml'), 'mine');
  assert.equal(await read('config/default/kustomization.yaml'), 'first');
  assert.equal(await read('deploy/one.yaml'), 'one');
  assert.equal(await read('../api/package.json'), 'api');
  assert.equal(await read('../../base/quota.yaml'), 'quota');
  assert.equal(await readFile(join(folder.root, 'repository/packages/web/config/rbac/role.yaml'), 'utf8'), old);
});
