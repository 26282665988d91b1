/** What makes an IngressClass the default one, with the value `true`. */
export const defaultIngressClassAnnotation = 'ingressclass.kubernetes.io/is-default-class';
