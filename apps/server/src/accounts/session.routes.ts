import {
  acceptInvitation,
  createSetup,
  endOtherSessions,
  getAuth,
  getAuthInfo,
  getInvitation,
  getMe,
  getOwnReporting,
  getSession,
  getSetup,
  listSessions,
  logIn,
  logOut,
  updateMe,
  updatePassword,
} from '@firsthand/contract'
import { bind, forbidden, SESSION_COOKIE, unauthorized, unwrap } from '../http/index.ts'
import type { Caller, RequestContext, Route } from '../http/index.ts'
import { LIMITS } from '../limits.ts'
import { sessionJson, toDate, userJson } from './json.ts'
import { dsnsOf } from './dsn.ts'
import type { Accounts } from './index.ts'
import type { SignedIn } from './sign-in.ts'

/** Set-up, signing in and out, one's own account. */

type AnyRequest = Pick<RequestContext<'/'>, 'clientAddress' | 'userAgent' | 'publicUrl' | 'sessionCookie'>

const deviceOf = (request: AnyRequest) => ({ address: request.clientAddress, userAgent: request.userAgent })

const cookieHeader = (request: AnyRequest, value: string, maxAgeSeconds: number): string =>
  [
    `${SESSION_COOKIE}=${value}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Lax',
    `Max-Age=${maxAgeSeconds}`,
    ...(request.publicUrl.startsWith('https:') ? ['Secure'] : []),
  ].join('; ')

const SESSION_SECONDS = LIMITS.SESSION_DAYS * 86_400

/** Only people have an account to change; tokens of organisations have not. */
const personOf = (caller: Caller | null) => {
  if (caller === null) throw unauthorized()
  if (caller.kind !== 'session' || caller.user === null) {
    throw forbidden('This call is for people who are signed in; a token has no account.')
  }
  return { user: caller.user, sessionHash: caller.sessionHash }
}

/** A token acts for the person who made it; the command's tokens are nobody's. */
const actorOf = (caller: Caller | null): number => {
  if (caller === null) throw unauthorized()
  if (caller.user === null) throw forbidden('This token belongs to the organisation and not to a person.')
  return caller.user.id
}

export const createSessionRoutes = (accounts: Accounts, version: string): Route[] => {
  const { store, signIn, setup, organizations, authenticator } = accounts

  const signedIn = async ({ user, cookie }: SignedIn) =>
    sessionJson(user, await store.memberships(user.id), authenticator.csrfToken(cookie), false)
  const cookieOf = (request: AnyRequest, { cookie }: SignedIn) => ({
    'set-cookie': cookieHeader(request, cookie, SESSION_SECONDS),
  })

  const whoCalls = async (caller: Caller | null) => {
    const user = await store.userById(actorOf(caller))
    if (user === null) throw unauthorized()
    return { body: userJson(user) }
  }

  return [
    bind(getMe, ({ request }) => whoCalls(request.caller)),
    bind(getAuth, ({ request }) => whoCalls(request.caller)),

    bind(getAuthInfo, async ({ request: { caller } }) => ({
      body: {
        version,
        auth: caller === null ? null : { scopes: [...(caller.tokenScopes ?? [])] },
        user: caller?.user == null ? null : { ...caller.user, id: String(caller.user.id), username: caller.user.email },
      },
    })),

    bind(getSetup, async () => ({ body: { needed: await setup.needed() } })),

    bind(createSetup, async ({ body, request }) => {
      const made = unwrap(await setup.create(body, deviceOf(request)))
      await accounts.ownProject.ensure()
      return {
        status: 201,
        headers: cookieOf(request, made.signedIn),
        body: {
          session: await signedIn(made.signedIn),
          organization: made.organization,
          project: made.project,
          projectId: String(made.projectId),
          dsn: dsnsOf(request.publicUrl, made.publicKey, made.projectId).public,
        },
      }
    }),

    bind(logIn, async ({ body, request }) => {
      const session = unwrap(await signIn.logIn(body, deviceOf(request)))
      return { body: await signedIn(session), headers: cookieOf(request, session) }
    }),

    bind(logOut, async ({ request }) => {
      const { sessionHash } = personOf(request.caller)
      if (sessionHash !== null) await signIn.logOut(sessionHash)
      return { body: null, headers: { 'set-cookie': cookieHeader(request, '', 0) } }
    }),

    bind(getSession, async ({ request }) => {
      const { caller, sessionCookie } = request
      const user = caller?.kind === 'session' && caller.user !== null ? await store.userById(caller.user.id) : null
      if (user === null || sessionCookie === null) return { body: sessionJson(null, [], null, await setup.needed()) }
      return {
        body: await signedIn({ user, cookie: sessionCookie }),
        // The browser forgets the cookie a fortnight after the last visit, like the server.
        headers: cookieOf(request, { user, cookie: sessionCookie }),
      }
    }),

    bind(getOwnReporting, async ({ request }) => {
      const own = await accounts.ownProject.find()
      const dsn = own === null ? null : dsnsOf(request.publicUrl, own.publicKey, own.projectId).public
      return { body: { dsn, release: `firsthand@${version}` } }
    }),

    bind(getInvitation, async ({ params }) => {
      const { member, organization, hasAccount } = unwrap(await organizations.invitation(params.token))
      return {
        body: {
          organization: { slug: organization.slug, name: organization.name },
          email: member.email,
          role: member.role,
          expiresAt: toDate(member.inviteExpiresAt ?? 0),
          hasAccount,
        },
      }
    }),

    bind(acceptInvitation, async ({ params, body, request }) => {
      const session = unwrap(await organizations.acceptInvitation(params.token, body, deviceOf(request)))
      return { body: await signedIn(session), headers: cookieOf(request, session) }
    }),

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
          id: session.hash.slice(0, 16),
          userAgent: session.userAgent,
          address: session.address,
          dateCreated: toDate(session.createdAt),
          lastSeen: toDate(session.lastSeenAt),
          isCurrent: session.hash === sessionHash,
        })),
      }
    }),

    bind(endOtherSessions, async ({ request }) => {
      const { user, sessionHash } = personOf(request.caller)
      await signIn.endOthers(user.id, sessionHash)
      return { body: null }
    }),
  ]
}
