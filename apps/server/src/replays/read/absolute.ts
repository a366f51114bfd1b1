import { LIMITS } from '../limits.ts'
import type { Mark } from '../mark.ts'
import { cut } from './fields.ts'

/**
 * SDKs note what `fetch` and `pushState` were given, and older ones leave it at that: often the path alone. The page on
 * which it was given says the rest. Screens of phones have names and no page.
 */

/** Covered ones, e.g. `[Filtered]`, are no address. */
const RELATIVE = /^(?![*[]|[a-z][a-z\d+.-]*:)\S/i

const isPage = (url: string): boolean => /^https?:\/\//i.test(url)

/** @param page '' for none */
export const absolute = (url: string, page: string): string => {
  if (!isPage(page) || !RELATIVE.test(url)) return url
  const whole = URL.parse(url, page)?.href
  return whole === undefined ? url : cut(whole, LIMITS.REPLAY_URL_CHARS)
}

/** @param urls of pages, in the order in which they were visited */
export const absolutePages = (urls: readonly string[], first: string): readonly string[] => {
  let page = first
  return urls.map((url) => {
    const whole = absolute(url, page)
    if (isPage(whole)) page = whole
    return whole
  })
}

/** @param marks of one segment */
export const absoluteMarks = (marks: readonly Mark[], first: string): readonly Mark[] => {
  const whole = new Map<Mark, Mark>()
  let page = first
  for (const mark of marks.toSorted((one, other) => one.at - other.at)) {
    const one = absoluteMark(mark, page)
    whole.set(mark, one)
    if ((one.kind === 'page' || one.kind === 'navigation') && isPage(one.url)) page = one.url
  }
  return marks.map((mark) => whole.get(mark) ?? mark)
}

const absoluteMark = (mark: Mark, page: string): Mark => {
  if (mark.kind === 'request') return { ...mark, text: absolute(mark.text, page) }
  if (mark.kind !== 'navigation') return mark
  const { from } = mark.detail
  const detail = from === undefined ? mark.detail : { ...mark.detail, from: absolute(from, page) }
  return { ...mark, url: absolute(mark.url, page), detail }
}
