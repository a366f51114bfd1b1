import { button, element, icon, ICONS } from '../editor/dom.ts'
import type { FeedbackOptions } from '../options.ts'
import type { AllTexts } from '../text/catalogue.ts'
import type { Field } from './fields.ts'

/** The elements of a form that change while it is used. */
export interface Layout {
  readonly dialog: HTMLDialogElement
  readonly form: HTMLFormElement
  /** What is wrong, and below it the ways out. */
  readonly alert: HTMLElement
  readonly help: HTMLElement
  readonly hint: HTMLElement
  readonly pictures: HTMLElement
  /** The link to the answer to the last report. */
  readonly earlier: HTMLElement
  /** Not a field that people see: what fills it in is a program. */
  readonly trap: HTMLInputElement
  readonly send: HTMLButtonElement
}

/** Name and e-mail stand side by side where there is room. */
const pairOf = (fields: readonly Field[]): HTMLElement | string => {
  const shown = fields.flatMap((field) => field.element ?? [])
  return shown.length === 0 ? '' : element('div', { class: 'pair' }, ...shown)
}

/**
 * @param live the region that announces to screen readers
 * @param included the list of what goes along
 * @param leave closes the form
 */
export const buildLayout = (
  { layout = 'corner' }: FeedbackOptions,
  texts: AllTexts,
  fields: readonly Field[],
  live: HTMLElement,
  included: HTMLElement,
  leave: () => void,
): Layout => {
  const alert = element('div', { class: 'alert', role: 'alert' })
  const hint = element('p', { class: 'hint', role: 'status' })
  const help = element('div', { class: 'help' })
  const pictures = element('div')
  const earlier = element('p', { class: 'earlier' })
  const trap = element('input', { name: 'website', tabindex: '-1', autocomplete: 'off' })
  const title = element('h2', { id: 'fh-title' }, texts.formTitle)
  const close = button({ class: 'icon', 'aria-label': texts.closeLabel }, icon(ICONS.close), leave)
  const cancel = button({ class: 'button' }, texts.cancelButtonLabel, leave)
  const send = element('button', { type: 'submit', class: 'button primary' }, texts.submitButtonLabel)
  const form = element(
    'form',
    { novalidate: true },
    element('header', {}, title, close),
    alert,
    hint,
    help,
    pairOf(fields.slice(0, 2)),
    ...fields.slice(2).flatMap((field) => field.element ?? []),
    pictures,
    element('div', { class: 'trap', 'aria-hidden': 'true' }, trap),
    live,
    earlier,
    element('footer', {}, included, cancel, send),
  )
  const dialog = element('dialog', { class: `dialog ${layout}`, 'aria-labelledby': 'fh-title' }, form)
  return { dialog, form, alert, help, hint, pictures, earlier, trap, send }
}
