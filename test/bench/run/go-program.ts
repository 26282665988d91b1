import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { programPath } from '../../programs/program-path.js';

/** The Go program, or the reason why it is not available. */
export type GoProgram =
  | { readonly path: string; readonly versions: Readonly<Record<string, string>> }
  | { readonly missing: string };

/**
 * Builds the Go program of the peers in `folder`. If Go is not on PATH or the build fails, returns the reason instead.
 */
export function buildGoProgram(sources: string, folder: string, env: NodeJS.ProcessEnv = process.env): GoProgram {
  const go = programPath('go', env);
  if (go === undefined) return { missing: 'Go is not measured, because go is not on PATH' };
  const path = join(folder, 'peers');
  try {
    execFileSync(go, ['build', '-o', path, '.'], { cwd: sources, env, stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    const { stderr = '' } = error as { readonly stderr?: Buffer | string };
    return { missing: `Go is not measured, because the build failed: ${String(stderr).trim()}` };
  }
  const modules = readFileSync(join(sources, 'go.mod'), 'utf8');
  const versionOf = (module: string): string => new RegExp(`${module} (v\\S+)`).exec(modules)?.[1] ?? '';
  const version = execFileSync(go, ['env', 'GOVERSION'], { env, encoding: 'utf8' }).trim();
  return {
    path,
    versions: {
      Go: version.replace(/^go/, ''),
      'controller-runtime': versionOf('sigs.k8s.io/controller-runtime'),
      'client-go': versionOf('k8s.io/client-go'),
    },
  };
}
