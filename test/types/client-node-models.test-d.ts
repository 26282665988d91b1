// Checks that the built-in kinds and their parts match the client-node models of the same name, in both directions.
import type * as models from '@kubernetes/client-node';
import type { KubeObject } from '@kubewright/api';
import type * as apps from '@kubewright/api/apps/v1';
import type * as autoscalingV2 from '@kubewright/api/autoscaling/v2';
import type * as batch from '@kubewright/api/batch/v1';
import type * as certificates from '@kubewright/api/certificates/v1';
import type * as coordination from '@kubewright/api/coordination/v1';
import type * as core from '@kubewright/api/core/v1';
import type * as discovery from '@kubewright/api/discovery/v1';
import type * as meta from '@kubewright/api/meta/v1';
import type * as networking from '@kubewright/api/networking/v1';
import type * as policy from '@kubewright/api/policy/v1';
import type * as rbac from '@kubewright/api/rbac/v1';
import type * as scheduling from '@kubewright/api/scheduling/v1';
import type * as storage from '@kubewright/api/storage/v1';

type Models = typeof models;
type Of<C> = C extends abstract new (...init: never) => infer T ? T : never;

/** A model of client-node as it is sent and read, with dates as strings. */
type Wire<T> = T extends Date
  ? string
  : T extends string | number | boolean | null | undefined
    ? T
    : T extends readonly (infer Item)[]
      ? readonly Wire<Item>[]
      : {
          readonly [K in keyof T]: Wire<T[K]> | (string extends K ? never : {} extends Pick<T, K> ? undefined : never);
        };

/** T with only optional fields at every depth, because newer versions of Kubernetes require fewer fields than the models. */
type Loose<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Loose<Item>[]
    : string extends keyof T
      ? { readonly [K in keyof T]: Loose<T[K]> }
      : { readonly [K in keyof T]?: Loose<T[K]> | undefined };

/**
 * True if a kind and its model are assignable to each other, or else a description of the mismatch. Whole objects are compared in one
 * direction only, because `metadata` and `spec` are required in the kinds, but not in the models.
 */
type Agree<Ours, Theirs> = [Ours] extends [Loose<Theirs>]
  ? Ours extends KubeObject
    ? true
    : [Theirs] extends [Ours]
      ? true
      : 'the model is not assignable to the kind'
  : 'the kind is not assignable to the model';

/** The names of the mismatches in a module. */
type Disagreeing<Module, Prefix extends string> = {
  [K in keyof Module & string]: `${Prefix}${K}` extends keyof Models
    ? Agree<Of<Module[K]>, Wire<Of<Models[`${Prefix}${K}`]>>> extends true
      ? never
      : K
    : never;
}[keyof Module & string];
/** The compared names in a module. A check of this type detects that a renaming has made the comparison empty. */
type Compared<Module, Prefix extends string> = {
  [K in keyof Module & string]: `${Prefix}${K}` extends keyof Models ? K : never;
}[keyof Module & string];

const none = <T extends never>(): T | undefined => undefined;
const some = <T, Name extends T>(): [T, Name] | undefined => undefined;

none<Disagreeing<typeof core, 'V1'>>();
none<Disagreeing<typeof apps, 'V1'>>();
none<Disagreeing<typeof autoscalingV2, 'V2'>>();
none<Disagreeing<typeof batch, 'V1'>>();
none<Disagreeing<typeof certificates, 'V1'>>();
none<Disagreeing<typeof coordination, 'V1'>>();
none<Disagreeing<typeof discovery, 'V1'>>();
none<Disagreeing<typeof meta, 'V1'>>();
none<Disagreeing<typeof networking, 'V1'>>();
none<Disagreeing<typeof policy, 'V1'>>();
none<Disagreeing<typeof rbac, 'V1'>>();
none<Disagreeing<typeof scheduling, 'V1'>>();
none<Disagreeing<typeof storage, 'V1'>>();
some<Compared<typeof core, 'V1'>, 'Pod' | 'PodSpec' | 'Container' | 'Service' | 'Node' | 'Secret'>();
some<Compared<typeof apps, 'V1'>, 'Deployment' | 'DeploymentSpec' | 'StatefulSetSpec'>();
some<Compared<typeof meta, 'V1'>, 'ObjectMeta' | 'LabelSelector' | 'Condition'>();
