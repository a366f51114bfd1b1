import { z } from './zod.ts'
import { date, displayName, email, empty, id, password, personName, platform, slug } from './common.ts'
import { endpoint } from './endpoint.ts'
import { ROLES, SCOPES } from './scopes.ts'

export const themes = ['system', 'light', 'dark'] as const

export const preferences = z.object({
  theme: z.enum(themes),
  /** IANA name, or '' for the browser's. */
  timezone: z.string().max(64),
  clock24Hours: z.boolean(),
  /** The feedback button of the console itself. */
  feedbackButton: z.boolean(),
})

/** Asked of what is written, not of what is answered: runtimes know different zones. */
const isTimeZone = (name: string): boolean => {
  try {
    return name === '' || new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== ''
  } catch {
    // A runtime throws for a zone that it does not know.
    return false
  }
}

export const user = z.object({
  id,
  email: z.string(),
  name: z.string(),
  username: z.string(),
  dateJoined: date,
  lastLogin: date.nullable(),
  options: preferences,
})
export type User = z.output<typeof user>

export const membership = z.object({
  id,
  slug: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
  /** What the signed-in person may do here. */
  access: z.array(z.enum(SCOPES)),
})

export const session = z.object({
  /** Null when nobody is signed in. */
  user: user.nullable(),
  organizations: z.array(membership),
  /** To be sent as `X-CSRF-Token` with every POST, PUT and DELETE. Null when nobody is signed in. */
  csrfToken: z.string().nullable(),
  /** True while the installation has no owner. */
  setupNeeded: z.boolean(),
})
export type Session = z.output<typeof session>

export const getAuthInfo = endpoint({
  method: 'GET',
  path: '/',
  ok: z.object({
    version: z.string(),
    auth: z.object({ scopes: z.array(z.string()) }).nullable(),
    user: z.object({ id, email: z.string(), username: z.string(), name: z.string() }).nullable(),
  }),
  summary: 'Who is calling, and with which rights',
  scope: 'public',
})

export const getSetup = endpoint({
  method: 'GET',
  path: '/setup/',
  ok: z.object({ needed: z.boolean() }),
  summary: 'Does this installation still need its first owner?',
  scope: 'public',
})

export const createSetup = endpoint({
  method: 'POST',
  path: '/setup/',
  body: z.object({
    /** As the server printed it at its start. */
    setupToken: z.string().trim().max(128).optional(),
    email,
    name: personName.optional(),
    password,
    organizationName: displayName,
    organizationSlug: slug.optional(),
    projectName: displayName,
    platform,
  }),
  ok: z.object({ session, organization: z.string(), project: z.string(), projectId: id, dsn: z.string() }),
  summary:
    'Create owner, organisation and first project with the token that the server printed, and sign in (409 when already done)',
  scope: 'public',
})

export const logIn = endpoint({
  method: 'POST',
  path: '/auth/login/',
  body: z.object({ email: z.string().trim().toLowerCase().min(1).max(254), password }),
  ok: session,
  summary: 'Sign in with e-mail and password; sets the session cookie',
  scope: 'public',
})

export const logOut = endpoint({
  method: 'POST',
  path: '/auth/logout/',
  ok: empty,
  summary: 'End this session',
  scope: 'signed-in',
})

export const getSession = endpoint({
  method: 'GET',
  path: '/auth/session/',
  ok: session,
  summary: 'The signed-in person, their organisations and the CSRF token',
  scope: 'public',
})

export const getInvitation = endpoint({
  method: 'GET',
  path: '/accept-invite/{token}/',
  ok: z.object({
    organization: z.object({ slug: z.string(), name: z.string() }),
    email: z.string(),
    role: z.enum(ROLES),
    expiresAt: date,
  }),
  summary: 'What an invitation is for',
  scope: 'public',
})

export const acceptInvitation = endpoint({
  method: 'POST',
  path: '/accept-invite/{token}/',
  body: z.object({ name: personName.optional(), password }),
  ok: session,
  summary: 'Accept an invitation with the password of the account, which is made when there is none, and sign in',
  scope: 'public',
})

export const getOwnReporting = endpoint({
  method: 'GET',
  path: '/own-reporting/',
  ok: z.object({
    /** Where this console reports its own errors, and what people say in it; null when it does not. */
    dsn: z.string().nullable(),
    release: z.string(),
    /** Share of its page loads and navigations that it reports there, 0–1. */
    viewsSampleRate: z.number(),
  }),
  summary: 'Where the console reports to: the project in which Firsthand watches itself',
  scope: 'signed-in',
})

export const getMe = endpoint({
  method: 'GET',
  path: '/users/me/',
  ok: user,
  summary: 'The person who is signed in, or whose token it is',
  scope: 'signed-in',
})

export const listRegions = endpoint({
  method: 'GET',
  path: '/users/me/regions/',
  ok: z.object({ regions: z.array(z.object({ name: z.string(), url: z.string() })) }),
  summary: 'Where the data of the caller is: here. Sentry’s programs ask for it when somebody signs in',
  scope: 'signed-in',
})

export const updateMe = endpoint({
  method: 'PUT',
  path: '/users/me/',
  body: z.object({
    name: personName.optional(),
    email: email.optional(),
    /** Needed when the e-mail changes. */
    currentPassword: password.optional(),
    options: preferences
      .extend({
        timezone: z.string().max(64).refine(isTimeZone, 'Name a time zone like Europe/Berlin, or leave it empty.'),
      })
      .partial()
      .optional(),
  }),
  ok: user,
  summary: "Change one's own account",
  scope: 'signed-in',
})

export const updatePassword = endpoint({
  method: 'PUT',
  path: '/users/me/password/',
  /** Tokens outlive the password, as programs use them, unless they are to go with it. */
  body: z.object({ currentPassword: password, password, revokeTokens: z.boolean().optional() }),
  ok: empty,
  summary: "Change one's own password; ends all other sessions",
  scope: 'signed-in',
})

export const loginSession = z.object({
  id,
  userAgent: z.string(),
  address: z.string(),
  dateCreated: date,
  lastSeen: date,
  isCurrent: z.boolean(),
})
export type LoginSession = z.output<typeof loginSession>

export const listSessions = endpoint({
  method: 'GET',
  path: '/users/me/sessions/',
  ok: z.array(loginSession),
  summary: "One's own sessions",
  scope: 'signed-in',
})

export const endSession = endpoint({
  method: 'DELETE',
  path: '/users/me/sessions/{session}/',
  ok: empty,
  summary: "End one of one's own sessions",
  scope: 'signed-in',
})

export const revokeOwnToken = endpoint({
  method: 'DELETE',
  path: '/users/me/api-tokens/{token}/',
  ok: empty,
  summary: 'Revoke a token that one made, also when one may not make tokens any more',
  scope: 'signed-in',
})

export const endOtherSessions = endpoint({
  method: 'DELETE',
  path: '/users/me/sessions/',
  ok: empty,
  summary: 'End all sessions but this one',
  scope: 'signed-in',
})
