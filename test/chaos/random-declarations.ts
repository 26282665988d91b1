import { CustomResource, Field, Kind, type KindRef, metadataOnly } from '@kubewright/api';
import { ConfigMap } from '@kubewright/api/core/v1';
import {
  type Constructor,
  Client,
  Controller,
  owned,
  type Reconciler,
  references,
  Result,
  watch,
  type WatchDeclaration,
} from '@kubewright/runtime';
import type { StoredObject, Scenario } from './scenario.js';
import { wholeNumbers } from './whole-numbers.js';

class SubjectSpec {
  @Field.string() value!: string;
  @Field.list(Field.string()) refs!: string[];
}
/** The kind that both controllers reconcile. */
@Kind({ group: 'chaos.example.com', version: 'v1' })
export class Subject extends CustomResource(SubjectSpec) {}

const namespace = 'default';
const CONTROLLERS = ['left', 'right'] as const;
const SAMPLES = ['one', 'two'] as const;
const TIERS = ['web', 'db'] as const;
/** The children of both controllers, and a ConfigMap without an owner. */
const CHILDREN = CONTROLLERS.flatMap((controller) => SAMPLES.map((name) => childOf(controller, name)));
const PLAIN = 'plain';
const NAMES = [...CHILDREN, PLAIN];

/** The ConfigMap declarations of one controller. Contains only data, so that a schedule can print the declarations. */
export interface RandomDeclarations {
  readonly owns: 'labeled' | 'adopted';
  readonly references: boolean;
  readonly reads: boolean;
  readonly labels: 'none' | 'tier=web' | 'tier=db' | 'tier in (web,db)';
  /** Whether the controller watches the ConfigMap `left-one` by name. */
  readonly fields: boolean;
  readonly namespaces: boolean;
  readonly metadataOnly: 'none' | 'all' | 'tier=web' | 'tier=db' | 'namespace';
}

/** Returns the declarations of both controllers for a seed. */
export function declarationsOf(seed: number): Readonly<Record<(typeof CONTROLLERS)[number], RandomDeclarations>> {
  const below = wholeNumbers(seed * 104_729);
  const oneOf = <const T>(values: readonly T[]): T => values[below(values.length)] as T;
  const declarations = (): RandomDeclarations => ({
    owns: oneOf(['labeled', 'labeled', 'labeled', 'labeled', 'labeled', 'adopted']),
    references: oneOf([true, false, false]),
    reads: oneOf([true, false, false, false, false, false]),
    labels: oneOf(['none', 'tier=web', 'tier=db', 'tier in (web,db)']),
    fields: oneOf([true, false, false]),
    namespaces: oneOf([true, false, false]),
    metadataOnly: oneOf(['none', 'all', 'tier=web', 'tier=db', 'namespace']),
  });
  return { left: declarations(), right: declarations() };
}

/** Returns a scenario whose two controllers have the declarations for the seed. */
export function declarationsScenario(seed: number): Scenario {
  const declarations = declarationsOf(seed);
  return {
    name: 'declarations',
    detail: CONTROLLERS.map((controller) => `${controller} declares ${JSON.stringify(declarations[controller])}`),
    controllers: CONTROLLERS.map((controller) => declaredController(controller, declarations[controller])) as never,
    kinds: [Subject],
    samples: SAMPLES.map(
      (name) => new Subject({ metadata: { namespace, name }, spec: { value: '0', refs: [PLAIN, 'left-one'] } }),
    ),
    prepared: [
      {
        object: new ConfigMap({ metadata: { namespace, name: PLAIN, labels: { tier: 'web' } } }),
        resource: '/v1/configmaps',
      },
    ],
    // The controllers exist only in this process. The operator of a scenario with an external system runs in this process.
    external: { reset: () => undefined, provide: () => undefined },
    resource: 'chaos.example.com/v1/subjects',
    children: '/v1/configmaps',
    made: ['/v1/configmaps'],
    edit: (spec) => ({ value: String(Number(spec.value) + 1), refs: [PLAIN, 'right-one', 'left-two'] }),
    isConverged: (subject, childrenOf, all) => {
      const { name } = subject.metadata;
      const configMaps = all('/v1/configmaps').filter((each) => each.metadata.namespace === namespace);
      const children = childrenOf(subject.metadata.uid, '/v1/configmaps');
      return CONTROLLERS.every((controller) => {
        const seen = new Set(configMaps.map((each) => each.metadata.name));
        const selected = (labels: string) => namesOf(configMaps.filter((each) => isSelected(each, labels)));
        const expected = resultOf(subject.spec as SubjectSpec, declarations[controller], {
          has: (each) => seen.has(each),
          selected,
          metadata: selected,
        });
        const child = children.find((each) => each.metadata.name === childOf(controller, name));
        return (child as { readonly data?: { readonly seen?: string } } | undefined)?.data?.seen === expected;
      });
    },
  };
}

