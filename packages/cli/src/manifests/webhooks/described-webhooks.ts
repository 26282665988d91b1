import { defineKind, dynamicKind, type KindRef } from '@kubewright/api';
import type { DescribedWebhooks } from '@kubewright/runtime';
import type { InspectedKindName, InspectedWebhooks } from '../../project/inspected-project.js';

/** Restores the classes of the kinds in the webhooks of an inspected project. The classes contain only the names of the kinds. */
export function describedWebhooks({ admission, conversions, ...webhooks }: InspectedWebhooks): DescribedWebhooks {
  return {
    ...webhooks,
    admission: admission.map((webhook) => ({ ...webhook, kind: kindRef(webhook.kind) })),
    conversions: conversions.map(({ hub, spokes, path }) => ({
      hub: kindRef(hub),
      spokes: spokes.map(kindRef),
      path,
    })),
  };
}

function kindRef({ group, version, kind, plural, namespaced }: InspectedKindName): KindRef {
  // Groups without a dot contain only built-in kinds, whose other names are known.
  if (plural === undefined || !group.includes('.')) {
    return dynamicKind(group === '' ? version : `${group}/${version}`, kind);
  }
  return defineKind({ group, version, kind, plural, scope: namespaced === false ? 'Cluster' : 'Namespaced' });
}
