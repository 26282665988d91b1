import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '@kubewright/api';
import type { ApiServer } from '@kubewright/apiserver';
import * as database from '@kubewright/example-database';
import * as foo from '@kubewright/example-foo';
import * as virtualMachine from '@kubewright/example-virtual-machine';
import type { Reconciler } from '@kubewright/runtime';
import { crdFor } from '@kubewright/api/metadata';

type Json = Record<string, unknown>;
/** An object as the server holds it. */
export interface Living {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
    readonly generation?: number;
    readonly ownerReferences?: readonly { readonly uid: string }[];
  };
  readonly spec?: unknown;
  readonly status?: unknown;
}
/** `group/version/plural`. */
export type ResourcePath = `${string}/${string}/${string}`;

/** One example under chaos: what its users ask for, and what must be true in the end. */
export interface Scenario {
  readonly name: string;
  readonly controllers: readonly (new (...services: never[]) => Reconciler<never>)[];
  readonly kinds: Parameters<typeof crdFor>[0];
  readonly samples: readonly KubeObject[];
  /** Where the samples are. */
  readonly resource: ResourcePath;
  /** Where children are that the operator makes again when somebody else deletes them. */
  readonly children: ResourcePath;
  /** What a user changes while the operator works. */
  edit(spec: Json): Json;
  /** Whether the object and its children are what its author asked for; `childrenOf` finds what is owned by a uid. */
  isConverged(object: Living, childrenOf: (uid: string, resource: ResourcePath) => readonly Living[]): boolean;
}

/** The images that a StatefulSet has had, the oldest first. */
function imagesOf(revisions: readonly Living[]): readonly (string | undefined)[] {
  const inOrder = revisions as readonly (Living & { readonly revision: number; readonly data: unknown })[];
  return inOrder
    .toSorted((a, b) => a.revision - b.revision)
    .map(({ data }) => /mariadb:([\d.]+)/.exec(JSON.stringify(data))?.[1]);
}

export const scenarios: readonly Scenario[] = [
  {
    name: 'virtual-machine',
    controllers: virtualMachine.controllers,
    kinds: virtualMachine.kinds,
    samples: virtualMachine.samples,
    resource: 'cloud.waibizi.com/v1/virtualmachines',
    children: '/v1/services',
    edit: (spec) => ({ ...spec, image: `${String(spec.image)}-updated`, memory: 512 }),
    isConverged: (vm, childrenOf) => {
      const pods = childrenOf(vm.metadata.uid, '/v1/pods');
      const image = (pods[0]?.spec as { containers?: readonly { image?: string }[] } | undefined)?.containers?.[0]
        ?.image;
      return (
        (vm.status as Json | undefined)?.phase === 'Complete' &&
        pods.length === 1 &&
        image === (vm.spec as Json).image &&
        childrenOf(vm.metadata.uid, '/v1/services').length === 1
      );
    },
  },
  {
    name: 'foo',
    controllers: foo.controllers,
    kinds: foo.kinds,
    samples: foo.samples,
    resource: 'samplecontroller.k8s.io/v1alpha1/foos',
    children: 'apps/v1/deployments',
    edit: (spec) => ({ ...spec, replicas: (spec.replicas as number) + 2 }),
    isConverged: (object, childrenOf) => {
      const { replicas } = object.spec as { replicas: number };
      const deployments = childrenOf(object.metadata.uid, 'apps/v1/deployments');
      const sets = deployments.flatMap(({ metadata }) => childrenOf(metadata.uid, 'apps/v1/replicasets'));
      const pods = sets.flatMap(({ metadata }) => childrenOf(metadata.uid, '/v1/pods'));
      return (
        (object.status as Json | undefined)?.availableReplicas === replicas &&
        deployments.length === 1 &&
        sets.length === 1 &&
        pods.length === replicas
      );
    },
  },
  {
    name: 'database',
    controllers: database.controllers,
    kinds: database.kinds,
    samples: ['shop', 'blog'].map(
      (name) =>
        new database.Database({
          metadata: { name, namespace: 'default' },
          spec: { version: '10.6', backup: { schedule: '0 0 1 7 *' } },
        }),
    ),
    resource: 'db.example.com/v1/databases',
    children: '/v1/services',
    edit: (spec) => ({ ...spec, version: spec.version === '10.6' ? '11.4' : '11.8' }),
    isConverged: (db, childrenOf) => {
      const { version } = db.spec as { readonly version: database.Version };
      const servers = childrenOf(db.metadata.uid, 'apps/v1/statefulsets');
      const ran = imagesOf(servers.flatMap(({ metadata }) => childrenOf(metadata.uid, 'apps/v1/controllerrevisions')));
      const end = database.versions.indexOf(version) + 1;
      return (
        database.isConverged(db as never) &&
        isDeepStrictEqual(ran, database.versions.slice(end - ran.length, end)) &&
        ['apps/v1/statefulsets', '/v1/services', '/v1/secrets', 'batch/v1/cronjobs'].every(
          (resource) => childrenOf(db.metadata.uid, resource as ResourcePath).length === 1,
        )
      );
    },
  },
];

/** The scenario of a seed: those that are named take turns. @param names @default all */
export function scenarioOf(seed: number, names: readonly string[] = scenarios.map(({ name }) => name)): Scenario {
  const name = names[seed % names.length];
  const scenario = scenarios.find((each) => each.name === name);
  if (scenario === undefined) throw new Error(`there is no scenario ${name}`);
  return scenario;
}

