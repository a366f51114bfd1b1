import { explainRefusal, HttpError } from '../../http/index.ts'
import { onBehalfOf, type CallerContext } from '../../lib/caller-context.ts'
import { StatementRefusal } from '../../lib/statement-refusal.ts'
import type { OpenLink } from '../ledger/replay-links.ts'
import { nothingOpens, openLink } from './open-link.ts'
import type { Opened } from './read-shared.ts'
import { shownOf } from './shared-playback.ts'
import type { SharedServices } from './shared-services.ts'

/** How people without an account are answered, whatever they ask of a link. */

export const MANY_OPEN = 'Many people open this replay at this moment. Try again in a few seconds.'
const NOT_READ = 'This replay could not be read at this moment. Try again in a few seconds.'

/** @throws HttpError 404 */
export const open = async ({ projects, replays }: SharedServices, link: OpenLink): Promise<Opened> => {
  const { organizationId, projectId, replayId } = link.replay
  const scope = { organizationId, projectIds: [projectId] }
  const [living, record] = await Promise.all([projects(organizationId), replays.find(scope, replayId)])
  const shown = record === null ? null : shownOf(record, link)
  if (record === null || shown === null) throw nothingOpens()
  return { found: { scope, projects: living, record }, shown }
}

/** Whoever has a link may open it without end: all of them have the turns of one caller. */
const strangersOf = ({ id, replay: { organizationId } }: OpenLink): CallerContext => ({
  organizationId,
  caller: `link:${id}`,
})

/** @throws HttpError 404 */
export const asStranger = async <Value>(
  services: SharedServices,
  token: string,
  work: (link: OpenLink, caller: CallerContext) => Promise<Value>,
): Promise<Value> => {
  const link = await openLink(services, token)
  if (link === null) throw nothingOpens()
  const caller = strangersOf(link)
  return onBehalfOf(caller, () => work(link, caller)).catch(saidToStrangers)
}

/** They search nothing and have no organisation: what is said of that would make no sense to them. */
const saidToStrangers = (thrown: unknown): never => {
  if (!(thrown instanceof StatementRefusal) || thrown.reason === 'preparing') throw thrown
  const { headers } = explainRefusal(thrown)
  const more = { headers, cause: thrown }
  if (thrown.reason === 'busy' || thrown.reason === 'unchanged') throw new HttpError(503, MANY_OPEN, more)
  throw new HttpError(503, NOT_READ, more)
}

/** Of a link that is revoked. */
export const LEAVES_NOTHING = { 'cache-control': 'no-store', 'x-robots-tag': 'noindex, nofollow' }
