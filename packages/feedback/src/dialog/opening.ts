import { dsnText } from '@firsthand/protocol/wire'
import { dsnOfClient } from '../client.ts'
import { button, element } from '../editor/dom.ts'
import { announce as emit, guarded } from '../send/announce.ts'
import { userOf } from '../send/scopes.ts'
import { forgetThreads, lastThreadOf } from '../send/threads.ts'
import type { Field } from './fields.ts'
import { addPictures, restoreDraft, withKept } from './keeping.ts'
import { guardKeys } from './keys.ts'
import { fieldOf, type FormState } from './state.ts'

/** What is known of the visitor, in fields that are still empty. */
const prefill = (form: FormState): void => {
  const { options, client } = form
  const user = guarded(() => options.user?.()) ?? (client ? userOf(client) : {})
  const keys = options.useSentryUser ?? { email: 'email', name: 'username' }
  for (const name of ['name', 'email'] as const) {
    const known = user[keys[name]]
    const field = fieldOf(form, name)
    if (typeof known === 'string' && field?.read() === '') field.write(known)
  }
}

/** Where the answer to the last report stands: the banner that had the link is gone by now. */
const showLast = (form: FormState): void => {
  const { client, texts, earlier } = form
  const dsn = client && dsnOfClient(client)
  const url = dsn && lastThreadOf(dsnText(dsn))
  earlier.replaceChildren()
  if (!url) return
  const forget = button({ class: 'link' }, texts.forgetLabel, () => {
    forgetThreads(dsnText(dsn))
    showLast(form)
    fieldOf(form, 'message')?.input.focus()
  })
  const link = element('a', { href: url, target: '_blank', rel: 'noopener noreferrer' }, texts.lastReportLabel)
  earlier.append(link, ' · ', forget)
}

/** The message, unless an earlier required field is empty. */
const firstEmpty = (fields: readonly Field[]): Field | undefined =>
  fields.find((field) => field.element !== null && field.isRequired && field.read() === '') ??
  fields.find((field) => field.name === 'message')

const deepActive = (): Element | null => {
  let active = document.activeElement
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement
  return active
}

/** Opens and closes a form as a modal dialog of the page, with focus, keys and triggers. */
export const createOpening = (form: FormState) => {
  const { host, options, dialog, client } = form
  const { surface } = host
  let opener: Element | null = null
  let isFirst = true

  const close = (): void => {
    guard.off()
    theme.disconnect()
    dialog.close()
    surface.hold(false)
    host.setTriggers(true)
    const target = opener?.isConnected === true && opener !== document.body ? opener : host.trigger()
    ;(target as HTMLElement | undefined)?.focus()
  }
  const leave = (): void => {
    if (!dialog.open) return
    close()
    options.onFormClose?.()
  }
  /** By Escape: what the picture editor makes of it comes first. */
  const requestClose = (): void => {
    if (!form.control?.handleEscape() && !form.isBusy) leave()
  }
  const guard = guardKeys(surface.root, requestClose)
  const theme = new MutationObserver(() => host.refreshTheme())

  const open = (): void => {
    if (dialog.open) return
    form.banner?.dismiss()
    opener = deepActive()
    host.refreshTheme()
    host.setTriggers(false)
    surface.hold(true)
    form.openedAt = Date.now()
    form.renewIncluded()
    if (isFirst) restoreDraft(form)
    isFirst = false
    prefill(form)
    showLast(form)
    void addPictures(form)
    guard.on()
    theme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
    dialog.showModal()
    firstEmpty(form.fields)?.input.focus()
    if (client) emit(client, 'openFeedbackWidget')
    withKept(() => undefined)
    options.onFormOpen?.()
  }
  listenToClosing(form, leave, requestClose)
  return { open, close, leave }
}

/** Escape and a press beside the dialog. */
const listenToClosing = (form: FormState, leave: () => void, requestClose: () => void): void => {
  const { dialog } = form
  dialog.addEventListener('cancel', (event) => {
    if (event.target !== dialog) return
    event.preventDefault()
    requestClose()
  })
  // A press that began outside: one that selects text and ends there must not close the form.
  let isPressedOutside = false
  dialog.addEventListener('pointerdown', (event) => {
    isPressedOutside = isOutside(event, dialog)
  })
  dialog.addEventListener('click', (event) => {
    if (isPressedOutside && isOutside(event, dialog) && !form.isBusy) leave()
    isPressedOutside = false
  })
}

const isOutside = ({ target, clientX, clientY }: MouseEvent, dialog: HTMLElement): boolean => {
  const { left, right, top, bottom } = dialog.getBoundingClientRect()
  return target === dialog && (clientX < left || clientX > right || clientY < top || clientY > bottom)
}
