import { isObject } from './scopes.ts'

/** Something noted of the console or of a request, among what an SDK notes. */
export const isLine = (crumb: unknown): crumb is { readonly timestamp: number } =>
  isObject(crumb) && /^(console|fetch|xhr)$/.test(String(crumb['category']))
