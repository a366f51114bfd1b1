/** HTTP as a person's browser or a program speaks it: who somebody is stands in the headers and nowhere else. */

export type Headers = Readonly<Record<string, string>>

export interface Answer {
  readonly status: number
  readonly text: string
}

const ANSWER_MS = 60_000

const isClosed = ({ cause }: Error): boolean => cause instanceof Error && cause.message === 'other side closed'

/** Asks without following redirects. Only the first part of an event stream is read. Status 0: no answer that can be read. */
export const ask = async (
  url: string,
  options: { readonly method?: string; readonly headers?: Headers; readonly body?: string | Uint8Array } = {},
): Promise<Answer> => {
  const { method = 'GET', headers = {}, body } = options
  const leaving = new AbortController()
  const request = (): Promise<Response> =>
    fetch(url, {
      method,
      headers,
      redirect: 'manual',
      signal: AbortSignal.any([AbortSignal.timeout(ANSWER_MS), leaving.signal]),
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) }),
    })
  // After a pause of this program the server may have closed a connection that seems open here: one more is tried.
  const answer = await request()
    .catch((error: unknown) => (isClosed(error as Error) ? request() : Promise.reject(error as Error)))
    .catch((error: unknown) => String(error instanceof Error ? (error.cause ?? error) : error))
  if (typeof answer === 'string') return { status: 0, text: answer }
  if (answer.headers.get('content-type') !== 'text/event-stream') {
    return { status: answer.status, text: await answer.text() }
  }
  const first = await answer.body?.getReader().read()
  leaving.abort()
  return { status: answer.status, text: new TextDecoder().decode(first?.value) }
}

/** As `ask`, for JSON that must arrive. */
export const askJson = async <Body>(
  url: string,
  options: { readonly method?: string; readonly headers?: Headers; readonly json?: unknown } = {},
): Promise<Body> => {
  const { json, headers, method } = options
  const answer = await ask(url, {
    ...(method === undefined ? {} : { method }),
    headers: { ...headers, ...(json === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  })
  if (answer.status >= 300) throw new Error(`${method ?? 'GET'} ${url}: ${answer.status} ${answer.text.slice(0, 400)}`)
  return (answer.text === '' ? null : JSON.parse(answer.text)) as Body
}

const cookiesOf = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0] ?? '')
    .join('; ')

/** A person's session: the cookie, and the CSRF token that every write carries. */
const sessionHeaders = async (answer: Response, what: string): Promise<Headers> => {
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${what}: ${answer.status} ${text}`)
  const { csrfToken } = JSON.parse(text) as { csrfToken: string }
  return { cookie: cookiesOf(answer), 'x-csrf-token': csrfToken }
}

const postJson = (url: string, body: unknown): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

export const logIn = async (
  base: string,
  person: { readonly email: string; readonly password: string },
): Promise<Headers> => sessionHeaders(await postJson(`${base}/api/0/auth/login/`, person), `login of ${person.email}`)

/** @param link what the invitation's answer holds */
export const acceptInvitation = async (
  base: string,
  link: string,
  person: { readonly name: string; readonly password: string },
): Promise<Headers> => {
  const token = new URL(link, base).pathname.split('/').findLast((part) => part !== '') ?? ''
  return sessionHeaders(await postJson(`${base}/api/0/accept-invite/${token}/`, person), `invitation of ${person.name}`)
}

export const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` })
