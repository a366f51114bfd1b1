import type { ReplayPlayback } from '@firsthand/contract'
import type { MarkRecord } from '../replay.ts'

/**
 * Loads, and changes of the address without one: these have the window of the page before. On a phone a page is a screen
 * of the app, which has a name and no address, and each segment says anew how large it is.
 */
export const pagesOf = (
  marks: readonly Pick<MarkRecord, 'at' | 'detail' | 'kind' | 'url'>[],
): ReplayPlayback['pages'] => {
  const pages: ReplayPlayback['pages'] = []
  for (const { at, detail, kind, url } of marks) {
    const last = pages.at(-1)
    if (kind === 'page') {
      const size = { width: Number(detail['width'] ?? 0), height: Number(detail['height'] ?? 0) }
      const isSame = url === '' && last?.width === size.width && last.height === size.height
      if (!isSame) pages.push({ at, url: url === '' ? (last?.url ?? '') : url, ...size })
    } else if (kind === 'navigation' && last !== undefined && isWithin(detail['category'])) {
      const full = URL.canParse(last.url) ? absolute(url, last.url) : url
      if (full !== null && full !== last.url) pages.push({ ...last, at, url: full })
    }
  }
  return pages
}

/** Not the loading of a page, which its recording tells of itself. */
const isWithin = (category: string | undefined): boolean => category === undefined || category === 'push'

const absolute = (url: string, base: string): string | null => {
  try {
    return new URL(url, base).href
  } catch {
    return null
  }
}
