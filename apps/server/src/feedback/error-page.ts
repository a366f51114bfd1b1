import type { ProjectLookup } from '../accounts/index.ts'
import { isAllowedOrigin } from '../ingest/index.ts'
import { parseDsn } from '@firsthand/protocol'

/**
 * `GET /api/embed/error-page/`: the script that `Sentry.showReportDialog` puts into a page (protocol.md 2.8). It draws a
 * form and posts it to its own address, which is an ingest route.
 */

const TEXTS = {
  title: 'It looks like we’re having issues.',
  subtitle: 'Our team has been notified.',
  subtitle2: 'If you’d like to help, tell us what happened below.',
  labelName: 'Name',
  labelEmail: 'Email',
  labelComments: 'What happened?',
  labelClose: 'Close',
  labelSubmit: 'Submit Crash Report',
  errorGeneric: 'An unknown error occurred while submitting your report. Please try again.',
  errorFormEntry: 'Some fields were invalid. Please correct the errors and try again.',
  successMessage: 'Your feedback has been sent. Thank you!',
}

const TEXT_CHARS = 500

/** JSON that can stand in a script: `<` cannot end it, and line separators are escapes. */
const literal = (value: unknown): string =>
  JSON.stringify(value).replaceAll(
    /[<\u2028\u2029]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const HEADERS = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'no-store',
}

const refuse = (status: number, body: unknown): Response =>
  new Response(JSON.stringify(body), { status, headers: { ...HEADERS, 'content-type': 'application/json' } })

export const createErrorPage =
  ({ lookup }: { readonly lookup: Pick<ProjectLookup, 'byPublicKey'> }) =>
  async (request: Request): Promise<Response> => {
    const url = new URL(request.url)
    const query = url.searchParams
    if (!/^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i.test(query.get('eventId') ?? '')) {
      return refuse(400, { eventId: 'Missing or invalid parameter.' })
    }
    const dsn = parseDsn(query.get('dsn') ?? '')
    const key = dsn === null ? null : await lookup.byPublicKey(dsn.publicKey)
    if (key === null || !key.active) return refuse(404, { dsn: 'No project has this DSN.' })
    const origin = request.headers.get('origin') ?? request.headers.get('referer')
    if (!isAllowedOrigin(origin, key.settings.allowedDomains)) {
      return refuse(403, { detail: 'this domain is not in the list of allowed domains of the project' })
    }
    const texts = Object.fromEntries(
      Object.entries(TEXTS).map(([name, text]) => [name, query.get(name)?.slice(0, TEXT_CHARS) ?? text]),
    )
    const values = { name: query.get('name')?.slice(0, 128) ?? '', email: query.get('email')?.slice(0, 254) ?? '' }
    const script = `(${DIALOG})(${literal({ texts, values })}, document.currentScript && document.currentScript.src)`
    return new Response(script, {
      headers: { ...HEADERS, 'content-type': 'text/javascript; charset=utf-8', 'x-content-type-options': 'nosniff' },
    })
  }

