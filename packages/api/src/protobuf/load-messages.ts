import { messageLoaders } from '../generated/message-loaders.js';
import type { MessageSet } from './message-set.js';

/** Whether the kinds of this apiVersion have protobuf messages. This is the case for the built-in kinds of Kubernetes. */
export function hasMessages(apiVersion: string): boolean {
  return Object.hasOwn(messageLoaders, apiVersion);
}

/** Imports the protobuf messages of a built-in group-version. Resolves with undefined for any other group-version. */
export async function loadMessages(apiVersion: string): Promise<MessageSet | undefined> {
  const load = hasMessages(apiVersion) ? messageLoaders[apiVersion] : undefined;
  return load === undefined ? undefined : (await load()).messages;
}
