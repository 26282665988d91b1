import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { KubewrightError, messageOf } from '@kubewright/api/errors';
import { append } from '@kubewright/api/json';
import { pluralOf } from '@kubewright/api/names';
import { apiPath, kebabCase } from 'create-operator';
import { builtInKind } from '../add/built-in-kind.js';
import { builtInSample } from '../add/built-in-samples.js';
import { inNamespace } from '../add/external-kind.js';
import { classesOf } from '../crd-classes/classes-of.js';
import { readCrds } from '../crd-classes/read-crds.js';
import { sampleOf } from '../manifests/samples/sample-of.js';
import type { GoType } from './go-setup.js';
import type { KubebuilderProject, KubebuilderResource } from './kubebuilder-project.js';
import type { MigrationSource } from './migration.js';

/** A version of a kind in the migrated project. */
export interface MigratedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly className: string;
  /** The module of the class: a package, or the path of a source. */
  readonly from: string;
  readonly origin: 'own' | 'built-in' | 'external';
  /** Returns an object that the API server accepts; undefined if the kind has no sample. */
  readonly sample?: () => Readonly<Record<string, unknown>> | undefined;
}

/** Generates the classes of the kinds of a migration, and finds the kind of a Go type or of a resource in the PROJECT file. */
export class MigratedKinds {
  readonly files = new Map<string, string>();
  readonly created: string[] = [];
  readonly tasks: string[] = [];
  readonly #project: KubebuilderProject;
  readonly #known: MigratedKind[] = [];

  constructor(project: KubebuilderProject, source: MigrationSource) {
    this.#project = project;
    this.#declare(source.definitions, 'own');
    this.#declare(source.externalDefinitions, 'external');
    for (const { origin, kind, group, version } of project.resources) {
      if (origin === 'own' && this.#find({ group, version, kind }) === undefined) {
        this.tasks.push(
          `declare ${kind} (${group}/${version}): the kind has no class, because no folder crd/bases in config contains its definition; run 'make manifests' in the Go project, and migrate again`,
        );
      }
    }
  }

  /**
   * Returns the kind of a Go type. Searches, in this order: the resource in PROJECT with this type, the built-in kinds if the package is in
   * k8s.io/api, the kinds with this name and version, and the kinds with this name. A search by name must find exactly one kind. Returns
   * undefined if no search finds a kind.
   */
  ofType(type: GoType): MigratedKind | undefined {
    const resource = this.#project.resources.find((each) => isSameType(type, each));
    if (resource !== undefined) return this.ofResource(resource);
    const [, group = '', builtIn = ''] = /^k8s\.io\/api\/([\w-]+)\/(v\w+)$/.exec(type.path) ?? [];
    if (group !== '') return this.#builtIn({ group, version: builtIn, kind: type.name });
    const version = type.path.split('/').at(-1) ?? '';
    return this.#only({ kind: type.name, version }) ?? this.named(type.name);
  }

  /** Returns the last version of the kind with a name. Ignores case. Returns undefined if no kind or several kinds have the name. */
  named(name: string): MigratedKind | undefined {
    const found = this.#known.filter(({ kind }) => kind.toLowerCase() === name.toLowerCase());
    const isOne = found.every(({ group, kind }) => group === found[0]?.group && kind === found[0].kind);
    return isOne ? found.at(-1) : undefined;
  }

  /** The kinds in PROJECT and in the definitions of the project. A kind with several versions is listed once. */
  get expected(): readonly Pick<MigratedKind, 'group' | 'kind'>[] {
    const all = [...this.#project.resources, ...this.#known.filter(({ origin }) => origin === 'own')].map(
      (each) => this.#find(each) ?? each,
    );
    return [...new Map(all.map(({ group, kind }) => [`${kind}.${group}`, { group, kind }])).values()];
  }

  /**
   * Returns the kind of a resource in PROJECT. If the kind belongs to another operator and has no definition, creates a class without
   * fields, and a task. Returns undefined for a kind of the project without a definition, and for an unknown built-in kind.
   */
  ofResource({
    group,
    version,
    kind,
    origin,
  }: Omit<MigratedKind, 'plural' | 'className' | 'from'>): MigratedKind | undefined {
    if (origin === 'built-in') return this.#builtIn({ group, version, kind });
    const known = this.#find({ group, version, kind });
    if (known !== undefined || origin === 'own') return known;
    const path = `src/external/${group}/${version}/${kebabCase(kind)}.ts`;
    this.files.set(path, namedKind({ group, version, kind }));
    this.tasks.push(
      `add the types of ${kind} (${group}/${version}): ${path} contains only the name of the kind; migrate again with --crd and a file with the definition of the kind`,
    );
    const plural = pluralOf(kind.toLowerCase());
    const named: MigratedKind = { group, version, kind, plural, className: kind, from: path, origin };
    this.#known.push(named);
    return named;
  }

