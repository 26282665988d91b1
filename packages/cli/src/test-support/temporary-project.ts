import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { TestContext } from 'node:test';
import { scaffold, writeFiles } from 'create-operator';
import { type RecordedRun, runRecorded } from './run-recorded.js';

/** A new project in a temporary folder, which is deleted after the test. */
export class TemporaryProject {
  readonly root: string;

  private constructor(root: string) {
    this.root = root;
  }

  /** Creates a project with one kind, Website of example.com/v1. */
  static async make(test: TestContext): Promise<TemporaryProject> {
    const root = await mkdtemp(join(tmpdir(), 'kubewright-add-'));
    test.after(() => rm(root, { recursive: true }));
    const names = { name: 'web-operator', domain: 'example.com', group: '', kind: 'Website', version: 'v1' };
    await writeFiles(root, { write: scaffold({ ...names, namespaced: true }) });
    return new TemporaryProject(root);
  }

  run(...args: readonly string[]): Promise<RecordedRun> {
    return runRecorded([...args, '--no-color'], { cwd: this.root });
  }
  read(path: string): Promise<string> {
    return readFile(join(this.root, path), 'utf8');
  }
  async write(path: string, text: string): Promise<void> {
    await writeFiles(this.root, { write: new Map([[path, text]]) });
  }
  /** Replaces the first occurrence of a text in a file. */
  async change(path: string, from: string, to: string): Promise<void> {
    await writeFile(join(this.root, path), (await this.read(path)).replace(from, to));
  }
  /** Returns the texts of all files by path. */
  async files(): Promise<ReadonlyMap<string, string>> {
    const entries = await readdir(this.root, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((each) => each.isFile())
      .map((each) => relative(this.root, join(each.parentPath, each.name)));
    return new Map(await Promise.all(paths.toSorted().map(async (path) => [path, await this.read(path)] as const)));
  }
}
