import { endpointsOf } from '../client.ts'
import { button, fill } from '../editor/dom.ts'
import type { FeedbackAttachment, FeedbackFormData } from '../options.ts'
import { showBanner } from './banner.ts'
import { type Field, isOddEmail } from './fields.ts'
import { clearForm, saveDraft, sending, withKept } from './keeping.ts'
import { fieldOf, type FormState, setBusy, showProblem, valuesOf } from './state.ts'
import type { Outcome } from './submission.ts'

/** Required fields without an answer (empty, no star, not ticked), in the order of the form; marked as invalid. */
const missingFields = ({ fields }: FormState): Field[] => {
  const found = fields.filter((each) => each.isRequired && !each.read())
  for (const each of fields) each.input.ariaInvalid = found.includes(each) ? 'true' : null
  return found
}

/** Shows what is missing or odd. True when the report can go. */
const isReady = (form: FormState, email: string): boolean => {
  const { texts } = form
  const missing = missingFields(form)
  if (missing.length > 0) {
    showProblem(form, `${texts.errorMissingFieldsText} ${missing.map(({ label }) => label).join(', ')}`)
    missing[0]?.input.focus()
    return false
  }
  if (isOddEmail(email) && form.warnedOf !== email) {
    form.warnedOf = email
    showProblem(form, fill(texts.emailWarningText, { button: texts.submitButtonLabel }))
    // In the order of the form: name, e-mail, message.
    const field = form.fields[1]
    if (field) field.input.ariaInvalid = 'true'
    // A question about one field stands below it, where it covers nothing.
    field?.element?.parentElement?.after(form.alert)
    field?.input.focus()
    form.alert.scrollIntoView({ block: 'nearest' })
    return false
  }
  return true
}

/** Checks the form and sends it. */
export const submit = async (form: FormState, withPictures = true): Promise<void> => {
  if (form.isBusy) return
  const values = valuesOf(form)
  if (!isReady(form, values['email'] ?? '')) return
  showProblem(form, '')
  form.hint.replaceChildren()
  setBusy(form, true)
  form.submission?.supersede()
  try {
    await form.control?.ready()
    await start(form, values, withPictures)
  } catch (error) {
    setBusy(form, false)
    fail(form, error instanceof Error ? error.message : form.texts.errorGenericText)
  }
}

const start = async (
  form: FormState,
  { name = '', email = '', message = '' }: Readonly<Record<string, string>>,
  withPictures: boolean,
): Promise<void> => {
  const { client, options, texts, trap } = form
  const urls = client ? endpointsOf(client, options.fallbackTunnel) : []
  if (client === undefined || urls.length === 0) throw new Error(texts.errorNoClientText)
  const others = form.fields.slice(3)
  const fields = Object.fromEntries(others.flatMap((each) => (each.topic ? [] : [[each.name, each.read()]])))
  // Only those that were answered.
  const topics = Object.fromEntries(
    others.flatMap((each) => (each.topic && each.read() ? [[each.topic, each.read()]] : [])),
  )
  const { createSubmission, eventOf, newEventId, reportOf } = await sending().catch(() => {
    throw new Error(texts.errorNetworkText)
  })
  form.eventId ??= newEventId()
  const event = await eventOf(
    client,
    options,
    { name, email, message, source: 'widget', fields, ...topics },
    form.eventId,
    form.included(),
    { fillMs: Date.now() - form.openedAt, honeypot: trap.value.slice(0, 200) },
  )
  if (event === null) throw new Error(texts.errorDroppedText)
  const pictures = withPictures ? (form.control?.pictures() ?? []) : []
  const attachments: FeedbackAttachment[] = pictures.map(({ filename, type, blob }) => ({
    filename,
    contentType: type,
    data: blob,
  }))
  saveDraft(form)
  const hasPictures = attachments.length > 0
  const data = { name, email, message, fields, ...topics, attachments: hasPictures ? attachments : undefined }
  form.submission = createSubmission(reportOf(client, urls, event, attachments), form.draftId, (outcome) =>
    onOutcome(form, outcome, data, hasPictures),
  )
  form.submission.start()
}

const fail = (form: FormState, text: string, ...ways: readonly HTMLElement[]): void => {
  showProblem(form, text, ...ways)
  form.options.onSubmitError?.(new Error(text))
}

const onOutcome = (form: FormState, outcome: Outcome, data: FeedbackFormData, hasPictures: boolean): void => {
  const { texts, hint } = form
  if (outcome.kind === 'waiting') {
    hint.textContent = outcome.isAutomatic
      ? fill(texts.waitText, { seconds: outcome.seconds })
      : fill(texts.waitLongText, { minutes: Math.ceil(outcome.seconds / 60) })
    return
  }
  if (outcome.kind === 'sending') {
    hint.replaceChildren()
    setBusy(form, true)
    return
  }
  setBusy(form, false)
  if (outcome.kind === 'success') finish(form, texts.successMessageText, data, outcome.threadUrl)
  else if (outcome.kind === 'queued') finish(form, texts.offlineText)
  else if (outcome.kind === 'timeout') fail(form, texts.errorTimeoutText, copyButton(form))
  else if (outcome.kind === 'not-kept') fail(form, texts.notKeptText, copyButton(form))
  else onFailure(form, outcome.status, hasPictures)
}

/**
 * Closes the form, empties it and shows the banner.
 *
 * @param sent what has arrived; without it the report waits on the device
 */
const finish = (form: FormState, text: string, sent?: FeedbackFormData, threadUrl?: string): void => {
  const { options, texts, host, dialog } = form
  const id = form.eventId ?? ''
  if (dialog.open) form.close()
  clearForm(form)
  if (sent) options.onSubmitSuccess?.(sent, id)
  else withKept(({ watchOutbox }) => watchOutbox())
  form.banner?.dismiss()
  const isTop = options.position?.startsWith('top') === true
  form.banner = showBanner(host.surface, texts, text, threadUrl, isTop, () => options.onFormSubmitted?.())
}

/** @param status of HTTP; 0 when there was no answer at all */
const onFailure = (form: FormState, status: number, hasPictures: boolean): void => {
  const { texts, hint } = form
  const text =
    status === 0 ? texts.errorNetworkText : status === 403 ? texts.errorForbiddenText : texts.errorGenericText
  if (!hasPictures || status !== 413) return fail(form, text, copyButton(form))
  const without = button({ class: 'link' }, texts.withoutPictureLabel, () => void submit(form, false))
  fail(form, text, without, copyButton(form))
  hint.textContent = texts.tooLargeText
}

/** When nothing helps, the text is still the visitor's. */
const copyButton = (form: FormState): HTMLElement =>
  button({ class: 'link' }, form.texts.copyLabel, () => {
    const message = fieldOf(form, 'message')
    void navigator.clipboard?.writeText(String(message?.read())).then(
      () => form.announce(form.texts.copiedText),
      () => undefined,
    )
    if (message?.input instanceof HTMLTextAreaElement) message.input.select()
  })
