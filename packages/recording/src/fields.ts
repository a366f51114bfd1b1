/** Reading values that a recording has, of which nothing is known: what is not of the kind that is read counts as empty. */

export type Fields = Readonly<Record<string, unknown>>

/** An object with fields, not a list. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