/** What users do in a scenario, straight on the server's registry: their requests are not what is under test. */
export class Users {
  readonly #cluster: { readonly server: ApiServer };
  readonly #scenario: Scenario;
  readonly #living = new Set<string>();
  #seen:
    | { readonly server: ApiServer; readonly resourceVersion: string; readonly unmet: readonly string[] }
    | undefined;

  /** The server of the cluster may be another one each time. */
  constructor(cluster: { readonly server: ApiServer }, scenario: Scenario) {
    this.#cluster = cluster;
    this.#scenario = scenario;
    const crds = this.#resource('apiextensions.k8s.io/v1/customresourcedefinitions');
    for (const kind of [scenario.kinds].flat()) crds.create(crdFor(kind), asUser('create'));
  }

  create(sample: KubeObject): void {
    this.#samples.create(sample, asUser('create'), keyOf(sample));
    this.#living.add(sample.metadata.name);
  }
  edit(sample: KubeObject): void {
    const edited = (live: Living): unknown => ({ ...live, spec: this.#scenario.edit(live.spec as Json) });
    this.#samples.update(keyOf(sample), (live) => edited(live), asUser('update'));
  }
  delete(sample: KubeObject): void {
    this.#samples.delete(keyOf(sample), {}, asUser('delete'));
    this.#living.delete(sample.metadata.name);
  }
  /** Behind the back of the operator. */
  deleteChildren(sample: KubeObject): void {
    const { uid } = this.#samples.get(keyOf(sample)).metadata;
    for (const child of this.#childrenOf(uid, this.#scenario.children)) {
      this.#resource(this.#scenario.children).delete(keyOf(child), {}, asUser('delete'));
    }
  }

  /** What is not yet as the users want it, one sentence each. */
  unmet(): readonly string[] {
    const { server } = this.#cluster;
    const { resourceVersion } = server;
    // It is asked for again and again, and follows from what is stored.
    if (this.#seen?.server !== server || this.#seen.resourceVersion !== resourceVersion) {
      this.#seen = { server, resourceVersion, unmet: this.#unmet() };
    }
    return this.#seen.unmet;
  }

  #unmet(): readonly string[] {
    const samples = this.#samples.list().items as unknown as readonly Living[];
    const names = new Set(samples.map(({ metadata }) => metadata.name));
    return [
      ...[...this.#living].filter((name) => !names.has(name)).map((name) => `${name} was lost`),
      ...samples
        .filter(({ metadata }) => !this.#living.has(metadata.name))
        .map(({ metadata }) => `${metadata.name} is not deleted`),
      ...samples
        .filter((sample) => !this.#scenario.isConverged(sample, (uid, path) => this.#childrenOf(uid, path)))
        .map((sample) => `${sample.metadata.name} is not converged: ${JSON.stringify(sample.status)}`),
      ...samples
        .filter((sample) => !isTold(sample))
        .map((sample) => `the status of ${sample.metadata.name} is behind: ${JSON.stringify(sample.status)}`),
      ...this.#orphans(),
    ];
  }

  #resource(path: ResourcePath) {
    const [group = '', version = '', plural = ''] = path.split('/');
    const { registry } = this.#cluster.server;
    const definition = registry.find(group, version, plural);
    if (definition === undefined) throw new Error(`the server has no resource ${path}`);
    return registry.resource(definition);
  }
  get #samples() {
    return this.#resource(this.#scenario.resource);
  }
  #childrenOf(uid: string, path: ResourcePath): readonly Living[] {
    const objects = this.#resource(path).list().items as unknown as readonly Living[];
    return objects.filter((object) => ownersOf(object).includes(uid));
  }
  /** Objects whose owners are all gone. */
  #orphans(): readonly string[] {
    const { registry } = this.#cluster.server;
    const all = registry
      .stored()
      .flatMap((definition) => registry.resource(definition).list().items as unknown as readonly Living[]);
    const living = new Set(all.map(({ metadata }) => metadata.uid));
    return all
      .filter((object) => ownersOf(object).length > 0 && !ownersOf(object).some((uid) => living.has(uid)))
      .map(({ kind, metadata }) => `${kind} ${metadata.name} is an orphan`);
  }
}

/** Whether a status that tells of reconciles tells of one that succeeded, on the object as it is. */
function isTold({ metadata, status }: Living): boolean {
  const { observedGeneration, conditions } = (status ?? {}) as {
    readonly observedGeneration?: number;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
  const reconciled = conditions?.find(({ type }) => type === 'Reconciled')?.status ?? 'True';
  return reconciled === 'True' && (observedGeneration ?? metadata.generation) === metadata.generation;
}

function asUser(verb: string) {
  return {
    verb,
    fieldManager: 'user',
    dryRun: false,
    fieldValidation: 'Strict' as const,
    warnings: [],
    user: { name: 'user', groups: ['system:masters', 'system:authenticated'] },
  };
}
function ownersOf(object: Living): readonly string[] {
  return (object.metadata.ownerReferences ?? []).map(({ uid }) => uid);
}
function keyOf({ metadata: { namespace, name } }: Pick<Living, 'metadata'> | KubeObject): {
  namespace?: string;
  name: string;
} {
  return namespace === undefined ? { name } : { namespace, name };
}
