import { filter, surroundingsOf } from '../event/index.ts'
import type { DigestItem, Drop, ExpandContext } from '../ingest/index.ts'
import type { SessionAttributes } from './read/words.ts'

/** What a project does not want to see of errors, it does not want to count either. */
export const filteredSession = (
  item: DigestItem,
  { release, userAgent }: Pick<SessionAttributes, 'release' | 'userAgent'>,
  { settings }: Pick<ExpandContext, 'settings'>,
): Drop | null => {
  const attributes = {
    'sentry.release': release,
    ...(userAgent === '' ? {} : { 'user_agent.original': userAgent }),
  }
  return filter(surroundingsOf(item, [{ attributes }]), item.sender, settings)
}
