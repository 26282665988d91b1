import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { KubewrightError } from '@kubewright/api/errors';
import { type ImportedName, testFileOf } from '@kubewright/testing/internal';
import { textIfExists } from '../project/if-exists.js';
import type { ClassPlace, Problem, TestMaterial } from './explore-messages.js';

/** What `writeTests` uses. */
export interface WriteTestsUsing {
  readonly problems: readonly Problem[];
  readonly material: TestMaterial;
  /** The folder of the project. */
  readonly root: string;
}

/** The paths of the written tests, and the reasons why problems have no test. */
export interface WrittenTests {
  readonly written: readonly string[];
  readonly unwritten: readonly string[];
}

/** Throws INVALID_USAGE if the file for a test already exists, or if the path does not end with `.ts`. */
export async function assertNewFile(path: string, given: string): Promise<void> {
  if (!path.endsWith('.ts') || path.endsWith('.d.ts')) {
    throw new KubewrightError(
      'INVALID_USAGE',
      `invalid --write ${given}: use the path of a TypeScript file, such as src/found.test.ts`,
    );
  }
  if ((await textIfExists(path)) === undefined) return;
  throw new KubewrightError('INVALID_USAGE', `cannot write ${given}: the file exists; remove it, or use another path`);
}

/**
 * Writes a test for each problem that a test can assert: the first to the path, the others next to it, with numbers in their names. Does
 * not overwrite files.
 */
export async function writeTests(path: string, { problems, material, root }: WriteTestsUsing): Promise<WrittenTests> {
  const { obstacle, objects } = material;
  if (obstacle !== undefined)
    return { written: [], unwritten: [`cannot write a test: ${obstacle}; write the test by hand`] };
  const imported = ({ name, source }: ClassPlace): ImportedName => ({
    name,
    from: specifierOf(join(root, source), path),
  });
  const sources = {
    kinds: new Map(material.kinds.map((each) => [each.kind, { ...imported(each), namespaced: each.namespaced }])),
    components: material.components.map(imported),
    objects,
  };
  const written: string[] = [];
  const unwritten: string[] = [];
  await mkdir(dirname(path), { recursive: true });
  for (const { finding } of problems) {
    const text = testFileOf(finding, sources);
    if (text === undefined) {
      unwritten.push(`cannot write a test for "${finding.signature}": replay its history instead`);
      continue;
    }
    written.push(await writeNew(path, text));
  }
  return { written, unwritten };
}

/** Writes a file with this path, or with the first number in its name for which no file exists. Returns the path. */
async function writeNew(path: string, text: string): Promise<string> {
  for (let number = 1; ; number++) {
    const place = number === 1 ? path : path.replace(/((?:\.test)?\.ts)$/, `-${number}$1`);
    if ((await textIfExists(place)) !== undefined) continue;
    await writeFile(place, text, { flag: 'wx' });
    return place;
  }
}

/** Returns the specifier that a module uses to import a source. */
function specifierOf(source: string, from: string): string {
  const path = relative(dirname(from), source)
    .split(sep)
    .join('/')
    .replace(/\.([cm]?)tsx?$/, '.$1js');
  return path.startsWith('.') ? path : `./${path}`;
}
