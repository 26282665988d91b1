import { CustomResource, type Default, Field, Kind, PrintColumn } from '@kubewright/api';

export class Issuer {
  @Field.string({ minLength: 1 }) name!: string;
  @Field.enum(['Issuer', 'ClusterIssuer']) kind: Default<'Issuer' | 'ClusterIssuer'> = 'Issuer';
}

export class CertificateSpec {
  /** What it is valid for. */
  @Field.list(Field.string({ maxLength: 253 }), { minItems: 1, maxItems: 100 }) dnsNames!: string[];

  @Field.object(Issuer) issuer!: Issuer;

  /** Where the key is kept. */
  @Field.string({ minLength: 1, maxLength: 253 }) secretName!: string;

  @Field.string({ optional: true, format: 'duration' }) duration?: string;
}

export class CertificateCondition {
  @Field.string() type!: string;
  @Field.enum(['True', 'False', 'Unknown']) status!: 'True' | 'False' | 'Unknown';
  @Field.string({ optional: true }) reason?: string;
  @Field.string({ optional: true }) message?: string;
  @Field.dateTime({ optional: true }) lastTransitionTime?: string;
}

export class CertificateStatus {
  @Field.dateTime({ optional: true }) notAfter?: string;
  @Field.list(CertificateCondition, { optional: true, mapKeys: ['type'] }) conditions?: CertificateCondition[];
}

/** A certificate that is kept in a Secret. */
@Kind({ group: 'trust.example.org', version: 'v1', shortNames: ['cert'], ageColumn: false, external: true })
@PrintColumn({ name: 'Secret', jsonPath: '.spec.secretName' })
export class Certificate extends CustomResource(CertificateSpec, CertificateStatus) {}
