import type { CommandContext } from '../command/command-context.js';
import { findProject } from '../project/find-project.js';
import {
  addedAdmission,
  addedConverter,
  type AddedWebhook,
  existingWebhook,
  projectVersion,
} from './added-webhooks.js';
import { changedMainForAll } from './change-main.js';
import type { ControlledKind } from './controlled-kind.js';
import { invalidUsage } from './kind-request.js';
import { ownKind } from './own-kind.js';
import { type ProjectSources, projectSources } from './project-sources.js';
import { requestedKind } from './requested-kind.js';
import type { KindDeclaration, WebhookDeclaration } from './source/kind-declarations.js';
import { reportExisting, writeAdded } from './write-added.js';

/** The options of `kubewright add webhook`. */
export interface AddWebhookOptions {
  readonly kind: string;
  readonly group?: string;
  /** The version whose objects the defaulter and the validator receive. @default the only version, or the storage version */
  readonly version?: string;
  readonly defaulting?: boolean;
  readonly validating?: boolean;
  readonly conversion?: boolean;
}

/** The webhooks that a command adds, and the requested webhooks that the project already has. */
interface Webhooks {
  readonly added: readonly AddedWebhook[];
  readonly existing: readonly WebhookDeclaration[];
  /** Remarks about the added webhooks, one line each. */
  readonly remarks: readonly string[];
}

/**
 * Runs `kubewright add webhook`: writes a defaulter, a validator, or converters of a kind with their tests, and adds the classes to the
 * program. Writes a converter between the storage version and each other version that has no converter.
 */
export async function runAddWebhook(context: CommandContext, request: AddWebhookOptions): Promise<void> {
  const { kind, defaulting = false, validating = false, conversion = false } = request;
  const what = `webhooks for ${kind}`;
  if (!defaulting && !validating && !conversion) {
    throw invalidUsage(what, 'pass at least one of --defaulting, --validating and --conversion');
  }
  const project = await findProject(context.cwd);
  const sources = await projectSources(project);
  const parts = [
    ...(defaulting || validating ? [await admissionWebhooks(context, sources, request)] : []),
    ...(conversion ? [converters(sources, request)] : []),
  ];
  const added = parts.flatMap((part) => part.added);
  if (added.length === 0) {
    const paths = new Set(parts.flatMap((part) => part.existing.map(({ module }) => module.path)));
    return reportExisting(context, `each requested webhook for ${kind}`, [...paths].join(' and '));
  }
  const main = changedMainForAll(sources, added);
  const sourcesOfAdded = added.map(({ path }) => path).join(' and ');
  await writeAdded(context, project, {
    what: `${added.map(({ className }) => className).join(' and ')}, for ${kind}`,
    created: new Map(added.flatMap(({ files }) => [...files])),
    changed: new Map(main === undefined ? [] : [[main.path, main.text]]),
    next: [
      ...parts.flatMap(({ remarks }) => remarks),
      `implement the methods in ${sourcesOfAdded}, and then run 'kubewright generate' to write the manifests`,
    ],
  });
}

async function admissionWebhooks(
  context: CommandContext,
  sources: ProjectSources,
  { kind: name, group, version, defaulting = false, validating = false }: AddWebhookOptions,
): Promise<Webhooks> {
  const request = { kind: name, ...(group !== undefined && { group }), ...(version !== undefined && { version }) };
  const kind = await requestedKind(context, sources, { ...request, what: `webhooks for ${name}` });
  const decorators = [...(defaulting ? ['Defaulter' as const] : []), ...(validating ? ['Validator' as const] : [])];
  const existing = decorators.flatMap(
    (decorator) => existingWebhook(sources, decorator, [kind]) ?? refuseOfOtherVersion(sources, decorator, kind),
  );
  const missing = decorators.filter((decorator) => !existing.some((each) => each.decorator === decorator));
  const sample = missing.length === 0 ? undefined : await kind.sample();
  return {
    added: missing.map((decorator) => addedAdmission(sources, decorator, { kind, sample })),
    existing,
    remarks:
      missing.length > 0 && sample === undefined
        ? [`no test was written: the required fields of ${kind.kind} are unknown`]
        : [],
  };
}

/**
 * Throws INVALID_USAGE if the project already has such a webhook for another version of the kind, because the API server calls that webhook
 * for all versions. Otherwise, returns an empty list.
 */
function refuseOfOtherVersion(
  sources: ProjectSources,
  decorator: 'Defaulter' | 'Validator',
  { kind, group, version }: ControlledKind,
): readonly WebhookDeclaration[] {
  const others = [...sources.kinds, ...sources.externalKinds].filter(
    (each) => each.kind === kind && each.group === group && each.version !== version,
  );
  const other = existingWebhook(
    sources,
    decorator,
    others.map(({ className, module }) => ({ className, from: module.path })),
  );
  if (other === undefined) return [];
  throw invalidUsage(
    `a ${decorator.toLowerCase()} for ${kind} (${version})`,
    `${other.className} in ${other.module.path} already handles all versions of ${kind}; change that class, or set matchPolicy: 'Exact' in its decorator and write a second class`,
  );
}

function converters(sources: ProjectSources, request: AddWebhookOptions): Webhooks {
  const { kind } = request;
  const all = ownKind(sources, request);
  const what = `a converter for ${kind}`;
  const [only] = all;
  if (all.length === 1) {
    throw invalidUsage(
      what,
      `the kind has only the version ${only?.version ?? '?'}; run: kubewright add version --kind ${kind} --version v2 --converter`,
    );
  }
  const hub = all.find(({ isStored }) => isStored);
  if (hub === undefined) {
    throw invalidUsage(what, 'no version is the storage version; set storage: true in @Kind of one version');
  }
  const of = (each: KindDeclaration) =>
    existingWebhook(sources, 'Converter', [{ className: each.className, from: each.module.path }]);
  const spokes = all.filter((each) => each !== hub);
  const missing = spokes.filter((each) => of(each) === undefined);
  const existing = all.flatMap((each) => of(each) ?? []);
  return {
    added: missing.map((spoke) =>
      addedConverter(sources, {
        kind,
        group: hub.group ?? '',
        spoke: projectVersion(spoke),
        hub: projectVersion(hub),
        isOneOfSeveral: missing.length + existing.length > 1,
      }),
    ),
    existing,
    remarks: [],
  };
}
