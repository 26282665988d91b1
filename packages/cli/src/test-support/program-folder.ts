import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A temporary folder with files, whose node_modules is a link to the installed packages of this repository. */
export class ProgramFolder implements AsyncDisposable {
  readonly root: string;

  private constructor(root: string) {
    this.root = root;
  }
  /** Creates a folder with files. @param files the texts by path relative to the folder, with slashes */
  static async create(files: Readonly<Record<string, string>>): Promise<ProgramFolder> {
    const folder = new ProgramFolder(await realpath(await mkdtemp(join(tmpdir(), 'kubewright-cli-'))));
    await symlink(installedPackages(import.meta.dirname), join(folder.root, 'node_modules'));
    for (const [path, text] of Object.entries(files)) await folder.write(path, text);
    return folder;
  }
  async write(path: string, text: string): Promise<void> {
    const file = join(this.root, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  [Symbol.asyncDispose](): Promise<void> {
    return rm(this.root, { recursive: true });
  }
}

function installedPackages(from: string): string {
  const path = join(from, 'node_modules');
  return existsSync(join(path, '@kubewright', 'cli')) ? path : installedPackages(dirname(from));
}
