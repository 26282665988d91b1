import type { KubeObject } from '@kubewright/api';
import type { CustomResourceConversion } from '@kubewright/api/apiextensions/v1';
import { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { isNotFound } from '@kubewright/api/errors';
import { isJsonObject } from '@kubewright/api/json';
import { retryOnConflict } from '@kubewright/runtime';
import type { KubeApi } from '../deploy/kube-api.js';
import {
  CONVERSION_ANNOTATION,
  LEASE_ANNOTATION,
  leaseNameOf,
  SESSION_LABEL,
  type SessionKey,
  sessionMetadata,
} from './session-objects.js';

/** The annotations with which cert-manager and OpenShift write a CA bundle into a definition, regardless of its URL. */
const INJECTING = [
  'cert-manager.io/inject-ca-from',
  'cert-manager.io/inject-ca-from-secret',
  'cert-manager.io/inject-apiserver-ca',
  'service.beta.openshift.io/inject-cabundle',
];

type Annotations = Readonly<Record<string, string>>;

/** The state of a definition before a session replaced its conversion. */
interface ReplacedConversion {
  /** The URL of the session. If the definition has another URL now, another client has changed the conversion. */
  readonly url: string;
  readonly conversion: CustomResourceConversion;
  /** The annotations that the session has removed, because another component would overwrite the CA bundle. */
  readonly annotations: Annotations;
}

/** The conversion by a session, and the definition that the session changes. */
export interface SessionConversion {
  /** The name of the CustomResourceDefinition. */
  readonly definition: string;
  /** A conversion with a URL and a CA bundle. */
  readonly conversion: CustomResourceConversion;
}

/** The result of `replaceConversion`. */
export type ReplaceResult =
  | { readonly type: 'unchanged' }
  | { readonly type: 'replaced'; readonly previous: CustomResourceConversion }
  /** Another session converts the objects. The definition is unchanged. */
  | { readonly type: 'held'; readonly lease: string };

/**
 * Replaces the conversion of a definition with the conversion of a session. Stores the previous conversion in an annotation. If the
 * definition has the annotation of another session, changes nothing. Rejects if the definition does not exist.
 */
export function replaceConversion(
  api: KubeApi,
  { definition, conversion }: SessionConversion,
  session: SessionKey,
): Promise<ReplaceResult> {
  return retryOnConflict(async (): Promise<ReplaceResult> => {
    const crd = await api.client.live.get(CustomResourceDefinition, { name: definition });
    const holder = leaseNameOf(crd);
    if (holder !== undefined && holder !== session.lease) return { type: 'held', lease: holder };
    const url = urlOf(conversion) ?? '';
    const current = crd.spec.conversion ?? { strategy: 'None' };
    const isReplaced = holder !== undefined && urlOf(current) === url;
    const injecting = injectingAnnotations(crd.metadata.annotations);
    const saved = replacedOf(crd);
    if (isReplaced && Object.keys(injecting).length === 0 && bundleOf(current) === bundleOf(conversion)) {
      return { type: 'unchanged' };
    }
    const previous = isReplaced && saved !== undefined ? saved.conversion : current;
    const replaced: ReplacedConversion = {
      url,
      conversion: previous,
      annotations: { ...saved?.annotations, ...injecting },
    };
    const { labels, annotations } = sessionMetadata(session);
    const removed = Object.fromEntries(Object.keys(injecting).map((name) => [name, null]));
    const merge = {
      metadata: {
        labels,
        annotations: { ...annotations, ...removed, [CONVERSION_ANNOTATION]: JSON.stringify(replaced) },
      },
      spec: { conversion: wholeConversion(conversion) },
    };
    await api.client.patch(crd, { merge } as never, { optimistic: true });
    return isReplaced ? { type: 'unchanged' } : { type: 'replaced', previous };
  });
}

/** The result of `restoreConversion`. */
export type RestoreResult =
  /** The definition does not exist, or does not have the annotation of the session. */
  | 'absent'
  | 'restored'
  /**
   * Another client has changed the conversion, or the annotation is not valid. The conversion is unchanged, and the annotations of the
   * session are removed.
   */
  | 'kept';

/** Restores the conversion that a session has replaced, and removes the annotations of the session. `lease` is the Lease of the session. */
export async function restoreConversion(api: KubeApi, definition: string, lease: string): Promise<RestoreResult> {
  try {
    return await retryOnConflict(async (): Promise<RestoreResult> => {
      const crd = await api.client.live.find(CustomResourceDefinition, { name: definition });
      if (crd === undefined || leaseNameOf(crd) !== lease) return 'absent';
      const replaced = replacedOf(crd);
      const isOurs = replaced !== undefined && urlOf(crd.spec.conversion) === replaced.url;
      const marks = { [LEASE_ANNOTATION]: null, [CONVERSION_ANNOTATION]: null };
      const merge = {
        metadata: { labels: { [SESSION_LABEL]: null }, annotations: { ...replaced?.annotations, ...marks } },
        ...(isOurs && { spec: { conversion: wholeConversion(replaced.conversion) } }),
      };
      await api.client.patch(crd, { merge } as never, { optimistic: true });
      return isOurs ? 'restored' : 'kept';
    });
  } catch (error) {
    if (isNotFound(error)) return 'absent';
    throw error;
  }
}

/** Reports whether the definition still has the conversion of the session. */
export async function isConvertedBy(
  api: KubeApi,
  { definition, conversion }: SessionConversion,
  { lease }: SessionKey,
): Promise<boolean> {
  const crd = await api.client.live.find(CustomResourceDefinition, { name: definition });
  return crd !== undefined && leaseNameOf(crd) === lease && urlOf(crd.spec.conversion) === urlOf(conversion);
}

/**
 * Returns the given objects, with changes to definitions whose conversion a session has replaced. Such a definition has the conversion that
 * is in the cluster, and no annotations that inject a CA bundle. An apply of the given definition would stop the conversion by the session.
 */
export function withSessionConversions<T extends KubeObject>(
  api: KubeApi,
  objects: readonly T[],
): Promise<readonly T[]> {
  return Promise.all(
    objects.map(async (object) => {
      if (object.kind !== 'CustomResourceDefinition') return object;
      const crd = object as KubeObject as CustomResourceDefinition;
      const found = await api.client.live.find(CustomResourceDefinition, { name: crd.metadata.name });
      if (found === undefined || leaseNameOf(found) === undefined) return object;
      const { annotations = {} } = crd.metadata;
      const kept = Object.fromEntries(Object.entries(annotations).filter(([name]) => !INJECTING.includes(name)));
      const { conversion = { strategy: 'None' } } = found.spec;
      return { ...object, metadata: { ...crd.metadata, annotations: kept }, spec: { ...crd.spec, conversion } };
    }),
  );
}

function injectingAnnotations(annotations: Annotations | undefined): Annotations {
  return Object.fromEntries(Object.entries(annotations ?? {}).filter(([name]) => INJECTING.includes(name)));
}
function urlOf(conversion: CustomResourceConversion | undefined): string | undefined {
  return conversion?.webhook?.clientConfig?.url;
}
function bundleOf(conversion: CustomResourceConversion): string | undefined {
  return conversion.webhook?.clientConfig?.caBundle;
}

/** Returns a merge patch that replaces all fields of a conversion: null removes the fields that the conversion does not have. */
function wholeConversion({ strategy, webhook }: CustomResourceConversion): object {
  if (webhook === undefined) return { strategy, webhook: null };
  const { url = null, service = null, caBundle = null } = webhook.clientConfig ?? {};
  return { strategy, webhook: { ...webhook, clientConfig: { url, service, caBundle } } };
}

/** Reads the annotation of a session. Returns undefined if the annotation is missing or not valid. */
function replacedOf({ metadata }: CustomResourceDefinition): ReplacedConversion | undefined {
  const text = metadata.annotations?.[CONVERSION_ANNOTATION];
  const value = text === undefined ? undefined : jsonOf(text);
  if (!isJsonObject(value) || typeof value['url'] !== 'string') return undefined;
  const { conversion, annotations = {} } = value;
  if (!isJsonObject(conversion) || !isJsonObject(annotations)) return undefined;
  if (Object.values(annotations).some((each) => typeof each !== 'string')) return undefined;
  return value as unknown as ReplacedConversion;
}
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
