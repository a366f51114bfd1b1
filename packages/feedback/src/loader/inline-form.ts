import { dsnText, headerLine, itemParts } from '@firsthand/protocol/wire'
import { type ClientLike, dsnOfClient, endpointsOf } from '../client.ts'
import type { FeedbackOptions } from '../options.ts'
import type { Surface } from './surface.ts'

const GENERIC =
  'Unable to send feedback. This could be because of network issues, or because you are using an ad-blocker.'

/** When the dialog's own file does not load (an ad-blocker, a deployment): a text field and a button, in a file that bears another name. */
export const openInlineForm = (surface: Surface, options: FeedbackOptions, client: ClientLike | undefined): void => {
  const add = <Tag extends keyof HTMLElementTagNameMap>(
    parent: Node,
    tag: Tag,
    text = '',
  ): HTMLElementTagNameMap[Tag] => {
    const made = document.createElement(tag)
    made.textContent = text
    return parent.appendChild(made)
  }
  const dialog = add(surface.root, 'dialog')
  const label = add(dialog, 'label', options.messageLabel ?? 'Description')
  const message = add(label, 'textarea')
  const status = add(dialog, 'p')
  const send = add(dialog, 'button', options.submitButtonLabel ?? 'Send Bug Report')
  const close = add(dialog, 'button', options.cancelButtonLabel ?? 'Cancel')
  dialog.className = 'corner plain'
  dialog.ariaLabel = options.formTitle ?? 'Report a Bug'
  status.role = 'status'
  message.style.display = 'block'
  dialog.style.padding = '16px'
  close.addEventListener('click', () => dialog.close())
  dialog.addEventListener('close', () => {
    dialog.remove()
    surface.hold(false)
  })
  // The same for every press: a second one must not make a second report.
  const id = crypto.randomUUID().replaceAll('-', '')
  const report = async (): Promise<void> => {
    const text = message.value.trim()
    if (!text) {
      status.textContent = `Please enter in the following required fields: ${options.messageLabel ?? 'Description'}`
      return
    }
    const feedback = { message: text, url: location.origin + location.pathname, source: 'widget' }
    const event = {
      event_id: id,
      type: 'feedback',
      timestamp: Date.now() / 1000,
      platform: 'javascript',
      contexts: { feedback },
    }
    const dsn = client && dsnOfClient(client)
    const [url = ''] = client ? endpointsOf(client) : []
    const items = itemParts([[{ type: 'feedback' }, JSON.stringify(event)]])
    const body = headerLine({ event_id: id, dsn: dsn ? dsnText(dsn) : '' }) + items.join('')
    const isSent = await fetch(url, {
      method: 'POST',
      body,
      credentials: 'omit',
      signal: AbortSignal.timeout(5000),
    }).then(
      (answer) => answer.ok,
      () => false,
    )
    status.textContent = isSent
      ? (options.successMessageText ?? 'Thank you for your report!')
      : (options.errorGenericText ?? GENERIC)
    if (isSent) send.remove()
  }
  send.addEventListener('click', () => void report())
  surface.hold(true)
  dialog.showModal()
}
