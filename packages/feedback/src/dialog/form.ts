import { dsnOfClient, dsnText, endpointsOf } from '../client.ts'
import { button, element, fill, icon, ICONS } from '../editor/dom.ts'
import type { DialogHost } from '../loader/loader.ts'
import type { FeedbackAttachment, FeedbackFormData, FeedbackOptions } from '../options.ts'
import type { Picture, PictureControl } from '../screenshot/contract.ts'
import { announce as emit, guarded } from '../send/announce.ts'
import { forgetDraft as forgetText, keepDraft, readDraft } from '../send/draft.ts'
import { userOf } from '../send/scopes.ts'
import { forgetThreads, lastThreadOf } from '../send/threads.ts'
import { type AllTexts, catalogueOf } from '../text/catalogue.ts'
import { showBanner } from './banner.ts'
import { createFields, type Field, isOddEmail } from './fields.ts'
import { createIncluded } from './included.ts'
import { guardKeys } from './keys.ts'
import { STYLES } from './styles.ts'
import type { Outcome, Submission } from './submission.ts'

export interface Form {
  readonly el: HTMLElement
  appendToDom(): void
  /** For good: the form cannot be opened again. */
  removeFromDom(): void
  open(): void
  close(): void
}

/** The texts of a language under what the integrator replaced. */
const textsOf = async (host: DialogHost, options: FeedbackOptions): Promise<AllTexts> => {
  const texts: Record<string, string> = { ...(await catalogueOf(host.language)) }
  for (const name of Object.keys(texts)) {
    const own = (options as Readonly<Record<string, unknown>>)[name]
    if (typeof own === 'string') texts[name] = own
  }
  return texts as unknown as AllTexts
}

const pictureControlOf = async (form: FormParts): Promise<PictureControl> => {
  const { createPictureControl } = await import('../screenshot/index.ts')
  const { host, texts, options } = form
  return createPictureControl({
    root: host.surface.root,
    texts,
    options: { ...(options.mask && { mask: options.mask }), ...(options.unmask && { unmask: options.unmask }) },
    announce: form.announce,
    onChange: form.onChange,
    hideWidget: () => {
      const { host: widget } = host.surface
      widget.style.setProperty('opacity', '0', 'important')
      form.dialog.style.opacity = '0'
      return () => {
        // Only this: a page may have set colours there.
        widget.style.opacity = ''
        form.dialog.style.opacity = ''
      }
    },
  })
}

interface FormParts {
  readonly host: DialogHost
  readonly options: FeedbackOptions
  readonly texts: AllTexts
  readonly dialog: HTMLDialogElement
  announce(text: string): void
  onChange(): void
}

const merged = (first: FeedbackOptions, second: FeedbackOptions): FeedbackOptions => {
  const all: Record<string, unknown> = { ...first, ...second, tags: { ...first.tags, ...second.tags } }
  // Callbacks of both are called, those of the call first.
  for (const name of ['onFormOpen', 'onFormClose', 'onSubmitSuccess', 'onSubmitError', 'onFormSubmitted'] as const) {
    const calls = [second[name], first[name]].filter((call) => call !== undefined) as ((...data: unknown[]) => void)[]
    all[name] = (...data: unknown[]) => calls.forEach((call) => guarded(() => call(...data)))
  }
  return all
}

/** Fetched when the form opens, so that it is there when it is needed, also if the connection is not. */
const sending = () => import('../send/sending.ts')

/** Pictures are kept beside the text; what cannot be fetched has kept none. */
const withKept = (work: (kept: Awaited<ReturnType<typeof sending>>) => void): void => {
  sending().then(work, () => undefined)
}

const forgetDraft = (id: string): void => {
  forgetText(id)
  withKept(({ forgetPictures }) => forgetPictures(id))
}

/** Events of a form that stay in it, beside those of the trigger. */
const SHIELDED =
  'dblclick contextmenu mouseup pointerup touchend keypress keyup focusout beforeinput input change copy cut paste wheel'

