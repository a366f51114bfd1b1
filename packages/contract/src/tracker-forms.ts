import { z } from './zod.ts'

/** Calls and links are made of it by adding a path. */
const ownAddress = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .regex(/^[^?#]*$/)
const hostOf = (text: string): string => (URL.parse(text)?.hostname ?? '').replace(/^www\./, '')
/** Of a page of the server that everybody uses, pasted, only the server is kept. */
const address = (standard: string) =>
  ownAddress.transform((text) => (hostOf(text) === hostOf(standard) ? standard : text)).default(standard)
const jiraAddress = ownAddress.transform((text) =>
  hostOf(text).endsWith('.atlassian.net') ? `https://${hostOf(text)}` : text,
)
/** The gateway of Jira Cloud, however much of its address somebody wrote; which site is meant is the part after it. */
const gatewayOf = (text: string): string =>
  /^https:\/\/api\.atlassian\.com(?:\/ex(?:\/jira)?)?\/*$/i.test(text)
    ? 'https://api.atlassian.com/ex/jira'
    : text.replace(/\/+$/, '')
const token = z.string().trim().min(1).max(500)
/** A key of 32 bytes. */
const SIGNING_TOKEN = /^whsec_[\w+/]{43}=$/
const repository = z
  .string()
  .trim()
  .max(200)
  // In an address, one or two dots are no name.
  .regex(/^(?!\.{1,2}\/)[\w.-]{1,100}\/(?!\.{1,2}$)[\w.-]{1,100}$/)

/**
 * What each kind of issue tracker needs: `settings` are shown to whoever sees the connection, `secrets` never again once they
 * are saved.
 */
export const TRACKER_FORMS = {
  github: {
    settings: z.strictObject({ url: address('https://github.com'), repository }),
    secrets: z.strictObject({ token }),
  },
  gitlab: {
    settings: z.strictObject({
      url: address('https://gitlab.com'),
      project: z
        .string()
        .trim()
        .max(300)
        .regex(/^(?!\.{1,2}\/)[\w.-]{1,100}(?:\/(?!\.{1,2}(?:\/|$))[\w.-]{1,100}){1,20}$/),
    }),
    /** A GitLab that makes the token by which it signs webhooks shows it to whoever made it. */
    secrets: z.strictObject({ token, webhookSecret: z.string().trim().regex(SIGNING_TOKEN).optional() }),
  },
  gitea: {
    settings: z.strictObject({ url: ownAddress, repository }),
    secrets: z.strictObject({ token }),
  },
  jira: {
    settings: z.strictObject({
      url: jiraAddress,
      /** Version 3 is Jira Cloud, version 2 Jira Data Center. */
      version: z.enum(['3', '2']).default('3'),
      project: z
        .string()
        .trim()
        .regex(/^[A-Z][A-Z0-9_]{1,30}$/),
      issueType: z.string().trim().min(1).max(60).default('Bug'),
      /** Where calls go, if not to the site: tokens with scopes are taken at `https://api.atlassian.com/ex/jira/{cloudId}` only. */
      apiUrl: z.literal('').or(ownAddress.transform(gatewayOf)).default(''),
      /** Of the account to which the token belongs; Data Center knows it by the token. */
      email: z.string().trim().max(254).default(''),
    }),
    secrets: z.strictObject({ token }),
  },
  linear: {
    settings: z.strictObject({
      url: address('https://api.linear.app'),
      team: z
        .string()
        .trim()
        .regex(/^[A-Z0-9]{1,10}$/),
    }),
    /** Linear makes the secret of a webhook itself. */
    secrets: z.strictObject({ token, webhookSecret: token.optional() }),
  },
} as const

export type TrackerKindName = keyof typeof TRACKER_FORMS
export type TrackerSettings<Kind extends TrackerKindName> = z.output<(typeof TRACKER_FORMS)[Kind]['settings']>
export type TrackerSecrets<Kind extends TrackerKindName> = z.output<(typeof TRACKER_FORMS)[Kind]['secrets']>
