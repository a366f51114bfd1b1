import { documentOf, escapeHtml, type Assets, type PageSettings } from './document.ts'

/** A page of its own that shows the widget in one circumstance. */
export interface Stage {
  readonly name: string
  readonly group: 'Form' | 'Language' | 'Page'
  readonly title: string
  /** What to do and what should be seen. */
  readonly hint: string
  readonly language?: string
  /** Options of the widget, as JSON. */
  readonly feedback: Readonly<Record<string, unknown>>
  /** Style sheet of the page itself. */
  readonly css?: string
  readonly html?: string
  /** Content-Security-Policy of the page. */
  readonly policy?: (nonce: string, server: string) => string
  /** True: straight to the DSN's host, not through the shop's own path. */
  readonly isDirect?: boolean
  /** Theme of the page, whatever the visitor's system has. */
  readonly theme?: 'dark' | 'light'
}

const LANGUAGES: readonly (readonly [string, string, string])[] = [
  ['en', 'English', 'Tell us what you think of this page.'],
  ['de', 'Deutsch', 'Sagen Sie uns, was Sie von dieser Seite halten.'],
  ['fr', 'Français', 'Dites-nous ce que vous pensez de cette page.'],
  ['es', 'Español', 'Díganos qué le parece esta página.'],
  ['pt', 'Português', 'Diga-nos o que acha desta página.'],
  ['ja', '日本語', 'このページについてのご意見をお聞かせください。'],
  ['zh', '中文', '请告诉我们您对本页面的看法。'],
  ['ar', 'العربية', 'أخبرنا برأيك في هذه الصفحة.'],
]

const FIELDS = [
  { type: 'text', name: 'order', label: 'Order number', placeholder: 'K-1234' },
  {
    type: 'select',
    name: 'about',
    label: 'What is it about?',
    required: true,
    options: ['The shop', 'An order', 'A product'],
  },
  { type: 'rating', name: 'satisfaction', label: 'How do you like us?' },
  { type: 'checkbox', name: 'contact', label: 'You may call me about this' },
]

/** What style sheets of real pages do to widgets, all at once. */
const HOSTILE_CSS = `
* { font: italic 900 22px/2 fantasy !important; letter-spacing: 4px !important; text-transform: uppercase !important;
  color: #d400ff !important; border: 2px dashed lime !important; box-sizing: content-box !important; }
div, section, form, dialog { all: unset !important; display: block !important; }
button, input, textarea, select { transform: rotate(-2deg) !important; width: 100% !important; background: yellow !important; }
dialog, [popover], ::backdrop { display: none !important; }
body { background: repeating-linear-gradient(45deg, #fff, #fff 12px, #ffe4f7 12px, #ffe4f7 24px) !important; zoom: 1.1; }
:focus { outline: none !important; }`

const strictPolicy = (nonce: string, server: string): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `connect-src 'self' ${server}`,
    "img-src 'self' data: blob:",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')

export const STAGES: readonly Stage[] = [
  {
    name: 'fields',
    group: 'Form',
    title: 'Questions of our own',
    hint: 'The form asks four more things: a text, a choice, stars and a tick. The answers stand beside the message in the inbox.',
    feedback: { fields: FIELDS, tags: { area: 'survey' } },
  },
  {
    name: 'required',
    group: 'Form',
    title: 'Name and e-mail required',
    hint: 'Send the form empty: it says what is missing, and goes there.',
    feedback: { isNameRequired: true, isEmailRequired: true },
  },
  {
    name: 'anonymous',
    group: 'Form',
    title: 'Neither name nor e-mail',
    hint: 'The form asks for the message only.',
    feedback: { showName: false, showEmail: false },
  },
  {
    name: 'dark',
    group: 'Form',
    title: 'Dark theme',
    hint: 'Trigger and form are dark, with an accent of the page’s own.',
    theme: 'dark',
    feedback: { colorScheme: 'dark', themeDark: { accentBackground: '#e8825c', accentForeground: '#1d1512' } },
  },
  ...LANGUAGES.map(([language, title]): Stage => ({
    name: `language-${language}`,
    group: 'Language',
    title,
    hint: LANGUAGES.find(([code]) => code === language)?.[2] ?? '',
    language,
    feedback: {},
  })),
  {
    name: 'modal',
    group: 'Page',
    title: 'A dialog of the page is open',
    hint: 'The address dialog is modal. Trigger and form are still there, above it; typing goes to the form; closing the form leads back into the dialog.',
    feedback: { enableScreenshot: true },
    html: `<dialog id="modal"><form method="dialog"><h2>Where shall it go?</h2>
      <label>Street <input name="street" autocomplete="off"></label><label>Town <input name="town" autocomplete="off"></label>
      <p class="actions"><button type="button" data-feedback-trigger class="quiet">Something is wrong here</button><button class="main">Save address</button></p></form></dialog>
      <p><button class="main" data-open-modal>Open the dialog again</button></p>`,
  },
  {
    name: 'strict',
    group: 'Page',
    title: 'Strict Content-Security-Policy',
    hint: 'No inline styles, no eval, scripts by nonce only, Trusted Types. Open the console of the browser: there is no complaint.',
    policy: strictPolicy,
    feedback: {},
  },
  {
    name: 'hostile',
    group: 'Page',
    title: 'Hostile style sheet',
    hint: 'The page does to every element what style sheets should not do. Trigger and form look as ever.',
    css: HOSTILE_CSS,
    feedback: {},
  },
  {
    name: 'blocked',
    group: 'Page',
    title: 'Ad-blocker',
    hint: 'The way to the server of the DSN is blocked, as an ad-blocker would. The report goes through the shop’s own path instead.',
    isDirect: true,
    policy: () => "connect-src 'self'",
    feedback: { fallbackTunnel: '' },
  },
  {
    name: 'offline',
    group: 'Page',
    title: 'Without a connection',
    hint: 'Cut the connection and send a report: the visitor is told that it waits. Connect again: it is sent.',
    feedback: {},
    html: '<p><button class="main" data-offline aria-pressed="false">Cut the connection</button></p>',
  },
]

/** HTML and policy of a stage; null when any is fine. */
export const stagePage = (
  stage: Stage,
  settings: PageSettings,
  assets: Assets,
  nonce: string,
): { readonly html: string; readonly policy: string | null } => {
  const server = new URL(settings.dsn).origin
  const language = stage.language ?? 'en'
  const feedback = {
    ...stage.feedback,
    ...(stage.feedback['fallbackTunnel'] !== undefined && { fallbackTunnel: settings.tunnel }),
  }
  const body = `<main class="stage"${stage.theme === undefined ? '' : ` data-theme="${stage.theme}"`}>
    <p class="crumb"><a href="/workbench">Kettle &amp; Clay</a></p>
    <h1>${escapeHtml(stage.title)}</h1>
    <p class="hint">${escapeHtml(stage.hint)}</p>
    ${stage.html ?? ''}
    <p><button class="quiet" data-feedback-trigger>${language === 'en' ? 'Open the form' : '✎'}</button>
    <button class="quiet" data-throw>${language === 'en' ? 'Throw an error' : 'Error'}</button></p>
    <p class="arrived" role="status"></p>
  </main>`
  const html = documentOf({
    title: `${stage.title} · Kettle & Clay`,
    language,
    ...(stage.css !== undefined && { head: `<style>${stage.css}</style>` }),
    body,
    assets,
    settings: { ...settings, isDirect: stage.isDirect === true, feedback, theme: stage.theme ?? null },
    ...(stage.policy !== undefined && { nonce }),
  })
  return { html, policy: stage.policy?.(nonce, server) ?? null }
}
