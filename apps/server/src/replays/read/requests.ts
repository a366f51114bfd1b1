import type { Fields } from '@firsthand/recording'
import { numberIn } from './fields.ts'

/** What in a recording is a request: marks and the bodies of one are read in different places, and must find the same. */

/** Of a page, and of an app on a phone. */
const OPS: ReadonlySet<unknown> = new Set(['resource.fetch', 'resource.xhr', 'resource.http'])

export const isRequestOp = (op: unknown): boolean => OPS.has(op)

const LAST_STATUS = 999

/** That it was answered with; null when it is not known. */
export const statusIn = (data: Fields): number | null => {
  const status = numberIn(data, 'statusCode')
  return status !== null && Number.isInteger(status) && status > 0 && status <= LAST_STATUS ? status : null
}
