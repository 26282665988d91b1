import { Controller, type ReconcileContext, type Reconciler, Result } from '@kubewright/runtime';
import { Certificate } from '../external/trust.example.org/v1/certificate.js';

@Controller({ for: Certificate, errorCondition: false })
export class CertificateController implements Reconciler<Certificate> {
  /** Called when the Certificate changed. What changed does not matter: it makes the cluster be as the Certificate says. */
  async reconcile(certificate: Certificate, { log }: ReconcileContext): Promise<Result> {
    log.info(`saw ${certificate.metadata.name}`);
    return Result.done();
  }
}
