import type { KindRef, KubeObject, ObjectKey } from '@kubewright/api';
import { ConfigMap, Namespace } from '@kubewright/api/core/v1';
import { type Client, isAlreadyExists, isConflict, isNotFound } from '@kubewright/runtime';
import type { RandomValues } from './random-values.js';
import {
  Alpha,
  Beta,
  childName,
  CONFIG_NAMES,
  NAMESPACES,
  OTHER_NAMESPACES,
  PARENT_NAMES,
  type ParentKind,
} from './parents.js';

/** One write of a user. */
export interface Step {
  readonly text: string;
  run(client: Client): Promise<unknown>;
}

const TIERS = ['web', 'db', 'none'] as const;
const PARENT_KINDS: readonly ParentKind[] = [Alpha, Beta];

/** Draws the objects that exist before the manager starts. */
export function drawInitialObjects(random: RandomValues): readonly KubeObject[] {
  return [
    ...[...NAMESPACES, ...OTHER_NAMESPACES].map(
      (name) => new Namespace({ metadata: { name, labels: { team: random.oneOf(['a', 'b']) } } }),
    ),
    ...NAMESPACES.flatMap((namespace) => [
      ...random.some(CONFIG_NAMES, 0.6).map((name) => configMap({ namespace, name }, random.oneOf(TIERS), 'initial')),
      ...PARENT_KINDS.flatMap((kind) =>
        random.some(PARENT_NAMES, 0.6).map((name) => newParent(kind, { namespace, name }, random, 'initial')),
      ),
    ]),
  ];
}

/** Draws one write. `at` makes each written value unique. */
export function drawStep(random: RandomValues, at: number): Step {
  const namespace = random.oneOf(NAMESPACES);
  const kind = random.oneOf(PARENT_KINDS);
  const parent = { namespace, name: random.oneOf(PARENT_NAMES) };
  const config = { namespace, name: random.oneOf(CONFIG_NAMES) };
  const child = { namespace, name: childName(kind.name, parent.name) };
  const value = `v${at}`;
  const tier = random.oneOf(TIERS);
  const refs = random.some(CONFIG_NAMES, 0.4);
  switch (random.oneOf(['write', 'write', 'label', 'delete', 'team', 'spec', 'spec', 'end', 'drift', 'lose'])) {
    case 'write':
      return step(`write ConfigMap ${textOf(config)} ${value}`, (client) =>
        patchOrCreate(client, ConfigMap, config, { data: { value } }, configMap(config, tier, value)),
      );
    case 'label':
      return step(`label ConfigMap ${textOf(config)} tier=${tier}`, (client) =>
        patchOrCreate(client, ConfigMap, config, { metadata: { labels: { tier } } }, configMap(config, tier, value)),
      );
    case 'delete':
      return step(`delete ConfigMap ${textOf(config)}`, (client) => remove(client, ConfigMap, config));
    case 'team': {
      const name = random.oneOf([...NAMESPACES, ...OTHER_NAMESPACES]);
      const team = random.oneOf(['a', 'b']);
      return step(`label Namespace ${name} team=${team}`, (client) =>
        patchIfPresent(client, Namespace, { name }, { metadata: { labels: { team } } }),
      );
    }
    case 'spec':
      return step(`write ${kind.name} ${textOf(parent)} ${value} ${refs.join(',')}`, (client) =>
        patchOrCreate(client, kind, parent, { spec: { value, refs } }, newParent(kind, parent, random, value)),
      );
    case 'end':
      return step(`delete ${kind.name} ${textOf(parent)}`, (client) => remove(client, kind, parent));
    case 'drift':
      return step(`change child ${textOf(child)} ${value}`, (client) =>
        patchIfPresent(client, ConfigMap, child, { data: { seen: value } }),
      );
    default:
      return step(`delete child ${textOf(child)}`, (client) => remove(client, ConfigMap, child));
  }
}

function step(text: string, run: Step['run']): Step {
  return { text, run };
}
function configMap(key: ObjectKey, tier: string, value: string): ConfigMap {
  return new ConfigMap({ metadata: { ...key, labels: { tier } }, data: { value } });
}
function newParent(kind: ParentKind, key: ObjectKey, random: RandomValues, value: string): KubeObject {
  return new kind({ metadata: key, spec: { value, refs: random.some(CONFIG_NAMES, 0.4) } });
}
function textOf({ namespace, name }: ObjectKey): string {
  return `${namespace}/${name}`;
}

async function patchIfPresent(client: Client, kind: KindRef, key: ObjectKey, merge: object): Promise<boolean> {
  const found = await client.find(kind, key);
  if (found === undefined) return false;
  try {
    await client.patch(found, { merge });
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
async function patchOrCreate(
  client: Client,
  kind: KindRef,
  key: ObjectKey,
  merge: object,
  fresh: KubeObject,
): Promise<void> {
  if (await patchIfPresent(client, kind, key, merge)) return;
  try {
    await client.create(fresh as ConfigMap);
  } catch (error) {
    // A concurrent write of the history created the object.
    if (!isAlreadyExists(error)) throw error;
  }
}
async function remove(client: Client, kind: KindRef, key: ObjectKey): Promise<void> {
  const found = await client.find(kind, key);
  if (found === undefined) return;
  try {
    await client.delete(found);
  } catch (error) {
    // A concurrent write of the history replaced the object.
    if (!isConflict(error)) throw error;
  }
}
