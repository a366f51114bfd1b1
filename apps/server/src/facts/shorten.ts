import { LIMITS } from './limits.ts'

/** What comes from outside is noted as far as it helps to tell what happened. */
export const shorten = (text: string): string => text.slice(0, LIMITS.FACT_TEXT_CHARS)

export const shortenOrNull = (text: string | undefined | null): string | null =>
  text === undefined || text === null || text === '' ? null : shorten(text)

export type FactTags = readonly (readonly [key: string, value: string])[]

/** As many tags as there is room for: senders may have many, with long values. */
export const fittingTags = (tags: FactTags): FactTags => {
  let room = LIMITS.FACT_TAG_BYTES
  const some = tags.slice(0, LIMITS.FACT_TAGS)
  const end = some.findIndex((tag) => {
    room -= Buffer.byteLength(JSON.stringify(tag))
    return room < 0
  })
  return end === -1 ? some : some.slice(0, end)
}
