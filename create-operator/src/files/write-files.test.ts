import assert from 'node:assert/strict';
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ScaffoldError } from '../scaffold-error.js';
import { changesOf } from './changes-of.js';
import { writeFiles } from './write-files.js';

async function folder(t: TestContext): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'kubewright-files-'));
  t.after(async () => {
    await chmod(root, 0o700);
    await rm(root, { recursive: true });
  });
  return root;
}

async function contents(root: string): Promise<Record<string, string>> {
  const paths = (await readdir(root, { recursive: true })).toSorted();
  const entries = paths.map(async (path) => {
    const file = join(root, path);
    return [path, (await stat(file)).isDirectory() ? '/' : await readFile(file, 'utf8')] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

const refused = (pattern: RegExp) => (error: unknown) => {
  assert.ok(error instanceof ScaffoldError);
  assert.equal(error.code, 'FILES_NOT_WRITTEN');
  assert.match(error.message, pattern);
  return true;
};

test('writeFiles creates missing folders, and changesOf finds no changes afterwards', async (t) => {
  const root = await folder(t);
  const write = new Map([
    ['package.json', '{}\n'],
    ['src/api/v1/web.ts', 'export {};\n'],
  ]);
  const changes = await changesOf(root, { write });
  assert.deepEqual([...changes.write.keys()], ['package.json', 'src/api/v1/web.ts']);
  await writeFiles(root, changes);
  assert.equal(await readFile(join(root, 'src/api/v1/web.ts'), 'utf8'), 'export {};\n');
  assert.deepEqual(await changesOf(root, { write, remove: ['old.ts', 'package.json/old.ts'] }), {
    write: new Map(),
    remove: [],
  });
});

test('changesOf treats a file that differs only in its line endings as up to date', async (t) => {
  const root = await folder(t);
  await writeFile(join(root, 'a.yaml'), 'a: 1\r\nb: 2\r\n');
  assert.equal((await changesOf(root, { write: new Map([['a.yaml', 'a: 1\nb: 2\n']]) })).write.size, 0);
});

test('writeFiles deletes folders that become empty, and no other folders', async (t) => {
  const root = await folder(t);
  await writeFiles(root, {
    write: new Map([
      ['config/crd/bases/a.yaml', 'a\n'],
      ['config/mine.yaml', 'b\n'],
    ]),
  });
  await writeFiles(root, { write: new Map(), remove: ['config/crd/bases/a.yaml', 'config/gone.yaml'] });
  assert.deepEqual(await contents(root), { config: '/', 'config/mine.yaml': 'b\n' });
});

test('writeFiles changes nothing if a folder exists at the path of a file', async (t) => {
  const root = await folder(t);
  await mkdir(join(root, 'z/inside'), { recursive: true });
  await writeFile(join(root, 'a.txt'), 'old\n');
  const before = await contents(root);
  const write = new Map([
    ['a.txt', 'new\n'],
    ['deep/er/b.txt', 'new\n'],
    ['z', 'new\n'],
  ]);
  await assert.rejects(
    writeFiles(root, { write, remove: ['a.txt'] }),
    refused(/cannot write z in .*move the folder away.*no file was changed/),
  );
  assert.deepEqual(await contents(root), before);
  await assert.rejects(changesOf(root, { write }), refused(/cannot read z in .*move the folder away/));
});

test('writeFiles restores the files if a folder appears at the path of a file during the commit', async (t) => {
  const root = await folder(t);
  await writeFile(join(root, 'a.txt'), 'old\n');
  await writeFile(join(root, 'gone.txt'), 'old\n');
  const before = await contents(root);
  // The files b and b/inside.txt conflict: the folder for the second file exists when the first file is renamed.
  const write = new Map([
    ['a.txt', 'new\n'],
    ['new/c.txt', 'new\n'],
    ['b', 'new\n'],
    ['b/inside.txt', 'new\n'],
  ]);
  await assert.rejects(
    writeFiles(root, { write, remove: ['gone.txt'] }),
    refused(/cannot write b in .*no file was changed/),
  );
  assert.deepEqual(await contents(root), before);
});

test('writeFiles changes nothing if a file exists at the path of a folder', async (t) => {
  const root = await folder(t);
  await writeFile(join(root, 'src'), 'mine\n');
  const write = new Map([
    ['a.txt', 'new\n'],
    ['src/main.ts', 'new\n'],
  ]);
  await assert.rejects(writeFiles(root, { write }), refused(/cannot write src\/main.ts in .*move the file away/));
  assert.deepEqual(await contents(root), { src: 'mine\n' });
});

test('writeFiles changes nothing if a permission is missing', {
  skip: process.getuid?.() === 0 && 'root has all permissions',
}, async (t) => {
  const root = await folder(t);
  await mkdir(join(root, 'locked'));
  await chmod(join(root, 'locked'), 0o500);
  const write = new Map([
    ['a.txt', 'new\n'],
    ['locked/b.txt', 'new\n'],
  ]);
  await assert.rejects(writeFiles(root, { write }), refused(/locked\/b.txt in .*permission denied/));
  assert.deepEqual(await contents(root), { locked: '/' });
});

test('before it writes any file, writeFiles rejects a path that leads out of the folder', async (t) => {
  const root = await folder(t);
  for (const path of ['../out.txt', '/etc/out.txt', 'a//b.txt', 'a\\b.txt', '']) {
    const write = new Map([
      ['a.txt', 'new\n'],
      [path, 'new\n'],
    ]);
    await assert.rejects(writeFiles(root, { write }), { code: 'INVALID_PATH' });
  }
  assert.deepEqual(await contents(root), {});
});

test('writeFiles preserves the mode of a file, and writes through a symbolic link', async (t) => {
  const root = await folder(t);
  await writeFile(join(root, 'run.sh'), 'old\n');
  await chmod(join(root, 'run.sh'), 0o777);
  await writeFile(join(root, 'target.txt'), 'old\n');
  await symlink('target.txt', join(root, 'link.txt'));
  await writeFiles(root, {
    write: new Map([
      ['run.sh', 'new\n'],
      ['link.txt', 'new\n'],
    ]),
  });
  assert.equal((await stat(join(root, 'run.sh'))).mode & 0o777, 0o777);
  assert.ok((await lstat(join(root, 'link.txt'))).isSymbolicLink());
  assert.equal(await readFile(join(root, 'target.txt'), 'utf8'), 'new\n');
});
