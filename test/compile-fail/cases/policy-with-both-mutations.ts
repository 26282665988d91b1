// TS2322: Type '{ apply: string; patch: string; }' is not assignable to type 'PolicyMutation'.
//   Types of property 'patch' are incompatible.
//     Type 'string' is not assignable to type 'undefined'.
import { Policy } from '@kubewright/api';
import { Pod } from '@kubewright/api/core/v1';
@Policy({ for: Pod, mutations: [{ apply: 'Object{}', patch: '[]' }] })
export class PodDefaults {}