/** Builds a form. It keeps what is typed while the page lives, and a draft of it on the device until it has arrived. */
export const createForm = async (host: DialogHost, general: FeedbackOptions, own: FeedbackOptions): Promise<Form> => {
  const options = merged(general, own)
  const texts = await textsOf(host, options)
  const client = host.getClient()
  const draftId = `${options.id ?? 'sentry-feedback'}:${(client && dsnOfClient(client)?.projectId) ?? ''}`
  const { surface } = host
  surface.style('dialog', STYLES)
  surface.shield(SHIELDED)

  const live = element('p', { class: 'quiet', role: 'status' })
  const announce = (text: string): void => {
    live.textContent = text
  }
  const fields = createFields(options, texts, announce)
  const included = createIncluded(client, texts)
  const alert = element('div', { class: 'alert', role: 'alert' })
  const hint = element('p', { class: 'hint', role: 'status' })
  const help = element('div', { class: 'help' })
  const pictures = element('div')
  const earlier = element('p', { class: 'earlier' })
  // Not a field that people see: what fills it in is a program.
  const trap = element('input', { name: 'website', tabindex: '-1', autocomplete: 'off' })
  const title = element('h2', { id: 'fh-title' }, texts.formTitle)
  const send = element('button', { type: 'submit', class: 'button primary' }, texts.submitButtonLabel)
  const form = element(
    'form',
    { novalidate: true },
    element(
      'header',
      {},
      title,
      button({ class: 'icon', 'aria-label': texts.closeLabel }, icon(ICONS.close), () => leave()),
    ),
    alert,
    hint,
    help,
    pairOf(fields.slice(0, 2)),
    ...fields.slice(2).flatMap((field) => field.element ?? []),
    pictures,
    element('div', { class: 'trap', 'aria-hidden': 'true' }, trap),
    live,
    earlier,
    element(
      'footer',
      {},
      included.element,
      button({ class: 'button' }, texts.cancelButtonLabel, () => leave()),
      send,
    ),
  )
  const dialog = element(
    'dialog',
    { class: `dialog ${options.layout ?? 'corner'}`, 'aria-labelledby': 'fh-title' },
    form,
  )

  let control: PictureControl | null = null
  let submission: Submission | null = null
  let eventId: string | null = null
  let openedAt = 0
  let opener: Element | null = null
  let warnedOf = ''
  let isBusy = false
  let banner: { dismiss(): void } | null = null

  const valuesOf = (): Record<string, string> =>
    Object.fromEntries(fields.map((field) => [field.name, String(field.read())]))
  const field = (name: string): Field | undefined => fields.find((each) => each.name === name)
  const saveDraft = (): void => {
    const values = valuesOf()
    if (!values['message'] && !control?.pictures().length) forgetDraft(draftId)
    else keepDraft(draftId, { values, ...(eventId !== null && { eventId }) })
  }
  const parts: FormParts = {
    host,
    options,
    texts,
    dialog,
    announce,
    onChange: () => {
      const shown = control?.pictures() ?? []
      withKept(({ keepPictures }) => keepPictures(draftId, shown))
      saveDraft()
    },
  }

  const prefill = (): void => {
    const user = guarded(() => options.user?.()) ?? (client ? userOf(client) : {})
    const keys = options.useSentryUser ?? { email: 'email', name: 'username' }
    for (const name of ['name', 'email'] as const) {
      const known = user[keys[name]]
      if (typeof known === 'string' && field(name)?.read() === '') field(name)?.write(known)
    }
  }

  /** Where the answer to the last report stands: the banner that had the link is gone by now. */
  const showLast = (): void => {
    const dsn = client && dsnOfClient(client)
    const url = dsn && lastThreadOf(dsnText(dsn))
    earlier.replaceChildren()
    if (!url) return
    const forget = button({ class: 'link' }, texts.forgetLabel, () => {
      forgetThreads(dsnText(dsn))
      showLast()
      field('message')?.input.focus()
    })
    earlier.append(
      element('a', { href: url, target: '_blank', rel: 'noopener noreferrer' }, texts.lastReportLabel),
      ' · ',
      forget,
    )
  }

  const restore = (): void => {
    const draft = readDraft(draftId)
    if (draft === null) return
    for (const each of fields) {
      const value = draft.values[each.name]
      if (typeof value === 'string' && value !== '') each.write(value)
    }
    eventId = draft.eventId ?? null
    hint.replaceChildren(
      `${texts.draftText} `,
      button({ class: 'link' }, texts.discardLabel, () => {
        clear()
        fields.find((each) => each.element !== null && each.name === 'message')?.input.focus()
      }),
    )
  }

  const clear = (): void => {
    eventId = null
    submission = null
    forgetDraft(draftId)
    for (const each of fields) if (each.name !== 'name' && each.name !== 'email') each.write('')
    control?.destroy()
    control = null
    pictures.replaceChildren()
    if (dialog.open) void addPictures()
    hint.replaceChildren()
    showProblem('')
  }

  const addPictures = async (): Promise<void> => {
    if (options.enableScreenshot === false || control !== null) return
    try {
      const made = await pictureControlOf(parts)
      if (control !== null) return made.destroy()
      control = made
      pictures.append(made.element)
      const { readPictures } = await sending()
      const kept = (await readPictures(draftId)) as readonly Picture[]
      if (kept.length > 0) made.restore(kept)
    } catch {
      pictures.replaceChildren(element('p', { class: 'note' }, texts.unavailablePictureText))
    }
  }

  /** The text in the alert; ways out of it below. */
  const showProblem = (text: string, ...ways: readonly HTMLElement[]): void => {
    alert.replaceChildren(...(text === '' ? [] : [element('span', { class: 'text' }, text)]))
    help.replaceChildren(...ways)
  }

  const setBusy = (on: boolean): void => {
    isBusy = on
    // Disabling the button would throw the focus away.
    send.setAttribute('aria-disabled', String(on))
    send.textContent = on ? texts.sendingText : texts.submitButtonLabel
    control?.setDisabled(on)
    if (on) announce(texts.sendingText)
  }

  const copyWay = (): HTMLElement =>
    button({ class: 'link' }, texts.copyLabel, () => {
      const message = field('message')?.input
      void navigator.clipboard?.writeText(String(field('message')?.read())).then(
        () => announce(texts.copiedText),
        () => undefined,
      )
      if (message instanceof HTMLTextAreaElement) message.select()
    })

  /** In the order of the form; the first of them gets the focus. */
  const missing = (): Field[] => {
    const found = fields.filter(
      (each) => each.isRequired && (each.read() === '' || each.read() === 0 || each.read() === false),
    )
    for (const each of fields) {
      if (found.includes(each)) each.input.ariaInvalid = 'true'
      else each.input.ariaInvalid = null
    }
    return found
  }

  const submit = async (withPictures = true): Promise<void> => {
    if (isBusy) return
    const absent = missing()
    if (absent.length > 0) {
      const error = `${texts.errorMissingFieldsText} ${absent.map(({ label }) => label).join(', ')}`
      showProblem(error)
      absent[0]?.input.focus()
      return
    }
    const values = valuesOf()
    const email = values['email'] ?? ''
    if (isOddEmail(email) && warnedOf !== email) {
      warnedOf = email
      showProblem(texts.emailWarningText)
      return
    }
    showProblem('')
    hint.replaceChildren()
    setBusy(true)
    submission?.supersede()
    try {
      await control?.ready()
      await start(values, withPictures)
    } catch (error) {
      setBusy(false)
      fail(error instanceof Error ? error.message : texts.errorGenericText)
    }
  }

  const start = async (values: Readonly<Record<string, string>>, withPictures: boolean): Promise<void> => {
    const urls = client ? endpointsOf(client, options.fallbackTunnel) : []
    if (client === undefined || urls.length === 0) throw new Error(texts.errorNoClientText)
    const { name = '', email = '', message = '' } = values
    const custom = Object.fromEntries(fields.slice(3).map((each) => [each.name, each.read()]))
    const { createSubmission, eventOf, newEventId, reportOf } = await sending().catch(() => {
      throw new Error(texts.errorNetworkText)
    })
    eventId ??= newEventId()
    const event = await eventOf(
      client,
      options,
      { name, email, message, source: 'widget', fields: custom },
      eventId,
      included.read(),
      { fillMs: Date.now() - openedAt, honeypot: trap.value.slice(0, 200) },
    )
    if (event === null) throw new Error(texts.errorDroppedText)
    const attachments: FeedbackAttachment[] = withPictures
      ? (control?.pictures() ?? []).map(({ filename, type, blob }) => ({ filename, contentType: type, data: blob }))
      : []
    saveDraft()
    const data: FeedbackFormData = {
      name,
      email,
      message,
      fields: custom,
      attachments: attachments.length > 0 ? attachments : undefined,
    }
    submission = createSubmission(reportOf(client, urls, event, attachments), draftId, (outcome) =>
      onOutcome(outcome, data, attachments.length > 0),
    )
    submission.start()
  }

  const fail = (text: string, ...ways: readonly HTMLElement[]): void => {
    showProblem(text, ...ways)
    options.onSubmitError?.(new Error(text))
  }

  const onOutcome = (outcome: Outcome, data: FeedbackFormData, hasPictures: boolean): void => {
    if (outcome.kind === 'waiting') {
      const minutes = Math.ceil(outcome.seconds / 60)
      hint.textContent = outcome.isAutomatic
        ? fill(texts.waitText, { seconds: outcome.seconds })
        : fill(texts.waitLongText, { minutes })
      return
    }
    if (outcome.kind === 'sending') {
      hint.replaceChildren()
      setBusy(true)
      return
    }
    setBusy(false)
    if (outcome.kind === 'success' || outcome.kind === 'queued') {
      const id = eventId ?? ''
      const isSent = outcome.kind === 'success'
      if (dialog.open) close(false)
      clear()
      if (isSent) options.onSubmitSuccess?.(data, id)
      else withKept(({ watchOutbox }) => watchOutbox())
      banner?.dismiss()
      const text = isSent ? texts.successMessageText : texts.offlineText
      const isTop = options.position?.startsWith('top') === true
      banner = showBanner(surface, texts, text, isSent ? outcome.threadUrl : undefined, isTop, () =>
        options.onFormSubmitted?.(),
      )
      return
    }
    if (outcome.kind === 'timeout') fail(texts.errorTimeoutText, copyWay())
    else if (outcome.kind === 'not-kept') fail(texts.notKeptText, copyWay())
    else {
      const { status } = outcome
      const text =
        status === 0 ? texts.errorNetworkText : status === 403 ? texts.errorForbiddenText : texts.errorGenericText
      const without =
        hasPictures && status === 413
          ? [button({ class: 'link' }, texts.withoutPictureLabel, () => void submit(false))]
          : []
      fail(text, ...without, copyWay())
      if (without.length > 0) hint.textContent = texts.tooLargeText
    }
  }

  const requestClose = (): void => {
    if (control?.handleEscape()) return
    if (!isBusy) leave()
  }
  const leave = (): void => {
    if (!dialog.open) return
    close()
    options.onFormClose?.()
  }
  const guard = guardKeys(surface.root, requestClose)
  const theme = new MutationObserver(() => host.refreshTheme())

  const close = (shouldShowTriggers = true): void => {
    guard.off()
    theme.disconnect()
    dialog.close()
    surface.hold(false)
    host.setTriggers(true)
    const target = opener?.isConnected === true && opener !== document.body ? opener : host.trigger()
    if (shouldShowTriggers || target !== undefined) (target as HTMLElement | undefined)?.focus()
  }

  const onSubmit = (event: Event): void => {
    event.preventDefault()
    void submit()
  }
  form.addEventListener('submit', onSubmit)
  // Also what the Enter key presses. In a sandboxed frame that may not send forms, that is as far as it gets.
  send.addEventListener('click', onSubmit)
  form.addEventListener('input', () => saveDraft())
  dialog.addEventListener('cancel', (event) => {
    if (event.target !== dialog) return
    event.preventDefault()
    requestClose()
  })
  let isPressedOutside = false
  dialog.addEventListener('pointerdown', (event) => {
    isPressedOutside = event.target === dialog && isOutside(event, dialog)
  })
  dialog.addEventListener('click', (event) => {
    if (isPressedOutside && event.target === dialog && isOutside(event, dialog) && !isBusy) leave()
    isPressedOutside = false
  })
  surface.root.append(dialog)
  let isFirst = true

  return {
    el: dialog,
    appendToDom: () => {
      surface.sync()
      if (!dialog.isConnected) surface.root.append(dialog)
    },
    removeFromDom: () => {
      if (dialog.open) close()
      submission?.supersede()
      banner?.dismiss()
      guard.off()
      theme.disconnect()
      control?.destroy()
      control = null
      dialog.remove()
    },
    open: () => {
      if (dialog.open) return
      banner?.dismiss()
      opener = deepActive()
      host.refreshTheme()
      host.setTriggers(false)
      surface.hold(true)
      openedAt = Date.now()
      if (isFirst) {
        isFirst = false
        restore()
      }
      prefill()
      showLast()
      void addPictures()
      guard.on()
      theme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
      dialog.showModal()
      firstEmpty(fields)?.input.focus()
      if (client) emit(client, 'openFeedbackWidget')
      withKept(() => undefined)
      options.onFormOpen?.()
    },
    close: leave,
  }
}

const pairOf = (fields: readonly Field[]): HTMLElement | string => {
  const shown = fields.flatMap((field) => field.element ?? [])
  return shown.length === 0 ? '' : element('div', { class: 'pair' }, ...shown)
}

/** The message, unless an earlier required field is empty. */
const firstEmpty = (fields: readonly Field[]): Field | undefined =>
  fields.find((field) => field.element !== null && field.isRequired && field.read() === '') ??
  fields.find((field) => field.name === 'message')

const isOutside = ({ clientX, clientY }: MouseEvent, dialog: HTMLElement): boolean => {
  const { left, right, top, bottom } = dialog.getBoundingClientRect()
  return clientX < left || clientX > right || clientY < top || clientY > bottom
}

const deepActive = (): Element | null => {
  let active = document.activeElement
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement
  return active
}
