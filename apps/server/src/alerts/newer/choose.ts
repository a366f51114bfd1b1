import { badRequest } from '../../http/index.ts'
import { parseSearch, textOf } from '../../search/index.ts'

/** What of a list is asked for, in which order. */

/** What a search of a list may look at: the texts of a row by the name of the field. */
type Fields<Row> = Readonly<Record<string, (row: Row) => readonly string[]>>

/** Of one of these fields, or a part of the name. @throws HttpError 400 with those that there are */
export const bySearch = <Row>(query: string, fields: Fields<Row>): ((row: Row) => boolean) => {
  const parsed = parseSearch(query)
  if (!parsed.ok) throw badRequest(parsed.error.message)
  const { root } = parsed.value
  const terms = root === null ? [] : root.kind === 'and' ? root.children : [root]
  const tests = terms.map((term): ((row: Row) => boolean) => {
    const names = Object.keys(fields).join(', ')
    const refusal = badRequest(`query: this list is searched by words of the name, and by ${names}.`)
    if (term.kind !== 'text' && term.kind !== 'field') throw refusal
    const [name, isWanted] = term.kind === 'text' ? ['name', true] : [term.key.name, !term.negated]
    const read = fields[name]
    if (read === undefined || (term.kind === 'field' && term.operator !== '=')) throw refusal
    const wanted = (term.kind === 'text' ? [term.value] : term.values).map((value) => textOf(value).toLowerCase())
    const isIn = (text: string): boolean =>
      wanted.some((one) => (name === 'name' ? text.toLowerCase().includes(one) : text.toLowerCase() === one))
    return (row) => read(row).some(isIn) === isWanted
  })
  return (row) => tests.every((test) => test(row))
}

/** Those with these ids; all when none is named. */
export const byIds = (ids: readonly string[] | undefined): ((id: string) => boolean) => {
  const wanted = new Set(ids)
  return (id) => wanted.size === 0 || wanted.has(id)
}

const compare = (left: string | number, right: string | number): number =>
  typeof left === 'number' && typeof right === 'number' ? left - right : String(left).localeCompare(String(right))

/** @param sortBy a field, behind a minus from its end; equal ones stay in their order */
export const inOrder = <Row, Field extends string>(
  rows: readonly Row[],
  sortBy: Field | `-${Field}`,
  keys: Readonly<Record<Field, (row: Row) => string | number>>,
): Row[] => {
  const isDown = sortBy.startsWith('-')
  // What is no longer prefixed is the name of a field: the contract knows no other.
  const key = keys[(isDown ? sortBy.slice(1) : sortBy) as Field]
  const sorted = rows.toSorted((left, right) => compare(key(left), key(right)))
  return isDown ? sorted.toReversed() : sorted
}

/** Whoever asks by something that is not heard would take what comes for the answer. @throws HttpError 400 */
export const refuseUnknown = (url: URL, known: object): void => {
  const strange = [...url.searchParams.keys()].find((name) => name !== 'per_page' && !(name in known))
  if (strange !== undefined) {
    const names = [...Object.keys(known), 'per_page'].join(', ')
    throw badRequest(`${strange}: this list is not asked by it. It knows ${names}.`)
  }
}
