// TS2322: Type '"Log"' is not assignable to type '"Audit" | "Deny" | "Warn"'.
import { Policy } from '@kubewright/api';
import { Pod } from '@kubewright/api/core/v1';
@Policy({ for: Pod, validations: [{ rule: 'true' }], bindings: [{ actions: ['Log'] }] })
export class PodNames {}
