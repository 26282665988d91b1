import { type Condition, CustomResource, type Default, Field, Kind, PrintColumn, Rule } from '@kubewright/api';

export class DnsRecord {
  @Field.string({ minLength: 1, maxLength: 253 }) name!: string;
  @Field.enum(['A', 'AAAA', 'CNAME', 'TXT']) type!: 'A' | 'AAAA' | 'CNAME' | 'TXT';
  @Field.list(Field.string({ minLength: 1 }), { minItems: 1 }) values!: string[];
  @Field.int32({ minimum: 30 }) ttlSeconds: Default<number> = 300;
}

@Rule({ rule: '!self.domain.endsWith(".")', message: 'domain must not end with a dot' })
export class DnsZoneSpec {
  @Field.string({ minLength: 1, maxLength: 253, pattern: /^[a-z0-9.-]+$/, immutable: true }) domain!: string;
  @Field.list(DnsRecord, { mapKeys: ['name', 'type'], maxItems: 500, optional: true }) records?: DnsRecord[];
  /** What happens to the zone at the provider when this object is deleted. */
  @Field.enum(['Delete', 'Retain']) deletionPolicy: Default<'Delete' | 'Retain'> = 'Delete';
}
export class DnsZoneStatus {
  @Field.string({ optional: true }) zoneId?: string;
  @Field.int64({ optional: true }) observedGeneration?: number;
  @Field.map(Field.int32(), { optional: true }) recordCounts?: Record<string, number>;
  @Field.conditions() conditions?: Condition[];
}

@Kind({ group: 'dns.example.com', version: 'v1', scope: 'Cluster', shortNames: ['dz'], categories: ['dns'] })
@PrintColumn({ name: 'Domain', jsonPath: '.spec.domain' })
@PrintColumn({ name: 'Ready', jsonPath: '.status.conditions[?(@.type=="Ready")].status' })
export class DnsZone extends CustomResource(DnsZoneSpec, DnsZoneStatus) {}
