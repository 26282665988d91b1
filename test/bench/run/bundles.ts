import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const compiled = fileURLToPath(new URL('../', import.meta.url));

type Bundle = (project: { readonly root: string; readonly main: string }) => Promise<{ readonly file: string }>;

/**
 * Bundles a measured program like `kubewright build`, with the packages and the bundler of a checkout, which must be built. Returns the
 * path of the bundle in `folder`.
 */
export async function bundled(
  program: 'operator' | 'start',
  { root, folder }: { readonly root: string; readonly folder: string },
): Promise<string> {
  const project = join(folder, program);
  mkdirSync(project, { recursive: true });
  for (const part of ['operator', 'load'])
    cpSync(join(compiled, part), join(project, 'src', part), { recursive: true });
  writeFileSync(join(project, 'package.json'), '{ "name": "bench", "private": true, "type": "module" }\n');
  symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'));
  const build = pathToFileURL(join(root, 'packages', 'cli', 'dist', 'build', 'bundle.js')).href;
  const { bundle } = (await import(build)) as { readonly bundle: Bundle };
  const { file } = await bundle({ root: project, main: `src/operator/${program}.js` });
  return file;
}
