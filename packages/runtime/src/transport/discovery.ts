import type { KindRef } from '@kubewright/api';
import type { ResourceInfo } from './resource-path.js';
import type { Transport } from './transport.js';

export declare class Discovery {
  constructor(transport: Transport);
  resolve(ref: KindRef, signal?: AbortSignal): Promise<ResourceInfo>;
}
