// TS1238: Unable to resolve signature of class decorator when called as an expression.
//   Argument of type 'typeof TokenGuard' is not assignable to parameter of type 'new (...services: never[]) => Admission<TokenRequest>'.
//     Type 'TokenGuard' is not assignable to type 'Admission<TokenRequest>'.
//       Types of property 'validate' are incompatible.
//         Type '({ object }: AdmissionRequest<ServiceAccount>) => Violation[]' is not assignable to type '(request: AdmissionRequest<TokenRequest>) => Promise<readonly Violation[]> | readonly Violation[]'.
//           Types of parameters '__0' and 'request' are incompatible.
//             Type 'AdmissionRequest<TokenRequest>' is not assignable to type 'AdmissionRequest<ServiceAccount>'.
//               Type 'TokenRequest' is not assignable to type 'ServiceAccount'.
//                 Types of property 'apiVersion' are incompatible.
//                   Type 'string | undefined' is not assignable to type '"v1"'.
//                     Type 'undefined' is not assignable to type '"v1"'.
import { Admission, type AdmissionRequest, type Violation } from '@kubewright/api';
import { ServiceAccount } from '@kubewright/api/core/v1';
@Admission({ for: ServiceAccount, subresource: 'token' })
export class TokenGuard implements Admission<ServiceAccount> {
  validate({ object }: AdmissionRequest<ServiceAccount>): Violation[] {
    return object?.secrets === undefined ? [] : [{ field: 'secrets', message: 'must not be set' }];
  }
}
