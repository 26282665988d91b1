import { posix } from 'node:path';
import { KubewrightError } from '@kubewright/api/errors';
import { kebabCase } from 'create-operator';
import { ask } from '../command/ask.js';
import type { CommandContext } from '../command/command-context.js';
import { findProject } from '../project/find-project.js';
import {
  addedConverter,
  type AddedWebhook,
  existingWebhook,
  projectVersion,
  type ProjectVersion,
} from './added-webhooks.js';
import { changedMain, withChanges } from './change-main.js';
import { copiedVersion } from './copied-version.js';
import { checkNames, invalidUsage } from './kind-request.js';
import { ownKind } from './own-kind.js';
import { type ProjectSources, projectSources } from './project-sources.js';
import type { KindDeclaration } from './source/kind-declarations.js';
import { setOption } from './source/set-option.js';
import { edited } from './source/text-edit.js';
import { reportExisting, writeAdded } from './write-added.js';

/** The options of `kubewright add version`. */
export interface AddVersionOptions {
  readonly group?: string;
  readonly kind: string;
  /** The version to copy. @default the only version, or the storage version */
  readonly from?: string;
  readonly version: string;
  /** Whether the new version becomes the storage version. */
  readonly stored?: boolean;
  /** Whether to add a converter between the new version and the storage version. @default asks in a terminal, and otherwise false */
  readonly converter?: boolean;
}

/**
 * Runs `kubewright add version`: copies the source of a version of a kind, and sets the storage version. Adds a converter between the new
 * version and the storage version if requested.
 */
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
  const changed = new Map(
    all.flatMap((each) => {
      const text = withStorage(each, !stored && (all.length === 1 || each.isStored));
      return text === each.module.text ? [] : [[each.module.path, text] as const];
    }),
  );
  const added = { version, className: from.className, path };
  const converter = await requestedConverter(context, sources, { request, all, added });
  const main = converter === undefined ? undefined : changedMain(withChanges(sources, changed), converter);
  await writeAdded(context, project, {
    what,
    created: new Map([[path, copiedVersion(from, { path, version, stored })], ...(converter?.files ?? [])]),
    changed: main === undefined ? changed : new Map([...changed, [main.path, main.text]]),
    next: [
      `edit ${path}; objects are stored as ${stored ? version : storedVersion(all)}`,
      converter === undefined
        ? 'give all versions the same fields: if a version lacks a field, the API server drops the field from objects that are stored in or written through this version'
        : `convert the fields that differ in ${converter.path}`,
    ],
  });
}

/** The request, the existing versions of the kind, and the new version. */
interface NewVersion {
  readonly request: AddVersionOptions;
  readonly all: readonly KindDeclaration[];
  readonly added: ProjectVersion;
}

/**
 * Returns the converter between the new version and the storage version. If the new version becomes the storage version, returns the
 * converter from the previous storage version to the new version. Returns undefined if the user requests no converter.
 */
async function requestedConverter(
  context: CommandContext,
  sources: ProjectSources,
  { request, all, added }: NewVersion,
): Promise<AddedWebhook | undefined> {
  const { kind, stored = false, converter } = request;
  const found = all.length === 1 ? all[0] : all.find(({ isStored }) => isStored);
  if (found === undefined) {
    if (converter !== true) return undefined;
    throw invalidUsage(
      `a converter for ${kind}`,
      'no version is the storage version; set storage: true in @Kind of one version',
    );
  }
  const previous = projectVersion(found);
  const question = `Add a converter between ${previous.version} and ${added.version}?`;
  const isRequested = converter ?? (context.interactive && (await ask(context, question)));
  if (!isRequested) return undefined;
  const others = all.map(({ className, module }) => ({ className, from: module.path }));
  const [spoke, hub] = stored ? [previous, added] : [added, previous];
  const isOneOfSeveral = existingWebhook(sources, 'Converter', others) !== undefined;
  return addedConverter(sources, { kind, group: found.group ?? '', spoke, hub, isOneOfSeveral });
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
