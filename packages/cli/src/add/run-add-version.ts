import { posix } from 'node:path';
import { KubewrightError } from '@kubewright/api/errors';
import { kebabCase } from 'create-operator';
import type { CommandContext } from '../command/command-context.js';
import { findProject } from '../project/find-project.js';
import { copiedVersion } from './copied-version.js';
import { checkNames, invalidUsage } from './kind-request.js';
import { ownKind } from './own-kind.js';
import { projectSources } from './project-sources.js';
import type { KindDeclaration } from './source/kind-declarations.js';
import { setOption } from './source/set-option.js';
import { edited } from './source/text-edit.js';
import { reportExisting, writeAdded } from './write-added.js';

/** The options of `kubewright add version`. */
export interface AddVersionOptions {
  readonly group?: string;
  readonly kind: string;
  /** The version to copy. @default the only version, or the stored version */
  readonly from?: string;
  readonly version: string;
  /** Whether the new version becomes the stored version. */
  readonly stored?: boolean;
}

/** Runs `kubewright add version`: copies the source of a version of a kind, and sets which version is stored. */
export async function runAddVersion(context: CommandContext, request: AddVersionOptions): Promise<void> {
  const project = await findProject(context.cwd);
  const sources = await projectSources(project);
  checkNames(request);
  const { kind, version, stored = false } = request;
  const all = ownKind(sources, request);
  const what = `${kind} (${all[0]?.group ?? 'its group'}/${version})`;
  const same = all.find((each) => each.version === version);
  if (same !== undefined) return reportExisting(context, what, same.module.path);
  const from = copiedFrom(all, request);
  const path = versionPath(from, version, kind);
  const changed = new Map<string, string>();
  for (const each of all) {
    const isStored = !stored && (all.length === 1 || each.isStored);
    const text = withStorage(each, isStored);
    if (text !== each.module.text) changed.set(each.module.path, text);
  }
  await writeAdded(context, project, {
    what,
    created: new Map([[path, copiedVersion(from, { path, version, stored })]]),
    changed,
    next: [
      `edit ${path}; objects are stored as ${stored ? version : storedVersion(all)}`,
      'give all versions the same fields: the API server drops a field if the object is stored in, or written through, a version without the field',
    ],
  });
}

function copiedFrom(all: readonly KindDeclaration[], { kind, from }: AddVersionOptions): KindDeclaration {
  const versions = all.map((each) => each.version ?? '?').join(', ');
  if (from !== undefined) {
    const found = all.find((each) => each.version === from);
    if (found !== undefined) return found;
    throw invalidUsage(`a version of ${kind}`, `the kind has no version ${from}; pass --from with one of ${versions}`);
  }
  const [only, ...more] = all.length === 1 ? all : all.filter(({ isStored }) => isStored);
  if (only !== undefined && more.length === 0) return only;
  throw invalidUsage(`a version of ${kind}`, `the kind has the versions ${versions}; pass --from with one of them`);
}

/**
 * Returns the path for the new version: the path of the copied version with the version folder replaced. If no folder is named after the
 * copied version, returns a path in the same folder.
 */
function versionPath({ module, version: from }: KindDeclaration, version: string, kind: string): string {
  const folders = posix.dirname(module.path).split('/');
  const at = folders.lastIndexOf(from ?? '');
  if (at === -1) return posix.join(posix.dirname(module.path), `${kebabCase(kind)}-${version}.ts`);
  return posix.join(...folders.with(at, version), posix.basename(module.path));
}

function storedVersion(all: readonly KindDeclaration[]): string {
  const stored = all.length === 1 ? all[0] : all.find(({ isStored }) => isStored);
  return stored?.version ?? 'before';
}

/** Returns the source of a version with the given `storage` option. If the option already has this value, returns the source unchanged. */
function withStorage(kind: KindDeclaration, stored: boolean): string {
  const { module, options, isStored } = kind;
  if (stored === isStored) return module.text;
  if (options === undefined) {
    throw new KubewrightError(
      'CANNOT_EDIT_SOURCE',
      `cannot set the storage version in ${module.path}: the options of @Kind are not an object literal; set ${stored ? 'storage: true' : 'storage: false'} in these options, and run the command again`,
    );
  }
  return edited(module.text, [setOption(module, options, { name: 'storage', value: String(stored) })]);
}
