import {
  addTeamMember,
  createApiToken,
  createTeam,
  deleteApiToken,
  deleteTeam,
  getMember,
  getOrganization,
  getTeam,
  inviteMember,
  leaveOrganization,
  listApiTokens,
  listMembers,
  listOrganizations,
  listTeamMembers,
  listTeams,
  removeMember,
  removeTeamMember,
  renewInvitation,
  updateMember,
  updateOrganization,
  updateTeam,
} from '@firsthand/contract'
import { badRequest, bind, forbidden, notFound, readPage, toPage, unwrap } from '../http/index.ts'
import type { Caller, Route } from '../http/index.ts'
import type { Clock } from '../lib/clock.ts'
import { idOf, memberJson, organizationJson, organizationSummaryJson, teamJson, tokenJson } from './json.ts'
import type { Accounts } from './index.ts'
import type { Invited } from './organizations.ts'
import type { Scope } from './roles.ts'
import { visibleOrganizations } from './visible-organizations.ts'

/** Organisations, members, teams and tokens. */

const actorOf = (request: {
  readonly caller: Caller
  readonly organization: { readonly scopes: ReadonlySet<Scope> }
}) => ({
  userId: request.caller.user.id,
  scopes: request.organization.scopes,
  tokenExpiresAt: request.caller.tokenExpiresAt,
  tokenId: request.caller.tokenId,
})

export const createOrganizationRoutes = (accounts: Accounts, clock: Clock): Route[] => [
  ...organizationRoutes(accounts),
  ...memberRoutes(accounts, clock),
  ...teamRoutes(accounts, clock),
  ...tokenRoutes(accounts),
]

const organizationRoutes = ({ store, organizations }: Accounts): Route[] => {
  const existing = async (id: number) => {
    const organization = await store.organization(id)
    if (organization === null) throw notFound()
    return organization
  }

  return [
    bind(listOrganizations, async ({ query, request }) => {
      const visible = await visibleOrganizations(store, request.caller)
      const asked = readPage(query)
      const { rows, page } = toPage(visible.slice(asked.offset, asked.offset + asked.limit + 1), asked)
      return { body: rows.map((organization) => organizationSummaryJson(organization, request.publicUrl)), page }
    }),

    bind(getOrganization, async ({ request }) => ({
      body: organizationJson(await existing(request.organization.id), request.organization, request.publicUrl),
    })),

    bind(updateOrganization, async ({ body, request }) => ({
      body: organizationJson(
        unwrap(await organizations.update(request.organization.id, body)),
        request.organization,
        request.publicUrl,
      ),
    })),
  ]
}

const memberRoutes = ({ store, organizations }: Accounts, clock: Clock): Route[] => {
  const invitedJson = ({ member, secret }: Invited, publicUrl: string) => ({
    ...memberJson(member, clock.now()),
    inviteLink: `${publicUrl}/accept-invite/${secret}`,
  })

  return [
    bind(listMembers, async ({ query, request }) => {
      const asked = readPage(query)
      const found = await store.members(request.organization.id, query.query ?? '', {
        ...asked,
        limit: asked.limit + 1,
      })
      const { rows, page } = toPage(found, asked)
      return { body: rows.map((member) => memberJson(member, clock.now())), page }
    }),

    bind(getMember, async ({ params, request }) => {
      const { id, memberId } = request.organization
      const member = await store.member(id, memberOf(params.member, memberId))
      if (member === null) throw notFound()
      return { body: memberJson(member, clock.now()) }
    }),

    bind(inviteMember, async ({ body, request }) => {
      const { organization, publicUrl } = request
      const { email, orgRole, role = 'member', teams = [], teamRoles = [] } = body
      const invitation = {
        email,
        role: orgRole ?? role,
        teams: [...teams, ...teamRoles.map(({ teamSlug }) => teamSlug)],
      }
      const invited = unwrap(await organizations.invite(organization.id, actorOf(request), invitation))
      return { status: 201, body: invitedJson(invited, publicUrl) }
    }),

    bind(renewInvitation, async ({ params, request }) => {
      const { organization, publicUrl } = request
      const id = idOf(params.member)
      return {
        body: invitedJson(
          unwrap(await organizations.renewInvitation(organization.id, actorOf(request), id)),
          publicUrl,
        ),
      }
    }),

    bind(updateMember, async ({ params, body, request }) => {
      const { organization } = request
      const id = idOf(params.member)
      const role = body.orgRole ?? body.role
      if (role === undefined) throw badRequest('Say which role the member is to have.', { role: 'A role is needed.' })
      const member = unwrap(await organizations.updateMember(organization.id, actorOf(request), id, { role }))
      return { body: memberJson(member, clock.now()) }
    }),

    // Before `removeMember`, whose path has a parameter in place of `me`.
    bind(leaveOrganization, async ({ request }) => {
      if (request.caller.kind !== 'session') {
        throw forbidden('People leave an organisation themselves, signed in; a token cannot do it for them.')
      }
      unwrap(await organizations.leave(request.organization.id, request.organization.memberId))
      return { body: null }
    }),

    bind(removeMember, async ({ params, request }) => {
      const { organization } = request
      unwrap(await organizations.removeMember(organization.id, actorOf(request), idOf(params.member)))
      return { body: null }
    }),
  ]
}

