import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bundle, bundle } from '../build/bundle.js';
import type { Project } from '../project/project.js';

/** Bundles files in a temporary folder, and calls a function with the bundle. */
export async function withBundleOf(
  files: Readonly<Record<string, string>>,
  check: (built: Bundle) => Promise<void>,
): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'kubewright-bundle-'));
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(root, name), text);
    await check(await bundle({ root, main: 'main.js' } as unknown as Project));
  } finally {
    await rm(root, { recursive: true });
  }
}
