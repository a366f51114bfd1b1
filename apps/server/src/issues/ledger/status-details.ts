import { isObject } from '@firsthand/protocol'
import type { StatusDetails } from '../workflow/status.ts'

/** `issues.status_details`. Tolerant: what cannot be read sets no condition. */
export const readStatusDetails = (json: string): StatusDetails => {
  try {
    const value: unknown = JSON.parse(json)
    return isObject(value) ? value : {}
  } catch {
    // See above: no condition is better than an issue that cannot be shown.
    return {}
  }
}
