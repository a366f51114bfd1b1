import { createHash } from 'node:crypto'
import { escapeHtml } from '../lib/escape-html.ts'
import type { Page } from '../http/index.ts'
import type { Clock } from '../lib/clock.ts'
import type { Rules } from './ledger/rules.ts'
import { isMuted, type AlertRule } from './rule.ts'
import { readSnoozed, readSnoozeToken, SNOOZE_PATH, writeSnoozed, type Snoozed } from './snooze-link.ts'

const STYLE = `
:root{color-scheme:light dark;--text:#1c1b19;--muted:#5c5a54;--page:#faf9f7;--card:#fff;--line:#d9d6cf;--accent:#0b6e69;--on:#fff}
@media (prefers-color-scheme:dark){:root{--text:#ecebe6;--muted:#aeaba3;--page:#131312;--card:#1a1a18;--line:#3a3935;--accent:#4fc3b8;--on:#0c1a19}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:16px/1.5 system-ui,sans-serif}
main{max-width:36rem;margin:0 auto;padding:3rem 1rem}
h1{font-size:1.375rem;line-height:1.3;margin:0 0 .75rem;overflow-wrap:anywhere}
p{margin:0 0 1rem}
form{display:flex;flex-wrap:wrap;gap:.75rem}
button{font:inherit;min-height:44px;padding:.5rem 1.25rem;border:1px solid var(--line);border-radius:8px;background:var(--card);color:var(--text);cursor:pointer}
button.main{font-weight:600;border-color:var(--accent);background:var(--accent);color:var(--on)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
`

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
}

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
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body><main>
<h1>${escapeHtml(title)}</h1>
${body}
</main></body>
</html>
`,
    { status, headers: HEADERS },
  )

/** For how many minutes a rule can be silenced here, and how that is called. */
const TIMES: readonly (readonly [minutes: number, words: string])[] = [
  [60, '1 hour'],
  [8 * 60, '8 hours'],
  [24 * 60, '1 day'],
  [7 * 24 * 60, '1 week'],
]

const FORM_BYTES = 1000

const NOTHING_SENT = { minutes: null, before: '' } as const

/** What was sent, up to what a form of this page can have: the rest of it is not read. */
const readSome = async ({ body }: Request): Promise<string> => {
  if (body === null) return ''
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of body) {
    parts.push(part)
    length += part.length
    if (length >= FORM_BYTES) break
  }
  return Buffer.concat(parts).subarray(0, FORM_BYTES).toString()
}

/** The minutes of a form; `0` to have back what was before; null when it says neither. */
const readForm = async (request: Request): Promise<{ readonly minutes: number | null; readonly before: string }> => {
  const form = new URLSearchParams(await readSome(request))
  const minutes = form.get('minutes')
  return {
    minutes: minutes === '0' ? 0 : (TIMES.find(([one]) => String(one) === minutes)?.[0] ?? null),
    before: form.get('before') ?? '',
  }
}

const buttons = TIMES.map(
  ([minutes, words], index) =>
    `<button type="submit" name="minutes" value="${minutes}"${index === 0 ? ' class="main"' : ''}>For ${words}</button>`,
).join('\n')

const asking = ({ draft }: AlertRule): Response =>
  page(
    200,
    `Snooze “${draft.name}”?`,
    `<p>Nothing has changed yet. It goes on watching, and its page says what it would have told; it just tells nobody for a while.</p>
<form method="post">
${buttons}
</form>`,
  )

const done = ({ draft }: AlertRule, words: string, before: string): Response =>
  page(
    200,
    `“${draft.name}” is silent for ${words}`,
    `<form method="post"><input type="hidden" name="before" value="${escapeHtml(before)}"><button type="submit" name="minutes" value="0">Undo</button></form>`,
  )

/** Somebody changed since for how long it is silent: that is theirs. */
const changedSince = ({ draft }: AlertRule): Response =>
  page(200, `Somebody else decided since how long “${draft.name}” is silent`, '<p>Nothing has changed.</p>')

const asBefore = ({ draft }: AlertRule): Response =>
  page(200, `“${draft.name}” is silent as long as it was before`, '<p>Somebody silenced it before you did.</p>')

/** Somebody silenced it for longer: what they did is not undone here. */
const longerAlready = ({ draft }: AlertRule): Response =>
  page(200, `“${draft.name}” is silent for longer already`, '<p>Nothing has changed.</p>')

/**
 * Where a message leads that somebody has had enough of: without an account, by a signed link. Whoever only looks, as
 * programs that check links do, changes nothing.
 */
export const createSnoozePage = ({
  clock,
  key,
  rules,
}: {
  readonly rules: Pick<Rules, 'find' | 'mute'>
  readonly clock: Clock
  readonly key: Uint8Array
}): Page => {
  const undo = async (rule: AlertRule, snoozed: Snoozed | null, now: number): Promise<Response> => {
    // Only what the page itself did is undone by whoever has a link.
    if (snoozed?.ruleId !== rule.id || snoozed.until !== rule.mutedUntil) return changedSince(rule)
    const { before, by } = snoozed
    const { organizationId } = rule
    if (before > now) {
      await rules.mute({ organizationId, userId: by === 0 ? null : by, now }, rule.id, before)
      return asBefore(rule)
    }
    await rules.mute({ organizationId, userId: null, now }, rule.id, null)
    return page(200, `“${rule.draft.name}” speaks again`, '<p>You hear of the next thing that happens.</p>')
  }
  return {
    methods: ['GET', 'POST'],
    path: `${SNOOZE_PATH}:token`,
    handle: async (request) => {
      const now = clock.now()
      const asked = readSnoozeToken(key, new URL(request.url).pathname.slice(SNOOZE_PATH.length), now)
      const rule = asked === null ? null : await rules.find(asked.organizationId, asked.ruleId)
      if (asked === null || rule === null) {
        return page(
          404,
          'This link does not work',
          '<p>It is not complete, or too old, or the alert was deleted. <a href="/">Sign in</a> to change your notifications.</p>',
        )
      }
      const { before, minutes } = request.method === 'POST' ? await readForm(request) : NOTHING_SENT
      if (minutes === null) return asking(rule)
      const { organizationId } = asked
      if (minutes === 0) return undo(rule, readSnoozed(key, before), now)
      const until = now + minutes * 60_000
      if (isMuted(rule, until)) return longerAlready(rule)
      await rules.mute({ organizationId, userId: null, now }, rule.id, until)
      const wasUntil = isMuted(rule, now) ? (rule.mutedUntil ?? 0) : 0
      const snoozed = { ruleId: rule.id, until, before: wasUntil, by: wasUntil === 0 ? 0 : (rule.mutedBy ?? 0) }
      return done(rule, TIMES.find(([one]) => one === minutes)?.[1] ?? '', writeSnoozed(key, snoozed))
    },
  }
}