const teamRoutes = ({ store, organizations }: Accounts, clock: Clock): Route[] => [
  bind(listTeams, async ({ query, request }) => {
    const asked = readPage(query)
    const found = await store.teams(request.organization.id, { ...asked, limit: asked.limit + 1 })
    const { rows, page } = toPage(found, asked)
    return { body: rows.map((team) => teamJson(team, request.organization.memberId)), page }
  }),

  bind(createTeam, async ({ body, request }) => ({
    status: 201,
    body: teamJson(
      unwrap(await organizations.createTeam(request.organization.id, body)),
      request.organization.memberId,
    ),
  })),

  bind(getTeam, async ({ params, request }) => {
    const team = await store.team(request.organization.id, params.team)
    if (team === null) throw notFound()
    return { body: teamJson(team, request.organization.memberId) }
  }),

  bind(updateTeam, async ({ params, body, request }) => ({
    body: teamJson(
      unwrap(await organizations.updateTeam(request.organization.id, params.team, body)),
      request.organization.memberId,
    ),
  })),

  bind(deleteTeam, async ({ params, request }) => {
    unwrap(await organizations.removeTeam(request.organization.id, params.team))
    return { body: null }
  }),

  bind(listTeamMembers, async ({ params, query, request }) => {
    const team = await store.team(request.organization.id, params.team)
    if (team === null) throw notFound()
    const asked = readPage(query)
    const { rows, page } = toPage(await store.teamMembers(team.id, { ...asked, limit: asked.limit + 1 }), asked)
    return { body: rows.map((member) => memberJson(member, clock.now())), page }
  }),

  bind(addTeamMember, async ({ params, request }) => {
    const { id, memberId } = request.organization
    const team = unwrap(await organizations.setTeamMember(id, params.team, memberOf(params.member, memberId), true))
    return { status: 201, body: teamJson(team, memberId) }
  }),

  bind(removeTeamMember, async ({ params, request }) => {
    const { id, memberId } = request.organization
    const team = unwrap(await organizations.setTeamMember(id, params.team, memberOf(params.member, memberId), false))
    return { body: teamJson(team, memberId) }
  }),
]

/** `me` is whoever asks. */
const memberOf = (reference: string, ownId: number): number => (reference === 'me' ? ownId : idOf(reference))

const tokenRoutes = ({ store, organizations }: Accounts): Route[] => [
  bind(listApiTokens, async ({ request }) => ({
    body: (await store.tokens(request.organization.id)).map(tokenJson),
  })),

  bind(createApiToken, async ({ body, request }) => {
    const { organization, publicUrl } = request
    const made = unwrap(await organizations.createToken(organization, actorOf(request), { ...body, publicUrl }))
    return { status: 201, body: { ...tokenJson(made.token), token: made.secret } }
  }),

  bind(deleteApiToken, async ({ params, request }) => {
    unwrap(await organizations.removeToken(request.organization.id, idOf(params.token)))
    return { body: null }
  }),
]
