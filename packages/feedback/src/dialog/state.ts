import type { ClientLike } from '../client.ts'
import type { DialogHost } from '../loader/loader.ts'
import type { FeedbackOptions } from '../options.ts'
import type { PictureControl } from '../screenshot/contract.ts'
import type { Included } from '../send/report-event.ts'
import type { AllTexts } from '../text/catalogue.ts'
import { element } from '../editor/dom.ts'
import type { Field } from './fields.ts'
import type { Layout } from './layout.ts'
import type { Submission } from './submission.ts'

/** One form and all that changes about it. The modules of this folder are what can be done with it. */
export interface FormState extends Layout {
  readonly host: DialogHost
  readonly options: FeedbackOptions
  readonly texts: AllTexts
  readonly client: ClientLike | undefined
  readonly draftId: string
  readonly fields: readonly Field[]
  announce(text: string): void
  /** What the visitor lets go along with the text. */
  included(): Included
  /** Takes the lines that go along as they are now. */
  renewIncluded(): void
  /** Null until its code has come, and where pictures are not wanted. */
  control: PictureControl | null
  /** The attempt under way, or the last one. */
  submission?: Submission | null
  /** Of the report, from its first attempt on: repeated attempts are the same report. */
  eventId?: string | undefined
  /** In milliseconds since 1970. */
  openedAt: number
  /** The odd e-mail address that the visitor was already asked about. */
  warnedOf?: string
  isBusy?: boolean
  banner?: { dismiss(): void }
  /** Without the visitor's asking, so `onFormClose` is not called. */
  close(): void
}

export const fieldOf = ({ fields }: FormState, name: string): Field | undefined =>
  fields.find((each) => each.name === name)

export const valuesOf = ({ fields }: FormState): Record<string, string> =>
  Object.fromEntries(fields.map((field) => [field.name, String(field.read())]))

/** The text in the alert, empty for none; ways out of it below. */
export const showProblem = ({ alert, help, hint }: FormState, text: string, ...ways: readonly HTMLElement[]): void => {
  hint.before(alert)
  alert.replaceChildren(...(text === '' ? [] : [element('span', { class: 'text' }, text)]))
  help.replaceChildren(...ways)
}

export const setBusy = (form: FormState, on: boolean): void => {
  const { send, texts } = form
  form.isBusy = on
  // Disabling the button would throw the focus away.
  send.setAttribute('aria-disabled', String(on))
  send.textContent = on ? texts.sendingText : texts.submitButtonLabel
  form.control?.setDisabled(on)
  if (on) form.announce(texts.sendingText)
}
