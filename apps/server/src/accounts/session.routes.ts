import {
  acceptInvitation,
  createPersonalToken,
  createSetup,
  endOtherSessions,
  endSession,
  getAuth,
  getAuthInfo,
  getInvitation,
  getMe,
  listRegions,
  getOwnReporting,
  getSession,
  getSetup,
  listPersonalTokens,
  listSessions,
  logIn,
  logOut,
  revokeOwnToken,
  updateMe,
  updatePassword,
} from '@firsthand/contract'
import { bind, forbidden, forgetSession, keepSession, notFound, unauthorized, unwrap } from '../http/index.ts'
import type { Caller, RequestContext, Route } from '../http/index.ts'
import { LIMITS } from './limits.ts'
import { idOf, sessionJson, tokenJson, userJson } from './json.ts'
import { toDate } from '../lib/instant-text.ts'
import { dsnsOf } from './dsn.ts'
import type { Accounts } from './index.ts'
import { sessionIdOf } from './sign-in.ts'
import type { SignedIn } from './sign-in.ts'

/** Set-up, signing in and out, one's own account. */

type AnyRequest = Pick<RequestContext<'/'>, 'clientAddress' | 'userAgent' | 'publicUrl' | 'sessionCookie'>

const deviceOf = (request: AnyRequest) => ({ address: request.clientAddress, userAgent: request.userAgent })

const SESSION_SECONDS = LIMITS.SESSION_DAYS * 86_400

/** Only people change their account, and only they make tokens that act for them: a token that leaks must not make others. */
const personOf = (caller: Caller | null) => {
  if (caller === null) throw unauthorized()
  if (caller.kind !== 'session') {
    throw forbidden(
      'This call is for people who are signed in: a token changes no account and makes no personal token.',
    )
  }
  return { user: caller.user, sessionHash: caller.sessionHash }
}

const signedIn = async ({ store, authenticator }: Accounts, { user, cookie }: SignedIn) =>
  sessionJson(user, await store.memberships(user.id), authenticator.csrfToken(cookie), false)
const cookieOf = (request: AnyRequest, { cookie }: SignedIn) => ({
  'set-cookie': keepSession(request.publicUrl, cookie, SESSION_SECONDS),
})

/** What this program says about itself. */
interface Program {
  readonly version: string
  readonly ownTracesSampleRate: number
}

export const createSessionRoutes = (accounts: Accounts, program: Program): Route[] => [
  ...callerRoutes(accounts, program.version),
  ...setupRoutes(accounts),
  ...signInRoutes(accounts, program),
  ...invitationRoutes(accounts),
  ...ownAccountRoutes(accounts),
]

/** Who calls, and what they may do. */
const callerRoutes = ({ store, authenticator }: Accounts, version: string): Route[] => {
  const whoCalls = async (caller: Caller | null) => {
    const user = caller === null ? null : await store.userById(caller.user.id)
    if (user === null) throw unauthorized()
    return { body: userJson(user) }
  }

  return [
    bind(getMe, ({ request }) => whoCalls(request.caller)),

    bind(listRegions, ({ request }) => ({ body: { regions: [{ name: 'default', url: request.publicUrl }] } })),

    bind(getAuth, async ({ request }) => {
      const { body } = await whoCalls(request.caller)
      // Clients greet by this name, so it is never empty.
      return { body: { ...body, name: body.name || body.email } }
    }),

    bind(getAuthInfo, async ({ request: { caller } }) => {
      if (caller === null) return { body: { version, auth: null, user: null } }
      const { user, tokenOrganizationId } = caller
      const own =
        tokenOrganizationId === null ? null : await authenticator.organization(caller, String(tokenOrganizationId))
      return {
        body: {
          version,
          // Of a personal token what it may do at most: how much of it, the role says in each organisation.
          auth: { scopes: [...(own?.scopes ?? caller.tokenScopes ?? [])] },
          user: { ...user, id: String(user.id), username: user.email },
        },
      }
    }),
  ]
}

const setupRoutes = (accounts: Accounts): Route[] => {
  const { setup } = accounts
  return [
    bind(getSetup, async () => ({ body: { needed: await setup.needed() } })),

    bind(createSetup, async ({ body: { setupToken = '', ...first }, request }) => {
      const made = unwrap(await setup.create(first, setupToken, deviceOf(request)))
      await accounts.ownProject.ensure()
      return {
        status: 201,
        headers: cookieOf(request, made.signedIn),
        body: {
          session: await signedIn(accounts, made.signedIn),
          organization: made.organization,
          project: made.project,
          projectId: String(made.projectId),
          dsn: dsnsOf(request.publicUrl, made.publicKey, made.projectId).public,
        },
      }
    }),
  ]
}

