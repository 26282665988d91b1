/** The annotation that makes an IngressClass the default class if its value is `true`. */
export const defaultIngressClassAnnotation = 'ingressclass.kubernetes.io/is-default-class';
