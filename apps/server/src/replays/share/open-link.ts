import { type HttpError, notFound } from '../../http/index.ts'
import type { OpenLink, ReplayLinks } from '../ledger/replay-links.ts'
import type { Granted } from '../services.ts'
import { hashOfToken, readToken } from './link-token.ts'

/** One sentence for all that a link can be which opens nothing: whoever guesses learns nothing. */
export const NOTHING_OPENS =
  'This link does not open anything. It may have ended, it may have been revoked, or what it showed was deleted. Ask whoever sent it to you for another one.'

export const nothingOpens = (): HttpError => notFound(NOTHING_OPENS)

/** The link of a token, if it opens a replay that is there. */
export const openLink = async (
  { deletions, links }: Granted<{ deletions: 'find' }> & { readonly links: Pick<ReplayLinks, 'find'> },
  written: string,
): Promise<OpenLink | null> => {
  const token = readToken(written)
  const link = token === null ? null : await links.find(hashOfToken(token))
  if (link === null) return null
  const { projectId, replayId } = link.replay
  return (await deletions.find([projectId], replayId)) === null ? link : null
}
