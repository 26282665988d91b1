import type { GoShape } from './go-shape.js';

const reference: GoShape = [
  ['APIGroup', 'apiGroup', null],
  ['Kind', 'kind', ''],
  ['Name', 'name', ''],
];

/** The spec of a PersistentVolumeClaim. */
export const claimShape: GoShape = [
  ['AccessModes', 'accessModes', null],
  ['Selector', 'selector', null],
  [
    'Resources',
    'resources',
    [
      ['Limits', 'limits', null],
      ['Requests', 'requests', null],
    ],
  ],
  ['VolumeName', 'volumeName', ''],
  ['StorageClassName', 'storageClassName', null],
  ['VolumeMode', 'volumeMode', null],
  ['DataSource', 'dataSource', reference],
  ['DataSourceRef', 'dataSourceRef', [...reference, ['Namespace', 'namespace', null]]],
  ['VolumeAttributesClassName', 'volumeAttributesClassName', null],
];

const selectors: GoShape = [['CEL', 'cel', [['Expression', 'expression', '']]]];

const deviceRequest: GoShape = [
  ['DeviceClassName', 'deviceClassName', ''],
  ['Selectors', 'selectors', selectors],
  ['AllocationMode', 'allocationMode', ''],
  ['Count', 'count', 0],
];
const tolerations: GoShape = [
  ['Key', 'key', ''],
  ['Operator', 'operator', ''],
  ['Value', 'value', ''],
  ['Effect', 'effect', ''],
  ['TolerationSeconds', 'tolerationSeconds', null],
];
const afterCount: GoShape = [
  ['Tolerations', 'tolerations', tolerations],
  ['Capacity', 'capacity', [['Requests', 'requests', null]]],
];

/** The spec of a ResourceClaim. */
export const deviceClaimShape: GoShape = [
  [
    'Devices',
    'devices',
    [
      [
        'Requests',
        'requests',
        [
          ['Name', 'name', ''],
          ['Exactly', 'exactly', [...deviceRequest, ['AdminAccess', 'adminAccess', null], ...afterCount]],
          ['FirstAvailable', 'firstAvailable', [['Name', 'name', ''], ...deviceRequest, ...afterCount]],
        ],
      ],
      [
        'Constraints',
        'constraints',
        [
          ['Requests', 'requests', null],
          ['MatchAttribute', 'matchAttribute', null],
          ['DistinctAttribute', 'distinctAttribute', null],
        ],
      ],
      [
        'Config',
        'config',
        [
          ['Requests', 'requests', null],
          [
            'Opaque',
            'opaque',
            [
              ['Driver', 'driver', ''],
              ['Parameters', 'parameters', null],
            ],
          ],
        ],
      ],
    ],
  ],
];
