import type { ReplayPlayback } from '@firsthand/contract'
import type { MarkRecord } from '../replay.ts'

/**
 * Loads, and changes of the address without one: these have the window of the page before. Recorders take a page down anew
 * every now and then, with its address: that is no load unless one was told since. On a phone a page is a screen of the app,
 * which has a name and no address, and each segment says anew how large it is.
 */
export const pagesOf = (
  marks: readonly Pick<MarkRecord, 'at' | 'detail' | 'kind' | 'url'>[],
): ReplayPlayback['pages'] => {
  const pages: ReplayPlayback['pages'] = []
  let isLoadTold = false
  for (const { at, detail, kind, url } of marks) {
    const last = pages.at(-1)
    if (kind === 'page') {
      const size = { width: Number(detail['width'] ?? 0), height: Number(detail['height'] ?? 0) }
      const isThere = url === '' || (url === last?.url && !isLoadTold)
      const isSame = isThere && last?.width === size.width && last.height === size.height
      if (!isSame) pages.push({ at, url: url === '' ? (last?.url ?? '') : url, ...size })
      isLoadTold = false
    } else if (kind !== 'navigation') continue
    else if (!isWithin(detail['category'])) isLoadTold = true
    else if (last !== undefined) {
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
