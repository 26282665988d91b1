import { mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { developUntilReady } from './developed-operator.js';
import { StepProgram } from './step-programs.js';
import type { Steps } from './steps.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
/** Large folders of a clone that `npm run create` does not write to. */
const NOT_COPIED = new Set(['.git', '.test-results', 'node_modules']);

/**
 * Creates a project with `npm run create` in a copy of this clone, and removes the copy. Then installs the packages of the project again,
 * and runs the npm scripts of the project like a user. The registry does not contain the packages of Kubewright.
 */
export async function createFromClone(folder: string, env: NodeJS.ProcessEnv, steps: Steps): Promise<void> {
  const work = join(folder, 'from a clone');
  const clone = join(work, 'clone');
  const project = join(work, 'my-operator');
  const npm = (cwd: string, ...args: readonly string[]): Promise<string> =>
    new StepProgram('npm', args, { cwd, env }).done();
  // Preserves the modification times. The scripts of the clone compare these times to detect a finished installation and build.
  for (const part of ['.', 'docs']) {
    await mkdir(join(clone, part), { recursive: true });
    const copied = (await readdir(join(root, part))).filter((name) => !NOT_COPIED.has(name) && name !== 'docs');
    await new StepProgram('cp', ['-a', ...copied, join(clone, part)], { cwd: join(root, part), env }).done();
  }
  await symlink(join(root, 'node_modules'), join(clone, 'node_modules'));

  await steps.step('npm run create -- ../my-operator, in a clone', () =>
    npm(clone, 'run', 'create', '--', '../my-operator', '--yes'),
  );
  await rm(clone, { recursive: true });
  await checkOwnPackages(project);
  await rm(join(project, 'node_modules'), { recursive: true });
  await steps.step('without the clone: npm install', () => npm(project, 'install'));
  await steps.step('without the clone: npm test', () => npm(project, 'test'));
  await steps.step('without the clone: npm run dev, until the sample is ready', (reached) =>
    developUntilReady(project, env, reached),
  );
  await steps.step('without the clone: npm run generate -- --check', () =>
    npm(project, 'run', 'generate', '--', '--check'),
  );
}

/** Checks that the lock file takes the packages of Kubewright from the project, and contains no links. */
async function checkOwnPackages(project: string): Promise<void> {
  const { packages } = JSON.parse(await readFile(join(project, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly resolved?: string; readonly link?: boolean }>>;
  };
  const wrong = Object.entries(packages).filter(([path, { resolved = '', link }]) => {
    const isOurs = /node_modules\/(@kubewright\/|create-operator$)/.test(path);
    return link === true || (isOurs && !resolved.startsWith('file:vendor/'));
  });
  if (wrong.length > 0)
    throw new Error(`these packages do not come from the project: ${wrong.map(([path]) => path).join(', ')}`);
  const outside = relative(root, project);
  if (!outside.startsWith(`..${sep}`))
    throw new Error(`${project} is inside the clone and would find the packages of the clone`);
}
