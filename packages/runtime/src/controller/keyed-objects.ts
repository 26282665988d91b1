import { kindOf } from '@kubewright/api/metadata';
import type { KubeObject, ObjectKey } from '@kubewright/api';
import type { HandlerRegistration } from '../cache/informer/change-handler.js';
import { KEY_KIND } from './key-controller.js';
import type { WatchedObjects, WatchStatus } from './watched-objects.js';

const NOTHING = (): void => undefined;

/** Provides an object for every key. The object has only a kind, a name and a namespace, and never changes. */
export class KeyedObjects implements WatchedObjects<KubeObject> {
  readonly status: WatchStatus = { state: { name: 'watching' }, synced: true, lists: 1 };

  get({ name, namespace }: ObjectKey): KubeObject {
    const { apiVersion, kind } = kindOf(KEY_KIND);
    const server = { uid: '', resourceVersion: '', creationTimestamp: '' };
    return { apiVersion, kind, metadata: { name, ...(namespace !== undefined && { namespace }), ...server } };
  }
  list(): readonly KubeObject[] {
    return [];
  }
  onStatus(): () => void {
    return NOTHING;
  }
  addHandler(): HandlerRegistration {
    return { remove: NOTHING, synced: Promise.resolve() };
  }
  addIndex(): void {
    // Keys are never looked up by index.
  }
  removeIndex(): void {
    // `addIndex` adds no index.
  }
  byIndex(): readonly KubeObject[] {
    return [];
  }
  selectKeys(): void {
    // Every key is always present.
  }
  wrote(): void {
    // The objects do not exist on the API server.
  }
  async synced(): Promise<void> {
    // Every key is always present.
  }
  async [Symbol.asyncDispose](): Promise<void> {
    // The class holds no resources.
  }
}
