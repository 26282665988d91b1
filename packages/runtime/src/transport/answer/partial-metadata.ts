/** The `accept` header of a request for only the metadata of an object. */
export const PARTIAL_OBJECT = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
/** The `accept` header of a request for a list with only the metadata of objects. */
export const PARTIAL_LIST = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
