import type { Capability } from '../capability.ts'
import { LIMITS } from './limits.ts'

/** Questions of any kind to any table: columns, functions, series, attributes, files, kept under a name. */
export const explore: Capability = {
  name: 'explore',
  limits: LIMITS,
  serve: async (parts) => (await import('./serve.ts')).serveExplore(parts),
}
