import type { Page } from '../../http/index.ts'
import { SHARED_PATH } from './link-token.ts'
import { NOTHING_OPENS, openLink } from './open-link.ts'

/**
 * The page of a shared replay. Its script is the player alone; what was recorded is drawn in the still page, whose policy
 * lets nothing run and nothing be fetched. Whoever has the address may look, so it is not indexed, cached or told to other
 * sites.
 */

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "media-src 'self'",
  "frame-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
}

/** Below the console's files. */
export const PLAYER_FOLDER = 'shared-player'
/** Of what plays videos. */
export const FILM_FOLDER = 'shared-film'

const document = (body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<title>Shared replay</title>
<link rel="stylesheet" href="/${PLAYER_FOLDER}/player.css">
</head>
<body>
${body}
</body>
</html>
`

const PLAYER = `<div id="root"><main class="plain"><p role="status">Loading the replay…</p></main></div>
<noscript>The player of this replay needs JavaScript. Please switch it on for this site.</noscript>
<script src="/${PLAYER_FOLDER}/player.js"></script>`

const NOTHING = `<main class="plain"><h1>This link no longer works</h1><p>${NOTHING_OPENS}</p></main>`

export const createSharedPage = (services: Parameters<typeof openLink>[0]): Page => ({
  methods: ['GET', 'HEAD'],
  path: `${SHARED_PATH}:token`,
  handle: async (request) => {
    const token = new URL(request.url).pathname.split('/')[2] ?? ''
    const opens = (await openLink(services, token)) !== null
    const html = document(opens ? PLAYER : NOTHING)
    return new Response(request.method === 'HEAD' ? null : html, { status: opens ? 200 : 404, headers: HEADERS })
  },
})
