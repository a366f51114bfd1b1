import type { ReplayPlayback } from '@firsthand/contract'

import { formatBytes, formatCount } from '../../../lib/format.ts'

/** Why an image, font or style sheet of a page was not kept, in a few words. */
const REASONS: Readonly<Record<string, string>> = {
  no_web_address: 'no address of the web',
  unknown_host: 'its host has no address',
  private_address: 'refused: a private address',
  not_allowed: 'refused: led to a host that is not in the list',
  too_many_redirects: 'too many redirects',
  too_large: 'too large',
  too_slow: 'no answer in time',
  failed: 'the connection failed',
  wrong_type: 'refused: no image, font or style sheet, or not what it says it is',
  unreadable_sheet: 'the style sheet takes too long to read',
  too_many: 'too many were waiting',
  day_full: 'the project had fetched enough that day',
  switched_off: 'fetching was switched off',
}

const reasonWords = (reason: string): string =>
  REASONS[reason] ?? (reason.startsWith('http_') ? `the site answered ${reason.slice('http_'.length)}` : reason)

/** What became of the images, fonts and style sheets that the pages of a replay name; none where nothing was fetched. */
export function assetWords({ bytes, failed, kept, leftOut, waiting }: ReplayPlayback['assets']): readonly string[] {
  const lost = failed.reduce((sum, one) => sum + one.assets, 0)
  const all = kept + waiting + lost + leftOut
  if (all === 0) return []
  return [
    `${formatCount(kept)} of ${formatCount(all)} kept${kept === 0 ? '' : `, ${formatBytes(bytes)}`}`,
    ...(waiting === 0 ? [] : [`${formatCount(waiting)} still to be fetched`]),
    ...failed.map(({ assets, reason, url }) => `${formatCount(assets)} not kept, ${reasonWords(reason)}: ${url}`),
    ...(leftOut === 0
      ? []
      : [`${formatCount(leftOut)} or more left out: beyond what is kept of one part, one replay or one style sheet`]),
  ]
}