function declaredController(
  name: (typeof CONTROLLERS)[number],
  of: RandomDeclarations,
): Constructor<Reconciler<Subject>> {
  const toAll = () => SAMPLES.map((each) => ({ namespace, name: each }));
  const watches: WatchDeclaration<Subject>[] = [
    ...(of.references ? [references(ConfigMap, (subject: Subject) => subject.spec.refs)] : []),
    ...(of.labels === 'none' ? [] : [watch(ConfigMap, { labels: of.labels, map: toAll })]),
    ...(of.fields ? [watch(ConfigMap, { fields: { 'metadata.name': 'left-one' }, map: toAll })] : []),
    ...(of.namespaces ? [watch(ConfigMap, { namespaces: [namespace], map: toAll })] : []),
    ...(of.metadataOnly === 'none' ? [] : [watch(metadataOnly(ConfigMap), { ...metadataSelection(of), map: toAll })]),
  ];
  const reads: KindRef[] = of.reads ? [ConfigMap] : [];
  @Controller({ for: Subject, name, owns: [owned(ConfigMap, { adopted: of.owns === 'adopted' })], watches, reads })
  class DeclaredController implements Reconciler<Subject> {
    constructor(private readonly client: Client) {}

    async reconcile(subject: Subject): Promise<Result> {
      const seen = resultOf(subject.spec, of, await this.#view(subject));
      const tier = TIERS[CHILDREN.indexOf(childOf(name, subject.metadata.name)) % TIERS.length] ?? 'web';
      const metadata = { namespace, name: childOf(name, subject.metadata.name), labels: { tier } };
      await this.client.applyOwned(subject, [new ConfigMap({ metadata, data: { seen } })]);
      return Result.done();
    }

    async #view(subject: Subject): Promise<View> {
      const present = new Set<string>();
      for (const each of [...subject.spec.refs, 'left-one']) {
        if ((await this.client.find(ConfigMap, { namespace, name: each })) !== undefined) present.add(each);
      }
      const isLabeled = of.labels !== 'none';
      const labeled = isLabeled ? namesOf(await this.client.list(ConfigMap, { namespace, labels: of.labels })) : [];
      const all = of.namespaces ? namesOf(await this.client.list(ConfigMap, { namespace })) : [];
      const labels = metadataLabels(of);
      const metadata =
        of.metadataOnly === 'none'
          ? []
          : namesOf(await this.client.list(metadataOnly(ConfigMap), { namespace, ...(labels !== '' && { labels }) }));
      return {
        has: (each) => present.has(each),
        selected: (selector) => (selector === '' ? all : labeled),
        metadata: () => metadata,
      };
    }
  }
  return DeclaredController;
}

/** The ConfigMaps that a result depends on. `labels` is a label selector; '' selects all ConfigMaps. */
interface View {
  has(name: string): boolean;
  selected(labels: string): readonly string[];
  metadata(labels: string): readonly string[];
}

/** Returns a result that depends only on watched objects, so that the last event leads to the final result. */
function resultOf(
  { value, refs }: { readonly value: string; readonly refs: readonly string[] },
  of: RandomDeclarations,
  view: View,
): string {
  return [
    value,
    ...(of.references ? refs.map((name) => `ref ${name} ${view.has(name)}`) : []),
    ...(of.labels === 'none' ? [] : [`labels ${view.selected(of.labels).join(',')}`]),
    ...(of.fields ? [`named ${view.has('left-one')}`] : []),
    ...(of.namespaces ? [`namespace ${view.selected('').join(',')}`] : []),
    ...(of.metadataOnly === 'none' ? [] : [`metadata ${view.metadata(metadataLabels(of)).join(',')}`]),
  ].join('; ');
}

function metadataLabels({ metadataOnly: of }: RandomDeclarations): string {
  return of.startsWith('tier') ? of : '';
}
function metadataSelection(of: RandomDeclarations): { readonly labels?: string; readonly namespaces?: string[] } {
  if (of.metadataOnly === 'all') return {};
  return of.metadataOnly === 'namespace' ? { namespaces: [namespace] } : { labels: of.metadataOnly };
}
function isSelected({ metadata }: StoredObject, labels: string): boolean {
  const tier = metadata.labels?.tier;
  return labels === '' || (tier !== undefined && labels.includes(tier));
}
function namesOf(objects: readonly { readonly metadata: { readonly name: string } }[]): readonly string[] {
  return objects
    .map(({ metadata }) => metadata.name)
    .filter((name) => NAMES.includes(name))
    .toSorted();
}
function childOf(controller: string, name: string): string {
  return `${controller}-${name}`;
}
