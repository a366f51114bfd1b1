/** Where a line stands among all. */
export interface LogPlace {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly nanos: number
  readonly sequence: number
  /** 16 hex characters. */
  readonly id: string
}

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0')

const AT = 12
const NANOS = 5
const SEQUENCE = 8

/** As text, whose order is that of the places. */
export const formatPlace = ({ at, nanos, sequence, id }: LogPlace): string =>
  `${hex(at, AT)}${hex(nanos, NANOS)}${hex(sequence, SEQUENCE)}${id}`

const PLACE = new RegExp(`^([0-9a-f]{${AT}})([0-9a-f]{${NANOS}})([0-9a-f]{${SEQUENCE}})([0-9a-f]{16})$`)

/** Null when it is none. */
export const parsePlace = (text: string): LogPlace | null => {
  const [, at = '', nanos = '', sequence = '', id = ''] = PLACE.exec(text) ?? []
  if (id === '') return null
  return { at: parseInt(at, 16), nanos: parseInt(nanos, 16), sequence: parseInt(sequence, 16), id }
}

/** The place before all lines of a moment. */
export const placeAt = (at: number): LogPlace => ({ at, nanos: 0, sequence: 0, id: '0'.repeat(16) })

/** By what a line is named: 32 hex characters, the first half of which says when it was written. */
export const formatLogId = ({ at, id }: Pick<LogPlace, 'at' | 'id'>): string => `${hex(at, 16)}${id}`

/** Null when it is none. */
export const parseLogId = (text: string): Pick<LogPlace, 'at' | 'id'> | null => {
  if (!/^[0-9a-f]{32}$/.test(text)) return null
  const at = parseInt(text.slice(0, 16), 16)
  return at > 8.64e15 ? null : { at, id: text.slice(16) }
}
