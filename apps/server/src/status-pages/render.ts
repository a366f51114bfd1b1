import { createHash } from 'node:crypto'
import { DAY_MS } from '../lib/durations.ts'
import { LIMITS } from './limits.ts'
import { barOf, phaseOf, uptimeOf, type Day, type Head, type Incident, type Phase } from './status.ts'
import { OVERALL_WORDS, overallOf, STATE_WORDS, type PageView } from './view.ts'

/** The page as HTML without a script, as Atom and as JSON. Everything in it was written by somebody: it is escaped here. */

export const escape = (text: string): string =>
  text
    .toWellFormed()
    // What no text has, in XML neither.
    // oxlint-disable-next-line no-control-regex -- these are what is taken out
    .replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')

const STYLE = `
:root{color-scheme:light dark;--bg:#faf9f7;--panel:#fff;--ink:#1c1b19;--ink2:#5c5a54;--line:#e5e3dd;--good:#8a877f;--some:#b8730a;--bad:#cf3327;--info:#2b6cb8;--none:#d3d0c8;--badtext:#b82a1f;--sometext:#8a5506;--infotext:#235a9b}
@media (prefers-color-scheme:dark){:root{--bg:#131312;--panel:#1a1a18;--ink:#ecebe6;--ink2:#aeaba3;--line:#2b2a27;--good:#7e7b73;--some:#e2a64a;--bad:#f4776b;--info:#7db3ee;--none:#3c3a36;--badtext:#f4776b;--sometext:#e2a64a;--infotext:#7db3ee}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/22px system-ui,-apple-system,"Segoe UI",sans-serif}
main{max-width:760px;margin:0 auto;padding:32px 16px 48px}
h1{margin:0 0 20px;font-size:20px;line-height:26px}
h2{margin:32px 0 8px;font-size:15px}
h3{margin:0;font-size:15px}
.overall{padding:16px;border:1px solid var(--line);border-left:4px solid var(--good);border-radius:8px;background:var(--panel);font-size:18px;font-weight:600}
.overall.major{border-left-color:var(--bad)}.overall.degraded{border-left-color:var(--some)}.overall.maintenance{border-left-color:var(--info)}
ul,ol{margin:0;padding:0;list-style:none}
.component{padding:12px 0;border-bottom:1px solid var(--line)}
.row{display:flex;flex-wrap:wrap;justify-content:space-between;gap:2px 16px}
.state{color:var(--ink2)}.state.major{color:var(--badtext);font-weight:600}.state.degraded{color:var(--sometext);font-weight:600}.state.maintenance{color:var(--infotext)}
.bars{display:block;width:100%;height:28px;margin:8px 0 2px}
.good{fill:var(--good)}.some{fill:var(--some)}.bad{fill:var(--bad)}.unknown{fill:none;stroke:var(--none);vector-effect:non-scaling-stroke}
.small{color:var(--ink2);font-size:13px;line-height:18px}
.incident{padding:12px 16px;margin:8px 0;border:1px solid var(--line);border-radius:8px;background:var(--panel)}
.update{margin-top:8px;white-space:pre-line;overflow-wrap:anywhere}
a{color:inherit}
`

