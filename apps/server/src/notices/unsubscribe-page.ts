import { createHash } from 'node:crypto'
import type { Page } from '../http/index.ts'
import type { Clock } from '../lib/clock.ts'
import { KIND_WORDS } from './kind-words.ts'
import type { NoticeSettingsStore } from './ledger/settings.ts'
import { NOTICE_KINDS, type NoticeKind } from './notice.ts'
import { DEFAULT_PACES, withPace, type NoticeSettings } from './settings.ts'
import { readUnsubscribeToken, type MailKind } from './unsubscribe-token.ts'

/** Path of such a page; its token follows. */
export const UNSUBSCRIBE_PATH = '/n/'

const STYLE = `
:root{color-scheme:light dark;--text:#1c1b19;--muted:#5c5a54;--page:#faf9f7;--accent:#0b6e69;--on:#fff}
@media (prefers-color-scheme:dark){:root{--text:#ecebe6;--muted:#aeaba3;--page:#131312;--accent:#4fc3b8;--on:#0c1a19}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:16px/1.5 system-ui,sans-serif}
main{max-width:36rem;margin:0 auto;padding:3rem 1rem}
h1{font-size:1.375rem;line-height:1.3;margin:0 0 .75rem}
p{margin:0 0 1rem}
.foot{color:var(--muted);font-size:.875rem}
button{font:inherit;font-weight:600;min-height:44px;padding:.5rem 1.25rem;border:0;border-radius:8px;background:var(--accent);color:var(--on);cursor:pointer}
a{color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
`

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
}

/** No text of anybody stands in it, only ours. */
const page = (status: number, title: string, body: string): Response =>
  new Response(
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body><main>
<h1>${title}</h1>
${body}
</main></body>
</html>
`,
    { status, headers: HEADERS },
  )

/** All mail of the kinds is stopped. */
const unsubscribed = (settings: NoticeSettings, kinds: readonly MailKind[]): NoticeSettings =>
  kinds
    .flatMap((kind) => (kind === 'digest' ? gatheredBy(settings) : [kind]))
    .reduce((changed, kind) => withPace(changed, kind, 'mail', 'never'), settings)

const gatheredBy = (settings: NoticeSettings): readonly NoticeKind[] =>
  NOTICE_KINDS.filter((kind) => (settings.kinds[kind]?.mail ?? DEFAULT_PACES[kind].mail) === 'digest')

const LIST = new Intl.ListFormat('en', { type: 'conjunction' })

/**
 * Where mail of the kinds of one mail is stopped, without an account: `List-Unsubscribe` leads here, mail programs POST to it (RFC
 * 8058), people press its button. Whoever only looks, as programs that check links do, changes nothing.
 */
export const createUnsubscribePage = ({
  settings,
  clock,
  key,
}: {
  readonly settings: Pick<NoticeSettingsStore, 'change'>
  readonly clock: Clock
  readonly key: Uint8Array
}): Page => ({
  methods: ['GET', 'POST'],
  path: `${UNSUBSCRIBE_PATH}:token`,
  handle: async (request) => {
    const asked = readUnsubscribeToken(key, new URL(request.url).pathname.slice(UNSUBSCRIBE_PATH.length))
    if (asked === null) {
      return page(
        404,
        'This link does not work',
        '<p>It is not complete, or was not made here. Open the link in the mail once more, or change in your account what reaches you.</p>',
      )
    }
    const words = LIST.format(asked.kinds.map((kind) => KIND_WORDS[kind]))
    if (request.method !== 'POST') {
      return page(
        200,
        `Stop mail about ${words}?`,
        `<form method="post"><p>Nothing has changed yet. Your inbox in Firsthand stays as it is.</p><button type="submit">Stop these mails</button></form>`,
      )
    }
    // Of somebody whose account is gone there is nothing to stop.
    await settings.change(asked.userId, (before) => unsubscribed(before, asked.kinds), clock.now())
    return page(
      200,
      `You get no more mail about ${words}`,
      `<p>Changed your mind? <a href="/">Sign in</a> and open “What reaches me” in your inbox.</p>`,
    )
  },
})
