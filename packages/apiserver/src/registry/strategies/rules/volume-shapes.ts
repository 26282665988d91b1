import type { GoShape } from './go-shape.js';

const secret: GoShape = [
  ['Name', 'name', ''],
  ['Namespace', 'namespace', ''],
];
const requirements: GoShape = [
  ['Key', 'key', ''],
  ['Operator', 'operator', ''],
  ['Values', 'values', null],
];

/** The source of a PersistentVolume. Sources that Kubernetes no longer supports have the names of their fields in JSON. */
export const volumeSourceShape: GoShape = [
  ['GCEPersistentDisk', 'gcePersistentDisk', null],
  ['AWSElasticBlockStore', 'awsElasticBlockStore', null],
  [
    'HostPath',
    'hostPath',
    [
      ['Path', 'path', ''],
      ['Type', 'type', null],
    ],
  ],
  ['Glusterfs', 'glusterfs', null],
  [
    'NFS',
    'nfs',
    [
      ['Server', 'server', ''],
      ['Path', 'path', ''],
      ['ReadOnly', 'readOnly', false],
    ],
  ],
  ['RBD', 'rbd', null],
  ['Quobyte', 'quobyte', null],
  [
    'ISCSI',
    'iscsi',
    [
      ['TargetPortal', 'targetPortal', ''],
      ['IQN', 'iqn', ''],
      ['Lun', 'lun', 0],
      ['ISCSIInterface', 'iscsiInterface', ''],
      ['FSType', 'fsType', ''],
      ['ReadOnly', 'readOnly', false],
      ['Portals', 'portals', null],
      ['DiscoveryCHAPAuth', 'chapAuthDiscovery', false],
      ['SessionCHAPAuth', 'chapAuthSession', false],
      ['SecretRef', 'secretRef', secret],
      ['InitiatorName', 'initiatorName', null],
    ],
  ],
  ['FlexVolume', 'flexVolume', null],
  ['Cinder', 'cinder', null],
  ['CephFS', 'cephfs', null],
  [
    'FC',
    'fc',
    [
      ['TargetWWNs', 'targetWWNs', null],
      ['Lun', 'lun', null],
      ['FSType', 'fsType', ''],
      ['ReadOnly', 'readOnly', false],
      ['WWIDs', 'wwids', null],
    ],
  ],
  ['Flocker', 'flocker', null],
  ['AzureFile', 'azureFile', null],
  ['VsphereVolume', 'vsphereVolume', null],
  ['AzureDisk', 'azureDisk', null],
  ['PhotonPersistentDisk', 'photonPersistentDisk', null],
  ['PortworxVolume', 'portworxVolume', null],
  ['ScaleIO', 'scaleIO', null],
  [
    'Local',
    'local',
    [
      ['Path', 'path', ''],
      ['FSType', 'fsType', null],
    ],
  ],
  ['StorageOS', 'storageos', null],
  [
    'CSI',
    'csi',
    [
      ['Driver', 'driver', ''],
      ['VolumeHandle', 'volumeHandle', ''],
      ['ReadOnly', 'readOnly', false],
      ['FSType', 'fsType', ''],
      ['VolumeAttributes', 'volumeAttributes', null],
      ['ControllerPublishSecretRef', 'controllerPublishSecretRef', secret],
      ['NodeStageSecretRef', 'nodeStageSecretRef', secret],
      ['NodePublishSecretRef', 'nodePublishSecretRef', secret],
      ['ControllerExpandSecretRef', 'controllerExpandSecretRef', secret],
      ['NodeExpandSecretRef', 'nodeExpandSecretRef', secret],
    ],
  ],
];

/** The node affinity of a PersistentVolume. */
export const volumeAffinityShape: GoShape = [
  [
    'Required',
    'required',
    [
      [
        'NodeSelectorTerms',
        'nodeSelectorTerms',
        [
          ['MatchExpressions', 'matchExpressions', requirements],
          ['MatchFields', 'matchFields', requirements],
        ],
      ],
    ],
  ],
];
