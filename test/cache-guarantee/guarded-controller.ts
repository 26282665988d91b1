import { metadataOnly } from '@kubewright/api';
import { ConfigMap, Namespace } from '@kubewright/api/core/v1';
import { type Constructor, Client, Controller, type Reconciler, Result } from '@kubewright/runtime';
import {
  controllerOptions,
  type Declarations,
  declaresConfigMaps,
  declaresMetadata,
  declaresNamespaces,
} from './declarations.js';
import type { Observer } from './observer.js';
import { childName, CONFIG_NAMES, NAMESPACES, OTHER_NAMESPACES, type Parent, type ParentKind } from './parents.js';
import { isOfTeam, matchesSelector, resultOf, type View } from './view.js';

/** Creates a controller with these declarations. The controller reads everything that it may read, and writes one child and one status. */
export function guardedController(
  kind: ParentKind,
  of: Declarations,
  observer: Observer,
): Constructor<Reconciler<Parent>> {
  @Controller(controllerOptions(kind, of, observer.onEvent))
  class GuardedController implements Reconciler<Parent> {
    constructor(private readonly client: Client) {}

    async reconcile(parent: Parent): Promise<Result> {
      const view = observedView(this.client, observer);
      await this.#readEverything(parent);
      const seen = await resultOf(parent, of, view);
      if (of.owns !== 'none') {
        const { namespace = '', name } = parent.metadata;
        const metadata = { namespace, name: childName(kind.name, name) };
        await this.client.applyOwned(parent, [new ConfigMap({ metadata, data: { seen } })]);
      }
      await this.client.patchStatus(parent, { seen });
      return Result.done();
    }

    /** Reads the parent, and objects that do not affect the result. The declarations select only some of these objects. */
    async #readEverything({ metadata: { namespace: ownNamespace = '', name } }: Parent): Promise<void> {
      await observer.find<Parent>(this.client, kind, { namespace: ownNamespace, name });
      for (const namespace of declaresConfigMaps(of) ? NAMESPACES : []) {
        for (const each of [...CONFIG_NAMES, childName(kind.name, name)]) {
          await observer.find(this.client, ConfigMap, { namespace, name: each });
        }
      }
      for (const namespace of declaresMetadata(of) ? NAMESPACES : []) {
        for (const each of [...CONFIG_NAMES, childName(kind.name, name)]) {
          await observer.find(this.client, metadataOnly(ConfigMap), { namespace, name: each });
        }
      }
      for (const each of declaresNamespaces(of) ? [...NAMESPACES, ...OTHER_NAMESPACES] : []) {
        await observer.find(this.client, Namespace, { name: each });
      }
    }
  }
  return GuardedController;
}

function observedView(client: Client, observer: Observer): View {
  return {
    configMap: (namespace, name) => observer.find(client, ConfigMap, { namespace, name }),
    configMaps: (namespace, selector) =>
      observer.list(client, ConfigMap, {
        within: { namespace },
        ...(selector !== 'none' && { labels: selector }),
        matches: (object) => matchesSelector(object, selector),
        names: CONFIG_NAMES,
      }),
    metadata: (namespace, selector) =>
      observer.list(client, metadataOnly(ConfigMap), {
        within: { namespace },
        ...(selector !== 'none' && { labels: selector }),
        matches: (object) => matchesSelector(object, selector),
        names: CONFIG_NAMES,
      }),
    namespacesOfTeam: () =>
      observer.list(client, Namespace, {
        within: {},
        labels: { team: 'a' },
        matches: isOfTeam,
        names: [...NAMESPACES, ...OTHER_NAMESPACES],
      }),
  };
}
