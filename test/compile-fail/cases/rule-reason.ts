// TS2322: Type '"Invalid"' is not assignable to type '"FieldValueDuplicate" | "FieldValueForbidden" | "FieldValueInvalid" | "FieldValueRequired" | undefined'.
import { Field } from '@kubewright/api';
export class Spec {
  @Field.string({ rules: [{ rule: 'self != ""', reason: 'Invalid' }] }) name!: string;
}
