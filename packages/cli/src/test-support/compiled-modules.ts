import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { scaffold } from 'create-operator';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** A temporary folder of modules that are compiled with the tsconfig.json of a new project. */
export class CompiledModules implements AsyncDisposable {
  readonly #folder: string;
  /** The output of tsc; '' if there are no errors. */
  readonly answer: string;

  private constructor(folder: string, answer: string) {
    this.#folder = folder;
    this.answer = answer;
  }

  /** Compiles modules. @param modules the texts by path relative to src */
  static async of(modules: ReadonlyMap<string, string>): Promise<CompiledModules> {
    const folder = await mkdtemp(join(tmpdir(), 'kubewright-classes-'));
    const files = scaffold({
      name: 'a',
      domain: 'example.com',
      group: '',
      kind: 'Thing',
      version: 'v1',
      namespaced: true,
    });
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await writeFile(join(folder, 'tsconfig.json'), files.get('tsconfig.json') ?? '');
    for (const [path, text] of modules) {
      await mkdir(dirname(join(folder, 'src', path)), { recursive: true });
      await writeFile(join(folder, 'src', path), text);
    }
    return new CompiledModules(folder, await compile(folder));
  }

  /** Imports a compiled module. @param path the path of the source relative to src */
  async load(path: string): Promise<Readonly<Record<string, unknown>>> {
    const url = pathToFileURL(join(this.#folder, 'dist', path.replace(/\.ts$/, '.js')));
    return (await import(url.href)) as Readonly<Record<string, unknown>>;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}

function compile(folder: string): Promise<string> {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  return new Promise((resolve) => {
    execFile(process.execPath, [tsc, '-p', folder], { maxBuffer: 2 ** 26 }, (_, stdout, stderr) => {
      resolve(`${stdout}${stderr}`);
    });
  });
}
