import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { KubewrightError } from '@kubewright/api/errors';
import { entriesIfExists, textIfExists } from './if-exists.js';

describe('reading optional files', () => {
  it('reading an optional file or folder returns undefined for a missing file, and an empty list for a missing folder', async (t) => {
    const root = await folder(t);
    await mkdir(join(root, 'a/b'), { recursive: true });
    await writeFile(join(root, 'a/b/c'), 'text');
    assert.equal(await textIfExists(join(root, 'a/b/c')), 'text');
    assert.equal(await textIfExists(join(root, 'none/c')), undefined);
    assert.deepEqual(namesOf(await entriesIfExists(join(root, 'a'))), ['b']);
    assert.deepEqual(namesOf(await entriesIfExists(join(root, 'a'), { recursive: true })), ['b', 'c']);
    assert.deepEqual(await entriesIfExists(join(root, 'none')), []);
  });

  it('reading an optional file or folder throws UNREADABLE for all errors except a missing file', async (t) => {
    const root = await folder(t);
    await writeFile(join(root, 'file'), '');
    await symlink('circle', join(root, 'circle'));
    const refused = async (reading: Promise<unknown>, message: string): Promise<void> =>
      await assert.rejects(reading, (error: unknown) => {
        assert.ok(error instanceof KubewrightError);
        assert.deepEqual([error.code, error.message], ['UNREADABLE', message]);
        return true;
      });
    await refused(
      textIfExists(root),
      `cannot read ${root}: the path is a folder instead of a file; move the folder away`,
    );
    for (const read of [textIfExists(join(root, 'file/a')), entriesIfExists(join(root, 'file/a'))]) {
      await refused(
        read,
        `cannot read ${join(root, 'file/a')}: a parent of the path is a file instead of a folder; move the file away`,
      );
    }
    await refused(
      textIfExists(join(root, 'circle')),
      `cannot read ${join(root, 'circle')}: the symbolic links form a loop; link to a file`,
    );
  });
});

async function folder(t: TestContext): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'kubewright-if-there-'));
  t.after(() => rm(root, { recursive: true }));
  return root;
}

function namesOf(entries: readonly { readonly name: string }[]): readonly string[] {
  return entries.map(({ name }) => name).toSorted();
}
