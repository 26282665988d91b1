import type { DescribedWebhooks } from '@kubewright/runtime';
import type { InspectedWebhooks } from '../../project/inspected-project.js';
import { restoredKind } from '../restored-kind.js';

/** Restores the classes of the kinds in the webhooks of an inspected project. The classes contain only the names of the kinds. */
export function describedWebhooks({ admission, conversions, ...webhooks }: InspectedWebhooks): DescribedWebhooks {
  return {
    ...webhooks,
    admission: admission.map((webhook) => ({ ...webhook, kind: restoredKind(webhook.kind) })),
    conversions: conversions.map(({ hub, spokes, path }) => ({
      hub: restoredKind(hub),
      spokes: spokes.map(restoredKind),
      path,
    })),
  };
}
