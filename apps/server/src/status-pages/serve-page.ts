import type { Page } from '../http/index.ts'
import type { Form, PageFiles } from './page-files.ts'
import { STYLE_HASH } from './render.ts'

const TYPES: Readonly<Record<Form, string>> = {
  html: 'text/html; charset=utf-8',
  history: 'text/html; charset=utf-8',
  atom: 'application/atom+xml; charset=utf-8',
  json: 'application/json; charset=utf-8',
}

const HEADERS = {
  'content-security-policy': `default-src 'none'; style-src '${STYLE_HASH}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
}

/** Pages for everybody, or for those who have the link, from files alone. */
export const createStatusPages = ({ read }: Pick<PageFiles, 'read'>): readonly Page[] => {
  const handle =
    (form: Form) =>
    async (request: Request): Promise<Response> => {
      const { pathname, searchParams } = new URL(request.url)
      const [, , slug = ''] = pathname.split('/')
      const token = searchParams.get('token') ?? ''
      const page = await read(slug, form, token)
      if (page === null) {
        return new Response('There is no such page, or it needs its link.\n', {
          status: 404,
          headers: { ...HEADERS, 'content-type': 'text/plain; charset=utf-8' },
        })
      }
      return new Response(page.isPublic ? page.text : withToken(page.text, slug, token), {
        headers: {
          ...HEADERS,
          'content-type': TYPES[form],
          'cache-control': page.isPublic ? 'public, max-age=30' : 'private, no-store',
          ...(page.isPublic ? {} : { 'x-robots-tag': 'noindex' }),
        },
      })
    }
  return [
    { methods: ['GET', 'HEAD'], path: '/status/:slug', handle: handle('html') },
    { methods: ['GET', 'HEAD'], path: '/status/:slug/history', handle: handle('history') },
    { methods: ['GET', 'HEAD'], path: '/status/:slug/feed.atom', handle: handle('atom') },
    { methods: ['GET', 'HEAD'], path: '/status/:slug/status.json', handle: handle('json') },
  ]
}

/**
 * The links of a private page to its other one lead on for whoever came by its link. The files do not have the token:
 * who reads them does not learn it. Nothing that people wrote has a quote or a bracket there.
 */
const withToken = (html: string, slug: string, token: string): string =>
  html
    .replaceAll(`<a href="/status/${slug}/history">`, `<a href="/status/${slug}/history?token=${token}">`)
    .replaceAll(`<a href="/status/${slug}">`, `<a href="/status/${slug}?token=${token}">`)
