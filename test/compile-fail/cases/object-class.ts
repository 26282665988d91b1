// TS1240: Unable to resolve signature of property decorator when called as an expression.
//   Argument of type 'Spec' is not assignable to parameter of type 'Spec & { readonly template?: PodTemplateSpec | undefined; } & "field 'template' and @Field.object have different classes"'.
//     Type 'Spec' is not assignable to type '{ readonly template?: PodTemplateSpec | undefined; }'.
//       The types of 'template.spec' are incompatible between these types.
//         Type 'JobSpec | undefined' is not assignable to type 'PodSpec | undefined'.
//           Property 'containers' is missing in type 'JobSpec' but required in type 'PodSpec'.
import { type Default, Field } from '@kubewright/api';
import { JobTemplateSpec, } from '@kubewright/api/batch/v1';
import { PodTemplateSpec } from '@kubewright/api/core/v1';
export class Spec {
  @Field.object(PodTemplateSpec) template!: JobTemplateSpec;
}
