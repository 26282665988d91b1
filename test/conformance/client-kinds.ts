import assert from 'node:assert/strict';
import {
  CustomResource,
  defineKind,
  dynamicKind,
  Field,
  Kind,
  type KindRef,
  type KubeObject,
  Scale,
} from '@kubewright/api';
import { ConfigMap, Namespace } from '@kubewright/api/core/v1';
import { KubewrightError } from '@kubewright/api/errors';
import { IngressClass } from '@kubewright/api/networking/v1';

class GadgetSpec {
  @Field.int32({ minimum: 0 }) size!: number;
  @Field.string({ optional: true }) color?: string;
}
class GadgetStatus {
  @Field.int32({ optional: true }) size?: number;
  @Field.string({ optional: true }) phase?: string;
}
/** A namespaced custom kind, declared as a class. */
@Kind({ group: 'client.example.com', version: 'v1' })
@Scale({ specReplicas: '.spec.size', statusReplicas: '.status.size' })
export class Gadget extends CustomResource(GadgetSpec, GadgetStatus) {}

class SiteSpec {
  @Field.string({ optional: true }) city?: string;
}
class SiteStatus {
  @Field.string({ optional: true }) phase?: string;
}
/** A cluster-scoped custom kind. */
@Kind({ group: 'client.example.com', version: 'v1', scope: 'Cluster' })
export class Site extends CustomResource(SiteSpec, SiteStatus) {}

/** The kinds Gadget and Site, known only by name. */
export const NamedGadget = dynamicKind<Gadget>('client.example.com/v1', 'Gadget');
export const NamedSite = dynamicKind<Site>('client.example.com/v1', 'Site');
/** A kind that the server does not serve. */
export const Phantom = dynamicKind('client.example.com/v1', 'Phantom');

export const namespace = 'default';

export function gadget(name: string, spec: Partial<GadgetSpec> = {}, labels: Record<string, string> = {}): Gadget {
  return new Gadget({ metadata: { name, namespace, labels }, spec: { size: 1, ...spec } });
}
export function configMap(name: string, data: Record<string, string> = {}, labels = {}): ConfigMap {
  return new ConfigMap({ metadata: { name, namespace, labels }, data });
}

/** A way to refer to a kind, and a function that creates an object of the kind. */
export interface Representation {
  readonly how: string;
  readonly kind: KindRef;
  readonly object: (name: string) => KubeObject;
}
export const namespaced: readonly Representation[] = [
  { how: 'a class', kind: Gadget, object: (name) => gadget(name) },
  { how: 'a built-in kind', kind: ConfigMap, object: (name) => configMap(name) },
  {
    how: 'a kind known by name',
    kind: NamedGadget,
    object: (name) => new NamedGadget({ metadata: { name, namespace }, spec: { size: 1 } }),
  },
];
export const clusterScoped: readonly Representation[] = [
  { how: 'a class', kind: Site, object: (name) => new Site({ metadata: { name }, spec: {} }) },
  { how: 'a built-in kind', kind: IngressClass, object: (name) => ingressClass(name) },
  {
    how: 'a kind known by name',
    kind: NamedSite,
    object: (name) => new NamedSite({ metadata: { name }, spec: {} }),
  },
];
/** A kind declared without a class, with a 64-bit integer field. */
export const Counter = defineKind<{ readonly serial: number | bigint; readonly color?: string }>({
  group: 'client.example.com',
  version: 'v1',
  kind: 'Counter',
  spec: {
    type: 'object',
    required: ['serial'],
    properties: { serial: { type: 'integer', format: 'int64' }, color: { type: 'string' } },
  },
});
export const kinds = [Gadget, Site, Counter];

export function ingressClass(name: string, labels: Record<string, string> = {}): IngressClass {
  return new IngressClass({ metadata: { name, labels }, spec: { controller: 'example.com/ingress' } });
}

export function namespaceCalled(name: string): Namespace {
  return new Namespace({ metadata: { name } });
}
export function hasCode(code: string): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof KubewrightError, String(error));
    assert.equal(error.code, code, error.message);
    return true;
  };
}
export function namesOf(objects: readonly KubeObject[]): string[] {
  return objects.map(({ metadata }) => metadata.name).toSorted();
}
