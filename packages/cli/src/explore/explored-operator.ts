import type { KindRef, KubeObject } from '@kubewright/api';
import { builtInKind } from '@kubewright/api/built-in';
import { kindOf } from '@kubewright/api/metadata';
import type { Manager } from '@kubewright/runtime';
import { type Added, REPORT } from '@kubewright/runtime/internal';
import type { OperatorUnderTest } from '@kubewright/testing';
import { moduleOf, type Source } from '../project/inspection/module-of.js';
import { projectDeclarations, usedKinds } from '../project/inspection/describe-project.js';
import type { InspectionRequest } from '../project/inspection/inspection-messages.js';
import { namesOfKind } from '../plan/names-of-kind.js';
import type { ClassPlace, TestMaterial } from './explore-messages.js';

/** The operator of a project, the kinds to explore, and the classes and objects for generated tests. */
export interface ExploredOperator {
  readonly operator: OperatorUnderTest;
  /** The kinds to explore. */
  readonly explored: readonly KindRef[];
  readonly material: TestMaterial;
}

/** The options of `exploredOperator`. */
export interface ExploredOperatorUsing {
  readonly request: InspectionRequest;
  /** The objects in the sample files. */
  readonly samples: readonly KubeObject[];
  /** Any name of the kind to explore. Undefined for all kinds with a controller. */
  readonly kind: string | undefined;
}

/** Returns the operator of a program. `manager` is the manager that the program starts. */
export async function exploredOperator(
  manager: Manager,
  { request, samples, kind }: ExploredOperatorUsing,
): Promise<ExploredOperator> {
  const description = manager.describe();
  const { own, declared } = await projectDeclarations(request, description);
  const used = usedKinds(description).filter((ref) => !kindOf(ref).builtIn && !kindOf(ref).dynamic);
  const kinds = [...new Set([...declared.map(({ ref }) => ref), ...used])];
  const reconciled = description.controllers.flatMap((controller) => controller.for?.kind ?? []);
  const custom = kinds.filter((ref) => reconciled.some((each) => nameOf(each) === nameOf(ref)));
  const explored = kind === undefined ? custom : custom.filter((ref) => namesOf(ref).includes(kind.toLowerCase()));
  const objects = samples.filter(
    ({ apiVersion, kind: name }) => !custom.some((ref) => nameOf(ref) === `${apiVersion} ${name}`),
  );
  const report = manager[REPORT];
  const operator: OperatorUnderTest = {
    kinds,
    controllers: [],
    objects: objects.map(placed),
    manager: report.readOptions,
    prepare: (other) => report.copyTo(other),
  };
  return { operator, explored, material: { ...testMaterial(manager, kinds, own), objects: operator.objects ?? [] } };
}

/**
 * Returns the classes of the kinds and components with the paths of their sources, and the reason why a generated test cannot run the
 * operator.
 */
function testMaterial(
  manager: Manager,
  kinds: readonly KindRef[],
  sources: readonly Source[],
): Omit<TestMaterial, 'objects'> {
  const { added, hasServices } = manager[REPORT];
  const targets = [...new Set(added.map(classIn))];
  const places = targets.map((target) => target && placeOf(target, sources));
  const isMissing = places.includes(undefined);
  return {
    kinds: kinds.flatMap((ref) => {
      const { kind, namespaced = true } = kindOf(ref);
      const place = typeof ref === 'function' ? placeOf(ref, sources) : undefined;
      return place === undefined ? [] : [{ ...place, kind, namespaced }];
    }),
    components: places.flatMap((place) => place ?? []),
    obstacle: hasServices
      ? 'the program provides services to the manager'
      : isMissing
        ? 'the program adds a component that is not a class in its sources'
        : undefined,
  };
}

/** Returns the class of a component. Returns undefined if the program added an object instead of a class. */
function classIn(added: Added): (new (...services: never[]) => object) | undefined {
  const component =
    'controller' in added
      ? added.controller.reconciler
      : 'webhook' in added
        ? added.webhook.handlers
        : 'runnable' in added
          ? added.runnable.runnable
          : undefined;
  return typeof component === 'function' ? component : undefined;
}

function placeOf(target: { readonly name: string }, sources: readonly Source[]): ClassPlace | undefined {
  const [module] = moduleOf(target as KindRef, sources);
  return module && { name: target.name, source: module.source };
}

/** Adds the namespace `default` to an object without a namespace, unless the kind of the object is cluster-scoped. */
function placed(object: KubeObject): KubeObject {
  const { apiVersion, kind, metadata } = object;
  const isClusterScoped = builtInKind(apiVersion, kind)?.namespaced === false;
  return isClusterScoped || metadata.namespace !== undefined
    ? object
    : { ...object, metadata: { ...metadata, namespace: 'default' } };
}

function namesOf(ref: KindRef): readonly string[] {
  const { plural, kind, group, singular, shortNames } = kindOf(ref);
  return namesOfKind({ plural, kind, group, singular, shortNames });
}
function nameOf(ref: KindRef): string {
  const { apiVersion, kind } = kindOf(ref);
  return `${apiVersion} ${kind}`;
}
