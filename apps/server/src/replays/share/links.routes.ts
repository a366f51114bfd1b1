import { createReplayLink, deleteReplayLink, listReplayLinks, type ReplayLink } from '@firsthand/contract'
import { DAY_MS } from '../../lib/durations.ts'
import { bind, conflict, notFound, type Route } from '../../http/index.ts'
import { toDate } from '../../lib/instant-text.ts'
import { readNumber } from '../asked-number.ts'
import type { ReplayLinkRecord, ReplayLinks } from '../ledger/replay-links.ts'
import { LIMITS } from '../limits.ts'
import { findOfProject, type Finding } from '../find-replay.ts'
import type { ReplayServices } from '../services.ts'
import { hashOfToken, newToken, SHARED_PATH } from './link-token.ts'
import { readShown } from './read-shared.ts'

type LinkServices = Finding &
  Pick<ReplayServices, 'clock'> & { readonly links: Pick<ReplayLinks, 'add' | 'of' | 'revoke'> }

/** Links of a replay as those see them who made them. */
export const createLinkRoutes = (services: LinkServices): Route[] => [
  listRoute(services),
  createRoute(services),
  revokeRoute(services),
]

const linkJson = (link: ReplayLinkRecord): ReplayLink => ({
  id: String(link.id),
  createdBy: { ...link.createdBy, id: String(link.createdBy.id) },
  createdAt: toDate(link.createdAt),
  expiresAt: toDate(link.expiresAt),
  from: link.from,
  to: link.to,
  views: link.views,
  lastViewedAt: link.lastViewedAt === null ? null : toDate(link.lastViewedAt),
})

const listRoute = (services: LinkServices): Route =>
  bind(listReplayLinks, async ({ params, request }) => {
    const { record } = await findOfProject(services, request.organization.id, params)
    return { body: { data: (await services.links.of(record)).map(linkJson) } }
  })

const createRoute = (services: LinkServices): Route =>
  bind(createReplayLink, async ({ body, params, request }) => {
    const { clock, links } = services
    const { record } = await findOfProject(services, request.organization.id, params)
    const shown = readShown(record, body)
    const stretch = { from: body.from === null ? null : shown.from, to: body.to === null ? null : shown.to }
    const token = newToken()
    const id = await links.add(record, {
      ...stretch,
      tokenHash: hashOfToken(token),
      userId: request.caller.user.id,
      expiresAt: clock.now() + body.days * DAY_MS,
    })
    if (id === null) {
      throw conflict(
        `This replay has ${LIMITS.REPLAY_LINKS} links, and more are not made. Revoke one that nobody needs any more.`,
      )
    }
    const made = (await links.of(record)).find((link) => link.id === id)
    if (made === undefined) throw notFound()
    return { body: { ...linkJson(made), url: `${request.publicUrl}${SHARED_PATH}${token}/` }, status: 201 }
  })

const revokeRoute = (services: LinkServices): Route =>
  bind(deleteReplayLink, async ({ params, request }) => {
    const { record } = await findOfProject(services, request.organization.id, params)
    const id = readNumber(params.link)
    if (id === null || !(await services.links.revoke(record, id))) throw notFound()
    return { body: null }
  })
