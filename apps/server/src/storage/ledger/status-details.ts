import type { StatusDetails } from '../../issues/workflow/status.ts'

/** `issues.status_details`. Tolerant: what cannot be read sets no condition. */
export const readStatusDetails = (json: string): StatusDetails => {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  } catch {
    return {}
  }
}
