// The components of an informer: a reflector that lists and watches, a store, and a loop that keeps the store up to date.
import { ConfigMap } from '@kubewright/api/core/v1';
import { connect, isExpired } from '@kubewright/runtime';

type Delta =
  | { readonly type: 'replaced'; readonly objects: readonly ConfigMap[] }
  | { readonly type: 'added' | 'modified' | 'deleted'; readonly object: ConfigMap };

/** Stores the newest state of each object, by name. */
class Store {
  readonly #objects = new Map<string, ConfigMap>();

  apply(delta: Delta): void {
    if (delta.type === 'replaced') {
      this.#objects.clear();
      for (const object of delta.objects) this.#objects.set(object.metadata.name, object);
    } else if (delta.type === 'deleted') this.#objects.delete(delta.object.metadata.name);
    else this.#objects.set(delta.object.metadata.name, delta.object);
  }
  get(name: string): ConfigMap | undefined {
    return this.#objects.get(name);
  }
  get names(): readonly string[] {
    return [...this.#objects.keys()];
  }
}

const selection = { namespace: 'default', labels: { tour: 'reflector' } };

await using cluster = await connect();
const { client } = cluster;
await client.create(theme('dark', 'black'));
await client.create(theme('light', 'white'));

const store = new Store();
let isFirst = true;
for await (const delta of reflector()) {
  store.apply(delta);
  const subject = delta.type === 'replaced' ? `${delta.objects.length} objects` : delta.object.metadata.name;
  console.log(`${delta.type} ${subject}; store: ${store.names.join(', ') || 'empty'}`);
  if (isFirst) await changeThemes();
  isFirst = false;
  if (store.names.length === 0) break;
}

/**
 * Yields the list and every later change. No change is lost if the watch breaks. If the resourceVersion of the watch expires, the reflector
 * lists again.
 */
async function* reflector(): AsyncGenerator<Delta> {
  for (;;) {
    const objects: ConfigMap[] = [];
    let resourceVersion = '';
    for await (const page of client.live.pages(ConfigMap, selection)) {
      objects.push(...page.items);
      ({ resourceVersion } = page);
    }
    yield { type: 'replaced', objects };
    try {
      yield* client.live.watch(ConfigMap, { ...selection, resourceVersion, resume: true });
    } catch (error) {
      if (!isExpired(error)) throw error;
      console.log('the resourceVersion of the watch expired; listing again');
    }
  }
}

async function changeThemes(): Promise<void> {
  const dusk = await client.create(theme('dusk', 'gray'));
  const light = await client.patch(theme('light', 'white'), { merge: { data: { color: 'yellow' } } });
  for (const object of [theme('dark', 'black'), dusk, light]) await client.delete(object);
}

function theme(name: string, color: string): ConfigMap {
  const { namespace, labels } = selection;
  return new ConfigMap({ metadata: { namespace, name: `theme-${name}`, labels }, data: { color } });
}
