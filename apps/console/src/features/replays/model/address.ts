import type { ReplayPlayback } from '@firsthand/contract'

/** The address of the page that is shown at a moment; the first page was there before it was recorded. */
export function addressAt({ pages }: Pick<ReplayPlayback, 'pages'>, at: number): string {
  return pages.findLast((page) => page.at <= at)?.url ?? pages[0]?.url ?? ''
}
