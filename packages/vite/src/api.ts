import { setTimeout as delay } from 'node:timers/promises'
import type { Settings } from './options.ts'

/** A sentence for whoever builds: what happened, why, what to do. */
export class UploadFault extends Error {}

export interface Api {
  /**
   * @param path below the address of the organisation
   * @returns what was said, of whatever shape
   */
  readonly ask: (method: 'GET' | 'POST' | 'PUT', path: string, body?: object | FormData) => Promise<unknown>
}

/** A whole answer. */
interface Heard {
  readonly ok: boolean
  readonly status: number
  readonly location: string | null
  readonly text: string
}

const REQUEST_MS = 120_000
/** A server that is busy or just starts says so with these. */
const AGAIN = new Set([502, 503, 504, 507])
const TRIES = 5
const FIRST_WAIT_MS = 250

export const createApi = ({ url, org, project, token }: Settings): Api => {
  const once = async (method: string, address: string, body?: object | FormData): Promise<Heard> => {
    const isForm = body instanceof FormData
    const response = await fetch(address, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : isForm ? body : JSON.stringify(body),
      // A token goes to nobody but whom it is for.
      redirect: 'manual',
      signal: AbortSignal.timeout(REQUEST_MS),
    })
    const { ok, status } = response
    return { ok, status, location: response.headers.get('location'), text: await response.text() }
  }

  const patiently = async (method: string, address: string, body?: object | FormData): Promise<Heard> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const heard = await once(method, address, body)
        if (!AGAIN.has(heard.status) || attempt === TRIES) return heard
      } catch (error) {
        if (attempt === TRIES) throw unreachable(url, error)
      }
      await delay(FIRST_WAIT_MS * 2 ** attempt)
    }
  }

  return {
    ask: async (method, path, body) => {
      const { location, ok, status, text } = await patiently(
        method,
        `${url}/api/0/organizations/${encodeURIComponent(org)}/${path}`,
        body,
      )
      if (status >= 300 && status < 400) {
        throw new UploadFault(
          `${url} answers from another address: ${shownAddress(location, url)}. Set url (or FIRSTHAND_URL) to where Firsthand really is.`,
        )
      }
      const said = jsonOf(text)
      if (!ok) throw refused({ url, org, project }, status, detailOf(said))
      if (said === undefined) throw notFirsthand(url)
      return said
    },
  }
}

/** What some other server says, or a proxy before ours. */
export const notFirsthand = (url: string): UploadFault =>
  new UploadFault(
    `${url} does not answer as Firsthand does. Set url (or FIRSTHAND_URL) to where Firsthand is, and look whether a proxy before it changes its answers.`,
  )

/** Without what may be secret in it. */
const shownAddress = (location: string | null, url: string): string => {
  if (location === null || !URL.canParse(location, url)) return '?'
  const { origin, pathname } = new URL(location, url)
  return origin + pathname
}

const jsonOf = (text: string): unknown => {
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    return undefined
  }
}

const detailOf = (body: unknown): string =>
  typeof body === 'object' && body !== null && 'detail' in body && typeof body.detail === 'string' ? body.detail : ''

const unreachable = (url: string, error: unknown): UploadFault => {
  const { cause, message } = error as Error & { cause?: { code?: unknown } }
  const why = typeof cause?.code === 'string' ? cause.code : message
  return new UploadFault(
    `${url} cannot be reached (${why}), in ${TRIES} tries. Look whether this machine may connect to it and whether url (or FIRSTHAND_URL) is right.`,
  )
}

const refused = (
  { org, project, url }: Pick<Settings, 'org' | 'project' | 'url'>,
  status: number,
  detail: string,
): UploadFault => {
  const said = detail === '' ? '' : ` It said: ${detail}`
  if (status === 401) {
    return new UploadFault(
      `${url} does not know the token. Make one for builds (Settings, API tokens) and give it as token or FIRSTHAND_AUTH_TOKEN.${said}`,
    )
  }
  if (status === 403) {
    return new UploadFault(
      `the token may not upload to ${org}. Make one for builds (Settings, API tokens), or use one of a member of ${org}.${said}`,
    )
  }
  if (status === 404) {
    return new UploadFault(
      `${url} has no organisation ${org} with a project ${project} that the token may see. Short names stand in the address of their pages.${said}`,
    )
  }
  return new UploadFault(`${url} refused the upload (${status}).${said}`)
}
