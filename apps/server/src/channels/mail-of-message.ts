import { breakNames, shownInHeader, splitNames } from './addresses.ts'
import { html, type Html } from './html.ts'
import type { Action, Block, Message } from './message.ts'

/** Where readers look for addresses in plain text. */
const inText = (text: string): string => breakNames(shownInHeader(text))

/** In HTML a dot is an element of its own: no name holds together, and what is copied is what was written. */
const inHtml = (text: string): readonly Html[] =>
  splitNames(shownInHeader(text)).map((part, index) => (index === 0 ? html`${part}` : html`<span>.</span>${part}`))

interface Around {
  readonly publicUrl: string
  /** Where one stops getting these; null where there is no such place. */
  readonly unsubscribeUrl: string | null
  /** Where one changes what one gets. */
  readonly settingsUrl: string | null
}

const LEVEL_COLOURS: Readonly<Record<Message['level'], string>> = {
  fatal: '#a3125b',
  error: '#cf3327',
  warning: '#b8730a',
  info: '#2b6cb8',
  ok: '#2c7a3f',
}

const INK = '#1c1b19'
const SECOND = '#5c5a54'
const LINE = '#e5e3dd'
const SUNK = '#f3f2ee'
const ACCENT = '#0b6e69'
const SANS = "Inter,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const MONO = "'JetBrains Mono',Menlo,Consolas,monospace"

const linesOf = (text: string): readonly Html[] =>
  text.split('\n').map((line, index) => (index === 0 ? html`${inHtml(line)}` : html`<br />${inHtml(line)}`))

const blockHtml = (block: Block, { publicUrl }: Around): Html => {
  switch (block.kind) {
    case 'text':
      return html`<p style="margin:0 0 16px">${linesOf(block.text)}</p>`
    case 'code':
      return html`<pre
        style="margin:0 0 16px;padding:12px;background:${SUNK};border-radius:6px;font:12px/19px ${MONO};white-space:pre-wrap;word-break:break-word;color:${INK}"
      >
${inHtml(block.text)}</pre>`
    case 'quote':
      return html`<blockquote style="margin:0 0 16px;padding:2px 0 2px 14px;border-left:3px solid ${ACCENT}">
        ${linesOf(block.text)}<br /><span style="color:${SECOND}">${inHtml(block.by)}</span>
      </blockquote>`
    case 'facts':
      return html`<table
        role="presentation"
        cellpadding="0"
        cellspacing="0"
        style="margin:0 0 16px;border-collapse:collapse"
      >
        ${block.rows.map(
          ({ name, value }) =>
            html`<tr>
              <td style="padding:3px 16px 3px 0;color:${SECOND};vertical-align:top;white-space:nowrap">
                ${inHtml(name)}
              </td>
              <td style="padding:3px 0;word-break:break-word">${inHtml(value)}</td>
            </tr>`,
        )}
      </table>`
    case 'list':
      return html`<ul style="margin:0 0 16px;padding:0 0 0 20px">
        ${block.items.map(({ text, path }) =>
          path === undefined
            ? html`<li style="margin:0 0 4px">${inHtml(text)}</li>`
            : html`<li style="margin:0 0 4px">
                <a href="${publicUrl}${path}" style="color:${ACCENT}">${inHtml(text)}</a>
              </li>`,
        )}
      </ul>`
  }
}

const actionHtml = ({ label, path }: Action, index: number, publicUrl: string): Html =>
  index === 0
    ? html`<a
        href="${publicUrl}${path}"
        style="display:inline-block;margin:0 8px 8px 0;padding:8px 16px;border-radius:6px;background:${ACCENT};color:#ffffff;text-decoration:none;font-weight:600"
        >${label}</a
      >`
    : html`<a
        href="${publicUrl}${path}"
        style="display:inline-block;margin:0 8px 8px 0;padding:7px 15px;border:1px solid #d3d0c8;border-radius:6px;color:${INK};text-decoration:none;font-weight:500"
        >${label}</a
      >`

const footHtml = ({ unsubscribeUrl, settingsUrl }: Around, reason: string): Html =>
  html`<p
    style="margin:16px 0 0;padding:16px 0 0;border-top:1px solid ${LINE};font-size:12px;line-height:18px;color:${SECOND}"
  >
    ${inHtml(reason)}${
      settingsUrl === null ? '' : html` <a href="${settingsUrl}" style="color:${SECOND}">Change what you get</a>`
    }${unsubscribeUrl === null ? '' : html` · <a href="${unsubscribeUrl}" style="color:${SECOND}">Unsubscribe</a>`}
  </p>`

const documentHtml = (message: Message, around: Around): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light" />
        <title>${message.headline}</title>
      </head>
      <body style="margin:0;padding:0;background:#faf9f7">
        <div style="max-width:640px;margin:0 auto;padding:24px 16px">
          <div
            style="padding:24px;background:#ffffff;border:1px solid ${LINE};border-radius:8px;font:14px/22px ${SANS};color:${INK}"
            lang="en"
          >
            <h1
              style="margin:0 0 16px;padding:0 0 0 12px;border-left:4px solid ${LEVEL_COLOURS[message.level]};font-size:17px;line-height:24px;font-weight:600;overflow-wrap:anywhere"
            >
              ${inHtml(message.headline)}
            </h1>
            ${message.blocks.map((block) => blockHtml(block, around))}
            <p style="margin:0">
              ${message.actions.map((action, index) => actionHtml(action, index, around.publicUrl))}
            </p>
            ${footHtml(around, message.reason)}
          </div>
        </div>
      </body>
    </html> `.html

const indented = (text: string, by: string): string =>
  text
    .split('\n')
    .map((line) => `${by}${line}`.trimEnd())
    .join('\n')

const blockText = (block: Block, { publicUrl }: Around): string => {
  switch (block.kind) {
    case 'text':
      return inText(block.text)
    case 'code':
      return indented(inText(block.text), '    ')
    case 'quote':
      return `${indented(inText(block.text), '> ')}\n${inText(block.by)}`
    case 'facts':
      return block.rows.map(({ name, value }) => `${inText(name)}: ${inText(value)}`).join('\n')
    case 'list':
      return block.items
        .map(({ text, path }) => `- ${inText(text)}${path === undefined ? '' : `\n  ${publicUrl}${path}`}`)
        .join('\n')
  }
}

const documentText = (message: Message, around: Around): string => {
  const { unsubscribeUrl, settingsUrl } = around
  const foot = [
    inText(message.reason),
    ...(settingsUrl === null ? [] : [`Change what you get: ${settingsUrl}`]),
    ...(unsubscribeUrl === null ? [] : [`Unsubscribe: ${unsubscribeUrl}`]),
  ]
  const parts = [
    inText(message.headline),
    ...message.blocks.map((block) => blockText(block, around)),
    message.actions.map(({ label, path }) => `${label}: ${around.publicUrl}${path}`).join('\n'),
    `-- \n${foot.join('\n')}`,
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

/** A message as mail: HTML and text of the same parts. */
export const mailOfMessage = (message: Message, around: Around): { readonly text: string; readonly html: string } => ({
  text: documentText(message, around),
  html: documentHtml(message, around),
})
