import { type FileFormat, type QueryInput, queryEvents } from '@firsthand/contract'
import { api } from '../../../lib/api.ts'

/** Where all pages of a list are a file. */
export type FileAddress = (format: FileFormat) => string

/** Of a question to a dataset. */
export const tableFile =
  (org: string, question: Omit<QueryInput<typeof queryEvents>, 'format' | 'per_page' | 'cursor'>): FileAddress =>
  (format) =>
    api.url(queryEvents, { params: { org }, query: { ...question, format } })
