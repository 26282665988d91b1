import { CustomResource, type Default, Field, Kind, PrintColumn } from '@kubewright/api';

const ACCESS_MODES = ['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod'] as const;

export class DeploymentSettings {
  @Field.string() image!: string;
  @Field.string() name!: string;
}
export class ComponentSpec {
  @Field.object(DeploymentSettings) deployment!: DeploymentSettings;
}
export class StorageSpec {
  @Field.string() class!: string;
  @Field.enum(ACCESS_MODES) accessModes: Default<(typeof ACCESS_MODES)[number]> = 'ReadWriteOnce';
  @Field.quantity() size!: string;
}
export class StatefulSetSettings {
  @Field.string() image!: string;
  @Field.string() name!: string;
  @Field.object(StorageSpec) storage!: StorageSpec;
}
export class DatabaseSpec {
  @Field.object(StatefulSetSettings) statefulSet!: StatefulSetSettings;
  @Field.string({ format: 'password' }) rootPass!: string;
}
export class CloudManagerSpec {
  @Field.object(ComponentSpec) front!: ComponentSpec;
  @Field.object(ComponentSpec) identity!: ComponentSpec;
  @Field.object(DatabaseSpec) db!: DatabaseSpec;
}
export class CloudManagerStatus {
  @Field.enum(['pending', 'ready'], { optional: true }) phase?: 'pending' | 'ready';
}

@Kind({ group: 'cloudmanagercontroller.huayun.com', version: 'v1' })
@PrintColumn({ name: 'Status', jsonPath: '.status.phase' })
export class CloudManager extends CustomResource(CloudManagerSpec, CloudManagerStatus) {}