/** Runs in a stranger's page: plain old JavaScript, in a shadow root, with a constructed style sheet (no `unsafe-inline`). */
const DIALOG = String.raw`function (options, address) {
  var texts = options.texts
  // A script from elsewhere may have been loaded in a way that hides it.
  if (!address) {
    var all = document.querySelectorAll('script[src*="/api/embed/error-page/"]')
    address = all.length ? all[all.length - 1].src : ''
  }
  if (!address || document.querySelector('[data-firsthand-error-page]')) return
  var before = document.activeElement
  var host = document.createElement('div')
  host.setAttribute('data-firsthand-error-page', '')
  host.style.cssText = 'all:initial;position:fixed;inset:0;z-index:2147483647'
  var root = host.attachShadow({ mode: 'open' })
  var element = function (name, attributes, children) {
    var made = document.createElement(name)
    for (var key in attributes || {}) made.setAttribute(key, attributes[key])
    ;(children || []).forEach(function (child) {
      made.append(child)
    })
    return made
  }
  var field = function (name, label, kind, value, most) {
    var input = element(kind === 'textarea' ? 'textarea' : 'input', { id: name, name: name, maxlength: most })
    if (kind !== 'textarea') input.type = kind
    input.value = value
    return element('p', {}, [element('label', { for: name }, [label]), input])
  }
  var status = element('p', { role: 'status', class: 'status' })
  var submit = element('button', { type: 'submit' }, [texts.labelSubmit])
  var close = element('button', { type: 'button', class: 'plain' }, [texts.labelClose])
  var form = element('form', { novalidate: '' }, [
    field('name', texts.labelName, 'text', options.values.name, 128),
    field('email', texts.labelEmail, 'email', options.values.email, 254),
    field('comments', texts.labelComments, 'textarea', '', 65536),
    status,
    element('div', { class: 'row' }, [submit, close]),
  ])
  var dialog = element('div', { role: 'dialog', 'aria-modal': 'true', 'aria-labelledby': 'title', tabindex: '-1' }, [
    element('h2', { id: 'title' }, [texts.title]),
    element('p', {}, [texts.subtitle + ' ' + texts.subtitle2]),
    form,
  ])
  var sheet = new CSSStyleSheet()
  sheet.replaceSync(
    '*{box-sizing:border-box}' +
      ':host{color-scheme:light dark}' +
      '.back{position:fixed;inset:0;display:grid;place-items:center;overflow:auto;padding:16px;background:rgb(0 0 0/.55);font:16px/1.5 system-ui,sans-serif}' +
      '[role=dialog]{width:min(480px,100%);background:light-dark(#fff,#1d2128);color:light-dark(#1c1f24,#e8ebf0);border-radius:12px;padding:24px;box-shadow:0 12px 40px rgb(0 0 0/.35)}' +
      'h2{margin:0 0 8px;font-size:20px;line-height:1.3}p{margin:0 0 12px}label{display:block;font-weight:600;margin-bottom:4px}' +
      'input,textarea{width:100%;font:inherit;color:inherit;background:light-dark(#fff,#14171c);border:1px solid light-dark(#7a8494,#6d7788);border-radius:8px;padding:8px 10px}' +
      'textarea{min-height:110px;resize:vertical}.row{display:flex;gap:8px;flex-wrap:wrap}' +
      'button{font:inherit;font-weight:600;min-height:44px;padding:8px 18px;border:0;border-radius:8px;background:light-dark(#2f5bd0,#7ea0ff);color:light-dark(#fff,#10131a);cursor:pointer}' +
      'button.plain{background:none;color:inherit;border:1px solid currentColor}button:disabled{opacity:.6}' +
      '.status:empty{display:none}.status{font-weight:600}:focus-visible{outline:3px solid light-dark(#2f5bd0,#7ea0ff);outline-offset:2px}'
  )
  root.adoptedStyleSheets = [sheet]
  var back = element('div', { class: 'back' }, [dialog])
  root.append(back)
  var leave = function () {
    host.remove()
    document.removeEventListener('keydown', keys, true)
    if (before && before.focus) before.focus()
  }
  var keys = function (event) {
    if (event.key === 'Escape') return leave()
    if (event.key !== 'Tab') return
    var stops = Array.prototype.filter.call(root.querySelectorAll('input,textarea,button'), function (stop) {
      return !stop.disabled
    })
    var at = stops.indexOf(root.activeElement)
    var next = event.shiftKey ? at - 1 : at + 1
    if (at >= 0 && stops[next]) return
    event.preventDefault()
    ;(event.shiftKey ? stops[stops.length - 1] : stops[0]).focus()
  }
  document.addEventListener('keydown', keys, true)
  close.addEventListener('click', leave)
  form.addEventListener('submit', function (event) {
    event.preventDefault()
    status.textContent = ''
    submit.disabled = true
    fetch(address, { method: 'POST', body: new URLSearchParams(new FormData(form)), credentials: 'omit' })
      .then(function (answer) {
        if (!answer.ok) throw answer.status
        dialog.replaceChildren(element('p', { role: 'status' }, [texts.successMessage]), element('div', { class: 'row' }, [close]))
        close.focus()
      })
      .catch(function (problem) {
        submit.disabled = false
        status.textContent = problem === 400 ? texts.errorFormEntry : texts.errorGeneric
      })
  })
  ;(document.body || document.documentElement).append(host)
  root.querySelector('#name').focus()
}`
