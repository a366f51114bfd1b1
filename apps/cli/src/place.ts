/** Where a replay is, and which server may be shown the token. */

export interface Place {
  /** Of the server. */
  readonly url: string
  readonly organization: string
  readonly replay: string
}

interface Said {
  readonly url?: string | undefined
  readonly organization?: string | undefined
  readonly token: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** Organisation tokens say where their server is and whose they are. */
const inToken = (token: string): { readonly url?: unknown; readonly org?: unknown } => {
  try {
    return JSON.parse(Buffer.from(token.split('_')[1] ?? '', 'base64').toString()) as { url?: unknown; org?: unknown }
  } catch {
    // A personal token, which says nothing.
    return {}
  }
}

const firstText = (...values: readonly unknown[]): string | null => {
  const found = values.find((value) => typeof value === 'string' && value !== '')
  return typeof found === 'string' ? found : null
}

const originOf = (url: unknown): string | null =>
  typeof url === 'string' && URL.canParse(url) ? new URL(url).origin : null

/** Of a link for people without an account. It has no id, and the call for the test wants a member's token. */
const SHARED =
  'a shared link does not say which replay it is of. Log in, open the replay there, and take the command from "Make a test", or the address of its page.'

/**
 * The address of a replay's page says where its server is and whose it is. It may have come from anybody, so it does not
 * choose who is shown the token: that is the server that was configured, or the one that the token is of.
 * @returns what is wrong, as text
 */
export const readPlace = (given: string, { environment, token, ...options }: Said): Place | string => {
  const page = /^(https?:\/\/[^/]+(?:\/[^/]+)*?)\/organizations\/([^/]+)\/replays\/([^/?#]+)/.exec(given)
  const said = inToken(token)
  if (page === null && /^https?:\/\/[^/]+(?:\/[^/]+)*?\/shared\//.test(given)) return SHARED
  const replay = (page?.[3] ?? given).replaceAll('-', '').toLowerCase()
  if (!/^[0-9a-f]{32}$/.test(replay)) return `"${given}" is no id of a replay: it has 32 hex characters.`
  const configured = [environment['SENTRY_URL'], said.url]
  const origin = originOf(page?.[1])
  const isKnown = origin !== null && configured.some((url) => originOf(url) === origin)
  const url = firstText(options.url, isKnown && page?.[1], ...configured)
  if (page !== null && !isKnown && firstText(options.url) === null)
    return `the token in SENTRY_AUTH_TOKEN is not sent to ${origin ?? 'that address'}: ${url === null ? 'nothing says that it is of that server' : `it is of ${url}`}. If that is your server, say so by --url or SENTRY_URL.`
  if (url === null) return 'repro needs the address of your server: --url, or SENTRY_URL in the environment.'
  const organization = firstText(options.organization, page?.[2], environment['SENTRY_ORG'], said.org)
  if (organization === null) return 'repro needs your organisation: --organization, or SENTRY_ORG.'
  return { url: url.replace(/\/$/, ''), organization, replay }
}
