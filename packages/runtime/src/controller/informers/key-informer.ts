import { kindOf } from '@kubewright/api/metadata';
import type { KubeObject, ObjectKey } from '@kubewright/api';
import type { HandlerRegistration } from '../../cache/informer/handlers/change-handler.js';
import { KEY_KIND } from '../options/key-controller.js';
import type { ReflectorStatus } from '../../cache/reflector/reflector-status.js';
import type { ControllerInformer } from './controller-informer.js';

const NOTHING = (): void => undefined;

/**
 * The `ControllerInformer` of a key controller, which watches nothing, unlike an `InformerHandle`. Returns an object for every key. The
 * object has only a kind, a name and a namespace, and never changes.
 */
export class KeyInformer implements ControllerInformer<KubeObject> {
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
  caughtUp(): undefined {
    // There is no other store of the keys.
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
