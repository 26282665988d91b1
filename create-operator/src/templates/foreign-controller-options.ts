/** A kind that others have made: one of Kubernetes itself, or of another operator. */
export interface ForeignControllerOptions {
  readonly kind: string;
  /** What its class is imported from: '@kubewright/api/apps/v1', '../foreign/cert-manager.io/v1/certificate.js'. */
  readonly module: string;
  /** Of Kubernetes itself, so that every server has it. */
  readonly builtIn: boolean;
  readonly namespaced: boolean;
  /** The domain of the project, for the names of a label and an annotation. */
  readonly domain: string;
  /**
   * What a server demands of an object, without metadata: `{ spec: { … } }`.
   * @default that of a well-known built-in kind; without one the test has no object
   */
  readonly sample?: SampleFields;
}

/** Fields of an object, as in JSON. */
export type SampleFields = Readonly<Record<string, unknown>>;
