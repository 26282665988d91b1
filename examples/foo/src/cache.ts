import { type CacheOptions, cacheOf } from '@kubewright/runtime';
import { Foo } from './api/v1alpha1/foo.js';

/** Reconciles every Foo every 30 s, as sample-controller does. */
export const cache: CacheOptions = { kinds: [cacheOf(Foo, { resync: '30s' })] };
