import { kindOf } from '@kubewright/api/metadata';
import type { KubeObject, ObjectKey } from '@kubewright/api';
import type { HandlerRegistration } from '../../cache/informer/handlers/change-handler.js';
import { KEY_KIND } from '../options/key-controller.js';
import type { ReflectorStatus } from '../../cache/reflector/reflector-status.js';
import type { ControllerInformer } from './controller-informer.js';

const NOTHING = (): void => undefined;

/**
 * The `ControllerInformer` of a controller that reconciles keys. Watches nothing. Returns a placeholder object for every key, with only a
 * kind, a name and a namespace.
 */
export class KeyInformer implements ControllerInformer<KubeObject> {
  readonly epoch = 1;
  readonly status: ReflectorStatus = {
    kind: kindOf(KEY_KIND).kind,
    state: { name: 'watching', resourceVersion: '' },
    synced: true,
    lists: 1,
    watches: 0,
    resourceVersion: '',
  };

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
    // Indexes are not supported, because placeholder objects have no fields.
  }
  removeIndex(): void {
    // `addIndex` does not add an index.
  }
  byIndex(): readonly KubeObject[] {
    return [];
  }
  selectKeys(): void {
    // Every key has a placeholder object, so no selection is necessary.
  }
  caughtUp(): undefined {
    // Placeholder objects are never outdated, so there is no change to wait for.
  }
  wrote(): void {
    // Placeholder objects are never written.
  }
  async synced(): Promise<void> {
    // Every key has a placeholder object, so there is no list to wait for.
  }
  async [Symbol.asyncDispose](): Promise<void> {
    // The informer does not hold resources.
  }
}