const signInRoutes = (accounts: Accounts, { version, ownTracesSampleRate }: Program): Route[] => {
  const { store, signIn, setup } = accounts
  return [
    bind(logIn, async ({ body, request }) => {
      const session = unwrap(await signIn.logIn(body, deviceOf(request)))
      return { body: await signedIn(accounts, session), headers: cookieOf(request, session) }
    }),

    bind(logOut, async ({ request }) => {
      const { user, sessionHash } = personOf(request.caller)
      if (sessionHash !== null) await signIn.logOut(user.id, sessionHash)
      return { body: null, headers: { 'set-cookie': forgetSession(request.publicUrl) } }
    }),

    bind(getSession, async ({ request }) => {
      const { caller, sessionCookie } = request
      const user = caller?.kind === 'session' ? await store.userById(caller.user.id) : null
      if (user === null || sessionCookie === null) return { body: sessionJson(null, [], null, await setup.needed()) }
      return {
        body: await signedIn(accounts, { user, cookie: sessionCookie }),
        // The browser forgets the cookie a fortnight after the last visit, like the server.
        headers: cookieOf(request, { user, cookie: sessionCookie }),
      }
    }),

    bind(getOwnReporting, async ({ request }) => {
      const own = await accounts.ownProject.find()
      const dsn = own === null ? null : dsnsOf(request.publicUrl, own.publicKey, own.projectId).public
      return { body: { dsn, release: `firsthand@${version}`, viewsSampleRate: ownTracesSampleRate } }
    }),
  ]
}

const invitationRoutes = (accounts: Accounts): Route[] => {
  const { organizations } = accounts
  return [
    bind(getInvitation, async ({ params }) => {
      const { member, organization } = unwrap(await organizations.invitation(params.token))
      return {
        body: {
          organization: { slug: organization.slug, name: organization.name },
          email: member.email,
          role: member.role,
          expiresAt: toDate(member.inviteExpiresAt ?? 0),
        },
      }
    }),

    bind(acceptInvitation, async ({ params, body, request }) => {
      const session = unwrap(await organizations.acceptInvitation(params.token, body, deviceOf(request)))
      return { body: await signedIn(accounts, session), headers: cookieOf(request, session) }
    }),
  ]
}

const ownAccountRoutes = ({ store, signIn, organizations }: Accounts): Route[] => [
  bind(updateMe, async ({ body, request }) => {
    const { user } = personOf(request.caller)
    return { body: userJson(unwrap(await signIn.updateMe(user.id, body, deviceOf(request)))) }
  }),

  bind(updatePassword, async ({ body, request }) => {
    const { user, sessionHash } = personOf(request.caller)
    unwrap(await signIn.updatePassword(user.id, body, sessionHash, deviceOf(request)))
    return { body: null }
  }),

  bind(listSessions, async ({ request }) => {
    const { user, sessionHash } = personOf(request.caller)
    const sessions = await signIn.sessions(user.id)
    return {
      body: sessions.map((session) => ({
        id: sessionIdOf(session.hash),
        userAgent: session.userAgent,
        address: session.address,
        dateCreated: toDate(session.createdAt),
        lastSeen: toDate(session.lastSeenAt),
        isCurrent: session.hash === sessionHash,
      })),
    }
  }),

  bind(endSession, async ({ params, request }) => {
    const { user, sessionHash } = personOf(request.caller)
    if (!(await signIn.end(user.id, params.session))) throw notFound('This session does not exist, or has ended.')
    const isThis = sessionHash !== null && sessionIdOf(sessionHash) === params.session
    return { body: null, ...(isThis && { headers: { 'set-cookie': forgetSession(request.publicUrl) } }) }
  }),

  bind(listPersonalTokens, async ({ request }) => {
    const { user } = personOf(request.caller)
    return { body: (await store.personalTokens(user.id)).map(tokenJson) }
  }),

  bind(createPersonalToken, async ({ body, request }) => {
    const { user } = personOf(request.caller)
    const made = unwrap(await organizations.createPersonalToken(user.id, body))
    return { status: 201, body: { ...tokenJson(made.token), token: made.secret } }
  }),

  bind(revokeOwnToken, async ({ params, request }) => {
    const { user } = personOf(request.caller)
    unwrap(await organizations.removeOwnToken(user.id, idOf(params.token)))
    return { body: null }
  }),

  bind(endOtherSessions, async ({ request }) => {
    const { user, sessionHash } = personOf(request.caller)
    await signIn.endOthers(user.id, sessionHash)
    return { body: null }
  }),
]
