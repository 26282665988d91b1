import { Controller, type ReconcileContext, type Reconciler, Result } from '@kubewright/runtime';
import { Certificate } from '../external/trust.example.org/v1/certificate.js';

@Controller({ for: Certificate, reconcileCondition: false })
export class CertificateController implements Reconciler<Certificate> {
  /** Brings the cluster to the desired state of the Certificate. Called after each change, regardless of what changed. */
  async reconcile(certificate: Certificate, { log }: ReconcileContext): Promise<Result> {
    log.info(`reconciling ${certificate.metadata.name}`);
    return Result.done();
  }
}