  /**
   * Returns the kind with the group, version, and name. If there is none, returns the only kind of the project with this version and name,
   * because the group in PROJECT may be outdated.
   */
  #find({ group, version, kind }: Pick<MigratedKind, 'group' | 'version' | 'kind'>): MigratedKind | undefined {
    const exact = this.#known.find((each) => each.group === group && each.version === version && each.kind === kind);
    return exact ?? this.#only({ version, kind }, 'own');
  }
  #only(
    { version, kind }: Pick<MigratedKind, 'version' | 'kind'>,
    origin?: MigratedKind['origin'],
  ): MigratedKind | undefined {
    const [only, ...more] = this.#known.filter(
      (each) => each.kind === kind && each.version === version && (origin === undefined || each.origin === origin),
    );
    return more.length === 0 ? only : undefined;
  }

  #builtIn(choice: { group: string; version: string; kind: string }): MigratedKind | undefined {
    const found = builtInKind(choice) ?? builtInKind({ kind: choice.kind, group: choice.group });
    if (found === undefined) return undefined;
    const { group, version, kind, plural = '' } = found.info;
    const sample = () => builtInSample(found.info);
    return { group, version, kind, plural, className: kind, from: found.module, origin: 'built-in', sample };
  }

  #declare(definitions: ReadonlyMap<string, string>, origin: 'own' | 'external'): void {
    for (const [path, text] of definitions) {
      if (origin === 'own' && !/^\s*kind: CustomResourceDefinition/m.test(text)) continue;
      for (const crd of readCrds(text, path)) this.#classes(crd, origin);
    }
  }

  #classes(crd: CustomResourceDefinition, origin: 'own' | 'external'): void {
    const { group, names } = crd.spec;
    try {
      for (const each of classesOf(crd, { external: origin === 'external' })) {
        const { version, kind, className, text, differences } = each;
        const path = origin === 'own' ? this.#apiPath(each) : `src/external/${group}/${version}/${kebabCase(kind)}.ts`;
        this.files.set(path, text);
        if (origin === 'own') this.created.push(`${kind} (${group}/${version}): ${path}`);
        append(
          this.tasks,
          differences.map(
            (difference) => `check ${path}: the definition of this class differs from the original: ${difference}`,
          ),
        );
        const sample = () => inNamespace(sampleOf(crd, version), crd);
        this.#known.push({ group, version, kind, plural: names.plural, className, from: path, origin, sample });
      }
    } catch (error) {
      if (!(error instanceof KubewrightError) || error.code !== 'UNSUPPORTED_KIND') throw error;
      this.tasks.push(`declare ${names.kind} (${group}) by hand: ${messageOf(error)}`);
    }
  }

  #apiPath({ group, kind, version }: { group: string; kind: string; version: string }): string {
    const { domain, multiGroup } = this.#project;
    const short = group === domain ? '' : group.endsWith(`.${domain}`) ? group.slice(0, -domain.length - 1) : undefined;
    const names = short === undefined ? { group: '', domain: group } : { group: short, domain };
    return apiPath({ ...names, kind, version, namespaced: true, multiGroup });
  }
}

/** Reports whether a Go type is the type of a resource. Ignores the major version in the module path (/v5/), which PROJECT often omits. */
export function isSameType({ path, name }: GoType, resource: KubebuilderResource): boolean {
  const plain = (each: string): string => each.replace(/\/v\d+(?=\/)/g, '');
  return name === resource.kind && plain(path) === plain(resource.path);
}

function namedKind({ group, version, kind }: { group: string; version: string; kind: string }): string {
  return `import { dynamicKind } from '@kubewright/api';

/** A kind of another operator. Only its name is known. */
export const ${kind} = dynamicKind('${group}/${version}', '${kind}');
export type ${kind} = InstanceType<typeof ${kind}>;
`;
}
