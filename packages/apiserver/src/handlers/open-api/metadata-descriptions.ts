/** A schema in an OpenAPI document. */
type Schema = Readonly<Record<string, unknown>>;

/** The descriptions of the two fields that determine the type of an object. */
export const typeDescriptions = {
  apiVersion: 'The group and the version of the kind, such as apps/v1. The version of the core group has no group.',
  kind: 'The kind of the object, such as Pod.',
} as const;

/** The description of the metadata of an object. */
export const metadataDescription = 'The name, the namespace, the labels and the other metadata of the object.';

/** The description of the metadata of a list. */
export const listMetadataDescription = 'The resourceVersion of the list, and the token for its next page.';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/** The descriptions of the metadata types, by schema and field. The descriptions of a schema itself have the key ''. */
const descriptions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [`${meta}.ObjectMeta`]: {
    '': 'The metadata that all objects have.',
    annotations: 'Values that tools and users attach to the object. Annotations cannot be selected.',
    creationTimestamp: 'The time at which the server created the object. Read-only.',
    deletionGracePeriodSeconds: 'The time, in seconds, that the object has to stop after a deletion. Read-only.',
    deletionTimestamp:
      'The time after which the object is removed. Set by the server when a client deletes the object. Read-only.',
    finalizers: 'The names of finalizers. The server removes a deleted object when this list is empty.',
    generateName: 'The prefix of a generated name. The server uses the prefix if the object has no name.',
    generation: 'A number that increases with each change of the desired state. Read-only.',
    labels: 'Keys and values by which clients select and group objects.',
    managedFields: 'The fields of the object by the clients that manage them. Written by the server.',
    name: 'The name of the object, which is unique among the objects of its kind in its namespace. Immutable.',
    namespace: 'The namespace of the object. Empty for objects that do not belong to a namespace. Immutable.',
    ownerReferences: 'The objects that own the object. The object is deleted when all of its owners are deleted.',
    resourceVersion:
      'The version of the object. Clients compare it only with equality and with other versions of the kind. Read-only.',
    selfLink: 'A field that the server does not use any more.',
    uid: 'The unique identifier of the object. Two objects with the same name have different identifiers. Read-only.',
  },
  [`${meta}.ListMeta`]: {
    '': 'The metadata of a list.',
    continue: 'The token for the next page of the list. Empty on the last page.',
    remainingItemCount: 'The number of objects on the pages after this page, if it is known.',
    resourceVersion: 'The version of the state that the list contains. A watch can start at this version. Read-only.',
    selfLink: 'A field that the server does not use any more.',
    shardInfo: 'The part of the objects that the list contains, if the client has requested a part.',
  },
  [`${meta}.OwnerReference`]: {
    '': 'An owner of an object. The owner has no namespace, or the namespace of the object.',
    apiVersion: 'The group and the version of the owner.',
    blockOwnerDeletion: 'Whether a foreground deletion of the owner waits until the object is removed.',
    controller: 'Whether the owner is the controller of the object. An object has at most one controller.',
    kind: 'The kind of the owner.',
    name: 'The name of the owner.',
    uid: 'The unique identifier of the owner.',
  },
  [`${meta}.ManagedFieldsEntry`]: {
    '': 'The fields that one client manages.',
    apiVersion: 'The version of the kind in which the names of the fields are valid.',
    fieldsType: 'The format of the fields. The only format is FieldsV1.',
    fieldsV1: 'The managed fields.',
    manager: 'The name of the client.',
    operation: 'The operation that has created the entry: Apply or Update.',
    subresource: 'The subresource through which the client has written the fields. Empty for the object itself.',
    time: 'The time of the last change of the entry.',
  },
};

/** Returns the schemas with descriptions of the metadata types. */
export function withMetadataDescriptions(schemas: Readonly<Record<string, Schema>>): Readonly<Record<string, Schema>> {
  const described = Object.entries(descriptions).flatMap(([name, texts]) => {
    const schema = schemas[name];
    return schema === undefined ? [] : [[name, describedBy(schema, texts)] as const];
  });
  return { ...schemas, ...Object.fromEntries(described) };
}

function describedBy(schema: Schema, texts: Readonly<Record<string, string>>): Schema {
  const properties = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, object>>).map(
    ([field, property]) => [field, texts[field] === undefined ? property : { description: texts[field], ...property }],
  );
  return { description: texts[''], ...schema, properties: Object.fromEntries(properties) };
}
