import { kindOf } from '@kubewright/api/metadata';
import type { KubeObject, ObjectKey } from '@kubewright/api';
import type { HandlerRegistration } from '../cache/shared-informer.js';
import { KEY_KIND } from './key-controller.js';
import type { WatchedObjects, WatchStatus } from './watched-objects.js';

const NOTHING = (): void => undefined;

/** An object for each key that there may be, with nothing but its name; none of them ever changes. */
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
    // Nobody looks for keys.
  }
  removeIndex(): void {
    // None was added.
  }
  byIndex(): readonly KubeObject[] {
    return [];
  }
  selectKeys(): void {
    // All of them are there.
  }
  wrote(): void {
    // There is nothing to be written.
  }
  async synced(): Promise<void> {
    // All of them are there.
  }
  async [Symbol.asyncDispose](): Promise<void> {
    // Nothing is open.
  }
}
