import type { RequestView } from './event-view.ts'

/** Headers that curl or the connection sets itself; repeating them breaks the request. */
const OWN = new Set(['host', 'content-length', 'connection', 'accept-encoding', 'transfer-encoding'])

/** A shell command that repeats the request. Every word is quoted: what is in an event must not become a command. */
export function curlCommand(request: RequestView): string {
  const method = /^[A-Za-z]+$/.test(request.method) ? request.method.toUpperCase() : 'GET'
  const lines = [`curl ${quote(requestAddress(request))}`]
  if (method !== 'GET') lines.push(`-X ${method}`)
  for (const [name, value] of request.headers) {
    if (!OWN.has(name.toLowerCase()) && name.toLowerCase() !== 'cookie') lines.push(`-H ${quote(`${name}: ${value}`)}`)
  }
  if (request.cookies.length > 0) {
    lines.push(`-b ${quote(request.cookies.map(([name, value]) => `${name}=${value}`).join('; '))}`)
  }
  const body = bodyText(request.body)
  if (body !== '') lines.push(`--data-raw ${quote(body)}`)
  return lines.join(' \\\n  ')
}

export function requestAddress(request: RequestView): string {
  const base = request.url.replace(/[?#].*$/, '')
  const query = request.query
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
  return query === '' ? base : `${base}?${query}`
}

export function bodyText(body: RequestView['body']): string {
  if (body === null) return ''
  return typeof body === 'string' ? body : JSON.stringify(body, null, 2)
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}