export const STYLE_HASH = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`

const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
const when = (at: number): string =>
  `<time datetime="${new Date(at).toISOString()}">${escape(DATE.format(at))} UTC</time>`

const headHtml = (view: PageView, title: string): string =>
  [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    `<title>${title}</title>`,
    view.isPublic
      ? `<link rel="alternate" type="application/atom+xml" href="${escape(view.path)}/feed.atom" title="${escape(view.title)}">`
      : '<meta name="robots" content="noindex">',
    `<style>${STYLE}</style></head><body><main>`,
  ].join('\n')

export const renderHtml = (view: PageView): string => {
  const overall = overallOf(view)
  const over = view.heads.some((head) => phaseOf(head, view.at) === 'over')
  return [
    headHtml(view, `${escape(view.title)}: ${OVERALL_WORDS[overall]}`),
    `<h1>${escape(view.title)}</h1>`,
    `<p class="overall ${overall}" role="status">${OVERALL_WORDS[overall]}</p>`,
    section(view, 'now', 'Now'),
    section(view, 'ahead', 'Maintenance ahead'),
    view.components.length === 0
      ? ''
      : `<h2>Systems</h2><ul>${view.components.map((one) => componentHtml(one, view.at)).join('')}</ul>`,
    section(view, 'over', 'Before'),
    over ? `<p><a href="${escape(view.path)}/history">All that was before</a></p>` : '',
    `<p class="small">As of ${when(view.at)}${view.isPublic ? ` · <a href="${escape(view.path)}/feed.atom">Atom</a> · <a href="${escape(view.path)}/status.json">JSON</a>` : ''}</p>`,
    '</main></body></html>\n',
  ].join('\n')
}

const section = (view: PageView, phase: Phase, title: string): string => {
  const shown = view.incidents.filter((incident) => phaseOf(incident, view.at) === phase)
  if (shown.length === 0) return ''
  const all = view.heads.filter((head) => phaseOf(head, view.at) === phase).length
  const rest =
    phase === 'over' || all === shown.length
      ? ''
      : `<p class="small">And ${all - shown.length} more, which this page has no room for.</p>`
  return `<h2>${title}</h2>${shown.map(incidentHtml).join('')}${rest}`
}

/** All that is over, month by month: one line of each and how its last update begins, so that its size is bounded by how many there may be. */
export const renderHistory = (view: PageView): string => {
  const months = Map.groupBy(
    view.heads.filter((head) => phaseOf(head, view.at) === 'over'),
    ({ startsAt }) => MONTH.format(startsAt),
  )
  return [
    headHtml(view, `${escape(view.title)}: history`),
    `<h1>${escape(view.title)}</h1>`,
    `<p><a href="${escape(view.path)}">How it is now</a></p>`,
    months.size === 0 ? '<p>Nothing was before.</p>' : '',
    ...[...months].map(
      ([month, heads]) => `<h2>${month}</h2>${heads.map((head) => lineHtml(head, view.lastWords)).join('')}`,
    ),
    '</main></body></html>\n',
  ].join('\n')
}

const lineHtml = ({ endsAt, id, startsAt, title }: Head, lastWords: PageView['lastWords']): string => {
  const words = lastWords.get(id) ?? ''
  const begun =
    words.length <= LIMITS.STATUS_HISTORY_CHARACTERS ? words : `${words.slice(0, LIMITS.STATUS_HISTORY_CHARACTERS)}…`
  return `<article class="incident"><h3>${escape(title)}</h3><p class="small">${when(startsAt)}${endsAt === null ? '' : ` to ${when(endsAt)}`}</p><div class="update">${escape(begun)}</div></article>`
}

const incidentHtml = (incident: Incident): string => {
  const { components, endsAt, kind, startsAt, title, updateCount, updates } = incident
  const earlier = updateCount - updates.length
  const about = [
    ...(kind === 'maintenance' ? [`${when(startsAt)}${endsAt === null ? '' : ` to ${when(endsAt)}`}`] : []),
    ...(components.length === 0 ? [] : [escape(components.join(', '))]),
  ]
  return [
    `<article class="incident"><h3>${escape(title)}</h3>`,
    about.length === 0 ? '' : `<p class="small">${about.join(' · ')}</p>`,
    updates
      .map(
        ({ at, status, text }) =>
          `<div class="update"><strong>${escape(wordOf(status))}</strong> ${escape(text)}<br><span class="small">${when(at)}</span></div>`,
      )
      .join(''),
    earlier === 0 ? '' : `<p class="small">${earlier} earlier update${earlier === 1 ? '' : 's'} not shown</p>`,
    '</article>',
  ].join('')
}

const wordOf = (status: string): string => `${status.charAt(0).toUpperCase()}${status.slice(1).replaceAll('_', ' ')}`

const componentHtml = ({ days, name, state }: PageView['components'][number], at: number): string => {
  const today = Math.floor(at / DAY_MS)
  const byDay = new Map(days.map((day) => [day.day, day]))
  const uptime = uptimeOf(days)
  const bars = Array.from({ length: LIMITS.STATUS_BARS_DAYS }, (_, index) => {
    const day = today - LIMITS.STATUS_BARS_DAYS + 1 + index
    const bar = barOf(byDay.get(day))
    // What nobody knows is a frame without anything in it: it is neither well nor bad.
    const box = bar === 'unknown' ? 'y="0.5" width="2.5" height="27"' : 'y="0" width="3" height="28"'
    return `<rect class="${bar}" x="${index * 4}" ${box}><title>${escape(DAY.format(day * DAY_MS))}: ${barWords(byDay.get(day))}</title></rect>`
  })
  const words = uptime === null ? 'nothing is known yet' : `${uptime}% up ${sinceWords(days, today)}`
  return [
    `<li class="component"><div class="row"><span>${escape(name)}</span><span class="state ${state}">${STATE_WORDS[state]}</span></div>`,
    `<svg class="bars" viewBox="0 0 ${LIMITS.STATUS_BARS_DAYS * 4 - 1} 28" preserveAspectRatio="none" role="img" aria-label="${escape(name)}: ${words}">${bars.join('')}</svg>`,
    `<div class="row small"><span>90 days ago</span><span>${words}</span><span>today</span></div></li>`,
  ].join('')
}

/** A share is of the days that are known, so it says since when they are. */
const sinceWords = (days: readonly Day[], today: number): string => {
  const first = Math.min(...days.filter((day) => barOf(day) !== 'unknown').map(({ day }) => day))
  if (first === today) return 'today'
  return first <= today - LIMITS.STATUS_BARS_DAYS + 1
    ? `in ${LIMITS.STATUS_BARS_DAYS} days`
    : `since ${DAY.format(first * DAY_MS)}`
}

const barWords = (day: Day | undefined): string => {
  if (day === undefined || day.good + day.bad === 0) return 'unknown'
  return day.bad === 0 ? 'no problem' : `${day.bad} of ${day.good + day.bad} not well`
}

export const renderAtom = (view: PageView): string => {
  const address = `${view.publicUrl}${view.path}`
  const entries = view.incidents.flatMap((incident) =>
    incident.updates.map(
      ({ at, status, text }, index) =>
        `<entry><id>${escape(address)}#${incident.id}-${incident.updateCount - index}</id><title>${escape(`${incident.title}: ${wordOf(status)}`)}</title><updated>${new Date(at).toISOString()}</updated><link href="${escape(address)}"/><content type="text">${escape(text)}</content></entry>`,
    ),
  )
  const latest = Math.max(0, ...view.incidents.flatMap(({ updates }) => updates.map(({ at }) => at)))
  return `<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom"><id>${escape(address)}</id><title>${escape(view.title)}</title><updated>${new Date(latest).toISOString()}</updated><link rel="self" href="${escape(address)}/feed.atom"/><author><name>${escape(view.title)}</name></author>${entries.join('')}</feed>\n`
}

export const renderJson = (view: PageView): string =>
  JSON.stringify({
    title: view.title,
    at: new Date(view.at).toISOString(),
    status: overallOf(view),
    components: view.components.map(({ days, name, state }) => ({ name, state, uptime: uptimeOf(days) })),
    incidents: view.incidents.map((incident) => ({
      kind: incident.kind,
      title: incident.title,
      impact: incident.impact,
      status: incident.status,
      components: incident.components,
      id: String(incident.id),
      phase: phaseOf(incident, view.at),
      startsAt: new Date(incident.startsAt).toISOString(),
      endsAt: incident.endsAt === null ? null : new Date(incident.endsAt).toISOString(),
      updateCount: incident.updateCount,
      updates: incident.updates.map(({ at, ...update }) => ({ ...update, at: new Date(at).toISOString() })),
    })),
  })
