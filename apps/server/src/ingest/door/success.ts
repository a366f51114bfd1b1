import type { Success } from './answer.ts'
import type { Route } from './route.ts'

const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

/** What each kind of route answers to what was taken. */
export const successOf = (
  { kind }: Route,
  method: string | undefined,
  eventId: string | null,
  rateLimits: string | null,
  more: object = {},
): Success => {
  switch (kind) {
    case 'envelope':
    case 'tunnel':
    case 'store':
      if (method === 'GET') return { status: 200, contentType: 'image/gif', body: GIF, rateLimits }
      return {
        status: 200,
        contentType: 'application/json',
        body: JSON.stringify({ ...(eventId === null ? {} : { id: eventId }), ...more }),
        rateLimits,
      }
    case 'form':
      return { status: 200, contentType: 'application/json', body: JSON.stringify(more), rateLimits }
    case 'security':
    case 'nel':
      return { status: 200, contentType: null, body: '', rateLimits }
    case 'minidump':
    case 'unreal':
      return { status: 200, contentType: 'text/plain', body: hyphenate(eventId ?? ''), rateLimits }
    case 'attachments':
      return { status: 201, contentType: null, body: '', rateLimits }
    case 'cron':
    case 'otlp':
      return { status: 202, contentType: null, body: '', rateLimits }
  }
}

const hyphenate = (id: string): string =>
  [id.slice(0, 8), id.slice(8, 12), id.slice(12, 16), id.slice(16, 20), id.slice(20)].join('-')
