import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ScaffoldError } from '../scaffold-error.js';
import { type ProgramOptions, runProgram } from './run-program.js';

/**
 * Generates the config/ folder with the `kubewright` command that is installed in the project. If the command fails, throws GENERATE_FAILED
 * and keeps the project.
 */
export async function generateManifests(options: ProgramOptions): Promise<void> {
  const { exitCode, output } = await runProgram(process.execPath, [await commandOf(options.cwd), 'generate'], options);
  if (exitCode !== 0) throw new ScaffoldError('GENERATE_FAILED', `cannot generate the manifests: ${output.trim()}`);
}

async function commandOf(root: string): Promise<string> {
  const manifest = createRequire(join(root, 'package.json')).resolve('@kubewright/cli/package.json');
  const { bin } = JSON.parse(await readFile(manifest, 'utf8')) as { readonly bin: { readonly kubewright: string } };
  return join(dirname(manifest), bin.kubewright);
}
