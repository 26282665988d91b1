import { isReady, type KubeObject } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { kindRefOf } from '@kubewright/api/metadata';
import type { Client, Informer } from '@kubewright/runtime';
import { type InformerCache, type ServedDefinition, untilListed, untilNotServed } from '@kubewright/runtime/internal';

/** The time limit for the server to serve a kind, or to delete a definition and its objects. */
const TIME_LIMIT_MS = 30_000;

/** The client and the cache for reading and writing definitions. */
export interface InstallUsing {
  readonly client: Client;
  readonly cache: InformerCache;
}

/** Installs CustomResourceDefinitions on an external server, and records which of the definitions are new. */
export class InstalledDefinitions {
  readonly #created = new Map<string, KubeObject>();

  /**
   * Applies the definitions. Resolves when the server serves their kinds, which happens shortly after the definitions are established. If
   * another field manager has set other values in a definition, rejects with a conflict and does not change the definition. Rejects with
   * NOT_ESTABLISHED after 30 s.
   */
  async install(definitions: readonly KubeObject[], { client, cache }: InstallUsing): Promise<void> {
    const [first] = definitions;
    if (first === undefined) return;
    const informer = await cache.informer(kindRefOf(first));
    try {
      const each = (is: (name: string) => boolean): boolean => definitions.every(({ metadata: { name } }) => is(name));
      await until(informer, () => each((name) => informer.get({ name })?.metadata.deletionTimestamp === undefined));
      for (const definition of definitions) await this.#apply(definition, client);
      await until(informer, () => each((name) => isEstablished(informer.get({ name }))));
    } finally {
      await informer[Symbol.asyncDispose]();
    }
    for (const definition of definitions) await untilListed(client, definition as KubeObject & ServedDefinition);
  }

  /** Deletes the definitions that `install` created, and their objects. Resolves when the server no longer serves the kinds. */
  removeNew(using: InstallUsing): Promise<void> {
    return this.remove([...this.#created.values()], using);
  }

  /**
   * Deletes definitions and their objects. Resolves when the server no longer serves the kinds, shortly after the deletion. Ignores
   * definitions that do not exist. Rejects with NOT_ESTABLISHED after 30 s.
   */
  async remove(definitions: readonly KubeObject[], { client, cache }: InstallUsing): Promise<void> {
    const [first] = definitions;
    if (first === undefined) return;
    const informer = await cache.informer(kindRefOf(first));
    try {
      const names = definitions.map(({ metadata: { name } }) => name);
      const present = names.flatMap((name) => informer.get({ name }) ?? []);
      for (const definition of present) await client.delete(definition);
      const isDeleted = ({ metadata: { name, uid } }: KubeObject): boolean =>
        informer.get({ name })?.metadata.uid !== uid;
      await until(informer, () => present.every(isDeleted));
      for (const definition of present) await untilNotServed(client, definition as KubeObject & ServedDefinition);
      for (const name of names) this.#created.delete(name);
    } finally {
      await informer[Symbol.asyncDispose]();
    }
  }

  async #apply(definition: KubeObject, client: Client): Promise<void> {
    const before = await client.live.find(kindRefOf(definition), definition.metadata);
    const applied = await client.apply(definition);
    if (before === undefined) this.#created.set(applied.metadata.name, applied);
  }
}

function isEstablished(definition: KubeObject | undefined): boolean {
  return definition !== undefined && isReady(definition);
}

/** Resolves when the condition is true. Checks the condition immediately and after each change. Rejects with NOT_ESTABLISHED after 30 s. */
async function until(informer: Informer<KubeObject>, isSo: () => boolean): Promise<void> {
  const signal = AbortSignal.timeout(TIME_LIMIT_MS);
  if (isSo()) return;
  for await (const _change of informer.changes({ signal })) if (isSo()) return;
  throw new KubewrightError(
    'NOT_ESTABLISHED',
    `cannot install or remove the kinds of a test environment: timed out after ${TIME_LIMIT_MS / 1000} s; check the conditions of the CustomResourceDefinitions`,
  );
}
